"""RESOLVE: the groups of the final dice, in the order that the active monster wants.

Scope: what dice give (RULES.md 3.6). Each group looks at the State when it is reached (A-106), so
the order matters.

Not here: the group of claws (`claws`).
"""

from __future__ import annotations

from functools import partial

from kotp2p.referee.model.answers import (
    BOLT,
    CLAW,
    HEART,
    ONE,
    THREE,
    TWO,
    Face,
    Hearts,
    Order,
    Seat,
    Use,
)
from kotp2p.referee.model.dice_decisions import HeartsDecision, OrderDecision
from kotp2p.referee.model.events import DiceResolved, TripleOnesScored
from kotp2p.referee.model.kinds import BY_CARD, BY_DICE, BY_PAYMENT, POISON, SHRINK
from kotp2p.referee.model.state import OUTSIDE
from kotp2p.referee.rules.claws import build_hits, count_claws, find_neighbours, resolve_claws
from kotp2p.referee.rules.damage import ask_before_energy_loss
from kotp2p.referee.rules.values import (
    gain_energy,
    gain_hearts,
    gain_points,
    lose_energy,
    max_hearts,
    remove_tokens,
)
from kotp2p.referee.rules.wickedness import advance_wickedness
from kotp2p.referee.table.hooks import Effect, Rules
from kotp2p.referee.table.table import Table

NUMBERS = (ONE, TWO, THREE)
HEART_PRICE = 2
"""Energy that a patient pays for a heart (K19)."""


def resolve_dice(t: Table) -> Rules[None]:
    seat = t.state.active
    t.neighbours = find_neighbours(t)
    order = yield from _ask_order(t)
    t.record(DiceResolved(seat, tuple(t.state.dice), order))
    if t.of(Effect.score_whole_roll, seat) and not _is_asleep(t):
        claws = count_claws(t)
        for me in t.of(Effect.score_whole_roll, seat):
            me.effect.score_whole_roll(t, me, claws)
    # Claws that were left out, or that have come into being since, are the last group.
    groups = order if CLAW in order else (*order, CLAW)
    monster = t.monsters[seat]
    for group in groups:
        if not monster.alive:
            return
        # Whether a group counts is judged now, since a tile may have come before it.
        count = t.state.dice.count(group)
        if group == HEART:
            yield from _resolve_hearts(t, count)
        elif group == BOLT:
            _resolve_bolts(t, count)
        elif group == CLAW:
            if not _is_asleep(t):
                yield from resolve_claws(t)
        elif count >= 3 and not _is_asleep(t):  # fewer of a number are worth nothing
            yield from _resolve_number(t, group, count)


def _is_asleep(t: Table) -> bool:
    return bool(t.of(Effect.is_dormant, t.state.active))


def _ask_order(t: Table) -> Rules[tuple[Face, ...]]:
    """Asked if two groups or more hold dice, whether they count or not (A-97). Claws that only
    cards give are a group, too (A-105)."""
    seat = t.state.active
    held = tuple(sorted(set(t.state.dice)))
    of_cards = CLAW not in held and not _is_asleep(t) and _cards_hit(t)
    groups = (*held, CLAW) if of_cards else held
    while len(held) > 1:
        answer = yield t.with_offers(OrderDecision(seat, groups, of_cards))
        if isinstance(answer, Use):
            yield from t.use(Effect.offer_anytime, seat, answer)
        elif isinstance(answer, Order):
            return answer.groups
    return groups


def _cards_hit(t: Table) -> bool:
    """Whether cards give claws without a claw die, or damage that needs no claw."""
    return bool(count_claws(t) or build_hits(t, 0))


def _resolve_number(t: Table, face: Face, count: int) -> Rules[None]:
    """A triple is worth its number, and each further die 1 point (D-08)."""
    seat = t.state.active
    gain_points(t, seat, face + 1 + count - 3, BY_DICE)
    if face is ONE:
        t.record(TripleOnesScored(seat))
    for me in t.of(Effect.triple_scored, seat):
        me.effect.triple_scored(t, me, face, count)
    if t.rules.tiles:
        yield from advance_wickedness(t, face, count)


def _resolve_bolts(t: Table, count: int) -> None:
    seat = t.state.active
    gain_energy(t, seat, count, BY_DICE)
    for me in t.of(Effect.bolts_resolved, seat):
        me.effect.bolts_resolved(t, me, count)


# -- hearts ------------------------------------------------------------------------------------


def _resolve_hearts(t: Table, count: int) -> Rules[None]:
    seat = t.state.active
    monster = t.monsters[seat]
    while True:
        own = 0 if monster.place is not OUTSIDE or monster.zombie else count
        poison, shrink = min(own, monster.poison), min(own, monster.shrink)
        patients = _find_patients(t, count)
        if not (own or patients):
            return
        decision = HeartsDecision(seat, count, own, poison, shrink, patients)
        answer = yield t.with_offers(decision)
        if isinstance(answer, Use):
            yield from t.use(Effect.offer_anytime, seat, answer)
        elif isinstance(answer, Hearts):
            yield from _spend_hearts(t, answer)
            return


def _find_patients(t: Table, count: int) -> tuple[tuple[Seat, int], ...]:
    """The monsters that heart dice can heal beside the owner, and by how much (K19, A-21)."""
    seat = t.state.active
    if not t.of(Effect.may_heal_others, seat):
        return ()
    found = []
    for monster in t.monsters:
        if monster.alive and monster.seat != seat:
            most = min(count, _count_lacking(t, monster.seat))
            if most > 0:
                found.append((monster.seat, most))
    return tuple(found)


def _spend_hearts(t: Table, spent: Hearts) -> Rules[None]:
    """All hearts for one monster are one gain. A patient that cannot pay is healed all the same.

    Before anything is healed or paid, each patient may use its energy (A-94).
    """
    seat = t.state.active
    for patient, amount in spent.give:
        loss = partial(_price_of_healing, t, patient, amount)
        yield from ask_before_energy_loss(t, patient, seat, loss)
    remove_tokens(t, seat, POISON, spent.poison)
    remove_tokens(t, seat, SHRINK, spent.shrink)
    if spent.heal:
        gain_hearts(t, seat, spent.heal, BY_DICE)
        for me in t.of(Effect.hearts_healed, seat):
            me.effect.hearts_healed(t, me, spent.heal)
    for patient, amount in spent.give:
        paid = _price_of_healing(t, patient, amount)
        gain_hearts(t, patient, min(amount, _count_lacking(t, patient)), BY_CARD)
        lose_energy(t, patient, paid, BY_PAYMENT)
        gain_energy(t, seat, paid, BY_PAYMENT)


def _count_lacking(t: Table, seat: Seat) -> int:
    return max_hearts(t, seat) - t.monsters[seat].hearts


def _price_of_healing(t: Table, patient: Seat, amount: int) -> int:
    """What the patient pays for those of the hearts that heal it, or all that it has (A-94)."""
    heals = min(amount, _count_lacking(t, patient))
    return min(t.monsters[patient].energy, HEART_PRICE * heals)
