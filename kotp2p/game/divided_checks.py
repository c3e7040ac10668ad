"""A verdict on a log whose signatures are checked by two processes at a time.

Scope: which of them checks what, and what their findings come to together. The one replays the log
and checks the signatures at its beginning. The other one only reads it, and checks the signatures
behind that.
Not here: the processes (`cli.system.executors`).

If anything is found wrong, the whole log is read again by one process: so a log that is not right
has the verdict, the record and the reason that it always has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from kotp2p.game.refusals import require_signed_by_keeper
from kotp2p.game.report import Report, Result
from kotp2p.game.roster import Roster
from kotp2p.game.verify import LogReading, verify_log
from kotp2p.referee.model.answers import Seat
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import Answering, BodyKind, Entry, Share, Signed
from kotp2p.wire.genesis import Genesis, OtherVersion, Player, signed_by_keeper
from kotp2p.wire.lineups import LineUp
from kotp2p.wire.records import Damaged, RecordReader, Unreadable, read_salt

OWN_PERCENT = 40
"""So much of the log the process that replays it checks itself. A replay takes a third as long as
all checks. To start the other process and to read the log there takes a fifth. Both shall end
together."""


def own_end(size: int) -> int:
    """The byte up to which the process that replays a log of `size` bytes checks signatures."""
    return size * OWN_PERCENT // 100


def are_signed_after(data: bytes, end: int) -> bool:
    """Whether each entry whose record ends after that byte is signed by the keeper of its seat.

    False also where the log cannot be read to its end. The keeper of a seat follows from the
    line-ups alone, if they have begun, which the other process sees.
    """
    genesis: Genesis | None = None
    rosters: dict[bytes, Roster] = {}
    try:
        reader = RecordReader(data, read_salt(data))
        while (signed := reader.read_record()) is not None:
            if signed.kind is BodyKind.PROGRAM:
                continue
            if genesis is None:
                genesis = Genesis.parse(signed.body)
                rosters[genesis.id] = Roster.at_genesis(genesis)
            elif signed.kind is BodyKind.LINE_UP:
                lineup = LineUp.parse(signed.body, genesis.id)
                before = rosters.get(lineup.predecessor)
                if before is not None:
                    rosters[lineup.id] = before.after(lineup, genesis.players)
            elif reader.offset > end and not _is_right(genesis, rosters, signed):
                return False
    except (BadBytes, Damaged, OtherVersion, Unreadable):
        return False
    return True


def _is_right(genesis: Genesis, rosters: Mapping[bytes, Roster], signed: Signed) -> bool:
    """Bodies of other kinds are checked in the replay."""
    if signed.kind not in (BodyKind.PLAY, BodyKind.SHARE):
        return True
    entry = Entry.parse_once(signed)
    own = entry.seat
    if isinstance(entry.payload, Answering | Share):
        keepers = [r.keepers[own] for r in rosters.values() if r.attempt == entry.attempt]
        return any(k is not None and signed_by_keeper(genesis.players, k, signed) for k in keepers)
    return signed_by_keeper(genesis.players, own, signed)


def verify_beside(data: bytes, end: int, others_are_right: Callable[[], bool]) -> Report:
    """As `verify_log`. `others_are_right` waits for what `are_signed_after` finds elsewhere for
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
            require_signed_by_keeper(players, seat, signed)

    def report(self) -> Report:
        while self._reading.read_record() is not None:
            pass
        return self._reading.report()
