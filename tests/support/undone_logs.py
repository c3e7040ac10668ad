"""Logs in which votes have undone something, as one peer has written them."""

from __future__ import annotations

from collections.abc import Iterable

from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.records import SALT_BYTES, pack_head, pack_record
from tests.support.five_players import (
    accuse,
    at_a_decision,
    genesis,
    go_beyond,
    others,
    owes,
)


def pack_log(bodies: Iterable[Signed]) -> bytes:
    """The log of the five players with these records behind the genesis."""
    begun = genesis()
    salt = begun.id[:SALT_BYTES]
    first = Signed(BodyKind.GENESIS, begun.body, b"".join(begun.signatures))
    records = enumerate((first, *bodies))
    return pack_head(salt) + b"".join(pack_record(salt, i, signed) for i, signed in records)


def undone_log() -> bytes:
    """An answer came to the writer alone: the others have voted without it, and gone on."""
    before, gone = at_a_decision()
    ledger, _ = at_a_decision()
    written = [*ledger.bodies_since(0), owes(ledger, gone).signed]
    ledger.accept_entry(owes(ledger, gone))
    for voter in others(gone):
        vote = accuse(before, voter, (gone,), ())
        ledger.accept_vote(vote)
        written.append(vote.signed)
    height = ledger.height
    go_beyond(ledger, height)
    return pack_log(dict.fromkeys([*written, *ledger.bodies_since(height)]))


def returned_log() -> bytes:
    """As `undone_log`; then a later round at the place behind that answer wins, so it counts."""
    before, gone = at_a_decision()
    behind, _ = at_a_decision()
    written = [*behind.bodies_since(0), owes(behind, gone).signed]
    behind.accept_entry(owes(behind, gone))
    for voter in others(gone):
        written.append(accuse(before, voter, (gone,), ()).signed)
    for voter in others(gone):
        written.append(accuse(behind, voter, (gone,), (), 2).signed)
    return pack_log(written)
