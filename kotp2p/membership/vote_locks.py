"""What a drop vote forbids its signer (PROTOCOL.md 9.2).

May live here: entries and votes that this seat must not take because of its own votes, and when
it may. May not: anything that is signed or sent.

How it works: who has voted takes no entry of the accused at that place. If it had taken one
already (votes because of proofs), it stands still. Another keeper's `HELD` lifts both, if it
answers that vote with its proofs: he has that entry and does not vote. And who has voted in one
round counts no votes of earlier rounds, until an entry or a vote shows that a voter whom the later
round needs has gone that way.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from kotp2p.game import history
from kotp2p.game.ledger import Ledger
from kotp2p.wire.entries import Blame, Entry, Farewell
from kotp2p.wire.genesis import signed_by_seat
from kotp2p.wire.proofs import CheatProof
from kotp2p.wire.votes import Matter, Vote, certificate_id, keepers_of
from referee.model.answers import Seat

EntryPlace: TypeAlias = tuple[int, int, Seat]
"""View, height, seat."""
MAX_KEPT_BODIES = 256
"""Entries and votes that are kept back."""
MAX_VOTES_AT_HEIGHT = 3
"""Votes at one height, in one round after the other, after which one in vain is the last."""


@dataclass(slots=True)
class VoteLocks:
    ledger: Ledger
    seat: Seat
    _objections: dict[tuple[EntryPlace, Seat], set[CheatProof]] = field(default_factory=dict)
    """Entries and who keeps them; the proofs because of which he does not vote either."""
    _held_entries: dict[EntryPlace, Entry] = field(default_factory=dict)
    """Kept back."""
    _held_farewells: dict[Seat, Farewell] = field(default_factory=dict)
    """Kept back."""
    _held_votes: dict[tuple[Seat, Matter], Vote] = field(default_factory=dict)
    """Kept back."""
    _followers: dict[bytes, set[Seat]] = field(default_factory=dict)
    """Heads on which seats have signed entries and votes of a later view."""
    _latest_rounds: dict[Seat, Vote] = field(default_factory=dict)
    """The drop vote of the greatest round that was seen of each seat, counted or not."""
    _voters: dict[tuple[int, Matter], set[Seat]] = field(default_factory=dict)
    """By view and matter: the keepers that a certificate needs."""

    # -- entries -------------------------------------------------------------------------

    def note_objection(self, held: Vote) -> None:
        """Another keeper has shown entries, and that he does not vote against their authors."""
        for seat in held.seats:
            known = self._objections.setdefault(((*held.place, seat), held.seat), set())
            known.update(held.proofs)

    def awaits_objection(self, held: Vote) -> bool:
        """Whether this seat has voted and had no such answer of that seat."""
        return any(
            mine.place == held.place
            and set(mine.seats) & set(held.seats)
            and set(mine.proofs) <= set(held.proofs)
            and not self._has_objected(held.seat, mine)
            for mine in self.ledger.tally.votes_of(self.seat)
        )

    def may_still_count(self, mine: Vote) -> bool:
        """Whether a vote of this seat may still become part of a certificate: others have not
        voted yet, and nobody of them has left since or keeps an entry of the accused there."""
        waited = self.keepers_waited_for(mine)
        return bool(waited) and not any(
            self._has_left(seat, mine) or self._has_objected(seat, mine) for seat in waited
        )

    def _has_left(self, seat: Seat, mine: Vote) -> bool:
        """From a place behind that vote, so that its farewell is none."""
        farewell = self.ledger.farewells.get(seat)
        return farewell is not None and farewell.place > mine.place

    def _has_objected(self, seat: Seat, mine: Vote) -> bool:
        """Whether `seat` has answered this vote by HELD: who has said so without its proofs may
        not have known them."""
        shown = [self._objections.get(((*mine.place, accused), seat)) for accused in mine.seats]
        return any(proofs is not None and proofs >= set(mine.proofs) for proofs in shown)

    def heights_voted_in_vain(self) -> set[int]:
        """The heights at which this seat has voted last in vain, unless somebody has voted there in
        a later round since, or because of proofs against more, or in the same round against others;
        but nobody comes back to a height again and again."""
        mine, found = self.ledger.tally.votes_of(self.seat), set()
        for height in {vote.height for vote in mine}:
            here = [vote for vote in mine if vote.height == height]
            last = here[-1]
            again = any(
                v.round > last.round
                or (v.round == last.round and v.proofs and v.seats != last.seats)
                or (v.proofs and set(last.seats) < set(v.seats))
                for v in (*self.ledger.tally.all_votes(), *self.votes_held_back())
                if v.height == height
            )
            if (len(here) >= MAX_VOTES_AT_HEIGHT or not again) and not self.may_still_count(last):
                found.add(height)
        return found

    def is_blocked(self) -> bool:
        """This seat has voted against seats whose entries it had taken, or whose farewell."""
        return self._blocking_vote() is not None

    def _blocking_vote(self) -> Vote | None:
        """The vote because of which this seat stands still."""
        ledger = self.ledger
        for mine in ledger.tally.votes_of(self.seat):
            taken = {s for s in mine.seats if has_taken(ledger, mine.height, s)}
            here = mine.height == ledger.height
            missing = here and set(mine.seats) & set(ledger.chain.called_seats()) - taken
            if taken and not missing and self.may_still_count(mine):
                return mine
        return None

    def hold_back_entry(self, entry: Entry) -> bool:
        """Whether `entry` must not be taken now; then it is kept. One for a place of which another
        is taken already changes nothing here but what is proven."""
        ledger = self.ledger
        if entry.view != ledger.view or isinstance(entry.payload, Blame):
            return False
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
        """Those that were kept back and may be taken now."""
        found = [e for e in self._held_entries.values() if e.view == self.ledger.view]
        self._held_entries = {}
        found.sort(key=lambda entry: entry.place)
        return [entry for entry in found if not self.hold_back_entry(entry)]

    def hold_back_farewell(self, farewell: Farewell) -> bool:
        """As `lock`: who stands still must not close a gather by a farewell either. But one from
        the place of his vote, or from before it, is as good as a vote."""
        ledger, players = self.ledger, self.ledger.genesis.players
        mine = self._blocking_vote()
        if mine is None or farewell.place <= mine.place or farewell.seat in ledger.farewells:
            return False
        if signed_by_seat(players, farewell.seat, farewell.signed):
            self._held_farewells.setdefault(farewell.seat, farewell)
        return True

    def release_farewells(self) -> list[Farewell]:
        """Those that were kept back and may be taken now."""
        if not self._held_farewells or self.is_blocked():
            return []
        found, self._held_farewells = list(self._held_farewells.values()), {}
        return found

    # -- rounds --------------------------------------------------------------------------

    def hold_back_vote(self, vote: Vote) -> bool:
        """Whether `vote` must not be counted now, because of a later round; then it is kept."""
        if not self._has_later_round(vote):
            return False
        if len(self._held_votes) < MAX_KEPT_BODIES:
            self._held_votes[vote.seat, vote.matter] = vote
        return True

    def _has_later_round(self, vote: Vote) -> bool:
        """This seat has voted in a round behind that of `vote` that may still come to something."""
        ledger = self.ledger
        if vote.view != ledger.view:
            return False
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
        """It has signed a vote about something else, or on another past, in that round or behind
        it: rounds ascend."""
        latest = self._latest_rounds.get(seat)
        if latest is None or latest.view != mine.view or latest.round < mine.round:
            return False
        return (latest.matter, latest.head) != (mine.matter, mine.head)

    def keepers_waited_for(self, mine: Vote) -> set[Seat]:
        """The keepers whose votes about the same matter are still needed."""
        return self._keepers_needed(mine) - set(self.ledger.tally.votes[mine.matter])

    def _keepers_needed(self, mine: Vote) -> set[Seat]:
        """All keepers but the accused, as it was there: who has left since has voted no more."""
        known, ledger = (mine.view, mine.matter), self.ledger
        if known not in self._voters:
            players, (alive, _) = ledger.genesis.players, ledger.called_at(mine.height)
            self._voters[known] = keepers_of(players, set(alive) - set(mine.seats))
        return self._voters[known]

    def note_round(self, vote: Vote) -> None:
        """A drop vote, rightly signed, also one that cannot be counted here."""
        known = self._latest_rounds.get(vote.seat)
        if known is None or (known.view, known.round) < (vote.view, vote.round):
            self._latest_rounds[vote.seat] = vote

    def note_later_view(self, seat: Seat, head: bytes) -> None:
        """An entry or a vote of a later view: its author has gone the way that its head tells."""
        if len(self._followers) < MAX_KEPT_BODIES:
            self._followers.setdefault(head, set()).add(seat)

    def votes_held_back(self) -> list[Vote]:
        """Those that are not counted, or not yet."""
        return [vote for vote in self._held_votes.values() if vote.view == self.ledger.view]

    def release_votes(self) -> list[Vote]:
        """Those that were kept back and may be counted now."""
        found = [v for v in self._held_votes.values() if v.view == self.ledger.view]
        self._held_votes = {}
        return [vote for vote in found if not self.hold_back_vote(vote)]


def has_taken(ledger: Ledger, height: int, seat: Seat) -> bool:
    """Whether `ledger` has gone on at `height` with what `seat` has signed."""
    if ledger.chain.find_entry(height, seat) is not None:
        return True
    return height < ledger.height and history.has_stood_in(ledger.chain.closed[height], seat)
