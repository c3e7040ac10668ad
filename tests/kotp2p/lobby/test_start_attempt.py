"""The start of a game between sans-IO lobbies: who does not follow, who lies, who goes."""

from dataclasses import replace

import pytest

from kotp2p.lobby.host import LOBBIES_AT_ONCE, MAX_UNSEATED_LINKS
from kotp2p.lobby.known_keys import NewKeyPolicy
from kotp2p.lobby.start import START_STEP_SECONDS, Ceremony
from kotp2p.referee.box.rulesets import Options
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import LobbyChanged, Said, StartFailed
from kotp2p.wire import frames
from kotp2p.wire.encoding import BadBytes, Unwritable
from kotp2p.wire.entries import Signed
from kotp2p.wire.frames import Frame, Sealed, Start
from tests.support.five_players import SEEDS, SIGNERS, genesis_of
from tests.support.lobby_room import Room


def test_all_begin_with_one_genesis() -> None:
    room = Room.of(1, 2)
    room.start(1.0)
    assert set(room.begun) == {0, 1, 2}
    assert len({begin.genesis.id for begin in room.begun.values()}) == 1
    assert [room.begun[n].seat for n in (0, 1, 2)] == [0, 1, 2]
    assert len(set(room.seeds)) == 3


def test_a_start_that_no_guest_could_read_is_proposed_to_nobody() -> None:
    room = Room.of(1, 2, seats=3, start_when_full=True)
    room.host.offer = replace(room.host.offer, options=Options(two_player=True))
    with pytest.raises(Unwritable):
        room.tick(1.0)
    room.pump(1.0)
    assert room.host.start.is_open
    assert not room.said(Start)


def test_a_guest_that_does_not_follow_is_taken_out_and_the_start_repeated_with_new_seeds() -> None:
    room = Room.of(1, 2)
    room.deaf.add(2)
    room.start(1.0)
    now = 1.0
    while now < 1.0 + START_STEP_SECONDS:
        now += 2.0  # the deaf one's link stands; its process answers nothing but pings
        for guest in room.host.seating.guests.values():
            guest.heard_at = now
        room.tick(now)
    room.see_lobby(now)
    assert StartFailed(("Guest 2",)) in room.notices
    assert set(room.begun) == {0, 1}
    assert [p.name for p in room.begun[1].genesis.players] == ["Ana", "Guest 1"]
    first, second = (frame.charter.table for frame in room.said(frames.Start)[::2])
    assert first != second
    assert len(set(room.seeds)) == len(room.seeds) == 4
    assert [frame.charter.start for frame in room.said(frames.Start)] == [1, 1, 2]


def test_a_silent_link_is_away_within_twelve_seconds_and_its_seat_free_after_two_minutes() -> None:
    room = Room.of(1, 2)
    room.deaf.add(2)
    now = 0.0
    for until, seats in (
        (frames.LINK_DEAD_SECONDS, [("Ana", False), ("Guest 1", False), ("Guest 2", True), None]),
        (
            frames.LINK_DEAD_SECONDS + frames.SEAT_KEPT_SECONDS,
            [("Ana", False), ("Guest 1", False), None, None],
        ),
    ):
        while now < until:
            now += 1.0
            room.host.tick(now)
            room.guests[1].tick(now)
            room.pump(now)
        last = [n for n in room.notices if isinstance(n, LobbyChanged)][-1]
        assert [(s.name, s.away) if s else None for s in last.seats] == seats


class TwoFaced(Room):
    """The host shows guest 1 a seal that it did not get from guest 2."""

    def altered_by_host(self, link: int, frame: Frame) -> Frame:
        if link == 1 and isinstance(frame, frames.AllSealed):
            return replace(frame, commitments=(*frame.commitments[:2], bytes(32)))
        return frame


def test_a_host_with_two_faces_gets_no_genesis() -> None:
    room = TwoFaced.of(1, 2)
    room.start(1.0)
    assert room.said(frames.GenesisShown)
    assert not room.begun
    assert room.shut[1] is EndKind.NOT_A_TABLE


def test_a_link_that_takes_no_seat_is_sent_away_however_often_it_pings() -> None:
    room = Room()
    room.host.accept_link(9, bytes([9]) * 32, "10.0.0.9", 0.0)
    for second in range(1, 12):
        room.host.receive_frame(9, frames.Ping(), float(second))
        room.host.tick(float(second))
    room.pump(12.0)
    assert (9, frames.Closed(int(frames.RefusalCode.BAD))) in room.told
    room.join(1, 12.0)
    room.start(14.0)
    assert set(room.begun) == {0, 1}


