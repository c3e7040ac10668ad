"""`kotp2p games`: what was played, as rows, as sentences, or as JSON lines (docs/VERIFY.md).

Not here: where the games come from (`cli.commands.known_games`).
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import assert_never

from cli.commands.known_games import KnownGame, find_games, has_player
from cli.system.exit_codes import Exit
from cli.system.options import CommonFlags
from cli.system.output import Output
from cli.text.file_faults import describe_trouble
from cli.text.i18n import _, clean_line, list_with_and, plural
from cli.text.names import names_in_sentences
from cli.text.own_command import typeable
from cli.text.rates import align_rows
from kotp2p.game.report import Result
from kotp2p.world import FileTrouble

VERSION = 1
"""Of the form of the JSON lines. It rises with every change of what stands in them."""
MAX_NAMES = 3
"""In a row; the others are a number."""
WORDS_OF_PHRASE = 2


@dataclass(frozen=True, slots=True)
class GamesRequest:
    logs: tuple[str, ...]
    """None: the folder of logs."""
    log_dir: Path | None
    player: str
    """Empty: all."""
    only_unfinished: bool
    limit: int
    jobs: int | None
    as_json: bool


def list_games(request: GamesRequest) -> int:
    output = Output.standard()
    try:
        games = find_games(request.logs, request.log_dir, request.jobs, output)
    except FileTrouble as trouble:
        for line in describe_trouble(trouble):
            output.note_line(line)
        return Exit.FILES
    except KeyboardInterrupt:
        return Exit.STOPPED
    games = [game for game in games if _is_wanted(game, request)]
    if not games:
        output.note_line(_("There is no such game."))
        return Exit.NOTHING_FOUND
    games.sort(key=attrgetter("age_key"), reverse=True)
    shown = games[: request.limit]
    if request.as_json:
        for game in shown:
            output.write_document(json.dumps(_as_object(game)))
        return Exit.DONE
    for line in _sentences(shown) if CommonFlags.plain else _rows(shown):
        output.say_line(line)
    if len(games) > len(shown):
        output.note_line(
            plural("{n} older game is not shown; see it with --limit {all}.",
                   "{n} older games are not shown; see them with --limit {all}.",
                   len(games) - len(shown), all=len(games))
        )  # fmt: skip
    return Exit.DONE


def _is_wanted(game: KnownGame, request: GamesRequest) -> bool:
    if request.only_unfinished and game.facts.result != Result.UNFINISHED:
        return False
    return not request.player or has_player(game, request.player)


def _rows(games: Sequence[KnownGame]) -> Iterator[str]:
    headings = [_("day"), _("players"), _("won by"), _("turns"), _("log"), _("phrase")]
    rows = [[clean_line(cell) for cell in _cells(game)] for game in games]
    yield from align_rows([headings, *rows], left=(0, 1, 2, 4, 5))


def _cells(game: KnownGame) -> list[str]:
    facts = game.facts
    called = names_in_sentences(tuple(player.name for player in facts.players))
    names = list(called[:MAX_NAMES])
    if len(called) > MAX_NAMES:
        names.append(f"+{len(called) - MAX_NAMES}")
    phrase = " ".join(facts.phrase.split()[:WORDS_OF_PHRASE])
    return [
        game.day, " ".join(names) or "-", _winners(game) or "-",
        str(facts.turns), _call_result(Result(facts.result)), phrase or game.path.name,
    ]  # fmt: skip


def _winners(game: KnownGame) -> str:
    """Empty as long as the game is not over."""
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


def _sentences(games: Sequence[KnownGame]) -> Iterator[str]:
    for game in games:
        facts = game.facts
        called = names_in_sentences(tuple(player.name for player in facts.players))
        fields = {
            "day": game.day,
            "players": list_with_and(called),
            "phrase": facts.phrase,
            "winners": _winners(game),
            "file": game.path,
            "result": _call_result(Result(facts.result)),
            "command": typeable(f"kotp2p verify {shlex.quote(str(game.path))}"),
        }
        if not facts.players:
            yield _("{day}: {file}, {result}. To see why: {command}", **fields)
        elif not fields["winners"]:
            yield plural("{day}: {players}, {n} turn, no end yet. Log {result}; table phrase "
                         "{phrase}.", "{day}: {players}, {n} turns, no end yet. Log {result}; "
                         "table phrase {phrase}.", facts.turns, **fields)  # fmt: skip
        else:
            yield plural("{day}: {players}, {n} turn. Winners: {winners}. Log {result}; table "
                         "phrase {phrase}.", "{day}: {players}, {n} turns. Winners: {winners}. Log "
                         "{result}; table phrase {phrase}.", facts.turns, **fields)  # fmt: skip


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
