"""The lobby on the screen: the seats, their players, and how others come."""

from __future__ import annotations

from kotp2p.cli.text import how_to_join, lobby
from kotp2p.cli.text.how_to_join import Interfaces, code_command, describe_code
from kotp2p.cli.text.i18n import _, in_context, line_width, number, plural
from kotp2p.cli.text.lobby import bot_mark
from kotp2p.cli.ui.screen.rows import Row, fold_lines, pad_to_width, rule_row
from kotp2p.cli.ui.screen.table_status import TableStatus
from kotp2p.seams.notices import (
    CodeStep,
    LobbyChanged,
    LobbySeat,
    RematchNews,
    TableCode,
    TableOpened,
)

SEAT_COLUMNS = 8
PLAYER_COLUMNS = 26
MONSTER_COLUMNS = 16
READY_COLUMNS = 10
LARGE_GAP_COLUMNS = 3
"""Between the two words of a table's name and the command beside them."""


def lobby_rows(
    shown: LobbyChanged | None,
    status: TableStatus,
    columns: int,
    interfaces: Interfaces,
    room: int = 99,
) -> list[Row]:
    """Draw seats and ways to join, then as much of the rest as `room` rows hold.

    `shown` is None as long as nobody has sat down.
    """
    if shown is None:
        return []
    head = " " + _cells(_("Seat"), _("Player"), _("Monster"), _("Ready")) + _("Here since")
    rows: list[Row] = [[("rule", pad_to_width(head, columns))]]
    rows += [[("log", pad_to_width(text, columns))] for text in _seat_texts(shown, status)]
    first, more = _join_rows(status, columns, interfaces)
    if first:
        rows.append(_rule_of_joining(status, columns))
        rows += first
    lines = [_("Rule set: {rules}.", rules=shown.rules), *lobby.describe_options(shown)]
    table: list[Row] = [[("log", " " + row)] for row in fold_lines([" ".join(lines)], columns - 2)]
    left = room - len(rows) - 1
    is_cut = len(more) + len(table) > left
    watching = status.describe_watchers() if status.watchers else ""
    ends = [watching, _("? shows the rest") if is_cut else ""]
    rule = rule_row(columns, _("The table"), ", ".join(filter(None, ends)))
    if is_cut:  # whole sentences only: half of one misleads
        more, table = [], table if len(table) <= left else []
    return [*rows, *more, rule, *table]


def _rule_of_joining(status: TableStatus, columns: int) -> Row:
    if status.rematch is not None:
        return rule_row(columns, _("Another game with the same people"))
    rest = _("the two words prove nothing") if status.table_name else ""
    return rule_row(columns, _("How to join"), rest)


def _join_rows(
    status: TableStatus, columns: int, interfaces: Interfaces
) -> tuple[list[Row], list[Row]]:
    """What a host needs in sight, and what can also be read on the help page."""
    if status.opened is None:
        return [], []
    if status.rematch is not None:
        lines = _rematch_lines(status.rematch, status.opened, interfaces)
        return [[("log", " " + row)] for row in fold_lines(lines, columns - 2)], []
    faults = [
        *([how_to_join.describe_loopback()] if status.opened.only_loopback else []),
        *(lobby.describe_announcement(status.unannounced) if status.unannounced else []),
    ]
    first: list[Row] = [[("danger", " " + row)] for row in fold_lines(faults, columns - 2)]
    ways, rest = _ways_to_join(status.opened, status.table_name, columns, interfaces)
    return [*first, *_code_rows(status.code, columns), *ways], rest


def _rematch_lines(rematch: RematchNews, opened: TableOpened, interfaces: Interfaces) -> list[str]:
    access = how_to_join.describe_rematch_access(opened, interfaces)
    return [*lobby.describe_rematch(rematch), *access]


