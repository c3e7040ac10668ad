"""A player links anew again and again, and says what it has said before."""

from __future__ import annotations

from collections import Counter

import pytest

from kotp2p.mesh.gossip import SendFrame
from kotp2p.net.links import MAX_QUEUED_FRAMES
from kotp2p.peer.peer import Peer
from kotp2p.referee.model.answers import Pass, Seat
from kotp2p.wire.entries import Answering, Entry, Signed
from kotp2p.wire.lineups import LineUp, Ready
from tests.support.five_players import SIGNERS, genesis
from tests.support.hearing import hear_frame
from tests.support.wired_peers import WiredPeers

ME, FRIEND, MALLORY = 0, 1, 4
SOME_LINKS = 10


def some_way_into_a_game() -> tuple[WiredPeers, Peer]:
    table = WiredPeers(MALLORY)
    table.play_on(30)
    return table, table.peers[ME]


def words_about_line_ups(found: Peer, attempts: range) -> list[Signed]:
    """For each attempt a READY and an assent of Mallory's, for a line-up that nobody else finds."""
    game, key, said = genesis().id, SIGNERS[MALLORY], list[Signed]()
    for attempt in attempts:
        base = (found.ledger.height, found.ledger.head)
        lineup = LineUp.build(game, attempt, game, base, bytes(32), (), ())
        said.append(Ready.sign(key, game, MALLORY, attempt, lineup.id, bytes(8)).signed)
        said.append(lineup.signed({MALLORY: lineup.assent(key)}))
    return said


def links_anew_and_sends(table: WiredPeers, found: Peer, frames: list[Signed]) -> Counter[Seat]:
    """How many bodies the peer sends to each seat because of that."""
    found.link_up(MALLORY, table.now)
    for frame in frames:
        hear_frame(found, MALLORY, frame, table.now)
    table.now += 0.5
    return sent_by(found)


def sent_by(found: Peer) -> Counter[Seat]:
    return Counter(
        e.seat
        for e in found.take_effects()
        if isinstance(e, SendFrame) and isinstance(e.frame, Signed)
    )


def test_the_same_words_over_new_links_leave_room_on_the_new_link_of_another_seat() -> None:
    """Each new link is greeted with what is known about line-ups: the queue of a link has an
    end."""
    table, found = some_way_into_a_game()
    frames = words_about_line_ups(found, range(1, 65))
    for _ in range(SOME_LINKS):
        links_anew_and_sends(table, found, frames)
    found.link_up(FRIEND, table.now)
    assert sent_by(found)[FRIEND] < MAX_QUEUED_FRAMES / 8


def test_line_ups_without_end_leave_room_on_the_new_link_of_another_seat() -> None:
    table, found = some_way_into_a_game()
    for first in range(1, 600, 50):
        links_anew_and_sends(table, found, words_about_line_ups(found, range(first, first + 50)))
    found.link_up(FRIEND, table.now)
    assert sent_by(found)[FRIEND] < MAX_QUEUED_FRAMES / 8


def test_the_same_words_over_a_new_link_are_not_passed_on_again() -> None:
    """Other links are not filled with them."""
    table, found = some_way_into_a_game()
    frames = words_about_line_ups(found, range(1, 9))
    first = links_anew_and_sends(table, found, frames)
    assert first[FRIEND] >= 8
    again = links_anew_and_sends(table, found, frames)
    assert again[FRIEND] == 0


def test_an_entry_on_a_past_of_long_ago_does_not_fill_all_links_with_the_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    most = 30
    monkeypatch.setattr("kotp2p.mesh.gossip.MAX_BODIES_PER_REQUEST", most)
    table, found = some_way_into_a_game()
    assert len(found.ledger.chain.bodies_since(0)) > most
    height = next(h for h in range(8) if found.ledger.chain.find_entry(h, MALLORY) is None)
    pass_ = Answering(Pass())
    lie = Entry.sign(SIGNERS[MALLORY], 0, height, bytes(32), MALLORY, pass_)
    hear_frame(found, MALLORY, lie.signed, table.now)
    assert 0 < sent_by(found)[FRIEND] <= most
