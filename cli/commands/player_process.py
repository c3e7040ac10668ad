"""One run of a peer beside its player's input, its signals, and what is said when time passes.

Scope: what ends a run. A run is one trio task that plays (`kotp2p.shell.run`) and five beside it:
typed lines or keys, signals, time that passes, what is due to be shown, and the player's own
command for their turn. They end with the game.
"""

from __future__ import annotations

import signal
from collections.abc import Awaitable, Callable

import trio

from kotp2p.cli.system.process import ending_signals
from kotp2p.cli.system.turn_command import TurnCommand
from kotp2p.cli.ui.line_player import LinePlayer
from kotp2p.cli.ui.paced_front import PacedFront
from kotp2p.endings import Ending, EndKind

CLOSE_WITHIN_SECONDS = 3.0
"""After a signal, for files and sockets to be closed."""
SIGNALS = ending_signals()


class PlayerProcess:
    def __init__(
        self,
        player: LinePlayer,
        terminal: bool,
        read_input: Callable[[], Awaitable[None]],
        on_turn: TurnCommand,
    ) -> None:
        """`read_input` takes what is typed, until it is cancelled or the input ends."""
        self.player = player
        self.front = PacedFront(player)
        """What the peer plays with."""
        self.signal_number = 0
        """The signal that ends the run; 0 if none has come."""
        self._terminal = terminal
        self._read_input = read_input
        self._on_turn = on_turn
        self._scope: trio.CancelScope | None = None
        self._has_ended = False
        """The game is over, and the player still looks at the end."""

    async def run_until_end(self, play: Callable[[], Awaitable[Ending]]) -> Ending | None:
        """How the game ended; None if a signal stopped the run before everything was closed."""
        ending: Ending | None = None
        async with trio.open_nursery() as nursery:
            self._scope = nursery.cancel_scope
            nursery.start_soon(self._read_input)
            nursery.start_soon(self.player.watch_time)
            nursery.start_soon(self.front.run)
            nursery.start_soon(self._on_turn.run)
            await nursery.start(self._watch_signals)
            if await self.player.read_first_page():
                ending = await play()
            else:
                ending = Ending(EndKind.LEFT)
            if not self.signal_number:
                self._has_ended = True
                await self.front.show_ending(ending)
            nursery.cancel_scope.cancel()
        return ending

    async def _watch_signals(
        self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Ctrl-C asks first whether to leave, if somebody can answer."""
        with trio.open_signal_receiver(*SIGNALS) as signals:
            task_status.started()
            async for number in signals:
                is_asked = self.player.state.is_leave_asked
                has_answered = is_asked or self.signal_number or self._has_ended
                if number == signal.SIGINT and self._terminal and not has_answered:
                    self.player.interrupt()
                else:
                    self.end_by_signal(number)

    def end_by_signal(self, number: int) -> None:
        """Ends the process and keeps the seat: a closed window gives up nothing. The second time
        nothing is waited for."""
        assert self._scope is not None  # it runs
        if self.signal_number or self._has_ended:
            self.signal_number = number
            self._scope.cancel()
            return
        self.signal_number = number
        if not self.player.keep_seat():
            self._scope.cancel()
        self._scope.deadline = trio.current_time() + CLOSE_WITHIN_SECONDS
