"""Vectors of the signing half: what comes to one keeper, and what it signs (PROTOCOL.md 9.3).

Each sequence begins with a genesis of fixed keys and seeds, and has events for seat 0: links,
bodies of the others, answers and wishes of the player, and time that passes. Behind each event
stands what seat 0 has signed because of it, HEADs left out. `python -m tests.tools.vectors` writes
them into docs/vectors/lineups.json; a test plays them to `kotp2p.peer` again.

The others are played here: they sign what honest keepers sign, or what a sequence tells them to.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import partial

from kotp2p.game.steps import Committing, Finished, Gather, Sharing, Solo
from kotp2p.lineup.plan import find_line_up
from kotp2p.peer.bodies import Secrets
from kotp2p.peer.peer import Peer
from kotp2p.referee.box.rulesets import Options
from kotp2p.referee.model.answers import Seat
from kotp2p.referee.model.decisions import Chance, Over
from kotp2p.wire import entries, lineups
from kotp2p.wire.crypto import Signer, Stream, Tag, own_commitment
from kotp2p.wire.encoding import pack, unpack
from kotp2p.wire.frames import decode
from kotp2p.wire.genesis import Charter, Clocks, Genesis, GenesisRow, Player, table_id

Event = dict[str, object]
NAMES = ("Ana", "Rex", "Otto", "Kim", "Bea", "Joe")
LATER = b"\0\0\0\1" + bytes(4)
"""The instance of a process that has come back."""
TAGS = {
    Tag.PLAY: 2, Tag.LINE_UP: 3, Tag.LEAVE: 4, Tag.SHARE: 5, Tag.FLUSH: 6, Tag.WISH: 8,
    Tag.HERE: 12,
}  # fmt: skip
"""The kinds of bodies that are shown, by their tags."""


class ListeningSigner(Signer):
    def __init__(self, secret: bytes) -> None:
        super().__init__(secret)
        self.signed: list[tuple[int, bytes]] = []

    def sign(self, tag: Tag, body: bytes) -> bytes:
        if tag in TAGS:
            self.signed.append((TAGS[tag], body))
        return super().sign(tag, body)

    def take(self) -> list[list[object]]:
        found, self.signed = self.signed, []
        return [[kind, body.hex()] for kind, body in found]


def secret_of(seat: Seat) -> bytes:
    return bytes((seat + 1,)) * 32


def seed_of(seat: Seat) -> bytes:
    return bytes((seat + 0x51,)) * 32


def make_genesis(keepers: int, automatic: Collection[Seat] = ()) -> Genesis:
    signers = [Signer(secret_of(seat)) for seat in range(keepers)]
    players = tuple(
        Player(NAMES[seat], "", signer.key, seat, seat in automatic)
        for seat, signer in enumerate(signers)
    )
    fresh = bytes(32)
    table = table_id(players, 0, fresh)
    charter = Charter(table, fresh, 1, "second", Options(), players, 0, Clocks(120, 45))
    rows = [_row(table, seat) for seat in range(keepers)]
    genesis = Genesis.build(charter, rows)
    seals = {seat: s.sign(Tag.GENESIS, genesis.body) for seat, s in enumerate(signers)}
    return Genesis(charter, genesis.rows, genesis.body, genesis.id, seals)


def _row(table: bytes, seat: Seat) -> GenesisRow:
    def window(stream: Stream, many: int) -> tuple[bytes, ...]:
        seed = seed_of(seat)
        return tuple(own_commitment(seed, table, table, stream, seat, n) for n in range(many))

    return GenesisRow(bytes((seat + 1,)) * 32, window(Stream.DICE, 2), window(Stream.CARDS, 8))


# -- playing a sequence ------------------------------------------------------------------------


def start_peer(genesis: Genesis) -> tuple[Peer, ListeningSigner]:
    signer = ListeningSigner(secret_of(0))
    return Peer(genesis, 0, signer, seed_of(0)), signer


def apply_event(peer: Peer, event: Event, now: float) -> None:
    match event:
        case {"begins": _}:
            peer.begin(now)
        case {"link": int(seat)}:
            peer.link_up(seat, now)
        case {"link lost": int(seat)}:
            peer.link_down(seat, now)
        case {"from": int(seat), "frame": str(frame)}:
            peer.receive_frame(seat, _frame(frame), now)
        case {"answer": str(answer)}:
            given, _ = entries.parse_answer(unpack(bytes.fromhex(answer)))
            peer.accept_answer(peer.ledger.place, 0, given, now)
        case {"player": str(wish)}:
            _WISHES[wish](peer, now)
        case {"waits": _}:
            pass
        case _:
            raise AssertionError(event)
    while not peer.has_ended and peer.deadline <= now:
        peer.tick(now)
    peer.take_effects()


def _frame(words: str) -> entries.Signed:
    frame = decode(bytes.fromhex(words))
    assert isinstance(frame, entries.Signed)
    return frame


_WISHES: dict[str, Callable[[Peer, float], None]] = {
    "goes on": lambda peer, now: peer.go_on(True, now),
    "waits": lambda peer, now: peer.go_on(False, now),
    "stops for today": lambda peer, now: peer.stop_today(True, now),
    "goes on today": lambda peer, now: peer.stop_today(False, now),
    "lets a bot play": lambda peer, now: peer.let_bot_play(now),
    "gives up": lambda peer, now: peer.give_up(now),
    "is there": lambda peer, now: peer.come_back(now),
}


def play_sequence(sequence: Event) -> list[object]:
    peer, signer = start_peer(Genesis.parse(*_seals(sequence)))
    events = sequence["events"]
    assert isinstance(events, list)
    found: list[object] = []
    for event in events:
        _pass_time(peer, event["at"])
        apply_event(peer, {k: v for k, v in event.items() if k not in ("at", "signs")}, event["at"])
        found.append(signer.take())
    return found


def _seals(sequence: Event) -> tuple[bytes, bytes]:
    body, seals = sequence["genesis"], sequence["seals"]
    assert isinstance(body, str) and isinstance(seals, str)
    return bytes.fromhex(body), bytes.fromhex(seals)


def _pass_time(peer: Peer, until: float) -> None:
    """Let the peer do what is due before the event."""
    while not peer.has_ended and peer.deadline < until:
        peer.tick(peer.deadline)
        peer.take_effects()


# -- making a sequence -------------------------------------------------------------------------


@dataclass
class Bench:
    keepers: int = 3
    automatic: tuple[Seat, ...] = ()
    now: float = 0.0
    events: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.genesis = make_genesis(self.keepers, self.automatic)
        self.peer, self.own = start_peer(self.genesis)
        self.signers = [Signer(secret_of(seat)) for seat in range(self.keepers)]
        self.give({"begins": True})
        for seat in range(1, self.keepers):
            self.give({"link": seat})

    @property
    def others(self) -> range:
        return range(1, self.keepers)

    def give(self, event: Event) -> None:
        _pass_time(self.peer, self.now)
        apply_event(self.peer, event, self.now)
        self.events.append({"at": round(self.now, 3), **event, "signs": self.own.take()})
        self.now = round(self.now + 0.01, 3)

    def send(self, signed: entries.Signed, source: Seat = 1) -> None:
        self.give({"from": source, "frame": pack((int(signed.kind), *signed[1:])).hex()})

    def wait(self, seconds: float, times: int = 1) -> None:
        for _ in range(times):
            self.now = round(self.now + seconds, 3)
            self.give({"waits": seconds})

    def wish(self, words: str) -> None:
        self.give({"player": words})

    # -- what the others sign ------------------------------------------------------------------

    def entry(
        self, seat: Seat, load: entries.Payload | None = None, keeper: Seat | None = None
    ) -> entries.Entry:
        ledger = self.peer.ledger
        keeper = seat if keeper is None else keeper
        hand = Secrets(ledger, keeper, self.signers[keeper], seed_of(keeper))
        return hand.sign_entry(seat, self.load(hand, seat) if load is None else load)

    def load(self, hand: Secrets, seat: Seat) -> entries.Payload:
        step = self.peer.ledger.step
        match step:
            case Gather():
                return hand.make_opening(step) if seat in step.contributors else entries.Witness()
            case Committing():
                return hand.make_rows() if seat in step.contributors else entries.Witness()
            case Sharing():
                return hand.make_share(step)
            case Finished():
                return self.peer.ledger.chain.build_end()
            case Solo():
                pending = self.peer.ledger.game.pending
                assert not isinstance(pending, Chance | Over)
                answer = pending.default
                return entries.Answering(answer, hand.answer_secret(seat, answer))

    def leave(self, seat: Seat, attempt: int | None = None, line_up: int | None = None) -> None:
        present = self.peer.ledger.attempt
        line_up = present if line_up is None else line_up
        made = lineups.Leave.sign(
            self.signers[seat], self.genesis.id, seat, line_up,
            max(line_up, present if attempt is None else attempt),
        )  # fmt: skip
        self.send(made.signed, seat)

    def here(self, seat: Seat, instance: bytes = LATER) -> None:
        self.send(
            lineups.Here.sign(self.signers[seat], self.genesis.id, seat, instance).signed, seat
        )

    def without(self, seat: Seat, *gone: Seat, serial: int = 1) -> None:
        made = lineups.sign_wish(self.signers[seat], self.genesis.id, seat, serial, without=gone)
        self.send(made.signed, seat)

    def flags(self, seat: Seat, *, stops: bool = False, away: bool = False) -> None:
        made = lineups.sign_wish(
            self.signers[seat], self.genesis.id, seat, 1, stops=stops, is_away=away
        )
        self.send(made.signed, seat)

    def cheat(self, seat: Seat) -> None:
        """A proof of two entries for the place where the game stands, or of two of no place."""
        self.send(self.two_answers(seat), 1)

    def two_answers(self, seat: Seat) -> entries.Signed:
        both = [self.entry(seat, self._some(number), seat).signed for number in (1, 2)]
        return lineups.CheatProof(tuple(both)).signed

    @staticmethod
    def _some(number: int) -> entries.Payload:
        return entries.Answering(*entries.parse_answer((14, number)))

    def found(self, plan: lineups.Plan, attempt: int | None = None) -> lineups.LineUp:
        at = self.peer.attempts.attempt if attempt is None else attempt
        return find_line_up(self.peer.ledger, plan, at)

    def ready(
        self,
        seat: Seat,
        found: lineups.LineUp,
        instance: bytes = bytes(8),
        attempt: int | None = None,
    ) -> None:
        at = found.attempt if attempt is None else attempt
        made = lineups.Ready.sign(self.signers[seat], self.genesis.id, seat, at, found.id, instance)
        self.send(made.signed, seat)

    def assent(self, seat: Seat, found: lineups.LineUp) -> None:
        self.send(found.signed({seat: found.assent(self.signers[seat])}), seat)

    def readies(self, found: lineups.LineUp, *seats: Seat) -> None:
        for seat in seats:
            self.ready(seat, found)

    def assents(self, found: lineups.LineUp, *seats: Seat) -> None:
        for seat in seats:
            self.assent(seat, found)

    def agree(self, found: lineups.LineUp, *seats: Seat) -> None:
        self.readies(found, *seats)
        self.assents(found, *seats)

    # -- going on ------------------------------------------------------------------------------

    def play(self, there: Callable[[Bench], bool]) -> None:
        """All play as honest keepers do, until the game is there."""
        for _ in range(400):
            if there(self):
                return
            self.play_one()
        raise AssertionError("it never comes there")

    def play_one(self) -> None:
        ledger = self.peer.ledger
        start = ledger.chain.starts[-1]
        for seat in ledger.owing_seats():
            keeper = start.signer_of(seat)
            assert keeper is not None
            if keeper != 0:
                self.send(self.entry(seat, keeper=keeper).signed, keeper)
                return
            pending = ledger.game.pending
            assert not isinstance(pending, Chance | Over)
            self.give({"answer": pack(entries.answer_to_value(pending.default, None)).hex()})
            return
        raise AssertionError("nobody owes anything")

    def written(self, says: str) -> Event:
        body, seals = self.genesis.body, self.genesis.signed.signature
        return {"says": says, "genesis": body.hex(), "seals": seals.hex(), "events": self.events}


# -- where the game stands -----------------------------------------------------------------------


def other_decision(bench: Bench) -> bool:
    step = bench.peer.ledger.step
    return isinstance(step, Solo) and step.seat != 0


def own_decision(bench: Bench) -> bool:
    return bench.peer.ledger.step == Solo(0)


def gather(bench: Bench) -> bool:
    """A gather is open in which seat 0 alone has opened, behind a decision."""
    chain = bench.peer.ledger.chain
    return isinstance(chain.step, Gather) and chain.height > 4 and set(chain.gathered) == {0}


def gone(*keepers: Seat) -> lineups.Plan:
    return tuple(lineups.Change(keeper, lineups.Reason.ABSENT) for keeper in keepers)


Sequence = Callable[[], Event]
SEQUENCES: dict[str, Sequence] = {}


def sequence(
    name: str, says: str, begin: int | Callable[[], Bench]
) -> Callable[[Callable[[Bench], None]], Callable[[Bench], None]]:
    """Note a sequence that goes on from a bench, or from a new one of so many keepers."""

    def note(go_on: Callable[[Bench], None]) -> Callable[[Bench], None]:
        def make() -> Event:
            bench = Bench(begin) if isinstance(begin, int) else begin()
            go_on(bench)
            return bench.written(says)

        SEQUENCES[name] = make
        return go_on

    return note


def own_found(bench: Bench) -> lineups.LineUp:
    return bench.found(bench.peer.facts.find_plan(bench.peer.attempts.attempt, bench.now))


_PLACES: dict[str, Callable[[Bench], None]] = {
    "the decision of another": lambda bench: bench.play(other_decision),
    "its own decision": lambda bench: bench.play(own_decision),
    "a gather that the other owes": lambda bench: bench.play(gather),
    "a gather that the other has given": lambda bench: _opened(bench, 2),
    "the first gather": lambda bench: None,
}


def _opened(bench: Bench, seat: Seat) -> None:
    bench.play(gather)
    bench.send(bench.entry(seat).signed, seat)


_FACTS: dict[str, Callable[[Bench], None]] = {
    "left": lambda bench: bench.leave(2),
    "cheated": lambda bench: bench.cheat(2),
    "again": lambda bench: bench.here(2),
    "away": lambda bench: bench.flags(2, away=True),
}


def _change(bench: Bench, fact: str, place: str) -> None:
    """A whole change: fact, READYs, assents, and what is owed next."""
    _PLACES[place](bench)
    _FACTS[fact](bench)
    found = own_found(bench)
    for seat in (1, 3):
        bench.ready(seat, found)
    if fact == "again":
        bench.ready(2, found, LATER)
    staying = (1, 2, 3) if fact == "again" else (1, 3)
    for seat in staying:
        bench.assent(seat, found)
    bench.play_one()


def _note_changes() -> None:
    for fact in _FACTS:
        for place in _PLACES:
            says = f"Keeper 2 is {fact} at {place}: READY, assent, and the game goes on."
            sequence(f"{fact} at {place}", says, 4)(partial(_change, fact=fact, place=place))


_note_changes()
