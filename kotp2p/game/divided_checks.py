"""A verdict on a log whose signatures are checked by two processes at a time.

Scope: which of them checks what, and what their findings come to together. The one replays the log
and checks the signatures at its beginning. The other one only reads it, and checks the signatures
behind that.
Not here: the processes (`cli.system.executors`).

If anything is found wrong, the whole log is read again by one process: so a log that is not right
has the verdict, the record and the reason that it always has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kotp2p.game.refusals import require_signed_by_seat
from kotp2p.game.report import Report, Result
from kotp2p.game.verify import LogReading, verify_log
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import BodyKind, Entry, Signed
from kotp2p.wire.genesis import Genesis, OtherVersion, Player, signed_by_seat
from kotp2p.wire.records import Damaged, RecordReader, Unreadable, read_salt
from referee.model.answers import Seat

OWN_PERCENT = 40
"""So much of the log the process that replays it checks itself. A replay takes a third as long as
all checks. To start the other process and to read the log there takes a fifth. Both shall end
together."""


def own_end(size: int) -> int:
    """The byte up to which the process that replays a log of `size` bytes checks signatures."""
    return size * OWN_PERCENT // 100


def are_signed_behind(data: bytes, end: int) -> bool:
    """Whether each entry whose record ends behind that byte is signed by its seat. False also where
    the log cannot be read to its end."""
    players: Sequence[Player] | None = None
    try:
        reader = RecordReader(data, read_salt(data))
        while (signed := reader.read_record()) is not None:
            if players is None:
                players = Genesis.parse(signed.body).players
            elif reader.offset > end and not _is_right(players, signed):
                return False
    except (BadBytes, Damaged, OtherVersion, Unreadable):
        return False
    return True


def _is_right(players: Sequence[Player], signed: Signed) -> bool:
    """Bodies of other kinds are checked in the replay."""
    if signed.kind not in (BodyKind.PLAY, BodyKind.SHARE):
        return True
    return signed_by_seat(players, Entry.parse_once(signed).seat, signed)


def verify_beside(data: bytes, end: int, others_are_right: Callable[[], bool]) -> Report:
    """As `verify_log`. `others_are_right` waits for what `are_signed_behind` finds elsewhere for
    the same log and the same `end`. Never raises for bad bytes."""
    report = _Replayed(data, end).report()
    if report.result in (Result.SOUND, Result.UNFINISHED) and others_are_right():
        return report
    return verify_log(data)


class _Replayed:
    """The replay of a log, with the signatures of its beginning."""

    def __init__(self, data: bytes, end: int) -> None:
        self._end = end
        self._reading = LogReading(data, check_signature=self._check)

    def _check(self, players: Sequence[Player], seat: Seat, signed: Signed) -> None:
        if self._reading.offset <= self._end:
            require_signed_by_seat(players, seat, signed)

    def report(self) -> Report:
        while self._reading.read_record() is not None:
            pass
        return self._reading.report()
