"""What the results of a contest come to: shares, intervals, places in the turn order, cards."""

from fractions import Fraction

import pytest

from bench.contest import Contest, GameResult, contender_of_level
from bench.standings import Rate, sum_up

NORMAL, EASY = contender_of_level("normal"), contender_of_level("easy")
CONTEST = Contest("second", (NORMAL, EASY, EASY), seed=1)
RESULTS = (
    # normal has seat 0, 2, 1 in these games, and the seats 2, 0, 1 begin
    GameResult(0, (0,), 2, 10, (("Jets", "Heal"), (), ("Heal",))),
    GameResult(1, (0, 2), 0, 20, ((), (), ("Jets",))),
    GameResult(2, (), 1, 30, (("Heal",), ("Heal", "Heal"), ())),
)


def test_wins_count_by_name_and_a_shared_victory_by_its_share() -> None:
    standings = sum_up(CONTEST, RESULTS)
    normal, easy = standings.contenders
    assert (normal.name, normal.seats, normal.wins.won) == ("normal", 1, Fraction(3, 2))
    assert (easy.name, easy.seats, easy.wins.won) == ("easy", 2, Fraction(1, 2))
    assert (normal.wins.of, easy.wins.of) == (3, 3)
    assert normal.wins.chance == pytest.approx(1 / 3)
    assert easy.wins.chance == pytest.approx(2 / 3)
    assert (standings.shared, standings.without_winner) == (1, 1)


def test_purchases_and_turns_are_means() -> None:
    standings = sum_up(CONTEST, RESULTS)
    assert (standings.games, standings.turns) == (3, 20)
    assert standings.purchases == pytest.approx(7 / 3)
    normal, easy = standings.contenders
    assert normal.purchases == pytest.approx(5 / 3)
    assert easy.purchases == pytest.approx(2 / 6)


def test_places_are_counted_from_the_seat_that_began() -> None:
    """Seat 0 is the second of game 0 and the first of game 1, where seat 2 is the third."""
    assert [rate.won for rate in sum_up(CONTEST, RESULTS).places] == [
        Fraction(1, 2), 1, Fraction(1, 2),
    ]  # fmt: skip


def test_a_card_counts_once_for_each_of_its_buyers_in_a_game() -> None:
    heal, jets = sum_up(CONTEST, RESULTS).cards
    assert (heal.name, heal.wins.of, heal.wins.won) == ("Heal", 4, Fraction(1))
    assert (jets.name, jets.wins.of, jets.wins.won) == ("Jets", 2, Fraction(3, 2))


def test_the_order_of_the_results_does_not_matter() -> None:
    assert sum_up(CONTEST, reversed(RESULTS)) == sum_up(CONTEST, RESULTS)


@pytest.mark.parametrize(
    ("won", "of", "low", "high"),
    [
        (5, 10, 0.2366, 0.7634),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (81, 263, 0.2553, 0.3662),
    ],
)
def test_the_interval_is_that_of_wilson(won: int, of: int, low: float, high: float) -> None:
    assert Rate(Fraction(won), of, 0.25).interval == pytest.approx((low, high), abs=5e-5)


def test_without_a_game_nothing_is_known() -> None:
    standings = sum_up(CONTEST, ())
    assert (standings.games, standings.turns, standings.cards) == (0, 0, ())
    assert standings.contenders[0].wins.interval == (0.0, 1.0)
