"""What is done to each of many logs: it is read and judged, or compared with another.

A module of its own, as the logs of others are judged without what the own game needs.
"""

import errno
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from kotp2p.game import verify
from kotp2p.store.files import read_whole_file
from kotp2p.wire.records import MAX_LOG_BYTES, LogFault


@dataclass(frozen=True, slots=True)
class LogPart:
    """One log: its path, and its bytes if they came through a pipe."""

    path: Path
    data: bytes | None = field(default=None, repr=False)
    """None: the file is read when its turn comes."""
    fault: str = ""
    error: int = errno.EIO

    def read(self) -> bytes:
        if self.fault:
            raise OSError(self.error, self.fault)
        return read_whole_file(self.path, MAX_LOG_BYTES) if self.data is None else self.data


def words_of_error(fault: OSError) -> str:
    """Return an error as the system says it, in English, for programs."""
    return fault.strerror or str(fault)


def report_no_file(fault: OSError) -> verify.Report:
    return verify.Report(
        verify.Result.UNREADABLE,
        reason=words_of_error(fault),
        fault=LogFault.NO_FILE,
        error=fault.errno or errno.EIO,
    )


def check_log(part: LogPart) -> verify.Report:
    """Return the verdict, without what was read, also for a log that cannot be read."""
    return _check(part, verify.verify_log)


def check_log_fast(part: LogPart) -> verify.Report:
    """Return the verdict of `check_log`, with fewer signatures checked."""
    return _check(part, verify.verify_by_last_signatures)


def _check(part: LogPart, judge: Callable[[bytes], verify.Report]) -> verify.Report:
    try:
        data = part.read()
    except OSError as fault:
        return report_no_file(fault)
    return replace(judge(data), ledger=None)


def compare_logs(first: LogPart, second: LogPart) -> verify.Comparison | None:
    """Compare the second of two logs with the first; None if one cannot be read any more."""
    try:
        return verify.compare_copies(first.read(), second.read())
    except OSError:
        return None
