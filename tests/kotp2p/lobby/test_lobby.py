"""Who sits where, how they are called, and how a table is closed."""

import pytest
import trio

from kotp2p.lobby.agreement import LOBBY_SEEN_SECONDS
from kotp2p.lobby.host import SeatPace
from kotp2p.lobby.lobby_chat import LobbyTalk
from kotp2p.lobby.lobby_effects import SendToLink, ShowNotice
from kotp2p.lobby.seating import Seating
from kotp2p.referee.box.rulesets import Options
from kotp2p.seams.commands import LeaveTable, MovePlayer, RemovePlayer, StartGame
from kotp2p.seams.cores import SEATS_AT_ONCE, SEATS_PER_SECOND, clean_chat_line
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import (
    GuestIdentity,
    LobbyChanged,
    LobbyFault,
    LobbyRefused,
    NameChanged,
    Said,
)
from kotp2p.wire import frames
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import is_clean_text
from kotp2p.wire.genesis import Genesis
from kotp2p.wire.names import MONSTERS, clean_name, free_monster, free_name
from tests.support.lobby_room import Room
from tests.support.memory_tables import TestTable

pytestmark = pytest.mark.virtual_time


@pytest.mark.parametrize(
    ("wanted", "taken", "given"),
    [
        ("Ana", [], "Ana"),
        ("Ana", ["Ana"], "Ana 2"),
        ("ANA", ["Ana"], "ANA 2"),
        ("Ana", ["Ana", "Ana 2"], "Ana 3"),
        ("сар", ["cap"], "сар 2"),  # in Cyrillic
        ("42nd", ["42nd"], "42nd 2"),
        ("美" * 12, ["美" * 12], "美" * 11 + " 2"),
        ("1" * 23 + "x", ["1" * 23 + "x"], "Guest 2"),
        ("B0b", ["Bob"], "B0b 2"),
        ("A na", ["Ana"], "A na 2"),
        ("x" * 24, ["x" * 24], "x" * 22 + " 2"),
    ],
)
def test_a_name_like_another_gets_a_number(wanted: str, taken: list[str], given: str) -> None:
    assert free_name(wanted, taken) == given


def test_names_are_cleaned_before_anybody_sees_them() -> None:
    assert clean_name("  Ana\x1b[31m\n", "Player") == "Ana 31m"
    assert clean_name("\u202e\u200b", "Player") == "Player"
    assert clean_name("e\u0301", "Player") == "é"
    assert len(clean_name("x" * 100, "Player")) == 24


def test_a_monster_is_had_if_it_is_free_and_else_the_first_free_one() -> None:
    assert free_monster("cyber kitty", []) == "Cyber Kitty"
    assert free_monster("Cyber Kitty", ["Cyber Kitty"]) == MONSTERS[0]
    assert free_monster("", [MONSTERS[0]]) == MONSTERS[1]


def test_there_are_eight_monsters_in_every_rule_set() -> None:
    assert MONSTERS == (
        "Gigazaur", "The King", "Alienoid", "Meka Dragon", "Kraken", "Cyber Bunny", "Cyber Kitty",
        "Space Penguin",
    )  # fmt: skip
    assert all(free_monster(monster, []) == monster for monster in MONSTERS)


@pytest.mark.parametrize(
    "words", ["cafe\u0301 \u2764\ufe0f", "a\x1b]52;c;aGk=\x07b", "\ud800 x", "e\u200d\u0301"]
)
def test_what_is_said_can_be_received(words: str) -> None:
    assert clean_chat_line(words)
    assert is_clean_text(clean_chat_line(words))


def seats(notice: LobbyChanged) -> list[str | None]:
    return [s.name if s is not None else None for s in notice.seats]


def last_lobby(table: TestTable, n: int) -> LobbyChanged:
    notice = table.front(n).seen(LobbyChanged)[-1]
    assert isinstance(notice, LobbyChanged)
    return notice


async def test_everybody_sees_who_sits_where() -> None:
    table = TestTable(players=4, start_when_full=False)
    async with table.hosted() as nursery:
        nursery.start_soon(table.guest, 1, "ana")
        await trio.sleep(1)
        nursery.start_soon(table.guest, 2, "Rex")
        await trio.sleep(1)
        for n in range(3):
            assert seats(last_lobby(table, n)) == ["Ana", "ana 2", "Rex", None]
            assert last_lobby(table, n).you == n
        assert table.front(1).seen(NameChanged) == [NameChanged("ana", "ana 2")]
        assert not table.front(2).seen(NameChanged)
        control = table.front(0).control
        control(MovePlayer("rex", 2))
        control(MovePlayer("Nobody", 2))
        control(MovePlayer("Rex", 9))
        control(RemovePlayer("Ana"))
        await trio.sleep(1)
        assert seats(last_lobby(table, 1)) == ["Ana", "Rex", "ana 2", None]
        assert [x.why for x in table.front(0).seen(LobbyRefused)] == [
            LobbyFault.NO_SUCH_NAME, LobbyFault.NO_SUCH_SEAT, LobbyFault.NOT_YOURSELF,
        ]  # fmt: skip
        control(MovePlayer("3", 4))  # by the number of a seat, there and back
        control(MovePlayer("4", 3))
        control(MovePlayer("4", 2))  # nobody sits there
        control(RemovePlayer("4"))
        control(RemovePlayer("3"))
        await trio.sleep(1)
        nobody = LobbyRefused(LobbyFault.NO_SUCH_NAME, "4")
        assert table.front(0).seen(LobbyRefused)[3:] == [nobody, nobody]
        assert table.endings[1].kind is EndKind.REMOVED
        assert seats(last_lobby(table, 2)) == ["Ana", "Rex", None, None]
        control(LeaveTable())
    assert table.endings[0].kind is EndKind.LEFT
    assert table.endings[2].kind is EndKind.CLOSED


