"""How a player leaves, keeps the seat, or runs out of input.

Scope: the question whether to leave, and what follows from each answer (`DEPARTURE`). No monster is
given up by accident: every way out but the end of a pipe asks first, and a process that is ended
keeps the seat.
"""

from __future__ import annotations

from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.typed_words import BOT_PLAYS, YES
from kotp2p.cli.ui.display import Display
from kotp2p.cli.ui.player_state import (
    BOT_IS_ASKED,
    Departure,
    DepartureEvent,
    DialogueEvent,
    PlayerState,
)
from kotp2p.cli.ui.prompts import LEAVE_WORDS, Prompts
from kotp2p.seams.front import Leave


class LeavingSeat:
    def __init__(self, state: PlayerState, display: Display, prompts: Prompts) -> None:
        self._state = state
        self._display = display
        self._prompts = prompts

    def ask_to_leave(self) -> None:
        """Asks whether to leave; a player who has nothing to lose is not asked."""
        if self._state.is_out or not self._state.is_seated:
            self.leave_now()
            return
        self._state.dialogue.move(DialogueEvent.LEAVE_QUESTION)
        self._prompts.begin_prompt()
        self._prompts.put_leave_question()

    def read_answer(self, word: str) -> None:
        """The line that was typed when it was asked whether to leave."""
        self._end_question()
        if self._state.can_hand_over and BOT_PLAYS.is_typed(word):
            self.hand_over()
        elif YES.is_typed(word) or word in LEAVE_WORDS:
            self.leave_now()
        else:
            self._display.put_reply([_("You stay in the game.")])

    def leave_now(self) -> None:
        """Leaves without asking."""
        state = self._state
        if not state.departure.allows(DepartureEvent.LEAVE):
            return
        state.departure.move(DepartureEvent.LEAVE)
        self._end_question()
        state.close_page()
        if state.asking is not None:
            state.close_question()  # to leave is the answer
        elif state.dialogue.state in BOT_IS_ASKED:
            state.closed.set()  # likewise, in place of the bot's
        elif state.control is not None:
            state.control.leave()

    def hand_over(self) -> None:
        """Leaves, and a bot plays on."""
        state = self._state
        assert state.control is not None  # a game has begun
        state.departure.move(DepartureEvent.HAND_OVER)
        self._drop_question()
        state.control.let_bot_play()
        self._display.put_news([_("A bot plays on for you as soon as the others have agreed.")])

    def keep_seat(self) -> bool:
        """The process ends, and the seat is kept if there is a game. False if the game's side is
        not attached yet: then nothing has begun."""
        state = self._state
        if state.control is None:
            return False
        if state.departure.allows(DepartureEvent.KEEP):
            state.departure.move(DepartureEvent.KEEP)
            self._end_question()
            self._drop_question()
            state.control.keep()
        return True

    def end_input(self, *, terminal: bool) -> None:
        """Nothing more will be typed. On a terminal that is a wish to leave, and the second time
        the terminal is gone, which gives up nothing."""
        state = self._state
        if terminal:
            if state.is_leave_asked:
                self.keep_seat()
            else:
                self.ask_to_leave()
            return
        if not state.feed.audience.answers:
            return  # the bot needs no input
        if state.asking is None and state.is_leave_asked:
            self.leave_now()  # nobody can take it back any more
            return
        if state.departure.allows(DepartureEvent.END_OF_INPUT):
            state.departure.move(DepartureEvent.END_OF_INPUT)
        if state.asking is not None:
            self.give_up()
            state.close_question()

    def give_up(self) -> Leave:
        """The answer to any question, once nobody can or will answer another."""
        if self._state.departure.state is Departure.INPUT_ENDED:
            self._display.put_news([], [_("The input has ended: your monster leaves the game.")])
            self._state.departure.move(DepartureEvent.UNANSWERABLE)
        return Leave()

    def _drop_question(self) -> None:
        """The game still waits for this answer, and gets it after `kotp2p resume`, or of a bot."""
        if self._state.asking is not None:
            self._state.dialogue.move(DialogueEvent.QUESTION_CLOSED)
            self._state.asking = None

    def _end_question(self) -> None:
        if self._state.is_leave_asked:
            self._state.dialogue.move(DialogueEvent.LEAVE_ANSWER)
