"""Tables of separate processes that are killed again and again, at any moment.

`python -m tests.tools.siege --kills 300` is the long run; the suite runs twelve. A player who is
killed (-9) types `kotp2p resume`; the game goes on to its end, every log is right, nobody is
accused.
"""

import os
import signal
import tempfile
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from kotp2p.game.verify import Result, verify_log
from tests.support.processes import QUICK, guest, host, resumed
from tests.support.program import Program
from tests.support.tool_line import tool_parser

NAMES = ("ana", "rex", "mia")
STOPPED = 1.0
"""Seconds for which a process stands still."""
OVER = "^Winner|no unfinished game"
LEFT_BEHIND = 20.0
"""Seconds that somebody may need to end after the first one has; who is silent for as long in the
game may be left behind already, and is killed no more."""
ACCUSED = ("against the rules", "two different", "other chance than", "differ in", "signed what")


@dataclass
class Siege:
    """One table after the other until there have been `kills`."""

    folder: Path
    kills: int
    seed: int = 0
    done: int = 0
    tables: int = 0
    stopped: int = 0
    """How often a process was stopped for a while instead (SIGSTOP)."""
    left_behind: int = 0
    """Who was killed while the others finished, and came back to an empty table."""
    all_dead: int = 0
    _chance: Random = field(init=False)

    def __post_init__(self) -> None:
        self._chance = Random(self.seed)

    def run(self) -> None:
        while self.done < self.kills:
            self.tables += 1
            self._play(self.folder / f"table-{self.tables}")

    def _play(self, folder: Path) -> None:
        homes = [folder / name for name in NAMES]
        table = [host(homes[0], 3, "--bind", "127.0.0.1", bot=QUICK)]
        port = table[0].port()
        table += [guest(home, "127.0.0.1", port, bot=QUICK) for home in homes[1:]]
        for program in table:
            program.wait_for("Table phrase")
        while self.done < self.kills:
            victims = self._victims()
            first = table[victims[0]]
            more = self._chance.randint(0, 12)
            if not first.says_more(more, until=OVER, within=LEFT_BEHIND):
                break
            if self._chance.random() < 0.15:
                self._stop(first, table)
                continue
            self._kill(table, homes, victims)
        self._judge(table)

    def _victims(self) -> list[int]:
        """Mostly one; sometimes two at once, or all."""
        count = self._chance.choice((1, 1, 1, 1, 2, 3))
        self.all_dead += count == 3
        return self._chance.sample(range(3), count)

    def _kill(self, table: list[Program], homes: list[Path], victims: list[int]) -> None:
        for n in victims:
            table[n].kill()
            self.done += 1
        for n in victims:
            table[n].wait()
            table[n] = resumed(homes[n], bot=QUICK)
        for n in victims:
            table[n].wait_for("You are back at the table|no unfinished game")

    def _stop(self, program: Program, table: list[Program]) -> None:
        """It stands still until the others have nothing more to say without it."""
        self.stopped += 1
        os.kill(program.pid, signal.SIGSTOP)
        for other in table:
            if other is not program:
                other.says_more(1000, until=OVER, within=STOPPED)
        os.kill(program.pid, signal.SIGCONT)

    def _judge(self, table: list[Program]) -> None:
        """All end well; who was dead while the others finished may be left behind."""
        with ThreadPoolExecutor() as pool:
            ends = [pool.submit(p.wait_for, OVER) for p in table]
            wait(ends, return_when=FIRST_COMPLETED)
            wait(ends, timeout=LEFT_BEHIND)
            for program, end in zip(table, ends, strict=True):
                if not end.done():
                    program.kill()
                    self.left_behind += 1
            codes = [program.wait() for program in table]
        assert set(codes) <= {0, 8, -signal.SIGKILL}, [p.lines[-9:] for p in table]
        for program in table:
            assert not [line for line in program.lines if any(a in line for a in ACCUSED)]
        reports = [verify_log(log.read_bytes()) for p in table for log in p.logs()]
        results = {r.result for r in reports}
        assert Result.SOUND in results, [p.lines[-9:] for p in table]
        assert results <= {Result.SOUND, Result.UNFINISHED}
        games = sorted((r.bodies for r in reports if r.result is Result.SOUND), key=len)
        for bodies in games:  # who was killed at the end may lack what others say of it
            assert bodies == games[-1][: len(bodies)]


def main() -> None:
    parser = tool_parser("tests.tools.siege", __doc__)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        siege = Siege(Path(folder), wanted.kills, wanted.seed)
        siege.run()
    print(
        f"{siege.done} kills at {siege.tables} tables (all three dead {siege.all_dead} times), "
        f"{siege.stopped} stops; {siege.left_behind} came back after the end; all logs right"
    )


if __name__ == "__main__":
    main()