async def test_two_are_needed_and_a_late_or_surplus_guest_is_told_so() -> None:
    table = TestTable(players=2, start_when_full=False)
    async with table.hosted() as nursery:
        control = table.front(0).control
        control(StartGame())
        await trio.sleep(1)
        assert table.front(0).seen(LobbyRefused) == [LobbyRefused(LobbyFault.TOO_FEW)]
        nursery.start_soon(table.guest, 1)
        await trio.sleep(1)
        await table.guest(2)
        assert table.endings[2].kind is EndKind.FULL
        control(StartGame())
        await trio.sleep(0.2)
        await table.guest(3)
        assert table.endings[3].kind is EndKind.STARTED
    assert table.endings[0].kind is table.endings[1].kind is EndKind.FINISHED


async def test_the_same_key_takes_its_old_seat_back() -> None:
    table = TestTable(players=3, start_when_full=False)
    async with table.hosted(1) as nursery:
        disk = table.world_of(1).disk
        disk.locks.clear()  # type: ignore[attr-defined]  # the first process is gone, its link not
        nursery.start_soon(table.guest, 1)
        await trio.sleep(1)
        assert seats(last_lobby(table, 0)) == ["Ana", "Guest 1", None]
        nursery.start_soon(table.guest, 1)  # the lock is held: another player
        await trio.sleep(1)
        assert table.front(1).seen(GuestIdentity) == [GuestIdentity("default")]
        assert seats(last_lobby(table, 0)) == ["Ana", "Guest 1", "Guest 1 2"]
        table.front(0).control(LeaveTable())


# -- seats that a bot plays ---------------------------------------------------------------


def test_a_guest_for_whom_a_bot_answers_is_marked_in_the_lobby_and_in_the_game() -> None:
    room = Room.of(1, seats=3)
    guest = room._guest(2, one_game=False)
    guest.automatic = True
    room._sit_down(2, -LOBBY_SEEN_SECONDS, guest)
    shown = [notice for notice in room.notices if isinstance(notice, LobbyChanged)][-1]
    seats = [seat for seat in shown.seats if seat is not None]
    assert [seat.is_played_by_bot for seat in seats] == [False, False, True]
    assert [seat.ready for seat in seats] == [False, False, True]
    room.start(0.0)
    players = room.begun[2].genesis.players
    assert players == room.begun[0].genesis.players
    assert [(p.automatic, p.keeper) for p in players] == [(False, 0), (False, 1), (True, 2)]


def test_a_bot_of_the_host_has_no_key_and_no_row_and_is_marked() -> None:
    room = Room(seats=4)
    room.host.add_bot()
    room.join(1)
    room.host.add_bot()
    room.pump(0.0)
    shown = room.said(frames.Lobby)[-1].taken_seats
    kept = [seat for seat in shown if seat.is_kept]
    assert [(s.owner, s.key, s.automatic, s.fresh) for s in kept] == [(0, b"", True, b"")] * 2
    notice = [notice for notice in room.notices if isinstance(notice, LobbyChanged)][-1]
    seats = [seat for seat in notice.seats if seat is not None]
    assert [(seat.bot, seat.automatic, seat.ready) for seat in seats] == [
        (False, False, False), (True, False, True), (False, False, False), (True, False, True),
    ]  # fmt: skip
    room.see_lobby(0.0)
    room.start(2.0)
    genesis = room.begun[1].genesis
    host = room.host.signer.key
    assert [(p.automatic, p.keeper) for p in genesis.players] == [
        (False, 0), (True, 0), (False, 2), (True, 0),
    ]  # fmt: skip
    assert [p.key for p in genesis.players][1::2] == [host, host]
    assert len(genesis.rows) == 2
    assert genesis.seals.keys() == {0, 2}


def test_a_table_with_bots_alone_begins_without_anybody_else() -> None:
    room = Room(seats=3, start_when_full=True)
    room.host.add_bot()
    room.host.add_bot()
    room.tick(0.0)
    genesis = room.begun[0].genesis
    assert (genesis.keepers, genesis.charter.start) == ((0,), 1)
    assert Genesis.parse(genesis.body, genesis.signed.signature) == genesis


# -- commands of the host -----------------------------------------------------------------


