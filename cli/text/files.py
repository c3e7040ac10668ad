"""What is wrong with a file or a log, in sentences, and what to try next."""

import errno
from collections.abc import Mapping
from types import MappingProxyType
from typing import assert_never

from kotp2p.cli.text import i18n
from kotp2p.cli.text.i18n import N_, _
from kotp2p.cli.text.players import describe_place, names_in_sentences
from kotp2p.cli.wing import Hint, wing
from kotp2p.game.verify import Report, Result
from kotp2p.seams.world import FaultOfFile, FileFault, FileTrouble
from kotp2p.store.files import GAMES_FOLDER
from kotp2p.wire.records import OUR_VERSIONS, LogFault, Versions

# -- files that cannot be used -------------------------------------------------------------


FULL = frozenset({errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)})
TOO_LONG = errno.EFBIG
"""Of a file that is written: a process may be allowed short ones only."""
FORBIDDEN = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
MADE_ANEW = frozenset({"places", "epoch", "lock"})
"""The files of a game that are not needed to resume it."""


def describe_trouble(trouble: FileTrouble) -> list[str]:
    if trouble.fault is None:
        return [_("A file cannot be read or written: {detail}.", detail=trouble)]
    return describe_file_fault(trouble.fault)


def describe_file_fault(fault: FileFault) -> list[str]:
    match fault.kind:
        case FaultOfFile.SYSTEM if fault.error in i18n.TOO_MANY:
            return [i18n.describe_few_files()]
        case FaultOfFile.SYSTEM:
            reason = i18n.describe_system_error(fault.error)
            first = _("{file} cannot be read or written: {reason}.", file=fault.path, reason=reason)
            return [first, _advise_on_system(fault)]
        case FaultOfFile.CONTENT:
            first = _("{file} does not hold what it should: it is damaged.", file=fault.path)
            return [first, _advise_on_place(fault)]
        case FaultOfFile.UNBEGUN:
            first = _("{folder}: it was broken off before its log said anything.",
                      folder=fault.path.parent)  # fmt: skip
            return [first, _advise_on_place(fault)]
        case FaultOfFile.EARLIER:
            return [
                _("{file} was written by a version of kotp2p from before 1.0. No published version "
                  "reads it.", file=fault.path),
                _("That game cannot go on. To begin another one, type: {command}",
                  command=i18n.typeable("kotp2p host")),
            ]  # fmt: skip
        case FaultOfFile.NEWER:
            return [
                _("{file} was written by a newer version of kotp2p.", file=fault.path),
                _("Update kotp2p on this machine, then go on."),
            ]
        case _:
            assert_never(fault.kind)


def _advise_on_system(fault: FileFault) -> str:
    if fault.error == errno.ENOTDIR:
        return _("Move it away, then try again.")
    if fault.error == errno.ENAMETOOLONG:
        return _("Choose a folder with a shorter name, then try again.")
    if fault.error == TOO_LONG:
        again = f"; {i18n.typeable('kotp2p resume')}" if _is_of_game(fault) else ""
        return _("This program may write only short files here. To let it write longer ones, type: "
                 "{command}", command=f"ulimit -f unlimited{again}")  # fmt: skip
    if fault.error in FULL and not _is_of_game(fault):
        return _("Make room on that disk, then try again.")
    if fault.error in FULL:
        return _("Make room on that disk. A game that was broken off goes on with: {command}",
                 command=i18n.typeable("kotp2p resume"))  # fmt: skip
    told = wing().say(Hint.NOT_PERMITTED) if fault.error in FORBIDDEN else ""
    if told:
        return told
    return _advise_on_place(fault)


def take_from_others() -> str:
    return _(
        "A game with bots alone is only here. If people play in it, they have it, too; to take it "
        "from them, type: {command}",
        command=i18n.typeable("kotp2p resume --peer ADDRESS"),
    )


def _is_of_game(fault: FileFault) -> bool:
    return GAMES_FOLDER in (folder.name for folder in fault.path.parents)


def _advise_on_place(fault: FileFault) -> str:
    path, is_of_game = fault.path, _is_of_game(fault)
    if is_of_game and path.name in MADE_ANEW:
        return _("Nothing is lost with it: move it away, then type: {command}",
                 command=i18n.typeable("kotp2p resume"))  # fmt: skip
    if is_of_game and path.name != "key":
        return take_from_others()
    if is_of_game:
        return _("Without it your seat cannot go on with that game; the others can. If you have a "
                 "copy of the file, put it back.")  # fmt: skip
    try_again = _("Move it away, then try again.")
    match path.name:
        case "key":
            return wing().say(Hint.KEY_LOST) or try_again
        case "known":
            return _("Only the keys of the players that you know are lost with it: move it away, "
                     "and the list begins anew.")  # fmt: skip
        case "name" if fault.error != errno.EISDIR:
            return wing().say(Hint.NAME_LOST) or try_again
        case _:  # nothing depends on another file
            return try_again


# -- why a log is not sound, in words for people: a clause for each `LogFault` -------------
#
# The words in brackets after a verdict. The page of a game says the same with the same words
# (`cli/extras/forms/page/faults.js`).


PLAIN_FAULTS: Mapping[LogFault, str] = MappingProxyType({
    LogFault.NO_LOG: N_("this is no log of kotp2p"),
    LogFault.NO_EVIDENCE: N_("this is no file of evidence of kotp2p"),
    LogFault.DAMAGED_HEAD: N_("its first bytes are damaged"),
    LogFault.EVIDENCE: N_("it is evidence of a cheat, not a log"),
    LogFault.NO_END: N_("the log ends before the game"),
    LogFault.NOT_CONFIRMED: N_("nobody has confirmed the end"),
    LogFault.DAMAGED: N_("its bytes are not those that were written: the file is damaged there"),
    LogFault.AFTER_END: N_("it comes after the end of the game"),
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
"""The clauses that need no further facts."""


def describe_log_fault(report: Report) -> str:
    match report.fault:
        case None:
            return ""
        case LogFault.NO_FILE:
            return i18n.describe_system_error(report.error)
        case fault:  # all others
            return describe_fault_of_bytes(fault, report.versions)


def describe_fault_of_bytes(fault: LogFault, versions: Versions | None = None) -> str:
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
    called = names_in_sentences(tuple(player.name for player in report.players))
    return [called[seat] for seat in seats]


# -- the verdict on a log, in one sentence -------------------------------------------------


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
