"""Bugs planted on purpose in what votes forbid their signers (PROTOCOL.md 9.2, *Locks*).

`tests.tools.sim.planted_votes` has those in the counting, signing and answering of votes.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from unittest.mock import patch

from kotp2p.game.ledger import Ledger
from kotp2p.votes.locks import VoteLocks
from kotp2p.votes.shown_votes import ShownVotes
from kotp2p.votes.stances import Act
from kotp2p.wire.votes import Vote
from kotp2p.wishes.intents import NOTHING_HELD_UP
from referee.model.answers import Seat
from tests.tools.sim.vote_bugs import VoteBug, adding_to

LOCK_BUGS: dict[str, VoteBug] = {}
bug = adding_to(LOCK_BUGS)


def allowed(*acts: Act) -> AbstractContextManager[object]:
    """No stance forbids these any more."""
    forbids = VoteLocks.forbids

    def forbidding(locks: VoteLocks, act: Act) -> bool:
        return act not in acts and forbids(locks, act)

    return patch.object(VoteLocks, "forbids", forbidding)


@bug("R17", "a voter takes an entry of the accused")
def lock_is_open() -> AbstractContextManager[object]:
    return patch.object(
        VoteLocks, "forbids_entry", lambda locks, entry: locks.forbids(Act.TAKE_ENTRY)
    )


@bug("R18", "a seat that votes to undo an entry goes on as if it only waited")
def undoing_does_not_block() -> AbstractContextManager[object]:
    return patch.object(VoteLocks, "_is_undoing", lambda locks, mine: False)


@bug("R18", "a blocked seat signs entries")
def blocked_seat_signs() -> AbstractContextManager[object]:
    return allowed(Act.SIGN_ENTRY)


@bug("R18", "a blocked seat waits for cheats alone where nobody can vote them out")
def blocked_seat_waits_in_vain() -> AbstractContextManager[object]:
    return patch.object(VoteLocks, "_waits_in_vain", lambda locks, height: False)


@bug("R18", "a blocked seat goes on though it lacks the vote of an honest one")
def blocked_seat_waits_for_nobody() -> AbstractContextManager[object]:
    return patch.object(VoteLocks, "_lacks_absent_alone", lambda locks, vote: True)


@bug("R18", "a blocked seat that waits for cheats alone closes a gather")
def blocked_seat_closes_a_gather() -> AbstractContextManager[object]:
    def waits_in_vain(locks: VoteLocks, height: int) -> bool:
        mine = [v for v in locks.ledger.tally.votes_of(locks.seat) if v.height == height]
        return locks._lacks_absent_alone(mine[-1])

    return patch.object(VoteLocks, "_waits_in_vain", waits_in_vain)


@bug("R17", "nobody takes what an accused seat answers while a dead machine keeps its vote back")
def locked_seat_waits_for_the_absent() -> AbstractContextManager[object]:
    return patch.object(VoteLocks, "_may_take_of_accused", lambda locks, entry: False)


@bug("R17", "a locked seat takes what an accused one answers while others may vote yet")
def locked_seat_waits_for_nobody() -> AbstractContextManager[object]:
    return patch.object(VoteLocks, "_may_take_of_accused", lambda locks, entry: True)


@bug("9.8 R1", "voters that an absent one holds up are voted on themselves")
def held_up_voters_are_accused() -> AbstractContextManager[object]:
    return patch.object(VoteLocks, "find_held_up", lambda locks: NOTHING_HELD_UP)


@bug("Locks", "a vote binds behind a gather that has closed since")
def late_votes_bind() -> AbstractContextManager[object]:
    return patch.object(Ledger, "is_too_late", lambda ledger, vote: False)


@bug("Locks", "a vote waits for keepers that have met its author in a later round")
def old_rounds_bind() -> AbstractContextManager[object]:
    return patch.object(ShownVotes, "_are_both_further", lambda shown, seat, vote: False)


@bug("R19", "a pledged seat signs entries")
def pledged_seat_signs() -> AbstractContextManager[object]:
    forbids = VoteLocks.forbids

    def forbidding(locks: VoteLocks, act: Act) -> bool:
        if act is Act.SIGN_ENTRY and not forbids(locks, Act.TAKE_ENTRY):
            return False
        return forbids(locks, act)

    return patch.object(VoteLocks, "forbids", forbidding)


@bug("R18", "a blocked seat takes entries")
def blocked_seat_takes() -> AbstractContextManager[object]:
    return allowed(Act.TAKE_ENTRY)


@bug("R18", "a blocked seat takes farewells")
def blocked_seat_takes_farewells() -> AbstractContextManager[object]:
    return patch.object(VoteLocks, "hold_back_farewell", lambda locks, farewell: False)


@bug("R19", "a vote of the former view forbids nothing")
def pledge_is_forgotten() -> AbstractContextManager[object]:
    return patch.object(VoteLocks, "_find_pledge", lambda locks: None)


@bug("R19", "a pledged seat signs the end")
def pledged_seat_ends() -> AbstractContextManager[object]:
    return allowed(Act.SIGN_END)


@bug("Locks", "an objection without the proofs of a vote releases it")
def any_objection_releases() -> AbstractContextManager[object]:
    will_not = ShownVotes.will_not_vote

    def will_not_vote(shown: ShownVotes, seat: Seat, mine: Vote) -> bool:
        heard = [v for v in shown.heard.get(seat, ()) if v.place == mine.place]
        return will_not(shown, seat, mine) or any({*v.seats} & {*mine.seats} for v in heard)

    return patch.object(ShownVotes, "will_not_vote", will_not_vote)


@bug("Locks", "no vote is ever released")
def nothing_releases() -> AbstractContextManager[object]:
    return patch.object(ShownVotes, "will_not_vote", lambda shown, seat, mine: False)


@bug("Locks", "an objection of a seat that has voted there since releases a vote")
def votes_behind_objections_are_overlooked() -> AbstractContextManager[object]:
    return patch.object(ShownVotes, "_has_changed_its_mind", lambda shown, *_: False)
