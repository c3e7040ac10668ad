"""The lobby on the screen: the seats, their players, and how others come."""

from __future__ import annotations

from cli.text import how_to_join, lobby
from cli.text.how_to_join import Interfaces
from cli.text.i18n import _
from cli.ui.screen.rows import Row, fold_lines, pad_to_width, rule_row
from cli.ui.screen.table_status import TableStatus
from kotp2p.notices import LobbyChanged, LobbySeat, TableOpened

SEAT_COLUMNS = 6
PLAYER_COLUMNS = 26
MONSTER_COLUMNS = 16


def lobby_rows(
    shown: LobbyChanged | None, status: TableStatus, columns: int, interfaces: Interfaces
) -> list[Row]:
    """`shown` is None as long as nobody has sat down."""
    if shown is None:
        return []
    head = " " + _cells(_("Seat"), _("Player"), _("Monster")) + _("Here since")
    rows: list[Row] = [[("rule", pad_to_width(head, columns))]]
    for at, seat in enumerate(shown.seats):
        rows.append([("log", pad_to_width(_seat_text(shown, status, at, seat), columns))])
    if status.opened is not None:
        rows.append(rule_row(columns, _("How to join")))
        rows += _ways_to_join(status.opened, columns, interfaces)
    rows.append(rule_row(columns, _("The table")))
    lines = [_("Rule set: {rules}.", rules=shown.rules), *lobby.describe_options(shown)]
    rows += [[("log", " " + row)] for row in fold_lines([" ".join(lines)], columns - 2)]
    return rows


def _ways_to_join(opened: TableOpened, columns: int, interfaces: Interfaces) -> list[Row]:
    """The command for most players stands out; the others follow."""
    best, *others = how_to_join.join_commands(opened, interfaces)
    lines = [*others, *how_to_join.describe_access(opened, interfaces)]
    return [
        *([("own", " " + row)] for row in fold_lines([best], columns - 2)),
        *([("log", " " + row)] for row in fold_lines(lines, columns - 2)),
    ]


def lines_in_panels(
    shown: LobbyChanged | None, opened: TableOpened | None, interfaces: Interfaces
) -> list[str]:
    """What these rows say all the time, so that the log need not say it too."""
    lines: list[str] = []
    if shown is not None:  # a table is opened before anybody sits down, the host included
        lines += [
            *lobby.list_seats(shown),
            *lobby.describe_commands(shown),
            *lobby.describe_options(shown),
        ]
    if opened is not None:
        lines += [
            *how_to_join.join_commands(opened, interfaces),
            *how_to_join.describe_access(opened, interfaces),
        ]
    return lines


def _seat_text(shown: LobbyChanged, status: TableStatus, at: int, seat: LobbySeat | None) -> str:
    if seat is None:
        return " " + pad_to_width(str(at + 1), SEAT_COLUMNS) + _("free")
    name = seat.name
    if at == shown.you:
        name = _("{name} (you)", name=name)
    elif seat.host:
        name = _("{name} (host)", name=name)
    elif seat.bot:
        name = _("{name} (bot)", name=name)
    return " " + _cells(str(at + 1), name, seat.monster) + status.came_at.get(seat.key, "")


def _cells(seat: str, player: str, monster: str) -> str:
    return (
        pad_to_width(seat, SEAT_COLUMNS)
        + pad_to_width(player, PLAYER_COLUMNS)
        + pad_to_width(monster, MONSTER_COLUMNS)
    )
