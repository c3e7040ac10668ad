"""Steps: the nodes of a line of play, who plays them, and why a body does not count.

Scope: the slots of a draw, what an opening must show, and the outcome that a closed gather gives to
the referee (PROTOCOL.md 7); the kinds of steps (5.1), which of them the referee's node means,
`Moved`, the roster of keepers, and the exceptions that a chain and a ledger raise.

A *slot* is one draw of a stream (dice or cards). Every contributor has committed to its
contribution to the slots of a window ahead, long before it knows what they will decide. All
contributions together make the outcome, so one honest keeper is enough to make it fair. For that,
no contribution may be used once a keeper may know it and could still choose: hence slots are burnt,
and a line-up that does not keep an open gather begins with new commitments. The seats of slots are
those of keepers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NoReturn, TypeAlias

from kotp2p.referee.game import Game
from kotp2p.referee.model.answers import Input, Item, Seat
from kotp2p.referee.model.decisions import CARDS, LOOK, Chance, Decision, Over
from kotp2p.referee.model.events import Event
from kotp2p.referee.model.state import State
from kotp2p.wire import crypto
from kotp2p.wire.crypto import CARD_STREAM, DICE_STREAM, Stream
from kotp2p.wire.entries import Entry, Opening, Rows, Signed
from kotp2p.wire.genesis import Genesis, Player, signed_by_keeper
from kotp2p.wire.lineups import Change, CheatKind, CheatProof, LineUp, Plan, Reason

# -- slots: what is committed, opened, withheld or burnt (PROTOCOL.md 7) -----------------


class WrongContribution(Exception):
    """An opening, or commitments, that a keeper must not have signed."""

    def __init__(self, kind: CheatKind, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail


@dataclass(slots=True)
class GatherPlan:
    stream: Stream
    first: int
    fresh: int
    top: bool
    """The half-open slot is drawn first."""
    looker: Seat | None
    """The keeper that withholds its contribution, as one of its seats looks (a secret look)."""


@dataclass(frozen=True, slots=True)
class HalfOpen:
    """The slot of a top card that a seat has looked at."""

    slot: int
    origin: bytes
    """The origin of its contributions (PROTOCOL.md 7.1)."""
    head: bytes
    owner: Seat
    looker: Seat
    contributors: tuple[Seat, ...]
    """In seat order, the owner included."""
    contributions: dict[Seat, bytes]
    pile: tuple[Item, ...]
    """Its base: the undrawn cards, ascending."""

    def card(self, game: bytes, withheld: bytes) -> Item:
        """Return the card, once the withheld contribution is known."""
        known = {**self.contributions, self.owner: withheld}
        mixed = crypto.slot_result(
            game, self.head, CARD_STREAM, self.slot, [known[s] for s in self.contributors]
        )
        return self.pile[crypto.draw_untaken(mixed, len(self.pile), ())]


@dataclass(slots=True)
class Slots:
    game: bytes
    table: bytes
    next_slot: dict[Stream, int] = field(default_factory=lambda: {DICE_STREAM: 0, CARD_STREAM: 0})
    committed: dict[tuple[Stream, Seat, int], bytes] = field(default_factory=dict)
    first_shown_by: dict[bytes, Seat] = field(default_factory=dict)
    """The seat that showed each commitment first. Those of a gather count once it has closed:
    within one, copies do not agree on what came first."""
    half_open: HalfOpen | None = None
    origins: dict[Seat, bytes] = field(default_factory=dict)
    """By keeper, what its contributions are derived from: the line-up for which it has committed
    last. None for a keeper that has committed in the genesis alone: then it is the table."""

    @staticmethod
    def at_genesis(genesis: Genesis) -> Slots:
        slots = Slots(genesis.id, genesis.charter.table)
        for seat, row in zip(genesis.keepers, genesis.rows, strict=True):
            for stream, window in ((DICE_STREAM, row.dice), (CARD_STREAM, row.cards)):
                for slot, shown in enumerate(window):
                    slots.committed[stream, seat, slot] = shown
                    slots.first_shown_by[shown] = seat
        return slots

    def fork(self) -> Slots:
        return replace(
            self,
            next_slot=dict(self.next_slot),
            committed=dict(self.committed),
            first_shown_by=dict(self.first_shown_by),
            origins=dict(self.origins),
        )

    def plan_gather(self, chance: Chance, looker: Seat | None) -> GatherPlan:
        """Return what the gather of `chance` opens; `looker` keeps the seat of a secret look."""
        if chance.kind is LOOK:
            return GatherPlan(CARD_STREAM, self.next_slot[CARD_STREAM], 1, False, looker)
        if chance.kind is CARDS:
            top = self.half_open is not None
            fresh = len(chance.draws) - top
            return GatherPlan(CARD_STREAM, self.next_slot[CARD_STREAM], fresh, top, None)
        return GatherPlan(DICE_STREAM, self.next_slot[DICE_STREAM], 1, False, None)

    def check_opening(self, plan: GatherPlan, seat: Seat, opening: Opening) -> None:
        if not len(opening.contributions) == len(opening.commitments) == plan.fresh:
            raise WrongContribution(CheatKind.BAD_ENTRY, "opens other slots than asked")
        for slot, c in enumerate(opening.contributions, plan.first):
            if (c is None) != (seat == plan.looker):
                raise WrongContribution(CheatKind.WRONG_OPENING, "nothing opened")
            if c is not None and not self.commits_to(plan.stream, seat, slot, c):
                self._refuse_opening(plan.stream, seat, slot)
        owes_top = plan.top and self.half_open is not None and self.half_open.owner == seat
        if (opening.top is not None) != owes_top:
            raise WrongContribution(CheatKind.WRONG_OPENING, "the half-open slot")
        if opening.top is not None:
            self.check_top(opening.top)
        self._check_new(seat, opening.commitments)

    def _check_new(self, seat: Seat, commitments: tuple[bytes, ...]) -> None:
        for shown in commitments:
            if shown in self.first_shown_by:
                self._blame_copy(seat, shown)
        if len(set(commitments)) < len(commitments):
            raise WrongContribution(CheatKind.BAD_ENTRY, "one commitment for two slots")

    def check_top(self, c: bytes) -> None:
        held = self.half_open
        assert held is not None
        if not self.commits_to(CARD_STREAM, held.owner, held.slot, c):
            self._refuse_opening(CARD_STREAM, held.owner, held.slot)

    def commits_to(self, stream: Stream, seat: Seat, slot: int, c: bytes) -> bool:
        shown = self.committed[stream, seat, slot]
        return crypto.commitment(self.table, stream, seat, slot, c) == shown

    def opens_top(self, c: bytes) -> bool:
        held = self.half_open
        return held is not None and self.commits_to(CARD_STREAM, held.owner, held.slot, c)

    def _refuse_opening(self, stream: Stream, seat: Seat, slot: int) -> NoReturn:
        shown = self.committed[stream, seat, slot]
        detail = f"{stream.name.lower()} slot {slot}"
        for other in range(6):
            if other != seat and self.committed.get((stream, other, slot)) == shown:
                raise WrongContribution(CheatKind.COPIED_COMMITMENT, detail)
        raise WrongContribution(CheatKind.WRONG_OPENING, detail)

    def _blame_copy(self, seat: Seat, shown: bytes) -> None:
        if self.first_shown_by[shown] == seat:
            raise WrongContribution(CheatKind.BAD_ENTRY, "one commitment for two slots")
        raise WrongContribution(CheatKind.COPIED_COMMITMENT, "shown before by another seat")

    # -- a new line-up -------------------------------------------------------------------
    #
    # A keeper that commits anew derives its contributions from a new origin. What is undone, or
    # what a process has lost, may have been opened: others could choose theirs and know it. To pass
    # over some slots would not be enough, as one line-up may undo any number of gathers.

    def origin_of(self, keeper: Seat) -> bytes:
        return self.origins.get(keeper, self.table)

    def check_rows(self, seat: Seat, rows: Rows) -> None:
        self._check_new(seat, (*rows.dice, *rows.cards))

    def record_rows(self, rows: Mapping[Seat, Rows]) -> None:
        for seat, load in rows.items():
            for stream, window in ((DICE_STREAM, load.dice), (CARD_STREAM, load.cards)):
                for slot, shown in enumerate(window, self.next_slot[stream]):
                    self.committed[stream, seat, slot] = shown
                    self.first_shown_by.setdefault(shown, seat)

    # -- closing a gather ----------------------------------------------------------------

    def _use_slots(self, plan: GatherPlan, openings: Mapping[Seat, Opening]) -> None:
        """Use up the slots of `plan`, and keep the new commitments, one window further on."""
        stream = plan.stream
        committed_ahead = plan.first + crypto.WINDOW[stream]
        for seat, opening in openings.items():
            for slot, shown in enumerate(opening.commitments, committed_ahead):
                self.committed[stream, seat, slot] = shown
                self.first_shown_by.setdefault(shown, seat)
        self.next_slot[stream] = plan.first + plan.fresh

    def open_for_looker(
        self, plan: GatherPlan, head: bytes, openings: Mapping[Seat, Opening], chance: Chance
    ) -> int:
        """Open the slot for the looker alone, which withholds its contribution; return the slot."""
        self._use_slots(plan, openings)
        assert plan.looker is not None and chance.seat is not None
        opened = {s: p.contributions[0] for s, p in openings.items() if s != plan.looker}
        self.half_open = HalfOpen(
            plan.first,
            self.origin_of(plan.looker),
            head,
            plan.looker,
            chance.seat,
            tuple(openings),
            {seat: c for seat, c in opened.items() if c is not None},
            chance.piles[0],
        )
        return plan.first

    def draw_outcome(
        self, plan: GatherPlan, head: bytes, openings: Mapping[Seat, Opening], chance: Chance
    ) -> tuple[int, ...]:
        """Return the outcome of `chance`; `openings` come, and are hashed, in seat order."""
        self._use_slots(plan, openings)
        mixed = list[bytes]()
        for i in range(plan.fresh):
            column = [c for o in openings.values() if (c := o.contributions[i]) is not None]
            mixed.append(crypto.slot_result(self.game, head, plan.stream, plan.first + i, column))
        if chance.kind is not CARDS:
            return crypto.draw_values(mixed[0], [draw.size for draw in chance.draws])
        drawn: list[int] = []
        taken: set[tuple[int, int]] = set()
        for i, draw in enumerate(chance.draws):
            if plan.top and i == 0:
                value = chance.piles[draw.pool].index(self._open_top(openings))
            else:
                gone = {index for pool, index in taken if pool == draw.pool}
                value = crypto.draw_untaken(mixed[i - plan.top], draw.size, gone)
            taken.add((draw.pool, value))
            drawn.append(value)
        return tuple(drawn)

    def _open_top(self, openings: Mapping[Seat, Opening]) -> Item:
        held = self.half_open
        assert held is not None
        withheld = openings[held.owner].top
        assert withheld is not None
        return held.card(self.game, withheld)


# -- steps ---------------------------------------------------------------------------------
#
# Steps are slotted and not frozen, as a game makes thousands of them.


@dataclass(slots=True)
class Solo:
    seat: Seat


@dataclass(slots=True)
class Sharing:
    """The seat that has looked at the top card first owes a share to `taker`."""

    seat: Seat
    taker: Seat
    key: bytes
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
    look_key: bytes | None = None
    """That of a second look that was asked for before, and comes next."""


@dataclass(slots=True)
class Finished:
    winners: tuple[Seat, ...]
    members: tuple[Seat, ...]


Step: TypeAlias = Solo | Sharing | Gather | Committing | Finished


@dataclass(slots=True)
class StepStart:
    """How the game stood when a height began."""

    asked: tuple[Seat, ...]
    """The seats that entries are owed of, also those that have signed by now."""
    turn: int
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
    done: tuple[Entry, ...]
    head_before: bytes
    head: bytes
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
    """The seat that had looked at the top card, which no keeper can show any more."""
    kept: tuple[Entry, ...]
    """The openings of those that are out that the gather keeps."""
    alive: tuple[Seat, ...]
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


@dataclass(frozen=True, slots=True)
class ChangedHands:
    """What a line-up has changed about one keeper."""

    keeper: Seat
    reason: Reason
    seats: tuple[tuple[Seat, Seat], ...]
    """The living seats that have changed hands because of it, each with its keeper from then on."""
    refused: bool
    """It was put out while it owed its part of a roll that others had shown theirs for."""
    height: int = 0
    """That of the base of the line-up."""
    turn: int = 0
    """0 before the first one."""
    attempt: int = 0


def changes_of(begun: Begun) -> tuple[ChangedHands, ...]:
    moved, before, found = begun.handed(), begun.before.keepers, []
    for change in begun.lineup.plan:
        keeper = change.keeper
        seats = tuple([(s, to) for s, to in moved if to == keeper or before[s] == keeper])
        found.append(
            ChangedHands(
                keeper,
                change.reason,
                seats,
                keeper in begun.refused,
                begun.height,
                begun.turn,
                begun.lineup.attempt,
            )
        )
    return tuple(found)


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
        self.parts += later.parts
        self.caught += later.caught
        self.note_look(later.looked, later.share)

    def note_look(self, looked: Seat | None, share: Entry | None) -> None:
        if looked is not None:
            self.looked = looked
        if share is not None:
            self.share = share


def asked_decision(step: Step, game: Game) -> Decision | None:
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
        return Committing(newcomers, roster.others(newcomers), dict(slots.next_slot), look_key)
    if not isinstance(pending, Chance):  # all other nodes are a decision of one seat
        return Solo(pending.seat)
    if held is not None and look_key is not None and pending.kind is LOOK:
        assert pending.seat is not None
        return Sharing(held.looker, pending.seat, look_key, held.slot)
    looks = pending.kind is LOOK and pending.seat is not None
    looker = roster.keepers[pending.seat] if looks and pending.seat is not None else None
    contributors = roster.contributors(game.state.seats_alive())
    plan = slots.plan_gather(pending, looker)
    return Gather(contributors, roster.others(contributors), plan, position)


# -- refusals: why a body does not count, told apart by whose fault it is ------------------
#
# `Cheat` proves something against a seat, `Differs` against nobody. `Forged` only says that the
# bytes are not what they claim. `Early`, `Stale` and `Fork` say that we cannot judge: an honest
# seat may have sent them.


class Cheat(Exception):
    """The keeper `seat` has signed what it must not; `proof` holds the bodies that show it."""

    def __init__(
        self, seat: Seat, kind: CheatKind, height: int, detail: str, *bodies: Signed
    ) -> None:
        super().__init__(f"seat {seat}: {kind} at height {height}: {detail}")
        self.seat = seat
        self.kind = kind
        self.height = height
        self.detail = detail
        self.proof = CheatProof(bodies)


class Differs(Exception):
    """A seat's digest of the position is not ours, though both sides followed the rules."""


