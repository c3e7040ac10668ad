"""What a seat does with what others have signed, beside following the game."""

from __future__ import annotations

from kotp2p.mesh.effects import ShowNotice
from kotp2p.notices import Said
from kotp2p.peer.peer import Peer
from kotp2p.wire.chat_line import ChatLine
from tests.support.five_players import SEEDS, SIGNERS, at_a_decision, genesis, others, owes


def at_the_table() -> tuple[Peer, int, int]:
    """A peer with links to all, the seat that is asked, and another one."""
    ledger, asked = at_a_decision()
    me, other = others(asked)[:2]
    peer = Peer(genesis(), me, SIGNERS[me], SEEDS[me], ledger)
    peer.begin(0.0)
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
    peer.receive_frame(other, line.signed, 1.0)
    said = [effect.notice for effect in peer.take_effects() if isinstance(effect, ShowNotice)]
    assert said == [Said(genesis().players[other].name, "hello", yours=False)]
