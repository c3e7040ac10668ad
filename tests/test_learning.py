"""How the network of `hard` learns: what it is given, what it aims at, and what is written down."""

import json
from random import Random

import numpy as np
import pytest

from bench import learning
from kotp2p.extras.bots.learned import AMOUNTS, NAMED, STEPPED, Network, Sight


def some_sight(random: Random) -> Sight:
    kinds = {kind: random.randrange(size) for kind, size in (STEPPED | NAMED).items()}
    return {**kinds, **{amount: random.random() for amount in AMOUNTS}}


def games_won_by_points(count: int) -> list[learning.SeenGame]:
    """Made up: whoever has more points wins; all else is chance."""
    random = Random(1)
    games = []
    for _ in range(count):
        position = {seat: some_sight(random) for seat in range(3)}
        points = {seat: sight["points"] for seat, sight in position.items()}
        games.append(learning.SeenGame((max(points, key=points.__getitem__),), [position]))
    return games


def test_a_game_is_read_back_as_it_was_written() -> None:
    game = learning.see_game("easy", 2, 1)
    assert game.positions
    read = learning.parse_game(learning.pack_game(game))
    assert read == game


def test_inputs_of_neighbours_differ_in_one_place() -> None:
    sight = dict.fromkeys(learning.SEEN, 0)
    rows = [learning.spread({**sight, "hearts": hearts}) for hearts in (4, 5)]
    assert len(rows[0]) == learning.INPUTS
    assert sum(a != b for a, b in zip(*rows, strict=True)) == 1


def test_what_decides_is_learned() -> None:
    lessons = learning.read_lessons(games_won_by_points(600))
    learner, losses = learning.fit(lessons)
    by_chance = learning.loss(
        np.where(lessons.lives, np.float32(1 / 3), np.float32(0)), lessons.wins
    )
    assert by_chance == pytest.approx(np.log(3), rel=1e-3)
    assert losses[-1] < 0.7 * by_chance
    assert learning.loss(learner.chances(lessons), lessons.wins) < 0.7 * by_chance


def test_the_written_network_says_the_same_as_the_one_that_has_learned() -> None:
    learner = learning.Fit.begin(np.random.default_rng(2))
    random = Random(3)
    position = {seat: some_sight(random) for seat in range(4)}
    network = Network(**json.loads(learning.pack_network(learner.parts)))
    nothing = [0.0] * len(network.weights)
    standings = np.array([
        network.standing(network.add_up(sight), nothing) for sight in position.values()
    ])  # fmt: skip
    shares = np.exp(standings) / np.exp(standings).sum()
    learned = learner.chances(learning.read_lessons([learning.SeenGame((0,), [position])]))[0]
    assert learned[:4] == pytest.approx(shares, abs=1e-3)
    assert not learned[4:].any()


def test_units_that_are_never_off_become_one_and_change_no_chance() -> None:
    random = Random(4)
    position = {seat: some_sight(random) for seat in range(5)}
    lessons = learning.read_lessons([learning.SeenGame((0,), [position])])
    learner = learning.Fit.begin(np.random.default_rng(2))
    learner.parts[1][:3] = 100
    before = learner.chances(lessons)
    learner.parts = learning.join_units(learner.parts, lessons)
    assert len(learner.parts[2]) < learning.HIDDEN
    assert learner.chances(lessons) == pytest.approx(before, abs=1e-4)


def test_later_turns_count_for_less_and_other_games_for_nothing() -> None:
    wins = np.array([[1, 0], [1, 0], [0, 1]], np.float32)
    lessons = learning.Lessons(
        np.zeros((3, 2, 1), np.float16), np.ones((3, 2), bool), wins, np.array([0, 0, 1])
    )
    chances = np.array([[0.5, 0.5], [0.25, 0.75], [0.5, 0.5]], np.float32)
    aims = learning.look_ahead(lessons, chances)
    assert aims[0] == pytest.approx(
        [learning.LASTING + (1 - learning.LASTING) * 0.25, (1 - learning.LASTING) * 0.75]
    )
    assert aims[1:] == pytest.approx(wins[1:])
