"""`kotp2p verify`: the verdict on each log, for people or as JSON lines."""

from __future__ import annotations

import errno
import json
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import TypeAlias

from kotp2p.cli.commands.log_files import choose_logs, describe_stop, read_log
from kotp2p.cli.system.folders import STANDARD_INPUT, data_folder
from kotp2p.cli.system.output import Exit, Output
from kotp2p.cli.system.process import interruptible
from kotp2p.cli.text import files
from kotp2p.cli.text.files import describe_trouble
from kotp2p.cli.text.i18n import _, list_with_and, plural, typeable
from kotp2p.cli.text.players import (
    describe_cheat,
    describe_place,
    describe_seat_history,
    describe_signed_seat,
    describe_signed_table,
    names_in_sentences,
)
from kotp2p.game import verify
from kotp2p.game.verify import Report, Result
from kotp2p.lobby import known_keys
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.world import FileTrouble
from kotp2p.store import log_work
from kotp2p.store.log_work import LogPart, report_no_file
from kotp2p.store.machine_disk import MachineDisk
from kotp2p.wire.crypto import fingerprint
from kotp2p.wire.genesis import Charter, Player, is_bot
from kotp2p.wire.names import are_alike
from kotp2p.wire.records import EVIDENCE_MAGIC, LogFault

EXITS_BY_BADNESS = (Exit.DONE, Exit.UNFINISHED, Exit.FILES, Exit.WRONG)
"""The exit codes by severity; for several logs the last one of theirs counts."""
MAX_STORIES = 5


def run_verify(
    *,
    logs: list[str] | None,
    expect: list[str] | None,
    fast: bool,
    profile: str,
    log_dir: Path | None,
    as_json: bool,
) -> int:
    """Run `kotp2p verify` with its flags; a single file of evidence is examined as such."""
    # `expect` has texts of the form NAME=KEY; without `logs` the newest game is verified.
    if logs is not None and len(logs) == 1 and is_evidence(Path(logs[0])):
        return verify_evidence(Path(logs[0]))
    output = Output.standard()
    paths = choose_logs(logs or [""], log_dir, output)
    if not paths:
        return Exit.FILES
    try:
        pairs = [word.rpartition("=") for word in expect or ()]
        expected = [ExpectedKey(name, key) for name, _sign, key in pairs]
        keys = read_key_ring(data_folder(), profile, expected)
    except FileTrouble as trouble:
        for line in describe_trouble(trouble):
            output.note_line(line)
        return Exit.FILES
    run = _Run(fast, as_json, keys, paths, output)
    try:
        with interruptible():
            run.check()
    except KeyboardInterrupt:
        output.note_line(describe_stop(run.counts.total(), len(paths)))
        return Exit.STOPPED
    return run.exit_code


EXIT_OF = {
    Result.SOUND: Exit.DONE,
    Result.UNFINISHED: Exit.UNFINISHED,
    Result.WRONG: Exit.WRONG,
    Result.UNREADABLE: Exit.FILES,
}


