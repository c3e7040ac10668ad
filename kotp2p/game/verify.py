"""`verify`: replays a log from its bytes alone and says what it is (PROTOCOL.md 10.5).

Scope: records in, a report out; a file of evidence; a verdict of which only a few signatures are
checked, or by two processes at a time; two logs held against each other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TypeAlias

from kotp2p.game import steps
from kotp2p.game.chain import Chain
from kotp2p.game.ledger import Ledger, convict, line_bodies
from kotp2p.referee.model.answers import Seat
from kotp2p.wire import records as log
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import PLAY, SHARE, Blame, BodyKind, Entry, Signed
from kotp2p.wire.genesis import Charter, Genesis, OtherVersion, Player, signed_by_keeper
from kotp2p.wire.lineups import CheatKind, CheatProof, Leave
from kotp2p.wire.records import Damaged, LogFault, RecordReader, Unreadable

# -- reports: what is found in a log, as values --------------------------------------------
#
# Sound: the replay reaches the end of the game and a keeper has confirmed it. Unfinished: all is
# right as far as it goes. Wrong: some record is not what an honest game contains. Unreadable: not
# a log, or one of versions that this program does not carry, which accuses nobody.


class Result(StrEnum):
    SOUND = "sound"
    UNFINISHED = "unfinished"
    WRONG = "wrong"
    UNREADABLE = "unreadable"


class Signatures(StrEnum):
    """Which signatures of entries a verdict rests on."""

    ALL = "all"
    LAST = "last"
    """The last one of each seat, and those that it does not answer for (see "last signatures")."""


@dataclass(frozen=True, slots=True)
class WrongAt:
    record: int
    offset: int
    height: int | None = None
    seat: Seat | None = None
    """The seat that has rightly signed what is wrong. None: who wrote the log may be at fault."""
    turn: int | None = None
    """The turn in which that height is; None without a height, 0 before the first one."""


def report_changes(chain: Chain) -> tuple[steps.ChangedHands, ...]:
    return tuple(change for begun in chain.begun for change in steps.changes_of(begun))


@dataclass(frozen=True, slots=True)
class Caught:
    """What the log proves against a seat."""

    height: int
    seat: Seat
    kind: CheatKind
    detail: str
    turn: int = 0


@dataclass(slots=True)
class Report:
    result: Result
    entries: int = 0
    """Of the winning sequence, those of the open step included."""
    turns: int = 0
    rules: str = ""
    players: tuple[Player, ...] = ()
    phrase: str = ""
    winners: tuple[Seat, ...] | None = None
    """None unless the game is over; empty if no monster was left."""
    confirmed_by: tuple[Seat, ...] = ()
    not_confirmed_by: tuple[Seat, ...] = ()
    changes: tuple[steps.ChangedHands, ...] = ()
    keepers: tuple[Seat | None, ...] = ()
    """By seat: its keeper at the end of the log; None if its player has left or cheated."""
    program: log.ProgramNamed | None = None
    caught: tuple[Caught, ...] = ()
    """Cheats that the records prove, in the order of these records."""
    wrong_at: WrongAt | None = None
    reason: str = ""
    fault: LogFault | None = None
    versions: log.Versions | None = None
    error: int = 0
    """The `errno` of the system, if the file cannot be read."""
    game: bytes = b""
    torn: bool = False
    head: bytes = b""
    """The head after the winning sequence: logs of one head hold one game."""
    ledger: Ledger | None = field(default=None, repr=False, compare=False)
    """The game as far as it was read."""
    signatures: Signatures = Signatures.ALL
    charter: Charter | None = None
    """What the signatures of all players bind the game to; None if no sound genesis stands here."""

    @property
    def bodies(self) -> tuple[Signed, ...]:
        """Return the genesis and the winning sequence, of which the canonical log is made."""
        ledger = self.ledger
        return () if ledger is None else (ledger.genesis.signed, *ledger.canonical_bodies())

    @property
    def canonical(self) -> bytes:
        """Return the canonical log (PROTOCOL.md 10.4); empty without a sound genesis."""
        bodies = self.bodies
        return log.canonical_log(self.game, bodies) if bodies else b""


# -- the replay ----------------------------------------------------------------------------


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
    """Return the verdict on the bytes of a log; never raise for bad bytes."""
    # The replay and the checks of signatures push each other out of the caches of a processor: one
    # after the other they take less. While no signature is wrong, their order changes no verdict.
    noted = list[tuple[Seat, Entry]]()
    reading = LogReading(data, check_signature=lambda _, *found: noted.append(found))
    report = reading.read_to_end()
    if all(signed_by_keeper(report.players, keeper, entry) for keeper, entry in noted):
        return report
    return _verify_in_order(data)


def _verify_in_order(data: bytes) -> Report:
    """Return the verdict, with the record that has the first wrong signature, if one has it."""
    return LogReading(data).read_to_end()


@dataclass(slots=True)
class ReadRecord:
    """A record that was found right, at its place in the file."""

    index: int
    offset: int
    signed: Signed
    moved: steps.Moved | None


class LogReading:
    """A log from its bytes: each record is judged before the next one is read."""

    def __init__(
        self,
        data: bytes,
        *,
        grows: bool = False,
        check_signature: steps.SignatureCheck = steps.require_signed_by_keeper,
    ) -> None:
        """Begin to read; with `grows` more bytes may come (`feed`)."""
        self._grows = grows
        self._check_signature = check_signature
        self._head = data
        """All bytes that have come, until they are a whole head."""
        self._unreadable: Unreadable | None = None
        self._wrong: tuple[WrongLog, int, int] | None = None
        self._reader: RecordReader | None = None
        self.replay: Replay | None = None
        self.is_over = False
        self.right_bytes = 0
        self._read_head()

    def _read_head(self) -> None:
        if self._grows and len(self._head) < log.HEAD_BYTES:
            return
        try:
            salt = log.read_salt(self._head)
        except Unreadable as fault:
            self._unreadable, self.is_over = fault, True
        else:
            self._reader = RecordReader(self._head, salt)
            self.replay = Replay(salt, self._check_signature)
        self._head = b""

    def feed(self, data: bytes) -> None:
        if self._reader is not None:
            self._reader.feed(data)
        elif not self.is_over:
            self._head += data
            self._read_head()

    @property
    def ledger(self) -> Ledger | None:
        """Return the game as far as it was read, or None before its genesis."""
        return None if self.replay is None else self.replay.ledger

    @property
    def offset(self) -> int:
        return 0 if self._reader is None else self._reader.offset

    @property
    def unread(self) -> int:
        return len(self._head) if self._reader is None else self._reader.size - self._reader.offset

    def read_record(self) -> ReadRecord | None:
        """Return the next record, or None after the last whole and right one."""
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

    def read_to_end(self) -> Report:
        while self.read_record() is not None:
            pass
        return self.report()

    def report(self) -> Report:
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
        self, salt: bytes, check_signature: steps.SignatureCheck = steps.require_signed_by_keeper
    ) -> None:
        self._salt = salt
        self._check_signature = check_signature
        self.ledger: Ledger | None = None
        self.program: log.ProgramNamed | None = None
        self._caught: dict[Caught, Caught] = {}
        """By the cheat alone, with the turn in which it was first met."""

    def add_record(self, signed: Signed) -> steps.Moved | None:
        """Take a record; return what it has done, None for the first two. Raise WrongLog."""
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
                self.program = log.ProgramNamed.parse(signed)
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

    def _play(self, ledger: Ledger, signed: Signed) -> steps.Moved:
        is_entry = signed.kind is PLAY or signed.kind is SHARE
        entry = Entry.parse_once(signed) if is_entry else None
        height, seat = (entry.height, entry.seat) if entry else (ledger.height, None)
        try:
            moved = ledger.accept_entry(entry) if entry else self._accept_fact(ledger, signed)
        except steps.Cheat as fault:
            reason = f"{fault.kind.value}: {fault.detail}"
            raise WrongLog(reason, LogFault(fault.kind), fault.height, fault.seat) from fault
        except steps.Differs as fault:
            reason = "the position differs from the replay"
            raise WrongLog(reason, LogFault.POSITION, height, seat) from fault
        except steps.NotSigned as fault:
            raise WrongLog(str(fault), LogFault.SIGNATURE, height) from fault
        except (steps.Forged, steps.Fork, steps.Early, steps.Stale) as fault:
            kind = LogFault.PLACE if is_entry else LogFault.LINE_UP
            raise WrongLog(str(fault), kind, height) from fault
        if moved is None:
            raise WrongLog("a record that stands twice", LogFault.TWICE, height)
        return moved

    @staticmethod
    def _accept_fact(ledger: Ledger, signed: Signed) -> steps.Moved | None:
        match signed.kind:
            case BodyKind.LINE_UP:
                return ledger.accept_line_up(signed)
            case BodyKind.LEAVE:
                return ledger.accept_leave(Leave.parse(signed, ledger.genesis.id))
            case BodyKind.CHEAT_PROOF:
                return ledger.accept_proof(CheatProof.parse(signed))
            case kind:  # the reader of records takes no other kind than these, and the first two
                reason = f"a record of kind {kind.name.lower()} has no place here"
                raise WrongLog(reason, LogFault.PLACE)

    def report(self, *, is_torn: bool) -> Report:
        report = Report(Result.UNFINISHED, torn=is_torn, program=self.program)
        report.reason, report.fault = "the log ends before the game", LogFault.NO_END
        ledger = self.ledger
        if ledger is None:
            return report
        genesis, chain = ledger.genesis, ledger.chain
        report.entries = sum(map(len, chain.closed)) + len(chain.gathered)
        report.turns = chain.turns
        report.rules, report.charter = genesis.charter.rules, genesis.charter
        report.players, report.phrase, report.game = genesis.players, genesis.phrase, genesis.id
        report.changes = report_changes(chain)
        report.caught = tuple(self._caught.values())
        report.keepers = chain.roster.keepers
        report.head = ledger.head
        report.ledger = ledger
        if isinstance(ledger.step, steps.Finished):
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
    """Report an unreadable log; None means that its head is not complete."""
    if fault is None:
        return Report(Result.UNREADABLE, fault=LogFault.NO_LOG)
    return Report(Result.UNREADABLE, reason=str(fault), fault=fault.fault, versions=fault.versions)


# -- evidence: one file that shows anybody, later and offline, which seat has cheated ------
#
# A file like a log: the genesis, the canonical log up to the entry that the game refuses (nothing
# of it for two bodies that contradict each other), and the proof as the last record.


@dataclass(frozen=True, slots=True)
class Finding:
    """What a file of evidence comes to."""

    cheat: steps.Cheat | None
    """None if it proves nothing, for the `reason`."""
    players: tuple[Player, ...] = ()
    phrase: str = ""
    reason: str = ""
    fault: LogFault | None = None
    versions: log.Versions | None = None
    turn: int | None = None
    """Of the cheat, 0 before the first one; None if the file does not go so far."""


def make_evidence(ledger: Ledger, cheat: steps.Cheat) -> bytes:
    """Return the file about a cheat that `ledger` knows: the line up to it, then the proof."""
    genesis, salt, proof = ledger.genesis, ledger.genesis.id[: log.SALT_BYTES], cheat.proof
    needed = max([Entry.parse(s).height for s in proof.bodies if s.kind in (PLAY, SHARE)] or [0])
    if any(signed.kind is BodyKind.LINE_UP for signed in proof.bodies):
        needed = ledger.height  # its judge needs all line-ups
    chain = ledger.chain
    begun = [part for part in chain.begun if part.height <= needed]
    line = [s for s in line_bodies(ledger, chain, 0, begun, until=needed) if s != proof.signed]
    bodies = dict.fromkeys([genesis.signed, *line])
    records = (log.pack_record(salt, i, signed) for i, signed in enumerate([*bodies, proof.signed]))
    return log.pack_head(salt, log.EVIDENCE_MAGIC) + b"".join(records)


def examine_evidence(data: bytes) -> Finding:
    """Return what the bytes of a file of evidence prove; never raise for bad bytes."""
    try:
        salt = log.read_salt(data, log.EVIDENCE_MAGIC)
    except Unreadable as fault:
        return Finding(None, reason=str(fault), fault=fault.fault, versions=fault.versions)
    replay, reader = Replay(salt), RecordReader(data, salt)
    try:
        proof = _last(reader, replay)
        assert replay.ledger is not None
        cheat = convict(replay.ledger, proof)
    except (Damaged, WrongLog, BadBytes, steps.Forged, steps.Early, steps.Fork) as fault:
        ledger = replay.ledger
        if ledger is None:
            return Finding(None, reason=str(fault), fault=_fault_of(fault))
        genesis = ledger.genesis
        return Finding(None, genesis.players, genesis.phrase, str(fault), _fault_of(fault))
    genesis, chain = replay.ledger.genesis, replay.ledger.chain
    turn = chain.turn_at(cheat.height) if cheat.height <= chain.height else None
    return Finding(cheat, genesis.players, genesis.phrase, turn=turn)


def _fault_of(fault: Exception) -> LogFault:
    match fault:
        case Damaged():
            return LogFault.DAMAGED
        case WrongLog():
            return fault.fault
        case _:  # the proof itself, or none at its end
            return LogFault.PROOF


def _last(reader: RecordReader, replay: Replay) -> CheatProof:
    while True:
        signed = reader.read_record()
        if signed is None:
            raise steps.Forged("no proof stands at its end")
        is_last = signed.kind is BodyKind.CHEAT_PROOF and reader.offset == reader.size
        if is_last and replay.ledger is not None:
            return CheatProof.parse(signed)
        replay.add_record(signed)


# -- last signatures: a verdict for which only a few are checked (PROTOCOL.md 10.9) --------
#
# The replay passes over the signatures of entries. After it the last entry of each keeper is
# checked, and each entry that a line-up has undone, as no later entry names these. If one of them
# is wrong, or anything else, the whole log is read again with each signature: so a log that is
# not right has the verdict, the record and the reason that it always has.


def verify_by_last_signatures(data: bytes) -> Report:
    """Verify a right log in a third of the time (see `verify_log`); never raise for bad bytes."""
    reading, undone = LogReading(data, check_signature=lambda *_: None), list[tuple[Seat, Entry]]()
    line: Chain | None = None
    while reading.read_record() is not None:
        ledger = reading.ledger
        if ledger is None:
            continue
        if line is not None and line is not ledger.chain:
            undone += find_undone(line, ledger.chain)
        line = ledger.chain
    report = reading.report()
    if report.result not in (Result.SOUND, Result.UNFINISHED):
        return _verify_in_order(data)
    needed = [*undone, *(find_last(line) if line is not None else ())]
    if not all(signed_by_keeper(report.players, keeper, e) for keeper, e in needed):
        return _verify_in_order(data)
    return replace(report, signatures=Signatures.LAST)


def find_last(line: Chain) -> list[tuple[Seat, Entry]]:
    """Return the last entry that each keeper has signed on a line, its open step included."""
    return list({keeper: (keeper, entry) for keeper, entry in _entries_from(line, 0)}.values())


def find_undone(former: Chain, line: Chain) -> list[tuple[Seat, Entry]]:
    """Return the entries of a former line that are not on `line`: no head on it is made of them."""
    shared = 0
    for one, other in zip(former.heads[1:], line.heads[1:], strict=False):
        if one != other:
            break
        shared += 1
    here = {entry.id for entry in line.entries_at(shared)}
    return [found for found in _entries_from(former, shared) if found[1].id not in here]


def _entries_from(line: Chain, since: int) -> Iterator[tuple[Seat, Entry]]:
    """Yield the entries of a line from a height on, each with the keeper that has signed it."""
    for height in range(since, line.height + 1):
        start = line.starts[height]
        for entry in line.entries_at(height):
            keeper = start.signer_of(entry.seat)
            assert keeper is not None, "an entry on a line has a signer"
            yield keeper, entry


# -- two logs of one game, held against each other (PROTOCOL.md 10.4) ----------------------


SignedPlace: TypeAlias = tuple[int, int, bytes, Seat]


class Relation(StrEnum):
    SAME = "same"
    """The same steps; and both have a signed end, or none has."""
    EARLIER = "earlier"
    """The second one has the same steps as far as it goes, but ends earlier, or lacks the end."""
    PARTED = "parted"


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the second of two logs of one game is to the first."""

    relation: Relation
    height: int
    turn: int
    signed_both: tuple[Seat, ...] = ()
    """Seats that have signed two different entries for one place, or two different ends."""


