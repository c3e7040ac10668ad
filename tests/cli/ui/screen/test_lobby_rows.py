"""How others come to a table, on the screen of its host."""

from dataclasses import replace

import pytest

from kotp2p.cli.text.lobby import describe_rematch
from kotp2p.cli.ui.screen.table_status import TableStatus, lines_in_panels, lobby_rows
from kotp2p.cli.ui.screen.theme import row_width
from kotp2p.seams.notices import (
    LobbyChanged,
    LobbySeat,
    RematchNews,
    RematchStep,
    TableAnnounced,
    TableOpened,
    WatchersChanged,
)

OFFERS = RematchNews(RematchStep.OFFERS, ("Mia", "Rex"), ("", "Rex", "Mia"))
ANA = LobbySeat("Ana", "Gigazaur", b"a", False, True)
LOBBY = LobbyChanged((ANA, None), 0, "second")
OPENED = TableOpened(("192.168.1.20",), 4242, False)
FAULT = TableAnnounced(fault="no multicast")


def rows_after(
    *notices: TableAnnounced | RematchNews | TableOpened | WatchersChanged,
    columns: int = 80,
    shown: LobbyChanged = LOBBY,
    room: int = 99,
) -> list[str]:
    status = TableStatus()
    status.note_notice(OPENED)
    for notice in notices:
        status.note_notice(notice)
    rows = lobby_rows(shown, status, columns, {}, room)
    assert all(row_width(row) <= columns for row in rows)
    return ["".join(text for _style, text in row) for row in rows]


HERE = "On this network the others may also type: kotp2p join"


def test_a_table_that_is_announced_says_so_below_its_commands() -> None:
    rows = rows_after(TableAnnounced())
    assert rows[3].startswith("-- How to join --")
    assert rows[4:6] == [" kotp2p join 192.168.1.20", f" {HERE}"]


def test_the_link_of_watchers_stands_in_a_row_of_its_own() -> None:
    where = "kotp2p://192.168.1.20,10.0.0.7:4243/"
    play, link = where + "1" * 40, where + "2" * 40
    rows = rows_after(replace(OPENED, invitation=play, watch_invitation=link), columns=100)
    assert rows[4:6] == [f" kotp2p join {play}", f" kotp2p watch {link}"]
    assert not any("To watch, others type" in row for row in rows)


def test_how_many_watch_stands_beside_the_table() -> None:
    assert not any("watch" in row for row in rows_after())
    assert any(row.endswith("2 watch --") for row in rows_after(WatchersChanged(2)))


@pytest.mark.parametrize("notices", [[], [FAULT], [TableAnnounced(), FAULT]])
def test_a_table_that_is_not_announced_says_no_such_thing(notices: list[TableAnnounced]) -> None:
    rows = rows_after(*notices)
    assert not any(HERE in row for row in rows)


def test_the_seats_of_another_game_say_for_whom_they_are_kept() -> None:
    kept = LobbyChanged((ANA, None, None), 0, "second", has_kept_seats=True)
    rows = rows_after(OFFERS, OPENED, shown=kept)
    assert [row.strip().partition(",")[0].split() for row in rows[2:4]] == [
        ["2", "kept", "for", "Rex"],
        ["3", "kept", "for", "Mia"],
    ]
    shown = " ".join(" ".join(rows).split())
    assert "with seats kept for Mia and Rex: y at the same question leads here" in shown
    assert "whose program has ended types: kotp2p join 192.168.1.20" in shown
    assert "The others type" not in shown
    status = TableStatus(rematch=OFFERS)  # told before the table is open
    assert lines_in_panels(None, status, {}) == describe_rematch(OFFERS)


def test_seats_that_the_host_has_opened_are_free() -> None:
    opened = LobbyChanged((ANA, None, None), 0, "second")
    rows = rows_after(OFFERS, OPENED, shown=opened)
    assert rows[2].split() == ["2,3", "2", "seats", "are", "free."]


def test_at_the_table_of_another_nothing_is_said_of_how_to_join() -> None:
    rows = rows_after(OFFERS, OPENED, RematchNews(RematchStep.GOES, ("Rex",)))
    assert not any("join" in row or "kept" in row for row in rows)


@pytest.mark.parametrize(
    ("taken", "said"),
    [
        ((0,), "2,3,4,5,6 5 seats are free."),
        ((0, 3), "2,3,5,6 4 seats are free."),
        ((1, 3), "1,3,5,6 4 seats are free."),
        ((0, 1, 2, 3, 5), "5 1 seat is free."),
    ],
)
def test_all_free_seats_share_one_row(taken: tuple[int, ...], said: str) -> None:
    seats = [replace(ANA, key=bytes([at])) if at in taken else None for at in range(6)]
    rows = rows_after(shown=LobbyChanged(tuple(seats), taken[0], "second"))
    assert " ".join(rows[1 + len(taken)].split()) == said
    assert rows[2 + len(taken)].startswith("-- How to join --")


def test_a_full_table_has_no_row_for_free_seats() -> None:
    seats = tuple(replace(ANA, key=bytes([at])) for at in range(6))
    rows = rows_after(shown=LobbyChanged(seats, 0, "second"))
    assert rows[7].startswith("-- How to join --")
    assert not any("free" in row for row in rows)


def test_what_keeps_others_away_stands_right_above_the_command() -> None:
    rows = rows_after(TableAnnounced(fault="no multicast"))
    assert rows[4].startswith(" The table cannot be announced on this network (no multicast)")
    assert rows[6] == " kotp2p join 192.168.1.20"
    rows = rows_after(FAULT, TableAnnounced())
    assert not any("cannot be announced" in row for row in rows)
    rows = rows_after(replace(OPENED, only_loopback=True))
    assert rows[4:6] == [" Only this machine can reach the table.", " kotp2p join 192.168.1.20"]
    assert sum("Only this machine" in row for row in rows) == 1


def test_with_little_room_the_command_stays_and_the_help_has_the_rest() -> None:
    everything = rows_after(TableAnnounced())
    assert not any("? shows the rest" in row for row in everything)
    fits = rows_after(TableAnnounced(), room=len(everything))
    assert fits == everything
    rows = rows_after(TableAnnounced(), room=len(everything) - 1)
    assert any(row.endswith("? shows the rest --") for row in rows)
    assert " kotp2p join 192.168.1.20" in rows
    assert f" {HERE}" in rows
    assert not any("a firewall must" in row for row in rows)


def test_the_seat_of_a_player_who_is_away_says_until_when_it_is_kept() -> None:
    status = TableStatus(time_after=lambda seconds: f"20:{15 + seconds / 60:.0f}")
    rex = LobbySeat("Rex", "The King", b"r", False, False, ready=True)
    gone = LobbyChanged((ANA, replace(rex, away=True)), 0, "second")
    status.note_notice(gone)
    status.time_after = lambda _seconds: "21:00"
    status.note_notice(gone)  # another change of the lobby keeps the time
    row = "".join(text for _style, text in lobby_rows(gone, status, 80, {})[2])
    assert row.split() == ["2", "Rex", "The", "King", "away,", "kept", "until", "20:17"]
    status.note_notice(LobbyChanged((ANA, rex), 0, "second"))
    assert status.kept_until == {}