class Forged(Exception):
    """A body whose signature is not its seat's, or of another game: says nothing about anybody."""


class NotSigned(Forged):
    """The signature is not that of its seat."""


class Early(Exception):
    """A body for a height or a line-up that we have not reached."""


class Stale(Exception):
    """A body of a line-up, or of a keeper, that does not count here."""


class Fork(Exception):
    """An entry whose author has seen another past than we."""


REFUSALS = (Cheat, Differs, Forged, Early, Stale, Fork)


class OwnFault(Exception):
    """This program was about to write what its own reader refuses: that one action is left out."""


def cheat_shown_by(keeper: Seat, entry: Entry, kind: CheatKind, detail: str) -> Cheat:
    return Cheat(keeper, kind, entry.height, detail, entry.signed)


def require_signed_by_keeper(
    players: Sequence[Player], seat: Seat, signed: Signed | Entry, what: str = "signature"
) -> None:
    if not signed_by_keeper(players, seat, signed):
        raise NotSigned(f"a {what} that is not its keeper's")


def require_keeper(players: Sequence[Player], seat: Seat) -> None:
    if seat >= len(players) or players[seat].keeper != seat:
        raise Forged("a seat that is no keeper")


SignatureCheck: TypeAlias = Callable[[Sequence[Player], Seat, Entry], None]
"""As `require_signed_by_keeper`. A reader of a whole log may check elsewhere or later."""


