"""What one keeper owes the game and what it knows alone: the entries that it signs.

Scope: the entry for the present step, the question to the player of a seat, the reply that is
signed; openings, commitments, shares and keys, all derived from the seed of the keeper.
Not here: whether this keeper may sign now (`kotp2p.peer.peer`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from kotp2p.game.ledger import Ledger
from kotp2p.game.referee_feed import GivenShare, open_share, share_context, sign_blame
from kotp2p.game.slots import HalfOpen
from kotp2p.game.steps import REFUSALS, Committing, Finished, Gather, Moved, OwnFault, Sharing, Solo
from kotp2p.mesh.effects import AskDecision, WithdrawQuestion
from kotp2p.mesh.gossip import Gossip
from kotp2p.referee.model.answers import Answer, BuyTop, Item, Peek, Seat
from kotp2p.referee.model.decisions import Chance, Over
from kotp2p.seams.notices import OwnClock
from kotp2p.wire.crypto import (
    CARD_WINDOW,
    DICE_WINDOW,
    WINDOW,
    Signer,
    Stream,
    Tag,
    contribution,
    derive,
    exchange_public_key,
    own_commitment,
    seal,
)
from kotp2p.wire.entries import Answering, Entry, Opening, Payload, Place, Rows, Share, Witness

# -- duties --------------------------------------------------------------------------------


@dataclass(slots=True)
class OwnTime:
    """The time that the player of the own seat has left, as this process counts it."""

    ledger: Ledger
    _turn: int = -1
    _used: float = 0.0
    _asked_at: float | None = None

    def note_question(self, now: float) -> OwnClock | None:
        """Note that the own seat is asked; return what is left for it if there is a limit."""
        clocks, state = self.ledger.genesis.charter.clocks, self.ledger.game.state
        step = self.ledger.step
        is_own_turn = isinstance(step, Solo) and step.seat == state.active
        if self._turn != self.ledger.chain.turns:
            self._turn, self._used = self.ledger.chain.turns, 0.0
        self._asked_at = now
        limit = clocks.turn if is_own_turn else clocks.reaction
        used = self._used if is_own_turn else 0.0
        return OwnClock(limit - used, limit) if limit else None

    def note_answer(self, now: float) -> None:
        if self._asked_at is not None:
            self._used += now - self._asked_at
            self._asked_at = None


@dataclass(slots=True)
class Duties:
    ledger: Ledger
    gossip: Gossip
    secrets: Secrets
    report: Callable[[Moved], None]
    own_time: OwnTime = field(init=False)
    open_question: tuple[Place, Seat] | None = None
    """The decision that a player of this keeper was asked for last."""
    asked_at: float = 0.0

    def __post_init__(self) -> None:
        self.own_time = OwnTime(self.ledger)

    def sign_step(self, now: float, *, may_open: bool, may_decide: bool) -> bool:
        """Sign what this keeper owes in the present step; return whether the game has moved.

        A decision is put to its player instead: the game moves once the reply has come.
        """
        keeper, ledger = self.secrets.seat, self.ledger
        step = ledger.step
        match step:
            case Solo(seat=seat):
                if ledger.roster.keepers[seat] == keeper and may_decide:
                    self._ask(seat, now)
                return False
            case Sharing(seat=seat):
                if ledger.roster.keepers[seat] != keeper:
                    return False
                self._sign(seat, self.secrets.make_share(step))
                return True
            case Gather() | Committing() | Finished():
                pass
        if keeper in ledger.chain.gathered or keeper not in ledger.chain.starts[-1].asked:
            return False
        match step:
            case Gather() if keeper in step.contributors:
                if not may_open:
                    return False
                self._sign(keeper, self.secrets.make_opening(step))
            case Committing() if keeper in step.contributors:
                self._sign(keeper, self.secrets.make_rows())
            case Finished():
                self._sign(keeper, ledger.chain.build_end())
            case _:  # a gather in which this keeper has no living seat
                self._sign(keeper, Witness())
        return True

    def sign_answer(self, seat: Seat, answer: Answer, now: float) -> None:
        """Sign what the player of a seat has decided."""
        if seat == self.secrets.seat:
            self.own_time.note_answer(now)
        self.open_question = None
        self._sign(seat, Answering(answer, self.secrets.answer_secret(seat, answer)))

    def has_waited(self, seconds: float, now: float) -> bool:
        """Return whether the player of the own seat was asked `seconds` ago or earlier.

        Return False if the player has answered since.
        """
        question = self.open_question
        is_own = question is not None and question[1] == self.secrets.seat
        return is_own and now >= self.asked_at + seconds

    def withdraw_question(self) -> None:
        """Take back the open question, which may be asked again at the same place."""
        if self.open_question is not None:
            self.gossip.effects.append(WithdrawQuestion(self.open_question[1]))
            self.open_question = None

    def _sign(self, seat: Seat, load: Payload) -> None:
        """Sign an entry, and take it like one of another keeper. Raise OwnFault."""
        entry = self.secrets.sign_entry(seat, load)
        try:
            moved = self.ledger.accept_entry(entry)
        except REFUSALS as fault:
            raise OwnFault(f"an entry: {fault}") from fault
        self.gossip.append_record(entry.signed)
        self.gossip.broadcast(entry.signed)
        if moved is not None:
            self.report(moved)

    def _ask(self, seat: Seat, now: float) -> None:
        """Put a decision to the player of a seat, once for each place."""
        place, pending = self.ledger.place, self.ledger.game.pending
        if self.open_question == (place, seat):
            return
        self.open_question, self.asked_at = (place, seat), now
        assert not isinstance(pending, Chance | Over)  # a Solo step is a decision
        if seat == self.secrets.seat:
            clock = self.own_time.note_question(now)
            if clock is not None:
                self.gossip.show(clock)
        self.gossip.effects.append(AskDecision(place, seat, pending))


# -- secrets -------------------------------------------------------------------------------
#
# All follow from the seed of the keeper, so that after a restart they come out the same
# (PROTOCOL.md 7.1 and 8).


class WrongShare(Exception):
    """The share of a second look does not open the commitment. `blame` shows that to all."""

    def __init__(self, blame: Entry) -> None:
        super().__init__("a wrong share")
        self.blame = blame


@dataclass(slots=True)
class Secrets:
    ledger: Ledger
    seat: Seat
    """The keeper."""
    signer: Signer
    seed: bytes

    def sign_entry(self, seat: Seat, load: Payload) -> Entry:
        """Sign an entry for the present place, of a seat of this keeper."""
        chain, attempt = self.ledger.chain, self.ledger.attempt_to_name(self.seat)
        return Entry.sign(self.signer, attempt, chain.height, chain.head, seat, load)

    def make_opening(self, step: Gather) -> Opening:
        """Return what this keeper owes in a gather.

        That is its contributions, and commitments to later ones. The keeper whose seat looks
        withholds its contributions: with all the others they give the card, which only it may know.
        """
        plan, held = step.plan, self.ledger.chain.slots.half_open
        fresh = range(plan.first, plan.first + plan.fresh)
        looking = plan.looker == self.seat
        top = None
        if plan.top and held is not None and held.owner == self.seat:
            top = contribution(self.seed, held.origin, Stream.CARDS, held.slot)
        window = WINDOW[plan.stream]
        return Opening(
            tuple(None if looking else self._contribution(plan.stream, s) for s in fresh),
            tuple(self._commitment(plan.stream, s + window) for s in fresh),
            top,
            step.position,
        )

    def make_rows(self) -> Rows:
        """Return a whole window of commitments to each stream."""
        slots = self.ledger.chain.slots

        def window(stream: Stream, size: int) -> tuple[bytes, ...]:
            first = slots.next_slot[stream]
            return tuple(self._commitment(stream, slot) for slot in range(first, first + size))

        return Rows(window(Stream.DICE, DICE_WINDOW), window(Stream.CARDS, CARD_WINDOW))

    def make_share(self, step: Sharing) -> Share:
        """Return the withheld contribution, sealed for the keeper of another seat that looks."""
        origin = self._origin_of(step.slot)
        secret = derive(self.seed, Tag.SHARE_KEY, origin, step.slot, step.key)
        c = contribution(self.seed, origin, Stream.CARDS, step.slot)
        context = share_context(self.ledger.genesis.id, self.ledger.height, step)
        return Share(exchange_public_key(secret), seal(secret, step.key, c, context))

    def answer_secret(self, seat: Seat, answer: Answer) -> bytes | None:
        """Return what the protocol adds to an answer (PROTOCOL.md 5.3)."""
        held = self.ledger.chain.slots.half_open
        match answer:
            case BuyTop():
                return None if held is None else self._find_withheld(held, seat)
            case Peek() if held is not None and held.owner != self.seat:
                return exchange_public_key(self._look_secret(held.slot))
            case _:  # every other answer says all by itself
                return None

    def find_top_card(self, seat: Seat) -> Item | None:
        """Return the top card, if this seat has looked at it and it is still there.

        Raise WrongShare.
        """
        held = self.ledger.chain.slots.half_open
        if held is None or seat not in self.ledger.game.state.seen_by:
            return None
        c = self._find_withheld(held, seat)
        return None if c is None else held.card(self.ledger.genesis.id, c)

    def _find_withheld(self, held: HalfOpen, seat: Seat) -> bytes | None:
        """Return the contribution that the owner of the half-open slot withholds.

        The owner is this keeper, or another one that has shared it with a seat of this keeper.
        """
        if held.owner == self.seat:
            c = contribution(self.seed, held.origin, Stream.CARDS, held.slot)
            # The seed with which this keeper has committed may be lost.
            return c if self.ledger.chain.slots.opens_top(c) else None
        given = [g for g in self.ledger.chain.feed.shares if g.step.taker == seat]
        return self._open_share(given[-1]) if given else None

    def _open_share(self, given: GivenShare) -> bytes:
        secret = self._look_secret(given.step.slot)
        c = open_share(self.ledger.chain.slots, given, secret)
        if c is None:
            raise WrongShare(sign_blame(self.signer, given, secret))
        return c

    def _look_secret(self, slot: int) -> bytes:
        return derive(self.seed, Tag.LOOK_KEY, self._origin_of(slot), slot)

    def _origin_of(self, slot: int) -> bytes:
        """Return the origin of a card slot; a half-open slot may be older than the others."""
        slots = self.ledger.chain.slots
        held = slots.half_open
        is_held = held is not None and held.slot == slot
        return held.origin if held is not None and is_held else slots.origin_of(self.seat)

    def _contribution(self, stream: Stream, slot: int) -> bytes:
        return contribution(self.seed, self.ledger.chain.slots.origin_of(self.seat), stream, slot)

    def _commitment(self, stream: Stream, slot: int) -> bytes:
        slots = self.ledger.chain.slots
        origin = slots.origin_of(self.seat)
        return own_commitment(self.seed, slots.table, origin, stream, self.seat, slot)
