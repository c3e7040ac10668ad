"""Why advice is given: each reason in a position made for it, and what dice bring."""

from collections.abc import Callable
from itertools import product

import pytest

from kotp2p.extras.bots import advise, reasons
from kotp2p.extras.bots.dice import Counts, Figure, Prospects, count_faces
from kotp2p.referee.model import answers, decisions
from kotp2p.seams.notices import SeatView
from tests.support.laid_decisions import item
from tests.support.local_game import put_in
from tests.support.staged_turns import all_of, go_on, has, placed, rolled, shop, stopped

ONE, TWO, THREE, HEART, BOLT, CLAW = answers.Face


def explain(view: SeatView, answer: answers.Answer) -> reasons.Reason | None:
    pending = view.game.pending
    assert not isinstance(pending, decisions.Chance | decisions.Over)
    return reasons.explain_advice(view, pending, answer)


def explain_own(view: SeatView) -> tuple[answers.Answer, reasons.Reason | None]:
    pending = view.game.pending
    assert not isinstance(pending, decisions.Chance | decisions.Over)
    answer = advise(view, pending)
    return answer, reasons.explain_advice(view, pending, answer)


def hit_in_tokyo(hearts: int, by: int = 1, points: int = 0) -> SeatView:
    """Seat 0 of three stands in Tokyo with so many hearts and loses one of them."""
    view = stopped("C11223", all_of(placed(0), has(0, hearts=hearts, points=points)), by=by)
    go_on(view, decisions.YieldDecision)
    return view


# -- dice ----------------------------------------------------------------------------------


def odd_worth(counts: Counts) -> float:
    return counts[CLAW] ** 2 + 2.0 * (counts[ONE] >= 2) + 0.3 * counts[HEART] - 0.1 * counts[THREE]


def mean_by_playing(keep: Counts, size: int, left: int, value: Callable[[Counts], float]) -> float:
    """`keep` is kept; all rolls are tried, and after each the dice are kept as `Prospects` says."""
    missing = size - sum(keep)
    if not missing or not left:
        return value(keep)
    total = 0.0
    for faces in product(answers.Face, repeat=missing):
        counts = count_faces([*(f for f in answers.Face for _ in range(keep[f])), *faces])
        if left == 1:
            total += value(counts)
            continue
        dice = [f for f in answers.Face for _ in range(counts[f])]
        kept = Prospects(dice, left - 1, odd_worth).dice_to_keep()
        total += mean_by_playing(kept, size, left - 1, value)
    return total / float(len(answers.Face) ** missing)


@pytest.mark.parametrize("kept", [(), (ONE,), (CLAW, CLAW), (ONE, TWO, HEART)])
@pytest.mark.parametrize("left", [1, 2])
def test_a_plan_knows_what_playing_on_brings(kept: tuple[answers.Face, ...], left: int) -> None:
    prospects = Prospects((ONE, ONE, ONE), left, odd_worth)
    keep = count_faces(kept)
    for face in answers.Face:

        def value(counts: Counts, face: answers.Face = face) -> float:
            return counts[face]

        expected = mean_by_playing(keep, 3, left, value)
        assert prospects.mean_after_keeping(keep, value) == pytest.approx(expected)


@pytest.mark.parametrize("left", [1, 2, 3])
def test_along_its_plan_the_worth_is_what_prospects_say(left: int) -> None:
    for dice in product(answers.Face, repeat=3):
        prospects = Prospects(dice, left, odd_worth)
        keep = prospects.dice_to_keep()
        assert prospects.mean_after_keeping(keep, odd_worth) == pytest.approx(prospects.worth())


def test_hearts_are_why_a_weak_monster_keeps_hearts() -> None:
    answer, reason = explain_own(rolled("HH12BC", all_of(placed(1), has(0, hearts=3))))
    assert answer == answers.Reroll((2, 3, 4))
    assert isinstance(reason, reasons.RollBrings)
    assert next(iter(reason.figures)) is Figure.HEARTS
    assert reason.few_hearts == 3 and not reason.cannot_heal


