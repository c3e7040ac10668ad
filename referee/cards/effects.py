"""The effect of each card and tile, and the effects of tiles and of copying cards.

Scope: one table for all rule sets. A card of a rule set names its effect (`Card.effect`). Where two
rule sets differ in what a card does, their cards name two effects.
"""

from collections.abc import Mapping

from kotp2p.referee.box.cards import Card, Tile
from kotp2p.referee.box.rulesets import Setup
from kotp2p.referee.cards import attack, dark, defence, dice, discards, economy
from kotp2p.referee.cards.attack import in_tokyo
from kotp2p.referee.cards.dice import ExtraHead, GiantBrain
from kotp2p.referee.cards.economy import AlienOrigin, MediaFriendly
from kotp2p.referee.model.answers import ONE, Copy, Face, Item, Seat
from kotp2p.referee.model.decisions import CopyDecision
from kotp2p.referee.model.events import CopyPlaced, CountersChanged, ExtraTurnGained, HeartsSet
from kotp2p.referee.model.state import NO_ITEM, Cause, TurnKind
from kotp2p.referee.rules import monsters
from kotp2p.referee.rules.holdings import cut_link, lose_holding
from kotp2p.referee.table.table import DiceTraits, Effect, InPlay, Rules, Table

# -- Mimic and Fluxling: each works as a new copy of another Keep card ---------------------


def find_copy_targets(t: Table, me: InPlay) -> tuple[Item, ...]:
    """Return the Keep cards that `me` could copy, by owner clockwise, its own last."""
    found = []
    for seat in (*t.state.seats_clockwise(me.seat), me.seat):
        for holding in t.monsters[seat].holdings:
            effect = t.effects[holding.item]
            if not t.is_card(holding.item) or holding.item == me.holding.item:
                continue
            if effect.copyable and effect.may_be_gained(t, me.seat):
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
            answer = yield from t.ask(CopyDecision(me.seat, me.holding.item, known, False))
            if isinstance(answer, Copy):
                yield from place_link(t, me, answer.card)
                return

    def choose_copied_card(self, t: Table, me: InPlay) -> Rules[None]:
        while t.still_works(me) and t.monsters[me.seat].energy >= self.cost:
            known = tuple(c for c in find_copy_targets(t, me) if c != me.holding.copies)
            if not known:
                return
            decision = CopyDecision(me.seat, me.holding.item, known, True, self.cost)
            answer = yield from t.ask(decision)
            if isinstance(answer, Copy):
                monsters.lose_energy(t, me.seat, self.cost, Cause.PAYMENT, me.holding.item)
                yield from place_link(t, me, answer.card)
                return
            elif answer is not None:
                return


class Mimic(Copying, choose_copied_card=7):
    """A card that copies."""

    cost = 1


class Fluxling(Copying, choose_copied_card=6):
    """A tile that copies; choosing anew is free (A-47)."""

    reads = DiceTraits.SETS | DiceTraits.THREES


COPYING_EFFECTS: Mapping[str, Effect] = {"mimic": Mimic()}


# -- what the wickedness tiles do (RULES.md 2.3) -------------------------------------------
#
# A tile comes into play as a card does (`gain_holding`) and works from that moment. It acts on
# the groups of dice that are still to be resolved, never on the numbers that have earned it. A
# tile that is used up leaves the game (`lose_holding`); nothing brings it back to the track.


ROAR = 16
"""Points with which its owner wins by Final Roar."""


def rob_others(t: Table, me: InPlay, points: int) -> None:
    """Take points from all others, clockwise from the owner's left."""
    for other in t.state.seats_clockwise(me.seat):
        monsters.lose_points(t, other, points, Cause.CARD, me.holding.item)


# -- red -------------------------------------------------------------------------------------------


class Eternal(Effect, turn_starts=3):
    """1 heart at the start of a turn, in Tokyo too."""

    reads = DiceTraits.HEALING

    def turn_starts(self, t: Table, me: InPlay) -> Rules[None]:
        monsters.gain_hearts(t, me.seat, 1, Cause.CARD, me.holding.item)
        yield from ()


class Skulking(Effect):
    """1 point more for three ones or more."""

    reads = DiceTraits.TRIPLES

    def triple_scored(self, t: Table, me: InPlay, face: Face, count: int) -> None:
        if face is ONE:
            monsters.gain_points(t, me.seat, 1, Cause.CARD, me.holding.item)


