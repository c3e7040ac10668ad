"""`kotp2p verify`: the verdict on each log, for people or as JSON."""

from __future__ import annotations

import errno
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import assert_never

from cli.system.exit_codes import Exit
from cli.system.folders import data_folder, log_folder
from cli.system.output import Output
from cli.text.i18n import _, list_with_and, plural
from cli.text.names import names_in_sentences
from cli.text.terms import describe_signed_seat, describe_signed_table
from kotp2p.game import verify as checker
from kotp2p.game.verify import Report, Result
from kotp2p.store.files import read_whole_file
from kotp2p.store.saved_game import LOG_SUFFIX
from kotp2p.wire.genesis import Charter
from kotp2p.wire.records import MAX_LOG_BYTES

STANDARD_INPUT = Path("-")
EXITS_BY_BADNESS = (Exit.DONE, Exit.UNFINISHED, Exit.FILES, Exit.WRONG)
"""For several logs, the one that stands last here counts."""


def verify_logs(logs: list[Path], log_dir: Path | None, as_json: bool) -> int:
    output = Output.standard()
    if not logs:
        folder = log_dir or log_folder(data_folder())
        newest = newest_log(folder)
        if newest is None:
            output.note_line(_("There is no log in {folder}.", folder=folder))
            output.note_line(_("Name one: kotp2p verify FILE"))
            return Exit.FILES
        logs = [newest]
    worst = Exit.DONE
    objects = []
    for path in logs:
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


def newest_log(folder: Path) -> Path | None:
    try:
        files = [path for path in folder.iterdir() if path.suffix == LOG_SUFFIX and path.is_file()]
        return max(files, key=lambda path: path.stat().st_mtime, default=None)
    except OSError:
        return None


def check_log(path: Path) -> Report:
    """The verdict on a file, or on the standard input for `-`; one that cannot be read has a
    verdict, too."""
    try:
        data = (
            _read_standard_input()
            if path == STANDARD_INPUT
            else read_whole_file(path, MAX_LOG_BYTES)
        )
    except OSError as fault:
        return Report(Result.UNREADABLE, reason=fault.strerror or str(fault))
    return checker.verify_log(data)


def _read_standard_input() -> bytes:
    data = sys.stdin.buffer.read(MAX_LOG_BYTES + 1)
    if len(data) > MAX_LOG_BYTES:
        raise OSError(errno.EFBIG, f"longer than {MAX_LOG_BYTES // 1024} KiB")
    return data


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
    found = [_describe_verdict(path, report)]
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
            names=list_with_and(_called(report, votes.seats)),
            voters=list_with_and(_called(report, votes.voters)),
            height=votes.height,
        )
        for votes in report.voted_out
    ]
    if report.winners is not None:
        found.append(_("  Winners: {names}", names=list_with_and(_called(report, report.winners))
                       or _("nobody")))  # fmt: skip
    if report.confirmed_by:
        found.append(
            _(
                "  End confirmed by: {names}",
                names=list_with_and(_called(report, report.confirmed_by)),
            )
        )
    return found


def _count_entries(n: int) -> str:
    return plural("{n} entry", "{n} entries", n)


def _describe_verdict(path: Path, report: Report) -> str:
    fields = {"file": path, "reason": report.reason}
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
    fields |= {"record": at.record, "offset": at.offset, "height": at.height}
    if at.height is None:
        return _("{file}: WRONG at record {record}, byte {offset} ({reason})", **fields)
    if at.seat is None or not report.players:
        return _("{file}: WRONG at record {record}, height {height} ({reason})", **fields)
    return _(
        "{file}: WRONG at record {record}, height {height}, by {name} ({reason})",
        name=_called(report, (at.seat,))[0],
        **fields,
    )


def _called(report: Report, seats: tuple[int, ...]) -> list[str]:
    """The names as they stand in sentences."""
    called = names_in_sentences(tuple(player.name for player in report.players))
    return [called[seat] for seat in seats]


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
