"""A line of play: what the seats have signed, one step behind the other.

May live here: the order of entries, whether an entry is owed and legal, the head, and the
referee behind it. May not: links, clocks, files, keys of our own; which of two lines counts
(`kotp2p.game.ledger`).

How it works (PROTOCOL.md 5 and 9): the referee names the next *step*. Solo: one seat owes an
answer. Gather: all seats in the game owe an opening, in any order; the step closes when all are
there. A seat that has said farewell owes nothing: a stand-in takes its place, which means `Out`.
Every closed step moves the head by a hash and the height by one.

Known wart: a solo entry that reaches us twice with different bodies is proof of equivocation,
but a *gather* entry on another head may come from an honest seat that was told another past;
it is reported as `Fork`, and only the two bodies at the height before it accuse anybody.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn

from kotp2p.game import history
from kotp2p.game.disclosure import judge_blame
from kotp2p.game.history import Done
from kotp2p.game.slots import Slots, WrongContribution
from kotp2p.game.steps import (
    Differs,
    Early,
    Finished,
    Forged,
    Fork,
    Gather,
    Moved,
    Renewal,
    Sharing,
    Solo,
    Stale,
    Step,
    cheat_shown_by,
    entry_behind_farewell,
    equivocation,
    next_step,
    two_farewells,
)
from kotp2p.wire.crypto import Tag, digest
from kotp2p.wire.entries import (
    Answering,
    Blame,
    Commits,
    End,
    Entry,
    Farewell,
    Opening,
    Payload,
    Share,
    Signed,
)
from kotp2p.wire.genesis import Genesis
from kotp2p.wire.proofs import CheatKind
from kotp2p.wire.votes import Certificate
from referee.game import Game
from referee.model.answers import (
    Answered,
    BuyTop,
    Drawn,
    IllegalAction,
    Input,
    Looked,
    Out,
    Peek,
    Reason,
    Seat,
)
from referee.model.decisions import Chance, ChanceKind
from referee.model.events import TurnEnded, TurnStarted


@dataclass(slots=True)
class Chain:
    genesis: Genesis
    game: Game = field(init=False)
    slots: Slots = field(init=False)
    view: int = 0
    height: int = 0
    heads: list[bytes] = field(default_factory=list)
    """heads[h]: the head before height h; the last one is the current head."""
    step: Step = field(init=False)
    gathered: dict[Seat, Entry] = field(default_factory=dict)
    """Parts of the current gather so far."""
    closed: list[tuple[Done, ...]] = field(default_factory=list)
    """closed[h]: what closed height h, by seat."""
    last_gather: int = 0
    """The height of the last gather that has closed: what was closed before it is never undone.
    It may itself be undone, by votes of all others, where its last part has reached its author's
    copy alone."""
    gather_before_last: int = 0
    """That of the gather before it: nothing below is undone, whatever is proven against whom."""
    renewing: bool = False
    """A view has just begun: its first gather renews the commitments."""
    farewells: dict[Seat, Farewell] = field(default_factory=dict)
    gone: set[Seat] = field(default_factory=set)
    """Seats whose stand-in has been used."""
    turns: int = 0
    position_due: bool = False
    """A turn has ended: the next gather carries the digest of the position."""
    shares: list[tuple[Entry, Sharing]] = field(default_factory=list)
    """Shares given, with the step they answered."""
    _position: bytes | None = None

    def __post_init__(self) -> None:
        self.game = Game(self.genesis.charter.setup())
        self.slots = Slots.of(self.genesis)
        self.heads.append(self.genesis.id)
        self._find_step(None)

    # -- reading -------------------------------------------------------------------------

    @property
    def head(self) -> bytes:
        return self.heads[-1]

    @property
    def place(self) -> tuple[int, int]:
        return (self.view, self.height)

    def owing_seats(self) -> tuple[Seat, ...]:
        """The seats that owe an entry now and have signed none."""
        match self.step:
            case Solo(seat=seat) | Sharing(seat=seat):
                return (seat,)
            case Gather(seats=seats) | Renewal(seats=seats):
                return tuple(s for s in seats if s not in self.gathered and not self._absent(s))
            case Finished():
                return ()

    def asked_seats(self) -> tuple[Seat, ...]:
        """The seats that this height asks, also those that have signed their part or left: a copy
        to which that came before votes must judge as one to which it came later."""
        return self.step.seats if isinstance(self.step, Gather | Renewal) else self.owing_seats()

    def called_seats(self) -> tuple[Seat, ...]:
        """Those of them that have not left."""
        return tuple(seat for seat in self.asked_seats() if not self._absent(seat))

    def find_entry(self, height: int, seat: Seat) -> Entry | None:
        """What `seat` signed at `height`, if it is part of this game."""
        if height == self.height:
            return self.gathered.get(seat)
        if 0 <= height < self.height:
            for done in self.closed[height]:
                if isinstance(done, Entry) and done.seat == seat:
                    return done
        return None

    def bodies_since(self, height: int) -> list[Signed]:
        """Everything signed from `height` on, in an order that another ledger accepts."""
        wanted = [farewell.signed for farewell in self.farewells.values()]
        parts = [entry.signed for entry in self.gathered.values()]
        return [*wanted, *history.bodies_since(self.closed, height), *parts]

    def canonical_bodies(self) -> list[Signed]:
        """The winning sequence (PROTOCOL.md 10.4)."""
        return history.canonical_bodies(self.closed)

    def count_entries(self) -> int:
        """Entries and stand-ins of the winning sequence."""
        return history.count_entries((*self.closed, tuple(self.gathered.values())))

    def position_digest(self) -> bytes:
        """The digest of the position, worked out once for each node."""
        if self._position is None:
            self._position = self.game.digest()
        return self._position

    def build_end(self) -> End:
        """What everybody signs when the game is over."""
        assert isinstance(self.step, Finished)
        return End(self.height, self.head, self.step.winners, self.position_digest())

    # -- writing -------------------------------------------------------------------------

    def accept_entry(self, entry: Entry) -> Moved | None:
        """Takes an entry into the game; None if it is already in it.

        Raises Forged, Early, Stale, Fork, Differs, or Cheat; then nothing has changed.
        """
        if entry.game != self.genesis.id or entry.seat >= len(self.genesis.players):
            raise Forged("an entry of another game")
        if isinstance(entry.payload, Blame):
            self._judge(entry)
        known = self.find_entry(entry.height, entry.seat) if entry.view == self.view else None
        if known is not None and known.signed == entry.signed:
            return None
        if not entry.signed.by(self.genesis.players[entry.seat].key):
            raise Forged("a signature that is not its seat's")
        self._check_view(entry.view)
        if known is not None and known.id != entry.id:
            raise equivocation(known, entry)
        if known is not None:
            return None
        if entry.height > self.height:
            raise Early("an entry of a later height")
        if entry.prev != self.heads[entry.height]:
            raise Fork("an entry on another past")
        farewell = self.farewells.get(entry.seat)
        if farewell is not None and farewell.place <= entry.place:
            raise entry_behind_farewell(farewell, entry)
        if entry.height < self.height or entry.seat not in self.owing_seats():
            raise cheat_shown_by(entry, CheatKind.ILLEGAL_MOVE, "out of turn")
        return self._take(entry)

    def _check_view(self, view: int) -> None:
        if view > self.view:
            raise Early("of a later view")
        if view < self.view:
            raise Stale("of an earlier view")

    def _take(self, entry: Entry) -> Moved:
        load: Payload = entry.payload
        match self.step, load:
            case Solo(), Answering():
                return self._answer(entry, load)
            case Gather(), Opening():
                return self._open(entry, self.step, load)
            case Sharing(), Share():
                return self._share(entry, self.step, load)
            case Renewal(), Commits():
                return self._renew(entry, load)
            case _:
                raise cheat_shown_by(entry, CheatKind.BAD_ENTRY, "another kind of entry is owed")

    def _answer(self, entry: Entry, load: Answering) -> Moved:
        answer, secret = load.answer, load.secret
        match answer:
            case BuyTop(card=card):
                self._check_top(entry, card, secret)
            case Peek():
                if (secret is None) != (self.slots.half_open is None):
                    raise cheat_shown_by(entry, CheatKind.BAD_ENTRY, "the key of a look")
            case _:
                pass
        moved = Moved()
        try:
            self._submit(Answered(entry.seat, answer), moved)
        except IllegalAction as fault:
            raise cheat_shown_by(entry, CheatKind.ILLEGAL_MOVE, str(fault)) from fault
        self._close((entry,), entry.id, moved, secret if isinstance(answer, Peek) else None)
        return moved

    def _check_top(self, entry: Entry, card: int, withheld: bytes | None) -> None:
        """The opening in the entry must open the half-open slot and give the named card."""
        held = self.slots.half_open
        if held is None or withheld is None:
            raise cheat_shown_by(entry, CheatKind.ILLEGAL_MOVE, str(Reason.NOT_SEEN))
        if not self.slots.opens_top(withheld):
            raise cheat_shown_by(entry, CheatKind.WRONG_OPENING, f"cards slot {held.slot}")
        if held.card(self.genesis.id, withheld) != card:
            raise cheat_shown_by(entry, CheatKind.ILLEGAL_MOVE, "not the top card")

    def _open(self, entry: Entry, step: Gather, load: Opening) -> Moved:
        try:
            self.slots.check_opening(step.plan, entry.seat, load)
        except WrongContribution as fault:
            raise cheat_shown_by(entry, fault.kind, fault.detail) from fault
        if (load.position is not None) != self.position_due:
            raise cheat_shown_by(entry, CheatKind.BAD_ENTRY, "the digest of the position")
        if load.position is not None and load.position != self.position_digest():
            raise Differs(entry.seat, entry.height)
        self.gathered[entry.seat] = entry
        moved = Moved()
        self._try_closing(moved)
        return moved

    def _share(self, entry: Entry, step: Sharing, load: Share) -> Moved:
        if load.slot != step.slot:
            raise cheat_shown_by(entry, CheatKind.BAD_ENTRY, "a share of another slot")
        self.shares.append((entry, step))
        moved = Moved(looked=step.taker, share=entry)
        self._submit(Looked(step.slot, step.taker), moved)
        self._close((entry,), entry.id, moved)
        return moved

    def _renew(self, entry: Entry, load: Commits) -> Moved:
        try:
            self.slots.check_renewal(entry.seat, load)
        except WrongContribution as fault:
            raise cheat_shown_by(entry, fault.kind, fault.detail) from fault
        self.gathered[entry.seat] = entry
        moved = Moved()
        self._try_closing(moved)
        return moved

    def _judge(self, entry: Entry) -> NoReturn:
        """A blame always ends in a `Cheat`, unless its share has not come yet."""
        if not entry.signed.by(self.genesis.players[entry.seat].key):
            raise Forged("a signature that is not its seat's")
        found = judge_blame(self.slots, self.shares, entry)
        if found is not None:
            raise found
        if entry.height > self.height:
            raise Early("a share that we have not seen")
        if entry.prev != self.heads[entry.height]:
            raise Fork("a blame on another past")
        raise cheat_shown_by(entry, CheatKind.BAD_ENTRY, "no such share")

    def accept_farewell(self, farewell: Farewell) -> Moved | None:
        """A seat's farewell: from its place on a stand-in takes its place; None if known.

        Raises Forged, or Cheat if the seat has signed play at or behind that place.
        """
        if farewell.seat >= len(self.genesis.players):
            raise Forged("a farewell of nobody")
        known = self.farewells.get(farewell.seat)
        if known is not None and known.signed == farewell.signed:
            return None
        if not farewell.signed.by(self.genesis.players[farewell.seat].key):
            raise Forged("a signature that is not its seat's")
        self._check_farewell(farewell, known)
        self.farewells[farewell.seat] = farewell
        moved = Moved()
        self._stand_in(moved)
        return moved

    def _check_farewell(self, farewell: Farewell, known: Farewell | None) -> None:
        """Its seat has said nothing at or behind its place, and no other farewell."""
        for done in (*self.closed, tuple(self.gathered.values())):
            for item in done:
                if (
                    isinstance(item, Entry)
                    and item.seat == farewell.seat
                    and item.place >= farewell.place
                ):
                    raise entry_behind_farewell(farewell, item)
        if known is not None:
            raise two_farewells(known, farewell)

    # -- steps ---------------------------------------------------------------------------

    def _absent(self, seat: Seat) -> bool:
        farewell = self.farewells.get(seat)
        return farewell is not None and farewell.place <= self.place

    def _submit(self, given: Input, moved: Moved) -> None:
        events = self.game.submit(given)
        self._position = None
        moved.events += events
        for event in events:
            if isinstance(event, TurnEnded):
                self.position_due = True
            elif isinstance(event, TurnStarted):
                self.turns += 1
        if self.slots.half_open is not None and not self.game.state.seen_by:
            self.slots.half_open = None  # bought, drawn, or its owner is gone: burnt

    def _close(
        self,
        done: tuple[Done, ...],
        head: bytes,
        moved: Moved,
        look_key: bytes | None = None,
    ) -> None:
        self.closed.append(done)
        self.heads.append(head)
        self.height += 1
        self.gathered = {}
        self._find_step(look_key)
        self._stand_in(moved)

    def _find_step(self, look_key: bytes | None) -> None:
        self.step = next_step(self.game, self.slots, self.renewing, look_key)

    def _stand_in(self, moved: Moved) -> None:
        """Uses the farewells that apply here."""
        match self.step:
            case Solo(seat=seat) | Sharing(seat=seat) if self._absent(seat):
                farewell = self.farewells[seat]
                self._leave((seat,), moved)
                self._close((farewell,), self._absent_id(farewell), moved)
            case Gather() | Renewal():
                self._try_closing(moved)
            case _:
                pass

    def apply_certificate(self, certificate: Certificate, moved: Moved) -> None:
        """Its accused are out, by a stand-in of this height; a new view begins."""
        self.view = certificate.next_view
        self.slots.begin_view(certificate.id)
        self.renewing = True
        self._leave(certificate.seats, moved)
        self._close((certificate,), certificate.id, moved)

    def _absent_id(self, farewell: Farewell) -> bytes:
        return digest(
            Tag.ABSENT, self.genesis.id, self.head, self.height, farewell.seat, farewell.id
        )

    def _leave(self, seats: tuple[Seat, ...], moved: Moved) -> None:
        self.gone.update(seats)
        self._submit(Out(seats), moved)

    def _try_closing(self, moved: Moved) -> None:
        step = self.step
        assert isinstance(step, Gather | Renewal)
        absent = tuple(s for s in step.seats if s not in self.gathered and self._absent(s))
        if len(self.gathered) + len(absent) < len(step.seats):
            return
        done: tuple[Done, ...] = tuple(
            self.farewells[s] if s in absent else self.gathered[s] for s in step.seats
        )
        ids = [self._absent_id(d) if isinstance(d, Farewell) else d.id for d in done]
        head = digest(Tag.GATHER, self.genesis.id, self.head, self.height, *ids)
        before = len(moved.events)
        if isinstance(step, Gather):
            self._resolve(step, absent, moved)
            self.position_due = any(isinstance(e, TurnEnded) for e in moved.events[before:])
        else:
            self.slots.record_renewal({s: _commits(e) for s, e in self.gathered.items()})
            self.renewing = False
            if absent:
                self._leave(absent, moved)
        self.gather_before_last, self.last_gather = self.last_gather, self.height
        self._close(done, head, moved)

    def _resolve(self, step: Gather, absent: tuple[Seat, ...], moved: Moved) -> None:
        """What a complete gather gives: an outcome, a look, or (with stand-ins) burnt slots."""
        parts = {s: _opening(e) for s, e in self.gathered.items()}
        chance = self.game.pending
        assert isinstance(chance, Chance)
        if absent:
            self.slots.burn_slots(step.plan, parts)
            self._leave(absent, moved)
        elif chance.kind is ChanceKind.LOOK:
            assert chance.seat is not None
            moved.looked = chance.seat
            slot = self.slots.open_for_looker(step.plan, self.head, parts, chance)
            self._submit(Looked(slot, chance.seat), moved)
        else:
            self._submit(Drawn(self.slots.draw_values(step.plan, self.head, parts, chance)), moved)


def _commits(entry: Entry) -> Commits:
    assert isinstance(entry.payload, Commits)
    return entry.payload


def _opening(entry: Entry) -> Opening:
    assert isinstance(entry.payload, Opening)
    return entry.payload
