"""How far a certificate goes back on copies that have come further than its voters."""

from __future__ import annotations

import pytest

from kotp2p.attendance import Attendance
from kotp2p.courier import Courier
from kotp2p.entries import Answering, Entry, Farewell
from kotp2p.genesis import Clocks
from kotp2p.ledger import Ledger
from kotp2p.mesh import Mesh
from kotp2p.promises import Promises
from kotp2p.proofs import Proof
from kotp2p.steps import Gather, Stale, equivocation
from kotp2p.votes import Choice, Vote
from kotp2p.voting import Voting
from referee.answers import Pass, Reroll, Seat
from tests.kotp2p.test_rounds import (
    PEOPLE,
    SIGNERS,
    at_a_decision,
    genesis,
    held,
    others,
    owes,
    two_answers,
)


def contradiction(seat: Seat) -> Proof:
    """Two answers of one seat for one place."""
    first = genesis().id
    return Proof(
        tuple(
            Entry.sign(SIGNERS[seat], first, 0, 0, first, seat, Answering(answer)).signed
            for answer in (Pass(), Reroll((0,)))
        )
    )


def drop(there: Ledger, voter: Seat, accused: tuple[Seat, ...], proven: tuple[Seat, ...]) -> Vote:
    proofs = tuple(map(contradiction, proven))
    return Vote.sign(
        SIGNERS[voter], genesis().id, there.place, there.head, voter, Choice.DROP, accused, 1,
        proofs,
    )  # fmt: skip


def sitting(ledger: Ledger, seat: Seat) -> Voting:
    return Voting(ledger, Courier(ledger, Mesh(seat)), Attendance(Clocks()), seat, SIGNERS[seat])


def beyond(height: int, gathers: int = 1) -> Ledger:
    """A copy to which whole gathers behind `height` have come, and an answer is owed behind."""
    ledger, _ = at_a_decision()
    while (ledger.final, ledger.settled)[gathers - 1] <= height or len(ledger.owed()) > 1:
        for seat in ledger.owed():
            ledger.accept(owes(ledger, seat))
    return ledger


def test_the_last_gather_is_undone_where_its_last_part_reached_its_author_alone() -> None:
    """All others have voted without that part, so nobody else has closed it."""
    author = 4
    alone, rest = Ledger(genesis()), Ledger(genesis())
    parts = [owes(rest, seat) for seat in range(PEOPLE)]
    for part in parts:
        alone.accept(part)
    for part in parts[:author]:
        rest.accept(part)
    assert (alone.height, rest.height) == (1, 0)
    for voter in others(author):
        vote = drop(rest, voter, (author,), ())
        rest.vote(vote)
        alone.vote(vote)
    assert alone.head == rest.head
    assert alone.place == rest.place == (1, 1)
    assert author not in alone.game.state.alive()


def test_what_stands_before_the_last_gather_is_never_undone() -> None:
    ledger, gone = at_a_decision()
    before, _ = at_a_decision()
    ledger.accept(owes(ledger, gone))
    while ledger.final <= before.height:
        for seat in ledger.owed():
            ledger.accept(owes(ledger, seat))
    with pytest.raises(Stale):
        ledger.vote(drop(before, others(gone)[0], (gone,), ()))


def test_the_only_one_left_takes_copies_without_a_vote_back_to_where_his_own_stands() -> None:
    """The part of a gather that one of the others owed him had come to his bots and to watchers."""
    own, called = at_a_decision()
    far = beyond(own.height)
    me = others(called)[0]
    cheats = tuple(others(me))
    vote = drop(own, me, cheats, cheats)
    for copy in (own, far):
        moved = copy.vote(vote)
        assert moved is not None
        assert [c.seats for c in moved.dropped] == [cheats]
        assert moved.rewound == (copy is far)
    assert far.place == own.place
    assert far.head == own.head


def test_behind_a_closed_gather_nobody_is_out_of_whom_nothing_is_proven() -> None:
    own, called = at_a_decision()
    far = beyond(own.height)
    me = others(called)[0]
    accused = tuple(others(me))
    head = far.head
    for proven in ((), (called,), accused[:-1]):
        with pytest.raises(Stale):
            far.vote(drop(own, me, accused, proven))
    assert far.head == head
    assert far.ballots.all() == []


def test_behind_two_closed_gathers_nobody_is_out_whatever_is_proven() -> None:
    """Each of the voters has signed a part of the first: nobody can have closed more without."""
    own, called = at_a_decision()
    far = beyond(own.height, 2)
    me = others(called)[0]
    cheats = tuple(others(me))
    with pytest.raises(Stale):
        far.vote(drop(own, me, cheats, cheats))


def test_all_others_must_agree_behind_a_closed_gather_as_elsewhere() -> None:
    own, called = at_a_decision()
    far = beyond(own.height)
    first, *rest = others(called)
    head = far.head
    for voter in rest:
        far.vote(drop(own, voter, (called,), (called,)))
        assert far.head == head
    moved = far.vote(drop(own, first, (called,), (called,)))
    assert moved is not None
    assert moved.rewound
    assert far.place == (1, own.height + 1)


def test_who_was_passed_by_by_a_certificate_is_sent_it_whatever_he_asks_for() -> None:
    own, called = at_a_decision()
    far = beyond(own.height)
    for voter in others(called):
        own.vote(drop(own, voter, (called,), (called,)))
    for seat in own.owed():
        own.accept(owes(own, seat))
    assert own.height < far.height
    for signed in own.since(far.height)[: PEOPLE - 1]:
        far.vote(Vote.parse(signed, genesis().id))
    assert far.place == (1, own.height - 1)


