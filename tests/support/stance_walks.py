"""A seat that is led from stance to stance: what happens to it, as functions of its `Voting`.

All votes are about the first gather, which asks all five seats.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from kotp2p.game.ledger import Ledger
from kotp2p.votes.stances import Act, Stance
from kotp2p.votes.voting import Voting
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.intents import Intent, IntentKind
from referee.model.answers import Seat
from tests.support.five_players import (
    PEOPLE,
    SIGNERS,
    convict,
    drop,
    genesis,
    held,
    owes,
    proof_against,
    tell,
)

ME, GONE, SLOW, OTHER, THIRD = range(PEOPLE)
HEIGHT = 0
"""All votes are about the first gather, which asks all seats."""
Way: TypeAlias = Callable[[Voting], None]


def there() -> Ledger:
    """A copy that stands at the first gather."""
    return Ledger(genesis())


def stance(voting: Voting) -> Stance:
    # Of all stances only a pledge keeps a seat from signing the end.
    if voting.locks.forbids(Act.SIGN_END):
        return Stance.PLEDGED
    return voting.locks.stance_at(HEIGHT)


# -- what happens --------------------------------------------------------------------------


def take(voting: Voting, *seats: Seat) -> None:
    for seat in seats:
        if voting.ledger.chain.find_entry(HEIGHT, seat) is None:
            entry = owes(there(), seat)
            assert not voting.held_entries.hold_back(entry)
            voting.ledger.accept_entry(entry)


def open_agreed_vote(voting: Voting, *accused: Seat) -> None:
    """A vote is open, and all others want to go on without the accused."""
    intents, place = voting.intents, voting.ledger.place
    intents.open_vote = accused
    for seat in set(range(PEOPLE)) - set(accused):
        intents.newest[seat] = Intent.sign(
            SIGNERS[seat], genesis().id, seat, 1, IntentKind.DROP, place, accused
        )
    assert intents.is_agreed()


def try_to_agree(voting: Voting, *accused: Seat) -> bool:
    """All others want to go on without the accused; whether this seat signs that."""
    intents, ledger = voting.intents, voting.ledger
    open_agreed_vote(voting, *accused)
    before = ledger.tally.votes_of(ME)
    if voting.sign_accusation() is None:
        voting.sign_agreed_drop()
    after = [vote for vote in ledger.tally.votes_of(ME) if vote not in before]
    intents.newest.clear()
    intents.open_vote = ()
    return [vote.seats for vote in after] == [accused]


def agree(voting: Voting, *accused: Seat) -> None:
    assert try_to_agree(voting, *accused)


def learn_proof(voting: Voting, seat: Seat) -> None:
    """This seat has taken an entry of a cheat. It votes because of a proof."""
    take(voting, seat)
    convict(voting, voting.ledger.judge_proof(proof_against(seat)))
    assert voting.sign_accusation() is not None


def ask_for(voting: Voting, seat: Seat, voter: Seat = OTHER) -> None:
    """Another votes against a seat of which this one has an entry."""
    take(voting, seat)
    known = len(voting.locks.objected)
    tell(voting, voter, drop(there(), voter, (seat,), 9))
    assert len(voting.locks.objected) == known + 1


def all_vote(voting: Voting, round_: int, *accused: Seat) -> None:
    for voter in set(range(PEOPLE)) - {ME, *accused}:
        tell(voting, voter, drop(there(), voter, accused, round_))


def leave(voting: Voting, seat: Seat) -> None:
    farewell = Farewell.sign(SIGNERS[seat], genesis().id, seat, 0, HEIGHT)
    assert not voting.locks.hold_back_farewell(farewell)
    voting.ledger.accept_farewell(farewell)


# -- the states ----------------------------------------------------------------------------


def free(voting: Voting) -> None:
    pass


def holding(voting: Voting) -> None:
    ask_for(voting, THIRD)


def locked(voting: Voting) -> None:
    take(voting, SLOW)
    agree(voting, GONE)


def locked_twice(voting: Voting) -> None:
    """The second vote is of a later round."""
    agree(voting, GONE)
    agree(voting, GONE, SLOW)


def locked_by_two(voting: Voting) -> None:
    """The entry of one of the two has come."""
    take(voting, SLOW)
    agree(voting, GONE, SLOW)


def blocked(voting: Voting) -> None:
    take(voting, THIRD)
    learn_proof(voting, GONE)


def blocked_with_both_taken(voting: Voting) -> None:
    take(voting, SLOW)
    learn_proof(voting, GONE)


def blocked_twice(voting: Voting) -> None:
    blocked_with_both_taken(voting)
    learn_proof(voting, SLOW)


def released(voting: Voting) -> None:
    agree(voting, GONE)
    tell(voting, OTHER, held(there(), OTHER, GONE))


def pledged(voting: Voting) -> None:
    locked_twice(voting)
    all_vote(voting, 1, GONE)


def pledged_twice(voting: Voting) -> None:
    """Votes of two later rounds than that of the certificate."""
    locked_twice(voting)
    agree(voting, SLOW)
    all_vote(voting, 1, GONE)


def freed_of_its_pledge(voting: Voting) -> None:
    pledged(voting)
    tell(voting, OTHER, held(there(), OTHER, SLOW))


def blocked_and_locked(voting: Voting) -> None:
    """Of two votes the first is to undo something; of the second an accused is missing."""
    blocked(voting)
    agree(voting, GONE, SLOW)


STATES: dict[Stance, Way] = {
    Stance.FREE: free,
    Stance.HOLDING: holding,
    Stance.LOCKED: locked,
    Stance.BLOCKED: blocked,
    Stance.RELEASED: released,
    Stance.PLEDGED: pledged,
}
