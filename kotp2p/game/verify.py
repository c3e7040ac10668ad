"""`verify`: replays a log from its bytes alone and says what it is (PROTOCOL.md 10.5).

Scope: records in, a report out.
Not here: what a body does to the game (`ledger`), and the form of a log (`kotp2p.wire.records`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from kotp2p.game.breaks import check_closing
from kotp2p.game.history import certificates
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
    require_signed_by_seat,
)
from kotp2p.game.report import Caught, Left, Report, Result, VotedOut, WrongAt
from kotp2p.game.steps import Finished, Moved
from kotp2p.wire.closings import Break, End
from kotp2p.wire.crypto import SIGNATURE_BYTES
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import PLAY, SHARE, BodyKind, Entry, Signed
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.genesis import Genesis, OtherVersion
from kotp2p.wire.log_faults import LogFault
from kotp2p.wire.proofs import CheatProof
from kotp2p.wire.records import (
    HEAD_BYTES,
    Damaged,
    RecordReader,
    Unreadable,
    read_salt,
)
from kotp2p.wire.votes import Vote
from referee.model.answers import Seat

P = TypeVar("P", Entry, Farewell, Vote)
"""What is played: a body that takes the game on, or back."""


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
    """Counting from 0, the genesis."""
    offset: int
    """Byte at which it starts."""
    signed: Signed
    moved: Moved | None
    """What it has done to the game; None for the genesis, an end and a break."""


class LogReading:
    """A log from its bytes: each record is judged before the next one is read."""

    def __init__(
        self,
        data: bytes,
        *,
        grows: bool = False,
        check_signature: SignatureCheck = require_signed_by_seat,
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
        report = self.replay.report(is_torn=self.is_over and self._reader.is_torn)
        if self._wrong is not None:
            fault, record, offset = self._wrong
            report.result, report.reason, report.confirmed_by = Result.WRONG, str(fault), ()
            report.fault, report.stopped_by = fault.fault, ()
            turn = None
            if fault.height is not None:
                assert self.ledger is not None  # heights are counted from the genesis on
                turn = self.ledger.chain.turn_at(fault.height)
            report.wrong_at = WrongAt(record, offset, fault.height, fault.seat, turn)
        return report


class Replay:
    """Feeds records to a ledger and turns every refusal into `WrongLog`."""

    def __init__(
        self, salt: bytes, check_signature: SignatureCheck = require_signed_by_seat
    ) -> None:
        self._salt = salt
        self._check_signature = check_signature
        self.ledger: Ledger | None = None
        self._genesis: Signed | None = None
        self.end: tuple[End, dict[Seat, bytes]] | None = None
        self.stopped: tuple[Break, dict[Seat, bytes]] | None = None
        """The last record says that the game was left here for another day."""
        self._caught: dict[Caught, Caught] = {}
        """By the cheat alone, with the turn in which it was first met."""

    def add_record(self, signed: Signed) -> Moved | None:
        """What the record has done to the game; None for the genesis, an end and a break. Raises
        WrongLog."""
        ledger = self.ledger
        if ledger is None:
            self._begin(signed)
            return None
        if self.end is not None:
            raise WrongLog("a record behind the end of the game", LogFault.BEHIND_END)
        self.stopped = None
        before = ledger.chain
        try:
            moved = self._play(ledger, signed)
        except BadBytes as fault:
            raise WrongLog(str(fault), LogFault.FORM, ledger.height) from fault
        for cheat in () if moved is None else moved.caught:
            caught = Caught(cheat.height, cheat.seat, cheat.kind, cheat.detail)
            self._caught.setdefault(caught, replace(caught, turn=before.turn_at(cheat.height)))
        return moved

    def _begin(self, signed: Signed) -> None:
        if signed.kind is not BodyKind.GENESIS:
            raise WrongLog("the first record is no genesis", LogFault.NO_GENESIS)
        count = len(signed.signature) // SIGNATURE_BYTES
        signatures = [
            signed.signature[i * SIGNATURE_BYTES :][:SIGNATURE_BYTES] for i in range(count)
        ]
        try:
            if count == 0 or len(signed.signature) % SIGNATURE_BYTES:
                raise BadBytes("a genesis without signatures")
            genesis = Genesis.parse(signed.body, signatures)
        except BadBytes as fault:
            raise WrongLog(f"the genesis: {fault}", LogFault.GENESIS) from fault
        except OtherVersion as fault:
            reason = f"the genesis is of other versions ({fault}) than the head"
            raise WrongLog(reason, LogFault.GENESIS) from fault
        if genesis.id[: len(self._salt)] != self._salt:
            raise WrongLog("the genesis of another log", LogFault.OTHER_GAME)
        self._genesis = signed
        self.ledger = Ledger(genesis, self._check_signature)

    def _play(self, ledger: Ledger, signed: Signed) -> Moved | None:
        kind = signed.kind
        if kind is PLAY or kind is SHARE:
            return self._accept(ledger.accept_entry, Entry.parse_once(signed))
        match kind:
            case BodyKind.STAND_IN:
                farewell = Farewell.parse(signed, ledger.genesis.id)
                return self._accept(ledger.accept_farewell, farewell)
            case BodyKind.VOTE:
                return self._accept(ledger.accept_vote, Vote.parse(signed, ledger.genesis.id))
            case BodyKind.CHEAT_PROOF:
                return self._accept_proof(ledger, CheatProof.parse(signed))
            case BodyKind.CLOSE:
                self._confirm(ledger, signed)
                return None
            case (
                BodyKind.GENESIS | BodyKind.HEAD | BodyKind.WORD | BodyKind.ADDRESS | BodyKind.CHAT
            ):
                reason = f"a record of kind {kind.name.lower()} has no place here"
                raise WrongLog(reason, LogFault.PLACE)

    @staticmethod
    def _accept(accept: Callable[[P], Moved | None], what: P) -> Moved:
        """`accept`: what the ledger does with such bodies."""
        try:
            moved = accept(what)
        except Cheat as fault:
            reason = f"{fault.kind.value}: {fault.detail}"
            raise WrongLog(reason, LogFault(fault.kind), fault.height, fault.seat) from fault
        except Differs as fault:
            reason = "the position differs from the replay"
            raise WrongLog(reason, LogFault.POSITION, what.height, what.seat) from fault
        except NotSigned as fault:
            raise WrongLog(str(fault), LogFault.SIGNATURE, what.height) from fault
        except (Forged, Fork, Early, Stale) as fault:
            kind = LogFault.VOTE if isinstance(what, Vote) else LogFault.PLACE
            raise WrongLog(str(fault), kind, what.height) from fault
        if moved is None:
            raise WrongLog("a record that stands twice", LogFault.TWICE, what.height)
        return moved

    @staticmethod
    def _accept_proof(ledger: Ledger, proof: CheatProof) -> Moved:
        try:
            moved = ledger.accept_proof(proof)
        except (Forged, Fork, Early) as refusal:
            reason = f"a proof of nothing: {refusal}"
            raise WrongLog(reason, LogFault.PROOF, ledger.height) from refusal
        if moved is None:
            raise WrongLog("a record that stands twice", LogFault.TWICE, ledger.height)
        return moved

    def _confirm(self, ledger: Ledger, signed: Signed) -> None:
        try:
            closing, seals = check_closing(ledger, signed)
        except NotSigned as fault:
            raise WrongLog(str(fault), LogFault.SIGNATURE, ledger.height) from fault
        except Forged as fault:
            raise WrongLog(str(fault), LogFault.CLOSE, ledger.height) from fault
        if isinstance(closing, Break):
            self.stopped = (closing, seals)
        else:
            self.end = (closing, seals)

    def report(self, *, is_torn: bool) -> Report:
        """The verdict if nothing is wrong."""
        report = Report(Result.UNFINISHED, torn=is_torn)
        ledger = self.ledger
        if ledger is not None and self._genesis is not None:
            report.entries = ledger.chain.count_entries()
            report.turns = ledger.chain.turns
            report.rules = ledger.genesis.charter.rules
            report.charter = ledger.genesis.charter
            report.players = ledger.genesis.players
            report.phrase = ledger.genesis.phrase
            report.game = ledger.genesis.id
            report.voted_out = tuple(
                VotedOut(item.height, item.seats, item.voters, ledger.chain.turn_at(item.height))
                for item in certificates(ledger.chain.closed)
            )
            report.left = _list_farewells(ledger)
            report.caught = tuple(self._caught.values())
            if isinstance(ledger.step, Finished):
                report.winners = ledger.step.winners
            report.head = ledger.head
            report.bodies = (self._genesis, *ledger.chain.canonical_bodies())
        if self.end is not None:
            report.result = Result.SOUND
            report.confirmed_by = tuple(self.end[1])
        elif self.stopped is not None:
            stop, seals = self.stopped
            report.stopped_by = tuple(seals)
            signers = ", ".join(report.players[seat].name for seat in seals)
            report.reason = f"abandoned, claimed by {signers}" if stop.absent else "adjourned"
            report.fault = LogFault.ABANDONED if stop.absent else LogFault.ADJOURNED
        elif report.winners is not None:
            report.reason, report.fault = "nobody has confirmed the end", LogFault.NOT_CONFIRMED
        else:
            report.reason, report.fault = "the log ends before the game", LogFault.NO_END
        return report


def _report_unreadable(fault: Unreadable | None) -> Report:
    """None: the bytes of a head have not all come yet."""
    if fault is None:
        return Report(Result.UNREADABLE, fault=LogFault.NO_LOG)
    return Report(Result.UNREADABLE, reason=str(fault), fault=fault.fault, versions=fault.versions)


def _list_farewells(ledger: Ledger) -> tuple[Left, ...]:
    seats: dict[Farewell, list[Seat]] = {}
    for seat, farewell in sorted(ledger.farewells.items()):
        seats.setdefault(farewell, []).append(seat)
    said = sorted(seats, key=lambda farewell: farewell.place)
    return tuple(
        Left(farewell.height, tuple(seats[farewell]), ledger.chain.turn_at(farewell.height))
        for farewell in said
    )
