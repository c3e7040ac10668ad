"""Who sits where, how they are called, and how a table is closed."""

import pytest
import trio

from kotp2p.lobby.monsters import MONSTERS, free_monster
from kotp2p.seams.cores import clean_chat_line
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import GuestIdentity, LobbyChanged, LobbyFault, LobbyRefused, NameChanged
from kotp2p.wire.encoding import is_clean_text
from kotp2p.wire.names import clean_name, free_name
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
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.host)
        await trio.sleep(1)
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
        control.move("rex", 2)
        control.move("Nobody", 2)
        control.move("Rex", 9)
        control.remove("Ana")
        await trio.sleep(1)
        assert seats(last_lobby(table, 1)) == ["Ana", "Rex", "ana 2", None]
        assert [x.why for x in table.front(0).seen(LobbyRefused)] == [
            LobbyFault.NO_SUCH_NAME, LobbyFault.NO_SUCH_SEAT, LobbyFault.NOT_YOURSELF,
        ]  # fmt: skip
        control.move("3", 4)  # by the number of a seat, there and back
        control.move("4", 3)
        control.move("4", 2)  # nobody sits there
        control.remove("3")
        await trio.sleep(1)
        assert table.front(0).seen(LobbyRefused)[3:] == [LobbyRefused(LobbyFault.NO_SUCH_NAME, "4")]
        assert table.endings[1].kind is EndKind.REMOVED
        assert seats(last_lobby(table, 2)) == ["Ana", "Rex", None, None]
        control.leave()
    assert table.endings[0].kind is EndKind.LEFT
    assert table.endings[2].kind is EndKind.CLOSED


async def test_two_are_needed_and_a_late_or_surplus_guest_is_told_so() -> None:
    table = TestTable(players=2, start_when_full=False)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.host)
        await trio.sleep(1)
        control = table.front(0).control
        control.start()
        await trio.sleep(1)
        assert table.front(0).seen(LobbyRefused) == [LobbyRefused(LobbyFault.TOO_FEW)]
        nursery.start_soon(table.guest, 1)
        await trio.sleep(1)
        await table.guest(2)
        assert table.endings[2].kind is EndKind.FULL
        control.start()
        await trio.sleep(0.2)
        await table.guest(3)
        assert table.endings[3].kind is EndKind.STARTED
    assert table.endings[0].kind is table.endings[1].kind is EndKind.FINISHED


async def test_a_guest_that_leaves_or_dies_frees_the_seat() -> None:
    table = TestTable(players=3, start_when_full=False)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.host)
        for n in (1, 2):
            await trio.sleep(1)
            nursery.start_soon(table.guest, n)
        await trio.sleep(1)
        guest = table.front(1).control
        assert guest is not None
        guest.leave()
        await trio.sleep(0.1)
        assert seats(last_lobby(table, 0)) == ["Ana", None, "Guest 2"]
        table.kill(2)
        await trio.sleep(12.5)
        assert seats(last_lobby(table, 0)) == ["Ana", None, "Guest 2"], "it is kept for a while"
        await trio.sleep(120)
        assert seats(last_lobby(table, 0)) == ["Ana", None, None]
        host = table.front(0).control
        assert host is not None
        host.leave()
    assert table.endings[1].kind is EndKind.LEFT


async def test_the_same_key_takes_its_old_seat_back() -> None:
    table = TestTable(players=3, start_when_full=False)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.host)
        await trio.sleep(1)
        nursery.start_soon(table.guest, 1)
        await trio.sleep(1)
        disk = table.world_of(1).disk
        disk.locks.clear()  # type: ignore[attr-defined]  # the first process is gone, its link not
        nursery.start_soon(table.guest, 1)
        await trio.sleep(1)
        assert seats(last_lobby(table, 0)) == ["Ana", "Guest 1", None]
        nursery.start_soon(table.guest, 1)  # the lock is held: another player
        await trio.sleep(1)
        assert table.front(1).seen(GuestIdentity) == [GuestIdentity("default")]
        assert seats(last_lobby(table, 0)) == ["Ana", "Guest 1", "Guest 1 2"]
        host = table.front(0).control
        assert host is not None
        host.leave()


async def test_a_key_for_one_game_keeps_a_name_that_nobody_else_has() -> None:
    table = TestTable(players=3, start_when_full=False)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.host)
        await trio.sleep(1)
        world = table.world_of(1)
        assert world.disk.lock(world.data / "profiles" / world.profile / "lock")
        nursery.start_soon(table.guest, 1)
        await trio.sleep(1)
        assert table.front(1).seen(GuestIdentity) == [GuestIdentity("default")]
        assert seats(last_lobby(table, 0)) == ["Ana", "Guest 1", None]
        host = table.front(0).control
        assert host is not None
        host.leave()


async def test_a_host_that_dies_is_missed_by_its_guests() -> None:
    table = TestTable(players=3, start_when_full=False)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.host)
        await trio.sleep(1)
        nursery.start_soon(table.guest, 1)
        await trio.sleep(1)
        table.kill(0)
    assert table.endings[1].kind is EndKind.LOST_HOST
