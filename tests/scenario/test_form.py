"""Reading scenario files: what is not in the format is refused with its place."""

import tomllib

import pytest

from tests.scenario.form import read_scenarios
from tests.support.scenario_texts import QUIET, TABLE, find_refusal


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
        (TABLE + 'active = "P9"', "active", "'P9'"),
        (TABLE + 'market = ["Tank", "Tanks", "Heal", "Frenzy"]', "market", "three"),
        (TABLE + 'until = "noon"', "until", "'noon'"),
        (TABLE + "options = {bay = true}", "options", "'bay'"),
        (TABLE + 'script = [{dice = "1122X3"}]', "script[0].dice", "'X'"),
        (TABLE + 'script = [{dice = "112233", by = "P1"}]', "script[0]", "'by'"),
        (TABLE + 'script = [{by = "P1", do = "jump"}]', "script[0].do", "'jump'"),
        (TABLE + 'script = [{by = "P1", do = "stop", die = 1}]', "script[0]", "'die'"),
        (TABLE + 'script = [{by = "P9", do = "stop"}]', "script[0].by", "'P9'"),
        (TABLE + 'script = [{by = "P1", do = "buy"}]', "script[0]", "'card'"),
        (TABLE + 'script = [{by = "P1", do = "reroll"}]', "script[0]", "'dice'"),
        (TABLE + 'script = [{by = "P1", do = "reroll", dice = [0, true]}]', "dice[1]", "whole"),
        (TABLE + 'script = [{by = "P1", do = "reroll", dice = [-1]}]', "dice[0]", "whole"),
        (TABLE + 'script = [{by = "P1", do = "reroll", dice = ["1"]}]', "dice[0]", "whole"),
        (
            TABLE + 'script = [{by = "P1", do = "use", card = "Stretchy", face = "12"}]',
            "script[0].face",
            "one face",
        ),
        (TABLE + 'script = [{by = "P1", do = "order", groups = ["C", 1]}]', "groups[1]", "string"),
        (TABLE + 'script = [{by = "P1", do = "sell"}]', "script[0]", "'cards'"),
        (
            TABLE + 'script = [{by = "P1", do = "use", card = "Wings", via = "Wing"}]',
            "script[0].via",
            "no card or tile named 'Wing'",
        ),
        (
            TABLE + 'script = [{by = "P1", do = "buy", card = "Heal", second = 1}]',
            "script[0].second",
            "true or false",
        ),
        (
            TABLE
            + 'script = [{by = "P1", do = "buy", card = "Heal", from = "deck", second = true}]',
            "script[0]",
            "'second'",
        ),
        (TABLE + 'script = [{draw = "Gills"}]', "script[0].draw", "'Gills'"),
        (TABLE + "expect = {P1 = {heart = 1}}", "expect.P1", "'heart'"),
        (TABLE + "expect = {P9 = {hearts = 1}}", "expect", "'P9'"),
        (TABLE + 'expect = {table = {asked = ["P1 lunch"]}}', "asked", "'lunch'"),
        (TABLE + "expect_in = {third = {}}", "expect_in", "'third'"),
    ],
)
def test_what_is_not_in_the_format_is_refused_with_its_place(
    text: str, place: str, what: str
) -> None:
    said = find_refusal(text)
    assert place in said
    assert what in said


def test_the_second_scenario_of_a_file_is_named() -> None:
    assert find_refusal(TABLE + QUIET + TABLE.replace('"S"', '"U"') + "x = 1").startswith(
        "scenario 2 (U)"
    )


def test_a_tile_that_does_not_exist_is_refused_with_its_place() -> None:
    text = TABLE.replace('name = "P3"', 'name = "P3", tiles = ["Wings"]')
    assert "there is no tile named" in find_refusal(text + QUIET)
    line = 'script = [{by = "P1", do = "take", tile = "Wings"}]'
    assert "script[0].tile" in find_refusal(TABLE + line)


@pytest.mark.parametrize(
    ("value", "limit"), [("hearts = 13", "13 is out of range: 0 to 12"),
                         ("points = 21", "21 is out of range: 0 to 20"),
                         ("energy = -1", "-1 is out of range: 0 or more")],
)  # fmt: skip
def test_a_number_out_of_range_is_refused_with_its_range(value: str, limit: str) -> None:
    assert limit in find_refusal(TABLE.replace('at = "city"', value) + QUIET)


def test_the_greatest_numbers_are_in_range() -> None:
    text = TABLE.replace('at = "city"', "hearts = 12, points = 20") + QUIET
    (scenario,) = read_scenarios(tomllib.loads(text))
    assert (scenario.seats[1].hearts, scenario.seats[1].points) == (12, 20)
