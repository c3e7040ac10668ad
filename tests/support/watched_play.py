"""A player behind a paced front, with a diary of what was shown when, in virtual time."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import trio

from kotp2p.cli.system.options import Speed
from kotp2p.cli.ui.line_player import LinePlayer
from kotp2p.cli.ui.paced_front import PacedFront
from kotp2p.referee.model.answers import Answer, Seat
from kotp2p.referee.model.decisions import RollDecision
from kotp2p.referee.model.events import DiceRolled, Event, HeartsLost
from kotp2p.referee.model.state import DamageKind, State
from kotp2p.seams.commands import Leave
from kotp2p.seams.notices import GameStarted, Happened, Notice
from tests.support.laid_decisions import dice, table
from tests.support.local_game import Orders, at_terminal

ROLLED = "33CHB1"


@dataclass(frozen=True)
class Seen:
    at: float
    notice: Notice
    state: State


class Watcher:
    """A player behind a paced front, with a diary of what was shown when."""

    def __init__(self, speed: Speed = Speed.NORMAL, player: LinePlayer | None = None) -> None:
        self.player = player or at_terminal()
        self.player.state.pace.choose_speed(speed)
        self.seen: list[Seen] = []
        self.front = PacedFront(self.player)
        self.orders = Orders()
        self.view = table(rolled=ROLLED)
        self.answer: Answer | Leave | None = None
        self._show = self.player.show
        self.player.show = self._note  # type: ignore[method-assign]

    def _note(self, notice: Notice) -> None:
        self._show(notice)
        view = self.player.state.view
        assert view is not None
        self.seen.append(Seen(trio.current_time(), notice, view.game.state.copy()))

    def is_asked(self) -> bool:
        return self.player.state.asking is not None

    @property
    def times(self) -> list[float]:
        """When each batch of events was shown, from the first on."""
        found = [one.at for one in self.seen if isinstance(one.notice, Happened)]
        return [round(at - found[0], 6) for at in found]

    def happens(self, *events: Event) -> None:
        """The peer's game moves on, and the peer shows it."""
        for event in events:
            event.apply(self.view.game.state)
        self.front.show(Happened(events, self.view))

    async def ask(self) -> None:
        decision = RollDecision(0, dice(ROLLED), 2)
        self.answer = await self.front.decide(self.view, decision)


@asynccontextmanager
async def watching(
    speed: Speed = Speed.NORMAL, player: LinePlayer | None = None
) -> AsyncIterator[tuple[Watcher, trio.Nursery]]:
    watcher = Watcher(speed, player)
    watcher.front.attach(watcher.orders)
    watcher.front.show(GameStarted(watcher.view))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(watcher.front.run)
        yield watcher, nursery
        nursery.cancel_scope.cancel()


def roll(seat: Seat) -> DiceRolled:
    return DiceRolled(seat, (0, 1, 2, 3, 4, 5), dice(ROLLED))


def hit(seat: Seat, amount: int = 1, dealer: Seat = 1) -> HeartsLost:
    return HeartsLost(seat, amount, DamageKind.CLAWS, dealer)
