"""A guest asks, comes and goes without end: nobody else's link is filled, and the lobby goes on."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from kotp2p.lobby.agreement import LOBBY_SEEN_SECONDS
from kotp2p.lobby.guest import GuestLobby
from kotp2p.lobby.host import ANSWER_PAUSE_SECONDS, LOBBIES_AT_ONCE, LOBBIES_PER_SECOND
from kotp2p.lobby.known_keys import KnownKeys, NewKeyPolicy
from kotp2p.lobby.lobby_chat import MAX_LOBBIES_KEPT, LobbyLine
from kotp2p.lobby.lobby_effects import SendToLink
from kotp2p.seams import cores, notices
from kotp2p.wire import frames
from kotp2p.wire.crypto import Signer, Tag
from kotp2p.wire.encoding import pack
from kotp2p.wire.genesis import MAX_SEATS, Clocks, LobbyOptions
from tests.support.lobby_room import KIM, MALLORY, REX, Room, room_of_three
from tests.support.lying_host import LyingRoom, with_seats
from tests.support.memory_world import seeded

FRESH = bytes(16)


def comes_and_goes(room: Room, times: int, now: float) -> None:
    """Mallory stands up and sits down by a new link each time."""
    for turn in range(times):
        link = MALLORY + 1 + turn
        room.host.accept_link(link, bytes([turn % 250]) * 31 + b"\1", "10.0.0.9", now)
        room.host.receive_frame(link, frames.Sit("Mallory", "", 0, False, FRESH), now)
        room.host.receive_frame(link, frames.Stand(), now)
    room.pump(now)


def test_a_guest_that_asks_for_its_seat_again_is_answered_alone_and_seldom() -> None:
    """17,000 such frames once threw all honest guests out."""
    room, asks = room_of_three(), frames.Sit("Mallory", "", 0, False, FRESH)
    for _ in range(17_000):
        room.host.receive_frame(MALLORY, asks, 0.0)
    room.pump(0.0)
    assert [to for to, _ in room.told] == [MALLORY]
    room.host.receive_frame(MALLORY, asks, ANSWER_PAUSE_SECONDS - 0.01)
    room.pump(ANSWER_PAUSE_SECONDS)
    assert len(room.told) == 1
    room.host.receive_frame(MALLORY, asks, ANSWER_PAUSE_SECONDS)
    room.pump(ANSWER_PAUSE_SECONDS)
    assert len(room.told) == 2


def test_a_guest_that_asks_for_its_seat_again_reads_no_change_before_the_others() -> None:
    room = room_of_three()
    for count in range(LOBBIES_AT_ONCE + 1):
        room.host.choices.change_name(f"Ana {count}", 0.0)
    room.pump(0.0)
    room.told.clear()
    room.host.receive_frame(REX, frames.Sit("Guest 1", "", 0, False, FRESH), 0.0)
    room.pump(0.0)
    assert not room.told
    room.tick(1 / LOBBIES_PER_SECOND)
    assert {link for link, frame in room.told if isinstance(frame, frames.Lobby)} == {
        REX, KIM, MALLORY,
    }  # fmt: skip


def test_guests_that_go_delay_a_start_once_each_and_nobody_else_sits_down_meanwhile() -> None:
    """A start waits until its players could have seen the lobby, which each of these changes."""
    room, now = Room(seats=6), 0.0
    for link in range(1, 6):
        room.join(link, now)
    room.host.start_game(now)
    for link in (3, 4, 5):
        now += LOBBY_SEEN_SECONDS - 0.1  # just before the start would be followed
        for guest in room.guests.values():
            guest.tick(now)
        room.pump(now)
        room.host.receive_frame(link, frames.Stand(), now)
        del room.guests[link]
        for again in range(10):
            new = 100 * link + again
            key = Signer(bytes([100 + again]) * 32).key
            room.host.accept_link(new, key, f"10.0.{again}.9", now)
            room.host.receive_frame(new, frames.Sit("Mallory", "", 0, False, FRESH), now)
        room.pump(now)
        assert room.begun == {}
    room.see_lobby(now)
    assert set(room.begun) == {0, 1, 2}
    assert now + LOBBY_SEEN_SECONDS <= 4 * LOBBY_SEEN_SECONDS


def test_changes_without_end_are_told_as_the_newest_lobby() -> None:
    room, now = room_of_three(), 5.0
    comes_and_goes(room, 1_000, now)
    assert len(room.lobbies_of(REX)) == len(room.lobbies_of(KIM)) == LOBBIES_AT_ONCE
    assert sum(isinstance(n, notices.LobbyChanged) for n in room.notices) == LOBBIES_AT_ONCE
    assert room.host.deadline <= now + 1 / LOBBIES_PER_SECOND
    for later, more in ((0.0, 0), (0.99, 0), (1 / LOBBIES_PER_SECOND, 1)):
        room.tick(now + later)
        assert len(room.lobbies_of(REX)) == LOBBIES_AT_ONCE + more
    names = [seat.name for seat in room.lobbies_of(REX)[-1].taken_seats]
    assert names == ["Ana", "Guest 1", "Guest 2", "Guest 3"]


def test_a_start_is_exactly_the_lobby_that_was_told_last_whatever_waits() -> None:
    room = room_of_three()
    comes_and_goes(room, 2 * LOBBIES_AT_ONCE, 0.0)
    room.host.receive_frame(MALLORY, frames.Stand(), 0.0)  # it waits: too much was told already
    assert "Guest 3" in [seat.name for seat in room.lobbies_of(REX)[-1].taken_seats]
    room.start(0.0)
    assert "Guest 3" not in [seat.name for seat in room.lobbies_of(REX)[-1].taken_seats]
    room.see_lobby(LOBBY_SEEN_SECONDS)
    assert set(room.begun) >= {0, REX, KIM}


# -- lobby chat ------------------------------------------------------------------------------------

# Chat in the lobby: a host passes on what guests have signed, and nothing in their names.


HOST, STRANGER = Signer(bytes([1]) * 32), Signer(bytes([99]) * 32)
WORDS = "I am a fool"


def heard_by(room: LyingRoom, link: int) -> list[notices.Said]:
    return [n for n in room.told_to.get(link, []) if isinstance(n, notices.Said)]


def tell(room: LyingRoom, *lines: frames.LobbyChat, now: float = 1.0) -> list[notices.Said]:
    for line in lines:
        room.guests[1].receive_frame(line, now)
    room.pump(now)
    return heard_by(room, 1)


def test_a_line_goes_from_its_author_to_all_others() -> None:
    """Under the name that all read, before its author too."""
    room = LyingRoom.of(1, 2)
    room.guests[2].choices.change_name("Otto")
    room.pump(1.0)
    room.guests[2].send_chat("  hello ")
    room.pump(1.0)
    assert heard_by(room, 1) == [notices.Said("Otto", "hello", False)]
    assert heard_by(room, 2) == [notices.Said("Otto", "hello", True)]
    assert notices.Said("Otto", "hello", False) in room.notices
    room.host.send_chat("welcome")
    room.pump(1.0)
    welcome = notices.Said("Ana", "welcome", False)
    assert [heard_by(room, link)[-1] for link in (1, 2)] == [welcome] * 2


def line_by(signer: Signer, author: bytes, lobby: bytes, words: str = WORDS) -> frames.LobbyChat:
    return LobbyLine(lobby, author, 1, words).sign(signer)


Forgery = Callable[[LyingRoom], frames.LobbyChat]
FORGERIES: dict[str, Forgery] = {
    "signed by the host": lambda room: line_by(HOST, key_of(2), lobby_of(room)),
    "signed by nobody": lambda room: replace(room.line_of(2, WORDS), signature=bytes(64)),
    "of another lobby": lambda room: line_by(signer_of(2), key_of(2), bytes(32)),
    "of a player that is not here": lambda room: line_by(STRANGER, STRANGER.key, lobby_of(room)),
    "of the reader": lambda room: room.line_of(1, WORDS),
    "with other words": lambda room: reworded(room.line_of(2, "I am no fool")),
    "without a form": lambda room: frames.LobbyChat(b"\xc0", bytes(64)),
    "with a word too many": lambda room: frames.LobbyChat(
        body := pack((lobby_of(room), key_of(2), 1, WORDS, 0)), signer_of(2).sign(Tag.SAID, body)
    ),
}


def signer_of(link: int) -> Signer:
    return Signer(bytes([10 + link]) * 32)


def key_of(link: int) -> bytes:
    return signer_of(link).key


def lobby_of(room: LyingRoom) -> bytes:
    return room.said(frames.Lobby)[-1].id


def reworded(line: frames.LobbyChat) -> frames.LobbyChat:
    said = LobbyLine.parse(line.body)
    return frames.LobbyChat(pack((said.lobby, said.author, said.serial, WORDS)), line.signature)


@pytest.mark.parametrize("name", FORGERIES)
def test_a_host_puts_no_words_into_the_mouth_of_a_guest(name: str) -> None:
    room = LyingRoom.of(1, 2)
    assert tell(room, FORGERIES[name](room)) == []
    assert not room.shut, "a line is passed over, as a host may pass on what it cannot judge"


def test_a_line_is_heard_once_however_often_the_host_sends_it() -> None:
    room = LyingRoom.of(1, 2)
    first, second = room.line_of(2, "first"), room.line_of(2, "second")
    heard = tell(room, first, first, second, first, second)
    assert [said.text for said in heard] == ["first", "second"]


def test_a_line_of_an_earlier_evening_is_not_heard_again() -> None:
    """The same people at the same seats of the same host, and other bytes of each process."""
    before = LyingRoom.of(1, 2)
    line = before.line_of(2, "I agree to a bet")
    today = LyingRoom.of(1, 2)
    today.guests.pop(1)
    today.host.lose_link(1, 0.0)
    today.entropy_of[1] = seeded("guest 1, another evening")
    today.join(1)
    seats = [room.said(frames.Lobby)[-1].taken_seats for room in (before, today)]
    assert [seat.name for seat in seats[0]] == [seat.name for seat in seats[1]]
    assert tell(today, line) == []


def test_a_line_that_crosses_a_change_of_the_lobby_is_heard() -> None:
    room = LyingRoom.of(1, 2)
    line = room.line_of(2, "who comes there?")
    room.join(3)
    room.host.receive_frame(2, line, 1.0)
    room.pump(1.0)
    assert [said.text for said in heard_by(room, 1)] == ["who comes there?"]
    assert heard_by(room, 3) == [], "it was said before guest 3 was there"


def test_a_line_of_a_player_that_has_gone_is_not_heard() -> None:
    room = LyingRoom.of(1, 2)
    line = room.line_of(2, "good bye")
    room.host.receive_frame(2, frames.Stand(), 1.0)
    room.pump(1.0)
    assert tell(room, line) == []


def test_few_lobbies_of_before_are_kept() -> None:
    room = LyingRoom.of(1, 2)
    lobby = room.said(frames.Lobby)[-1]
    old, older = room.line_of(2, "old"), room.line_of(2, "older")
    for n in range(MAX_LOBBIES_KEPT):
        if n == MAX_LOBBIES_KEPT - 1:
            assert len(tell(room, old)) == 1
        changed = replace(lobby, options=LobbyOptions(clocks=Clocks(1 + n)))
        room.guests[1].receive_frame(changed, 1.0)
    assert len(tell(room, older)) == 1


def test_a_guest_hears_few_lines_of_a_host_that_floods() -> None:
    room = LyingRoom.of(1, 2)
    lines = [LobbyLine(lobby_of(room), HOST.key, n, "!").sign(HOST) for n in range(1, 100)]
    assert len(tell(room, *lines)) == cores.MAX_CHAT_LINES
    later = LobbyLine(lobby_of(room), HOST.key, 100, "again").sign(HOST)
    assert tell(room, later, now=1.0 + cores.CHAT_WINDOW_SECONDS)[-1].text == "again"


def with_made_up_players() -> LyingRoom:
    """A hundred have said a line, one after another in the same seat."""
    room = LyingRoom.of(1)
    lobby = room.said(frames.Lobby)[-1]
    for n in range(100, 200):
        invented = Signer(bytes([n]) * 32)
        seat = frames.TakenSeat(invented.key, f"Somebody {n}", "Kraken", fresh=bytes(16))
        told = replace(lobby, seats=(*lobby.seats[:2], seat, None))
        room.guests[1].receive_frame(told, 1.0)
        tell(room, line_by(invented, invented.key, told.id))
    return room


def test_a_guest_hears_few_lines_of_players_that_a_host_makes_up() -> None:
    assert len(heard_by(with_made_up_players(), 1)) == MAX_SEATS * cores.MAX_CHAT_LINES


def test_of_the_chat_of_players_that_have_gone_little_is_kept() -> None:
    talk = with_made_up_players().guests[1]._talk
    assert len(talk._author_rates) == 1
    assert len(talk._heard) <= MAX_LOBBIES_KEPT


def test_a_forged_line_costs_its_alleged_author_no_line() -> None:
    room = LyingRoom.of(1, 2)
    forged = [LobbyLine(lobby_of(room), key_of(2), n, "!").sign(STRANGER) for n in range(50, 70)]
    assert [said.text for said in tell(room, *forged, room.line_of(2, "true"))] == ["true"]


# -- key floods ------------------------------------------------------------------------------------

# Somebody comes under a known name with another key each time: the player is told now and then.


OLD, SECONDS = bytes([99]) * 32, 100
MOST = cores.NOTICES_AT_ONCE + SECONDS * cores.NOTICES_PER_SECOND


def key(number: int) -> bytes:
    return Signer((1_000 + number).to_bytes(32, "big")).key


def told(shown: list[object]) -> list[bytes]:
    return [notice.new for notice in shown if isinstance(notice, notices.KeyChanged)]


def remember(known: KnownKeys, policy: NewKeyPolicy, name: str) -> None:
    known.policy = policy
    known.remember([(name, OLD)])


def comes(room: Room, number: int, now: float) -> int:
    room.host.accept_link(100 + number, key(number), f"10.{number // 250}.{number % 250}.1", now)
    room.host.receive_frame(100 + number, frames.Sit("Rex", "", 0, False, bytes(16)), now)
    room.pump(now)
    return 100 + number


@pytest.mark.parametrize("policy", [NewKeyPolicy.ASK, NewKeyPolicy.REFUSE])
def test_a_host_is_told_now_and_then_of_new_keys_that_come_without_end(
    policy: NewKeyPolicy,
) -> None:
    room = Room()
    remember(room.host.known_keys, policy, "Rex")
    for tenth in range(10 * SECONDS):
        now = tenth / 10
        link = comes(room, tenth, now)
        room.host.tick(now)
        room.host.receive_frame(link, frames.Stand(), now)
        room.pump(now)
    assert MOST - 1 <= len(told(room.notices)) <= MOST


def lying_room() -> tuple[LyingRoom, Callable[[int, float], None]]:
    """A host that tells Guest 1 another key of Guest 2 each time."""
    room = LyingRoom.of(1)
    remember(room.guests[1].known_keys, NewKeyPolicy.ASK, "Guest 2")
    room.join(2)
    room.told_to.clear()

    def tells_key(number: int, now: float) -> None:
        def swapped(lobby: frames.Lobby) -> frames.Lobby:
            return with_seats(
                lobby,
                lambda seat: replace(seat, owner=key(number)) if seat.name == "Guest 2" else seat,
            )

        room.lobby_lies[1] = swapped
        room.host._board.note_time(now)
        room.host.publish_seats()
        room.pump(now)

    return room, tells_key


def test_a_guest_is_told_now_and_then_of_new_keys_that_come_without_end() -> None:
    room, tells_key = lying_room()
    for second in range(SECONDS):
        tells_key(second, float(second))
        room.guests[1].tick(float(second))
        room.pump(float(second))
    assert MOST - 3 <= len(told(room.told_to[1])) <= MOST


def room_of_newest_key() -> tuple[Room, int]:
    """One key of Rex more than the host is told of at once; the link of the newest."""
    room, link = Room(), 0
    remember(room.host.known_keys, NewKeyPolicy.ASK, "Rex")
    for number in range(cores.NOTICES_AT_ONCE + 1):
        if link:
            room.host.receive_frame(link, frames.Stand(), 0.0)
        link = comes(room, number, 0.0)
    return room, link


def test_a_key_that_came_too_soon_is_told_later() -> None:
    room, link = room_of_newest_key()
    assert len(told(room.notices)) == cores.NOTICES_AT_ONCE
    due = 1 / cores.NOTICES_PER_SECOND
    room.host.receive_frame(link, frames.Ping(), due / 2)
    room.host.tick(due - 0.1)
    assert room.host.deadline == due
    room.tick(due)
    assert told(room.notices)[cores.NOTICES_AT_ONCE :] == [key(cores.NOTICES_AT_ONCE)]
    room.tick(due + 1)
    assert len(told(room.notices)) == cores.NOTICES_AT_ONCE + 1


def test_a_guest_is_told_later_of_a_key_that_came_too_soon() -> None:
    room, tells_key = lying_room()
    for number in range(cores.NOTICES_AT_ONCE + 1):
        tells_key(number, SECONDS + number / 10)
    newest, due = key(cores.NOTICES_AT_ONCE), SECONDS + 1 / cores.NOTICES_PER_SECOND
    rex = room.guests[1]
    rex.receive_frame(frames.Ping(), due - 0.1)
    rex.tick(due - 0.1)
    room.pump(due - 0.1)
    assert newest not in told(room.told_to[1])
    assert rex.deadline == pytest.approx(due)
    rex.tick(rex.deadline)
    room.pump(due)
    assert told(room.told_to[1])[-1] == newest


def test_a_host_accepts_no_key_that_it_was_not_told_of() -> None:
    room, _link = room_of_newest_key()
    room.notices.clear()
    newest = key(cores.NOTICES_AT_ONCE)
    for now, expected in (
        (LOBBY_SEEN_SECONDS, notices.LobbyRefused(notices.LobbyFault.JUST_SEATED, "Rex")),
        (LOBBY_SEEN_SECONDS + 1, notices.KeyAccepted("Rex", newest)),
    ):
        room.host.accept_key("Rex", now)
        room.pump(now)
        assert room.notices[-1] == expected
    assert told(room.notices) == [newest]


def test_a_guest_accepts_no_key_that_it_was_not_told_of() -> None:
    room, tells_key = lying_room()
    for number in range(cores.NOTICES_AT_ONCE + 1):
        tells_key(number, number / 10)
    later = 1.0 + LOBBY_SEEN_SECONDS
    assert key(cores.NOTICES_AT_ONCE) not in told(room.told_to[1])
    for now, expected in (
        (later, notices.LobbyRefused(notices.LobbyFault.JUST_SEATED, "Guest 2")),
        (later + 1, notices.KeyAccepted("Guest 2", key(cores.NOTICES_AT_ONCE))),
    ):
        room.guests[1].accept_key("Guest 2", now)
        room.pump(now)
        assert room.told_to[1][-1] == expected
    assert told(room.told_to[1])[-1] == key(cores.NOTICES_AT_ONCE)


# -- start pace ------------------------------------------------------------------------------------

# Starts without end, made by a host or by guests that never follow: few are tried.


START_SECONDS = 100
MOST_STARTS = cores.STARTS_AT_ONCE + START_SECONDS * cores.STARTS_PER_SECOND
"""Starts in so many seconds."""


def proposed() -> tuple[Room, frames.Start]:
    """A start that Rex has not followed yet."""
    room = Room.of(1)
    room.deaf.add(1)
    room.start(0.0)
    (start,) = room.said(frames.Start)
    return room, start


def again(start: frames.Start, number: int) -> frames.Start:
    return replace(start, charter=replace(start.charter, start=number))


def count_sealed(guest: GuestLobby) -> int:
    """How often it has committed to a row just now."""
    effects = guest.take_effects()
    return sum(isinstance(e, SendToLink) and isinstance(e.frame, frames.Sealed) for e in effects)


def test_a_guest_follows_a_host_that_proposes_without_end_now_and_then() -> None:
    room, start = proposed()
    rex, sealed = room.guests[1], 0
    for tenth in range(10 * START_SECONDS):
        rex.receive_frame(again(start, 1 + tenth), tenth / 10)
        if rex.deadline <= tenth / 10:
            rex.tick(tenth / 10)
        sealed += count_sealed(rex)
    assert MOST_STARTS - 1 <= sealed <= MOST_STARTS


def test_a_start_that_comes_too_soon_is_followed_later() -> None:
    room, start = proposed()
    rex = room.guests[1]
    for number in range(cores.STARTS_AT_ONCE + 1):
        rex.receive_frame(again(start, 1 + number), 0.0)
    rex.take_effects()
    due = 1 / cores.STARTS_PER_SECOND
    rex.receive_frame(frames.Ping(), due / 2)
    for now, count in ((due - 0.01, 0), (due, 1)):
        rex.tick(now)
        assert count_sealed(rex) == count


def mallory_declines(room: Room, start: frames.Start, link: int, now: float) -> None:
    room.host.receive_frame(link, frames.Declined(start.charter.table), now)
    room.pump(now)


def test_a_table_that_starts_by_itself_is_not_kept_busy_by_guests_that_decline() -> None:
    room = Room(seats=2, start_when_full=True)
    for tenth in range(10 * START_SECONDS):
        now, link = tenth / 10, 100 + tenth
        key = Signer(link.to_bytes(32, "big")).key
        room.host.accept_link(link, key, f"10.{link // 250}.{link % 250}.1", now)
        room.host.receive_frame(link, frames.Sit("Mallory", "", 0, False, bytes(16)), now)
        room.tick(now)
        for start in room.said(frames.Start):
            mallory_declines(room, start, link, now)
        room.told.clear()
        room.host.receive_frame(link, frames.Stand(), now)
    assert MOST_STARTS - 1 <= len(room.seeds) <= MOST_STARTS


def test_a_host_reads_each_time_which_guest_declines_and_tries_nothing_by_itself() -> None:
    room = Room.of(1, 2)
    room.deaf |= {1, 2}
    for attempt in range(1, 4):
        now = attempt * LOBBY_SEEN_SECONDS
        room.start(now)
        start = room.said(frames.Start)[-1]
        mallory_declines(room, start, 2, now)
        for later in range(20):
            room.tick(now + later / 20)
        assert len(room.said(frames.Start)) == 2 * attempt  # one for each of both guests
        told = [n.name for n in room.notices if isinstance(n, notices.StartDeclined)]
        assert told == ["Guest 2"] * attempt
