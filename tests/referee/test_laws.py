"""Laws that hold in every game: random legal play in all rule sets, with seats leaving anywhere.

Games are short (few hearts, a low goal) so that many whole ones are played.
"""

import os
import subprocess
import sys
from random import Random

import pytest
from hypothesis import given, settings

from kotp2p.referee.box.rulesets import RULE_SETS, Setup
from kotp2p.referee.game import Game
from kotp2p.referee.model import answers
from kotp2p.referee.model.decisions import BuyDecision, Chance, ChanceKind, Over, RollDecision
from kotp2p.referee.model.events import TurnStarted
from kotp2p.referee.model.state import Place
from kotp2p.referee.rules.turn import find_next_turn
from kotp2p.referee.table.table import Table
from tests.support import random_games

WRONG: tuple[answers.Input, ...] = (
    answers.Answered(0, answers.Order(())),
    answers.Answered(1, answers.Reroll((9,))),
    answers.Answered(6, answers.Stop()),
    answers.Drawn((10**6,)),
    answers.Drawn(()),
    answers.Looked(0, 7),
    answers.Out(()),
    answers.Out((6,)),
)


@given(random_games.TABLES)
@settings(max_examples=150, deadline=None)
def test_values_stay_on_their_dials(table: tuple[str, int, int, bool]) -> None:
    for game, _ in random_games.play_whole_game(*table):
        for monster in game.state.monsters:
            assert 0 <= monster.points <= 20
            assert monster.energy >= 0
            assert 0 <= monster.hearts <= game.max_hearts(monster.seat)
            assert min(monster.poison, monster.shrink) >= 0
            if not monster.alive:
                assert (monster.hearts, monster.energy, monster.holdings) == (0, 0, [])
                assert monster.place is Place.OUTSIDE


@given(random_games.TABLES)
@settings(max_examples=150, deadline=None)
def test_each_card_lies_in_one_place(table: tuple[str, int, int, bool]) -> None:
    for game, _ in random_games.play_whole_game(*table):
        state = game.state
        cards = len(game.setup.deck)
        owned = [h.item for m in state.monsters for h in m.holdings if h.item < cards]
        there = [item for item in state.market if item is not None]
        everywhere = there + owned + state.undrawn + state.discard + state.resolving
        assert sorted(everywhere) == list(range(len(game.setup.deck)))
        assert state.undrawn == sorted(state.undrawn)


@given(random_games.TABLES)
@settings(max_examples=150, deadline=None)
def test_each_place_in_tokyo_holds_one_monster_and_the_bay_closes(
    table: tuple[str, int, int, bool],
) -> None:
    for game, _ in random_games.play_whole_game(*table):
        places = [m.place for m in game.state.monsters]
        assert places.count(Place.CITY) <= 1
        assert places.count(Place.BAY) <= (len(game.state.seats_alive()) >= 5)


