"""Votes of a later round that an earlier one has overtaken: each keeper that they still need says
that it votes there no more.

At one gather the first seat is absent and the second has cheated. All others vote the first one
out. Some have learned of the cheat before these votes meet, and have voted about it in round 2. It
takes the vote of the first seat as well, which now follows its own exclusion.
"""

from __future__ import annotations

from collections.abc import Iterable

from kotp2p.game.ledger import Ledger
from kotp2p.mesh.effects import SendFrame
from kotp2p.votes.stances import Act
from kotp2p.votes.voting import Voting
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.votes import Vote, VoteChoice
from referee.model.answers import Seat
from tests.support.five_players import accuse, count, genesis, linked, proof_against, tell

AWAY, CHEAT, ANA, OTTO, KIM = range(5)


def out() -> list[Vote]:
    """The votes of round 1 against the absent seat."""
    return [accuse(Ledger(genesis()), voter, (AWAY,), ()) for voter in (CHEAT, ANA, OTTO, KIM)]


def later(voter: Seat, round_: int = 2) -> Vote:
    return accuse(Ledger(genesis()), voter, (CHEAT,), (CHEAT,), round_)


def sits(me: Seat, link: Seat, mine: Iterable[Vote] = ()) -> Voting:
    """A copy with votes of its own seat, which follows the exclusion of the absent one."""
    voting = linked(Ledger(genesis()), me, link)
    for vote in mine:
        count(voting.ledger, vote)
    for vote in out():
        tell(voting, vote.seat, vote)
    assert voting.ledger.view == 1
    return voting


def objections(voting: Voting) -> list[Vote]:
    """Those that it has sent since it was last asked."""
    effects = voting.intake.gossip.effects
    frames = [e.frame for e in effects if isinstance(e, SendFrame)]
    effects.clear()
    bodies = [f for f in frames if isinstance(f, Signed) and f.kind is BodyKind.VOTE]
    votes = [Vote.parse(body, genesis().id) for body in bodies]
    return [vote for vote in votes if vote.choice is VoteChoice.HELD]


def test_who_was_voted_out_tells_the_voters_of_a_later_round_that_it_votes_no_more() -> None:
    """They wait for it alone, and all of them are honest."""
    ana, away = sits(ANA, AWAY, [later(ANA)]), sits(AWAY, ANA)
    for voter in (OTTO, KIM):
        tell(ana, voter, later(voter))
    standing = ana.locks.find_standing_vote()
    assert standing is not None
    assert standing[1] == {AWAY}
    tell(away, ANA, later(ANA))
    told = objections(away)
    proofs = (proof_against(CHEAT).id,)
    assert [(v.place, v.seats, v.proofs) for v in told] == [((0, 0), (CHEAT,), proofs)]
    assert ana.locks.forbids(Act.SIGN_ENTRY)
    tell(ana, AWAY, told[0])
    assert not ana.locks.forbids(Act.SIGN_ENTRY)


def test_a_voter_of_the_round_that_won_tells_them_as_well() -> None:
    """It may owe nothing here for long that would tell them."""
    otto = sits(OTTO, ANA)
    tell(otto, ANA, later(ANA))
    assert [said.seats for said in objections(otto)] == [(CHEAT,)]


def test_who_has_voted_so_in_a_round_that_may_still_win_keeps_silent() -> None:
    """Its vote may not have come to them yet. They would go on, and those to whom it comes would
    undo that."""
    for round_ in (2, 3):
        away = sits(AWAY, ANA, [later(AWAY, round_)])
        tell(away, ANA, later(ANA))
        assert objections(away) == []


def test_who_has_voted_so_in_the_round_that_has_lost_tells_them() -> None:
    away = sits(AWAY, ANA, [later(AWAY, 1)])
    tell(away, ANA, later(ANA))
    assert [said.seats for said in objections(away)] == [(CHEAT,)]


def test_it_speaks_for_those_alone_whom_it_has_not_voted_against() -> None:
    both = accuse(Ledger(genesis()), ANA, (CHEAT, OTTO), (CHEAT,), 3)
    away = sits(AWAY, ANA, [later(AWAY)])
    tell(away, ANA, both)
    assert [said.seats for said in objections(away)] == [(OTTO,)]


def test_an_accused_of_the_later_round_is_not_needed_and_keeps_silent() -> None:
    cheat = sits(CHEAT, ANA)
    tell(cheat, ANA, later(ANA))
    assert objections(cheat) == []


def test_who_has_come_back_and_has_not_heard_the_others_keeps_silent() -> None:
    """It may have voted so, and its log does not tell."""
    away = sits(AWAY, ANA)
    count(away.ledger, later(ANA))
    away.objections.answer_votes(is_informed=False)
    assert objections(away) == []
    away.objections.answer_votes()
    assert len(objections(away)) == 1


def test_who_has_objected_without_the_proofs_before_objects_again() -> None:
    """It had not seen the proof. Now it need not judge it."""
    away = linked(Ledger(genesis()), AWAY, ANA)
    away.ledger.accept_proof(proof_against(CHEAT))
    vote = later(ANA)
    away.ledger.accept_vote(vote)
    away.objections._object(vote, vote.head, vote.seats, ())
    for said in out():
        tell(away, said.seat, said)
    assert [said.proofs for said in objections(away)] == [(), vote.proofs]


def test_it_tells_each_vote_once_and_again_over_a_new_link() -> None:
    away = sits(AWAY, ANA)
    for _ in range(2):
        tell(away, ANA, later(ANA))
    assert len(objections(away)) == 1
    away.objections.note_new_link(ANA)
    away.objections.answer_votes()
    assert len(objections(away)) == 1


def test_what_others_have_told_so_goes_to_a_new_link() -> None:
    """The voter may be linked to this seat alone."""
    away, kim = sits(AWAY, ANA), sits(KIM, OTTO)
    tell(away, ANA, later(ANA))
    (said,) = objections(away)
    tell(kim, AWAY, said)
    assert said.signed in kim.bodies_for_new_link()
