"""The referee behind a chain, fed with what closed steps give it (PROTOCOL.md 5.5).

Scope: what an entry's payload must be at its step, the slots and the shares that it draws on, and
the input that the referee is given when a step closes.
Not here: whose turn it is to sign, views, heights and heads (`kotp2p.game.chain`).

Every check comes before any change: an entry that is refused leaves all of this as it was. That
is why the checks of a gather (one for each entry) and its outcome (once, when all have come) are
separate methods.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from kotp2p.game.disclosure import judge_blame
from kotp2p.game.refusals import Cheat, Differs, cheat_shown_by
from kotp2p.game.slots import GatherPlan, Slots, WrongContribution
from kotp2p.game.steps import Gather, Sharing
from kotp2p.wire.entries import Answering, Commits, Entry, Opening, Share
from kotp2p.wire.genesis import Genesis
from kotp2p.wire.proofs import CheatKind
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
from referee.model.decisions import LOOK, Chance
from referee.model.events import Event, TurnEnded, TurnStarted


@dataclass(slots=True)
class RefereeFeed:
    game: Game
    slots: Slots
    turns: int = 0
    """The turns that have begun."""
    position_due: bool = False
    """A turn has ended: the openings of the next gather carry the digest of the position."""
    shares: list[tuple[Entry, Sharing]] = field(default_factory=list)
    """The shares that were given, each with the step that it answered. A blame may come much
    later, when that step is long closed."""
    given: Input | None = None
    """What the step that has closed last has given the referee; None: nothing."""
    _digest: bytes | None = None

    @classmethod
    def at_start(cls, genesis: Genesis) -> RefereeFeed:
        return cls(Game(genesis.charter.setup()), Slots.at_genesis(genesis))

    def fork(self) -> RefereeFeed:
        """An independent copy in the same state."""
        return replace(
            self, game=self.game.fork(), slots=self.slots.fork(), shares=list(self.shares)
        )

    def position_digest(self) -> bytes:
        """The digest of the position, worked out once for each node of the referee."""
        if self._digest is None:
            self._digest = self.game.digest()
        return self._digest

    # -- one entry -----------------------------------------------------------------------

    def submit_answer(self, entry: Entry, answering: Answering) -> list[Event]:
        """Gives the referee the answer of a solo entry. Raises Cheat."""
        answer, secret = answering.answer, answering.secret
        if isinstance(answer, BuyTop):
            self._check_top_card(entry, answer.card, secret)
        elif isinstance(answer, Peek) and (secret is None) != (self.slots.half_open is None):
            raise cheat_shown_by(entry, CheatKind.BAD_ENTRY, "the key of a look")
        try:
            return self._submit(Answered(entry.seat, answer))
        except IllegalAction as fault:
            raise cheat_shown_by(entry, CheatKind.ILLEGAL_MOVE, str(fault)) from fault

    def _check_top_card(self, entry: Entry, card: int, withheld: bytes | None) -> None:
        """The opening in the entry must open the half-open slot and give the named card. The
        referee does not know the card, so it cannot refuse another one itself."""
        held = self.slots.half_open
        if held is None or withheld is None:
            raise cheat_shown_by(entry, CheatKind.ILLEGAL_MOVE, str(Reason.NOT_SEEN))
        if not self.slots.opens_top(withheld):
            raise cheat_shown_by(entry, CheatKind.WRONG_OPENING, f"cards slot {held.slot}")
        if held.card(self.slots.game, withheld) != card:
            raise cheat_shown_by(entry, CheatKind.ILLEGAL_MOVE, "not the top card")

    def submit_share(self, entry: Entry, step: Sharing, share: Share) -> list[Event]:
        """Lets the taker look. Only the taker can open the share, so a wrong one is found out by
        a blame (`judge_blame`), not here. Raises Cheat."""
        if share.slot != step.slot:
            raise cheat_shown_by(entry, CheatKind.BAD_ENTRY, "a share of another slot")
        self.shares.append((entry, step))
        return self._submit(Looked(step.slot, step.taker))

    def check_opening(self, entry: Entry, step: Gather, opening: Opening) -> None:
        """Raises Cheat, or Differs if its digest of the position is not ours."""
        try:
            self.slots.check_opening(step.plan, entry.seat, opening)
        except WrongContribution as fault:
            raise cheat_shown_by(entry, fault.kind, fault.detail) from fault
        if (opening.position is not None) != self.position_due:
            raise cheat_shown_by(entry, CheatKind.BAD_ENTRY, "the digest of the position")
        if opening.position is not None and opening.position != self.position_digest():
            raise Differs(entry.seat, entry.height)

    def check_commits(self, entry: Entry, commits: Commits) -> None:
        """Raises Cheat."""
        try:
            self.slots.check_renewal(entry.seat, commits)
        except WrongContribution as fault:
            raise cheat_shown_by(entry, fault.kind, fault.detail) from fault

    def judge_blame(self, blame: Entry) -> Cheat | None:
        """The cheat that a blame shows; None if no such share was given."""
        return judge_blame(self.slots, self.shares, blame)

    # -- a step that closes --------------------------------------------------------------

    def close_gather(
        self, plan: GatherPlan, head: bytes, gathered: Mapping[Seat, Entry], left: tuple[Seat, ...]
    ) -> tuple[list[Event], Seat | None]:
        """What a complete gather gives: the events, and the seat that may look at the top card
        now, if any. `left`: the seats of the gather that have left; then nothing is drawn, as
        their contributions will never come, and the referee says what is owed next."""
        openings = {seat: _opening_of(entry) for seat, entry in gathered.items()}
        chance, looker = self.game.pending, None
        assert isinstance(chance, Chance)
        # A turn that ended before this gather is settled by its openings; one that it ends itself
        # is due in the next gather.
        self.position_due = False
        if left:
            self.slots.burn_slots(plan, openings)
            events = self.put_out(left)
        elif chance.kind is LOOK:
            looker = chance.seat
            assert looker is not None
            slot = self.slots.open_for_looker(plan, head, openings, chance)
            events = self._submit(Looked(slot, looker))
        else:
            events = self._submit(Drawn(self.slots.draw_outcome(plan, head, openings, chance)))
        return events, looker

    def close_renewal(self, gathered: Mapping[Seat, Entry], left: tuple[Seat, ...]) -> list[Event]:
        """A renewal gives the referee nothing but the seats that have left."""
        self.slots.record_renewal({s: _commits_of(entry) for s, entry in gathered.items()})
        self.given = None
        return self.put_out(left) if left else []

    def put_out(self, seats: tuple[Seat, ...]) -> list[Event]:
        """These seats have left or are dropped."""
        return self._submit(Out(seats))

    def _submit(self, given: Input) -> list[Event]:
        events = self.game.submit(given)
        self.given, self._digest = given, None
        for event in events:
            if isinstance(event, TurnEnded):
                self.position_due = True
            elif isinstance(event, TurnStarted):
                self.turns += 1
        if self.slots.half_open is not None and not self.game.state.seen_by:
            self.slots.half_open = None  # bought, drawn, or its owner is gone: burnt
        return events


def _commits_of(entry: Entry) -> Commits:
    assert isinstance(entry.payload, Commits)
    return entry.payload


def _opening_of(entry: Entry) -> Opening:
    assert isinstance(entry.payload, Opening)
    return entry.payload
