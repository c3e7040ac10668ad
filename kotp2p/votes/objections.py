"""What is answered to a vote against a seat whose entry this copy has taken (PROTOCOL.md 9.2).

Scope: objections (`HELD` on the wire), this seat's own and those of others.
Not here: when this seat votes (`voting`), which locks an objection opens (`vote_locks`).

How it works: a vote locks its signer until it can come to nothing (`vote_locks`). The signer waits
for that news, so each vote is answered as soon as there is something of the accused to show. This
seat shows the entry. If it will not vote against its author there, it also signs an objection. The
objection repeats the proofs of the vote, as one without them may be older than the proof: its
author may vote because of it yet.

An objection is a promise. A seat that signs one and votes all the same can leave others on two
pasts: they have gone on because of it. Hence the conditions in `_seats_to_protect`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Cheat, Early, Forged, Fork
from kotp2p.game.vote_tally import MAX_VOTES_PER_VIEW
from kotp2p.mesh.gossip import Gossip
from kotp2p.votes.locks import EntryPlace, VoteLocks, has_taken
from kotp2p.votes.targets import Target, calls_for_earlier_vote, find_target
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import Entry, Signed
from kotp2p.wire.votes import Vote, VoteChoice, keepers_of
from referee.model.answers import Seat


@dataclass(slots=True)
class Objections:
    ledger: Ledger
    gossip: Gossip
    locks: VoteLocks
    convicts: dict[Seat, Cheat]
    seat: Seat
    signer: Signer
    wanted_accused: Callable[[], tuple[Seat, ...]]
    """The accused of the vote that is open here, if the player of this seat wants it, too."""
    objected: set[EntryPlace] = field(default_factory=set)
    """The entries against whose authors this seat has promised not to vote there, unless because
    of a proof."""
    _others: dict[Seat, list[Vote]] = field(default_factory=dict)
    """The objections of each other seat, in this view."""
    _answered: set[tuple[Seat, int, int]] = field(default_factory=set)
    """Voter, view and round of each vote that this seat has objected to."""
    _uncounted: dict[Seat, set[tuple[int, int, int]]] = field(default_factory=dict)
    """By voter: view, height and round of votes that were answered and could not be counted."""

    def __post_init__(self) -> None:
        """After a restart: the objections that this seat has signed, or would have. No log holds
        them, so they are worked out anew from the votes. If all seats have been away, nobody else
        remembers either, and the signers of those votes would wait for ever."""
        for vote in self.ledger.tally.all_votes():
            if self.seat not in (vote.seat, *vote.seats):
                self.objected |= {
                    (*vote.place, seat)
                    for seat in vote.seats
                    if has_taken(self.ledger, vote.height, seat)
                    and (self.seat, *vote.place, seat) not in self.ledger.drops_cast
                }

    # -- objections of this seat -----------------------------------------------------------

    def answer_vote(self, vote: Vote, caught: tuple[Cheat, ...] = ()) -> None:
        """Shows what this copy has taken of the accused, and objects if it keeps that. `caught`:
        what the vote proves, because of which this seat may be about to vote the same."""
        ledger = self.ledger
        if vote.view != ledger.view or vote.height > ledger.height:
            return
        for seat in self._seats_taken(vote):
            entry = ledger.chain.find_entry(vote.height, seat)
            shown = ledger.farewells[seat].signed if entry is None else entry.signed
            self.gossip.broadcast(shown)
        self.send_objection(
            vote.place,
            self._seats_to_protect(vote, self._next_target(caught)),
            self._checked_proofs(vote),
        )

    def answer_uncounted_vote(self, vote: Vote) -> None:
        """Answers a vote that cannot be counted here, as its signer waits all the same. It is
        answered once, or a cheat's flood of votes would be doubled by all; anew after a new link.
        """
        known, what = self._uncounted.setdefault(vote.seat, set()), (*vote.place, vote.round)
        if what not in known and len(known) < MAX_VOTES_PER_VIEW:
            known.add(what)
            self.answer_vote(vote)

    def note_new_link(self, seat: Seat) -> None:
        """A peer on a new link may have lost what it was answered."""
        self._uncounted.pop(seat, None)

    def answer_earlier_votes(self) -> None:
        """Answers votes of before, once something of the accused has been taken. Also votes that
        are held back for a later round: their signers are locked no less."""
        votes = (*self.ledger.tally.all_votes(), *self.locks.votes_held_back())
        new = [
            vote
            for vote in votes
            if vote.seat != self.seat
            and (vote.seat, vote.view, vote.round) not in self._answered
            and self._seats_taken(vote)
        ]
        will = self._next_target(()) if new else None
        for vote in new:
            if self._seats_to_protect(vote, will):
                self._answered.add((vote.seat, vote.view, vote.round))
                self.answer_vote(vote)

    def send_objection(
        self, place: tuple[int, int], seats: tuple[Seat, ...], proofs: tuple[bytes, ...]
    ) -> None:
        """Tells all that this seat has entries of `seats` and does not vote against them, not even
        because of `proofs`. Seats that it is about to vote against there, or wants out, are left
        out."""
        players = self.ledger.genesis.players
        due = self._next_target(())
        if due is not None and due[0] == place[1]:
            seats = tuple(seat for seat in seats if seat not in due[1])
        seats = tuple(seat for seat in seats if seat not in self._seats_wanted_out(place))
        if not seats or self.seat not in keepers_of(players, self.ledger.called_at(place[1])[0]):
            return
        self.objected |= {(*place, seat) for seat in seats}
        self.gossip.broadcast(self._sign(place, seats, proofs))

    def bodies_for_new_link(self) -> list[Signed]:
        """For a new link: all objections of this view. Our own once without proofs, and once with
        the proofs of each vote there, as the peer may wait with any of these votes."""
        view, due = self.ledger.view, self._next_target(())
        will = {(view, due[0], seat) for seat in due[1]} if due is not None else set()
        held = sorted(at for at in self.objected - will if at[0] == view)
        found = [vote.signed for seat in self._others for vote in self.objections_of(seat)]
        for place in sorted({(view, height) for _, height, _ in held}):
            seats = tuple(s for *at, s in held if tuple(at) == place)
            votes = (*self.ledger.tally.all_votes(), *self.locks.votes_held_back())
            there = [v for v in votes if v.place == place and set(v.seats) & set(seats)]
            for proofs in dict.fromkeys(((), *(self._checked_proofs(vote) for vote in there))):
                found.append(self._sign(place, seats, proofs))
        return found

    def is_accused_by_others(self, entry: Entry) -> bool:
        """Whether others have voted against the author of an entry that has just been taken. They
        are locked, and must see it."""
        place = (*entry.place, entry.seat)
        accusers = {v for v, *at in self.ledger.drops_cast if tuple(at) == place}
        return bool(accusers) and self.seat not in accusers and self.seat != entry.seat

    def _seats_taken(self, vote: Vote) -> tuple[Seat, ...]:
        return tuple(seat for seat in vote.seats if has_taken(self.ledger, vote.height, seat))

    def _seats_to_protect(self, vote: Vote, will: Target | None) -> tuple[Seat, ...]:
        """The accused of which this copy has taken something, and which this seat will not vote
        against there. Not:

        * those against which it `will` vote there because of a proof. The vote's signer would go
          on, and might close a gather before this seat's vote comes;
        * those that its player wants out. Of a keeper and the keeper's bots one may have signed
          its opening and another is waited for; a promise to spare the one would keep the other;
        * those that it has voted against already.
        """
        if self.seat in vote.seats:
            return ()
        agreed = will[1] if will is not None and will[0] == vote.height else ()
        out = {*agreed, *self._seats_wanted_out(vote.place)}
        return tuple(
            s for s in self._seats_taken(vote) if s not in out and self._may_object(vote.height, s)
        )

    def _seats_wanted_out(self, place: tuple[int, int]) -> tuple[Seat, ...]:
        return self.wanted_accused() if place == self.ledger.place else ()

    def _may_object(self, height: int, seat: Seat) -> bool:
        """Whether this seat has not voted against `seat` there. A vote because of a proof may be
        over: once its copy has closed a later gather it votes there no more, and the others, which
        have voted in a later round, need to know."""
        votes = [v for v in self.ledger.tally.votes_of(self.seat) if v.height == height]
        mine = [v for v in votes if seat in v.seats]
        return not mine or (height < self.ledger.undo_floor and all(v.proofs for v in mine))

    def _next_target(self, caught: tuple[Cheat, ...]) -> Target | None:
        """Where this seat votes because of proofs, and against which seats, once it also knows what
        a vote has just proven (`caught`)."""
        ledger, convicts = self.ledger, dict(self.convicts)
        for fault in caught:
            keeper = ledger.genesis.players[fault.seat].keeper
            if keeper not in convicts or calls_for_earlier_vote(ledger, fault, convicts[keeper]):
                convicts[keeper] = fault
        return find_target(self.locks, convicts)

    def _checked_proofs(self, vote: Vote) -> tuple[bytes, ...]:
        """The proofs that a vote names, if they all convict here. This seat must not sign that it
        knows a proof that it cannot judge: another copy may find it right."""
        known = self.ledger.proofs
        try:
            for named in vote.proofs:
                self.ledger.judge_proof(known[named], vote.height)
        except (KeyError, BadBytes, Forged, Early, Fork):
            return ()
        return vote.proofs

    def _sign(
        self, place: tuple[int, int], seats: tuple[Seat, ...], proofs: tuple[bytes, ...]
    ) -> Signed:
        game, head = self.ledger.genesis.id, self.ledger.heads[place[1]]
        held = VoteChoice.HELD
        return Vote.sign(
            self.signer, game, place, head, self.seat, held, seats, proofs=proofs
        ).signed

    # -- objections of others --------------------------------------------------------------

    def objections_of(self, seat: Seat) -> list[Vote]:
        """The objections that are known of a seat in this view."""
        return [vote for vote in self._others.get(seat, ()) if vote.view == self.ledger.view]

    def receive_objection(self, source: Seat, vote: Vote) -> None:
        """An objection of another seat. So many of a seat are kept and relayed. Beyond that one
        still counts if it answers a vote of this seat: its author may have had to answer a flood
        of votes of a cheat."""
        known = self._others[vote.seat] = self.objections_of(vote.seat)
        if vote.view != self.ledger.view or any(_same(vote, other) for other in known):
            return
        if len(known) < MAX_VOTES_PER_VIEW:
            known.append(vote)
            self.gossip.relay_frame(source, vote.seat, vote.signed)
        elif not self.locks.awaits_objection(vote):
            return
        self.locks.note_objection(vote)


def _same(one: Vote, other: Vote) -> bool:
    return (one.place, one.seats, one.proofs) == (other.place, other.seats, other.proofs)
