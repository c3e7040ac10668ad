"""Mimic and Fluxling: each works as a new copy of another Keep card (K26, A-33, A-34, A-47)."""

from __future__ import annotations

from collections.abc import Mapping

from kotp2p.referee.model.answers import Copy, Item, Use
from kotp2p.referee.model.card_decisions import CopyDecision
from kotp2p.referee.model.events import CopyPlaced, CountersChanged
from kotp2p.referee.model.kinds import Cause
from kotp2p.referee.model.state import NO_ITEM
from kotp2p.referee.rules.holdings import cut_link
from kotp2p.referee.rules.values import lose_energy
from kotp2p.referee.table.hooks import Effect, InPlay, Rules
from kotp2p.referee.table.table import Table


def find_copy_targets(t: Table, me: InPlay) -> tuple[Item, ...]:
    """Keep cards in play that `me` could copy, by owner clockwise, its own last."""
    found = []
    for seat in (*t.state.seats_clockwise(me.seat), me.seat):
        for holding in t.monsters[seat].holdings:
            effect = t.effects[holding.item]
            if not t.is_card(holding.item) or holding.item == me.holding.item:
                continue
            if effect is not None and effect.copyable and effect.may_be_gained(t, me.seat):
                found.append(holding.item)
    return tuple(found)


def place_link(t: Table, me: InPlay, card: Item) -> Rules[None]:
    """Move the link to `card`, which comes into play anew, with counters of its own."""
    seat, holding = me.seat, me.holding
    if holding.copies != NO_ITEM:
        cut_link(t, seat, holding)
    t.record(CopyPlaced(seat, holding.item, card))
    copied = t.effects_of(seat, holding)[-1]
    if copied.effect.counters:
        t.record(CountersChanged(seat, holding.item, copied.effect.counters))
    yield from copied.effect.came_into_play(t, copied)


class Copying(Effect):
    """Its owner chooses a card when it comes into play, and may choose anew at TURN_START."""

    copyable = False
    cost = 0
    """Energy for choosing anew."""

    def came_into_play(self, t: Table, me: InPlay) -> Rules[None]:
        while t.still_works(me):
            known = find_copy_targets(t, me)
            if len(known) < 2:
                if known:
                    yield from place_link(t, me, known[0])
                return
            answer = yield t.with_offers(CopyDecision(me.seat, me.holding.item, known, False))
            if isinstance(answer, Use):
                yield from t.use(Effect.offer_anytime, me.seat, answer)
            elif isinstance(answer, Copy):
                yield from place_link(t, me, answer.card)
                return

    def choose_copied_card(self, t: Table, me: InPlay) -> Rules[None]:
        while t.still_works(me) and t.monsters[me.seat].energy >= self.cost:
            known = tuple(c for c in find_copy_targets(t, me) if c != me.holding.copies)
            if not known:
                return
            decision = CopyDecision(me.seat, me.holding.item, known, True, self.cost)
            answer = yield t.with_offers(decision)
            if isinstance(answer, Use):
                yield from t.use(Effect.offer_anytime, me.seat, answer)
            elif isinstance(answer, Copy):
                lose_energy(t, me.seat, self.cost, Cause.PAYMENT, me.holding.item)
                yield from place_link(t, me, answer.card)
                return
            elif answer is not None:
                return


class Mimic(Copying, choose_copied_card=7):
    """A card that copies."""

    cost = 1


class Fluxling(Copying, choose_copied_card=6):
    """A tile that copies; choosing anew is free (A-47)."""


EFFECTS: Mapping[str, Effect] = {"mimic": Mimic()}
