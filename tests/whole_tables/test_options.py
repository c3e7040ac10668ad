"""Options of a table: proposed by the host, shown to all, signed by all, played by all."""

from __future__ import annotations

from dataclasses import replace

import pytest
import trio

from kotp2p.game.verify import Result
from kotp2p.lobby.monsters import MONSTERS
from kotp2p.referee.box.rulesets import Options
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import LobbyChanged, LobbyFault, LobbyRefused
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.genesis import Charter, LobbyOptions, Player, table_id
from tests.support.memory_tables import TestTable


@pytest.mark.parametrize("sides", ["green", "mixed"])
async def test_a_dark_table_plays_with_the_sides_that_it_shows(
    autojump_clock: trio.testing.MockClock, sides: str
) -> None:
    table = TestTable(players=3, rules="dark", options=Options(tile_sides=sides), seed=sides)
    await table.run()
    for n in range(3):
        assert table.endings[n].kind is EndKind.FINISHED
        assert table.report(n).result is Result.SOUND
        (first, *_more) = table.front(n).seen(LobbyChanged)
        assert isinstance(first, LobbyChanged)
        assert first.options == LobbyOptions(Options(tile_sides=sides))
    view = table.endings[0].view
    assert view is not None
    game = view.game
    assert game.setup.options.tile_sides == sides
    shown = {game.setup.tile(item).side for item in game.state.tiles}
    assert shown == ({"green"} if sides == "green" else {"red", "green"})


async def test_the_two_player_option_starts_with_two_only(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=3, start_when_full=False, options=Options(two_player=True))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.host)
        for n in (1, 2):
            await trio.sleep(1)
            nursery.start_soon(table.guest, n)
        await trio.sleep(1)
        control = table.front(0).control
        assert control is not None
        control.start()
        await trio.sleep(1)
        assert table.front(0).seen(LobbyRefused) == [LobbyRefused(LobbyFault.TWO_ONLY)]
        control.remove("Guest 2")
        control.start()
    assert table.endings[0].kind is table.endings[1].kind is EndKind.FINISHED


def test_a_charter_with_options_against_its_rules_is_refused() -> None:
    keys = [Signer(bytes([n]) * 32).key for n in range(3)]
    players = tuple(Player(f"P{n}", MONSTERS[n], key, n) for n, key in enumerate(keys))
    fresh = bytes(32)
    table = table_id(players, 0, fresh)
    charter = Charter(table, fresh, 1, "second", Options(), players, 0)
    assert Charter.parse(charter.value()) == charter
    for options in (
        Options(tile_sides="green"),
        Options(bay_for_beginners=True),
        Options(two_player=True),
    ):
        with pytest.raises(BadBytes):
            Charter.parse(replace(charter, options=options).value())


@pytest.mark.parametrize(
    ("rules", "options"),
    [
        ("second", Options(two_player=True)),
        ("classic", Options(two_player=True)),
        ("dark", Options(bay_for_beginners=True)),
        ("second", Options(tile_sides="mixed")),
    ],
)
async def test_a_table_that_no_start_could_fill_is_not_opened(
    autojump_clock: trio.testing.MockClock, rules: str, options: Options
) -> None:
    """Three seats, and it starts when they are full."""
    with pytest.raises(ValueError):
        await TestTable(players=3, rules=rules, options=options).host()
