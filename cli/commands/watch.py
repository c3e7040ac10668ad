"""`kotp2p watch`: a game without a seat at it, from the command to the exit code.

Scope: the target, the display, the last words.
Not here: what is shown (`cli.ui.line_player`), and the game (`kotp2p.shell.watch`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from kotp2p.cli.commands.find import Aim, choose_table
from kotp2p.cli.commands.finish import finish_game
from kotp2p.cli.commands.join_target import ASK_FOR_TARGET, ask_for_target
from kotp2p.cli.commands.one_game import play_in_lines, play_on_screen
from kotp2p.cli.commands.player_process import PlayerProcess
from kotp2p.cli.commands.table_options import CommandRefused
from kotp2p.cli.system.config import ConfigFault, load_config
from kotp2p.cli.system.folders import data_folder, log_folder
from kotp2p.cli.system.options import Beginning
from kotp2p.cli.system.output import Exit, Output, wants_screen
from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.join_target import (
    BadAddress,
    parse_address,
    parse_invitation,
    read_table_words,
)
from kotp2p.cli.ui.notice_feed import Audience
from kotp2p.cli.ui.stdin import is_terminal
from kotp2p.endings import Ending, EndKind
from kotp2p.net import machine
from kotp2p.net.invitation import is_link
from kotp2p.shell.find_host import TableAddress
from kotp2p.shell.watch import WatchWish, watch, watch_next


@dataclass(frozen=True, slots=True)
class WatchRequest:
    target: str
    from_start: bool
    log: Path | None


def run_watch(*, address: list[str] | None, beginning: Beginning, log: Path | None) -> int:
    """The flags of `kotp2p watch`."""
    return watch_table(WatchRequest(" ".join(address or []), beginning is Beginning.START, log))


def watch_table(request: WatchRequest) -> int:
    terminal = is_terminal()
    output = Output.standard(terminal=terminal)
    try:
        config = load_config()
        target = ask_for_target() if request.target == ASK_FOR_TARGET else request.target
        words = read_table_words(target)
        if not target or words:
            found = choose_table(Aim.WATCH, words)
            if isinstance(found, Exit):
                return found
            target = found
        table = _find_table(target)
    except (BadAddress, CommandRefused, ConfigFault) as fault:
        output.note_line(_("kotp2p: {fault}", fault=fault))
        return Exit.USAGE
    output.bell = config.is_on("bell")
    data = data_folder()
    world = machine.machine_world(data, log_folder(data), "default")
    log = None if request.log is None else request.log.absolute()
    wish = WatchWish(request.from_start, log)
    audience = Audience(can_type=terminal, answers=False)
    if wants_screen(terminal, plain=config.is_on("plain")):
        show = partial(play_on_screen, config, None, audience)
    else:
        show = partial(play_in_lines, config, None, audience, output=output)
    place = (table.places[0], table.port)
    process, ending = show(partial(watch, world, wish, table))
    code = _conclude(process, ending, output, place)
    number = 2
    while terminal and _was_seen_whole(process, ending):
        next_wish = replace(wish, log=_log_of_next(log, number))
        process, ending = show(partial(watch_next, world, next_wish, table))
        if ending is None or ending.view is None:  # no game was watched
            _conclude(process, ending, output, place)
            return Exit.DONE
        code, number = _conclude(process, ending, output, place), number + 1
    return code


def _was_seen_whole(process: PlayerProcess, ending: Ending | None) -> bool:
    has_ended = ending is not None and ending.kind is EndKind.FINISHED
    return has_ended and not process.signal_number


def _log_of_next(log: Path | None, number: int) -> Path | None:
    """Where the log of the second game goes, and of those after it."""
    return None if log is None else log.with_stem(f"{log.stem}-{number}")


def _find_table(target: str) -> TableAddress:
    """Raises BadAddress."""
    if is_link(target):
        return TableAddress.from_invitation(parse_invitation(target, to_watch=True))
    host, port = parse_address(target)
    return TableAddress((host,), port)


def _conclude(
    process: PlayerProcess, ending: Ending | None, output: Output, target: tuple[str, int]
) -> int:
    """Says the last words, and returns the exit code."""
    if ending is None or process.signal_number:
        return 128 + process.signal_number
    if ending.kind is EndKind.FULL:  # of watchers: the seats do not matter
        output.note_line(_("As many watch that table as may at a time. Try it again later."))
        return Exit.TURNED_AWAY
    result = process.player.state.feed.describe_result(ending)
    return finish_game(ending, output, False, *target, result=result)
