"""The drop votes of one view, and when they are a certificate (PROTOCOL.md 9.2).

Scope: counting votes by matter (height, round, accused), and the rounds of one keeper.
Not here: whether a vote may be counted (`kotp2p.game.ledger`), and when a seat signs one
(`kotp2p.votes`).

Why rounds: keepers may begin with different matters, as each has its own clock. A keeper that
changes its matter takes a later round, and where two certificates could come about the later one
wins. So a keeper never has two votes that are worth the same.
"""

from __future__ import annotations

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
    seats_kept_by,
)
from referee.model.answers import Seat

MAX_VOTES_PER_VIEW = 64
"""How many votes of one seat are counted in one view. An honest seat needs a few."""
MAX_ROUNDS_AHEAD = 16
"""How many rounds a keeper follows others ahead at once. Otherwise one vote in the last round would
use up the rounds of all."""


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

    def has_vote(self, vote: Vote) -> bool:
        return vote.seat in self.votes.get(vote.matter, {})

    def has_used_all_votes(self, seat: Seat) -> bool:
        return len(self.votes_of(seat)) >= MAX_VOTES_PER_VIEW

    def add_vote(self, vote: Vote, proven: Mapping[bytes, ProvenCheat]) -> None:
        """Counts a vote; `proven`: the proofs that it names, by id."""
        self.votes.setdefault(vote.matter, {})[vote.seat] = vote
        mine = sorted((*self.votes_of(vote.seat), vote), key=lambda known: known.round)
        self._by_seat[vote.seat] = tuple(mine)
        self.proofs |= proven

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
        self, seat: Seat, height: int, accused: tuple[Seat, ...], behind: int = 0
    ) -> int | None:
        """The round in which `seat` votes about this matter, behind its last one and `behind`; None
        if its last vote was about it and no later round calls for another. Keepers that vote about
        the same matter meet in the greatest round of any of them."""
        mine = self.votes_of(seat)
        last = max(mine[-1].round if mine else 0, behind)
        same = [
            round_
            for (at, round_, seats), votes in self.votes.items()
            if (at, seats) == (height, accused)
            and votes
            and last < round_ <= min(last + MAX_ROUNDS_AHEAD, MAX_ROUND)
        ]
        again = mine and (mine[-1].height, mine[-1].seats) == (height, accused)
        if again and 2 * len(mine) >= MAX_VOTES_PER_VIEW:
            # The other half of its votes are for other matters: a cheat that votes about this one
            # in round after round must not leave it without a vote when a proof comes.
            return None
        return max(same, default=None if again or last == MAX_ROUND else last + 1)

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
        needed = tuple(sorted(live - out))
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
