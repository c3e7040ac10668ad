"""The drop votes of one view, and when they are a certificate (PROTOCOL.md 9.2)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from kotp2p.entries import Farewell
from kotp2p.front import Player
from kotp2p.votes import Certificate, Vote, certificate_id, enough, keepers, kept_by
from referee.answers import Seat

MAX_VOTES = 64
"""Of one seat in one view; an honest one needs a few."""

Matter = tuple[int, tuple[Seat, ...]]
"""A height and the accused."""


@dataclass(slots=True)
class Ballots:
    game: bytes
    players: tuple[Player, ...]
    votes: dict[Matter, dict[Seat, Vote]] = field(default_factory=dict)

    def known(self, vote: Vote) -> bool:
        return vote.seat in self.votes.get((vote.height, vote.seats), {})

    def full(self, seat: Seat) -> bool:
        return sum(seat in votes for votes in self.votes.values()) >= MAX_VOTES

    def add(self, vote: Vote) -> None:
        self.votes.setdefault((vote.height, vote.seats), {})[vote.seat] = vote

    def all(self) -> list[Vote]:
        """In the order in which they came."""
        return [vote for votes in self.votes.values() for vote in votes.values()]

    def certificate(
        self,
        matter: Matter,
        head: bytes,
        view: int,
        alive: Collection[Seat],
        called: Collection[Seat],
        left: Mapping[Seat, Farewell],
    ) -> Certificate | None:
        """If the votes about `matter` suffice at a place where `alive` are in the game, that
        needs an entry of `called`, and `left` have said farewell, which is as good as a vote."""
        height, accused = matter
        votes = self.votes.get(matter, {})
        live = keepers(self.players, alive)
        out = keepers(self.players, accused)
        if set(accused) != kept_by(self.players, out, alive) or not set(accused) & set(called):
            return None
        voters = tuple(sorted(live - out))
        if not enough(len(voters), len(live)) or any(
            seat not in votes and seat not in left for seat in voters
        ):
            return None
        return Certificate(
            view,
            height,
            accused,
            tuple(seat for seat in voters if seat in votes),
            tuple((votes[s] if s in votes else left[s]).signed for s in voters),
            certificate_id(self.game, head, view, height, accused),
        )
