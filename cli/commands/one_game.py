"""One game from the command to its exit code: settings, display, player, process, last words.

Scope: what `host`, `join`, `solo` and `resume` have in common.
Not here: which game is played and whether there is another (`play`).
"""

from __future__ import annotations

import os
import signal
import stat
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial

import trio

from kotp2p import bots
from kotp2p.cli.commands.finish import finish_game
from kotp2p.cli.commands.first_game import FirstGame
from kotp2p.cli.commands.person import Person, choose_seating, refused_login_name
from kotp2p.cli.commands.player_process import SIGNALS, PlayerProcess
from kotp2p.cli.commands.resume_list import resume_command
from kotp2p.cli.commands.table_options import (
    CommandRefused,
    TableRequest,
    check_options,
    check_table,
    host_options,
    rule_options,
)
from kotp2p.cli.system.asked_background import ask_background
from kotp2p.cli.system.choices import Palette, Shade
from kotp2p.cli.system.config import Config, ConfigFault, describe_appearance, load_config
from kotp2p.cli.system.exit_codes import Exit
from kotp2p.cli.system.output import Output, wants_screen
from kotp2p.cli.system.own_network import interface_of_address
from kotp2p.cli.system.terminal import VTE_VARIABLE, choose_symbols, tell_shade
from kotp2p.cli.system.turn_command import TurnCommand
from kotp2p.cli.text import endings
from kotp2p.cli.text.file_faults import describe_few_files, is_for_want_of_files
from kotp2p.cli.text.i18n import _
from kotp2p.cli.ui.line_player import LinePlayer
from kotp2p.cli.ui.notice_feed import Audience
from kotp2p.cli.ui.plain import seat_plain_player
from kotp2p.cli.ui.player_state import Departure
from kotp2p.cli.ui.stdin import input_discarder, is_terminal, read_lines
from kotp2p.endings import Ending, EndKind
from kotp2p.front import Front
from kotp2p.referee.box.rulesets import RuleSet
from kotp2p.referee.box.setup import Options
from kotp2p.shell.run import SeatWish
from kotp2p.world import World

Play = Callable[[World, SeatWish, Front], Awaitable[Ending]]
PlayAtFront = Callable[[Front], Awaitable[Ending]]


@dataclass(frozen=True, slots=True)
class Played:
    """One game that is over for this process."""

    code: int
    """The exit code."""
    ending: Ending | None
    """None: a signal came first."""
    wants_another: bool | None = None
    """Whether the person wants another game with the same people; None: they were not asked."""
    was_easy: bool = False
    """The rivals of a first game have played easily."""


def play_game(
    person: Person,
    play: Play,
    world: World,
    *,
    table: TableRequest | None = None,
    target: tuple[str, int] = ("", 0),
    solo: bool = False,
    first_game: FirstGame | None = None,
) -> Played:
    """Plays one game.

    `table` is the table that this person opens; `target` is the host and port that they join.
    `first_game`: whether this one is to be taught.
    """
    terminal = is_terminal()
    output = Output.standard(as_json=person.as_json, terminal=terminal)
    try:
        config = load_config()
        seating = choose_seating(person, config)
        if table is not None:
            _check_own_table(table, waits=terminal and not table.start_when_full and not solo)
            target = ("", table.port)
        _check_input(person, terminal)
    except (CommandRefused, ConfigFault) as fault:
        output.note_line(_("kotp2p: {fault}", fault=fault))
        return Played(Exit.USAGE, None)
    output.bell = config.is_on("bell")
    audience = replace(
        _describe_audience(person, config, table, terminal, solo=solo),
        wanted_monster=seating.monster,
        lesson=_rules_to_teach(person, table, first_game, terminal),
        is_easy=solo and table is not None and table.is_first,
        is_new_guest=_is_new_guest(person, table, first_game, terminal),
    )
    bot = None if person.bot is None else bots.make_bot(person.bot, os.urandom(32))
    play_here = partial(play, world, seating)
    try:
        if wants_screen(terminal, plain=config.is_on("plain") or person.as_json):
            process, ending = play_on_screen(config, bot, audience, play_here)
        else:
            process, ending = play_in_lines(config, bot, audience, play_here, output)
    except (OSError, BaseExceptionGroup) as error:
        if not is_for_want_of_files(error):
            raise
        output.note_line(describe_few_files())
        return Played(Exit.FILES, None)
    if first_game is not None and process.player.coaching.is_over:
        first_game.remember()
    code = _conclude(person, process, ending, output, target)
    wants_another = process.player.state.wants_another
    return Played(code, _unless_stopped(process, ending), wants_another, audience.is_easy)


def _describe_audience(
    person: Person, config: Config, table: TableRequest | None, terminal: bool, *, solo: bool
) -> Audience:
    return Audience(
        solo=solo,
        can_type=terminal,
        starts_game=table is not None and not host_options(table, terminal).start_when_full,
        answers=person.bot is None,
        refused_name=refused_login_name(person, config),
        interfaces={} if solo else interface_of_address(),
        options=Options() if table is None else rule_options(table),
        appearance=tuple(describe_appearance(config)),
    )


