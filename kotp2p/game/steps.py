"""Steps: what a chain can stand at, and what accepted bodies have done to it (PROTOCOL.md 5.1).

Scope: the kinds of steps, which of them the referee's node means, and `Moved`.
Not here: how a step closes (`kotp2p.game.chain`), and why a body is refused
(`kotp2p.game.refusals`).

Steps are slotted and not frozen, for the reason that entries have (`kotp2p.wire.entries`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from kotp2p.game.history import ClosingItem
from kotp2p.game.refusals import Cheat
from kotp2p.game.slots import GatherPlan, Slots
from kotp2p.wire.commitments import CARD_STREAM, DICE_STREAM
from kotp2p.wire.entries import Entry
from kotp2p.wire.votes import Certificate
from referee.game import Game
from referee.model.answers import Input, Seat
from referee.model.decisions import LOOK, Chance, Decision, Over
from referee.model.events import Event
from referee.model.state import State


@dataclass(slots=True)
class Solo:
    seat: Seat


@dataclass(slots=True)
class Sharing:
    """The owner of the half-open slot owes a share to `taker`."""

    seat: Seat
    taker: Seat
    key: bytes
    """The taker's X25519 key."""
    slot: int


@dataclass(slots=True)
class Gather:
    seats: tuple[Seat, ...]
    plan: GatherPlan


@dataclass(slots=True)
class Renewal:
    """The first gather of a new view: commitments only. Whatever was opened in what the votes have
    undone is known to some, so no commitment of the former view is used again."""

    seats: tuple[Seat, ...]
    dice: int
    """The first slot of each stream that is committed to."""
    cards: int


@dataclass(slots=True)
class Finished:
    winners: tuple[Seat, ...]


Step: TypeAlias = Solo | Sharing | Gather | Renewal | Finished


@dataclass(slots=True)
class StepClosing:
    """What closes the present step. The referee has been given its part already."""

    done: tuple[ClosingItem, ...]
    head: bytes
    """The head behind it."""
    events: list[Event]
    looker: Seat | None = None
    """The seat that may look at the top card now."""
    share: Entry | None = None
    """The share that lets it look."""
    look_key: bytes | None = None
    """The X25519 key for which the next step owes a share."""


@dataclass(slots=True)
class ClosedStep:
    """A step that has closed: what was owed, what came, and what the referee made of it."""

    height: int
    view: int
    """Behind it."""
    step: Step
    """What was owed."""
    done: tuple[ClosingItem, ...]
    head_before: bytes
    head: bytes
    """Behind it."""
    given: Input | None
    """What the referee was given; None for a renewal in which nobody has left."""
    events: tuple[Event, ...]


@dataclass(slots=True)
class Moved:
    """What an accepted body has done."""

    steps: list[ClosedStep] = field(default_factory=list)
    """In order; of the view that counts now."""
    looked: Seat | None = None
    """A look was granted: this seat can now work out the top card."""
    dropped: tuple[Certificate, ...] = ()
    """The certificates that have put seats out."""
    rewound: bool = False
    """Steps of the earlier view do not count any more: the game stands elsewhere than before
    and `events` are of the new view alone."""
    before: State | None = None
    """With `rewound`: where the game has gone back to, before `events`."""
    caught: tuple[Cheat, ...] = ()
    """The cheats that a vote proves, or that it is itself the proof of."""
    share: Entry | None = None
    """With `looked`: the share that grants it (a second look)."""

    @property
    def events(self) -> list[Event]:
        return [event for closed in self.steps for event in closed.events]

    def add(self, later: Moved) -> None:
        """Adds what a step behind has done: its events, and the look that it grants."""
        self.steps += later.steps
        self.note_look(later.looked, later.share)

    def note_look(self, looked: Seat | None, share: Entry | None) -> None:
        """The look that a step has granted, if it has, and the share that grants it."""
        if looked is not None:
            self.looked = looked
        if share is not None:
            self.share = share


def asked_decision(step: Step, game: Game) -> Decision | None:
    """What the seat of a solo step has to decide; None at any other step."""
    if not isinstance(step, Solo):
        return None
    pending = game.pending
    assert not isinstance(pending, Chance | Over)  # or it would be another step
    return pending


def next_step(
    game: Game, slots: Slots, *, renewing: bool = False, look_key: bytes | None = None
) -> Step:
    """What the referee's node means. `renewing`: a view has just begun; `look_key`: the key of a
    second look that has just been asked for."""
    pending, held = game.pending, slots.half_open
    if isinstance(pending, Over):
        return Finished(pending.winners)
    if renewing:  # whatever the referee wants next, new commitments come first
        seats = tuple(game.state.seats_alive())
        return Renewal(seats, slots.next_slot[DICE_STREAM], slots.next_slot[CARD_STREAM])
    if not isinstance(pending, Chance):  # all other nodes are a decision of one seat
        return Solo(pending.seat)
    if held is not None and look_key is not None and pending.kind is LOOK:
        assert pending.seat is not None
        return Sharing(held.owner, pending.seat, look_key, held.slot)
    return Gather(tuple(game.state.seats_alive()), slots.plan_gather(pending))
