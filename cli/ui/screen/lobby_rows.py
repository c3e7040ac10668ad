"""The lobby on the screen: who sits where, and how others come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.text import lobby
from cli.text.i18n import _
from cli.ui.screen.rows import Row, fill, folded, rule
from kotp2p.notices import LobbyChanged, LobbySeat

if TYPE_CHECKING:
    from cli.ui.screen.screen import Screen


def lobby_rows(screen: Screen, columns: int) -> list[Row]:
    found = screen.news.lobby
    if found is None:
        return []
    head = " " + fill(_("Seat"), 6) + fill(_("Player"), 26) + fill(_("Monster"), 16)
    rows: list[Row] = [[("rule", fill(head + _("Here since"), columns))]]
    for at, seat in enumerate(found.seats):
        rows.append([("log", fill(_seat(screen, found, at, seat), columns))])
    if screen.seen.opened is not None:
        rows.append(rule(columns, _("How to join")))
        lines = [*lobby.opened(screen.seen.opened), *lobby.opened_hints(screen.seen.opened)]
        rows += [[("log", " " + row)] for row in folded(lines, columns - 2)]
    rows.append(rule(columns, _("The table")))
    lines = [_("Rule set: {rules}.", rules=found.rules), *lobby.options(found)]
    rows += [[("log", " " + row)] for row in folded([" ".join(lines)], columns - 2)]
    return rows


def _seat(screen: Screen, found: LobbyChanged, at: int, seat: LobbySeat | None) -> str:
    if seat is None:
        return " " + fill(str(at + 1), 6) + _("free")
    name = seat.name
    if at == found.you:
        name = _("{name} (you)", name=name)
    elif seat.host:
        name = _("{name} (host)", name=name)
    elif seat.bot:
        name = _("{name} (bot)", name=name)
    since = screen.seen.since.get(seat.key, "")
    return " " + fill(str(at + 1), 6) + fill(name, 26) + fill(seat.monster, 16) + since
