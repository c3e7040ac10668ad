"""How the dice and cards of a moment came about: seals, openings, hashes, and the steps to a value.

Scope: for each slot that a moment has drawn from, where in the log every part was sealed and
opened, and the numbers that the result gives. All of it is worked out from the entries alone, apart
from the code that a peer draws with (`kotp2p.wire.crypto`), so that one can be held against
the other.
Not here: sentences.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from kotp2p.game.recording import LogRecording, Moment, Recording
from kotp2p.game.steps import ClosedStep, Committing, Gather, Step
from kotp2p.referee.model.answers import Answered, BuyTop, Drawn, Looked, Seat
from kotp2p.referee.model.decisions import Chance, ChanceKind, Draw
from kotp2p.wire.crypto import WINDOW, Stream, Tag, digest
from kotp2p.wire.entries import Answering, Entry, Opening, Rows, Signed

NUMBERS_A_BLOCK = 4
NUMBER_BYTES = 8


@dataclass(frozen=True, slots=True)
class Part:
    """What one keeper has given to a slot."""

    seat: Seat
    seal: bytes
    """Its commitment."""
    sealed_in: int
    """The record of the log that has the commitment."""
    opened: bytes
    """Its contribution."""
    opened_in: int


@dataclass(frozen=True, slots=True)
class NumberStep:
    """One number of the stream that a result gives."""

    block: int
    place: int
    """Within its block, from 0."""
    number: int
    size: int
    """A value below this is wanted."""
    value: int | None
    """None: it was passed over."""
    is_taken: bool = False
    """Passed over because this card is gone already; else because the number is too high."""


@dataclass(frozen=True, slots=True)
class DrawnSlot:
    """One slot: its parts, the hash of them all, and the values that the hash gives."""

    stream: Stream
    slot: int
    head: bytes
    """What the openings have signed."""
    parts: tuple[Part, ...]
    """They stand in the order of seats."""
    result: bytes
    steps: tuple[NumberStep, ...]
    pile: tuple[int, ...] = ()
    """For a card: the cards among which it was drawn."""
    gone: frozenset[int] = frozenset()
    """For a card: the indices of the pile that were drawn just before."""

    @property
    def values(self) -> tuple[int, ...]:
        return tuple(step.value for step in self.steps if step.value is not None)


@dataclass(frozen=True, slots=True)
class ExplainedDraw:
    moment: Moment
    kind: ChanceKind
    slots: tuple[DrawnSlot, ...]
    decided_in: int
    """The record of the last answer before it; 0: no player had decided anything."""


@dataclass(slots=True)
class _Seal:
    commitment: bytes
    record: int


@dataclass(slots=True)
class _HeldSlot:
    """A slot that one seat keeps half open, as it has looked at its card."""

    slot: int
    head: bytes
    owner: Seat
    parts: list[Part]
    """What all other seats have given."""
    pile: tuple[int, ...]


@dataclass(slots=True)
class _Sealed:
    """All commitments so far."""

    seals: dict[tuple[Stream, Seat, int], _Seal] = field(default_factory=dict)
    held: _HeldSlot | None = None

    def part(self, stream: Stream, slot: int, seat: Seat, opened: bytes, opened_in: int) -> Part:
        seal = self.seals[stream, seat, slot]
        return Part(seat, seal.commitment, seal.record, opened, opened_in)

    def add(self, step: Step, entry: Entry, record: int) -> None:
        match step, entry.payload:
            case Gather(plan=plan), Opening(commitments=commitments):
                stream = plan.stream
                for i, shown in enumerate(commitments, plan.first + WINDOW[stream]):
                    self.seals[stream, entry.seat, i] = _Seal(shown, record)
            case Committing(first=first), Rows() as rows:
                for stream, window in ((Stream.DICE, rows.dice), (Stream.CARDS, rows.cards)):
                    for i, shown in enumerate(window, first[stream]):
                        self.seals[stream, entry.seat, i] = _Seal(shown, record)
            case _:  # it commits to nothing
                pass


def explain_draws(log: LogRecording, first: int, last: int) -> list[ExplainedDraw]:
    """Return the draws of the moments `first` to `last`, in order.

    A card that was bought from the top of the deck is among them: its buyer has opened its slot.
    """
    recording = log.recording
    if recording is None:
        return []
    return [draw for draw in _explain(log, recording, first, last) if draw.moment.number >= first]


def _explain(
    log: LogRecording, recording: Recording, first: int, last: int
) -> Iterator[ExplainedDraw]:
    """Yield the draws up to `last`, some of them before `first`."""
    records = {read.signed: read.index for read in log.records}
    genesis, sealed = recording.genesis, _Sealed()
    genesis_record = records[genesis.signed]
    for seat, row in zip(genesis.keepers, genesis.rows, strict=True):
        for stream, window in ((Stream.DICE, row.dice), (Stream.CARDS, row.cards)):
            for slot, shown in enumerate(window):
                sealed.seals[stream, seat, slot] = _Seal(shown, genesis_record)
    decided_in = 0
    for moment in recording.moments[1 : last + 1]:
        closed = moment.closed
        if closed is None:
            continue  # a line-up draws nothing
        given = closed.given
        is_wanted = moment.number >= first or isinstance(given, Looked)
        if is_wanted and isinstance(given, Drawn | Looked) and isinstance(closed.step, Gather):
            pending = recording.game_behind(moment.number - 1).pending
            assert isinstance(pending, Chance)  # else nothing is drawn
            slots = _Gathered(genesis.id, closed, closed.step, records).list_slots(pending, sealed)
            if slots:
                yield ExplainedDraw(moment, pending.kind, slots, decided_in)
        elif isinstance(given, Answered) and isinstance(given.answer, BuyTop):
            slots = (_open_bought(genesis.id, closed, records, sealed),)
            yield ExplainedDraw(moment, ChanceKind.CARDS, slots, decided_in)
        if isinstance(given, Answered):
            decided_in = moment.record
        for entry in closed.done:
            sealed.add(closed.step, entry, records[entry.signed])


def _open_bought(
    game: bytes, closed: ClosedStep, records: dict[Signed, int], sealed: _Sealed
) -> DrawnSlot:
    (entry,) = closed.done
    assert isinstance(entry.payload, Answering) and entry.payload.secret is not None
    return _open_held(game, entry.payload.secret, records[entry.signed], sealed)


def _open_held(game: bytes, opened: bytes, record: int, sealed: _Sealed) -> DrawnSlot:
    held = sealed.held
    assert held is not None  # somebody has looked
    own = sealed.part(Stream.CARDS, held.slot, held.owner, opened, record)
    parts = tuple(sorted([*held.parts, own], key=lambda part: part.seat))
    result = _hash_parts(game, held.head, Stream.CARDS, held.slot, parts)
    steps = tuple(trace_numbers(result, [Draw(len(held.pile))]))
    return DrawnSlot(Stream.CARDS, held.slot, held.head, parts, result, steps, held.pile)


@dataclass(frozen=True, slots=True)
class _Gathered:
    """A gather that has closed."""

    game: bytes
    closed: ClosedStep
    step: Gather
    records: dict[Signed, int]

    def list_slots(self, chance: Chance, sealed: _Sealed) -> tuple[DrawnSlot, ...]:
        """Return the slots drawn; none for a look, whose card stays secret for now."""
        plan = self.step.plan
        if plan.looker is not None:
            parts = [part for part in self._parts(0, sealed) if part.seat != plan.looker]
            head = self.closed.head_before
            sealed.held = _HeldSlot(plan.first, head, plan.looker, parts, chance.piles[0])
            return ()
        if plan.stream is Stream.DICE:
            return (self._draw(0, list(chance.draws), sealed),)
        found = [self._open_top(sealed)] if plan.top else []
        for draw in chance.draws[len(found) :]:
            pile = chance.piles[draw.pool]
            gone = {
                pile.index(slot.pile[slot.values[0]])
                for slot in found
                if slot.pile[slot.values[0]] in pile
            }
            at = len(found) - plan.top
            found.append(self._draw(at, [draw], sealed, frozenset(gone), pile))
        return tuple(found)

    def _draw(
        self,
        at: int,
        draws: list[Draw],
        sealed: _Sealed,
        gone: frozenset[int] = frozenset(),
        pile: tuple[int, ...] = (),
    ) -> DrawnSlot:
        plan, head, parts = self.step.plan, self.closed.head_before, tuple(self._parts(at, sealed))
        result = _hash_parts(self.game, head, plan.stream, plan.first + at, parts)
        steps = tuple(trace_numbers(result, draws, gone))
        return DrawnSlot(plan.stream, plan.first + at, head, parts, result, steps, pile, gone)

    def _parts(self, at: int, sealed: _Sealed) -> Iterator[Part]:
        """Yield what each seat has opened for the fresh slot `at`, in the order of seats."""
        for entry in sorted(self.closed.done, key=lambda entry: entry.seat):
            if not isinstance(entry.payload, Opening):
                continue  # a witness gives nothing
            opened = entry.payload.contributions[at]
            if opened is not None:
                slot = self.step.plan.first + at
                record = self.records[entry.signed]
                yield sealed.part(self.step.plan.stream, slot, entry.seat, opened, record)

    def _open_top(self, sealed: _Sealed) -> DrawnSlot:
        for entry in self.closed.done:
            if isinstance(entry.payload, Opening) and entry.payload.top is not None:
                return _open_held(self.game, entry.payload.top, self.records[entry.signed], sealed)
        raise AssertionError("the owner of a half-open slot opens it, or nothing is drawn")


def _hash_parts(
    game: bytes, head: bytes, stream: Stream, slot: int, parts: tuple[Part, ...]
) -> bytes:
    return digest(Tag.RESULT, game, head, int(stream), slot, *(part.opened for part in parts))


def trace_numbers(
    result: bytes, draws: list[Draw], gone: frozenset[int] = frozenset()
) -> Iterator[NumberStep]:
    """Yield the numbers of a result until each draw has its value (PROTOCOL.md 7.3)."""
    at = 0
    for draw in draws:
        limit = 2**64 - 2**64 % draw.size
        value = None
        while value is None:
            block, place = divmod(at, NUMBERS_A_BLOCK)
            data = digest(Tag.STREAM, result, block)[place * NUMBER_BYTES :][:NUMBER_BYTES]
            number, at = int.from_bytes(data, "big"), at + 1
            is_taken = number < limit and number % draw.size in gone
            value = None if number >= limit or is_taken else number % draw.size
            yield NumberStep(block, place, number, draw.size, value, is_taken)
