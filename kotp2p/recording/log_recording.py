"""A log as a recording: read and judged record by record, as far as it is right.

Scope: one reading of the bytes gives the records, the moments and the verdict, which is that of
`verify`. Reading may go on while what was read is looked at.
Not here: the form of a log (`kotp2p.wire.records`), and what makes a record wrong
(`kotp2p.game.verify`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.game.report import Report
from kotp2p.game.verify import LogReading, ReadRecord
from kotp2p.recording.recording import Recording


@dataclass(slots=True)
class LogRecording:
    data: bytes = field(repr=False)
    records: list[ReadRecord] = field(default_factory=list)
    """All that were read, also those that a line-up has undone later."""
    recording: Recording | None = None
    """None until the genesis was read."""
    _reading: LogReading = field(init=False)
    _verdict: Report | None = None
    """On the whole log: it holds the canonical log, which costs as much as the log is long."""

    def __post_init__(self) -> None:
        self._reading = LogReading(self.data)

    @property
    def is_whole(self) -> bool:
        """Nothing more can be read: the end of the log, a torn tail or the first wrong record."""
        return self._reading.is_over

    @property
    def share_read(self) -> float:
        """Of the bytes, from 0 to 1."""
        return 1.0 if self.is_whole else self._reading.offset / len(self.data)

    def read_on(self, records: int | None = None) -> None:
        """Reads so many further records; None: all."""
        while records is None or records > 0:
            read = self._reading.read_record()
            if read is None:
                return
            self._add(read)
            if records is not None:
                records -= 1

    def report(self) -> Report:
        """The verdict on what was read so far."""
        if not self.is_whole:
            return self._reading.report()
        if self._verdict is None:
            self._verdict = self._reading.report()
        return self._verdict

    def _add(self, read: ReadRecord) -> None:
        self.records.append(read)
        ledger = self._reading.ledger
        if ledger is None:
            return  # the genesis is still to come
        if self.recording is None:
            self.recording = Recording(ledger.genesis)
        if read.moved is not None:
            self.recording.add(read.index, read.moved, ledger.game)


def record_log(data: bytes) -> LogRecording:
    """The whole log, read and judged. Never raises for bad bytes."""
    found = LogRecording(data)
    found.read_on()
    return found
