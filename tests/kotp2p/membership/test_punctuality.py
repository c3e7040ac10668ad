"""Seats that were on time when votes put them out: each reason not to say so."""

from __future__ import annotations

from dataclasses import replace

from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Solo
from kotp2p.membership.punctuality import Punctuality
from kotp2p.mesh.heartbeat import HEARTBEAT_SECONDS
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.genesis import Clocks
from kotp2p.wire.votes import Certificate
from kotp2p.wishes.clocks import VOTE_AFTER_SECONDS, Owing, Place, SeatClocks
from referee.model.answers import Seat
from tests.support.five_players import PEOPLE, SIGNERS, at_a_decision, genesis, others, owes

TURN = 20


class Witness:
    """A seat that does not vote, with its clocks. The accused is asked from `now` on."""

    def __init__(self, *, resumed: bool = False, before: float = 0.0) -> None:
        self.ledger, self.accused = at_a_decision()
        self.seat: Seat = (self.accused + 1) % PEOPLE
        self.voters = tuple(others(self.accused, self.seat))
        self.clocks = SeatClocks(Clocks(turn=TURN, reaction=TURN))
        self.found = Punctuality(self.ledger, self.clocks, self.seat)
        self.now = 0.0
        self.clocks.start(self.now)
        self.found.begin(self.now, resumed=resumed)
        if before:  # at an earlier place
            here, self.found.ledger = self.ledger, Ledger(genesis())
            self.passes(before)
            self.found.ledger = here
        self.passes(0.0)

    def passes(self, seconds: float, gone: tuple[Seat, ...] = (), step: float = 1.0) -> None:
        end = self.now + seconds
        self.clocks.gone_since = dict.fromkeys(gone, self.now)
        while True:
            ledger = self.found.ledger
            active = ledger.game.state.active
            owing = Owing(ledger.place, ledger.owing_seats(), 1, active, ledger is self.ledger)
            self.clocks.update(owing, self.now)
            self.found.update(self.clocks.late_seats(), self.now)
            if self.now >= end:
                break
            self.now = min(end, self.now + step)

    def votes_at(self, place: Place, *voters: Seat) -> Certificate:
        seats = tuple(sorted((self.accused, self.seat)))
        return Certificate(place[0], 1, place[1], seats, voters or self.voters, (), b"")

    def says(self, *convicts: Seat, voters: tuple[Seat, ...] = ()) -> tuple[Seat, ...]:
        return self.found.punctual_among(self.votes_at(self.ledger.place, *voters), convicts)


def test_who_was_neither_late_nor_gone_was_on_time() -> None:
    there = Witness()
    assert there.says() == tuple(sorted((there.accused, there.seat)))
    there.passes(TURN - 1)
    assert there.accused in there.says()


def test_who_was_late_here_was_not_even_if_they_have_answered_since() -> None:
    there = Witness()
    there.passes(TURN + 1)
    assert there.says() == (there.seat,)
    before = there.ledger.place
    there.ledger.accept_entry(owes(there.ledger, there.accused))
    there.passes(1.0)
    assert there.found.punctual_among(there.votes_at(before), ()) == (there.seat,)


def test_who_answered_in_time_was_on_time_where_votes_reach_back_behind_the_answer() -> None:
    there = Witness()
    there.passes(TURN / 2)
    before = there.ledger.place
    there.ledger.accept_entry(owes(there.ledger, there.accused))
    there.passes(2.0 * TURN)
    assert there.accused in there.found.punctual_among(there.votes_at(before), ())


def test_who_was_late_later_was_not_where_votes_reach_back_because_of_a_cheat() -> None:
    """The cheat has told two things at the earlier height. The other accused has kept the voters
    waiting at a later one."""
    there = Witness()
    before, cheat = there.ledger.place, there.accused
    while isinstance(there.ledger.step, Solo):
        there.ledger.accept_entry(owes(there.ledger, cheat))
    late, *voters = others(cheat, there.seat)
    votes = replace(there.votes_at(before, *voters), seats=tuple(sorted((cheat, late))))
    there.passes(TURN - 1)
    assert there.found.punctual_among(votes, (cheat,)) == (late,)
    there.passes(2.0)
    assert there.found.punctual_among(votes, (cheat,)) == ()
    assert late in there.found.punctual_among(votes, ())  # no cheat has led the voters back


def test_who_was_late_in_another_view_only_was_on_time() -> None:
    there = Witness()
    view, height = there.ledger.place
    there.found._late = {
        ((view + 1, height + 1), there.accused),
        ((view, height - 1), there.accused),
    }
    assert there.says(there.seat) == (there.accused,)
    there.found._late = {((view, height + 1), there.accused)}
    assert there.says(there.seat) == ()


def test_who_was_gone_here_was_not() -> None:
    there = Witness()
    there.passes(1.0, gone=(there.accused,))
    there.passes(1.0)
    assert there.says() == (there.seat,)


def test_a_cheat_or_a_seat_that_has_left_was_not() -> None:
    there = Witness()
    assert there.says(there.accused) == (there.seat,)
    place, game = there.ledger.place, genesis().id
    left = Farewell.sign(SIGNERS[there.accused], game, there.accused, *place)
    there.ledger.accept_farewell(left)
    assert there.says() == (there.seat,)


def test_a_voter_knows_why_it_has_voted() -> None:
    there = Witness()
    assert there.says(voters=(there.seat, *there.voters[1:])) == ()


def test_voters_that_were_gone_may_have_seen_what_this_seat_has_missed() -> None:
    there = Witness()
    there.passes(1.0, gone=there.voters)
    assert there.says() == ()
    there = Witness()
    there.passes(1.0, gone=there.voters[1:])  # the first was heard all along
    assert there.accused in there.says()


def test_a_place_that_began_elsewhere_long_before_tells_nothing() -> None:
    """The voters were gone until this seat came to the place, or nearly so long."""
    there = Witness(before=5.0)
    there.found._gone = dict.fromkeys(there.voters, 5.0)
    assert there.says() == ()
    there = Witness(before=VOTE_AFTER_SECONDS + 5.0)
    there.found._gone = dict.fromkeys(there.voters, 5.0)
    assert there.says() == ()
    there = Witness(before=VOTE_AFTER_SECONDS + 6.0)
    there.found._gone = dict.fromkeys(there.voters, 5.0)
    assert there.accused in there.says()


def test_a_process_that_was_away_tells_nothing_at_first() -> None:
    assert Witness(resumed=True).says() == ()
    there = Witness(resumed=True, before=VOTE_AFTER_SECONDS + 1.0)
    assert there.accused in there.says()


def test_a_machine_that_was_stopped_tells_nothing() -> None:
    there = Witness()
    there.passes(4 * HEARTBEAT_SECONDS, step=4 * HEARTBEAT_SECONDS)
    assert there.says() == ()
