"""Slots: which contributions are committed, opened, withheld or burnt (PROTOCOL.md 7).

Scope: what an opening must show, and the outcome that a closed gather gives to the referee. Not
here: heights, signatures, and the secrets of a keeper (`kotp2p.peer.duties`).

A *slot* is one draw of a stream (dice or cards). Every contributor has committed to its
contribution to the slots of a window ahead, long before it knows what they will decide. All
contributions together make the outcome, so one honest keeper is enough to make it fair. For that,
no contribution may be used once a keeper may know it and could still choose: hence slots are burnt,
and a line-up that does not keep an open gather begins with new commitments.

All seats in this module are those of keepers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NoReturn

from kotp2p.referee.model.answers import Item, Seat
from kotp2p.referee.model.decisions import CARDS, LOOK, Chance
from kotp2p.wire.crypto import (
    CARD_STREAM,
    DICE_STREAM,
    WINDOW,
    Stream,
    commitment,
    draw_untaken,
    draw_values,
    slot_result,
)
from kotp2p.wire.entries import Opening, Rows
from kotp2p.wire.genesis import Genesis
from kotp2p.wire.lineups import CheatKind


class WrongContribution(Exception):
    """An opening, or commitments, that a keeper must not have signed."""

    def __init__(self, kind: CheatKind, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail


@dataclass(slots=True)
class GatherPlan:
    """What a gather has to open."""

    stream: Stream
    first: int
    """The first fresh slot."""
    fresh: int
    """How many fresh slots."""
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
    """What its openings signed."""
    owner: Seat
    """The keeper that withholds its contribution."""
    looker: Seat
    """The seat that has looked first."""
    contributors: tuple[Seat, ...]
    """In seat order, the owner included."""
    contributions: dict[Seat, bytes]
    """The contributions of all but the owner."""
    pile: tuple[Item, ...]
    """Its base: the undrawn cards, ascending."""

    def card(self, game: bytes, withheld: bytes) -> Item:
        """Return the card, once the withheld contribution is known."""
        known = {**self.contributions, self.owner: withheld}
        mixed = slot_result(
            game, self.head, CARD_STREAM, self.slot, [known[s] for s in self.contributors]
        )
        return self.pile[draw_untaken(mixed, len(self.pile), ())]


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
        """Return independent slots in the same state."""
        return replace(
            self,
            next_slot=dict(self.next_slot),
            committed=dict(self.committed),
            first_shown_by=dict(self.first_shown_by),
            origins=dict(self.origins),
        )

    def plan_gather(self, chance: Chance, looker: Seat | None) -> GatherPlan:
        """Return what the gather of `chance` opens; `looker` keeps the seat of a secret look.

        A look at a half-open slot needs no gather.
        """
        if chance.kind is LOOK:
            return GatherPlan(CARD_STREAM, self.next_slot[CARD_STREAM], 1, False, looker)
        if chance.kind is CARDS:
            top = self.half_open is not None
            fresh = len(chance.draws) - top
            return GatherPlan(CARD_STREAM, self.next_slot[CARD_STREAM], fresh, top, None)
        return GatherPlan(DICE_STREAM, self.next_slot[DICE_STREAM], 1, False, None)

    def check_opening(self, plan: GatherPlan, seat: Seat, opening: Opening) -> None:
        """Check what `seat` opens in a gather of `plan`; raise WrongContribution."""
        shape = (len(opening.contributions), len(opening.commitments))
        if shape != (plan.fresh, plan.fresh):
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
        """Check that `c` opens the half-open slot; raise WrongContribution."""
        held = self.half_open
        assert held is not None
        if not self.commits_to(CARD_STREAM, held.owner, held.slot, c):
            self._refuse_opening(CARD_STREAM, held.owner, held.slot)

    def commits_to(self, stream: Stream, seat: Seat, slot: int, c: bytes) -> bool:
        shown = self.committed[stream, seat, slot]
        return commitment(self.table, stream, seat, slot, c) == shown

    def opens_top(self, c: bytes) -> bool:
        held = self.half_open
        return held is not None and self.commits_to(CARD_STREAM, held.owner, held.slot, c)

    def _refuse_opening(self, stream: Stream, seat: Seat, slot: int) -> NoReturn:
        """Raise WrongContribution for an opening that does not fit its commitment."""
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
        """Return what the contributions of a keeper are derived from."""
        return self.origins.get(keeper, self.table)

    def check_rows(self, seat: Seat, rows: Rows) -> None:
        """Check what `seat` owes after a change of line-up; raise WrongContribution."""
        self._check_new(seat, (*rows.dice, *rows.cards))

    def record_rows(self, rows: Mapping[Seat, Rows]) -> None:
        for seat, load in rows.items():
            for stream, window in ((DICE_STREAM, load.dice), (CARD_STREAM, load.cards)):
                for slot, shown in enumerate(window, self.next_slot[stream]):
                    self.committed[stream, seat, slot] = shown
                    self.first_shown_by.setdefault(shown, seat)

    # -- closing a gather ----------------------------------------------------------------

    def _use_slots(self, plan: GatherPlan, openings: Mapping[Seat, Opening]) -> None:
        """Use up the slots of `plan` and keep the new commitments.

        Those that openings carry are for the slots one window further on.
        """
        stream = plan.stream
        committed_ahead = plan.first + WINDOW[stream]
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
            tuple(sorted(openings)),
            {seat: c for seat, c in opened.items() if c is not None},
            chance.piles[0],
        )
        return plan.first

    def draw_outcome(
        self, plan: GatherPlan, head: bytes, openings: Mapping[Seat, Opening], chance: Chance
    ) -> tuple[int, ...]:
        """Return the outcome of `chance`.

        The contributions are hashed in the order of seats, as the order of arrival differs between
        copies.
        """
        self._use_slots(plan, openings)
        order = sorted(openings)
        mixed = [
            slot_result(self.game, head, plan.stream, plan.first + i, _column(openings, order, i))
            for i in range(plan.fresh)
        ]
        if chance.kind is not CARDS:
            return draw_values(mixed[0], [draw.size for draw in chance.draws])
        drawn: list[int] = []
        taken: set[tuple[int, int]] = set()
        for i, draw in enumerate(chance.draws):
            if plan.top and i == 0:
                value = chance.piles[draw.pool].index(self._open_top(openings))
            else:
                gone = {index for pool, index in taken if pool == draw.pool}
                value = draw_untaken(mixed[i - plan.top], draw.size, gone)
            taken.add((draw.pool, value))
            drawn.append(value)
        return tuple(drawn)

    def _open_top(self, openings: Mapping[Seat, Opening]) -> Item:
        held = self.half_open
        assert held is not None
        withheld = openings[held.owner].top
        assert withheld is not None
        return held.card(self.game, withheld)


def _column(openings: Mapping[Seat, Opening], order: Iterable[Seat], i: int) -> list[bytes]:
    return [c for seat in order if (c := openings[seat].contributions[i]) is not None]