def test_a_view_is_not_voted_on_before_it_has_begun() -> None:
    own, called = at_a_decision()
    before, _ = at_a_decision()
    for voter in others(called):
        own.vote(drop(own, voter, (called,), (called,)))
    me, other, *_ = others(called)
    head = own.heads[before.height]
    vote = Vote.sign(
        SIGNERS[me], genesis().id, (own.view, before.height), head, me, Choice.DROP, (other,), 1,
        (contradiction(other),),
    )  # fmt: skip
    with pytest.raises(Stale):
        own.vote(vote)


def test_who_stands_still_closes_no_gather_by_a_farewell() -> None:
    """All parts are there but that of one who leaves; the vote of before may still undo it."""
    ledger, called = at_a_decision()
    before, _ = at_a_decision()
    me, leaver = others(called)[:2]
    promises = Promises(ledger, me)
    while not isinstance(ledger.step, Gather):
        for seat in ledger.owed():
            ledger.accept(owes(ledger, seat))
    for seat in others(leaver):
        ledger.accept(owes(ledger, seat))
    ledger.vote(drop(before, me, (called,), (called,)))
    behind, there = (
        Farewell.sign(SIGNERS[leaver], genesis().id, leaver, *place)
        for place in (ledger.place, before.place)
    )
    assert promises.standing_still()
    assert promises.lock_farewell(behind)
    assert promises.farewells() == []
    assert not promises.lock_farewell(there)
    promises.release(held(before, leaver, called, (contradiction(called),)))
    assert promises.farewells() == [behind]
    assert not promises.lock_farewell(behind)


def test_who_voted_because_of_a_proof_and_has_come_further_since_releases_the_others() -> None:
    """They have voted in a later round, and need a vote that he will not give."""
    own, called = at_a_decision()
    far = beyond(own.height)
    me, other = others(called)[:2]
    voting = sitting(far, me)
    far.vote(drop(own, me, (called,), (called,)))
    voting.take(other, drop(own, other, (called,), (called,)), 0.0)
    assert voting.holding == {(*own.place, called)}


def test_who_has_voted_in_vain_at_a_fork_votes_where_the_cheat_is_called_next() -> None:
    """One whose vote is needed there has shown that he will not give it."""
    ledger, cheat = at_a_decision()
    there, _ = at_a_decision()
    me, other = others(cheat)[:2]
    answer, forked = two_answers(ledger, cheat)
    fork = equivocation(answer, forked)
    ledger.accept(answer)
    voting = sitting(ledger, me)
    voting.convicts[cheat] = fork
    voting.accuse()
    assert [v.height for v in ledger.ballots.of(me)] == [there.height]
    voting.take(other, held(there, other, cheat), 0.0)  # before he knew the proof
    voting.accuse()
    assert [v.height for v in ledger.ballots.of(me)] == [there.height]
    assert voting.promises.standing_still()
    voting.take(other, held(there, other, cheat, (Proof(fork.proof),)), 0.0)
    assert not voting.promises.standing_still()
    voting.accuse()
    assert [v.height for v in ledger.ballots.of(me)] == [there.height, ledger.height]


def test_all_vote_at_a_fork_though_each_has_held_its_entry_before_he_knew() -> None:
    """Somebody accuses the cheat of nothing just then, and all show what they have of him."""
    copies, (there, cheat) = {}, at_a_decision()
    answers = two_answers(there, cheat)
    fork = equivocation(*answers)
    idle, *voters = others(cheat)
    for n, seat in enumerate(voters):
        ledger, _ = at_a_decision()
        ledger.accept(answers[n % 2])
        copies[seat] = sitting(ledger, seat)
    empty = Vote.sign(
        SIGNERS[idle], genesis().id, there.place, there.head, idle, Choice.DROP, (cheat,), 1
    )
    for voting in copies.values():
        voting.take(idle, empty, 0.0)
        for seat in set(voters) - {voting.seat}:
            voting.take(seat, held(there, seat, cheat), 0.0)
        voting.convicts[cheat] = fork
        voting.accuse()
    votes = {seat: copies[seat].ledger.ballots.of(seat)[-1] for seat in voters}
    assert {vote.place for vote in votes.values()} == {there.place}
    votes[idle] = drop(there, idle, (cheat,), (cheat,))
    for voting in copies.values():
        for seat, vote in votes.items():
            voting.take(seat, vote, 0.0)
    assert {voting.ledger.place for voting in copies.values()} == {(1, there.height + 1)}
    assert len({voting.ledger.head for voting in copies.values()}) == 1


def test_who_keeps_a_vote_back_has_its_proof_all_the_same() -> None:
    ledger, cheat = at_a_decision()
    me, other, third = others(cheat)[:3]
    voting = sitting(ledger, me)
    ledger.vote(
        Vote.sign(
            SIGNERS[me], genesis().id, ledger.place, ledger.head, me, Choice.DROP, (third,), 2
        )
    )
    vote = drop(ledger, other, (cheat,), (cheat,))
    moved = voting.take(other, vote, 0.0)
    assert moved is not None
    assert [fault.seat for fault in moved.caught] == [cheat]
    assert not ledger.ballots.known(vote)
