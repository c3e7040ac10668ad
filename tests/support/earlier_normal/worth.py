"""The worth of a position to a seat, and the outlook of an answer.

Scope: reads the game, and plays answers on a fork of it, never on the game itself. The unit is one
victory point. The figures are judgement, tuned by `python -m bench.bots`. Nothing outside this
room depends on them.
"""

from kotp2p.referee.game import GameReading
from kotp2p.referee.model.answers import Answer, Answered, Drawn, IllegalAction, Seat
from kotp2p.referee.model.decisions import Chance, ChanceKind, Over
from kotp2p.referee.model.state import NO_ITEM, Holding, Monster, Place, State

VICTORY_WORTH = 60.0

WORTH_OF_HEARTS = (0.0, 5.0, 8.0, 10.2, 12.0, 13.4, 14.5, 15.4, 16.1, 16.7, 17.2, 17.5, 17.8)
"""The worth of having 0, 1, 2 … hearts; the last hearts are the dearest."""
ENERGY_WORTH = 0.3
KEEP_CARD_SHARE = 0.7
"""The worth of a Keep card for each energy of its price, as long as the game is young."""
TILE_STEP_WORTH = 0.5
"""The worth of a step on the wickedness track, as long as the game is young. A tile is worth as
many steps as its place on the track."""
POISON_WORTH = 1.2
SHRINK_WORTH = 1.6
RIVAL_SHARE = 0.8
"""How much a rival's gain harms this seat, as a share of the gain. The share is split among all
rivals, but is never less than a fifth."""
KILL_WORTH = 3.5
MAX_FORESEEN_STEPS = 40
"""How many steps an outlook follows before it stops."""


def hearts_worth(hearts: int) -> float:
    """The worth of so many hearts; beyond the table no heart adds anything."""
    return WORTH_OF_HEARTS[max(0, min(hearts, len(WORTH_OF_HEARTS) - 1))]


def rival_share(state: State) -> float:
    """How much a rival's gain hurts: nearly all of it if only one rival is left."""
    rivals = len(state.seats_alive()) - 1
    return max(0.2, RIVAL_SHARE * 2 / (rivals + 1)) if rivals > 1 else 0.9


def points_worth(points: int, goal: int) -> float:
    """The last points before the goal count more than the first."""
    return points + max(0, points - goal * 0.6) * 0.25


def card_worth(game: GameReading, holding: Holding) -> float:
    """A share of the price; a copying card is worth what it copies."""
    item = holding.item if holding.copies == NO_ITEM else holding.copies
    if item >= len(game.setup.deck):
        return TILE_STEP_WORTH * game.setup.tile(item).step
    return KEEP_CARD_SHARE * game.card(item).cost


def monster_worth(game: GameReading, monster: Monster, youth: float) -> float:
    """The worth of being this monster. `youth` is 1 at the start and sinks towards the end."""
    if not monster.alive:
        return 0.0
    worth = points_worth(monster.points, game.setup.rules.goal) + hearts_worth(monster.hearts)
    worth += (
        ENERGY_WORTH * monster.energy
        - POISON_WORTH * monster.poison
        - SHRINK_WORTH * monster.shrink
    )
    worth += youth * sum([card_worth(game, holding) for holding in monster.holdings])
    if monster.sheltered:
        worth += 0.5
    return worth


def game_youth(state: State, goal: int) -> float:
    """How much of the game is still to come, by its leader."""
    lead = max([m.points for m in state.monsters if m.alive], default=goal)
    return max(0.15, 1.0 - lead / goal)


def position_worth(game: GameReading, seat: Seat) -> float:
    """The worth of the position to `seat`: its own monster's, less a share of each rival's."""
    state, goal = game.state, game.setup.rules.goal
    if state.winners is not None:
        return VICTORY_WORTH / len(state.winners) if seat in state.winners else -VICTORY_WORTH
    me = state.monsters[seat]
    if not me.alive:
        return -VICTORY_WORTH
    youth = game_youth(state, goal)
    worth = monster_worth(game, me, youth)
    if me.points >= goal:
        worth += VICTORY_WORTH / 2
    share = rival_share(state)
    for rival in state.monsters:
        if rival.seat == seat or not rival.alive:
            continue
        worth -= share * monster_worth(game, rival, youth) + KILL_WORTH
        if rival.points >= goal:
            worth -= VICTORY_WORTH / 2
    return worth


def victims_of_claws(state: State, seat: Seat) -> list[Monster]:
    """The monsters that plain claws of `seat` would hit."""
    inside = state.monsters[seat].place is not Place.OUTSIDE
    return [
        m
        for m in state.monsters
        if m.alive and m.seat != seat and (m.place is not Place.OUTSIDE) != inside
    ]


def outlook(game: GameReading, answer: Answer, seat: Seat) -> float | None:
    """The worth of the position after `answer`, to `seat`; None if the answer is refused.

    All further decisions take their default, until dice are rolled or the turn is over.
    """
    fork = game.fork()
    turn = fork.state.turn
    try:
        fork.submit(Answered(seat, answer))
    except IllegalAction:
        return None
    for _ in range(MAX_FORESEEN_STEPS):
        pending = fork.pending
        if fork.state.turn != turn or isinstance(pending, Over):
            break
        if isinstance(pending, Chance):
            if pending.kind is not ChanceKind.CARDS:
                break
            fork.submit(Drawn(_first_values(pending)))
        else:
            fork.submit(Answered(pending.seat, pending.default))
    return position_worth(fork, seat)


def _first_values(chance: Chance) -> tuple[int, ...]:
    """Any legal values for a draw whose outcome does not matter to the outlook."""
    given: dict[int, int] = {}
    values = []
    for draw in chance.draws:
        value = given.get(draw.pool, 0) if draw.pool >= 0 else 0
        given[draw.pool] = value + 1
        values.append(value)
    return tuple(values)
