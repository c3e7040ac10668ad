"""What `kotp2p verify --json` prints: JSON lines of version `VERSION` (docs/FORMATS.md).

Scope: one object for each line. No line has a sentence for people but `reason`.
Not here: the same for people (`cli.commands.verify_story`, `cli.commands.copies`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TypeAlias

from kotp2p.cli.commands.copies import Pair, SameCopies
from kotp2p.cli.system.key_ring import JudgedKeys
from kotp2p.game.copies import Comparison, Relation
from kotp2p.game.report import Report, Result
from kotp2p.referee.model.answers import Seat
from kotp2p.wire.genesis import Charter, is_bot

VERSION = 3
"""Of the form of the lines. docs/FORMATS.md says when it rises."""
Line: TypeAlias = dict[str, object]


def log_line(path: Path, report: Report, keys: JudgedKeys, *, is_accepted: bool) -> Line:
    at = report.wrong_at
    return {
        "line": "log",
        "version": VERSION,
        "file": str(path),
        "result": report.result.value,
        "accepted": is_accepted,
        "reason": report.reason or None,
        "signatures": report.signatures.value,
        "wrong_at": None
        if at is None
        else {
            "record": at.record, "offset": at.offset, "height": at.height, "turn": at.turn,
            "seat": at.seat,
        },
        "torn": report.torn,
        "game": report.game.hex() or None,
        "head": report.head.hex() or None,
        "phrase": report.phrase or None,
        "rules": report.rules or None,
        **_charter_fields(report.charter),
        "entries": report.entries,
        "turns": report.turns,
        "players": _player_objects(report, keys),
        "keys": {"people": len(keys.people), "known": keys.known},
        "winners": None if report.winners is None else _names_of(report, report.winners),
        "confirmed_by": _names_of(report, report.confirmed_by),
        "not_confirmed_by": _names_of(report, report.not_confirmed_by),
        "program": None if report.program is None else asdict(report.program),
        **_losses(report),
    }  # fmt: skip


def same_line(same: SameCopies) -> Line:
    return {
        "line": "copies",
        "version": VERSION,
        "game": same.game.hex(),
        "files": [str(part.path) for part in same.parts],
        "relation": Relation.SAME.value,
        "height": None,
        "turn": None,
        "signed_both": [],
    }


def pair_line(pair: Pair, found: Comparison | None) -> Line:
    """`relation` is null if one of the files cannot be read any more."""
    both = () if found is None else found.signed_both
    return {
        "line": "copies",
        "version": VERSION,
        "game": pair.game.hex(),
        "files": [str(part.path) for part in pair.parts],
        "relation": None if found is None else found.relation.value,
        "height": None if found is None else found.height,
        "turn": None if found is None else found.turn,
        "signed_both": [pair.names[seat] for seat in both],
    }


def total_line(counts: Counter[Result], refused: int, missing: list[str], exit_code: int) -> Line:
    return {
        "line": "total",
        "version": VERSION,
        "logs": counts.total(),
        **{result.value: counts[result] for result in Result},
        "not_accepted": refused,
        "missing": missing,
        "exit": exit_code,
    }


def _losses(report: Report) -> Line:
    """The changes of who plays, and those who were caught cheating."""
    return {
        "changes": [
            {
                "height": one.height,
                "turn": one.turn,
                "attempt": one.attempt,
                "name": report.players[one.keeper].name,
                "reason": one.reason.name.lower(),
                "kept_by": {
                    report.players[seat].name: report.players[keeper].name
                    for seat, keeper in one.seats
                },
                "refused": one.refused,
            }
            for one in report.changes
        ],
        "caught": [
            {
                "height": one.height,
                "turn": one.turn,
                "name": report.players[one.seat].name,
                "kind": one.kind.value,
                "detail": one.detail,
            }
            for one in report.caught
        ],
    }


def _charter_fields(charter: Charter | None) -> Line:
    """What all have signed beside the players."""
    if charter is None:
        return {"options": None, "clocks": None}
    return {"options": asdict(charter.options), "clocks": asdict(charter.clocks)}


def _player_objects(report: Report, keys: JudgedKeys) -> list[Line]:
    judged = {one.seat: one for one in keys.people}
    found: list[Line] = []
    for seat, player in enumerate(report.players):
        one = judged.get(seat)
        found.append(
            {
                "name": player.name,
                "key": player.key.hex(),
                "monster": player.monster,
                "bot_of": report.players[player.keeper].name
                if is_bot(report.players, seat)
                else None,
                "played_by_bot": player.automatic,
                "kept_by": _kept_by(report, seat),
                "acquaintance": None if one is None else one.acquaintance.value,
                "known_as": None if one is None else one.known_as or None,
            }
        )
    return found


def _kept_by(report: Report, seat: Seat) -> str | None:
    """The keeper of the seat where the log ends; None for the dead, and in a wrong log."""
    keeper = report.keepers[seat] if report.keepers else None
    return None if keeper is None else report.players[keeper].name


def _names_of(report: Report, seats: tuple[int, ...]) -> list[str]:
    return [report.players[seat].name for seat in seats]
