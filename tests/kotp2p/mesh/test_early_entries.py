"""Entries that come before their place is reached."""

from __future__ import annotations

from kotp2p.game.ledger import Ledger
from kotp2p.mesh.early_entries import MAX_HEIGHTS_AHEAD, EarlyEntries
from kotp2p.wire.entries import Answering, Entry
from kotp2p.wire.proofs import CheatKind
from referee.model.answers import Answer, Keep, Stop
from tests.support.five_players import SIGNERS, genesis, owes


def entry_at(height: int, answer: Answer | None = None, view: int = 0, seat: int = 1) -> Entry:
    """What `seat` signs ahead of the others, on a past of its own."""
    load = Answering(Stop() if answer is None else answer, None)
    return Entry.sign(SIGNERS[seat], genesis().id, view, height, bytes(32), seat, load)


def test_an_entry_waits_until_its_height_is_reached() -> None:
    ledger = Ledger(genesis())
    early, entry = EarlyEntries(ledger), entry_at(1)
    assert early.keep_entry(entry) is None
    assert early.pop_due_entry() is None
    for seat in range(len(SIGNERS)):
        ledger.accept_entry(owes(ledger, seat))
    assert ledger.height == 1
    assert early.pop_due_entry() == entry
    assert early.pop_due_entry() is None


def test_two_entries_for_one_place_prove_a_cheat_before_it_is_reached() -> None:
    early = EarlyEntries(Ledger(genesis()))
    assert early.keep_entry(entry_at(5)) is None
    assert early.keep_entry(entry_at(5)) is None  # the same one again
    fault = early.keep_entry(entry_at(5, Keep()))
    assert fault is not None
    assert (fault.kind, fault.seat) == (CheatKind.EQUIVOCATION, 1)


def test_an_entry_far_ahead_is_not_kept() -> None:
    early = EarlyEntries(Ledger(genesis()))
    early.keep_entry(entry_at(MAX_HEIGHTS_AHEAD))
    early.keep_entry(entry_at(MAX_HEIGHTS_AHEAD + 1))
    assert len(early._kept) == 1
