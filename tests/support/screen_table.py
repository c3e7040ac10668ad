"""A decision on the drawn table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from cli.ui.screen.screen import Screen
from kotp2p import bots
from kotp2p.front import Leave
from kotp2p.notices import GameStarted
from kotp2p.seat_view import SeatView
from referee.model.answers import Answer
from referee.model.decisions import Decision
from referee.model.dice_decisions import RollDecision
from tests.support.laid_decisions import dice, table
from tests.support.local_game import Orders
from tests.support.screen_terminal import Terminal, on_screen


def roll(left: int = 2) -> RollDecision:
    return RollDecision(0, dice(ROLLED), left)


class Asked:
    """Questions put to a screen one after the other, and the answers that came."""

    def __init__(
        self, *decisions: Decision, fresh: float = 0, view: SeatView | None = None
    ) -> None:
        self.screen = Screen(bots.advise, fresh=fresh)
        self.orders = Orders()
        self.view = view or table(rolled=ROLLED)
        self.answers: list[Answer | Leave] = []
        self._decisions = decisions

    async def play(self) -> None:
        self.screen.attach(self.orders)
        self.screen.show(GameStarted(self.view))
        for decision in self._decisions:
            self.answers.append(await self.screen.decide(self.view, decision))

    def by(
        self, script: Callable[[Terminal], Awaitable[None]], columns: int = 80, rows: int = 24
    ) -> Terminal:
        return on_screen(self.screen, self.play, script, columns, rows)


ROLLED = "33CHB1"
