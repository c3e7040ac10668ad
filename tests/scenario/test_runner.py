"""The scenario runner itself: how it plays, and what it finds wrong."""

import json
import tomllib

import pytest

from kotp2p.referee.box.rulesets import SECOND
from tests.scenario.form import read_scenarios
from tests.scenario.run import run_scenario
from tests.scenario.script import Play
from tests.scenario.setting import lay_table
from tests.support.scenario_texts import QUIET, TABLE, find_faults


def test_a_scenario_that_holds_has_no_faults() -> None:
    assert (
        find_faults(TABLE + QUIET + '\nexpect = {P1 = {hearts = 10}, table = {turn = "P2"}}') == []
    )


def test_each_rule_set_is_run_and_may_expect_its_own() -> None:
    text = """
[[scenario]]
id = "S"
rules = ["classic", "second", "dark"]
seats = [{name = "P1"}, {name = "P2"}]
script = [{dice = "112233"}, {by = "P1", do = "stop"}]
expect = {P1 = {at = "city", hearts = 10}}
expect_in = {classic = {P1 = {at = "outside"}}}
"""
    scenario = read_scenarios(tomllib.loads(text))[0]
    assert [(v.rules, v.ok) for v in run_scenario(scenario)] == [
        ("classic", True),
        ("second", True),
        ("dark", True),
    ]


@pytest.mark.parametrize(
    ("expect", "found"),
    [
        ("P1 = {hearts = 9}", "P1 hearts: expected 9, found 10"),
        ('P2 = {at = "bay"}', "P2 at: expected bay, found city"),
        ("P1 = {alive = false}", "P1 alive: expected false, found true"),
        ('P1 = {dice = "111111"}', "P1 dice: expected 111111, found 112233"),
        ('P1 = {cards = ["Wings"]}', "P1 cards: expected wings, found none"),
        ('P1 = {has = ["Wings"]}', "P1 cards: expected wings, found none"),
        ('P1 = {counters = {"Smoke Cloud" = 1}}', "P1 counters of smoke-cloud: expected 1"),
        ("P1 = {max_hearts = 12}", "P1 max_hearts: expected 12, found 10"),
        ("P1 = {tiles = ['Devious']}", "P1 tiles: expected devious, found none"),
        ('table = {turn = "P3"}', "table turn: expected P3, found P2"),
        ("table = {over = true}", "table over: expected true, found false"),
        ("table = {winners = []}", "table winners: expected none, found a game that goes on"),
        ('table = {city = ""}', "table city: expected nobody, found P2"),
        ('table = {bay = "P1"}', "table bay: expected P1, found nobody"),
        ("table = {deck_size = 1}", "table deck_size: expected 1, found 63"),
        ("table = {discard_size = 1}", "table discard_size: expected 1, found 0"),
        ('table = {market = ["Tank"]}', "table market: expected tank, found"),
        ('table = {asked = ["P2 yield"]}', "table asked: expected P2 yield, found P1 roll"),
        ('table = {asked = ["P1 roll", "P1 roll"]}', "table asked: expected P1 roll, found"),
        ('table = {asked_once = ["P2 yield"]}', "table asked_once: expected P2 yield once, found"),
        ('table = {not_asked = ["P1 roll"]}', "table not_asked: expected no P1 roll, found it"),
    ],
)
def test_an_expectation_that_does_not_hold_is_named_with_what_was_found(
    expect: str, found: str
) -> None:
    said = find_faults(TABLE + QUIET + f"\nexpect = {{{expect}}}")
    assert len(said) == 1
    assert said[0].startswith(found)


def test_a_turn_without_a_roll_and_a_question_is_judged_at_its_end() -> None:
    """P2 stands in the City and would gain 2 points at the start of its turn."""
    text = TABLE.replace('name = "P1"', 'name = "P1", shrink = 6')
    expect = 'expect = {P1 = {shrink = 6}, P2 = {points = 0}, table = {turn = "P2"}}'
    assert find_faults(f"{text}\n{expect}") == []
    goes_on = f'{text}script = [{{dice = "112233"}}]\nexpect = {{P2 = {{points = 2}}}}'
    assert find_faults(goes_on) == []
    goes_on = f'{text}script = [{{dice = "112233"}}]\nexpect = {{P2 = {{points = 2}}}}'
    assert find_faults(goes_on) == []


