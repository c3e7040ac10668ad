"""A lying host: what it starts is what the lobby said, and what it says of a guest is true.

Each lie is told in true frames by the real host, changed on their way (`tests.support.lying_host`).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pytest

from kotp2p.lobby.agreement import LOBBY_SEEN_SECONDS
from kotp2p.lobby.lobby_effects import SendToLink
from kotp2p.lobby.start import make_charter
from kotp2p.referee.box.rulesets import RULE_SETS, Options
from kotp2p.seams.cores import NOTICES_AT_ONCE
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import (
    LobbyChanged,
    StartDeclined,
    StartDifference,
    StartFailed,
    StartSigned,
)
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes, array, pack, unpack
from kotp2p.wire.entries import Signed
from kotp2p.wire.frames import Declined, Frame, Lobby, Sealed, Start, decode, encode
from kotp2p.wire.genesis import Charter, Clocks, LobbyOptions, Player
from tests.support.lobby_room import ends_start
from tests.support.lying_host import CharterLie, LobbyLie, LyingRoom, with_players

STRANGER = Signer(bytes([99]) * 32)
HOST = Signer(bytes([1]) * 32)
HASTE = LobbyOptions(clocks=Clocks(1, 1))


def two_guests() -> LyingRoom:
    room = LyingRoom()
    room.join(1)
    room.join(2)
    return room


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


STARTS: dict[str, tuple[CharterLie, StartDifference]] = {
    "hasty clocks": (lambda c: replace(c, clocks=Clocks(1, 1)), StartDifference.CLOCKS),
    "no clocks": (lambda c: replace(c, clocks=Clocks(0, 0)), StartDifference.CLOCKS),
    "another rule set": (lambda c: replace(c, rules="classic"), StartDifference.RULES),
    "another rule set with its tiles": (lambda c: replace(c, rules="dark"), StartDifference.RULES),
    "the Bay closed": (
        lambda c: replace(c, rules="classic", options=Options(bay_for_beginners=True)),
        StartDifference.OPTIONS,
    ),
    "a guest as a bot": (
        of_seat(1, lambda p: replace(p, key=HOST.key, automatic=True)),
        StartDifference.PLAYERS,
    ),
    "the last guest as a second person of the host's": (
        of_seat(2, lambda p: replace(p, key=HOST.key)),
        StartDifference.PLAYERS,
    ),
    "a name to laugh at": (
        of_seat(1, lambda p: replace(p, name="Loser")),
        StartDifference.NAMES,
    ),
    "a name that looks alike": (
        of_seat(1, lambda p: replace(p, name="Guest l")),
        StartDifference.NAMES,
    ),
    "two names swapped": (swap_names, StartDifference.NAMES),
    "another monster": (
        of_seat(2, lambda p: replace(p, monster="Godzilla")),
        StartDifference.MONSTERS,
    ),
    "another key under a guest's name": (
        of_seat(2, lambda p: replace(p, key=STRANGER.key)),
        StartDifference.PLAYERS,
    ),
    "a key for one game": (of_seat(2, lambda p: replace(p, one_game=True)), StartDifference.KEYS),
    "a guest as a bot of their own": (
        of_seat(2, lambda p: replace(p, automatic=True)),
        StartDifference.BOTS,
    ),
    "the guests' seats swapped": (in_order(0, 2, 1), StartDifference.ORDER),
    "the host behind the guests": (in_order(1, 2, 0), StartDifference.ORDER),
    "one guest left out": (in_order(0, 1), StartDifference.PLAYERS),
    "a friend of the host's": (with_a_friend, StartDifference.PLAYERS),
    "a guest as the host": (
        lambda c: with_players(c, c.players, 1),
        StartDifference.HOST,
    ),
}


@pytest.mark.parametrize("name", STARTS)
def test_a_start_that_is_not_the_lobby_is_declined_in_words_and_the_lobby_goes_on(
    name: str,
) -> None:
    lie, difference = STARTS[name]
    room = two_guests()
    room.start_with(lie)
    assert room.said(Start)
    assert not room.begun
    assert not room.shut
    assert not room.seeds[1:], "a guest has committed to a start that it has not agreed to"
    for link in (1, 2):
        (declined,) = room.told_to[link]
        assert isinstance(declined, StartDeclined)
        assert difference in declined.differences
        assert declined.name == ""
    assert StartDeclined("Guest 1") in room.notices
    room.host.start_game(2.0)
    room.pump(2.0)
    assert set(room.begun) == {0, 1, 2}


def test_a_start_that_is_the_lobby_is_signed_and_shown() -> None:
    room = two_guests()
    room.host.start_game(1.0)
    room.pump(1.0)
    (genesis,) = {begin.genesis.id: begin.genesis for begin in room.begun.values()}.values()
    assert StartSigned(genesis.charter, strangers=(1, 2)) in room.notices
    assert room.told_to == {
        1: [StartSigned(genesis.charter, strangers=(0, 2))],
        2: [StartSigned(genesis.charter, strangers=(0, 1))],
    }
    shown = [n for n in room.notices if isinstance(n, LobbyChanged)][-1]
    assert [seat.key for seat in shown.seats if seat is not None] == [
        p.key for p in genesis.players
    ]
    assert genesis.charter.setup().deck == RULE_SETS["second"].deck()


@pytest.mark.parametrize("lie", [lie for lie, _difference in STARTS.values()], ids=list(STARTS))
def test_a_guest_signs_no_genesis_of_another_charter_behind_a_true_start(lie: CharterLie) -> None:
    """The host proposes what the lobby says, and shows something else to sign."""
    room = two_guests()
    room.host.start_game(1.0)
    charter = room.host.start._attempt.ceremony.charter  # type: ignore[union-attr]
    room.host.start._attempt.ceremony.charter = lie(charter)  # type: ignore[union-attr]
    with suppress(BadBytes):  # of the host's own checks
        room.pump(1.0)
    assert not room.begun
    assert not room.said(Signed)


def test_a_host_that_proposes_false_starts_without_end_is_told_of_now_and_then() -> None:
    room = two_guests()
    for _ in range(100):
        room.start_with(STARTS["hasty clocks"][0])
    assert len(room.told_to[1]) == NOTICES_AT_ONCE
    assert not room.begun


# -- one guest is told another lobby than the other ----------------------------------------------


def test_guests_that_were_told_different_lobbies_sign_no_common_start() -> None:
    """However the host starts it: one of them has seen another table."""
    hasty: LobbyLie = lambda lobby: replace(lobby, options=HASTE)  # noqa: E731
    for lie in (lambda charter: charter, STARTS["hasty clocks"][0]):
        room = LyingRoom(lobby_lies={1: hasty})
        room.join(1)
        room.join(2)
        room.start_with(lie)
        assert not room.begun
        told = [n for notices in room.told_to.values() for n in notices]
        assert told == [StartDeclined("", (StartDifference.CLOCKS,))]


def test_a_start_behind_a_change_that_a_guest_was_not_told_of_is_declined() -> None:
    room = LyingRoom()
    room.join(1)
    room.lobby_lies[1] = lambda lobby: None
    room.join(2)
    room.host.start_game(1.0)
    room.pump(1.0)
    assert not room.begun
    assert room.told_to == {1: [StartDeclined("", (StartDifference.PLAYERS,))]}


def test_a_start_of_the_lobby_before_a_change_that_it_crosses_is_declined() -> None:
    """The host starts with a seat that it has shown as moved a moment ago."""
    room = two_guests()
    charter = make_charter(
        room.host.seating.seated_guests(), RULE_SETS["second"], Options(), Clocks(), bytes(32), 1
    )
    room.host.move_player("Guest 1", 4)
    room.start_with(lambda _new: charter)
    assert not room.begun
    assert room.told_to[1] == [StartDeclined("", (StartDifference.ORDER,))]


def test_a_change_of_the_lobby_ends_a_start_that_a_guest_has_not_signed() -> None:
    room = two_guests()
    room.deaf.add(2)  # so that the start waits
    room.host.start_game(1.0)
    room.pump(1.0)
    guest, lobby = room.guests[1], room.said(Lobby)[-1]
    guest.receive_frame(replace(lobby, options=HASTE), 2.0)
    sealed = room.host.start._attempt.ceremony  # type: ignore[union-attr]
    late = replace(sealed.charter, start=2)
    guest.receive_frame(Start(late, (("", 0),) * 3), 2.0)
    assert [e.frame for e in guest.take_effects() if isinstance(e, SendToLink)] == [
        Declined(sealed.charter.table)
    ]


def test_a_change_of_the_lobby_takes_no_signature_back() -> None:
    """For the others the game may have begun: what counts is what this seat has signed."""
    room = two_guests()
    heard: list[Frame] = []

    def withheld(link: int, frame: Frame) -> Frame | None:
        if link != 1 or not ends_start(frame):
            return frame
        heard.append(frame)
        return None

    room.altered_by_host = withheld  # type: ignore[method-assign]
    room.host.start_game(1.0)
    room.pump(1.0)
    assert set(room.begun) == {0, 2}
    lobby = room.said(Lobby)[-1]
    room.guests[1].receive_frame(replace(lobby, options=HASTE), 2.0)
    room.guests[1].receive_frame(heard[0], 2.0)
    room.pump(2.0)
    assert room.begun[1].genesis.charter.clocks == Clocks()


# -- what a player could have seen ----------------------------------------------------------------


def test_a_start_right_behind_a_change_waits_until_the_player_has_seen_the_change() -> None:
    room = LyingRoom()
    room.join(1, 0.0)
    guest = room.guests[1]
    room.host.start_game(0.1)
    room.pump(0.1)
    assert not room.seeds[1:]
    assert guest.deadline <= LOBBY_SEEN_SECONDS
    for early in (1.0, LOBBY_SEEN_SECONDS - 0.01):
        guest.tick(early)
        room.pump(early)
    assert not room.seeds[1:]
    guest.tick(LOBBY_SEEN_SECONDS)
    room.pump(LOBBY_SEEN_SECONDS)
    assert set(room.begun) == {0, 1}


def test_a_player_that_sees_a_change_in_time_leaves_unsigned() -> None:
    room = two_guests()
    room.lobby_lies = dict.fromkeys((1, 2), lambda lobby: replace(lobby, options=HASTE))
    room.host.publish_seats()
    room.start_with(STARTS["hasty clocks"][0])
    room.guests[1].leave_table()
    room.pump(1.5)
    assert not room.begun
    assert room.shut == {1: EndKind.LEFT}


def test_a_lobby_that_is_told_again_as_it_was_is_no_change() -> None:
    room = two_guests()
    room.host.publish_seats()
    room.host.start_game(0.5)
    room.pump(0.5)
    assert set(room.begun) == {0, 1, 2}


# -- the host, when a guest declines --------------------------------------------------------------


class Decliner(LyingRoom):
    """Guest 1 declines every start, though it is the lobby."""

    def altered(self, link: int, frame: Frame) -> Frame:
        if link == 1 and isinstance(frame, Sealed):
            return Declined(frame.table)
        return frame


def test_a_host_that_can_type_decides_about_a_guest_that_declines() -> None:
    room = Decliner()
    room.join(1)
    room.join(2)
    room.host.start_game(1.0)
    room.pump(1.0)
    assert StartDeclined("Guest 1") in room.notices
    assert not room.begun
    assert room.host.start.is_open
    room.host.remove_player("Guest 1", 2.0)
    room.pump(2.0)
    room.guests[2].tick(4.0)
    room.host.start_game(4.0)
    room.pump(4.0)
    assert set(room.begun) == {0, 2}


def test_at_a_table_that_starts_by_itself_a_guest_that_declines_loses_its_seat() -> None:
    room = Decliner(seats=3, start_when_full=True)
    room.join(1)
    room.join(2)
    room.host.tick(1.0)
    room.pump(1.0)
    assert room.shut == {1: EndKind.REMOVED}
    assert StartFailed(("Guest 1",)) in room.notices
    assert [link for link, frame in room.told if isinstance(frame, Start)].count(1) == 1


@pytest.mark.parametrize("late", [False, True])
def test_a_guest_cannot_decline_what_it_has_sealed_or_what_is_no_start(late: bool) -> None:
    room = two_guests()
    if late:
        room.deaf.add(2)
    room.host.start_game(1.0)
    room.pump(1.0)
    table = room.said(Start)[-1].charter.table
    room.host.receive_frame(2, Declined(bytes(32) if late else table), 1.0)
    room.pump(1.0)
    assert not [n for n in room.notices if isinstance(n, StartDeclined)]
    assert set(room.begun) == (set() if late else {0, 1, 2})


# -- decks ----------------------------------------------------------------------------------------


def test_a_start_that_names_a_deck_is_no_start() -> None:
    room = two_guests()
    room.host.start_game(1.0)
    room.pump(1.0)
    number, charter, addresses = array(unpack(encode(room.said(Start)[-1])[4:]), 3)
    before, behind = array(charter)[:4], array(charter)[4:]
    few = ("corner-store", "energize", "extra-head")
    with pytest.raises(BadBytes):
        decode(pack((number, (*before, few, *behind), addresses)))  # type: ignore[arg-type]
    decode(pack((number, (*before, *behind), addresses)))  # type: ignore[arg-type]
