"""What a player is told of a vote of their seat that stands."""

from __future__ import annotations

import math

from kotp2p.absence_notices import VoteFailed, VoteStands
from kotp2p.mesh.effects import ShowNotice
from kotp2p.notices import Notice
from kotp2p.votes.standing import TELL_AFTER_SECONDS, VoteStanding
from kotp2p.votes.voting import Voting
from tests.support.five_players import (
    accuse,
    at_a_decision,
    count,
    drop,
    held,
    others,
    owes,
    sitting,
    tell,
)


def told(voting: Voting, standing: VoteStanding, now: float) -> list[Notice]:
    effects = voting.intake.gossip.effects
    effects.clear()
    standing.report(now)
    return [effect.notice for effect in effects if isinstance(effect, ShowNotice)]


def test_a_vote_that_stands_is_told_after_some_seconds_and_once() -> None:
    ledger, gone = at_a_decision()
    me, *rest = others(gone)
    voting = sitting(ledger, me)
    standing = VoteStanding(voting.locks, voting.intake.gossip)
    count(ledger, drop(ledger, me, (gone,), 1))
    assert told(voting, standing, 0.0) == []
    assert standing.due == TELL_AFTER_SECONDS
    assert told(voting, standing, TELL_AFTER_SECONDS - 0.1) == []
    stands = VoteStands((gone,), tuple(rest), blocks=False)
    assert told(voting, standing, TELL_AFTER_SECONDS) == [stands]
    assert told(voting, standing, TELL_AFTER_SECONDS + 60) == []


def test_nothing_is_due_once_a_vote_stands_again_as_it_was_told() -> None:
    """A time that has passed and stays due would wake the peer again and again."""
    ledger, gone = at_a_decision()
    me, other, *rest = others(gone)
    voting = sitting(ledger, me)
    standing = VoteStanding(voting.locks, voting.intake.gossip)
    count(ledger, drop(ledger, me, (gone,), 1))
    told(voting, standing, 0.0)
    stands = VoteStands((gone,), (other, *rest), blocks=False)
    assert told(voting, standing, TELL_AFTER_SECONDS) == [stands]
    count(ledger, drop(ledger, other, (gone,), 1))
    told(voting, standing, 10.0)
    assert standing.due == 10.0 + TELL_AFTER_SECONDS
    count(ledger, drop(ledger, me, (gone,), 2))
    told(voting, standing, 11.0)
    assert standing.due == math.inf


def test_a_vote_that_passes_at_once_is_not_told_as_standing() -> None:
    ledger, gone = at_a_decision()
    me, *rest = others(gone)
    voting = sitting(ledger, me)
    standing = VoteStanding(voting.locks, voting.intake.gossip)
    for voter in (me, *rest):
        count(ledger, drop(ledger, voter, (gone,), 1))
        assert told(voting, standing, 0.0) == []
    assert told(voting, standing, 60.0) == []


def test_a_vote_told_as_standing_is_told_to_have_failed() -> None:
    ledger, gone = at_a_decision()
    me, other, *_ = others(gone)
    voting = sitting(ledger, me)
    standing = VoteStanding(voting.locks, voting.intake.gossip)
    count(ledger, drop(ledger, me, (gone,), 1))
    told(voting, standing, 0.0)
    told(voting, standing, TELL_AFTER_SECONDS)
    tell(voting, other, held(ledger, other, gone))
    assert told(voting, standing, 10.0) == [VoteFailed((gone,))]
    assert told(voting, standing, 20.0) == []


def test_a_vote_that_is_to_undo_something_says_that_the_seat_waits() -> None:
    ledger, cheat = at_a_decision()
    there, _ = at_a_decision()
    me, *rest = others(cheat)
    for seat in ledger.owing_seats():
        ledger.accept_entry(owed := owes(ledger, seat))
        assert owed.seat == cheat
    voting = sitting(ledger, me)
    standing = VoteStanding(voting.locks, voting.intake.gossip)
    count(ledger, accuse(there, me, (cheat,), (cheat,)))
    told(voting, standing, 0.0)
    stands = VoteStands((cheat,), tuple(rest), blocks=True)
    assert told(voting, standing, TELL_AFTER_SECONDS) == [stands]
