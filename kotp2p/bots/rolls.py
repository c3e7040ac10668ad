"""What a final roll is worth to the monster that rolled it, in points.

Law: one number per multiset of faces, added up from a table for each face, so that hundreds of
rolls are valued in no time. It knows the plain rules of the dice; what cards add to a roll it
does not foresee.
"""

from __future__ import annotations

from collections.abc import Callable

from kotp2p.bots.dice import Counts
from kotp2p.bots.worth import (
    ENERGY,
    KILL,
    POISON,
    SHRINK,
    TILE,
    VICTORY,
    attacked,
    game_youth,
    hearts_worth,
    points_worth,
    rival_share,
)
from referee.game import Game
from referee.model.answers import Face, Seat
from referee.model.state import Monster, Place
from referee.rules.wickedness import TRACK_END

NUMBERS = (Face.ONE, Face.TWO, Face.THREE)


def roll_worth(game: Game, seat: Seat, dice: int) -> Callable[[Counts], float]:
    """The worth of each multiset of `dice` faces, were it the final roll of `seat` now."""
    state = game.state
    me = state.monsters[seat]
    range_ = range(dice + 1)
    rules = game.setup.rules
    uses = [step for _, step in heart_uses(game, seat)]
    hearts = [sum(uses[:n]) for n in range_]
    bolts = [ENERGY * n for n in range_]
    claws = [_claws_worth(game, me, n) for n in range_]
    sets = [[_set_points(number, n) for n in range_] for number in NUMBERS]
    missing = rules.goal - me.points
    now = points_worth(me.points, rules.goal)
    points = [points_worth(me.points + n, rules.goal) - now for n in range(4 * dice)]

    track = _track_worth(game, me, dice)

    def worth(counts: Counts) -> float:
        gained = sets[0][counts[0]] + sets[1][counts[1]] + sets[2][counts[2]]
        total = hearts[counts[Face.HEART]] + bolts[counts[Face.BOLT]] + claws[counts[Face.CLAW]]
        total += track[2 * (counts[0] // 3) + counts[1] // 3]
        return total + points[gained] + (VICTORY / 2 if gained >= missing else 0.0)

    return worth


def _set_points(number: Face, dice: int) -> int:
    return number + 1 + dice - 3 if dice >= 3 else 0


def _track_worth(game: Game, me: Monster, dice: int) -> list[float]:
    """Of so many steps of the wickedness track; nothing where there is none."""
    if not game.setup.rules.tiles:
        return [0.0] * (dice + 1)
    step = TILE * game_youth(game.state, game.setup.rules.goal)
    return [step * min(n, TRACK_END - me.wickedness) for n in range(dice + 1)]


def heart_uses(game: Game, seat: Seat) -> list[tuple[str, float]]:
    """What heart dice can do for `seat`, best first: each use and its worth."""
    me = game.state.monsters[seat]
    if me.place is not Place.OUTSIDE or me.zombie:
        return []
    uses = [
        ("heal", hearts_worth(n + 1) - hearts_worth(n))
        for n in range(me.hearts, game.max_hearts(seat))
    ]
    uses += [("poison", POISON)] * me.poison + [("shrink", SHRINK)] * me.shrink
    return sorted(uses, key=lambda use: -use[1])


def _claws_worth(game: Game, me: Monster, claws: int) -> float:
    if not claws:
        return 0.0
    state, rules = game.state, game.setup.rules
    share = rival_share(state)
    rivals = len(state.seats_alive()) - 1
    worth = 0.0
    freed = 0.0
    for victim in attacked(state, me.seat):
        left = max(0, victim.hearts - claws)
        worth += share * (hearts_worth(victim.hearts) - hearts_worth(left))
        if not left:
            worth += (
                VICTORY / 2
                if rivals == 1
                else KILL + share * points_worth(victim.points, rules.goal)
            )
        freed = max(freed, 1.0 if not left else 0.3 + 0.1 * claws)
    if me.place is Place.OUTSIDE:
        if state.seat_at(Place.CITY) is None:
            # Where Tokyo is entered anyway, a claw brings nobody there.
            freed = 1.0 if rules.entering_takes_a_claw else 0.0
        worth += min(freed, 1.0) * entry_worth(me, rules.goal)
    return worth


def entry_worth(me: Monster, goal: int) -> float:
    """Of entering Tokyo: a point now, more if one lasts there, against the next blow."""
    blow = hearts_worth(me.hearts) - hearts_worth(me.hearts - 2)
    return points_worth(me.points + 1, goal) - points_worth(me.points, goal) + 1.3 - blow
