"""A seat in a game tells one that has signed the start, and asks, that all have (6.2 R4)."""

from __future__ import annotations

from kotp2p.mesh.effects import CloseLink, SendFrame
from kotp2p.peer.peer import Peer
from kotp2p.wire.frames import Frame
from kotp2p.wire.frames_lobby import AllAssent, Assent, Stand
from tests.support.five_players import SEEDS, SIGNERS, genesis
from tests.support.hearing import hear_frame

ME, HERE, THERE = 0, 1, 2
ASKED = Assent(bytes(64))


def begun() -> Peer:
    peer = Peer(genesis(), ME, SIGNERS[ME], SEEDS[ME])
    peer.begin(0.0)
    for seat in (HERE, THERE):
        peer.link_up(seat, 0.0)
    peer.take_effects()
    return peer


def told(peer: Peer, frame: Frame, seat: int = HERE) -> list[tuple[int, Frame]]:
    hear_frame(peer, seat, frame, 1.0)
    effects = peer.take_effects()
    assert not [e for e in effects if isinstance(e, CloseLink)]
    return [
        (e.seat, e.frame)
        for e in effects
        if isinstance(e, SendFrame) and isinstance(e.frame, AllAssent)
    ]


def test_the_first_question_on_each_link_is_answered() -> None:
    peer, answer = begun(), AllAssent(genesis().signatures)
    assert told(peer, ASKED) == [(HERE, answer)]
    assert told(peer, ASKED) == []
    assert told(peer, ASKED, THERE) == [(THERE, answer)]
    peer.link_up(HERE, 2.0)
    peer.take_effects()
    assert told(peer, ASKED) == [(HERE, answer)]


def test_an_answer_that_is_not_needed_any_more_is_passed_over() -> None:
    peer = begun()
    assert told(peer, AllAssent(())) == []


def test_other_frames_of_the_lobby_end_the_link() -> None:
    peer = begun()
    hear_frame(peer, HERE, Stand(), 1.0)
    assert [e.seat for e in peer.take_effects() if isinstance(e, CloseLink)] == [HERE]
