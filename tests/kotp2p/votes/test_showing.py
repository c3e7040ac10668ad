"""How often a seat shows to all what it has taken of the accused of a vote."""

from __future__ import annotations

from kotp2p.game.ledger import Ledger
from kotp2p.mesh.effects import SendFrame
from kotp2p.votes.voting import Voting
from kotp2p.wire.entries import BodyKind, Signed
from tests.support.five_players import at_a_decision, drop, genesis, linked, others, tell


def test_a_vote_that_is_sent_again_and_again_is_shown_an_entry_once() -> None:
    """What is shown goes to all: a cheat's flood would be multiplied."""
    ledger, cheat = at_a_decision()
    me, other = others(cheat)[:2]
    height = ledger.chain.last_gather
    voting = linked(ledger, me, other)
    old = Ledger(genesis())
    assert height > 0
    for _ in range(5):
        tell(voting, cheat, drop(old, cheat, (other,), 1))
    assert entries_shown(voting) == 1
    voting.objections.note_new_link(cheat)
    tell(voting, cheat, drop(old, cheat, (other,), 1))
    assert entries_shown(voting) == 2


def entries_shown(voting: Voting) -> int:
    sent = [e.frame for e in voting.intake.gossip.effects if isinstance(e, SendFrame)]
    return sum(isinstance(frame, Signed) and frame.kind is BodyKind.PLAY for frame in sent)
