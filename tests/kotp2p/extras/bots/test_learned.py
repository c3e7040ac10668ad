"""What the network of `hard` sees of a position, and what it makes of it."""

from itertools import chain

import pytest

from bench.whole_game import play
from kotp2p.extras.bots import Noise, choose, learned
from kotp2p.extras.bots.card_worths import lasting_worths
from kotp2p.extras.bots.chances import UNKNOWING, View, winning_chance
from kotp2p.referee.box.rulesets import DARK, SECOND, Setup
from kotp2p.referee.game import Game
from kotp2p.referee.model.answers import Answer, Item
from kotp2p.referee.model.decisions import Decision
from tests.support.referee_table import BAY, CITY, Played, Sits, seated

KINDS = {**learned.STEPPED, **learned.NAMED}


def see(play: Played, seat: int) -> learned.Sight:
    return learned.see_table(play.game, UNKNOWING)[seat]


def chances(play: Played) -> list[float]:
    seats = range(len(play.state.monsters))
    return [winning_chance(play.game, s, UNKNOWING, learned.standings_by_network) for s in seats]


def test_hearts_points_and_energy_are_seen_as_they_are_up_to_the_end_of_their_tables() -> None:
    play = seated(SECOND, Sits(hearts=4, points=7, energy=3), Sits(hearts=13, energy=40))
    own, other = see(play, 0), see(play, 1)
    assert [own[kind] for kind in ("hearts", "points", "energy")] == [4, 7, 3]
    assert [other[kind] for kind in ("hearts", "points", "energy")] == [12, 0, 12]


def test_the_points_of_another_goal_are_put_on_the_dial_of_twenty() -> None:
    play = seated(DARK, Sits(points=DARK.goal - 1), Sits())
    assert see(play, 0)["points"] == (DARK.goal - 1) * 20 // DARK.goal


def test_of_the_rivals_the_best_the_second_and_the_weakest_are_seen() -> None:
    rivals = Sits(points=9, hearts=3), Sits(points=12, hearts=8), Sits(points=2, hearts=5)
    found = see(seated(SECOND, Sits(points=19, hearts=1), *rivals), 0)
    assert found["points of the best rival"] == 12
    assert found["points of the second-best rival"] == 9
    assert found["hearts of the weakest rival"] == 3
    assert found["mean hearts of the rivals"] == pytest.approx(16 / 3 / 10)


def test_the_hearts_of_a_rival_in_tokyo_are_seen_and_nobody_there_is_none() -> None:
    name = "hearts of the weakest rival in Tokyo, and one"
    assert see(seated(SECOND, Sits(), Sits(CITY, hearts=6)), 0)[name] == 7
    assert see(seated(SECOND, Sits(), Sits()), 0)[name] == 0
    assert see(seated(SECOND, Sits(), Sits(CITY)), 1)[name] == 0


def test_a_place_is_seen_with_the_attackers_before_the_own_turn() -> None:
    outside, city, bay = Sits(), Sits(CITY), Sits(BAY)
    play = seated(SECOND, outside, city, outside, outside, bay, outside)
    places = [see(play, seat)["place"] for seat in range(6)]
    last_in_city = 1 + learned.MOST_ATTACKERS + 1
    assert places == [0, 1 + 1 + 1, 0, 0, last_in_city + 1 + 1 + 3, 0]
    assert see(seated(SECOND, Sits(CITY), Sits()), 0)["place"] == 1
    assert max(places) < learned.PLACES


def test_who_holds_out_with_enough_points_is_seen_to_win() -> None:
    name = "the same, if that wins"
    assert see(seated(SECOND, Sits(), Sits(CITY, points=18)), 1)[name] > 0
    assert see(seated(SECOND, Sits(), Sits(CITY, points=17)), 1)[name] == 0
    assert see(seated(SECOND, Sits(), Sits(points=18)), 1)[name] == 0


def test_in_whole_games_no_sight_leaves_its_tables() -> None:
    seen: list[learned.Sight] = []

    def answer(game: Game, decision: Decision, top: Item | None) -> Answer:
        if len(game.state.seats_alive()) > 1:
            seen.extend(learned.see_table(game, View(lasting_worths(game))).values())
        return choose("easy", game, decision, Noise(bytes([decision.seat])), top)

    for seats in (2, 6):
        play(Setup(DARK, seats, DARK.deck()), [answer] * seats, Noise(b"sights"))
    for sight in seen:
        assert sight.keys() == KINDS.keys() | learned.AMOUNTS
        assert all(0 <= sight[kind] < size for kind, size in KINDS.items())


def test_the_network_in_the_package_has_a_table_for_each_kind() -> None:
    network = learned.load_network()
    assert {kind: len(table) for kind, table in network.tables.items()} == KINDS
    assert network.amounts.keys() == set(learned.AMOUNTS)
    rows = [*network.amounts.values(), *chain.from_iterable(network.tables.values())]
    assert {len(row) for row in rows} == {len(network.weights)}


def test_the_last_monster_is_sure_to_win() -> None:
    play = seated(SECOND, Sits(hearts=1), Sits(CITY))
    state = play.state.copy()
    state.monsters[1].alive = False
    assert chances(Played(play.game.setup, state)) == [1.0, 0.0]


def test_a_standing_adds_tables_and_amounts_and_counts_no_negative_unit() -> None:
    tables = {kind: [[1.0, 0.0], [2.0, -9.0]] for kind in KINDS}
    amounts = {amount: [10.0, 0.0] for amount in learned.AMOUNTS}
    network = learned.Network(tables, amounts, weights=[0.5, 7.0])
    own = network.add_up({"hearts": 0, "points": 1, "poison": 0.25, "shrink": 0})
    assert own == [1 + 2 + 2.5, -9]
    assert network.standing(own, [100, 8]) == 0.5 * (5.5 + 100)
    assert network.standing(own, [100, 10]) == 0.5 * (5.5 + 100) + 7 * 1
