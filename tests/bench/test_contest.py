"""Games of a contest: each follows from the contest and its number, wherever it is played."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from bench.contest import (
    Contender,
    Contest,
    contender_at,
    contender_of_level,
    play_game,
    play_games,
)
from kotp2p.extras.bots import Noise
from kotp2p.referee.box.rulesets import RULE_SETS
from kotp2p.referee.game import Game
from kotp2p.referee.model.answers import Answer, Item
from kotp2p.referee.model.decisions import Decision

EASY = contender_of_level("easy")
CONTEST = Contest("second", (EASY, EASY, EASY), seed=1)


def test_a_game_is_the_same_each_time_and_another_one_for_each_number_and_seed() -> None:
    assert play_game(CONTEST, 3) == play_game(CONTEST, 3)
    assert play_game(CONTEST, 3) != play_game(CONTEST, 4)
    other = Contest("second", (EASY, EASY, EASY), seed=2)
    assert play_game(CONTEST, 3) != play_game(other, 3)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_result_tells_what_has_happened_in_the_game(rules: str) -> None:
    results = [play_game(Contest(rules, (EASY, EASY), seed=5), n) for n in range(12)]
    assert {result.first for result in results} == {0, 1}
    names = {card.name for card in RULE_SETS[rules].cards}
    bought = {name for result in results for seat in result.bought for name in seat}
    assert bought and bought <= names
    assert all(result.turns > 1 and len(result.bought) == 2 for result in results)
    assert all(set(result.winners) <= {0, 1} for result in results)


def broken_chooser(game: Game, decision: Decision, noise: Noise, top: Item | None) -> Answer:
    raise ValueError("no idea")


def test_an_error_of_a_bot_comes_out_where_the_results_are_taken() -> None:
    contest = Contest("second", (EASY, Contender("broken", broken_chooser)), seed=1)
    with ThreadPoolExecutor(1) as threads, pytest.raises(ValueError, match="no idea"):
        list(play_games(contest, range(2), threads, at_once=2))


def test_each_contender_has_each_seat_as_often() -> None:
    contest = Contest("second", (EASY, contender_of_level("normal"), EASY), seed=1)
    seats = [[contender_at(contest, number, seat) for seat in range(3)] for number in range(3)]
    assert seats == [[0, 1, 2], [1, 2, 0], [2, 0, 1]]


def test_a_level_that_does_not_exist_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="'grand'"):
        contender_of_level("grand")
