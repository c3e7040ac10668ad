"""A table for bots alone: it begins, or it ends with the reason."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
import trio
import trio.testing

from kotp2p.bots import make_bot
from kotp2p.bots.tempers import BOTS
from kotp2p.endings import Ending, EndKind
from kotp2p.shell.bot_runner import BOTS_FINISH_SECONDS
from kotp2p.shell.run import SOLO_START_SECONDS, HostOptions, SeatWish, solo
from kotp2p.world import CannotReach, Connection, NotTls
from tests.support.memory_tables import Recorder
from tests.support.memory_world import MemoryHost, MemoryNet, world


@dataclass
class Loopback(MemoryHost):
    """A machine whose own processes cannot reach each other in some way."""

    trouble: str = ""

    async def dial(self, address: str, port: int) -> Connection:
        if self.trouble == "blocked":
            await trio.sleep(1)
            raise CannotReach("no-answer", f"{address}: Operation not permitted")
        return await super().dial(address, port)


class NobodyIsLetIn:
    async def wrap(
        self, connection: Connection, secret: bytes, dialled: bool, name: str = ""
    ) -> Connection:
        await trio.lowlevel.checkpoint()
        raise NotTls("certificate verify failed")


class NobodyAnswers:
    async def wrap(
        self, connection: Connection, secret: bytes, dialled: bool, name: str = ""
    ) -> Connection:
        await trio.sleep_forever()
        raise AssertionError("it sleeps for ever")


async def play_solo(here: MemoryHost, security: NobodyIsLetIn | NobodyAnswers | None) -> Ending:
    machine = replace(world(here.net, here.address, "solo"), net=here, security=security)
    with trio.fail_after(600):
        return await solo(machine, SeatWish("Ana"), HostOptions(bots=2), Recorder("Ana"), make_bot)


async def test_a_table_with_bots_alone_is_played_to_its_end(
    autojump_clock: trio.testing.MockClock,
) -> None:
    ending = await play_solo(Loopback(MemoryNet(), "10.0.0.1"), None)
    assert ending.kind is EndKind.FINISHED
    assert ending.view is not None
    names = {player.name for player in ending.view.players if player.bot}
    assert names == set(list(BOTS)[:2])


async def test_bots_that_cannot_reach_their_own_table_end_it_at_once(
    autojump_clock: trio.testing.MockClock,
) -> None:
    began = trio.current_time()
    ending = await play_solo(Loopback(MemoryNet(), "10.0.0.1", "blocked"), None)
    assert ending.kind is EndKind.BOTS_MISSING
    assert ending.detail == "127.0.0.1: Operation not permitted"
    assert trio.current_time() == began + 1


@pytest.mark.parametrize("security", [NobodyIsLetIn(), NobodyAnswers()])
async def test_bots_that_are_not_let_in_at_their_own_table_end_it(
    security: NobodyIsLetIn | NobodyAnswers, autojump_clock: trio.testing.MockClock
) -> None:
    ending = await play_solo(Loopback(MemoryNet(), "10.0.0.1"), security)
    assert ending.kind is EndKind.BOTS_MISSING
    assert ending.detail


async def test_bots_that_never_come_end_the_table_in_time(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """The system takes the packets to loopback, and loses them."""

    class Waits(Loopback):
        async def dial(self, address: str, port: int) -> Connection:
            await trio.sleep_forever()
            raise AssertionError("it sleeps for ever")

    began = trio.current_time()
    ending = await play_solo(Waits(MemoryNet(), "10.0.0.1"), None)
    assert ending == Ending(EndKind.BOTS_MISSING)
    assert trio.current_time() - began == SOLO_START_SECONDS + BOTS_FINISH_SECONDS
