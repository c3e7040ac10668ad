"""What a card costs the reader now, and why they cannot buy it: one place for every shop that is
shown or asked about.

Scope: the referee is asked for the price and for what a card allows, so discounts count and no
card is known by name here.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import assert_never

from kotp2p.cli.text import card_words, names
from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.letters import MARKET_LETTERS
from kotp2p.cli.text.printed_words import printed_name, printed_text
from kotp2p.referee.box.cards import Card
from kotp2p.referee.cards.effects import effects_by_item
from kotp2p.referee.model.answers import Item, Seat
from kotp2p.referee.model.state import Place, State
from kotp2p.referee.rules.market import price_of
from kotp2p.referee.table.table import Effect, Table
from kotp2p.seams.seat_view import WATCHER, SeatView


class Obstacle(Enum):
    NONE = auto()
    TOO_EXPENSIVE = auto()
    IN_TOKYO = auto()
    """The card cannot be gained in Tokyo."""
    BY_ITS_TEXT = auto()
    """The card cannot be gained now."""
    BY_ANOTHER_CARD = auto()
    """A card before the reader lets them buy nothing."""


@dataclass(frozen=True, slots=True)
class PriceTag:
    card: Card
    price: int
    """With what the reader's cards take off."""
    have: int
    """The reader's energy."""
    obstacle: Obstacle
    by: str = ""
    """The name of the card that lets the reader buy nothing."""

    @property
    def can_be_bought(self) -> bool:
        return self.obstacle is Obstacle.NONE

    def line(self) -> str:
        """Name, price, kind and text of the card."""
        return card_words.card_line(self.card, self.price)

    def head(self, name: str = "") -> str:
        """Name, price and kind, and why the reader cannot buy the card. `name`: its own, cut."""
        fields = {
            "card": name or printed_name(self.card), "energy": names.energy(self.price),
            "kind": card_words.kind_of_card(self.card),
        }  # fmt: skip
        if self.can_be_bought:
            return _("{card}, {energy}, {kind}", **fields)
        return _("{card}, {energy}, {kind} ({why})", why=self.mark_obstacle(), **fields)

    def line_with_obstacle(self) -> str:
        """The head and the text."""
        return _("{head}: {text}", head=self.head(), text=printed_text(self.card))

    def describe_obstacle(self) -> str:
        """A sentence; empty if the card can be bought."""
        fields = {
            "card": printed_name(self.card),
            "price": names.energy(self.price),
            "have": self.have,
        }
        match self.obstacle:
            case Obstacle.NONE:
                return ""
            case Obstacle.TOO_EXPENSIVE:
                return _("{card} is too dear: it costs {price}, you have {have}.", **fields)
            case Obstacle.IN_TOKYO:
                return _("You cannot buy {card} while you are in Tokyo.", **fields)
            case Obstacle.BY_ITS_TEXT:
                return _("The text of {card} does not let you buy it now.", **fields)
            case Obstacle.BY_ANOTHER_CARD:
                return _("You cannot buy {card}: {by} lets you buy nothing.", by=self.by, **fields)
            case _:
                assert_never(self.obstacle)

    def mark_obstacle(self) -> str:
        """In a few words; empty if the card can be bought."""
        match self.obstacle:
            case Obstacle.NONE:
                return ""
            case Obstacle.TOO_EXPENSIVE:
                return _("too dear")
            case Obstacle.IN_TOKYO:
                return _("not while you are in Tokyo")
            case Obstacle.BY_ITS_TEXT:
                return _("not now, by its text")
            case Obstacle.BY_ANOTHER_CARD:
                return _("not with {card}", card=self.by)
            case _:
                assert_never(self.obstacle)


def price_tag(view: SeatView, item: Item) -> PriceTag:
    setup, state, seat = view.game.setup, view.game.state, view.seat
    if seat == WATCHER:  # the printed price: nobody's cards take anything off
        card = setup.deck[item]
        return PriceTag(card, card.cost, card.cost, Obstacle.NONE)
    effects = effects_by_item(setup)
    table = Table(setup, state, effects)
    price, have = price_of(table, seat, item), state.monsters[seat].energy
    card = setup.deck[item]
    dormant = table.of(Effect.is_dormant, seat)
    if dormant:
        by = names.item_name(view.game, dormant[0].holding.item)
        return PriceTag(card, price, have, Obstacle.BY_ANOTHER_CARD, by)
    effect = effects[item]
    if effect is not None and not effect.may_be_gained(table, seat):
        outside = Table(setup, _placed_outside(state, seat), effects)
        may_outside = effect.may_be_gained(outside, seat)
        obstacle = Obstacle.IN_TOKYO if may_outside else Obstacle.BY_ITS_TEXT
        return PriceTag(card, price, have, obstacle)
    return PriceTag(card, price, have, Obstacle.TOO_EXPENSIVE if price > have else Obstacle.NONE)


def _placed_outside(state: State, seat: Seat) -> State:
    changed = state.copy()
    changed.monsters[seat].place = Place.OUTSIDE
    return changed


def tags_of_market(view: SeatView) -> list[tuple[str, PriceTag | None]]:
    """By the letters of the slots; None for an empty one."""
    return [
        (letter, None if item is None else price_tag(view, item))
        for letter, item in zip(MARKET_LETTERS, view.game.state.market, strict=True)
    ]
