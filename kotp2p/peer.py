"""A peer in a game, without I/O: frames, answers and ticks in; effects out.

May live here: what one seat signs and when, whom it sends what, whose silence ends the game. May
not: sockets, files, clocks, entropy; `now` is an argument and everything done to the world is an
`Effect` that the shell (`kotp2p.table`) performs in order, appends to the log before all else.

How it works (PROTOCOL.md 5 and 9): every accepted body goes to the `Ledger`; then `_advance` does
what this seat owes by itself (openings, shares) and asks the front for what it owes by choice.
A body travels once over each link; who knows that two others have no direct link passes on what
one of them signs. Heartbeats show who lags behind; `Want` fetches what is missing.

Known wart: a lost seat stops the game for everybody, until all resume it together; there is no
vote yet by which those present could go on without it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from kotp2p.comeback import Comeback
from kotp2p.courier import Courier
from kotp2p.crypto import Signer
from kotp2p.effects import Append, Ask, Drop, Effect, Finish, Show
from kotp2p.encoding import BadBytes
from kotp2p.entries import Answering, Entry, Farewell, Head, Kind, Payload, Signed
from kotp2p.frames import Frame, Links, PositionShown, Stopped, Want
from kotp2p.front import (
    Cheated,
    Diverged,
    EndKind,
    GameFinished,
    GameStarted,
    Happened,
    LinkChanged,
    Missing,
    Notice,
    SeatLeft,
    SeatLost,
    TopRevealed,
    View,
    Waiting,
)
from kotp2p.genesis import Genesis
from kotp2p.hand import Hand, WrongShare
from kotp2p.ledger import Ledger, equivocation
from kotp2p.mesh import Mesh
from kotp2p.sealing import Sealing
from kotp2p.steps import (
    Cheat,
    Differs,
    Early,
    Finished,
    Forged,
    Fork,
    Gather,
    Moved,
    Sharing,
    Solo,
)
from referee.answers import Answer, Seat
from referee.decisions import Chance, Over

HEARTBEAT = 5.0
ASLEEP = 10.0
"""A gap between two ticks that means this machine was stopped, not the others."""
DISPUTE = 5.0
"""Seconds to wait for the position of a peer whose digest is not ours."""
MAX_EARLY = 64
"""Heights ahead of ours for which entries are kept; who is further behind asks again."""


@dataclass(slots=True)
class Peer:
    genesis: Genesis
    seat: Seat
    signer: Signer
    seed: bytes
    resumed: Ledger | None = None
    """After a restart: the game as its log tells it."""
    ledger: Ledger = field(init=False)
    view: View = field(init=False)
    done: bool = False
    comeback: Comeback = field(default_factory=Comeback)
    deadline: float = math.inf
    """When `tick` is due at the latest."""
    _courier: Courier = field(init=False)
    _hand: Hand = field(init=False)
    _mesh: Mesh = field(init=False)
    _sealing: Sealing = field(init=False)
    _early: dict[tuple[int, Seat], Entry] = field(default_factory=dict)
    _answered_forks: set[tuple[Seat, int]] = field(default_factory=set)
    _asked: int = -1
    """Height of the last decision put to the front."""
    _waiting: Waiting | None = None
    _disputed: tuple[Seat, float] | None = None
    _next_beat: float = 0.0
    _last_tick: float = 0.0
    _was_down: set[Seat] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.genesis) if self.resumed is None else self.resumed
        self.view = View(
            self.seat, self.genesis.players, self.ledger.game, self.genesis.phrase
        )
        self._hand = Hand(self.ledger, self.seat, self.signer, self.seed)
        self._mesh = Mesh(self.seat)
        self._courier = Courier(self.ledger, self._mesh)
        self._sealing = Sealing(self.genesis.id, self.genesis.players)

    # -- the outside ---------------------------------------------------------------------

    def take_effects(self) -> list[Effect]:
        """What is to be done now, in order; the list is handed over."""
        effects, self._courier.effects = self._courier.effects, []
        return effects

    def begin(self, now: float) -> None:
        if self.resumed is None:
            signatures = b"".join(self.genesis.signatures)
            genesis = Signed(Kind.GENESIS, self.genesis.body, signatures)
            self._courier.effects.append(Append(genesis))
        else:
            self.view.top = self._hand.remember()
            self.comeback.begin(self._needed(), now)
        self._show(GameStarted(self.view, self.resumed is not None))
        self._last_tick = now
        self._mesh.begin(len(self.genesis.players), now)
        self._next_beat = now + HEARTBEAT
        self._advance(now)

    def link_up(self, seat: Seat, now: float) -> None:
        if self.done:
            return
        again = seat in self._was_down
        if self._mesh.up(seat, now):
            self._courier.tell_links()
            if again:
                self._was_down.discard(seat)
                self._show(LinkChanged(seat, True))
        self._check_lost(now)
        self._courier.send(seat, self._head())
        for signed in self.ledger.since(self.ledger.height):
            self._courier.send(seat, signed)
        self._schedule()

    def link_down(self, seat: Seat, now: float) -> None:
        if self.done or seat not in self._mesh.linked:
            return
        self._mesh.down(seat)
        self._was_down.add(seat)
        self._show(LinkChanged(seat, False))
        self._courier.tell_links()
        self._check_lost(now)
        self._try_sealing(now)
        self._schedule()

    def receive(self, source: Seat, frame: Frame, now: float) -> None:
        """A frame on the link of `source`."""
        if self.done:
            return
        self._mesh.hear(source, now)
        try:
            match frame:
                case Signed():
                    self._receive_signed(source, frame, now)
                case Links(seats=seats):
                    self._mesh.tell(source, seats)
                    self._check_lost(now)
                case Want(height=height):
                    if self._courier.serve(source, height, now) and self._sealing.end is not None:
                        self._courier.send(source, self._sealing.frame())
                case Stopped(why=why, seat=seat):
                    self._stopped_by(source, why, seat)
                case PositionShown():
                    self._compare(source, frame)
                case _:
                    self._courier.effects.append(Drop(source, "a lobby frame in the game"))
        except (BadBytes, Forged) as fault:
            self._courier.effects.append(Drop(source, str(fault)))
        self._advance(now)

    def answer(self, height: int, answer: Answer, now: float) -> None:
        """The front's reply to `Ask(height)`; too late replies are dropped."""
        if self.done or height != self.ledger.height or self.ledger.step != Solo(self.seat):
            return
        self._sign(Answering(answer, self._hand.secret_of(answer)))
        self._advance(now)

    def leave(self, now: float) -> None:
        """Farewell, if this seat is still in the game; then the end for this peer."""
        if self.done:
            return
        if self.seat in self.ledger.game.state.alive() and not self._is_over():
            height = self.ledger.height + (self.seat in self.ledger.parts)
            farewell = Farewell.sign(self.signer, self.genesis.id, self.seat, height)
            self._courier.effects.append(Append(farewell.signed))
            self._courier.broadcast(farewell.signed)
        self._finish(EndKind.LEFT)

    def tick(self, now: float) -> None:
        """Time has passed: heartbeats, silence, sealing."""
        if self.done:
            return
        if now - self._last_tick > ASLEEP + HEARTBEAT:
            self._mesh.slept(now)
        self._last_tick = now
        if now >= self._next_beat:
            self._next_beat = now + HEARTBEAT
            self._courier.broadcast(self._head())
        self._check_lost(now)
        if self._disputed is not None and now >= self._disputed[1] + DISPUTE:
            self._diverged(Diverged(self._disputed[0], "", "", ""))
        self._try_sealing(now)
        self._schedule()

    # -- bodies --------------------------------------------------------------------------

    def _receive_signed(self, source: Seat, signed: Signed, now: float) -> None:
        match signed.kind:
            case Kind.PLAY | Kind.SHARE:
                self._take(source, Entry.parse(signed), now)
            case Kind.STAND_IN:
                self._part(source, Farewell.parse(signed, self.genesis.id), now)
            case Kind.HEAD:
                self._hear(source, signed, now)
            case Kind.CLOSE:
                self._confirm(source, signed, now)
            case Kind.GENESIS | Kind.VOTE:
                raise BadBytes("not in a game")

    def _take(self, source: Seat, entry: Entry, now: float) -> None:
        try:
            moved = self.ledger.accept(entry)
        except Early:
            self._keep_early(entry)
            return
        except Fork:
            self._answer_fork(source, entry)
            return
        except Cheat as fault:
            self._caught(fault)
            return
        except Differs as fault:
            self._dispute(fault, now)
            return
        if moved is not None:
            self._mesh.hear(entry.seat, now)
            self._courier.effects.append(Append(entry.signed))
            self._courier.pass_on(source, entry.seat, entry.signed)
            self._moved(moved)

    def _part(self, source: Seat, farewell: Farewell, now: float) -> None:
        try:
            moved = self.ledger.part(farewell)
        except Cheat as fault:
            self._caught(fault)
            return
        if moved is not None:
            self._courier.effects.append(Append(farewell.signed))
            self._courier.pass_on(source, farewell.seat, farewell.signed)
            self._show(SeatLeft(farewell.seat))
            self._moved(moved)

    def _keep_early(self, entry: Entry) -> None:
        """Keeps an entry (whose signature is right) until its height is reached; two different
        ones for one place are a proof already."""
        other = self._early.setdefault((entry.height, entry.seat), entry)
        if entry.height > self.ledger.height + MAX_EARLY:
            del self._early[entry.height, entry.seat]
        elif other.id != entry.id and entry.signed.kind is other.signed.kind is Kind.PLAY:
            self._caught(equivocation(other, entry))

    def _answer_fork(self, source: Seat, entry: Entry) -> None:
        """Its author was told another past: show ours and ask for theirs; one of the two pasts
        holds two bodies of one seat."""
        if (source, entry.height) in self._answered_forks or len(self._answered_forks) > 64:
            return
        self._answered_forks.add((source, entry.height))
        since = max(0, entry.height - 8)
        for signed in self.ledger.since(since):
            self._courier.broadcast(signed)
        self._courier.send(source, Want(since))

    def _moved(self, moved: Moved) -> None:
        if moved.looked == self.seat:
            self._see_top(moved.share)
        if self.ledger.slots.half_open is None:
            self.view.top = self._hand.withheld = None
        if moved.events:
            self._show(Happened(tuple(moved.events), self.view))
        if moved.looked == self.seat and self.view.top is not None:
            self._show(TopRevealed(self.view.top))

    def _see_top(self, share: Entry | None) -> None:
        try:
            self.view.top = self._hand.look(share)
        except WrongShare as fault:
            self._courier.broadcast(fault.blame.signed)
            try:
                self.ledger.accept(fault.blame)
            except Cheat as proof:
                self._caught(proof)

    def _sign(self, load: Payload) -> None:
        """Signs what this seat owes and takes it like everybody else's."""
        entry = self._hand.sign(load)
        moved = self.ledger.accept(entry)
        self._courier.effects.append(Append(entry.signed))
        self._courier.broadcast(entry.signed)
        if moved is not None:
            self._moved(moved)

    # -- going on ------------------------------------------------------------------------

    def _advance(self, now: float) -> None:
        """Does what this seat owes by itself and says who is waited for."""
        while not self.done and self._step_once(now):
            pass
        if self.done:
            return
        self._say_waiting()
        self._try_sealing(now)
        self._schedule()

    def _step_once(self, now: float) -> bool:
        """Whether something has moved."""
        ledger = self.ledger
        for place in [p for p in self._early if p[0] <= ledger.height]:
            self._take(self.seat, self._early.pop(place), now)
            return True
        if self.seat not in ledger.owed() or self._disputed is not None:
            return False
        match ledger.step:
            case Gather() as gather:
                self._sign(self._hand.opening(gather))
            case Sharing() as sharing:
                self._sign(self._hand.share(sharing))
            case Solo():
                if self._asked < ledger.height and self.comeback.may_decide(ledger.height):
                    self._asked = ledger.height
                    pending = ledger.game.pending
                    assert not isinstance(pending, Chance | Over)
                    self._courier.effects.append(Ask(ledger.height, pending))
                return False
            case Finished():
                return False
        return True

    def _say_waiting(self) -> None:
        seats = tuple(s for s in self.ledger.owed() if s != self.seat)
        pending = self.ledger.game.pending
        solo = isinstance(self.ledger.step, Solo) and not isinstance(pending, Chance | Over)
        decision = pending if solo and not isinstance(pending, Chance | Over) else None
        waiting = Waiting(seats, decision)
        if seats and waiting != self._waiting:
            self._show(waiting)
        self._waiting = waiting

    def _schedule(self) -> None:
        self.deadline = min(
            self._next_beat,
            self.comeback.due,
            self._sealing.deadline,
            self._disputed[1] + DISPUTE if self._disputed is not None else math.inf,
            *self._mesh.due(),
        )

    # -- links ---------------------------------------------------------------------------

    def _head(self) -> Signed:
        ledger = self.ledger
        head = Head(self.seat, ledger.view, ledger.height, ledger.head)
        return head.sign(self.signer, self.genesis.id)

    def _hear(self, source: Seat, signed: Signed, now: float) -> None:
        head = Head.parse(signed, self.genesis.id)
        players = self.genesis.players
        if head.seat >= len(players) or not signed.by(players[head.seat].key):
            raise Forged("a heartbeat that is not its seat's")
        if head.seat == self.seat:
            return
        self._mesh.hear(head.seat, now)
        self.comeback.hear(head.seat, head.height)
        if source == head.seat:
            self._courier.pass_on(source, head.seat, signed)
        if head.height > self.ledger.height:
            self._courier.want(source, now)

    def _needed(self) -> list[Seat]:
        """The other seats that the game cannot go on without."""
        if self._is_over():
            return []
        leaving = self.ledger.farewells
        return [
            s for s in self.ledger.game.state.alive() if s != self.seat and s not in leaving
        ]

    def _check_lost(self, now: float) -> None:
        if self.comeback.missing:
            self._gather(now)
            return
        lost = self._mesh.lost(self._needed(), now)
        if lost is not None:
            self._lose(lost)

    def _gather(self, now: float) -> None:
        """Nobody is lost before he has been there since the restart."""
        seats = range(len(self.genesis.players))
        there = self._mesh.reach() | set(seats).difference(self._needed())
        news = self.comeback.gather(there, now)
        if news is not None:
            self._show(Missing(news))
        if not self.comeback.missing:
            self._mesh.slept(now)

    # -- the ends ------------------------------------------------------------------------

    def _is_over(self) -> bool:
        return isinstance(self.ledger.step, Finished)

    def _finish(self, kind: EndKind, detail: str = "") -> None:
        self._courier.effects.append(Finish(kind, detail))
        self.done = True

    def _lose(self, seat: Seat) -> None:
        if not self.done:
            self._courier.broadcast(Stopped(0, seat))
            self._show(SeatLost(seat))
            self._finish(EndKind.LOST, self.genesis.players[seat].name)

    def _stopped_by(self, source: Seat, why: int, seat: Seat) -> None:
        if self._is_over() or seat >= len(self.genesis.players):
            return
        if why == 0 and source in self.ledger.game.state.alive():
            self._lose(seat)

    def _caught(self, fault: Cheat) -> None:
        if self.done:
            return
        for signed in fault.proof:
            self._courier.broadcast(signed)
        self._show(Cheated(fault.seat, fault.kind, fault.height, fault.detail))
        self._finish(EndKind.STOPPED, f"{self.genesis.players[fault.seat].name} {fault.kind}")

    def _dispute(self, fault: Differs, now: float) -> None:
        """Both sides show their position; nobody is accused (PROTOCOL.md 5.6)."""
        if self._disputed is None:
            self._disputed = (fault.seat, now)
            numbers = tuple(value for _, value in self.ledger.game.position())
            self._courier.broadcast(PositionShown(fault.height, numbers))

    def _compare(self, source: Seat, shown: PositionShown) -> None:
        """The first number that is not ours, with the name of its field."""
        if shown.height != self.ledger.height or self._is_over():
            return
        ours = self.ledger.game.position()
        if self._disputed is None:
            self._courier.send(source, PositionShown(shown.height, tuple(v for _, v in ours)))
        for (name, value), theirs in zip((*ours, ("end", -1)), (*shown.numbers, -1), strict=False):
            if value != theirs:
                self._diverged(Diverged(source, name, str(value), str(theirs)))
                return

    def _diverged(self, notice: Diverged) -> None:
        if not self.done:
            self._show(notice)
            self._finish(EndKind.STOPPED, f"copies differ: {notice.field}")

    def _confirm(self, source: Seat, signed: Signed, now: float) -> None:
        """Somebody's signature under the end."""
        if not self._is_over():
            self._courier.want(source, now)
        for seat in self._sealing.take(source, signed):
            self._courier.pass_on(source, seat, self._sealing.frame([seat]))

    def _try_sealing(self, now: float) -> None:
        """Signs the end, and writes it down once all that are connected have confirmed it."""
        if self.done or not self._is_over():
            return
        sealing = self._sealing
        if sealing.end is None:
            early = sealing.begin(self.ledger.end(), self.seat, self.signer, now)
            self._courier.broadcast(sealing.frame())
            for source, signed in early:
                self._confirm(source, signed, now)
        missing = self._mesh.reach() - set(sealing.seals) - set(self.ledger.farewells)
        if missing and now < sealing.deadline:
            return
        assert sealing.end is not None
        self._courier.effects.append(Append(sealing.frame()))
        confirmed = tuple(sorted(sealing.seals))
        self._show(GameFinished(sealing.end.winners, confirmed, self.view))
        self._finish(EndKind.FINISHED)

    def _show(self, notice: Notice) -> None:
        self._courier.effects.append(Show(notice))
