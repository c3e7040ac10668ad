"""A debug log of a whole game: what happened stands in it, and nothing that is secret."""

import base64
import logging
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kotp2p.cli.system.options import CommonFlags
from kotp2p.cli.system.process import LOGGER, MAX_FILE_BYTES, start_debug_log
from kotp2p.net.invitation import SECRET_BYTES
from kotp2p.seams.commands import Say
from kotp2p.seams.notices import Said
from kotp2p.wire.crypto import KEY_BYTES
from tests.support.memory_tables import TestTable
from tests.support.memory_world import MemoryDisk

pytestmark = pytest.mark.virtual_time

SECRET = b"a secret, 10"[:SECRET_BYTES]
CHAT = "meet me behind the power plant"
NAMES = ("Ana", "Guest 1", "Guest 2")
LEAST_SECRET_BYTES = 8
"""Shorter draws of entropy are jitter, and stand in a file of this size by chance."""


@pytest.fixture
def debug_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(CommonFlags, "debug", None)
    monkeypatch.setattr(logging, "raiseExceptions", logging.raiseExceptions)
    path, logger = tmp_path / "debug.log", logging.getLogger(LOGGER)
    start_debug_log(path)
    yield path
    for handler in logger.handlers[:]:
        logger.removeHandler(handler)
        handler.close()
    logger.setLevel(logging.NOTSET)
    logger.propagate = True


def remembered(entropy: Callable[[int], bytes], drawn: list[bytes]) -> Callable[[int], bytes]:
    def draw(size: int) -> bytes:
        data = entropy(size)
        if size >= LEAST_SECRET_BYTES:
            drawn.append(data)
        return data

    return draw


def written_forms(secret: bytes) -> list[str]:
    return [
        secret.hex(),
        repr(secret)[2:-1],
        base64.b64encode(secret).decode().rstrip("="),
        base64.urlsafe_b64encode(secret).decode().rstrip("="),
        base64.b32encode(secret).decode().rstrip("="),
        str(int.from_bytes(secret, "big")),
    ]


def secrets_in(text: str, table: TestTable, drawn: list[bytes]) -> list[str]:
    """What stands in the text of the secrets of a played table, each by what it is."""
    found = [
        f"{len(secret)} bytes of entropy"
        for secret in drawn
        if any(form in text for form in written_forms(secret))
    ]
    words = {*re.findall(r"\w+", text)}
    for n in range(3):
        disk, view = table.world_of(n).disk, table.endings[n].view
        assert isinstance(disk, MemoryDisk)
        assert view is not None
        assert view.phrase
        for path, data in (disk.files | disk.removed).items():
            if len(data) == KEY_BYTES and any(form in text for form in written_forms(data)):
                found.append(f"the {path.name} of player {n}")
        if words & {*re.findall(r"\w+", view.phrase)}:
            found.append("a word of the phrase")
    found += ["a name" for name in NAMES if name in text]
    return found + ["chat"] * (CHAT in text)


async def played_table() -> tuple[TestTable, list[bytes]]:
    """A whole game with a line of chat, and every secret that its machines have drawn."""
    table = TestTable(players=3, secret=SECRET)
    drawn = [SECRET]
    for n in range(3):
        world = table.world_of(n)
        table.worlds[n] = replace(world, entropy=remembered(world.entropy, drawn))

    async def talk() -> None:
        await table.asked(1, 2)
        table.front(1).control(Say(CHAT))

    await table.run(talk)
    assert table.front(0).seen(Said)
    return table, drawn


async def test_a_debug_log_of_a_whole_game_tells_no_secret(debug_log: Path) -> None:
    """Seeds, keys, secrets, sealed values, names, words of the phrase, lines of chat."""
    table, drawn = await played_table()
    text = "".join(path.read_text() for path in debug_log.parent.iterdir())
    assert "kotp2p.game" in text
    assert secrets_in(text, table, drawn) == []


async def test_a_debug_log_tells_of_links_line_ups_and_the_loop_within_its_bounds(
    debug_log: Path,
) -> None:
    table = TestTable(players=3)
    for n in range(3):
        table.front(n).goes_on = True

    async def breaks() -> None:
        await table.asked(2, 2)
        table.kill(2)

    await table.run(breaks)
    files = (debug_log, debug_log.with_name("debug.log.1"))
    text = "".join(path.read_text() for path in files if path.exists())
    for line in (
        r"kotp2p.links link \d+ with 10\.0\.0\.3 opened, accepted, PLAYER",
        r"kotp2p.links link \d+ ended: ",
        r"kotp2p.game link \d+ is of P3",
        r"kotp2p.game show Gone: P3",
        r"kotp2p.game show LineUpBegun: P3 ABSENT P3 by P[12]",
        r"kotp2p.game append LINE_UP",
        r"kotp2p.loop \d+ items in 0\.\d+ s, waits for ",
    ):
        assert re.search(line, text), line
    assert all(path.stat().st_size <= MAX_FILE_BYTES for path in files if path.exists())


async def test_without_a_debug_log_nobody_writes_lines(caplog: pytest.LogCaptureFixture) -> None:
    await TestTable(players=2).run()
    assert not [one for one in caplog.records if one.name.startswith(LOGGER)]
