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
from kotp2p.membership.vote_locks import Promises
from kotp2p.wire.entries import Blame, Entry, Kind
from kotp2p.wire.proofs import Proof
from kotp2p.wire.votes import Vote, keepers, kept_by
from referee.model.answers import Seat

Charge: TypeAlias = tuple[int, tuple[Seat, ...]]
"""A height, and who is to be voted out there."""


def charge(promises: Promises, convicts: Mapping[Seat, Cheat]) -> Charge | None:
    """Where this seat has to vote now: at the earliest height that calls for it and is not passed
    over, last at the present one."""
    ledger = promises.ledger
    joined = _joined(promises, convicts)
    forks = {_fork(ledger, fault) for fault in convicts.values()} | joined
    behind = {h for h in forks if h is not None and ledger.undo_floor <= h < ledger.height}
    for height in (*sorted(behind - promises.in_vain()), ledger.height):
        found = height, _accused(ledger, convicts, height)
        if not _is_due(ledger, promises.seat, found):
            continue
        left = height not in joined and _is_left_to(convicts, promises, found)
        if height == ledger.height or not (left or _is_said(promises, found)):
            return found
    return None


def _accused(ledger: Ledger, convicts: Mapping[Seat, Cheat], height: int) -> tuple[Seat, ...]:
    """All living seats of those who are convicted on the line up to `height`."""
    players, (alive, _) = ledger.genesis.players, ledger.called_at(height)
    return tuple(sorted(kept_by(players, proven(ledger, convicts, height), alive)))


def _is_due(ledger: Ledger, seat: Seat, found: Charge) -> bool:
    """Whether one of the accused was called there, and `seat` has a vote."""
    (height, accused), players = found, ledger.genesis.players
    alive, called = ledger.called_at(height)
    return seat in keepers(players, alive) - keepers(players, accused) and bool(
        {*accused} & {*called}
    )


def _is_left_to(convicts: Collection[Seat], promises: Promises, found: Charge) -> bool:
    """Whether this seat has voted so, and only votes of convicts are missing: nobody is
    convicted there of what he has done behind it."""
    known = {*convicts, *promises.ledger.farewells}
    mine = promises.ledger.tally.votes_of(promises.seat)
    return any(
        (vote.height, vote.seats) == found and promises.waited_for(vote) <= known for vote in mine
    )


def _is_said(promises: Promises, found: Charge) -> bool:
    """Whether nothing is left to sign there, and what was signed last came to nothing."""
    ballots, seat = promises.ledger.tally, promises.seat
    last = ballots.votes_of(seat)[-1:]
    return any(
        (vote.height, vote.seats) == found and not promises.may_count(vote) for vote in last
    ) and not ballots.next_round(seat, *found)


def _joined(promises: Promises, convicts: Collection[Seat]) -> set[int]:
    """Where this seat has voted and has gone on, and somebody who has not gone on has voted since
    because of proofs, against the same or more: his vote is nothing without this seat's."""
    ledger = promises.ledger
    last = {mine.height: mine for mine in ledger.tally.votes_of(promises.seat)}
    return {
        theirs.height
        for theirs in (*ledger.tally.all_votes(), *promises.kept_votes())
        if theirs.proofs and theirs.seat not in convicts and theirs.height in last
        if _is_more(theirs, last[theirs.height])
    }


def _is_more(theirs: Vote, mine: Vote) -> bool:
    later = theirs.round > mine.round and theirs.seats == mine.seats
    return later or set(mine.seats) < set(theirs.seats)


def proven(ledger: Ledger, convicts: Mapping[Seat, Cheat], height: int) -> dict[Seat, Proof]:
    """The proofs that convict on the line up to `height`; others may again, on another one."""
    found = {}
    for keeper, fault in convicts.items():
        proof = Proof(fault.proof)
        try:
            ledger.judge_proof(proof, height)
        except Forged:
            continue
        found[keeper] = proof
    return found


def sooner(ledger: Ledger, new: Cheat, known: Cheat) -> bool:
    """Whether another proof against one who is convicted already calls for a vote at an earlier
    height: all must vote at the same one, and who has two proofs takes the one of the earliest."""
    height, before = _fork(ledger, new), _fork(ledger, known)
    if height is None or height < ledger.undo_floor:
        return False
    return before is None or not ledger.undo_floor <= before <= height


def _fork(ledger: Ledger, fault: Cheat) -> int | None:
    """Where others may have gone another way because of two bodies of one seat, if there is such
    a height in this view."""
    match [signed.kind for signed in fault.proof]:
        case [_, Kind.PLAY | Kind.SHARE]:
            entry = Entry.parse(fault.proof[1])
            forks = entry.view == ledger.view and not isinstance(entry.payload, Blame)
            return entry.height if forks else None
        case [Kind.STAND_IN, Kind.STAND_IN]:
            return history.height_left(ledger.chain.closed, fault.seat)
        case _:
            return None