@dataclass(slots=True)
class _Run:
    fast: bool
    """Whether only the last signature of each player is checked."""
    as_json: bool
    keys: KeyRing
    paths: list[Path]
    output: Output
    exit_code: Exit = Exit.DONE
    counts: Counter[Result] = field(default_factory=Counter)
    refused: int = 0
    copies: list[Copy] = field(default_factory=list)
    missing: set[str] = field(init=False)
    """The expected names that were in no log so far."""

    def __post_init__(self) -> None:
        self.missing = {one.name for one in self.keys.expected}

    def check(self) -> None:
        """Check all logs, compare the copies and print the sum."""
        check = log_work.check_log_fast if self.fast else log_work.check_log
        for part in self._parts():
            self._take(part, check(part))
        self._compare()
        self._sum_up()

    def _parts(self) -> Iterator[log_work.LogPart]:
        for path in self.paths:
            if path == Path(STANDARD_INPUT):
                yield _read_standard_input(path)
            else:
                yield log_work.LogPart(path)

    def _take(self, part: log_work.LogPart, report: Report) -> None:
        keys = self.keys.judge(report.players)
        refusals = []
        if report.result in (Result.SOUND, Result.UNFINISHED):
            expected = sorted(self.missing) if len(self.paths) == 1 else []
            refusals = describe_refusals(report, keys, expected=expected)
            self.missing -= keys.met_expectations
        code = Exit.WRONG if refusals else EXIT_OF[report.result]
        self._add_code(code)
        self.counts[report.result] += 1
        self.refused += bool(refusals)
        # A log that came through a pipe is not there to be read again.
        again = part if part.path == Path(STANDARD_INPUT) else log_work.LogPart(part.path)
        if report.game:
            self.copies.append(Copy.of_report(again, report))
        self._print_object(log_line(part.path, report, keys, is_accepted=not refusals))
        self._print(describe_first_line(str(part.path), report, keys))
        for line in refusals:
            self._print(line)
        if report.fault is LogFault.EVIDENCE:
            command = typeable(f"kotp2p verify {shlex.quote(str(part.path))}")
            self._print(_("  Check it as such: {command}", command=command))
        if len(self.paths) <= MAX_STORIES:
            for line in tell_story(report, keys):
                self._print(line)

    def _compare(self) -> None:
        games = list(group_copies(self.copies))
        for same in chain.from_iterable(games):
            if len(same) > 1:
                self._print_object(copies_line(same, relation="same"))
                self._print(describe_same(same))
        pairs = [(groups[0][0], other[0]) for groups in games for other in groups[1:]]
        for first, second in pairs:
            found = log_work.compare_logs(first.part, second.part)
            self._print_object(pair_line(first, second, found))
            self._print(describe_pair(first, second, found))
            if found is not None and found.signed_both:
                self._add_code(Exit.WRONG)

    def _sum_up(self) -> None:
        missing = sorted(self.missing)
        if missing:
            self._add_code(Exit.WRONG)
        self._print_object(total_line(self.counts, self.refused, missing, self.exit_code))
        if len(self.paths) == 1:
            return
        for name in missing:
            self._print(_("Expected, and in none of these logs with that key: {name}.", name=name))
        self._print(
            plural(
                "{n} log: {sound} sound, {unfinished} unfinished, {unreadable} unreadable, {wrong} "
                "wrong.",
                "{n} logs: {sound} sound, {unfinished} unfinished, {unreadable} unreadable, "
                "{wrong} wrong.",
                self.counts.total(),
                **{result.value: self.counts[result] for result in Result},
            )
        )

    def _add_code(self, code: Exit) -> None:
        self.exit_code = max(self.exit_code, code, key=EXITS_BY_BADNESS.index)

    def _print(self, line: str) -> None:
        if not self.as_json:
            self.output.say_line(line)

    def _print_object(self, line: Line) -> None:
        if self.as_json:
            self.output.write_document(json.dumps(line))


def _read_standard_input(path: Path) -> log_work.LogPart:
    try:
        return log_work.LogPart(path, read_log(path))
    except OSError as fault:
        return log_work.LogPart(
            path, fault=log_work.words_of_error(fault), error=fault.errno or errno.EIO
        )


# -- which keys of a log its reader knows --------------------------------------------------
#
# The people of a game, seat by seat, and what a profile knows. Bots do not count: their keepers
# vouch for their keys.


class Acquaintance(StrEnum):
    OWN = "own"
    EXPECTED = "expected"
    MET = "met"
    """The reader has begun a game with this key before."""
    OTHER_KEY = "other-key"
    """The reader knows or expects this name with another key."""
    UNKNOWN = "unknown"


STRANGE = (Acquaintance.OTHER_KEY, Acquaintance.UNKNOWN)


@dataclass(frozen=True, slots=True)
class ExpectedKey:
    name: str
    key: str
    """The whole key in hexadecimal, or its fingerprint; in small letters."""

    def is_key(self, key: bytes) -> bool:
        return self.key in (key.hex(), fingerprint(key).lower())


@dataclass(frozen=True, slots=True)
class JudgedSeat:
    seat: Seat
    acquaintance: Acquaintance
    known_as: str = ""


