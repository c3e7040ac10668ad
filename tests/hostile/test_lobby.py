"""A lying host: what it starts is what the lobby said, and what it says of a guest is true.

Each lie is told in true frames by the real host, changed on their way (`tests.support.lying_host`).
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pytest

from kotp2p.lobby import agreement, known_keys, lobby_effects
from kotp2p.referee.box.rulesets import RULE_SETS, Options
from kotp2p.seams import cores, endings, notices
from kotp2p.wire import frames
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import Signed
from kotp2p.wire.genesis import Charter, Clocks, LobbyOptions, Player
from tests.support.lobby_room import KIM, MALLORY, REX, Room, ends_start, room_of_three
from tests.support.lying_host import CharterLie, LobbyLie, LyingRoom, with_players, with_seats

STRANGER = Signer(bytes([99]) * 32)
HOST = Signer(bytes([1]) * 32)
HASTE = LobbyOptions(clocks=Clocks(1, 1))


def of_seat(seat: int, change: Callable[[Player], Player]) -> CharterLie:
    return lambda charter: with_players(
        charter, tuple(change(p) if n == seat else p for n, p in enumerate(charter.players))
    )


def in_order(*seats: int) -> CharterLie:
    return lambda charter: with_players(
        charter, tuple(charter.players[n] for n in seats), seats.index(0)
    )


def swap_names(charter: Charter) -> Charter:
    host, one, two = charter.players
    swapped = (replace(one, name=two.name), replace(two, name=one.name))
    return with_players(charter, (host, *swapped))


def with_a_friend(charter: Charter) -> Charter:
    friend = Player("Rex", "Kraken", STRANGER.key, 3)
    return with_players(charter, (*charter.players, friend))


STARTS: dict[str, CharterLie] = {
    "hasty clocks": lambda c: replace(c, clocks=Clocks(1, 1)),
    "no clocks": lambda c: replace(c, clocks=Clocks(0, 0)),
    "another rule set": lambda c: replace(c, rules="classic"),
    "another rule set with its tiles": lambda c: replace(c, rules="dark"),
    "the Bay closed": (
        lambda c: replace(c, rules="classic", options=Options(bay_for_beginners=True))
    ),
    "a guest as a bot": of_seat(1, lambda p: replace(p, key=HOST.key, automatic=True)),
    "the last guest as a second person of the host's": (
        of_seat(2, lambda p: replace(p, key=HOST.key))
    ),
    "a name to laugh at": of_seat(1, lambda p: replace(p, name="Loser")),
    "a name that looks alike": of_seat(1, lambda p: replace(p, name="Guest l")),
    "two names swapped": swap_names,
    "another monster": of_seat(2, lambda p: replace(p, monster="Godzilla")),
    "another key under a guest's name": of_seat(2, lambda p: replace(p, key=STRANGER.key)),
    "a key for one game": of_seat(2, lambda p: replace(p, one_game=True)),
    "a guest as a bot of their own": of_seat(2, lambda p: replace(p, automatic=True)),
    "the guests' seats swapped": in_order(0, 2, 1),
    "the host behind the guests": in_order(1, 2, 0),
    "one guest left out": in_order(0, 1),
    "a friend of the host's": with_a_friend,
    "a guest as the host": lambda c: with_players(c, c.players, 1),
}


@pytest.mark.parametrize("name", STARTS)
def test_a_start_that_is_not_the_lobby_is_declined_in_words_and_the_lobby_goes_on(
    name: str,
) -> None:
    lie = STARTS[name]
    room = LyingRoom.of(1, 2)
    room.start_with(lie)
    assert room.said(frames.Start)
    assert not room.begun
    assert not room.shut
    assert not room.seeds[1:], "a guest has committed to a start that it has not agreed to"
    for link in (1, 2):
        (declined,) = room.told_to[link]
        assert isinstance(declined, notices.StartDeclined)
        assert declined.name == ""
    assert notices.StartDeclined("Guest 1") in room.notices
    room.start(2.0)
    assert set(room.begun) == {0, 1, 2}


def test_a_start_that_is_the_lobby_is_signed_and_shown() -> None:
    room = LyingRoom.of(1, 2)
    room.start(1.0)
    (genesis,) = {begin.genesis.id: begin.genesis for begin in room.begun.values()}.values()
    assert notices.StartSigned(genesis.charter, strangers=(1, 2)) in room.notices
    assert room.told_to == {
        1: [notices.StartSigned(genesis.charter, strangers=(0, 2))],
        2: [notices.StartSigned(genesis.charter, strangers=(0, 1))],
    }
    shown = [n for n in room.notices if isinstance(n, notices.LobbyChanged)][-1]
    assert [one.key for one in shown.seats if one is not None] == [p.key for p in genesis.players]
    assert genesis.charter.setup().deck == RULE_SETS["second"].deck()


@pytest.mark.parametrize("lie", STARTS.values(), ids=list(STARTS))
def test_a_guest_signs_no_genesis_of_another_charter_behind_a_true_start(lie: CharterLie) -> None:
    """The host proposes what the lobby says, and shows something else to sign."""
    room = LyingRoom.of(1, 2)
    room.host.start_game(1.0)
    charter = room.host.start._attempt.ceremony.charter  # type: ignore[union-attr]
    room.host.start._attempt.ceremony.charter = lie(charter)  # type: ignore[union-attr]
    with suppress(BadBytes):  # of the host's own checks
        room.pump(1.0)
    assert not room.begun
    assert not room.said(Signed)


def test_a_host_that_proposes_false_starts_without_end_is_told_of_now_and_then() -> None:
    room = LyingRoom.of(1, 2)
    for _ in range(100):
        room.start_with(STARTS["hasty clocks"])
    assert len(room.told_to[1]) == cores.NOTICES_AT_ONCE
    assert not room.begun


# -- one guest is told another lobby than the other ----------------------------------------------


def test_guests_that_were_told_different_lobbies_sign_no_common_start() -> None:
    """However the host starts it: one of them has seen another table."""
    hasty: LobbyLie = lambda lobby: replace(lobby, options=HASTE)  # noqa: E731
    for lie in (lambda charter: charter, STARTS["hasty clocks"]):
        room = LyingRoom.of(1, 2, lobby_lies={1: hasty})
        room.start_with(lie)
        assert not room.begun
        told = [n for shown in room.told_to.values() for n in shown]
        assert told == [notices.StartDeclined("")]


def test_a_start_behind_a_change_that_a_guest_was_not_told_of_is_declined() -> None:
    room = LyingRoom.of(1)
    room.lobby_lies[1] = lambda lobby: None
    room.join(2)
    room.start(1.0)
    assert not room.begun
    assert room.told_to == {1: [notices.StartDeclined("")]}


def test_a_change_of_the_lobby_ends_a_start_that_a_guest_has_not_signed() -> None:
    room = LyingRoom.of(1, 2)
    room.deaf.add(2)  # so that the start waits
    room.start(1.0)
    guest, lobby = room.guests[1], room.said(frames.Lobby)[-1]
    guest.receive_frame(replace(lobby, options=HASTE), 2.0)
    sealed = room.host.start._attempt.ceremony  # type: ignore[union-attr]
    late = replace(sealed.charter, start=2)
    guest.receive_frame(frames.Start(late, (("", 0),) * 3), 2.0)
    assert [e.frame for e in guest.take_effects() if isinstance(e, lobby_effects.SendToLink)] == [
        frames.Declined(sealed.charter.table)
    ]


def test_a_change_of_the_lobby_takes_no_signature_back() -> None:
    """For the others the game may have begun: what counts is what this seat has signed."""
    room = LyingRoom.of(1, 2)
    heard: list[frames.Frame] = []

    def withheld(link: int, frame: frames.Frame) -> frames.Frame | None:
        if link != 1 or not ends_start(frame):
            return frame
        heard.append(frame)
        return None

    room.altered_by_host = withheld  # type: ignore[method-assign]
    room.start(1.0)
    assert set(room.begun) == {0, 2}
    lobby = room.said(frames.Lobby)[-1]
    room.guests[1].receive_frame(replace(lobby, options=HASTE), 2.0)
    room.guests[1].receive_frame(heard[0], 2.0)
    room.pump(2.0)
    assert room.begun[1].genesis.charter.clocks == Clocks()


# -- what a player could have seen ----------------------------------------------------------------


def test_a_start_right_behind_a_change_waits_until_the_player_has_seen_the_change() -> None:
    room = LyingRoom()
    room.join(1, 0.0)
    guest = room.guests[1]
    room.start(0.1)
    assert not room.seeds[1:]
    assert guest.deadline <= agreement.LOBBY_SEEN_SECONDS
    for early in (1.0, agreement.LOBBY_SEEN_SECONDS - 0.01):
        guest.tick(early)
        room.pump(early)
    assert not room.seeds[1:]
    guest.tick(agreement.LOBBY_SEEN_SECONDS)
    room.pump(agreement.LOBBY_SEEN_SECONDS)
    assert set(room.begun) == {0, 1}


def test_a_lobby_that_is_told_again_as_it_was_is_no_change() -> None:
    room = LyingRoom.of(1, 2)
    room.host.publish_seats()
    room.start(0.5)
    assert set(room.begun) == {0, 1, 2}


# -- the host, when a guest declines --------------------------------------------------------------


class Decliner(LyingRoom):
    """Guest 1 declines every start, though it is the lobby."""

    def altered(self, link: int, frame: frames.Frame) -> frames.Frame:
        if link == 1 and isinstance(frame, frames.Sealed):
            return frames.Declined(frame.table)
        return frame


def test_a_host_that_can_type_decides_about_a_guest_that_declines() -> None:
    room = Decliner.of(1, 2)
    room.start(1.0)
    assert notices.StartDeclined("Guest 1") in room.notices
    assert not room.begun
    assert room.host.start.is_open
    room.host.remove_player("Guest 1", 2.0)
    room.pump(2.0)
    room.guests[2].tick(4.0)
    room.start(4.0)
    assert set(room.begun) == {0, 2}


def test_at_a_table_that_starts_by_itself_a_guest_that_declines_loses_its_seat() -> None:
    room = Decliner.of(1, 2, seats=3, start_when_full=True)
    room.tick(1.0)
    assert room.shut == {1: endings.EndKind.REMOVED}
    assert notices.StartFailed(("Guest 1",)) in room.notices
    assert [link for link, frame in room.told if isinstance(frame, frames.Start)].count(1) == 1


@pytest.mark.parametrize("late", [False, True])
def test_a_guest_cannot_decline_what_it_has_sealed_or_what_is_no_start(late: bool) -> None:
    room = LyingRoom.of(1, 2)
    if late:
        room.deaf.add(2)
    room.start(1.0)
    table = room.said(frames.Start)[-1].charter.table
    room.host.receive_frame(2, frames.Declined(bytes(32) if late else table), 1.0)
    room.pump(1.0)
    assert not [n for n in room.notices if isinstance(n, notices.StartDeclined)]
    assert set(room.begun) == (set() if late else {0, 1, 2})


# -- lobby choices ---------------------------------------------------------------------------------

# Guests and hosts that abuse names, monsters and marks in a lobby.


def test_a_guest_that_renames_itself_a_thousand_times_is_heard_a_few_times() -> None:
    room, now = room_of_three(), 5.0
    for serial in range(1, 1001):
        room.guests[MALLORY].choices.names.add(f"M{serial}")
        room.host.receive_frame(MALLORY, frames.Choose(serial, f"M{serial}", ""), now)
    room.pump(now)
    assert len(room.lobbies_of(REX)) == cores.WISHES_AT_ONCE
    assert (
        room.said(frames.Denied).count(frames.Denied(1000, int(frames.DenialCode.TOO_OFTEN))) == 1
    )
    seen = room.guests[REX]._seen.taken_seats
    assert [seat.name for seat in seen] == ["Ana", "Guest 1", "Guest 2", f"M{cores.WISHES_AT_ONCE}"]
    room.guests[KIM].choices.change_name("Otto")  # the others have budgets of their own
    room.pump(now)
    room.tick(now + 1)
    assert room.guests[REX]._seen.taken_seats[2].name == "Otto"


def test_marks_that_come_and_go_without_end_cost_the_others_little() -> None:
    room, told = room_of_three(), 0
    for second in range(100):
        now = float(second)
        for wanted in (True, False) * 5:
            room.guests[MALLORY].choices.mark_ready(wanted)
            room.pump(now)
        room.host.tick(now)
        for guest in room.guests.values():
            guest.tick(now)
        room.pump(now)
        told = sum(isinstance(n, notices.LobbyChanged) for n in room.notices)
    assert told <= cores.WISHES_AT_ONCE + 100 * cores.WISHES_PER_SECOND + 1
    assert not room.shut


@pytest.mark.parametrize("name", ["Ana", "aná", "Guest 1", "GUEST-1", "Guest_1."])
def test_a_modified_guest_takes_no_name_of_another(name: str) -> None:
    room = room_of_three()
    room.host.receive_frame(MALLORY, frames.Choose(1, name, ""), 1.0)
    room.pump(1.0)
    assert room.said(frames.Denied) == [frames.Denied(1, int(frames.DenialCode.NAME_TAKEN))]
    assert not room.said(frames.Lobby)


def test_nobody_can_be_marked_by_another() -> None:
    room = room_of_three()
    room.guests[REX].choices.mark_ready(True)
    room.pump(1.0)
    mark = room.said(frames.Lobby)[-1].marks[1]
    room.host.receive_frame(MALLORY, frames.Mark(1, mark), 1.0)
    room.pump(1.0)
    assert room.said(frames.Denied) == [frames.Denied(1, int(frames.DenialCode.OTHER_LOBBY))]


def test_a_host_can_make_no_marks() -> None:
    """It marks every seat with what the first guest has signed."""
    room = Room.of(REX, KIM)
    room.guests[REX].choices.mark_ready(True)
    room.pump(1.0)
    lobby = room.said(frames.Lobby)[-1]
    room.guests[KIM].receive_frame(replace(lobby, marks=(lobby.marks[REX],) * 4), 2.0)
    effects = room.guests[KIM].take_effects()
    told = [e.notice for e in effects if isinstance(e, lobby_effects.ShowNotice)]
    seen = [notice for notice in told if isinstance(notice, notices.LobbyChanged)][-1]
    assert [seat.name for seat in seen.seats if seat is not None and seat.ready] == ["Guest 1"]


def test_a_host_gives_no_name_that_the_guest_has_not_wanted() -> None:
    room = room_of_three()
    lobby = room.host._board.lobby()
    mine = replace(lobby.taken_seats[1], name="Otto")
    room.guests[REX].choices.change_name("Rexy")
    room.guests[REX].take_effects()
    changed = replace(lobby, seats=(lobby.seats[0], mine, *lobby.seats[2:]))
    room.guests[REX].receive_frame(changed, 1.0)
    room.pump(1.0)
    assert room.shut == {REX: endings.EndKind.FALSE_LOBBY}


# -- lobby seats -----------------------------------------------------------------------------------

# A lying host: what it says of a guest is true, and a kept seat is for its key alone.


def of_key(key_of: int, change: Callable[[frames.TakenSeat], frames.TakenSeat]) -> LobbyLie:
    def lie(lobby: frames.Lobby) -> frames.Lobby:
        owner = lobby.taken_seats[min(key_of, len(lobby.taken_seats) - 1)].owner
        return with_seats(lobby, lambda seat: change(seat) if seat.owner == owner else seat)

    return lie


def swap_lobby_names(one: str, other: str) -> LobbyLie:
    names = {one: other, other: one}
    return lambda lobby: with_seats(
        lobby, lambda seat: replace(seat, name=names.get(seat.name, seat.name))
    )


KEPT_BOT = frames.TakenSeat(0, "Rex", "Kraken", automatic=True)
LOBBIES: dict[str, LobbyLie] = {
    "a bot that the guest keeps": lambda lobby: replace(
        lobby, seats=(lobby.seats[0], None, lobby.seats[1], replace(KEPT_BOT, owner=2))
    ),
    "another name": of_key(1, lambda seat: replace(seat, name="Loser")),
    "a number behind another name": of_key(1, lambda seat: replace(seat, name="Loser 2")),
    "a number that is none": of_key(1, lambda seat: replace(seat, name="Guest 1 the 2")),
    "names swapped": swap_lobby_names("Guest 1", "Guest 2"),
    "a monster of another box": of_key(1, lambda seat: replace(seat, monster="Godzilla")),
    "one monster twice": of_key(1, lambda seat: replace(seat, monster="Gigazaur")),
    "a key for one game": of_key(1, lambda seat: replace(seat, one_game=True)),
    "bytes of another evening": of_key(1, lambda seat: replace(seat, fresh=bytes(16))),
    "a bot in the guest's place": of_key(1, lambda seat: replace(seat, automatic=True)),
    "no host": of_key(0, lambda seat: replace(seat, host=False)),
    "two hosts": lambda lobby: with_seats(lobby, lambda seat: replace(seat, host=True)),
    "another host's key": of_key(0, lambda seat: replace(seat, owner=STRANGER.key)),
    "a sentence in place of a rule set": lambda lobby: replace(lobby, rules="second. Friends only"),
    "the guest's key twice": lambda lobby: replace(
        lobby, seats=(*lobby.seats[:3], replace(lobby.taken_seats[1], name="Rex", monster="Kraken"))
    ),
}


UNREADABLE: dict[str, LobbyLie] = {
    "no name": of_key(1, lambda seat: replace(seat, name=" ")),
    "a host that looks like the guest": of_key(0, lambda seat: replace(seat, name="Guest l")),
    "a name that is none": of_key(0, lambda seat: replace(seat, name="Ana ")),
    "a key that proves nothing": of_key(0, lambda seat: replace(seat, owner=bytes(32))),
    "a place that keeps itself": of_key(1, lambda seat: replace(seat, owner=1, fresh=b"")),
    "a place that a free one keeps": of_key(1, lambda seat: replace(seat, owner=3, fresh=b"")),
    "a kept place with fresh bytes": of_key(1, lambda seat: replace(seat, owner=0)),
    "a kept host": of_key(0, lambda seat: replace(seat, owner=1, fresh=b"")),
    "a kept key": of_key(1, lambda seat: replace(seat, owner=0, fresh=b"", one_game=True)),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_guest_reads_no_lobby_in_which_somebody_could_be_somebody_else(name: str) -> None:
    room = LyingRoom(lobby_lies={1: UNREADABLE[name]})
    with pytest.raises(BadBytes):
        room.join(1)


@pytest.mark.parametrize("name", LOBBIES)
def test_a_guest_leaves_a_lobby_that_is_not_what_it_has_told_the_host(name: str) -> None:
    room = LyingRoom.of(1, lobby_lies={1: LOBBIES[name]})
    if name == "names swapped":
        room.join(2)
    assert room.shut == {1: endings.EndKind.FALSE_LOBBY}
    assert not room.seeds


# -- seats that are kept --------------------------------------------------------------------------


def rematch(*kept: bytes) -> LyingRoom:
    return LyingRoom(seats=len(kept), start_when_full=True, kept_for=kept)


def last_shown(room: LyingRoom) -> notices.LobbyChanged:
    return [n for n in room.notices if isinstance(n, notices.LobbyChanged)][-1]


def key_of(link: int) -> bytes:
    return Signer(bytes([10 + link]) * 32).key


def test_a_kept_seat_is_for_its_key_alone() -> None:
    room = rematch(HOST.key, key_of(2), key_of(3))
    room.join(1)
    room.tick(1.0)
    assert not room.begun
    assert (1, frames.Closed(int(frames.RefusalCode.KEPT))) in room.told
    assert room.shut == {1: endings.EndKind.KEPT_FOR_OTHERS}
    for link in (3, 2):
        room.join(link)
    room.tick(2.0)
    assert [p.key for p in room.begun[0].genesis.players] == [HOST.key, key_of(2), key_of(3)]


def test_the_seat_of_a_bot_is_kept_for_a_bot() -> None:
    room = rematch(HOST.key, b"", key_of(2))
    room.join(1)
    assert room.shut == {1: endings.EndKind.KEPT_FOR_OTHERS}
    room.host.add_bot()
    room.join(2)
    room.tick(1.0)
    assert [p.automatic for p in room.begun[0].genesis.players] == [False, True, False]


def test_a_host_opens_the_seats_that_were_kept() -> None:
    room = rematch(HOST.key, key_of(2), key_of(3))
    room.join(2)
    assert last_shown(room).has_kept_seats
    room.host.open_seats()
    room.pump(0.0)
    assert not last_shown(room).has_kept_seats
    room.host.open_seats()
    room.pump(0.0)
    assert notices.LobbyRefused(notices.LobbyFault.NOTHING_KEPT) in room.notices
    room.join(1)
    room.tick(1.0)
    assert [p.key for p in room.begun[0].genesis.players] == [HOST.key, key_of(2), key_of(1)]


def test_a_host_gives_a_kept_seat_to_a_bot() -> None:
    room = rematch(HOST.key, key_of(2), key_of(3))
    room.join(2)
    room.host.add_bot()
    room.pump(0.0)
    room.tick(2.0)
    room.see_lobby(2.0)
    assert [p.automatic for p in room.begun[0].genesis.players] == [False, False, True]


def test_a_newcomer_does_not_get_the_monster_of_a_player_who_is_awaited() -> None:
    room = LyingRoom(seats=4, kept_for=(HOST.key, key_of(2)))
    room.host.seating.kept_monsters = ("Gigazaur", "The King")
    room.join(1)
    room.host.add_bot()
    newcomer, bot = room.host.seating.find_key(key_of(1)), room.host.seating.find_player("4")
    assert newcomer is not None and newcomer.monster == "Alienoid"
    assert bot is not None and bot.monster not in ("Gigazaur", "The King", "Alienoid")
    room.join(2)
    awaited = room.host.seating.find_key(key_of(2))
    assert awaited is not None and awaited.monster == "The King"


# -- lobby swaps -----------------------------------------------------------------------------------

# A lobby in which somebody is put in the place of somebody else, in the moment that counts.


REX_KEY, MALLORY_KEY, OLD = Signer(bytes([12]) * 32), Signer(bytes([66]) * 32), bytes([99]) * 32


def test_a_guest_accepts_no_key_that_was_put_in_behind_the_question() -> None:
    room = LyingRoom.of(1)
    guest = room.guests[1]
    guest.known_keys.remember([("Guest 2", OLD)])
    room.join(2)

    def swap(lobby: frames.Lobby) -> frames.Lobby:
        return with_seats(
            lobby,
            lambda seat: replace(seat, owner=MALLORY_KEY.key) if seat.key == REX_KEY.key else seat,
        )

    room.lobby_lies[1] = swap
    room.host.publish_seats()
    room.pump(60.0)
    for now, expected in (
        (60.1, notices.LobbyRefused(notices.LobbyFault.JUST_SEATED, "Guest 2")),
        (60.0 + agreement.LOBBY_SEEN_SECONDS, notices.KeyAccepted("Guest 2", MALLORY_KEY.key)),
    ):
        guest.accept_key("Guest 2", now)
        room.pump(now)
        assert room.told_to[1][-1] == expected
        is_known = guest.known_keys.known_other_key("Guest 2", MALLORY_KEY.key) is None
        assert is_known is isinstance(expected, notices.KeyAccepted)


def test_a_host_accepts_no_key_that_sat_down_behind_the_question() -> None:
    room = Room()
    room.host.known_keys.policy = known_keys.NewKeyPolicy.ASK
    room.host.known_keys.remember([("Guest 2", OLD)])
    room.join(2, 0.0)
    room.guests[2].leave_table()
    room.pump(60.0)
    guest = room._guest(2, one_game=False)
    guest.signer = MALLORY_KEY
    room._sit_down(2, 60.0, guest)
    room.host.accept_key("Guest 2", 60.1)
    room.pump(60.1)
    assert room.notices[-1] == notices.LobbyRefused(notices.LobbyFault.JUST_SEATED, "Guest 2")
    assert room.host.known_keys.known_other_key("Guest 2", MALLORY_KEY.key) == OLD


def test_a_line_is_not_told_under_the_name_of_somebody_else() -> None:
    """The host swaps two names for one reader only, behind the lobby that the line names."""
    room = LyingRoom.of(1, 2, 3)
    room.lobby_lies[1] = swap_lobby_names("Guest 2", "Guest 3")
    room.host.publish_seats()
    room.pump(1.0)
    room.guests[2].send_chat("I give up")
    room.pump(1.0)
    told = [n for n in room.told_to.get(1, []) if isinstance(n, notices.Said)]
    assert not told
    assert [n.text for n in room.told_to[3] if isinstance(n, notices.Said)] == ["I give up"]


def test_a_guest_does_not_wait_for_ever_for_a_seat() -> None:
    room = LyingRoom()
    room.lobby_lies[1] = lambda lobby: None
    room.join(1, 0.0)
    for now in (3.0, 6.0, 9.0):
        room.guests[1].receive_frame(frames.Ping(), now)
        room.guests[1].tick(now)
    assert not room.guests[1].is_over
    room.guests[1].tick(frames.LINK_DEAD_SECONDS)
    room.pump(frames.LINK_DEAD_SECONDS)
    assert room.shut == {1: endings.EndKind.NOT_A_TABLE}


def test_a_guest_leaves_a_host_whose_lobby_changes_without_end() -> None:
    """Each change costs its player up to a dozen lines, and the host may send sixteen a second."""
    room = LyingRoom()
    room.join(1, 0.0)
    (lobby,) = [frame for _, frame in room.told if isinstance(frame, frames.Lobby)]
    read = 0
    for n in range(1, 3 * cores.LOBBIES_READ_AT_ONCE):
        clocks = Clocks(n, n)
        changed = replace(lobby, options=replace(lobby.options, clocks=clocks))
        room.guests[1].receive_frame(changed, n / 16)
        room.pump(n / 16)
        if room.guests[1].is_over:
            break
        read += 1
    assert cores.LOBBIES_READ_AT_ONCE <= read < 2 * cores.LOBBIES_READ_AT_ONCE
    assert room.shut == {1: endings.EndKind.FALSE_LOBBY}
