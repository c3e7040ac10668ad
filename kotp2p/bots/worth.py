"""What a position is worth to a seat, and what an answer leads to.

Law: reads the game, plays answers on a fork, never on the game itself, and names no card and
no rule set. The unit is one victory point. The numbers are judgement, tuned by
`python -m bench.bots`; nothing else in the project depends on them.
"""

from __future__ import annotations

from referee.game import Game
from referee.model.answers import Answer, Answered, Drawn, IllegalAction, Seat
from referee.model.decisions import Chance, ChanceKind, Over
from referee.model.state import NO_ITEM, Holding, Monster, Place, State

VICTORY = 60.0

HEARTS = (0.0, 5.0, 8.0, 10.2, 12.0, 13.4, 14.5, 15.4, 16.1, 16.7, 17.2, 17.5, 17.8)
"""Of having so many: the last ones are the dearest."""
ENERGY = 0.3
KEEP_CARD = 0.7
"""Of each energy on the price tag of a Keep card, as long as the game is young."""
TILE = 0.5
"""Of each step of the wickedness track: of the way to a tile, and of a tile by where it lay, as
long as the game is young."""
POISON = 1.2
SHRINK = 1.6
RIVAL = 0.8
"""Of what is good for one rival, as harm to oneself, shared among all rivals but never less
than a fifth."""
KILL = 3.5
PATIENCE = 40
"""Steps that a look ahead follows before it is broken off."""


def hearts_worth(hearts: int) -> float:
    return HEARTS[max(0, min(hearts, len(HEARTS) - 1))]


def rival_share(state: State) -> float:
    """How much a rival's gain hurts: all of it when it is the only one left."""
    rivals = len(state.seats_alive()) - 1
    return max(0.2, RIVAL * 2 / (rivals + 1)) if rivals > 1 else 0.9


def points_worth(points: int, goal: int) -> float:
    """The last points before the goal count more than the first."""
    return points + max(0, points - goal * 0.6) * 0.25


def card_worth(game: Game, holding: Holding) -> float:
    """A share of the price; a copying card is worth what it copies."""
    item = holding.item if holding.copies == NO_ITEM else holding.copies
    if item >= len(game.setup.deck):
        return TILE * game.setup.tile(item).step
    return KEEP_CARD * game.card(item).cost


def monster_worth(game: Game, monster: Monster, youth: float) -> float:
    """Of being this monster; `youth`: 1 at the start of the game, towards 0 near its end."""
    if not monster.alive:
        return 0.0
    worth = points_worth(monster.points, game.setup.rules.goal) + hearts_worth(monster.hearts)
    worth += ENERGY * monster.energy - POISON * monster.poison - SHRINK * monster.shrink
    worth += youth * sum([card_worth(game, holding) for holding in monster.holdings])
    if monster.sheltered:
        worth += 0.5
    return worth


def game_youth(state: State, goal: int) -> float:
    """How much of the game is still to come, by its leader."""
    lead = max([m.points for m in state.monsters if m.alive], default=goal)
    return max(0.15, 1.0 - lead / goal)


def position_worth(game: Game, seat: Seat) -> float:
    state, goal = game.state, game.setup.rules.goal
    if state.winners is not None:
        return VICTORY / len(state.winners) if seat in state.winners else -VICTORY
    me = state.monsters[seat]
    if not me.alive:
        return -VICTORY
    youth = game_youth(state, goal)
    worth = monster_worth(game, me, youth)
    if me.points >= goal:
        worth += VICTORY / 2
    share = rival_share(state)
    for rival in state.monsters:
        if rival.seat == seat or not rival.alive:
            continue
        worth -= share * monster_worth(game, rival, youth) + KILL
        if rival.points >= goal:
            worth -= VICTORY / 2
    return worth


def attacked(state: State, seat: Seat) -> list[Monster]:
    """Whom plain claws of `seat` would hit."""
    inside = state.monsters[seat].place is not Place.OUTSIDE
    return [
        m
        for m in state.monsters
        if m.alive and m.seat != seat and (m.place is not Place.OUTSIDE) != inside
    ]


def outlook(game: Game, answer: Answer, seat: Seat) -> float | None:
    """What the position is worth to `seat` if it gives `answer` and everybody then lets things
    go their default way, until dice fall or the turn is over; None if the answer is refused."""
    fork = game.fork()
    turn = fork.state.turn
    try:
        fork.submit(Answered(seat, answer))
    except IllegalAction:
        return None
    for _ in range(PATIENCE):
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
    """Legal values for a draw whose outcome does not matter to the asker."""
    given: dict[int, int] = {}
    values = []
    for draw in chance.draws:
        value = given.get(draw.pool, 0) if draw.pool >= 0 else 0
        given[draw.pool] = value + 1
        values.append(value)
    return tuple(values)
