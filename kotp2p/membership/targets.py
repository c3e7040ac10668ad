"""Where a seat votes because of proofs, and against whom (PROTOCOL.md 9.6).

May live here: what the proofs that are known call for, at which height. May not: the vote itself
(`kotp2p.membership.voting`), what earlier ones forbid (`kotp2p.membership.vote_locks`).

How it works: a convict is voted out where he is called next. But of two entries for one place each
may have been taken by others, so there the vote is about that place itself, and whoever has stood
still there is joined there: what others wait for must not depend on how far one's own copy is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeAlias

from kotp2p.game import history
from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Cheat, Forged
from kotp2p.membership.vote_locks import VoteLocks
from kotp2p.wire.entries import Blame, BodyKind, Entry
from kotp2p.wire.proofs import CheatProof
from kotp2p.wire.votes import Vote, keepers_of, seats_kept_by
from referee.model.answers import Seat

Target: TypeAlias = tuple[int, tuple[Seat, ...]]
"""A height, and who is to be voted out there."""


def find_target(locks: VoteLocks, convicts: Mapping[Seat, Cheat]) -> Target | None:
    """Where this seat has to vote now: at the earliest height that calls for it and is not passed
    over, last at the present one."""
    ledger = locks.ledger
    joined = _heights_to_join(locks, convicts)
    forks = {_fork_height(ledger, fault) for fault in convicts.values()} | joined
    behind = {h for h in forks if h is not None and ledger.undo_floor <= h < ledger.height}
    for height in (*sorted(behind - locks.heights_voted_in_vain()), ledger.height):
        found = height, _convicted_seats(ledger, convicts, height)
        if not _is_due(ledger, locks.seat, found):
            continue
        left = height not in joined and _waits_for_convicts(convicts, locks, found)
        if height == ledger.height or not (left or _is_exhausted(locks, found)):
            return found
    return None


def _convicted_seats(
    ledger: Ledger, convicts: Mapping[Seat, Cheat], height: int
) -> tuple[Seat, ...]:
    """All living seats of those who are convicted on the line up to `height`."""
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
    """Whether this seat has voted so, and only votes of convicts are missing: nobody is
    convicted there of what he has done behind it."""
    known = {*convicts, *locks.ledger.farewells}
    mine = locks.ledger.tally.votes_of(locks.seat)
    return any(
        (vote.height, vote.seats) == found and locks.keepers_waited_for(vote) <= known
        for vote in mine
    )


def _is_exhausted(locks: VoteLocks, found: Target) -> bool:
    """Whether nothing is left to sign there, and what was signed last came to nothing."""
    tally, seat = locks.ledger.tally, locks.seat
    last = tally.votes_of(seat)[-1:]
    return any(
        (vote.height, vote.seats) == found and not locks.may_still_count(vote) for vote in last
    ) and not tally.next_round(seat, *found)


def _heights_to_join(locks: VoteLocks, convicts: Collection[Seat]) -> set[int]:
    """Where this seat has voted and has gone on, and somebody who has not gone on has voted since
    because of proofs, against the same or more: his vote is nothing without this seat's."""
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


def proofs_that_convict(
    ledger: Ledger, convicts: Mapping[Seat, Cheat], height: int
) -> dict[Seat, CheatProof]:
    """The proofs that convict on the line up to `height`; others may again, on another one."""
    found = {}
    for keeper, fault in convicts.items():
        proof = CheatProof(fault.proof)
        try:
            ledger.judge_proof(proof, height)
        except Forged:
            continue
        found[keeper] = proof
    return found


def calls_for_earlier_vote(ledger: Ledger, new: Cheat, known: Cheat) -> bool:
    """Whether another proof against one who is convicted already calls for a vote at an earlier
    height: all must vote at the same one, and who has two proofs takes the one of the earliest."""
    height, before = _fork_height(ledger, new), _fork_height(ledger, known)
    if height is None or height < ledger.undo_floor:
        return False
    return before is None or not ledger.undo_floor <= before <= height


def _fork_height(ledger: Ledger, fault: Cheat) -> int | None:
    """Where others may have gone another way because of two bodies of one seat, if there is such
    a height in this view."""
    match [signed.kind for signed in fault.proof]:
        case [_, BodyKind.PLAY | BodyKind.SHARE]:
            entry = Entry.parse(fault.proof[1])
            forks = entry.view == ledger.view and not isinstance(entry.payload, Blame)
            return entry.height if forks else None
        case [BodyKind.STAND_IN, BodyKind.STAND_IN]:
            return history.height_left(ledger.chain.closed, fault.seat)
        case _:
            return None
