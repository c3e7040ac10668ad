"""What one seat knows alone, and the entries that follow from it.

Scope: openings, commitments, shares and keys, all derived from the seed of the seat. After a
restart they come out the same (PROTOCOL.md 7.1 and 8).
Not here: when an entry is signed (`kotp2p.peer.peer`), and how the contributions of all seats
become dice and cards (`kotp2p.game.slots`).
"""

from __future__ import annotations

from dataclasses import dataclass

from kotp2p.game.disclosure import open_share, share_context, sign_blame
from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Gather, Renewal, Sharing
from kotp2p.wire.commitments import (
    CARD_WINDOW,
    DICE_WINDOW,
    WINDOW,
    Stream,
    contribution,
    own_commitment,
)
from kotp2p.wire.crypto import Signer, Tag, derive, exchange_public_key, seal
from kotp2p.wire.entries import Commits, Entry, Opening, Payload, Share
from referee.model.answers import Answer, BuyTop, Item, Peek, Seat


class WrongShare(Exception):
    """The share of a second peek does not open the commitment. `blame` shows that to all."""

    def __init__(self, blame: Entry) -> None:
        super().__init__("a wrong share")
        self.blame = blame


@dataclass(slots=True)
class Secrets:
    ledger: Ledger
    seat: Seat
    signer: Signer
    seed: bytes
    withheld: bytes | None = None
    """The contribution that only the seats know that have peeked, once this seat has."""

    def sign_entry(self, load: Payload) -> Entry:
        """An entry of this seat for the present place."""
        ledger = self.ledger
        return Entry.sign(
            self.signer, ledger.genesis.id, ledger.view, ledger.height, ledger.head, self.seat, load
        )

    def make_opening(self, step: Gather) -> Opening:
        """What this seat owes in a gather: its contributions, and commitments to later ones.

        The seat that peeks withholds its contributions: with all the others they give the card,
        which only it may know.
        """
        plan, held = step.plan, self.ledger.chain.slots.half_open
        fresh = range(plan.first, plan.first + plan.fresh)
        looking = plan.looker == self.seat
        top = None
        if plan.top and held is not None and held.owner == self.seat:
            top = contribution(self.seed, held.origin, Stream.CARDS, held.slot)
        window = WINDOW[plan.stream]
        return Opening(
            plan.stream,
            plan.first,
            tuple(None if looking else self._contribution(plan.stream, s) for s in fresh),
            tuple(self._commitment(plan.stream, s + window) for s in fresh),
            top,
            self.ledger.chain.feed.position_digest()
            if self.ledger.chain.feed.position_due
            else None,
        )

    def make_commits(self, step: Renewal) -> Commits:
        """What this seat owes in the gather that begins a view: new commitments."""

        def window(stream: Stream, first: int, size: int) -> tuple[bytes, ...]:
            return tuple(self._commitment(stream, slot) for slot in range(first, first + size))

        return Commits(
            step.dice,
            window(Stream.DICE, step.dice, DICE_WINDOW),
            step.cards,
            window(Stream.CARDS, step.cards, CARD_WINDOW),
        )

    def make_share(self, step: Sharing) -> Share:
        """The withheld contribution, sealed for another seat that peeks."""
        origin = self._origin_of(step.slot)
        secret = derive(self.seed, Tag.SHARE_KEY, origin, step.slot, step.key)
        c = contribution(self.seed, origin, Stream.CARDS, step.slot)
        context = share_context(self.ledger.genesis.id, self.ledger.height, step)
        return Share(step.slot, exchange_public_key(secret), seal(secret, step.key, c, context))

    def answer_secret(self, answer: Answer) -> bytes | None:
        """What the protocol adds to an answer (PROTOCOL.md 5.3)."""
        held = self.ledger.chain.slots.half_open
        match answer:
            case BuyTop():
                return self.withheld
            case Peek() if held is not None:
                return exchange_public_key(self._peek_secret(held.slot))
            case _:  # every other answer says all by itself
                return None

    def open_top_card(self, share: Entry | None) -> Item | None:
        """The top card, after a peek was granted: a second one by `share`, a first one by the rest.

        None if the slot is gone already. Raises WrongShare.
        """
        held = self.ledger.chain.slots.half_open
        if held is None:
            return None
        if share is None:
            c = contribution(self.seed, held.origin, Stream.CARDS, held.slot)
        else:
            c = self._open_share(share)
        self.withheld = c
        return held.card(self.ledger.genesis.id, c)

    def recall_top_card(self) -> Item | None:
        """After a restart: the top card, if this seat has peeked at it and it is still there.

        Raises WrongShare.
        """
        held = self.ledger.chain.slots.half_open
        if held is None or self.seat not in self.ledger.game.state.seen_by:
            return None
        if held.owner == self.seat:
            return self.open_top_card(None)
        shares = [e for e, step in self.ledger.chain.feed.shares if step.taker == self.seat]
        return self.open_top_card(shares[-1])

    def _open_share(self, share: Entry) -> bytes:
        step = next(step for entry, step in self.ledger.chain.feed.shares if entry is share)
        secret = self._peek_secret(step.slot)
        c = open_share(self.ledger.chain.slots, share, step, secret)
        if c is None:
            raise WrongShare(sign_blame(self.signer, share, step, secret))
        return c

    def _peek_secret(self, slot: int) -> bytes:
        return derive(self.seed, Tag.LOOK_KEY, self._origin_of(slot), slot)

    def _origin_of(self, slot: int) -> bytes:
        """The origin of the view in which a card slot was committed to.

        A half-open slot may be older than the present view.
        """
        slots = self.ledger.chain.slots
        held = slots.half_open
        return held.origin if held is not None and held.slot == slot else slots.origin

    def _contribution(self, stream: Stream, slot: int) -> bytes:
        return contribution(self.seed, self.ledger.chain.slots.origin, stream, slot)

    def _commitment(self, stream: Stream, slot: int) -> bytes:
        slots = self.ledger.chain.slots
        return own_commitment(self.seed, slots.table, slots.origin, stream, self.seat, slot)
