"""How far a certificate goes back on copies that have come further than its voters."""

from __future__ import annotations

import pytest

from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Cheat, Forged, Stale
from kotp2p.game.steps import Gather
from kotp2p.votes.locks import VoteLocks
from kotp2p.votes.stances import Act
from kotp2p.wire.entries import Commits, Entry, Opening
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.proofs import CheatProof
from kotp2p.wire.votes import Vote, VoteChoice
from tests.support.five_players import (
    PEOPLE,
    SIGNERS,
    accuse,
    at_a_decision,
    beyond,
    count,
    drop,
    genesis,
    held,
    others,
    owes,
    proof_against,
)


def test_the_last_gather_is_undone_where_its_last_part_reached_its_author_alone() -> None:
    """All others have voted without that part, so nobody else has closed it."""
    author = 4
    alone, rest = Ledger(genesis()), Ledger(genesis())
    parts = [owes(rest, seat) for seat in range(PEOPLE)]
    for part in parts:
        alone.accept_entry(part)
    for part in parts[:author]:
        rest.accept_entry(part)
    assert (alone.height, rest.height) == (1, 0)
    for voter in others(author):
        vote = accuse(rest, voter, (author,), ())
        count(rest, vote)
        count(alone, vote)
    assert alone.head == rest.head
    assert alone.place == rest.place == (1, 1)
    assert author not in alone.game.state.seats_alive()


def test_what_stands_before_the_last_gather_is_never_undone() -> None:
    ledger, gone = at_a_decision()
    before, _ = at_a_decision()
    ledger.accept_entry(owes(ledger, gone))
    while ledger.chain.last_gather <= before.height:
        for seat in ledger.owing_seats():
            ledger.accept_entry(owes(ledger, seat))
    with pytest.raises(Stale):
        count(ledger, accuse(before, others(gone)[0], (gone,), ()))


def test_the_only_keeper_left_takes_copies_without_a_vote_back_to_its_own_place() -> None:
    """An entry that this keeper lacks had come to its bots and to watchers."""
    own, asked = at_a_decision()
    far = beyond(own.height)
    me = others(asked)[0]
    cheats = tuple(others(me))
    vote = accuse(own, me, cheats, cheats)
    for copy in (own, far):
        moved = count(copy, vote)
        assert moved is not None
        assert [c.seats for c in moved.dropped] == [cheats]
        assert moved.rewound == (copy is far)
    assert far.place == own.place
    assert far.head == own.head


def test_behind_a_closed_gather_only_convicts_are_voted_out() -> None:
    own, asked = at_a_decision()
    far = beyond(own.height)
    me = others(asked)[0]
    accused = tuple(others(me))
    head = far.head
    for proven in ((), (asked,), accused[:-1]):
        with pytest.raises(Stale):
            count(far, accuse(own, me, accused, proven))
    assert far.head == head
    assert far.tally.all_votes() == []


def test_behind_two_closed_gathers_no_seat_is_voted_out_whatever_is_proven() -> None:
    """Each of the voters has signed a part of the first: nobody can have closed more without."""
    own, asked = at_a_decision()
    far = beyond(own.height, 2)
    me = others(asked)[0]
    cheats = tuple(others(me))
    with pytest.raises(Stale):
        count(far, accuse(own, me, cheats, cheats))


def test_all_others_must_agree_behind_a_closed_gather_as_elsewhere() -> None:
    own, asked = at_a_decision()
    far = beyond(own.height)
    first, *rest = others(asked)
    head = far.head
    for voter in rest:
        count(far, accuse(own, voter, (asked,), (asked,)))
        assert far.head == head
    moved = count(far, accuse(own, first, (asked,), (asked,)))
    assert moved is not None
    assert moved.rewound
    assert far.place == (1, own.height + 1)


def test_a_copy_that_a_certificate_has_passed_by_is_sent_it_whatever_it_asks_for() -> None:
    own, asked = at_a_decision()
    far = beyond(own.height)
    for voter in others(asked):
        count(own, accuse(own, voter, (asked,), (asked,)))
    for seat in own.owing_seats():
        own.accept_entry(owes(own, seat))
    assert own.height < far.height
    proof, *votes = own.bodies_since(far.height)[:PEOPLE]
    far.accept_proof(CheatProof.parse(proof))
    for signed in votes:
        far.accept_vote(Vote.parse(signed, genesis().id))
    assert far.place == (1, own.height - 1)


def test_what_was_signed_in_a_view_that_has_ended_accuses_nobody() -> None:
    """The answer had not come to its voters. In the new view nobody is asked for it."""
    ledger, gone = at_a_decision()
    late = owes(ledger, gone)
    for voter in others(gone):
        count(ledger, accuse(ledger, voter, (gone,), ()))
    assert ledger.height > late.height
    assert late.prev == ledger.heads[late.height]
    with pytest.raises(Stale):
        ledger.accept_entry(late)
    with pytest.raises(Forged):
        ledger.judge_proof(CheatProof((late.signed,)))


