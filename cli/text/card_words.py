"""What stands on a card or a tile, in one line.

Scope: printed data in the reader's language. It needs no game, so a card can be looked up without
the rules.
Not here: what cards are called in the sentences of a game (`cli.text.names`).
"""

from __future__ import annotations

from kotp2p.cli.text.i18n import _, in_context, plural
from kotp2p.cli.text.printed_words import printed_name, printed_text
from kotp2p.referee.box.cards import Card, Tile


def price_in_energy(n: int) -> str:
    return plural("{n} energy", "{n} energy", n)


def kind_of_card(card: Card) -> str:
    return in_context("kind of card", "keep") if card.keep else in_context("kind of card", "once")


def card_head(card: Card) -> str:
    return _("{card}, {kind}", card=printed_name(card), kind=kind_of_card(card))


def card_line(card: Card, price: int | None = None) -> str:
    """One line: name, price, kind, text. `price`: what it costs the reader, if not as printed."""
    return _(
        "{name}, {energy}, {kind}: {text}",
        name=printed_name(card),
        energy=price_in_energy(card.cost if price is None else price),
        kind=kind_of_card(card),
        text=printed_text(card),
    )


def tile_line(tile: Tile) -> str:
    """One line: name, step, text."""
    return _(
        "{name}, tile of step {step}: {text}",
        name=printed_name(tile),
        step=tile.step,
        text=printed_text(tile),
    )
