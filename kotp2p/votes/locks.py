"""Locks: what this seat's own drop votes forbid it now.

Scope: the stance of this seat at each height, worked out from votes, objections and farewells. The
farewells that it must not take yet are kept here, as a stance depends on them.
Not here: the table of stances (`kotp2p.votes.stances`), the entries that wait for a lock
(`held_entries`), and anything that is signed or sent (`voting`, `objections`).

A stance is worked out anew each time from what is known, so there is nothing that could be
forgotten at a restart or when votes undo a place.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from kotp2p.game.chain import Chain
from kotp2p.game.farewells import is_of_keeper
from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Cheat
from kotp2p.game.steps import Sharing, Solo
from kotp2p.game.vote_tally import MAX_VOTES_PER_VIEW, VoteTally
from kotp2p.votes.remembered import Remembered
from kotp2p.votes.stances import FORBIDDEN, Act, Stance
from kotp2p.wire.entries import Entry
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.genesis import signed_by_seat
from kotp2p.wire.votes import Vote, keepers_of
from referee.model.answers import Seat

EntryPlace: TypeAlias = tuple[int, int, Seat]
"""View, height, seat."""
MAX_SEEN_VOTES = 256
"""How many drop votes of another seat are remembered, counted or not. An honest seat signs few."""


class OwnVote(NamedTuple):
    """A drop vote of this seat, and what it does to this seat now."""

    vote: Vote
    is_binding: bool
    is_undoing: bool


@dataclass(slots=True)
class VoteLocks:
    ledger: Ledger
    seat: Seat
    convicts: Mapping[Seat, Cheat] = field(default_factory=dict)
    """Keepers that have cheated, or whose bots have. None is ever taken out."""
    objected: set[EntryPlace] = field(default_factory=set)
    """The entries against whose authors this seat has promised not to vote there, unless because
    of a proof."""
    heard: dict[Seat, list[Vote]] = field(default_factory=dict)
    """The objections of each other seat, in this view and the former one."""
    _latest: dict[Seat, Vote] = field(default_factory=dict)
    """The drop vote of the latest view and round that was seen of each seat, counted or not."""
    _seen: dict[Seat, dict[tuple[int, int], Vote]] = field(default_factory=dict)
    """By view and round: drop votes of each seat, counted or not."""
    _voted_since: dict[tuple[Seat, tuple[int, int], Seat], int] = field(default_factory=dict)
    """By keeper, place and accused: the least round in which a keeper that had objected for that
    one there has voted against it later."""
    _news: int = 0
    """Rises with each vote and objection that is noted."""
    _known_votes: Remembered[list[OwnVote]] = field(default_factory=Remembered)
    _known_pledge: Remembered[tuple[Vote, set[Seat]] | None] = field(default_factory=Remembered)
    _known_forbidden: Remembered[frozenset[Act]] = field(default_factory=Remembered)
    _held_farewells: dict[Seat, Farewell] = field(default_factory=dict)

    # -- stances -------------------------------------------------------------------------

    @property
    def sources(self) -> Hashable:
        """All that the stances depend on, but objections of this seat."""
        return self.ledger.revision, self._news, len(self.convicts)

    def stance_at(self, height: int) -> Stance:
        """The stance of this seat at a height of the present view."""
        mine = [own for own in self._own_votes() if own.vote.height == height]
        if any(own.is_undoing for own in mine):
            return Stance.BLOCKED
        if any(own.is_binding for own in mine):
            return Stance.LOCKED
        if mine:
            return Stance.RELEASED
        has_objected = any(at[:2] == (self.ledger.view, height) for at in self.objected)
        return Stance.HOLDING if has_objected else Stance.FREE

    def forbids(self, act: Act) -> bool:
        """Whether the stance of this seat at any height forbids it."""
        return act in self._known_forbidden.get(self.sources, self._find_forbidden)

    def _find_forbidden(self) -> frozenset[Act]:
        found = set(FORBIDDEN[Stance.PLEDGED]) if self._pledge() is not None else set()
        for height in {own.vote.height for own in self._own_votes()}:
            stance = self.stance_at(height)
            # A blocked seat that waits for cheats alone may go on as far as one that is locked.
            excused = stance is Stance.BLOCKED and self._waits_in_vain(height)
            found |= FORBIDDEN[Stance.LOCKED if excused else stance]
        return frozenset(found)

    def find_standing_vote(self) -> tuple[Vote, set[Seat]] | None:
        """The vote of this seat that binds it now, and the keepers whose votes are still needed. Of
        several, the one of the latest round."""
        pledge = self._pledge()
        if pledge is not None:
            return pledge
        binding = [own.vote for own in self._own_votes() if own.is_binding]
        if not binding:
            return None
        latest = binding[-1]
        return latest, self.keepers_waited_for(latest)

    def _own_votes(self) -> list[OwnVote]:
        """The votes of this seat in this view, the latest round last."""
        return self._known_votes.get(self.sources, self._judge_own_votes)

    def _judge_own_votes(self) -> list[OwnVote]:
        found = []
        for vote in self.ledger.tally.votes_of(self.seat):
            is_binding = self.may_still_count(vote)
            found.append(OwnVote(vote, is_binding, is_binding and self._is_undoing(vote)))
        return found

    def _pledge(self) -> tuple[Vote, set[Seat]] | None:
        return self._known_pledge.get(self.sources, self._find_pledge)

    def may_still_count(self, mine: Vote) -> bool:
        """Whether a vote of this seat in this view may still become part of a certificate, and so
        binds."""
        waited = self.keepers_waited_for(mine)
        # With nobody to wait for it is part of a certificate already, or of too few votes for one.
        return bool(waited) and not any(self._will_not_vote(seat, mine) for seat in waited)

    def keepers_waited_for(self, mine: Vote) -> set[Seat]:
        """The keepers whose votes about the same matter are still needed."""
        return self._waited_for(mine, self.ledger.tally, self.ledger.chain)

    def _waited_for(self, mine: Vote, tally: VoteTally, chain: Chain) -> set[Seat]:
        return self._needed_for(mine, chain) - set(tally.votes[mine.matter])

    def _needed_for(self, mine: Vote, chain: Chain) -> set[Seat]:
        # All keepers that were live there but the accused ones. It must be those of that height: a
        # keeper that objected there and has left since was once forgotten, and the vote held its
        # signer for ever.
        alive = set(chain.starts[mine.height].alive)
        return keepers_of(self.ledger.genesis.players, alive - set(mine.seats))

    def _is_undoing(self, mine: Vote) -> bool:
        """Whether something of the accused was taken at the place of a vote, and nothing of them
        is missing there. While an accused seat is missing at the present height, the step cannot
        close on what the others have signed."""
        ledger = self.ledger
        taken = {seat for seat in mine.seats if ledger.has_taken(mine.height, seat)}
        here = mine.height == ledger.height
        missing = here and set(mine.seats) & set(ledger.chain.remaining_asked_seats()) - taken
        return bool(taken) and not missing

    def lacks_cheats_alone(self, mine: Vote) -> bool:
        """Whether a vote of this seat lacks only votes of convicts, and of keepers that have left.
        They may never vote. A convict that does not count as one at that height, as it has cheated
        behind it, is waited for all the same by the certificate."""
        return self.keepers_waited_for(mine) <= {*self.convicts, *self.ledger.farewells}

    def _waits_in_vain(self, height: int) -> bool:
        """Whether the last vote of this seat at a height lacks cheats alone, and the game may go on
        here without closing a gather.

        One cheat kept back its vote about a fork of another for ever, and the step asked neither of
        them: so no later vote could put them out, and the seat that was asked could not answer. Up
        to the next gather all can be undone, should that vote still come. There each cheat is asked
        and voted out, and the seat is blocked as before.
        """
        if not isinstance(self.ledger.step, Solo | Sharing):
            return False
        mine = [own.vote for own in self._own_votes() if own.vote.height == height]
        return self.lacks_cheats_alone(mine[-1])

    def _find_pledge(self) -> tuple[Vote, set[Seat]] | None:
        """A vote of this seat in the former view that may still begin this view otherwise, and the
        keepers whose votes it needs.

        The pledge is for the honest ones among the others, which could close a gather here while
        this seat goes the other way. Where all others are proven cheats, it binds nothing: one of
        them once withheld its vote, and the last honest seat waited for it for ever.
        """
        former = self.ledger.open_former()
        if former is None or self._live_keepers() - {self.seat} <= set(self.convicts):
            return None
        for mine in former.tally.votes_of(self.seat):
            waited = self._waited_for(mine, former.tally, former.chain)
            if (
                mine.round > former.certificate.round
                and waited
                and not any(
                    self._will_not_vote(seat, mine) or self._has_gone_on(seat, mine)
                    for seat in waited
                )
            ):
                return mine, waited
        return None

    def _live_keepers(self) -> set[Seat]:
        state = self.ledger.game.state
        return keepers_of(self.ledger.genesis.players, state.seats_alive())

    # -- what others have shown ----------------------------------------------------------

    def _will_not_vote(self, seat: Seat, mine: Vote) -> bool:
        """Whether `seat` has shown that it will not vote as this seat has: it has left without such
        a vote, or has objected with all proofs of the vote.

        A keeper that has objected without the proofs may not have known them, and may vote because
        of them yet: three honest seats once took such objections for a refusal, and voted on where
        their pasts differed, for ever.
        """
        if self._has_left_without(seat, mine):
            return True
        about_it = [v for v in self.heard.get(seat, ()) if v.place == mine.place]
        return any(
            {proof for v in about_it if accused in v.seats for proof in v.proofs} >= {*mine.proofs}
            for v in about_it
            for accused in v.seats
            if accused in mine.seats and not self._has_changed_its_mind(seat, accused, mine)
        )

    def _has_changed_its_mind(self, seat: Seat, accused: Seat, mine: Vote) -> bool:
        """Whether `seat` has objected for an accused of a vote of this view, and has then voted
        against it there, in the round of that vote or before. It may vote so again.

        Two honest seats once took such objections for refusals. They voted there and elsewhere in
        turn, round after round, until all of their votes were used up.
        """
        voted = self._voted_since.get((seat, mine.place, accused))
        return voted is not None and voted <= mine.round and mine.view == self.ledger.view

    def _has_left_without(self, seat: Seat, mine: Vote) -> bool:
        """Whether `seat` has left from a place behind a vote of this seat, and has not voted so. A
        vote of that round may still be on its way if the farewell names the round.

        Where the farewell counts as a vote it does not matter whether the keeper has voted.
        """
        farewell = self.ledger.farewells.get(seat, self._held_farewells.get(seat))
        if farewell is None or self._counts_as_vote(farewell, mine):
            return False
        if farewell.view > mine.view or mine.round not in farewell.rounds:
            return True
        seen = self._seen.get(seat, {}).get((mine.view, mine.round))
        return seen is not None and (seen.matter, seen.head) != (mine.matter, mine.head)

    def _counts_as_vote(self, farewell: Farewell, mine: Vote) -> bool:
        """Whether a certificate with a vote of this seat needs no vote of a keeper that has left by
        `farewell`: it has left there or before, or all who vote so name proofs.

        A cheat once showed two next commitments, and a player who knew of one left right behind
        them. The others released their votes there, and each side voted on its own past for ever.
        """
        if farewell.place <= mine.place:
            return True
        if farewell.view != mine.view:
            return False
        tally, chain = self.ledger.line_of(mine.view)
        return tally.are_of_cheats(mine.matter, self._needed_for(mine, chain))

    def _has_gone_on(self, seat: Seat, mine: Vote) -> bool:
        """Whether `seat` has signed in the present view, or has voted about something else or on
        another past in the round of a vote of the former view or in a later one. The rounds of a
        keeper ascend, so it can no longer vote for that one."""
        latest = self._latest.get(seat)
        if seat in self.ledger.chain.gathered or self.ledger.tally.votes_of(seat):
            return True
        if latest is None or latest.view < mine.view:
            return False
        is_later = latest.view > mine.view or latest.round >= mine.round
        return is_later and (latest.matter, latest.head) != (mine.matter, mine.head)

    def note_vote(self, vote: Vote) -> None:
        """Notes a drop vote that is rightly signed. It may be one that cannot be counted here."""
        seen = self._seen.setdefault(vote.seat, {})
        if len(seen) < MAX_SEEN_VOTES and (vote.view, vote.round) not in seen:
            seen[vote.view, vote.round] = vote
            self._note_change_of_mind(vote)
            self._news += 1
        known = self._latest.get(vote.seat)
        if known is None or (known.view, known.round) < (vote.view, vote.round):
            self._latest[vote.seat] = vote
            self._news += 1

    def _note_change_of_mind(self, vote: Vote) -> None:
        """A vote that is new here, of a keeper that may have objected there before."""
        objections = [held for held in self.heard.get(vote.seat, ()) if held.place == vote.place]
        for accused in {seat for held in objections for seat in held.seats} & {*vote.seats}:
            key = vote.seat, vote.place, accused
            self._voted_since[key] = min(vote.round, self._voted_since.get(key, vote.round))

    def shown_of_own(self) -> list[Vote]:
        """The drop votes of this seat in this view that others have shown, by their rounds. Its
        files may have lost them, and they may be about a place that is not reached here."""
        shown = [v for v in self._seen.get(self.seat, {}).values() if v.view == self.ledger.view]
        return sorted(shown, key=lambda vote: vote.round)

    def awaits_objection(self, held: Vote) -> bool:
        """Whether an objection would open a lock of this seat. A keeper that is made to answer
        votes without end by a cheat must still be heard by this seat."""
        return any(
            mine.place == held.place
            and set(mine.seats) & set(held.seats)
            and set(mine.proofs) <= set(held.proofs)
            and not self._will_not_vote(held.seat, mine)
            for mine in self.ledger.tally.votes_of(self.seat)
        )

    def note_objection(self, held: Vote) -> bool:
        """Keeps an objection of another seat; whether it is one of those to be passed on.

        So many of a seat are kept. Beyond that one still counts if it answers a vote of this seat:
        its author may have had to answer a flood of votes of a cheat.
        """
        views = self.ledger.open_views()
        known = [vote for vote in self.heard.get(held.seat, ()) if vote.view in views]
        self.heard[held.seat] = known
        self._news += 1
        told = (held.place, held.seats, held.proofs)
        is_new = held.view in views and told not in [(v.place, v.seats, v.proofs) for v in known]
        is_passed_on = is_new and len(known) < MAX_VOTES_PER_VIEW
        if is_passed_on or (is_new and self.awaits_objection(held)):
            known.append(held)
            for accused in held.seats:
                self._voted_since.pop((held.seat, held.place, accused), None)
        return is_passed_on

    # -- entries and farewells -----------------------------------------------------------

    def forbids_entry(self, entry: Entry) -> bool:
        """Whether an entry must not be taken: none may be, or a vote that binds this seat at its
        place accuses its author."""
        if self.forbids(Act.TAKE_ENTRY):
            return True
        return Act.TAKE_ENTRY_OF_ACCUSED in FORBIDDEN[self.stance_at(entry.height)] and any(
            own.is_binding and own.vote.place == entry.place and entry.seat in own.vote.seats
            for own in self._own_votes()
        )

    def hold_back_farewell(self, farewell: Farewell) -> bool:
        """Whether `farewell` must not be taken now. Then it is kept for later.

        Its stand-in could close a gather that the vote may still undo. A farewell from the place
        of the vote, or from before it, is taken: it counts as a vote there. One that shows that its
        keeper has not voted so releases the vote, and is taken. So is the last one that the
        certificate lacks.
        """
        ledger, players = self.ledger, self.ledger.genesis.players
        blocked_from = min(
            (own.vote.place for own in self._own_votes() if own.is_undoing), default=None
        )
        if (
            blocked_from is None
            or farewell.place <= blocked_from
            or farewell.seat in ledger.farewells
            or not is_of_keeper(players, farewell)  # the ledger refuses it
        ):
            return False
        if not signed_by_seat(players, farewell.seat, farewell.signed):
            return True
        self._held_farewells.setdefault(farewell.seat, farewell)
        self._news += 1
        if self._must_hold_farewells():
            return True
        del self._held_farewells[farewell.seat]
        self._news += 1
        return False

    def _must_hold_farewells(self) -> bool:
        """Not if what is held back makes a certificate of a vote of this seat."""
        known = self._held_farewells | self.ledger.farewells
        return self.forbids(Act.TAKE_FAREWELL_FROM_BEHIND) and not any(
            all(
                seat in known and self._counts_as_vote(known[seat], own.vote)
                for seat in self.keepers_waited_for(own.vote)
            )
            for own in self._own_votes()
            if own.is_binding
        )

    def release_farewells(self) -> list[Farewell]:
        """The farewells that were held back and may be taken now."""
        if not self._held_farewells or self._must_hold_farewells():
            return []
        found, self._held_farewells = list(self._held_farewells.values()), {}
        self._news += 1
        return found
