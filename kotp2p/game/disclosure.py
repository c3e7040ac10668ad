"""The second look: a sealed share, and which seat is wrong if it does not open (PROTOCOL.md 8).

Scope: opening a share, blaming it, and judging the blame.
Not here: when a share is owed (`steps`), and the keys of this seat (`kotp2p.peer.secrets`).
"""

from __future__ import annotations

from collections.abc import Sequence

from kotp2p.game.refusals import Cheat
from kotp2p.game.slots import Slots
from kotp2p.game.steps import Sharing
from kotp2p.wire.commitments import Stream
from kotp2p.wire.crypto import Signer, exchange_public_key, unseal
from kotp2p.wire.encoding import BadBytes, pack
from kotp2p.wire.entries import Blame, Entry, Share
from kotp2p.wire.proofs import CheatKind


def share_context(game: bytes, height: int, step: Sharing) -> bytes:
    """What a sealed share is bound to."""
    return pack((game, height, step.slot, step.seat, step.taker))


def open_share(slots: Slots, share: Entry, step: Sharing, secret: bytes) -> bytes | None:
    """The contribution in a share, opened with the taker's secret; None if it is a wrong one."""
    assert isinstance(share.payload, Share)
    context = share_context(share.game, share.height, step)
    try:
        c = unseal(secret, share.payload.sender, share.payload.sealed, context)
    except BadBytes:
        return None
    return c if slots.commits_to(Stream.CARDS, step.seat, step.slot, c) else None


def sign_blame(signer: Signer, share: Entry, step: Sharing, secret: bytes) -> Entry:
    """The blame of a share by its taker. It names the share by its id, which is the head behind it:
    a cheat may have signed two shares, and others may have taken another one."""
    place = share.game, share.view, share.height + 1, share.id
    return Entry.sign(signer, *place, step.taker, Blame(step.slot, secret))


def judge_blame(
    slots: Slots, shares: Sequence[tuple[Entry, Sharing]], blame: Entry
) -> Cheat | None:
    """A taker says that a share was wrong. Its secret key, now public, shows which of the two has
    cheated. A secret of another key than the share was sealed for would open no share, so it
    accuses the taker itself.

    None if no such share has been given.
    """
    assert isinstance(blame.payload, Blame)
    for share, step in shares:
        if share.id == blame.prev and step.taker == blame.seat:
            secret = blame.payload.secret
            if exchange_public_key(secret) != step.key or open_share(slots, share, step, secret):
                return Cheat(
                    blame.seat,
                    CheatKind.WRONG_SHARE,
                    blame.height,
                    "accused falsely",
                    blame.signed,
                )
            return Cheat(
                share.seat,
                CheatKind.WRONG_SHARE,
                share.height,
                f"cards slot {step.slot}",
                share.signed,
                blame.signed,
            )
    return None
