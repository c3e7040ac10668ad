"""Sentences about Tokyo, and about monsters that fall or are saved."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from kotp2p.cli.text import names
from kotp2p.cli.text.context import StoryContext
from kotp2p.cli.text.i18n import N_, _
from kotp2p.referee.model.answers import Seat
from kotp2p.referee.model.events import (
    DamagePrevented,
    Eliminated,
    EnteredTokyo,
    HeartsReachedZero,
    LeftTokyo,
    MovedToCity,
    Resurrected,
    Sheltered,
    YieldAnswered,
    Zombified,
)
from kotp2p.referee.model.state import Place

TokyoEvent: TypeAlias = (
    EnteredTokyo | LeftTokyo | MovedToCity | YieldAnswered | HeartsReachedZero | Eliminated
    | Resurrected | Zombified | DamagePrevented | Sheltered
)  # fmt: skip


def describe_tokyo_event(event: TokyoEvent, context: StoryContext) -> str | None:
    seat = event.seat
    match event:
        case EnteredTokyo(place=place):
            return _entered(event, place, context)
        case LeftTokyo(yielded=yielded):
            # A yield has been told by its answer, a fall is told by what follows.
            if yielded or not context.monster(seat).alive:
                return None
            return context.fit_to_reader(
                seat, N_("You are out of Tokyo."), N_("{name} is out of Tokyo.")
            )
        case MovedToCity():
            return context.fit_to_reader(
                seat,
                N_("You move from Tokyo Bay to Tokyo City."),
                N_("{name} moves from Tokyo Bay to Tokyo City."),
            )
        case YieldAnswered(yields=yields):
            if yields:
                return context.fit_to_reader(
                    seat, N_("You leave Tokyo."), N_("{name} leaves Tokyo.")
                )
            return context.fit_to_reader(
                seat, N_("You stay in Tokyo."), N_("{name} stays in Tokyo.")
            )
        case HeartsReachedZero() | Eliminated():
            return _fallen(event, context)
        case Resurrected(item=item, hearts=hearts):
            return context.fit_to_reader(
                seat,
                N_("{card} saves you: you are back with {hearts}."),
                N_("{card} saves {name}: they are back with {hearts}."),
                card=context.item_name(item),
                hearts=names.hearts(hearts),
            )
        case Zombified():
            return context.fit_to_reader(
                seat, N_("You are a zombie now."), N_("{name} is a zombie now.")
            )
        case DamagePrevented() | Sheltered():
            return _spared(event, context)
        case _:
            assert_never(event)


def _entered(event: EnteredTokyo, place: Place, context: StoryContext) -> str:
    if place is Place.BAY:
        return context.fit_to_reader(
            event.seat, N_("You enter Tokyo Bay."), N_("{name} enters Tokyo Bay.")
        )
    if names.has_bay(context.view):
        return context.fit_to_reader(
            event.seat, N_("You enter Tokyo City."), N_("{name} enters Tokyo City.")
        )
    return context.fit_to_reader(event.seat, N_("You enter Tokyo."), N_("{name} enters Tokyo."))


def _fallen(event: HeartsReachedZero | Eliminated, context: StoryContext) -> str:
    seat = event.seat
    match event:
        case HeartsReachedZero():
            return context.fit_to_reader(
                seat, N_("You have no hearts left."), N_("{name} has no hearts left.")
            )
        case Eliminated(left=True):
            return context.fit_to_reader(
                seat, N_("You are no longer in the game."), N_("{name} is no longer in the game.")
            )
        case Eliminated():
            return _out(seat, context)
        case _:
            assert_never(event)


def _out(seat: Seat, context: StoryContext) -> str:
    if context.is_reader(seat) and sum(monster.alive for monster in context.state.monsters) > 1:
        return _("You are out of the game. You can go on watching; type leave to go.")
    return context.fit_to_reader(
        seat, N_("You are out of the game."), N_("{name} is out of the game.")
    )


def _spared(event: DamagePrevented | Sheltered, context: StoryContext) -> str:
    match event:
        case Sheltered():
            return context.fit_to_reader(
                event.seat,
                N_("{card} keeps you from losing hearts for the rest of this turn."),
                N_("{card} keeps {name} from losing hearts for the rest of this turn."),
                card=context.item_name(event.item),
            )
        case DamagePrevented(item=item):
            if item is None:
                return context.fit_to_reader(
                    event.seat,
                    N_("You are spared {hearts}."),
                    N_("{name} is spared {hearts}."),
                    hearts=names.hearts(event.amount),
                )
            return context.fit_to_reader(
                event.seat,
                N_("{card} spares you {hearts}."),
                N_("{card} spares {name} {hearts}."),
                card=context.item_name(item),
                hearts=names.hearts(event.amount),
            )
        case _:
            assert_never(event)
