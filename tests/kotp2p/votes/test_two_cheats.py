"""Two cheats at a table of five, and honest seats that hear of the proofs in another order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kotp2p.game.ledger import Ledger
from kotp2p.mesh.effects import AppendRecord
from kotp2p.mesh.gossip import Gossip
from kotp2p.mesh.proof_intake import ProofIntake
from kotp2p.mesh.reachability import Reachability
from kotp2p.mesh.vote_intake import VoteIntake
from kotp2p.peer.secrets import Secrets
from kotp2p.votes.accusations import Accusations
from kotp2p.votes.locks import VoteLocks
from kotp2p.votes.targets import find_target
from kotp2p.votes.voting import Voting
from kotp2p.wire.entries import Answering, BodyKind, Entry, Opening
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.genesis import Clocks
from kotp2p.wire.proofs import CheatKind, CheatProof
from kotp2p.wire.votes import Vote
from kotp2p.wishes.clocks import SeatClocks
from referee.model.answers import Buy, Pass, Seat
from tests.support.five_players import (
    SEEDS,
    SIGNERS,
    at_a_decision,
    drop,
    genesis,
    others,
    owes,
    two_answers,
)
from tests.tools.vector_table import fill


class HonestSeat:
    """What one seat knows, with its votes and its proofs, and without its entries."""

    def __init__(self, ledger: Ledger, seat: Seat) -> None:
        gossip = Gossip(ledger, Reachability(seat))
        proofs = ProofIntake(ledger, gossip)
        self.ledger, self.seat, self.gossip = ledger, seat, gossip
        self.said: list[Vote] = []
        self.accusations = Accusations(ledger, gossip, proofs)
        self.voting = Voting(
            ledger,
            VoteIntake(ledger, gossip, proofs),
            SeatClocks(Clocks()),
            seat,
            SIGNERS[seat],
            self.accusations.convicts,
        )

    def sign_accusation(self) -> None:
        self.voting.sign_accusation()
        records = [e.signed for e in self.gossip.effects if isinstance(e, AppendRecord)]
        votes = [signed for signed in records if signed.kind is BodyKind.VOTE]
        self.said = [Vote.parse(signed, genesis().id) for signed in votes]

    def hear_votes_of(self, other: HonestSeat) -> None:
        for vote in other.said:
            for name in vote.proofs:
                self.accusations.receive_proof(other.seat, other.ledger.proofs[name].signed)
            moved = self.voting.receive_vote(other.seat, vote, 0.0)
            for fault in moved.caught if moved is not None else ():
                self.accusations.note_cheat(fault)
        self.voting.objections.answer_votes()


def behind_a_fork() -> tuple[Ledger, Seat, CheatProof]:
    """A copy that has gone on to the next gather behind a place for which its seat has signed two
    answers."""
    ledger, cheat = at_a_decision()
    one, two = two_answers(ledger, cheat)
    ledger.accept_entry(one)
    while len(ledger.owing_seats()) == 1:
        ledger.accept_entry(owes(ledger, ledger.owing_seats()[0]))
    return ledger, cheat, CheatProof((one.signed, two.signed))


def vote_in_turns(seats: Sequence[HonestSeat]) -> None:
    for _ in range(4):
        for one in seats:
            one.sign_accusation()
        for one in seats:
            for other in seats:
                if other is not one:
                    one.hear_votes_of(other)


def test_seats_with_different_proofs_of_one_cheat_vote_for_the_same_at_a_fork_of_another() -> None:
    """The offence convicts at the present height only, the two votes anywhere."""
    ledger, forker, fork = behind_a_fork()
    voter = others(forker)[0]
    honest = others(forker, voter)
    answer = Entry.sign(
        SIGNERS[voter], genesis().id, *ledger.place, ledger.head, voter, Answering(Pass())
    )
    offence = CheatProof((answer.signed,))
    votes = CheatProof(tuple(drop(ledger, voter, (seat,), 1).signed for seat in honest[:2]))
    seats = [HonestSeat(behind_a_fork()[0], seat) for seat in honest]
    for one in seats:
        first, second = (offence, votes) if one is seats[0] else (votes, offence)
        for proof in (first, second, fork):
            one.accusations.receive_proof(forker, proof.signed)
    vote_in_turns(seats)
    heads = {one.ledger.head for one in seats}
    assert heads == {seats[0].ledger.head} != {ledger.head}
    for one in seats:
        alive = one.ledger.game.state.seats_alive()
        assert not {forker, voter} & set(alive)


def at_a_gather_of_two_pasts() -> tuple[list[HonestSeat], CheatProof, CheatProof]:
    """Three seats that have closed one gather, the first of them with another opening of a cheat
    than the others; what proves that, and what proves that another cheat had left by then."""
    start, leaver, _ = behind_a_fork()
    forker = others(leaver)[0]
    openings = {seat: owes(start, seat) for seat in start.owing_seats()}
    load = openings[forker].payload
    assert isinstance(load, Opening)
    load = replace(load, commitments=(fill(0x77), *load.commitments[1:]))
    other = Entry.sign(SIGNERS[forker], genesis().id, *start.place, start.head, forker, load)
    farewell = Farewell.sign(SIGNERS[leaver], genesis().id, leaver, *start.place)
    seats = [HonestSeat(behind_a_fork()[0], seat) for seat in others(leaver, forker)]
    for one in seats:
        taken = {**openings, forker: other} if one is seats[0] else openings
        for opening in taken.values():
            one.ledger.accept_entry(opening)
    fork = CheatProof((openings[forker].signed, other.signed))
    return seats, fork, CheatProof((farewell.signed, openings[leaver].signed))


def test_seats_on_two_pasts_meet_though_a_vote_about_another_cheat_has_failed_there() -> None:
    """The one with the two openings has not voted about the one that had left."""
    seats, fork, played_on = at_a_gather_of_two_pasts()
    assert len({one.ledger.head for one in seats}) == 2
    for proof in (played_on, fork):
        for one in seats:
            one.accusations.receive_proof(one.seat, proof.signed)
        vote_in_turns(seats)
    assert len({one.ledger.head for one in seats}) == 1
    for one in seats:
        assert one.ledger.game.state.seats_alive() == [other.seat for other in seats]


def test_an_offence_at_a_place_where_another_entry_was_taken_is_shown_as_a_contradiction() -> None:
    """A cheat has given a wrong answer to some and a right one to others. These vote at that height
    as well, and not where the cheat is asked next."""
    ledger, cheat = at_a_decision()
    height = ledger.height
    wrong = Secrets(ledger, cheat, SIGNERS[cheat], SEEDS[cheat]).sign_entry(Answering(Buy(999)))
    offence = ledger.judge_proof(CheatProof((wrong.signed,)))
    right = owes(ledger, cheat)
    ledger.accept_entry(right)
    seat = HonestSeat(ledger, others(cheat)[0])
    seat.accusations.note_cheat(offence)
    found = seat.accusations.convicts[cheat]
    assert found.kind is CheatKind.EQUIVOCATION
    assert set(found.proof.bodies) == {right.signed, wrong.signed}
    assert find_target(VoteLocks(ledger, others(cheat)[0]), seat.accusations.convicts) == (
        height,
        (cheat,),
    )


def test_an_offence_where_nothing_else_was_taken_stays_what_it_is() -> None:
    ledger, cheat = at_a_decision()
    wrong = Secrets(ledger, cheat, SIGNERS[cheat], SEEDS[cheat]).sign_entry(Answering(Buy(999)))
    seat = HonestSeat(ledger, others(cheat)[0])
    seat.accusations.note_cheat(ledger.judge_proof(CheatProof((wrong.signed,))))
    assert seat.accusations.convicts[cheat].proof.bodies == (wrong.signed,)
