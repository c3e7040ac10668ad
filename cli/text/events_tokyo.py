"""Sentences about Tokyo, and about monsters that fall or are saved."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from cli.text import names
from cli.text.context import Telling
from cli.text.i18n import _, mark
from referee.model.answers import Seat
from referee.model.events import (
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
from referee.model.state import Place

TokyoEvent: TypeAlias = (
    EnteredTokyo | LeftTokyo | MovedToCity | YieldAnswered | HeartsReachedZero | Eliminated
    | Resurrected | Zombified | DamagePrevented | Sheltered
)  # fmt: skip


def tell(event: TokyoEvent, told: Telling) -> str | None:
    seat = event.seat
    match event:
        case EnteredTokyo(place=place):
            return _entered(event, place, told)
        case LeftTokyo(yielded=yielded):
            # A yield has been told by its answer, a fall is told by what follows.
            if yielded or not told.monster(seat).alive:
                return None
            return told.say(seat, mark("You are out of Tokyo."), mark("{name} is out of Tokyo."))
        case MovedToCity():
            return told.say(
                seat,
                mark("You move from Tokyo Bay to Tokyo City."),
                mark("{name} moves from Tokyo Bay to Tokyo City."),
            )
        case YieldAnswered(yields=yields):
            if yields:
                return told.say(seat, mark("You leave Tokyo."), mark("{name} leaves Tokyo."))
            return told.say(seat, mark("You stay in Tokyo."), mark("{name} stays in Tokyo."))
        case HeartsReachedZero() | Eliminated():
            return _fallen(event, told)
        case Resurrected(item=item, hearts=hearts):
            return told.say(
                seat,
                mark("{card} saves you: you are back with {hearts}."),
                mark("{card} saves {name}, who is back with {hearts}."),
                card=told.item(item),
                hearts=names.hearts(hearts),
            )
        case Zombified():
            return told.say(seat, mark("You are a zombie now."), mark("{name} is a zombie now."))
        case DamagePrevented() | Sheltered():
            return _spared(event, told)
        case _:
            assert_never(event)


def _entered(event: EnteredTokyo, place: Place, told: Telling) -> str:
    if place is Place.BAY:
        return told.say(event.seat, mark("You enter Tokyo Bay."), mark("{name} enters Tokyo Bay."))
    return told.say(event.seat, mark("You enter Tokyo City."), mark("{name} enters Tokyo City."))


def _fallen(event: HeartsReachedZero | Eliminated, told: Telling) -> str:
    seat = event.seat
    match event:
        case HeartsReachedZero():
            return told.say(
                seat, mark("You have no hearts left."), mark("{name} has no hearts left.")
            )
        case Eliminated(left=True):
            return told.say(
                seat, mark("You have left the game."), mark("{name} has left the game.")
            )
        case Eliminated():
            return _out(seat, told)
        case _:
            assert_never(event)


def _out(seat: Seat, told: Telling) -> str:
    if told.mine(seat) and sum(monster.alive for monster in told.state.monsters) > 1:
        return _("You are out of the game. You can watch the others; leave ends it for you.")
    return told.say(seat, mark("You are out of the game."), mark("{name} is out of the game."))


def _spared(event: DamagePrevented | Sheltered, told: Telling) -> str:
    match event:
        case Sheltered():
            return told.say(
                event.seat,
                mark("{card} keeps you from losing hearts for the rest of this turn."),
                mark("{card} keeps {name} from losing hearts for the rest of this turn."),
                card=told.item(event.item),
            )
        case DamagePrevented(item=item):
            if item is None:
                return told.say(
                    event.seat,
                    mark("You are spared {hearts}."),
                    mark("{name} is spared {hearts}."),
                    hearts=names.hearts(event.amount),
                )
            return told.say(
                event.seat,
                mark("{card} spares you {hearts}."),
                mark("{card} spares {name} {hearts}."),
                card=told.item(item),
                hearts=names.hearts(event.amount),
            )
        case _:
            assert_never(event)
