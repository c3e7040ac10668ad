"""The words of the format: rule sets, places, kinds of decisions, names of cards, faces."""

from collections.abc import Mapping

from kotp2p.referee.box.cards import TILES
from kotp2p.referee.box.rulesets import CLASSIC_BOX, DARK_BOX, SECOND_BOX
from kotp2p.referee.model.answers import Face
from kotp2p.referee.model.state import Place
from tests.scenario.fields import Fault, show_value

RULE_SET_NAMES = ("classic", "second", "dark")
PLACES: Mapping[str, Place] = {"outside": Place.OUTSIDE, "city": Place.CITY, "bay": Place.BAY}
DECISION_KINDS = (
    "roll", "probe", "change", "order", "hearts", "response", "yield", "swap", "buy",
    "opportunist", "deposit", "copy", "tile", "sell", "again",
)  # fmt: skip
CARD_KEYS: Mapping[str, str] = {
    name: card.key
    for printed in (SECOND_BOX, CLASSIC_BOX, DARK_BOX)
    for card in printed
    for name in card.names
}
"""The key of a card by each of its names."""
TILE_KEYS: Mapping[str, str] = {tile.name: tile.key for tile in TILES}


def check_one_of(value: str, known: tuple[str, ...], place: str) -> str:
    if value not in known:
        raise Fault(place, f"'{value}' is none of {', '.join(known)}")
    return value


def card_key(name: object, place: str) -> str:
    if not isinstance(name, str):
        raise Fault(place, f"the name of a card is needed, not {show_value(name)}")
    if name not in CARD_KEYS:
        raise Fault(place, f"there is no card named '{name}'")
    return CARD_KEYS[name]


def tile_key(name: object, place: str) -> str:
    if not isinstance(name, str) or name not in TILE_KEYS:
        raise Fault(place, f"there is no tile named {show_value(name)}")
    return TILE_KEYS[name]


def read_faces(text: str, place: str) -> tuple[Face, ...]:
    """Faces of dice; each letter is one of 1 2 3 H B C."""
    for letter in text:
        if letter not in "123HBC":
            raise Fault(place, f"'{letter}' is no face of a die: use 1 2 3 H B C")
    return tuple(Face.of(letter) for letter in text)
