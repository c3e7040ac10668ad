"""Entries that come before their place is reached."""

from dataclasses import replace

from kotp2p.game.ledger import Ledger
from kotp2p.mesh.gossip import MAX_EARLY_ENTRIES, MAX_HEIGHTS_AHEAD, EarlyEntries
from kotp2p.referee.model.answers import Answer, Keep, Stop
from kotp2p.wire.entries import Answering, Entry
from kotp2p.wire.lineups import CheatKind
from tests.support.five_players import SIGNERS, genesis, owes


def entry_at(height: int, answer: Answer | None = None, attempt: int = 0, seat: int = 1) -> Entry:
    """What `seat` signs ahead of the others, on a past of its own."""
    load = Answering(Stop() if answer is None else answer, None)
    return Entry.sign(SIGNERS[seat], attempt, height, bytes(32), seat, load)


def heights(early: EarlyEntries) -> list[int]:
    return [place[1] for place in early._kept]


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


def test_a_seat_keeps_its_first_entries_and_no_more_than_its_places() -> None:
    early = EarlyEntries(Ledger(genesis()))
    for height in range(1, MAX_EARLY_ENTRIES + 2):
        assert early.keep_entry(entry_at(height)) is None
    assert heights(early) == list(range(1, MAX_EARLY_ENTRIES + 1))
    fault = early.keep_entry(entry_at(MAX_EARLY_ENTRIES, Keep()))
    assert fault is not None  # what is kept still proves a cheat
    assert early.keep_entry(entry_at(MAX_EARLY_ENTRIES + 1, Keep())) is None


def test_a_keeper_that_signs_in_many_attempts_takes_no_place_from_another_one() -> None:
    early = EarlyEntries(Ledger(genesis()))
    for attempt in range(1, 200):
        assert early.keep_entry(entry_at(1, attempt=attempt)) is None
    assert len(early._kept) == MAX_EARLY_ENTRIES
    early.keep_entry(entry_at(1, seat=2))
    assert len(early._kept) == MAX_EARLY_ENTRIES + 1


def test_what_no_keeper_has_signed_takes_no_place() -> None:
    early, entry = EarlyEntries(Ledger(genesis())), entry_at(1)
    forged = replace(entry, signed=entry.signed._replace(signature=bytes(64)))
    assert early.keep_entry(forged) is None
    assert not early._kept


def test_a_place_is_free_again_once_its_entry_is_due() -> None:
    ledger = Ledger(genesis())
    early = EarlyEntries(ledger)
    for height in range(1, MAX_EARLY_ENTRIES + 1):
        early.keep_entry(entry_at(height))
    for seat in range(len(SIGNERS)):
        ledger.accept_entry(owes(ledger, seat))
    assert early.pop_due_entry() == entry_at(1)
    early.keep_entry(entry_at(MAX_EARLY_ENTRIES + 1))
    assert heights(early) == list(range(2, MAX_EARLY_ENTRIES + 2))


def test_entries_come_out_in_the_order_of_the_game() -> None:
    ledger = Ledger(genesis())
    early = EarlyEntries(ledger)
    for seat in (2, 1):
        early.keep_entry(entry_at(1, seat=seat))
    for seat in range(len(SIGNERS)):
        ledger.accept_entry(owes(ledger, seat))
    found = [early.pop_due_entry() for _ in range(3)]
    assert [entry and entry.seat for entry in found] == [1, 2, None]
