"""Where a seat votes because of proofs, and against which seats (PROTOCOL.md 9.6).

Scope: what the known proofs call for, and at which height.
Not here: the vote itself (`voting`), and what earlier votes forbid (`locks`).

How it works: all honest seats must vote about one matter, or none of their votes suffices, and
they must find it without talking. A convict is voted out where it is asked next. But where it has
signed two entries for one place, a *fork*, some may have taken one and some the other. They agree
on nothing behind that place, so the vote is about the place itself.

A seat must not wait at a fork for ever, as some of the votes there may never come. So it passes a
height over where its last vote is stuck and nobody asks for another. It comes back to a height
where others ask for more than it has said, and to a fork where more are convicted than it has voted
against. Where others have voted with proofs, it votes, too. What a seat waits for must not depend
on how far its own copy is.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from kotp2p.game import history
from kotp2p.game.conviction import forked_place
from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Cheat, Early, Forged, Fork
from kotp2p.votes.locks import VoteLocks
from kotp2p.votes.remembered import Remembered
from kotp2p.wire.entries import BodyKind
from kotp2p.wire.proofs import CheatProof
from kotp2p.wire.votes import Vote, keepers_of, seats_kept_by
from referee.model.answers import Seat

Target: TypeAlias = tuple[int, tuple[Seat, ...]]
"""A height, and the seats to be voted out there."""
MAX_VOTES_AT_HEIGHT = 3
"""After so many votes of a seat at one height against all of the accused, in one round after the
other, the last one is not repeated when it is stuck. Without this bound two honest seats could vote
at a fork and elsewhere in turn, round after round. Votes against fewer seats do not count: a seat
once had none left against two cheats, as one of them had called for others against the other."""


@dataclass(slots=True)
class TargetFinder:
    """`find_target` for one seat, worked out anew when something has changed."""

    locks: VoteLocks
    convicts: Mapping[Seat, Cheat]
    _known: Remembered[Target | None] = field(default_factory=Remembered)
    _known_convicted: Remembered[frozenset[Seat]] = field(default_factory=Remembered)

    def find(self) -> Target | None:
        return self._known.get(self.sources, lambda: find_target(self.locks, self.convicts))

    def find_convicted(self) -> frozenset[Seat]:
        """The keepers that a proof convicts at the present place."""
        return self._known_convicted.get(self.sources, self._judge_convicts)

    @property
    def sources(self) -> Hashable:
        """All that the votes of this seat depend on: what is taken into the game, what others have
        said about votes, and the proofs."""
        return self.locks.sources, tuple(fault.proof.id for fault in self.convicts.values())

    def _judge_convicts(self) -> frozenset[Seat]:
        ledger = self.locks.ledger
        return frozenset(proofs_that_convict(ledger, self.convicts, ledger.height))


def find_target(locks: VoteLocks, convicts: Mapping[Seat, Cheat]) -> Target | None:
    """Where this seat has to vote now because of proofs; None if nowhere.

    That is the earliest height that calls for it and is not passed over, and otherwise the present
    one.
    """
    ledger = locks.ledger
    if not convicts:
        return None
    heights = {_fork_height(ledger, fault) for fault in convicts.values()}
    heights |= {
        mine.height for mine in _last_votes(locks) if _is_more_wanted(locks, convicts, mine)
    }
    heights |= _heights_of_others(locks, convicts)
    behind = {h for h in heights if h is not None and ledger.undo_floor <= h < ledger.height}
    for height in (*sorted(behind), ledger.height):
        found = height, _convicted_seats(ledger, convicts, height)
        if _is_due(ledger, locks.seat, found) and (
            # At the present height it stays in any case: there is no later one to vote at.
            height == ledger.height or not is_passed_over(locks, convicts, found)
        ):
            return found
    return None


def is_passed_over(locks: VoteLocks, convicts: Collection[Seat], found: Target) -> bool:
    """Whether the last vote of this seat at a height behind the present one is against all of the
    accused, it is stuck, and nobody asks for another.

    A vote against fewer seats says nothing about those that are convicted there since. Three honest
    seats on two pasts once left a height for good, as their votes there lacked that of a cheat
    alone which was convicted there by then.
    """
    ledger, (height, accused) = locks.ledger, found
    mine = [v for v in ledger.tally.votes_of(locks.seat) if v.height == height]
    against_all = [vote for vote in mine if set(accused) <= set(vote.seats)]
    if not mine or mine[-1] not in against_all:
        return False
    last = mine[-1]
    stuck = not locks.shown.may_still_count(last) or locks.lacks_cheats_alone(last)
    more_wanted = _is_more_wanted(locks, convicts, last)
    # Others may ask for what this seat cannot vote for: it knows no proof against so many.
    can_vote = ledger.next_round(locks.seat, *found) is not None
    return stuck and not (more_wanted and can_vote and len(against_all) < MAX_VOTES_AT_HEIGHT)


def _last_votes(locks: VoteLocks) -> Iterable[Vote]:
    """The last vote of this seat at each height."""
    return {mine.height: mine for mine in locks.ledger.tally.votes_of(locks.seat)}.values()


def _heights_of_others(locks: VoteLocks, convicts: Collection[Seat]) -> set[int]:
    """Where other keepers that are no convicts have voted with proofs.

    Where a cheat has left by two farewells, each copy finds the fork where its own stand-in is. The
    copy with the later one can count a vote about the earlier height, and the other copy cannot
    count its votes: two honest seats once voted at two heights, for ever. Others learned of an
    offence at three heights, and voted there in turn, never all in one round, until they had used
    up their votes. So a seat stays at the lowest of these until its vote there is stuck.
    """
    out = {*convicts, locks.seat}
    return {v.height for v in locks.ledger.tally.all_votes() if v.proofs and v.seat not in out}


def _is_more_wanted(locks: VoteLocks, convicts: Collection[Seat], mine: Vote) -> bool:
    """Whether a keeper asks for more at the height of a vote of this seat. That keeper may be
    blocked there, and comes to nothing without the vote of this seat. Earlier votes of this seat
    ask, too. Votes of convicts do not: a cheat could lead this seat to use up its votes."""
    return any(
        theirs.height == mine.height
        and theirs.seat not in convicts
        and _asks_for_more(theirs, mine)
        for theirs in locks.ledger.tally.all_votes()
    )


def _asks_for_more(theirs: Vote, mine: Vote) -> bool:
    """Whether a vote calls for another one of the seat that has signed `mine` there: it is of a
    later round, or with proofs against more seats, or with proofs in the same round against
    others."""
    if theirs.round > mine.round:
        return True
    others = theirs.round == mine.round and theirs.seats != mine.seats
    return bool(theirs.proofs) and (others or set(mine.seats) < set(theirs.seats))


def _convicted_seats(
    ledger: Ledger, convicts: Mapping[Seat, Cheat], height: int
) -> tuple[Seat, ...]:
    """All living seats of the keepers that are convicted on the chain up to `height`."""
    players, alive = ledger.genesis.players, ledger.chain.starts[height].alive
    return tuple(
        sorted(seats_kept_by(players, proofs_that_convict(ledger, convicts, height), alive))
    )


def _is_due(ledger: Ledger, seat: Seat, found: Target) -> bool:
    """Whether that height asks one of the accused, and `seat` has a vote.

    Also one that has left: a cheat may show its farewell to some, and an entry behind it to others.
    These vote to undo the entry, and need the votes of those that only wait for the others.
    """
    (height, accused), players = found, ledger.genesis.players
    start = ledger.chain.starts[height]
    return seat in keepers_of(players, start.alive) - keepers_of(players, accused) and bool(
        {*accused} & {*start.asked}
    )


def proofs_that_convict(
    ledger: Ledger, convicts: Mapping[Seat, Cheat], height: int
) -> dict[Seat, CheatProof]:
    """The proofs that convict on the chain up to `height`, by keeper: of each the one to vote with,
    or else the first of the log. The others prove something behind that height, or on a chain that
    was undone; they may convict again on another one.

    Seats hear of proofs in another order. Where the first one against a seat convicted at the
    present height only, its holder once voted against fewer seats than the others, for ever: the
    proof that they named was known, and not looked at.
    """
    found: dict[Seat, CheatProof] = {}
    for proof in (*(fault.proof for fault in convicts.values()), *ledger.proofs.values()):
        if len(found) == len(convicts):
            break
        try:
            fault = ledger.judge_proof(proof, height)
        except (Forged, Fork, Early):
            continue
        keeper = ledger.genesis.players[fault.seat].keeper
        if keeper in convicts:
            found.setdefault(keeper, proof)
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
    one keeper; None if the proof is of another kind."""
    place = forked_place(fault.proof)
    if place is not None:
        view, height = place
        return height if view == ledger.view and _may_fork(ledger, fault.seat, height) else None
    if is_of_two_farewells(fault.proof):
        return history.height_left(ledger.chain.closed, fault.seat)
    return None  # one body alone, or two that forked nothing, as a vote did


def _may_fork(ledger: Ledger, author: Seat, height: int) -> bool:
    """Whether an entry of the author's keeper may be taken there.

    A cheat once signed two where it was not asked. All kept that proof for its low height, where
    nobody could vote, and so never voted where the cheat's two farewells had forked the game.
    """
    if height > ledger.height:
        return True
    players = ledger.genesis.players
    asked = {players[seat].keeper for seat in ledger.chain.starts[height].asked}
    return players[author].keeper in asked


def is_of_two_farewells(proof: CheatProof) -> bool:
    return all(signed.kind is BodyKind.STAND_IN for signed in proof.bodies)
