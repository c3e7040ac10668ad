"""The figures of the clocks, and where the documents state them."""

from __future__ import annotations

from kotp2p.wire.genesis import Clocks
from kotp2p.wishes.clocks import (
    MAX_PAUSE_SECONDS,
    MAX_TICK_SECONDS,
    PROGRAM_ANSWER_SECONDS,
    VOTE_AFTER_SECONDS,
    Owing,
    SeatClocks,
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