@dataclass(frozen=True, slots=True)
class JudgedKeys:
    people: tuple[JudgedSeat, ...] = ()
    met_expectations: frozenset[str] = frozenset()
    """The expected names that are there with their keys."""
    broken_expectations: frozenset[str] = frozenset()
    """The expected names that are there with other keys."""

    @property
    def known(self) -> int:
        return sum(one.acquaintance not in STRANGE for one in self.people)


@dataclass(slots=True)
class KeyRing:
    own: bytes | None = None
    met: known_keys.KnownKeys = field(default_factory=known_keys.KnownKeys)
    expected: Sequence[ExpectedKey] = ()

    def judge(self, players: Sequence[Player]) -> JudgedKeys:
        people = [seat for seat, player in enumerate(players) if player.keeper == seat]
        return JudgedKeys(
            tuple(self._judge_seat(seat, players[seat]) for seat in people),
            frozenset(
                one.name
                for one in self.expected
                if any(one.is_key(players[seat].key) for seat in people)
            ),
            frozenset(
                one.name
                for seat in people
                if self._breaks_expectation(players[seat])
                for one in self._expected_of(players[seat])
            ),
        )

    def _judge_seat(self, seat: Seat, player: Player) -> JudgedSeat:
        if self._breaks_expectation(player):
            return JudgedSeat(seat, Acquaintance.OTHER_KEY, player.name)
        for one in self.expected:
            if one.is_key(player.key):
                return JudgedSeat(seat, Acquaintance.EXPECTED, one.name)
        if player.key == self.own:
            return JudgedSeat(seat, Acquaintance.OWN, player.name)
        name = self.met.name_of(player.key)
        if name is not None:
            return JudgedSeat(seat, Acquaintance.MET, name)
        if self.met.known_other_key(player.name, player.key) is not None:
            return JudgedSeat(seat, Acquaintance.OTHER_KEY, player.name)
        return JudgedSeat(seat, Acquaintance.UNKNOWN)

    def _expected_of(self, player: Player) -> list[ExpectedKey]:
        return [one for one in self.expected if are_alike(one.name, player.name)]

    def _breaks_expectation(self, player: Player) -> bool:
        named = self._expected_of(player)
        return bool(named) and not any(one.is_key(player.key) for one in named)


def read_key_ring(data: Path, profile: str, expected: Sequence[ExpectedKey]) -> KeyRing:
    """Read the keys that a profile knows, none for a new one; raise FileTrouble."""
    disk, folder = MachineDisk(), known_keys.profile_folder(data, profile)
    signer = known_keys.read_identity(disk, folder)
    known = known_keys.read_known_keys(disk, folder, known_keys.NewKeyPolicy.ASK)
    return KeyRing(None if signer is None else signer.key, known, expected)


# -- one log, for people: the verdict, then the story in five lines ------------------------


def describe_first_line(file: str, report: verify.Report, keys: JudgedKeys) -> str:
    said = [files.describe_verdict(file, report)]
    if report.players and report.result in (verify.Result.SOUND, verify.Result.UNFINISHED):
        said = [f"{said[0]}.", describe_known_count(keys)]
    if report.signatures is verify.Signatures.LAST:
        said.append(_("Of each player only the last signature was checked."))
    return " ".join(said)


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


def tell_story(report: verify.Report, keys: JudgedKeys) -> list[str]:
    """Describe a game in at most five lines, or none for a log without a genesis."""
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


def _describe_course(report: verify.Report) -> list[str]:
    said = [
        _("Table phrase: {phrase}.", phrase=report.phrase),
        _("Played: {turns}, {entries}.",
          turns=plural("{n} turn", "{n} turns", report.turns),
          entries=plural("{n} entry", "{n} entries", report.entries)),
    ]  # fmt: skip
    if report.winners is not None:
        winners = list_with_and(files.names_of_seats(report, report.winners)) or _("nobody")
        said.append(_("Winners: {names}.", names=winners))
    if report.confirmed_by:
        names = list_with_and(files.names_of_seats(report, report.confirmed_by))
        said.append(_("End confirmed by: {names}.", names=names))
    if report.not_confirmed_by:
        names = list_with_and(files.names_of_seats(report, report.not_confirmed_by))
        said.append(_("Not signed by: {names}.", names=names))
    if report.program is not None:
        program = f"{report.program.name} {report.program.version}".strip()
        said.append(_("Written by {program}, by its own word.", program=program))
    return said