def test_hearts_bring_nothing_in_tokyo_and_the_reason_says_so() -> None:
    _answer, reason = explain_own(rolled("HH12BC", all_of(placed(0), has(0, hearts=1))))
    assert isinstance(reason, reasons.RollBrings)
    assert Figure.HEARTS not in reason.figures
    assert reason.cannot_heal


def test_the_figures_are_exact_means() -> None:
    """Five claws are kept, and one die is rolled twice at most."""
    reason = explain(rolled("CCCCC1", placed(1)), answers.Reroll((5,)))
    assert isinstance(reason, reasons.RollBrings)
    claws = reason.figures[Figure.CLAWS]
    assert 5 + 1 / 6 - 1e-9 <= claws <= 5 + 1 / 6 + 5 / 36 + 1e-9


def test_what_cards_add_to_the_dice_counts() -> None:
    """Gourmet makes three points out of three 1s."""
    for keys, points in ((("gourmet",), 3), ((), 1)):
        view = rolled("111222", all_of(placed(1), has(0, *keys, points=10)))
        reason = explain(view, answers.Reroll((5,)))
        assert isinstance(reason, reasons.RollBrings)
        mean = reason.figures[Figure.POINTS]
        assert points < mean < points + 1


def test_a_roll_that_may_win_is_explained_by_that() -> None:
    answer, reason = explain_own(rolled("33HBC1", has(0, points=17)))
    assert answer == answers.Reroll((2, 3, 4, 5))
    # Two rolls of four dice without a 3 among them are what fails.
    fails = (5 / 6) ** 8
    assert isinstance(reason, reasons.MayWinThisTurn)
    assert reason.chance >= 1 - fails - 1e-9


def test_the_last_roll_wins_nothing_before_it_is_made() -> None:
    view = rolled("33HBC1", has(0, points=17))
    put_in(view, answers.Answered(0, answers.Reroll((2,))))
    put_in(view, answers.Drawn((HEART,)))
    assert isinstance(explain(view, answers.Reroll((2, 3, 4, 5))), reasons.MayWinThisTurn)


def test_stopping_is_explained_only_if_no_other_roll_is_worth_more() -> None:
    why = reasons.Plain.ROLLING_BRINGS_NO_MORE
    assert explain_own(rolled("333333", placed(1))) == (answers.Stop(), why)
    assert explain(rolled("112233", placed(1)), answers.Stop()) is None


def test_a_stop_that_wins_wins() -> None:
    assert explain(rolled("2222HC", has(0, points=18)), answers.Stop()) == reasons.Plain.WINS_NOW
    assert explain(rolled("2222HC", has(0, points=15)), answers.Stop()) != reasons.Plain.WINS_NOW


# -- Tokyo ---------------------------------------------------------------------------------


def test_leaving_is_explained_by_the_danger() -> None:
    why = reasons.HoldsOut(1, 1, 0.5, wins=False)
    assert explain_own(hit_in_tokyo(2)) == (answers.Yield(), why)


def test_leaving_without_danger_is_explained_by_the_hearts_that_it_costs() -> None:
    answer, reason = explain_own(hit_in_tokyo(4))
    assert answer == answers.Yield()
    assert isinstance(reason, reasons.IsWornDown)
    assert reason.hearts == pytest.approx(0.85)


def test_nobody_attacks_where_the_own_turn_comes_next() -> None:
    why = reasons.HoldsOut(2, 0, 1.0, wins=False)
    assert explain_own(hit_in_tokyo(3, by=2)) == (answers.Stay(), why)


def test_two_points_that_win_are_why_one_stays() -> None:
    answer, reason = explain_own(hit_in_tokyo(2, points=18))
    assert answer == answers.Stay()
    assert isinstance(reason, reasons.HoldsOut)
    assert reason.wins and reason.chance < reasons.LIKELY_TO_HOLD_OUT


