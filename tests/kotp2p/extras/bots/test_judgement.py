"""How bots judge positions, rolls and cards: corners that few games come to."""

import pytest

from kotp2p.extras.bots import Noise, choose
from kotp2p.extras.bots.card_worths import after_quiet_turn, lasting_worths, offer_gains
from kotp2p.extras.bots.chances import (
    BLOWS,
    CROWD,
    DUEL,
    DUEL_OF_FEW,
    SURE,
    THREE_OF_FEW,
    UNKNOWING,
    Figures,
    View,
    chance_to_hold_out,
    figures_among,
    log_odds,
    standings_by_figures,
    winning_chance,
)
from kotp2p.extras.bots.dice import final_roll_worths
from kotp2p.extras.bots.judgement import Judgement, first_values, heart_uses, promising_answers
from kotp2p.referee.box.rulesets import DARK, RULE_SETS, SECOND, RuleSet
from kotp2p.referee.model import decisions
from kotp2p.referee.model.answers import Answered, Done, Drawn, Face, Hearts, Reroll, Stop, Use
from tests.support.referee_table import BAY, CITY, Played, Sits, go_to_buying, seated

WISE = Noise(b"")


def chances(play: Played) -> list[float]:
    seats = range(len(play.state.monsters))
    return [winning_chance(play.game, seat, UNKNOWING, standings_by_figures) for seat in seats]


def judgement_of(play: Played) -> Judgement:
    """How seat 0 sees the table at its own roll or purchase."""
    worths = lasting_worths(play.game)
    return Judgement(0, view=View(worths, offer_gains(play.game, 0, worths)))


def worths_of_rolls(play: Played, faces: str) -> dict[str, float]:
    """What seat 0 makes of some final rolls, given by their letters."""
    play.roll(faces)
    decision = play.decision
    assert isinstance(decision, decisions.RollDecision)
    found = final_roll_worths(play.game, decision, judgement_of(play))
    letters = {"".join(f.letter * n for f, n in zip(Face, c, strict=True)): c for c in found}
    return {name: found[counts] for name, counts in letters.items()}


# -- positions -----------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_the_chances_of_all_seats_add_up_to_one(seats: int) -> None:
    play = seated(SECOND, *[Sits(points=seat, hearts=10 - seat) for seat in range(seats)])
    assert sum(chances(play)) == pytest.approx(1.0)


def test_who_is_out_has_no_chance_and_counts_for_nothing() -> None:
    play = seated(SECOND, Sits(), Sits(CITY), Sits(points=15))
    state = play.state.copy()
    state.monsters[2].alive = False
    left = Played(play.game.setup, state)
    assert chances(left)[2] == 0.0
    assert sum(chances(left)) == pytest.approx(1.0)


def test_those_who_have_won_share_the_chance() -> None:
    play = seated(SECOND, Sits(points=19), Sits(CITY))
    play.state.winners = (0, 1)
    assert chances(play) == [0.5, 0.5]


def test_log_odds_end_where_a_chance_is_as_good_as_sure() -> None:
    assert log_odds(0.5) == 0.0
    assert log_odds(1.0) == log_odds(SURE) == -log_odds(0.0)


@pytest.mark.parametrize(
    ("living", "seats", "figures"),
    [
        (2, 2, DUEL_OF_FEW), (2, 3, DUEL_OF_FEW), (3, 3, THREE_OF_FEW),
        (2, 4, DUEL), (3, 4, CROWD), (4, 4, CROWD), (6, 6, CROWD),
    ],
)  # fmt: skip
def test_a_duel_and_a_small_table_differ(living: int, seats: int, figures: Figures) -> None:
    assert figures_among(living, seats) is figures


def test_without_hearts_nobody_holds_out_and_one_heart_bears_no_claw() -> None:
    assert [chance_to_hold_out(0, attackers) for attackers in (0, 1, 5)] == [0.0, 0.0, 0.0]
    assert chance_to_hold_out(1, 0) == 1.0
    assert chance_to_hold_out(1, 2) == pytest.approx(BLOWS[0] ** 2)


# -- outlooks ------------------------------------------------------------------------------


def test_cards_of_an_outlook_are_drawn_from_each_pile_once() -> None:
    draws = (decisions.Draw(5, 0), decisions.Draw(5, 0), decisions.Draw(4, 1), decisions.Draw(5, 0))
    chance = decisions.Chance(
        decisions.ChanceKind.CARDS, draws, None, (tuple(range(5)), tuple(range(5, 9)))
    )
    assert first_values(chance) == (0, 1, 0, 2)
    assert first_values(
        decisions.Chance(decisions.ChanceKind.DICE, (decisions.Draw(6), decisions.Draw(6)))
    ) == (0, 0)


