"""Standing orders: what is answered without asking, and what is asked all the same."""

import io
import random
from collections.abc import Sequence

import pytest

from kotp2p.cli.ask.standing_orders import OrderKeeper, Orders, answer_by_orders, parse_orders
from kotp2p.cli.system.output import Output
from kotp2p.cli.ui import line_player, notice_feed, plain, player_state
from kotp2p.extras import bots
from kotp2p.referee.box.rulesets import RULE_SETS, RuleSet
from kotp2p.referee.model import answers, decisions
from kotp2p.seams.notices import GameStarted, SeatView
from tests.support.laid_decisions import table
from tests.support.local_game import Table, new_view, piped, said


def with_hearts(hearts: int) -> SeatView:
    view = table()
    view.game.state.monsters[0].hearts = hearts
    return view


TOKYO = Orders(yield_at=3, stay_at=6)


@pytest.mark.parametrize(
    ("hearts", "pending", "answer"),
    [
        (1, 0, answers.Yield()), (3, 0, answers.Yield()), (4, 0, None), (5, 0, None),
        (6, 0, answers.Stay()), (10, 0, answers.Stay()), (5, 2, answers.Yield()),
        (8, 2, answers.Stay()), (7, 2, None), (2, 2, None),
    ],
)  # fmt: skip
def test_tokyo_is_left_or_held_by_the_hearts_that_staying_leaves(
    hearts: int, pending: int, answer: answers.Yield | answers.Stay | None
) -> None:
    found = answer_by_orders(with_hearts(hearts), decisions.YieldDecision(0, 1, pending), TOKYO)
    assert (found and found[0]) == answer


def test_without_orders_everything_is_asked() -> None:
    assert answer_by_orders(with_hearts(3), decisions.YieldDecision(0, 1), Orders()) is None


def test_only_tokyo_is_answered_by_orders() -> None:
    view = with_hearts(3)
    assert answer_by_orders(view, decisions.BuyDecision(0, (), True, False, False), TOKYO) is None


# -- the words ---------------------------------------------------------------------------


def typed(*lines: str) -> list[str]:
    standing = OrderKeeper()
    for line in lines[:-1]:
        standing.read_line(line)
    answer = standing.read_line(lines[-1])
    assert answer is not None
    return answer


NONE = "You have no standing orders: you are asked about everything."


def test_orders_are_shown_with_the_words_that_change_them() -> None:
    shown = typed("orders")
    assert shown[0] == NONE
    words = [line.partition(":")[0] for line in shown[1:]]
    assert words[:2] == ["orders yield 3", "orders stay 6"]


def test_each_order_is_said_back() -> None:
    assert typed("orders yield 3", "ORDERS stay ۶", "orders")[:3] == [
        "You leave Tokyo if staying leaves you 3 hearts or fewer.",
        "You stay in Tokyo if that leaves you 6 hearts or more.",
        "You are always asked before an order puts you out or lets another player win.",
    ]


def test_orders_are_taken_back_one_by_one_or_all() -> None:
    assert typed("orders yield 3", "orders yield off") == [NONE]
    assert typed("orders yield 3", "orders stay 6", "orders off") == [NONE]
    assert typed("orders yield 3, stay 6", "orders yield off, stay off") == [NONE]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("orders yield", "Type a number from 1, or off, after orders yield."),
        ("orders stay 0", "Type a number from 1, or off, after orders stay."),
        ("orders stay many", "Type a number from 1, or off, after orders stay."),
    ],
)
def test_what_cannot_be_ordered_is_refused_with_a_reason(line: str, why: str) -> None:
    assert typed(line) == [why]


def test_nobody_can_be_ordered_to_leave_and_to_stay_at_the_same_hearts() -> None:
    standing = OrderKeeper()
    standing.read_line("orders stay 4")
    standing.read_line("orders yield 4")
    assert standing.orders == Orders(stay_at=4)


def test_other_lines_are_none_of_its_business() -> None:
    for line in ("order", "ordersoff", "", "y"):
        assert OrderKeeper().read_line(line) is None


# -- from the settings -------------------------------------------------------------------


def test_the_words_of_the_settings_are_those_of_the_game_with_commas_between() -> None:
    assert parse_orders("yield 3, STAY  ۶ , ") == Orders(3, 6)
    assert parse_orders("") == Orders()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("yield", "Type a number from 1, or off, after orders yield."),
        ("stay 3, yield 3", "That would be leaving and staying at 3 hearts; "
         "your earlier orders stand."),
        ("never ask", "orders yield 3: you leave Tokyo if staying leaves you 3 hearts or fewer. "
         "orders stay 6: you stay in Tokyo if that leaves you 6 hearts or more. "
         "orders off cancels all of them; orders yield off cancels that one."),
    ],
)  # fmt: skip
def test_words_of_the_settings_that_are_no_orders_are_refused(words: str, why: str) -> None:
    assert parse_orders(words) == why


def test_orders_that_hold_from_the_beginning_are_told_with_it() -> None:
    front = piped()
    front.standing.orders = Orders(stay_at=6)
    front.show(GameStarted(table()))
    told = said(front)
    at = told.index("Your standing orders:")
    assert told[at + 1] == "You stay in Tokyo if that leaves you 6 hearts or more."
    front = piped()
    front.show(GameStarted(table()))
    assert "Your standing orders:" not in said(front)


# -- in a game ---------------------------------------------------------------------------


class Obedient(plain.PlainDisplay):
    """Answers at once what it is asked, as the bots would, and keeps what that was."""

    def __init__(self, view: SeatView) -> None:
        self.state = player_state.PlayerState(notice_feed.NoticeFeed(notice_feed.Audience()))
        super().__init__(self.state, Output(io.StringIO(), io.StringIO()))
        self.view = view
        self.asked: set[str] = set()

    def put_question(self, lines: Sequence[str], *, new: bool) -> None:
        asking = self.state.asking
        assert asking is not None
        decision = asking.question.decision
        self.asked.add(decision.kind)
        asking.answer = bots.advise(self.view, decision)
        self.state.close_question()


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=lambda rules: rules.name)
async def test_in_a_whole_game_tokyo_is_answered_and_told(rules: RuleSet) -> None:
    view = new_view(3, rules)
    display = Obedient(view)
    front = line_player.LinePlayer(display.state, display, bots.advise)
    front.show(GameStarted(view))
    for line in ("orders yield 5", "orders stay 6"):
        front.read_line(line)
    game = Table(view, front, random.Random(4))
    await game.play()
    told = said(front)
    followed = [decision.kind for decision, _answer in game.decided]
    assert "roll" in display.asked
    assert "yield" in followed
    assert "yield" not in display.asked
    said_so = sum(line.startswith("Standing order: you ") for line in told)
    assert said_so == followed.count("yield")
