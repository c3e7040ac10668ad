"""What a player may type beside an answer: in the lobby, about the pace, the coach, leaving."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeAlias

import trio

from kotp2p.cli.ask.dialogue import MenuEntry
from kotp2p.cli.ask.question import Propose, Question
from kotp2p.cli.system.options import Speed
from kotp2p.cli.text import typed_words
from kotp2p.cli.text.i18n import N_, _, ascii_digits, list_with_or, typeable
from kotp2p.cli.text.lobby import (
    describe_commands,
    describe_unready,
    list_keys,
    list_monsters,
    list_seats,
    list_unready,
    own_seat,
)
from kotp2p.cli.text.names import is_alone
from kotp2p.cli.text.typed_words import COMMANDS as COMMAND_WORDS
from kotp2p.cli.ui import player_state
from kotp2p.cli.ui.notice_feed import share_screen
from kotp2p.cli.ui.player_state import Departure
from kotp2p.cli.ui.shown_game import PresentationQueue
from kotp2p.cli.wing import wing
from kotp2p.seams import commands
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import Happened, LobbyChanged, Notice

# -- prompts -------------------------------------------------------------------------------
#
# A typed line counts only for the prompt that was shown when it was typed.
# `PlayerState.prompt_number` goes up with every prompt that changes what a line means, so a burst
# that was typed ahead answers one prompt and not three. Lines from a pipe have no number: they wait
# until a prompt wants them.


LEAVE_WORDS = ("leave", "quit", "exit")
"""Words understood at every prompt; the first one is shown."""


def describe_early_key() -> str:
    return _("Too early: the question is new. Press the key again.")


class Prompts:
    def __init__(self, state: player_state.PlayerState, display: player_state.Display) -> None:
        self._state = state
        self._display = display
        self._changed = trio.Event()

    def put_question(self, lines: Sequence[str], *, new: bool) -> None:
        if new:
            self.begin_prompt()
        self._display.put_question(lines, new=new)
        if self._state.is_leave_asked:  # that comes first, and the next line is for it
            self.put_leave_question()
        self.wake_pipe()

    def put_leave_question(self) -> None:
        self._display.put_leave_question(self._ask_to_leave())
        self.wake_pipe()

    def _ask_to_leave(self) -> str:
        if self._state.view is None:
            return _("Leave this table? y leaves it, Enter does not.")
        if share_screen(self._state.view):
            return _("Leave the game for good? It ends for all of you. y leaves it, Enter plays "
                     "on. Ctrl-C stops for now: you can go on later.")  # fmt: skip
        if self._state.can_hand_over:
            return _("Leave the game? b lets a bot play on until you are back, y gives up your "
                     "monster for good, Enter plays on. Ctrl-C stops for today, and the others "
                     "decide how to go on.")  # fmt: skip
        return _("Leave the game for good? Your monster will be out. "
                 "y leaves the game, Enter plays on. Ctrl-C stops for now: you can go on "
                 "later.")  # fmt: skip

    def begin_prompt(self) -> None:
        """Begin a new prompt, so that lines typed before no longer count."""
        self._display.forget_typed()
        self._state.prompt_number += 1

    def wake_pipe(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    async def wait_until_wanted(self, line: str) -> None:
        """Wait until a prompt wants `line`, which comes from a pipe."""
        while not self._wants(line):
            await self._changed.wait()

    def _wants(self, line: str) -> bool:
        if self._state.asking is not None or self._state.is_leave_asked:
            return True
        if not self._state.feed.in_lobby:
            return False
        word = line.strip().lower().partition(" ")[0]
        return is_command(word) or word in LEAVE_WORDS


# -- what a player may type in the lobby ---------------------------------------------------


Do: TypeAlias = Callable[[str, LobbyChanged, commands.Control], list[str]]


@dataclass(frozen=True, slots=True)
class LobbyCommand:
    word: str
    do: Do
    by_host_only: bool = False


def _alone(command: commands.Command) -> Do:
    def do(rest: str, lobby: LobbyChanged, control: commands.Control) -> list[str]:
        control(command)
        return []

    return do


def _with_name(make: Callable[[str], commands.Command], if_missing: str) -> Do:
    """Return what makes a command of the words after it, or asks for them."""

    def do(rest: str, lobby: LobbyChanged, control: commands.Control) -> list[str]:
        if not rest:
            return [_(if_missing)]
        control(make(rest))
        return []

    return do


def _move(rest: str, lobby: LobbyChanged, control: commands.Control) -> list[str]:
    name, _space, seat = rest.rpartition(" ")
    if not (name and seat.isdigit() and len(seat) < 3):
        return [
            _("Type a name, or the number of a seat, and the new seat after it: move NAME SEAT.")
        ]
    control(commands.MovePlayer(name, int(seat)))
    return []


def _change_monster(rest: str, lobby: LobbyChanged, control: commands.Control) -> list[str]:
    if not rest:
        return list_monsters(lobby)
    control(commands.ChangeMonster(rest))
    return []


def _be_ready(rest: str, lobby: LobbyChanged, control: commands.Control) -> list[str]:
    if own_seat(lobby).ready:
        return [_("You are ready already; not ready takes it back.")]
    control(commands.MarkReady(True))
    return []


def _be_unready(rest: str, lobby: LobbyChanged, control: commands.Control) -> list[str]:
    if typed_words.words_in_english(rest.lower(), COMMAND_WORDS) != READY.word:
        return [_("Type not ready if you are not ready any more.")]
    control(commands.MarkReady(False))
    return [] if own_seat(lobby).ready else [_("You are not ready; ready tells the others.")]


START = LobbyCommand("start", _alone(commands.StartGame()), by_host_only=True)
ADD_BOT = LobbyCommand("bot", _alone(commands.AddBot()), by_host_only=True)
REMOVE = LobbyCommand(
    "remove",
    _with_name(
        commands.RemovePlayer, N_("Type a name or the number of a seat after it: remove NAME.")
    ),
    by_host_only=True,
)
MOVE = LobbyCommand("move", _move, by_host_only=True)
OPEN_SEATS = LobbyCommand("open", _alone(commands.OpenSeats()), by_host_only=True)
NEW_CODE = LobbyCommand("code", _alone(commands.NewCode()), by_host_only=True)
COPY = LobbyCommand("copy", lambda rest, lobby, control: [], by_host_only=True)
"""`line_player` copies, as only a display has a clipboard."""
NAME = LobbyCommand(
    "name", _with_name(commands.ChangeName, N_("Type the new name after it: name Ana."))
)
MONSTER = LobbyCommand("monster", _change_monster)
MONSTERS = LobbyCommand("monsters", lambda rest, lobby, control: list_monsters(lobby))
READY = LobbyCommand("ready", _be_ready)
NOT_READY = LobbyCommand("not", _be_unready)
"""Of two words: the second one is that of READY."""
ACCEPT = LobbyCommand(
    "accept",
    _with_name(
        commands.AcceptKey, N_("Type a name or the number of a seat after it: accept NAME.")
    ),
)
KEYS = LobbyCommand("keys", lambda rest, lobby, control: list_keys(lobby))
WHO = LobbyCommand("who", lambda rest, lobby, control: list_seats(lobby))
HELP = LobbyCommand("help", lambda rest, lobby, control: describe_commands(lobby))
HELP_SIGN = LobbyCommand("?", HELP.do)
LOBBY_COMMANDS = (
    START, ADD_BOT, REMOVE, MOVE, OPEN_SEATS, NEW_CODE, COPY, NAME, MONSTER, MONSTERS, READY,
    NOT_READY, ACCEPT, KEYS, WHO, HELP, HELP_SIGN,
)  # fmt: skip
_BY_WORD = {command.word: command for command in LOBBY_COMMANDS}


def is_command(word: str) -> bool:
    return word in _BY_WORD


@dataclass(slots=True)
class StartQuestion:
    """The question whether to start although some are not ready, asked once about each."""

    _asked: set[bytes] = field(default_factory=set)
    """The keys of those about whom the host was asked."""
    _is_open: bool = False
    """Whether the last line asked it, so that Enter alone says yes."""

    def close(self) -> bool:
        was_open, self._is_open = self._is_open, False
        return was_open

    def ask(self, lobby: LobbyChanged) -> str:
        """Return the question; empty if the host was asked about all who are not ready."""
        unready = list_unready(lobby)
        keys = {seat.key for seat in unready}
        if keys <= self._asked:
            self._asked = set()
            return ""
        self._asked, self._is_open = keys, True
        return describe_unready(unready)


def do_command(
    line: str, lobby: LobbyChanged, control: commands.Control, question: StartQuestion
) -> list[str]:
    text = " ".join(ascii_digits(line).split())
    if question.close() and not text:
        text = START.word
    if not text:
        return []
    word, _space, rest = text.partition(" ")
    command = _BY_WORD.get(word.lower())
    if command is None:
        return [_("{text} is not understood here.", text=text), *describe_commands(lobby)]
    if command.by_host_only and not own_seat(lobby).host:
        return [_("Only the host can do that.")]
    if command is START and (asked := question.ask(lobby)):
        return [asked]
    return command.do(rest, lobby, control)


# -- what a player may type about the pace at which they are shown the game ----------------


SPEED_WORD = "speed"


def answer_speed(line: str, pace: PresentationQueue[Any], *, can_type: bool) -> list[str] | None:
    """Run a line about the speed and return the reply, or None for any other line."""
    word, _space, wanted = " ".join(line.lower().split()).partition(" ")
    if word != SPEED_WORD:
        return None
    if not can_type:
        return [_("Without a terminal everything is shown at once.")]
    if not wanted:
        return [f"{_(_SPEEDS[pace.speed])} {_how_to_change()}"]
    wanted = typed_words.words_in_english(wanted, typed_words.SPEEDS)
    if wanted not in set(Speed):
        return [_("There is no speed {word}.", word=wanted) + " " + _how_to_change()]
    pace.choose_speed(Speed(wanted))
    return [f"{_(_SPEEDS[pace.speed])} {_how_to_change()}"]


_SPEEDS: Mapping[Speed, str] = MappingProxyType({
    Speed.SLOW: N_("You are shown slowly what happens."),
    Speed.NORMAL: N_("You are shown what happens at the normal speed."),
    Speed.FAST: N_("You are shown fast what happens."),
    Speed.INSTANT: N_("You are shown at once what happens."),
})  # fmt: skip


def _how_to_change() -> str:
    words = [
        f"{typed_words.own_command(SPEED_WORD)} {typed_words.own_word(speed, typed_words.SPEEDS)}"
        for speed in Speed
    ]
    return _("To change it, type {words}.", words=list_with_or(words))


# -- another game --------------------------------------------------------------------------


def is_possible(ending: Ending) -> bool:
    """Return whether the game was played to its end, so that another can follow."""
    if ending.kind is not EndKind.FINISHED or ending.view is None:
        return False
    return was_solo(ending) or wing().play_again is not None


def is_won(ending: Ending) -> bool:
    return ending.view is not None and ending.view.seat in ending.winners


def ask_for_another(ending: Ending, *, was_easy: bool = False) -> str:
    if was_easy and is_won(ending):
        return _("Another game, now against normal bots? y plays it, n ends.")
    if was_solo(ending):
        return _("Another game against the same bots? y plays it, n ends.")
    return _("Another game with the same people? y plays it, n ends.")


def read_answer(line: str) -> bool | None:
    word = line.strip().lower()
    if typed_words.YES.is_typed(word):
        return True
    return False if typed_words.NO.is_typed(word) or word in LEAVE_WORDS else None


def was_solo(ending: Ending) -> bool:
    return ending.view is not None and is_alone(ending.view)


class LastQuestion:
    """Whether there is another game, and what a line means there.

    Enter alone answers nothing where another game is possible, since it may have been meant for
    the game that has ended.
    """

    def __init__(self, ending: Ending, *, is_person: bool, was_easy: bool = False) -> None:
        """Prepare the question for a reader who has played, unless a bot did so."""
        self.ending = ending
        self._was_easy = was_easy
        self.asks = is_person and is_possible(ending)
        self.wants_another: bool | None = None
        self.closed = trio.Event()

    def prompt(self) -> str:
        return (
            ask_for_another(self.ending, was_easy=self._was_easy) if self.asks else _("Enter ends.")
        )

    def offered(self) -> list[MenuEntry]:
        if not self.asks:
            return []
        yes, no = typed_words.YES.translations[0], typed_words.NO.translations[0]
        return [MenuEntry(yes, _("another game")), MenuEntry(no, _("end"))]

    def read_line(self, line: str) -> str:
        """Read an answer; return why it has no effect, or "" once the table is closed."""
        if not self.asks:
            if line.strip().lower() not in ("", *LEAVE_WORDS):
                return _("The game is over, so there is nothing more to type.")
            self.close()
            return ""
        if not line.strip():
            return _("Enter alone does nothing here.")
        answer = read_answer(line)
        if answer is None:
            return _("That is neither y nor n.")
        self.wants_another = answer
        self.closed.set()
        return ""

    def close(self) -> None:
        self.wants_another = False if self.asks else None
        self.closed.set()


# -- how a player leaves, keeps the seat, or runs out of input -----------------------------
#
# The question whether to leave, and what follows from each answer (`Departure`). No monster is
# given up by accident: every way out but the end of a pipe asks first, and a process that is ended
# keeps the seat.


class LeavingSeat:
    def __init__(
        self, state: player_state.PlayerState, display: player_state.Display, prompts: Prompts
    ) -> None:
        self._state = state
        self._display = display
        self._prompts = prompts

    def ask_to_leave(self) -> None:
        """Ask whether to leave, or leave at once if the player has nothing to lose."""
        if self._state.is_out or not self._state.is_seated:
            self.leave_now()
            return
        self._state.is_leave_asked = True
        self._prompts.begin_prompt()
        self._prompts.put_leave_question()

    def read_answer(self, word: str) -> None:
        self._state.is_leave_asked = False
        if self._state.can_hand_over and typed_words.BOT_PLAYS.is_typed(word):
            self.hand_over()
        elif typed_words.YES.is_typed(word) or word in LEAVE_WORDS:
            self.leave_now()
        else:
            self._display.put_reply([_("You stay in the game.")])

    def leave_now(self) -> None:
        state = self._state
        if state.departure not in (Departure.SEATED, Departure.HANDED_OVER):
            return
        state.departure = Departure.LEFT
        self._state.is_leave_asked = False
        state.close_page()
        if state.asking is not None:
            state.close_question()  # to leave is the answer
        elif state.is_bot_asked:
            state.closed.set()  # likewise, in place of the bot's
        elif state.control is not None:
            state.control(commands.LeaveTable())

    def hand_over(self) -> None:
        state = self._state
        assert state.control is not None  # a game has begun
        state.departure = Departure.HANDED_OVER
        self._drop_question()
        state.control(commands.LetBotPlay())
        self._display.put_news([_("A bot plays on for you as soon as the others have agreed.")])

    def keep_seat(self) -> bool:
        state = self._state
        if self._display.close_end():
            return True
        if state.control is None:
            return False
        if state.departure in (Departure.SEATED, Departure.INPUT_ENDED, Departure.HANDED_OVER):
            state.departure = Departure.KEPT
            self._state.is_leave_asked = False
            self._drop_question()
            state.control(commands.KeepSeat())
        return True

    def end_input(self, *, terminal: bool) -> None:
        """Handle the end of the input: ask at a terminal; the second time keep the seat."""
        state = self._state
        if self._display.close_end():
            return
        if terminal:
            if state.is_leave_asked:
                self.keep_seat()
            else:
                self.ask_to_leave()
            return
        if not state.feed.audience.answers:
            return  # the bot needs no input
        if state.asking is None and state.is_leave_asked:
            self.leave_now()  # it cannot be taken back any more
            return
        if state.departure is Departure.SEATED:
            state.departure = Departure.INPUT_ENDED
        if state.asking is not None:
            self.give_up()
            state.close_question()

    def give_up(self) -> commands.Leave:
        """Return the answer to any question once no other answer can come."""
        if self._state.departure is Departure.INPUT_ENDED:
            self._display.put_news([], [_("The input has ended: your monster leaves the game.")])
            self._state.departure = Departure.ABANDONED
        return commands.Leave()

    def _drop_question(self) -> None:
        """Drop the question, which the game still waits for."""
        self._state.asking = None


# -- when the coach speaks: at the questions of a player's first turns ---------------------


COACHED_TURNS = 3
COACH_WORD = "coach"


@dataclass
class Coaching:
    is_on: bool = False
    is_over: bool = False
    _turns: set[int] = field(default_factory=set)
    _has_told_end: bool = False

    def begin(self) -> None:
        self.is_on, self._turns = True, set()

    def end(self) -> None:
        self.is_on, self.is_over = False, True

    def note_game_over(self) -> None:
        if self._turns:
            self.end()

    def note_past(self, notice: Notice) -> None:
        """Count a turn of this game in which the coach has spoken before a restart."""
        if not (self.is_on and isinstance(notice, Happened)):
            return
        if notice.view.game.state.active == notice.view.seat:
            self._turns.add(notice.view.game.state.turn)
            if len(self._turns) > COACHED_TURNS:
                self.end()

    def speak(self, question: Question[Any, Any]) -> str:
        coach = wing().coach
        if not self.is_on or coach is None:
            return ""
        view, decision = question.view, question.decision
        state = view.game.state
        if state.active == view.seat and state.turn not in self._turns:
            if len(self._turns) == COACHED_TURNS:
                self.end()  # the turn before has announced that
                return ""
            self._turns.add(state.turn)
            self._has_told_end = False
        words = coach(view, decision, question.advice())
        if words and len(self._turns) == COACHED_TURNS and not self._has_told_end:
            self._has_told_end = True
            words.append(_("(After this turn I am silent. For three more, type coach.)"))
        return _("Coach: {words}", words=" ".join(words)) if words else ""

    def read_line(self, line: str) -> list[str]:
        words = line.lower().split() if wing().coach is not None else []
        if words == [COACH_WORD]:
            self.begin()
            return [_("The coach explains your next three turns.")]
        if words[:1] == [COACH_WORD] and typed_words.COACH_OFF.is_typed(" ".join(words[1:])):
            self.end()
            return [_("The coach is silent. To have the coach back, type coach.")]
        return []


# -- how the game is shown: the page of appearance, with the speed on its first line -------


LOOK_WORD = "look"


def page_title() -> str:
    return _("What you see")


def look_lines(
    pace: PresentationQueue[Any], appearance: Sequence[str], *, can_type: bool
) -> list[str]:
    """Return the lines about the speed and `appearance`, the settings, one a line."""
    lines = answer_speed(SPEED_WORD, pace, can_type=can_type) or []
    if not appearance:
        return lines
    command = typeable("kotp2p config set palette okabe-ito")
    return [
        *lines,
        "",
        _("Your other settings. In your shell, {command} changes one.", command=command),
        *appearance,
    ]


# -- second enter --------------------------------------------------------------------------
#
# When the second Enter accepts a proposal. It must have been shown for `UNREAD_SECONDS`, and no
# other Enter may follow within half of that. A key that is held down repeats faster, so it takes
# nothing. The wait is too short to be noticed.


UNREAD_SECONDS = 0.3
"""What has been shown for less than this cannot have been read."""


class SecondEnter:
    def __init__(self, state: player_state.PlayerState, unread_seconds: float) -> None:
        self._state = state
        self._unread_seconds = unread_seconds
        self._quiet_since = -math.inf
        """When the proposal was made, or when the last Enter came that was too early."""
        self._accept: Callable[[], None] | None = None
        """Takes what is proposed, unless another Enter follows."""
        self._pressed = trio.Event()
        self._is_refused = False
        """Whether an Enter for this proposal has come too early."""

    def note_proposal(self) -> None:
        self._quiet_since = trio.current_time()
        self._accept = None
        self._is_refused = False

    def press(self, accept: Callable[[], None]) -> bool:
        """Call `accept` once the key is not held down; return False if it is, or came too soon."""
        if self._unread_seconds <= 0:
            accept()
            return True
        now = trio.current_time()
        is_early = now - self._quiet_since < self._unread_seconds
        if not is_early and self._accept is None:
            self._accept = accept
            self._pressed.set()
            return True
        self._accept = None
        self._quiet_since = now
        is_first, self._is_refused = not self._is_refused, True
        return not is_first

    async def run(self) -> None:
        self._accept = None
        while True:
            self._pressed = trio.Event()
            await self._pressed.wait()
            await self._wait_for_more()

    async def _wait_for_more(self) -> None:
        accept, proposed = self._accept, self._find_proposal()
        await trio.sleep(self._unread_seconds / 2)
        if accept is None or accept is not self._accept:
            return
        self._accept = None
        if proposed is not None and self._find_proposal() is proposed:
            accept()

    def _find_proposal(self) -> Propose | None:
        asking = self._state.asking
        if asking is None or self._state.is_leave_asked:
            return None
        return asking.waiting if isinstance(asking.waiting, Propose) else None
