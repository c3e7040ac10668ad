"""What may be typed at any time, as a list to pick from (F6)."""

from __future__ import annotations

from cli.ask.menu import Way
from cli.text.i18n import _
from cli.ui.notice_feed import News
from kotp2p.notices import LobbyChanged, VoteOpened
from kotp2p.seat_view import SeatView


def commands(news: News, vote: VoteOpened | None) -> list[Way]:
    if news.view is not None:
        return _game(news.view, vote)
    if news.lobby is not None:
        return _lobby(news.lobby)
    return [Way("leave", _("give up"))]


def _game(view: SeatView, vote: VoteOpened | None) -> list[Way]:
    found = []
    if vote is not None and vote.yours and vote.enough:
        found.append(Way("drop", _("vote to go on without who is absent")))
    if vote is not None:
        found.append(Way("wait", _("wait longer; it takes your vote back")))
    found += [
        Way("state", _("all monsters, in words")),
        Way("shop", _("the cards for sale, with their texts")),
    ]
    if view.game.setup.rules.tiles:
        found.append(Way("tiles", _("the wickedness tiles, with their texts")))
    found += [
        Way("who", _("the players, and who is waited for")),
        Way("orders", _("your standing orders, and how to change them")),
        Way("pause", _("stop the clocks, once a turn")),
        Way("go", _("let the clocks run again")),
        Way("adjourn", _("stop here for today, if all agree")),
    ]
    if vote is None:
        found.append(Way("wait", _("play on; it takes back that you want to stop")))
    found.append(Way("leave", _("leave the game; you are asked first")))
    return found


def _lobby(lobby: LobbyChanged) -> list[Way]:
    own = lobby.seats[lobby.you]
    found = []
    if own is not None and own.host:
        found += [
            Way("start", _("begin the game")),
            Way("bot", _("a bot takes a free seat")),
        ]
        others = [seat.name for seat in lobby.seats if seat is not None and seat is not own]
        found += [
            Way(f"remove {name}", _("take {name} out of the table", name=name)) for name in others
        ]
        for at, seat in enumerate(lobby.seats):
            found += [
                Way(f"move {seat.name} {n}", _("{name} sits on seat {n}", name=seat.name, n=n))
                for n in range(1, len(lobby.seats) + 1)
                if seat is not None and n != at + 1
            ]
    found += [
        Way("who", _("who sits here")),
        Way("leave", _("leave the table; you are asked first")),
    ]
    return found
