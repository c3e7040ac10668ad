"""A seat for which a bot answers goes along with what the persons have agreed, and no further."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cli.ui.abstention import Abstention, Wish
from kotp2p.absence_notices import (
    AbsenceNotice,
    AdjournWanted,
    Dropped,
    Rewound,
    Voted,
    VoteEnded,
    VoteOpened,
)
from kotp2p.bots import make_bot
from kotp2p.notices import GameStarted
from kotp2p.seat_view import SeatView
from referee.model.answers import Seat
from tests.support.laid_decisions import table
from tests.support.local_game import at_terminal
from tests.support.recorded_control import Orders

ME = 0


def at_table(*persons: Seat, seats: int = 4) -> SeatView:
    """All others let a bot answer."""
    view = table(seats)
    view.players = tuple(
        replace(p, bot=False, keeper=seat, automatic=seat not in persons)
        for seat, p in enumerate(view.players)
    )
    return view


def wishes(view: SeatView, *notices: AbsenceNotice) -> list[Wish]:
    seat = Abstention()
    told = [seat.note_notice(notice) for notice in (GameStarted(view), *notices)]
    return [wish for wish in told if wish is not None]


def about(*accused: Seat, by: tuple[Seat, ...]) -> VoteOpened:
    return VoteOpened(accused, by, has_majority=True, yours=True)


def test_a_vote_is_left_to_the_persons() -> None:
    view = at_table(1, 2, 3)
    opened = about(3, by=(ME, 1, 2))
    assert wishes(view, opened) == []
    assert wishes(view, opened, Voted(1, (3,))) == []
    assert wishes(view, opened, Voted(1, (3,)), Voted(2, (3,))) == [Wish.DROP]


def test_what_a_person_takes_back_is_taken_back() -> None:
    view = at_table(1, 2, 3)
    told = (about(3, by=(ME, 1, 2)), Voted(1, (3,)), Voted(2, (3,)), Voted(1, ()))
    assert wishes(view, *told) == [Wish.DROP, Wish.TAKE_BACK]


@pytest.mark.parametrize("end", [VoteEnded((3,)), Dropped((3,), (0, 1, 2), table())])
def test_a_vote_that_is_over_leaves_nothing_behind(end: AbsenceNotice) -> None:
    view = at_table(1, 2, 3)
    opened = about(3, by=(ME, 1, 2))
    assert wishes(view, opened, Voted(1, (3,)), end, opened, Voted(2, (3,))) == []


def test_one_person_of_two_puts_out_nobody_with_the_help_of_bots() -> None:
    """A person who is late faces one person and two bots."""
    assert wishes(at_table(1, 2), about(2, by=(ME, 1, 3)), Voted(1, (2,))) == []


def test_a_bot_that_is_gone_can_be_put_out_by_the_only_person() -> None:
    assert wishes(at_table(1), about(3, by=(ME, 1, 2)), Voted(1, (3,))) == [Wish.DROP]


def test_without_a_majority_nothing_is_wanted() -> None:
    opened = VoteOpened((2, 3), (ME, 1), has_majority=False, yours=True)
    assert wishes(at_table(1, 2, 3), opened, Voted(1, (2, 3))) == []


def test_bots_among_themselves_go_on() -> None:
    """No person is left to wait for."""
    assert wishes(at_table(), about(3, by=(ME, 1, 2))) == [Wish.DROP]


def test_a_vote_of_before_a_rewind_counts_no_more() -> None:
    view = at_table(1, 2, 3)
    back = Rewound(9, view, view.game.state)
    assert wishes(view, about(3, by=(ME, 1, 2)), Voted(1, (3,)), back, Voted(2, (3,))) == []


def test_a_bot_stops_for_today_once_all_persons_want_to() -> None:
    view = at_table(1, 2, seats=4)
    first = AdjournWanted(1, True, (ME, 2, 3))
    second = AdjournWanted(2, True, (ME, 3))
    assert wishes(view, first) == []
    assert wishes(view, first, second) == [Wish.ADJOURN]
    assert wishes(view, first, second, AdjournWanted(1, False, ())) == [
        Wish.ADJOURN, Wish.TAKE_BACK,
    ]  # fmt: skip


def test_a_bot_does_not_answer_its_own_wish() -> None:
    assert wishes(at_table(1, seats=2), AdjournWanted(ME, True, ())) == []


@pytest.mark.parametrize("plays", ["bot", "person"])
def test_only_where_a_bot_answers_the_program_wants_anything_by_itself(plays: str) -> None:
    front, orders = at_terminal(), Orders()
    if plays == "bot":
        front = type(front)(front.state, front.display, front._adviser, make_bot("easy", b""))
    front.attach(orders)
    front.show(GameStarted(at_table(1, 2, 3)))
    for notice in (about(3, by=(ME, 1, 2)), Voted(1, (3,)), Voted(2, (3,))):
        front.show(notice)
    assert orders.given == ([("vote",)] if plays == "bot" else [])
