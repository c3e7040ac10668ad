"""What `kotp2p verify` says of one log, for people: the verdict, then the story in five lines.

Scope: sentences. The first line says what a stranger could not have known: whose keys the reader
knows.
Not here: the same for programs (`cli.commands.verify_lines`), several logs (`verify`, `copies`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from kotp2p.cli.commands.verify_evidence import describe_fault
from kotp2p.cli.system.key_ring import STRANGE, Acquaintance, JudgedKeys, JudgedSeat
from kotp2p.cli.text.i18n import _, list_with_and, plural
from kotp2p.cli.text.log_faults import describe_log_fault, names_of_seats
from kotp2p.cli.text.seat_history import describe_seat_history
from kotp2p.cli.text.terms import describe_signed_seat, describe_signed_table
from kotp2p.cli.text.verdicts import describe_place, describe_verdict
from kotp2p.game.verify import Report, Result, Signatures


def describe_first_line(file: str, report: Report, keys: JudgedKeys) -> str:
    verdict = _describe_result(file, report, keys)
    match report.signatures:
        case Signatures.ALL:
            return verdict
        case Signatures.LAST:
            return " ".join((verdict, _("Of each player only the last signature was checked.")))
        case _:
            assert_never(report.signatures)


def _describe_result(file: str, report: Report, keys: JudgedKeys) -> str:
    match report.result:
        case Result.SOUND:
            return _("{file}: Sound. {keys}", file=file, keys=describe_known_count(keys))
        case Result.UNFINISHED if report.players:
            return _(
                "{file}: Sound as far as it goes, but unfinished ({reason}). {keys}",
                file=file, reason=describe_log_fault(report), keys=describe_known_count(keys),
            )  # fmt: skip
        case Result.UNFINISHED | Result.UNREADABLE | Result.WRONG:
            return describe_verdict(file, report)
        case _:
            assert_never(report.result)


def describe_known_count(keys: JudgedKeys) -> str:
    if keys.known:
        return plural(
            "You know {known} of {n} key.", "You know {known} of {n} keys.", len(keys.people),
            known=keys.known,
        )  # fmt: skip
    return plural(
        "You know 0 of {n} key: this log could have been made by one person.",
        "You know 0 of {n} keys: this log could have been made by one person.",
        len(keys.people),
    )


def tell_story(report: Report, keys: JudgedKeys) -> list[str]:
    """Five lines, of a wrong log perhaps four; none of a log that has no genesis."""
    if not report.players:
        return []
    seats = [describe_signed_seat(report.players, seat) for seat in range(len(report.players))]
    lines = [
        " ".join(_describe_course(report)),
        _("Players: {names}.", names=list_with_and(seats)),
        "" if report.charter is None
        else _("Signed by all: {table}", table=describe_signed_table(report.charter)),
        " ".join(_describe_losses(report)),
        " ".join(_describe_keys(report, keys)),
    ]  # fmt: skip
    return [f"  {line}" for line in lines if line]


def _describe_course(report: Report) -> list[str]:
    said = [
        _("Table phrase: {phrase}.", phrase=report.phrase),
        _("Played: {turns}, {entries}.",
          turns=plural("{n} turn", "{n} turns", report.turns),
          entries=plural("{n} entry", "{n} entries", report.entries)),
    ]  # fmt: skip
    if report.winners is not None:
        winners = list_with_and(names_of_seats(report, report.winners)) or _("nobody")
        said.append(_("Winners: {names}.", names=winners))
    if report.confirmed_by:
        names = list_with_and(names_of_seats(report, report.confirmed_by))
        said.append(_("End confirmed by: {names}.", names=names))
    if report.not_confirmed_by:
        names = list_with_and(names_of_seats(report, report.not_confirmed_by))
        said.append(_("Not signed by: {names}.", names=names))
    if report.program is not None:
        program = f"{report.program.name} {report.program.version}".strip()
        said.append(_("Written by {program}, by its own word.", program=program))
    return said


def _describe_losses(report: Report) -> list[str]:
    """Tell of those that were away, have left, refused a roll or are convicted, with the places."""
    said = describe_seat_history(report.players, report.changes)
    for caught in report.caught:
        (name,) = names_of_seats(report, (caught.seat,))
        place = describe_place(caught.turn, caught.height)
        said.append(describe_fault(caught.kind, name, place, caught.detail))
    if not said and report.result is not Result.WRONG:
        said.append(_("Nobody was away, gave up or was caught cheating."))
    return said


def _describe_keys(report: Report, keys: JudgedKeys) -> list[str]:
    said = []
    known = [_call_known(report, one) for one in keys.people if one.acquaintance not in STRANGE]
    if known:
        said.append(
            plural("You know the key of {names}.", "You know the keys of {names}.", len(known),
                   names=list_with_and(known))
        )  # fmt: skip
    strangers = names_of_acquaintance(report, keys, Acquaintance.UNKNOWN)
    if strangers:
        said.append(
            plural("You do not know the key of {names}.", "You do not know the keys of {names}.",
                   len(strangers), names=list_with_and(strangers))
        )  # fmt: skip
    said += [
        _("{name} has another key than the player whom you know by that name.", name=name)
        for name in names_of_acquaintance(report, keys, Acquaintance.OTHER_KEY)
    ]
    return said


def _call_known(report: Report, one: JudgedSeat) -> str:
    (name,) = names_of_seats(report, (one.seat,))
    if one.acquaintance is Acquaintance.OWN:
        return _("{name} (your own)", name=name)
    if one.known_as != report.players[one.seat].name:
        return _("{name} (whom you know as {known})", name=name, known=one.known_as)
    return name


def names_of_acquaintance(report: Report, keys: JudgedKeys, *kinds: Acquaintance) -> list[str]:
    seats = tuple(one.seat for one in keys.people if one.acquaintance in kinds)
    return names_of_seats(report, seats)


def describe_refusals(
    report: Report, keys: JudgedKeys, *, expected: Sequence[str] = ()
) -> list[str]:
    """Why a log is not accepted that is sound, one sentence a line. `expected`: the names that
    should be in this log."""
    said = [
        _("Not accepted: {name} plays with another key than the expected one.", name=name)
        for name in sorted(keys.broken_expectations)
    ]
    said += [
        _("Not accepted: {name} is expected, and is not at this table.", name=name)
        for name in expected
        if name not in keys.met_expectations | keys.broken_expectations
    ]
    return [f"  {line}" for line in said]