def test_an_outlook_goes_on_to_the_end_of_the_turn() -> None:
    """Natural Selection takes the hearts of its owner there, for a 3."""
    play = seated(DARK, Sits(cards=("natural-selection",)), Sits(CITY), Sits())
    found = worths_of_rolls(play, "1122333")
    assert found["3HHBBCC"] == 0.0
    assert found["1HHBBCC"] > 0.0


def test_a_card_that_kills_its_owner_is_no_bargain() -> None:
    """Natural Selection pays at once, and most of its owners die of it."""
    play = seated(DARK, Sits(energy=12), Sits(CITY), Sits(), market=("natural-selection", "jets"))
    go_to_buying(play, "12HHBB")
    gains = offer_gains(play.game, 0, lasting_worths(play.game))
    assert gains[play.item("natural-selection")] < 0 < gains[play.item("jets")]


def test_no_turn_shows_what_a_card_is_worth_that_cannot_be_bought_in_it() -> None:
    play = seated(SECOND, Sits(), Sits(CITY), market=("jets",))
    ends = [after_quiet_turn(play.game, play.state, play.item(card)) for card in ("jets", "wings")]
    assert [end is not None for end in ends] == [True, False]


def test_offers_are_judged_that_the_energy_of_this_turn_may_pay_for() -> None:
    """A roll brings seven at most, and these cost 6, 7 and 8."""
    cards = ("gas-refinery", "extra-head", "mimic")
    for energy, paid in ((0, cards[:2]), (1, cards)):
        play = seated(SECOND, Sits(energy=energy), Sits(CITY), Sits(), market=cards)
        gains = offer_gains(play.game, 0, lasting_worths(play.game))
        assert set(gains) == {play.item(card) for card in paid}


# -- rolls ---------------------------------------------------------------------------------


def assert_alike(play: Played, faces: str, step: int) -> None:
    """Every `step`th final roll is worth what resolving it by itself comes to."""
    play.roll(faces)
    decision = play.decision
    assert isinstance(decision, decisions.RollDecision)
    judgement = judgement_of(play)
    found = final_roll_worths(play.game, decision, judgement)
    dice = len(decision.dice)
    for counts, worth in list(found.items())[::step]:
        fork = play.game.fork()
        fork.submit(Answered(0, Reroll(tuple(range(dice)))))
        fork.submit(Drawn(tuple(face for face in Face for _ in range(counts[face]))))
        fork.submit(Answered(0, Stop()))
        judgement.finish_turn(fork)
        assert judgement.chance(fork) == worth, counts


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=list(RULE_SETS))
def test_rolls_that_count_the_same_come_to_what_resolving_each_finds(rules: RuleSet) -> None:
    play = seated(rules, Sits(hearts=8), Sits(CITY), Sits(points=4), market=("freeze-time",))
    assert_alike(play, "112233", 3)


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=list(RULE_SETS))
def test_no_card_of_the_roller_makes_rolls_differ_that_count_the_same(rules: RuleSet) -> None:
    """Each Keep card in turn: an effect says what it looks for in the dice."""
    for card in {card.key: card for card in rules.deck() if card.keep}.values():
        roller = Sits(hearts=8, energy=2, cards=(card.key,))
        play = seated(rules, roller, Sits(CITY, hearts=9), Sits(points=4, hearts=8))
        dice = len(play.chance.draws)
        assert_alike(play, "1122331"[:dice], 11)


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=list(RULE_SETS))
def test_no_card_of_a_rival_makes_rolls_differ_that_count_the_same(rules: RuleSet) -> None:
    """In Tokyo, and in front of the one that is on turn next."""
    for card in {card.key: card for card in rules.deck() if card.keep}.values():
        roller = Sits(hearts=4, energy=2, points=3)
        struck, following = Sits(CITY, hearts=9, cards=(card.key,)), Sits(points=4, hearts=8)
        assert_alike(seated(rules, roller, struck, following), "1122331"[: rules.dice], 29)
        struck, following = Sits(hearts=8, cards=(card.key,)), Sits(CITY, points=4)
        assert_alike(seated(rules, roller, struck, following), "1122331"[: rules.dice], 29)


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=list(RULE_SETS))
def test_no_card_on_offer_makes_rolls_differ_that_count_the_same(rules: RuleSet) -> None:
    """Each card in turn beside one that may be bought after it."""
    for card in {card.key: card for card in rules.deck()}.values():
        roller = Sits(hearts=7, energy=4, points=3)
        market = (card.key, "jets" if card.key != "jets" else "wings")
        play = seated(rules, roller, Sits(CITY, hearts=9), Sits(points=4), market=market)
        assert_alike(play, "1122331"[: rules.dice], 29)


