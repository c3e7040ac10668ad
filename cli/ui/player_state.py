"""What a player has read and is asked now, shared by all displays."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import trio

from kotp2p.cli.ask.dialogue import QuestionDialogue, describe_waiting
from kotp2p.cli.system.options import Speed
from kotp2p.cli.text.i18n import _, list_with_and
from kotp2p.cli.text.names import could_go_on, player_name
from kotp2p.cli.text.player_rules import first_page
from kotp2p.cli.ui.notice_feed import NoticeFeed, people_here
from kotp2p.cli.ui.shown_game import PresentationQueue, Shown
from kotp2p.cli.wing import wing
from kotp2p.referee.box.rulesets import Options, RuleSet
from kotp2p.seams.commands import Control
from kotp2p.seams.endings import Ending
from kotp2p.seams.notices import WATCHER, Notice, SeatView, Waiting

# -- display -------------------------------------------------------------------------------


class Display:
    """What shows a player their game; what it does not need does nothing."""

    def note_notice(self, notice: Notice) -> None:
        """Take a notice, whose sentences follow by `put_news`."""

    def note_past(self, notice: Notice, lines: Sequence[str]) -> None:
        """Take a notice from before the game was resumed, for the log only."""

    def note_typed(self, text: str) -> None:
        """Take a typed line that is about to be read."""

    def note_interrupt(self) -> None:
        """Discard what is half typed, after Ctrl-C."""

    def forget_typed(self) -> None:
        """Discard what was typed and not yet read."""

    def put_first_page(self, lines: Sequence[str]) -> None:
        """Show a page before the game; an empty line begins the game."""

    def put_page(self, title: str, lines: Sequence[str]) -> None:
        """Show a page that the player closes."""

    def put_news(self, lines: Sequence[str], hints: Sequence[str] = ()) -> None:
        """Show what has happened; `hints` need not be kept."""

    def put_question(self, lines: Sequence[str], *, new: bool) -> None:
        """Show `PlayerState.asking`, the prompt as its last line; `new`: for the first time."""

    def put_reply(self, lines: Sequence[str]) -> None:
        """Show the reply to a line that answered nothing; the question stays open."""

    def put_leave_question(self, sentence: str) -> None:
        """Ask whether to leave, before everything else."""

    def put_waiting(self, sentence: str) -> None:
        """Show whom the table has been waiting for."""

    def put_warning(self, sentence: str) -> None:
        """Warn that the time for the question is nearly up."""

    def clear_waiting(self) -> None:
        """Remove the sentence of `put_waiting`, which is out of date."""

    def copy_text(self, text: str) -> bool:
        """Put a text into the clipboard of the terminal; return False without one."""
        return False

    async def show_ending(self, ending: Ending) -> bool | None:
        """Show the end; return whether another game is wanted, or None if nobody asked."""
        return None

    @property
    def is_over(self) -> bool:
        """Return whether the last question is answered."""
        return False

    def read_last_line(self, text: str) -> bool:
        """Read a line as an answer to the last question; return False if it is not asked."""
        return False

    def close_end(self) -> bool:
        """Answer the last question with a no; return False if it is not asked."""
        return False


# -- player state --------------------------------------------------------------------------


class Departure(StrEnum):
    SEATED = "seated"
    INPUT_ENDED = "input ended"
    """No more questions can be answered: the seat leaves at its next question."""
    LEFT = "left"
    """The player has left by their own word."""
    ABANDONED = "abandoned"
    """The seat left since its input had ended, without a command to leave."""
    HANDED_OVER = "handed over"
    """The player goes, and a bot plays on until they are back; this process ends as soon as the
    others know."""
    KEPT = "kept"
    """This process ends; the seat waits until it is resumed."""


@dataclass
class PlayerState:
    """The state that the line player and its parts write, and displays only read."""

    feed: NoticeFeed
    departure: Departure = Departure.SEATED
    asking: QuestionDialogue | None = None
    is_bot_asked: bool = False
    is_reading: bool = False
    """Whether a page is open before the game, and the next line begins the game."""
    is_leave_asked: bool = False
    """Whether the next line says if the player leaves, before it may answer a question."""
    closed: trio.Event = field(default_factory=trio.Event)
    """Set when the present question is over; a new event for each question."""
    prompt_number: int = 0
    """Goes up with every prompt that changes what a typed line means."""
    waiting: Waiting | None = None
    pace: PresentationQueue[Shown] = field(default_factory=PresentationQueue)
    wants_another: bool | None = None
    """Another game with the same people, after the end of one; None: not asked yet."""
    on_called: Callable[[], None] = lambda: None
    """Runs when a display calls the player to a question, with a bell or without."""
    control: Control | None = None
    """Set once the game's side has attached itself."""

    @property
    def view(self) -> SeatView | None:
        return self.feed.view

    @property
    def has_left(self) -> bool:
        return self.departure in (Departure.LEFT, Departure.ABANDONED)

    @property
    def is_seated(self) -> bool:
        """Return whether the player is at a table, in the lobby or in the game."""
        return self.feed.lobby is not None or self.feed.view is not None

    @property
    def only_watches(self) -> bool:
        """Return whether there is a game without a seat of the reader."""
        return self.view is not None and self.view.seat == WATCHER

    @property
    def is_out(self) -> bool:
        """Return whether there is a game without a living monster of the player."""
        view = self.view
        if view is None or self.only_watches:
            return view is not None
        monsters = view.game.state.monsters
        return not any(monsters[seat].alive for seat in people_here(view) or (view.seat,))

    @property
    def can_hand_over(self) -> bool:
        """Return whether the others, as far as known, could go on with a bot here."""
        view = self.view
        if view is None or self.is_out or self.departure is Departure.HANDED_OVER:
            return False
        return view.keepers.get(view.seat) == view.seat and could_go_on(view)

    def open_question(self, asking: QuestionDialogue) -> None:
        self.asking = asking
        self.closed = trio.Event()

    def open_bot_question(self) -> None:
        self.is_bot_asked = True
        self.closed = trio.Event()

    def open_page(self) -> None:
        self.is_reading = True
        self.closed = trio.Event()

    def close_page(self) -> None:
        if self.is_reading:
            self.is_reading = False
            self.closed.set()

    def close_question(self) -> None:
        """Close the question before the game has gone on."""
        self.asking, self.is_bot_asked = None, False
        self.closed.set()

    def awaited(self) -> str:
        """Say whom the game waits for, and for what; empty if for no other player."""
        view, waiting = self.view, self.waiting
        if view is None or waiting is None or not waiting.seats or self.has_left:
            return ""
        who = list_with_and([player_name(view, seat) for seat in waiting.seats])
        return describe_waiting(waiting.decision, who)


# -- the page before a player's first game -------------------------------------------------


def page_title() -> str:
    return _("Before your first game")


def first_page_lines(
    rules: RuleSet, options: Options, speed: Speed, *, is_easy: bool = False
) -> list[str]:
    is_slow = speed is Speed.SLOW
    lines = _coached_page(rules, options)
    if is_easy and is_slow:  # one row, so that the page needs no second one at 80x24
        lines.append(_("Your rivals are easy bots, shown slowly: speed normal is faster."))
    elif is_easy:
        lines.append(_("Your rivals are easy bots in this game."))
    elif is_slow:
        lines.append(_("You see the turns of the others slowly; speed normal changes that."))
    return lines


def guest_page_lines(rules: RuleSet, options: Options) -> list[str]:
    ready = _("When you have read this, type ready: the host waits for that.")
    return [*_coached_page(rules, options), ready]


def _coached_page(rules: RuleSet, options: Options) -> list[str]:
    lines = first_page(rules, options)
    if wing().coach is not None:
        lines.append(_("A coach explains your first three turns; coach off silences it."))
    return lines


def describe_page_prompt() -> str:
    return _("Press Enter: the game begins.")
