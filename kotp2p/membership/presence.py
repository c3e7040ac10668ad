"""Which seats are here, late or gone: told to the player, and the ground for votes.

Scope: puts together what the links say (`kotp2p.mesh.reachability`), the clocks (`clocks`), the
seats that come back after a restart (`rejoin`) and the votes (`voting`). PROTOCOL.md 9.8.
Not here: the seconds themselves, and what follows from a vote.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field
from enum import StrEnum

from kotp2p.absence_notices import Gone, Late, PauseEnded, Returned
from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Finished, Solo, asked_decision
from kotp2p.membership.own_processes import OwnProcesses
from kotp2p.membership.punctuality import Punctuality
from kotp2p.membership.rejoin import Rejoin
from kotp2p.mesh.detours import Detours
from kotp2p.mesh.effects import ShowNotice
from kotp2p.mesh.gossip import Gossip
from kotp2p.mesh.reachability import Reachability
from kotp2p.notices import Missing, Notice, OwnClock, Waiting
from kotp2p.state_table import Phase, StateTable
from kotp2p.votes.remembered import Remembered
from kotp2p.votes.voting import Voting
from kotp2p.wire.entries import Head, Signed
from kotp2p.wire.votes import seats_kept_by
from kotp2p.wishes.clocks import VOTE_AFTER_SECONDS, Owing, Place, SeatClocks
from referee.model.answers import Seat


class SeatState(StrEnum):
    HERE = "here"
    LATE = "late"
    """Its clock has run out at this place, and the player was told."""
    GONE = "gone"
    """Nothing is heard of it, or no chain of links leads to it."""
    LATE_AND_GONE = "late and gone"
    """It was late first. When it returns at this place, its lateness is not told again."""


class SeatEvent(StrEnum):
    TIME_IS_UP = "its time is up"
    FALLS_SILENT = "it falls silent"
    RETURNS = "it is heard again"
    GAME_MOVES = "the game moves to another place"


PRESENCE = StateTable(
    "presence of a seat",
    SeatState.HERE,
    {
        SeatState.HERE: {
            SeatEvent.TIME_IS_UP: SeatState.LATE,
            SeatEvent.FALLS_SILENT: SeatState.GONE,
            SeatEvent.GAME_MOVES: SeatState.HERE,
        },
        SeatState.LATE: {
            SeatEvent.FALLS_SILENT: SeatState.LATE_AND_GONE,
            SeatEvent.GAME_MOVES: SeatState.HERE,
        },
        SeatState.GONE: {
            SeatEvent.RETURNS: SeatState.HERE,
            SeatEvent.GAME_MOVES: SeatState.GONE,
        },
        SeatState.LATE_AND_GONE: {
            SeatEvent.RETURNS: SeatState.LATE,
            SeatEvent.GAME_MOVES: SeatState.GONE,
        },
    },
)
"""A seat that is gone is not told to be late as well."""


@dataclass(slots=True)
class Presence:
    ledger: Ledger
    gossip: Gossip
    reachability: Reachability
    clocks: SeatClocks
    voting: Voting
    rejoin: Rejoin
    own: OwnProcesses
    punctuality: Punctuality = field(init=False)
    _detours: Detours = field(init=False)
    _phases: dict[Seat, Phase[SeatState, SeatEvent]] = field(init=False)
    _place: Place = (-1, -1)
    """Where the game stood at the last update."""
    _shown_at: Place = (-1, -1)
    """Where this seat has shown last what it had taken while others were late."""
    _beats: int = 0
    """The heartbeats that this process has signed."""
    _waiting: Waiting | None = None
    """What was told last."""
    _own_clock: tuple[Place, bool] | None = None
    """Where the player's clock was told last, and whether it stood still."""
    _known_awaited: Remembered[list[Seat]] = field(default_factory=Remembered)
    _known_owing: Remembered[Owing] = field(default_factory=Remembered)
    _known_waiting: Remembered[Waiting] = field(default_factory=Remembered)

    def __post_init__(self) -> None:
        self.punctuality = Punctuality(self.ledger, self.clocks, self.own.seat)
        self._detours = Detours(self.reachability)
        seats = range(len(self.ledger.genesis.players))
        self._phases = {seat: Phase.at_start(PRESENCE) for seat in seats}

    def begin(self, now: float, *, resumed: bool) -> None:
        players = self.ledger.genesis.players
        self.clocks.start(now)
        self.punctuality.begin(now, resumed=resumed)
        if resumed:
            awaited, own = self.awaited_seats(), players[self.own.seat].keeper
            foreign = [s for s, player in enumerate(players) if player.keeper != own]
            playing = [s for s in foreign if s in awaited]
            self.rejoin.begin(awaited, playing, now, [s for s in foreign if s not in awaited])

    def awaited_seats(self) -> list[Seat]:
        """The other seats that the game cannot go on without."""
        return self._known_awaited.get(self.ledger.revision, self._find_awaited)

    def _find_awaited(self) -> list[Seat]:
        if isinstance(self.ledger.step, Finished):
            return []
        # A seat whose farewell is from a later place may owe something before.
        leaving = set(self.ledger.farewells) - set(self.ledger.owing_seats())
        return [
            s
            for s in self.ledger.game.state.seats_alive()
            if s != self.own.seat and s not in leaving
        ]

    def update(self, now: float) -> None:
        """Tells what has changed. Nothing is waited for once the game is over."""
        if isinstance(self.ledger.step, Finished):
            return
        awaited = self.awaited_seats()
        if self.rejoin.lacks_heads:
            self._excuse_from_heads(awaited)
        if self.rejoin.missing:
            self._report_missing(now)
        revision = self.ledger.revision
        self.clocks.update(self._known_owing.get(revision, self._find_owing), now)
        self._report_gone(awaited, now)
        self._report_detours(awaited, now)
        late = self.clocks.late_seats()
        self._report_late(late)
        self.punctuality.update(late, now)
        for seat in self.clocks.end_expired_pauses(now):
            self._show(PauseEnded(seat))
        self._report_own_clock()
        self.voting.intents.update_open_vote(now)

    def sign_head(self) -> Signed:
        """A heartbeat: how far this seat has come."""
        ledger = self.ledger
        self._beats += 1
        place = (ledger.view, ledger.height, ledger.head)
        head = Head(self.own.seat, *place, self.own.instance, self._beats)
        return head.sign(self.voting.signer, ledger.genesis.id)

    def report_waiting(self) -> None:
        """Tells which seats owe something, when that changes. Of what votes keep back none is
        waited for."""
        excused = frozenset(self.voting.intents.excused_seats())
        waiting = self._known_waiting.get(
            (self.ledger.revision, excused), lambda: self._find_waiting(excused)
        )
        if waiting.seats and waiting != self._waiting:
            self._show(waiting)
        self._waiting = waiting

    def _find_waiting(self, excused: Set[Seat]) -> Waiting:
        ledger, out = self.ledger, {self.own.seat, *excused}
        seats = tuple(s for s in ledger.owing_seats() if s not in out)
        return Waiting(seats, asked_decision(ledger.step, ledger.game))

    def next_change(self, now: float) -> float:
        """When `update` may have something to tell, if nothing happens."""
        return min(
            self.rejoin.next_report(now),
            self.rejoin.next_decision_change(now),
            self.clocks.next_change(now),
            self.reachability.next_deadline(now),
            self._detours.next_change(now),
        )

    def _find_owing(self) -> Owing:
        ledger = self.ledger
        return Owing(
            ledger.place,
            ledger.owing_seats(),
            ledger.chain.turns,
            ledger.game.state.active,
            isinstance(ledger.step, Solo),
        )

    def _excuse_from_heads(self, awaited: list[Seat]) -> None:
        """After a restart: the heads of seats that cheat or are out are not waited for."""
        players = self.ledger.genesis.players
        seats = range(len(players))
        self.rejoin.excuse(seats_kept_by(players, self.voting.convicts, seats))
        self.rejoin.release(set(seats).difference(awaited))

    def _report_missing(self, now: float) -> None:
        """After a restart: tells which seats have not come back yet."""
        seats = range(len(self.ledger.genesis.players))
        there = self.reachability.reachable_seats() | set(seats).difference(self.awaited_seats())
        news = self.rejoin.report_missing(there, now)
        if news is not None:
            self._show(Missing(news))

    def _report_gone(self, awaited: list[Seat], now: float) -> None:
        gone = self.reachability.find_gone_seats(awaited, now)
        for seat in gone:
            if self._phases[seat].allows(SeatEvent.FALLS_SILENT):
                self._phases[seat].move(SeatEvent.FALLS_SILENT)
                self.clocks.gone_since[seat] = now
                if seat not in self.rejoin.missing:  # that it is not here has been told already
                    self._show(Gone(seat, int(VOTE_AFTER_SECONDS)))
        for seat in sorted(self.clocks.gone_since.keys() - gone.keys()):
            self._phases[seat].move(SeatEvent.RETURNS)
            del self.clocks.gone_since[seat]
            if self.ledger.game.state.monsters[seat].alive:
                self._show(Returned(seat))

    def _report_detours(self, awaited: list[Seat], now: float) -> None:
        """Bots are linked to their keeper alone. Of a seat that is gone nothing comes by any way,
        though others may take their link to it for a sound one."""
        players, gone = self.ledger.genesis.players, self.clocks.gone_since
        if not players[self.own.seat].bot:
            people = [s for s in awaited if s not in gone and not players[s].bot]
            for notice in self._detours.find_news(people, now):
                self._show(notice)

    def _report_late(self, over: list[Seat]) -> None:
        if self._place != self.ledger.place:
            self._place = self.ledger.place
            for phase in self._phases.values():
                phase.move(SeatEvent.GAME_MOVES)
        if over and self._shown_at != self.ledger.place:
            self._shown_at = self.ledger.place
            self._show_taken()
        late = [seat for seat in over if self._phases[seat].allows(SeatEvent.TIME_IS_UP)]
        for seat in late:
            self._phases[seat].move(SeatEvent.TIME_IS_UP)
        if late:
            self._show(Late(tuple(sorted(late)), int(VOTE_AFTER_SECONDS)))

    def _show_taken(self) -> None:
        """Shows to all what has come for a step that waits for somebody. A cheat may have signed
        another entry for others, which comes to light only when the step closes, if it does."""
        for entry in self.ledger.chain.gathered.values():
            self.gossip.broadcast(entry.signed)

    def _report_own_clock(self) -> None:
        left, is_stopped = self.clocks.time_left(self.own.seat), bool(self.clocks.paused_until)
        told = None if left is None else (self.ledger.place, is_stopped)
        if left is not None and told != self._own_clock:
            self._show(OwnClock(left.seconds, left.limit, is_stopped))
        self._own_clock = told

    def _show(self, notice: Notice) -> None:
        self.gossip.effects.append(ShowNotice(notice))
