"""One-way delays per roll, and bytes per turn: `python -m bench.rolls`.

Whole peers on a simulated network whose every hop takes `DELAY` virtual seconds. A roll is
counted from the roller's answer to the dice on the roller's own screen; two delays are the
optimum (docs/PROTOCOL.md 7.1). Bytes are those of all links together.
"""

from __future__ import annotations

import statistics

import trio
import trio.testing

from kotp2p.front import Leave
from kotp2p.notices import Happened, Notice
from kotp2p.seat_view import SeatView
from referee.model.answers import Answer, Reroll
from referee.model.decisions import Decision
from referee.model.events import DiceRolled
from tests.support.memory_tables import Recorder, TestTable

DELAY = 0.05


class Watch(Recorder):
    """Notes how long each reroll takes."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.asked_at: float | None = None
        self.delays: list[float] = []

    async def decide(self, view: SeatView, decision: Decision) -> Answer | Leave:
        answer = await super().decide(view, decision)
        if isinstance(answer, Reroll):
            self.asked_at = trio.current_time()
        return answer

    def show(self, notice: Notice) -> None:
        super().show(notice)
        if isinstance(notice, Happened) and self.asked_at is not None:
            rolled = [e for e in notice.events if isinstance(e, DiceRolled)]
            if rolled and rolled[0].seat == notice.view.seat:
                self.delays.append((trio.current_time() - self.asked_at) / DELAY)
                self.asked_at = None


def measure(players: int, dialable: bool) -> str:
    table = TestTable(players=players, delay=DELAY)
    table.fronts = {n: Watch(f"player {n}") for n in range(players)}
    if not dialable:
        table.net.undialable |= {f"10.0.0.{n + 1}" for n in range(1, players)}
    trio.run(table.run, clock=trio.testing.MockClock(autojump_threshold=0))
    delays = [d for front in table.fronts.values() for d in front.delays]  # type: ignore[attr-defined]
    turns = table.endings[0].turns
    log = table.endings[0].log
    assert log is not None
    size = len(table.world_of(0).disk.read(log) or b"")
    return (
        f"{players} seats, {'mesh' if dialable else 'all through the host'}: "
        f"{len(delays)} rerolls, median {statistics.median(delays):.2f}, "
        f"worst {max(delays):.2f} delays; {turns} turns, "
        f"{table.net.bytes_sent // turns} bytes on the wire and {size // turns} in the log a turn"
    )


def main() -> None:
    for players in (2, 4, 6):
        print(measure(players, dialable=True))
    print(measure(4, dialable=False))


if __name__ == "__main__":
    main()
