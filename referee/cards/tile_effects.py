"""What the wickedness tiles do (RULES.md 2.3).

Scope: a tile comes into play as a card does (`gain_holding`) and works from that moment. It acts on
the groups of dice that are still to be resolved, never on the numbers that have earned it. A tile
that is used up leaves the game (`lose_holding`); nothing brings it back to the track.
"""

from __future__ import annotations

from collections.abc import Mapping

from kotp2p.referee.cards.attack import in_tokyo
from kotp2p.referee.cards.copying import Fluxling
from kotp2p.referee.cards.dice import ExtraHead, GiantBrain
from kotp2p.referee.cards.economy import AlienOrigin, MediaFriendly
from kotp2p.referee.model.answers import ONE, Face, Seat
from kotp2p.referee.model.events import ExtraTurnGained, HeartsSet
from kotp2p.referee.model.kinds import Cause, TurnKind
from kotp2p.referee.rules.holdings import lose_holding
from kotp2p.referee.rules.values import (
    gain_energy,
    gain_hearts,
    gain_points,
    lose_points,
    max_hearts,
)
from kotp2p.referee.table.hooks import DiceTraits, Effect, InPlay, Rules
from kotp2p.referee.table.table import Table

ROAR = 16
"""Points with which its owner wins by Final Roar."""


def rob_others(t: Table, me: InPlay, points: int) -> None:
    """All others lose points, clockwise from the owner's left."""
    for other in t.state.seats_clockwise(me.seat):
        lose_points(t, other, points, Cause.CARD, me.holding.item)


# -- red -------------------------------------------------------------------------------------------


class Eternal(Effect, turn_starts=3):
    """1 heart at the start of a turn, in Tokyo too."""

    def turn_starts(self, t: Table, me: InPlay) -> Rules[None]:
        gain_hearts(t, me.seat, 1, Cause.CARD, me.holding.item)
        yield from ()


class Skulking(Effect):
    """1 point more for three ones or more."""

    reads = DiceTraits.TRIPLES

    def triple_scored(self, t: Table, me: InPlay, face: Face, count: int) -> None:
        if face is ONE:
            gain_points(t, me.seat, 1, Cause.CARD, me.holding.item)


class Tireless(Effect, turn_starts=3):
    """1 energy at the start of a turn."""

    def turn_starts(self, t: Table, me: InPlay) -> Rules[None]:
        gain_energy(t, me.seat, 1, Cause.CARD, me.holding.item)
        yield from ()


class FullRegeneration(Effect):
    """The whole dial, filled at once. That is no gain, so Regeneration adds nothing."""

    def extra_max_hearts(self, t: Table, me: InPlay) -> int:
        return t.rules.hearts_on_dial - t.rules.hearts

    def came_into_play(self, t: Table, me: InPlay) -> Rules[None]:
        most = max_hearts(t, me.seat)
        if t.monsters[me.seat].hearts < most:
            t.record(HeartsSet(me.seat, most, me.holding.item))
        yield from ()


class WidespreadPanic(Effect):
    """All others lose 4 points; then the tile is used up."""

    def came_into_play(self, t: Table, me: InPlay) -> Rules[None]:
        rob_others(t, me, 4)
        lose_holding(t, me.seat, me.holding)
        yield from ()


class AntimatterBeam(Effect, modify_claws=7):
    """Doubles the claws, those that cards add too."""

    def modify_claws(self, t: Table, me: InPlay, claws: int) -> int:
        return 2 * claws


class Skybeam(Effect):
    """As much again for bolts and for hearts that heal, as gains of their own (A-46)."""

    def bolts_resolved(self, t: Table, me: InPlay, count: int) -> None:
        gain_energy(t, me.seat, count, Cause.CARD, me.holding.item)

    def hearts_healed(self, t: Table, me: InPlay, count: int) -> None:
        gain_hearts(t, me.seat, count, Cause.CARD, me.holding.item)


