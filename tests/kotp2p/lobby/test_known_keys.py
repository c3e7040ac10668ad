"""Known keys: who is remembered, who is asked about, and what waits for the answer."""

import contextlib
import math
from dataclasses import replace

import pytest
import trio

from kotp2p.lobby import known_keys
from kotp2p.lobby.seating import MAX_QUESTIONS_KEPT, KeyQuestions
from kotp2p.seams import notices
from kotp2p.seams.commands import AcceptKey, KeepSeat, LeaveTable
from kotp2p.seams.cores import NOTICES_AT_ONCE, NOTICES_PER_SECOND
from kotp2p.seams.endings import EndKind
from kotp2p.store.saved_game import known_keys_path
from kotp2p.wire.encoding import BadBytes, pack
from kotp2p.wire.frames import Start, Unsure
from tests.support.five_players import genesis
from tests.support.lobby_room import Room
from tests.support.memory_tables import TestTable
from tests.support.memory_world import memory_disk

pytestmark = pytest.mark.virtual_time

OLD, NEW = b"o" * 32, b"n" * 32


def knowing(policy: known_keys.NewKeyPolicy, *names: str) -> known_keys.KnownKeys:
    known = known_keys.KnownKeys()
    let_know(known, policy, *names)
    return known


def let_know(known: known_keys.KnownKeys, policy: known_keys.NewKeyPolicy, *names: str) -> None:
    known.policy = policy
    known.remember((name, OLD) for name in names)


def test_a_known_name_with_another_key_is_noticed_until_it_is_accepted() -> None:
    known = knowing(known_keys.NewKeyPolicy.ASK, "Rex")
    assert known.known_other_key("Rex", OLD) is None
    assert known.known_other_key("Mia", NEW) is None
    assert known.known_other_key("Rex", NEW) == OLD
    assert known.known_other_key("REX", NEW) == OLD  # a look-alike is no other name
    known.accept_key("Rex", NEW)
    assert known.known_other_key("Rex", NEW) is None
    assert known.known_other_key("Rex", b"x" * 32) == OLD


def test_the_key_met_last_counts() -> None:
    known = knowing(known_keys.NewKeyPolicy.ASK, "Rex")
    known.remember([("Rex", NEW)])
    assert known.known_other_key("Rex", NEW) is None
    assert known.known_other_key("Rex", OLD) == NEW


def test_strangers_are_named_from_the_number_on_at_which_they_can_put_somebody_out() -> None:
    """Two of three suffice, and five players may become three."""
    players, known = genesis().players, known_keys.KnownKeys()
    own = players[0].key
    assert known.find_strangers(players, own) == (1, 2, 3, 4)
    known.remember([(players[n].name, players[n].key) for n in (1, 4)])
    assert known.find_strangers(players, own) == (2, 3)
    known.remember([(players[2].name, players[2].key)])
    assert known.find_strangers(players, own) == ()
    assert known_keys.KnownKeys().find_strangers(players[:2], own) == ()


def test_bots_are_no_strangers() -> None:
    players = genesis().players
    bots = [replace(p, automatic=True, keeper=0, key=players[0].key) for p in players[1:4]]
    found = known_keys.KnownKeys().find_strangers([players[0], *bots, players[4]], players[0].key)
    assert found == ()


def test_a_player_that_accepts_all_keys_is_not_asked() -> None:
    assert knowing(known_keys.NewKeyPolicy.ACCEPT, "Rex").known_other_key("Rex", NEW) is None


def test_the_file_brings_them_back_and_stays_small() -> None:
    known = known_keys.KnownKeys()
    known.remember((f"{'ö' * 20}{n}", OLD) for n in range(known_keys.MAX_KNOWN_KEYS + 5))
    again = known_keys.KnownKeys()
    again.decode(known.encode())
    assert again.known_other_key(f"{'ö' * 20}{known_keys.MAX_KNOWN_KEYS}", NEW) == OLD
    assert again.known_other_key(f"{'ö' * 20}4", NEW) is None  # forgotten
    for bad in (b"", b"\xc0", b"\x91\x92\xa1x\xc4\x01x", known.encode()[:-1]):
        with pytest.raises(BadBytes):
            known_keys.KnownKeys().decode(bad)


def test_the_day_of_the_first_meeting_stays_with_the_key() -> None:
    known = known_keys.KnownKeys()
    known.remember([("Rex", OLD), ("Mia", OLD)], "2026-10-02")
    known.remember([("Rex", OLD), ("Mia", NEW)], "2026-11-05")
    people = [(one.name, one.since) for one in known.people()]
    assert people == [("Rex", "2026-10-02"), ("Mia", "2026-11-05")]
    again = known_keys.KnownKeys()
    again.decode(known.encode())
    assert again.people() == known.people()


