"""The laws of the votes find what they are to find: a seat is led to where it breaks one."""

from __future__ import annotations

import pytest

from kotp2p.game.steps import Solo
from kotp2p.peer.peer import Peer
from kotp2p.votes.stances import Stance
from kotp2p.votes.voting import Voting
from referee.model.answers import Seat
from tests.support import held_up
from tests.support.five_players import SEEDS, SIGNERS, drop, genesis, owes
from tests.support.stance_walks import (
    GONE,
    ME,
    OTHER,
    STATES,
    learn_proof,
    leave,
    stance,
    there,
)
from tests.tools.sim.stances import stances_of
from tests.tools.sim.vote_laws import VoteLaws


class Watched:
    """A seat in some stance, and the numbers of the laws that it has broken since."""

    def __init__(self, begins: Stance = Stance.FREE, seat: Seat = ME) -> None:
        self.broken: list[str] = []
        self.laws = VoteLaws(lambda number, words: self.broken.append(number))
        self.peer = Peer(genesis(), seat, SIGNERS[seat], SEEDS[seat])
        self.voting: Voting = self.peer._voting
        STATES[begins](self.voting)
        self.laws.steps(self.peer)


@pytest.mark.parametrize("begins", Stance)
def test_the_laws_find_the_stance_that_the_program_finds(begins: Stance) -> None:
    watched = Watched(begins)
    assert stance(watched.voting) is begins
    assert set(stances_of(watched.peer).values()) == {begins} - {Stance.FREE}


def test_a_locked_seat_that_takes_an_entry_of_the_accused_breaks_a_law() -> None:
    watched = Watched(Stance.LOCKED)
    watched.peer.ledger.accept_entry(owes(there(), GONE))
    watched.laws.steps(watched.peer)
    assert watched.broken == ["I13"]


def test_a_seat_that_votes_changes_its_stance_by_the_law() -> None:
    watched = Watched(Stance.HOLDING)
    learn_proof(watched.voting, GONE)
    watched.laws.steps(watched.peer)
    assert watched.broken == []


def test_an_objection_that_is_forgotten_breaks_a_law() -> None:
    watched = Watched(Stance.HOLDING)
    watched.voting.locks.objected.clear()
    watched.laws.steps(watched.peer)
    assert watched.broken == ["I13"]


def test_a_blocked_seat_that_takes_an_entry_breaks_a_law() -> None:
    watched = Watched(Stance.BLOCKED)
    watched.peer.ledger.accept_entry(owes(there(), OTHER))
    watched.laws.steps(watched.peer)
    assert watched.broken == ["I14"]


def blocked_behind_a_fork(*, lacks_cheats_alone: bool) -> Watched:
    """It is asked for a decision."""
    watched = Watched(seat=held_up.ASKED)
    ledger = watched.peer.ledger
    while ledger.height <= held_up.FORK:
        for seat in ledger.owing_seats():
            ledger.accept_entry(owes(ledger, seat))
    held_up.learn_of_fork(watched.voting)
    if lacks_cheats_alone:
        held_up.learn_of_offence(watched.voting)
    watched.laws.steps(watched.peer)
    assert watched.broken == []
    return watched


def sign_and_take(watched: Watched) -> None:
    ledger = watched.peer.ledger
    watched.laws.i14_signs_entry(watched.peer)
    ledger.accept_entry(owes(ledger, ledger.owing_seats()[0]))
    watched.laws.steps(watched.peer)


def test_a_blocked_seat_that_lacks_an_honest_vote_and_goes_on_breaks_a_law() -> None:
    watched = blocked_behind_a_fork(lacks_cheats_alone=False)
    sign_and_take(watched)
    assert watched.broken == ["I14", "I14"]


def test_a_blocked_seat_that_lacks_cheats_alone_breaks_a_law_at_a_gather_only() -> None:
    watched = blocked_behind_a_fork(lacks_cheats_alone=True)
    while isinstance(watched.peer.ledger.step, Solo):
        sign_and_take(watched)
    assert watched.broken == []
    sign_and_take(watched)
    assert watched.broken == ["I14", "I14"]


@pytest.mark.parametrize("begins", Stance)
def test_only_a_blocked_or_a_pledged_seat_that_signs_an_entry_breaks_a_law(begins: Stance) -> None:
    watched = Watched(begins)
    watched.laws.i14_signs_entry(watched.peer)
    assert watched.broken == ["I14"] * (begins in (Stance.BLOCKED, Stance.PLEDGED))


@pytest.mark.parametrize("begins", Stance)
def test_only_a_pledged_seat_that_signs_the_end_breaks_a_law(begins: Stance) -> None:
    watched = Watched(begins)
    watched.laws.i14_signs_end(watched.peer)
    assert watched.broken == ["I14"] * (begins is Stance.PLEDGED)


def test_a_vote_against_a_seat_that_was_objected_for_breaks_laws() -> None:
    watched = Watched(Stance.HOLDING)
    ((_, height, kept),) = watched.voting.locks.objected
    ground = watched.laws.ground_for(watched.peer, height, (kept,), 0.0)
    watched.laws.signs_drop(watched.peer, drop(there(), ME, (kept,), 1), ground)
    assert watched.broken[0] == "I14"
    assert set(watched.broken) == {"I14", "I15"}  # and no player has said so


def test_a_farewell_that_is_forgotten_breaks_a_law() -> None:
    watched = Watched()
    leave(watched.voting, GONE)
    watched.laws.steps(watched.peer)
    assert watched.broken == []
    del watched.peer.ledger.farewells[GONE]
    watched.laws.steps(watched.peer)
    assert watched.broken == ["I16"]


def test_a_seat_that_goes_on_behind_a_sealed_end_breaks_a_law() -> None:
    watched = Watched(Stance.PLEDGED)
    watched.laws.sealed = 0
    watched.laws.steps(watched.peer)
    assert watched.broken == ["I16"]
