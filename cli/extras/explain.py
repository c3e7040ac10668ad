"""`kotp2p explain`: how the dice and cards of a turn came about.

Not here: the words (`cli.text.statistics`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from kotp2p.cli.commands.log_files import choose_log, read_log
from kotp2p.cli.commands.replay import exit_code
from kotp2p.cli.system.output import Exit, Output
from kotp2p.cli.text.endings import describe_verdict
from kotp2p.cli.text.i18n import _, plural
from kotp2p.cli.text.statistics import INDENT, describe_method
from kotp2p.cli.ui.replay.player import (
    find_draws,
    find_draws_of_turn,
    words_of_draw,
)
from kotp2p.cli.ui.replay.reel import Reel
from kotp2p.game.recording import ExplainedDraw, record_log
from kotp2p.store.log_work import report_no_file

PLACE_PATTERN = re.compile(r"(r?)(\d{1,9})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class WantedDraws:
    log: str
    """A file or words; empty for the newest game."""
    record: int | None = None
    turn: int | None = None
    """The turn; without a record and a turn, the last one in which anything was drawn."""

    @staticmethod
    def parse(words: list[str]) -> WantedDraws:
        """Parse a log and a place, as in `chisel 14`, `14` or `game.kotlog r96`."""
        place = PLACE_PATTERN.fullmatch(words[-1]) if words else None
        if place is None:
            return WantedDraws(" ".join(words))
        log, number = " ".join(words[:-1]), int(place[2])
        return WantedDraws(log, record=number) if place[1] else WantedDraws(log, turn=number)


def run_explain(words: list[str] | None, log_dir: Path | None) -> int:
    output, wanted = Output.standard(), WantedDraws.parse(words or [])
    path = choose_log(wanted.log, log_dir, output)
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
    draws = _find_draws(reel, wanted)
    if not draws:
        output.note_line(_describe_nothing(reel, wanted))
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


def _find_draws(reel: Reel, wanted: WantedDraws) -> list[ExplainedDraw]:
    if wanted.record is not None:
        if wanted.record >= len(reel.log.records):
            return []
        return find_draws(reel, reel.place_of_record(wanted.record))
    if wanted.turn is not None:
        return find_draws_of_turn(reel, wanted.turn)
    turns = range(reel.recording.turns, -1, -1)
    return next(filter(None, (find_draws_of_turn(reel, turn) for turn in turns)), [])


def _describe_nothing(reel: Reel, wanted: WantedDraws) -> str:
    if wanted.turn is not None and wanted.turn > reel.recording.turns:
        turns = reel.recording.turns
        return plural("This log has {n} turn.", "This log has {n} turns.", turns)
    last = len(reel.log.records) - 1
    if wanted.record is not None and wanted.record > last:
        return _("The records of this log go from 0 to {last}.", last=last)
    return _("Nothing was drawn there.")
