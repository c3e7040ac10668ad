"""`verify`: replays a log from its bytes alone and says what it is (PROTOCOL.md 10.5).

Scope: records in, a report out.
Not here: what a body does to the game (`ledger`), and the form of a log (`kotp2p.wire.records`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import (
    Cheat,
    Differs,
    Early,
    Forged,
    Fork,
    NotSigned,
    SignatureCheck,
    Stale,
    require_signed_by_keeper,
)
from kotp2p.game.report import Caught, Report, Result, WrongAt, report_changes
from kotp2p.game.steps import Finished, Moved
from kotp2p.referee.model.answers import Seat
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import PLAY, SHARE, BodyKind, Entry, Signed
from kotp2p.wire.genesis import Genesis, OtherVersion
from kotp2p.wire.lineups import CheatProof, Leave
from kotp2p.wire.records import (
    HEAD_BYTES,
    Damaged,
    LogFault,
    ProgramNamed,
    RecordReader,
    Unreadable,
    read_salt,
)


class WrongLog(Exception):
    """A record that a live peer would not have accepted at its place."""

    def __init__(
        self, reason: str, fault: LogFault, height: int | None = None, seat: Seat | None = None
    ) -> None:
        super().__init__(reason)
        self.fault = fault
        self.height = height
        self.seat = seat


def verify_log(data: bytes) -> Report:
    """What the bytes of a log come to. Never raises for bad bytes."""
    reading = LogReading(data)
    while reading.read_record() is not None:
        pass
    return reading.report()


@dataclass(slots=True)
class ReadRecord:
    """A record that was found right, at its place in the file."""

    index: int
    """Counting from 0."""
    offset: int
    """Byte at which it starts."""
    signed: Signed
    moved: Moved | None
    """What it has done to the game; None for the first two records."""


class LogReading:
    """A log from its bytes: each record is judged before the next one is read."""

    def __init__(
        self,
        data: bytes,
        *,
        grows: bool = False,
        check_signature: SignatureCheck = require_signed_by_keeper,
    ) -> None:
        """`grows`: more bytes may come (`feed`). `check_signature`: for entries."""
        self._grows = grows
        self._check_signature = check_signature
        self._head = data
        """All bytes that have come, until they are a whole head."""
        self._unreadable: Unreadable | None = None
        self._wrong: tuple[WrongLog, int, int] | None = None
        """With the record and the byte at which it starts."""
        self._reader: RecordReader | None = None
        self.replay: Replay | None = None
        self.is_over = False
        """Nothing more can be read."""
        self.right_bytes = 0
        """The bytes up to the end of the last record that was found right."""
        self._read_head()

    def _read_head(self) -> None:
        if self._grows and len(self._head) < HEAD_BYTES:
            return
        try:
            salt = read_salt(self._head)
        except Unreadable as fault:
            self._unreadable, self.is_over = fault, True
        else:
            self._reader = RecordReader(self._head, salt)
            self.replay = Replay(salt, self._check_signature)
        self._head = b""

    def feed(self, data: bytes) -> None:
        """The log goes on with these bytes."""
        if self._reader is not None:
            self._reader.feed(data)
        elif not self.is_over:
            self._head += data
            self._read_head()

    @property
    def ledger(self) -> Ledger | None:
        """The game as far as it was read; None until its genesis was."""
        return None if self.replay is None else self.replay.ledger

    @property
    def offset(self) -> int:
        """The bytes that were read."""
        return 0 if self._reader is None else self._reader.offset

    @property
    def unread(self) -> int:
        """The bytes behind them that have come."""
        return len(self._head) if self._reader is None else self._reader.size - self._reader.offset

    def read_record(self) -> ReadRecord | None:
        """The next record; None behind the last one that is whole and right."""
        reader = self._reader
        if self.is_over or reader is None:
            return None
        assert self.replay is not None  # it comes with the reader
        index, offset = reader.index, reader.offset
        try:
            signed = reader.read_record()
            if signed is not None:
                read = ReadRecord(index, offset, signed, self.replay.add_record(signed))
                self.right_bytes = reader.offset
                return read
        except Damaged as fault:
            self._wrong = WrongLog(fault.why, LogFault.DAMAGED), index, offset
        except WrongLog as fault:
            self._wrong = fault, index, offset
        self.is_over = self._wrong is not None or not self._grows
        return None

    def report(self) -> Report:
        """The verdict on what was read; on the whole log once `is_over`."""
        if self._reader is None:
            return _report_unreadable(self._unreadable)
        assert self.replay is not None  # it comes with the reader
        report = self.replay.report(
            is_torn=self.is_over and self._wrong is None and self._reader.is_torn
        )
        if self._wrong is not None:
            fault, record, offset = self._wrong
            report.result, report.reason, report.confirmed_by = Result.WRONG, str(fault), ()
            report.fault = fault.fault
            turn = None
            if fault.height is not None:
                assert self.ledger is not None  # heights are counted from the genesis on
                turn = self.ledger.chain.turn_at(fault.height)
            report.wrong_at = WrongAt(record, offset, fault.height, fault.seat, turn)
        return report


class Replay:
    """Feeds records to a ledger and turns every refusal into `WrongLog`."""

    def __init__(
        self, salt: bytes, check_signature: SignatureCheck = require_signed_by_keeper
    ) -> None:
        self._salt = salt
        self._check_signature = check_signature
        self.ledger: Ledger | None = None
        self.program: ProgramNamed | None = None
        """The program that has written the log, by its own word."""
        self._caught: dict[Caught, Caught] = {}
        """By the cheat alone, with the turn in which it was first met."""

    def add_record(self, signed: Signed) -> Moved | None:
        """Take a record; return what it has done to the game, None for the first two. Raises
        WrongLog."""
        ledger = self.ledger
        if ledger is None:
            self._begin(signed)
            return None
        before = ledger.chain
        if before.is_over:
            raise WrongLog("a record after the end of the game", LogFault.AFTER_END)
        try:
            moved = self._play(ledger, signed)
        except BadBytes as fault:
            raise WrongLog(str(fault), LogFault.FORM, ledger.height) from fault
        for cheat in moved.caught:
            caught = Caught(cheat.height, cheat.seat, cheat.kind, cheat.detail)
            self._caught.setdefault(caught, replace(caught, turn=before.turn_at(cheat.height)))
        return moved

    def _begin(self, signed: Signed) -> None:
        try:
            if signed.kind is BodyKind.PROGRAM and self.program is None:
                self.program = ProgramNamed.parse(signed)
                return
            if signed.kind is not BodyKind.GENESIS:
                raise WrongLog("a log that does not begin with a genesis", LogFault.NO_GENESIS)
            if not signed.signature:
                raise BadBytes("a genesis without signatures")
            genesis = Genesis.parse(signed.body, signed.signature)
        except BadBytes as fault:
            raise WrongLog(f"the genesis: {fault}", LogFault.GENESIS) from fault
        except OtherVersion as fault:
            reason = f"the genesis is of other versions ({fault}) than the head"
            raise WrongLog(reason, LogFault.GENESIS) from fault
        if genesis.id[: len(self._salt)] != self._salt:
            raise WrongLog("the genesis of another log", LogFault.OTHER_GAME)
        # A reader has closed nothing: of all line-ups the one of the greatest rank counts.
        self.ledger = Ledger(genesis, self._check_signature, is_bound=True)

    def _play(self, ledger: Ledger, signed: Signed) -> Moved:
        kind = signed.kind
        if kind is PLAY or kind is SHARE:
            entry = Entry.parse_once(signed)
            return self._accept(
                ledger, lambda: ledger.accept_entry(entry), (entry.height, entry.seat)
            )
        match kind:
            case BodyKind.LINE_UP:
                return self._accept(ledger, lambda: ledger.accept_line_up(signed))
            case BodyKind.LEAVE:
                leave = Leave.parse(signed, ledger.genesis.id)
                return self._accept(ledger, lambda: ledger.accept_leave(leave))
            case BodyKind.CHEAT_PROOF:
                proof = CheatProof.parse(signed)
                return self._accept(ledger, lambda: ledger.accept_proof(proof))
            case _:  # the reader of records takes no other kind than these, and the first two
                reason = f"a record of kind {kind.name.lower()} has no place here"
                raise WrongLog(reason, LogFault.PLACE)

    @staticmethod
    def _accept(
        ledger: Ledger,
        accept: Callable[[], Moved | None],
        place: tuple[int, Seat | None] | None = None,
    ) -> Moved:
        """Let the ledger take a body, of which the height and the seat are known if it has them."""
        height, seat = place or (ledger.height, None)
        try:
            moved = accept()
        except Cheat as fault:
            reason = f"{fault.kind.value}: {fault.detail}"
            raise WrongLog(reason, LogFault(fault.kind), fault.height, fault.seat) from fault
        except Differs as fault:
            reason = "the position differs from the replay"
            raise WrongLog(reason, LogFault.POSITION, height, seat) from fault
        except NotSigned as fault:
            raise WrongLog(str(fault), LogFault.SIGNATURE, height) from fault
        except (Forged, Fork, Early, Stale) as fault:
            kind = LogFault.PLACE if place is not None else LogFault.LINE_UP
            raise WrongLog(str(fault), kind, height) from fault
        if moved is None:
            raise WrongLog("a record that stands twice", LogFault.TWICE, height)
        return moved

    def report(self, *, is_torn: bool) -> Report:
        """Return the verdict if nothing is wrong."""
        report = Report(Result.UNFINISHED, torn=is_torn, program=self.program)
        report.reason, report.fault = "the log ends before the game", LogFault.NO_END
        ledger = self.ledger
        if ledger is None:
            return report
        genesis, chain = ledger.genesis, ledger.chain
        report.entries, report.turns = chain.count_entries(), chain.turns
        report.rules, report.charter = genesis.charter.rules, genesis.charter
        report.players, report.phrase, report.game = genesis.players, genesis.phrase, genesis.id
        report.changes = report_changes(chain)
        report.caught = tuple(self._caught.values())
        report.keepers = chain.roster.keepers
        report.head = ledger.head
        report.bodies = (genesis.signed, *ledger.canonical_bodies())
        if isinstance(ledger.step, Finished):
            report.winners = ledger.step.winners
            report.confirmed_by = tuple(sorted(chain.gathered))
            report.not_confirmed_by = tuple(
                k for k in ledger.step.members if k not in chain.gathered
            )
            report.reason, report.fault = "nobody has confirmed the end", LogFault.NOT_CONFIRMED
            if report.confirmed_by:
                report.result, report.reason, report.fault = Result.SOUND, "", None
        return report


def _report_unreadable(fault: Unreadable | None) -> Report:
    """None: the bytes of a head have not all come yet."""
    if fault is None:
        return Report(Result.UNREADABLE, fault=LogFault.NO_LOG)
    return Report(Result.UNREADABLE, reason=str(fault), fault=fault.fault, versions=fault.versions)
