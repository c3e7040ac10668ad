"""Locks: what this seat's own drop votes forbid it now.

Scope: the stance of this seat at each height, worked out from votes, objections and farewells, and
which farewells it must not take yet.
Not here: the table of stances (`kotp2p.votes.stances`), which votes bind (`shown_votes`), the
entries that wait for a lock (`held_entries`), and anything that is signed or sent (`voting`,
`objections`).

A stance is worked out anew each time from what is known, so there is nothing that could be
forgotten at a restart or when votes undo a place.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from kotp2p.game.farewells import is_of_keeper
from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Cheat
from kotp2p.game.steps import Sharing, Solo
from kotp2p.votes.remembered import Remembered
from kotp2p.votes.shown_votes import ShownVotes
from kotp2p.votes.stances import FORBIDDEN, Act, Stance
from kotp2p.wire.entries import Entry
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.genesis import signed_by_seat
from kotp2p.wire.votes import Vote, keepers_of
from kotp2p.wishes.intents import NOTHING_HELD_UP, HeldUp
from referee.model.answers import Seat

EntryPlace: TypeAlias = tuple[int, int, Seat]
"""View, height, seat."""


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
    gone: Collection[Seat] = ()
    """The seats of which nothing is heard, as they are at any time."""
    objected: set[EntryPlace] = field(default_factory=set)
    """The entries against whose authors this seat has promised not to vote there, unless because
    of a proof."""
    shown: ShownVotes = field(init=False)
    _known_votes: Remembered[list[OwnVote]] = field(default_factory=Remembered)
    _known_pledge: Remembered[tuple[Vote, set[Seat]] | None] = field(default_factory=Remembered)
    _known_forbidden: Remembered[frozenset[Act]] = field(default_factory=Remembered)
    _known_held_up: Remembered[HeldUp] = field(default_factory=Remembered)

    def __post_init__(self) -> None:
        self.shown = ShownVotes(self.ledger, self.seat)

    # -- stances -------------------------------------------------------------------------

    @property
    def sources(self) -> Hashable:
        """All that the stances depend on, but objections of this seat."""
        return self.ledger.revision, self.shown.news, len(self.convicts), frozenset(self.gone)

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
        if not self._has_voted():
            return False
        return act in self._known_forbidden.get(self.sources, self._find_forbidden)

    def _has_voted(self) -> bool:
        """Whether this seat has votes that may bind it, of this view or still of the one before."""
        ledger = self.ledger
        return bool(ledger.tally.votes_of(self.seat)) or ledger.open_former() is not None

    def _find_forbidden(self) -> frozenset[Act]:
        found = set(FORBIDDEN[Stance.PLEDGED]) if self._pledge() is not None else set()
        for height in {own.vote.height for own in self._own_votes()}:
            stance = self.stance_at(height)
            # A blocked seat that waits for absent ones alone may go on as far as a locked one.
            excused = stance is Stance.BLOCKED and self._waits_in_vain(height)
            found |= FORBIDDEN[Stance.LOCKED if excused else stance]
        return frozenset(found)

    def find_standing_vote(self) -> tuple[Vote, set[Seat]] | None:
        """The vote of this seat that binds it now, and the keepers whose votes are still needed. Of
        several, the one of the latest round."""
        if not self._has_voted():
            return None
        pledge = self._pledge()
        if pledge is not None:
            return pledge
        binding = [own.vote for own in self._own_votes() if own.is_binding]
        if not binding:
            return None
        latest = binding[-1]
        return latest, self.shown.keepers_waited_for(latest)

    def _own_votes(self) -> list[OwnVote]:
        """The votes of this seat in this view, the latest round last."""
        return self._known_votes.get(self.sources, self._judge_own_votes)

    def _judge_own_votes(self) -> list[OwnVote]:
        found = []
        for vote in self.ledger.tally.votes_of(self.seat):
            is_binding = self.shown.may_still_count(vote)
            found.append(OwnVote(vote, is_binding, is_binding and self._is_undoing(vote)))
        return found

    def _pledge(self) -> tuple[Vote, set[Seat]] | None:
        return self._known_pledge.get(self.sources, self._find_pledge)

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
        return self.shown.keepers_waited_for(mine) <= {*self.convicts, *self.ledger.farewells}

    def _lacks_absent_alone(self, vote: Vote) -> bool:
        """Whether a vote lacks only votes of *absent* keepers: of convicts, of keepers that have
        left, and of those that are gone if it names no proofs. With proofs it is about a fork,
        where honest seats may be on two pasts, and those that are gone may hold a third."""
        absent = {*self.convicts, *self.ledger.farewells, *self.shown.held_farewells}
        if not vote.proofs:
            absent.update(self.gone)
        return self.shown.keepers_waited_for(vote) <= absent

    def _waits_in_vain(self, height: int) -> bool:
        """Whether the last vote of this seat at a height lacks absent keepers alone, and the game
        may go on here without closing a gather.

        One cheat kept back its vote about a fork of another for ever, and the step asked neither of
        them: so no later vote could put them out, and the seat that was asked could not answer. Up
        to the next gather all can be undone, should that vote still come. There each absent keeper
        is asked and voted out, and the seat is blocked as before.
        """
        if not isinstance(self.ledger.step, Solo | Sharing):
            return False
        mine = [own.vote for own in self._own_votes() if own.vote.height == height]
        return self._lacks_absent_alone(mine[-1])

    def find_held_up(self) -> HeldUp:
        """The keepers that a vote holds up which absent keepers alone have not signed, as far as
        this seat can tell; and these absent keepers."""
        if not self.ledger.tally.votes:
            return NOTHING_HELD_UP
        return self._known_held_up.get(self.sources, self._judge_held_up)

    def _judge_held_up(self) -> HeldUp:
        votes = sorted(self.ledger.tally.all_votes(), key=lambda vote: vote.round)
        last = {(vote.seat, vote.height): vote for vote in votes}.values()
        held = [v for v in last if self.shown.may_still_count(v) and self._lacks_absent_alone(v)]
        lacked = [self.shown.keepers_waited_for(vote) for vote in held]
        return HeldUp(frozenset(vote.seat for vote in held), frozenset().union(*lacked))

    def find_bound(self, accused: tuple[Seat, ...]) -> set[Seat]:
        """The keepers whose votes against just these seats, at the present place, bind them. Votes
        with proofs are left out: programs sign those, whatever their players want."""
        place, votes = self.ledger.place, self.ledger.tally.all_votes()
        about = [v for v in votes if (v.place, v.seats, v.proofs) == (place, accused, ())]
        return {vote.seat for vote in about if self.shown.may_still_count(vote)}

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
            waited = self.shown.keepers_waited_for(mine)
            if (
                mine.round > former.certificate.round
                and waited
                and not any(
                    self.shown.will_not_vote(seat, mine) or self.shown.has_gone_on(seat, mine)
                    for seat in waited
                )
            ):
                return mine, waited
        return None

    def _live_keepers(self) -> set[Seat]:
        state = self.ledger.game.state
        return keepers_of(self.ledger.genesis.players, state.seats_alive())

    # -- entries and farewells -----------------------------------------------------------

    def forbids_entry(self, entry: Entry) -> bool:
        """Whether an entry must not be taken: none may be, or a vote that binds this seat at its
        place accuses its author."""
        if self.forbids(Act.TAKE_ENTRY):
            return True
        return (
            Act.TAKE_ENTRY_OF_ACCUSED in FORBIDDEN[self.stance_at(entry.height)]
            and any(
                own.is_binding and own.vote.place == entry.place and entry.seat in own.vote.seats
                for own in self._own_votes()
            )
            and not self._may_take_of_accused(entry)
        )

    def _may_take_of_accused(self, entry: Entry) -> bool:
        """Whether the votes that bind this seat at the place of an entry lack absent keepers alone,
        name no proofs, and accuse no convict. Then the seat goes on, as far as a blocked one may.

        A machine once died between the wish of its player and the vote. The seat that was late
        answered then, and nobody could take that, for ever: the step asked the dead one for
        nothing, so it could not be voted out.
        """
        binding = [
            own.vote
            for own in self._own_votes()
            if own.is_binding and own.vote.place == entry.place
        ]
        players = self.ledger.genesis.players
        return all(
            not vote.proofs
            and self._lacks_absent_alone(vote)
            and not keepers_of(players, vote.seats) & self.convicts.keys()
            for vote in binding
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
        self.shown.held_farewells.setdefault(farewell.seat, farewell)
        self.shown.news += 1
        if self._must_hold_farewells():
            return True
        del self.shown.held_farewells[farewell.seat]
        self.shown.news += 1
        return False

    def _must_hold_farewells(self) -> bool:
        """Not if what is held back makes a certificate of a vote of this seat."""
        known = self.shown.held_farewells | self.ledger.farewells
        return self.forbids(Act.TAKE_FAREWELL_FROM_BEHIND) and not any(
            all(
                seat in known and self.shown.counts_as_vote(known[seat], own.vote)
                for seat in self.shown.keepers_waited_for(own.vote)
            )
            for own in self._own_votes()
            if own.is_binding
        )

    def release_farewells(self) -> list[Farewell]:
        """The farewells that were held back and may be taken now."""
        if not self.shown.held_farewells or self._must_hold_farewells():
            return []
        found, self.shown.held_farewells = list(self.shown.held_farewells.values()), {}
        self.shown.news += 1
        return found
