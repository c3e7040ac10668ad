"""Steps: what a line of play can stand at, and what accepted bodies have done to it (PROTOCOL 5.1).

Scope: the kinds of steps, which of them the referee's node means, and `Moved`.
Not here: how a step closes (`kotp2p.game.chain`), and why a body is refused
(`kotp2p.game.refusals`).

Steps are slotted and not frozen, for the reason that entries have (`kotp2p.wire.entries`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from kotp2p.game.refusals import Cheat
from kotp2p.game.roster import Roster
from kotp2p.game.slots import GatherPlan, Slots
from kotp2p.referee.game import Game
from kotp2p.referee.model.answers import Input, Seat
from kotp2p.referee.model.decisions import LOOK, Chance, Decision, Over
from kotp2p.referee.model.events import Event
from kotp2p.referee.model.state import State
from kotp2p.wire.crypto import Stream
from kotp2p.wire.entries import Entry
from kotp2p.wire.lineups import LineUp


@dataclass(slots=True)
class Solo:
    """A decision of one seat."""

    seat: Seat


@dataclass(slots=True)
class Sharing:
    """The seat that has looked at the top card first owes a share to `taker`."""

    seat: Seat
    taker: Seat
    key: bytes
    """The taker's X25519 key."""
    slot: int


@dataclass(slots=True)
class Gather:
    """A draw: all contributors open their part of it, and all witnesses say that they are here."""

    contributors: tuple[Seat, ...]
    witnesses: tuple[Seat, ...]
    plan: GatherPlan
    position: bytes | None
    """The digest that each opening carries; None if this is not the first gather after a turn."""


@dataclass(slots=True)
class Committing:
    """The contributors commit to a whole window of slots, after a change of line-up."""

    contributors: tuple[Seat, ...]
    witnesses: tuple[Seat, ...]
    first: dict[Stream, int]
    """The first slot of each stream that is committed to."""


@dataclass(slots=True)
class Finished:
    """The game is over, and all members confirm it."""

    winners: tuple[Seat, ...]
    members: tuple[Seat, ...]


Step: TypeAlias = Solo | Sharing | Gather | Committing | Finished


@dataclass(slots=True)
class StepStart:
    """How the game stood when a height began."""

    alive: tuple[Seat, ...]
    asked: tuple[Seat, ...]
    """The seats that entries are owed of, also those that have signed by now."""
    turn: int
    """The turns that had begun."""
    attempt: int
    """Which entries of this height name. At a kept gather it is that of an earlier line-up."""
    roster: Roster
    is_gather: bool
    """Each keeper signs for itself here. Elsewhere the keeper of the seat signs."""

    def signer_of(self, seat: Seat) -> Seat | None:
        """Return the keeper whose signature an entry of `seat` needs here."""
        if self.is_gather:
            return seat
        keepers = self.roster.keepers
        return keepers[seat] if seat < len(keepers) else None


@dataclass(slots=True)
class StepClosing:
    """What closes the present step. The referee has been given its part already."""

    done: tuple[Entry, ...]
    head: bytes
    """The head after it."""
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
    attempt: int
    step: Step
    """What was owed."""
    done: tuple[Entry, ...]
    """What came, by seat."""
    head_before: bytes
    head: bytes
    """After it."""
    given: Input | None
    """What the referee was given; None for commitments."""
    events: tuple[Event, ...]


@dataclass(slots=True)
class Begun:
    """A line-up that has begun, at its base."""

    height: int
    lineup: LineUp
    before: Roster
    after: Roster
    given: tuple[Input, ...]
    """What the referee was given: monsters that are out, a card that is burnt."""
    events: tuple[Event, ...]
    refused: tuple[Seat, ...]
    """The keepers that were put out while they owed a part of a draw that others had shown."""
    burnt: Seat | None
    """The seat that had looked at the top card, which nobody can show any more."""
    alive: tuple[Seat, ...]
    """The living seats before it."""
    turn: int

    def handed(self) -> tuple[tuple[Seat, Seat], ...]:
        """Return the living seats that have changed hands, with their keepers from now on."""
        return tuple(
            [
                (seat, keeper)
                for seat in self.alive
                if (keeper := self.after.keepers[seat]) is not None
                and keeper != self.before.keepers[seat]
            ]
        )


@dataclass(slots=True)
class Moved:
    """What an accepted body has done."""

    parts: list[ClosedStep | Begun] = field(default_factory=list)
    """In order; of the line that counts now."""
    looked: Seat | None = None
    """A look was granted: this seat can now work out the top card."""
    share: Entry | None = None
    """With `looked`: the share that grants it (a second look)."""
    undone_from: State | None = None
    """Some play does not count any more: where the game has gone back to, before the events."""
    kept: int | None = None
    """With `undone_from`: how many parts of the whole line, from its first one on, still count."""
    caught: tuple[Cheat, ...] = ()
    """The cheats that the body proves."""

    @property
    def steps(self) -> list[ClosedStep]:
        return [part for part in self.parts if isinstance(part, ClosedStep)]

    @property
    def begun(self) -> list[Begun]:
        return [part for part in self.parts if isinstance(part, Begun)]

    @property
    def events(self) -> list[Event]:
        return [event for part in self.parts for event in part.events]

    def add(self, later: Moved) -> None:
        """Add what came next."""
        self.parts += later.parts
        self.caught += later.caught
        self.note_look(later.looked, later.share)

    def note_look(self, looked: Seat | None, share: Entry | None) -> None:
        """Note the look that a step has granted, if it has, and the share that grants it."""
        if looked is not None:
            self.looked = looked
        if share is not None:
            self.share = share


def asked_decision(step: Step, game: Game) -> Decision | None:
    """Return what the seat of a solo step has to decide; None at any other step."""
    if not isinstance(step, Solo):
        return None
    pending = game.pending
    assert not isinstance(pending, Chance | Over)  # or it would be another step
    return pending


def next_step(
    game: Game,
    slots: Slots,
    roster: Roster,
    *,
    newcomers: tuple[Seat, ...] = (),
    look_key: bytes | None = None,
    position: bytes | None = None,
) -> Step:
    """Return the step that the referee's node means.

    `newcomers` commit first, whatever the referee wants next. `look_key` is that of a second look
    that has just been asked for, `position` the digest that a gather carries.
    """
    pending, held = game.pending, slots.half_open
    if isinstance(pending, Over):
        return Finished(pending.winners, tuple(sorted(roster.members)))
    if newcomers:
        witnesses = tuple(sorted(roster.members.difference(newcomers)))
        return Committing(newcomers, witnesses, dict(slots.next_slot))
    if not isinstance(pending, Chance):  # all other nodes are a decision of one seat
        return Solo(pending.seat)
    if held is not None and look_key is not None and pending.kind is LOOK:
        assert pending.seat is not None
        return Sharing(held.looker, pending.seat, look_key, held.slot)
    looks = pending.kind is LOOK and pending.seat is not None
    looker = roster.keepers[pending.seat] if looks and pending.seat is not None else None
    alive = game.state.seats_alive()
    plan = slots.plan_gather(pending, looker)
    return Gather(roster.contributors(alive), roster.witnesses(alive), plan, position)