class Tireless(Effect, turn_starts=3):
    """1 energy at the start of a turn."""

    def turn_starts(self, t: Table, me: InPlay) -> Rules[None]:
        monsters.gain_energy(t, me.seat, 1, Cause.CARD, me.holding.item)
        yield from ()


class FullRegeneration(Effect):
    """The whole dial, filled at once. That is no gain, so Regeneration adds nothing."""

    reads = DiceTraits.HEALING

    def extra_max_hearts(self, t: Table, me: InPlay) -> int:
        return t.rules.hearts_on_dial - t.rules.hearts

    def came_into_play(self, t: Table, me: InPlay) -> Rules[None]:
        most = monsters.max_hearts(t, me.seat)
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

    reads = DiceTraits.HEALING | DiceTraits.ENERGY

    def bolts_resolved(self, t: Table, me: InPlay, count: int) -> None:
        monsters.gain_energy(t, me.seat, count, Cause.CARD, me.holding.item)

    def hearts_healed(self, t: Table, me: InPlay, count: int) -> None:
        monsters.gain_hearts(t, me.seat, count, Cause.CARD, me.holding.item)


# -- green -----------------------------------------------------------------------------------------


class Barbs(Effect, modify_claws=6):
    """One claw more if there are two, claws of cards included."""

    def modify_claws(self, t: Table, me: InPlay, claws: int) -> int:
        return claws + (claws >= 2)


class FinalRoar(Effect):
    """Its owner falls with enough points and wins; no card saves it (A-71, A-72)."""

    reads = DiceTraits.POINTS

    def wins_at_zero(self, t: Table, me: InPlay) -> bool:
        return t.monsters[me.seat].points >= ROAR


class Underdog(Effect):
    """1 point of each monster wounded by claws that has more points than its owner had before."""

    reads = DiceTraits.POINTS

    def wounded_other(self, t: Table, me: InPlay, victim: Seat) -> None:
        if t.monsters[victim].points > t.points_at_claws:
            item = me.holding.item
            taken = monsters.lose_points(t, victim, 1, Cause.CARD, item)
            monsters.gain_points(t, me.seat, taken, Cause.CARD, item)


class DefenderOfTokyo(Effect, turn_starts=3):
    """All others lose 1 point when its owner enters Tokyo or starts a turn there."""

    reads = DiceTraits.POINTS_OF_OTHERS

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
        monsters.gain_points(t, me.seat, cards, Cause.CARD, me.holding.item)
        yield from ()


class SonicBoomer(Effect, turn_starts=3):
    """1 point at the start of a turn."""

    def turn_starts(self, t: Table, me: InPlay) -> Rules[None]:
        monsters.gain_points(t, me.seat, 1, Cause.CARD, me.holding.item)
        yield from ()


class FinalPush(Effect):
    """2 hearts, 2 energy and another turn, in which the tile is gone."""

    reads = DiceTraits.HEALING

    def came_into_play(self, t: Table, me: InPlay) -> Rules[None]:
        monsters.gain_hearts(t, me.seat, 2, Cause.CARD, me.holding.item)
        monsters.gain_energy(t, me.seat, 2, Cause.CARD, me.holding.item)
        t.record(ExtraTurnGained(me.seat, TurnKind.FINAL_PUSH))
        yield from ()

    def turn_starts(self, t: Table, me: InPlay) -> Rules[None]:
        """Discard the card at its own turn, before which a turn of Freeze Time may come (3.13)."""
        if not t.state.final_push:
            lose_holding(t, me.seat, me.holding)
        yield from ()


class Starburst(Effect):
    """12 energy; then the tile is used up."""

    def came_into_play(self, t: Table, me: InPlay) -> Rules[None]:
        monsters.gain_energy(t, me.seat, 12, Cause.CARD, me.holding.item)
        lose_holding(t, me.seat, me.holding)
        yield from ()


TILE_EFFECTS: Mapping[str, Effect] = {
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


# -- the table -----------------------------------------------------------------------------


EFFECTS: Mapping[str, Effect] = {
    **discards.EFFECTS,
    **attack.EFFECTS,
    **defence.EFFECTS,
    **dice.EFFECTS,
    **economy.EFFECTS,
    **COPYING_EFFECTS,
    **dark.EFFECTS,
    **TILE_EFFECTS,
}


def effect_of(face: Card | Tile) -> Effect:
    return EFFECTS[face.effect]


def effects_by_item(setup: Setup) -> list[Effect]:
    """Return the effects of a table: those of the deck, then those of the tiles."""
    cards = [effect_of(card) for card in setup.deck]
    return cards + [effect_of(tile) for tile in setup.rules.tiles]
