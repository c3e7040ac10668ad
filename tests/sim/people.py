"""Who sits at a simulated table: thinks for a while, answers, sometimes leaves.

Law: a person has no chance but that of his seed and no clock but the virtual one. A new process
is a new person at the keyboard: he need not decide as before what nobody has heard.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

import trio

from kotp2p.bots import Noise, choose
from kotp2p.front import Control, Happened, Leave, Notice, View
from referee.answers import Answer, Face
from referee.decisions import Decision
from referee.events import DiceRolled
from tests.sim.life import Life

if TYPE_CHECKING:
    from tests.sim.game import SimGame

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
    control: Control | None = None
    asked: int = 0
    notices: list[Notice] = field(default_factory=list)

    def attach(self, control: Control) -> None:
        self.control = control

    def show(self, notice: Notice) -> None:
        if not self.life.alive:
            return
        kind = type(notice).__name__
        self.game.trace.note("shows", self.life.name, kind)
        self.game.invariants.i2_nobody_accused(self.life, notice)
        if isinstance(notice, Happened) and self.tells:
            for event in notice.events:
                if isinstance(event, DiceRolled):
                    fresh = (event.dice[place] for place in event.positions)
                    self.game.invariants.rolled.update(FACES.index(face) for face in fresh)

    async def decide(self, view: View, decision: Decision) -> Answer | Leave:
        await trio.sleep(self.chance.expovariate(1 / self.thinking))
        await self.life.runs()
        self.asked += 1
        if self.leaves_at is not None and self.asked >= self.leaves_at:
            self.game.trace.reach("leaves", self.life.name)
            return Leave()
        noise = Noise(self.chance.randbytes(16), b"")
        return choose(self.level, view.game, view.seat, decision, noise, view.top)
