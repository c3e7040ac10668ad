"""A recording: the parts of a game as moments, positions at any of them, counts, and draws.

Scope: what is reported of a game once its ledger has taken a body, one part after the other; what a
line-up undoes; a log as a recording; for each slot that a moment has drawn from, where in the log
every part was sealed and opened, and the numbers that the result gives. These are worked out from
the entries alone, apart from the code that a peer draws with (`kotp2p.wire.crypto`), so that one
can be held against the other. Positions come from a copy of the game at the start of each turn, so
that going back costs what going forward does.

Moment 0 is the start. Each closed step and each line-up is one more.
"""

from bisect import bisect, bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from kotp2p.game.steps import Begun, ClosedStep, Gather, GatherPlan, Moved
from kotp2p.game.verify import Caught, LogReading, ReadRecord, Report, Result
from kotp2p.referee.game import Game
from kotp2p.referee.model import events as ev
from kotp2p.referee.model.answers import Answered, BuyTop, Drawn, Looked, Seat
from kotp2p.referee.model.decisions import Chance, ChanceKind, Draw
from kotp2p.referee.model.state import State
from kotp2p.seams.notices import GameStarted, Happened, SeatView
from kotp2p.store.log_work import LogPart, words_of_error
from kotp2p.wire.crypto import Stream, Tag, digest
from kotp2p.wire.entries import Answering, Entry, Opening, Rows, Signed
from kotp2p.wire.genesis import Genesis, Player
from kotp2p.wire.lineups import Reason

MAX_KEPT_GAMES = 1024
"""Copies of the game at starts of turns. When they are that many, every second one goes, and the
next ones are twice as far apart."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The start of the game, or one part of it that counts."""

    number: int
    height: int
    turn: int
    """The turn in which the game stands after it; 0 before the first one."""
    record: int
    """The record of the log that has made it. Where several were needed, the last one."""
    part: ClosedStep | Begun | None
    caught: tuple[Caught, ...] = ()
    """What is proven against keepers that this line-up has put out."""

    @property
    def closed(self) -> ClosedStep | None:
        return self.part if isinstance(self.part, ClosedStep) else None

    @property
    def begun(self) -> Begun | None:
        return self.part if isinstance(self.part, Begun) else None

    @property
    def events(self) -> tuple[ev.Event, ...]:
        return () if self.part is None else self.part.events

    @property
    def begins_turn(self) -> bool:
        return any(isinstance(event, ev.TurnStarted) for event in self.events)


@dataclass(frozen=True, slots=True)
class _KeptGame:
    moment: int
    game: Game


