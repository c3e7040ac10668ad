"""How often a seat shows to all what it has taken of the accused of a vote."""

from __future__ import annotations

from collections import Counter

from kotp2p.game.ledger import Ledger
from kotp2p.mesh.effects import SendFrame
from kotp2p.votes.objections import MAX_SHOWN
from kotp2p.votes.voting import Voting
from kotp2p.wire.entries import BodyKind, Signed
from referee.model.answers import Seat
from tests.support.five_players import at_a_decision, drop, genesis, linked, others, tell


def test_a_vote_that_is_sent_again_and_again_is_shown_an_entry_once() -> None:
    """What is shown goes to all: a cheat's flood would be multiplied. Over a new link the cheat
    alone is shown it anew."""
    ledger, cheat = at_a_decision()
    me, other = others(cheat)[:2]
    height = ledger.chain.last_gather
    voting = linked(ledger, me, other)
    voting.intake.gossip.reachability.add_link(cheat, 0.0)
    old = Ledger(genesis())
    assert height > 0
    for _ in range(5):
        tell(voting, cheat, drop(old, cheat, (other,), 1))
    assert entries_shown(voting) == {other: 1, cheat: 1}
    voting.objections.note_new_link(cheat)
    tell(voting, cheat, drop(old, cheat, (other,), 1))
    assert entries_shown(voting) == {other: 1, cheat: 2}


def entries_shown(voting: Voting) -> dict[Seat, int]:
    """By the seat to which they were sent."""
    sent = [e for e in voting.intake.gossip.effects if isinstance(e, SendFrame)]
    return Counter(
        e.seat for e in sent if isinstance(e.frame, Signed) and e.frame.kind is BodyKind.PLAY
    )


def test_what_one_voter_has_all_told_is_bounded_whatever_links_it_makes() -> None:
    ledger, cheat = at_a_decision()
    me, other = others(cheat)[:2]
    voting = linked(ledger, me, other)
    voting.intake.gossip.reachability.add_link(cheat, 0.0)
    entry = ledger.chain.find_entry(ledger.chain.last_gather, other)
    assert entry is not None
    for number in range(MAX_SHOWN + 5):
        voting.objections.note_new_link(cheat)
        voting.objections._tell(cheat, (number,), [entry.signed])
    assert entries_shown(voting) == {other: MAX_SHOWN, cheat: MAX_SHOWN + 5}