def test_a_view_is_not_voted_on_before_it_has_begun() -> None:
    own, asked = at_a_decision()
    before, _ = at_a_decision()
    for voter in others(asked):
        count(own, accuse(own, voter, (asked,), (asked,)))
    me, other, *_ = others(asked)
    head = own.heads[before.height]
    vote = Vote.sign(
        SIGNERS[me], genesis().id, (own.view, before.height), head, me, VoteChoice.DROP, (other,),
        1, (proof_against(other).id,),
    )  # fmt: skip
    with pytest.raises(Stale):
        count(own, vote)


def test_a_blocked_seat_closes_no_gather_by_a_farewell() -> None:
    """All parts are there but that of one who leaves; the vote of before may still undo it. The
    leaver has voted in that round, and its vote is still on its way."""
    ledger, asked = at_a_decision()
    before, _ = at_a_decision()
    me, leaver = others(asked)[:2]
    locks = VoteLocks(ledger, me)
    while not isinstance(ledger.step, Gather):
        for seat in ledger.owing_seats():
            ledger.accept_entry(owes(ledger, seat))
    for seat in others(leaver):
        ledger.accept_entry(owes(ledger, seat))
    count(ledger, accuse(before, me, (asked,), (asked,)))
    behind, there = (
        Farewell.sign(SIGNERS[leaver], genesis().id, leaver, *place, (1,))
        for place in (ledger.place, before.place)
    )
    assert locks.forbids(Act.TAKE_ENTRY)
    assert locks.hold_back_farewell(behind)
    assert locks.release_farewells() == []
    assert not locks.hold_back_farewell(there)
    locks.shown.note_objection(held(before, leaver, asked, proof_against(asked)))
    assert locks.release_farewells() == [behind]
    assert not locks.hold_back_farewell(behind)


def test_votes_because_of_a_proof_count_in_a_gather_that_the_accused_leaves() -> None:
    """To some copies the farewell comes before the votes, to others behind them."""
    cheat = 4
    before, after = Ledger(genesis()), Ledger(genesis())
    votes = [accuse(before, voter, (cheat,), (cheat,)) for voter in others(cheat)]
    farewell = Farewell.sign(SIGNERS[cheat], genesis().id, cheat, *before.place)
    before.accept_farewell(farewell)
    for vote in votes:
        count(before, vote)
        count(after, vote)
    after.accept_farewell(farewell)
    assert before.place == after.place == (1, 1)
    assert before.head == after.head


def shown(ledger: Ledger, first: int) -> set[bytes]:
    """All parts and commitments that stand in openings and renewals from a height on."""
    found = set[bytes]()
    for done in (*ledger.chain.closed[first:], tuple(ledger.chain.gathered.values())):
        for item in done:
            match item:
                case Entry(payload=Opening(contributions=parts, commitments=next_ones)):
                    found |= {part for part in parts if part is not None} | set(next_ones)
                case Entry(payload=Commits(dice=dice, cards=cards)):
                    found |= {*dice, *cards}
                case _:
                    pass
    return found


def play(ledger: Ledger, gathers: int) -> None:
    """Up to a gather, with so many more before it."""
    while not isinstance(ledger.step, Gather) or gathers:
        gathers -= isinstance(ledger.step, Gather)
        for seat in ledger.owing_seats():
            ledger.accept_entry(owes(ledger, seat))


@pytest.mark.parametrize("gathers", range(2, 8))
def test_nothing_that_was_shown_in_what_is_undone_is_shown_or_committed_to_again(
    gathers: int,
) -> None:
    """Two gathers have closed since, and all but one have shown their parts of a third. A seat
    that knows them could choose its own anew, and copy what others commit to."""
    own, far, cheat = Ledger(genesis()), Ledger(genesis()), 4
    play(own, gathers)
    play(far, gathers + 2)
    for seat in others(cheat):
        far.accept_entry(owes(far, seat))
    before = shown(far, own.height)
    for voter in others(cheat):
        count(far, accuse(own, voter, (cheat,), (cheat,)))
    assert far.place == (1, own.height + 1)
    play(far, 3)
    assert len(before) > 20
    assert not before & shown(far, own.height)


def test_nothing_of_a_renewal_that_is_undone_is_committed_to_again() -> None:
    """A certificate of a later round takes the place of the one that it followed."""
    own, earlier, cheat = Ledger(genesis()), Ledger(genesis()), 4
    play(own, 3)
    play(earlier, 2)
    first = [accuse(own, voter, (cheat,), (cheat,)) for voter in others(cheat)]
    later = [accuse(earlier, voter, (cheat,), (cheat,), 2) for voter in others(cheat)]
    for vote in first:
        count(own, vote)
    assert own.view == 1
    for seat in others(cheat)[:3]:
        own.accept_entry(owes(own, seat))
    before = shown(own, own.height)
    for vote in later:
        count(own, vote)
    assert own.place == (2, earlier.height + 1)
    play(own, 3)
    assert len(before) == 3 * 10
    assert not before & shown(own, earlier.height)


