"""The drop votes of one view, and when they are a certificate (PROTOCOL.md 9.2)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from kotp2p.game.chain import Chain
from kotp2p.wire.entries import Farewell
from kotp2p.wire.genesis import Player
from kotp2p.wire.votes import (
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
"""Of one seat in one view; an honest one needs a few."""
MAX_ROUNDS_AHEAD = 16
"""Rounds that a peer follows others ahead at once: nobody uses up all rounds by one vote."""


@dataclass(slots=True)
class VoteTally:
    game: bytes
    players: tuple[Player, ...]
    view: int = 0
    votes: dict[Matter, dict[Seat, Vote]] = field(default_factory=dict)
    convicts: dict[Matter, set[Seat]] = field(default_factory=dict)
    """Keepers whom proofs in those votes convict."""

    def has_vote(self, vote: Vote) -> bool:
        return vote.seat in self.votes.get(vote.matter, {})

    def has_used_all_votes(self, seat: Seat) -> bool:
        return sum(seat in votes for votes in self.votes.values()) >= MAX_VOTES_PER_VIEW

    def add_vote(self, vote: Vote, convicts: Collection[Seat]) -> None:
        self.votes.setdefault(vote.matter, {})[vote.seat] = vote
        self.convicts.setdefault(vote.matter, set()).update(convicts)

    def all_votes(self) -> list[Vote]:
        """All votes, in the order in which they came."""
        return [vote for votes in self.votes.values() for vote in votes.values()]

    def votes_of(self, seat: Seat) -> list[Vote]:
        """The votes of one seat, the latest round last."""
        mine = (votes[seat] for votes in self.votes.values() if seat in votes)
        return sorted(mine, key=lambda vote: vote.round)

    def next_round(self, seat: Seat, height: int, accused: tuple[Seat, ...]) -> int | None:
        """In which `seat` votes about this matter; None if it has done so, and last. Those who
        vote about the same meet in the greatest round of any of them."""
        mine = self.votes_of(seat)
        last = mine[-1].round if mine else 0
        same = [
            round_
            for (at, round_, seats), votes in self.votes.items()
            if (at, seats) == (height, accused)
            and votes
            and last < round_ <= last + MAX_ROUNDS_AHEAD
        ]
        again = mine and (mine[-1].height, mine[-1].seats) == (height, accused)
        if again and 2 * len(mine) >= MAX_VOTES_PER_VIEW:
            return None  # half of them are for other matters
        return max(same, default=None if again else last + 1)

    def find_certificate(
        self, matter: Matter, there: Chain, left: Mapping[Seat, Farewell]
    ) -> Certificate | None:
        """If the votes about `matter` suffice `there`, where one of the accused at least has to
        be asked; `left` have said farewell, which is as good as a vote."""
        height, round_, accused = matter
        votes = self.votes.get(matter, {})
        alive = there.game.state.seats_alive()
        live = keepers_of(self.players, alive)
        out = keepers_of(self.players, accused)
        if set(accused) != seats_kept_by(self.players, out, alive):
            return None
        if not set(accused) & set(there.asked_seats()):
            return None
        voters = tuple(sorted(live - out))
        honest = live - self.convicts.get(matter, set())
        if not is_majority(len(voters), len(honest)) or any(
            seat not in votes and seat not in left for seat in voters
        ):
            return None
        return Certificate(
            self.view,
            round_,
            height,
            accused,
            tuple(seat for seat in voters if seat in votes),
            tuple((votes[s] if s in votes else left[s]).signed for s in voters),
            certificate_id(self.game, there.head, self.view, round_, height, accused),
        )
