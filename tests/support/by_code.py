"""Programs that come to a table by its code."""

from pathlib import Path
from typing import Any

from tests.support.code_servers import CodeServers
from tests.support.processes import QUICK
from tests.support.program import Program

TOO_LATE = "Nobody answers at|You were introduced|introduces you does not answer"


def code_of(keeper: Program) -> str:
    return keeper.wait_for(r"^kotp2p join (\d{4}-[a-z]+-[a-z]+)$").group(1)


def joined(
    home: Path, code: str, servers: CodeServers, *words: str, bot: str = QUICK, **how: object
) -> Program:
    return Program(
        home, "join", code, "--bot", bot, *words,
        settings=servers.settings, **how,  # type: ignore[arg-type]
    )  # fmt: skip


def seated(home: Path, code: str, servers: CodeServers, **how: Any) -> Program:
    """A guest who has come to the table.

    On a busy machine a server, or the host at the relay, may answer late. The guest is told to try
    again, and does.
    """
    for _ in range(3):
        guest = joined(home, code, servers, **how)
        if "You are" in guest.wait_for(f"You are |{TOO_LATE}")[0]:
            return guest
        assert guest.wait() == 3
    raise AssertionError(f"{home.name} came to no table")


def watching(home: Path, code: str, servers: CodeServers, **how: object) -> Program:
    return Program(
        home, "watch", code, "--plain", settings=servers.settings,
        **how,  # type: ignore[arg-type]
    )  # fmt: skip