def _describe_losses(report: verify.Report) -> list[str]:
    """Tell of those that were away, have left, refused a roll or are convicted, with the places."""
    said = describe_seat_history(report.players, report.changes)
    for caught in report.caught:
        (name,) = files.names_of_seats(report, (caught.seat,))
        place = describe_place(caught.turn, caught.height)
        fault = describe_cheat(caught.kind, name)
        said.append(_("{place}: {what}", place=place, what=fault))
    if not said and report.result is not verify.Result.WRONG:
        said.append(_("Nobody was away, gave up or was caught cheating."))
    return said


def _describe_keys(report: verify.Report, keys: JudgedKeys) -> list[str]:
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


def _call_known(report: verify.Report, one: JudgedSeat) -> str:
    (name,) = files.names_of_seats(report, (one.seat,))
    if one.acquaintance is Acquaintance.OWN:
        return _("{name} (your own)", name=name)
    if one.known_as != report.players[one.seat].name:
        return _("{name} (whom you know as {known})", name=name, known=one.known_as)
    return name


def names_of_acquaintance(
    report: verify.Report, keys: JudgedKeys, *kinds: Acquaintance
) -> list[str]:
    seats = tuple(one.seat for one in keys.people if one.acquaintance in kinds)
    return files.names_of_seats(report, seats)


def describe_refusals(
    report: verify.Report, keys: JudgedKeys, *, expected: Sequence[str] = ()
) -> list[str]:
    """Say why a sound log, which should have the `expected` names, is not accepted."""
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


# -- what a file of evidence proves, for people --------------------------------------------


def is_evidence(path: Path) -> bool:
    """Return whether the path is a file that begins as evidence does; never wait for a pipe."""
    try:
        return path.is_file() and read_head(path, len(EVIDENCE_MAGIC)) == EVIDENCE_MAGIC
    except (OSError, ValueError):  # also a word that is too long for a name
        return False


def read_head(path: Path, size: int) -> bytes:
    with path.open("rb") as file:
        return file.read(size)


def verify_evidence(path: Path) -> int:
    output = Output.standard()
    try:
        data = path.read_bytes()
    except OSError as fault:
        output.say_line(files.describe_verdict(str(path), report_no_file(fault)))
        return Exit.FILES
    finding = verify.examine_evidence(data)
    for line in describe_finding(path, finding):
        output.say_line(line)
    if finding.cheat is not None:
        return Exit.DONE
    return Exit.WRONG if finding.players else Exit.FILES


def describe_finding(path: Path, finding: verify.Finding) -> list[str]:
    fault = finding.cheat
    if fault is None and not finding.players:
        return [_("{file}: unreadable ({reason})", file=path, reason=_reason_of(finding))]
    players = list_with_and(
        [
            _("{name} (key {key})", name=player.name, key=player.key.hex()[:8])
            for player in finding.players
        ]
    )
    table = [
        _("  Players: {names}", names=players),
        _("  Table phrase: {phrase}", phrase=finding.phrase),
    ]
    if fault is None:
        verdict = _("{file}: proves nothing ({reason})", file=path, reason=_reason_of(finding))
        return [verdict, *table]
    name = names_in_sentences(tuple(player.name for player in finding.players))[fault.seat]
    place = describe_place(finding.turn, fault.height)
    said = describe_cheat(fault.kind, name)
    told = "  " + _("{place}: {what}", place=place, what=said)
    return [_("{file}: proven", file=path), told, *table]


def _reason_of(finding: verify.Finding) -> str:
    assert finding.fault is not None  # it proves nothing
    if finding.fault is LogFault.PROOF:
        return _("what it shows is no cheat")
    return files.describe_fault_of_bytes(finding.fault, finding.versions)


# -- several copies of one game among many logs: the same, or where they part --------------


MAX_NAMED = 5


@dataclass(frozen=True, slots=True)
class Copy:
    """What is kept of a log that has been checked, to compare it with others of its game."""

    part: LogPart
    game: bytes
    phrase: str
    names: tuple[str, ...]
    head: bytes
    is_ended: bool
    entries: int

    @staticmethod
    def of_report(part: LogPart, report: verify.Report) -> Copy:
        names = tuple(player.name for player in report.players)
        is_ended = report.result is verify.Result.SOUND
        return Copy(part, report.game, report.phrase, names, report.head, is_ended, report.entries)


