"""What a seat does with what others have signed, beside following the game."""

from __future__ import annotations

from kotp2p.mesh.effects import SendFrame, ShowNotice
from kotp2p.notices import Said
from kotp2p.peer.peer import Peer
from kotp2p.wire.chat_line import ChatLine
from kotp2p.wire.entries import BodyKind, Signed
from tests.support.five_players import (
    SEEDS,
    SIGNERS,
    at_a_decision,
    genesis,
    hear_all,
    others,
    owes,
    two_answers,
)
from tests.support.hearing import hear_frame


def at_the_table() -> tuple[Peer, int, int]:
    """A peer that has heard from all and is linked to all, the seat that is asked, and another."""
    ledger, asked = at_a_decision()
    me, other = others(asked)[:2]
    peer = Peer(genesis(), me, SIGNERS[me], SEEDS[me], ledger)
    hear_all(peer, SIGNERS)
    for seat in others(me):
        peer.link_up(seat, 0.0)
    peer.take_effects()
    return peer, asked, other


def test_it_takes_an_entry_that_it_has_held_back_once_no_vote_forbids_it() -> None:
    peer, asked, _ = at_the_table()
    entry = owes(peer.ledger, asked)
    peer._voting.held_entries._entries[(*entry.place, asked)] = entry
    peer.tick(1.0)
    assert peer.ledger.height == entry.height + 1


def test_it_shows_what_another_player_says() -> None:
    peer, _, other = at_the_table()
    line = ChatLine.sign(SIGNERS[other], genesis().id, other, 1, "hello")
    hear_frame(peer, other, line.signed, 1.0)
    said = [effect.notice for effect in peer.take_effects() if isinstance(effect, ShowNotice)]
    assert said == [Said(genesis().players[other].name, "hello", yours=False)]


def test_it_signs_what_it_owes_once_all_frames_that_have_come_are_taken() -> None:
    peer, asked, other = at_the_table()
    _, reroll = two_answers(peer.ledger, asked)
    peer.receive_frame(asked, reroll.signed, 1.0)
    gather = peer.ledger.height
    assert gather == reroll.height + 1
    peer.receive_frame(other, owes(peer.ledger, other).signed, 1.0)
    assert peer.ledger.chain.find_entry(gather, peer.seat) is None
    assert peer.deadline == 1.0
    peer.tick(1.0)
    assert peer.ledger.chain.find_entry(gather, peer.seat) is not None


def test_it_opens_nothing_for_a_roll_that_the_next_frame_shows_to_be_one_of_two_answers() -> None:
    peer, asked, _ = at_the_table()
    kept, reroll = two_answers(peer.ledger, asked)
    for answer in (reroll, kept):
        peer.receive_frame(asked, answer.signed, 1.0)
    peer.tick(1.0)
    assert peer.ledger.chain.find_entry(reroll.height + 1, peer.seat) is None
    sent = [e.frame for e in peer.take_effects() if isinstance(e, SendFrame)]
    assert BodyKind.VOTE in {frame.kind for frame in sent if isinstance(frame, Signed)}
