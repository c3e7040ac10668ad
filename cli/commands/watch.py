"""`kotp2p watch`: a game without a seat at it, from the command to the exit code.

Scope: the target, the display, the last words.
Not here: what is shown (`cli.ui.line_player`), and the game (`kotp2p.shell.watch`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from cli.commands.finish import finish_game
from cli.commands.join_target import ASK_FOR_TARGET, ask_for_target
from cli.commands.one_game import play_in_lines, play_on_screen
from cli.commands.person import Person, choose_seating
from cli.commands.player_process import PlayerProcess
from cli.commands.table_options import CommandRefused
from cli.system.config import ConfigFault, load_config
from cli.system.exit_codes import Exit
from cli.system.folders import data_folder, log_folder
from cli.system.output import Output, wants_screen
from cli.text.i18n import _
from cli.text.join_target import BadAddress, parse_address, parse_invitation
from cli.ui.notice_feed import Audience
from cli.ui.stdin import is_terminal
from kotp2p.endings import Ending
from kotp2p.front import Front
from kotp2p.net import machine
from kotp2p.net.invitation import is_link
from kotp2p.shell.find_host import TableAddress
from kotp2p.shell.watch import WatchWish, watch
from kotp2p.watch_offer import WatchOffer
from kotp2p.world import World


@dataclass(frozen=True, slots=True)
class WatchRequest:
    target: str
    name: str | None
    from_start: bool
    log: Path | None
    watchers: int
    port: int | None


def watch_table(request: WatchRequest) -> int:
    terminal = is_terminal()
    output = Output.standard(terminal=terminal)
    person = Person(request.name, None, None, None, "default", as_json=False)
    try:
        config = load_config()
        is_asked_for = request.target == ASK_FOR_TARGET
        table = _find_table(ask_for_target() if is_asked_for else request.target)
        seating = choose_seating(person, config)
    except (BadAddress, CommandRefused, ConfigFault) as fault:
        output.note_line(_("kotp2p: {fault}", fault=fault))
        return Exit.USAGE
    output.bell = config.is_on("bell")
    data = data_folder()
    world = machine.machine_world(data, log_folder(data), "default")
    log = None if request.log is None else request.log.absolute()
    wish = WatchWish(
        seating.name, request.from_start, log, WatchOffer(request.watchers), request.port
    )
    play = partial(_watch, world, wish, table)
    audience = Audience(can_type=terminal, answers=False)
    if wants_screen(terminal, plain=config.is_on("plain")):
        process, ending = play_on_screen(config, None, audience, play)
    else:
        process, ending = play_in_lines(config, None, audience, play, output)
    return _conclude(process, ending, output, (table.places[0], table.port))


async def _watch(world: World, wish: WatchWish, table: TableAddress, front: Front) -> Ending:
    return await watch(world, wish, table, front)


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
    result = process.player.state.feed.describe_result(ending)
    return finish_game(ending, output, False, *target, result=result)
