"""Keep cards that only the dark rule set has."""

from collections.abc import Mapping

from kotp2p.referee.model import events
from kotp2p.referee.model.answers import THREE, Item, Seat, Swap, Use
from kotp2p.referee.model.decisions import SwapDecision, Usable
from kotp2p.referee.model.state import OUTSIDE, Cause, DamageKind, Holding
from kotp2p.referee.rules import holdings
from kotp2p.referee.rules.damage import deal_damage
from kotp2p.referee.rules.monsters import gain_energy, gain_hearts, leave_tokyo, lose_points
from kotp2p.referee.table.table import DiceTraits, Effect, Hit, InPlay, Rules, Table


class Hibernation(Effect):
    """No damage, and only hearts and bolts count; its owner may end it at CHANGE_DICE (A-40)."""

    reads = DiceTraits.POINTS

    def is_dormant(self, t: Table, me: InPlay) -> bool:
        return True

    def absorbs_hit(self, t: Table, me: InPlay, hit: Hit) -> bool:
        return True

    def may_be_gained(self, t: Table, seat: Seat) -> bool:
        return t.monsters[seat].place is OUTSIDE

    def offer_change(self, t: Table, me: InPlay) -> Usable | None:
        return t.make_usable(me)

    def use(self, t: Table, me: InPlay, use: Use) -> Rules[None]:
        holdings.use_up(t, me)
        yield from ()


class Nanobots(Effect, turn_starts=2):
    """2 hearts at the start of a turn with fewer than 3 hearts (A-93)."""

    adds_up = True
    reads = DiceTraits.HEALING

    def turn_starts(self, t: Table, me: InPlay) -> Rules[None]:
        if t.monsters[me.seat].hearts < 3:
            gain_hearts(t, me.seat, 2 * me.copies, Cause.CARD, me.holding.item)
        yield from ()


class NaturalSelection(Effect, turn_ends=5):
    """4 energy, 4 hearts and a die; but a final 3 costs all hearts (A-41, A-93, A-95)."""

    adds_up = True
    reads = DiceTraits.THREES | DiceTraits.HEALING

    def extra_dice(self, t: Table, me: InPlay) -> int:
        return 1

    def came_into_play(self, t: Table, me: InPlay) -> Rules[None]:
        gain_energy(t, me.seat, 4, Cause.CARD, me.holding.item)
        gain_hearts(t, me.seat, 4, Cause.CARD, me.holding.item)
        yield from ()

    def turn_ends(self, t: Table, me: InPlay) -> Rules[None]:
        if THREE in t.state.dice:
            hearts = t.monsters[me.seat].hearts
            own = Hit(me.seat, hearts, DamageKind.CARD, me.seat, me.holding.item, takes_all=True)
            yield from deal_damage(t, own)


class ReflectiveHide(Effect):
    """Another monster that wounds its owner takes 1 damage (A-42, A-93, A-98)."""

    adds_up = True

    def was_wounded(self, t: Table, me: InPlay, hit: Hit, lost: int) -> Rules[None]:
        dealer = hit.dealer
        if dealer is None or dealer == me.seat or hit.reflected:
            return
        item = me.holding.item
        back = Hit(dealer, me.copies, DamageKind.CARD, me.seat, item, reflected=True)
        yield from deal_damage(t, back)


class SuperJump(Effect):
    """For 1 energy, once a turn, 1 damage less (DK5)."""

    def offer_response(self, t: Table, me: InPlay) -> Usable | None:
        return None if me.holding.used else t.make_usable(me, cost=1)

    def use(self, t: Table, me: InPlay, use: Use) -> Rules[None]:
        assert t.hit is not None, "a response is given to a hit"
        t.record(events.ItemMarked(me.seat, me.holding.item))
        t.hit.amount -= 1
        t.record(events.DamagePrevented(me.seat, 1, me.holding.item))
        yield from ()


class UnstableDna(Effect):
    """Its owner, on yielding, may swap it for a Keep card of the attacker. A copy cannot (A-43)."""

    def may_swap(self, t: Table, me: InPlay, attacker: Seat) -> Rules[None]:
        while t.still_works(me) and me.card == me.holding.item:
            cards = tuple(h.item for h in t.monsters[attacker].holdings if t.is_card(h.item))
            if not cards:
                return
            answer = yield from t.ask(SwapDecision(me.seat, attacker, cards))
            if isinstance(answer, Swap):
                yield from _swap_cards(t, me, attacker, answer.card)
                return
            elif answer is not None:
                return


def _swap_cards(t: Table, me: InPlay, attacker: Seat, card: Item) -> Rules[None]:
    """Exchange two cards between their owners, with all that is on them (A-25)."""
    theirs = next(held for held in t.monsters[attacker].holdings if held.item == card)
    given: list[tuple[Seat, Seat, Holding]] = [
        (attacker, me.seat, theirs),
        (me.seat, attacker, me.holding),
    ]
    for owner, _, holding in given:
        holdings.lose_holding(t, owner, holding, discarded=False)
    for _, owner, holding in given:
        if t.monsters[owner].alive:
            yield from holdings.gain_holding(
                t, owner, holding.item, holdings.counters_that_travel(holding)
            )


class Zombify(Effect, rescue_at_zero=1):
    """The first time at 0 hearts its owner loses everything else and goes on as a zombie."""

    # Its card stays, unless a copy acts first; heart dice do nothing then.

    def rescue_at_zero(self, t: Table, me: InPlay) -> bool:
        monster = t.monsters[me.seat]
        if monster.zombie:
            return False
        item = me.holding.item
        holdings.lose_all_holdings(t, me.seat, but=me.holding if me.card == item else None)
        lose_points(t, me.seat, monster.points, Cause.CARD, item)
        if monster.wickedness or monster.steps:
            t.record(events.WickednessChanged(me.seat, 0))
        leave_tokyo(t, me.seat)
        t.record(events.Zombified(me.seat, item))
        t.record(events.Resurrected(me.seat, item, t.rules.hearts_on_dial))
        return True


EFFECTS: Mapping[str, Effect] = {
    "hibernation": Hibernation(),
    "nanobots": Nanobots(),
    "natural-selection": NaturalSelection(),
    "reflective-hide": ReflectiveHide(),
    "super-jump": SuperJump(),
    "unstable-dna": UnstableDna(),
    "zombify": Zombify(),
}