@dataclass(slots=True)
class _Line:
    """One log, as far as it is right."""

    heads: Sequence[bytes] = ()
    turns: list[int] = field(default_factory=list)
    """turns[h]: the turns that have begun when height h closes."""
    entries: dict[SignedPlace, bytes] = field(default_factory=dict)
    """Their bodies, also of those that a line-up has undone."""
    is_confirmed: bool = False

    def turn_at(self, height: int) -> int:
        return self.turns[min(height, len(self.turns) - 1)] if self.turns else 0


def compare_copies(first: bytes, second: bytes) -> Comparison:
    """Compare two logs of one game; the first must go at least as far as the other."""
    one, other = _read_line(first), _read_line(second)
    shared = min(len(one.heads), len(other.heads))
    common = next((h for h in range(shared) if one.heads[h] != other.heads[h]), shared)
    height = max(0, common - 1)
    both = _find_contradictions(one, other)
    if common < shared or both:
        return Comparison(Relation.PARTED, height, one.turn_at(height), both)
    is_same = len(one.heads) == len(other.heads) and one.is_confirmed == other.is_confirmed
    relation = Relation.SAME if is_same else Relation.EARLIER
    return Comparison(relation, height, one.turn_at(height))


def _read_line(data: bytes) -> _Line:
    line, reading = _Line(), LogReading(data)
    while (read := reading.read_record()) is not None:
        if reading.ledger is None:
            continue
        if read.signed.kind in (BodyKind.PLAY, BodyKind.SHARE):
            entry = Entry.parse(read.signed)
            if not isinstance(entry.payload, Blame):
                place = entry.attempt, entry.height, entry.prev, entry.seat
                line.entries[place] = read.signed.body
        for closed in () if read.moved is None else read.moved.steps:
            del line.turns[closed.height :]
            line.turns.append(reading.ledger.chain.turns)
    if reading.ledger is not None:
        line.heads = tuple(reading.ledger.heads)
        line.is_confirmed = reading.report().result is Result.SOUND
    return line


def _find_contradictions(one: _Line, other: _Line) -> tuple[Seat, ...]:
    found = {
        place[-1] for place, body in one.entries.items() if other.entries.get(place, body) != body
    }
    return tuple(sorted(found))