def _check_own_table(table: TableRequest, *, waits: bool) -> None:
    """`waits`: as for `check_options`. Raises CommandRefused."""
    check_table(table)
    check_options(table, waits=waits)


def _rules_to_teach(
    person: Person, table: TableRequest | None, first_game: FirstGame | None, terminal: bool
) -> RuleSet | None:
    if first_game is None or table is None or person.bot is not None or person.as_json:
        return None
    if table.people:
        return None  # a lesson is for one
    return first_game.rules_to_teach(table.rules, terminal=terminal)


def _is_new_guest(
    person: Person, table: TableRequest | None, first_game: FirstGame | None, terminal: bool
) -> bool:
    if first_game is None or table is not None or person.bot is not None or person.as_json:
        return False
    return terminal and not first_game.was_coached()


def _check_input(person: Person, terminal: bool) -> None:
    if person.bot is None and not terminal and _is_nothing():
        raise CommandRefused(
            _("A terminal is needed to play; a bot can play for you: add --bot normal")
        )


def _is_nothing() -> bool:
    """stdin is closed, or is a device without a person (/dev/null)."""
    try:
        return stat.S_ISCHR(os.fstat(0).st_mode) and not os.isatty(0)
    except OSError:
        return True


def play_in_lines(
    config: Config, bot: Front | None, audience: Audience, play: PlayAtFront, output: Output
) -> tuple[PlayerProcess, Ending | None]:
    terminal = output.terminal
    discard_typed = input_discarder(0) if terminal else lambda: None
    player = seat_plain_player(output, bots.advise, bot, discard_typed, audience)
    player.standing.orders = config.orders
    if terminal:  # nobody watches a pipe
        set_pace(player, config)
    process = PlayerProcess(
        player,
        terminal,
        partial(read_lines, 0, player, terminal),
        _turn_command(config, player),
    )
    return process, trio.run(process.run_until_end, partial(play, process.front))


def play_on_screen(
    config: Config, bot: Front | None, audience: Audience, play: PlayAtFront
) -> tuple[PlayerProcess, Ending | None]:
    from kotp2p.cli.ui.screen import theme
    from kotp2p.cli.ui.screen.drawn_table import seat_screen_player
    from kotp2p.cli.ui.screen.stage import TerminalStage

    encoding = sys.stdout.encoding
    theme.use_symbols(choose_symbols(config.symbols, encoding, os.environ), encoding)
    table = seat_screen_player(
        bots.advise,
        bot,
        audience,
        bell=config.is_on("bell"),
        animation=config.is_on("animation"),
        keys_are_words=bool(os.environ.get(VTE_VARIABLE)),
    )
    player, controls = table.player, table.controls
    player.standing.orders = config.orders
    set_pace(player, config)
    on_turn = _turn_command(config, player, lambda: table.screen.focus.in_front is True)
    process = PlayerProcess(player, True, controls.run_jobs, on_turn)
    controls.on_second_interrupt = partial(process.end_by_signal, signal.SIGINT)
    stage: TerminalStage[Ending | None] = TerminalStage(
        table,
        palette=config.palette,
        shade=find_shade(config),
        mouse=config.is_on("mouse"),
    )
    stage.on_hangup = partial(controls.post_job, partial(process.end_by_signal, SIGNALS[-1]))
    return process, stage.run(lambda: process.run_until_end(partial(play, process.front)))


def _turn_command(
    config: Config, player: LinePlayer, is_in_front: Callable[[], bool] = lambda: False
) -> TurnCommand:
    setting = config.text_of("on_turn") or ""
    command = TurnCommand(setting, lambda line: player.display.put_news([], [line]), is_in_front)
    player.state.on_called = command.note_turn
    return command


def set_pace(player: LinePlayer, config: Config) -> None:
    """As the person wants it: slowly in a lesson, if no speed is set."""
    player.state.pace.choose_speed(config.speed)
    if player.state.feed.audience.lesson is not None and not config.settings["speed"].origin:
        player.state.pace.begin_lesson()


def find_shade(config: Config) -> Shade:
    if config.palette is Palette.MONO:
        return Shade.ANY  # it has no colours
    ask = partial(ask_background, sys.stdin.fileno(), sys.stdout.fileno(), os.environ)
    return tell_shade(config.background, os.environ, ask)


def _conclude(
    person: Person,
    process: PlayerProcess,
    ending: Ending | None,
    output: Output,
    target: tuple[str, int],
) -> int:
    """Says the last words, and returns the exit code."""
    state = process.player.state
    resume = resume_command(person.profile)
    if ending is None:
        if state.view is not None:  # each move was on disk before it was sent
            output.say_line(endings.describe_kept_seat(resume))
        return 128 + process.signal_number
    result = state.feed.describe_result(ending)
    code: int = finish_game(
        ending, output, person.as_json, *target, resume=resume, result=result
    )  # fmt: skip
    if process.signal_number:
        return 128 + process.signal_number
    if state.departure.state is Departure.ABANDONED and ending.kind is EndKind.LEFT:
        return Exit.STOPPED
    return code


def _unless_stopped(process: PlayerProcess, ending: Ending | None) -> Ending | None:
    """After a signal nothing follows a game, whatever its end was."""
    return None if process.signal_number else ending
