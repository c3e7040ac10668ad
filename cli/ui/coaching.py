"""When the coach speaks: at the questions of a player's first turns.

Scope: which turns are coached, and the words that switch the coach on and off.
Not here: what the coach says (`cli.ask.coach`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kotp2p.cli.ask.coach import coach
from kotp2p.cli.ask.question import Question
from kotp2p.cli.text.i18n import _

COACHED_TURNS = 3
COACH_WORD = "coach"
SKIP_WORD = "skip"
OFF_WORD = "off"


@dataclass
class Coaching:
    is_on: bool = False
    is_over: bool = False
    """The turns have been coached, or the player wants no more of it."""
    _turns: list[int] = field(default_factory=list)
    """The turns of the player that the coach has been at."""
    _skips: bool = False
    """The coach is silent until the player's next turn."""
    _has_told_end: bool = False

    def begin(self) -> None:
        """From the next question on, for so many turns of the player."""
        self.is_on, self._turns, self._skips = True, [], False

    def end(self) -> None:
        self.is_on, self.is_over = False, True

    def note_game_over(self) -> None:
        """A game that was coached is over, however many turns it had."""
        if self._turns:
            self.end()

    def speak(self, question: Question[Any, Any]) -> str:
        """What the coach says of a question, in one line; empty if nothing."""
        if not self.is_on:
            return ""
        view, decision = question.view, question.decision
        state = view.game.state
        if state.active == view.seat and state.turn not in self._turns:
            if len(self._turns) == COACHED_TURNS:
                self.end()  # that was said in the turn before
                return ""
            self._turns.append(state.turn)
            self._skips = self._has_told_end = False
        if self._skips:
            return ""
        words = coach(view, decision, question.advice())
        if words and len(self._turns) == COACHED_TURNS and not self._has_told_end:
            self._has_told_end = True
            words.append(_("(After this turn I am silent. For three more, type coach.)"))
        return _("Coach: {words}", words=" ".join(words)) if words else ""

    def read_line(self, line: str) -> list[str]:
        """The reply to `coach`, `coach off` and `skip`; empty if it is none of these."""
        words = line.lower().split()
        if words == [COACH_WORD]:
            self.begin()
            return [_("The coach explains your next three turns.")]
        if words == [COACH_WORD, OFF_WORD]:
            self.end()
            return [_("The coach is silent. To have the coach back, type coach.")]
        if words == [SKIP_WORD] and self.is_on and not self._skips:
            self._skips = True
            return [_("The coach is silent until your next turn.")]
        return []
