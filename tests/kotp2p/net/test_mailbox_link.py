"""A mailbox server that says what none says, over a real websocket on loopback."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from functools import partial

import pytest
import trio
from trio_websocket import ConnectionClosed, WebSocketRequest, serve_websocket

from kotp2p.net import rendezvous
from kotp2p.net.rendezvous import mailbox_link
from kotp2p.rendezvous.mailbox import MAX_SHOWN_TEXT, AllOld, Complaint
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


@asynccontextmanager
async def server_that_answers_pings(most: int) -> AsyncIterator[str]:
    async def talk(request: WebSocketRequest) -> None:
        socket = await request.accept()
        pings = 0
        with suppress(ConnectionClosed):
            while pings < most:
                if json.loads(await socket.get_message())["type"] == "ping":
                    pings += 1
                    await socket.send_message(PONG)
            await socket.send_message(json.dumps({"type": "error", "error": "enough pings"}))
            await socket.get_message()

    async with trio.open_nursery() as nursery:
        server = await nursery.start(partial(serve_websocket, talk, "127.0.0.1", 0, None))
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


@pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)  # the library leaves its socket to be collected
async def test_a_server_that_does_not_even_greet_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def say_nothing(_stream: trio.SocketStream) -> None:
        await trio.sleep_forever()

    monkeypatch.setattr(rendezvous, "CONNECT_SECONDS", 0.1)
    async with trio.open_nursery() as nursery:
        serve = partial(trio.serve_tcp, say_nothing, 0, host="127.0.0.1")
        (listener,) = await nursery.start(serve)
        port = listener.socket.getsockname()[1]
        assert await trouble_of(f"ws://127.0.0.1:{port}/v1") == "it is silent"
        nursery.cancel_scope.cancel()


async def test_a_server_that_is_silent_is_asked_and_then_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rendezvous, "QUIET_SECONDS", 0.01)
    monkeypatch.setattr(rendezvous, "ANSWER_SECONDS", 0.01)
    async with server_that_says(json.dumps({"type": "ack"})) as url:
        assert await trouble_of(url) == "it is silent"


async def test_a_quiet_server_that_answers_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendezvous, "QUIET_SECONDS", 0.01)
    async with server_that_answers_pings(5) as url, mailbox_link(url, "guest", 7412) as mailbox:
        with trio.fail_after(60):
            assert await mailbox.hear() == AllOld(0.0)
            assert await mailbox.hear() == Complaint("enough pings")


async def trouble_of(url: str) -> str:
    with trio.fail_after(60), pytest.raises(MailboxTrouble) as trouble:
        async with mailbox_link(url, "guest", 7412) as mailbox:
            while True:
                await mailbox.hear()
    return str(trouble.value)
