"""The group of claws: how many, which monsters they hit, and the yields (RULES.md 3.7).

Scope: one order for all rule sets; the hooks `modify_claws` and `extra_damage` of the cards hold
what differs between them. With at least one claw it is an attack. Damage that cards deal
without a claw is a hit by a card, after which no monster yields.
"""

from __future__ import annotations

from kotp2p.referee.model.answers import CLAW, Seat, Use, Yield
from kotp2p.referee.model.damage_decisions import YieldDecision
from kotp2p.referee.model.events import YieldAnswered
from kotp2p.referee.model.kinds import CLAWS, DamageKind
from kotp2p.referee.model.state import OUTSIDE
from kotp2p.referee.rules.damage import deal_damage, would_land
from kotp2p.referee.rules.tokyo import leave_tokyo
from kotp2p.referee.table.hooks import Effect, Rules
from kotp2p.referee.table.table import Hit, Table


def find_neighbours(t: Table) -> tuple[Seat, ...]:
    """The nearest monsters alive to the left and right of the active one, or the only one
    (A-63)."""
    alive = t.state.others_alive(t.state.active)
    return (alive[0], alive[-1]) if len(alive) > 1 else tuple(alive)


def count_claws(t: Table) -> int:
    """The number of claw dice and what cards make of it (3.7.1)."""
    seat = t.state.active
    claws = t.state.dice.count(CLAW)
    for me in t.of(Effect.modify_claws, seat):
        claws = me.effect.modify_claws(t, me, claws)
    return claws


def find_targets(t: Table) -> list[Seat]:
    """The monsters that the active one can attack (3.7.2), clockwise from its left."""
    seat = t.state.active
    others = t.state.others_alive(seat)
    if t.of(Effect.claws_reach_all_others, seat):
        return others
    monsters = t.monsters
    if monsters[seat].place is OUTSIDE:
        return [s for s in others if monsters[s].place is not OUTSIDE]
    return [s for s in others if monsters[s].place is OUTSIDE]


def build_hits(t: Table, claws: int) -> list[Hit]:
    """One hit for each victim, clockwise from the left of the active monster (A-06)."""
    seat = t.state.active
    adding = t.of(Effect.extra_damage, seat)
    if not claws and not adding:
        return []
    aimed = find_targets(t)
    if not adding:
        return [Hit(victim, claws, CLAWS, seat) for victim in aimed]
    hits = []
    for victim in t.state.others_alive(seat):
        is_target = victim in aimed
        amount = claws if is_target else 0
        item = None
        for me in adding:
            more = me.effect.extra_damage(t, me, claws, victim, aimed)
            amount += more
            item = me.holding.item if more and item is None else item
        if amount > 0:
            # Damage that cards add to claws is one hit with them. Without claws it is a
            # hit by the first card that added to it.
            by_claws = is_target and claws > 0
            kind = CLAWS if by_claws else DamageKind.CARD
            hits.append(Hit(victim, amount, kind, seat, None if by_claws else item))
    return hits


def resolve_claws(t: Table) -> Rules[None]:
    """CLAWS (3.7): hits, yields, delayed hits, and what cards do after the yields.

    A hit on a monster whose card says `yielding_avoids_damage` is put aside until it has
    answered the yield question. If it yields, the hit is void (3.7.4 a).
    """
    claws = count_claws(t)
    attacker = t.state.active
    t.points_at_claws = t.monsters[attacker].points
    hits = build_hits(t, claws)
    if claws:
        for me in t.of(Effect.attack_begins, attacker):
            me.effect.attack_begins(t, me)
    aside: dict[Seat, Hit] = {}
    hurt: list[Seat] = []
    for hit in hits:
        seat = hit.victim
        monster = t.monsters[seat]
        in_tokyo = monster.place is not OUTSIDE and hit.kind is CLAWS
        if in_tokyo and t.of(Effect.yielding_avoids_damage, seat) and would_land(t, hit):
            aside[seat] = hit
            continue
        lost = yield from deal_damage(t, hit)
        if lost and in_tokyo:
            hurt.append(seat)
    if hurt or aside:
        yielders = yield from _ask_yields(t, attacker, hurt, aside)
        for hit in aside.values():
            if hit.victim not in yielders:
                yield from deal_damage(t, hit)
        yield from _after_yields(t, attacker, yielders)


def _ask_yields(
    t: Table, attacker: Seat, hurt: list[Seat], aside: dict[Seat, Hit]
) -> Rules[list[Seat]]:
    """Ask the City first, then the Bay, which knows the first answer (A-19); the yielders."""
    yielders: list[Seat] = []
    for seat in [s for s in t.seats_in_tokyo() if s in hurt or s in aside]:
        pending = aside[seat].amount if seat in aside else 0
        while t.monsters[seat].place is not OUTSIDE:
            answer = yield t.with_offers(YieldDecision(seat, attacker, pending))
            if answer is None:  # a seat has left the game, maybe this one
                continue
            if isinstance(answer, Use):
                yield from t.use(Effect.offer_anytime, seat, answer)
                continue
            yields = isinstance(answer, Yield)
            t.record(YieldAnswered(seat, yields))
            if yields:
                leave_tokyo(t, seat, yielded=True)
                yielders.append(seat)
            break
    return yielders


def _after_yields(t: Table, attacker: Seat, yielders: list[Seat]) -> Rules[None]:
    """First all effects on yielding, then all swaps (3.7.6)."""
    for seat in yielders:
        for me in t.adding_up(Effect.yielded_tokyo, seat):
            if t.still_works(me):
                yield from me.effect.yielded_tokyo(t, me, attacker)
    for me in t.each(Effect.may_swap, yielders):
        if t.still_works(me):
            yield from me.effect.may_swap(t, me, attacker)
