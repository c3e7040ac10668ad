"""A mailbox server that says what none says, over a real websocket on loopback."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial

import pytest
import trio
from trio_websocket import ConnectionClosed, WebSocketRequest, serve_websocket

from kotp2p.net.rendezvous import mailbox_link
from kotp2p.rendezvous.mailbox import MAX_SHOWN_TEXT
from kotp2p.seams.world import MailboxTrouble
from tests.support.websockets import sweep_websockets

PONG = json.dumps({"type": "pong"})
ESCAPES = "\x1b[2J" * 250_000


@pytest.fixture(autouse=True)
def _sweep() -> Iterator[None]:
    yield
    sweep_websockets()


@asynccontextmanager
async def server_that_says(frame: str | bytes, *, farewell: str = "") -> AsyncIterator[str]:
    async def talk(request: WebSocketRequest) -> None:
        socket = await request.accept()
        try:
            await socket.send_message(frame)
            if farewell:
                await socket.aclose(4000, farewell)
            while True:
                await socket.get_message()
        except ConnectionClosed:
            pass

    async with trio.open_nursery() as nursery:
        serve = partial(serve_websocket, talk, "127.0.0.1", 0, None)
        server = await nursery.start(serve)
        yield f"ws://127.0.0.1:{server.port}/v1"
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (json.dumps({"type": "welcome", "welcome": {"error": "come back later"}}), "come back"),
        (json.dumps({"type": "welcome", "welcome": {"error": ESCAPES[:4000]}}), "[2J"),
        (json.dumps({"type": "welcome", "welcome": {"error": ESCAPES}}), "closed"),
        (ESCAPES, "closed"),
        ("<html>not found</html>", "no JSON"),
        (b"{}", "no text"),
    ],
    ids=["error", "escapes", "megabyte-in-json", "megabyte", "html", "bytes"],
)
async def test_what_breaks_the_bounds_ends_the_connection_with_one_short_line(
    frame: str | bytes, words: str
) -> None:
    async with server_that_says(frame) as url:
        text = await trouble_of(url)
    assert words in text
    assert text.isprintable()
    assert len(text) <= MAX_SHOWN_TEXT


async def test_with_what_a_server_closes_is_cleaned() -> None:
    async with server_that_says(PONG, farewell="\x1b[2J gone") as url:
        assert (await trouble_of(url)).isprintable()


async def trouble_of(url: str) -> str:
    with trio.fail_after(60), pytest.raises(MailboxTrouble) as trouble:
        async with mailbox_link(url, "guest", 7412) as mailbox:
            while True:
                await mailbox.hear()
    return str(trouble.value)
