"""A person before the drawn table: the real program on a terminal, seen through pyte."""

import os
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pexpect
import pyte

from tests.support import command_line, forked_terminal, paths, program, settings

PATIENCE = 60.0
"""Seconds for anything to be drawn on a slow machine; a test that needs them has failed."""


BROKEN = """
import kotp2p.cli.ui.line_player
async def decide(self, view, decision):
    raise RuntimeError("on purpose")
kotp2p.cli.ui.line_player.LinePlayer.decide = decide
from kotp2p.cli.main import run; run()
"""


class Window:
    def __init__(
        self,
        home: Path,
        *words: str,
        columns: int = 80,
        rows: int = 24,
        environment: dict[str, str] | None = None,
        broken: bool = False,
        symbols: str = "ascii",
    ) -> None:
        """`broken`: the program has an error that shows once the table is drawn. `symbols`: as in
        the settings; empty: not set."""
        home.mkdir(parents=True, exist_ok=True)
        root = paths.ROOT
        self.home = home
        self.raw = ""
        self.glass = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self.glass)
        env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLORTERM")}
        self.child = forked_terminal.spawn_program(
            command_line.without_coach(words),
            home,
            {
                **env, "KOTP2P_DATA": str(home / "data"), "PYTHONPATH": str(root),
                "KOTP2P_LAN_INTERFACES": "", "KOTP2P_PLAIN": "",
                "KOTP2P_CONFIG": settings.write_settings(home, symbols=symbols, speed="instant"),
                "TERM": "xterm-256color", "LOGNAME": home.name, "LC_ALL": "C.UTF-8",
                **(environment or {}),
            },
            (rows, columns),
            PATIENCE,
            BROKEN if broken else program.RUN,
        )  # fmt: skip
        self.settings = termios.tcgetattr(self.child.child_fd)

    @property
    def rows(self) -> list[str]:
        return [row.rstrip() for row in self.glass.display]

    @property
    def text(self) -> str:
        return "\n".join(self.rows)

    def until(self, true: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + PATIENCE
        while not true():
            assert time.monotonic() < end, f"{what} never came:\n{self.text}"
            if not self._read():
                assert true(), f"{what} never came, and the program has ended:\n{self.text}"

    def _read(self) -> bool:
        """Some more of what is drawn; False at the end of it."""
        try:
            data = self.child.read_nonblocking(4096, timeout=0.1)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.raw += data
        self._stream.feed(data)
        return True

    def insist(self, keys: str, done: Callable[[], bool]) -> None:
        """Presses until it counts: a question that has just come takes no key."""
        pressed = 0.0

        def pressing() -> bool:
            nonlocal pressed
            if done():
                return True
            if time.monotonic() - pressed > 0.5:
                pressed = time.monotonic()
                self.press(keys)
            return False

        self.until(pressing, "what comes of it")

    def is_over(self) -> bool:
        return "\x1b[?1049l" in self.raw

    def see(self, *texts: str) -> list[str]:
        self.until(lambda: all(text in self.text for text in texts), str(texts))
        return self.rows

    def press(self, keys: str) -> None:
        self.child.send(keys)

    def ended(self) -> int:
        end = time.monotonic() + PATIENCE
        while self._read():
            assert time.monotonic() < end, f"hangs:\n{self.text}"
        self.child.close()
        if self.child.exitstatus is not None:
            return int(self.child.exitstatus)
        assert self.child.signalstatus is not None
        return 128 + int(self.child.signalstatus)

    @property
    def restored(self) -> bool:
        """The main screen is back, with its cursor, and no mode of the terminal stays on."""
        modes = ("1049", "2004", "1004")
        off = all(self.raw.rfind(f"\x1b[?{n}l") > self.raw.rfind(f"\x1b[?{n}h") for n in modes)
        return off and self.raw.rfind("\x1b[?25h") > self.raw.rfind("\x1b[?25l")

    def log(self) -> Path:
        (log,) = (self.home / "data" / "logs").glob("*.kotlog")
        return log