def group_copies(copies: Iterable[Copy]) -> Iterator[list[list[Copy]]]:
    games: dict[bytes, dict[tuple[bytes, bool], list[Copy]]] = {}
    for one in copies:
        games.setdefault(one.game, {}).setdefault((one.head, one.is_ended), []).append(one)
    for groups in games.values():
        yield sorted(
            groups.values(), key=lambda same: (same[0].is_ended, same[0].entries), reverse=True
        )


def describe_same(same: Sequence[Copy]) -> str:
    names = [str(one.part.path) for one in same[:MAX_NAMED]]
    more = len(same) - len(names)
    if more:
        names.append(plural("{n} more", "{n} more", more))
    return plural(
        "{n} copy of {phrase}, with the same game: {files}.",
        "{n} copies of {phrase}, with the same game: {files}.",
        len(same),
        phrase=same[0].phrase,
        files=list_with_and(names),
    )


def describe_pair(first: Copy, second: Copy, found: verify.Comparison | None) -> str:
    """Describe two logs of one game with different content; the first one goes further."""
    fields: dict[str, object] = {"first": first.part.path, "second": second.part.path}
    if found is None:
        return _("{first} and {second} are copies of one game; one of them cannot be read any "
                 "more.", **fields)  # fmt: skip
    fields["place"] = describe_place(found.turn, found.height)
    if found.relation is not verify.Relation.PARTED:
        return _("{second} is a copy of {first} that ends earlier, in {place}.", **fields)
    if not found.signed_both:
        return _(
            "{first} and {second} are copies of one game that part in {place}. Nobody has signed "
            "both.",
            **fields,
        )
    called = names_in_sentences(first.names)
    return _(
        "{first} and {second} are copies of one game that part in {place}. Signed both, which is "
        "cheating: {names}.",
        names=list_with_and([called[seat] for seat in found.signed_both]),
        **fields,
    )


# -- JSON lines ----------------------------------------------------------------------------
#
# One object for each line. No line has a sentence for people but `reason`.


VERSION = 3
"""The version of the lines. docs/FORMATS.md says when it rises."""
Line: TypeAlias = dict[str, object]


def log_line(path: Path, report: verify.Report, keys: JudgedKeys, *, is_accepted: bool) -> Line:
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


def pair_line(first: Copy, second: Copy, found: verify.Comparison | None) -> Line:
    """Return the JSON line of a pair; `relation` is null if a file cannot be read any more."""
    if found is None:
        return copies_line((first, second))
    return copies_line(
        (first, second),
        relation=found.relation.value,
        height=found.height,
        turn=found.turn,
        signed_both=[first.names[seat] for seat in found.signed_both],
    )


def copies_line(copies: Sequence[Copy], **found: object) -> Line:
    return {
        "line": "copies",
        "version": VERSION,
        "game": copies[0].game.hex(),
        "files": [str(one.part.path) for one in copies],
        "relation": None,
        "height": None,
        "turn": None,
        "signed_both": [],
        **found,
    }


def total_line(
    counts: Counter[verify.Result], refused: int, missing: list[str], exit_code: int
) -> Line:
    return {
        "line": "total",
        "version": VERSION,
        "logs": counts.total(),
        **{result.value: counts[result] for result in verify.Result},
        "not_accepted": refused,
        "missing": missing,
        "exit": exit_code,
    }


def _losses(report: verify.Report) -> Line:
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
    if charter is None:
        return {"options": None, "clocks": None}
    return {"options": asdict(charter.options), "clocks": asdict(charter.clocks)}


def _player_objects(report: verify.Report, keys: JudgedKeys) -> list[Line]:
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


def _kept_by(report: verify.Report, seat: Seat) -> str | None:
    keeper = report.keepers[seat] if report.keepers else None
    return None if keeper is None else report.players[keeper].name


def _names_of(report: verify.Report, seats: tuple[int, ...]) -> list[str]:
    return [report.players[seat].name for seat in seats]
