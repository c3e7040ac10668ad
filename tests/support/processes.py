"""Tables of separate processes: host, join, resume, and wait for the end."""

import re
from pathlib import Path

from kotp2p.game.verify import Report, Result, verify_log
from tests.support.program import Program

QUICK = "easy"
"""The bots of a game that nothing happens to: most of a program's work is what other bots think.
Where a test acts in the middle of a game, bots that think leave it the time."""


def finished(programs: list[Program]) -> list[Report]:
    """All have ended well, and their logs are sound and the same."""
    try:
        codes = [p.wait() for p in programs]
    except AssertionError as hanging:
        raise AssertionError(f"{hanging}\n\n{_last_lines(programs)}") from None
    finally:
        for p in programs:
            p.kill()
    assert codes == [0] * len(programs), _last_lines(programs)
    reports = []
    for p in programs:
        (log,) = p.logs()
        assert p.out[-1].endswith(str(log))
        reports.append(verify_log(log.read_bytes()))
    assert {r.result for r in reports} == {Result.SOUND}, [r.reason for r in reports]
    assert len({r.canonical for r in reports}) == 1
    assert len({r.game for r in reports}) == 1
    for p, r in zip(programs, reports, strict=True):
        assert r.phrase.replace(" ", "-") in p.logs()[0].name
    return reports


def _last_lines(programs: list[Program]) -> str:
    return "\n\n".join("\n".join([f"{p.home.name}:", *p.lines[-20:]]) for p in programs)


def host(home: Path, players: int, *words: str, bot: str = "normal", **how: object) -> Program:
    return Program(
        home, "host", "--bot", bot, "--players", str(players), "--port", "0", *words,
        **how,  # type: ignore[arg-type]
    )  # fmt: skip


def guest(
    home: Path, address: str, port: int, *words: str, bot: str = "normal", **how: object
) -> Program:
    target = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
    return Program(home, "join", target, "--bot", bot, *words, **how)  # type: ignore[arg-type]


def resumed(home: Path, *words: str, bot: str = "normal", **how: object) -> Program:
    return Program(home, "resume", "--bot", bot, *words, **how)  # type: ignore[arg-type]


def three(tmp_path: Path) -> tuple[list[Path], list[Program], int]:
    """Their homes, their processes in the middle of a game, the port of the table."""
    homes = [tmp_path / name for name in ("ana", "rex", "mia")]
    table = [host(homes[0], 3, "--bind", "127.0.0.1")]
    port = table[0].port()
    table += [guest(home, "127.0.0.1", port) for home in homes[1:]]
    table[2].wait_for("^Turn 4,")
    return homes, table, port


def join(tmp_path: Path, address: str, port: int) -> tuple[int, str]:
    program = guest(tmp_path / "rex", address, port)
    return program.wait(), " ".join(program.err)


def port_of(link: str) -> int:
    found = re.search(r":(\d+)/", link)
    assert found is not None
    return int(found.group(1))
