"""`kotp2p verify`: the verdict on each log, for people or as JSON lines.

Scope: which logs, in which order, the exit code. One log is in memory at a time.
"""

from __future__ import annotations

import errno
import json
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from kotp2p.cli.commands import verify_words
from kotp2p.cli.commands.log_files import choose_logs, read_log
from kotp2p.cli.system.folders import STANDARD_INPUT, data_folder
from kotp2p.cli.system.output import Exit, Output
from kotp2p.cli.system.process import interruptible
from kotp2p.cli.text.endings import describe_trouble
from kotp2p.cli.text.i18n import _, plural
from kotp2p.cli.text.program_words import typeable
from kotp2p.game.verify import Report, Result
from kotp2p.seams.world import FileTrouble
from kotp2p.store import log_work
from kotp2p.wire.records import LogFault

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
    """Run `kotp2p verify` with its flags; a single file of evidence is examined as such.

    `logs` are files, folders, patterns or words; without any, the newest game is verified. `expect`
    has texts of the form NAME=KEY.
    """
    if logs is not None and len(logs) == 1 and verify_words.is_evidence(Path(logs[0])):
        return verify_words.verify_evidence(Path(logs[0]))
    output = Output.standard()
    paths = choose_logs(logs or [""], log_dir, output)
    if not paths:
        return Exit.FILES
    try:
        keys = verify_words.read_key_ring(data_folder(), profile, _expected_keys(expect or ()))
    except FileTrouble as trouble:
        for line in describe_trouble(trouble):
            output.note_line(line)
        return Exit.FILES
    run = _Run(fast, as_json, keys, paths, output)
    try:
        with interruptible():
            run.check()
    except KeyboardInterrupt:
        output.note_line(_("Stopped: {done} of {total} logs are checked.",
                           done=run.counts.total(), total=len(paths)))  # fmt: skip
        return Exit.STOPPED
    return run.exit_code


def _expected_keys(words: Iterable[str]) -> list[verify_words.ExpectedKey]:
    pairs = [word.rpartition("=") for word in words]
    return [verify_words.ExpectedKey(name, key) for name, _sign, key in pairs]


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
    keys: verify_words.KeyRing
    paths: list[Path]
    output: Output
    exit_code: Exit = Exit.DONE
    counts: Counter[Result] = field(default_factory=Counter)
    refused: int = 0
    copies: list[verify_words.Copy] = field(default_factory=list)
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
            refusals = verify_words.describe_refusals(report, keys, expected=expected)
            self.missing -= keys.met_expectations
        code = Exit.WRONG if refusals else EXIT_OF[report.result]
        self._add_code(code)
        self.counts[report.result] += 1
        self.refused += bool(refusals)
        # A log that came through a pipe is not there to be read again.
        again = part if part.path == Path(STANDARD_INPUT) else log_work.LogPart(part.path)
        if report.game:
            self.copies.append(verify_words.Copy.of_report(again, report))
        self._print_object(verify_words.log_line(part.path, report, keys, is_accepted=not refusals))
        self._print(verify_words.describe_first_line(str(part.path), report, keys))
        for line in refusals:
            self._print(line)
        if report.fault is LogFault.EVIDENCE:
            command = typeable(f"kotp2p verify {shlex.quote(str(part.path))}")
            self._print(_("  Check it as such: {command}", command=command))
        if len(self.paths) <= MAX_STORIES:
            for line in verify_words.tell_story(report, keys):
                self._print(line)

    def _compare(self) -> None:
        games = list(verify_words.group_copies(self.copies))
        for same in chain.from_iterable(games):
            if len(same) > 1:
                self._print_object(verify_words.copies_line(same, relation="same"))
                self._print(verify_words.describe_same(same))
        pairs = [(groups[0][0], other[0]) for groups in games for other in groups[1:]]
        for first, second in pairs:
            found = log_work.compare_logs(first.part, second.part)
            self._print_object(verify_words.pair_line(first, second, found))
            self._print(verify_words.describe_pair(first, second, found))
            if found is not None and found.signed_both:
                self._add_code(Exit.WRONG)

    def _sum_up(self) -> None:
        missing = sorted(self.missing)
        if missing:
            self._add_code(Exit.WRONG)
        self._print_object(
            verify_words.total_line(self.counts, self.refused, missing, self.exit_code)
        )
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

    def _print_object(self, line: verify_words.Line) -> None:
        if self.as_json:
            self.output.write_document(json.dumps(line))


def _read_standard_input(path: Path) -> log_work.LogPart:
    try:
        return log_work.LogPart(path, read_log(path))
    except OSError as fault:
        return log_work.LogPart(
            path, fault=log_work.words_of_error(fault), error=fault.errno or errno.EIO
        )
