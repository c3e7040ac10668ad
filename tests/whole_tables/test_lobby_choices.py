"""What players change in an open lobby with their commands, as all programs show it."""

from __future__ import annotations

import trio
import trio.testing

from kotp2p.seams.front import Control
from kotp2p.seams.notices import GameStarted, LobbyChanged
from tests.support.memory_tables import TestTable
from tests.support.whole_games import same_sound_logs

ANA, REX = 0, 1


def control_of(table: TestTable, n: int) -> Control:
    control = table.front(n).control
    assert control is not None
    return control


def shown(table: TestTable, n: int) -> list[tuple[str, str, bool]]:
    """Name, monster and mark of each player in the lobby that player `n` has seen last."""
    lobby = table.front(n).seen(LobbyChanged)[-1]
    return [(seat.name, seat.monster, seat.ready) for seat in lobby.seats if seat is not None]


async def test_names_monsters_and_marks_come_to_all_and_the_game_has_them(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=3, start_when_full=False)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.host)
        await trio.sleep(1)
        nursery.start_soon(table.guest, REX)
        await trio.sleep(1)
        for n, name, monster in ((ANA, "Zoë", "Kraken"), (REX, "Otto", "Meka Dragon")):
            control_of(table, n).change_name(name)
            control_of(table, n).change_monster(monster)
        await trio.sleep(1)
        for wanted in (True, False, True):
            control_of(table, REX).mark_ready(wanted)
            await trio.sleep(1)
            expected = [("Zoë", "Kraken"), ("Otto", "Meka Dragon")]
            for n in (ANA, REX):
                assert [seat[:2] for seat in shown(table, n)] == expected
                assert shown(table, n)[REX][2] is wanted
        await trio.sleep(10)
        control_of(table, ANA).start()
    same_sound_logs(table, (ANA, REX))
    (started,) = table.front(REX).seen(GameStarted)
    assert [(p.name, p.monster) for p in started.view.players] == expected
