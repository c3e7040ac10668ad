"""The bot that `normal` was in the first version, kept as it was: newer ones are measured with it.

Scope: its rules (`normal`) and its values (`rolls`, `worth`). Only what the rules of the game
demand is changed here. Tests of the terminal also take it as an adviser: it is quick, and it needs
no game that stands at the decision.
"""

from kotp2p.referee.model.answers import Answer
from kotp2p.referee.model.decisions import Decision
from kotp2p.seams.notices import SeatView
from tests.support.earlier_normal.normal import choose_answer

__all__ = ["advise", "choose_answer"]


def advise(view: SeatView, decision: Decision) -> Answer:
    """An adviser as the terminal takes one."""
    return choose_answer(view.game, decision, view.top)
