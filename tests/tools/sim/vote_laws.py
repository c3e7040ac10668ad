"""What must hold for the votes of each honest seat, after each of its steps (PROTOCOL.md 9.2).

Laws: I13 (the stance of a seat changes as the table of stances allows), I14 (a seat signs nothing
that its stance forbids), I15 (an honest seat votes out an absent one only after the minute of its
own clock, and when all needed players have said that they want it), I16 (no farewell is undone and
no sealed end).

Law: stances are found anew (`tests.tools.sim.stances`), and figures are written down again.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeAlias

from kotp2p.game.refusals import Early, Forged, Fork
from kotp2p.peer.peer import Peer
from kotp2p.votes.stances import STANCES, Stance, VoteEvent
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.intents import IntentKind
from kotp2p.wire.votes import Vote
from tests.tools.sim.stances import Stances, blocked_places, is_at_gather, stances_of

A_MINUTE = 60.0
"""The seconds of `VOTE_AFTER_SECONDS` as the rules of the house state them."""
SLACK = 1e-6

Wish: TypeAlias = tuple[tuple[int, int], tuple[int, ...]]
"""A place, and the seats that are to be put out there."""


@dataclass
class Seen:
    """One peer as it stood behind its last step."""

    view: int
    stances: Stances
    blocked: dict[tuple[int, int], bool]
    """The places at which it is blocked, and whether it waits there for more than cheats."""
    at_gather: bool
    votes: int
    """Its own, in this view."""
    heard: int
    """All votes that its copy counts."""
    objected: int
    taken: tuple[int, int]
    """Height, and the entries of the present step."""
    farewells: dict[int, Farewell]


@dataclass(frozen=True, slots=True)
class Ground:
    """How a seat stood when it signed a DROP."""

    pledged: bool
    kept: set[int]
    """The seats for which it has objected there."""
    stays: bool
    """Its last DROP was about the same seats there."""
    bound: bool
    """A DROP of it there binds."""
    agreed: bool
    """All needed players have said that they want it."""
    waited: float
    """For how long a seat that owes something has been late, or gone."""
    proven: dict[bytes, int]
    """By proof that convicts there: the keeper."""


@dataclass
class VoteLaws:
    """Of one game. What one process has seen is kept by its peer; intents are kept by seat."""

    broken: Callable[[str, str], None]
    seen: dict[int, Seen] = field(default_factory=dict)
    wanted: dict[int, set[Wish]] = field(default_factory=dict)
    """By seat: what its player has said at any time."""
    said_now: dict[int, Wish | None] = field(default_factory=dict)
    """By peer: what its player has said last in this process."""
    is_honest: Callable[[int], bool] = lambda seat: True
    """Whether the intents of a seat are heard here."""
    ends_hold: bool = True
    """Not where seats cheat: they may sign an end and vote it away all the same."""
    sealed: int | None = None
    """The view of an end that an honest seat has written down."""

    # -- what a peer does ------------------------------------------------------------------

    def says(self, peer: Peer, verb: IntentKind) -> None:
        """A player has declared an intent."""
        if verb in (IntentKind.PAUSE, IntentKind.GO):
            return
        accused = peer._voting.intents.open_vote
        if verb is IntentKind.DROP and not accused:
            return  # they are told that there is no vote, and what they have said before stands
        wish = (peer.ledger.place, accused) if verb is IntentKind.DROP else None
        self.said_now[id(peer)] = wish
        if wish is not None:
            self.wanted.setdefault(peer.seat, set()).add(wish)

    def i14_signs_entry(self, peer: Peer) -> None:
        """Neither a blocked nor a pledged seat signs an entry. One that is blocked, and waits for
        cheats alone, does so where no gather is open."""
        stances = stances_of(peer)
        blocked = blocked_places(peer, stances)
        is_blocked = any(blocked.values()) or (bool(blocked) and is_at_gather(peer))
        if is_blocked or Stance.PLEDGED in stances.values():
            self.broken("I14", f"seat {peer.seat} signs an entry at {peer.ledger.place}")

    def i14_signs_end(self, peer: Peer) -> None:
        if Stance.PLEDGED in stances_of(peer).values():
            self.broken("I14", f"seat {peer.seat} signs an end though it is pledged")

    def ground_for(self, peer: Peer, height: int, accused: tuple[int, ...], now: float) -> Ground:
        """How a seat stands that is about to sign a DROP."""
        ledger, players = peer.ledger, peer.genesis.players
        mine = sorted(
            (v for v in ledger.tally.all_votes() if v.seat == peer.seat), key=lambda v: v.round
        )
        clocks, owing = peer._voting.clocks, ledger.owing_seats()
        waited = [now - clocks.gone_since[s] for s in owing if s in clocks.gone_since]
        waited += [clocks.seconds_over(seat) for seat in owing if clocks._owing is not None]
        place = (ledger.view, height)
        # Players say it where they stand, also if proofs take the vote to an earlier height.
        wish = (ledger.place, accused)
        needed = {players[seat].keeper for seat in ledger.game.state.seats_alive()}
        needed -= {players[seat].keeper for seat in accused}
        silent = {
            keeper
            for keeper in needed - set(ledger.farewells)
            if self.is_honest(keeper) and wish not in self.wanted.get(keeper, ())
        }
        stances = stances_of(peer)
        return Ground(
            Stance.PLEDGED in stances.values(),
            {seat for *at, seat in peer._voting.locks.objected if (*at,) == place},
            bool(mine) and (mine[-1].height, mine[-1].seats) == (height, accused),
            stances.get(place) in (Stance.LOCKED, Stance.BLOCKED),
            self.said_now.get(id(peer)) == wish and not silent,
            max(waited, default=0.0),
            self._keepers_proven(peer, height),
        )

    def signs_drop(self, peer: Peer, vote: Vote, ground: Ground) -> None:
        """I14: a pledged seat signs none; none goes against a seat that was objected for, unless
        because of a proof. I15: against the others only when all needed players have said so."""
        who = f"seat {peer.seat} votes at {vote.place} against {vote.seats}"
        proven = {ground.proven[proof] for proof in vote.proofs if proof in ground.proven}
        players = peer.genesis.players
        unproven = {seat for seat in vote.seats if players[seat].keeper not in proven}
        if ground.pledged:
            self.broken("I14", f"{who} though it is pledged")
        if ground.kept & unproven:
            self.broken("I14", f"{who}, though it has objected for {ground.kept}")
        if not unproven or (ground.stays and (vote.proofs or ground.bound)):
            return
        if not ground.agreed:
            self.broken("I15", f"{who}, and not all players have said so")
        if ground.waited < A_MINUTE - SLACK:
            self.broken("I15", f"{who} after {ground.waited:.1f} seconds")

    @staticmethod
    def _keepers_proven(peer: Peer, height: int) -> dict[bytes, int]:
        """By proof that this seat knows and that convicts there: the keeper. A keeper may have
        several."""
        ledger, found = peer.ledger, dict[bytes, int]()
        known = {fault.proof.id: fault.proof for fault in peer._voting.convicts.values()}
        for name, proof in {**known, **ledger.proofs}.items():
            with suppress(Forged, Early, Fork):
                fault = ledger.judge_proof(proof, height)
                found[name] = peer.genesis.players[fault.seat].keeper
        return found

    # -- behind each step ------------------------------------------------------------------

    def steps(self, peer: Peer) -> None:
        ledger, former = peer.ledger, peer.ledger.open_former()
        stances = stances_of(peer)
        new = Seen(
            ledger.view,
            stances,
            blocked_places(peer, stances),
            is_at_gather(peer),
            len(ledger.tally.votes_of(peer.seat)),
            len(ledger.tally.all_votes()) + (len(former.tally.all_votes()) if former else 0),
            len(peer._voting.locks.objected),
            (ledger.height, len(ledger.chain.gathered)),
            dict(ledger.farewells),
        )
        old = self.seen.get(id(peer))
        self.seen[id(peer)] = new
        if old is None:
            return  # a restart may begin anywhere
        for place in {*old.stances, *new.stances}:
            self._i13_follows(peer, place, old, new)
        self._i14_takes(peer, old, new)
        self._i16_farewells(peer, old, new)

    def _i13_follows(self, peer: Peer, place: tuple[int, int], old: Seen, new: Seen) -> None:
        """A stance has changed by events that have happened."""
        before = old.stances.get(place, Stance.FREE)
        after = new.stances.get(place, Stance.FREE)
        never = set[VoteEvent]()
        if old.view == new.view:
            never |= {VoteEvent.VIEW_ENDS, VoteEvent.EARLIER_ROUND_WINS}
            if old.votes == new.votes:
                never |= {VoteEvent.SIGNS_DROP, VoteEvent.SIGNS_DROP_TO_UNDO}
        if old.objected == new.objected:
            never.add(VoteEvent.SIGNS_OBJECTION)
        if old.heard == new.heard and old.view == new.view:
            never |= {VoteEvent.VOTE_COUNTS_AGAIN, VoteEvent.VOTE_UNDOES_AGAIN}
        if old.farewells == new.farewells and old.taken[0] == new.taken[0]:
            never.add(VoteEvent.ACCUSED_LEAVE)
        if old.taken == new.taken or new.blocked.get(place, True):
            never.add(VoteEvent.ACCUSED_ANSWER)
        reached, fresh = {before}, {before}
        while fresh:
            ways = (way for stance in fresh for way in STANCES.transitions[stance].items())
            fresh = {to for event, to in ways if event not in never} - reached
            reached |= fresh
        if after not in reached:
            self.broken("I13", f"seat {peer.seat} at {place}: from {before} to {after}")

    def _i14_takes(self, peer: Peer, old: Seen, new: Seen) -> None:
        """A blocked seat takes no entry, and no farewell from behind the place of its vote. If it
        waits for cheats alone it may, where no gather is open."""
        blocked = [
            place
            for place in old.blocked.keys() & new.blocked.keys()
            if old.at_gather or (old.blocked[place] and new.blocked[place])
        ]
        if not blocked or old.view != new.view or old.votes != new.votes:
            return
        said = [f for seat, f in new.farewells.items() if seat not in old.farewells]
        if any(f.place > min(blocked) for f in said) or (not said and old.taken != new.taken):
            self.broken("I14", f"seat {peer.seat} takes more at {blocked}, where it is blocked")

    def _i16_farewells(self, peer: Peer, old: Seen, new: Seen) -> None:
        """A seat that has left stays away, and stays out."""
        if any(new.farewells.get(seat) != said for seat, said in old.farewells.items()):
            self.broken("I16", f"at seat {peer.seat} a farewell is undone")
        if self.ends_hold and self.sealed is not None and new.view > self.sealed:
            words = f"seat {peer.seat} is in view {new.view} behind a sealed end in {self.sealed}"
            self.broken("I16", words)

    def i16_seals_end(self, peer: Peer) -> None:
        """An honest seat has written down the end."""
        self.sealed = max(self.sealed or 0, peer.ledger.view)
