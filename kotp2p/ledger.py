"""The ledger: one game, as what its seats have signed. It says which line of play counts.

May live here: drop votes, certificates, views. May not: how a line goes on (`kotp2p.line`),
links, clocks, files, keys of our own. A live peer, a replay after a restart and `verify` all feed
the same ledger, so there is one place that says what a game is.

How it works (PROTOCOL.md 9.2): a drop certificate begins a new view. What its accused, and others
behind them, have signed at its height or later does not count any more; the line is made again
up to there. A closed gather is never undone.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from kotp2p.ballots import Ballots
from kotp2p.entries import Entry, Farewell, Signed
from kotp2p.line import Line
from kotp2p.steps import Early, Forged, Fork, Moved, Stale
from kotp2p.votes import Certificate, Choice, Vote
from referee.answers import Seat


@dataclass(slots=True)
class Ledger(Line):
    ballots: Ballots = field(init=False)
    """Of the present view, behind its last closed gather."""
    drops: set[tuple[Seat, int, int, Seat]] = field(default_factory=set)
    """Voter, view, height, accused: who has ever voted against whom."""

    def __post_init__(self) -> None:
        Line.__post_init__(self)
        self.ballots = Ballots(self.genesis.id, self.genesis.players)

    def since(self, height: int) -> list[Signed]:
        """Everything signed from `height` on, in an order that another ledger accepts."""
        votes = (vote.signed for vote in self.ballots.all() if vote.height >= self.final)
        return [*Line.since(self, height), *votes]

    def vote(self, vote: Vote) -> Moved | None:
        """Takes a drop vote; with the last one that is needed its accused are out. None if it
        is known. Raises Forged, Early, Stale or Fork; then nothing has changed."""
        players = self.genesis.players
        if vote.seat >= len(players) or players[vote.seat].keeper != vote.seat:
            raise Forged("a vote of who has none")
        if vote.seats[-1] >= len(players):
            raise Forged("a vote about nobody at this table")
        if vote.choice is not Choice.DROP:
            raise Forged("not a drop vote")
        if vote.view == self.view and self.ballots.known(vote):
            return None
        if not vote.signed.by(players[vote.seat].key):
            raise Forged("a signature that is not its seat's")
        self._check_view(vote.view)
        if vote.height > self.height:
            raise Early("a vote at a later height")
        if vote.height < self.final:
            raise Stale("a vote behind a closed gather")
        if vote.head != self.heads[vote.height]:
            raise Fork("a vote on another past")
        if self.ballots.full(vote.seat):
            raise Forged("too many votes")
        self.ballots.add(vote)
        self.drops |= {(vote.seat, vote.view, vote.height, seat) for seat in vote.seats}
        moved = Moved()
        self._try_dropping(vote.height, vote.seats, moved)
        return moved

    def part(self, farewell: Farewell) -> Moved | None:
        """As a line does; and a farewell is as good as a vote of who has left."""
        moved = Line.part(self, farewell)
        if moved is not None:
            for height, accused in list(self.ballots.votes):
                self._try_dropping(height, accused, moved)
        return moved

    def _try_dropping(self, height: int, accused: tuple[Seat, ...], moved: Moved) -> None:
        """Begins a new view at `height` if the votes suffice there."""
        if not self.final <= height <= self.height or (height, accused) not in self.ballots.votes:
            return
        there: Line = self if height == self.height else self._at(height)
        found = self.ballots.certificate(
            (height, accused),
            there.head,
            self.view,
            there.game.state.alive(),
            there.called(),
            {s: f for s, f in self.farewells.items() if f.place <= there.place},
        )
        if found is None:
            return
        if there is not self:
            there.farewells = self.farewells
            for item in fields(Line):
                setattr(self, item.name, getattr(there, item.name))
            moved.rewound = True
            moved.events.clear()
        moved.dropped = (*moved.dropped, found)
        self.ballots = Ballots(self.genesis.id, self.genesis.players)
        self.drop(found, moved)

    def _at(self, height: int) -> Line:
        """This line as it was when `height` began, made again from what closed the steps."""
        past = Line(self.genesis)
        past.farewells = {
            item.seat: item
            for done in self.closed[:height]
            for item in done
            if isinstance(item, Farewell)
        }
        for done in self.closed[:height]:
            for item in done:
                match item:
                    case Entry():
                        past.accept(item)
                    case Certificate():
                        past.drop(item, Moved())
                    case Farewell():
                        pass  # stands in by itself once the others have come
        assert past.height == height
        return past