class Recording:
    """The moments that count so far. It grows, and shrinks where a line-up undoes something."""

    def __init__(self, genesis: Genesis) -> None:
        self.genesis = genesis
        self.moments: list[Moment] = [Moment(0, 0, 0, 0, None)]
        self.falls: list[int] = []
        """The moments, ascending, in which a monster has fallen."""
        self.line_ups: list[int] = []
        """The moments, ascending, in which a line-up has begun."""
        self._caught: dict[Seat, Caught] = {}
        self._kept = [_KeptGame(0, Game(genesis.charter.setup()))]
        self._moments_between_games = 1

    # -- what happened -------------------------------------------------------------------

    @property
    def last(self) -> int:
        return len(self.moments) - 1

    @property
    def turns(self) -> int:
        return self.moments[-1].turn

    def find_turn(self, turn: int) -> int | None:
        """Return the first moment of a turn; None if it has not begun. Turn 0 is the start."""
        found = bisect_left(self.moments, turn, key=lambda moment: moment.turn)
        return found if found < len(self.moments) else None

    def find_change(self, seen: Sequence[Moment]) -> int | None:
        """Return the first moment that differs from those `seen` from the start; None if none."""
        last = len(seen) - 1
        if last <= self.last and self.moments[last].part == seen[last].part:
            return None
        pairs = zip(seen, self.moments, strict=False)
        changed = (now.number for was, now in pairs if was.part != now.part)
        return next(changed, self.last)

    def keepers_after(self, number: int, state: State) -> dict[Seat, Seat]:
        """Return the keeper of each seat that lives in `state`, after a moment."""
        players = self.genesis.players
        keepers: Sequence[Seat | None] = [player.keeper for player in players]
        at = bisect(self.line_ups, number)
        if at:
            begun = self.moments[self.line_ups[at - 1]].begun
            assert begun is not None  # it is in the list
            keepers = begun.after.keepers
        alive = state.seats_alive()
        return {seat: keeper for seat in alive if (keeper := keepers[seat]) is not None}

    # -- positions -----------------------------------------------------------------------

    def game_behind(self, number: int) -> Game:
        """Return an independent game at the position after moment `number`, from 0 to `last`."""
        kept = next(kept for kept in reversed(self._kept) if kept.moment <= number)
        game = kept.game.fork()
        for moment in self.moments[kept.moment + 1 : number + 1]:
            replay_moment(game, moment)
        return game

    # -- growing -------------------------------------------------------------------------

    def add(self, record: int, moved: Moved, game: Game) -> None:
        """Take in what a record has done; `game` is at the position after it."""
        for cheat in moved.caught:
            caught = Caught(cheat.height, cheat.seat, cheat.kind, cheat.detail)
            self._caught.setdefault(cheat.seat, caught)
        if moved.kept is not None:
            self._go_back_to(moved.kept)
        for part in moved.parts:
            turn = self.moments[-1].turn
            turn += sum(isinstance(event, ev.TurnStarted) for event in part.events)
            height = part.height + isinstance(part, ClosedStep)
            caught_now = self._convicted_by(part)
            self._append(Moment(self.last + 1, height, turn, record, part, caught_now))
        if moved.parts and self.moments[-1].begins_turn:
            self._keep_game(game)

    def _append(self, moment: Moment) -> None:
        self.moments.append(moment)
        if any(isinstance(event, ev.Eliminated) for event in moment.events):
            self.falls.append(moment.number)
        if moment.begun is not None:
            self.line_ups.append(moment.number)

    def _convicted_by(self, part: ClosedStep | Begun) -> tuple[Caught, ...]:
        if isinstance(part, ClosedStep):
            return ()
        seats = part.lineup.names(Reason.CHEATED)
        return tuple(self._caught[seat] for seat in seats if seat in self._caught)

    def _go_back_to(self, number: int) -> None:
        del self.moments[number + 1 :]
        for kept in (self.falls, self.line_ups):
            while kept and kept[-1] > number:
                kept.pop()
        while self._kept[-1].moment > number:
            self._kept.pop()

    def _keep_game(self, game: Game) -> None:
        if self.last < self._kept[-1].moment + self._moments_between_games:
            return
        self._kept.append(_KeptGame(self.last, game.fork()))
        if len(self._kept) == MAX_KEPT_GAMES:
            del self._kept[1::2]
            self._moments_between_games *= 2


def replay_moment(game: Game, moment: Moment) -> None:
    """Take a game from the position before a moment to that after it."""
    match moment.part:
        case ClosedStep(given=given):
            if given is not None:
                game.submit(given)
        case Begun(given=inputs):
            for part in inputs:
                game.submit(part)
        case None:
            pass


# -- a log as a recording: read and judged record by record, as far as it is right ---------


@dataclass(slots=True)
class LogRecording:
    data: bytes = field(repr=False)
    records: list[ReadRecord] = field(default_factory=list)
    """All that were read, also those that a line-up has undone later."""
    recording: Recording | None = None
    _reading: LogReading = field(init=False)
    _verdict: Report | None = None
    """On the whole log: it holds the canonical log, which costs as much as the log is long."""

    def __post_init__(self) -> None:
        self._reading = LogReading(self.data)

    @property
    def is_whole(self) -> bool:
        """Return whether the log was read to its end, a torn tail, or a wrong record."""
        return self._reading.is_over

    @property
    def share_read(self) -> float:
        return 1.0 if self.is_whole else self._reading.offset / len(self.data)

    def read_on(self, records: int | None = None) -> None:
        """Read up to `records` further records, or all if that is None."""
        while records is None or records > 0:
            read = self._reading.read_record()
            if read is None:
                return
            self._add(read)
            if records is not None:
                records -= 1

    def report(self) -> Report:
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
    found = LogRecording(data)
    found.read_on()
    return found


# -- what happened in a game before this process resumed it, from its log ------------------


def tell_log(data: bytes, view: SeatView) -> Iterator[GameStarted | Happened]:
    """Yield the notices of a sound log; the view of each is valid until the next one is taken."""
    log = record_log(data)
    report = log.report()
    if report.result not in (Result.SOUND, Result.UNFINISHED) or report.phrase != view.phrase:
        return
    recording = log.recording
    assert recording is not None  # it has a phrase
    game = recording.game_behind(0)
    past = SeatView(view.seat, view.players, game, view.phrase)
    yield GameStarted(past)
    for moment in recording.moments[1:]:
        replay_moment(game, moment)
        yield Happened(moment.events, past)


# -- what is counted of one log: players, end and bought cards -------------------------


