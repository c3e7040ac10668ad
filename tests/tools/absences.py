"""A process that stands still (SIGSTOP): for 5 s, for 60 s, and past the vote of the others.

`python -m tests.tools.absences`: a long run of about five minutes, as it waits for real clocks.
"""

from __future__ import annotations

import os
import signal
import tempfile
from pathlib import Path

from kotp2p.game.report import Result
from kotp2p.game.verify import verify_log
from kotp2p.wishes.clocks import VOTE_AFTER_SECONDS
from tests.support.processes import guest, host
from tests.support.program import Program


def stopped_for(folder: Path, seconds: float) -> list[Program]:
    """A table of three; the guest rex stands still for so long."""
    keeper = host(folder / "ana", 3, "--bind", "127.0.0.1", "--turn-time", "none")
    rex = guest(folder / "rex", "127.0.0.1", keeper.port())
    mia = guest(folder / "mia", "127.0.0.1", keeper.port())
    rex.wait_for("Table phrase")
    os.kill(rex.pid, signal.SIGSTOP)
    keeper.says_more(10_000, until="^Winner", within=seconds)
    os.kill(rex.pid, signal.SIGCONT)
    return [keeper, rex, mia]


def short(folder: Path, seconds: float) -> None:
    """Everybody is asked on as if nothing had been, and all logs are the same."""
    table = stopped_for(folder, seconds)
    assert [p.wait() for p in table] == [0, 0, 0], [p.lines[-20:] for p in table]
    assert not any("is out by the votes" in line for p in table for line in p.lines)
    if seconds > 35:
        table[0].wait_for("rex no longer answers. The game waits;")
        table[0].wait_for("rex is back.")
    _same_logs(table)


def past_the_vote(folder: Path) -> None:
    """The others have gone on without him, and have finished when he is back."""
    keeper, rex, mia = stopped_for(folder, 50 + VOTE_AFTER_SECONDS)
    assert [p.wait() for p in (keeper, mia)] == [0, 0], [p.lines[-20:] for p in (keeper, mia)]
    for program in (keeper, mia):
        program.wait_for(r"rex is out by the votes of ana \(bot\) and mia \(bot\)")
    _same_logs([keeper, mia])
    rex.kill()
    rex.wait()
    (log,) = rex.logs()
    assert verify_log(log.read_bytes()).result in (Result.UNFINISHED, Result.SOUND)


def _same_logs(table: list[Program]) -> None:
    reports = [verify_log(log.read_bytes()) for p in table for log in p.logs()]
    assert {r.result for r in reports} == {Result.SOUND}
    assert len({r.canonical for r in reports}) == 1


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for seconds in (5.0, 60.0):
            short(Path(folder) / f"{seconds}", seconds)
            print(f"stopped for {seconds:.0f} s: the game went on, nobody is out, logs the same")
        past_the_vote(Path(folder) / "vote")
        print("stopped past the vote: out by the votes of the others, who finish; logs the same")


if __name__ == "__main__":
    main()
