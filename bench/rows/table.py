"""What a game costs the network: delays of a roll, and bytes of the log and of the wire.

Scope: whole peers in memory under a virtual clock, so that delays depend on no machine.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from functools import partial
from itertools import count

from bench.program import Change, Program, Statements
from bench.row import Row, Sample, Samples

OPENING_BYTES = 80 + 26
"""The least that an opening could take: the opened value and the next commitment with their places,
and a share of a signature over all of them."""
OTHER_BYTES = 65
BOUND = "× the least that its statements could take"


def measure_roll(seats: int, is_dialable: bool, program: Program, tiny: bool) -> Samples:
    seats = 2 if tiny else seats
    for number in count():
        table = program.play_table(seats, is_dialable=is_dialable, seed=f"roll {number}")
        delays = table.delays or (0.0,)
        parts = {"worst_delays": max(delays), "rerolls": len(table.delays)}
        yield Sample(statistics.median(delays), parts)


def least_bytes(statements: Statements) -> int:
    return OPENING_BYTES * statements.openings + OTHER_BYTES * statements.others


def measure_log(seats: int, program: Program, tiny: bool) -> Samples:
    seats = 2 if tiny else seats
    for number in count():
        table = program.play_table(seats, seed=f"bytes {number}")
        least = least_bytes(program.count_statements(table.log))
        yield Sample(len(table.log) / least, {"log_bytes_a_turn": len(table.log) / table.turns})


def measure_wire(seats: int, program: Program, tiny: bool) -> Samples:
    """Measure the bytes against those of each statement sent to each other seat once."""
    seats = 2 if tiny else seats
    for number in count():
        table = program.play_table(seats, seed=f"bytes {number}")
        least = least_bytes(program.count_statements(table.log)) * (seats - 1)
        parts = {"wire_bytes_a_turn": table.sent_bytes / table.turns}
        yield Sample(table.sent_bytes / least, parts)


def measure_change(
    seats: int, part: Callable[[Change], float], program: Program, tiny: bool
) -> Samples:
    for number in count():
        change = program.change_line_up(2 if tiny else seats, f"change {number}")
        yield Sample(part(change), {"delays": change.delays, "cpu_rolls": change.rolls})


def _change(seats: int) -> tuple[Row, Row]:
    delays = partial(measure_change, seats, lambda change: change.delays)
    rolls = partial(measure_change, seats, lambda change: change.rolls)
    return (
        Row(f"lineup.delays-{seats}", f"a process comes back, {seats} seats, after the last knows",
            "one-way delays", delays, 4.0, aim=3.0, repetitions=3),
        Row(f"lineup.cpu-{seats}", "the same: the CPU of all cores", "× theirs for a roll", rolls,
            6.0, aim=4.0, repetitions=3),
    )  # fmt: skip


def _roll(name: str, what: str, seats: int, is_dialable: bool, target: float) -> Row:
    measure = partial(measure_roll, seats, is_dialable)
    return Row(f"roll.{name}", what, "one-way delays", measure, target, repetitions=3)


TABLE_ROWS = (
    _roll("mesh-2", "a roll, two seats", 2, True, 2.1),
    _roll("mesh-6", "a roll, six seats in the mesh", 6, True, 2.1),
    _roll("host-4", "a roll, four seats, all through the host", 4, False, 4.1),
    Row("bytes.log-2", "bytes of a log, two seats", BOUND, partial(measure_log, 2), 2.6, aim=2.2,
        repetitions=3),
    Row("bytes.log-4", "bytes of a log, four seats", BOUND, partial(measure_log, 4), 2.5, aim=2.2,
        repetitions=3),
    Row("bytes.log-6", "bytes of a log, six seats", BOUND, partial(measure_log, 6), 2.5, aim=2.2,
        repetitions=3),
    Row("bytes.wire-2", "bytes on all links, two seats", BOUND, partial(measure_wire, 2), 2.9,
        aim=2.5, repetitions=3),
    Row("bytes.wire-4", "bytes on all links, four seats", BOUND, partial(measure_wire, 4), 2.6,
        aim=2.5, repetitions=3),
    Row("bytes.wire-6", "bytes on all links, six seats", BOUND, partial(measure_wire, 6), 2.6,
        aim=2.5, repetitions=3),
    *_change(2),
    *_change(4),
    *_change(6),
)  # fmt: skip
