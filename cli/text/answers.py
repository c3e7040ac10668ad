"""What a player has answered, in a sentence: for a game that is looked at again.

Scope: one sentence for each kind of answer, at the position at which it was given.
Not here: what came of it, which the events tell (`story`).
"""

from __future__ import annotations

from typing import assert_never

from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import N_, _, list_with_and, list_with_commas, plural
from kotp2p.referee.model.answers import (
    Again,
    Answer,
    Buy,
    BuyTop,
    Copy,
    Deposit,
    Done,
    Hearts,
    Item,
    Keep,
    Order,
    Pass,
    Peek,
    Reroll,
    Seat,
    Sell,
    Stay,
    Stop,
    Swap,
    Sweep,
    Take,
    Use,
    Yield,
)
from kotp2p.seams.seat_view import SeatView


def describe_answer(view: SeatView, seat: Seat, answer: Answer) -> str:
    """`view` stands where `seat` was asked."""
    match answer:
        case Stop() | Reroll() | Order() | Hearts() | Use():
            return _describe_dice(view, seat, answer)
        case Pass():
            return _fit(view, seat, N_("You do nothing here."), N_("{name} does nothing here."))
        case Done():
            return _fit(view, seat, N_("You are done here."), N_("{name} is done here."))
        case Yield():
            return _fit(
                view, seat, N_("You decide to leave Tokyo."), N_("{name} decides to leave Tokyo.")
            )
        case Stay():
            return _fit(
                view,
                seat,
                N_("You decide to stay in Tokyo."),
                N_("{name} decides to stay in Tokyo."),
            )
        case Take() | Again():
            return _describe_gain(view, seat, answer)
        case Buy() | BuyTop() | Copy() | Sell() | Swap():
            return _describe_cards(view, seat, answer)
        case Peek() | Sweep() | Deposit() | Keep():
            return _describe_deal(view, seat, answer)
        case _:
            assert_never(answer)


def _describe_dice(view: SeatView, seat: Seat, answer: Stop | Reroll | Order | Hearts | Use) -> str:
    dice = view.game.state.dice
    match answer:
        case Stop():
            return _fit(view, seat, N_("You stop rolling."), N_("{name} stops rolling."))
        case Reroll(dice=again) if len(again) == len(dice):
            return _fit(
                view, seat, N_("You roll all dice again."), N_("{name} rolls all dice again.")
            )
        case Reroll(dice=again):
            return _fit(
                view,
                seat,
                N_("You keep {kept} and roll {rolled} again."),
                N_("{name} keeps {kept} and rolls {rolled} again."),
                kept=names.faces(die for at, die in enumerate(dice) if at not in again),
                rolled=names.dice_count(len(again)),
            )
        case Order(groups=groups):
            return _fit(
                view,
                seat,
                N_("You use the dice in this order: {faces}."),
                N_("{name} uses the dice in this order: {faces}."),
                faces=list_with_commas(names.face(face) for face in groups),
            )
        case Hearts():
            return _fit(
                view,
                seat,
                N_("Your hearts go here: {parts}."),
                N_("The hearts of {name} go here: {parts}."),
                parts=_list_hearts(view, answer),
            )
        case Use(item=item):
            return _fit(
                view,
                seat,
                N_("You use {card}."),
                N_("{name} uses {card}."),
                card=names.item_name(view.game, item),
            )
        case _:
            assert_never(answer)


def _list_hearts(view: SeatView, answer: Hearts) -> str:
    parts = []
    if answer.heal:
        parts.append(_("{hearts} to heal", hearts=names.hearts(answer.heal)))
    if answer.poison:
        parts.append(
            plural("{n} against a poison token", "{n} against poison tokens", answer.poison)
        )
    if answer.shrink:
        parts.append(
            plural("{n} against a shrink token", "{n} against shrink tokens", answer.shrink)
        )
    parts += [
        _("{hearts} for {name}", hearts=names.hearts(n), name=names.player_name(view, patient))
        for patient, n in answer.give
    ]
    return list_with_and(parts) or _("nowhere")


def _describe_gain(view: SeatView, seat: Seat, answer: Take | Again) -> str:
    match answer:
        case Take(tile=tile):
            return _fit(
                view,
                seat,
                N_("You choose the tile {tile}."),
                N_("{name} chooses the tile {tile}."),
                tile=names.item_name(view.game, tile),
            )
        case Again():
            return _fit(
                view, seat, N_("You want the extra turn."), N_("{name} wants the extra turn.")
            )
        case _:
            assert_never(answer)


def _describe_cards(view: SeatView, seat: Seat, answer: Buy | BuyTop | Copy | Sell | Swap) -> str:
    match answer:
        case Buy(card=card):
            return _about_cards(
                view, seat, N_("You want to buy {cards}."), N_("{name} wants to buy {cards}."), card
            )
        case BuyTop(card=card):
            return _about_cards(
                view,
                seat,
                N_("You buy the top card of the deck, {cards}."),
                N_("{name} buys the top card of the deck, {cards}."),
                card,
            )
        case Copy(card=card):
            return _about_cards(
                view, seat, N_("You want to copy {cards}."), N_("{name} wants to copy {cards}."),
                card,
            )  # fmt: skip
        case Sell(cards=cards):
            return _about_cards(
                view, seat, N_("You sell {cards}."), N_("{name} sells {cards}."), *cards
            )
        case Swap(card=card):
            return _about_cards(
                view, seat, N_("You take {cards}."), N_("{name} takes {cards}."), card
            )
        case _:
            assert_never(answer)


def _describe_deal(view: SeatView, seat: Seat, answer: Peek | Sweep | Deposit | Keep) -> str:
    match answer:
        case Peek():
            return _fit(
                view,
                seat,
                N_("You ask to see the top card of the deck."),
                N_("{name} asks to see the top card of the deck."),
            )
        case Sweep():
            return _fit(
                view,
                seat,
                N_("You pay for three new cards."),
                N_("{name} pays for three new cards."),
            )
        case Deposit(energy=energy):
            return _fit(
                view,
                seat,
                N_("You lay {energy} on the card."),
                N_("{name} lays {energy} on the card."),
                energy=names.energy(energy),
            )
        case Keep():
            return _fit(
                view, seat, N_("You go on copying the same card."),
                N_("{name} goes on copying the same card."),
            )  # fmt: skip
        case _:
            assert_never(answer)


def _about_cards(view: SeatView, seat: Seat, to_me: str, to_others: str, *cards: Item) -> str:
    listed = list_with_and([names.item_name(view.game, card) for card in cards])
    return _fit(view, seat, to_me, to_others, cards=listed)


def _fit(view: SeatView, seat: Seat, to_me: str, to_others: str, **fields: object) -> str:
    """One of two marked sentences: about the reader, or about `{name}`."""
    if seat == view.seat:
        return _(to_me, **fields)
    return _(to_others, name=names.player_name(view, seat), **fields)
