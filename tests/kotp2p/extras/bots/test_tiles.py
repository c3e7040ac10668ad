"""How bots take wickedness tiles."""

from __future__ import annotations

import pytest

from kotp2p.extras.bots import LEVELS, Noise, choose
from kotp2p.referee.box.rulesets import DARK
from kotp2p.referee.model.answers import Reroll, Take
from kotp2p.referee.model.decisions import TileDecision
from tests.support.referee_table import CITY, Played, Sits, seated

DECK = len(DARK.deck())


def reached_six(hearts: int, rival: int) -> Played:
    """Two tiles of step 6 lie there: Full Regeneration and Widespread Panic."""
    there = seated(DARK, Sits(hearts=hearts), Sits(CITY, points=rival), Sits())
    state = there.state.copy()
    state.monsters[0].wickedness = 5
    state.monsters[0].steps = (3,)
    state.tiles = [DECK + 12, DECK + 14]
    play = Played(there.game.setup, state)
    play.roll("222113")
    play.default_until("tile")
    return play


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_takes_one_of_those_offered(level: str) -> None:
    play = reached_six(5, 0)
    assert isinstance(play.decision, TileDecision)
    answer = choose(level, play.game, play.decision, Noise(b"tiles"), None)
    assert play.decision.is_legal(answer)


@pytest.mark.parametrize(("hearts", "rival", "tile"), [(1, 0, DECK + 12), (10, 19, DECK + 14)])
def test_normal_takes_what_helps_now(hearts: int, rival: int, tile: int) -> None:
    play = reached_six(hearts, rival)
    assert choose("normal", play.game, play.decision, Noise(b"tiles"), None) == Take(tile)


def test_normal_goes_for_the_third_one_that_brings_a_tile() -> None:
    play = seated(DARK, Sits(), Sits(), Sits(CITY))
    play.roll("111123")
    answer = choose("normal", play.game, play.decision, Noise(b"tiles"), None)
    assert isinstance(answer, Reroll)
    assert set(answer.dice) <= {3, 4, 5}, "the triple is kept"
