"""The verdict on a log, in one sentence.

Not here: all that the verifier has found (`cli.commands.verify`).
"""

from __future__ import annotations

from typing import assert_never

from kotp2p.cli.text.i18n import _
from kotp2p.cli.text.log_faults import describe_log_fault, names_of_seats
from kotp2p.game.verify import Report, Result


def describe_verdict(file: str, report: Report) -> str:
    fields: dict[str, object] = {"file": file, "reason": describe_log_fault(report)}
    match report.result:
        case Result.SOUND:
            return _("{file}: sound", **fields)
        case Result.UNFINISHED:
            return _("{file}: sound as far as it goes, but unfinished ({reason})", **fields)
        case Result.UNREADABLE:
            return _("{file}: unreadable ({reason})", **fields)
        case Result.WRONG:
            return _describe_wrong(report, fields)
        case _:
            assert_never(report.result)


def _describe_wrong(report: Report, fields: dict[str, object]) -> str:
    at = report.wrong_at
    if at is None:
        return _("{file}: WRONG ({reason})", **fields)
    fields |= {"record": at.record, "offset": at.offset}
    if at.height is None:
        return _("{file}: WRONG at record {record}, byte {offset} ({reason})", **fields)
    fields["place"] = describe_place(at.turn, at.height)
    if at.seat is None or not report.players:
        return _("{file}: WRONG at record {record}, in {place} ({reason})", **fields)
    return _(
        "{file}: WRONG at record {record}, in {place}, by {name} ({reason})",
        name=names_of_seats(report, (at.seat,))[0],
        **fields,
    )


def describe_place(turn: int | None, height: int) -> str:
    """What a sentence about a place in the game says behind "in". The height is for a place of
    which the turn is not known."""
    if turn is None:
        return _("step {height}", height=height)
    return _("turn {turn}", turn=turn) if turn else _("the set-up")
