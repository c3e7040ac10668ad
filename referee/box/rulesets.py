"""The rule sets: which cards each has, which rules differ, and what a game starts from.

Scope: values, checked when they are made, so that no other module meets a table that the rules do
not know. Only this module compares rule sets; a rule that differs reads a field of its rule set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from kotp2p.referee.box.cards import DARK_ONLY, MIXED, SHARED, TILES, Card, Tile
from kotp2p.referee.box.cards import SIDES as FACES

if TYPE_CHECKING:  # who looks up a card needs no answers
    from kotp2p.referee.model.answers import Item

# -- the cards of each edition -------------------------------------------------------------
#
# Costs, copies and names of the card table in RULES.md. Where an effect differs between the rule
# sets, the text differs too.


_CLASSIC_TEXTS: Mapping[str, str] = {
    "acid-attack": "On each of your turns you deal 1 damage more to the monsters you can attack, "
    "even without a claw. Without a claw die it is no attack: nobody yields, no place is taken.",
    "alpha-monster": "Gain 1 point when your attack makes a monster lose hearts, once a turn.",
    "burrowing": "When you attack Tokyo from outside with at least one claw, you deal 1 damage "
    "more to each monster there. When you yield Tokyo, your attacker takes 1 damage.",
    "battery-monster": "Put as much of your energy on it as you like; the bank adds the same. At "
    "the start of each of your turns take 2 of it; when it is empty, discard it.",
    "even-bigger": "Gain 2 hearts; your maximum is 2 higher, up to 12. When you lose this card "
    "you lose the 2 hearts again, but never your last one.",
    "fire-breathing": "When your claws have somebody to hit, the next monster on your left and on "
    "your right take 1 damage more, wherever they stand; an only opponent takes 1. If you do not "
    "attack such a neighbour, it is no attack.",
    "poison-quills": "When three or more of your dice show 2, you deal 2 damage more to the "
    "monsters you can attack. Without a claw die it is no attack.",
    "spiked-tail": "When you attack with at least one claw, you deal 1 damage more.",
    "urbavore": "Gain 1 point more when you start your turn in Tokyo. When you attack from there "
    "with at least one claw, you deal 1 damage more.",
    "death-from-above": "Gain 2 points. If you are outside Tokyo, take the City, with the point "
    "for entering; the monster in the City leaves.",
    "frenzy": "Your buying ends, and you take another turn after this one, with all your dice.",
}
"""The cards that did something else in 2011. Their effects are named `KEY-2011`."""
_CLASSIC_WORDS: Mapping[str, str] = {
    "complete-destruction": "If your final dice show 1, 2, 3, heart, bolt and claw, gain 9 points "
    "besides all the rest."
}
"""The cards that do the same as later, but say less, as cards added no claws in 2011."""

_DARK_COSTS = {"freeze-time": 6, "gourmet": 6, "herd-culler": 5, "solar-powered": 3}
_DARK_LEAVES_OUT = frozenset(
    {
        "healing-ray",
        "mimic",
        "battery-monster",
        "poison-spit",
        "rooting-for-the-underdog",
        "heal",
        "national-guard",
    }
)
_DARK_TEXTS: Mapping[str, str] = {
    "friend-of-children": "Each time you gain energy, gain 1 more. Energy returned by Metamorph "
    "does not count.",
    "it-has-a-child": "When your hearts go down to 0, lose all your cards, this one too, your "
    "tiles, points and wickedness, leave Tokyo and go on with 10 hearts. You keep your energy "
    "and tokens.",
}
_DARK_NAMES: Mapping[str, str] = {"solar-powered": "Lunar Powered"}


def _classic(card: Card) -> Card:
    cost = 2 if card.key == "battery-monster" else card.cost
    text, effect = _CLASSIC_WORDS.get(card.key, card.text), card.effect
    if card.key in _CLASSIC_TEXTS:
        text, effect = _CLASSIC_TEXTS[card.key], f"{card.key}-2011"
    return replace(card, name=card.first_name, cost=cost, text=text, effect=effect)


def _dark(card: Card) -> Card:
    return replace(
        card,
        name=_DARK_NAMES.get(card.key, card.name),
        cost=_DARK_COSTS.get(card.key, card.cost),
        copies=1 if card.key == "extra-head" else card.copies,
        text=_DARK_TEXTS.get(card.key, card.text),
    )


def _by_key(cards: list[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=lambda card: card.key))


CLASSIC_BOX: tuple[Card, ...] = _by_key([_classic(card) for card in SHARED])
SECOND_BOX: tuple[Card, ...] = _by_key(list(SHARED))
DARK_BOX: tuple[Card, ...] = _by_key(
    [_dark(card) for card in (*SHARED, *DARK_ONLY) if card.key not in _DARK_LEAVES_OUT]
)


# -- the rule sets -------------------------------------------------------------------------
#
# No other module knows which rule set is which. The rules read fields of `t.rules` and never
# compare a rule set or its name. A test may make its own with `dataclasses.replace`.


RULES_VERSION = 2
"""Raised by every change after which a recorded game would replay differently."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    name: str
    cards: tuple[Card, ...]
    hearts: int = 10
    """Hearts at the start, and the maximum without cards."""
    hearts_on_dial: int = 12
    """The end of the dial, whatever cards say (A-18)."""
    goal: int = 20
    """Points that win at the end of a turn."""
    points_on_dial: int = 20
    """The end of the dial (A-03)."""
    dice: int = 6
    rolls: int = 3
    entering_takes_a_claw: bool = False
    """Whether a monster needs a claw among its dice to enter Tokyo (D-01)."""
    bay_moves_to_city: bool = True
    """Whether the monster in the Bay moves to a free City when the Bay closes (D-12)."""
    tiles: tuple[Tile, ...] = ()
    """The faces of the wickedness tiles; without tiles there is no track."""
    for_beginners: bool = False
    """Whether the option of a Bay that stays shut exists (D-43)."""

    def deck(self) -> tuple[Card, ...]:
        """Return all cards of the box, each as often as it is printed, sorted by key."""
        return tuple(card for card in self.cards for _ in range(card.copies))


