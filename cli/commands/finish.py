"""The last words of host, join, solo and resume: for people, or as a JSON document."""

from __future__ import annotations

import json
import shlex

from kotp2p.cli.system.ending_codes import exit_code
from kotp2p.cli.system.exit_codes import Exit
from kotp2p.cli.system.folders import data_folder, log_folder
from kotp2p.cli.system.named_logs import find_log
from kotp2p.cli.system.output import Output
from kotp2p.cli.system.own_network import find_way
from kotp2p.cli.text.endings import (
    describe_ending,
    describe_kept_seat,
    describe_kept_start,
    describe_way_back,
    short_phrase,
    winners_line,
)
from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.no_answer import ELSEWHERE
from kotp2p.cli.text.own_command import typeable
from kotp2p.endings import Ending, EndKind
from kotp2p.seat_view import WATCHER


def finish_game(
    ending: Ending,
    output: Output,
    as_json: bool,
    host: str = "",
    port: int = 0,
    resume: str = "kotp2p resume",
    result: str = "",
) -> Exit:
    """Says the last words; returns the exit code. `resume` is the command that plays on, `result` a
    sentence about how a game went that was played to its end."""
    is_unanswered = ending.kind is EndKind.NO_ANSWER and bool(host)
    way = find_way(host, port) if is_unanswered else ELSEWHERE
    for line in describe_ending(ending, host, port, way):
        output.note_line(line)
    if ending.kind is EndKind.START_IN_DOUBT:
        words = " ".join(ending.detail.split()[:2])
        output.note_line(describe_kept_start(f"{resume} {words}"))
    check = again = ""
    if ending.log is None and ending.view is not None and ending.view.seat != WATCHER:
        output.note_line(_("The log of this game is gone: its folder was removed meanwhile."))
    if ending.log is not None:
        log = shlex.quote(str(ending.log))
        check = _("Check the log: {command}", command=typeable(f"kotp2p verify {log}"))
        again = describe_way_back(_name_log(ending))
    if check and not output.terminal:
        output.note_line(check)
    if as_json:
        output.write_document(json.dumps(ending_as_object(ending)))
    else:
        _say_result_and_log(ending, output, result, check, again)
    if ending.kind is EndKind.KEPT:
        output.say_line(describe_kept_seat(resume))
    return exit_code(ending.kind)


def _name_log(ending: Ending) -> str:
    """Words, if they find the log, and otherwise its path."""
    data, words = data_folder(), short_phrase(ending)
    if words and find_log(words, log_folder(data), data).path == ending.log:
        return words
    return shlex.quote(str(ending.log))


def _say_result_and_log(
    ending: Ending, output: Output, result: str, check: str, again: str
) -> None:
    if ending.kind is EndKind.FINISHED:
        output.say_line(result or winners_line(ending))
    if check and output.terminal:
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
