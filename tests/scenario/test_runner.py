"""The scenario runner itself: how it plays, and what it finds wrong."""

import json
import tomllib
from pathlib import Path
from typing import get_args

import pytest

from kotp2p.referee.box.rulesets import SECOND
from kotp2p.referee.model.answers import Answer
from kotp2p.referee.model.decisions import Decision
from tests.scenario.__main__ import main
from tests.scenario.fields import Fault
from tests.scenario.form import read_scenarios
from tests.scenario.lines import _READERS
from tests.scenario.run import run_scenario
from tests.scenario.translate import _WORDS_OF_KIND
from tests.scenario.words import DECISION_KINDS

QUIET = 'script = [{dice = "112233"}, {by = "P1", do = "stop"}]'


TABLE = """
[[scenario]]
id = "S"
rules = ["second"]
seats = [{name = "P1"}, {name = "P2", at = "city"}, {name = "P3"}]
"""


def find_faults(text: str) -> list[str]:
    """All faults that the runner finds in the scenarios of a readable file."""
    return [
        fault
        for scenario in read_scenarios(tomllib.loads(text))
        for verdict in run_scenario(scenario)
        for fault in verdict.faults
    ]


def find_refusal(text: str) -> str:
    with pytest.raises(Fault) as caught:
        read_scenarios(tomllib.loads(text))
    return str(caught.value)


ALL_CARDS = len(SECOND.deck())


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
        ("classic", True), ("second", True), ("dark", True),
    ]  # fmt: skip


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
        ("table = {deck_size = 1}", f"table deck_size: expected 1, found {ALL_CARDS - 3}"),
        ("table = {discard_size = 1}", "table discard_size: expected 1, found 0"),
        ('table = {market = ["Tank"]}', "table market: expected tank, found"),
        ('table = {asked = ["P2 yield"]}', "table asked: expected P2 yield, found P1 roll"),
        ('table = {asked = ["P1 roll", "P1 roll"]}', "table asked: expected P1 roll, found"),
        ('table = {asked_once = ["P2 yield"]}', "table asked_once: expected P2 yield once, found"),
        ('table = {not_asked = ["P1 roll"]}', "table not_asked: expected no P1 roll, found it"),
    ],
)
def test_an_expectation_that_fails_is_named_with_what_was_found(expect: str, found: str) -> None:
    said = find_faults(TABLE + QUIET + f"\nexpect = {{{expect}}}")
    assert len(said) == 1
    assert said[0].startswith(found)


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
    sizes = f"discard_size = 6, deck_size = {ALL_CARDS - 9}"
    good = f"expect = {{P1 = {{energy = 0}}, table = {{{sizes}}}}}"
    assert find_faults(text + good) == []
    wrong = find_faults(text + 'expect = {table = {market = ["Wings", "Tank", "Heal"]}}')[0]
    market = wrong.rpartition("found ")[2].split(", ")
    named = {"wings", "tank", "heal", "energize", "frenzy", "skyscraper"}
    assert len(market) == 3
    assert not named & set(market)


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


# -- tables -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ('cards = ["Heal"]', "Heal is no Keep card"),
        ('cards = ["Zombify"]', "the second deck has no zombify"),
        ('cards = ["Wings", "Wings"]', "the second deck has no further copy of wings"),
        ('tiles = ["Devious"]', "there are no wickedness tiles in second rules"),
        ('at = "city"', "P2 and P3 cannot both be in one place"),
        ('cards = [{card = "Mimic", copies = "Wings", of = "P1"}]', "P3 copies wings, which"),
        ('tiles = ["Devious", "Barbs"]', "Devious and Barbs are two sides of one tile"),
        ('tiles = ["Devious", "Devious"]', "there is only one devious"),
        ('tiles = [{tile = "Fluxling", copies = "Wings"}]', "P3 copies wings, which"),
        ('tiles = [{tile = "Fluxling", copies = "Mimic"}]', "the dark deck has no mimic"),
    ],
)
def test_a_table_that_cannot_be_is_a_failure_of_its_scenario(change: str, fault: str) -> None:
    text = TABLE.replace('name = "P3"', f'name = "P3", {change}')
    if "tiles" in change and "second" not in fault:
        text = text.replace("second", "dark")
    said = find_faults(text + QUIET)
    assert len(said) == 1
    assert said[0].startswith(fault)


def test_a_copy_has_the_counters_of_a_new_card_unless_others_are_named() -> None:
    text = TABLE.replace('at = "city"', 'at = "city", cards = ["Smoke Cloud"]') + QUIET
    copy = 'cards = [{card = "Mimic", copies = "Smoke Cloud"%s}]'
    for counters, found in (("", 3), (", counters = 1", 1)):
        mimic = text.replace('name = "P1"', f'name = "P1", {copy % counters}')
        assert find_faults(f"{mimic}\nexpect = {{P1 = {{counters = {{Mimic = {found}}}}}}}") == []


# -- the form of a file -------------------------------------------------------------------


LINE = TABLE + "script = [{%s}]"


