"""The worth of a final roll to the monster that rolled it, in points.

Scope: one number for each multiset of faces. It is added up from a table for each face, so that
hundreds of rolls are valued in no time.
Known limitation: only the plain rules of the dice count, and no card that changes a roll.
"""

from collections.abc import Callable

from kotp2p.extras.bots.dice import Counts
from kotp2p.referee.game import GameReading
from kotp2p.referee.model.answers import Face, Seat
from kotp2p.referee.model.state import Monster, Place
from kotp2p.referee.rules.resolving import TRACK_END
from tests.support.earlier_normal.worth import (
    ENERGY_WORTH,
    KILL_WORTH,
    POISON_WORTH,
    SHRINK_WORTH,
    TILE_STEP_WORTH,
    VICTORY_WORTH,
    game_youth,
    hearts_worth,
    points_worth,
    rival_share,
    victims_of_claws,
)

NUMBERS = (Face.ONE, Face.TWO, Face.THREE)


def roll_worth(game: GameReading, seat: Seat, dice: int) -> Callable[[Counts], float]:
    """The worth of each multiset of `dice` faces, were it the final roll of `seat` now."""
    state = game.state
    me = state.monsters[seat]
    range_ = range(dice + 1)
    rules = game.setup.rules
    uses = [step for _, step in heart_uses(game, seat)]
    hearts = [sum(uses[:n]) for n in range_]
    bolts = [ENERGY_WORTH * n for n in range_]
    claws = [_claws_worth(game, me, n) for n in range_]
    sets = [[_points_of_set(number, n) for n in range_] for number in NUMBERS]
    missing = rules.goal - me.points
    now = points_worth(me.points, rules.goal)
    points = [points_worth(me.points + n, rules.goal) - now for n in range(4 * dice)]

    track = _track_worth(game, me, dice)

    def worth(counts: Counts) -> float:
        gained = sets[0][counts[0]] + sets[1][counts[1]] + sets[2][counts[2]]
        total = hearts[counts[Face.HEART]] + bolts[counts[Face.BOLT]] + claws[counts[Face.CLAW]]
        total += track[2 * (counts[0] // 3) + counts[1] // 3]
        return total + points[gained] + (VICTORY_WORTH / 2 if gained >= missing else 0.0)

    return worth


def _points_of_set(number: Face, dice: int) -> int:
    return number + 1 + dice - 3 if dice >= 3 else 0


def _track_worth(game: GameReading, me: Monster, dice: int) -> list[float]:
    """The worth of each number of steps on the wickedness track; 0 without a track."""
    if not game.setup.rules.tiles:
        return [0.0] * (dice + 1)
    step = TILE_STEP_WORTH * game_youth(game.state, game.setup.rules.goal)
    return [step * min(n, TRACK_END - me.wickedness) for n in range(dice + 1)]


def heart_uses(game: GameReading, seat: Seat) -> list[tuple[str, float]]:
    """The uses of heart dice for `seat` (heal, poison, shrink) with their worth, best first."""
    me = game.state.monsters[seat]
    if me.place is not Place.OUTSIDE or me.zombie:
        return []
    uses = [
        ("heal", hearts_worth(n + 1) - hearts_worth(n))
        for n in range(me.hearts, game.max_hearts(seat))
    ]
    uses += [("poison", POISON_WORTH)] * me.poison + [("shrink", SHRINK_WORTH)] * me.shrink
    return sorted(uses, key=lambda use: -use[1])


def _claws_worth(game: GameReading, me: Monster, claws: int) -> float:
    if not claws:
        return 0.0
    state, rules = game.state, game.setup.rules
    share = rival_share(state)
    rivals = len(state.seats_alive()) - 1
    worth = 0.0
    freed = 0.0
    for victim in victims_of_claws(state, me.seat):
        left = max(0, victim.hearts - claws)
        worth += share * (hearts_worth(victim.hearts) - hearts_worth(left))
        if not left:
            worth += (
                VICTORY_WORTH / 2
                if rivals == 1
                else KILL_WORTH + share * points_worth(victim.points, rules.goal)
            )
        freed = max(freed, 1.0 if not left else 0.3 + 0.1 * claws)
    if me.place is Place.OUTSIDE:
        if state.seat_at(Place.CITY) is None:
            # Where an empty Tokyo is entered without a claw, a claw adds nothing.
            freed = 1.0 if rules.entering_takes_a_claw else 0.0
        worth += min(freed, 1.0) * entry_worth(me, rules.goal)
    return worth


def entry_worth(me: Monster, goal: int) -> float:
    """The worth of entering Tokyo: a point now and perhaps more, against the next blow."""
    blow = hearts_worth(me.hearts) - hearts_worth(me.hearts - 2)
    return points_worth(me.points + 1, goal) - points_worth(me.points, goal) + 1.3 - blow
