"""`kotp2p games`: what was played and what it shows, as rows, sentences or JSON lines."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import assert_never

from kotp2p.cli.commands.log_files import choose_logs, is_missing_word, is_open_folder
from kotp2p.cli.extras.export import write_parts
from kotp2p.cli.extras.games import evenings
from kotp2p.cli.system.folders import data_folder, log_folder
from kotp2p.cli.system.output import Exit, Output
from kotp2p.cli.system.process import interruptible
from kotp2p.cli.text.files import describe_trouble
from kotp2p.cli.text.i18n import _, clean_line, list_with_and, plural, shorten
from kotp2p.cli.text.players import names_in_sentences
from kotp2p.extras.recording import LogFacts, gather_facts
from kotp2p.game.verify import Result
from kotp2p.seams.world import FileTrouble
from kotp2p.store.log_work import LogPart

VERSION = 1
"""The version of the JSON lines. docs/FORMATS.md says when it rises."""
MAX_NAMES = 3
WORDS_OF_PHRASE = 2
MAX_ROWS = 20
SECONDS_TO_FIRST_REPORT = 3


def run_games(*, logs: list[str] | None, as_json: bool, log_dir: Path | None) -> int:
    said = Output.standard()
    try:
        games = find_games(tuple(logs or ()), log_dir, said)
    except FileTrouble as trouble:
        for line in describe_trouble(trouble):
            said.note_line(line)
        return Exit.FILES
    except KeyboardInterrupt:
        return Exit.STOPPED
    if not games:
        said.note_line(_("There is no such game."))
        return Exit.NOTHING_FOUND
    games.sort(key=attrgetter("age_key"), reverse=True)
    found = evenings.sum_up_evenings(game.facts for game in reversed(games))
    if as_json:
        last = {"line": "statistics", **evenings.evenings_as_object(found)}
        lines = [*map(_as_object, games), last]
        parts = (f"{json.dumps(line)}\n".encode() for line in lines)
        code = write_parts(parts, None, said)
    else:
        code = _print(games, found, said)
    if logs and all(game.facts.result == Result.UNREADABLE for game in games):
        return code or Exit.FILES  # what was named is not there, or holds no game
    return code


def _print(games: Sequence[KnownGame], found: evenings.Evenings, output: Output) -> Exit:
    shown = games[:MAX_ROWS]
    for line in _rows(shown):
        output.say_line(line)
    if len(games) > len(shown):
        output.note_line(
            plural("{n} older game is not shown; --json has all.",
                   "{n} older games are not shown; --json has all.", len(games) - len(shown))
        )  # fmt: skip
    _note_uncounted(games, output)
    if found.games:
        output.say_line("")
        for line in evenings.describe_evenings(found):
            output.say_line(line)
    return Exit.DONE


def _note_uncounted(games: Sequence[KnownGame], output: Output) -> None:
    results = Counter(game.facts.result for game in games if not game.facts.is_counted)
    if results.total():
        output.note_line(
            plural(
                "{n} log does not count: {unfinished} unfinished, {wrong} wrong, {unreadable} "
                "unreadable.",
                "{n} logs do not count: {unfinished} unfinished, {wrong} wrong, {unreadable} "
                "unreadable.",
                results.total(),
                **{name: results[name] for name in ("unfinished", "wrong", "unreadable")},
            )
        )


def _rows(games: Sequence[KnownGame]) -> Iterator[str]:
    headings = [_("day"), _("players"), _("won by"), _("turns"), _("log"), _("phrase")]
    rows = [[clean_line(cell) for cell in _cells(game)] for game in games]
    yield from evenings.align_rows([headings, *rows], left=(0, 1, 2, 4, 5))


def _cells(game: KnownGame) -> list[str]:
    facts = game.facts
    called = names_in_sentences(tuple(player.name for player in facts.players))
    names = list(called[:MAX_NAMES])
    if len(called) > MAX_NAMES:
        names.append(f"+{len(called) - MAX_NAMES}")
    phrase = " ".join(facts.phrase.split()[:WORDS_OF_PHRASE])
    return [
        game.day,
        " ".join(names) or "-",
        _winners(game) or "-",
        str(facts.turns),
        _call_result(Result(facts.result)),
        phrase or shorten(game.path.name),
    ]


def _winners(game: KnownGame) -> str:
    winners = game.facts.winners
    if winners is None or game.facts.result == Result.WRONG:
        return ""
    called = names_in_sentences(tuple(player.name for player in game.facts.players))
    return list_with_and([called[seat] for seat in winners]) or _("nobody")


def _call_result(result: Result) -> str:
    match result:
        case Result.SOUND:
            return _("sound")
        case Result.UNFINISHED:
            return _("unfinished")
        case Result.WRONG:
            return _("WRONG")
        case Result.UNREADABLE:
            return _("unreadable")
        case _:
            assert_never(result)


def _as_object(game: KnownGame) -> dict[str, object]:
    facts = game.facts
    winners = facts.winners
    return {
        "line": "game",
        "version": VERSION,
        "file": str(game.path),
        "day": game.day or None,
        "result": facts.result,
        "reason": facts.reason or None,
        "game": facts.game or None,
        "phrase": facts.phrase or None,
        "rules": facts.rules or None,
        "turns": facts.turns,
        "entries": facts.entries,
        "players": [
            {"name": one.name, "key": one.key, "monster": one.monster, "played_by_bot": one.bot}
            for one in facts.players
        ],
        "winners": None if winners is None else [facts.players[seat].name for seat in winners],
        "by_points": facts.by_points,
    }


# -- the games of many logs ----------------------------------------------------------------


DAY_PATTERN = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class KnownGame:
    path: Path
    day: str
    """The day in its name, else that of the last change of the file: a log has no clock."""
    facts: LogFacts

    @property
    def age_key(self) -> tuple[str, float, str]:
        try:
            written = self.path.stat().st_mtime
        except OSError:
            written = 0.0
        return self.day, written, str(self.path)


def find_games(logs: tuple[str, ...], log_dir: Path | None, output: Output) -> list[KnownGame]:
    """Return the games of the folder of logs or of words; raise FileTrouble, KeyboardInterrupt."""
    folder = log_dir or log_folder(data_folder())
    is_there = bool(logs) or is_open_folder(folder)
    chosen = choose_logs(logs or (str(folder),), log_dir, output) if is_there else []
    paths = [path for path in chosen if not is_missing_word(path)]
    if not is_there:
        output.note_line(_("There is no log in {folder}.", folder=folder))
    found = list[KnownGame]()
    began, wait = time.monotonic(), SECONDS_TO_FIRST_REPORT
    with interruptible():
        for path in paths:
            found.append(KnownGame(path, day_of(path), gather_facts(LogPart(path))))
            if time.monotonic() > began + wait:
                wait *= 2
                done, total = len(found), len(paths)
                said = _("{done} of {total} logs are checked.", done=done, total=total)
                output.note_line(said)
    return found


def day_of(path: Path) -> str:
    """Return the day of a log, or an empty string if the file is gone."""
    named = DAY_PATTERN.match(path.name)
    if named:
        return named[0]
    try:
        return time.strftime("%Y-%m-%d", time.localtime(path.stat().st_mtime))
    except (OSError, ValueError, OverflowError):
        return ""