def equivocation(keeper: Seat, one: Entry, other: Entry) -> Cheat:
    """Return the cheat of two different entries by `keeper` for one place and past."""
    detail = "two entries for one place"
    return shown_by_two(keeper, one.height, detail, one.signed, other.signed)


def shown_by_two(seat: Seat, height: int, detail: str, one: Signed, other: Signed) -> Cheat:
    return Cheat(seat, CheatKind.EQUIVOCATION, height, detail, one, other)


# -- the roster: the keeper of each seat, as the line-ups say (PROTOCOL.md 9.2) ------------
#
# A *keeper* is a person's process. It keeps its own seat, and perhaps seats for which a bot
# answers. A *member* is a keeper of the present line-up. Only line-ups change who is one, never
# what happens in the game: a keeper whose monsters are all out stays a member, as a *witness*.


@dataclass(frozen=True, slots=True)
class Roster:
    """The members of one line-up, and the keeper of each seat."""

    lineup: bytes
    attempt: int
    keepers: tuple[Seat | None, ...]
    """By seat: its keeper; None once its monster was taken out."""
    members: frozenset[Seat]
    out: Mapping[Seat, Reason]
    instances: Mapping[Seat, bytes]
    """The last process of each keeper that a line-up has named; the first one has none."""

    @staticmethod
    def at_genesis(genesis: Genesis) -> Roster:
        keepers = tuple(player.keeper for player in genesis.players)
        return Roster(genesis.id, 0, keepers, frozenset(genesis.keepers), {}, {})

    def seats_of(self, keeper: Seat, alive: Collection[Seat]) -> tuple[Seat, ...]:
        return tuple([seat for seat in alive if self.keepers[seat] == keeper])

    def contributors(self, alive: Collection[Seat]) -> tuple[Seat, ...]:
        """Return the members that answer for a living seat: they make the dice, ascending."""
        return tuple(sorted({k for s in alive if (k := self.keepers[s]) is not None}))

    def others(self, contributors: Collection[Seat]) -> tuple[Seat, ...]:
        """Return the members that are only witnesses of a gather, ascending."""
        return tuple(sorted(self.members.difference(contributors)))

    def why_impossible(self, plan: Plan, alive: Collection[Seat]) -> str:
        """Return why a plan cannot follow this roster, in technical words; empty if it can."""
        for change in plan:
            is_member = change.keeper in self.members
            if is_member != (change.reason is not Reason.BACK):
                return f"keeper {change.keeper} cannot be {change.reason.name.lower()}"
            if change.reason is Reason.BACK and not self.can_be_back(change.keeper, alive):
                return f"keeper {change.keeper} has nothing to come back to"
            if change.instance and change.instance <= self.instances.get(change.keeper, b""):
                return f"keeper {change.keeper} has named a later process"
        return ""

    def can_be_back(self, keeper: Seat, alive: Collection[Seat]) -> bool:
        return self.out.get(keeper) is Reason.ABSENT and keeper in alive

    def has_majority(self, members: Collection[Seat], plan: Iterable[Change]) -> bool:
        """Return whether `members` are most of those that `plan` names neither cheat nor leaver."""
        gone = {c.keeper for c in plan if c.reason in (Reason.CHEATED, Reason.LEFT)}
        return self.are_most(members, gone)

    def are_most(self, some: Collection[Seat], gone: Collection[Seat]) -> bool:
        """Return whether some are more than half of the members, less those that are gone."""
        counted = self.members.difference(gone)
        return 2 * len(counted.intersection(some)) > len(counted)

    def staying(self, plan: Plan) -> frozenset[Seat]:
        return self.members.difference(c.keeper for c in plan if c.reason.puts_out)

    def members_after(self, plan: Plan) -> frozenset[Seat]:
        """Return the members of the line-up with this plan: those that stay, and those back."""
        return self.staying(plan).union(c.keeper for c in plan if c.reason is Reason.BACK)

    def after(self, lineup: LineUp, players: Sequence[Player]) -> Roster:
        members = self.members_after(lineup.plan)
        out, instances = dict(self.out), dict(self.instances)
        for change in lineup.plan:
            if change.reason.puts_out:
                out[change.keeper] = change.reason
            else:
                out.pop(change.keeper, None)
                instances[change.keeper] = change.instance
        keepers = tuple(
            self._keeper_after(seat, lineup, members, players) for seat in range(len(players))
        )
        return Roster(lineup.id, lineup.attempt, keepers, members, out, instances)

    def _keeper_after(
        self, seat: Seat, lineup: LineUp, members: Collection[Seat], players: Sequence[Player]
    ) -> Seat | None:
        change, keeper = lineup.find(seat), self.keepers[seat]
        if change is not None and change.reason in (Reason.CHEATED, Reason.LEFT):
            return None
        if change is not None and change.reason is Reason.BACK:
            return seat
        if keeper is None or keeper in members:
            return keeper
        return next_keeper(seat, members, players)


def next_keeper(seat: Seat, members: Collection[Seat], players: Sequence[Player]) -> Seat | None:
    """Return the next member clockwise of a seat that is a person, or of all if none is."""
    others = [(seat + step) % len(players) for step in range(1, len(players) + 1)]
    here = [other for other in others if other in members]
    persons = [other for other in here if not players[other].automatic]
    return next(iter(persons or here), None)
