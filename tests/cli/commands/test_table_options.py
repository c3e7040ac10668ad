"""`--option` and `--tiles`: what fits is played and shown, what does not is refused."""

import json
from pathlib import Path

import pytest

from kotp2p.cli.commands.person import choose_options
from kotp2p.cli.text import lobby
from kotp2p.cli.text.lobby import describe_fault
from kotp2p.cli.ui.notice_feed import Audience, NoticeFeed
from kotp2p.lobby.host import TableOffer
from kotp2p.referee.box.rulesets import Options
from kotp2p.seams.notices import LobbyChanged, LobbyFault, LobbyRefused, LobbySeat
from kotp2p.wire.genesis import Clocks, LobbyOptions
from tests.support.command_line import run

ANA = LobbySeat("Ana", "Gigazaur", b"a", False, True)


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ("host --rules second --option bay-for-beginners", "but for classic."),
        ("host --rules dark --option bay-for-beginners", "but for classic."),
        ("solo --tiles green", "no wickedness tiles in second rules"),
        ("host --rules classic --tiles red", "no wickedness tiles in classic rules"),
        ("solo --bots 2 --option two-player", "a table of 3 cannot start with it"),
        ("host --players 3 --option two-player", "a table of 3 cannot start with it"),
        ("solo --bots 1 --option two-player --option no-two-player", "Choose one of the options"),
    ],
)
def test_an_option_that_does_not_fit_is_refused_with_the_reason(args: str, reason: str) -> None:
    assert reason in run(*args.split(), "--bot", "easy").refused()


def test_an_option_that_does_not_exist_is_refused() -> None:
    assert run("solo", "--option", "no-dice")[0] == 2
    assert run("solo", "--rules", "dark", "--tiles", "blue")[0] == 2


@pytest.mark.parametrize("command", ["host", "solo"])
def test_help_names_both_with_their_defaults(command: str) -> None:
    _code, out, _err = run(command, "--help-all")
    words = " ".join(out.split()).replace("- ", "-")  # a line may end inside a name
    assert "--option two-player|no-two-player|bay-for-beginners A rule to play with" in words
    assert "two-player: " in words
    assert "[default: two-player for two players]" in words
    assert "bay-for-beginners: " in words
    assert "--tiles" in words
    assert "(dark). [default: red]" in words


def test_a_game_with_options_is_played_and_verified(data: Path) -> None:
    args = "solo --rules dark --bots 1 --bot easy --json --tiles mixed --option two-player"
    code, out, err = run(*args.split())
    assert code == 0, err
    assert "Wickedness tiles: " in err
    document = json.loads(out)
    assert document["rules"] == "dark"
    checked = run("verify", "--json", document["log"])[1].splitlines()
    assert json.loads(checked[0])["result"] == "sound"


@pytest.mark.parametrize("rules", ["classic", "second", "dark"])
@pytest.mark.parametrize(
    ("players", "chosen", "alone", "for_two"),
    [
        (2, (), True, True),
        (2, ("no-two-player",), False, False),
        (2, ("two-player",), True, True),
        (6, (), False, True),
        (6, ("no-two-player",), False, False),
        (6, ("two-player",), True, True),
    ],
)
def test_two_players_get_energy_in_every_rule_set_unless_the_host_says_otherwise(
    rules: str, players: int, chosen: tuple[str, ...], alone: bool, for_two: bool
) -> None:
    """A-114. `alone`: whether the table has the option whoever sits down."""
    options, energy_for_two = choose_options(chosen, None, players)
    assert options.two_player is alone
    offer = TableOffer(rules, players, options, energy_for_two=energy_for_two)
    assert offer.options_of(2).two_player is for_two
    if players > 2:
        assert offer.options_of(3).two_player is alone


@pytest.mark.parametrize(("option", "energy"), [((), True), (("no-two-player",), False)])
def test_a_game_with_one_bot_is_for_two(data: Path, option: tuple[str, ...], energy: bool) -> None:
    flags = [part for one in option for part in ("--option", one)]
    args = "solo --rules classic --bots 1 --bot easy --json"
    code, out, err = run(*args.split(), *flags)
    assert code == 0, err
    found = json.loads(run("verify", "--json", json.loads(out)["log"])[1].splitlines()[0])
    assert found["result"] == "sound"
    assert found["options"]["two_player"] is energy


@pytest.mark.parametrize(
    ("rules", "options", "lines"),
    [
        ("second", Options(), []),
        ("second", Options(two_player=True), ["two players get energy"]),
        ("classic", Options(bay_for_beginners=True), ["Tokyo Bay stays closed"]),
        ("dark", Options(), ["red sides"]),
        ("dark", Options(tile_sides="green"), ["green sides"]),
        ("dark", Options(True, tile_sides="mixed"), ["two players get energy", "is drawn"]),
        ("dark", Options(two_player=True), ["two players get energy", "red sides"]),
        ("other", Options(), []),
    ],
)
def test_the_lobby_shows_them(rules: str, options: Options, lines: list[str]) -> None:
    here = LobbyChanged((ANA, None), 0, rules, LobbyOptions(options))
    *shown, clocks = lobby.describe_options(here)
    assert clocks.startswith("Clocks: 120 s for a turn, 45 s for a reaction.")
    assert len(shown) == len(lines)
    assert all(part in line for part, line in zip(lines, shown, strict=True))
    told = NoticeFeed(Audience()).tell_notice(here)
    assert set(shown) <= set(told.lines)


@pytest.mark.parametrize(
    ("clocks", "line"),
    [
        (Clocks(0, 0), "No clocks."),
        (Clocks(turn=0), "Clocks: none for a turn, 45 s for a reaction."),
        (Clocks(reaction=0), "Clocks: 120 s for a turn, none for a reaction."),
        (Clocks(90, 20), "Clocks: 90 s for a turn, 20 s for a reaction."),
    ],
)
def test_the_lobby_shows_the_clocks(clocks: Clocks, line: str) -> None:
    here = LobbyChanged((ANA, None), 0, "second", LobbyOptions(clocks=clocks))
    shown = lobby.describe_options(here)
    assert shown[-1].startswith(line)
    assert len(shown) == 1


@pytest.mark.parametrize("text", ["0", "-5", "fast", "100000", "1.5"])
def test_a_clock_is_a_number_of_seconds_or_none(text: str) -> None:
    assert run("host", "--turn-time", text, "--bot", "easy")[0] == 2


def test_three_cannot_start_the_option_for_two() -> None:
    assert "for two" in describe_fault(LobbyRefused(LobbyFault.TWO_ONLY))
