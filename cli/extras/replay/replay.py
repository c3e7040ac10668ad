"""`kotp2p replay` shows a game again from its log alone; `explain` how its dice and cards came."""

import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from kotp2p.cli.commands.log_files import choose_log, read_log
from kotp2p.cli.commands.one_game import find_shade
from kotp2p.cli.extras.replay.player import (
    INDENT,
    ReplayPlayer,
    ReplayWords,
    describe_method,
    find_draws,
    find_draws_of_turn,
    words_of_draw,
)
from kotp2p.cli.extras.replay.reel import Reel
from kotp2p.cli.system.config import Config, ConfigFault, load_config
from kotp2p.cli.system.folders import STANDARD_INPUT, data_folder
from kotp2p.cli.system.output import Exit, Output, wants_screen
from kotp2p.cli.system.terminal import choose_symbols
from kotp2p.cli.text.files import describe_verdict
from kotp2p.cli.text.i18n import _, plural
from kotp2p.cli.ui.plain import is_terminal
from kotp2p.extras.recording import ExplainedDraw, LogRecording, record_log
from kotp2p.game.verify import Report, Result
from kotp2p.lobby.known_keys import profile_folder, read_identity
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.notices import WATCHER
from kotp2p.seams.world import FileTrouble
from kotp2p.store.log_work import report_no_file
from kotp2p.store.machine_disk import MachineDisk
from kotp2p.wire.genesis import Player

SECONDS_BEFORE_DRAWING = 1.0
"""A log that takes longer to check is shown while it is checked."""
RECORDS_AT_ONCE = 16
PLACE_PATTERN = re.compile(r"(r?)(\d{1,9})", re.IGNORECASE)


def run_replay(*, log: list[str] | None, profile: str, log_dir: Path | None) -> int:
    terminal = is_terminal()
    output = Output.standard(terminal=terminal)
    try:
        config = load_config()
    except ConfigFault as fault:
        return output.refuse(fault)
    path = choose_log(" ".join(log or []), log_dir, output)
    if path is None:
        return Exit.FILES
    try:
        opened = LogRecording(read_log(path))
    except OSError as fault:
        output.say_line(describe_verdict(str(path), report_no_file(fault)))
        return Exit.FILES
    on_screen = wants_screen(terminal, plain=config.is_on("plain")) and str(path) != STANDARD_INPUT
    _read_for(opened, SECONDS_BEFORE_DRAWING if on_screen else None)
    if opened.recording is None:
        output.say_line(describe_verdict(str(path), opened.report()))
        return exit_code(opened.report())
    player = ReplayPlayer(str(path), opened, opened.recording)
    player.sit_at(_own_seat(profile, player.recording.genesis.players))
    if on_screen:
        _show_on_screen(player, config)
    elif terminal and str(path) != STANDARD_INPUT:
        PlainReplay(player, output).step_through(_read_line)
    else:
        PlainReplay(player, output).tell_all()
    return exit_code(opened.report())


def exit_code(report: Report) -> Exit:
    match report.result:
        case Result.WRONG:
            return Exit.WRONG
        case Result.UNREADABLE:
            return Exit.FILES
        case Result.SOUND | Result.UNFINISHED:
            return Exit.DONE


def _read_for(log: LogRecording, seconds: float | None) -> None:
    until = None if seconds is None else time.monotonic() + seconds
    while not log.is_whole and (until is None or time.monotonic() < until):
        log.read_on(RECORDS_AT_ONCE)


def _own_seat(profile: str, players: tuple[Player, ...]) -> Seat:
    data = data_folder()
    try:
        own = read_identity(MachineDisk(), profile_folder(data, profile))
    except FileTrouble:
        return WATCHER
    keys = [player.key for player in players]
    return keys.index(own.key) if own is not None and own.key in keys else WATCHER


# -- in plain lines: all of it into a pipe, or step by step at a terminal --------------------------
#
# Lines are only ever added, also when the reader goes back.


ReadLine = Callable[[], str]
"""Returns the next typed line, or raises EOFError at the end of the input."""


