"""A player whose monster is out has no vote: nobody needs it, and nobody waits for it."""

from __future__ import annotations

from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Solo
from kotp2p.votes.locks import VoteLocks
from kotp2p.wire.farewells import Farewell
from referee.model.answers import Seat
from tests.support.five_players import (
    PEOPLE,
    SIGNERS,
    accuse,
    at_a_decision,
    count,
    drop,
    genesis,
    owes,
)


def after_one_is_out() -> tuple[Ledger, Seat, Seat]:
    """An answer is asked of one player, after another one has left: the fallen, and the asked."""
    ledger, fallen = at_a_decision()
    ledger.accept_farewell(Farewell.sign(SIGNERS[fallen], genesis().id, fallen, *ledger.place))
    while not isinstance(ledger.step, Solo):
        for seat in ledger.owing_seats():
            ledger.accept_entry(owes(ledger, seat))
    return ledger, fallen, ledger.step.seat


def voters_of(*out: Seat) -> list[Seat]:
    return [seat for seat in range(PEOPLE) if seat not in out]


def test_a_voter_waits_for_the_living_only() -> None:
    ledger, fallen, asked = after_one_is_out()
    me, *rest = voters_of(fallen, asked)
    vote = accuse(ledger, me, (asked,), ())
    count(ledger, vote)
    assert VoteLocks(ledger, me).shown.keepers_waited_for(vote) == {*rest}


def test_the_living_alone_make_a_certificate() -> None:
    ledger, fallen, asked = after_one_is_out()
    for voter in voters_of(fallen, asked):
        count(ledger, accuse(ledger, voter, (asked,), ()))
    assert ledger.view == 1
    assert asked not in ledger.game.state.seats_alive()


def test_a_vote_of_the_fallen_makes_no_majority() -> None:
    """Two of four living ones are half. With the fallen one they would be three of five."""
    ledger, fallen, asked = after_one_is_out()
    one, other, third = voters_of(fallen, asked)
    for voter in (one, other, fallen):
        count(ledger, accuse(ledger, voter, tuple(sorted((asked, third))), ()))
    assert ledger.view == 0


def test_nobody_follows_the_fallen_to_a_later_round() -> None:
    """One of them that cheats could call each of the others to rounds of its own."""
    ledger, fallen, asked = after_one_is_out()
    me, *_ = voters_of(fallen, asked)
    count(ledger, drop(ledger, fallen, (asked,), 7))
    assert ledger.next_round(me, ledger.height, (asked,)) == 1
    count(ledger, drop(ledger, me, (asked,), 1))
    assert ledger.next_round(me, ledger.height, (asked,)) is None


def test_an_end_is_doubted_because_of_the_living_only() -> None:
    """More than half of the electors of a place may undo an end. The fallen have no vote there."""
    ledger, fallen, _ = after_one_is_out()
    for seat in ledger.owing_seats():
        ledger.accept_entry(owes(ledger, seat))
    assert ledger.electorates()[-1] == {*voters_of(fallen)}
