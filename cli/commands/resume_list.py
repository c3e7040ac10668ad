"""Unfinished games: `kotp2p resume --list`, and the reminder when another one is started."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from kotp2p.cli.system.folders import data_folder, log_folder
from kotp2p.cli.system.output import Exit
from kotp2p.cli.text.i18n import _, clean_line, list_with_and, plural
from kotp2p.cli.text.names import names_in_sentences
from kotp2p.cli.text.own_command import typeable

if TYPE_CHECKING:
    from kotp2p.store.game_files import SignedStart, UnfinishedGame


MAX_STRAYS_NAMED = 5


def list_games(profile: str, as_json: bool) -> int:
    from kotp2p.cli.text.file_faults import describe_trouble
    from kotp2p.net import machine
    from kotp2p.shell import resume
    from kotp2p.store.game_files import find_strays
    from kotp2p.store.saved_game import CannotResume
    from kotp2p.world import FileTrouble

    data = data_folder()
    world, games = machine.machine_world(data, log_folder(data), profile), []
    starts: list[SignedStart] = []
    try:
        for found in resume.list_games(world):
            if isinstance(found, CannotResume):
                _note(_("This game cannot be resumed: {fault}",
                        fault=" ".join(describe_trouble(found))))  # fmt: skip
            else:
                games.append(found)
        starts += resume.list_doubtful_starts(world)
    except FileTrouble as fault:
        _note(_("The games cannot be listed: {fault}", fault=" ".join(describe_trouble(fault))))
        return Exit.FILES
    strays = find_strays(world)
    if strays:
        _note(_describe_strays(strays))
    if as_json:
        print(json.dumps([_game_as_object(game) for game in games]))
    else:
        for game in games:
            print(_describe_game(game, profile))
    for start in starts:
        _note(_describe_start(start, profile))
    if not games and not starts:
        _note(_("You have no unfinished game here."))
        return Exit.NOTHING_FOUND
    return Exit.DONE


def _note(line: str) -> None:
    """A file may be called anything, and an error names it."""
    print(clean_line(line), file=sys.stderr)


def _describe_strays(strays: Sequence[PurePath]) -> str:
    names = [str(path) for path in strays[:MAX_STRAYS_NAMED]]
    more = len(strays) - len(names)
    if more:
        names.append(plural("{n} more file", "{n} more files", more))
    return _("No files of kotp2p, so left alone: {files}", files=list_with_and(names))


def _game_as_object(game: UnfinishedGame) -> dict[str, object]:
    return {
        "phrase": game.genesis.phrase,
        "begun": game.day or None,
        "rules": game.genesis.charter.rules,
        "turn": game.turn,
        "players": [player.name for player in game.genesis.players],
        "log": game.log,
        "open": _is_open(game),
    }


def _describe_start(start: SignedStart, profile: str) -> str:
    return _(
        "{phrase}: you have signed its start with {players}, and it may have begun without you. "
        "Ask them: {resume}",
        phrase=start.genesis.phrase,
        players=list_with_and([p.name for p in start.genesis.players if p.key != start.signer.key]),
        resume=resume_command(profile, start.genesis.phrase),
    )


def _describe_game(game: UnfinishedGame, profile: str) -> str:
    fields = {
        "phrase": game.genesis.phrase,
        "turn": game.turn,
        "day": game.day,
        "rules": game.genesis.charter.rules,
        "players": list_with_and(names_in_sentences(tuple(p.name for p in game.genesis.players))),
        "resume": resume_command(profile, game.genesis.phrase),
    }
    if _is_open(game):
        return _(
            "{phrase}: turn {turn}, {rules} rules, {players}. Open in another window.", **fields
        )
    if not game.day:
        return _("{phrase}: turn {turn}, {rules} rules, {players}. Go on: {resume}", **fields)
    return _(
        "{phrase}: turn {turn}, {rules} rules, {players}, begun on {day}. Go on: {resume}", **fields
    )


def resume_command(profile: str, phrase: str = "") -> str:
    """The command that resumes a game, named by the first words of its phrase."""
    words = ["kotp2p", "resume", *phrase.split()[:2]]
    if profile != "default":
        words += ["--profile", shlex.quote(profile)]
    return typeable(" ".join(words))


def _is_open(game: UnfinishedGame) -> bool:
    """Whether another process plays it now."""
    from kotp2p.store.machine_disk import MachineDisk

    disk, lock = MachineDisk(), game.folder / "lock"
    if not disk.lock(lock):
        return True
    disk.release(lock)
    return False


def unfinished_game_reminder(profile: str = "default") -> str | None:
    """One line about the newest unfinished game; None if there is none. No game is replayed, and
    nothing heavy is imported where there is nothing to read."""
    data = data_folder()
    if not any(Path(data).glob("games/*/*/places")):
        return None
    from kotp2p.net import machine
    from kotp2p.shell import resume
    from kotp2p.store.saved_game import CannotResume
    from kotp2p.world import FileTrouble

    try:
        for found in resume.list_games(machine.machine_world(data, log_folder(data), profile)):
            if not isinstance(found, CannotResume) and not _is_open(found):
                return _(
                    "An unfinished game: {phrase}. Go on with it: {resume}",
                    phrase=found.genesis.phrase,
                    resume=resume_command(profile),
                )
    except FileTrouble:
        return None
    return None
