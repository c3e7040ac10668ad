"""What is cut off from the log of a seat that was played elsewhere."""

from __future__ import annotations

from kotp2p.game.steps import Solo
from kotp2p.store.unheard import cut_unheard
from tests.support.scribe import Scribe
from tests.tools.vector_logs.tables import asked, begun, others


def cut(scribe: Scribe, seat: int) -> bytes:
    return cut_unheard(scribe.file(), scribe.signers[seat].key)


def at_two_questions_of_one_seat() -> tuple[Scribe, int]:
    scribe = begun()
    while True:
        seat = asked(scribe)
        before = scribe.file()
        scribe.step()
        if scribe.ledger.step == Solo(seat):
            return scribe, seat
        assert scribe.file() != before
        scribe.until(lambda ledger: isinstance(ledger.step, Solo))


def test_an_answer_that_nobody_builds_on_is_cut_off() -> None:
    scribe = begun()
    seat, before = asked(scribe), scribe.file()
    scribe.step()
    assert cut(scribe, seat) == before
    assert cut(scribe, others(scribe, seat)[0]) == scribe.file()


def test_of_several_answers_that_nobody_builds_on_all_are_cut_off() -> None:
    scribe, seat = at_two_questions_of_one_seat()
    once = cut(scribe, seat)
    scribe.step()
    assert cut(scribe, seat) == once
    assert len(once) < len(scribe.file())


def test_an_answer_that_another_seat_builds_on_stays() -> None:
    scribe = begun()
    seat = asked(scribe)
    scribe.step()
    scribe.until(lambda ledger: bool(set(ledger.owing_seats()) - {seat}))
    scribe.take(scribe.entry(next(s for s in scribe.ledger.owing_seats() if s != seat)))
    assert cut(scribe, seat) == scribe.file()


def asked_a_bot() -> tuple[Scribe, int]:
    """Of two bots of one keeper, at a table with one more person."""
    scribe = Scribe(4, bots=2)
    while not (isinstance(scribe.ledger.step, Solo) and scribe.ledger.step.seat in (2, 3)):
        scribe.step()
    return scribe, asked(scribe)


def test_an_answer_that_only_seats_of_the_same_keeper_build_on_is_cut_off() -> None:
    """They are one process, which nobody else may have heard."""
    scribe, bot = asked_a_bot()
    before = scribe.file()
    scribe.step()
    scribe.until(lambda ledger: bool(set(ledger.owing_seats()) - {bot}))
    for seat in {0, 2, 3} & set(scribe.ledger.owing_seats()):
        scribe.take(scribe.entry(seat))
    assert {len(cut(scribe, seat)) for seat in (0, 2, 3)} == {len(before)}
    assert cut(scribe, 1) == scribe.file()
    scribe.take(scribe.entry(1))
    assert cut(scribe, 0) == scribe.file()


def test_where_no_other_keeper_plays_nothing_is_cut_off() -> None:
    scribe = Scribe(3, bots=2)
    scribe.until(lambda ledger: isinstance(ledger.step, Solo))
    scribe.step()
    assert cut(scribe, 0) == scribe.file()


def test_openings_stay_as_they_are_the_same_bytes_again() -> None:
    scribe = Scribe(3)
    scribe.take(scribe.entry(0))
    assert cut(scribe, 0) == scribe.file()


def test_a_vote_of_the_last_view_is_cut_off_with_all_behind_it() -> None:
    scribe = begun()
    seat, *rest = others(scribe, asked(scribe))
    before = scribe.file()
    scribe.take(scribe.vote(seat, (asked(scribe),)))
    scribe.step()
    assert cut(scribe, seat) == before
    assert cut(scribe, rest[0]) == scribe.file()


def test_a_vote_of_a_view_that_has_ended_stays() -> None:
    scribe = begun()
    gone = asked(scribe)
    for seat in others(scribe, gone):
        scribe.take(scribe.vote(seat, (gone,)))
    assert scribe.ledger.view == 1
    scribe.step()
    assert cut(scribe, others(scribe, gone)[0]) == scribe.file()


def test_the_log_of_another_game_stays() -> None:
    scribe = begun()
    scribe.step()
    assert cut_unheard(scribe.file(), bytes(32)) == scribe.file()
