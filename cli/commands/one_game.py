"""One game from the command to its exit code: settings, display, player, process, last words."""

from __future__ import annotations

import json
import math
import os
import shlex
import signal
import stat
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePath
from subprocess import DEVNULL
from typing import assert_never

import trio

from kotp2p.cli.commands.person import CommandRefused, Person, choose_seating, refused_login_name
from kotp2p.cli.system.config import Config, ConfigFault, describe_appearance, load_config
from kotp2p.cli.system.folders import data_folder, find_log, log_folder
from kotp2p.cli.system.options import Palette, Shade
from kotp2p.cli.system.output import Exit, Output, wants_screen
from kotp2p.cli.system.process import ending_signals
from kotp2p.cli.system.terminal import SHADE_OF, VTE_VARIABLE, ask_background, choose_symbols
from kotp2p.cli.text import endings
from kotp2p.cli.text.files import describe_trouble
from kotp2p.cli.text.i18n import _, describe_system_error, list_with_and, typeable
from kotp2p.cli.text.players import names_in_sentences
from kotp2p.cli.ui.line_player import LinePlayer
from kotp2p.cli.ui.notice_feed import Audience
from kotp2p.cli.ui.paced_front import PacedFront
from kotp2p.cli.ui.plain import input_discarder, is_terminal, read_lines, seat_plain_player
from kotp2p.cli.ui.player_state import Departure
from kotp2p.cli.wing import Hint, wing
from kotp2p.net import machine
from kotp2p.net.lan import own_addresses
from kotp2p.referee.box.rulesets import RULE_SETS, Options
from kotp2p.rendezvous.servers import NO_SERVERS
from kotp2p.seams.commands import Front
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import WATCHER
from kotp2p.seams.world import FileTrouble, World
from kotp2p.shell import resume
from kotp2p.shell.run import HostOptions, SeatWish
from kotp2p.store.files import is_locked
from kotp2p.store.game_files import SignedStart, UnfinishedGame
from kotp2p.store.saved_game import CannotResume

# -- the game ------------------------------------------------------------------------------


Play = Callable[[World, SeatWish, Front], Awaitable[Ending]]
PlayAtFront = Callable[[Front], Awaitable[Ending]]


@dataclass(frozen=True, slots=True)
class Played:
    code: int
    ending: Ending | None
    """The end of the game, or None after a signal."""
    wants_another: bool | None = None
    """Whether the person wants another game with the same people; None if they were not asked."""
    was_easy: bool = False


def play_game(
    person: Person,
    play: Play,
    world: World,
    *,
    table: HostOptions | None = None,
    target: tuple[str, int] = ("", 0),
    solo: bool = False,
    is_easy: bool = False,
    first_game: FirstGame | None = None,
) -> Played:
    """Play one game and return its exit code and ending.

    `table` is the table that this person opens; `target` is the host and port that they join.
    `is_easy` says that the bots are easy, as in a first game. `first_game` decides whether this
    game is taught.
    """
    terminal = is_terminal()
    output = Output.standard(as_json=person.as_json, terminal=terminal)
    try:
        config = load_config()
        seating = choose_seating(person, config)
        _check_input(person, terminal)
    except (CommandRefused, ConfigFault) as fault:
        return Played(output.refuse(fault), None)
    output.bell = config.is_on("bell")
    audience = _describe_audience(person, config, seating, table, first_game, solo=solo)
    audience = replace(audience, is_easy=is_easy)
    bot = None if person.bot is None else world.make_bot(person.bot, os.urandom(32))
    play_here = partial(play, _with_servers(world, config, table), seating)
    if wants_screen(terminal, plain=config.is_on("plain") or person.as_json):
        process, ending = play_on_screen(config, bot, audience, play_here)
    else:
        process, ending = play_in_lines(config, bot, audience, play_here, output)
    if first_game is not None and process.player.coaching.is_over:
        first_game.remember()
    code = _conclude(person, process, ending, output, target if table is None else ("", table.port))
    if process.signal_number:  # a signal ends the run in any case
        ending = None
    return Played(code, ending, process.player.state.wants_another, audience.is_easy)


