"""What is done to each of many logs, in whichever process: parts of work for any executor.

Scope: functions of one log or of two; what they are given and what they return can be pickled.
Not here: where the work is done (`cli.system.executors`).
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable
from concurrent.futures import BrokenExecutor, Executor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from kotp2p.game import verify
from kotp2p.store.files import read_whole_file
from kotp2p.wire.records import MAX_LOG_BYTES, LogFault

if TYPE_CHECKING:
    from kotp2p.game.recording import LogFacts


@dataclass(frozen=True, slots=True)
class LogPart:
    """One log, as it is handed to whatever does the work."""

    path: Path
    """What it is called."""
    data: bytes | None = field(default=None, repr=False)
    """None: the process that does the work reads the file."""
    fault: str = ""
    """Why it could not be read."""
    error: int = errno.EIO
    """The number that goes with it."""

    def read(self) -> bytes:
        """Return the bytes of the log; raise OSError."""
        if self.fault:
            raise OSError(self.error, self.fault)
        return read_whole_file(self.path, MAX_LOG_BYTES) if self.data is None else self.data


def words_of_error(fault: OSError) -> str:
    """Return an error as the system says it, in English, for programs."""
    return fault.strerror or str(fault)


def report_no_file(fault: OSError) -> verify.Report:
    """Return the verdict on a file that cannot be read."""
    return verify.Report(
        verify.Result.UNREADABLE,
        reason=words_of_error(fault),
        fault=LogFault.NO_FILE,
        error=fault.errno or errno.EIO,
    )


def check_log(part: LogPart) -> verify.Report:
    """Return the verdict, without the canonical log, also for a log that cannot be read."""
    return _check(part, verify.verify_log)


def check_log_fast(part: LogPart) -> verify.Report:
    """Return the verdict of `check_log`, with fewer signatures checked."""
    return _check(part, verify.verify_by_last_signatures)


def check_log_beside(part: LogPart, executor: Executor) -> verify.Report:
    """Return the verdict of `check_log`, with the help of another process.

    A process of `executor` checks most of the signatures meanwhile. It is handed the bytes, as the
    file could be another one by then. If it dies, this one does its part, too.
    """

    def judge(data: bytes) -> verify.Report:
        end = verify.own_end(len(data))
        try:
            others = executor.submit(verify.are_signed_after, data, end)
            return verify.verify_beside(data, end, others.result)
        except BrokenExecutor:
            return verify.verify_log(data)

    return _check(part, judge)


def _check(part: LogPart, judge: Callable[[bytes], verify.Report]) -> verify.Report:
    try:
        data = part.read()
    except OSError as fault:
        return report_no_file(fault)
    return replace(judge(data), bodies=())


def gather_facts(part: LogPart) -> LogFacts:
    """Return what is counted of the log; one that cannot be read has a reason."""
    from kotp2p.game.recording import LogFacts, facts_of_log  # a check alone needs neither

    try:
        data = part.read()
    except OSError as fault:
        return LogFacts("", verify.Result.UNREADABLE.value, words_of_error(fault))
    return facts_of_log(data)


def compare_logs(pair: Iterable[LogPart]) -> verify.Comparison | None:
    """Compare the second of two logs with the first; None if one cannot be read any more."""
    try:
        first, second = (part.read() for part in pair)
    except OSError:
        return None
    return verify.compare_copies(first, second)
