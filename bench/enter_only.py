"""A person who presses Enter only: `python -m bench.bots enter`.

Scope: the questions of the program, read and answered by Enter alone. Where Enter alone answers
nothing, because every answer is grave, the answer is that of silence.
"""

from __future__ import annotations

from kotp2p.cli.ask.dialogue import Explained, QuestionDialogue, question_for
from kotp2p.extras.bots import Noise, advise
from kotp2p.referee.game import Game
from kotp2p.referee.model.answers import Answer, Item
from kotp2p.referee.model.decisions import Decision
from kotp2p.seams.notices import SeatView
from kotp2p.wire.genesis import Player

MOST_KEYS = 6
"""Enter shows the advice and Enter takes it, so two are enough for nearly every question."""


def choose_by_enter(game: Game, decision: Decision, noise: Noise, top: Item | None) -> Answer:
    seats = range(len(game.state.monsters))
    players = tuple(Player(f"P{seat}", f"M{seat}", bytes([seat]) * 32, seat) for seat in seats)
    view = SeatView(decision.seat, players, game, "", top=top)
    asking = QuestionDialogue(question_for(view, decision, advise), Explained())
    for _key in range(MOST_KEYS):
        asking.read_line("")
        if asking.answer is not None:
            return asking.answer
    return decision.default
