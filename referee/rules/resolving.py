"""RESOLVE: the groups of the final dice, in the order that the active monster wants.

Scope: what dice give (RULES.md 3.6). Each group looks at the State when its turn comes, so the
order matters.

Not here: the group of claws (`claws`).
"""

from __future__ import annotations

from referee.model.answers import Face, Hearts, Order, Seat, Use
from referee.model.dice_decisions import HeartsDecision, OrderDecision
from referee.model.events import DiceResolved
from referee.model.kinds import Cause, Token
from referee.model.state import Place
from referee.rules.claws import build_hits, count_claws, find_neighbours, resolve_claws
from referee.rules.values import (
    gain_energy,
    gain_hearts,
    gain_points,
    lose_energy,
    max_hearts,
    remove_tokens,
)
from referee.rules.wickedness import advance_wickedness
from referee.table.hooks import Effect, Rules
from referee.table.table import Table

NUMBERS = (Face.ONE, Face.TWO, Face.THREE)
HEART_PRICE = 2
"""Energy that a patient pays for a heart (K19)."""


def resolve_dice(t: Table) -> Rules[None]:
    seat = t.state.active
    t.neighbours = find_neighbours(t)
    asleep = bool(t.of(Effect.is_dormant, seat))
    order = yield from _ask_order(t, asleep)
    t.record(DiceResolved(seat, tuple(t.state.dice), order))
    if not asleep and t.of(Effect.score_whole_roll, seat):
        claws = count_claws(t)
        for me in t.of(Effect.score_whole_roll, seat):
            me.effect.score_whole_roll(t, me, claws)
    for group in order:
        if not t.active.alive:
            return
        count = t.state.dice.count(group)
        match group:
            case Face.HEART:
                yield from _resolve_hearts(t, count)
            case Face.BOLT:
                _resolve_bolts(t, count)
            case Face.CLAW if not asleep:
                yield from resolve_claws(t)
            case Face.ONE | Face.TWO | Face.THREE if not asleep and count >= 3:
                yield from _resolve_number(t, group, count)
            case _:  # fewer than three of a number, or a dormant monster: nothing to resolve
                pass


def _ask_order(t: Table, asleep: bool) -> Rules[tuple[Face, ...]]:
    """Asked if two groups or more hold dice; claws that only cards give are a group, too."""
    seat = t.state.active
    dice = t.state.dice
    held = [face for face in Face if face in dice]
    groups = tuple(held)
    # Without a claw die, cards may give claws, or damage that needs no claw.
    claws = 0 if Face.CLAW in held or asleep else count_claws(t)
    if claws or (Face.CLAW not in held and not asleep and build_hits(t, 0)):
        groups = (*groups, Face.CLAW)
    while len(held) > 1:
        answer = yield OrderDecision(seat, groups, uses=t.anytime_offers(seat))
        if isinstance(answer, Use):
            yield from t.use(Effect.offer_anytime, seat, answer)
        elif isinstance(answer, Order):
            return answer.groups
    return groups


def _resolve_number(t: Table, face: Face, count: int) -> Rules[None]:
    """A triple is worth its number, and each further die 1 point (D-08)."""
    seat = t.state.active
    gain_points(t, seat, face + 1 + count - 3, Cause.DICE)
    for me in t.of(Effect.triple_scored, seat):
        me.effect.triple_scored(t, me, face, count)
    if t.rules.tiles:
        yield from advance_wickedness(t, face, count)


def _resolve_bolts(t: Table, count: int) -> None:
    seat = t.state.active
    gain_energy(t, seat, count, Cause.DICE)
    for me in t.of(Effect.bolts_resolved, seat):
        me.effect.bolts_resolved(t, me, count)


# -- hearts ------------------------------------------------------------------------------------


def _resolve_hearts(t: Table, count: int) -> Rules[None]:
    seat = t.state.active
    monster = t.active
    while True:
        own = 0 if monster.place is not Place.OUTSIDE or monster.zombie else count
        poison, shrink = min(own, monster.poison), min(own, monster.shrink)
        patients = _find_patients(t, count)
        if not (own or patients):
            return
        answer = yield HeartsDecision(
            seat, count, own, poison, shrink, patients, uses=t.anytime_offers(seat)
        )
        if isinstance(answer, Use):
            yield from t.use(Effect.offer_anytime, seat, answer)
        elif isinstance(answer, Hearts):
            _spend_hearts(t, answer)
            return


def _find_patients(t: Table, count: int) -> tuple[tuple[Seat, int], ...]:
    """The monsters that heart dice can heal beside the owner, and by how much (K19, A-21)."""
    seat = t.state.active
    if not t.of(Effect.may_heal_others, seat):
        return ()
    found = []
    for monster in t.state.monsters:
        if monster.alive and monster.seat != seat:
            most = min(count, max_hearts(t, monster.seat) - monster.hearts)
            if most > 0:
                found.append((monster.seat, most))
    return tuple(found)


def _spend_hearts(t: Table, spent: Hearts) -> None:
    """All hearts for one monster are one gain. A patient that cannot pay is healed all the same."""
    seat = t.state.active
    remove_tokens(t, seat, Token.POISON, spent.poison)
    remove_tokens(t, seat, Token.SHRINK, spent.shrink)
    if spent.heal:
        gain_hearts(t, seat, spent.heal, Cause.DICE)
        for me in t.of(Effect.hearts_healed, seat):
            me.effect.hearts_healed(t, me, spent.heal)
    for patient, amount in spent.give:
        gain_hearts(t, patient, amount, Cause.CARD)
        paid = min(t.monster(patient).energy, HEART_PRICE * amount)
        lose_energy(t, patient, paid, Cause.PAYMENT)
        gain_energy(t, seat, paid, Cause.PAYMENT)
