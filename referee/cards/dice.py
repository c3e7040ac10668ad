"""Keep cards that touch dice: how many, how often they roll, and what they show."""

from collections.abc import Iterable, Mapping

from kotp2p.referee.model.answers import CLAW, HEART, ONE, THREE, TWO, Face, Use
from kotp2p.referee.model.decisions import Usable
from kotp2p.referee.model.events import CountersChanged, ItemMarked, RollGained
from kotp2p.referee.model.state import Cause
from kotp2p.referee.rules.holdings import use_up
from kotp2p.referee.rules.monsters import gain_points
from kotp2p.referee.rules.turn import reroll_one, set_die
from kotp2p.referee.table.table import DiceTraits, Effect, InPlay, Rules, Table


class ExtraHead(Effect):
    """One die more (A-49)."""

    def extra_dice(self, t: Table, me: InPlay) -> int:
        return 1


class GiantBrain(Effect):
    """One roll more."""

    def extra_rolls(self, t: Table, me: InPlay) -> int:
        return 1


class EnergyDrink(Effect):
    """For 1 energy one roll more (D-37)."""

    def offer_roll(self, t: Table, me: InPlay) -> Usable | None:
        return t.make_usable(me, cost=1)

    def use(self, t: Table, me: InPlay, use: Use) -> Rules[None]:
        t.record(RollGained(me.seat, me.holding.item))
        yield from ()


class SmokeCloud(Effect):
    """Three tokens, each worth one roll more (A-34, A-48)."""

    counters = 3

    def offer_roll(self, t: Table, me: InPlay) -> Usable | None:
        return t.make_usable(me) if me.holding.counters else None

    def use(self, t: Table, me: InPlay, use: Use) -> Rules[None]:
        left = me.holding.counters - 1
        t.record(CountersChanged(me.seat, me.holding.item, left))
        t.record(RollGained(me.seat, me.holding.item))
        if not left:
            use_up(t, me)
        yield from ()


class BackgroundDweller(Effect):
    """Rerolls a die that shows 3, which uses up no roll (A-88, A-107)."""

    def offer_roll(self, t: Table, me: InPlay) -> Usable | None:
        return self._offer(t, me, range(len(t.state.dice)))

    def offer_change(self, t: Table, me: InPlay) -> Usable | None:
        """Offer a change only of dice that show the 3 of a probe (A-107)."""
        return self._offer(t, me, sorted(t.probed))

    def _offer(self, t: Table, me: InPlay, positions: Iterable[int]) -> Usable | None:
        threes = [i for i in positions if t.state.dice[i] is THREE]
        return t.make_usable(me, dice=threes) if threes else None

    def use(self, t: Table, me: InPlay, use: Use) -> Rules[None]:
        assert use.die is not None, "a die was named"
        yield from reroll_one(t, me.seat, me.holding.item, use.die)


class PsychicProbe(Effect):
    """Rerolls one die of another monster; on a heart the card is gone (A-29, A-30)."""

    def offer_probe(self, t: Table, me: InPlay) -> Usable | None:
        return t.make_usable(me, dice=range(len(t.state.dice)))

    def use(self, t: Table, me: InPlay, use: Use) -> Rules[None]:
        assert use.die is not None, "a die was named"
        face = yield from reroll_one(t, me.seat, me.holding.item, use.die)
        if face is HEART and t.still_works(me):
            use_up(t, me)


class Stretchy(Effect):
    """For 2 energy one die shows the face that its owner wants (D-37)."""

    def offer_change(self, t: Table, me: InPlay) -> Usable | None:
        dice = range(len(t.state.dice))
        return t.make_usable(me, cost=2, dice=dice, faces=Face) if dice else None

    def use(self, t: Table, me: InPlay, use: Use) -> Rules[None]:
        assert use.die is not None and use.face is not None, "a die and a face were named"
        set_die(t, me.seat, me.holding.item, use.die, use.face)
        yield from ()


class PlotTwist(Effect):
    """One die shows the face that its owner wants; then the card is gone (A-34, A-48)."""

    def offer_change(self, t: Table, me: InPlay) -> Usable | None:
        dice = range(len(t.state.dice))
        return t.make_usable(me, dice=dice, faces=Face) if dice else None

    def use(self, t: Table, me: InPlay, use: Use) -> Rules[None]:
        assert use.die is not None and use.face is not None, "a die and a face were named"
        set_die(t, me.seat, me.holding.item, use.die, use.face)
        use_up(t, me)
        yield from ()


class HerdCuller(Effect):
    """Once a turn one die shows 1."""

    def offer_change(self, t: Table, me: InPlay) -> Usable | None:
        dice = range(len(t.state.dice))
        return t.make_usable(me, dice=dice) if dice and not me.holding.used else None

    def use(self, t: Table, me: InPlay, use: Use) -> Rules[None]:
        assert use.die is not None, "a die was named"
        t.record(ItemMarked(me.seat, me.holding.item))
        set_die(t, me.seat, me.holding.item, use.die, ONE)
        yield from ()


class FreezeTime(Effect):
    """Three ones that are scored give another turn with one die fewer (A-31)."""

    reads = DiceTraits.TRIPLES

    def three_ones_earn_a_turn(self, t: Table, me: InPlay) -> bool:
        return True


class Gourmet(Effect):
    """2 points more for three ones or more."""

    reads = DiceTraits.TRIPLES

    def triple_scored(self, t: Table, me: InPlay, face: Face, count: int) -> None:
        if face is ONE:
            gain_points(t, me.seat, 2, Cause.CARD, me.holding.item)


class Detritivore(Effect):
    """2 points for 1, 2 and 3."""

    reads = DiceTraits.SETS

    def score_whole_roll(self, t: Table, me: InPlay, claws: int) -> None:
        if {ONE, TWO, THREE} <= set(t.state.dice):
            gain_points(t, me.seat, 2, Cause.CARD, me.holding.item)


class CompleteDestruction(Effect):
    """9 points for all six faces; a claw that a card adds counts (A-60)."""

    reads = DiceTraits.SETS

    def score_whole_roll(self, t: Table, me: InPlay, claws: int) -> None:
        shown = set(t.state.dice) | ({CLAW} if claws else set())
        if len(shown) == len(Face):
            gain_points(t, me.seat, 9, Cause.CARD, me.holding.item)


EFFECTS: Mapping[str, Effect] = {
    "background-dweller": BackgroundDweller(),
    "complete-destruction": CompleteDestruction(),
    "detritivore": Detritivore(),
    "energy-drink": EnergyDrink(),
    "extra-head": ExtraHead(),
    "freeze-time": FreezeTime(),
    "giant-brain": GiantBrain(),
    "gourmet": Gourmet(),
    "herd-culler": HerdCuller(),
    "plot-twist": PlotTwist(),
    "psychic-probe": PsychicProbe(),
    "smoke-cloud": SmokeCloud(),
    "stretchy": Stretchy(),
}
