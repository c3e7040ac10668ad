"""The files that one thing passes through: `python -m tests.tools.tracer [roll|key|line-up]`.

Scope: a game in memory, or a question on the drawn table, is run once, and each module of the
packages counts of which a function ran between the first and the last moment of that thing.

* A roll: from the signed decision to the dice that another seat is shown. All seats of the table
  are in this process, so each module counts once. Ticks of other peers fall into it, too.
* A key: from keys that are pressed at the drawn table until the rows are drawn again.
* A change of line-up: from the wish of a player that a bot plays for an absent one until a player
  is shown that the game goes on so.

Known limitation: imports within the time count as far as they run functions.
"""

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any
from unittest.mock import patch

import trio
import trio.testing

from kotp2p.peer.bodies import Duties
from kotp2p.referee.model.answers import Answer, Reroll, Seat
from kotp2p.referee.model.events import DiceRolled
from kotp2p.seams.commands import Command, GoOn
from kotp2p.seams.notices import Happened, LineUpBegun, Notice
from kotp2p.shell.table_loop import TableLoop
from tests.support.memory_tables import TestTable
from tests.support.paths import ROOT
from tests.support.screen_table import Asked, roll
from tests.support.screen_terminal import Terminal
from tests.support.tool_line import tool_parser
from tests.support.whole_games import Slow, until

PACKAGES = ("cli", "kotp2p", "referee")


class Enough(Exception):
    """All that was to be traced has happened."""


@dataclass(slots=True)
class Trace:
    """Calls between `start` and `stop`, by module."""

    calls: Counter[str] = field(default_factory=Counter)
    is_over: bool = False

    def start(self) -> None:
        if not self.calls and not self.is_over:
            sys.setprofile(self._note)

    def stop(self) -> None:
        if self.calls:
            sys.setprofile(None)
            self.is_over = True

    def _note(self, frame: FrameType, event: str, arg: object) -> None:
        if event != "call":
            return
        module = module_of(frame.f_code.co_filename)
        if module:
            self.calls[module] += 1


def module_of(file: str) -> str:
    """The path below the checkout; empty if it is no module of the packages. The packages are
    imported by links, which are not followed here."""
    path = Path(file)
    if not path.is_relative_to(ROOT):
        return ""
    parts = path.relative_to(ROOT).parts
    if parts[0] == "kotp2p" and parts[1] in PACKAGES:
        parts = parts[1:]
    return "/".join(parts) if parts[0] in PACKAGES else ""


def _run(table: TestTable, meanwhile: Callable[[], Any] | None = None) -> None:
    async def play() -> None:
        await table.run(meanwhile)

    trio.run(play, clock=trio.testing.MockClock(autojump_threshold=0))


class Watching(Slow):
    """Shows each notice to a function, too, and leaves time to be missed."""

    def __init__(self, name: str, look: Callable[[Notice], None], *, goes_on: bool = False) -> None:
        super().__init__(name, goes_on=goes_on)
        self._look = look

    def show(self, notice: Notice) -> None:
        self._look(notice)
        super().show(notice)


def trace_roll() -> Trace:
    trace, signer = Trace(), list[Seat]()
    sign = Duties.sign_answer

    def sign_answer(self: Duties, seat: Seat, answer: Answer, now: float) -> None:
        if isinstance(answer, Reroll) and not signer:
            signer.append(self.secrets.seat)
            trace.start()
        sign(self, seat, answer, now)

    def look(notice: Notice) -> None:
        if not isinstance(notice, Happened) or trace.is_over or notice.view.seat in signer:
            return
        if trace.calls and any(isinstance(event, DiceRolled) for event in notice.events):
            trace.stop()
            raise Enough

    table = TestTable(players=3)
    for n in range(3):
        table.fronts[n] = Watching(f"player {n}", look)
    with patch.object(Duties, "sign_answer", sign_answer):
        _run_until_enough(table)
    return trace


def trace_line_up() -> Trace:
    trace = Trace()
    take_command = TableLoop._take_command

    def wish(self: TableLoop, command: Command) -> None:
        if isinstance(command, GoOn):
            trace.start()
        take_command(self, command)

    table = TestTable(players=3)

    def look(notice: Notice) -> None:
        if isinstance(notice, LineUpBegun) and trace.calls:
            trace.stop()
            raise Enough

    for n in range(3):
        table.fronts[n] = Watching(f"player {n}", look, goes_on=True)

    async def kill_one() -> None:
        await until(lambda: table.front(2).asked > 1)
        table.kill(2)

    with patch.object(TableLoop, "_take_command", wish):
        _run_until_enough(table, kill_one)
    return trace


def _run_until_enough(table: TestTable, meanwhile: Callable[[], Any] | None = None) -> None:
    try:
        _run(table, meanwhile)
    except BaseExceptionGroup as group:
        if group.split(Enough)[1] is not None:
            raise
    finally:
        sys.setprofile(None)


def trace_key() -> Trace:
    trace = Trace()
    asked = Asked(roll())

    async def play(terminal: Terminal) -> None:
        await terminal.see("Keep which?")
        trace.start()
        terminal.press("33c")
        await terminal.see("> 33c")
        trace.stop()

    asked.by(play)
    return trace


TRACES: dict[str, Callable[[], Trace]] = {
    "roll": trace_roll,
    "key": trace_key,
    "line-up": trace_line_up,
}


def main() -> int:
    parser = tool_parser("tests.tools.tracer", __doc__)
    parser.add_argument("what", nargs="*", choices=[*TRACES, []], help="all of them, if none")
    for what in parser.parse_args().what or TRACES:
        trace = TRACES[what]()
        rooms = Counter("/".join(module.split("/")[:-1]) for module in trace.calls)
        print(f"{what}: {len(trace.calls)} modules in {len(rooms)} rooms, "
              f"{trace.calls.total():,} calls")  # fmt: skip
        for module, calls in sorted(trace.calls.items()):
            print(f"  {calls:>7,}  {module}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