def test_a_file_of_another_form_or_with_no_days_is_refused() -> None:
    with pytest.raises(BadBytes, match="another version"):
        known_keys.KnownKeys().decode(pack((3, ())))
    for day in ("2026-1-1", "yesterday", "2026-10-02 "):
        with pytest.raises(BadBytes):
            known_keys.KnownKeys().decode(pack((2, (("Rex", OLD, day),))))


def test_a_person_is_found_by_any_look_of_the_name_and_forgotten() -> None:
    known = knowing(known_keys.NewKeyPolicy.ASK, "Rex", "Mia")
    person = known.find("REX")
    assert person is not None
    known.forget(person)
    assert known.find("Rex") is None
    assert known.known_other_key("Rex", NEW) is None
    assert known.known_other_key("Mia", NEW) == OLD


def test_what_another_machine_knows_changes_nothing_that_is_known_here() -> None:
    known = knowing(known_keys.NewKeyPolicy.ASK, "Rex")
    there = (("rex", NEW), ("Otto", OLD), ("Mia", b"m" * 32))
    known.add([known_keys.KnownPerson(name, key) for name, key in there])
    assert [one.name for one in known.people()] == ["Rex", "Mia"]
    assert known.known_other_key("Rex", NEW) == OLD


def test_of_too_many_questions_the_oldest_is_forgotten() -> None:
    questions = KeyQuestions()
    keys = (number.to_bytes(32, "big") for number in range(MAX_QUESTIONS_KEPT + 1))
    changes = [notices.KeyChanged("Rex", OLD, key, False) for key in keys]
    for change in changes:
        assert questions.ask_now(change, 0.0) == [change]
    assert questions.ask_now(changes[-1], 0.0) == []
    assert questions.ask_now(changes[0], 0.0) == [changes[0]]


def test_questions_beyond_the_pace_wait_and_those_shown_wake_nobody() -> None:
    questions, due = KeyQuestions(), 1 / NOTICES_PER_SECOND
    keys = (number.to_bytes(32, "big") for number in range(NOTICES_AT_ONCE + 1))
    changes = [notices.KeyChanged("Rex", OLD, key, False) for key in keys]
    assert questions.choose(changes, 0.0) == changes[:-1]
    assert questions.due == due
    assert questions.choose(changes, due) == changes[-1:]
    assert questions.due == math.inf


# -- in the lobby --------------------------------------------------------------------------


def refusals(room: Room) -> list[notices.LobbyRefused]:
    return [n for n in room.notices if isinstance(n, notices.LobbyRefused)]


def changed(room: Room) -> list[notices.KeyChanged]:
    return [n for n in room.notices if isinstance(n, notices.KeyChanged)]


def test_a_host_does_not_start_before_a_changed_key_is_accepted() -> None:
    room = Room()
    let_know(room.host.known_keys, known_keys.NewKeyPolicy.ASK, "Guest 1")
    room.join(1)
    (notice,) = changed(room)
    assert (notice.name, notice.known, notice.refused) == ("Guest 1", OLD, False)
    room.start(1.0)
    assert not room.begun
    assert refusals(room) == [notices.LobbyRefused(notices.LobbyFault.NEW_KEY, "Guest 1")]
    room.host.accept_key("Guest 2", 2.0)
    room.host.accept_key("guest 1", 2.0)
    room.start(2.0)
    assert set(room.begun) == {0, 1}


def test_a_table_that_starts_by_itself_waits_too() -> None:
    room = Room(seats=2, start_when_full=True)
    let_know(room.host.known_keys, known_keys.NewKeyPolicy.ASK, "Guest 1")
    room.join(1)
    room.tick(1.0)
    assert not room.begun
    room.host.accept_key("Guest 1", 2.0)
    room.tick(2.0)
    assert set(room.begun) == {0, 1}


@pytest.mark.parametrize("one_game", [False, True])
def test_a_host_that_nobody_can_ask_turns_guests_away_and_keeps_the_table(one_game: bool) -> None:
    """Also one whose key is for one game."""
    room = Room()
    let_know(room.host.known_keys, known_keys.NewKeyPolicy.REFUSE, "Guest 1")
    room.join(1, one_game=one_game)
    room.join(2)
    assert room.shut == {1: EndKind.REMOVED}
    assert changed(room)[0].refused
    room.start(1.0)
    assert set(room.begun) == {0, 2}


@pytest.mark.parametrize("name", ["Ana", "Guest 2"])
def test_a_guest_takes_no_part_in_the_start_before_accepting(name: str) -> None:
    """Whoever it is: the host, or another guest."""
    room = Room.of(1)
    let_know(room.guests[1].known_keys, known_keys.NewKeyPolicy.ASK, name)
    room.join(2)
    room.start(1.0)
    assert not room.begun
    assert not room.said(Start)
    assert refusals(room) == [notices.LobbyRefused(notices.LobbyFault.UNSURE, "Guest 1", name)]
    room.guests[1].accept_key(name, 2.0)
    room.pump(2.0)
    room.start(2.0)
    assert set(room.begun) == {0, 1, 2}


