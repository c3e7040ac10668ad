"""The front of somebody who watches a simulated game.

Law: W3, what they are shown fits together: the events lead from each position to the next, which is
the position of what was read of the log. Nothing secret is in their view.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kotp2p.absence_notices import Rewound
from kotp2p.front import Control, Leave
from kotp2p.notices import GameStarted, Happened, Notice
from kotp2p.seat_view import WATCHER, SeatView
from referee.model.answers import Answer
from referee.model.apply import apply
from referee.model.decisions import Decision
from referee.model.events import Event
from referee.model.state import State
from tests.tools.sim.life import Life

if TYPE_CHECKING:
    from tests.tools.sim.game import SimGame


@dataclass
class SimOnlooker:
    game: SimGame
    life: Life
    control: Control | None = None
    state: State | None = None
    """As the notices have told it."""

    def attach(self, control: Control) -> None:
        self.control = control

    def show(self, notice: Notice) -> None:
        if not self.life.alive:
            return
        self.game.trace.note("shows", self.life.name, type(notice).__name__)
        self.game.invariants.i17_own_reader(self.life, notice)
        match notice:
            case GameStarted(view=view):
                self.state = view.game.state.copy()
                if view.seat != WATCHER or view.top is not None:
                    self._broken("sees what a seat sees")
            case Rewound(state=state):
                self.state = state.copy()
                self.game.trace.reach("watcher: told of an undo")
            case Happened(events=events, view=view):
                self._follow(events, view)
            case _:  # the others change no position
                pass

    def _follow(self, events: Sequence[Event], view: SeatView) -> None:
        if self.state is None:
            self._broken("is shown what happens before the game")
            return
        for event in events:
            apply(self.state, event)
        if self.state != view.game.state:
            self._broken("is shown events that do not lead to the position")

    def _broken(self, words: str) -> None:
        self.game.invariants.broken("W3", f"{self.life.name} {words}")

    async def decide(self, view: SeatView, decision: Decision) -> Answer | Leave:
        raise AssertionError("a watcher is never asked")
