"""The drop votes of one view, and when they are a certificate (PROTOCOL.md 9.2).

Scope: counting votes by matter (height, round, accused), and the rounds of one keeper.
Not here: whether a vote may be counted (`kotp2p.game.ledger`), and when a seat signs one
(`kotp2p.votes`).

Why rounds: keepers may begin with different matters, as each has its own clock. A keeper that
changes its matter takes a later round, and where two certificates could come about the later one
wins. So a keeper never has two votes that are worth the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import NamedTuple

from kotp2p.game.history import StepStart
from kotp2p.game.leavers import Leavers
from kotp2p.wire.entries import Signed
from kotp2p.wire.genesis import Player
from kotp2p.wire.proofs import CheatProof
from kotp2p.wire.votes import (
    MAX_ROUND,
    Certificate,
    Matter,
    Vote,
    certificate_id,
    is_majority,
    keepers_of,
    needed_keepers,
    seats_kept_by,
)
from referee.model.answers import Seat

MAX_VOTES_PER_VIEW = 64
"""How many votes of one seat are counted in one view. An honest seat needs a few."""
MAX_ROUNDS_AHEAD = 16
"""How many rounds a keeper follows others ahead at once. Otherwise one vote in the last round would
use up the rounds of all."""
MAX_LEADS = 6
"""How often a keeper repeats a vote for the sake of one other keeper. Otherwise a cheat could call
each seat to rounds of its own until none has a vote left."""


class ProvenCheat(NamedTuple):
    """A proof that was judged, and the keeper that it convicts."""

    proof: CheatProof
    keeper: Seat


@dataclass(slots=True)
class VoteTally:
    game: bytes
    players: tuple[Player, ...]
    view: int = 0
    begins_at: int = 0
    """The height at which the view began. No vote of it is about an earlier one."""
    votes: dict[Matter, dict[Seat, Vote]] = field(default_factory=dict)
    proofs: dict[bytes, ProvenCheat] = field(default_factory=dict)
    """The proofs that its votes name, by id."""
    _by_seat: dict[Seat, tuple[Vote, ...]] = field(default_factory=dict)
    """The same votes by their authors, in order of their rounds."""
    _leads: Counter[tuple[Seat, int, tuple[Seat, ...], Seat]] = field(default_factory=Counter)
    """By voter, height, accused and another keeper: how often the voter has repeated its vote as
    that keeper was ahead. Where several were, it is noted for the one of the fewest."""

    def has_vote(self, vote: Vote) -> bool:
        return vote.seat in self.votes.get(vote.matter, {})

    def has_used_all_votes(self, seat: Seat) -> bool:
        return len(self.votes_of(seat)) >= MAX_VOTES_PER_VIEW

    def add_vote(self, vote: Vote, proven: Mapping[bytes, ProvenCheat]) -> None:
        """Counts a vote; `proven`: the proofs that it names, by id."""
        self._note_lead(vote)
        self.votes.setdefault(vote.matter, {})[vote.seat] = vote
        mine = sorted((*self.votes_of(vote.seat), vote), key=lambda known: known.round)
        self._by_seat[vote.seat] = tuple(mine)
        self.proofs |= proven

    def _note_lead(self, vote: Vote) -> None:
        """Notes which keeper has led the author of a vote to its round, if it repeats one."""
        mine, about = self.votes_of(vote.seat), (vote.height, vote.seats)
        if mine and (mine[-1].height, mine[-1].seats) == about:
            ahead = self._greatest_rounds(*about)
            leaders = [seat for seat, round_ in ahead.items() if round_ >= vote.round]
            keys = [(vote.seat, *about, seat) for seat in leaders]
            if keys:
                self._leads[min(keys, key=lambda key: self._leads[key])] += 1

    def _greatest_rounds(self, height: int, accused: tuple[Seat, ...]) -> dict[Seat, int]:
        """By keeper: the greatest round in which it has voted about them there."""
        found: dict[Seat, int] = {}
        for (at, round_, seats), votes in self.votes.items():
            if (at, seats) == (height, accused):
                found |= {seat: max(round_, found.get(seat, 0)) for seat in votes}
        return found

    def proofs_of(self, matter: Matter, voters: Collection[Seat]) -> dict[bytes, ProvenCheat]:
        """The proofs that the votes of `voters` about `matter` name, by id, ascending."""
        votes = self.votes.get(matter, {})
        named = {proof for seat in voters if seat in votes for proof in votes[seat].proofs}
        return {proof: self.proofs[proof] for proof in sorted(named)}

    def are_of_cheats(self, matter: Matter, needed: Collection[Seat]) -> bool:
        """Whether each vote of the needed keepers about `matter` names proofs."""
        votes = self.votes.get(matter, {})
        return all(votes[seat].proofs for seat in needed if seat in votes)

    def all_votes(self) -> list[Vote]:
        """All votes, in the order in which they came."""
        return [vote for votes in self.votes.values() for vote in votes.values()]

    def votes_of(self, seat: Seat) -> tuple[Vote, ...]:
        """The votes of one seat, the latest round last."""
        return self._by_seat.get(seat, ())

    def votes_behind(self, round: int) -> list[Vote]:
        """The votes of later rounds than that."""
        return [vote for vote in self.all_votes() if vote.round > round]

    def next_round(
        self,
        seat: Seat,
        height: int,
        accused: tuple[Seat, ...],
        needed: Collection[Seat],
        behind: int = 0,
    ) -> int | None:
        """The round in which `seat` votes about this matter, behind its last one and `behind`; None
        if its last vote was about it and no later round calls for another. `needed`: the keepers
        whose votes it takes.

        Keepers that vote about the same meet in the greatest round of any of them. Where that is
        far ahead, they come nearer by one vote after the other. A seat repeats its vote for the
        sake of each other keeper so many times. A cheat that calls each seat to other rounds brings
        none of them further than the others can follow.
        """
        mine, about = self.votes_of(seat), (height, accused)
        last = max(mine[-1].round if mine else 0, behind)
        again = mine and (mine[-1].height, mine[-1].seats) == about
        ahead = [
            round_
            for other, round_ in self._greatest_rounds(*about).items()
            if round_ > last
            and other in needed
            and not (again and self._leads[seat, *about, other] >= MAX_LEADS)
        ]
        if ahead:
            return min(max(ahead), last + MAX_ROUNDS_AHEAD)
        return None if again or last == MAX_ROUND else last + 1

    def find_certificate(
        self, matter: Matter, head: bytes, start: StepStart, leavers: Leavers
    ) -> Certificate | None:
        """The certificate that the votes about `matter` are, if they suffice. `head` and `start`:
        the head and the seats when its height began; `leavers`: as seen from there."""
        height, round_, accused = matter
        votes = self.votes.get(matter, {})
        live = keepers_of(self.players, start.alive)
        out = keepers_of(self.players, accused)
        # All living seats of a keeper go together: its bots have no vote and no program without it.
        if set(accused) != seats_kept_by(self.players, out, start.alive):
            return None
        # Nobody is dropped where nobody waits for it. Seats that have signed or left count as
        # asked, as their entry may come to one copy before the votes and to another one behind
        # them.
        if not set(accused) & set(start.asked):
            return None
        needed = tuple(sorted(needed_keepers(self.players, start.alive, accused)))
        proofs = self.proofs_of(matter, needed)
        # Convicts do not count, so that one honest seat is enough against any number of cheats.
        # All keepers outside the accused must agree, convicts or not: each might go on otherwise.
        honest = live - {cheat.keeper for cheat in proofs.values()}
        left = leavers.there
        if self.are_of_cheats(matter, needed):
            left = leavers.behind | left
        if not is_majority(len(needed), len(honest)) or any(
            seat not in votes and seat not in left for seat in needed
        ):
            return None
        return Certificate(
            self.view,
            round_,
            height,
            accused,
            tuple(seat for seat in needed if seat in votes),
            tuple(dict.fromkeys(self._bodies_of([votes.get(s, left.get(s)) for s in needed]))),
            certificate_id(self.game, head, self.view, round_, height, accused),
        )

    def _bodies_of(self, parts: Iterable[Vote | Signed | None]) -> Iterator[Signed]:
        """The parts of a certificate as they are sent and stand in a log. Each proof comes right
        before the vote that names it: a peer keeps few proofs that no vote has named yet."""
        for part in parts:
            if isinstance(part, Vote):
                yield from (self.proofs[name].proof.signed for name in part.proofs)
                yield part.signed
            elif part is not None:
                yield part


def authors_in_turn(votes: Iterable[Vote]) -> Iterator[Vote]:
    """The latest vote of each author, then the one before of each, and so on."""
    by_author: dict[Seat, list[Vote]] = {}
    for vote in sorted(votes, key=lambda vote: (vote.view, vote.round), reverse=True):
        by_author.setdefault(vote.seat, []).append(vote)
    for turn in zip_longest(*by_author.values()):
        yield from (vote for vote in turn if vote is not None)
