"""What the rows need of a version of the program, besides its command line.

Scope: the seam between the rows and the adapters (`bench.adapters`). An adapter is the only module
of the benchmark that knows where things are in a version.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

Check = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """A game of whole peers on a network in memory, with bots of the level `easy`."""

    delays: tuple[float, ...]
    """Of each reroll, from the answer of a seat to the dice on its screen, in one-way delays."""
    turns: int
    log: bytes
    sent_bytes: int
    """Over all links together."""
    longest_pause: float
    """CPU seconds of the longest step of a task, in which no other task could run."""


@dataclass(frozen=True, slots=True)
class Statements:
    """The signed entries of a log."""

    openings: int
    others: int


@dataclass(frozen=True, slots=True)
class Change:
    """A change of line-up, at which a process that had ended plays again."""

    delays: float
    """From when the last keeper knows of it to when the last one has begun, in one-way delays."""
    rolls: float
    """The CPU of all cores meanwhile, in that of a roll."""


@dataclass(frozen=True, slots=True)
class LongGame:
    """An unfinished game of very many turns."""

    own: Callable[[], float]
    """Returns the CPU seconds in which a process has the game again from its log."""
    fetched: Callable[[], float]
    """Returns the same without its files, with the work of the process that sends the log."""
    entries: int


@dataclass(frozen=True, slots=True)
class FarGame:
    """A game of two homes: real processes, and one way between them that counts and delays."""

    seated_after: float
    """Seconds from the start of the host's process to the guest's seat."""
    rolls: tuple[float, ...]
    """Seconds of each roll of the guest, from its answer to the dice."""
    carried: int
    """Bytes that passed the way, from the first to the last."""
    log: bytes


class Replay(Protocol):
    """A log that was read once, and positions in it."""

    @property
    def last(self) -> int:
        """Return the last height."""

    def go_to(self, height: int) -> object:
        """Return the position at a height."""


@dataclass(frozen=True, slots=True)
class Referee:
    """The names of the referee that random play needs.

    They are those of a version that may differ from that of the benchmark, so they have no types
    here.
    """

    new_game: Callable[[], Any]
    """Four seats, rule set second."""
    chance: Any
    look: Any
    over: Any
    roll_decision: Any
    order_decision: Any
    answered: Any
    drawn: Any
    looked: Any
    order: Any
    reroll: Any
    legal_answers: Callable[[Any], Sequence[Any]]


class Program(Protocol):
    """A version of the program. What it does not have raises Missing."""

    @property
    def tree(self) -> Path: ...

    def play_table(
        self, seats: int, *, is_dialable: bool = True, rules: str = "second", seed: str = "a"
    ) -> PlayedTable: ...

    def change_line_up(self, seats: int, seed: str) -> Change: ...

    def long_game(self, turns: int) -> LongGame: ...

    def play_far(self, folder: Path, *, relayed: bool, seconds: float) -> FarGame:
        """Play between two homes, with a way of that many seconds from each to the relay.

        Without a relay that way leads to the other home.
        """

    def idle_far(self, folder: Path, seconds: float) -> int:
        """Return the bytes that pass the way to a relay while a guest sits in a lobby."""

    def unfinished_game(self) -> dict[Path, bytes]:
        """Return the files of an unfinished game, by their paths in the data folder."""

    def begin_process(self) -> None:
        """Do what a process of this version does to Python before it works."""

    def judge(self, log: bytes) -> object:
        """Return the verdict on a log, whatever it is."""

    def verify(self, log: bytes) -> object:
        """Return the verdict on a log; fail unless the log is right."""

    def verify_fast(self, log: bytes) -> object: ...

    def signature_checks(self, log: bytes) -> list[Check]:
        """Return the check of each entry in the log, ready to be called."""

    def signature(self) -> Callable[[], object]:
        """Return a function that makes one signature."""

    def count_statements(self, log: bytes) -> Statements: ...

    def read_records(self, log: bytes) -> int:
        """Read the records without judging them, and return their number."""

    def repeat_records(self, log: bytes, times: int) -> bytes:
        """Return the records repeated `times` times, each with a good checksum."""

    def replay(self, log: bytes) -> Replay: ...

    def referee(self) -> Referee: ...

    def simulate(self, seed: int) -> None:
        """Run one game of the simulation with cheats."""
