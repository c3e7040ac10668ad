"""Sentences about the market and about cards before the monsters."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from cli.text import names
from cli.text.context import Telling
from cli.text.i18n import _, listing, mark
from cli.text.letters import MARKET_LETTERS
from referee.model.answers import Item
from referee.model.events import (
    CardBought,
    CardDiscarded,
    CardKept,
    CardLost,
    CardSold,
    CardUsed,
    CopyPlaced,
    CountersChanged,
    DeckRenewed,
    ItemMarked,
    MarketFilled,
    MarketSwept,
    TilesLaid,
    TileTaken,
    TopLost,
    TopSeen,
)
from referee.model.kinds import Source
from referee.model.state import NO_ITEM

MarketEvent: TypeAlias = MarketFilled | DeckRenewed | MarketSwept | TopSeen | TopLost
CardEvent: TypeAlias = (
    CardUsed | CardBought | CardKept | CardLost | CardDiscarded | CardSold | CountersChanged
    | CopyPlaced | ItemMarked | TilesLaid | TileTaken
)  # fmt: skip


def market(event: MarketEvent, told: Telling) -> list[str]:
    match event:
        case MarketFilled(cards=cards):
            return [_turned_up(slot, item, told) for slot, item in cards]
        case DeckRenewed():
            return [_("The deck is used up: the discarded cards are the new deck.")]
        case MarketSwept(seat=seat):
            return [
                told.say(
                    seat,
                    mark("You sweep the shop: three new cards come."),
                    mark("{name} sweeps the shop: three new cards come."),
                )
            ]
        case TopSeen(seat=seat):
            return [
                told.say(
                    seat,
                    mark("You look at the top card of the deck."),
                    mark("{name} looks at the top card of the deck."),
                )
            ]
        case TopLost():
            return [_("The top card of the deck is another one now; nobody has seen it.")]
        case _:
            assert_never(event)


def _turned_up(slot: int, item: Item, told: Telling) -> str:
    card = told.view.game.card(item)
    return _(
        "For sale now: {letter} {card}, {energy}, {kind}.",
        letter=MARKET_LETTERS[slot],
        card=card.name,
        energy=names.energy(card.cost),
        kind=names.kind(card),
    )


def tell(event: CardEvent, told: Telling) -> str | None:
    match event:
        case CardBought():
            return _bought(event, told)
        case CardKept() | CardLost():
            return _moved(event, told)
        case CardUsed() | CountersChanged() | CopyPlaced() | CardSold():
            return _at_work(event, told)
        case CardDiscarded() | ItemMarked():
            return None
        case TilesLaid(tiles=tiles):
            return _(
                "Wickedness tiles: {tiles}.", tiles=listing([told.item(tile) for tile in tiles])
            )
        case TileTaken(seat=seat, tile=tile, step=step) if tile == NO_ITEM:
            return told.say(
                seat,
                mark("You reach step {step}, and no tile is left for you."),
                mark("{name} reaches step {step}, and no tile is left."),
                step=step,
            )
        case TileTaken(seat=seat, tile=tile):
            told.bought.add(tile)
            return told.say(
                seat, mark("You take {tile}."), mark("{name} takes {tile}."), tile=told.item(tile)
            )
        case _:
            assert_never(event)


def _bought(event: CardBought, told: Telling) -> str:
    told.bought.add(event.card)
    card = told.item(event.card)
    match event.source:
        case Source.MARKET:
            return told.say(
                event.seat, mark("You buy {card}."), mark("{name} buys {card}."), card=card
            )
        case Source.TOP:
            return told.say(
                event.seat,
                mark("You buy {card}, the top card of the deck."),
                mark("{name} buys {card}, the top card of the deck."),
                card=card,
            )
        case Source.MONSTER:
            owner = "" if event.owner is None else told.player(event.owner)
            if told.mine(event.owner):
                return _("{name} buys your {card}.", name=told.player(event.seat), card=card)
            return told.say(
                event.seat,
                mark("You buy {card} from {owner}."),
                mark("{name} buys {card} from {owner}."),
                card=card,
                owner=owner,
            )
        case _:
            assert_never(event.source)


def _moved(event: CardKept | CardLost, told: Telling) -> str | None:
    card = told.item(event.item)
    match event:
        case CardKept(seat=seat):
            if event.item in told.bought:
                told.bought.remove(event.item)
                return None
            return told.say(
                seat,
                mark("{card} lies before you now."),
                mark("{card} lies before {name} now."),
                card=card,
            )
        case CardLost(seat=seat, discarded=discarded):
            # What is not discarded is told where it goes.
            if not discarded:
                return _tile_gone(event, told)
            return told.say(
                seat, mark("You discard {card}."), mark("{name} discards {card}."), card=card
            )
        case _:
            assert_never(event)


def _tile_gone(event: CardLost, told: Telling) -> str | None:
    if names.is_card(told.view.game, event.item):
        return None
    return told.say(
        event.seat,
        mark("Your tile {tile} leaves the game."),
        mark("The tile {tile} of {name} leaves the game."),
        tile=told.item(event.item),
    )


def _at_work(event: CardUsed | CountersChanged | CopyPlaced | CardSold, told: Telling) -> str:
    match event:
        case CardUsed(seat=seat, item=item):
            return told.say(
                seat, mark("You use {card}."), mark("{name} uses {card}."), card=told.item(item)
            )
        case CountersChanged(seat=seat, item=item, counters=counters):
            return told.say(
                seat,
                mark("On your {card}: {n} left."),
                mark("On {card} of {name}: {n} left."),
                card=told.item(item),
                n=counters,
            )
        case CopyPlaced(seat=seat, item=item, card=card):
            if card == NO_ITEM:
                return told.say(
                    seat,
                    mark("Your {card} copies nothing now."),
                    mark("{card} of {name} copies nothing now."),
                    card=told.item(item),
                )
            return told.say(
                seat,
                mark("Your {card} copies {copied} now."),
                mark("{card} of {name} copies {copied} now."),
                card=told.item(item),
                copied=told.item(card),
            )
        case CardSold(seat=seat, card=card, energy=energy):
            return told.say(
                seat,
                mark("You sell {card} for {energy}."),
                mark("{name} sells {card} for {energy}."),
                card=told.item(card),
                energy=names.energy(energy),
            )
        case _:
            assert_never(event)