@given(random_games.TABLES)
@settings(max_examples=150, deadline=None)
def test_a_tile_shows_one_face_in_one_place(table: tuple[str, int, int, bool]) -> None:
    """And no monster has two tiles of one step."""
    laid: set[int] = set()
    for game, _ in random_games.play_whole_game(*table):
        setup = game.setup
        held = [
            [h.item for h in m.holdings if h.item >= len(setup.deck)] for m in game.state.monsters
        ]
        everywhere = game.state.tiles + [item for items in held for item in items]
        laid = laid or set(everywhere)
        assert len(set(everywhere)) == len(everywhere)
        assert set(everywhere) <= laid
        assert len({(item - len(setup.deck)) // 2 for item in everywhere}) == len(everywhere)
        for items in held:
            assert len({setup.tile(item).step for item in items}) == len(items)
    from_the_start = table[2] % 2  # a rich game may begin with a Final Push that is just over
    if laid and from_the_start:  # all may have left before
        assert len(laid) == len(setup.rules.tiles) // 2


@given(random_games.TABLES)
@settings(max_examples=150, deadline=None)
def test_a_seat_that_is_asked_is_alive_and_has_a_choice(table: tuple[str, int, int, bool]) -> None:
    for game, _ in random_games.play_whole_game(*table):
        pending = game.pending
        if isinstance(pending, Over):
            assert game.state.winners == pending.winners
        elif isinstance(pending, Chance):
            assert pending.draws or pending.kind is ChanceKind.LOOK
            assert game.state.seats_alive()
        else:
            assert game.state.monsters[pending.seat].alive
            assert pending.is_legal(pending.default)
            if not isinstance(pending, RollDecision):
                legal = list(pending.legal_answers())
                assert all(pending.is_legal(answer) for answer in legal)
                assert len(legal) > 1 or (isinstance(pending, BuyDecision) and pending.top)


@given(random_games.TABLES)
@settings(max_examples=150, deadline=None)
def test_folded_events_give_the_state(table: tuple[str, int, int, bool]) -> None:
    name, seats, seed, leaving = table
    random = Random(seed)
    game = Game(random_games.make_setup(name, seats, seed))
    state = game.state.copy()
    while not isinstance(game.pending, Over):
        for event in game.submit(random_games.next_input(game, random, 0.02 if leaving else 0)):
            event.apply(state)
        assert state == game.state


@given(random_games.TABLES)
@settings(max_examples=100, deadline=None)
def test_the_same_inputs_give_the_same_game(table: tuple[str, int, int, bool]) -> None:
    name, seats, seed, leaving = table
    random = Random(seed)
    setup = random_games.make_setup(name, seats, seed)
    one, other = Game(setup), Game(setup)
    while not isinstance(one.pending, Over):
        given_input = random_games.next_input(one, random, 0.02 if leaving else 0)
        assert one.submit(given_input) == other.submit(given_input)
        assert one.pending == other.pending
        assert one.digest() == other.digest()


@given(random_games.TABLES)
@settings(max_examples=100, deadline=None)
def test_a_fork_is_equal_and_of_its_own(table: tuple[str, int, int, bool]) -> None:
    for game, random in random_games.play_whole_game(*table):
        if isinstance(game.pending, Over) or random.random() > 0.1:
            continue
        fork = game.fork()
        assert (fork.pending, fork.state) == (game.pending, game.state)
        before = game.position()
        step = random_games.next_input(fork, random, 0)
        events = fork.submit(step)
        assert game.position() == before
        assert game.fork().fork().submit(step) == events


@given(random_games.TABLES)
@settings(max_examples=100, deadline=None)
def test_an_illegal_input_changes_nothing(table: tuple[str, int, int, bool]) -> None:
    refused = 0
    for game, _ in random_games.play_whole_game(*table):
        before, pending = game.position(), game.pending
        for wrong in WRONG:
            if isinstance(wrong, answers.Drawn) and isinstance(pending, Chance):
                assert pending.why_illegal(wrong.values) is not None
            with pytest.raises(answers.IllegalAction):
                game.submit(wrong)
            refused += 1
        assert game.position() == before
        assert game.pending is pending
    assert refused


@given(random_games.TABLES)
@settings(max_examples=100, deadline=None)
def test_a_turn_can_be_taken_up_from_its_state(table: tuple[str, int, int, bool]) -> None:
    """Only the State outlives the end of a turn."""
    name, seats, seed, leaving = table
    random = Random(seed)
    game = Game(random_games.make_setup(name, seats, seed))
    while not isinstance(game.pending, Over):
        events = game.submit(random_games.next_input(game, random, 0.02 if leaving else 0))
        started = [event for event in events if isinstance(event, TurnStarted)]
        if not started or game.turn_end is None:
            continue
        again = Game.at_turn_start(game.setup, game.turn_end, find_next_turn(game.turn_end))
        assert again.pending == game.pending
        assert again.state == game.state


@given(random_games.TABLES)
@settings(max_examples=100, deadline=None)
def test_final_dice_are_a_roll_of_all_dice_and_a_stop(table: tuple[str, int, int, bool]) -> None:
    random = Random(table[2])
    for game, _ in random_games.play_whole_game(*table):
        decision = game.pending
        if not isinstance(decision, RollDecision) or not decision.rolls_left:
            continue
        dice = tuple(random.choices(tuple(answers.Face), k=len(decision.dice)))
        rolled = game.fork()
        rolled.submit(answers.Answered(decision.seat, answers.Reroll(tuple(range(len(dice))))))
        rolled.submit(answers.Drawn(dice))
        if isinstance(rolled.pending, RollDecision):
            rolled.submit(answers.Answered(decision.seat, answers.Stop()))
        for cheap in (game.at_final_dice(dice), game.at_final_dice(dice).fork()):
            assert (cheap.pending, cheap.state) == (rolled.pending, rolled.state)
            assert cheap.turn_end == rolled.turn_end
        if not isinstance(rolled.pending, Over):
            step = random_games.next_input(rolled, random, 0.05)
            assert cheap.submit(step) == rolled.submit(step)
            assert (cheap.pending, cheap.state) == (rolled.pending, rolled.state)


@given(random_games.TABLES)
@settings(max_examples=50, deadline=None)
def test_the_effects_in_play_are_those_of_the_state(table: tuple[str, int, int, bool]) -> None:
    for game, _ in random_games.play_whole_game(*table):
        anew = Table(game.setup, game.state, game._table.effects)
        assert game._table._in_play == anew._in_play


DIGEST = """
from random import Random
from kotp2p.referee.model.decisions import Over
from tests.support.random_games import rich_game, next_input
from hashlib import sha256
for name in ("classic", "second", "dark"):
    random, chain = Random(name), sha256()
    game = rich_game(name, 4, random)
    while not isinstance(game.pending, Over):
        game.submit(next_input(game, random, 0.01))
        chain.update(game.digest())
    print(name, chain.hexdigest())
"""


def test_digests_do_not_depend_on_the_hash_seed() -> None:
    found = set()
    for seed in ("0", "1", "77"):
        run = subprocess.run(
            [sys.executable, "-c", DIGEST],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        found.add(run.stdout)
    assert len(found) == 1
    assert len(found.pop().split()) == 6


@pytest.mark.parametrize("name", sorted(RULE_SETS))
def test_games_of_full_length_end(name: str) -> None:
    rules = RULE_SETS[name]
    for seed in range(8):
        random = Random(seed)
        game = Game(Setup(rules, 2 + seed % 5, rules.deck()))
        for _ in range(20 * random_games.MOST_INPUTS):
            if isinstance(game.pending, Over):
                break
            game.submit(random_games.next_input(game, random, 0))
        assert isinstance(game.pending, Over)
        assert game.state.winners is not None