@dataclass(frozen=True, slots=True)
class PlayerFacts:
    name: str
    key: str
    """The public key, as hexadecimal text; of a further person at one machine, who has none, that
    of the keeper and the name."""
    monster: str
    bot: bool
    """A bot answers, for its keeper or in place of a person."""
    bought: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LogFacts:
    sha256: str
    """Of the whole log, in hexadecimal; empty if it could not be read."""
    result: str
    reason: str = ""
    game: str = ""
    """The id in hexadecimal; empty without a genesis."""
    phrase: str = ""
    rules: str = ""
    turns: int = 0
    entries: int = 0
    players: tuple[PlayerFacts, ...] = ()
    winners: tuple[Seat, ...] | None = None
    """None as long as the game is not over; empty if no monster was left."""
    by_points: bool = False
    """The winner has reached the goal, and is not only the last one."""

    @property
    def is_counted(self) -> bool:
        """Return whether it is the log of a whole game, with nothing wrong in it."""
        return self.result == Result.SOUND and self.winners is not None


def facts_of_log(data: bytes) -> LogFacts:
    log = record_log(data)
    report = log.report()
    return LogFacts(
        sha256(data).hexdigest(),
        report.result.value,
        report.reason,
        report.game.hex(),
        report.phrase,
        report.rules,
        report.turns,
        report.entries,
        () if log.recording is None else _players_of(log.recording),
        report.winners,
        _is_won_by_points(log.recording, report.winners),
    )


def gather_facts(part: LogPart) -> LogFacts:
    """Return what is counted of the log; one that cannot be read has a reason."""
    try:
        data = part.read()
    except OSError as fault:
        return LogFacts("", Result.UNREADABLE.value, words_of_error(fault))
    return facts_of_log(data)


def _players_of(recording: Recording) -> tuple[PlayerFacts, ...]:
    players = recording.genesis.players
    card = recording.game_behind(0).card
    bought: list[list[str]] = [[] for _player in players]
    for moment in recording.moments:
        for event in moment.events:
            if isinstance(event, ev.CardBought):
                bought[event.seat].append(card(event.card).name)
    return tuple(
        PlayerFacts(
            player.name,
            _key_of(seat, player),
            player.monster,
            player.automatic,
            tuple(bought[seat]),
        )
        for seat, player in enumerate(players)
    )


def _key_of(seat: Seat, player: Player) -> str:
    is_further = player.keeper != seat and not player.automatic
    return f"{player.key.hex()} {player.name}" if is_further else player.key.hex()


def _is_won_by_points(recording: Recording | None, winners: tuple[Seat, ...] | None) -> bool:
    if recording is None or not winners:
        return False
    game = recording.game_behind(recording.last)
    return all(game.state.monsters[seat].points >= game.setup.rules.goal for seat in winners)


# -- how the dice and cards of a moment came about ---------------------------------------


NUMBERS_A_BLOCK = 4
NUMBER_BYTES = 8


@dataclass(frozen=True, slots=True)
class Part:
    """What one keeper has given to a slot."""

    seat: Seat
    seal: bytes
    sealed_in: int
    opened: bytes
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
    is_taken: bool = False
    """Passed over because this card is gone already; else because the number is too high."""


@dataclass(frozen=True, slots=True)
class DrawnSlot:
    """One slot: its parts, the hash of them all, and the values that the hash gives."""

    stream: Stream
    slot: int
    head: bytes
    parts: tuple[Part, ...]
    result: bytes
    steps: tuple[NumberStep, ...]
    pile: tuple[int, ...] = ()
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
class _HeldSlot:
    """A slot that one seat keeps half open, as it has looked at its card."""

    slot: int
    head: bytes
    owner: Seat
    parts: list[Part]
    """What all other seats have given."""
    pile: tuple[int, ...]


def explain_draws(log: LogRecording, first: int, last: int) -> list[ExplainedDraw]:
    """Return the draws of the moments `first` to `last`, with cards bought from the top."""
    if log.recording is None:
        return []
    records = {read.signed: read.index for read in log.records}
    found = _Draws(log.recording, records).explain(first, last)
    return [draw for draw in found if draw.moment.number >= first]