def test_asked_takes_a_question_that_is_put_again_and_asked_once_does_not() -> None:
    twice = TABLE + (
        'script = [{dice = "112233"}, {by = "P1", do = "reroll", dice = [0]}, {dice = "1"}]\n'
        'expect = {table = {%s = ["P1 roll"]}}'
    )
    assert find_faults(twice % "asked") == []
    assert find_faults(twice % "asked_once") == [
        "table asked_once: expected P1 roll once, found it 2 times"
    ]
    assert find_faults(TABLE + QUIET + '\nexpect = {table = {asked_once = ["P1 roll"]}}') == []


@pytest.mark.parametrize(
    ("script", "fault"),
    [
        ('{dice = "11223"}', "line 0, dice 11223: 6 dice are rolled, not 5"),
        ('{by = "P1", do = "stop"}', "a roll of 6 dice finds no dice line: next is line 0"),
        ("", "a roll of 6 dice finds no dice line: the script is at its end"),
        ('{dice = "112233"}, {by = "P1", do = "reroll", dice = [9]}', "line 1, P1 reroll: is il"),
        (
            '{dice = "112233"}, {by = "P1", do = "stop", refused = true}',
            "line 1, P1 stop: should be refused, but is legal",
        ),
        ('{dice = "112233"}, {draw = "Wings"}', "a roll of 6 dice finds no dice line: next is"),
    ],
)
def test_a_script_that_cannot_be_played_says_where_it_stops(script: str, fault: str) -> None:
    said = find_faults(TABLE + f"script = [{script}]")
    assert len(said) == 1
    assert said[0].startswith(fault)


def test_a_line_left_over_when_the_game_is_over_fails() -> None:
    text = """
[[scenario]]
id = "S"
rules = ["second"]
seats = [{name = "P1"}, {name = "P2", at = "city", hearts = 1}]
script = [{dice = "C11223"}, {by = "P1", do = "stop"}, {by = "P2", do = "yield"}]
"""
    assert find_faults(text) == ["line 2, P2 yield: was never used"]


def test_lines_that_fit_nothing_wait_and_defaults_go_on() -> None:
    """P1 stops by default; the line of P2 waits for the yield question."""
    text = TABLE + (
        'script = [{dice = "C11223"}, {by = "P2", do = "yield"}]\n'
        'expect = {P1 = {at = "city"}, P2 = {at = "outside", hearts = 9}}'
    )
    assert find_faults(text) == []


def test_a_script_that_goes_on_stops_at_the_end_of_the_turn_of_its_last_line() -> None:
    text = TABLE + (
        'script = [{dice = "112233"}, {by = "P1", do = "stop"}, {dice = "333112"}]\n'
        'expect = {P2 = {points = 5}, table = {turn = "P3"}}'
    )
    assert find_faults(text) == []


def test_until_script_stops_at_the_first_decision_after_the_last_line() -> None:
    text = TABLE + (
        'until = "script"\n'
        'script = [{dice = "C11223"}, {by = "P1", do = "stop"}, '
        '{by = "P1", do = "order", groups = ["C", "1", "2", "3"]}]\n'
        'expect = {P2 = {hearts = 9, at = "city"}, '
        'table = {asked = ["P2 yield"], turn = "P2"}}'
    )
    assert find_faults(text) == []


def test_until_script_stops_at_the_first_roll() -> None:
    text = TABLE.replace('name = "P1"', 'name = "P1", points = 4').replace(
        'at = "city"', "energy = 1"
    )
    assert find_faults(text + 'until = "script"\nexpect = {P1 = {points = 4, dice = ""}}') == []


