"""Laying the tiles, and their faces."""

import pytest

from kotp2p.referee.box.cards import TILES, TRACK_STEPS
from kotp2p.referee.box.rulesets import CLASSIC, DARK, SECOND, Options, Setup
from kotp2p.referee.game import Game
from kotp2p.referee.model.answers import Answered, Drawn, IllegalAction, Out, Pass, Take
from kotp2p.referee.model.decisions import Chance, ChanceKind, Draw, Over
from kotp2p.referee.model.events import TilesLaid
from kotp2p.referee.model.position import PENDING_KINDS
from tests.support.referee_table import CITY, Sits, seated

DECK = len(DARK.deck())


def laid(sides: str, *drawn: int) -> Game:
    game = Game(Setup(DARK, 3, DARK.deck(), Options(tile_sides=sides)))
    game.submit(Drawn((0, 1, 2)))
    if drawn:
        game.submit(Drawn(drawn))
    return game


def faces(game: Game) -> list[str]:
    return [game.setup.tile(item).name for item in game.state.tiles]


def test_ten_tiles_with_two_sides_each() -> None:
    assert len(TILES) == len({tile.key for tile in TILES}) == 20
    for red, green in zip(TILES[::2], TILES[1::2], strict=True):
        assert (red.side, green.side) == ("red", "green")
        assert red.step == green.step
    assert [sum(tile.step == step for tile in TILES) for step in TRACK_STEPS] == [8, 8, 4]
    for side in (TILES[::2], TILES[1::2]):
        by_name = sorted(side, key=lambda tile: (tile.step, tile.name))
        assert list(side) == by_name


def test_only_the_dark_rule_set_has_tiles() -> None:
    assert (CLASSIC.tiles, SECOND.tiles, DARK.tiles) == ((), (), TILES)


@pytest.mark.parametrize(("sides", "first", "last"), [
    ("red", "Devious", "Skybeam"), ("green", "Barbs", "Starburst"),
])  # fmt: skip
def test_equal_sides_are_laid_without_a_draw(sides: str, first: str, last: str) -> None:
    game = laid(sides)
    assert game.pending == Chance(ChanceKind.DICE, (Draw(6),) * 18)
    names = faces(game)
    assert (len(names), names[0], names[-1]) == (10, first, last)
    assert {game.setup.tile(item).side for item in game.state.tiles} == {sides}


def test_mixed_sides_are_one_draw_for_each_tile_between_market_and_roll_off() -> None:
    game = laid("mixed")
    assert game.pending == Chance(ChanceKind.SIDES, (Draw(2),) * 10)
    position = dict(game.position())
    assert position["pending.kind"] == PENDING_KINDS.index("sides")
    assert position["pending.draws"] == 10
    with pytest.raises(IllegalAction):
        game.submit(Drawn((0,) * 9 + (2,)))
    events = game.submit(Drawn((0, 1, 0, 0, 0, 0, 0, 0, 0, 1)))
    assert isinstance(events[0], TilesLaid)
    assert game.state.tiles == [DECK + n for n in (0, 3, 4, 6, 8, 10, 12, 14, 16, 19)]
    assert faces(game)[:2] == ["Devious", "Final Roar"]
    assert faces(game)[-1] == "Starburst"
    assert game.pending == Chance(ChanceKind.DICE, (Draw(6),) * 18)


def test_a_seat_that_leaves_while_the_sides_are_drawn_does_not_stop_the_rest() -> None:
    game = laid("mixed")
    game.submit(Out((1,)))
    assert game.pending == Chance(ChanceKind.SIDES, (Draw(2),) * 10)
    game.submit(Drawn((1,) * 10))
    assert faces(game)[0] == "Barbs"
    assert game.pending == Chance(ChanceKind.DICE, (Draw(6),) * 12)


def test_no_tiles_are_laid_when_all_have_left() -> None:
    game = laid("mixed")
    game.submit(Out((0, 1, 2)))
    assert isinstance(game.pending, Over)
    assert game.state.tiles == []


def test_a_tile_must_be_taken_and_only_one_of_those_offered() -> None:
    play = seated(DARK, Sits(), Sits(CITY))
    play.state.tiles = [DECK, DECK + 2, DECK + 8]
    play.roll("111222")
    play.default_until("tile")
    for wrong in (Pass(), Take(DECK + 8), Take(DECK + 1), Take(0)):
        with pytest.raises(IllegalAction):
            play.game.submit(Answered(0, wrong))
    play.say(0, Take(DECK + 2))
    assert play.state.tiles == [DECK, DECK + 8]
    assert [held.item for held in play.monster(0).holdings] == [DECK + 2]


def test_a_seat_that_leaves_at_the_tile_decision_takes_none() -> None:
    play = seated(DARK, Sits(), Sits(CITY), Sits())
    play.state.tiles = [DECK, DECK + 2]
    play.roll("111222")
    play.default_until("tile")
    play.out(2)
    assert play.asks == (0, "tile"), "another seat's leaving changes nothing"
    play.out(0)
    assert play.state.tiles == [DECK, DECK + 2]