def _describe_audience(
    person: Person,
    config: Config,
    seating: SeatWish,
    table: HostOptions | None,
    first_game: FirstGame | None,
    *,
    solo: bool,
) -> Audience:
    terminal = is_terminal()
    is_taught = (
        first_game is not None
        and person.bot is None
        and not person.as_json
        and (table is None or not table.people)  # a lesson is for one
        and first_game.is_taught(terminal=terminal)
    )
    return Audience(
        solo=solo,
        can_type=terminal,
        starts_game=table is not None and not table.start_when_full,
        answers=person.bot is None,
        wanted_monster=seating.monster,
        refused_name=refused_login_name(person, config),
        interfaces={} if solo else {address: name for name, address in own_addresses()},
        lesson=RULE_SETS[table.rules] if is_taught and table is not None else None,
        is_new_guest=is_taught and table is None,
        options=Options() if table is None else table.options,
        appearance=tuple(describe_appearance(config)),
    )


def _with_servers(world: World, config: Config, table: HostOptions | None) -> World:
    has_code = table is None or config.is_on("code")
    return machine.with_servers(world, config.servers if has_code else NO_SERVERS)


def _check_input(person: Person, terminal: bool) -> None:
    if person.bot is None and not terminal and _is_nothing():
        raise CommandRefused(
            _("A terminal is needed to play; a bot can play for you: add --bot normal")
        )


def _is_nothing() -> bool:
    """Return whether stdin is closed or a device without a person, such as /dev/null."""
    try:
        return stat.S_ISCHR(os.fstat(0).st_mode) and not os.isatty(0)
    except OSError:
        return True


def play_in_lines(
    config: Config, bot: Front | None, audience: Audience, play: PlayAtFront, output: Output
) -> tuple[PlayerProcess, Ending | None]:
    terminal = output.terminal
    discard_typed = input_discarder(0) if terminal else lambda: None
    player = seat_plain_player(output, wing().advise, bot, discard_typed, audience)
    player.standing.orders = config.orders
    if terminal:  # a pipe has no reader who watches
        set_pace(player, config)
    process = PlayerProcess(
        player,
        terminal,
        partial(read_lines, 0, player, terminal, output),
        _turn_command(config, player),
    )
    return process, trio.run(process.run_until_end, partial(play, process.front))


def play_on_screen(
    config: Config, bot: Front | None, audience: Audience, play: PlayAtFront
) -> tuple[PlayerProcess, Ending | None]:
    from kotp2p.cli.ui.screen import theme
    from kotp2p.cli.ui.screen.controls import seat_screen_player
    from kotp2p.cli.ui.screen.stage import TerminalStage

    encoding = sys.stdout.encoding
    theme.use_symbols(choose_symbols(config.symbols, encoding, os.environ), encoding)
    table = seat_screen_player(
        wing().advise,
        bot,
        audience,
        bell=config.is_on("bell"),
        animation=config.is_on("animation"),
        keys_are_words=bool(os.environ.get(VTE_VARIABLE)),
    )
    player = table.player
    player.standing.orders = config.orders
    set_pace(player, config)
    on_turn = _turn_command(config, player, lambda: table.screen.focus.in_front is True)
    process = PlayerProcess(player, True, table.run_jobs, on_turn)
    table.on_second_interrupt = partial(process.end_by_signal, signal.SIGINT)
    stage: TerminalStage[Ending | None] = TerminalStage(
        table, palette=config.palette, shade=find_shade(config), mouse=config.is_on("mouse")
    )
    stage.on_hangup = partial(table.post_job, partial(process.end_by_signal, SIGNALS[-1]))
    return process, stage.run(lambda: process.run_until_end(partial(play, process.front)))


def _turn_command(
    config: Config, player: LinePlayer, is_in_front: Callable[[], bool] = lambda: False
) -> TurnCommand:
    setting = config.text_of("on_turn") or ""
    command = TurnCommand(setting, lambda line: player.display.put_news([], [line]), is_in_front)
    player.state.on_called = command.note_turn
    return command


def set_pace(player: LinePlayer, config: Config) -> None:
    player.state.pace.choose_speed(config.speed)
    if player.state.feed.audience.lesson is not None and not config.settings["speed"].origin:
        player.state.pace.begin_lesson()


def find_shade(config: Config) -> Shade:
    if config.palette is Palette.MONO:
        return Shade.ANY  # it has no colours
    chosen = SHADE_OF.get(config.background)
    return chosen or ask_background(0, 1, os.environ) or Shade.ANY


def _conclude(
    person: Person,
    process: PlayerProcess,
    ending: Ending | None,
    output: Output,
    target: tuple[str, int],
) -> int:
    state = process.player.state
    command = resume_command(person.profile)
    if ending is None:
        if state.view is not None:  # each move was on disk before it was sent
            output.say_line(endings.describe_kept_seat(command))
        return 128 + process.signal_number
    result = state.feed.describe_result(ending)
    code: int = finish_game(ending, output, person.as_json, *target, command=command, result=result)
    if process.signal_number:
        return 128 + process.signal_number
    if state.departure is Departure.ABANDONED and ending.kind is EndKind.LEFT:
        return Exit.STOPPED
    return code


