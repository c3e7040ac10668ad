"""Strangers who send garbage lose their link and nothing else: the game goes on and finishes."""

from collections.abc import Awaitable, Callable

import pytest
import trio
import trio.testing

from kotp2p.net.handshake import Door, OwnSide, Refused, make_hello, shake_hands
from kotp2p.seams.endings import EndKind
from kotp2p.seams.world import Connection
from kotp2p.wire.crypto import OPEN_TABLE_SECRET, Signer
from kotp2p.wire.encoding import pack
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.frames import RefusalCode, Want, encode
from kotp2p.wire.genesis import Genesis
from kotp2p.wire.records import RecordReader, read_head
from tests.support.memory_tables import HOST, PORT, TestTable
from tests.support.whole_games import same_sound_logs

GARBAGE = {
    "nothing": b"",
    "noise": bytes(range(256)) * 8,
    "http": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "a frame of 4 GiB": b"\xff\xff\xff\xff" + bytes(100),
    "an empty frame": bytes(4),
    "a map": b"\0\0\0\1\x80",
    "a tower": b"\0\0\1\0" + b"\x91" * 255 + b"\x01",
    "a wrong hello": b"\0\0\0\3" + pack((64, 1)),
    "a hello with a weak key": (lambda body: len(body).to_bytes(4, "big") + body)(
        pack((64, 1, 1, 0, bytes(8), b"", bytes(32), bytes(32)))
    ),
    "an entry before any hello": encode(Signed(BodyKind.PLAY, b"x", bytes(64))),
}


async def dial(table: TestTable) -> Connection:
    return await table.net.at("10.9.9.9").dial(HOST, PORT)


async def while_a_game_is_played(
    stranger: Callable[[TestTable], Awaitable[None]],
) -> None:
    table = TestTable(players=3)

    async def meanwhile() -> None:
        while table.front(1).asked < 3:
            await trio.sleep(0.05)
        await stranger(table)

    await table.run(meanwhile)
    assert {e.kind for e in table.endings.values()} == {EndKind.FINISHED}
    same_sound_logs(table, range(3))


@pytest.mark.parametrize("name", sorted(GARBAGE))
async def test_garbage_costs_its_sender_the_link(
    name: str, autojump_clock: trio.testing.MockClock
) -> None:
    async def stranger(table: TestTable) -> None:
        connection = await dial(table)
        if GARBAGE[name]:
            await connection.stream.send_all(GARBAGE[name])
        with trio.fail_after(30):
            while await _received(connection):
                pass

    await while_a_game_is_played(stranger)


async def _received(connection: Connection) -> bytes:
    try:
        return bytes(await connection.stream.receive_some())
    except trio.BrokenResourceError:
        return b""


async def test_a_crowd_of_silent_strangers_does_not_keep_the_players_out(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async def crowd(table: TestTable) -> None:
        for _ in range(60):
            await dial(table)

    table = TestTable(players=3)

    async def early() -> None:
        await crowd(table)

    await table.run(early)
    same_sound_logs(table, range(3))


def table_id(table: TestTable) -> bytes:
    """Anybody may come to know it; it is no secret."""
    disk = table.world_of(0).disk
    data = next(d for path, d in disk.files.items() if path.name == "log")  # type: ignore[attr-defined]
    reader = RecordReader(data, read_head(data)[1])
    while (signed := reader.read_record()) is not None:
        if signed.kind is BodyKind.GENESIS:
            return Genesis.parse(signed.body).charter.table
    raise AssertionError("a log without a genesis")


@pytest.mark.parametrize("host_too", [True, False])
async def test_a_stranger_with_another_key_gets_no_link_to_a_game(
    host_too: bool, autojump_clock: trio.testing.MockClock
) -> None:
    async def stranger(table: TestTable) -> None:
        signer = Signer(b"\7" * 32)
        own = make_hello(signer, bytes(8), table_id(table), bytes(32))
        places = [place for place in table.net.listening if (place[0] == HOST) == host_too]
        connection = await table.net.at("10.9.9.9").dial(*places[0])
        side = OwnSide(Door(None, OPEN_TABLE_SECRET), signer, own)
        with pytest.raises(Refused) as refused:
            await shake_hands(connection, side, True, 1, lambda _: None)
        assert refused.value.refusal.code == RefusalCode.NO_TABLE

    await while_a_game_is_played(stranger)


async def test_a_peer_that_asks_without_end_is_not_answered_without_end(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async def flood(table: TestTable) -> None:
        own = next(s for c, a, s, _ in table.net.made if c == "10.0.0.2" and a == HOST)
        before = table.net.bytes_sent
        asked = 0
        for _ in range(500):
            asked += len(encode(Want(0, 0)))
            await own.send_all(encode(Want(0, 0)))
        await trio.sleep(0.1)
        log = next(d for p, d in table.world_of(0).disk.files.items() if p.name == "log")  # type: ignore[attr-defined]
        assert table.net.bytes_sent - before - asked < 5 * len(log)

    await while_a_game_is_played(flood)
