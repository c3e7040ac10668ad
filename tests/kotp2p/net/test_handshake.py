"""Hellos that are refused, on both sides: other versions, and roles that do not fit."""

import json
from dataclasses import replace

import pytest
import trio
import trio.testing

from kotp2p.net.handshake import LinkFault, OwnSide, Refused, make_hello, shake_hands
from kotp2p.net.links import FrameReader, Link
from kotp2p.referee.box.rulesets import RULES_VERSION
from kotp2p.seams.world import Connection
from kotp2p.wire import frames
from kotp2p.wire.crypto import KEY_BYTES, OPEN_TABLE_SECRET
from kotp2p.wire.encoding import Value, pack, unpack
from kotp2p.wire.genesis import PROTOCOL_VERSION
from tests.support.paths import VECTORS
from tests.support.tls_links import ANA, REX, admit_all

pytestmark = pytest.mark.virtual_time

OURS = (PROTOCOL_VERSION, RULES_VERSION)


def own_side(role: frames.HelloRole = frames.HelloRole.PLAYER) -> OwnSide:
    hello = replace(make_hello(ANA, bytes(8), b"", bytes(32)), role=int(role))
    return OwnSide(None, OPEN_TABLE_SECRET, ANA, hello)


def hello_of(protocol: int, rules: int, *more: Value) -> Value:
    return (int(frames.Hello.TYPE), protocol, rules, *more)


PROTOCOL_4: Value = hello_of(4, 1, 0, bytes(8), b"", REX.key, bytes(32))
OTHER_HELLOS = {
    "protocol 4": PROTOCOL_4,
    "a later protocol with fewer fields": hello_of(PROTOCOL_VERSION + 1, RULES_VERSION),
    "a later protocol with more fields": hello_of(
        PROTOCOL_VERSION + 1, RULES_VERSION, 7, "x", (1, 2), None, b"", True, 0, 0
    ),
    "other rules": hello_of(PROTOCOL_VERSION, RULES_VERSION + 1, 0, bytes(8), b"", bytes(32)),
}


async def said_to(said: Value, dialled: bool) -> tuple[Link | Exception, frames.Refusal | None]:
    """What comes of a handshake with a side that says `said` first, and the refusal it reads."""
    here, there = trio.testing.memory_stream_pair()
    found: list[Link | Exception] = []

    async def shake() -> None:
        try:
            found.append(await shake_hands(Connection(here, ""), own_side(), dialled, 1, admit_all))
        except (LinkFault, Refused) as fault:
            found.append(fault)

    heard: frames.Refusal | None = None
    async with trio.open_nursery() as nursery:
        nursery.start_soon(shake)
        await there.send_all(frames.pack_with_length(said))
        reader = FrameReader(there, 512)
        while (body := await reader.next_body()) is not None:
            frame = frames.decode(body)
            if isinstance(frame, frames.Refusal):
                heard = frame
                break
        await trio.aclose_forcefully(there)
    return found[0], heard


@pytest.mark.parametrize("said", OTHER_HELLOS.values(), ids=OTHER_HELLOS)
async def test_a_listener_tells_a_hello_of_any_form_that_it_has_another_version(
    said: Value,
) -> None:
    found, heard = await said_to(said, dialled=False)
    assert heard == frames.Refusal(int(frames.RefusalCode.VERSION), *OURS, "another version")
    assert isinstance(found, Refused)


@pytest.mark.parametrize("said", OTHER_HELLOS.values(), ids=OTHER_HELLOS)
async def test_a_dialler_reads_the_versions_of_a_listener_off_a_hello_of_any_form(
    said: tuple[int, int, int],
) -> None:
    found, heard = await said_to(said, dialled=True)
    assert heard is None  # a dialler that does not go on says nothing more
    assert isinstance(found, Refused)
    assert found.refusal == frames.Refusal(
        int(frames.RefusalCode.VERSION), said[1], said[2], "another version"
    )


@pytest.mark.parametrize("dialled", [True, False])
@pytest.mark.parametrize(
    "said",
    [
        (int(frames.Hello.TYPE), PROTOCOL_VERSION),
        (int(frames.Hello.TYPE), "5", RULES_VERSION, 0),
        hello_of(*OURS),
        hello_of(*OURS, 0, bytes(8), b"", bytes(KEY_BYTES), bytes(32)),
        hello_of(*OURS, 2, bytes(8), b"", REX.key, bytes(32)),
    ],
    ids=["no versions", "no numbers", "too short", "refused key", "no such role"],
)
async def test_a_malformed_hello_of_our_versions_gets_no_word(said: Value, dialled: bool) -> None:
    found, heard = await said_to(said, dialled)
    assert heard is None
    assert isinstance(found, LinkFault)


async def test_a_listener_judges_a_watcher_like_any_newcomer() -> None:
    said = hello_of(*OURS, int(frames.HelloRole.WATCHER), bytes(8), b"", REX.key, bytes(32))
    found, heard = await said_to(said, dialled=False)
    assert (type(found), heard) == (LinkFault, None)  # it was let in, and proved nothing


async def test_a_player_does_not_go_on_with_a_listener_that_only_watches() -> None:
    said = hello_of(*OURS, int(frames.HelloRole.WATCHER), bytes(8), bytes(32), REX.key, bytes(32))
    found, heard = await said_to(said, dialled=True)
    assert heard is None
    assert isinstance(found, Refused)
    assert found.refusal.code == frames.RefusalCode.BAD


def test_the_vector_of_a_later_hello_gives_its_versions_and_has_another_form() -> None:
    shown = json.loads((VECTORS / "links.json").read_text("utf-8"))
    later = bytes.fromhex(shown["HELLO of a later protocol"])
    assert frames.read_hello_versions(later) == (PROTOCOL_VERSION + 1, 9)
    refusal = frames.decode(bytes.fromhex(shown["its REFUSAL"]))
    assert refusal == frames.Refusal(int(frames.RefusalCode.VERSION), *OURS, "another version")


def test_a_frame_that_is_no_hello_has_no_versions() -> None:
    refusal = frames.Refusal(int(frames.RefusalCode.FULL), *OURS, "")
    assert frames.read_hello_versions(frames.encode(refusal)[4:]) is None
    assert unpack(pack(PROTOCOL_4)) == PROTOCOL_4
    assert frames.read_hello_versions(pack(PROTOCOL_4)) == (4, 1)
