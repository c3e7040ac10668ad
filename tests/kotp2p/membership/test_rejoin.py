"""When a seat may decide after a restart, whatever the others say of how far they are."""

from __future__ import annotations

import math

import pytest

from kotp2p.membership.rejoin import (
    BELIEVE_CLAIM_SECONDS,
    OLDER_STOPS_SECONDS,
    REJOIN,
    REPORT_MISSING_AFTER_SECONDS,
    WAIT_FOR_HEADS_SECONDS,
    Rejoin,
)
from tests.support.state_walks import followed, transitions

FAR = (9_999, 999_999)


def back() -> Rejoin:
    rejoin = Rejoin()
    rejoin.begin([1, 2], [1, 2], 100.0)
    return rejoin


def heard(now: float) -> Rejoin:
    """It is back, and has heard all others at `now`."""
    rejoin = back()
    for seat in (1, 2):
        rejoin.note_head(seat, (0, 3), now)
    return rejoin


def test_a_peer_that_was_never_away_need_not_be_as_far_as_others_say() -> None:
    rejoin = Rejoin()
    rejoin.note_head(1, FAR, 5.0)
    assert rejoin.may_sign((0, 3), 5.0)


def test_a_peer_that_comes_back_learns_first_what_it_has_signed() -> None:
    rejoin = back()
    assert not rejoin.may_sign((0, 3), 101.0)
    rejoin.note_head(1, (0, 3), 101.0)
    assert not rejoin.may_sign((0, 3), 102.0)
    rejoin.note_head(2, (0, 4), 103.0)
    assert not rejoin.may_sign((0, 3), 104.0)
    assert rejoin.may_sign((0, 4), 104.0)


def test_a_peer_that_comes_back_decides_when_an_older_process_must_have_stopped() -> None:
    """Both might decide within the time that it takes to tell the older one."""
    rejoin = back()
    for seat in (1, 2):
        rejoin.note_head(seat, (0, 3), 101.0)
    due = rejoin.next_decision_change(101.0)
    assert due == 101.0 + OLDER_STOPS_SECONDS
    assert not rejoin.may_sign((0, 3), due - 0.1)
    assert rejoin.may_sign((0, 3), due)


def test_seats_that_are_missing_are_reported_after_a_while_and_again_when_fewer_are() -> None:
    rejoin, late = back(), 100.0 + REPORT_MISSING_AFTER_SECONDS
    assert rejoin.report_missing((), late - 0.1) is None
    assert rejoin.report_missing((), late) == (1, 2)
    assert rejoin.report_missing((), late + 1.0) is None
    assert rejoin.report_missing((1,), late + 2.0) == (2,)
    assert rejoin.report_missing((2,), late + 3.0) == ()


def test_that_all_are_back_is_reported_at_once() -> None:
    rejoin = back()
    assert rejoin.report_missing((1,), 101.0) is None
    assert rejoin.report_missing((2,), 102.0) == ()
    assert rejoin.report_missing((), 103.0) is None


def test_a_peer_that_comes_back_waits_for_what_its_own_seat_has_signed_since() -> None:
    rejoin = heard(102.0)
    rejoin.note_own((0, 5), 103.0)
    rejoin.note_own((0, 4), 104.0)
    due = 103.0 + BELIEVE_CLAIM_SECONDS
    for may in (rejoin.may_sign, rejoin.may_accuse):
        assert not may((0, 4), due - 0.1)
        assert may((0, 5), due - 0.1)
        assert may((0, 4), due)
    assert rejoin.next_decision_change(due - 0.1) == due


def test_a_vote_because_of_a_proof_waits_for_no_place_that_others_tell() -> None:
    rejoin = heard(102.0)
    rejoin.note_head(1, FAR, 103.0)
    assert rejoin.may_accuse((0, 3), 110.0)
    assert not rejoin.may_sign((0, 3), 110.0)


def test_a_peer_that_was_never_away_waits_for_nothing_of_its_own_seat() -> None:
    rejoin = Rejoin()
    rejoin.note_own(FAR, 5.0)
    assert rejoin.may_sign((0, 3), 5.0)


def test_a_claim_to_be_further_that_nothing_follows_is_not_believed_without_end() -> None:
    rejoin = back()
    for now in (101.0, 106.0, 150.0):
        rejoin.note_head(1, FAR, now)
    assert not rejoin.may_sign((0, 3), 101.0 + WAIT_FOR_HEADS_SECONDS)
    assert (
        rejoin.next_decision_change(101.0 + WAIT_FOR_HEADS_SECONDS) == 101.0 + BELIEVE_CLAIM_SECONDS
    )
    assert rejoin.may_sign((0, 3), 101.0 + BELIEVE_CLAIM_SECONDS)


def test_a_peer_that_has_not_heard_all_wakes_when_it_need_not_wait_for_the_rest() -> None:
    """Or nothing would move it again: the seats that it waits for send nothing."""
    rejoin = back()
    rejoin.note_head(1, (0, 3), 101.0)
    older_stopped = 101.0 + OLDER_STOPS_SECONDS
    due = rejoin.next_decision_change(older_stopped)
    assert due == 100.0 + WAIT_FOR_HEADS_SECONDS
    assert not rejoin.may_sign((0, 3), due - 0.1)
    assert rejoin.may_sign((0, 3), due)