def test_few_may_stand_in_the_lobby_without_a_seat() -> None:
    room = Room()
    for link in range(20, 60):
        room.host.accept_link(link, bytes([link]) * 32, "10.0.0.9", 0.0)
    room.pump(0.0)
    busy = frames.Closed(int(frames.RefusalCode.BUSY))
    away = [link for link, frame in room.told if frame == busy]
    assert away == list(range(20, 60 - MAX_UNSEATED_LINKS))
    room.join(1)
    assert room.host.free_seats == room.seats - 2


def test_a_link_without_a_seat_is_not_heard() -> None:
    """Also while its player still sits in the lobby that was told last."""
    room = Room.of(1, 2)
    room.tick(0.0)
    for _ in range(LOBBIES_AT_ONCE):
        room.host.publish_seats()
    room.host.receive_frame(1, frames.Stand(), 0.0)
    room.host.accept_link(9, room.guests[1].signer.key, "10.0.0.9", 0.0)
    room.host.receive_frame(9, room.line_of(1, "hello"), 0.0)
    room.pump(1.0)
    assert not [n for n in room.notices if isinstance(n, Said)]
    assert not [f for _, f in room.told if isinstance(f, frames.LobbyChat)]


def test_a_player_that_chatters_is_heard_now_and_then() -> None:
    """Eight lines in ten seconds, also if he comes back by another link."""
    room = Room.of(1, 2)
    for n in range(5):
        room.host.receive_frame(1, room.line_of(1, f"line {n}"), 1.0)
    room.pump(1.0)
    room.host.accept_link(7, room.guests[1].signer.key, "10.0.0.9", 2.0)
    for n in range(5, 20):
        room.host.receive_frame(7, room.line_of(1, f"line {n}"), 2.0)
    room.host.receive_frame(2, room.line_of(2, "quiet, please"), 2.0)
    room.pump(2.0)
    room.host.receive_frame(7, room.line_of(1, "five again"), 11.0)
    room.pump(11.0)
    shown = [f"line {n}" for n in range(8)] + ["quiet, please", "five again"]
    assert [n.text for n in room.notices if isinstance(n, Said)] == shown
    passed_on = [n.text for n in room.told_to[2] if isinstance(n, Said)]
    assert passed_on == [line for line in shown if line != "quiet, please"]


# -- another start after the signature ----------------------------------------------------


OLD = b"old key of some player, 32 bytes"


class Stopped(Room):
    """Guest 1 keeps its signature for itself: the start stops there."""

    def altered(self, link: int, frame: Frame) -> Frame:
        if link == 1 and isinstance(frame, Signed):
            self.deaf.add(link)
            return Sealed(bytes(32), bytes(32))  # of no attempt
        return frame


def started(kind: type[Room] = Room) -> Room:
    room = kind.of(1, 2)
    room.start(1.0)
    return room


@pytest.fixture
def shown() -> dict[type[Frame], Frame]:
    """What guest 1 is sent in a start that comes to its end, by its kind."""
    return {type(frame): frame for link, frame in started().told if link == 1}


def hold_another(room: Room, start: Frame) -> None:
    """Guest 1 is shown the next start, with another key under a name that it knows."""
    assert isinstance(start, Start)
    guest = room.guests[1]
    guest.known_keys.policy = NewKeyPolicy.ASK
    guest.known_keys.remember([("Guest 2", OLD)])
    charter = replace(start.charter, start=guest._newest_start + 1)
    guest.receive_frame(replace(start, charter=charter), 2.0)


def test_the_signed_start_can_still_become_the_game(shown: dict[type[Frame], Frame]) -> None:
    room = started(Stopped)
    hold_another(room, shown[Start])
    room.guests[1].receive_frame(shown[Signed], 2.0)
    assert room.guests[1].is_over


def test_a_host_that_is_lost_meanwhile_leaves_the_signed_start_in_doubt(
    shown: dict[type[Frame], Frame],
) -> None:
    room = started(Stopped)
    hold_another(room, shown[Start])
    room.guests[1].lose_host(2.0)
    room.guests[1].tick(2.0 + START_STEP_SECONDS)
    assert room.guests[1].is_over


def test_no_seat_takes_signatures_under_a_genesis_that_it_has_not_signed() -> None:
    own = genesis_of(2)
    ceremony = Ceremony(own.charter, SIGNERS[0], SEEDS[0], bytes(32), genesis=own)
    with pytest.raises(BadBytes, match="has not signed"):
        ceremony.add_seals(genesis_of(2, two_player=True).signed)
