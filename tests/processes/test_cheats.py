"""A modified peer against unmodified processes: all name the same seat and the same reason,
keep a proof that convicts it, and play on without it to the end."""

import re
from pathlib import Path

import pytest

from kotp2p.game.verify import Result, examine_evidence, verify_log
from tests.support.processes import QUICK
from tests.support.program import Program

SENTENCES = {
    "illegal-move": r"^Mallory made an illegal move",
    "equivocation": r"^Mallory signed two things",
    "wrong-opening": r"^Mallory opened another number for dice or cards than was sealed",
    "copied-commitment": r"^Mallory copied what another player had sealed",
}
RUNS = [
    ("copied-commitment", "host", 3),
    ("illegal-move", "join", 3),
    ("wrong-opening", "join", 3),
    # Only here do the honest differ in what they have heard, so more of them try more.
    ("equivocation", "host", 5),
    ("equivocation", "join", 5),
]
"""The cheat, Mallory's role and the number of players."""
ACCUSATIONS = r"an illegal move|two things|than was sealed|another player had sealed|wrong share"


def table(tmp_path: Path, cheat: str, role: str, players: int) -> list[Program]:
    """Mallory with the cheat in her role, the others unmodified; gives the others."""
    honest: list[Program] = []

    def mallory(port: int) -> Program:
        home = tmp_path / "mallory"
        return Program(
            home, cheat, role, "--home", str(home), "--port", str(port),
            "--players", str(players), module="tests.support.cheaters",
        )  # fmt: skip

    if role == "host":
        cheater = mallory(0)
        port = int(cheater.wait_for(r"listens on (\d+)").group(1))
    else:
        first = Program(
            tmp_path / "h", "host", "--bot", QUICK, "--players", str(players),
            "--bind", "127.0.0.1", "--port", "0",
        )  # fmt: skip
        honest.append(first)
        port = first.port()
        cheater = mallory(port)
    while len(honest) < players - 1:
        home = tmp_path / f"h{len(honest)}"
        honest.append(Program(home, "join", f"127.0.0.1:{port}", "--bot", QUICK))
    for program in honest:
        program.code = program.wait()  # type: ignore[attr-defined]
    cheater.wait()
    return honest


@pytest.mark.parametrize(("cheat", "role", "players"), RUNS)
def test_all_name_the_cheat_alone(cheat: str, role: str, players: int, tmp_path: Path) -> None:
    for program in table(tmp_path, cheat, role, players):
        assert program.code == 0, "\n".join(program.lines[-20:])  # type: ignore[attr-defined]
        program.wait_for(SENTENCES[cheat])
        accusing = [line for line in program.lines if _accuses(line)]
        assert len(accusing) == 1
        (log,) = program.logs()
        assert verify_log(log.read_bytes()).result is Result.SOUND
        (file,) = log.parent.glob("*.kotproof")
        finding = examine_evidence(file.read_bytes())
        assert finding.cheat is not None, finding.reason
        assert finding.players[finding.cheat.seat].name == "Mallory"


def _accuses(line: str) -> bool:
    return re.search(ACCUSATIONS, line) is not None


def test_the_same_run_without_the_modification_passes(tmp_path: Path) -> None:
    for program in table(tmp_path, "honest", "join", 3):
        assert program.code == 0, "\n".join(program.lines[-20:])  # type: ignore[attr-defined]
        assert not any(_accuses(line) for line in program.lines)
        (log,) = program.logs()
        assert verify_log(log.read_bytes()).result is Result.SOUND
