"""A decision on the drawn table."""

import time
from collections.abc import Awaitable, Callable
from inspect import Signature, signature
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from kotp2p.cli.ui.screen.controls import seat_screen_player
from kotp2p.cli.ui.screen.draw import draw_screen
from kotp2p.cli.ui.screen.screen import Clock
from kotp2p.cli.ui.screen.screen import Screen as DrawnScreen
from kotp2p.referee.model.answers import Answer
from kotp2p.referee.model.decisions import Decision, RollDecision
from kotp2p.seams.commands import Leave
from kotp2p.seams.notices import GameStarted, SeatView
from tests.support.laid_decisions import dice, table
from tests.support.local_game import Orders
from tests.support.quick_advice import advise
from tests.support.screen_terminal import Script, Terminal, on_screen


def roll(left: int = 2) -> RollDecision:
    return RollDecision(0, dice(ROLLED), left)


def rows_of(screen: DrawnScreen, columns: int = 80, rows: int = 24) -> list[str]:
    """What stands above the input line and the keys, without its styles."""
    return ["".join(text for _style, text in row) for row in draw_screen(screen, columns, rows - 2)]


class Screen(Protocol):
    def by(self, script: Script, columns: int = 80, rows: int = 24) -> object: ...


S = TypeVar("S", bound=Screen)
P = ParamSpec("P")


def played(
    make: Callable[[], S], *, columns: int = 80, rows: int = 24
) -> Callable[[Callable[Concatenate[S, Terminal, P], Awaitable[None]]], Callable[P, None]]:
    """Makes a test of what somebody types at the screen that `make` makes, and sees there."""

    def of(script: Callable[Concatenate[S, Terminal, P], Awaitable[None]]) -> Callable[P, None]:
        def test(*args: P.args, **given: P.kwargs) -> None:
            screen = make()
            screen.by(lambda terminal: script(screen, terminal, *args, **given), columns, rows)

        _, _, *parameters = signature(script).parameters.values()
        vars(test)["__signature__"] = Signature(parameters)  # for pytest
        return test

    return of


class Asked:
    """Questions put to a screen one after the other, and the answers that came."""

    def __init__(
        self,
        *decisions: Decision,
        unread_seconds: float = 0,
        view: SeatView | None = None,
        clock: Clock = time.monotonic,
        bell: bool = True,
    ) -> None:
        self.table = seat_screen_player(
            advise, unread_seconds=unread_seconds, clock=clock, bell=bell
        )
        self.player, self.screen = self.table.player, self.table.screen
        self.orders = Orders()
        self.view = view or table(rolled=ROLLED)
        self.answers: list[Answer | Leave] = []
        self._decisions = decisions

    async def play(self) -> None:
        self.player.attach(self.orders)
        self.player.show(GameStarted(self.view))
        for decision in self._decisions:
            self.answers.append(await self.player.decide(self.view, decision))

    async def gives(self, terminal: Terminal, *answers: Answer) -> None:
        """Waits until as many answers have come, which are these."""
        await terminal.until(lambda: len(self.answers) == len(answers), "an answer")
        assert self.answers == list(answers)

    def by(self, script: Script, columns: int = 80, rows: int = 24) -> Terminal:
        """Play the script from the first question on, if there is one."""

        async def begin(terminal: Terminal) -> None:
            if self._decisions:
                await terminal.until(lambda: self.player.state.asking is not None, "a question")
                await terminal.until(lambda: self.screen.guard.is_prompt_drawn, "its drawing")
            await script(terminal)

        return on_screen(self.table, self.play, begin, columns, rows)


ROLLED = "33CHB1"
