"""A person at a terminal: the real program behind a pseudo-terminal, line by line."""

import os
from pathlib import Path

import pexpect

from tests.support.command_line import without_coach
from tests.support.forked_terminal import spawn_program
from tests.support.paths import ROOT
from tests.support.settings import write_settings

PROMPT = r"\n> "
PROPOSED = "Enter does it.\n> "
UNREAD_SECONDS = 0.35
"""A proposal has stood there for longer than an Enter is too early."""


class Person:
    """Reads until the prompt and types."""

    def __init__(
        self, home: Path, *words: str, columns: int = 80, lan: str = "", coach: bool = False
    ) -> None:
        home.mkdir(parents=True, exist_ok=True)
        root = ROOT
        self.home = home
        self.child = spawn_program(
            words if coach else without_coach(words),
            home,
            {
                **os.environ, "KOTP2P_DATA": str(home / "data"), "PYTHONPATH": str(root),
                "KOTP2P_LAN_INTERFACES": lan, "KOTP2P_PLAIN": "1",
                "KOTP2P_CONFIG": write_settings(home, speed="instant"), "TERM": "xterm",
                "LOGNAME": home.name,
            },
            (24, columns),
            timeout=120,
        )  # fmt: skip
        self.said = ""

    def prompted(self) -> str | None:
        """What was said up to the next prompt; None when the program has ended."""
        found = self.child.expect([PROMPT, pexpect.EOF])
        text = (self.child.before or "").replace("\r", "").replace("\a", "")
        self.said += text + "\n> "
        return text if found == 0 else None

    def type(self, line: str) -> None:
        """Types a line. An Enter for what was proposed counts once that could be read."""
        if not line and self.said.endswith(PROPOSED):
            self.child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=UNREAD_SECONDS)
        self.said += line + "\n"
        self.child.sendline(line)

    def ended(self) -> int:
        self.child.close()
        assert self.child.exitstatus is not None, self.child.signalstatus
        return int(self.child.exitstatus)

    def log(self) -> Path:
        (log,) = (self.home / "data" / "logs").glob("*.kotlog")
        return log
