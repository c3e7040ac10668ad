"""What a seat that is back has promised: it works its objections out anew from the votes."""

from __future__ import annotations

import pytest

from kotp2p.game.ledger import Ledger
from kotp2p.votes import held_entries
from kotp2p.votes.locks import VoteLocks
from kotp2p.votes.stances import Act
from kotp2p.wire.entries import Entry
from referee.model.answers import Seat
from tests.support.five_players import SIGNERS, at_a_decision, drop, genesis, others, owes, sitting


def taken_after_a_vote(own: str) -> tuple[Ledger, list[Seat], tuple[int, int, Seat]]:
    """Seat by seat: this one, the voter, the accused. The accused has answered after the vote.
    `own`: whom this seat has voted against at that place."""
    ledger, accused = at_a_decision()
    me, voter, third = others(accused)[:3]
    place = ledger.place
    ledger.accept_vote(drop(ledger, voter, (accused,), 1))
    if own:
        ledger.accept_vote(drop(ledger, me, (accused if own == "accused" else third,), 1))
    ledger.accept_entry(owes(ledger, accused))
    return ledger, [me, voter, accused], (*place, accused)


@pytest.mark.parametrize(("own", "objects"), [("", True), ("third", True), ("accused", False)])
def test_it_objects_to_votes_against_seats_that_it_has_kept(own: str, objects: bool) -> None:
    ledger, (me, _, _), kept = taken_after_a_vote(own)
    assert sitting(ledger, me).locks.objected == ({kept} if objects else set())


def test_neither_the_voter_nor_the_accused_objects() -> None:
    ledger, (_, voter, accused), _ = taken_after_a_vote("")
    for seat in (voter, accused):
        assert sitting(ledger, seat).locks.objected == set()


def test_few_entries_are_held_back_for_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held_entries, "MAX_KEPT_ENTRIES", 2)
    ledger, asked = at_a_decision()
    me, *authors = others(asked)
    voting = sitting(ledger, me)
    monkeypatch.setattr(VoteLocks, "forbids", lambda _, act: act is Act.TAKE_ENTRY)
    answer = owes(ledger, asked).payload
    for seat in authors:
        entry = Entry.sign(SIGNERS[seat], genesis().id, *ledger.place, ledger.head, seat, answer)
        assert voting.held_entries.hold_back(entry)
    assert len(authors) > len(voting.held_entries._entries) == 2
