"""`kotp2p watch`: a game without a seat at it, from the command to the exit code.

A module of its own, as each command of the wing is, which loads only what it needs.
"""

from dataclasses import replace
from functools import partial
from pathlib import Path

from kotp2p.cli.commands import one_game
from kotp2p.cli.commands.join import ASK_FOR_TARGET, Aim, ask_for_target, choose_table
from kotp2p.cli.commands.person import CommandRefused
from kotp2p.cli.commands.play import look_around, place_of, read_target
from kotp2p.cli.system.config import ConfigFault, load_config
from kotp2p.cli.system.folders import data_folder, log_folder
from kotp2p.cli.system.options import Beginning
from kotp2p.cli.system.output import Exit, Output, wants_screen
from kotp2p.cli.text.how_to_join import BadAddress
from kotp2p.cli.text.i18n import _
from kotp2p.cli.ui.notice_feed import Audience
from kotp2p.cli.ui.plain import is_terminal
from kotp2p.extras.shell.watch import WatchWish, watch, watch_next
from kotp2p.net import machine
from kotp2p.seams.endings import Ending, EndKind


def run_watch(*, address: list[str] | None, beginning: Beginning, log: Path | None) -> int:
    terminal = is_terminal()
    output = Output.standard(terminal=terminal)
    try:
        config = load_config()
        target = " ".join(address or [])
        target = ask_for_target() if target == ASK_FOR_TARGET else target
        if not target:
            found = choose_table(Aim.WATCH)
            if isinstance(found, Exit):
                return found
            target = found
        table = read_target(target, to_watch=True)
    except (BadAddress, CommandRefused, ConfigFault) as fault:
        return output.refuse(fault)
    output.bell = config.is_on("bell")
    data = data_folder()
    world = machine.machine_world(data, log_folder(data), "default")
    world = look_around(machine.with_servers(world, config.servers), table)
    log = log and log.absolute()
    wish = WatchWish(beginning is Beginning.START, log)
    audience = Audience(can_type=terminal, answers=False)
    if wants_screen(terminal, plain=config.is_on("plain")):
        show = partial(one_game.play_on_screen, config, None, audience)
    else:
        show = partial(one_game.play_in_lines, config, None, audience, output=output)
    place = place_of(table)
    process, ending = show(partial(watch, world, wish, table))
    code = _conclude(process, ending, output, place)
    number = 2
    while terminal and ending and ending.kind is EndKind.FINISHED and not process.signal_number:
        next_log = log and log.with_stem(f"{log.stem}-{number}")
        next_wish = replace(wish, log=next_log)
        process, ending = show(partial(watch_next, world, next_wish, table))
        if ending is None or ending.view is None:  # no game was watched
            _conclude(process, ending, output, place)
            return Exit.DONE
        code, number = _conclude(process, ending, output, place), number + 1
    return code


def _conclude(
    process: one_game.PlayerProcess, ending: Ending | None, output: Output, target: tuple[str, int]
) -> int:
    if ending is None or process.signal_number:
        return 128 + process.signal_number
    if ending.kind is EndKind.FULL:  # of watchers: the seats do not matter
        output.note_line(_("As many watch that table as may at a time. Try it again later."))
        return Exit.TURNED_AWAY
    result = process.player.state.feed.describe_result(ending)
    return one_game.finish_game(ending, output, False, *target, result=result)
