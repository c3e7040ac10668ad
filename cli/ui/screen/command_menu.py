"""What may be typed at any time, as a list to pick from (F6)."""

from __future__ import annotations

from kotp2p.cli.ask.dialogue import MenuEntry
from kotp2p.cli.ask.standing_orders import ORDERS_WORD
from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.lobby import free_monsters
from kotp2p.cli.text.queries import SINCE_WORD
from kotp2p.cli.text.rulebook import RULES_WORD
from kotp2p.cli.text.typed_words import own_command
from kotp2p.cli.ui.absence import ACCEPT_WORD, ADJOURN_WORD, BOT_WORD, WAIT_WORD, OpenMatters
from kotp2p.cli.ui.coaching import COACH_WORD
from kotp2p.cli.ui.lobby_commands import (
    ADD_BOT,
    COPY,
    MONSTER,
    MOVE,
    NOT_READY,
    OPEN_SEATS,
    READY,
    REMOVE,
    START,
    WHO,
)
from kotp2p.cli.ui.notice_feed import NoticeFeed
from kotp2p.cli.ui.pace_commands import SPEED_WORD
from kotp2p.cli.ui.prompts import LEAVE_WORDS
from kotp2p.seams.notices import LobbyChanged, LobbySeat
from kotp2p.seams.seat_view import SeatView

LEAVE, LEAVE_GAME = LEAVE_WORDS[0], LEAVE_WORDS[1]
"""The first is an answer of its own where Tokyo may be left."""


def _entry(command: str, label: str, rest: str = "") -> MenuEntry:
    return MenuEntry(f"{own_command(command)} {rest}".rstrip(), label)


def list_commands(feed: NoticeFeed) -> list[MenuEntry]:
    if feed.view is not None:
        return _list_game_commands(feed.view, feed.matters)
    if feed.lobby is not None:
        return _list_lobby_commands(feed.lobby)
    return [_entry(LEAVE, _("give up"))]


def _list_game_commands(view: SeatView, matters: OpenMatters) -> list[MenuEntry]:
    found, offer = [], matters.offer
    if offer is not None and offer.yours:
        if offer.can_go_on:
            found.append(_entry(BOT_WORD, _("let a bot play for who does not answer")))
        found.append(_entry(WAIT_WORD, _("wait for who does not answer")))
    for asked in matters.returning:
        name = view.players[asked.seat].name
        found.append(_entry(ACCEPT_WORD, _("let {name} back", name=name), name))
    found += [
        _entry("state", _("all monsters, in words")),
        _entry("shop", _("the cards for sale, with their texts")),
    ]
    if view.game.setup.rules.tiles:
        found.append(_entry("tiles", _("the wickedness tiles, with their texts")))
    found += [
        _entry("who", _("the players, and who is waited for")),
        _entry(RULES_WORD, _("how the game is played")),
        _entry(COACH_WORD, _("have your next three turns explained")),
        _entry(ORDERS_WORD, _("your standing orders, and how to change them")),
        _entry(SINCE_WORD, _("what has happened since your last turn")),
        _entry(SPEED_WORD, _("how fast you are shown what happens, and how to change it")),
        _entry(ADJOURN_WORD, _("stop here for today, if all agree")),
    ]
    if offer is None:
        found.append(_entry(WAIT_WORD, _("play on; it takes back your wish to stop")))
    found.append(_entry(LEAVE_GAME, _("leave the game; you are asked first")))
    return found


def _list_lobby_commands(lobby: LobbyChanged) -> list[MenuEntry]:
    own = lobby.seats[lobby.you]
    found = []
    if own is not None and own.host:
        found += [
            _entry(START.word, _("begin the game")),
            _entry(ADD_BOT.word, _("a bot takes a free seat")),
        ]
        if lobby.has_kept_seats:
            found.append(_entry(OPEN_SEATS.word, _("let anyone take the seats that are kept")))
        others = [seat.name for seat in lobby.seats if seat is not None and seat is not own]
        found += [
            _entry(REMOVE.word, _("send {name} away from the table", name=name), name)
            for name in others
        ]
        for at, seat in enumerate(lobby.seats):
            found += [
                _entry(MOVE.word, _("{name} sits on seat {n}", name=seat.name, n=n),
                    f"{seat.name} {n}")
                for n in range(1, len(lobby.seats) + 1)
                if seat is not None and n != at + 1
            ]  # fmt: skip
    if own is not None:
        found += _list_choices(lobby, own)
    if own is not None and own.host:
        label = _("put the line for your friends into the clipboard")
        found.append(_entry(COPY.word, label))
    found += [
        _entry(WHO.word, _("the players at this table")),
        _entry(RULES_WORD, _("how the game is played")),
        _entry(LEAVE, _("leave the table; you are asked first")),
    ]
    return found


def _list_choices(lobby: LobbyChanged, own: LobbySeat) -> list[MenuEntry]:
    """What every player can change. A name is typed."""
    if own.ready:
        mark = _entry(NOT_READY.word, _("take back that you are ready"), own_command(READY.word))
    else:
        mark = _entry(READY.word, _("tell the others that you are ready"))
    monsters = [
        _entry(MONSTER.word, _("play {monster}", monster=monster), monster)
        for monster in free_monsters(lobby)
    ]
    return [mark, *monsters]