def test_cards_are_drawn_by_draw_lines_then_by_the_deck_then_unnamed_ones() -> None:
    text = TABLE.replace('name = "P1"', 'name = "P1", energy = 4') + (
        'market = ["Energize", "Frenzy", "Skyscraper"]\n'
        'deck = ["Tank", "Heal"]\n'
        'script = [{dice = "112233"}, {by = "P1", do = "stop"}, {by = "P1", do = "sweep"}, '
        '{draw = "Wings"}, {by = "P1", do = "sweep"}]\n'
    )
    good = "expect = {P1 = {energy = 0}, table = {discard_size = 6, deck_size = 57}}"
    assert find_faults(text + good) == []
    wrong = find_faults(text + 'expect = {table = {market = ["Wings", "Tank", "Heal"]}}')[0]
    market = wrong.rpartition("found ")[2].split(", ")
    named = {"wings", "tank", "heal", "energize", "frenzy", "skyscraper"}
    assert len(market) == 3
    assert not named & set(market)


TWIN_HEADS = TABLE.replace('name = "P1"', 'name = "P1", energy = 9') + (
    'market = ["Extra Head", "Energize", "Extra Head"]\ndeck = ["Tank"]\n'
)
"""The two Extra Heads lie at the left and at the right."""


@pytest.mark.parametrize(
    ("second", "market"),
    [
        ("", ["Tank", "Energize", "Extra Head"]),
        (", second = true", ["Extra Head", "Energize", "Tank"]),
    ],
)
def test_a_line_means_the_first_of_two_equal_cards_unless_it_says_second(
    second: str, market: list[str]
) -> None:
    (scenario,) = read_scenarios(
        tomllib.loads(
            TWIN_HEADS + 'script = [{dice = "112233"}, '
            f'{{by = "P1", do = "buy", card = "Extra Head"{second}}}]'
        )
    )
    outcome = Play(scenario, lay_table(scenario, "second")).play()
    face_up = [item for item in outcome.state.market if item is not None]
    assert [outcome.game.card(item).name for item in face_up] == market


def test_an_opportunist_means_the_one_of_two_equal_cards_that_was_turned_up() -> None:
    text = (
        TABLE.replace('name = "P1"', 'name = "P1", energy = 3').replace(
            'name = "P3"', 'name = "P3", energy = 7, cards = ["Opportunist"]'
        )
    ) + (
        'market = ["Extra Head", "Energize", "Corner Store"]\ndeck = ["Extra Head", "Tank"]\n'
        'script = [{dice = "112233"}, {by = "P1", do = "buy", card = "Corner Store"}, '
        '{by = "P3", do = "buy", card = "Extra Head"}]\n'
        'expect = {P3 = {cards = ["Opportunist", "Extra Head"]}, '
        'table = {market = ["Extra Head", "Energize", "Tank"]}}'
    )
    assert find_faults(text) == []


def test_a_second_card_that_is_not_there_is_refused() -> None:
    line = '{by = "P1", do = "buy", card = "Energize", second = true'
    script = f'script = [{{dice = "112233"}}, {line}}}]'
    assert find_faults(TWIN_HEADS + script) == [
        "line 1, P1 buy: is illegal (there is no second such card)"
    ]
    assert find_faults(TWIN_HEADS + script.replace("}]", ", refused = true}]")) == []


@pytest.mark.parametrize(("second", "copies_on"), [("", True), (", second = true", False)])
def test_the_second_of_two_equal_cards_can_be_copied_and_sold(second: str, copies_on: bool) -> None:
    """Mimic copies the second Extra Head, so it is empty once that one is sold."""
    text = TABLE.replace(
        'name = "P1"',
        'name = "P1", energy = 1, cards = ["Metamorph", "Extra Head", "Extra Head", "Mimic"]',
    ) + (
        'script = [{by = "P1", do = "copy", card = "Extra Head", of = "P1", second = true}, '
        '{dice = "112233112"}, '
        f'{{by = "P1", do = "sell", cards = ["Extra Head"]{second}}}]\n'
        'expect = {P1 = {has = [{card = "Mimic", copies = "Extra Head"}]}}'
    )
    assert (find_faults(text) == []) is copies_on


