"""A host to whom nobody comes reads once what may be in the way."""

import pytest
import trio
import trio.testing

from kotp2p.cli.text.how_to_join import describe_empty_lobby
from kotp2p.cli.ui.line_player import SAY_EMPTY_AFTER_SECONDS, LinePlayer
from kotp2p.seams.notices import LobbyChanged, LobbySeat, Notice, TableOpened
from tests.support.local_game import at_terminal, notes

pytestmark = pytest.mark.virtual_time

OPENED = TableOpened(("192.168.1.20",), 4243, False)
ANA = LobbySeat("Ana", "Gigazaur", b"a", False, True)
OTTO = LobbySeat("Otto", "Alienoid", b"o", True, False)
REX = LobbySeat("Rex", "The King", b"r", False, False)


async def told(front: LinePlayer, heard: list[Notice], later: list[Notice]) -> tuple[int, int]:
    """How often help was given just before the time, and long after it."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(front.watch_time)
        await trio.testing.wait_all_tasks_blocked()
        for notice in heard:
            front.show(notice)
        await trio.sleep(SAY_EMPTY_AFTER_SECONDS - 0.1)
        before = count(front)
        for notice in later:
            front.show(notice)
        await trio.sleep(10 * SAY_EMPTY_AFTER_SECONDS)
        nursery.cancel_scope.cancel()
    return before, count(front)


def count(front: LinePlayer) -> int:
    return sum("kotp2p doctor --peer 192.168.1.20:4243" in line for line in notes(front))


def lobby(*seats: LobbySeat | None) -> LobbyChanged:
    return LobbyChanged(seats, 0, "second")


@pytest.mark.parametrize(
    ("heard", "later", "helped"),
    [
        ([OPENED, lobby(ANA, OTTO, None)], [], 1),
        ([OPENED, lobby(ANA, None)], [lobby(ANA, REX), lobby(ANA, None)], 0),
        ([TableOpened(("127.0.0.1",), 4243, True), lobby(ANA, None)], [], 0),
    ],
)
async def test_help_comes_once_after_a_minute_unless_somebody_has_come_or_nobody_can(
    heard: list[Notice], later: list[Notice], helped: int
) -> None:
    assert await told(at_terminal(), heard, later) == (0, helped)


def test_the_port_is_named_which_a_firewall_must_allow() -> None:
    lines = describe_empty_lobby(OPENED, {})
    assert "TCP port 4243" in lines[0]
    assert lines[-1].endswith("kotp2p doctor --peer 192.168.1.20:4243")
    assert len(lines) == 3