@pytest.mark.parametrize("proven", [False, True])
def test_no_seat_comes_back_by_votes_of_a_former_view_below_the_height_at_which_it_began(
    proven: bool,
) -> None:
    """A second certificate has come before the renewal of the first view was there, so one of a
    later round may take its place; but that view never had the height before it."""
    ledger, first = at_a_decision()
    before, _ = at_a_decision()
    for voter in others(first):
        count(ledger, accuse(ledger, voter, (first,), ()))
    view, second = ledger.view, others(first)[0]
    renewal = ledger.height
    for voter in others(first, second):
        count(ledger, accuse(ledger, voter, (second,), ()))
    assert ledger.place == (2, renewal + 1)
    head, third = ledger.head, others(first, second)[0]
    for voter in others(third):
        proofs = [proof_against(third).id] if proven else []
        vote = Vote.sign(
            SIGNERS[voter], genesis().id, (view, before.height), ledger.heads[before.height], voter,
            VoteChoice.DROP, (third,), 2, proofs,
        )  # fmt: skip
        with pytest.raises(Stale):
            count(ledger, vote)
    assert ledger.head == head
    assert not {first, second} & set(ledger.game.state.seats_alive())


def test_a_later_round_takes_the_place_of_a_certificate_at_the_height_at_which_the_view_began() -> (
    None
):
    ledger, first = at_a_decision()
    for voter in others(first):
        count(ledger, accuse(ledger, voter, (first,), ()))
    view, renewal, head = ledger.view, ledger.height, ledger.head
    second, third, *voters = others(first)
    for voter in others(first, second):
        count(ledger, accuse(ledger, voter, (second,), ()))
    accused = tuple(sorted((second, third)))
    for voter in voters:
        vote = Vote.sign(
            SIGNERS[voter], genesis().id, (view, renewal), head, voter, VoteChoice.DROP,
            accused, 2, [proof_against(third).id],
        )  # fmt: skip
        count(ledger, vote)
    assert ledger.place == (3, renewal + 1)
    assert set(ledger.game.state.seats_alive()) == {*voters}


def test_a_farewell_that_a_copy_refuses_counts_as_a_vote_there_all_the_same() -> None:
    """Its seat has signed an opening at that place, too. One copy has the opening first."""
    behind, ahead = Ledger(genesis()), Ledger(genesis())
    start = behind.head
    openings = [owes(behind, seat) for seat in range(PEOPLE)]
    leaver, accused, *voters = range(PEOPLE)
    for opening in openings:
        ahead.accept_entry(opening)
        if opening.seat != leaver:
            behind.accept_entry(opening)
    farewell = Farewell.sign(SIGNERS[leaver], genesis().id, leaver, 0, 0)
    votes = [
        Vote.sign(SIGNERS[s], genesis().id, (0, 0), start, s, VoteChoice.DROP, (accused,), 1)
        for s in voters
    ]
    for ledger in (behind, ahead):
        for vote in votes:
            moved = ledger.accept_vote(vote)
            assert moved is not None
            assert not moved.dropped
    moved = behind.accept_farewell(farewell)
    assert moved is not None
    assert [c.seats for c in moved.dropped] == [(accused,)]
    with pytest.raises(Cheat) as cheat:
        ahead.accept_farewell(farewell)
    moved = ahead.accept_proof(cheat.value.proof)
    assert moved is not None
    assert [c.seats for c in moved.dropped] == [(accused,)]
    assert ahead.place == behind.place
    assert ahead.head == behind.head


def test_a_farewell_in_a_proof_counts_for_nothing_behind_an_entry_of_its_seat() -> None:
    """The entry stands before the height of the votes, where no certificate undoes it."""
    ledger = Ledger(genesis())
    leaver, accused, *voters = range(PEOPLE)
    opening = owes(ledger, leaver)
    for seat in range(PEOPLE):
        ledger.accept_entry(owes(ledger, seat))
    farewell = Farewell.sign(SIGNERS[leaver], genesis().id, leaver, 0, 0)
    ledger.accept_proof(CheatProof((farewell.signed, opening.signed)))
    while not isinstance(ledger.step, Gather):
        for seat in ledger.owing_seats():
            ledger.accept_entry(owes(ledger, seat))
    for seat in voters:
        moved = ledger.accept_vote(drop(ledger, seat, (accused,), 1))
        assert moved is not None
        assert not moved.dropped


def test_what_a_renewal_has_got_stays_when_a_farewell_comes() -> None:
    """The votes of the former view are still there, but their certificate is not made again."""
    ledger, gone = at_a_decision()
    for voter in others(gone):
        count(ledger, drop(ledger, voter, (gone,), 1))
    first, second, *_ = ledger.owing_seats()
    ledger.accept_entry(owes(ledger, first))
    vote = drop(ledger, second, (first,), 1)
    count(ledger, vote)
    farewell = Farewell.sign(SIGNERS[gone], genesis().id, gone, *ledger.place)
    moved = ledger.accept_farewell(farewell)
    assert moved is not None
    assert not moved.dropped
    assert set(ledger.chain.gathered) == {first}
    assert ledger.tally.has_vote(vote)
