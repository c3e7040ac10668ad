"""Chat reaches everybody, in the lobby and in the game, once, and no log."""

from __future__ import annotations

import trio
import trio.testing

from kotp2p.seams.cores import clean_chat_line
from kotp2p.seams.notices import Said
from tests.support.memory_tables import TestTable
from tests.support.whole_games import Slow, same_sound_logs


def heard(table: TestTable, n: int) -> list[tuple[str, str, bool]]:
    return [(x.name, x.text, x.yours) for x in table.front(n).seen(Said)]


async def test_in_the_lobby_the_host_passes_it_on(autojump_clock: trio.testing.MockClock) -> None:
    table = TestTable(players=3, start_when_full=False)

    async def talk() -> None:
        await trio.sleep(5)
        for n, words in ((1, "hello"), (0, "hi, all")):
            control = table.front(n).control
            assert control is not None
            control.say(words)
            await trio.sleep(1)
        control = table.front(0).control
        assert control is not None
        control.start()

    await table.run(talk)
    assert heard(table, 0) == [("Guest 1", "hello", False), ("Ana", "hi, all", True)]
    assert heard(table, 1) == [("Guest 1", "hello", True), ("Ana", "hi, all", False)]
    assert heard(table, 2) == [("Guest 1", "hello", False), ("Ana", "hi, all", False)]


async def test_in_a_game_everybody_hears_it_once_whatever_the_links(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=4)
    for n in range(4):
        table.fronts[n] = Slow(f"slow {n}")
    table.net.undialable |= {"10.0.0.2", "10.0.0.3", "10.0.0.4"}  # all through the host

    async def talk() -> None:
        while table.front(1).asked < 2:
            await trio.sleep(0.1)
        control = table.front(1).control
        assert control is not None
        control.say("good roll!")
        for i in range(30):
            control.say(f"spam {i}")

    await table.run(talk)
    same_sound_logs(table, range(4))
    for n in (0, 2, 3):
        assert heard(table, n)[0] == ("Guest 1", "good roll!", False)
        assert len(heard(table, n)) == 8
    for n in range(4):
        data = table.world_of(n).disk.read(table.log_path(n))
        assert data is not None
        assert b"good roll!" not in data


def test_what_nobody_could_read_is_not_said() -> None:
    assert clean_chat_line("  \x1b[2J\u202e ") == "[2J"
    assert clean_chat_line("\n\t ") == ""
    assert len(clean_chat_line("x" * 500)) == 200
