"""The referee of a line of play, fed with what closed steps give it (PROTOCOL.md 5.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from kotp2p.game import steps
from kotp2p.game.steps import Cheat, Slots, cheat_shown_by
from kotp2p.referee.game import Game
from kotp2p.referee.model import answers
from kotp2p.referee.model.answers import Seat
from kotp2p.referee.model.decisions import LOOK, Chance
from kotp2p.referee.model.events import Event, TurnEnded, TurnStarted
from kotp2p.wire.crypto import Signer, Stream, exchange_public_key, unseal
from kotp2p.wire.encoding import BadBytes, pack
from kotp2p.wire.entries import Answering, Blame, Entry, Opening, Rows, Share
from kotp2p.wire.genesis import Genesis
from kotp2p.wire.lineups import CheatKind

# -- the second look: a sealed share, and who is wrong if it does not open -----------------


@dataclass(frozen=True, slots=True)
class GivenShare:
    """A share that was given, with the step that it answered."""

    entry: Entry
    step: steps.Sharing
    owner: Seat
    taker: Seat


def share_context(game: bytes, height: int, step: steps.Sharing) -> bytes:
    return pack((game, height, step.slot, step.seat, step.taker))


def open_share(slots: Slots, given: GivenShare, secret: bytes) -> bytes | None:
    """Return the contribution in a share, opened with the taker's secret; None if it is wrong."""
    share, step = given.entry.payload, given.step
    assert isinstance(share, Share)
    context = share_context(slots.game, given.entry.height, step)
    try:
        c = unseal(secret, share.sender, share.sealed, context)
    except BadBytes:
        return None
    return c if slots.commits_to(Stream.CARDS, given.owner, step.slot, c) else None


def sign_blame(signer: Signer, given: GivenShare, secret: bytes) -> Entry:
    """Sign the blame of a share by its taker."""
    # The id of the share tells it from a second one that a cheat may have signed for others.
    share = given.entry
    place = share.attempt, share.height + 1, share.id
    return Entry.sign(signer, *place, given.step.taker, Blame(secret))


def judge_blame(slots: Slots, shares: Sequence[GivenShare], blame: Entry) -> Cheat | None:
    """Return the cheat that a blame shows: a taker's statement that a share was wrong.

    The secret key, now public, shows which of the two keepers has cheated. A secret of another key
    than the share was sealed for would open no share, so it accuses the taker itself. Return None
    if no such share has been given.
    """
    assert isinstance(blame.payload, Blame)
    secret = blame.payload.secret
    for given in shares:
        share, step = given.entry, given.step
        if share.id != blame.prev or step.taker != blame.seat:
            continue
        if exchange_public_key(secret) != step.key or open_share(slots, given, secret):
            kind, why = CheatKind.WRONG_SHARE, "accused falsely"
            return Cheat(given.taker, kind, blame.height, why, blame.signed)
        why = f"cards slot {step.slot}"
        bodies = (share.signed, blame.signed)
        return Cheat(given.owner, CheatKind.WRONG_SHARE, share.height, why, *bodies)
    return None


# -- the feed ------------------------------------------------------------------------------
#
# Every check comes before any change: an entry that is refused leaves all of this as it was. That
# is why the checks of a gather (one for each entry) and its outcome (once, when all have come)
# are separate methods.