CLASSIC = RuleSet(
    "classic", CLASSIC_BOX, entering_takes_a_claw=True, bay_moves_to_city=False, for_beginners=True
)
SECOND = RuleSet("second", SECOND_BOX)
DARK = RuleSet("dark", DARK_BOX, tiles=TILES)

RULE_SETS: Mapping[str, RuleSet] = MappingProxyType(
    {rules.name: rules for rules in (CLASSIC, SECOND, DARK)}
)


# -- what a game starts from ---------------------------------------------------------------


MIN_SEATS, MAX_SEATS = 2, 6
TILE_SIDE_OPTIONS = (*FACES, MIXED)


@dataclass(frozen=True, slots=True)
class Options:
    two_player: bool = False
    """Tokyo gives energy instead of points (D-28, A-114)."""
    bay_for_beginners: bool = False
    """The Bay stays shut (D-43)."""
    tile_sides: str = "red"
    """Which faces of the wickedness tiles lie up: red, green or mixed (A-45)."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything that a game starts from; ValueError if it is no game of these rules."""

    rules: RuleSet
    seats: int
    deck: tuple[Card, ...]
    """`deck[item]` is the card of an item."""
    options: Options = Options()

    def __post_init__(self) -> None:
        if not MIN_SEATS <= self.seats <= MAX_SEATS:
            raise ValueError(f"a game has {MIN_SEATS} to {MAX_SEATS} monsters, not {self.seats}")
        if self.options.two_player and self.seats != 2:
            raise ValueError(f"the two-player option is for two monsters, not {self.seats}")
        if self.options.bay_for_beginners and not self.rules.for_beginners:
            raise ValueError(f"the Bay cannot be shut in {self.rules.name} rules")
        if self.options.tile_sides not in TILE_SIDE_OPTIONS:
            raise ValueError(f"tile sides are red, green or mixed, not {self.options.tile_sides}")
        if self.options.tile_sides != Options().tile_sides and not self.rules.tiles:
            raise ValueError(f"there are no wickedness tiles in {self.rules.name} rules")

    def key(self, item: Item) -> str:
        return self.deck[item].key if item < len(self.deck) else self.tile(item).key

    def tile(self, item: Item) -> Tile:
        """Return the face of a tile; the items of tiles follow those of the deck."""
        return self.rules.tiles[item - len(self.deck)]
