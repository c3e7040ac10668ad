"""Random legal play of short games in all rule sets, with seats leaving anywhere."""

from collections.abc import Iterator
from random import Random

from hypothesis import strategies as st

from kotp2p.referee.box.cards import SIDES as TILE_SIDES
from kotp2p.referee.box.cards import TRACK_STEPS, faces_lying_up
from kotp2p.referee.box.rulesets import RULE_SETS, TILE_SIDE_OPTIONS, Options, RuleSet, Setup
from kotp2p.referee.game import Game
from kotp2p.referee.model import decisions
from kotp2p.referee.model.answers import Answer, Answered, BuyTop, Input, Looked, Out, Reroll
from kotp2p.referee.model.state import Holding, Monster, State
from tests.support.local_game import draw
from tests.support.referee_table import shorten

MOST_INPUTS = 3000


TABLES = st.tuples(
    st.sampled_from(sorted(RULE_SETS)), st.integers(2, 6), st.integers(0, 2**32), st.booleans()
)


def choose_answer(decision: decisions.Decision, random: Random) -> Answer:
    """One legal answer. A reroll is made up, since the list of all rerolls is long."""
    if (
        isinstance(decision, decisions.RollDecision)
        and decision.rolls_left
        and random.random() < 0.6
    ):
        dice = tuple(i for i in range(len(decision.dice)) if random.random() < 0.5)
        return Reroll(dice) if dice else decision.default
    answers = list(decision.legal_answers())
    if isinstance(decision, decisions.BuyDecision):
        answers += [BuyTop(offer.card) for offer in decision.tops[:3]]
    return random.choice(answers)


def draw_outcome(chance: decisions.Chance, random: Random) -> Input:
    if chance.kind is decisions.ChanceKind.LOOK:
        assert chance.seat is not None
        return Looked(3, chance.seat)
    return draw(chance, random)


def next_input(game: Game, random: Random, leaving: float) -> Input:
    alive = game.state.seats_alive()
    if random.random() < leaving and alive:
        count = random.randint(1, len(alive)) if random.random() < 0.1 else 1
        return Out(tuple(sorted(random.sample(alive, count))))
    pending = game.pending
    assert not isinstance(pending, decisions.Over)
    if isinstance(pending, decisions.Chance):
        return draw_outcome(pending, random)
    return Answered(pending.seat, choose_answer(pending, random))


def make_setup(name: str, seats: int, seed: int) -> Setup:
    """A set-up; the seed decides on the options, so that each is used by some seed."""
    rules: RuleSet = shorten(RULE_SETS[name])
    options = Options(
        two_player=seats == 2 and seed % 5 < 2,
        bay_for_beginners=rules.for_beginners and seed % 5 < 2,
        tile_sides=TILE_SIDE_OPTIONS[seed % 3] if rules.tiles else "red",
    )
    return Setup(rules, seats, rules.deck(), options)


def first_state(setup: Setup) -> State:
    monsters = [Monster(seat, hearts=setup.rules.hearts) for seat in range(setup.seats)]
    return State(monsters, undrawn=list(range(len(setup.deck))))


def rich_game(name: str, seats: int, random: Random) -> Game:
    """A game in which each monster has energy, many have a tile, and some have cards."""
    setup = make_setup(name, seats, random.randint(0, 30))
    state = first_state(setup)
    sides = tuple(random.choice(TILE_SIDES) for _ in range(len(setup.rules.tiles) // 2))
    state.tiles = [len(setup.deck) + face for face in faces_lying_up(sides)]
    for monster in state.monsters:
        monster.energy = random.randint(0, 12)
        if state.tiles and random.random() < 0.7:
            tile = state.tiles.pop(random.randrange(len(state.tiles)))
            state.acquisitions += 1
            monster.holdings.append(Holding(tile, state.acquisitions))
            monster.wickedness = random.choice((0, 2, 5, 9))
            monster.steps = tuple(step for step in TRACK_STEPS if step <= monster.wickedness)
    state.market = [state.undrawn.pop(random.randrange(len(state.undrawn))) for _ in range(3)]
    return Game.at_turn_start(setup, state)


def play_whole_game(
    name: str, seats: int, seed: int, leaving: bool
) -> Iterator[tuple[Game, Random]]:
    """The game at each of its nodes, one after the other, for the caller to look at."""
    random = Random(seed)
    game = Game(make_setup(name, seats, seed)) if seed % 2 else rich_game(name, seats, random)
    for _ in range(MOST_INPUTS):
        yield game, random
        if isinstance(game.pending, decisions.Over):
            return
        game.submit(next_input(game, random, 0.02 if leaving else 0))
    raise AssertionError("the game does not end")
