"""A guest that has signed a start, and loses its host or is told another one (PROTOCOL.md 6.2)."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from kotp2p.lobby.guest import FollowedStart, GuestLobby
from kotp2p.lobby.lobby_effects import BeginGame, CloseLobby, FindOthers, HangUp, SendToLink
from kotp2p.lobby.start import START_END_SECONDS, START_STEP_SECONDS
from kotp2p.seams.endings import EndKind
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import BodyKind, Signed, pack_seals
from kotp2p.wire.frames import Closed, Frame, Lobby, Ping, Start
from kotp2p.wire.genesis import Genesis
from tests.support.lobby_room import Room
from tests.support.memory_world import seeded

OTHER_LINK = 7


class KeepingRoom(Room):
    """The host keeps the signatures of all from guest 1."""

    def altered_by_host(self, link: int, frame: Frame) -> Frame | None:
        return None if link == 1 and isinstance(frame, Signed) else frame


def in_doubt() -> tuple[Room, GuestLobby]:
    room = KeepingRoom.of(1, 2)
    room.start(1.0)
    assert set(room.begun) == {0, 2}
    return room, room.guests[1]


def all_seals(room: Room) -> Signed:
    return room.begun[2].genesis.signed


def seals_of(room: Room, *seats: int) -> Signed:
    genesis = room.begun[2].genesis
    seals = {seat: genesis.seals[seat] for seat in seats}
    return Signed(BodyKind.GENESIS, genesis.body, pack_seals(seals))


def lose_link(guest: GuestLobby) -> None:
    guest.lose_host(2.0)


def fall_silent(guest: GuestLobby) -> None:
    guest.tick(13.0)


def be_kept_waiting(guest: GuestLobby) -> None:
    for second in range(2, 2 + int(START_END_SECONDS)):
        guest.receive_frame(Ping(), float(second))
        guest.tick(float(second))


def be_sent_away(guest: GuestLobby) -> None:
    guest.receive_frame(Closed(6), 2.0)


def be_shown_false_signatures(guest: GuestLobby) -> None:
    (start,) = guest._signed
    false = pack_seals(dict.fromkeys((0, 1, 2), bytes(64)))
    guest.receive_frame(Signed(BodyKind.GENESIS, start.genesis.body, false), 2.0)


WAYS: dict[Callable[[GuestLobby], None], EndKind] = {
    lose_link: EndKind.START_IN_DOUBT,
    fall_silent: EndKind.START_IN_DOUBT,
    be_kept_waiting: EndKind.START_IN_DOUBT,
    be_sent_away: EndKind.CLOSED,
    be_shown_false_signatures: EndKind.NOT_A_TABLE,
}


@pytest.mark.parametrize("way", WAYS)
def test_a_host_that_is_lost_takes_no_seat_along_that_has_signed(
    way: Callable[[GuestLobby], None],
) -> None:
    room, rex = in_doubt()
    signed = room.signed[1]
    way(rex)
    found = [e for e in rex.take_effects() if isinstance(e, FindOthers)]
    assert [(e.genesis, e.addresses) for e in found] == [(signed.genesis, signed.addresses)]
    way(rex)  # once more: the other side ends the link, too
    assert not rex.is_over
    rex.hear_seals(OTHER_LINK, all_seals(room))
    (begin,) = (e for e in rex.take_effects() if isinstance(e, BeginGame))
    assert (begin.genesis, begin.links) == (room.begun[2].genesis, {})


@pytest.mark.parametrize("way", WAYS)
def test_what_it_has_signed_stays_on_disk_if_it_gives_up(way: Callable[[GuestLobby], None]) -> None:
    _room, rex = in_doubt()
    way(rex)
    rex.take_effects()
    due = rex.deadline
    assert due >= 1.0 + START_STEP_SECONDS
    rex.tick(due - 0.01)
    assert not rex.take_effects()
    rex.tick(due)
    (close,) = rex.take_effects()
    assert isinstance(close, CloseLobby)
    assert (close.kind, close.keeps_start) == (WAYS[way], True)
    rex.tick(due + 1)
    assert not rex.take_effects()


@pytest.mark.parametrize("told", ["nothing", "another lobby"])
def test_a_host_that_pings_and_says_no_more_is_left_60_s_after_the_signature(told: str) -> None:
    room, rex = in_doubt()
    if told == "another lobby":
        shown = [frame for link, frame in room.told if link == 1 and isinstance(frame, Lobby)][-1]
        rex.receive_frame(shown, 1.5)
    for second in range(4, 60, 4):
        rex.receive_frame(Ping(), 1.0 + second)
        rex.tick(1.0 + second)
    rex.take_effects()
    rex.receive_frame(Ping(), 1.0 + START_END_SECONDS - 0.01)
    rex.tick(1.0 + START_END_SECONDS - 0.01)
    assert all(isinstance(effect, SendToLink) for effect in rex.take_effects())
    rex.tick(1.0 + START_END_SECONDS)
    ended = [effect for effect in rex.take_effects() if isinstance(effect, HangUp)]
    assert bool(ended) is (told == "nothing")


def test_each_new_link_hears_the_seals_that_are_known_and_nothing_of_a_start_not_signed() -> None:
    room = Room.of(1)
    rex = room.guests[1]
    rex.tell_seals(OTHER_LINK)
    assert not rex.take_effects()
    room, rex = in_doubt()
    rex.tell_seals(OTHER_LINK)
    assert rex.take_effects() == [SendToLink(OTHER_LINK, seals_of(room, 1))]


def test_seals_of_several_players_add_up_and_those_who_know_fewer_are_told_the_others() -> None:
    room, rex = in_doubt()
    lose_link(rex)
    rex.take_effects()
    rex.hear_seals(OTHER_LINK, seals_of(room, 2))
    assert rex.take_effects() == [SendToLink(OTHER_LINK, seals_of(room, 1, 2))]
    rex.hear_seals(OTHER_LINK, seals_of(room, 1, 2))
    assert not rex.take_effects()
    rex.hear_seals(OTHER_LINK, seals_of(room, 0))
    (begin,) = (e for e in rex.take_effects() if isinstance(e, BeginGame))
    assert begin.genesis == room.begun[2].genesis


def test_signatures_that_do_not_fit_change_nothing() -> None:
    room, rex = in_doubt()
    lose_link(rex)
    rex.take_effects()
    right = all_seals(room)
    seals = room.begun[2].genesis.seals
    for wrong in (b"", right.signature[:-1], pack_seals({0: seals[1], 1: seals[0]}),
                  pack_seals({5: seals[0]})):  # fmt: skip
        with pytest.raises(BadBytes):
            rex.hear_seals(OTHER_LINK, right._replace(signature=wrong))
        assert not rex.take_effects()
    rex.hear_seals(OTHER_LINK, right._replace(body=b"another start"))
    assert not rex.take_effects()
    rex.hear_seals(OTHER_LINK, right)
    assert rex.is_over


def test_a_newer_start_ends_no_older_one_that_is_signed() -> None:
    room, rex = in_doubt()
    other = KeepingRoom.of(1, 2, entropy_of={1: seeded("other"), 2: seeded("others")})
    other.host.start.number = 1
    other.start(1.0)
    newer = [frame for link, frame in other.told if link == 1 and isinstance(frame, Start)][-1]
    assert newer.charter.start == 2
    lobby = [frame for link, frame in other.told if link == 1 and isinstance(frame, Lobby)][-1]
    rex._seen.lobby = lobby
    rex.receive_frame(newer, 4.0)
    assert rex.is_bound
    rex.hear_seals(OTHER_LINK, all_seals(room))
    (begin,) = (e for e in rex.take_effects() if isinstance(e, BeginGame))
    assert begin.genesis.charter.start == 1


@pytest.mark.parametrize("number", [0, 1])
def test_a_start_whose_number_does_not_rise_is_no_start_of_a_table(number: int) -> None:
    room, rex = in_doubt()
    (first,) = (f for link, f in room.told if link == 1 and isinstance(f, Start))
    charter = replace(first.charter, start=number)
    rex.receive_frame(Start(charter, first.addresses), 2.0)
    found = [e for e in rex.take_effects() if isinstance(e, FindOthers)]
    assert found  # the host is given up, and the others are asked


def test_the_seat_of_a_living_host_hears_it_of_another_one_too() -> None:
    room, rex = in_doubt()
    rex.receive_frame(Ping(), 2.0)
    rex.hear_seals(OTHER_LINK, all_seals(room))
    (begin,) = (e for e in rex.take_effects() if isinstance(e, BeginGame))
    assert begin.links == {1: 0}
    rex.hear_seals(OTHER_LINK, all_seals(room))
    assert not rex.take_effects()


def test_a_player_who_wants_to_leave_waits_no_longer_for_the_others() -> None:
    _room, rex = in_doubt()
    rex.leave_unless_begun(1.0)
    lose_link(rex)
    rex.take_effects()
    rex.tick(1.0 + START_STEP_SECONDS)
    assert rex.is_over


def test_a_seat_that_has_lost_its_host_says_nothing_more_to_it() -> None:
    _room, rex = in_doubt()
    lose_link(rex)
    rex.take_effects()
    rex.send_chat("anybody there?")
    rex.receive_frame(Closed(6), 3.0)
    rex.tick(8.0)
    rex.accept_key("Ana", 9.0)
    assert not [e for e in rex.take_effects() if isinstance(e, SendToLink | HangUp)]


def test_a_start_is_recalled_with_the_seed_that_has_signed_it_and_no_other() -> None:
    room, rex = in_doubt()
    signed, signer = room.signed[1], rex.signer
    with pytest.raises(BadBytes):
        FollowedStart.recall(signed.genesis, signer, bytes(32), signed.addresses)
    start = next(frame for _, frame in room.told if isinstance(frame, Start))
    with pytest.raises(BadBytes):
        FollowedStart.begin_attempt(start, Signer(bytes([99]) * 32), seeded("nobody here"))
    again = GuestLobby(signer, "Rex", "", 0, seeded("again"))
    body = Genesis.parse(signed.genesis.body)
    again.recall_start(FollowedStart.recall(body, signer, signed.seed, signed.addresses), 50.0)
    assert again.take_effects()[0] == signed
    assert again.deadline == 50.0 + START_STEP_SECONDS
    assert Signer(bytes([12]) * 32).key in again.keys_at_table
    again.hear_seals(OTHER_LINK, all_seals(room))
    (begin,) = (e for e in again.take_effects() if isinstance(e, BeginGame))
    assert (begin.genesis, begin.seed) == (room.begun[2].genesis, signed.seed)
