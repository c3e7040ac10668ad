"""What heart dice are good for: healing, and removing tokens.

Scope: the uses of each heart with what it adds to a standing, and the answer that spends them best.
"""

from __future__ import annotations

from kotp2p.bots.chances import figures_for
from kotp2p.bots.figures import POISON_STANDING, SHRINK_STANDING
from kotp2p.referee.game import GameReading
from kotp2p.referee.model.answers import Answer, Hearts, Seat
from kotp2p.referee.model.decisions import HeartsDecision
from kotp2p.referee.model.state import Place


def heart_uses(game: GameReading, seat: Seat) -> list[tuple[str, float]]:
    """The uses of heart dice for `seat` (heal, poison, shrink) with their worth, best first."""
    state = game.state
    me = state.monsters[seat]
    if me.place is not Place.OUTSIDE or me.zombie:
        return []
    hearts = figures_for(game).hearts
    most = min(game.max_hearts(seat), len(hearts) - 1)
    uses = [("heal", hearts[n + 1] - hearts[n]) for n in range(me.hearts, most)]
    uses += [("poison", -POISON_STANDING)] * me.poison + [("shrink", -SHRINK_STANDING)] * me.shrink
    return sorted(uses, key=lambda use: -use[1])


def spend_hearts(game: GameReading, decision: HeartsDecision) -> Answer:
    """Each heart where it helps most; the rest is sold to others."""
    limits = {"heal": decision.heal, "poison": decision.poison, "shrink": decision.shrink}
    spent = dict.fromkeys(limits, 0)
    left = decision.hearts
    for use, _ in heart_uses(game, decision.seat):
        if left and spent[use] < limits[use]:
            spent[use] += 1
            left -= 1
    gifts = []
    for patient, most in decision.patients:
        given = min(most, left)
        if given:
            gifts.append((patient, given))
            left -= given
    return Hearts(**spent, give=tuple(gifts))
