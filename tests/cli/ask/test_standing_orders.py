"""Standing orders: what is answered without asking, and what is asked all the same."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence

import pytest
import trio
import trio.testing

from kotp2p import bots
from kotp2p.cli.ask.standing_orders import OrderKeeper, Orders, answer_by_orders, parse_setting
from kotp2p.cli.system.output import Output
from kotp2p.cli.ui.line_player import LinePlayer
from kotp2p.cli.ui.notice_feed import Audience, NoticeFeed
from kotp2p.cli.ui.plain import PlainDisplay
from kotp2p.cli.ui.player_state import PlayerState
from kotp2p.referee.box.rulesets import CLASSIC, RULE_SETS, SECOND, RuleSet
from kotp2p.referee.model.answers import Done, Pass, Stay, Stop, Yield
from kotp2p.referee.model.decisions import (
    BuyDecision,
    ChangeDecision,
    CopyDecision,
    Decision,
    OpportunistDecision,
    ProbeDecision,
    ResponseDecision,
    RollDecision,
    SellDecision,
    SwapDecision,
    Usable,
    YieldDecision,
)
from kotp2p.referee.model.state import DamageKind, Holding
from kotp2p.seams.notices import GameStarted, SeatView
from tests.support.laid_decisions import dice, heal, item, table
from tests.support.local_game import Orders as Control
from tests.support.local_game import Table, new_view, piped, said
from tests.support.staged_turns import all_of, go_on, has, placed, stopped

SIX = (0, 1, 2, 3, 4, 5)


def with_hearts(hearts: int) -> SeatView:
    view = table()
    view.game.state.monsters[0].hearts = hearts
    return view


TOKYO = Orders(yield_at=3, stay_at=6)


@pytest.mark.parametrize(
    ("hearts", "pending", "answer"),
    [
        (1, 0, Yield()),
        (3, 0, Yield()),
        (4, 0, None),
        (5, 0, None),
        (6, 0, Stay()),
        (10, 0, Stay()),
        (5, 2, Yield()),
        (8, 2, Stay()),
        (7, 2, None),
        (2, 2, None),
    ],
)
def test_tokyo_is_left_or_held_by_the_hearts_that_staying_leaves(
    hearts: int, pending: int, answer: Yield | Stay | None
) -> None:
    found = answer_by_orders(with_hearts(hearts), YieldDecision(0, 1, pending), TOKYO)
    assert (found and found.answer) == answer


def test_without_orders_everything_is_asked() -> None:
    view = with_hearts(3)
    assert answer_by_orders(view, YieldDecision(0, 1), Orders()) is None
    assert answer_by_orders(view, BuyDecision(0, (), True, False, False), Orders()) is None
    assert answer_by_orders(view, wings_only(view, 1), Orders()) is None


@pytest.mark.parametrize(("energy", "answer"), [(0, Done()), (3, Done()), (4, None), (9, None)])
def test_the_shop_is_skipped_below_the_energy_that_was_said(
    energy: int, answer: Done | None
) -> None:
    view = table()
    view.game.state.monsters[0].energy = energy
    found = answer_by_orders(
        view, BuyDecision(0, (), True, False, False), Orders(shop_from_energy=4)
    )
    assert (found and found.answer) == answer


def wings_only(
    view: SeatView, amount: int, kind: DamageKind = DamageKind.CLAWS
) -> ResponseDecision:
    wings = Usable(item(view, "wings"), "wings", 2)
    return ResponseDecision(0, kind, amount, 1, uses=(wings,))


def test_a_skipped_defence_is_not_asked_about_unless_the_hit_takes_the_last_hearts() -> None:
    view = with_hearts(3)
    skip = Orders(skipped_keys=frozenset({"wings"}))
    found = answer_by_orders(view, wings_only(view, 2), skip)
    assert found is not None
    assert found.answer == Pass()
    assert found.sentence == "Standing order: Wings not used."
    assert answer_by_orders(view, wings_only(view, 3), skip) is None
    assert answer_by_orders(view, wings_only(view, 9, DamageKind.POISON), skip) is None
    assert answer_by_orders(view, wings_only(view, 9, DamageKind.LOSS), skip) is not None


async def test_a_lethal_hit_is_asked_though_ordered_not_to_be_and_enter_survives() -> None:
    """UX check 17."""
    view = stopped("CC1123", all_of(placed(1), has(0, "wings", hearts=2, energy=2)))
    front = piped()
    front.attach(Control())
    front.show(GameStarted(view))
    front.read_line("orders skip wings")
    decision = go_on(view, ResponseDecision)
    answers: list[object] = []

    async def ask() -> None:
        answers.append(await front.decide(view, decision))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask)
        await trio.testing.wait_all_tasks_blocked()
        front.read_line("n")  # the damage is taken only when that is said twice
        assert "Your answer: take the damage. Do it?" in said(front)[-2]
        front.read_line("")
        await trio.testing.wait_all_tasks_blocked()
        assert not answers
        front.read_line("")
        front.read_line("")
    assert answers == [next(decision.uses[0].legal_answers())]


def test_another_defence_that_is_not_skipped_is_still_asked_about() -> None:
    view = with_hearts(5)
    wings = Usable(item(view, "wings"), "wings", 2)
    decision = ResponseDecision(0, DamageKind.CLAWS, 1, 1, uses=(wings, heal(view)))
    assert answer_by_orders(view, decision, Orders(skipped_keys=frozenset({"wings"}))) is None
    both = Orders(skipped_keys=frozenset({"wings", "rapid-healing"}))
    assert answer_by_orders(view, decision, both) is not None


def test_rapid_healing_alone_keeps_no_die_card_from_being_skipped() -> None:
    view = table(rolled="112233")
    probe = Usable(item(view, "psychic-probe"), "psychic-probe", 0, SIX)
    decision = ProbeDecision(0, 1, dice("112233"), uses=(probe, heal(view)))
    skip = Orders(skipped_keys=frozenset({"psychic-probe"}))
    found = answer_by_orders(view, decision, skip)
    assert found is not None
    assert found.answer == Pass()
    stretchy = Usable(item(view, "stretchy"), "stretchy", 2, SIX)
    assert (
        answer_by_orders(view, ChangeDecision(0, dice("112233"), uses=(probe, stretchy)), skip)
        is None
    )


def test_a_roll_is_asked_about_as_long_as_dice_can_be_rolled() -> None:
    view = table(rolled="112233")
    drink = Usable(item(view, "energy-drink"), "energy-drink", 1)
    skip = Orders(skipped_keys=frozenset({"energy-drink"}))
    assert answer_by_orders(view, RollDecision(0, dice("112233"), 1, uses=(drink,)), skip) is None
    found = answer_by_orders(view, RollDecision(0, dice("112233"), 0, uses=(drink,)), skip)
    assert found is not None
    assert found.answer == Stop()


@pytest.mark.parametrize("key", ["opportunist", "unstable-dna", "metamorph"])
def test_a_choice_that_a_card_brings_is_skipped_with_it(key: str) -> None:
    view = table(rules=RULE_SETS["dark"])
    card = item(view, key)
    view.game.state.monsters[0].holdings = [Holding(card, 1)]
    decisions: dict[str, Decision] = {
        "opportunist": OpportunistDecision(0, ()),
        "unstable-dna": SwapDecision(0, 1, ()),
        "metamorph": SellDecision(0, (card,)),
    }
    decision = decisions[key]
    found = answer_by_orders(view, decision, Orders(skipped_keys=frozenset({key})))
    assert found is not None
    assert found.answer == decision.default
    assert answer_by_orders(view, decision, Orders(skipped_keys=frozenset({"wings"}))) is None


def test_a_copying_card_that_is_skipped_stays_where_it_is_but_has_to_be_placed() -> None:
    view = table()
    mimic = item(view, "mimic")
    skip = Orders(skipped_keys=frozenset({"mimic"}))
    assert answer_by_orders(view, CopyDecision(0, mimic, (1, 2), True, 1), skip) is not None
    assert answer_by_orders(view, CopyDecision(0, mimic, (1, 2), False), skip) is None


# -- the words ---------------------------------------------------------------------------


def typed(*lines: str) -> list[str]:
    standing = OrderKeeper()
    for line in lines[:-1]:
        standing.read_line(line, SECOND)
    answer = standing.read_line(lines[-1], SECOND)
    assert answer is not None
    return answer


NONE = "You have no standing orders: you are asked about everything."


def test_orders_are_shown_with_the_words_that_change_them() -> None:
    shown = typed("orders")
    assert shown[0] == NONE
    assert shown[1].startswith("What you can type")
    words = [line.partition(":")[0] for line in shown[2:]]
    assert words[:4] == ["orders yield 3", "orders stay 6", "orders shop 4", "orders skip CARD"]


def test_each_order_is_said_back() -> None:
    lines = ("orders yield 3", "ORDERS stay ۶", "orders shop 4", "orders skip wing", "orders")
    assert typed(*lines)[:5] == [
        "You leave Tokyo if staying leaves you 3 hearts or fewer.",
        "You stay in Tokyo if that leaves you 6 hearts or more.",
        "You skip the shop with less than 4 energy.",
        "You are not asked about Wings.",
        "You are always asked before an order puts you out or lets another player win.",
    ]


def test_orders_are_taken_back_one_by_one_or_all() -> None:
    assert typed("orders yield 3", "orders yield off") == [NONE]
    assert typed("orders skip wings", "orders ask wings") == [NONE]
    assert typed("orders yield 3", "orders shop 4", "orders off") == [NONE]
    assert typed("orders yield 3, shop 4", "orders yield off, shop off") == [NONE]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("orders yield", "Type a number from 1, or off, after orders yield."),
        ("orders stay 0", "Type a number from 1, or off, after orders stay."),
        ("orders shop many", "Type a number from 1, or off, after orders shop."),
        ("orders skip xyzzy", "No card is called xyzzy."),
        ("orders skip acid attack", "You are never asked about Acid Attack alone."),
    ],
)
def test_what_cannot_be_ordered_is_refused_with_a_reason(line: str, why: str) -> None:
    assert typed(line) == [why]


def test_nobody_can_be_ordered_to_leave_and_to_stay_at_the_same_hearts() -> None:
    standing = OrderKeeper()
    standing.read_line("orders stay 4", SECOND)
    standing.read_line("orders yield 4", SECOND)
    assert standing.orders == Orders(stay_at=4)


def test_other_lines_are_none_of_its_business() -> None:
    for line in ("order", "ordersoff", "", "y"):
        assert OrderKeeper().read_line(line, SECOND) is None
    assert OrderKeeper().read_line("orders", None) is None


# -- from the settings -------------------------------------------------------------------


def test_the_words_of_the_settings_are_those_of_the_game_with_commas_between() -> None:
    assert parse_setting("yield 3,stay ۶ , SHOP 4, skip wings, ") == Orders(
        3, 6, 4, frozenset({"wings"})
    )
    assert parse_setting("") == Orders()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("yield", "Type a number from 1, or off, after orders yield."),
        ("stay 3, yield 3", "That would be leaving and staying at 3 hearts; "
         "your earlier orders stand."),
        ("skip xyzzy", "No card is called xyzzy."),
        ("skip acid attack", "You are never asked about Acid Attack alone."),
        ("never ask", "Type: orders yield 3, orders stay 6, orders shop 4, orders skip CARD, "
         "orders ask CARD; orders off cancels all of them, orders yield off only that one."),
    ],
)  # fmt: skip
def test_words_of_the_settings_that_are_no_orders_are_refused(words: str, why: str) -> None:
    assert parse_setting(words) == why


def test_a_card_of_another_rule_set_may_be_skipped_and_is_not_shown_here() -> None:
    (only_dark,) = [card for card in RULE_SETS["dark"].tiles if card.key == "fluxling"]
    orders = parse_setting(f"skip {only_dark.name}")
    assert orders == Orders(skipped_keys=frozenset({"fluxling"}))
    assert OrderKeeper(orders).describe_with_syntax(CLASSIC)[0] == NONE
    assert OrderKeeper(orders).greet(RULE_SETS["dark"])[:2] == [
        "Your standing orders:", "You are not asked about Fluxling."
    ]  # fmt: skip


def test_orders_that_hold_from_the_beginning_are_told_with_it() -> None:
    front = piped()
    front.standing.orders = Orders(shop_from_energy=4)
    front.show(GameStarted(table()))
    told = said(front)
    at = told.index("Your standing orders:")
    assert told[at + 1] == "You skip the shop with less than 4 energy."
    front = piped()
    front.show(GameStarted(table()))
    assert "Your standing orders:" not in said(front)


# -- in a game ---------------------------------------------------------------------------


class Obedient(PlainDisplay):
    """Answers at once what it is asked, as the bots would, and keeps what that was."""

    def __init__(self, view: SeatView) -> None:
        self.state = PlayerState(NoticeFeed(Audience()))
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
async def test_in_a_whole_game_tokyo_and_the_shop_are_answered_and_told(rules: RuleSet) -> None:
    view = new_view(3, rules)
    display = Obedient(view)
    front = LinePlayer(display.state, display, bots.advise)
    front.show(GameStarted(view))
    for line in ("orders yield 5", "orders stay 6", "orders shop 99"):
        front.read_line(line)
    game = Table(view, front, random.Random(8))
    await game.play()
    told = said(front)
    followed = [decision.kind for decision, _answer in game.decided]
    assert "roll" in display.asked
    assert {"buy", "yield"} & set(followed)
    assert not {"buy", "yield"} & display.asked
    assert sum(line.startswith("Standing order: you ") for line in told) == sum(
        followed.count(kind) for kind in ("buy", "yield")
    )