@dataclass(slots=True)
class RefereeFeed:
    game: Game
    slots: Slots
    turns: int = 0
    position_due: bool = False
    """A turn has ended: the openings of the next gather carry the digest of the position. A
    line-up has that digest itself."""
    shares: list[GivenShare] = field(default_factory=list)
    """The shares that were given. A blame may come much later."""
    given: answers.Input | None = None
    """What the step that has closed last has given the referee; None: nothing."""
    _digest: bytes | None = None

    @classmethod
    def at_start(cls, genesis: Genesis) -> RefereeFeed:
        return cls(Game(genesis.charter.setup()), Slots.at_genesis(genesis))

    def fork(self) -> RefereeFeed:
        return replace(
            self, game=self.game.fork(), slots=self.slots.fork(), shares=list(self.shares)
        )

    def position_digest(self) -> bytes:
        if self._digest is None:
            self._digest = self.game.digest()
        return self._digest

    # -- one entry -----------------------------------------------------------------------

    def submit_answer(
        self, entry: Entry, answering: Answering, keeper: Seat
    ) -> tuple[list[Event], Seat | None]:
        """Submit an answer; return events, and a seat that may look at once. Raise Cheat."""
        answer, secret, held = answering.answer, answering.secret, self.slots.half_open
        knows = held is not None and held.owner == keeper
        if isinstance(answer, answers.BuyTop):
            self._check_top_card(entry, answer.card, secret, keeper)
        elif isinstance(answer, answers.Peek) and (secret is None) != (held is None or knows):
            raise cheat_shown_by(keeper, entry, CheatKind.BAD_ENTRY, "the key of a look")
        try:
            events = self.submit(answers.Answered(entry.seat, answer))
        except answers.IllegalAction as fault:
            raise cheat_shown_by(keeper, entry, CheatKind.ILLEGAL_MOVE, str(fault)) from fault
        if not (isinstance(answer, answers.Peek) and knows and held is not None):
            return events, None
        return events + self.submit(answers.Looked(held.slot, entry.seat)), entry.seat

    def _check_top_card(
        self, entry: Entry, card: int, withheld: bytes | None, keeper: Seat
    ) -> None:
        """Check that the opening gives the named card, which the referee does not know."""
        held = self.slots.half_open
        if held is None or withheld is None:
            raise cheat_shown_by(
                keeper, entry, CheatKind.ILLEGAL_MOVE, str(answers.Reason.NOT_SEEN)
            )
        if not self.slots.opens_top(withheld):
            detail = f"cards slot {held.slot}"
            raise cheat_shown_by(keeper, entry, CheatKind.WRONG_OPENING, detail)
        if held.card(self.slots.game, withheld) != card:
            raise cheat_shown_by(keeper, entry, CheatKind.ILLEGAL_MOVE, "not the top card")

    def submit_share(
        self, entry: Entry, step: steps.Sharing, keepers: tuple[Seat, Seat]
    ) -> list[Event]:
        """Let the taker look, who alone can open the share (`judge_blame`); return the events."""
        self.shares.append(GivenShare(entry, step, *keepers))
        return self.submit(answers.Looked(step.slot, step.taker))

    def check_opening(self, entry: Entry, step: steps.Gather, opening: Opening) -> None:
        try:
            self.slots.check_opening(step.plan, entry.seat, opening)
        except steps.WrongContribution as fault:
            raise cheat_shown_by(entry.seat, entry, fault.kind, fault.detail) from fault
        if opening.position != step.position:
            if opening.position is None or step.position is None:
                raise cheat_shown_by(entry.seat, entry, CheatKind.BAD_ENTRY, "the digest")
            raise steps.Differs(f"seat {entry.seat}, height {entry.height}")

    def check_rows(self, entry: Entry, rows: Rows) -> None:
        try:
            self.slots.check_rows(entry.seat, rows)
        except steps.WrongContribution as fault:
            raise cheat_shown_by(entry.seat, entry, fault.kind, fault.detail) from fault

    def judge_blame(self, blame: Entry) -> Cheat | None:
        return judge_blame(self.slots, self.shares, blame)

    # -- a step that closes --------------------------------------------------------------

    def close_gather(
        self, plan: steps.GatherPlan, head: bytes, gathered: Mapping[Seat, Entry]
    ) -> tuple[list[Event], Seat | None]:
        """Return the events of a complete gather, and the seat that may look now."""
        openings = {s: e.payload for s, e in gathered.items() if isinstance(e.payload, Opening)}
        chance, looker = self.game.pending, None
        assert isinstance(chance, Chance)
        if chance.kind is LOOK:
            looker = chance.seat
            assert looker is not None
            slot = self.slots.open_for_looker(plan, head, openings, chance)
            events = self.submit(answers.Looked(slot, looker))
        else:
            events = self.submit(
                answers.Drawn(self.slots.draw_outcome(plan, head, openings, chance))
            )
        return events, looker

    def record_rows(self, gathered: Mapping[Seat, Entry]) -> None:
        rows = {s: e.payload for s, e in gathered.items() if isinstance(e.payload, Rows)}
        self.slots.record_rows(rows)
        self.given = None

    def submit(self, given: answers.Input) -> list[Event]:
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
