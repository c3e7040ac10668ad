"""What it costs to check a log, against the checks of its signatures alone.

Scope: the bytes of a log in, a verdict out, in a process that is set up as one of the program is.
What such a process costs to start is in `bench.rows.start`.
"""

from __future__ import annotations

import gc
from functools import partial

from bench.clock import cpu_in_turn, cpu_of
from bench.program import Check, Program
from bench.row import Row, Sample, Samples

ALONE = "× its signature checks alone"
LONG_GAMES = 4
"""Games of six of which the longest is taken."""
LONG_TURNS = 320
TIMES = 8
"""The number of readings of a log that make one sample."""


def make_checks(checks: list[Check]) -> None:
    for check in checks:
        check()


def measure_verify(seats: int, program: Program, tiny: bool) -> Samples:
    log = program.play_table(2 if tiny else seats).log
    checks = program.signature_checks(log)
    program.begin_process()
    while True:
        whole, alone = cpu_in_turn(
            partial(program.verify, log), partial(make_checks, checks), 1 if tiny else TIMES
        )
        yield Sample(
            whole / alone,
            {"verify_s": whole, "signatures_s": alone, "entries": len(checks)},
        )


def measure_fast(seats: int, program: Program, tiny: bool) -> Samples:
    log = program.play_table(2 if tiny else seats).log
    program.begin_process()
    while True:
        whole, fast = cpu_in_turn(
            partial(program.verify, log), partial(program.verify_fast, log), 1 if tiny else TIMES
        )
        yield Sample(whole / fast, {"verify_s": whole, "fast_s": fast})


def measure_replay(program: Program, tiny: bool) -> Samples:
    """Measure the slowest of some positions of a log that was read."""
    log = longest_log(program, 2 if tiny else 6, 1 if tiny else LONG_GAMES)
    replay, checks = program.replay(log), program.signature_checks(log)
    heights = [replay.last * part // 8 for part in range(1, 9)]
    while True:
        worst = max(cpu_of(partial(replay.go_to, height)) for height in heights)
        alone = cpu_of(partial(make_checks, checks))
        yield Sample(worst * 1000, {"signatures_s": alone, "heights": replay.last})


def measure_pause(program: Program, tiny: bool) -> Samples:
    """Measure the longest step of a task while a table of six plays, its end included.

    The garbage collector is off: in this process it would look through six peers.
    """
    program.play_table(2 if tiny else 6)  # imports what is imported late
    while True:
        gc.collect()
        gc.disable()
        table = program.play_table(2 if tiny else 6)
        gc.enable()
        whole = cpu_of(partial(program.verify, table.log))
        yield Sample(
            table.longest_pause / whole, {"pause_s": table.longest_pause, "verify_s": whole}
        )


def measure_return(is_own: bool, program: Program, tiny: bool) -> Samples:
    game = program.long_game(8 if tiny else LONG_TURNS)
    come_back = game.own if is_own else game.fetched
    while True:
        yield Sample(come_back(), {"entries": game.entries})


def longest_log(program: Program, seats: int, games: int) -> bytes:
    played = [program.play_table(seats, seed=f"long {number}") for number in range(games)]
    return max((table.log for table in played), key=len)


VERIFY_ROWS = (
    Row("verify.2", "verify, two seats", ALONE, partial(measure_verify, 2), 1.38, aim=1.3),
    Row("verify.4", "verify, four seats", ALONE, partial(measure_verify, 4), 1.32, aim=1.25),
    Row("verify.6", "verify, six seats", ALONE, partial(measure_verify, 6), 1.27, aim=1.25),
    Row("verify.fast-2", "verify --fast, two seats", "times as fast as verify",
        partial(measure_fast, 2), 3.3, is_floor=True),
    Row("verify.fast-4", "verify --fast, four seats", "times as fast as verify",
        partial(measure_fast, 4), 4.1, is_floor=True),
    Row("verify.fast-6", "verify --fast, six seats", "times as fast as verify",
        partial(measure_fast, 6), 4.6, is_floor=True),
    Row("verify.position", "the worst position of a long game of six", "ms", measure_replay, 30.0),
    Row("verify.pause", "the longest pause of a peer at six seats", "× verify of its log",
        measure_pause, 0.25, repetitions=3),
    Row("return.own", "a process has a game of 320 turns again from its log", "CPU seconds",
        partial(measure_return, True), 1.0, repetitions=3),
    Row("return.fetched", "the same with the log of another process", "CPU seconds",
        partial(measure_return, False), 2.0, repetitions=3),
)  # fmt: skip
