"""An adviser for tests of the terminal: quick, and with a plan for dice that were laid by hand."""

from collections import Counter

from kotp2p.extras.bots import Noise, choose
from kotp2p.referee.model.answers import Answer, Reroll
from kotp2p.referee.model.decisions import Decision, RollDecision
from kotp2p.seams.notices import SeatView


def advise(view: SeatView, decision: Decision) -> Answer:
    if isinstance(decision, RollDecision) and view.game.pending != decision:
        [(most, _)] = Counter(decision.dice).most_common(1)
        return Reroll(tuple(at for at, face in enumerate(decision.dice) if face != most))
    return choose("easy", view.game, decision, Noise(), view.top)
