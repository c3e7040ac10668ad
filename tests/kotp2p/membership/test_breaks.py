"""Which seats a break may name as absent, and what becomes of one whose absent seat has left."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kotp2p.game.breaks import check_break_seats, is_break_here
from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Forged
from kotp2p.membership.adjourning import (
    BREAK_COUNTS_SECONDS,
    BREAK_PAUSE_SECONDS,
    BREAK_SEALS_SECONDS,
    MAX_BREAKS_OF_SEAT,
    MAX_OWN_BREAKS,
    Adjournment,
)
from kotp2p.wire.closings import Break, pack_seals
from kotp2p.wire.crypto import Tag
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.intents import Intent, IntentKind
from referee.model.answers import Seat
from tests.support.five_players import PEOPLE, SIGNERS, at_a_decision, genesis, owes, sitting


def stop_here(ledger: Ledger, *absent: Seat) -> Break:
    return Break(ledger.view, ledger.height, ledger.head, absent)


def sealed(stop: Break, *seats: Seat) -> Signed:
    body = stop.body(genesis().id)
    seals = {seat: SIGNERS[seat].sign(Tag.CLOSE, body) for seat in seats}
    return Signed(BodyKind.CLOSE, body, pack_seals(seals))


def with_a_bot() -> Ledger:
    """The last seat is a bot of the first one."""
    *people, last = genesis().players
    players = (*people, replace(last, bot=True, keeper=0))
    return Ledger(replace(genesis(), charter=replace(genesis().charter, players=players)))


def adjournment_without(ledger: Ledger, me: Seat, gone: Seat) -> Adjournment:
    """All but the one that is gone want to stop for today."""
    voting = sitting(ledger, me)
    voting.intents.clocks.gone_since[gone] = 0.0
    for seat in range(PEOPLE):
        voting.intents.newest[seat] = Intent.sign(
            SIGNERS[seat], genesis().id, seat, 1, IntentKind.ADJOURN, ledger.place
        )
    return Adjournment(ledger, voting.intents, me, SIGNERS[me])


def wishes(adjournment: Adjournment, seat: Seat, kind: IntentKind, serial: int) -> None:
    place = adjournment.ledger.place
    wish = Intent.sign(SIGNERS[seat], genesis().id, seat, serial, kind, place)
    adjournment.intents.newest[seat] = wish


def go_on(ledger: Ledger) -> None:
    for seat in ledger.owing_seats():
        ledger.accept_entry(owes(ledger, seat))


@pytest.mark.parametrize(("absent", "signer"), [((5,), 0), ((0, 5), 1), ((1,), 1), ((1, 2), 2)])
def test_a_break_names_seats_of_the_table_and_no_signer(
    absent: tuple[Seat, ...], signer: Seat
) -> None:
    ledger, me = at_a_decision()
    with pytest.raises(Forged):
        check_break_seats(ledger, stop_here(ledger, *absent), {signer})
    adjournment = adjournment_without(ledger, me, (me + 1) % PEOPLE)
    stop = stop_here(ledger, *absent)
    with pytest.raises(Forged):
        adjournment.receive_seals(stop, sealed(stop, signer))


def test_a_keeper_does_not_sign_a_break_without_its_bot() -> None:
    ledger = with_a_bot()
    stop = stop_here(ledger, PEOPLE - 1)
    with pytest.raises(Forged):
        check_break_seats(ledger, stop, {0, 1})
    check_break_seats(ledger, stop, {1, 2})


def test_a_seat_that_has_said_farewell_is_not_absent() -> None:
    """Also from a place that is not reached yet, at which its monster still lives."""
    ledger, asked = at_a_decision()
    gone = (asked + 1) % PEOPLE
    assert is_break_here(ledger, stop_here(ledger, gone))
    view, height = ledger.place
    ledger.accept_farewell(Farewell.sign(SIGNERS[gone], genesis().id, gone, view, height + 3))
    assert not is_break_here(ledger, stop_here(ledger, gone))
    assert is_break_here(ledger, stop_here(ledger))


def test_a_dead_seat_is_not_absent() -> None:
    ledger, asked = at_a_decision()
    view, height = ledger.place
    ledger.accept_farewell(Farewell.sign(SIGNERS[asked], genesis().id, asked, view, height))
    assert asked not in ledger.game.state.seats_alive()
    assert not is_break_here(ledger, stop_here(ledger, asked))


def test_a_break_is_signed_anew_without_an_absent_seat_that_says_farewell() -> None:
    """A log that names it as absent behind its farewell would be wrong."""
    ledger, me = at_a_decision()
    gone = (me + 1) % PEOPLE
    adjournment = adjournment_without(ledger, me, gone)
    assert adjournment.sign_break(0.0)
    assert adjournment.signed_break == stop_here(ledger, gone)
    view, height = ledger.place
    ledger.accept_farewell(Farewell.sign(SIGNERS[gone], genesis().id, gone, view, height + 3))
    assert adjournment.sign_break(BREAK_PAUSE_SECONDS)
    assert adjournment.signed_break == stop_here(ledger)


def test_seals_under_another_peers_break_are_passed_on_as_long_as_they_may_be_right() -> None:
    """Copies differ about farewells, so only the owner of a break judges it by them."""
    ledger, me = at_a_decision()
    gone, other = ((me + n) % PEOPLE for n in (1, 2))
    adjournment = adjournment_without(ledger, me, gone)
    stop = stop_here(ledger, gone)
    assert adjournment.receive_seals(stop, sealed(stop, other)) == [sealed(stop, other)]
    assert adjournment.receive_seals(stop, sealed(stop, other)) == []


def test_a_seat_that_signs_breaks_without_end_hides_no_signature_of_the_others() -> None:
    ledger, me = at_a_decision()
    cheat, other = ((me + n) % PEOPLE for n in (1, 2))
    adjournment = adjournment_without(ledger, me, (me + 3) % PEOPLE)
    for height in range(ledger.height + 1, ledger.height + 1000):
        stop = Break(ledger.view, height, bytes(32), ())
        kept = adjournment.receive_seals(stop, sealed(stop, cheat))
        assert bool(kept) is (height <= ledger.height + MAX_BREAKS_OF_SEAT)
    stop = stop_here(ledger, (me + 3) % PEOPLE)
    assert adjournment.receive_seals(stop, sealed(stop, other)) == [sealed(stop, other)]
    adjournment.sign_break(0.0)
    assert set(adjournment._seals_under(stop)) == {me, other}


def test_signatures_under_breaks_that_the_game_has_passed_make_room() -> None:
    ledger, me = at_a_decision()
    other = (me + 1) % PEOPLE
    adjournment = adjournment_without(ledger, me, (me + 3) % PEOPLE)
    for turn in range(MAX_BREAKS_OF_SEAT):
        here = Break(ledger.view, ledger.height, bytes([turn]) * 32, ())
        assert adjournment.receive_seals(here, sealed(here, other))
    for seat in ledger.owing_seats():
        ledger.accept_entry(owes(ledger, seat))
    stop = stop_here(ledger)
    assert adjournment.receive_seals(stop, sealed(stop, other))
    assert not adjournment.receive_seals(here, sealed(here, me))


def test_a_break_is_signed_once_as_long_as_nothing_has_changed() -> None:
    ledger, me = at_a_decision()
    adjournment = adjournment_without(ledger, me, (me + 1) % PEOPLE)
    assert adjournment.sign_break(0.0)
    assert not adjournment.sign_break(BREAK_PAUSE_SECONDS)
    go_on(ledger)
    assert adjournment.sign_break(BREAK_PAUSE_SECONDS)


def test_a_break_is_told_with_all_that_its_signer_knows_of_wishes() -> None:
    """A seat that knows a newer wish answers with it."""
    ledger, me = at_a_decision()
    adjournment = adjournment_without(ledger, me, (me + 1) % PEOPLE)
    told = adjournment.sign_break(0.0)
    assert [*told[:-1]] == [wish.signed for wish in adjournment.intents.newest.values()]
    assert told[-1] == sealed(stop_here(ledger, (me + 1) % PEOPLE), me)


def test_a_break_is_told_again_when_a_wish_is_newer_but_not_without_end() -> None:
    ledger, me = at_a_decision()
    gone, other = ((me + n) % PEOPLE for n in (1, 2))
    adjournment = adjournment_without(ledger, me, gone)
    assert adjournment.sign_break(0.0)
    for serial in range(2, 50):
        wishes(adjournment, other, IntentKind.WAIT, serial)
        assert not adjournment.sign_break(0.5)
        assert adjournment.signed_break is None
        wishes(adjournment, other, IntentKind.ADJOURN, serial)
        assert not adjournment.sign_break(0.5)
        assert adjournment.deadline == BREAK_PAUSE_SECONDS
    told = adjournment.sign_break(BREAK_PAUSE_SECONDS)
    assert adjournment.intents.newest[other].signed in told
    wishes(adjournment, other, IntentKind.ADJOURN, 50)
    again = 2 * BREAK_PAUSE_SECONDS
    assert adjournment.intents.newest[other].signed in adjournment.sign_break(again)
    assert adjournment.deadline == again + BREAK_SEALS_SECONDS


def test_a_keeper_that_counts_as_absent_signs_no_break() -> None:
    ledger, me = at_a_decision()
    assert not adjournment_without(ledger, me, me).sign_break(0.0)


def test_no_break_is_signed_before_all_present_players_want_it() -> None:
    ledger, me = at_a_decision()
    gone, other = ((me + n) % PEOPLE for n in (1, 2))
    adjournment = adjournment_without(ledger, me, gone)
    wish = adjournment.intents.newest.pop(other)
    assert not adjournment.sign_break(0.0)
    adjournment.intents.newest[other] = wish
    assert adjournment.sign_break(0.0)


def test_a_break_is_agreed_when_all_that_it_holds_present_have_signed_it() -> None:
    ledger, me = at_a_decision()
    gone = (me + 1) % PEOPLE
    adjournment = adjournment_without(ledger, me, gone)
    first, *rest = (seat for seat in range(PEOPLE) if seat not in (me, gone))
    adjournment.sign_break(0.0)
    stop = stop_here(ledger, gone)
    adjournment.receive_seals(stop, sealed(stop, *rest))
    assert adjournment.find_agreed_break(0.0) is None
    adjournment.receive_seals(stop, sealed(stop, first))
    agreed = adjournment.find_agreed_break(0.0)
    assert agreed is not None
    assert agreed.stop == stop
    assert agreed.shown == agreed.record == sealed(stop, first, me, *rest)


def test_a_keeper_that_wishes_to_stop_and_does_not_sign_is_left_out_in_the_end() -> None:
    ledger, me = at_a_decision()
    gone, silent = ((me + n) % PEOPLE for n in (1, 2))
    adjournment = adjournment_without(ledger, me, gone)
    present = [seat for seat in range(PEOPLE) if seat not in (me, gone, silent)]
    adjournment.sign_break(0.0)
    stop = stop_here(ledger, gone)
    adjournment.receive_seals(stop, sealed(stop, *present))
    assert adjournment.deadline == BREAK_SEALS_SECONDS
    assert not adjournment.sign_break(BREAK_SEALS_SECONDS - 0.1)
    assert adjournment.sign_break(BREAK_SEALS_SECONDS)
    without = stop_here(ledger, *sorted((gone, silent)))
    assert adjournment.signed_break == without
    assert adjournment.find_agreed_break(BREAK_SEALS_SECONDS) is None
    adjournment.receive_seals(without, sealed(without, *present))
    agreed = adjournment.find_agreed_break(BREAK_SEALS_SECONDS)
    assert agreed is not None
    assert agreed.stop == without


def test_a_keeper_that_has_not_signed_at_one_place_is_waited_for_at_the_next() -> None:
    """It signs where it stands, and may have been behind."""
    ledger, me = at_a_decision()
    gone, silent = ((me + n) % PEOPLE for n in (1, 2))
    adjournment = adjournment_without(ledger, me, gone)
    adjournment.sign_break(0.0)
    stop = stop_here(ledger, gone)
    present = [seat for seat in range(PEOPLE) if seat not in (me, gone, silent)]
    adjournment.receive_seals(stop, sealed(stop, *present))
    adjournment.sign_break(BREAK_SEALS_SECONDS)
    assert adjournment.signed_break == stop_here(ledger, *sorted((gone, silent)))
    go_on(ledger)
    assert adjournment.sign_break(BREAK_SEALS_SECONDS + BREAK_PAUSE_SECONDS)
    assert adjournment.signed_break == stop_here(ledger, gone)


def test_the_time_to_sign_begins_anew_where_the_game_has_moved() -> None:
    """A seat that is slower may still stand at the place before."""
    ledger, me = at_a_decision()
    gone = (me + 1) % PEOPLE
    adjournment = adjournment_without(ledger, me, gone)
    adjournment.sign_break(0.0)
    go_on(ledger)
    adjournment.sign_break(BREAK_SEALS_SECONDS)
    assert adjournment.signed_break == stop_here(ledger, gone)
    assert adjournment.deadline == 2 * BREAK_SEALS_SECONDS


def test_a_seat_ends_by_what_it_has_signed_though_the_game_has_moved_or_a_wish_was_taken_back() -> (
    None
):
    """Others have ended by it. The record is of the place at which this copy stands."""
    ledger, me = at_a_decision()
    gone, other = ((me + n) % PEOPLE for n in (1, 2))
    adjournment = adjournment_without(ledger, me, gone)
    stop = stop_here(ledger, gone)
    adjournment.sign_break(0.0)
    wishes(adjournment, other, IntentKind.WAIT, 2)
    go_on(ledger)
    assert not adjournment.sign_break(1.0)
    present = [seat for seat in range(PEOPLE) if seat not in (me, gone)]
    assert adjournment.receive_seals(stop, sealed(stop, *present))
    assert adjournment.seals_for_new_link() is None
    agreed = adjournment.find_agreed_break(BREAK_COUNTS_SECONDS - 0.1)
    assert agreed is not None
    assert (agreed.stop, agreed.shown) == (stop, sealed(stop, me, *present))
    assert agreed.record == sealed(stop_here(ledger, gone), me)
    assert adjournment.find_agreed_break(BREAK_COUNTS_SECONDS) is None
    assert adjournment.find_agreed_break(0.0) is None


def test_a_game_that_runs_on_leaves_a_bounded_number_of_own_breaks() -> None:
    ledger, first = at_a_decision()
    me = (first + 2) % PEOPLE  # who stays in the game for so long
    adjournment = adjournment_without(ledger, me, (me + 1) % PEOPLE)
    for _ in range(MAX_OWN_BREAKS + 10):
        adjournment.sign_break(0.0)
        go_on(ledger)
    assert len(adjournment._own) == len(adjournment._seals[me]) == MAX_OWN_BREAKS


def test_a_new_link_gets_the_signatures_under_the_break_of_this_seat() -> None:
    ledger, me = at_a_decision()
    gone, other = ((me + n) % PEOPLE for n in (1, 2))
    adjournment = adjournment_without(ledger, me, gone)
    assert adjournment.seals_for_new_link() is None
    adjournment.sign_break(0.0)
    stop = stop_here(ledger, gone)
    adjournment.receive_seals(stop, sealed(stop, other))
    assert adjournment.seals_for_new_link() == sealed(stop, me, other)


def test_a_player_who_is_out_stops_where_all_others_that_are_there_have_signed() -> None:
    """Of their break of this place; they have no say in it, and sign nothing."""
    ledger, me = at_a_decision()
    view, height = ledger.place
    gone = (me + 1) % PEOPLE
    adjournment = adjournment_without(ledger, me, gone)
    before = stop_here(ledger, gone)
    ledger.accept_farewell(Farewell.sign(SIGNERS[me], genesis().id, me, view, height))
    assert me not in adjournment.intents.live_keepers()
    stop = stop_here(ledger, gone)
    first, *rest = (seat for seat in range(PEOPLE) if seat not in (me, gone))
    assert not adjournment.sign_break(0.0)
    adjournment.receive_seals(before, sealed(before, first, *rest))
    adjournment.receive_seals(stop, sealed(stop, *rest))
    assert adjournment.find_agreed_break(0.0) is None
    adjournment.receive_seals(stop, sealed(stop, first))
    agreed = adjournment.find_agreed_break(0.0)
    assert agreed is not None
    assert agreed.shown == agreed.record == sealed(stop, first, *rest)


def test_a_player_who_plays_on_is_stopped_by_no_break_of_the_others() -> None:
    ledger, me = at_a_decision()
    adjournment = adjournment_without(ledger, me, (me + 1) % PEOPLE)
    wishes(adjournment, me, IntentKind.WAIT, 2)
    stop = stop_here(ledger, me)
    adjournment.receive_seals(stop, sealed(stop, *(s for s in range(PEOPLE) if s != me)))
    assert adjournment.find_agreed_break(0.0) is None
