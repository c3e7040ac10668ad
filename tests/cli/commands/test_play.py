"""The commands that play, whole: a bot in every seat, over loopback."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from kotp2p.cli.commands import join, play
from kotp2p.cli.commands.one_game import FirstGame, Played, set_pace
from kotp2p.cli.commands.person import Person, count_bots, same_table
from kotp2p.cli.system.config import load_config
from kotp2p.cli.system.options import Speed
from kotp2p.cli.system.output import Output
from kotp2p.cli.ui.notice_feed import Audience
from kotp2p.cli.ui.plain import seat_plain_player
from kotp2p.cli.ui.player_commands import was_solo
from kotp2p.extras import bots
from kotp2p.net import machine
from kotp2p.referee.box.rulesets import RULE_SETS, SECOND, RuleSet
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.world import World
from tests.support.command_line import run
from tests.support.laid_decisions import among_persons, table
from tests.support.settings import write_settings


def test_solo_by_bots_ends_with_the_winners_and_the_log(data: Path) -> None:
    code, out, _err = run("solo", "--bot", "normal", "--bots", "1", "--name", "Ana")
    lines = out.splitlines()
    assert code == 0, out
    assert lines[-2].startswith("Winner")
    log = Path(lines[-1].removeprefix("Log: "))
    assert log.parent == data / "logs"
    code, out, _err = run("verify", str(log))
    assert (code, out.splitlines()[0]) == (0, f"{log}: sound. You know 1 of 1 key.")
    assert run("verify")[1] == out


def test_solo_as_json_is_one_document(data: Path, tmp_path: Path) -> None:
    code, out, err = run(
        "solo", "--bot", "easy", "--bots", "1", "--json", "--log-dir", str(tmp_path / "my logs")
    )
    document = json.loads(out)
    assert code == 0
    assert set(document) == {"winners", "log", "turns", "phrase", "rules", "players"}
    assert document["rules"] == "second"
    assert len(document["players"]) == 2
    assert len(document["phrase"].split()) == 4
    assert Path(document["log"]).parent == tmp_path / "my logs"
    assert "The game begins." in err
    checked = json.loads(run("verify", "--json", document["log"])[1].splitlines()[0])
    assert checked["result"] == "sound"
    for field in ("winners", "turns", "phrase", "rules"):
        assert checked[field] == document[field]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("Ana",), "--people takes two to six names, with commas between: --people Ana,Rex"),
        (("A,B,C,D,E,F,G",), "--people takes two to six names"),
        (("Ana,,Rex",), "A name needs at least one letter: --people Ana"),
        (("Ana,You",), "You reads like a word of the game itself"),
        (("Ana,Rex!",), "This would do: --people Rex"),
        (("Ana,ana",), "Ana and ana look alike: each needs a name of their own."),
        (("Ana,Rex", "--name", "Mia"), "--people names everybody, so leave --name away."),
        (("Ana,Rex", "--bot", "easy"), "--people is for people who play themselves"),
        (("Ana,Rex", "--bots", "5"), "5 bots and 2 people do not fit on 6 seats: fewer --bots"),
    ],
)
def test_people_who_cannot_sit_together(data: Path, words: tuple[str, ...], sentence: str) -> None:
    assert sentence in run("solo", "--people", *words).refused()


@pytest.mark.parametrize(
    ("wanted", "people", "bots"),
    [(None, 1, 3), (None, 3, 3), (None, 4, 2), (None, 6, 0), (4, 2, 4)],
)
def test_as_many_bots_play_as_find_a_seat(wanted: int | None, people: int, bots: int) -> None:
    assert count_bots(wanted, people) == bots


def test_nobody_at_that_port(data: Path) -> None:
    err = run("join", "127.0.0.1:9", "--bot", "normal").refused(3)
    assert "127.0.0.1" in err
    assert "port 9" in err


@pytest.mark.parametrize(
    ("line", "code"), [("127.0.0.1:9", 3), ("kotp2p join 127.0.0.1:9 ", 3), ("", 2), ("a b!", 2)]
)
def test_an_address_that_is_asked_for_is_in_no_command(
    data: Path, monkeypatch: pytest.MonkeyPatch, line: str, code: int
) -> None:
    monkeypatch.setattr(join, "read_one_line", lambda fd: line)
    found, out, err = run("join", "-", "--bot", "normal")
    assert (found, out) == (code, "")
    assert "The code or the address of the table, or a link:" in err


# -- another game -------------------------------------------------------------------------


@pytest.mark.parametrize(("wanted", "plays"), [(True, True), (False, False), (None, False)])
def test_only_who_wants_another_game_plays_it(wanted: bool | None, plays: bool) -> None:
    played = Played(0, Ending(EndKind.FINISHED, view=table()), wants_another=wanted)
    assert play.is_rematch_wanted(played) is plays


def test_after_a_signal_there_is_no_other_game() -> None:
    assert not play.is_rematch_wanted(Played(130, None, wants_another=True))


def test_a_lone_player_goes_straight_on() -> None:
    view = among_persons()
    ending = Ending(EndKind.FINISHED, view=view)
    assert not was_solo(ending)
    view.players = tuple(replace(p, automatic=n > 0, keeper=0) for n, p in enumerate(view.players))
    assert was_solo(ending)
    assert not was_solo(Ending(EndKind.NO_GAME))


def test_one_plays_on_under_the_name_and_as_the_monster_of_the_game_before() -> None:
    person = Person("Somebody", None, None, None, "default", False)
    ending = Ending(EndKind.FINISHED, view=table())
    assert ending.view is not None
    me = ending.view.players[ending.view.seat]
    same = play.keep_person(person, ending)
    assert (same.name, same.monster) == (me.name, me.monster)


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=lambda rules: rules.name)
def test_it_is_the_same_table_once_more(rules: RuleSet) -> None:
    view = table(2, rules=rules)
    found = same_table(Ending(EndKind.FINISHED, view=view))
    assert (found.rules, found.players, found.bots) == (rules.name, 2, 1)
    assert found.options == view.game.setup.options


# -- the first game -----------------------------------------------------------------------


def world(data: Path, profile: str = "default") -> World:
    return machine.machine_world(data, data / "logs", profile)


def is_taught(game: FirstGame, *, terminal: bool = True) -> bool:
    return game.is_taught(terminal=terminal)


def test_the_first_game_of_each_profile_is_taught(tmp_path: Path) -> None:
    assert is_taught(FirstGame(world(tmp_path)))
    FirstGame(world(tmp_path)).remember()
    FirstGame(world(tmp_path)).remember()
    assert not is_taught(FirstGame(world(tmp_path)))
    assert is_taught(FirstGame(world(tmp_path, "work")))


@pytest.mark.parametrize(
    ("is_wanted", "terminal", "taught"),
    [(True, True, True), (True, False, False), (False, True, False)],
)
def test_only_who_sits_at_a_terminal_and_wants_it_is_taught(
    tmp_path: Path, is_wanted: bool, terminal: bool, taught: bool
) -> None:
    assert is_taught(FirstGame(world(tmp_path), is_wanted), terminal=terminal) is taught
    FirstGame(world(tmp_path)).remember()
    assert not is_taught(FirstGame(world(tmp_path), is_wanted), terminal=terminal)


def test_what_cannot_be_read_or_written_is_no_reason_to_stop(tmp_path: Path) -> None:
    (tmp_path / "coached").write_text("a file where a folder should be")
    game = FirstGame(world(tmp_path))
    game.remember()
    assert not is_taught(game)


@pytest.mark.parametrize(
    ("is_lesson", "wanted", "speed"),
    [
        (True, "", Speed.SLOW), (False, "", Speed.NORMAL),
        (True, "fast", Speed.FAST), (True, "normal", Speed.NORMAL),
    ],
)  # fmt: skip
def test_a_game_that_is_taught_is_slow_unless_a_speed_is_set(
    data: Path, monkeypatch: pytest.MonkeyPatch, is_lesson: bool, wanted: str, speed: Speed
) -> None:
    monkeypatch.setenv("KOTP2P_CONFIG", write_settings(data, speed=wanted))
    audience = Audience(solo=True, lesson=SECOND if is_lesson else None)
    player = seat_plain_player(Output.standard(terminal=True), bots.advise, audience=audience)
    set_pace(player, load_config())
    assert player.state.pace.speed is speed
