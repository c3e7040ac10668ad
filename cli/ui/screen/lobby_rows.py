"""The lobby on the screen: the seats, their players, and how others come."""

from __future__ import annotations

from kotp2p.cli.text import code_words, how_to_join, lobby
from kotp2p.cli.text.how_to_join import Interfaces
from kotp2p.cli.text.i18n import _, in_context, line_width, number
from kotp2p.cli.text.tempers import bot_mark
from kotp2p.cli.ui.screen.rows import Row, fold_lines, pad_to_width, rule_row
from kotp2p.cli.ui.screen.table_status import TableStatus
from kotp2p.code_notices import CodeStep, TableCode
from kotp2p.notices import LobbyChanged, LobbySeat, RematchNews, TableOpened

SEAT_COLUMNS = 7
PLAYER_COLUMNS = 26
MONSTER_COLUMNS = 16
READY_COLUMNS = 10
LARGE_GAP_COLUMNS = 3
"""Between the two words of a table's name and the command beside them."""


def lobby_rows(
    shown: LobbyChanged | None, status: TableStatus, columns: int, interfaces: Interfaces
) -> list[Row]:
    """`shown` is None as long as nobody has sat down."""
    if shown is None:
        return []
    head = " " + _cells(_("Seat"), _("Player"), _("Monster"), _("Ready")) + _("Here since")
    rows: list[Row] = [[("rule", pad_to_width(head, columns))]]
    for at, seat in enumerate(shown.seats):
        rows.append([("log", pad_to_width(_seat_text(shown, status, at, seat), columns))])
    if status.opened is not None and status.rematch is not None:
        rows.append(rule_row(columns, _("Another game with the same people")))
        lines = _rematch_lines(status.rematch, status.opened, interfaces)
        rows += [[("log", " " + row)] for row in fold_lines(lines, columns - 2)]
    elif status.opened is not None:
        rest = _("the two words prove nothing") if status.table_name else ""
        rows.append(rule_row(columns, _("How to join"), rest))
        rows += _code_rows(status.code, columns)
        rows += _ways_to_join(status.opened, status.table_name, columns, interfaces)
    watching = status.describe_watchers() if status.watchers else ""
    rows.append(rule_row(columns, _("The table"), watching))
    lines = [_("Rule set: {rules}.", rules=shown.rules), *lobby.describe_options(shown)]
    rows += [[("log", " " + row)] for row in fold_lines([" ".join(lines)], columns - 2)]
    return rows


def _rematch_lines(rematch: RematchNews, opened: TableOpened, interfaces: Interfaces) -> list[str]:
    access = how_to_join.describe_rematch_access(opened, interfaces)
    return [*lobby.describe_rematch(rematch), *access]


def _ways_to_join(
    opened: TableOpened, table_name: str, columns: int, interfaces: Interfaces
) -> list[Row]:
    """The command for most players stands out, and so do the two words; the others follow."""
    best, *others = how_to_join.join_commands(opened, interfaces)
    by_link = how_to_join.watch_command(opened)  # its words say what it does
    said = how_to_join.describe_watching(opened, interfaces) if by_link else []
    access = how_to_join.describe_access(opened, interfaces)
    lines = [*others, *(line for line in access if line not in said)]
    commands = [best, by_link]
    return [
        *([("own", " " + row)] for row in fold_lines(filter(None, commands), columns - 2)),
        *(_name_rows(table_name, columns) if table_name else []),
        *([("log", " " + row)] for row in fold_lines(lines, columns - 2)),
    ]


def _code_rows(code: TableCode | None, columns: int) -> list[Row]:
    """The command that works from anywhere, and which servers it asks."""
    if code is None:
        return []
    lines = code_words.describe_code(code)
    rows: list[Row] = [[("log", " " + row)] for row in fold_lines(lines, columns - 2)]
    if code.step in (CodeStep.OPEN, CodeStep.MOVED):
        rows.insert(0, [("own", " " + code_words.code_command(code.code))])
    return rows


def _name_rows(table_name: str, columns: int) -> list[Row]:
    """The two words in spaced capitals, and the command beside them if there is room."""
    large = "   ".join(" ".join(word.upper()) for word in table_name.split())
    command = f"kotp2p join {table_name}"
    room = columns - 2 - line_width(large) - line_width(command)
    if room < LARGE_GAP_COLUMNS:
        return [[("own", " " + large)], [("log", " " + command)]]
    return [[("own", " " + large), ("log", " " * LARGE_GAP_COLUMNS + command)]]


def lines_in_panels(
    shown: LobbyChanged | None, status: TableStatus, interfaces: Interfaces
) -> list[str]:
    """What these rows say all the time, so that the log need not say it too."""
    lines: list[str] = []
    if shown is not None:  # a table is opened before anybody sits down, the host included
        lines += [
            *lobby.list_seats(shown),
            *lobby.describe_first_commands(shown),
            *lobby.describe_options(shown),
        ]
    if status.opened is not None and status.rematch is not None:
        lines += _rematch_lines(status.rematch, status.opened, interfaces)
    elif status.opened is not None:
        lines += [
            *how_to_join.join_commands(status.opened, interfaces),
            *how_to_join.describe_access(status.opened, interfaces),
        ]
        if status.code is not None and status.code.step is CodeStep.OPEN:
            lines += [
                code_words.code_command(status.code.code),
                *code_words.describe_code(status.code),
            ]
    if status.table_name:
        lines.append(lobby.describe_table_name(status.table_name))
    return lines


def _seat_text(shown: LobbyChanged, status: TableStatus, at: int, seat: LobbySeat | None) -> str:
    if seat is None and shown.has_kept_seats and status.rematch and status.rematch.kept[at]:
        name = _("kept for {name}", name=status.rematch.kept[at])
        return " " + pad_to_width(number(at + 1), SEAT_COLUMNS) + name
    if seat is None:
        return " " + pad_to_width(number(at + 1), SEAT_COLUMNS) + in_context("a seat", "free")
    name = seat.name
    if at == shown.you:
        name = _("{name} (you)", name=name)
    elif seat.host:
        name = _("{name} (host)", name=name)
    elif seat.is_played_by_bot:
        name = _("{name} ({mark})", name=name, mark=bot_mark(name))
    ready = _("ready") if seat.ready else ""
    came_at = number(status.came_at.get(seat.key, ""))
    return " " + _cells(number(at + 1), name, seat.monster, ready) + came_at


def _cells(seat: str, player: str, monster: str, ready: str) -> str:
    return (
        pad_to_width(seat, SEAT_COLUMNS)
        + pad_to_width(player, PLAYER_COLUMNS)
        + pad_to_width(monster, MONSTER_COLUMNS)
        + pad_to_width(ready, READY_COLUMNS)
    )
