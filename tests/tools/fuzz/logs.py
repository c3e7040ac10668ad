"""Logs under fuzz: the reader of records, and the whole verifier.

Three kinds of mutation: bytes of the file anywhere; records taken out, doubled, moved, brought
from another log, with every checksum made right; and bodies changed, with checksums made right
and signatures taken for good, as only the players of that table could write them.
"""

import random
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from unittest.mock import patch

from kotp2p.game import verify
from kotp2p.game.verify import Report, Result
from kotp2p.wire import entries, genesis, records
from kotp2p.wire.crypto import Tag
from kotp2p.wire.entries import BodyKind, Signed
from tests.support.scribe import written
from tests.tools.fuzz import errors, seeds
from tests.tools.fuzz.mutate import Mutator

VERIFIERS = (entries, genesis)
"""Modules that check signatures."""


@contextmanager
def signatures_judged_by(judge: Callable[[bytes, Tag, bytes, bytes], bool]) -> Iterator[None]:
    with ExitStack() as stack:
        for module in VERIFIERS:
            stack.enter_context(patch.object(module, "is_valid_signature", judge))
        yield


def signatures_taken_for_good() -> AbstractContextManager[None]:
    return signatures_judged_by(lambda *_: True)


class Logs:
    def __init__(self, logs: tuple[bytes, ...], chance: random.Random) -> None:
        self._logs = logs
        self._records = [[signed for signed, _ in seeds.records(log)] for log in logs]
        self._chance = chance
        self._mutator = Mutator(seeds.frames(), chance)
        self._bodies = Mutator([signed.body for signed in seeds.bodies()], chance)

    def bytes_changed(self, log: bytes) -> bytes:
        roll = self._chance.random()
        if roll < 0.1:
            return log[: self._at(log)] + bytes(int(self._chance.random() * 4096))
        if roll < 0.2:
            return log[: self._at(log)] + self._chance.randbytes(int(self._chance.random() * 64))
        for _ in range(1 + int(roll * 3)):
            log = self._mutator.turned(log)
        return log

    def _at(self, data: bytes) -> int:
        return int(self._chance.random() * len(data))

    def records_changed(self, which: int) -> bytes:
        """One record goes, comes twice, moves, or comes from elsewhere."""
        whole = list(self._records[which])
        at, other = (int(self._chance.random() * len(whole)) for _ in range(2))
        how = self._chance.random()
        if how < 0.25:
            del whole[at]
        elif how < 0.5:
            whole.insert(other, whole[at])
        elif how < 0.75:
            whole[at], whole[other] = whole[other], whole[at]
        else:
            foreign = self._chance.choice(self._records)
            whole.insert(at, self._chance.choice(foreign))
        return written(self._logs[which][20 : 20 + records.SALT_BYTES], whole)

    def body_changed(self, which: int) -> bytes:
        whole = list(self._records[which])
        at = int(self._chance.random() * len(whole))
        signed = whole[at]
        roll = self._chance.random()
        if roll < 0.1:
            kind = self._chance.choice(list(BodyKind)[:6])
            whole[at] = Signed(kind, signed.body, signed.signature)
        elif roll < 0.2:
            whole[at] = Signed(signed.kind, signed.body, self._mutator.turned(signed.signature))
        elif roll < 0.3:
            whole[at] = Signed(signed.kind, self._bodies.next(), signed.signature)
        else:
            changed = Mutator([signed.body], self._chance).next()
            whole[at] = Signed(signed.kind, changed, signed.signature)
        return written(self._logs[which][20 : 20 + records.SALT_BYTES], whole)


def read(data: bytes) -> bool:
    """Whether a reader comes to an end of the log without finding damage."""
    try:
        _, salt = records.read_head(data)
    except errors.READING:
        return False
    reader = records.RecordReader(data, salt)
    at, count = reader.offset, 0
    try:
        while (signed := reader.read_record()) is not None:
            assert records.pack_record(salt, count, signed) == data[at : reader.offset]
            at, count = reader.offset, count + 1
    except errors.READING:
        assert (reader.offset, reader.index) == (at, count)
        return False
    assert at <= len(data)
    if reader.is_torn:
        whole = records.RecordReader(data[:at], salt)
        while whole.read_record() is not None:
            pass
        assert (whole.offset, whole.is_torn) == (at, False)
    return True


def readers(chance: random.Random, count: int) -> int:
    short = []
    for log in seeds.logs():
        ends = [records.HEAD_BYTES, *(end for _, end in seeds.records(log))]
        short += [log[:end] for end in ends[:8:2]]
    logs = Logs(tuple(log for log in short if len(log) > records.HEAD_BYTES), chance)
    good = 0
    for n in range(count):
        if n % 2:
            data = logs.bytes_changed(short[int(chance.random() * len(short))])
        else:
            data = logs.body_changed(int(chance.random() * len(logs._logs)))
        good += read(data)
    return good


def judged(data: bytes) -> Report:
    """What `verify` says; the canonical log of what is not wrong is not wrong either."""
    report = verify.verify_log(data)
    wrong = report.result is Result.WRONG
    assert wrong == (report.wrong_at is not None)
    if report.canonical and not wrong:
        again = verify.verify_log(report.canonical)
        is_whole = report.result is Result.SOUND and not report.not_confirmed_by
        assert again.result is (Result.SOUND if is_whole else Result.UNFINISHED), again.reason
        assert again.canonical == report.canonical
        assert (again.winners, again.turns, again.game) == (
            report.winners, report.turns, report.game,
        )  # fmt: skip
    return report


def verified(chance: random.Random, count: int) -> int:
    logs = Logs(seeds.logs(), chance)
    good = 0
    for n in range(count):
        which = int(chance.random() ** 1.5 * len(logs._logs))
        if n % 4 == 0:
            report = judged(logs.bytes_changed(logs._logs[which]))
        elif n % 4 == 1:
            report = judged(logs.records_changed(which))
        else:
            with signatures_taken_for_good():
                report = judged(logs.body_changed(which))
        good += report.result in (Result.SOUND, Result.UNFINISHED)
    return good
