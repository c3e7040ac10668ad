"""How others come to a table, on the screen of its host."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kotp2p.cli.ui.screen.lobby_rows import lobby_rows
from kotp2p.cli.ui.screen.rows import row_width
from kotp2p.cli.ui.screen.table_status import TableStatus
from kotp2p.notices import (
    LobbyChanged,
    LobbySeat,
    RematchNews,
    RematchStep,
    TableAnnounced,
    TableOpened,
)
from kotp2p.watch_notices import WatchersChanged

OFFERS = RematchNews(RematchStep.OFFERS, ("Mia", "Rex"), ("", "Rex", "Mia"))
ANA = LobbySeat("Ana", "Gigazaur", b"a", False, True)
LOBBY = LobbyChanged((ANA, None), 0, "second")
OPENED = TableOpened(("192.168.1.20",), 4242, False)
LONGEST = "strawberry watermelon"


def rows_after(
    *notices: TableAnnounced | RematchNews | TableOpened | WatchersChanged,
    columns: int = 80,
    shown: LobbyChanged = LOBBY,
) -> list[str]:
    status = TableStatus()
    status.note_notice(OPENED)
    for notice in notices:
        status.note_notice(notice)
    rows = lobby_rows(shown, status, columns, {})
    assert all(row_width(row) <= columns for row in rows)
    return ["".join(text for _style, text in row) for row in rows]


def test_the_name_of_the_table_stands_large_beside_its_command() -> None:
    rows = rows_after(TableAnnounced("kangaroo umbrella"))
    assert rows[5] == " K A N G A R O O   U M B R E L L A   kotp2p join kangaroo umbrella"
    assert rows[3].startswith("-- How to join --")
    assert rows[3].endswith("the two words prove nothing --")


def test_the_link_of_watchers_stands_in_a_row_of_its_own() -> None:
    where = "kotp2p://192.168.1.20,10.0.0.7:4243/"
    play, link = where + "1" * 40, where + "2" * 40
    rows = rows_after(replace(OPENED, invitation=play, watch_invitation=link), columns=100)
    assert rows[4:6] == [f" kotp2p join {play}", f" kotp2p watch {link}"]
    assert not any("To watch, others type" in row for row in rows)


def test_how_many_watch_stands_beside_the_table() -> None:
    assert not any("watch" in row for row in rows_after())
    assert any(row.endswith("2 watch --") for row in rows_after(WatchersChanged(2)))


def test_a_narrow_heading_keeps_what_is_said_of_the_name() -> None:
    rows = rows_after(TableAnnounced("kangaroo umbrella"), columns=60)
    assert rows[3].startswith("-- How to join --")
    assert rows[3].endswith("the two words prove nothing --")


@pytest.mark.parametrize("columns", [60, 79, 80, 200])
def test_the_longest_name_fits(columns: int) -> None:
    rows = rows_after(TableAnnounced(LONGEST), columns=columns)
    shown = " ".join(rows)
    assert "S T R A W B E R R Y   W A T E R M E L O N" in shown
    assert f"kotp2p join {LONGEST}" in shown


@pytest.mark.parametrize(
    "notices",
    [
        [],
        [TableAnnounced(fault="no multicast")],
        [TableAnnounced("kangaroo umbrella"), TableAnnounced(fault="no multicast")],
    ],
)
def test_a_table_that_is_not_announced_shows_no_name(notices: list[TableAnnounced]) -> None:
    rows = rows_after(*notices)
    assert not any("words" in row or "K A N" in row for row in rows)


def test_the_seats_of_another_game_say_for_whom_they_are_kept() -> None:
    kept = LobbyChanged((ANA, None, None), 0, "second", has_kept_seats=True)
    rows = rows_after(OFFERS, OPENED, shown=kept)
    assert [row.split() for row in rows[2:4]] == [
        ["2", "kept", "for", "Rex"],
        ["3", "kept", "for", "Mia"],
    ]
    shown = " ".join(" ".join(rows).split())
    assert "with seats kept for Mia and Rex: y at the same question leads here" in shown
    assert "whose program has ended types: kotp2p join 192.168.1.20" in shown
    assert "The others type" not in shown


def test_seats_that_the_host_has_opened_are_free() -> None:
    opened = LobbyChanged((ANA, None, None), 0, "second")
    rows = rows_after(OFFERS, OPENED, shown=opened)
    assert [row.split() for row in rows[2:4]] == [["2", "free"], ["3", "free"]]


def test_at_the_table_of_another_nothing_is_said_of_how_to_join() -> None:
    rows = rows_after(OFFERS, OPENED, RematchNews(RematchStep.GOES, ("Rex",)))
    assert not any("join" in row or "kept" in row for row in rows)
