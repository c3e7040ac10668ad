"""What a drop vote forbids its signer (PROTOCOL.md 9.2).

Scope: the entries, farewells and votes that this seat must not take because of its own votes, and
when it may take them after all.
Not here: anything that is signed or sent (`voting`, `objections`).

Why votes lock: a certificate undoes what the accused have signed at its place. If a voter built on
such an entry, it would serve both: the certificate that undoes the entry, and the gather that makes
it final. Then two honest copies could go two ways for good. So a vote is a lock as long as it may
become part of a certificate:

* *Lock on a place.* A voter takes no entry of the accused at the place of its vote.
* *Block.* If it had taken one already, which happens only with proofs, it takes and signs nothing
  at all: each further entry would build on the one that its vote is to undo.
* *Lock on earlier rounds.* A voter counts no vote of an earlier round than its own. The
  certificate of the later round takes the place of the earlier one, which it must not follow.

What opens a lock: another keeper that the certificate needs shows that it will not vote so. It has
objected with all proofs of the vote (`objections`), or has left from a place behind the vote. The
lock on rounds opens where it has gone the way of the earlier round, or has voted otherwise since.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from kotp2p.game import history
from kotp2p.game.ledger import Ledger
from kotp2p.wire.entries import Blame, Entry, Farewell
from kotp2p.wire.genesis import signed_by_seat
from kotp2p.wire.votes import Matter, Vote, certificate_id, keepers_of
from referee.model.answers import Seat

EntryPlace: TypeAlias = tuple[int, int, Seat]
"""View, height, seat."""
MAX_KEPT_BODIES = 256
"""How many entries are held back, and likewise how many votes and heads of later views."""


@dataclass(slots=True)
class VoteLocks:
    ledger: Ledger
    seat: Seat
    _objections: dict[tuple[EntryPlace, Seat], set[bytes]] = field(default_factory=dict)
    """By entry, and keeper that does not vote against its author there: the proofs in spite of
    which that keeper does not."""
    _held_entries: dict[EntryPlace, Entry] = field(default_factory=dict)
    _held_farewells: dict[Seat, Farewell] = field(default_factory=dict)
    _held_votes: dict[tuple[Seat, Matter], Vote] = field(default_factory=dict)
    _followers: dict[bytes, set[Seat]] = field(default_factory=dict)
    """By head: the seats that have signed an entry or a vote of a later view on it."""
    _latest_rounds: dict[Seat, Vote] = field(default_factory=dict)
    """The drop vote of the greatest round that was seen of each seat, counted or not."""
    _voters: dict[tuple[int, Matter], set[Seat]] = field(default_factory=dict)
    """By view and matter: the keepers that a certificate needs."""

    # -- whether a vote still binds --------------------------------------------------------

    def note_objection(self, held: Vote) -> None:
        """Another keeper has said that it has entries of seats, and does not vote against them.
        Proofs add up over its objections: each answers one vote."""
        for seat in held.seats:
            known = self._objections.setdefault(((*held.place, seat), held.seat), set())
            known.update(held.proofs)

    def awaits_objection(self, held: Vote) -> bool:
        """Whether an objection would open a lock of this seat. A keeper that is made to answer
        votes without end by a cheat must still be heard by this seat."""
        return any(
            mine.place == held.place
            and set(mine.seats) & set(held.seats)
            and set(mine.proofs) <= set(held.proofs)
            and not self._has_objected(held.seat, mine)
            for mine in self.ledger.tally.votes_of(self.seat)
        )

    def may_still_count(self, mine: Vote) -> bool:
        """Whether a vote of this seat may still become part of a certificate, and so binds."""
        waited = self.keepers_waited_for(mine)
        # With nobody to wait for it is part of a certificate already, or of too few votes for one.
        return bool(waited) and not any(
            self._has_left(seat, mine) or self._has_objected(seat, mine) for seat in waited
        )

    def _has_left(self, seat: Seat, mine: Vote) -> bool:
        """Whether `seat` has left from a place behind that vote. A farewell from its place, or from
        before it, counts as a vote instead."""
        farewell = self.ledger.farewells.get(seat)
        return farewell is not None and farewell.place > mine.place

    def _has_objected(self, seat: Seat, mine: Vote) -> bool:
        """Whether `seat` has objected to this vote, with all of its proofs. A keeper that has
        objected without them may not have known them, and may vote because of them yet: three
        honest seats once took such objections for a refusal, and voted on where their pasts
        differed, for ever."""
        shown = [self._objections.get(((*mine.place, accused), seat)) for accused in mine.seats]
        return any(proofs is not None and proofs >= set(mine.proofs) for proofs in shown)

    # -- entries and farewells -----------------------------------------------------------

    def is_blocked(self) -> bool:
        """Whether this seat has voted against a seat whose entry, or farewell, it had taken."""
        return self._blocking_vote() is not None

    def _blocking_vote(self) -> Vote | None:
        """The vote that blocks this seat."""
        ledger = self.ledger
        for mine in ledger.tally.votes_of(self.seat):
            taken = {s for s in mine.seats if has_taken(ledger, mine.height, s)}
            here = mine.height == ledger.height
            # At the present height another accused seat may be missing: then the step cannot close
            # on their entries, and the lock on that place is enough.
            missing = here and set(mine.seats) & set(ledger.chain.called_seats()) - taken
            if taken and not missing and self.may_still_count(mine):
                return mine
        return None

    def hold_back_entry(self, entry: Entry) -> bool:
        """Whether `entry` must not be taken now. Then it is kept for later."""
        ledger = self.ledger
        if entry.view != ledger.view or isinstance(entry.payload, Blame):
            return False
        # A second entry for a place is never taken into the game. It may be the proof that others
        # vote with, so a blocked seat must look at it all the same.
        if ledger.chain.find_entry(entry.height, entry.seat) is not None:
            return False
        if not self.is_blocked() and not any(
            mine.place == entry.place and entry.seat in mine.seats and self.may_still_count(mine)
            for mine in ledger.tally.votes_of(self.seat)
        ):
            return False
        players = ledger.genesis.players
        if (
            entry.height >= ledger.chain.last_gather
            and entry.game == ledger.genesis.id
            and len(self._held_entries) < MAX_KEPT_BODIES
            and signed_by_seat(players, entry.seat, entry.signed)
        ):
            self._held_entries[(*entry.place, entry.seat)] = entry
        return True

    def release_entries(self) -> list[Entry]:
        """The entries that were held back and may be taken now, in order of their places."""
        found = [e for e in self._held_entries.values() if e.view == self.ledger.view]
        self._held_entries = {}
        found.sort(key=lambda entry: entry.place)
        return [entry for entry in found if not self.hold_back_entry(entry)]

    def hold_back_farewell(self, farewell: Farewell) -> bool:
        """Whether `farewell` must not be taken now. Then it is kept for later.

        Its stand-in could close a gather that the vote may still undo. A farewell from the place
        of the vote, or from before it, is taken: it counts as a vote there.
        """
        ledger, players = self.ledger, self.ledger.genesis.players
        mine = self._blocking_vote()
        if mine is None or farewell.place <= mine.place or farewell.seat in ledger.farewells:
            return False
        if signed_by_seat(players, farewell.seat, farewell.signed):
            self._held_farewells.setdefault(farewell.seat, farewell)
        return True

    def release_farewells(self) -> list[Farewell]:
        """The farewells that were held back and may be taken now."""
        if not self._held_farewells or self.is_blocked():
            return []
        found, self._held_farewells = list(self._held_farewells.values()), {}
        return found

    # -- rounds --------------------------------------------------------------------------

    def hold_back_vote(self, vote: Vote) -> bool:
        """Whether `vote` must not be counted now, as this seat has voted in a later round. Then it
        is kept for later."""
        if not self._has_later_round(vote):
            return False
        if len(self._held_votes) < MAX_KEPT_BODIES:
            self._held_votes[vote.seat, vote.matter] = vote
        return True

    def _has_later_round(self, vote: Vote) -> bool:
        """Whether a vote of this seat in a later round than that of `vote` still forbids to count
        it."""
        ledger = self.ledger
        if vote.view != ledger.view:
            return False
        # The head that a certificate of these votes would give: a keeper that has signed on it has
        # followed the earlier round, and will not vote for the later one any more.
        after = certificate_id(
            ledger.genesis.id, vote.head, vote.view, vote.round, vote.height, vote.seats
        )
        gone = self._followers.get(after, set())
        return any(
            not any(
                s in gone or self._votes_otherwise(s, mine) for s in self.keepers_waited_for(mine)
            )
            for mine in ledger.tally.votes_of(self.seat)
            if mine.round > vote.round
        )

    def _votes_otherwise(self, seat: Seat, mine: Vote) -> bool:
        """Whether `seat` has voted about something else, or on another past, in the round of that
        vote or a later one. The rounds of a keeper ascend, so it can no longer vote for this one.

        This releases held votes only, never the vote `mine` itself: two honest seats once gave up
        their places because each had seen the other vote elsewhere.
        """
        latest = self._latest_rounds.get(seat)
        if latest is None or latest.view != mine.view or latest.round < mine.round:
            return False
        return (latest.matter, latest.head) != (mine.matter, mine.head)

    def keepers_waited_for(self, mine: Vote) -> set[Seat]:
        """The keepers whose votes about the same matter are still needed."""
        return self._keepers_needed(mine) - set(self.ledger.tally.votes[mine.matter])

    def _keepers_needed(self, mine: Vote) -> set[Seat]:
        """All keepers that were live there but the accused ones. It must be those of that height: a
        keeper that objected there and has left since was once forgotten, and the vote held its
        signer for ever."""
        known, ledger = (mine.view, mine.matter), self.ledger
        if known not in self._voters:
            players, (alive, _) = ledger.genesis.players, ledger.called_at(mine.height)
            self._voters[known] = keepers_of(players, set(alive) - set(mine.seats))
        return self._voters[known]

    def note_round(self, vote: Vote) -> None:
        """Notes the round of a drop vote that is rightly signed. The vote may be one that cannot be
        counted here."""
        known = self._latest_rounds.get(vote.seat)
        if known is None or (known.view, known.round) < (vote.view, vote.round):
            self._latest_rounds[vote.seat] = vote

    def note_later_view(self, seat: Seat, head: bytes) -> None:
        """Notes an entry or a vote of a later view: its author has gone the way that its head
        tells. A vote tells it, too, as a seat may vote at once in a new view and sign no entry."""
        if len(self._followers) < MAX_KEPT_BODIES:
            self._followers.setdefault(head, set()).add(seat)

    def votes_held_back(self) -> list[Vote]:
        """The votes that are not counted, or not yet."""
        return [vote for vote in self._held_votes.values() if vote.view == self.ledger.view]

    def release_votes(self) -> list[Vote]:
        """The votes that were held back and may be counted now."""
        found = [v for v in self._held_votes.values() if v.view == self.ledger.view]
        self._held_votes = {}
        return [vote for vote in found if not self.hold_back_vote(vote)]


def has_taken(ledger: Ledger, height: int, seat: Seat) -> bool:
    """Whether `ledger` has gone on at `height` with what `seat` has signed."""
    if ledger.chain.find_entry(height, seat) is not None:
        return True
    return height < ledger.height and history.has_stood_in(ledger.chain.closed[height], seat)