def _ways_to_join(
    opened: TableOpened, table_name: str, columns: int, interfaces: Interfaces
) -> tuple[list[Row], list[Row]]:
    """The command for most players stands out, and so do the two words; the others follow. And
    apart from these, what may be in the way."""
    best, *others = how_to_join.join_commands(opened, interfaces)
    by_link = how_to_join.watch_command(opened)  # its words say what it does
    said = how_to_join.describe_watching(opened, interfaces) if by_link else []
    said += [how_to_join.describe_loopback()] if opened.only_loopback else []
    access = how_to_join.describe_access(opened, interfaces)
    commands = filter(None, [best, by_link])
    ways: list[Row] = [
        *([("own", " " + row)] for row in fold_lines(commands, columns - 2)),
        *(_name_rows(table_name, columns) if table_name else []),
        *([("log", " " + row)] for row in fold_lines(others, columns - 2)),
    ]
    lines = fold_lines([line for line in access if line not in said], columns - 2)
    return ways, [[("log", " " + row)] for row in lines]


def _code_rows(code: TableCode | None, columns: int) -> list[Row]:
    """The command that works from anywhere, and which servers it asks."""
    if code is None:
        return []
    lines = describe_code(code)
    rows: list[Row] = [[("log", " " + row)] for row in fold_lines(lines, columns - 2)]
    if code.step in (CodeStep.OPEN, CodeStep.MOVED):
        rows.insert(0, [("own", " " + code_command(code.code))])
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
        if status.unannounced is not None:
            lines += lobby.describe_announcement(status.unannounced)
        if status.code is not None and status.code.step is CodeStep.OPEN:
            lines += [
                code_command(status.code.code),
                *describe_code(status.code),
            ]
    if status.table_name:
        lines.append(lobby.describe_table_name(status.table_name))
    return lines


def _seat_texts(shown: LobbyChanged, status: TableStatus) -> list[str]:
    """One for each player, and for each seat that is kept; one for all that are free."""
    texts, free = [], []
    for at, seat in enumerate(shown.seats):
        if seat is not None:
            texts.append(_player_text(shown, status, at, seat))
        elif shown.has_kept_seats and status.rematch and status.rematch.kept[at]:
            name = _("kept for {name}", name=status.rematch.kept[at])
            texts.append(" " + pad_to_width(number(at + 1), SEAT_COLUMNS) + name)
        else:
            free.append(at + 1)
    if len(free) == 1:
        texts.append(
            " " + pad_to_width(number(free[0]), SEAT_COLUMNS) + in_context("a seat", "free")
        )
    elif free:
        said = plural("{n} seat is free.", "{n} seats are free.", len(free))
        texts.append(" " + pad_to_width(_list_ranges(free), SEAT_COLUMNS) + said)
    return texts


def _list_ranges(numbers: list[int]) -> str:
    """`1, 2, 4` as `1-2,4`."""
    ranges: list[list[int]] = []
    for n in numbers:
        if ranges and ranges[-1][-1] == n - 1:
            ranges[-1].append(n)
        else:
            ranges.append([n])
    return ",".join("-".join(number(n) for n in dict.fromkeys((r[0], r[-1]))) for r in ranges)


def _player_text(shown: LobbyChanged, status: TableStatus, at: int, seat: LobbySeat) -> str:
    name = seat.name
    if at == shown.you:
        name = _("{name} (you)", name=name)
    elif seat.host:
        name = _("{name} (host)", name=name)
    elif seat.is_played_by_bot:
        name = _("{name} ({mark})", name=name, mark=bot_mark(name))
    ready = _("ready") if seat.ready else ""
    if seat.away:
        ready = _("away, kept until {time}", time=number(status.kept_until.get(seat.key, "")))
        return " " + _cells(number(at + 1), name, seat.monster, "")[:-READY_COLUMNS] + ready
    came_at = number(status.came_at.get(seat.key, ""))
    return " " + _cells(number(at + 1), name, seat.monster, ready) + came_at


def _cells(seat: str, player: str, monster: str, ready: str) -> str:
    return (
        pad_to_width(seat, SEAT_COLUMNS)
        + pad_to_width(player, PLAYER_COLUMNS)
        + pad_to_width(monster, MONSTER_COLUMNS)
        + pad_to_width(ready, READY_COLUMNS)
    )
