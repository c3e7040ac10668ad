"""The figures of the clocks, and where the documents state them."""

from __future__ import annotations

import math
from dataclasses import replace

from kotp2p.wire.genesis import Clocks
from kotp2p.wishes.clocks import (
    MAX_PAUSE_SECONDS,
    MAX_TICK_SECONDS,
    PROGRAM_ANSWER_SECONDS,
    VOTE_AFTER_SECONDS,
    Owing,
    SeatClocks,
    TimeLeft,
)
from tests.support.paths import ROOT

ACTIVE, OTHER = 0, 1


def text_of(document: str) -> str:
    return " ".join((ROOT / document).read_text(encoding="utf-8").split())


def test_the_documents_state_the_figures_of_the_program() -> None:
    protocol, readme = text_of("docs/PROTOCOL.md"), text_of("README.md")
    assert f"has been late, or gone, for {VOTE_AFTER_SECONDS:.0f} s" in protocol
    assert f"commitments | after {PROGRAM_ANSWER_SECONDS:.0f} s" in protocol
    assert f"for {MAX_PAUSE_SECONDS:.0f} s or until 4" in protocol
    assert VOTE_AFTER_SECONDS == 60
    assert "After one more minute the others may vote" in readme
    assert MAX_PAUSE_SECONDS == 10 * 60
    assert "`pause` stops the clocks for ten minutes" in readme


def after(clocks: SeatClocks, owing: Owing, begin: float, seconds: int) -> None:
    for second in range(seconds + 1):
        clocks.update(owing, begin + second)


def test_a_seat_is_late_when_its_clock_has_run_out_and_votable_a_while_later() -> None:
    clocks = SeatClocks(Clocks(turn=20, reaction=10))
    owing = Owing((0, 3), (OTHER,), turn=1, active=ACTIVE, decides=True)
    after(clocks, owing, 0.0, 9)
    assert clocks.late_seats() == []
    after(clocks, owing, 9.0, 1)
    assert clocks.late_seats() == [OTHER]
    assert clocks.votable_seats(10.0) == []
    after(clocks, owing, 10.0, int(VOTE_AFTER_SECONDS))
    assert clocks.votable_seats(10.0 + VOTE_AFTER_SECONDS) == [OTHER]


def test_a_seat_that_is_gone_is_votable_a_while_later_and_only_if_it_owes_something() -> None:
    clocks = SeatClocks(Clocks(turn=0, reaction=0))
    owing = Owing((0, 3), (OTHER,), turn=1, active=ACTIVE, decides=True)
    clocks.update(owing, 0.0)
    clocks.gone_since = {ACTIVE: 0.0, OTHER: 5.0}
    assert clocks.next_change(5.0) == VOTE_AFTER_SECONDS
    assert clocks.next_change(VOTE_AFTER_SECONDS) == 5.0 + VOTE_AFTER_SECONDS
    assert clocks.votable_seats(4.9 + VOTE_AFTER_SECONDS) == []
    assert clocks.votable_seats(5.0 + VOTE_AFTER_SECONDS) == [OTHER]


def test_a_machine_that_was_suspended_finds_nobody_late() -> None:
    clocks = SeatClocks(Clocks(turn=20, reaction=10))
    owing = Owing((0, 3), (OTHER,), turn=1, active=ACTIVE, decides=True)
    clocks.update(owing, 0.0)
    clocks.update(owing, 3600.0)
    assert clocks.seconds_over(OTHER) == MAX_TICK_SECONDS - 10


def test_a_pause_stops_the_clocks() -> None:
    clocks = SeatClocks(Clocks(turn=20, reaction=10))
    owing = Owing((0, 3), (OTHER,), turn=1, active=ACTIVE, decides=True)
    clocks.paused_until[OTHER] = MAX_PAUSE_SECONDS
    after(clocks, owing, 0.0, 30)
    assert clocks.late_seats() == []
    assert clocks.end_expired_pauses(MAX_PAUSE_SECONDS) == [OTHER]
    after(clocks, owing, 30.0, 10)
    assert clocks.late_seats() == [OTHER]


MINE = Owing((0, 3), (ACTIVE,), turn=1, active=ACTIVE, decides=True)


def test_the_decisions_of_a_turn_share_its_time_and_each_has_a_little_of_its_own() -> None:
    clocks = SeatClocks(Clocks(turn=20, reaction=10))
    after(clocks, MINE, 0.0, 15)
    assert clocks.seconds_over(ACTIVE) == -5
    second = replace(MINE, place=(0, 4))
    after(clocks, second, 15.0, 5)
    assert clocks.seconds_over(ACTIVE) == -5  # the turn is used up, this decision is not
    after(clocks, second, 20.0, 5)
    assert clocks.late_seats() == [ACTIVE]
    third = replace(MINE, place=(0, 5))
    clocks.update(third, 25.0)
    assert clocks.seconds_over(ACTIVE) == -10
    clocks.update(replace(MINE, place=(0, 6), turn=2), 25.0)
    assert clocks.seconds_over(ACTIVE) == -20


def test_only_decisions_of_the_active_monster_use_up_its_turn() -> None:
    clocks = SeatClocks(Clocks(turn=20, reaction=10))
    after(clocks, Owing((0, 1), (ACTIVE, OTHER), 1, ACTIVE, decides=False), 0.0, 15)
    after(clocks, Owing((0, 2), (OTHER,), 1, ACTIVE, decides=True), 15.0, 9)
    clocks.update(MINE, 24.0)
    assert clocks.seconds_over(ACTIVE) == -20