def test_a_head_that_comes_later_than_a_lie_is_listened_to() -> None:
    rejoin = back()
    rejoin.note_head(1, FAR, 101.0)
    rejoin.note_head(2, (0, 4), 160.0)
    assert not rejoin.may_sign((0, 3), 101.0 + BELIEVE_CLAIM_SECONDS)
    assert rejoin.may_sign((0, 4), 101.0 + BELIEVE_CLAIM_SECONDS)


def test_in_a_game_that_has_ended_meanwhile_no_time_that_is_over_is_waited_for() -> None:
    """Nobody asks for news of the missing then; a time that is over would be waited for at once,
    again and again."""
    rejoin = back()
    assert rejoin.next_report(100.0) == 100.0 + REPORT_MISSING_AFTER_SECONDS
    assert rejoin.next_report(100.0 + REPORT_MISSING_AFTER_SECONDS) == math.inf


def test_a_process_that_comes_back_walks_through_every_state() -> None:
    with followed(REJOIN) as seen:
        rejoin = back()
        assert not rejoin.has_heard_others(100.0 + WAIT_FOR_HEADS_SECONDS)  # without end
        rejoin.note_head(1, (0, 3), 101.0)
        assert not rejoin.has_heard_others(101.0)
        assert rejoin.has_heard_others(100.0 + WAIT_FOR_HEADS_SECONDS)
        rejoin.note_head(2, (0, 3), 102.0)
        assert rejoin.has_heard_others(101.0 + OLDER_STOPS_SECONDS)
    assert seen == transitions(REJOIN)


def test_a_process_that_plays_all_other_seats_waits_for_no_head_of_another() -> None:
    rejoin = Rejoin()
    rejoin.begin([1, 2], [], 100.0)
    assert not rejoin.has_heard_others(101.0)
    assert rejoin.has_heard_others(100.0 + WAIT_FOR_HEADS_SECONDS)


def test_proven_cheats_that_stay_away_keep_nobody_from_deciding() -> None:
    """The last honest seat must decide before anything is asked of them, and they are voted out."""
    rejoin = back()
    rejoin.excuse([1])
    assert not rejoin.has_heard_others(100.0 + WAIT_FOR_HEADS_SECONDS)  # seat 2 may know more
    rejoin.excuse([1, 2])
    assert not rejoin.has_heard_others(99.9 + WAIT_FOR_HEADS_SECONDS)
    assert rejoin.has_heard_others(100.0 + WAIT_FOR_HEADS_SECONDS)


def test_no_head_of_a_seat_that_is_out_by_now_is_waited_for() -> None:
    """It may have gone for good, and the last process from elsewhere with it."""
    rejoin = back()
    rejoin.release([2])
    assert not rejoin.has_heard_others(100.0 + WAIT_FOR_HEADS_SECONDS)  # seat 1 may know more
    rejoin.release([1, 2])
    assert rejoin.has_heard_others(100.0)


def test_the_last_seat_that_has_not_told_its_head_is_waited_for_until_it_is_out() -> None:
    rejoin = back()
    rejoin.note_head(1, (0, 3), 101.0)
    assert not rejoin.has_heard_others(101.0 + OLDER_STOPS_SECONDS)
    rejoin.release([2])
    assert not rejoin.has_heard_others(101.0)
    assert rejoin.has_heard_others(101.0 + OLDER_STOPS_SECONDS)


def test_a_process_that_was_never_away_excuses_nobody() -> None:
    rejoin = Rejoin()
    rejoin.excuse([1, 2])
    rejoin.release([1, 2])
    assert rejoin.has_heard_others(5.0)


@pytest.mark.parametrize("answers", [True, False])
def test_a_process_that_plays_on_alone_waits_a_while_for_those_who_are_out(answers: bool) -> None:
    """They may hold what its files have lost."""
    rejoin = Rejoin()
    rejoin.begin([1], [], 100.0, fallen=[2, 3])
    due = 100.0 + WAIT_FOR_HEADS_SECONDS
    assert rejoin.next_decision_change(100.0) == due
    if answers:
        rejoin.note_head(1, (0, 3), 101.0)
        assert not rejoin.may_sign((0, 3), 101.0)  # its own bot
        rejoin.note_head(3, (0, 5), 101.0)
        assert not rejoin.may_sign((0, 3), 101.0)
        assert rejoin.may_sign((0, 5), 101.0)
    else:
        rejoin.note_head(1, (0, 3), 101.0)
        assert not rejoin.may_sign((0, 3), due - 0.1)
        assert rejoin.may_sign((0, 3), due)


def test_those_who_are_out_are_not_waited_for_while_another_process_plays() -> None:
    rejoin = Rejoin()
    rejoin.begin([1], [1], 100.0, fallen=[2])
    rejoin.note_head(1, (0, 3), 101.0)
    assert rejoin.may_sign((0, 3), 101.0 + OLDER_STOPS_SECONDS)
