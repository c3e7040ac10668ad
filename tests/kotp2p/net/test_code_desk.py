"""Where a table is asked for by its code, while connections to the mailbox die."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
import trio

from kotp2p.net.code_desk import (
    MAX_PAUSE_SECONDS,
    TEST_ANSWER_SECONDS,
    TEST_SECONDS,
    CodeDesk,
    HostPlace,
)
from kotp2p.rendezvous.words import Code
from kotp2p.seams.notices import CodeStep
from tests.support.memory_mailbox import MemoryMailboxes
from tests.support.memory_world import seeded

pytestmark = pytest.mark.virtual_time

CODE = Code(7412, 3, 5)
SOON = TEST_SECONDS + 3 * TEST_ANSWER_SECONDS


@dataclass
class OpenDesk:
    mailboxes: MemoryMailboxes = field(default_factory=MemoryMailboxes)
    told: list[tuple[CodeStep, Code]] = field(default_factory=list)


@asynccontextmanager
async def open_desk() -> AsyncIterator[OpenDesk]:
    """A desk that has been found to work."""
    found = OpenDesk()
    place = HostPlace(b"secret", bytes(10), lambda: ("127.0.0.1",), lambda: 4242)
    desk = CodeDesk(
        found.mailboxes, seeded("desk"), place, lambda _: None,
        lambda step, code: found.told.append((step, code)), CODE,
    )  # fmt: skip
    async with trio.open_nursery() as nursery:
        nursery.start_soon(desk.run)
        await trio.sleep(1)
        assert found.told == [(CodeStep.OPEN, CODE)]
        yield found
        nursery.cancel_scope.cancel()


async def test_a_connection_that_died_without_a_word_is_made_anew_and_costs_no_number() -> None:
    async with open_desk() as found:
        for _ in range(3):
            found.mailboxes.cut_silently()
            await trio.sleep(SOON)
        assert found.told == [(CodeStep.OPEN, CODE)]


@pytest.mark.parametrize("trouble", ["deaf", "refused"])
async def test_a_number_at_which_nobody_is_heard_is_given_up_and_the_words_stay(
    trouble: str,
) -> None:
    async with open_desk() as found:
        getattr(found.mailboxes, trouble).add(CODE.number)
        await trio.sleep(SOON)
        (_, (step, code)) = found.told
        assert step is CodeStep.MOVED
        assert code.number != CODE.number
        assert (code.first, code.second) == (CODE.first, CODE.second)


async def test_a_connection_that_ends_after_more_than_a_minute_is_no_news(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with open_desk() as found:
        await trio.sleep(MAX_PAUSE_SECONDS)
        found.mailboxes.cut()
        await trio.sleep(SOON)
        assert found.told == [(CodeStep.OPEN, CODE)]


async def test_a_connection_that_ends_within_a_minute_is_reported_until_the_next_one_serves(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with open_desk() as found:
        await trio.sleep(MAX_PAUSE_SECONDS - 2)
        found.mailboxes.cut()
        await trio.sleep(SOON)
        assert [step for step, _code in found.told[1:]] == [CodeStep.NO_MAILBOX, CodeStep.OPEN]


async def test_a_number_that_strangers_flood_is_given_up_and_the_words_stay(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with open_desk() as found:
        found.mailboxes.flooded.add(CODE.number)
        await trio.sleep(SOON)
        (_, (step, code)) = found.told
        assert step is CodeStep.MOVED
        assert code.number != CODE.number
        assert (code.first, code.second) == (CODE.first, CODE.second)
