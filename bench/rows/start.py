"""How much CPU a command takes that plays nothing, against `import typer`.

Scope: whole processes, from the start of the interpreter to their end.
"""

from __future__ import annotations

import os
import sys
import tempfile
import tomllib
from functools import partial
from pathlib import Path

from bench.clock import cpu_of, cpu_of_process, sum_in_turn
from bench.program import Program
from bench.row import Row, Sample, Samples

IMPORT_TYPER = (sys.executable, "-c", "import typer")
UNIT = "× import typer"
PROCESSES = 3
"""Of each kind in a repetition."""


def command(program: Program, *words: str) -> tuple[str, ...]:
    """Return the command that starts the program as its installation would."""
    project = tomllib.loads((program.tree / "pyproject.toml").read_text())["project"]
    module, function = project["scripts"]["kotp2p"].split(":")
    return (sys.executable, "-c", f"from {module} import {function}; {function}()", *words)


def environment(program: Program, home: Path) -> dict[str, str]:
    """Return the environment of a process that has no data and no settings yet.

    It keeps compiled modules, as an installation has them.
    """
    inherited = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {
        **inherited, "PYTHONPATH": str(program.tree), "KOTP2P_DATA": str(home / "data"),
        "XDG_CONFIG_HOME": str(home / "config"), "HOME": str(home), "COLUMNS": "80",
    }  # fmt: skip


def measure_command(words: tuple[str, ...], program: Program, tiny: bool) -> Samples:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        env = environment(program, home)
        ours = partial(cpu_of_process, command(program, *words), home, env)
        typer = partial(cpu_of_process, IMPORT_TYPER, home, env)
        if not tiny:
            ours(), typer()  # the first one of each compiles its modules
        while True:
            worked, imported = sum_in_turn(ours, typer, 1 if tiny else PROCESSES)
            yield Sample(worked / imported, {"command_s": worked, "import_typer_s": imported})


def measure_verify(program: Program, tiny: bool) -> Samples:
    """Measure a short game of two seats, less the checks of its signatures."""
    log = program.play_table(2).log
    checks = program.signature_checks(log)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "log.kotlog").write_bytes(log)
        env = environment(program, home)
        ours = partial(cpu_of_process, command(program, "verify", "log.kotlog"), home, env)
        typer = partial(cpu_of_process, IMPORT_TYPER, home, env)
        if not tiny:
            ours(), typer()  # as above
        while True:
            times = 1 if tiny else PROCESSES
            worked, imported = sum_in_turn(ours, typer, times)
            checked = cpu_of(lambda: [check() for check in checks]) * times
            yield Sample(
                (worked - checked) / imported,
                {"command_s": worked, "import_typer_s": imported, "signatures_s": checked},
            )


def _row(name: str, words: tuple[str, ...], target: float) -> Row:
    what = f"kotp2p {' '.join(words)}".strip()
    return Row(f"start.{name}", what, UNIT, partial(measure_command, words), target)


START_ROWS = (
    _row("help", ("-h",), 1.10),
    _row("version", ("--version",), 1.09),
    _row("cards", ("cards", "wings"), 1.28),
    _row("rules", ("rules", "tokyo"), 1.50),
    _row("config", ("config",), 1.35),
    _row("bare", (), 1.11),
    Row("start.verify", "kotp2p verify LOG of a game of two, less its signature checks", UNIT,
        measure_verify, 3.1, aim=2.5),
)  # fmt: skip