def test_without_a_limit_for_turns_or_reactions_nobody_is_late() -> None:
    for owing, limits in (
        (MINE, Clocks(turn=0, reaction=10)),
        (Owing((0, 3), (OTHER,), 1, ACTIVE, decides=True), Clocks(turn=20, reaction=0)),
    ):
        clocks = SeatClocks(limits)
        after(clocks, owing, 0.0, 1000)
        assert clocks.late_seats() == []
        assert clocks.next_change(1000.0) == math.inf


def test_without_a_limit_for_reactions_a_decision_has_the_time_of_a_program() -> None:
    clocks = SeatClocks(Clocks(turn=20, reaction=0))
    after(clocks, MINE, 0.0, 20)
    assert clocks.seconds_over(ACTIVE) == 20 - PROGRAM_ANSWER_SECONDS


def test_a_program_that_signs_nothing_is_late_whatever_the_clocks_of_players_are() -> None:
    clocks = SeatClocks(Clocks(turn=0, reaction=0))
    after(clocks, Owing((0, 3), (ACTIVE, OTHER), 1, ACTIVE, decides=False), 0.0, 29)
    assert clocks.late_seats() == []
    assert clocks.next_change(29.0) == PROGRAM_ANSWER_SECONDS
    after(clocks, Owing((0, 3), (ACTIVE, OTHER), 1, ACTIVE, decides=False), 29.0, 1)
    assert clocks.late_seats() == [ACTIVE, OTHER]


def test_time_at_another_place_does_not_count() -> None:
    clocks = SeatClocks(Clocks(turn=20, reaction=10))
    there = Owing((0, 3), (OTHER,), 1, ACTIVE, decides=True)
    after(clocks, there, 0.0, 9)
    clocks.update(replace(there, place=(0, 4)), 9.0)
    assert clocks.seconds_over(OTHER) == -10


def test_the_next_change_is_when_a_seat_is_late_then_when_it_is_votable() -> None:
    clocks = SeatClocks(Clocks(turn=20, reaction=10))
    owing = Owing((0, 3), (OTHER,), 1, ACTIVE, decides=True)
    assert clocks.next_change(0.0) == math.inf
    after(clocks, owing, 0.0, 4)
    assert clocks.next_change(4.0) == 10.0
    after(clocks, owing, 4.0, 8)
    assert clocks.next_change(12.0) == 10.0 + VOTE_AFTER_SECONDS
    clocks.paused_until[OTHER] = 500.0
    assert clocks.next_change(12.0) == 500.0


def test_the_seconds_until_a_vote_count_from_late_or_gone_whichever_is_first() -> None:
    clocks = SeatClocks(Clocks(turn=20, reaction=10))
    owing = Owing((0, 3), (OTHER,), turn=1, active=ACTIVE, decides=True)
    after(clocks, owing, 0.0, 4)
    assert clocks.votable_in(OTHER, 4.0) == 6 + VOTE_AFTER_SECONDS
    clocks.gone_since[OTHER] = 1.0
    assert clocks.votable_in(OTHER, 4.0) == VOTE_AFTER_SECONDS - 3
    unlimited = SeatClocks(Clocks(turn=0, reaction=0))
    unlimited.update(owing, 0.0)
    assert unlimited.votable_in(OTHER, 4.0) == math.inf


def test_what_is_left_of_a_turn_is_what_all_its_decisions_have_not_used() -> None:
    clocks = SeatClocks(Clocks(turn=20, reaction=10))
    owing = Owing((0, 3), (ACTIVE,), turn=1, active=ACTIVE, decides=True)
    clocks.update(owing, 0.0)
    assert clocks.time_left(ACTIVE) == TimeLeft(20, 20)
    assert clocks.time_left(OTHER) is None
    after(clocks, owing, 0.0, 4)
    clocks.update(replace(owing, place=(0, 4), decides=False), 4.0)
    assert clocks.time_left(ACTIVE) is None
    clocks.update(replace(owing, place=(0, 5)), 6.0)
    assert clocks.time_left(ACTIVE) == TimeLeft(16, 20)
    after(clocks, replace(owing, place=(0, 5)), 6.0, 9)
    assert clocks.time_left(ACTIVE) == TimeLeft(7, 20)


def test_a_turn_that_is_used_up_leaves_the_time_of_one_decision() -> None:
    clocks = SeatClocks(Clocks(turn=20, reaction=10))
    owing = Owing((0, 3), (ACTIVE,), turn=1, active=ACTIVE, decides=True)
    after(clocks, owing, 0.0, 21)
    assert clocks.time_left(ACTIVE) == TimeLeft(-1, 20)
    clocks.update(replace(owing, place=(0, 4)), 21.0)
    assert clocks.time_left(ACTIVE) == TimeLeft(10, 10)


def test_in_the_turn_of_another_seat_the_time_of_one_decision_is_left() -> None:
    clocks = SeatClocks(Clocks(turn=20, reaction=10))
    owing = Owing((0, 3), (OTHER,), turn=1, active=ACTIVE, decides=True)
    after(clocks, owing, 0.0, 3)
    assert clocks.time_left(OTHER) == TimeLeft(7, 10)


def test_without_limits_nothing_is_left_to_be_told() -> None:
    clocks = SeatClocks(Clocks(turn=0, reaction=0))
    clocks.update(Owing((0, 3), (ACTIVE,), turn=1, active=ACTIVE, decides=True), 0.0)
    assert clocks.time_left(ACTIVE) is None
    clocks.update(Owing((0, 3), (OTHER,), turn=1, active=ACTIVE, decides=True), 0.0)
    assert clocks.time_left(OTHER) is None
