"""A table in memory at which a process ends at once and comes back from its files.

Scope: when the others know of it and when the line-up with it begins, in virtual time, and what the
cores work meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from time import process_time
from typing import Any

import trio

from bench.adapters.in_memory import DELAY, run_table
from bench.program import Change
from kotp2p.game.steps import Moved
from kotp2p.peer.peer import Peer
from kotp2p.referee.model.answers import Seat
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.frames import Frame
from tests.support.memory_tables import TestTable

ABSENT = 1
ABSENT_SECONDS = 3.0
ANSWERS_BEFORE = 6


@dataclass(slots=True)
class Course:
    work: float = 0.0
    """CPU seconds of all cores."""
    knew: dict[Seat, float] = field(default_factory=dict)
    """When each of the others has heard of the return; of itself, when it has waited long enough
    for what its former process may have signed."""
    begun: dict[Seat, float] = field(default_factory=dict)
    work_before: float = 0.0
    work_after: float = 0.0

    def note_knowledge(self, seat: Seat, now: float) -> None:
        if seat not in self.knew:
            self.knew[seat], self.work_before = now, self.work


def _timed_peer(course: Course) -> type[Peer]:
    class TimedPeer(Peer):
        def receive_frame(self, source: Seat, frame: Frame, now: float) -> None:
            is_here = isinstance(frame, Signed) and frame.kind is BodyKind.HERE
            if is_here and self.resumed is None:  # it may hear its own word again
                course.note_knowledge(self.seat, now)
            began = process_time()
            super().receive_frame(source, frame, now)
            course.work += process_time() - began

        def tick(self, now: float) -> None:
            began = process_time()
            super().tick(now)
            course.work += process_time() - began
            if self.resumed is not None and self.returning.may_sign(now):
                course.note_knowledge(self.seat, now)

        def _report(self, moved: Moved) -> None:
            super()._report(moved)
            if moved.begun:
                course.begun[self.seat] = self.gossip.budgets.now
                course.work_after = course.work

    return TimedPeer


def play_change(seats: int, seed: str) -> tuple[Course, bytes]:
    """Return the course of the change, and the log of the host."""
    course = Course()
    made: dict[int, Any] = dict.fromkeys(range(seats), _timed_peer(course))
    table = TestTable(players=seats, delay=DELAY, seed=seed, make_peer=made)

    async def return_later() -> None:
        await table.asked(0, ANSWERS_BEFORE)
        table.kill(ABSENT)
        await trio.sleep(ABSENT_SECONDS)
        await table.resume(ABSENT)

    async def play() -> None:
        await table.run(return_later)

    run_table(play)
    log = table.world_of(0).disk.read(table.log_path(0))
    assert log is not None, "the host has written its log"
    return course, log


def change_of(course: Course, rolls: float) -> Change:
    during = course.work_after - course.work_before
    delays = (max(course.begun.values()) - max(course.knew.values())) / DELAY
    return Change(delays, during / ((course.work - during) / rolls))
