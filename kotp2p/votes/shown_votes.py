"""What other keepers have shown of their votes, and which votes may still count because of that.

Scope: the drop votes, objections and farewells that have come, counted and taken or not, and what
they say about a vote that lacks others: whether it *binds*, and which keepers it waits for.
Not here: what a vote that binds forbids its signer (`locks`), and what is signed or sent (`voting`,
`objections`).

A farewell that this seat must not take yet (`locks`) shows as much as one that it has taken.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.game.chain import Chain
from kotp2p.game.ledger import Ledger
from kotp2p.game.vote_tally import MAX_VOTES_PER_VIEW
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.votes import Vote, needed_keepers
from referee.model.answers import Seat

MAX_SEEN_VOTES = 256
"""How many drop votes of another seat are remembered, counted or not. An honest seat signs few."""


@dataclass(slots=True)
class ShownVotes:
    ledger: Ledger
    seat: Seat
    heard: dict[Seat, list[Vote]] = field(default_factory=dict)
    """The objections of each other seat, in this view and the former one."""
    held_farewells: dict[Seat, Farewell] = field(default_factory=dict)
    """By keeper: the farewells that this seat must not take yet."""
    news: int = 0
    """Rises with all that comes. What was worked out from it is right while it stays the same."""
    _latest: dict[Seat, Vote] = field(default_factory=dict)
    """The drop vote of the latest view and round that was seen of each seat, counted or not."""
    _seen: dict[Seat, dict[tuple[int, int], Vote]] = field(default_factory=dict)
    """By view and round: drop votes of each seat, counted or not."""
    _voted_since: dict[tuple[Seat, tuple[int, int], Seat], int] = field(default_factory=dict)
    """By keeper, place and accused: the least round in which a keeper that had objected for that
    one there has voted against it later."""

    # -- which votes bind ----------------------------------------------------------------

    def may_still_count(self, vote: Vote) -> bool:
        """Whether a vote of this view may still become part of a certificate, and so binds its
        author."""
        if self.ledger.is_too_late(vote):
            return False
        waited = self.keepers_waited_for(vote)
        # With nobody to wait for it is part of a certificate already, or of too few votes for one.
        return bool(waited) and not any(
            self.will_not_vote(seat, vote) or self._are_both_further(seat, vote) for seat in waited
        )

    def keepers_waited_for(self, vote: Vote) -> set[Seat]:
        """The keepers whose votes about the same matter are still needed. `vote` is counted, in the
        present view or in the former one."""
        tally, chain = self.ledger.line_of(vote.view)
        return self._needed_for(vote, chain) - set(tally.votes[vote.matter])

    def find_farewell(self, keeper: Seat) -> Farewell | None:
        """Taken or not."""
        return self.ledger.farewells.get(keeper, self.held_farewells.get(keeper))

    def _needed_for(self, vote: Vote, chain: Chain) -> set[Seat]:
        # All keepers that were live there but the accused ones. It must be those of that height: a
        # keeper that objected there and has left since was once forgotten, and the vote held its
        # signer for ever.
        alive = chain.starts[vote.height].alive
        return needed_keepers(self.ledger.genesis.players, alive, vote.seats)

    # -- what releases them --------------------------------------------------------------

    def will_not_vote(self, seat: Seat, vote: Vote) -> bool:
        """Whether `seat` has shown that it will not vote so: it has left without such a vote, or
        has objected with all proofs of the vote.

        A keeper that has objected without the proofs may not have known them, and may vote because
        of them yet: three honest seats once took such objections for a refusal, and voted on where
        their pasts differed, for ever.
        """
        if self._has_left_without(seat, vote):
            return True
        about_it = [v for v in self.heard.get(seat, ()) if v.place == vote.place]
        return any(
            {proof for v in about_it if accused in v.seats for proof in v.proofs} >= {*vote.proofs}
            for v in about_it
            for accused in v.seats
            if accused in vote.seats and not self._has_changed_its_mind(seat, accused, vote)
        )

    def has_gone_on(self, seat: Seat, vote: Vote) -> bool:
        """Whether `seat` has signed in the present view, or has voted about something else or on
        another past in the round of a vote of the former view or in a later one. The rounds of a
        keeper ascend, so it can no longer vote for that one."""
        latest = self._latest.get(seat)
        if seat in self.ledger.chain.gathered or self.ledger.tally.votes_of(seat):
            return True
        if latest is None or latest.view < vote.view:
            return False
        is_later = latest.view > vote.view or latest.round >= vote.round
        return is_later and (latest.matter, latest.head) != (vote.matter, vote.head)

    def counts_as_vote(self, farewell: Farewell, vote: Vote) -> bool:
        """Whether a certificate with this vote needs no vote of a keeper that has left by
        `farewell`: it has left there or before, or all who vote so name proofs.

        A cheat once showed two next commitments, and a player who knew of one left right behind
        them. The others released their votes there, and each side voted on its own past for ever.
        """
        if farewell.place <= vote.place:
            return True
        if farewell.view != vote.view:
            return False
        tally, chain = self.ledger.line_of(vote.view)
        return tally.are_of_cheats(vote.matter, self._needed_for(vote, chain))

    def _are_both_further(self, seat: Seat, vote: Vote) -> bool:
        """Whether both `seat` and the author of a vote of this view have voted about the same in
        later rounds. They may meet there, and no more in this one: the rounds of a keeper ascend.

        A cheat once called each seat to a round of its own. They met in a later one, which came to
        nothing, and each still waited for the others in the first.
        """
        tally, accused = self.ledger.tally, vote.seats
        return all(
            any(
                later.round > vote.round and (later.height, later.seats) == (vote.height, accused)
                for later in tally.votes_of(keeper)
            )
            for keeper in (seat, vote.seat)
        )

    def _has_changed_its_mind(self, seat: Seat, accused: Seat, vote: Vote) -> bool:
        """Whether `seat` has objected for an accused of a vote of this view, and has then voted
        against it there, in the round of that vote or before. It may vote so again.

        Two honest seats once took such objections for refusals. They voted there and elsewhere in
        turn, round after round, until all of their votes were used up.
        """
        voted = self._voted_since.get((seat, vote.place, accused))
        return voted is not None and voted <= vote.round and vote.view == self.ledger.view

    def _has_left_without(self, seat: Seat, vote: Vote) -> bool:
        """Whether `seat` has left from a place behind a vote, and has not voted so. A vote of that
        round may still be on its way if the farewell names the round.

        Where the farewell counts as a vote it does not matter whether the keeper has voted.
        """
        farewell = self.find_farewell(seat)
        if farewell is None or self.counts_as_vote(farewell, vote):
            return False
        if farewell.view > vote.view or vote.round not in farewell.rounds:
            return True
        seen = self._seen.get(seat, {}).get((vote.view, vote.round))
        return seen is not None and (seen.matter, seen.head) != (vote.matter, vote.head)

    # -- what comes ----------------------------------------------------------------------

    def note_vote(self, vote: Vote) -> None:
        """Notes a drop vote that is rightly signed. It may be one that cannot be counted here."""
        seen = self._seen.setdefault(vote.seat, {})
        if len(seen) < MAX_SEEN_VOTES and (vote.view, vote.round) not in seen:
            seen[vote.view, vote.round] = vote
            self._note_change_of_mind(vote)
            self.news += 1
        known = self._latest.get(vote.seat)
        if known is None or (known.view, known.round) < (vote.view, vote.round):
            self._latest[vote.seat] = vote
            self.news += 1

    def _note_change_of_mind(self, vote: Vote) -> None:
        """A vote that is new here, of a keeper that may have objected there before."""
        objections = [held for held in self.heard.get(vote.seat, ()) if held.place == vote.place]
        for accused in {seat for held in objections for seat in held.seats} & {*vote.seats}:
            key = vote.seat, vote.place, accused
            self._voted_since[key] = min(vote.round, self._voted_since.get(key, vote.round))

    def note_objection(self, held: Vote) -> bool:
        """Keeps an objection of another seat; whether it is one of those to be passed on.

        So many of a seat are kept. Beyond that one still counts if it answers a vote of this seat:
        its author may have had to answer a flood of votes of a cheat.
        """
        views = self.ledger.open_views()
        known = [vote for vote in self.heard.get(held.seat, ()) if vote.view in views]
        self.heard[held.seat] = known
        self.news += 1
        told = (held.place, held.seats, held.proofs)
        is_new = held.view in views and told not in [(v.place, v.seats, v.proofs) for v in known]
        is_passed_on = is_new and len(known) < MAX_VOTES_PER_VIEW
        if is_passed_on or (is_new and self.awaits_objection(held)):
            known.append(held)
            for accused in held.seats:
                self._voted_since.pop((held.seat, held.place, accused), None)
        return is_passed_on

    def awaits_objection(self, held: Vote) -> bool:
        """Whether an objection would open a lock of this seat. A keeper that is made to answer
        votes without end by a cheat must still be heard by this seat."""
        return any(
            mine.place == held.place
            and set(mine.seats) & set(held.seats)
            and set(mine.proofs) <= set(held.proofs)
            and not self.will_not_vote(held.seat, mine)
            for mine in self.ledger.tally.votes_of(self.seat)
        )

    def find_own_votes(self) -> list[Vote]:
        """The drop votes of this seat in this view that others have shown, by their rounds. Its
        files may have lost them, and they may be about a place that is not reached here."""
        shown = [v for v in self._seen.get(self.seat, {}).values() if v.view == self.ledger.view]
        return sorted(shown, key=lambda vote: vote.round)
