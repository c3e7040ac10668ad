"""Where a seat votes because of proofs, and against which seats (PROTOCOL.md 9.6).

Scope: what the known proofs call for, and at which height.
Not here: the vote itself (`voting`), and what earlier votes forbid (`vote_locks`).

How it works: all honest seats must vote about one matter, or none of their votes suffices, and
they must find it without talking. A convict is voted out where it is called next. But where it has
signed two entries for one place, a *fork*, some may have taken one and some the other. They agree
on nothing behind that place, so the vote is about the place itself.

A seat must not wait at a fork for ever, as some of the votes there may never come. So it passes a
height over when its vote there is in vain, when only convicts are missing there, or when nothing
is left to say. And it comes back to a height where others ask for more than it has said. What a
seat waits for must not depend on how far its own copy is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeAlias

from kotp2p.game import history
from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Cheat, Forged, Fork
from kotp2p.votes.locks import VoteLocks
from kotp2p.wire.entries import Blame, BodyKind, Entry
from kotp2p.wire.proofs import CheatProof
from kotp2p.wire.votes import Vote, keepers_of, seats_kept_by
from referee.model.answers import Seat

Target: TypeAlias = tuple[int, tuple[Seat, ...]]
"""A height, and the seats to be voted out there."""
MAX_VOTES_AT_HEIGHT = 3
"""After so many votes of a seat at one height, in one round after the other, the last one is not
repeated when it is in vain. Without this bound two honest seats could vote at a fork and elsewhere
in turn, round after round."""


def find_target(locks: VoteLocks, convicts: Mapping[Seat, Cheat]) -> Target | None:
    """Where this seat has to vote now because of proofs; None if nowhere.

    That is the earliest height that calls for it and is not passed over, and otherwise the present
    one.
    """
    ledger = locks.ledger
    joined = _heights_to_join(locks, convicts)
    forks = {_fork_height(ledger, fault) for fault in convicts.values()} | joined
    behind = {h for h in forks if h is not None and ledger.undo_floor <= h < ledger.height}
    for height in (*sorted(behind - heights_voted_in_vain(locks)), ledger.height):
        found = height, _convicted_seats(ledger, convicts, height)
        if not _is_due(ledger, locks.seat, found):
            continue
        # At the present height it stays in any case: there is no later one to vote at.
        left = height not in joined and _waits_for_convicts(convicts, locks, found)
        if height == ledger.height or not (left or _is_exhausted(locks, found)):
            return found
    return None


def _convicted_seats(
    ledger: Ledger, convicts: Mapping[Seat, Cheat], height: int
) -> tuple[Seat, ...]:
    """All living seats of the keepers that are convicted on the chain up to `height`."""
    players, (alive, _) = ledger.genesis.players, ledger.called_at(height)
    return tuple(
        sorted(seats_kept_by(players, proofs_that_convict(ledger, convicts, height), alive))
    )


def _is_due(ledger: Ledger, seat: Seat, found: Target) -> bool:
    """Whether one of the accused was called there, and `seat` has a vote."""
    (height, accused), players = found, ledger.genesis.players
    alive, called = ledger.called_at(height)
    return seat in keepers_of(players, alive) - keepers_of(players, accused) and bool(
        {*accused} & {*called}
    )


def _waits_for_convicts(convicts: Collection[Seat], locks: VoteLocks, found: Target) -> bool:
    """Whether this seat has voted so, and only votes of convicts, and of seats that have left, are
    missing. A convict that does not count as one there, as it has cheated behind that height, may
    never vote: a lone honest seat once waited for it."""
    known = {*convicts, *locks.ledger.farewells}
    mine = locks.ledger.tally.votes_of(locks.seat)
    return any(
        (vote.height, vote.seats) == found and locks.keepers_waited_for(vote) <= known
        for vote in mine
    )


def _is_exhausted(locks: VoteLocks, found: Target) -> bool:
    """Whether this seat has no round left to vote so in, and its last vote came to nothing."""
    tally, seat = locks.ledger.tally, locks.seat
    last = tally.votes_of(seat)[-1:]
    return any(
        (vote.height, vote.seats) == found and not locks.may_still_count(vote) for vote in last
    ) and not tally.next_round(seat, *found)


def _heights_to_join(locks: VoteLocks, convicts: Collection[Seat]) -> set[int]:
    """The heights at which this seat has voted and from which it has gone on, and at which another
    keeper asks for more by a vote with proofs. That keeper is still blocked there, and its vote
    comes to nothing without this seat's. Votes of convicts ask for nothing: a cheat could lead
    this seat to use up its votes."""
    ledger = locks.ledger
    last = {mine.height: mine for mine in ledger.tally.votes_of(locks.seat)}
    return {
        theirs.height
        for theirs in (*ledger.tally.all_votes(), *locks.votes_held_back())
        if theirs.proofs and theirs.seat not in convicts and theirs.height in last
        if _asks_for_more(theirs, last[theirs.height])
    }


def _asks_for_more(theirs: Vote, mine: Vote) -> bool:
    later = theirs.round > mine.round and theirs.seats == mine.seats
    return later or set(mine.seats) < set(theirs.seats)


def heights_voted_in_vain(locks: VoteLocks) -> set[int]:
    """The heights at which the last vote of this seat can become part of no certificate any more,
    and to which it does not come back. It comes back where another keeper has voted since in a
    later round, or because of proofs against more seats, or in the same round against others."""
    mine, found = locks.ledger.tally.votes_of(locks.seat), set()
    for height in {vote.height for vote in mine}:
        here = [vote for vote in mine if vote.height == height]
        last = here[-1]
        again = any(
            v.round > last.round
            or (v.round == last.round and v.proofs and v.seats != last.seats)
            or (v.proofs and set(last.seats) < set(v.seats))
            for v in (*locks.ledger.tally.all_votes(), *locks.votes_held_back())
            if v.height == height
        )
        if (len(here) >= MAX_VOTES_AT_HEIGHT or not again) and not locks.may_still_count(last):
            found.add(height)
    return found


def proofs_that_convict(
    ledger: Ledger, convicts: Mapping[Seat, Cheat], height: int
) -> dict[Seat, CheatProof]:
    """The proofs that convict on the chain up to `height`, by keeper. The others prove something
    behind that height, or on a chain that was undone; they may convict again on another one."""
    found = {}
    for keeper, fault in convicts.items():
        proof = CheatProof(fault.proof)
        try:
            ledger.judge_proof(proof, height)
        except (Forged, Fork):
            continue
        found[keeper] = proof
    return found


def calls_for_earlier_vote(ledger: Ledger, new: Cheat, known: Cheat) -> bool:
    """Whether another proof against a keeper that is convicted already calls for a vote at an
    earlier height. Seats that had heard of different proofs first once voted at different heights,
    and none of the votes sufficed: all take the proof of the earliest height."""
    height, before = _fork_height(ledger, new), _fork_height(ledger, known)
    if height is None or height < ledger.undo_floor:
        return False
    return before is None or not ledger.undo_floor <= before <= height


def _fork_height(ledger: Ledger, fault: Cheat) -> int | None:
    """The height in this view at which others may have gone another way because of two bodies of
    one seat; None if the proof is of another kind."""
    match [signed.kind for signed in fault.proof]:
        case [_, BodyKind.PLAY | BodyKind.SHARE]:
            entry = Entry.parse(fault.proof[1])
            forks = entry.view == ledger.view and not isinstance(entry.payload, Blame)
            return entry.height if forks else None
        case [BodyKind.STAND_IN, BodyKind.STAND_IN]:
            return history.height_left(ledger.chain.closed, fault.seat)
        case _:  # one body alone, or two that forked nothing: votes, an entry behind a farewell
            return None
