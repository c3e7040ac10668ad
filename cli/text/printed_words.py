"""What stands on cards and tiles, in the reader's language.

Scope: the rules are data without a language; here their names and texts pass the door, each with
a context, as a card may be called like something else.
Not here: the search for a card by what was typed (`cli.text.card_search`).
"""

from __future__ import annotations

from kotp2p.cli.text.i18n import printed
from kotp2p.referee.box.cards import Card, Tile

CARD_NAME = "card name"
CARD_TEXT = "card text"
TILE_NAME = "tile name"
TILE_TEXT = "tile text"


def printed_name(one: Card | Tile) -> str:
    return printed(TILE_NAME if isinstance(one, Tile) else CARD_NAME, one.name)


def printed_text(one: Card | Tile) -> str:
    return printed(TILE_TEXT if isinstance(one, Tile) else CARD_TEXT, one.text)


def printed_names(card: Card) -> tuple[str, ...]:
    """All names of `Card.names`."""
    return tuple(dict.fromkeys(printed(CARD_NAME, name) for name in card.names))
