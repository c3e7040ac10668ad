"""Sentences about the market and about cards before the monsters."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from kotp2p.cli.text import card_words, names
from kotp2p.cli.text.context import StoryContext
from kotp2p.cli.text.i18n import N_, _, list_with_and
from kotp2p.cli.text.letters import MARKET_LETTERS
from kotp2p.cli.text.printed_words import printed_name
from kotp2p.referee.model.answers import Item
from kotp2p.referee.model.events import (
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
from kotp2p.referee.model.state import NO_ITEM, Source

MarketEvent: TypeAlias = MarketFilled | DeckRenewed | MarketSwept | TopSeen | TopLost
CardEvent: TypeAlias = (
    CardUsed | CardBought | CardKept | CardLost | CardDiscarded | CardSold | CountersChanged
    | CopyPlaced | ItemMarked | TilesLaid | TileTaken
)  # fmt: skip


def describe_market_event(event: MarketEvent, context: StoryContext) -> list[str]:
    match event:
        case MarketFilled(cards=cards):
            return [_turned_up(slot, item, context) for slot, item in cards]
        case DeckRenewed():
            return [_("The deck is used up: the discard pile becomes the new deck.")]
        case MarketSwept(seat=seat):
            return [
                context.fit_to_reader(
                    seat,
                    N_("You sweep the shop: three new cards come."),
                    N_("{name} sweeps the shop: three new cards come."),
                )
            ]
        case TopSeen(seat=seat):
            return [
                context.fit_to_reader(
                    seat,
                    N_("You look at the top card of the deck."),
                    N_("{name} looks at the top card of the deck."),
                )
            ]
        case TopLost():
            return [_("The top card of the deck has changed; nobody has seen it.")]
        case _:
            assert_never(event)


def _turned_up(slot: int, item: Item, context: StoryContext) -> str:
    card = context.view.game.card(item)
    return _(
        "For sale now: {letter} {card}, {energy}, {kind}.",
        letter=MARKET_LETTERS[slot],
        card=printed_name(card),
        energy=names.energy(card.cost),
        kind=card_words.kind_of_card(card),
    )


def describe_card_event(event: CardEvent, context: StoryContext) -> str | None:
    match event:
        case CardBought():
            return _bought(event, context)
        case CardKept() | CardLost():
            return _moved(event, context)
        case CardUsed() | CountersChanged() | CopyPlaced() | CardSold():
            return _at_work(event, context)
        case CardDiscarded() | ItemMarked():
            return None
        case TilesLaid(tiles=tiles):
            return _(
                "Wickedness tiles: {tiles}.",
                tiles=list_with_and([context.item_name(tile) for tile in tiles]),
            )
        case TileTaken(seat=seat, tile=tile, step=step) if tile == NO_ITEM:
            return context.fit_to_reader(
                seat,
                N_("You reach step {step}, and no tile is left for you."),
                N_("{name} reaches step {step}, and no tile is left."),
                step=step,
            )
        case TileTaken(seat=seat, tile=tile):
            context.cards_just_bought.add(tile)
            return context.fit_to_reader(
                seat,
                N_("You take {tile}."),
                N_("{name} takes {tile}."),
                tile=context.item_name(tile),
            )
        case _:
            assert_never(event)


def _bought(event: CardBought, context: StoryContext) -> str:
    context.cards_just_bought.add(event.card)
    card = context.item_name(event.card)
    match event.source:
        case Source.MARKET:
            return context.fit_to_reader(
                event.seat, N_("You buy {card}."), N_("{name} buys {card}."), card=card
            )
        case Source.TOP:
            return context.fit_to_reader(
                event.seat,
                N_("You buy {card}, the top card of the deck."),
                N_("{name} buys {card}, the top card of the deck."),
                card=card,
            )
        case Source.MONSTER:
            owner = "" if event.owner is None else context.player_name(event.owner)
            if context.is_reader(event.owner):
                return _(
                    "{name} buys your {card}.", name=context.player_name(event.seat), card=card
                )
            return context.fit_to_reader(
                event.seat,
                N_("You buy {card} from {owner}."),
                N_("{name} buys {card} from {owner}."),
                card=card,
                owner=owner,
            )
        case _:
            assert_never(event.source)


def _moved(event: CardKept | CardLost, context: StoryContext) -> str | None:
    card = context.item_name(event.item)
    match event:
        case CardKept(seat=seat):
            if event.item in context.cards_just_bought:
                context.cards_just_bought.remove(event.item)
                return None
            return context.fit_to_reader(
                seat,
                N_("You have {card} now."),
                N_("{name} has {card} now."),
                card=card,
            )
        case CardLost(seat=seat, discarded=discarded):
            # What is not discarded is told where it goes.
            if not discarded:
                return _tile_gone(event, context)
            return context.fit_to_reader(
                seat, N_("You discard {card}."), N_("{name} discards {card}."), card=card
            )
        case _:
            assert_never(event)


def _tile_gone(event: CardLost, context: StoryContext) -> str | None:
    if names.is_card(context.view.game, event.item):
        return None
    return context.fit_to_reader(
        event.seat,
        N_("Your tile {tile} leaves the game."),
        N_("{name}'s tile {tile} leaves the game."),
        tile=context.item_name(event.item),
    )


def _at_work(
    event: CardUsed | CountersChanged | CopyPlaced | CardSold, context: StoryContext
) -> str:
    match event:
        case CardUsed(seat=seat, item=item):
            return context.fit_to_reader(
                seat, N_("You use {card}."), N_("{name} uses {card}."), card=context.item_name(item)
            )
        case CountersChanged(seat=seat, item=item, counters=counters):
            return context.fit_to_reader(
                seat,
                N_("On your {card}: {n} left."),
                N_("On {name}'s {card}: {n} left."),
                card=context.item_name(item),
                n=counters,
            )
        case CopyPlaced(seat=seat, item=item, card=card):
            if card == NO_ITEM:
                return context.fit_to_reader(
                    seat,
                    N_("Your {card} copies nothing now."),
                    N_("{name}'s {card} copies nothing now."),
                    card=context.item_name(item),
                )
            return context.fit_to_reader(
                seat,
                N_("Your {card} copies {copied} now."),
                N_("{name}'s {card} copies {copied} now."),
                card=context.item_name(item),
                copied=context.item_name(card),
            )
        case CardSold(seat=seat, card=card, energy=energy):
            return context.fit_to_reader(
                seat,
                N_("You sell {card} for {energy}."),
                N_("{name} sells {card} for {energy}."),
                card=context.item_name(card),
                energy=names.energy(energy),
            )
        case _:
            assert_never(event)
