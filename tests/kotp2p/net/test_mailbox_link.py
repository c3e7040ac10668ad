"""A mailbox server that says what none says, over a real websocket on loopback."""

import json
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from functools import partial
from types import SimpleNamespace

import pytest
import trio
import trio_websocket
from trio_websocket import ConnectionClosed, WebSocketRequest, serve_websocket

from kotp2p.net import rendezvous
from kotp2p.net.machine import lend_file
from kotp2p.net.rendezvous import mailbox_link
from kotp2p.net.tls import LEAF_ENTROPY_BYTES, make_contexts, make_leaf
from kotp2p.rendezvous.mailbox import MAX_SHOWN_TEXT, AllOld, Complaint, Welcome
from kotp2p.seams.world import MailboxTrouble, MailboxUnproven
from tests.support.websockets import sweep_websockets

PONG = json.dumps({"type": "pong"})
WELCOME = json.dumps({"type": "welcome", "welcome": {"your-address": {"ipv4": "93.184.216.34"}}})
ESCAPES = "\x1b[2J" * 250_000


@pytest.fixture(autouse=True)
def _sweep() -> Iterator[None]:
    yield
    sweep_websockets()


Talk = Callable[[WebSocketRequest], Awaitable[None]]


@asynccontextmanager
async def serving(talk: Talk) -> AsyncIterator[str]:
    async def talk_to_the_end(request: WebSocketRequest) -> None:
        with suppress(ConnectionClosed):
            await talk(request)

    async with trio.open_nursery() as nursery:
        server = await nursery.start(serve_websocket, talk_to_the_end, "127.0.0.1", 0, None)
        yield f"ws://127.0.0.1:{server.port}/v1"
        nursery.cancel_scope.cancel()


def server_that_says(frame: str | bytes, *, farewell: str = "") -> AbstractAsyncContextManager[str]:
    async def talk(request: WebSocketRequest) -> None:
        socket = await request.accept()
        await socket.send_message(frame)
        if farewell:
            await socket.aclose(4000, farewell)
        while True:
            await socket.get_message()

    return serving(talk)


def server_that_answers_pings(most: int) -> AbstractAsyncContextManager[str]:
    async def talk(request: WebSocketRequest) -> None:
        socket, pings = await request.accept(), 0
        await socket.send_message(WELCOME)
        while pings < most:
            if json.loads(await socket.get_message())["type"] == "ping":
                pings += 1
                await socket.send_message(PONG)
        await socket.send_message(json.dumps({"type": "error", "error": "enough pings"}))
        await socket.get_message()

    return serving(talk)


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
async def test_a_server_that_does_not_greet_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def say_nothing(_stream: trio.SocketStream) -> None:
        await trio.sleep_forever()

    monkeypatch.setattr(rendezvous, "CONNECT_SECONDS", 0.1)
    async with trio.open_nursery() as nursery:
        serve = partial(trio.serve_tcp, say_nothing, 0, host="127.0.0.1")
        (listener,) = await nursery.start(serve)
        port = listener.socket.getsockname()[1]
        assert await trouble_of(f"ws://127.0.0.1:{port}/v1") == "it is silent"
        nursery.cancel_scope.cancel()


async def test_a_server_with_a_certificate_of_nobody_is_not_called_silent() -> None:
    context, _ = make_contexts(b"", make_leaf(b"", bytes(LEAF_ENTROPY_BYTES)), lend_file)
    context.verify_mode = ssl.CERT_NONE

    async def listen(stream: trio.SSLStream[trio.SocketStream]) -> None:
        with suppress(trio.BrokenResourceError):
            await stream.receive_some()

    async with trio.open_nursery() as nursery:
        serve = partial(trio.serve_ssl_over_tcp, listen, 0, context, host="127.0.0.1")
        (listener,) = await nursery.start(serve)
        port = listener.transport_listener.socket.getsockname()[1]
        with trio.fail_after(rendezvous.CONNECT_SECONDS / 2), pytest.raises(MailboxUnproven):
            async with mailbox_link(f"wss://127.0.0.1:{port}/v1", "guest", 7412):
                pass
        nursery.cancel_scope.cancel()


async def test_a_server_that_does_not_close_in_good_order_undoes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def send(_text: str) -> None:
        await trio.lowlevel.checkpoint()

    @asynccontextmanager
    async def open_url(_url: str, **_how: object) -> AsyncIterator[SimpleNamespace]:
        yield SimpleNamespace(send_message=send)
        raise trio_websocket.DisconnectionTimeout

    monkeypatch.setattr(trio_websocket, "open_websocket_url", open_url)
    async with mailbox_link("ws://mailbox.test/v1", "guest", 7412):
        pass


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
            heard = [await mailbox.hear() for _ in range(3)]
            assert heard == [Welcome("93.184.216.34", ""), AllOld(0.0), Complaint("enough pings")]
            assert mailbox.seen_at == "93.184.216.34"


async def trouble_of(url: str) -> str:
    with trio.fail_after(60), pytest.raises(MailboxTrouble) as trouble:
        async with mailbox_link(url, "guest", 7412) as mailbox:
            while True:
                await mailbox.hear()
    return str(trouble.value)