class PlainReplay:
    def __init__(self, player: ReplayPlayer, output: Output) -> None:
        self._player = player
        self._output = output
        self._words = ReplayWords(player)

    def tell_all(self) -> None:
        self._say_lines(self._player.reel.lines_at(self._player.place))
        self._tell_rest()

    def _tell_rest(self) -> None:
        player = self._player
        while (following := player.reel.step(player.place, 1)) is not None:
            player.place = following
            self._say_lines(player.reel.lines_at(following))
        self._say_lines([self._verdict()])

    def step_through(self, read_line: ReadLine) -> None:
        self._say_lines([_("Enter shows the next event; ? lists the other words.")])
        self._say_place()
        while not self._player.has_left:
            if self._player.is_playing:
                self._player.is_playing = False
                self._tell_rest()
            self._output.show_prompt()
            try:
                line = read_line()
            except EOFError:
                return
            self._output.echo_line(line)
            self._follow(line)

    def _follow(self, line: str) -> None:
        player, before = self._player, self._player.place
        seat = player.seat
        self._say_lines(self._words.read_line(line))
        if player.remark:
            self._say_lines([player.remark])
        if player.place == player.reel.step(before, 1):
            self._say_lines(player.reel.lines_at(player.place))
        elif player.place != before or player.seat != seat:
            self._say_place()
        if player.place != before and player.is_at_end:
            self._say_lines([self._verdict()])

    def _say_place(self) -> None:
        """Print the place after a jump, and its lines."""
        player = self._player
        self._say_lines([player.describe_place(), *player.reel.lines_at(player.place)])

    def _verdict(self) -> str:
        return describe_verdict(self._player.name, self._player.report)

    def _say_lines(self, lines: Iterator[str] | list[str] | tuple[str, ...]) -> None:
        for line in lines:
            if line.startswith(INDENT):  # a hash or a command, for copying
                self._output.say_unbroken(line)
            else:
                self._output.say_line(line)


# -- on the drawn table -------------------------------------------------------------------------


def _read_line() -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\r\n")


def _show_on_screen(player: ReplayPlayer, config: Config) -> None:
    from kotp2p.cli.extras.replay.drawn import ReplayTable
    from kotp2p.cli.ui.screen import theme
    from kotp2p.cli.ui.screen.stage import TerminalStage

    encoding = sys.stdout.encoding
    theme.use_symbols(choose_symbols(config.symbols, encoding, os.environ), encoding)
    table = ReplayTable(player, animation=config.is_on("animation"))
    stage: TerminalStage[None] = TerminalStage(
        table, palette=config.palette, shade=find_shade(config), mouse=config.is_on("mouse")
    )
    stage.on_hangup = partial(table.post_job, table.leave)
    stage.run(table.run)


# -- explain -------------------------------------------------------------------------------


def run_explain(words: list[str] | None, log_dir: Path | None) -> int:
    """Run `kotp2p explain`: by default the newest game, and its last turn with a draw."""
    output, typed = Output.standard(), words or []
    place = PLACE_PATTERN.fullmatch(typed[-1]) if typed else None
    record = int(place[2]) if place and place[1] else None
    turn = int(place[2]) if place and not place[1] else None
    path = choose_log(" ".join(typed[:-1] if place else typed), log_dir, output)
    if path is None:
        return Exit.FILES
    try:
        log = record_log(read_log(path))
    except OSError as fault:
        output.note_line(describe_verdict(str(path), report_no_file(fault)))
        return Exit.FILES
    report = log.report()
    if log.recording is None:
        output.note_line(describe_verdict(str(path), report))
        return exit_code(report)
    reel = Reel(log, log.recording)
    draws = _find_draws(reel, record, turn)
    if not draws:
        output.note_line(_describe_nothing(reel))
        return Exit.NOTHING_FOUND
    for line in describe_method():
        output.say_line(line)
    for draw in draws:
        output.say_line("")
        _print(output, words_of_draw(reel, draw))
    output.say_line("")
    output.say_line(describe_verdict(str(path), report))
    return exit_code(report)


def _print(output: Output, lines: list[str]) -> None:
    """Print the lines; hashes are not broken, so that they can be copied."""
    for line in lines:
        if line.startswith(INDENT):
            output.say_unbroken(line)
        else:
            output.say_line(line)


def _find_draws(reel: Reel, record: int | None, turn: int | None) -> list[ExplainedDraw]:
    if record is not None:
        if record >= len(reel.log.records):
            return []
        return find_draws(reel, reel.place_of_record(record))
    if turn is not None:
        return find_draws_of_turn(reel, turn)
    turns = range(reel.recording.turns, -1, -1)
    return next(filter(None, (find_draws_of_turn(reel, one) for one in turns)), [])


def _describe_nothing(reel: Reel) -> str:
    return plural(
        "Nothing was drawn there. This log has {n} turn, and its last record is {last}.",
        "Nothing was drawn there. This log has {n} turns, and its last record is {last}.",
        reel.recording.turns,
        last=len(reel.log.records) - 1,
    )