@pytest.mark.parametrize(
    ("text", "place", "what"),
    [
        ("", "file", "no [[scenario]]"),
        ("[[scenario]]\nid = 'S'\n[other]\n", "file", "'other'"),
        (TABLE + "colour = 1", "scenario 1 (S)", "'colour'"),
        (TABLE.replace('"second"', '"third"'), "rules", "'third' is none of"),
        (TABLE.replace("rules = ", "rules_ = "), "scenario 1 (S)", "rules"),
        (TABLE.replace('name = "P3"', 'name = "P1"'), "seats[2].name", "'P1'"),
        (TABLE.replace('at = "city"', 'at = "harbour"'), "seats[1].at", "'harbour'"),
        (TABLE.replace('at = "city"', "hart = 3"), "seats[1]", "'hart'"),
        (TABLE.replace('at = "city"', 'hearts = "3"'), "seats[1].hearts", "whole number"),
        (TABLE.replace('at = "city"', "hearts = true"), "seats[1].hearts", "whole number"),
        (TABLE.replace('at = "city"', 'cards = ["Gills"]'), "seats[1].cards[0]", "'Gills'"),
        (TABLE.replace('at = "city"', "hearts = 13"), "seats[1].hearts", "range: 0 to 12"),
        (TABLE.replace('at = "city"', "points = 21"), "seats[1].points", "range: 0 to 20"),
        (TABLE.replace('at = "city"', "energy = -1"), "seats[1].energy", "range: 0 or more"),
        (TABLE.replace('at = "city"', 'tiles = ["Wings"]'), "seats[1].tiles", "no tile named"),
        (LINE % 'by = "P1", do = "take", tile = "Wings"', "script[0].tile", "'Wings'"),
        (TABLE + 'active = "P9"', "active", "'P9'"),
        (TABLE + 'market = ["Tank", "Tanks", "Heal", "Frenzy"]', "market", "three"),
        (TABLE + 'until = "noon"', "until", "'noon'"),
        (TABLE + "options = {bay = true}", "options", "'bay'"),
        (LINE % 'dice = "1122X3"', "script[0].dice", "'X'"),
        (LINE % 'dice = "112233", by = "P1"', "script[0]", "'by'"),
        (LINE % 'by = "P1", do = "jump"', "script[0].do", "'jump'"),
        (LINE % 'by = "P1", do = "stop", die = 1', "script[0]", "'die'"),
        (LINE % 'by = "P9", do = "stop"', "script[0].by", "'P9'"),
        (LINE % 'by = "P1", do = "buy"', "script[0]", "'card'"),
        (LINE % 'by = "P1", do = "reroll"', "script[0]", "'dice'"),
        (LINE % 'by = "P1", do = "reroll", dice = [0, true]', "dice[1]", "whole"),
        (LINE % 'by = "P1", do = "reroll", dice = [-1]', "dice[0]", "whole"),
        (LINE % 'by = "P1", do = "reroll", dice = ["1"]', "dice[0]", "whole"),
        (
            LINE % 'by = "P1", do = "use", card = "Stretchy", face = "12"',
            "script[0].face",
            "one face",
        ),
        (LINE % 'by = "P1", do = "order", groups = ["C", 1]', "groups[1]", "string"),
        (LINE % 'by = "P1", do = "sell"', "script[0]", "'cards'"),
        (
            LINE % 'by = "P1", do = "use", card = "Wings", via = "Wing"',
            "script[0].via",
            "no card or tile named 'Wing'",
        ),
        (LINE % 'draw = "Gills"', "script[0].draw", "'Gills'"),
        (TABLE + "expect = {P1 = {heart = 1}}", "expect.P1", "'heart'"),
        (TABLE + "expect = {P9 = {hearts = 1}}", "expect", "'P9'"),
        (TABLE + 'expect = {table = {asked = ["P1 lunch"]}}', "asked", "'lunch'"),
        (TABLE + "expect_in = {third = {}}", "expect_in", "'third'"),
    ],
)
def test_what_is_not_in_the_format_has_its_place_named(text: str, place: str, what: str) -> None:
    said = find_refusal(text)
    assert place in said
    assert what in said


# -- words --------------------------------------------------------------------------------


def test_every_kind_of_decision_has_its_words() -> None:
    kinds = sorted(decision.kind for decision in get_args(Decision))
    assert sorted(DECISION_KINDS) == kinds
    assert sorted(_WORDS_OF_KIND) == kinds


def test_every_answer_has_its_word() -> None:
    """`buy` with `from = "deck"` is the answer BuyTop."""
    words = {answer.__name__.lower() for answer in get_args(Answer)} - {"buytop"}
    assert set(_READERS) == words
    assert set().union(*_WORDS_OF_KIND.values()) == words


# -- the command --------------------------------------------------------------------------


def test_the_command_prints_a_line_for_each_and_tells_by_its_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad, odd = tmp_path / "good.toml", tmp_path / "bad.toml", tmp_path / "odd.toml"
    good.write_text(TABLE + QUIET, encoding="utf-8")
    bad.write_text(TABLE + QUIET + "\nexpect = {P1 = {hearts = 1}}", encoding="utf-8")
    odd.write_text("[[scenario]\n", encoding="utf-8")
    assert main([str(good)]) == 0
    assert capsys.readouterr().out == "ok S [second]\n"
    assert main([str(bad), str(good)]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "FAILED S [second]: P1 hearts: expected 1, found 10"
    assert out[1] == "ok S [second]"
    assert main([str(odd), str(good)]) == 2
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith(f"REFUSED {odd}: TOML:")
    assert "line 1" in out[0]
    assert out[1] == "ok S [second]"
