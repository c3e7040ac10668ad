"""What a seat does with what others have signed, beside following the game."""

from __future__ import annotations

from unittest.mock import patch

from kotp2p.mesh.effects import SendFrame, ShowNotice
from kotp2p.notices import Said
from kotp2p.peer.peer import Peer
from kotp2p.wire.chat_line import ChatLine
from kotp2p.wire.entries import BodyKind, Head, Signed
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


def test_it_follows_up_at_once_what_takes_the_game_on() -> None:
    peer, asked, _ = at_the_table()
    _, reroll = two_answers(peer.ledger, asked)
    peer.receive_frame(asked, reroll.signed, 1.0)
    assert peer.ledger.height == reroll.height + 1
    assert peer.ledger.chain.find_entry(peer.ledger.height, peer.seat) is not None


def test_it_votes_at_once_by_what_proves_a_cheat() -> None:
    peer, asked, _ = at_the_table()
    kept, reroll = two_answers(peer.ledger, asked)
    peer.receive_frame(asked, reroll.signed, 1.0)
    peer.take_effects()
    peer.receive_frame(asked, kept.signed, 1.0)
    sent = [e.frame for e in peer.take_effects() if isinstance(e, SendFrame)]
    assert BodyKind.VOTE in {frame.kind for frame in sent if isinstance(frame, Signed)}


def test_what_is_known_is_followed_up_once_however_often_it_comes() -> None:
    peer, asked, _ = at_the_table()
    _, reroll = two_answers(peer.ledger, asked)
    hear_frame(peer, asked, reroll.signed, 1.0)
    with patch.object(Peer, "_advance", autospec=True, side_effect=Peer._advance) as advance:
        for _ in range(9):
            peer.receive_frame(asked, reroll.signed, 2.0)
        assert advance.call_count == 0
        assert peer.deadline == 2.0
        peer.tick(2.0)
        assert advance.call_count == 1


def test_it_says_nothing_once_a_newer_process_plays_its_seat() -> None:
    peer, asked, _ = at_the_table()
    newer = Head(peer.seat, *peer.ledger.place, peer.ledger.head, bytes((0, 0, 0, 9, 1, 1, 1, 1)))
    hear_frame(peer, asked, newer.sign(SIGNERS[peer.seat], genesis().id), 1.0)
    assert peer.has_ended
    peer.take_effects()
    peer.say_line("hello", 2.0)
    assert not peer.take_effects()
