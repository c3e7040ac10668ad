"""Who sits at a simulated table: thinks for a while, answers, sometimes leaves.

Law: a person has no chance but that of his seed and no clock but the virtual one. A new process
is a new person at the keyboard: he need not decide as before what nobody has heard.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from kotp2p.absence_notices import (
    AdjournWanted,
    Dropped,
    Gone,
    Late,
    Paused,
    PauseEnded,
    Returned,
    Rewound,
    VoteEnded,
    VoteOpened,
)
from kotp2p.bots import Noise, choose
from kotp2p.front import Control, Leave
from kotp2p.notices import GameStarted, Happened, LobbyChanged, Missing, Notice, Said
from kotp2p.seat_view import SeatView
from kotp2p.watch_notices import WatchersChanged
from referee.model.answers import Answer, Face, Peek
from referee.model.card_decisions import BuyDecision
from referee.model.decisions import Decision
from referee.model.events import DiceRolled
from tests.tools.sim.life import Life
from tests.tools.sim.lobby_choices import OFTEN, fidget

if TYPE_CHECKING:
    from tests.tools.sim.game import SimGame

FACES = tuple(Face)


@dataclass
class Person:
    """The front of one seat in one process."""

    game: SimGame
    life: Life
    chance: Random
    level: str
    thinking: float
    """Mean seconds before an answer."""
    leaves_at: int | None = None
    """The question at which he leaves for good."""
    tells: bool = False
    """His dice are counted: one seat of each game."""
    hasty: bool = False
    """He votes to go on without who is absent, and sometimes dozes off himself."""
    breaks: bool = False
    """He pauses now and then, and stops for the day; and he agrees if another wants to."""
    looks: bool = False
    """He looks at the top card when he may."""
    fidgets: Random | None = None
    """The chance of one who changes name, monster and mark in the lobby."""
    control: Control | None = None
    asked: int = 0
    vote: VoteOpened | None = None
    """The one that is open and has a place for his."""
    seat: int = -1
    notices: list[Notice] = field(default_factory=list)

    def attach(self, control: Control) -> None:
        self.control = control

    def show(self, notice: Notice) -> None:
        if not self.life.alive:
            return
        if isinstance(notice, GameStarted):
            self.seat = notice.view.seat
        kind = type(notice).__name__
        self.game.trace.note("shows", self.life.name, kind, self.seat)
        if not isinstance(notice, WatchersChanged | Said):
            events = notice.events if isinstance(notice, Happened) else ()
            shown = f"{self.game.clock.now.hex()} {self.life.name} {kind} {self.seat} {events}"
            self.game.trace.shown.update(shown.encode())
        self.game.invariants.i2_nobody_accused(self.life, notice)
        self.game.invariants.i17_own_reader(self.life, notice)
        self.game.invariants.i19_on_time(self.life, notice)
        self.game.starts.note_notice(self.life, notice)
        if isinstance(notice, Happened) and self.tells:
            for event in notice.events:
                if isinstance(event, DiceRolled):
                    fresh = (event.dice[place] for place in event.positions)
                    self.game.invariants.rolled.update(FACES.index(face) for face in fresh)

        chance = self.fidgets if isinstance(notice, LobbyChanged) else None
        if isinstance(notice, LobbyChanged) and chance is not None and chance.random() < OFTEN:
            self.game.nursery.start_soon(fidget, self, chance, notice)
        self._react(notice)

    def _react(self, notice: Notice) -> None:
        start = self.game.nursery.start_soon
        match notice:
            case VoteOpened(yours=True):
                self.vote = notice
                start(self._vote, notice)
            case VoteEnded() | Dropped() | Rewound():
                self.vote = None
            case AdjournWanted(seat=seat, wanted=True) if seat != self.seat and self.breaks:
                start(self._agree)
            case VoteOpened() | Gone() | Returned():
                pass
            case Late() | Missing() | Paused() | PauseEnded() | AdjournWanted():
                pass
            case _:
                return
        self.game.trace.reach(f"shown {type(notice).__name__}")

    async def _vote(self, vote: VoteOpened) -> None:
        """As long as the vote is open: goes on without the accused, or stops where that cannot
        be. Who is patient does so only if he knows that they will not come back."""
        await self.game.clock.sleep(self.chance.expovariate(1 / self.thinking))
        while self.vote is vote and self.life.alive:
            assert self.control is not None
            if self.hasty or self.game.never_return(self.life, vote.accused):
                want = self.control.vote if vote.has_majority else self.control.adjourn
                want(self.chance.random() < 0.85)  # some think better of it
            await self.game.clock.sleep(self.chance.uniform(5, 40))

    async def _agree(self) -> None:
        """To stop for today."""
        await self.game.clock.sleep(self.chance.expovariate(1 / self.thinking))
        if self.life.alive and self.control is not None and not self.game.healed.is_set():
            self.control.adjourn(self.chance.random() < 0.85)

    async def _dawdle(self) -> None:
        """What people do instead of answering."""
        await self.game.clock.sleep(self.chance.expovariate(1 / self.thinking))
        if self.game.healed.is_set():
            return
        if self.hasty and self.chance.random() < 0.02:
            self.game.trace.reach("dozes", self.life.name)
            await self.game.clock.sleep(self.chance.uniform(20, 150))
        if self.breaks and self.control is not None and self.chance.random() < 0.05:
            self.control.pause()
            await self.game.clock.sleep(self.chance.uniform(1, 60))
            self.control.go_on()
        if self.breaks and self.control is not None and self.chance.random() < 0.01:
            self.control.adjourn(True)

    async def decide(self, view: SeatView, decision: Decision) -> Answer | Leave:
        await self._dawdle()
        await self.life.runs()
        self.asked += 1
        if self.leaves_at is not None and self.asked >= self.leaves_at:
            self.game.trace.reach("leaves", self.life.name)
            return Leave()
        if self.looks and isinstance(decision, BuyDecision) and decision.peek:
            return Peek()
        noise = Noise(self.chance.randbytes(16), b"")
        return choose(self.level, view.game, view.seat, decision, noise, view.top)