def test_a_card_that_is_bought_after_three_ones_looks_at_them() -> None:
    """Freeze Time gives another turn for them, also to one who buys it in this turn."""
    market = ("freeze-time", "jets")
    play = seated(SECOND, Sits(hearts=7, energy=4), Sits(CITY, hearts=9), Sits(), market=market)
    assert_alike(play, "112233", 1)


@pytest.mark.parametrize(
    "roller",
    [Sits(hearts=5, poison=1), Sits(points=16), Sits(CITY, hearts=3), Sits(hearts=1, energy=9)],
    ids=["poisoned", "about to win", "in Tokyo", "nearly dead"],
)
def test_rolls_of_a_roller_in_a_corner_come_to_what_resolving_each_finds(roller: Sits) -> None:
    rivals = Sits(CITY if roller.place is not CITY else BAY, hearts=2), Sits(hearts=2, points=17)
    market = ("energy-hoarder", "natural-selection", "heal")
    rules = DARK if roller.points else SECOND
    offered = [key for key in market if any(card.key == key for card in rules.deck())]
    assert_alike(seated(rules, roller, *rivals, market=offered), "112233", 5)


def test_the_points_that_win_are_a_sure_thing() -> None:
    found = worths_of_rolls(seated(SECOND, Sits(points=17), Sits(CITY), Sits()), "112233")
    assert found["333BBC"] == 1.0
    assert max(worth for roll, worth in found.items() if "111" not in roll) == 1.0
    assert found["12233H"] < 1.0


# -- hearts --------------------------------------------------------------------------------


def test_hearts_are_of_use_outside_tokyo_and_not_to_a_zombie() -> None:
    game = seated(SECOND, Sits(hearts=8, poison=1), Sits(CITY, hearts=8)).game
    assert heart_uses(game, 0).count("heal") == 2
    assert heart_uses(game, 1) == []
    game.state.monsters[0].zombie = True
    assert heart_uses(game, 0) == []


def test_no_more_hearts_are_spent_than_were_rolled() -> None:
    play = seated(SECOND, Sits(hearts=8, poison=1), Sits(CITY), market=("jets",))
    play.roll("H11223")
    play.default_until("hearts")
    decision = play.decision
    assert isinstance(decision, decisions.HeartsDecision)
    answer = choose("normal", play.game, decision, WISE, None)
    assert (decision.hearts, decision.heal, decision.poison) == (1, 1, 1)
    assert answer == Hearts(poison=1), "what is worth most"


def test_hearts_of_no_use_to_their_roller_are_sold_as_far_as_there_are_any() -> None:
    ray = Sits(cards=("healing-ray",))
    others = (Sits(CITY, hearts=9, energy=9), Sits(hearts=8, energy=9), Sits(hearts=5, energy=9))
    play = seated(SECOND, ray, *others)
    play.roll("HH1123")
    play.default_until("hearts")
    decision = play.decision
    assert isinstance(decision, decisions.HeartsDecision)
    assert decision.patients == ((1, 1), (2, 2), (3, 2))
    assert choose("normal", play.game, decision, WISE, None) == Hearts(give=((1, 1), (2, 1)))


# -- answers -------------------------------------------------------------------------------


def test_no_energy_is_paid_for_another_roll_of_dice_that_win() -> None:
    drinker = Sits(energy=3, points=14, cards=("energy-drink",))
    play = seated(SECOND, drinker, Sits(CITY), market=("jets",))
    play.roll("333331")
    for face in "13":
        play.say(0, Reroll((5,)))
        play.roll(face)
    assert choose("normal", play.game, play.decision, WISE, None) == Stop()


def test_at_the_last_roll_a_use_is_passed_over_that_rolls_nothing() -> None:
    """Rapid Healing may be used at any time; Background Dweller rolls the 3 anew."""
    roller = Sits(hearts=6, energy=2, cards=("background-dweller", "rapid-healing"))
    play = seated(SECOND, roller, Sits(CITY), Sits())
    play.roll("31122B")
    for face in "BB":
        play.say(0, Reroll((5,)))
        play.roll(face)
    decision = play.decision
    assert isinstance(decision, decisions.RollDecision)
    assert (decision.rolls_left, len(decision.uses)) == (0, 2)
    dweller = play.item("background-dweller")
    assert choose("normal", play.game, decision, WISE, None) == Use(dweller, die=0)


def test_no_die_is_turned_to_its_own_face_and_of_equal_dice_only_the_first() -> None:
    dice = (Face.ONE, Face.ONE, Face.CLAW)
    decision = decisions.ChangeDecision(
        0, dice, uses=(decisions.Usable(7, "stretchy", 2, (0, 1, 2), tuple(Face)),)
    )
    tried = promising_answers(decision)
    assert Done() in tried
    assert {use.die for use in tried if isinstance(use, Use)} == {0, 2}
    assert all(dice[use.die or 0] is not use.face for use in tried if isinstance(use, Use))
