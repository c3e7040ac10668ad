"""`kotp2p stats`: counts over games, from their logs alone.

Scope: which games count, and the three forms.
Not here: the sums (`kotp2p.extras.evenings`), the words (`cli.text.evenings`), and the page
(`cli.export.charts`).
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

from cli.commands.known_games import find_games, has_player
from cli.commands.written_file import write_parts
from cli.export.charts import build_stats_page
from cli.system.exit_codes import Exit
from cli.system.options import CommonFlags
from cli.system.output import Output
from cli.text.evenings import describe_evenings, evenings_as_object
from cli.text.file_faults import describe_trouble
from cli.text.i18n import _, plural
from kotp2p.extras.evenings import sum_up_evenings
from kotp2p.world import FileTrouble


@dataclass(frozen=True, slots=True)
class StatsRequest:
    logs: tuple[str, ...]
    """None: the folder of logs."""
    log_dir: Path | None
    player: str
    """Only games with this player; empty: all."""
    jobs: int | None
    as_json: bool
    page: Path | None
    """Where the page with the charts is written; it goes without `as_json`."""


def show_stats(request: StatsRequest) -> int:
    output = Output.standard()
    if request.as_json and request.page is not None:
        output.note_line(_("kotp2p: say in which one form: --json or --html FILE"))
        return Exit.USAGE
    try:
        games = find_games(request.logs, request.log_dir, request.jobs, output)
    except FileTrouble as trouble:
        for line in describe_trouble(trouble):
            output.note_line(line)
        return Exit.FILES
    except KeyboardInterrupt:
        return Exit.STOPPED
    if request.player:
        games = [game for game in games if has_player(game, request.player)]
    games.sort(key=attrgetter("age_key"))
    _note_uncounted(Counter(g.facts.result for g in games if not g.facts.is_counted), output)
    found = sum_up_evenings(game.facts for game in games)
    if not found.games:
        if request.player:
            output.note_line(
                _("There is no finished game of {name} to count.", name=request.player)
            )
        else:
            output.note_line(_("There is no finished game to count."))
        return Exit.NOTHING_FOUND
    if request.page is not None:
        return write_parts([build_stats_page(found).encode()], request.page, output)
    if request.as_json:
        output.write_document(json.dumps(evenings_as_object(found)))
    else:
        for line in describe_evenings(found, plain=CommonFlags.plain):
            output.say_line(line)
    return Exit.DONE


def _note_uncounted(results: Counter[str], output: Output) -> None:
    if results.total():
        output.note_line(
            plural(
                "{n} log does not count: {unfinished} unfinished, {wrong} wrong, {unreadable} "
                "unreadable.",
                "{n} logs do not count: {unfinished} unfinished, {wrong} wrong, {unreadable} "
                "unreadable.",
                results.total(),
                unfinished=results["unfinished"],
                wrong=results["wrong"],
                unreadable=results["unreadable"],
            )
        )

