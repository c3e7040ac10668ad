"""The second look: a sealed share, and which seat is wrong if it does not open (PROTOCOL.md 8).

Scope: opening a share, blaming it, and judging the blame.
Not here: when a share is owed (`steps`), and the keys of this seat (`kotp2p.peer.secrets`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kotp2p.game.refusals import Cheat
from kotp2p.game.slots import Slots
from kotp2p.game.steps import Sharing
from kotp2p.referee.model.answers import Seat
from kotp2p.wire.crypto import Signer, Stream, exchange_public_key, unseal
from kotp2p.wire.encoding import BadBytes, pack
from kotp2p.wire.entries import Blame, Entry, Share
from kotp2p.wire.lineups import CheatKind


@dataclass(frozen=True, slots=True)
class GivenShare:
    """A share that was given, with the step that it answered."""

    entry: Entry
    step: Sharing
    owner: Seat
    """The keeper that has signed it."""
    taker: Seat
    """The keeper that it is sealed for."""


def share_context(game: bytes, height: int, step: Sharing) -> bytes:
    """Return what a sealed share is bound to."""
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
    """Sign the blame of a share by its taker. It names the share by its id, which is the head
    after it: a cheat may have signed two shares, and others may have taken another one."""
    share = given.entry
    place = share.attempt, share.height + 1, share.id
    return Entry.sign(signer, *place, given.step.taker, Blame(secret))


def judge_blame(slots: Slots, shares: Sequence[GivenShare], blame: Entry) -> Cheat | None:
    """Judge a taker's word that a share was wrong.

    The secret key, now public, shows which of the two keepers has cheated. A secret of another key
    than the share was sealed for would open no share, so it accuses the taker itself. None if no
    such share has been given.
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
