"""`kotp2p explain`: how the dice and cards of a turn came about."""

import re
from pathlib import Path

from kotp2p.cli.commands.log_files import choose_log, read_log
from kotp2p.cli.extras.replay.player import (
    INDENT,
    describe_method,
    find_draws,
    find_draws_of_turn,
    words_of_draw,
)
from kotp2p.cli.extras.replay.reel import Reel
from kotp2p.cli.extras.replay.replay import exit_code
from kotp2p.cli.system.output import Exit, Output
from kotp2p.cli.text.endings import describe_verdict
from kotp2p.cli.text.i18n import plural
from kotp2p.extras.recording import ExplainedDraw, record_log
from kotp2p.store.log_work import report_no_file

PLACE_PATTERN = re.compile(r"(r?)(\d{1,9})", re.IGNORECASE)


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
