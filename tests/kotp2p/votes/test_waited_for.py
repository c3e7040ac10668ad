"""No objection to a vote while one of its accused is waited for: the step may need a vote about all
of them (PROTOCOL.md 9.2 R21)."""

from __future__ import annotations

from kotp2p.game.steps import Gather
from kotp2p.votes.voting import Voting
from kotp2p.wire.intents import IntentKind
from referee.model.answers import Seat
from tests.support.five_players import (
    answers_of,
    at_a_decision,
    count,
    drop,
    linked,
    owes,
    sitting,
    tell,
)
from tests.support.stance_walks import open_agreed_vote


def in_a_gather() -> tuple[Voting, Seat, Seat, Seat]:
    """The entry of a keeper has come here, that of its bot has come to no copy. This seat, another
    one, the keeper and the bot."""
    ledger, _ = at_a_decision()
    while not isinstance(ledger.step, Gather):
        for seat in ledger.owing_seats():
            ledger.accept_entry(owes(ledger, seat))
    me, other, keeper, bot = range(4)
    ledger.accept_entry(owes(ledger, keeper))
    return linked(ledger, me, other), other, keeper, bot


def test_a_seat_objects_for_none_of_the_accused_while_one_of_them_is_waited_for() -> None:
    """Whether its player wants them out or not: that one may never come."""
    voting, other, keeper, bot = in_a_gather()
    accused = (keeper, bot)
    voting.intents.open_vote = accused
    voting.intents.declare_intent(IntentKind.DROP, accused, 0.0)
    tell(voting, other, drop(voting.ledger, other, accused, 1))
    voting.intents.declare_intent(IntentKind.WAIT, (), 1.0)
    voting.intents.open_vote = ()
    voting.objections.answer_votes()
    assert answers_of(voting) == []
    open_agreed_vote(voting, *accused)
    assert voting.sign_agreed_drop() is not None
    voting.objections.answer_votes()
    assert answers_of(voting) == []


def test_a_seat_objects_once_nobody_of_the_accused_is_waited_for() -> None:
    voting, other, keeper, bot = in_a_gather()
    voting.intents.declare_intent(IntentKind.DROP, (keeper, bot), 0.0)
    tell(voting, other, drop(voting.ledger, other, (keeper, bot), 1))
    voting.objections.answer_votes()
    assert answers_of(voting) == []
    voting.ledger.accept_entry(owes(voting.ledger, bot))
    voting.objections.answer_votes()
    assert {held.seats for held in answers_of(voting)} == {(keeper, bot)}


def test_a_seat_objects_for_none_of_the_open_vote() -> None:
    """The keeper is away, too: to go on without the bot of another needs its vote, or one about
    both."""
    voting, other, keeper, bot = in_a_gather()
    voting.intents.declare_intent(IntentKind.DROP, (keeper,), 0.0)
    voting.intents.open_vote = (keeper, bot)
    tell(voting, other, drop(voting.ledger, other, (keeper,), 1))
    voting.objections.answer_votes()
    assert answers_of(voting) == []
    voting.intents.open_vote = ()
    voting.objections.answer_votes()
    assert {held.seats for held in answers_of(voting)} == {(keeper,)}


def test_a_seat_that_comes_back_has_objected_for_nobody_while_one_is_waited_for() -> None:
    voting, other, keeper, bot = in_a_gather()
    ledger = voting.ledger
    count(ledger, drop(ledger, other, (keeper, bot), 1))
    back = sitting(ledger, voting.seat)
    assert back.locks.objected == set()
    ledger.accept_entry(owes(ledger, bot))
    back = sitting(ledger, voting.seat)
    assert {seat for *_place, seat in back.locks.objected} == {keeper, bot}