def bots_and_refusals(room: Room) -> tuple[int, list[LobbyFault]]:
    """The bots that sit there, and why others do not."""
    effects = room.host.take_effects()
    notices = [e.notice for e in effects if isinstance(e, ShowNotice)]
    return (
        sum(guest.is_kept for guest in room.host.seating.seated_guests()),
        [n.why for n in notices if isinstance(n, LobbyRefused)],
    )


def test_a_bot_sits_down_on_each_free_seat_and_on_no_other() -> None:
    room = Room.of(1, seats=4)
    for _ in range(3):
        room.host.add_bot()
    assert bots_and_refusals(room) == (2, [LobbyFault.FULL])
    seated = room.host.seating.seated_guests()
    assert len({guest.monster for guest in seated}) == 4
    assert len({guest.name for guest in seated}) == 4


def test_bots_are_drawn_anew_for_each_table() -> None:
    tables = []
    for n in range(20):
        seating = Seating([None] * 4, chance=bytes([1, n]))
        for _ in range(4):
            seating.add_bot()
        tables.append([(guest.name, guest.monster) for guest in seating.seated_guests()])
    for seat in range(4):
        assert len({table[seat][0] for table in tables}) > 3
        assert len({table[seat][1] for table in tables}) > 3


def test_two_players_have_their_option_as_long_as_they_are_two() -> None:
    """A-114. Each of them has read of it before the start, and the charter says it."""
    room = Room(seats=4, energy_for_two=True)
    shown = []
    for link in (1, 2):
        room.join(link)
        shown.append(_options_shown(room))
    room.host.remove_player("Guest 2", 1.0)
    room.pump(1.0)
    shown.append(_options_shown(room))
    assert shown == [Options(two_player=True), Options(), Options(two_player=True)]
    room.see_lobby(1.0)
    room.start(10.0)
    assert room.begun[0].genesis.charter.options == Options(two_player=True)


def _options_shown(room: Room) -> Options:
    """The options that the host was shown last; each guest was shown the same."""
    lobbies = [frame for _link, frame in room.told if isinstance(frame, frames.Lobby)]
    notices = [notice for notice in room.notices if isinstance(notice, LobbyChanged)]
    assert lobbies[-1].options == notices[-1].options
    return notices[-1].options.options


# -- the pace of new guests ---------------------------------------------------------------


@pytest.mark.parametrize("again", ["10.0.0.9", "2001:db8::1"])
def test_the_guests_of_one_network_sit_down_at_a_pace(again: str) -> None:
    pace = SeatPace()
    assert [pace.may_sit(again, 0.0) for _ in range(SEATS_AT_ONCE + 1)].count(True) == SEATS_AT_ONCE
    assert pace.may_sit("10.0.1.9", 0.0)
    assert [pace.may_sit(again, 1 / SEATS_PER_SECOND) for _ in range(2)] == [True, False]


def test_players_on_the_machine_of_the_host_sit_down_as_they_come() -> None:
    pace = SeatPace()
    assert all(pace.may_sit("", 0.0) for _ in range(10 * SEATS_AT_ONCE))


# -- hosts that say nothing ---------------------------------------------------------------


def test_a_guest_leaves_a_host_that_has_said_nothing_for_too_long() -> None:
    room = Room()
    room.join(1, 0.0)
    room.deaf.add(1)
    late = frames.LINK_DEAD_SECONDS + frames.SEAT_KEPT_SECONDS
    for now, is_away, kind in (
        (frames.LINK_DEAD_SECONDS - 0.1, False, None),
        (frames.LINK_DEAD_SECONDS, True, None),
        (late - 0.1, True, None),
        (late, False, EndKind.LOST_HOST),
    ):
        room.guests[1].tick(now)
        room.pump(now)
        assert room.guests[1].is_away == is_away
        assert room.shut.get(1) is kind


def test_a_guest_pings_its_host_as_often_as_the_protocol_says() -> None:
    room = Room()
    room.join(1, 0.0)
    guest, times = room.guests[1], []
    for tenth in range(int(30 * frames.PING_SECONDS)):
        guest.tick(tenth / 10)
        sent = [e.frame for e in guest.take_effects() if isinstance(e, SendToLink)]
        times += [tenth / 10] * sent.count(frames.Ping())
        room.tick(tenth / 10)
    assert times == [0.0, frames.PING_SECONDS, 2 * frames.PING_SECONDS]


# -- chat ---------------------------------------------------------------------------------


@pytest.mark.parametrize("words", ["", "   ", "\x1b\u202e\n"])
def test_a_line_of_which_nothing_is_left_is_not_said(words: str) -> None:
    room = Room.of(1)
    room.pump(1.0)
    room.guests[1].send_chat(words)
    sent = [e.frame for e in room.guests[1].take_effects() if isinstance(e, SendToLink)]
    assert not [frame for frame in sent if isinstance(frame, frames.LobbyChat)]
    room.host.send_chat(words)
    room.pump(2.0)
    assert not [notice for notice in room.notices if isinstance(notice, Said)]


def test_before_a_lobby_is_shown_nobody_is_there_to_hear_a_line() -> None:
    assert LobbyTalk(Signer(bytes(32))).write_line("hello") is None
