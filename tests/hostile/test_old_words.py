"""A player repeats the words of another one after that one has gone."""

import pytest

from kotp2p.mesh.gossip import ShowNotice
from kotp2p.peer.peer import Peer
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.notices import Gone
from kotp2p.wire.entries import Signed, sign_head
from kotp2p.wire.frames import Links
from kotp2p.wire.lineups import Here, Leave, Ready, sign_wish
from tests.support.five_players import PEOPLE, SEEDS, SIGNERS, genesis
from tests.support.hearing import hear_frame

ME, MALLORY, AWAY = 0, 3, 4
NOW, TOO_LONG = 100.0, 90


def seated() -> Peer:
    found = Peer(genesis(), ME, SIGNERS[ME], SEEDS[ME])
    found.begin(NOW)
    for seat in range(PEOPLE):
        if seat != ME:
            found.link_up(seat, NOW)
    hear_frame(found, MALLORY, Links((ME, AWAY)), NOW)
    found.take_effects()
    return found


def beat(seat: Seat, number: int, instance: bytes = bytes(8)) -> Signed:
    game = genesis().id
    return sign_head(SIGNERS[seat], game, seat, 0, 0, game, instance, number)


def words_of_away() -> tuple[Signed, ...]:
    """One of each kind that it may have signed before it went."""
    game, key = genesis().id, SIGNERS[AWAY]
    return (
        sign_wish(key, game, AWAY, 1, without=(MALLORY,)).signed,
        Here.sign(key, game, AWAY, bytes(8)).signed,
        Ready.sign(key, game, AWAY, 1, bytes(32), bytes(8)).signed,
    )


def gone(found: Peer, *words: Signed) -> set[Seat]:
    """Those that are told to be gone while Mallory says these words every second."""
    shown = set()
    for second in range(TOO_LONG):
        for seat in range(PEOPLE):
            if seat not in (ME, AWAY):
                hear_frame(found, seat, beat(seat, second + 2), NOW + second)
        for word in words:
            hear_frame(found, MALLORY, word, NOW + second)
        found.tick(NOW + second)
        effects = found.take_effects()
        shown |= {e.notice for e in effects if isinstance(e, ShowNotice)}
    return {notice.seat for notice in shown if isinstance(notice, Gone)}


def test_a_heartbeat_that_is_sent_again_brings_nobody_back() -> None:
    """Where the table has no clocks, all others would wait for ever."""
    found = seated()
    hear_frame(found, AWAY, beat(AWAY, 5), NOW)
    found.link_down(AWAY, NOW)
    older = beat(AWAY, 5, b"\x00" * 8), beat(AWAY, 4)
    assert gone(found, beat(AWAY, 5), *older) == {AWAY}


def test_a_heartbeat_of_an_older_process_brings_nobody_back() -> None:
    found = seated()
    hear_frame(found, AWAY, beat(AWAY, 1, b"\x00\x00\x00\x01" + bytes(4)), NOW)
    found.link_down(AWAY, NOW)
    assert gone(found, beat(AWAY, 9)) == {AWAY}


@pytest.mark.parametrize("word", words_of_away(), ids=lambda word: word.kind.name)
def test_a_word_that_is_sent_again_brings_nobody_back(word: Signed) -> None:
    found = seated()
    found.link_down(AWAY, NOW)
    assert gone(found, word) == {AWAY}


def test_the_farewell_of_a_player_that_is_sent_again_brings_nobody_back() -> None:
    found = seated()
    found.link_down(AWAY, NOW)
    leave = Leave.sign(SIGNERS[AWAY], genesis().id, AWAY, 0, 0)
    gone(found, leave.signed)
    before = found.reachability._last_heard[AWAY]
    hear_frame(found, MALLORY, leave.signed, NOW + TOO_LONG)
    assert found.reachability._last_heard[AWAY] == before < NOW + 1


def test_new_heartbeats_by_another_way_are_a_sign_of_life() -> None:
    found = seated()
    found.link_down(AWAY, NOW)
    for second in range(TOO_LONG):
        hear_frame(found, MALLORY, beat(AWAY, second + 1), NOW + second)
        found.tick(NOW + second)
    shown = {e.notice for e in found.take_effects() if isinstance(e, ShowNotice)}
    assert AWAY not in {notice.seat for notice in shown if isinstance(notice, Gone)}