def test_a_guest_that_goes_or_comes_anew_holds_up_nobody() -> None:
    room = Room.of(1, 2)
    for link in (1, 2):  # of whom the second one means himself, and nobody
        room.host.receive_frame(link, Unsure((room.guests[2].signer.key, bytes(32))), 1.0)
    room.host.start_game(1.0)
    assert not room.said(Start)
    room.host.accept_link(7, room.guests[1].signer.key, "10.0.0.9", 2.0)  # a new process
    room.guests[7] = room.guests.pop(1)
    room.start(2.0)
    assert set(room.begun) == {0, 2, 7}


@pytest.mark.parametrize("one_game", [False, True])
def test_a_guest_that_nobody_can_ask_goes(one_game: bool) -> None:
    room = Room.of(1)
    let_know(room.guests[1].known_keys, known_keys.NewKeyPolicy.REFUSE, "Guest 2")
    room.join(2, one_game=one_game)
    assert room.shut == {1: EndKind.NEW_KEY}
    left = [None if seat is None else seat.name for seat in room.host.seating.as_seats()]
    assert left == ["Ana", None, "Guest 2", None], "it has given its seat back"


def test_keys_of_one_game_are_not_remembered() -> None:
    room = Room.of(2)
    room.join(1, one_game=True)
    room.start(1.0)
    assert set(room.begun) == {0, 1, 2}
    players = room.begun[0].genesis.players
    assert known_keys.people_to_remember(players, room.host.signer.key) == [
        ("Guest 2", room.guests[2].signer.key)
    ]
    assert known_keys.people_to_remember(players, room.guests[2].signer.key) == [
        ("Ana", room.host.signer.key)
    ]


def test_a_host_cannot_pass_another_key_by_in_the_start() -> None:
    """A start is the lobby that was shown, or it is declined."""
    room = Room.of(1)
    let_know(room.guests[1].known_keys, known_keys.NewKeyPolicy.ASK, "Rex")
    room.join(2)
    room.host.seating.guests[2].name = "Rex"
    room.start(1.0)
    assert not room.begun
    assert room.told_to[1][0] == notices.StartDeclined("")


# -- at a whole table ----------------------------------------------------------------------


async def test_people_are_remembered_and_bots_are_not() -> None:
    table = TestTable(players=3, bots=1)
    await table.run()
    for n in (0, 1):
        world = table.world_of(n)
        known = known_keys.KnownKeys()
        data = world.disk.read(known_keys_path(world))
        assert data is not None
        known.decode(data)
        others = {"Ana", "Guest 1", "Otto"}
        met = {name for name in others if known.known_other_key(name, NEW) is not None}
        assert met == ({"Guest 1"} if n == 0 else {"Ana"})
        assert {one.since for one in known.people()} == {world.today()}


@pytest.mark.parametrize("ending", ["leave", "keep"])
async def test_nobody_is_remembered_before_the_phrase_could_be_compared(ending: str) -> None:
    """Somebody who sits between two friends at an open table would be remembered as the friend."""
    table = TestTable(players=2)

    async def end_early() -> None:
        while not table.front(1).seen(notices.GameStarted):
            await trio.sleep(0.05)
        control = table.front(1).control
        control(LeaveTable()) if ending == "leave" else control(KeepSeat())
        await trio.sleep(5)
        table.scopes[0].cancel()

    with contextlib.suppress(KeyError):
        await table.run(end_early)
    for n in (0, 1):
        world = table.world_of(n)
        assert world.disk.read(known_keys_path(world)) is None


async def test_at_a_table_by_invitation_players_are_remembered_at_once() -> None:
    table = TestTable(players=2, secret=b"0123456789")

    async def look() -> None:
        await table.asked(1, 2)
        for n in (0, 1):
            world = table.world_of(n)
            assert world.disk.read(known_keys_path(world)) is not None

    await table.run(look)


@pytest.mark.parametrize("wanted", ["ana", "1"])
async def test_a_changed_key_is_told_at_a_whole_table_and_can_be_accepted(wanted: str) -> None:
    table = TestTable(players=2)
    world = table.world_of(1)
    memory_disk(world).files[known_keys_path(world)] = knowing(
        known_keys.NewKeyPolicy.ASK, "Ana"
    ).encode()

    async def accept() -> None:
        await trio.sleep(5)
        guest = table.front(1)
        assert guest.seen(notices.KeyChanged)
        assert not guest.seen(notices.GameStarted)
        guest.control(AcceptKey(wanted))

    await table.run(accept)
    assert [e.kind for e in table.endings.values()] == [EndKind.FINISHED] * 2


async def test_a_damaged_file_is_named() -> None:
    table = TestTable(players=2)
    world = table.world_of(0)
    memory_disk(world).files[known_keys_path(world)] = b"damaged"
    await table.host()
    assert table.endings[0].kind is EndKind.FILES
    assert "known" in table.endings[0].detail
