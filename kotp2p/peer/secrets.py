"""What one keeper knows alone, and the entries that follow from it.

Scope: openings, commitments, shares and keys, all derived from the seed of the keeper. After a
restart they come out the same (PROTOCOL.md 7.1 and 8).
Not here: when an entry is signed (`kotp2p.peer.duties`), and how the contributions of all keepers
become dice and cards (`kotp2p.game.slots`).
"""

from __future__ import annotations

from dataclasses import dataclass

from kotp2p.game.ledger import Ledger
from kotp2p.game.referee_feed import GivenShare, open_share, share_context, sign_blame
from kotp2p.game.slots import HalfOpen
from kotp2p.game.steps import Gather, Sharing
from kotp2p.referee.model.answers import Answer, BuyTop, Item, Peek, Seat
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
from kotp2p.wire.entries import Entry, Opening, Payload, Rows, Share


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
        chain = self.ledger.chain
        attempt = chain.starts[-1].attempt
        return Entry.sign(self.signer, attempt, chain.height, chain.head, seat, load)

    def make_opening(self, step: Gather) -> Opening:
        """Return what this keeper owes in a gather: its contributions, and commitments to later
        ones.

        The keeper whose seat looks withholds its contributions: with all the others they give the
        card, which only it may know.
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

        Raises WrongShare.
        """
        held = self.ledger.chain.slots.half_open
        if held is None or seat not in self.ledger.game.state.seen_by:
            return None
        c = self._find_withheld(held, seat)
        return None if c is None else held.card(self.ledger.genesis.id, c)

    def _find_withheld(self, held: HalfOpen, seat: Seat) -> bytes | None:
        """Return the contribution that the owner of the half-open slot withholds: this keeper, or
        another one that has shared it with a seat of this keeper."""
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
        """Return the origin of a card slot. A half-open slot may be older than the others."""
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
