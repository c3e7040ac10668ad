"""A vote about a fork that lacks the vote of another cheat alone.

One cheat has signed two openings of one gather. Another one has signed an answer behind it that
nobody has asked it for, which convicts it there and not at the fork. It keeps its vote back. The
step behind the gather asks an honest seat alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from kotp2p.game.ledger import Ledger
from kotp2p.votes.voting import Voting
from kotp2p.wire.entries import Answering, Entry
from kotp2p.wire.proofs import CheatProof
from kotp2p.wire.votes import Vote, VoteChoice
from referee.model.answers import Pass, Seat
from tests.support.five_players import SIGNERS, at_a_decision, convict, genesis, others, owes

_BEHIND, ASKED = at_a_decision()
FORKER, KEEPS_BACK, ANA, OTTO = others(ASKED)
FORK = _BEHIND.chain.last_gather
"""The height of the gather."""


def there() -> Ledger:
    """A copy that stands at the fork."""
    ledger = Ledger(genesis())
    while ledger.height < FORK:
        for seat in ledger.owing_seats():
            ledger.accept_entry(owes(ledger, seat))
    return ledger


def answer_of(seat: Seat, ledger: Ledger) -> Entry:
    """An answer that nobody has asked for where this copy stands."""
    return Entry.sign(
        SIGNERS[seat], genesis().id, *ledger.place, ledger.head, seat, Answering(Pass())
    )


def fork() -> CheatProof:
    at_fork = there()
    return CheatProof((owes(at_fork, FORKER).signed, answer_of(FORKER, at_fork).signed))


def offence() -> CheatProof:
    return CheatProof((answer_of(KEEPS_BACK, at_a_decision()[0]).signed,))


def vote_at_fork(voter: Seat, round_: int = 1) -> Vote:
    at_fork = there()
    return Vote.sign(
        SIGNERS[voter], genesis().id, at_fork.place, at_fork.head, voter,
        VoteChoice.DROP, (FORKER,), round_, [fork().id],
    )  # fmt: skip


def learn_of_fork(voting: Voting, voters: Iterable[Seat] = (ANA, OTTO)) -> None:
    """This seat votes about the fork behind it, and others do."""
    convict(voting, voting.ledger.judge_proof(fork()))
    assert voting.sign_accusation() is not None
    for voter in voters:
        voting.receive_vote(voter, vote_at_fork(voter), 0.0)


def learn_of_offence(voting: Voting) -> None:
    convict(voting, voting.ledger.judge_proof(offence()))