# -- one run of a peer beside its player's input, its signals and the clock ----------------
#
# What ends a run. A run is one trio task that plays (`kotp2p.shell.run`) and five beside it:
# typed lines or keys, signals, time that passes, what is due to be shown, and the player's own
# command for their turn. They end with the game.


CLOSE_WITHIN_SECONDS = 3.0
"""The time to close files and sockets after a signal."""
SIGNALS = ending_signals()


class PlayerProcess:
    def __init__(
        self,
        player: LinePlayer,
        terminal: bool,
        read_input: Callable[[], Awaitable[None]],
        on_turn: TurnCommand,
    ) -> None:
        """Take the tasks of a run; `read_input` reads until it is cancelled or ends."""
        self.player = player
        self.front = PacedFront(player)
        self.signal_number = 0
        """The signal that ends the run; 0 if none has come."""
        self._terminal = terminal
        self._read_input = read_input
        self._on_turn = on_turn
        self._scope: trio.CancelScope | None = None

    async def run_until_end(self, play: Callable[[], Awaitable[Ending]]) -> Ending | None:
        """Run the game and return its ending, or None if a signal cut the run short."""
        ending: Ending | None = None
        async with trio.open_nursery() as nursery:
            self._scope = nursery.cancel_scope
            nursery.start_soon(self._read_input)
            nursery.start_soon(self.player.watch_time)
            nursery.start_soon(self.front.run)
            nursery.start_soon(self._on_turn.run)
            await nursery.start(self._watch_signals)
            if await self.player.read_first_page():
                ending = await play()
            else:
                ending = Ending(EndKind.LEFT)
            if not self.signal_number and self.front.ending is None:
                await self.front.show_ending(ending)
            nursery.cancel_scope.cancel()
        return ending or self.front.ending

    async def _watch_signals(
        self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        with trio.open_signal_receiver(*SIGNALS) as signals:
            task_status.started()
            async for number in signals:
                if number == signal.SIGINT and self.player.display.close_end():
                    continue
                is_asked = self.player.state.is_leave_asked
                has_answered = is_asked or self.signal_number or self.front.ending is not None
                if number == signal.SIGINT and self._terminal and not has_answered:
                    self.player.interrupt()
                else:
                    self.end_by_signal(number)

    def end_by_signal(self, number: int) -> None:
        """End the process and keep the seat; a second signal ends it at once."""
        assert self._scope is not None  # it runs
        if self.signal_number or self.front.ending is not None:
            self.signal_number = number
            self._scope.cancel()
            return
        self.signal_number = number
        if not self.player.leaving.keep_seat():
            self._scope.cancel()
        self._scope.deadline = trio.current_time() + CLOSE_WITHIN_SECONDS


# -- whether a game against bots is the first of its profile -------------------------------
#
# A small file in the data folder says that a first game was coached, one for each profile.


FOLDER = "coached"
MARK = b"The first game of this profile was coached.\n"


@dataclass(frozen=True, slots=True)
class FirstGame:
    world: World
    is_wanted: bool = True

    @property
    def _path(self) -> PurePath:
        return self.world.data / FOLDER / self.world.profile

    def is_taught(self, *, terminal: bool) -> bool:
        """Return whether this game is a first one with a coach, which needs a terminal."""
        return self.is_wanted and terminal and not self.was_coached()

    def was_coached(self) -> bool:
        """Return whether the coach has been shown; also if that cannot be read."""
        try:
            return self.world.disk.read(self._path) is not None
        except FileTrouble:
            return True

    def remember(self) -> None:
        """Record that this profile has been coached; without, the next game is taught again."""
        if self.was_coached():
            return
        try:
            trio.run(self.world.disk.write_secret, self._path, MARK)
        except FileTrouble:
            return


# -- the last words: for people, or as a JSON document -------------------------------------


def finish_game(
    ending: Ending,
    output: Output,
    as_json: bool,
    host: str = "",
    port: int = 0,
    command: str = "kotp2p resume",
    result: str = "",
) -> Exit:
    """Print the closing lines and return the exit code; `command` continues the game."""
    for line in endings.describe_ending(ending, host, port):
        output.note_line(line)
    if ending.kind is EndKind.START_IN_DOUBT:
        again = " ".join([command, *ending.detail.split()[:2]])
        output.note_line(_("Your seat is kept. If they are playing: {again}", again=again))
    check = again = ""
    if ending.log is None and ending.view is not None and ending.view.seat != WATCHER:
        output.note_line(_("The log of this game is gone: its folder was removed meanwhile."))
    if ending.log is not None:
        log = shlex.quote(str(ending.log))
        check = _("Check the log: {command}", command=typeable(f"kotp2p verify {log}"))
        again = wing().say(Hint.SEE_AGAIN, log=_name_log(ending))
    if check and not output.terminal:
        output.note_line(check)
    if as_json:
        output.write_document(json.dumps(ending_as_object(ending)))
    else:
        _say_result_and_log(ending, output, result, check, again)
    if ending.kind is EndKind.KEPT:
        output.say_line(endings.describe_kept_seat(command))
    return exit_code(ending.kind)


def _name_log(ending: Ending) -> str:
    data, words = data_folder(), endings.short_phrase(ending)
    if words and find_log(words, log_folder(data), data).path == ending.log:
        return words
    return shlex.quote(str(ending.log))


def _say_result_and_log(
    ending: Ending, output: Output, result: str, check: str, again: str
) -> None:
    if ending.kind is EndKind.FINISHED:
        output.say_line(result or endings.winners_line(ending))
    if again and output.terminal:
        output.say_unbroken(again)
    elif check:
        output.say_line(_("Log: {log}", log=ending.log))


def ending_as_object(ending: Ending) -> dict[str, object]:
    view = ending.view
    players = view.players if view else ()
    return {
        "winners": [players[seat].name for seat in ending.winners] if view else [],
        "log": None if ending.log is None else str(ending.log),
        "turns": ending.turns,
        "phrase": view.phrase if view else None,
        "rules": view.game.setup.rules.name if view else None,
        "players": [
            {"name": p.name, "key": p.key.hex(), "monster": p.monster, "bot": p.automatic}
            for p in players
        ],
    }


# -- the exit code for the ending of a game ------------------------------------------------


def exit_code(kind: EndKind) -> Exit:
    match kind:
        case EndKind.FINISHED | EndKind.LEFT | EndKind.NO_NEXT_GAME:
            return Exit.DONE
        case (
            EndKind.STOPPED | EndKind.ADJOURNED | EndKind.KEPT
            | EndKind.ELSEWHERE | EndKind.WRONG_LOG
        ):  # fmt: skip
            return Exit.STOPPED
        case EndKind.NO_GAME:
            return Exit.NOTHING_FOUND
        case (
            EndKind.CLOSED | EndKind.REMOVED | EndKind.BUSY | EndKind.FULL | EndKind.STARTED
            | EndKind.VERSION | EndKind.NO_WATCHERS
            | EndKind.KEPT_FOR_OTHERS | EndKind.FALSE_LOBBY | EndKind.LOST_HOST
            | EndKind.NOT_INVITED | EndKind.OTHER_TABLE | EndKind.OTHER_HOST | EndKind.NEW_KEY
            | EndKind.START_IN_DOUBT | EndKind.WRONG_WORDS
        ):  # fmt: skip
            return Exit.TURNED_AWAY
        case (
            EndKind.NAME_UNKNOWN | EndKind.REFUSED | EndKind.NO_ANSWER | EndKind.NOT_A_TABLE
            | EndKind.LOST_TABLE | EndKind.SOURCE_LEFT
            | EndKind.NO_MAILBOX | EndKind.UNPROVEN_MAILBOX | EndKind.NOBODY_AT_NUMBER
            | EndKind.RELAY_GONE
            | EndKind.NO_DIRECT_WAY | EndKind.RELAY_SILENT | EndKind.RELAY_REFUSES
        ):  # fmt: skip
            return Exit.UNREACHABLE
        case (
            EndKind.PORT_TAKEN | EndKind.FILES | EndKind.IN_USE
        ):  # fmt: skip
            return Exit.FILES
        case _:
            assert_never(kind)


# -- unfinished games: `kotp2p resume --list` ----------------------------------------------


def list_games(profile: str, as_json: bool) -> int:
    output = Output.standard()
    data = data_folder()
    world = machine.machine_world(data, log_folder(data), profile)
    games: list[UnfinishedGame] = []
    try:
        for found in resume.list_games(world):
            if isinstance(found, CannotResume):
                output.note_line(_("This game cannot be resumed: {fault}",
                                   fault=" ".join(describe_trouble(found))))  # fmt: skip
            else:
                games.append(found)
        starts = list(resume.list_doubtful_starts(world))
    except FileTrouble as fault:
        output.note_line(_("The games cannot be listed: {fault}",
                           fault=" ".join(describe_trouble(fault))))  # fmt: skip
        return Exit.FILES
    if as_json:
        output.write_document(json.dumps([_game_as_object(game) for game in games]))
    else:
        for game in games:
            output.say_unbroken(_describe_game(game, profile))
    for start in starts:
        output.note_line(_describe_start(start, profile))
    if not games and not starts:
        output.note_line(_("You have no unfinished game here."))
        return Exit.NOTHING_FOUND
    return Exit.DONE


def _game_as_object(game: UnfinishedGame) -> dict[str, object]:
    return {
        "phrase": game.genesis.phrase,
        "begun": game.day or None,
        "rules": game.genesis.charter.rules,
        "turn": game.turn,
        "players": [player.name for player in game.genesis.players],
        "log": game.log,
        "open": is_locked(Path(game.folder) / "lock"),
    }


def _describe_start(start: SignedStart, profile: str) -> str:
    return _(
        "{phrase}: you have signed its start with {players}, and it may have begun without you. "
        "Ask them: {resume}",
        phrase=start.genesis.phrase,
        players=list_with_and([p.name for p in start.genesis.players if p.key != start.signer.key]),
        resume=resume_command(profile, start.genesis.phrase),
    )


def _describe_game(game: UnfinishedGame, profile: str) -> str:
    fields = {
        "phrase": game.genesis.phrase,
        "turn": game.turn,
        "day": game.day,
        "rules": game.genesis.charter.rules,
        "players": list_with_and(names_in_sentences(tuple(p.name for p in game.genesis.players))),
        "resume": resume_command(profile, game.genesis.phrase),
    }
    if is_locked(Path(game.folder) / "lock"):
        return _(
            "{phrase}: turn {turn}, {rules} rules, {players}. Open in another window.", **fields
        )
    if not game.day:
        return _("{phrase}: turn {turn}, {rules} rules, {players}. Go on: {resume}", **fields)
    return _(
        "{phrase}: turn {turn}, {rules} rules, {players}, begun on {day}. Go on: {resume}", **fields
    )


def resume_command(profile: str, phrase: str = "") -> str:
    words = ["kotp2p", "resume", *phrase.split()[:2]]
    if profile != "default":
        words += ["--profile", shlex.quote(profile)]
    return typeable(" ".join(words))


# -- the command that a player has set to be run when it is their turn (`on_turn`) ---------
#
# It is run without a shell and without a word of the game, at most once in ten seconds, for at
# most five. What it prints is thrown away. That it cannot be started is said once.


MIN_SECONDS_BETWEEN_RUNS = 10.0
MOST_SECONDS = 5.0


class TurnCommand:
    def __init__(
        self,
        setting: str,
        say: Callable[[str], None],
        is_in_front: Callable[[], bool] = lambda: False,
    ) -> None:
        """Split `setting` as a shell would; `say` takes a sentence for the player."""
        # The command is not run while `is_in_front` knows the player's window to be in front.
        self._words = shlex.split(setting)
        self._say = say
        self._is_in_front = is_in_front
        self._wanted = trio.Event()
        self._next_at = -math.inf
        self._has_failed = False

    def note_turn(self) -> None:
        if self._words and not self._is_in_front():
            self._wanted.set()

    async def run(self) -> None:
        while True:
            await self._wanted.wait()
            self._wanted = trio.Event()
            if trio.current_time() >= self._next_at:
                self._next_at = trio.current_time() + MIN_SECONDS_BETWEEN_RUNS
                await self._run_command()

    async def _run_command(self) -> None:
        try:
            process = await trio.lowlevel.open_process(
                self._words, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, start_new_session=True
            )
        except OSError as fault:
            if not self._has_failed:
                self._has_failed = True
                self._say(
                    _("The command of the setting on_turn cannot be started: {command}: {detail}.",
                      command=self._words[0], detail=describe_system_error(fault.errno))
                )  # fmt: skip
            return
        try:
            with trio.move_on_after(MOST_SECONDS):
                await process.wait()
        finally:
            if process.returncode is None:
                _end(process)
                with trio.CancelScope(shield=True):
                    await process.wait()


def _end(process: trio.Process) -> None:
    if os.name == "nt":
        process.kill()
        return
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
