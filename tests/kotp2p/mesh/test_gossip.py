"""Which seats are sent a body, and how often missing ones are asked for and sent."""

from itertools import pairwise

import pytest

from kotp2p.game.ledger import Ledger
from kotp2p.mesh.gossip import (
    MAX_REQUEST_PAUSE_SECONDS,
    REQUEST_PAUSE_SECONDS,
    Gossip,
    SendFrame,
)
from kotp2p.mesh.reachability import Reachability
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.cores import RELAYS_AT_ONCE
from kotp2p.wire.frames import Frame, Links, Want
from tests.support.five_players import SIGNERS, genesis, owes

ME = 0
FRAME = Links(())


@pytest.fixture
def gossip() -> Gossip:
    """Of seat 0, with links to 1, 2 and 3; seat 1 has a link to 4."""
    reachability = Reachability(ME)
    reachability.start_clocks(len(SIGNERS), 0.0)
    for seat in (1, 2, 3):
        reachability.add_link(seat, 0.0)
    reachability.learn_links(1, (0, 4))
    return Gossip(Ledger(genesis()), reachability)


def sent(gossip: Gossip) -> list[tuple[Seat, Frame]]:
    found = [(e.seat, e.frame) for e in gossip.effects if isinstance(e, SendFrame)]
    gossip.effects.clear()
    return found


def request_times(gossip: Gossip, until: float) -> list[float]:
    """When requests to seat 1 go out, if one is tried every half second."""
    found, now = [], 0.0
    while now <= until:
        gossip.request_missing(1, now)
        if sent(gossip):
            found.append(now)
        now += REQUEST_PAUSE_SECONDS / 2
    return found


def test_a_frame_goes_to_seats_with_a_link_only(gossip: Gossip) -> None:
    gossip.send(4, FRAME)
    gossip.broadcast(FRAME)
    assert sent(gossip) == [(1, FRAME), (2, FRAME), (3, FRAME)]


def test_a_body_is_relayed_to_seats_without_a_link_to_its_author(gossip: Gossip) -> None:
    gossip.relay_frame(2, 4, FRAME)
    assert sent(gossip) == [(3, FRAME)]  # not to 1, which hears 4; nor back to 2


def test_news_is_relayed_until_its_author_has_used_up_its_relays(gossip: Gossip) -> None:
    for _ in range(RELAYS_AT_ONCE):
        gossip.relay_news(2, 4, FRAME)
        assert sent(gossip) == [(3, FRAME)]
    gossip.relay_news(2, 4, FRAME)
    assert sent(gossip) == []
    gossip.relay_news(2, 1, FRAME)  # each author for itself
    assert sent(gossip) == [(3, FRAME)]


def test_requests_that_bring_nothing_get_rarer(gossip: Gossip) -> None:
    times = request_times(gossip, 64.0)
    pauses = [after - before for before, after in pairwise(times)]
    assert pauses[:5] == [1.0, 2.0, 4.0, 8.0, 16.0]
    assert set(pauses[5:]) == {MAX_REQUEST_PAUSE_SECONDS}


def test_a_request_that_brings_something_is_soon_followed_by_another(gossip: Gossip) -> None:
    assert request_times(gossip, 3.0) == [0.0, 1.0, 3.0]
    gossip.ledger.accept_entry(owes(gossip.ledger, 1))
    gossip.request_missing(1, 7.0)
    gossip.request_missing(1, 8.0)
    assert sent(gossip) == [(1, Want(0, 0)), (1, Want(0, 0))]


def test_another_past_is_asked_for_again_until_this_copy_stands_elsewhere(gossip: Gossip) -> None:
    """The first answer may have been refused, as another request had just been served."""
    while gossip.ledger.height < 3:
        for seat in gossip.ledger.owing_seats():
            gossip.ledger.accept_entry(owes(gossip.ledger, seat))
    gossip.request_other_past(1, 1)
    gossip.request_missing(1, 0.0)
    gossip.request_missing(2, 0.0)
    assert sent(gossip) == [(1, Want(0, 1)), (1, Want(0, 1)), (2, Want(0, 3))]
    for seat in gossip.ledger.owing_seats():
        gossip.ledger.accept_entry(owes(gossip.ledger, seat))
    gossip.request_missing(1, 60.0)
    assert sent(gossip) == [(1, Want(0, gossip.ledger.height))]


def test_a_new_link_is_asked_at_once(gossip: Gossip) -> None:
    gossip.request_missing(1, 0.0)
    gossip.request_missing(1, 0.1)
    assert len(sent(gossip)) == 1
    gossip.forget_requests(1)
    gossip.request_missing(1, 0.2)
    assert len(sent(gossip)) == 1


def test_a_seat_that_asks_without_pause_is_served_now_and_then(gossip: Gossip) -> None:
    gossip.ledger.accept_entry(owes(gossip.ledger, 1))
    served = [gossip.serve_request(2, Want(0, 0), now / 10) for now in range(11)]
    assert [n for n, was in enumerate(served) if was] == [0, 5, 10]
    assert gossip.serve_request(3, Want(0, 0), 0.1)  # each seat for itself
