"""Why a log is not sound, in words for people: a clause for each `LogFault`.

Scope: what stands in brackets behind a verdict. The page of a game says the same with the same
words (`cli/extras/forms/page/faults.js`).
Not here: the verdicts (`verdicts`), and the details, which `--json` has.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from kotp2p.cli.text.i18n import N_, _
from kotp2p.cli.text.names import names_in_sentences
from kotp2p.cli.text.system_errors import describe_system_error
from kotp2p.game.verify import Report
from kotp2p.wire.records import OUR_VERSIONS, LogFault, Versions

PLAIN_FAULTS: Mapping[LogFault, str] = MappingProxyType({
    LogFault.NO_LOG: N_("this is no log of kotp2p"),
    LogFault.NO_EVIDENCE: N_("this is no file of evidence of kotp2p"),
    LogFault.DAMAGED_HEAD: N_("its first bytes are damaged"),
    LogFault.EVIDENCE: N_("it is evidence of a cheat, not a log"),
    LogFault.NO_END: N_("the log ends before the game"),
    LogFault.NOT_CONFIRMED: N_("nobody has confirmed the end"),
    LogFault.DAMAGED: N_("its bytes are not those that were written: the file is damaged there"),
    LogFault.AFTER_END: N_("it stands behind the end of the game"),
    LogFault.NO_GENESIS: N_("the log does not begin with the record that says who plays"),
    LogFault.GENESIS: N_("the record that says who plays is not written as it must be"),
    LogFault.OTHER_GAME: N_("it is from another game"),
    LogFault.TWICE: N_("it stands in the log twice"),
    LogFault.FORM: N_("it is not written as it must be"),
    LogFault.SIGNATURE: N_("it is not signed by the player whom it names"),
    LogFault.PLACE: N_("it does not fit what stands before it"),
    LogFault.LINE_UP: N_("it is a change of who plays that does not fit what stands before it"),
    LogFault.PROOF: N_("it is the proof of a cheat, and it proves nothing"),
    LogFault.POSITION: N_("the board that was signed is not the one to which the rules lead"),
    LogFault.ILLEGAL_MOVE: N_("the rules do not allow it"),
    LogFault.WRONG_OPENING: N_("a number that it opens is not the one that was sealed"),
    LogFault.EQUIVOCATION: N_("the player has signed something else that excludes it"),
    LogFault.COPIED_COMMITMENT: N_("it seals a number with a hash that has stood before"),
    LogFault.WRONG_SHARE: N_("it gives a wrong share of a secret card"),
    LogFault.BAD_ENTRY: N_("no unmodified program signs this"),
})  # fmt: skip
"""The clauses for which nothing else has to be known."""


def describe_log_fault(report: Report) -> str:
    """Empty for a sound log."""
    match report.fault:
        case None:
            return ""
        case LogFault.NO_FILE:
            return describe_system_error(report.error)
        case fault:  # all others
            return describe_fault_of_bytes(fault, report.versions)


def describe_fault_of_bytes(fault: LogFault, versions: Versions | None = None) -> str:
    """The fault of a file that was read. `versions`: those of its head, if they are not ours."""
    if fault is LogFault.OTHER_VERSION and versions is not None:
        return _describe_versions(versions)
    return _(PLAIN_FAULTS[fault])


def _describe_versions(versions: Versions) -> str:
    if versions < OUR_VERSIONS:
        return _(
            "a version of kotp2p from before 1.0 has written it, and no published version reads "
            "it: format {format}, protocol {protocol}, rules {rules}",
            format=versions.format, protocol=versions.protocol, rules=versions.rules,
        )  # fmt: skip
    return _(
        "a newer version of kotp2p has written it: format {format}, protocol {protocol}, rules "
        "{rules}; this one reads format {own_format}, protocol {own_protocol}, rules {own_rules}",
        format=versions.format, protocol=versions.protocol, rules=versions.rules,
        own_format=OUR_VERSIONS.format, own_protocol=OUR_VERSIONS.protocol,
        own_rules=OUR_VERSIONS.rules,
    )  # fmt: skip


def names_of_seats(report: Report, seats: tuple[int, ...]) -> list[str]:
    """The names as they stand in sentences."""
    called = names_in_sentences(tuple(player.name for player in report.players))
    return [called[seat] for seat in seats]