def test_an_answer_that_the_bot_would_not_give_is_not_defended() -> None:
    assert explain(hit_in_tokyo(2), answers.Stay()) is None


def test_what_saves_the_last_hearts_is_said_to() -> None:
    view = stopped("CC1123", all_of(placed(0), has(0, "jets", hearts=2)))
    go_on(view, decisions.YieldDecision)
    assert explain_own(view) == (answers.Yield(), reasons.Plain.SURVIVES)


# -- cards ---------------------------------------------------------------------------------


def test_a_defence_that_saves_and_one_that_only_helps() -> None:
    saved = stopped("C11223", all_of(placed(0), has(0, "wings", hearts=1, energy=2)))
    go_on(saved, decisions.ResponseDecision)
    answer, reason = explain_own(saved)
    assert isinstance(answer, answers.Use)
    assert reason == reasons.Plain.SURVIVES
    helped = stopped("C11223", all_of(placed(0), has(0, "wings", hearts=9, energy=4)))
    go_on(helped, decisions.ResponseDecision)
    _answer, reason = explain_own(helped)
    assert isinstance(reason, reasons.RaisesChance)
    assert reason.chance - reason.otherwise >= 0.01


def test_an_answer_is_compared_only_where_the_end_of_all_others_can_be_foreseen() -> None:
    """Camouflage rolls dice before the damage lands."""
    healthy = "even-bigger", "wings"
    for keys, is_explained in ((healthy, True), ((*healthy, "camouflage"), False)):
        view = stopped("C11223", all_of(placed(0), has(0, *keys, hearts=12, energy=2)))
        go_on(view, decisions.ResponseDecision)
        assert isinstance(explain(view, answers.Pass()), reasons.RaisesChance) == is_explained


def test_a_purchase_that_saves_or_wins() -> None:
    view = shop("heal", "wings", change=has(0, hearts=1, poison=1, energy=10))
    assert explain(view, answers.Buy(item(view, "heal"))) == reasons.Plain.SURVIVES
    view = shop("skyscraper", "jets", change=has(0, points=16, energy=6))
    assert explain_own(view) == (answers.Buy(item(view, "skyscraper")), reasons.Plain.WINS_NOW)


def test_a_purchase_is_explained_by_the_chance_to_win_if_it_shows() -> None:
    view = shop("alien-origin", "armor-plating", energy=4)
    answer, reason = explain_own(view)
    assert answer == answers.Buy(item(view, "armor-plating"))
    assert isinstance(reason, reasons.RaisesChance)
    view = shop("armor-plating", "commuter-train", change=has(0, points=8, energy=4))
    bought = answers.Buy(item(view, "armor-plating"))
    assert explain_own(view) == (bought, reasons.Plain.IS_WORTH_IT)


def test_energy_is_saved_for_a_card_that_is_named() -> None:
    view = shop("gas-refinery", "gourmet", change=has(0, points=8, energy=4))
    assert explain_own(view) == (answers.Done(), reasons.SavesFor(item(view, "gas-refinery")))


def test_without_energy_for_a_card_the_reason_says_so() -> None:
    why = reasons.Plain.CANNOT_PAY
    assert explain_own(shop("alien-origin", "gourmet", energy=2)) == (answers.Done(), why)


def test_to_buy_nothing_is_explained_by_the_offers() -> None:
    view = shop("acid-attack", "high-altitude-bombing", energy=4)
    assert explain_own(view) == (answers.Done(), reasons.Plain.NOTHING_IS_WORTH_IT)


def test_nothing_is_said_at_a_decision_that_is_over() -> None:
    view = shop("alien-origin", "armor-plating", energy=4)
    pending = view.game.pending
    assert isinstance(pending, decisions.BuyDecision)
    before = view.game.digest()
    assert reasons.explain_advice(view, pending, answers.Done()) is None
    assert view.game.digest() == before
    view.game = rolled("112233").game
    assert reasons.explain_advice(view, pending, answers.Done()) is None