# -- green -----------------------------------------------------------------------------------------


class Barbs(Effect, modify_claws=6):
    """One claw more if there are two, claws of cards included."""

    def modify_claws(self, t: Table, me: InPlay, claws: int) -> int:
        return claws + (claws >= 2)


class FinalRoar(Effect):
    """Its owner falls with enough points and wins; no card saves it (A-71, A-72)."""

    def wins_at_zero(self, t: Table, me: InPlay) -> bool:
        return t.monsters[me.seat].points >= ROAR


class Underdog(Effect):
    """1 point of each monster wounded by claws that has more points than its owner had before."""

    def wounded_other(self, t: Table, me: InPlay, victim: Seat) -> None:
        if t.monsters[victim].points > t.points_at_claws:
            item = me.holding.item
            taken = lose_points(t, victim, 1, Cause.CARD, item)
            gain_points(t, me.seat, taken, Cause.CARD, item)


class DefenderOfTokyo(Effect, turn_starts=3):
    """All others lose 1 point when its owner enters Tokyo or starts a turn there."""

    def entered_tokyo(self, t: Table, me: InPlay) -> None:
        rob_others(t, me, 1)

    def turn_starts(self, t: Table, me: InPlay) -> Rules[None]:
        if in_tokyo(t, me.seat):
            rob_others(t, me, 1)
        yield from ()


class HaveItAll(MediaFriendly):
    """1 point for each Keep card now, and for each purchase from then on."""

    def came_into_play(self, t: Table, me: InPlay) -> Rules[None]:
        cards = sum(t.is_card(held.item) for held in t.monsters[me.seat].holdings)
        gain_points(t, me.seat, cards, Cause.CARD, me.holding.item)
        yield from ()


class SonicBoomer(Effect, turn_starts=3):
    """1 point at the start of a turn."""

    def turn_starts(self, t: Table, me: InPlay) -> Rules[None]:
        gain_points(t, me.seat, 1, Cause.CARD, me.holding.item)
        yield from ()


class FinalPush(Effect):
    """2 hearts, 2 energy and another turn, in which the tile is gone."""

    def came_into_play(self, t: Table, me: InPlay) -> Rules[None]:
        gain_hearts(t, me.seat, 2, Cause.CARD, me.holding.item)
        gain_energy(t, me.seat, 2, Cause.CARD, me.holding.item)
        t.record(ExtraTurnGained(me.seat, TurnKind.FINAL_PUSH))
        yield from ()

    def turn_starts(self, t: Table, me: InPlay) -> Rules[None]:
        """Its own turn has come; a turn of Freeze Time comes before it (3.13)."""
        if not t.state.final_push:
            lose_holding(t, me.seat, me.holding)
        yield from ()


class Starburst(Effect):
    """12 energy; then the tile is used up."""

    def came_into_play(self, t: Table, me: InPlay) -> Rules[None]:
        gain_energy(t, me.seat, 12, Cause.CARD, me.holding.item)
        lose_holding(t, me.seat, me.holding)
        yield from ()


EFFECTS: Mapping[str, Effect] = {
    "devious": GiantBrain(),
    "eternal": Eternal(),
    "skulking": Skulking(),
    "tireless": Tireless(),
    "cyberbrain": ExtraHead(),
    "evil-lair": AlienOrigin(),
    "full-regeneration": FullRegeneration(),
    "widespread-panic": WidespreadPanic(),
    "antimatter-beam": AntimatterBeam(),
    "skybeam": Skybeam(),
    "barbs": Barbs(),
    "final-roar": FinalRoar(),
    "underdog": Underdog(),
    "defender-of-tokyo": DefenderOfTokyo(),
    "fluxling": Fluxling(),
    "have-it-all": HaveItAll(),
    "sonic-boomer": SonicBoomer(),
    "final-push": FinalPush(),
    "starburst": Starburst(),
}
"""By key of the tile; "poison-spit" works as the card of that name."""
