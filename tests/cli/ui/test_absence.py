"""What is typed while somebody does not answer, and what stands until it is settled."""

from dataclasses import replace

import pytest

from kotp2p.cli.ui.line_player import LinePlayer
from kotp2p.cli.ui.notice_feed import OpenMatters, wish_for_bot
from kotp2p.extras.bots import make_bot
from kotp2p.game.steps import ChangedHands
from kotp2p.seams.notices import (
    WATCHER,
    AbsenceNotice,
    AskedBecause,
    ChangeStalls,
    GameStarted,
    LineUpBegun,
    Notice,
    Offer,
    OfferEnded,
    ReturnAsked,
    SeatView,
    StopWanted,
    Wished,
)
from kotp2p.wire.lineups import Reason
from tests.support.laid_decisions import among_persons, table
from tests.support.local_game import at_terminal, said
from tests.support.recorded_control import Orders

OFFER = Offer((2,), can_go_on=True, yours=True)
TOO_FEW = Offer((2,), can_go_on=False, yours=True)
ASKS_BACK = ReturnAsked(2, AskedBecause.REFUSED_ROLLS)
CAME_BACK = LineUpBegun((ChangedHands(2, Reason.BACK, (), False),), table())


def sitting(*notices: Notice, view: SeatView | None = None) -> tuple[LinePlayer, Orders]:
    front, orders = at_terminal(), Orders()
    front.attach(orders)
    for notice in (GameStarted(view or among_persons()), *notices):
        front.show(notice)
    return front, orders


# -- what is typed ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("b", ("go on", True)), ("B", ("go on", True)), ("bot", ("go on", True)),
        ("w", ("go on", False)), ("wait", ("go on", False)),
    ],
)  # fmt: skip
def test_an_offer_is_answered_by_a_letter_or_a_word(line: str, order: tuple[str, bool]) -> None:
    front, orders = sitting(OFFER)
    front.read_line(line)
    assert order in orders.given
    assert ("You wait for Mia." in said(front)[-1]) is not order[1]


def test_an_answer_can_be_changed_while_the_offer_stands() -> None:
    front, orders = sitting(OFFER)
    for line in ("b", "w", "b"):
        front.read_line(line)
    assert [wish for word, *wish in orders.given if word == "go on"] == [[True], [False], [True]]


@pytest.mark.parametrize("offer", [None, OfferEnded((2,)), CAME_BACK])
def test_without_an_offer_the_letters_mean_nothing(offer: AbsenceNotice | None) -> None:
    front, orders = sitting(OFFER, *([] if offer is None else [offer]))
    if offer is None:
        front, orders = sitting()
    front.read_line("b")
    front.read_line("bot")
    assert orders.given == []
    front.read_line("wait")
    assert [line.endswith("There is nobody for whom a bot could play now.")
            for line in said(front)[-2:]] == [True, True]  # fmt: skip


def test_too_few_cannot_let_a_bot_play_and_can_wait() -> None:
    front, orders = sitting(TOO_FEW)
    front.read_line("b")
    assert orders.given == []
    assert "No bot can step in" in said(front)[-1]
    front.read_line("w")
    assert ("go on", False) in orders.given


def test_to_stop_for_today_is_wished_and_taken_back() -> None:
    front, orders = sitting()
    front.read_line("adjourn")
    front.read_line("wait")
    assert orders.given == [("stop", True), ("stop", False)]


@pytest.mark.parametrize("line", ["accept Mia", "accept mia", "accept 3", "accept"])
def test_who_asks_to_come_back_is_let_back_by_name_or_number(line: str) -> None:
    front, orders = sitting(ASKS_BACK)
    front.read_line(line)
    assert orders.given == [("let back", 2)]


BACK = (ASKS_BACK, CAME_BACK)
NOBODY = "Nobody of that name asks to come back."


@pytest.mark.parametrize(
    ("notices", "seat", "line", "told"),
    [
        ((replace(OFFER, yours=False),), 0, "b", "The others decide about that without you."),
        (BACK, 0, "accept Rex", NOBODY), (BACK, 0, "accept", NOBODY), (BACK, 0, "accept 9", NOBODY),
        ((replace(OFFER, yours=False),), WATCHER, "adjourn",
         "You only watch, so the players decide about that."),
        ((), 0, "back", "What is done cannot be taken back."),
    ],
)  # fmt: skip
def test_what_is_not_up_to_a_player_does_nothing_and_is_told(
    notices: tuple[Notice, ...], seat: int, line: str, told: str
) -> None:
    view = among_persons()
    view.seat = seat
    front, orders = sitting(*notices, view=view)
    front.read_line(line)
    assert orders.given == []
    assert said(front)[-1].endswith(told)


def test_a_player_for_whom_a_bot_plays_takes_the_seat_again() -> None:
    view = among_persons()
    view.keepers[0] = 1
    front, orders = sitting(view=view)
    assert "To take your seat again, type: back" in " ".join(OpenMatters().describe(view))
    front.read_line("back")
    assert orders.given == [("back",)]


# -- what stands -----------------------------------------------------------------------------


def standing(*notices: AbsenceNotice) -> str:
    matters = OpenMatters()
    for notice in notices:
        matters.note_notice(notice)
    return " ".join(matters.describe(among_persons()))


@pytest.mark.parametrize(
    ("opens", "closes", "words"),
    [
        (OFFER, OfferEnded((2,)), "Mia does not answer."),
        (OFFER, CAME_BACK, "Mia does not answer."),
        (ChangeStalls((1,)), ChangeStalls(()), "The game waits for Rex to agree"),
        (StopWanted(1, True, (0,)), StopWanted(1, False, ()), "Rex wants to stop here"),
        (ASKS_BACK, CAME_BACK, "Mia wants to come back"),
    ],
)
def test_what_is_open_stands_there_until_it_is_settled(
    opens: AbsenceNotice, closes: AbsenceNotice, words: str
) -> None:
    assert words in standing(opens)
    assert standing(opens, closes) == ""


def test_whom_it_waits_for_stands_below_the_offer() -> None:
    assert standing(OFFER, Wished(0, (2,), (1,))).endswith("Still to agree: Rex.")
    assert "Still to agree" not in standing(OFFER, Wished(0, (2,), (1,)), Wished(0, (), ()))
    assert "Still to agree" in standing(OFFER, Wished(0, (2,), (1,)), Wished(1, (), ()))


# -- a bot in place of the player ------------------------------------------------------------


@pytest.mark.parametrize(
    ("notice", "order"),
    [
        (OFFER, ("go on", True)),
        (StopWanted(1, True, (0,)), ("stop", True)),
        (StopWanted(1, False, ()), ("stop", False)),
        (TOO_FEW, None),
        (replace(OFFER, yours=False), None),
        (Offer((0,), can_go_on=True, yours=True), None),
        (StopWanted(0, True, (1,)), None),
    ],
)
def test_a_bot_goes_along_with_persons(notice: Notice, order: tuple[object, ...] | None) -> None:
    orders = Orders()
    wish_for_bot(notice, 0, orders)
    assert orders.given == ([] if order is None else [order])


def test_a_seat_that_a_bot_plays_says_it_to_the_others() -> None:
    front, orders = at_terminal(bot=make_bot("easy", b"1")), Orders()
    front.attach(orders)
    front.show(GameStarted(among_persons()))
    front.show(OFFER)
    assert orders.given == [("go on", True)]
