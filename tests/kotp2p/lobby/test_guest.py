"""A guest in a lobby: when it pings its host, and when it gives it up."""

from kotp2p.lobby.lobby_effects import SendToLink
from kotp2p.seams.endings import EndKind
from kotp2p.wire.frames import LINK_DEAD_SECONDS, PING_SECONDS, SEAT_KEPT_SECONDS, Ping
from tests.support.lobby_room import Room


def test_a_guest_leaves_a_host_that_has_said_nothing_for_too_long() -> None:
    room = Room()
    room.join(1, 0.0)
    room.deaf.add(1)
    late = LINK_DEAD_SECONDS + SEAT_KEPT_SECONDS
    for now, is_away, kind in (
        (LINK_DEAD_SECONDS - 0.1, False, None),
        (LINK_DEAD_SECONDS, True, None),
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
    for tenth in range(int(30 * PING_SECONDS)):
        guest.tick(tenth / 10)
        sent = [e.frame for e in guest.take_effects() if isinstance(e, SendToLink)]
        times += [tenth / 10] * sent.count(Ping())
        room.tick(tenth / 10)
    assert times == [0.0, PING_SECONDS, 2 * PING_SECONDS]