@dataclass(slots=True)
class _Draws:
    recording: Recording
    records: dict[Signed, int]
    sealed_in: dict[bytes, int] = field(default_factory=dict)
    """By commitment: the record that has shown it."""
    held: _HeldSlot | None = None

    def explain(self, first: int, last: int) -> Iterator[ExplainedDraw]:
        """Yield the draws up to `last`, some of them before `first`."""
        genesis, decided_in = self.recording.genesis, 0
        for row in genesis.rows:
            self._add_seals((*row.dice, *row.cards), self.records[genesis.signed])
        for moment in self.recording.moments[1 : last + 1]:
            closed = moment.closed
            if closed is None:
                continue  # a line-up draws nothing
            given = closed.given
            is_wanted = moment.number >= first or isinstance(given, Looked)
            if is_wanted and isinstance(given, Drawn | Looked) and isinstance(closed.step, Gather):
                pending = self.recording.game_behind(moment.number - 1).pending
                assert isinstance(pending, Chance)  # else nothing is drawn
                slots = self._list_slots(closed, closed.step.plan, pending)
                if slots:
                    yield ExplainedDraw(moment, pending.kind, slots, decided_in)
            elif isinstance(given, Answered) and isinstance(given.answer, BuyTop):
                slots = (self._open_held(closed),)
                yield ExplainedDraw(moment, ChanceKind.CARDS, slots, decided_in)
            if isinstance(given, Answered):
                decided_in = moment.record
            for entry in closed.done:
                match entry.payload:
                    case Opening(commitments=shown):
                        self._add_seals(shown, self.records[entry.signed])
                    case Rows(dice=dice, cards=cards):
                        self._add_seals((*dice, *cards), self.records[entry.signed])
                    case _:  # it commits to nothing
                        pass

    def _add_seals(self, shown: Iterable[bytes], record: int) -> None:
        self.sealed_in |= dict.fromkeys(shown, record)

    def _list_slots(
        self, closed: ClosedStep, plan: GatherPlan, chance: Chance
    ) -> tuple[DrawnSlot, ...]:
        """Return the slots drawn; none for a look, whose card stays secret for now."""
        if plan.looker is not None:
            parts, head = self._parts(closed, plan, 0), closed.head_before
            self.held = _HeldSlot(plan.first, head, plan.looker, parts, chance.piles[0])
            return ()
        if plan.stream is Stream.DICE:
            return (self._draw(closed, plan, 0, list(chance.draws)),)
        found = [self._open_held(closed)] if plan.top else []
        for draw in chance.draws[len(found) :]:
            pile = chance.piles[draw.pool]
            cards = [slot.pile[slot.values[0]] for slot in found]
            gone = frozenset(pile.index(card) for card in cards if card in pile)
            found.append(self._draw(closed, plan, len(found) - plan.top, [draw], gone, pile))
        return tuple(found)

    def _draw(
        self,
        closed: ClosedStep,
        plan: GatherPlan,
        at: int,
        draws: list[Draw],
        gone: frozenset[int] = frozenset(),
        pile: tuple[int, ...] = (),
    ) -> DrawnSlot:
        head, parts = closed.head_before, tuple(self._parts(closed, plan, at))
        result = self._hash_parts(head, plan.stream, plan.first + at, parts)
        steps = tuple(trace_numbers(result, draws, gone))
        return DrawnSlot(plan.stream, plan.first + at, head, parts, result, steps, pile, gone)

    def _parts(self, closed: ClosedStep, plan: GatherPlan, at: int) -> list[Part]:
        """Return what each seat has opened for the fresh slot `at`, in the order of seats."""
        return [
            self._part(entry.seat, plan.stream, plan.first + at, opened, entry)
            for entry in sorted(closed.done, key=lambda entry: entry.seat)
            if isinstance(entry.payload, Opening)  # a witness gives nothing
            and (opened := entry.payload.contributions[at]) is not None
        ]

    def _part(self, seat: Seat, stream: Stream, slot: int, opened: bytes, entry: Entry) -> Part:
        table = self.recording.genesis.charter.table
        seal = digest(Tag.COMMITMENT, table, int(stream), seat, slot, opened)
        return Part(seat, seal, self.sealed_in[seal], opened, self.records[entry.signed])

    def _open_held(self, closed: ClosedStep) -> DrawnSlot:
        """Return the slot of the top card, which its owner or its buyer opens."""
        held = self.held
        assert held is not None  # somebody has looked
        for entry in closed.done:
            load = entry.payload
            opened = load.secret if isinstance(load, Answering) else getattr(load, "top", None)
            if opened is not None:
                break
        else:
            raise AssertionError("a half-open slot is opened, or nothing is drawn")
        cards = Stream.CARDS
        own = self._part(held.owner, cards, held.slot, opened, entry)
        parts = tuple(sorted([*held.parts, own], key=lambda part: part.seat))
        result = self._hash_parts(held.head, cards, held.slot, parts)
        steps = tuple(trace_numbers(result, [Draw(len(held.pile))]))
        return DrawnSlot(cards, held.slot, held.head, parts, result, steps, held.pile)

    def _hash_parts(self, head: bytes, stream: Stream, slot: int, parts: tuple[Part, ...]) -> bytes:
        opened = (part.opened for part in parts)
        return digest(Tag.RESULT, self.recording.genesis.id, head, int(stream), slot, *opened)


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
