"""The place from which a player leaves: behind all that its seats have signed, and not behind
anything that they owe."""

from __future__ import annotations

import pytest

from kotp2p.game.steps import Gather, Solo
from kotp2p.membership.departure import WAIT_FOR_BOTS_SECONDS, Departure
from kotp2p.votes.locks import VoteLocks
from kotp2p.wire.farewells import Farewell
from referee.model.answers import Seat
from tests.support.scribe import Scribe

HOST, GUEST, BOT, OTHER_BOT = range(4)
HERE, BEHIND = (0, 0), (0, 1)


@pytest.fixture
def scribe() -> Scribe:
    """A host with two bots, and a guest, at the first draw."""
    table = Scribe(4, bots=2)
    assert isinstance(table.ledger.step, Gather)
    return table


def place_of(scribe: Scribe, seat: Seat, now: float = 0.0) -> tuple[int, int] | None:
    """Where `seat` leaves that has wanted to since 0.0. Its farewell there accuses nobody."""
    departure = Departure(scribe.ledger, seat)
    departure.begin(0.0)
    place = departure.find_place(now)
    if place is not None:
        rounds = departure.named_rounds(VoteLocks(scribe.ledger, seat))
        farewell = Farewell.sign(scribe.signers[seat], scribe.game, seat, *place, rounds)
        scribe.ledger.accept_farewell(farewell)  # or it raises Cheat
    return place


def sign(scribe: Scribe, *seats: Seat) -> None:
    scribe.take(*[scribe.entry(seat) for seat in seats])


def test_a_seat_that_has_signed_nothing_at_a_draw_leaves_from_there(scribe: Scribe) -> None:
    assert place_of(scribe, GUEST) == HERE


def test_a_seat_that_has_signed_at_a_draw_leaves_behind_it(scribe: Scribe) -> None:
    sign(scribe, GUEST)
    assert place_of(scribe, GUEST) == BEHIND


def test_a_keeper_waits_for_a_bot_that_may_be_signing(scribe: Scribe) -> None:
    sign(scribe, HOST, BOT)
    assert place_of(scribe, HOST, WAIT_FOR_BOTS_SECONDS) is None
    sign(scribe, OTHER_BOT)
    assert place_of(scribe, HOST) == BEHIND


def test_a_keeper_whose_bots_have_signed_leaves_behind_the_draw_though_it_owes_a_part(
    scribe: Scribe,
) -> None:
    """A vote may forbid it to sign that part. It waits for that as for a bot."""
    sign(scribe, BOT, OTHER_BOT)
    assert place_of(scribe, HOST, WAIT_FOR_BOTS_SECONDS - 1) is None
    assert place_of(scribe, HOST, WAIT_FOR_BOTS_SECONDS) == BEHIND


def at_an_answer(of: Seat) -> Scribe:
    """The first answer of a game is asked of this seat."""
    for number in range(20):
        table = Scribe(4, bots=2, number=number)
        table.until(lambda ledger: isinstance(ledger.step, Solo))
        if table.ledger.owing_seats() == (of,):
            return table
    raise AssertionError("no such table")


@pytest.mark.parametrize("leaver", [HOST, GUEST])
@pytest.mark.parametrize("asked", [HOST, GUEST])
def test_where_one_player_is_asked_each_leaves_from_there(asked: Seat, leaver: Seat) -> None:
    table = at_an_answer(asked)
    place = table.ledger.place
    assert place_of(table, leaver) == place


def test_where_a_bot_is_asked_its_keeper_waits_and_others_leave() -> None:
    table = at_an_answer(BOT)
    place = table.ledger.place
    assert place_of(table, HOST, WAIT_FOR_BOTS_SECONDS) is None
    assert place_of(table, GUEST) == place


def test_a_farewell_names_the_rounds_of_all_drop_votes_of_its_keeper(scribe: Scribe) -> None:
    """A vote that it does not name would convict the leaver."""
    accused = (HOST, BOT, OTHER_BOT)
    scribe.take(scribe.vote(GUEST, accused, 3), scribe.vote(GUEST, accused))
    locks = VoteLocks(scribe.ledger, GUEST)
    assert Departure(scribe.ledger, GUEST).named_rounds(locks) == (1, 3)
