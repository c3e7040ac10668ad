"""What a table of two homes costs the relay of a code, and what it costs the players.

Scope: real processes and the servers of magic-wormhole in network namespaces. Bytes are those of
the links, so without the headers of TCP; a relay takes each in once and sends it out once.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from bench.program import Program
from bench.row import Row, Sample, Samples

DELAY = 0.05
"""Seconds from a home to the relay, or to the other home. The work of a roll takes some more."""
IDLE_SECONDS = 30.0
ENDS = 2
"""Sides of a relay that each byte passes."""


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def measure_seat(program: Program, _tiny: bool) -> Samples:
    """Measure until the guest has its seat, with both commands typed in no time."""
    while True:
        with _folder() as folder:
            yield Sample(program.play_far(folder, relayed=True, seconds=0.0).seated_after)


def measure_game(program: Program, _tiny: bool) -> Samples:
    """Measure the bytes of a game against those of its log."""
    while True:
        with _folder() as folder:
            game = program.play_far(folder, relayed=True, seconds=0.0)
        carried = game.carried / ENDS
        yield Sample(carried / len(game.log), {"carried_kB": carried / 1000})


def measure_idle(program: Program, tiny: bool) -> Samples:
    seconds = 1.0 if tiny else IDLE_SECONDS
    while True:
        with _folder() as folder:
            yield Sample(program.idle_far(folder, seconds) / ENDS / seconds)


def measure_roll(relayed: bool, program: Program, _tiny: bool) -> Samples:
    while True:
        with _folder() as folder:
            game = program.play_far(folder, relayed=relayed, seconds=DELAY)
        roll = statistics.median(game.rolls)
        yield Sample(roll / DELAY, {"roll_ms": roll * 1000, "rolls": len(game.rolls)})


def _row(name: str, what: str, unit: str, measure: partial[Samples], target: float | None) -> Row:
    return Row(f"relay.{name}", what, unit, measure, target, repetitions=3, is_usual=False)


RELAY_ROWS = (
    _row("seat", "from kotp2p host to the guest's seat in another home", "s",
         partial(measure_seat), 3.0),
    _row("game", "bytes that a relay carries for a game of two", "× its log",
         partial(measure_game), None),
    _row("idle", "the load of an idle link through a relay", "bytes a second",
         partial(measure_idle), None),
    _row("roll-direct", "a roll between two homes, directly", "one-way delays",
         partial(measure_roll, False), None),
    _row("roll", "the same through a relay, one delay from each home", "one-way delays",
         partial(measure_roll, True), None),
)  # fmt: skip
