"""How fast the program starts: `python -m bench.start [ROUNDS]`.

`kotp2p --help` against `python -c "import typer"`, run in turn, the quickest of each; the
help of a program should cost little more than its command-line library.
"""

from __future__ import annotations

import subprocess
import sys
from time import perf_counter

COMMANDS = {
    "kotp2p --help": [sys.executable, "-c", "from cli.main import run; run()", "--help"],
    "import typer": [sys.executable, "-c", "import typer"],
    "python -c pass": [sys.executable, "-c", "pass"],
}


def quickest(rounds: int) -> dict[str, float]:
    best = dict.fromkeys(COMMANDS, float("inf"))
    for _ in range(rounds):
        for name, command in COMMANDS.items():
            began = perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            best[name] = min(best[name], perf_counter() - began)
    return best


def main(rounds: int) -> None:
    best = quickest(rounds)
    for name, seconds in best.items():
        print(f"{name:16} {seconds * 1000:6.0f} ms")
    ratio = best["kotp2p --help"] / best["import typer"]
    print(f"kotp2p --help takes {ratio:.2f} times as long as importing typer")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
