"""Games that were broken off: `kotp2p resume --list`, and a word about them where one starts."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from cli.ending import Exit
from cli.folders import data_folder, log_folder
from cli.words import _, listing


def list_games(profile: str, as_json: bool) -> int:
    from kotp2p import real
    from kotp2p.run import Unfinished, unfinished_games

    data = data_folder()
    found = unfinished_games(real.world(data, log_folder(data), profile))
    games = [game for game in found if isinstance(game, Unfinished)]
    for fault in found:
        if not isinstance(fault, Unfinished):
            print(_("This game cannot be resumed: {fault}", fault=fault), file=sys.stderr)
    if as_json:
        rows = [
            {"phrase": g.phrase, "rules": g.rules, "turn": g.turn, "players": list(g.players),
             "log": g.log}
            for g in games
        ]  # fmt: skip
        print(json.dumps(rows))
    else:
        for game in games:
            print(_line(game))
    if not games:
        print(_("There is no unfinished game of yours here."), file=sys.stderr)
        return Exit.NOTHING_FOUND
    return Exit.DONE


def _line(game: object) -> str:
    from kotp2p.run import Unfinished

    assert isinstance(game, Unfinished)
    first = " ".join(game.phrase.split()[:2])
    return _(
        "{phrase}: turn {turn}, {rules} rules, {players}. Go on: kotp2p resume {first}",
        phrase=game.phrase,
        turn=game.turn,
        rules=game.rules,
        players=listing(game.players),
        first=first,
    )


def reminder() -> str | None:
    """One line about the newest unfinished game, if there is one. Reads no log of a game that is
    over, and imports nothing heavy where there is nothing to read."""
    data = data_folder()
    if not any(Path(data).glob("games/*/*/places")):
        return None
    from kotp2p import real
    from kotp2p.saved import newest_phrase
    from kotp2p.world import FileTrouble

    try:
        phrase = newest_phrase(real.world(data, log_folder(data), "default"))
    except FileTrouble:
        return None
    if phrase is None:
        return None
    return _("An unfinished game: {phrase}. Go on with it: kotp2p resume", phrase=phrase)
