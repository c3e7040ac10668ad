"""How work grows: with the length of a log, junk after it, seats, and old games.

Scope: the work for one more unit when there are many, against that when there are few. Flat is 1.
"""

from __future__ import annotations

import os
import tempfile
from functools import partial
from pathlib import Path

from bench.clock import cpu_in_turn, cpu_of_process
from bench.program import Program
from bench.row import Row, Sample, Samples
from bench.rows.peer import play_processes
from bench.rows.start import IMPORT_TYPER, command, environment

TIMES_AS_LONG = 64
JUNK_BYTES = 8 * 2**20
OLD_GAMES = 1_000
MOST_SEATS = 6


def measure_length(program: Program, tiny: bool) -> Samples:
    """Measure reading a log that is `TIMES_AS_LONG` times as long, per record."""
    log = program.play_table(2).log
    times = 2 if tiny else TIMES_AS_LONG
    long = program.repeat_records(log, times)
    while True:
        many, few = cpu_in_turn(
            partial(program.read_records, long),
            lambda: [program.read_records(log) for _ in range(times)],
            1,
        )
        yield Sample(many / few, {"long_bytes": len(long), "long_s": many, "short_s": few})


def measure_junk(program: Program, tiny: bool) -> Samples:
    """Measure checking a sound log with junk after it, which makes it wrong."""
    log = program.play_table(2).log
    junk = log + os.urandom(2**10 if tiny else JUNK_BYTES)
    while True:
        behind, clean = cpu_in_turn(partial(program.judge, junk), partial(program.judge, log), 1)
        yield Sample(behind / clean, {"with_junk_s": behind, "without_s": clean})


def measure_seats(program: Program, tiny: bool) -> Samples:
    """Measure two real games, of the most seats and of the fewest."""
    while True:
        many, few = (_cpu_of_entry(program, seats) for seats in (2 if tiny else MOST_SEATS, 2))
        parts = {"many_ms": many * 1000, "few_ms": few * 1000}
        yield Sample(many / few, parts)


def _cpu_of_entry(program: Program, seats: int) -> float:
    """Return the CPU seconds of one peer for one entry of the log, by any author."""
    with tempfile.TemporaryDirectory() as folder:
        spent, log = play_processes(program, Path(folder), seats)
    counted = program.count_statements(log)
    return sum(spent) / seats / (counted.openings + counted.others)


def measure_old_games(words: tuple[str, ...], program: Program, tiny: bool) -> Samples:
    files = program.unfinished_game()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        env = environment(program, home)
        old, games = home / "data" / "games", 2 if tiny else OLD_GAMES
        for number in range(games):
            for path, data in files.items():
                _write(home / "data" / _of_game(path, number), data)
        ours = partial(cpu_of_process, command(program, *words), home, env, codes=(0, 8))
        old.rename(home / "away")
        while True:
            none = ours()
            (home / "away").rename(old)
            many = ours()
            old.rename(home / "away")
            typer = cpu_of_process(IMPORT_TYPER, home, env)
            parts = {"none_s": none, "many_s": many, "import_typer_s": typer, "games": games}
            yield Sample((many - none) / games * 1000 / typer, parts)


def _of_game(path: Path, number: int) -> Path:
    """Return the path of the same file in another game, whose folder in `games` has its name."""
    games, game, *rest = path.parts
    if games != "games":
        return path
    return Path(games, f"{number:08x}{game[8:]}", *rest)


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


PER_GAME = "thousandths of import typer a game"
GROWTH_ROWS = (
    Row("growth.length", f"reading a log {TIMES_AS_LONG} times as long", "× the work per record",
        measure_length, 1.2),
    Row("growth.junk", "a log with 8 MiB of junk behind it", "× the work without", measure_junk,
        1.2),
    Row("growth.seats", f"a peer's CPU for an entry at {MOST_SEATS} seats", "× at two seats",
        measure_seats, 1.2, repetitions=3),
    Row("growth.list", f"resume --list with {OLD_GAMES:,} old games", PER_GAME,
        partial(measure_old_games, ("resume", "--list")), repetitions=3),
    Row("growth.bare", f"kotp2p with {OLD_GAMES:,} old games", PER_GAME,
        partial(measure_old_games, ()), repetitions=3),
)  # fmt: skip
