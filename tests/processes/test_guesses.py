"""Strangers at a real mailbox, who guess words or disturb it, while a friend comes."""

import contextlib
import os
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import trio

from kotp2p.net import code_desk
from kotp2p.net.code_desk import CodeDesk, HostPlace
from kotp2p.net.machine import MachineNet
from kotp2p.net.rendezvous import MachineRendezvous, MailboxLink, mailbox_link
from kotp2p.rendezvous import desks
from kotp2p.rendezvous.desks import GUEST_SIDE, HOST_SIDE, Answer, GuestDesk
from kotp2p.rendezvous.exchange import HostExchange, Introduction
from kotp2p.rendezvous.mailbox import Message
from kotp2p.rendezvous.servers import Servers
from kotp2p.rendezvous.words import Code
from kotp2p.seams.notices import CodeStep
from kotp2p.seams.world import MailboxTrouble, World
from kotp2p.shell import find_host
from kotp2p.shell.find_host import NotSeated, ask_at_mailbox, find_by_code
from tests.support.code_servers import CodeServers, code_servers, needs_servers
from tests.support.memory_mailbox import accept_nobody
from tests.support.memory_tables import Recorder
from tests.support.program import PATIENCE
from tests.support.websockets import sweep_websockets

# A link that is cancelled while it opens leaves its socket to the garbage collector, which may come
# at any time: trio-websocket closes it in no `finally`.
pytestmark = [needs_servers, pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")]

CODE = Code(7412, 3, 5)
SECRET = b"of the table"
STRANGERS = 30
PACE = 0.5
"""Seconds between two guesses that are heard; 30 in earnest."""


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[CodeServers]:
    with code_servers(tmp_path / "servers") as found:
        yield found
    sweep_websockets()


def world_with(url: str) -> World:
    net = MachineRendezvous(Servers(url, ""), MachineNet(), os.urandom)
    found = SimpleNamespace(rendezvous=net, entropy=os.urandom, program=("", "1"), lan=None)
    return cast(World, found)


def desk_in(
    world: World, tell: Callable[[CodeStep, Code], None], *, is_shared: bool = False
) -> CodeDesk:
    assert world.rendezvous is not None
    place = HostPlace(SECRET, bytes(10), lambda: ("127.0.0.1",), lambda: 4242)
    return CodeDesk(
        world.rendezvous, os.urandom, place, accept_nobody, tell, CODE, is_shared=is_shared
    )


async def guess(url: str, code: Code) -> Introduction | None:
    """One guest, until it is introduced; None: somebody says that its words are wrong."""
    desk = GuestDesk(code, os.urandom)
    async with mailbox_link(url, GUEST_SIDE, code.number) as link:
        opening = desk.open()
        await link.add(opening.phase, opening.body)
        while not desk.is_refused:
            heard = await link.hear()
            found = desk.hear(heard, "") if isinstance(heard, Message) else None
            if isinstance(found, Introduction):
                return found
            if isinstance(found, Answer):
                await link.add(found.phase, found.body)
    return None


async def guess_wrong(url: str) -> None:
    """A stranger, who is answered or told too much; one who is passed over tries again."""
    for _ in range(desks.MAX_IDS // STRANGERS):
        with contextlib.suppress(MailboxTrouble), trio.move_on_after(desks.OLD_GUEST_SECONDS / 3):
            assert await guess(url, replace(CODE, first=4)) is None
            return


async def test_a_friend_comes_while_strangers_guess(
    servers: CodeServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They guess at the same time, and three times as many as are heard at once."""
    monkeypatch.setattr(desks, "SECONDS_PER_GUESS", PACE)
    url, is_open, steps = servers.settings["mailbox"], trio.Event(), list[CodeStep]()

    def tell(step: CodeStep, code: Code) -> None:
        assert code == CODE, "nobody makes the host move"
        steps.append(step)
        if step is CodeStep.OPEN:
            is_open.set()

    world = world_with(url)
    desk = desk_in(world, tell)
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(desk.run, nursery)
            await is_open.wait()
            for _ in range(STRANGERS):
                nursery.start_soon(guess_wrong, url)
            while desk._desk.guesses.wrong < desks.GUESSES_AT_ONCE:
                await trio.sleep(PACE)
            found = await find_by_code(world, CODE, Recorder("Rex"))
            nursery.cancel_scope.cancel()
    assert found.secret == SECRET
    assert CodeStep.USED_UP not in steps
    assert desks.GUESSES_AT_ONCE <= desk._desk.guesses.wrong < desks.MAX_GUESSES


# -- strangers who do not guess, but disturb the mailbox of a number that they know ----------------


async def crowd(url: str) -> None:
    """Come as many sides, of which a mailbox has two."""
    for number in range(9):
        with contextlib.suppress(MailboxTrouble):
            async with mailbox_link(url, f"side{number}", CODE.number) as link:
                await link.add("hello", b"")
                await link.hear()


async def delete(url: str) -> None:
    """Give the mailbox up in the name of both sides, again and again."""
    while True:
        for side in (HOST_SIDE, GUEST_SIDE):
            with contextlib.suppress(MailboxTrouble):
                async with mailbox_link(url, side, CODE.number) as link:
                    await link.clear()
        await trio.sleep(4 * PACE)


async def impersonate(url: str) -> None:
    """Answer every guest in place of the host, with other words."""
    exchanges: dict[str, HostExchange] = {}
    while True:  # a mailbox server drops connections now and then
        with contextlib.suppress(MailboxTrouble):
            async with mailbox_link(url, HOST_SIDE, CODE.number) as link:
                await answer_all(link, exchanges)


async def answer_all(link: MailboxLink, exchanges: dict[str, HostExchange]) -> None:
    while True:
        heard = await link.hear()
        if not isinstance(heard, Message) or heard.side != GUEST_SIDE:
            continue
        guest, _slash, step = heard.phase.partition("/")
        if step == "1":
            exchanges[guest] = HostExchange(replace(CODE, first=4), guest, os.urandom)
            await link.add(f"{guest}/2", exchanges[guest].answer(heard.body))


@pytest.mark.parametrize(
    ("disturb", "in_game"),
    [(crowd, False), (delete, False), (impersonate, False), (impersonate, True)],
)
async def test_a_friend_comes_by_the_code_on_the_screen_whatever_a_stranger_does_at_its_number(
    disturb: Callable[[str], Awaitable[None]],
    in_game: bool,
    servers: CodeServers,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("TEST_SECONDS", "TEST_ANSWER_SECONDS", "MIN_NUMBER_SECONDS"):
        monkeypatch.setattr(code_desk, name, 3 * PACE)
    monkeypatch.setattr(find_host, "WORDS_SECONDS", 12 * PACE)
    url, shown = servers.settings["mailbox"], list[Code]()

    def tell(step: CodeStep, code: Code) -> None:
        if step in (CodeStep.OPEN, CodeStep.MOVED):
            shown.append(code)

    world = world_with(url)
    desk = desk_in(world, tell, is_shared=in_game)
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(desk.run, nursery)
            while not shown:
                await trio.sleep(PACE)
            nursery.start_soon(disturb, url)
            with trio.move_on_after(12 * PACE):  # then the number holds
                while len(shown) == 1:
                    await trio.sleep(PACE)
            found = None
            while found is None:
                # The desk may be on its way elsewhere.
                with contextlib.suppress(MailboxTrouble, NotSeated):
                    found = await ask_at_mailbox(world, shown[-1])
            nursery.cancel_scope.cancel()
    assert found.secret == SECRET
    assert {(code.first, code.second) for code in shown} == {(CODE.first, CODE.second)}
