"""A player links anew again and again, and says what it has said before."""

from __future__ import annotations

from collections import Counter

import pytest

from kotp2p.mesh.effects import SendFrame
from kotp2p.net.links import MAX_QUEUED_FRAMES
from kotp2p.peer.peer import Peer
from kotp2p.votes.objections import MAX_ANSWERS, MAX_SHOWN
from kotp2p.wire.entries import Answering, Entry, Signed
from kotp2p.wire.votes import Vote, VoteChoice
from referee.model.answers import Pass, Seat
from tests.support.five_players import PEOPLE, SIGNERS, genesis
from tests.support.hearing import hear_frame
from tests.support.wired_peers import WiredPeers

ME, FRIEND, MALLORY = 0, 1, 4
SOME_LINKS = 40


def some_way_into_a_game() -> tuple[WiredPeers, Peer]:
    table = WiredPeers(MALLORY)
    table.play_on(30)
    return table, table.peers[ME]


def votes_at(found: Peer, height: int, rounds: range) -> list[Signed]:
    """Votes of Mallory's against all who have signed something there."""
    head, accused = found.ledger.heads[height], tuple(s for s in range(PEOPLE) if s != MALLORY)
    place, drop = (0, height), VoteChoice.DROP
    return [
        Vote.sign(SIGNERS[MALLORY], genesis().id, place, head, MALLORY, drop, accused[1:], r).signed
        for r in rounds
    ]


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


def test_the_same_votes_over_new_links_leave_room_on_the_new_link_of_another_seat() -> None:
    """Each new link was once sent an objection for each vote of each link, until none could stand:
    the queue of a link has an end."""
    table, found = some_way_into_a_game()
    frames = votes_at(found, found.ledger.chain.last_gather, range(1, MAX_ANSWERS + 1))
    for _ in range(SOME_LINKS):
        links_anew_and_sends(table, found, frames)
    found.link_up(FRIEND, table.now)
    assert sent_by(found)[FRIEND] < MAX_QUEUED_FRAMES / 8


def test_objections_at_many_heights_leave_room_on_the_new_link_of_another_seat() -> None:
    table, found = some_way_into_a_game()
    round_ = 0
    for height in range(found.ledger.height):
        rounds = range(round_ + 1, round_ + 1 + MAX_ANSWERS // 2)
        round_ = rounds[-1]
        links_anew_and_sends(table, found, votes_at(found, height, rounds))
    found.link_up(FRIEND, table.now)
    assert sent_by(found)[FRIEND] < MAX_QUEUED_FRAMES / 8


def test_the_same_votes_over_a_new_link_are_answered_to_their_author_alone() -> None:
    """Other links are not filled: what goes over them is at the cost of the seat that answers."""
    table, found = some_way_into_a_game()
    frames = votes_at(found, found.ledger.chain.gather_before_last, range(1, MAX_SHOWN + 1))
    first = links_anew_and_sends(table, found, frames)
    assert first[FRIEND] > MAX_SHOWN
    again = links_anew_and_sends(table, found, frames)
    assert again[FRIEND] == 0
    assert again[MALLORY] > MAX_SHOWN


def test_an_entry_on_a_past_of_long_ago_does_not_fill_all_links_with_the_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    most = 30
    monkeypatch.setattr("kotp2p.mesh.forks.MAX_BODIES_PER_REQUEST", most)
    table, found = some_way_into_a_game()
    assert len(found.ledger.bodies_since(0)) > most
    height = next(h for h in range(8) if found.ledger.chain.find_entry(h, MALLORY) is None)
    pass_ = Answering(Pass())
    lie = Entry.sign(SIGNERS[MALLORY], genesis().id, 0, height, bytes(32), MALLORY, pass_)
    hear_frame(found, MALLORY, lie.signed, table.now)
    assert 0 < sent_by(found)[FRIEND] <= most
