"""`kotp2p verify`: the verdict on each log, for people or as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import assert_never

from cli.commands.log_files import choose_log, read_log
from cli.system.exit_codes import Exit
from cli.system.output import Output
from cli.text.i18n import _, list_with_and, plural
from cli.text.terms import describe_signed_seat, describe_signed_table
from cli.text.verdicts import describe_verdict, names_of_seats
from kotp2p.game import verify as checker
from kotp2p.game.verify import Report, Result
from kotp2p.wire.genesis import Charter

EXITS_BY_BADNESS = (Exit.DONE, Exit.UNFINISHED, Exit.FILES, Exit.WRONG)
"""For several logs, the one that stands last here counts."""


def verify_logs(logs: list[str], log_dir: Path | None, as_json: bool) -> int:
    """`logs`: files, or words that name them; none: the newest game."""
    output = Output.standard()
    worst = Exit.DONE
    objects = []
    for wanted in logs or [""]:
        path = choose_log(wanted, log_dir, output)
        if path is None:
            return Exit.FILES
        report = check_log(path)
        worst = max(worst, exit_code(report.result), key=EXITS_BY_BADNESS.index)
        if as_json:
            objects.append(report_as_object(path, report))
        else:
            for line in describe_report(path, report):
                output.say_line(line)
    if as_json:
        output.write_document(json.dumps(objects, indent=2))
    return worst


def check_log(path: Path) -> Report:
    """The verdict on a file, or on the standard input for `-`; one that cannot be read has a
    verdict, too."""
    try:
        data = read_log(path)
    except OSError as fault:
        return Report(Result.UNREADABLE, reason=fault.strerror or str(fault))
    return checker.verify_log(data)


def exit_code(result: Result) -> Exit:
    match result:
        case Result.SOUND:
            return Exit.DONE
        case Result.UNFINISHED:
            return Exit.UNFINISHED
        case Result.WRONG:
            return Exit.WRONG
        case Result.UNREADABLE:
            return Exit.FILES
        case _:
            assert_never(result)


def describe_report(path: Path, report: Report) -> list[str]:
    """The verdict comes first, then one fact a line."""
    found = [describe_verdict(str(path), report)]
    if report.result is Result.UNREADABLE:
        return found
    found.append(
        _("  {entries}, {turns}, {rules} rules", entries=_count_entries(report.entries),
          turns=plural("{n} turn", "{n} turns", report.turns), rules=report.rules)
    )  # fmt: skip
    if report.players:
        found.append(
            _(
                "  Players: {names}",
                names=list_with_and(
                    [describe_signed_seat(p, report.players) for p in report.players]
                ),
            )
        )
    if report.charter is not None:
        found.append(_("  Signed by all: {table}", table=describe_signed_table(report.charter)))
    if report.phrase:
        found.append(_("  Table phrase: {phrase}", phrase=report.phrase))
    found += [
        _(
            "  Out by votes: {names}, by {voters}, at height {height}",
            names=list_with_and(names_of_seats(report, votes.seats)),
            voters=list_with_and(names_of_seats(report, votes.voters)),
            height=votes.height,
        )
        for votes in report.voted_out
    ]
    if report.winners is not None:
        winners = list_with_and(names_of_seats(report, report.winners)) or _("nobody")
        found.append(_("  Winners: {names}", names=winners))
    if report.confirmed_by:
        found.append(
            _(
                "  End confirmed by: {names}",
                names=list_with_and(names_of_seats(report, report.confirmed_by)),
            )
        )
    return found


def _count_entries(n: int) -> str:
    return plural("{n} entry", "{n} entries", n)


def _names_of(report: Report, seats: tuple[int, ...]) -> list[str]:
    return [report.players[seat].name for seat in seats]


def report_as_object(path: Path, report: Report) -> dict[str, object]:
    at = report.wrong_at
    return {
        "file": str(path),
        "result": report.result.value,
        "entries": report.entries,
        "turns": report.turns,
        "rules": report.rules,
        "players": [
            {
                "name": p.name,
                "key": p.key.hex(),
                "monster": p.monster,
                "bot_of": report.players[p.keeper].name if p.bot else None,
                "played_by_bot": p.is_played_by_bot,
            }
            for p in report.players
        ],
        **_charter_as_object(report.charter),
        "phrase": report.phrase,
        "voted_out": [
            {
                "height": votes.height,
                "names": _names_of(report, votes.seats),
                "by": _names_of(report, votes.voters),
            }
            for votes in report.voted_out
        ],
        "winners": None if report.winners is None else _names_of(report, report.winners),
        "confirmed_by": _names_of(report, report.confirmed_by),
        "wrong_at": None
        if at is None
        else {"record": at.record, "offset": at.offset, "height": at.height, "seat": at.seat},
        "reason": report.reason or None,
    }


def _charter_as_object(charter: Charter | None) -> dict[str, object]:
    """What all have signed beside the players."""
    if charter is None:
        return {"options": None, "clocks": None}
    return {"options": asdict(charter.options), "clocks": asdict(charter.clocks)}