def test_a_refused_line_leaves_the_decision_for_the_next_line() -> None:
    text = TABLE + (
        'script = [{dice = "112233"}, '
        '{by = "P1", do = "reroll", dice = [7], refused = true}, '
        '{by = "P1", do = "reroll", dice = [0]}, {dice = "B"}]\n'
        'expect = {P1 = {energy = 1}, table = {asked = ["P1 roll", "P1 roll"]}}'
    )
    assert find_faults(text) == []


@pytest.mark.parametrize(
    ("expect", "found"),
    [
        ("tiles = []", "P3 tiles: expected no fluxling, found fluxling"),
        ('tiles = ["Eternal"]', "P3 tiles: expected eternal, found fluxling"),
        (
            'tiles = [{tile = "Fluxling", copies = "Jets"}]',
            "P3 tiles: expected fluxling copying jets, found fluxling",
        ),
        ("counters = {Fluxling = 2}", "P3 counters of fluxling: expected 2, found 1"),
    ],
)
def test_tiles_are_judged_like_cards(expect: str, found: str) -> None:
    tile = 'cards = ["Smoke Cloud"], tiles = [{tile = "Fluxling", copies = "Smoke Cloud", '
    tile += "counters = 1}]"
    text = TABLE.replace("second", "dark").replace('name = "P3"', f'name = "P3", {tile}')
    said = find_faults(text + QUIET + f"\nexpect = {{P3 = {{{expect}}}}}")
    assert said[0] == found


def test_a_referee_that_breaks_fails_the_scenario_and_not_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(self: Play) -> None:
        raise KeyError("bay")

    monkeypatch.setattr(Play, "play", broken)
    assert find_faults(TABLE + QUIET) == ["the referee broke: KeyError: 'bay'"]


CLOUD = TABLE.replace('name = "P1"', 'name = "P1", cards = [{card = "Smoke Cloud", counters = 1}]')


def test_a_card_is_judged_by_its_counters() -> None:
    cards = "has = [{{card = 'Smoke Cloud', counters = {}}}]"
    assert find_faults(CLOUD + QUIET + f"\nexpect = {{P1 = {{{cards.format(1)}}}}}") == []
    said = find_faults(CLOUD + QUIET + f"\nexpect = {{P1 = {{{cards.format(2)}}}}}")
    assert len(said) == 1
    assert said[0].startswith("P1 cards: expected smoke-cloud")


def test_the_dearest_card_is_not_drawn_by_itself_if_the_scenario_names_it() -> None:
    """Those that it does not name come first, the dear ones before the others."""
    dear = [card.name for card in sorted(SECOND.cards, key=lambda card: -card.cost)[:3]]
    text = TABLE.replace('name = "P1"', 'name = "P1", energy = 2') + (
        'market = ["Energize", "Frenzy", "Skyscraper"]\n'
        'script = [{dice = "112233"}, {by = "P1", do = "stop"}, {by = "P1", do = "sweep"}]\n'
        f"expect = {{table = {{market = {json.dumps(dear)}}}}}"
    )
    (fault,) = find_faults(text)
    named = {card.key for card in SECOND.cards if card.name in dear}
    assert not named & set(fault.rpartition("found ")[2].split(", "))


def test_a_use_may_name_the_tile_that_lends_the_card() -> None:
    """Without `via` the card itself would be used. Each has a counter of its own."""
    text = TABLE.replace("second", "dark").replace(
        'name = "P1"',
        'name = "P1", tiles = [{tile = "Fluxling", copies = "Smoke Cloud", counters = 2}], '
        'cards = [{card = "Smoke Cloud", counters = 2}]',
    )
    script = (
        '{dice = "112233"}, {by = "P1", do = "use", card = "Smoke Cloud"%s}, '
        '{by = "P1", do = "reroll", dice = [0]}, {dice = "1"}'
    )
    left = "\nexpect = {P1 = {counters = {%s}}}"
    via = script % ', via = "Fluxling"'
    assert find_faults(f"{text}script = [{via}]" + left % '"Smoke Cloud" = 2, "Fluxling" = 1') == []
    assert find_faults(f"{text}script = [{script % ''}]" + left % '"Smoke Cloud" = 1') == []
