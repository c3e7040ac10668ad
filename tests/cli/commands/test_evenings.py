"""Sums over games: who counts, what chance is, and the test of the dice."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from kotp2p.cli.extras.games.evenings import (
    BOTS,
    Dice,
    chi_square_tail_5,
    sum_up_evenings,
)
from kotp2p.extras.recording import LogFacts, PlayerFacts

ANA = PlayerFacts("Ana", "aa", "Gigazaur", False, ("Wings", "Wings", "Nova Breath"), (5,) * 6)
REX = PlayerFacts("Rex", "bb", "The King", False, ("Wings",), (1, 0, 0, 0, 0, 0))
BOT = PlayerFacts("Nina", "cc", "Kraken", True)
GAME = LogFacts(
    "11", "sound", game="g1", rules="second", turns=12, players=(ANA, REX), winners=(0,),
    by_points=True,
)  # fmt: skip
OTHER = replace(GAME, sha256="22", game="g2", turns=20, players=(ANA, REX, BOT), winners=(2,),
                by_points=False)  # fmt: skip


def test_wins_are_counted_by_key_with_chance_by_the_size_of_the_table() -> None:
    found = sum_up_evenings([GAME, OTHER])
    assert [(one.name, one.rate.of, float(one.rate.won)) for one in found.players] == [
        (BOTS, 1, 1), ("Ana", 2, 1), ("Rex", 2, 0),
    ]  # fmt: skip
    ana = found.players[1]
    assert ana.rate.chance == pytest.approx((1 / 2 + 1 / 3) / 2)
    assert ana.by_points == 1
    assert [one.name for one in found.monsters] == ["Gigazaur", "The King", "Kraken"]


def test_a_player_has_the_last_name_that_the_key_had() -> None:
    renamed = replace(OTHER, players=(replace(ANA, name="Anna"), REX, BOT))
    assert "Anna" in [one.name for one in sum_up_evenings([GAME, renamed]).players]
    namesake = replace(OTHER, players=(replace(ANA, key="dd"), REX, BOT))
    assert [one.key for one in sum_up_evenings([GAME, namesake]).players] == ["", "bb", "aa", "dd"]


def test_a_shared_victory_is_half_a_win_for_each() -> None:
    found = sum_up_evenings([replace(GAME, winners=(0, 1))])
    assert [one.rate.won for one in found.players] == [Fraction(1, 2)] * 2


def test_each_game_counts_once_and_only_whole_and_sound_ones() -> None:
    found = sum_up_evenings([
        GAME,
        GAME,
        replace(OTHER, result="wrong"),
        replace(OTHER, result="unfinished"),
        replace(OTHER, winners=None),
        replace(OTHER, winners=()),
    ])  # fmt: skip
    assert (found.games, found.copies, found.without_winner) == (2, 1, 1)


def test_a_card_counts_once_for_each_seat_that_has_bought_it() -> None:
    cards = {one.name: one.rate for one in sum_up_evenings([GAME]).cards}
    assert (cards["Wings"].of, float(cards["Wings"].won)) == (2, 1)
    assert (cards["Nova Breath"].of, float(cards["Nova Breath"].won)) == (1, 1)


def test_lengths_are_those_of_a_rule_set() -> None:
    classic = replace(OTHER, game="g3", rules="classic", turns=7)
    first, second = sum_up_evenings([OTHER, GAME, classic]).lengths
    assert (first.rules, first.turns, first.by_points) == ("classic", (7,), 0)
    assert (second.rules, second.turns, second.by_points, second.mean) == (
        "second",
        (12, 20),
        1,
        16,
    )


def test_dice_are_added_up() -> None:
    found = sum_up_evenings([GAME, OTHER])
    assert found.dice.faces == (12, 10, 10, 10, 10, 10)
    assert [one.name for one in found.dice_of_players] == [BOTS, "Ana", "Rex"]


@pytest.mark.parametrize(
    ("value", "probability"),
    [(0, 1), (1.1455, 0.95), (4.3515, 0.5), (11.0705, 0.05), (15.0863, 0.01), (20.515, 0.001)],
)
def test_the_tail_of_chi_square_is_that_of_the_tables(value: float, probability: float) -> None:
    assert chi_square_tail_5(value) == pytest.approx(probability, abs=5e-5)


def test_equal_counts_are_as_fair_as_can_be_and_loaded_dice_are_found() -> None:
    assert Dice("", (7,) * 6).chi_square == 0
    assert Dice("", (7,) * 6).p_value == 1
    assert Dice("", (0,) * 6).p_value == 1
    assert Dice("", (200, 100, 100, 100, 100, 100)).p_value < 1e-6


def test_fair_dice_are_called_uneven_as_often_as_the_test_says() -> None:
    random = Random(1)
    uneven = 0
    for _n in range(2000):
        rolled = [random.randrange(6) for _die in range(120)]
        dice = Dice("", tuple(rolled.count(face) for face in range(6)))
        uneven += dice.p_value < 0.05
    assert 60 < uneven < 140
