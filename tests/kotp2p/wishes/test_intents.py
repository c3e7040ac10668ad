"""Whose intent an open vote needs before a program signs it (PROTOCOL.md 9.2 R15)."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from kotp2p.votes.voting import Voting
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.intents import Intent, IntentKind
from kotp2p.wire.votes import Vote, VoteChoice
from referee.model.answers import Seat
from tests.support.five_players import (
    SIGNERS,
    at_a_decision,
    drop,
    genesis,
    held,
    others,
    owes,
    proof_against,
    sitting,
)


def open_vote_against(*accused: Seat) -> Voting:
    """The vote is open here, at a decision of another seat than the first."""
    ledger, asked = at_a_decision()
    assert asked != 0
    voting = sitting(ledger, 0)
    voting.intents.open_vote = accused
    return voting


def all_say_drop(voting: Voting, seats: Iterable[Seat], accused: tuple[Seat, ...]) -> None:
    place = voting.ledger.place
    for seat in seats:
        word = Intent.sign(SIGNERS[seat], genesis().id, seat, 1, IntentKind.DROP, place, accused)
        voting.intents.newest[seat] = word


def test_a_vote_needs_the_words_of_all_others() -> None:
    voting = open_vote_against(4)
    *some, last = others(4)
    all_say_drop(voting, some, (4,))
    assert not voting.intents.is_agreed()
    all_say_drop(voting, [last], (4,))
    assert voting.intents.is_agreed()


def test_a_farewell_is_as_good_as_a_word() -> None:
    voting = open_vote_against(4)
    *some, last = others(4)
    all_say_drop(voting, some, (4,))
    view, height = voting.ledger.place
    voting.ledger.accept_farewell(
        Farewell.sign(SIGNERS[last], genesis().id, last, view, height + 1)
    )
    assert voting.intents.is_agreed()


def test_a_vote_that_binds_its_keeper_is_as_good_as_a_word() -> None:
    """A machine that comes back after a power failure has its vote, and no longer its wish."""
    voting = open_vote_against(4)
    *some, last = others(4)
    all_say_drop(voting, some, (4,))
    voting.ledger.accept_vote(drop(voting.ledger, last, (4,), 1))
    assert voting.intents.is_agreed()


def test_a_vote_about_other_seats_is_no_word() -> None:
    voting = open_vote_against(4)
    *some, last = others(3, 4)
    all_say_drop(voting, [*some, 3], (4,))
    voting.ledger.accept_vote(drop(voting.ledger, last, (3, 4), 1))
    assert not voting.intents.is_agreed()


def test_a_vote_with_proofs_is_no_word() -> None:
    """A program signs it whatever its player wants."""
    voting = open_vote_against(4)
    *some, last = others(4)
    all_say_drop(voting, some, (4,))
    proof = proof_against(4)
    voting.ledger.accept_proof(proof)
    ledger, place = voting.ledger, voting.ledger.place
    vote = Vote.sign(
        SIGNERS[last], genesis().id, place, ledger.head, last, VoteChoice.DROP, (4,), 1, [proof.id]
    )  # fmt: skip
    ledger.accept_vote(vote)
    assert not voting.intents.is_agreed()


def test_a_vote_that_an_objection_has_ended_is_no_word() -> None:
    voting = open_vote_against(4)
    *some, last = others(4)
    all_say_drop(voting, some, (4,))
    voting.ledger.accept_vote(drop(voting.ledger, last, (4,), 1))
    voting.locks.shown.note_objection(held(voting.ledger, some[-1], 4))
    assert not voting.intents.is_agreed()


def test_a_player_whose_monster_is_out_is_not_asked() -> None:
    """Such a player has no vote either, and may have closed the program."""
    voting = open_vote_against(4)
    *some, fallen = others(4)
    all_say_drop(voting, some, (4,))
    voting.ledger.game.state.monsters[fallen].alive = False
    assert voting.intents.is_agreed()


def test_a_player_whose_monster_is_out_makes_no_majority() -> None:
    voting = open_vote_against(3, 4)
    all_say_drop(voting, others(3, 4), (3, 4))
    assert voting.intents.is_agreed()
    voting.ledger.game.state.monsters[2].alive = False
    assert not voting.intents.is_agreed(), "two of four are half"


def test_a_word_about_other_seats_does_not_count() -> None:
    voting = open_vote_against(4)
    *some, last = others(4)
    all_say_drop(voting, some, (4,))
    all_say_drop(voting, [last], (3, 4))
    assert not voting.intents.is_agreed()


def test_a_word_from_before_the_game_has_moved_does_not_count() -> None:
    voting = open_vote_against(4)
    all_say_drop(voting, others(4), (4,))
    for seat in voting.ledger.owing_seats():
        voting.ledger.accept_entry(owes(voting.ledger, seat))
    assert not voting.intents.is_agreed()


@pytest.mark.parametrize(("accused", "enough"), [((3, 4), True), ((2, 3, 4), False)])
def test_the_players_that_agree_must_be_more_than_half(
    accused: tuple[Seat, ...], enough: bool
) -> None:
    voting = open_vote_against(*accused)
    all_say_drop(voting, others(*accused), accused)
    assert voting.intents.is_agreed() == enough


def test_where_no_vote_is_open_nobody_agrees_to_one() -> None:
    voting = open_vote_against()
    all_say_drop(voting, range(5), ())
    assert not voting.intents.is_agreed()


def test_a_player_wants_the_accused_of_the_open_vote_out_or_nobody() -> None:
    voting = open_vote_against(4)
    assert not voting.intents.wants_drop(0)
    all_say_drop(voting, [0], (3,))
    assert not voting.intents.wants_drop(0)
    all_say_drop(voting, [0], (4,))
    assert voting.intents.wants_drop(0)
    voting.intents.open_vote = ()
    assert not voting.intents.wants_drop(0)


def test_a_wish_for_something_else_is_no_wish_to_go_on_without_a_seat() -> None:
    voting = open_vote_against(4)
    place = voting.ledger.place
    for kind in set(IntentKind) - {IntentKind.DROP}:
        wish = Intent.sign(SIGNERS[1], genesis().id, 1, 1, kind, place, (4,))
        voting.intents.newest[1] = wish
        assert not voting.intents.wants_drop(1)
