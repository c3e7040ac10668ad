"""A window that is closed keeps its seat, whenever it is closed."""

import contextlib
import os
import secrets
import signal
from pathlib import Path

import pytest
import trio

from kotp2p.net import machine
from kotp2p.net.entrance import MAX_HANDSHAKES
from kotp2p.net.handshake import HANDSHAKE_SECONDS, OwnSide, make_hello, shake_hands
from kotp2p.net.tls import Tls
from kotp2p.seams.world import Connection
from kotp2p.wire.crypto import OPEN_TABLE_SECRET, Signer
from kotp2p.wire.encoding import pack
from kotp2p.wire.frames import LinkProof, Ping, encode
from tests.support.machines import three_machines
from tests.support.processes import QUICK, finished, guest, host, resumed, three
from tests.support.program import Program

HUNG_UP = 128 + signal.SIGHUP


def close(program: Program) -> None:
    os.kill(program.pid, signal.SIGHUP)
    assert program.wait() == HUNG_UP


def test_in_the_lobby_it_closes_the_table(tmp_path: Path) -> None:
    keeper = host(tmp_path / "ana", 3, "--bind", "127.0.0.1")
    waiting = guest(tmp_path / "rex", "127.0.0.1", keeper.port())
    waiting.wait_for("1 ana")
    close(keeper)
    assert waiting.wait() == 4
    waiting.wait_for("The host has closed the table")


def test_on_the_players_turn_the_same_question_is_asked_again(tmp_path: Path) -> None:
    """A person at a pipe, who has been asked and has not answered."""
    home = tmp_path / "ana"
    keeper = Program(home, "host", "--players", "2", "--port", "0", "--bind", "127.0.0.1", stdin="")
    other = guest(tmp_path / "rex", "127.0.0.1", keeper.port())
    asked = keeper.wait_for("^Your roll 1 of 3: .*").group(0)
    close(keeper)
    keeper.wait_for("The game is saved. To go on: kotp2p resume")
    back = Program(home, "resume", stdin="")
    assert back.wait_for("^Your roll 1 of 3: .*").group(0) == asked
    close(back)
    finished([resumed(home), other])


@pytest.mark.parametrize("line", ["^Turn 3,", "rerolls"])
def test_in_the_middle_of_a_game_everything_goes_on(line: str, tmp_path: Path) -> None:
    homes, table, _port = three(tmp_path)
    table[0].wait_for(line)
    close(table[0])
    table[1].wait_for("The connection to ana is lost")
    table[0] = resumed(homes[0])
    table[0].wait_for("You are back at the table")
    finished(table)


@pytest.mark.netns
def test_a_living_player_whose_address_changes_is_found_again(tmp_path: Path) -> None:
    import subprocess

    with three_machines() as machines:
        inside = [("ip", "netns", "exec", machine) for machine in machines]
        table = [host(tmp_path / "ana", 3, before=inside[0])]
        port = table[0].port()
        for n, name in ((1, "rex"), (2, "mia")):
            table.append(guest(tmp_path / name, "10.77.0.1", port, before=inside[n]))
        table[1].wait_for("^Turn 2,")
        for words in (
            ("addr", "add", "10.77.0.99/24", "dev", "eth0"),
            ("addr", "del", "10.77.0.2/24", "dev", "eth0"),
            ("addr", "add", "10.77.0.99/24", "dev", "eth0"),
        ):
            subprocess.run(["ip", "-n", machines[1], *words], check=False, capture_output=True)
        finished(table)
        assert not any("votes to go on" in line for p in table for line in p.lines)


# -- strangers -------------------------------------------------------------------------------------

# Strangers at a real port: each is cut within the time of a handshake, and no player notices.


LATEST = HANDSHAKE_SECONDS + 20
"""Seconds; the machine may be busy."""
OWN = Signer(bytes((7,)) * 32)
HELLO = encode(make_hello(OWN, bytes(8), b"", bytes(32)))
WEAK = encode(make_hello(OWN, bytes(8), b"", bytes(32))).replace(OWN.key, bytes(32))
BARE = {
    "nothing": b"",
    "http": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "noise": bytes(range(256)) * 80,
    "a record of TLS that promises more": b"\x16\x03\x01\x40\x00",
    "a hello without TLS": HELLO,
}
INSIDE = {
    "nothing": b"",
    "a frame of 4 GiB": b"\xff\xff\xff\xff" + bytes(100),
    "half a hello": HELLO[:40],
    "a map": b"\0\0\0\1\x80",
    "a tower": b"\0\0\1\0" + b"\x91" * 255 + b"\x01",
    "a ping before the hello": encode(Ping()),
    "a key that proves nothing": WEAK,
    "a wrong proof": HELLO + encode(LinkProof(bytes(64))),
    "more than a hello may be": (5000).to_bytes(4, "big") + bytes(5000),
}
PROVED = {
    "an entry of nobody": b"\0\0\0\3" + pack((70, 1)),
    "noise": bytes(range(256)) * 80,
    "a frame of 4 GiB": b"\xff\xff\xff\xff",
}


async def is_cut(stream: trio.abc.Stream) -> None:
    with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
        while await stream.receive_some():
            pass
    await trio.aclose_forcefully(stream)


async def say(stream: trio.abc.Stream, data: bytes) -> None:
    with contextlib.suppress(trio.BrokenResourceError):
        if data:
            await stream.send_all(data)
    await is_cut(stream)


class Strangers:
    def __init__(self, port: int) -> None:
        self.port = port
        self.net = machine.MachineNet()
        self.security = Tls(secrets.token_bytes, machine.lend_file)
        self.over = 0

    async def _dial(self) -> Connection:
        return await self.net.dial("127.0.0.1", self.port)

    async def _bare(self, data: bytes) -> None:
        await say((await self._dial()).stream, data)
        self.over += 1

    async def _inside(self, data: bytes) -> None:
        connection = await self.security.wrap(await self._dial(), OPEN_TABLE_SECRET, True)
        await say(connection.stream, data)
        self.over += 1

    async def _proved(self, data: bytes) -> None:
        signer = Signer(secrets.token_bytes(32))
        own = make_hello(signer, secrets.token_bytes(8), b"", bytes(32))
        link = await shake_hands(
            await self._dial(),
            OwnSide(self.security, OPEN_TABLE_SECRET, signer, own),
            True,
            1,
            lambda _: None,
        )
        await say(link._stream, data)
        self.over += 1

    async def all_at_once(self) -> None:
        """At most as many as may wait: nobody is cut for the sake of the next."""
        with trio.fail_after(LATEST):
            async with trio.open_nursery() as nursery:
                for data in BARE.values():
                    nursery.start_soon(self._bare, data)
                for data in INSIDE.values():
                    nursery.start_soon(self._inside, data)
        with trio.fail_after(LATEST):
            async with trio.open_nursery() as nursery:
                for data in PROVED.values():
                    nursery.start_soon(self._proved, data)


async def test_a_stranger_that_misbehaves_is_cut_and_the_players_play(tmp_path: Path) -> None:
    assert len(BARE) + len(INSIDE) < MAX_HANDSHAKES
    keeper = host(tmp_path / "ana", 2, "--bind", "127.0.0.1", bot=QUICK)
    strangers = Strangers(await trio.to_thread.run_sync(keeper.port))
    await strangers.all_at_once()
    assert strangers.over == len(BARE) + len(INSIDE) + len(PROVED)
    other = guest(tmp_path / "rex", "127.0.0.1", strangers.port, bot=QUICK)
    await trio.to_thread.run_sync(finished, [keeper, other])
