"""`kotp2p games`: what was played, and what the games show."""

import json
import os
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest

from kotp2p.cli.extras.games import games
from kotp2p.cli.extras.games.evenings import BOTS, sum_up_evenings
from kotp2p.cli.extras.games.games import day_of
from kotp2p.extras.recording import LogFacts, PlayerFacts, facts_of_log
from tests.support.command_line import run
from tests.support.json_schema import faults
from tests.support.log_bytes import offsets
from tests.support.paths import ROOT
from tests.support.recorded import golden_log

SCHEMA: dict[str, Any] = json.loads((ROOT / "docs" / "games.schema.json").read_text("utf-8"))


@pytest.fixture
def played(data: Path) -> Path:
    """The folder of logs: two whole games, one that was broken off, one that is damaged."""
    logs = data / "logs"
    logs.mkdir()
    second = golden_log("second")
    (logs / "2026-11-20-print-wreath-dialog-month.kotlog").write_bytes(second)
    (logs / "2026-11-18-buckeye-snowman-grotto-fetch.kotlog").write_bytes(golden_log("absent"))
    dark = golden_log("dark")
    (logs / "2026-11-19-lemon-train-ocean-piano.kotlog").write_bytes(dark[: offsets(dark)[90]])
    (logs / "2026-11-01-lemon-lemon-ocean-piano.kotlog").write_bytes(
        second[:9000] + b"\0" + second[9001:]
    )
    return logs


def rows(*words: str) -> list[str]:
    """Those of the list, without the statistics below it."""
    return run("games", *words).printed().partition("\n\n")[0].splitlines()


def lines(*words: str) -> list[dict[str, Any]]:
    """The JSON lines of the games, and behind them that of the statistics."""
    return [json.loads(line) for line in run("games", "--json", *words).printed().splitlines()]


def winner(facts: LogFacts) -> str:
    assert facts.winners is not None
    (seat,) = facts.winners
    return facts.players[seat].name


# -- games --------------------------------------------------------------------------------------


@pytest.mark.usefixtures("played")
def test_games_stand_with_day_players_winner_turns_and_verdict_the_newest_first() -> None:
    heading, *found = rows()
    assert heading.split() == ["day", "players", "won", "by", "turns", "log", "phrase"]
    assert [row.split()[0] for row in found] == [
        "2026-11-20", "2026-11-19", "2026-11-18", "2026-11-01",
    ]  # fmt: skip
    facts = facts_of_log(golden_log("second"))
    assert found[0].split() == [
        "2026-11-20", "Ana", "Guest", "1", "Guest", "2", "+1", *winner(facts).split(),
        str(facts.turns), "sound", *facts.phrase.split()[:2],
    ]  # fmt: skip
    assert "unfinished" in found[1]
    assert "WRONG" in found[3]


def test_of_many_games_the_newest_are_listed_and_json_has_all(data: Path) -> None:
    (data / "logs").mkdir()
    for n in range(23):
        (data / "logs" / f"2026-11-{n + 1:02}-lemon-a-b-c.kotlog").write_bytes(b"")
    code, out, err = run("games")
    assert (code, len(out.splitlines())) == (0, 21)
    assert "3 older games are not shown; --json has all.\n" in err
    assert len(lines()) == 24


def test_games_of_one_day_stand_by_the_time_at_which_they_were_written(data: Path) -> None:
    (data / "logs").mkdir()
    for hour, word in enumerate(("lemon", "apple", "train")):
        log = data / "logs" / f"2026-11-20-{word}-a-b-c.kotlog"
        log.write_bytes(b"")
        os.utime(log, (hour, hour))
    found = [Path(line["file"]).name.split("-")[3] for line in lines()[:-1]]
    assert found == ["train", "apple", "lemon"]


def test_without_a_game_there_is_nothing_to_list(data: Path) -> None:
    assert run("games")[0] == 8
    assert run("games", str(data))[0] == 8
    (data / "logs").mkdir()
    assert run("games")[0] == 8


@pytest.mark.usefixtures("played")
def test_a_word_that_no_log_has_is_no_game() -> None:
    err = run("games", "xylophone").refused(8)
    assert err.startswith("No log here has xylophone in its table phrase.")


@pytest.mark.usefixtures("played")
def test_programs_read_one_line_a_game() -> None:
    *found, counted = lines()
    assert counted["line"] == "statistics"
    for line in found:
        assert faults(line, SCHEMA["$defs"]["game"], SCHEMA) == []
    assert [one["result"] for one in found] == ["sound", "unfinished", "sound", "wrong"]
    assert found[0]["winners"] == [winner(facts_of_log(golden_log("second")))]
    assert found[1]["winners"] is None


@pytest.mark.usefixtures("played")
def test_of_many_logs_it_is_told_how_many_are_done(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter((0, 2, 4, 6))
    monkeypatch.setattr(games, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    done = iter([GAME, GAME])
    monkeypatch.setattr(games, "gather_facts", lambda _part: next(done, None) or stop())
    assert run("games")[::2] == (5, "2 of 4 logs are checked.\n")


def stop() -> NoReturn:
    raise KeyboardInterrupt


def test_a_day_is_that_of_the_name_or_of_the_file(tmp_path: Path) -> None:
    log = tmp_path / "game.kotlog"
    log.write_bytes(b"")
    os.utime(log, (1_000_000_000, 1_000_000_000))
    assert day_of(log).startswith("2001-09-0")
    assert day_of(tmp_path / "2026-11-20-lemon.kotlog") == "2026-11-20"
    assert day_of(tmp_path / "gone.kotlog") == ""


# -- statistics ---------------------------------------------------------------------------------


def statistics(*words: str) -> list[str]:
    return run("games", *words)[1].partition("\n\n")[2].splitlines()


@pytest.mark.usefixtures("played")
def test_statistics_count_whole_and_sound_games_and_name_the_others() -> None:
    found = statistics()
    assert found[0] == "2 games."
    assert run("games")[2] == "2 logs do not count: 1 unfinished, 1 wrong, 0 unreadable.\n"
    assert [run("games", "/gone.kotlog", *form)[0] for form in ([], ["--json"])] == [9, 9]
    headings = [line.split("  ")[0] for line in found]
    assert {"player", "monster", "bought card"} <= set(headings)
    assert any(line.startswith("Rule set second: 2 games, ") for line in found)
    assert all(len(line) <= 80 for line in found)


def test_a_copy_of_a_log_does_not_count_twice(played: Path) -> None:
    (played / "copy.kotlog").write_bytes(golden_log("second"))
    assert statistics()[:2] == ["2 games.", "1 log is a further copy, and does not count."]


@pytest.mark.usefixtures("played")
def test_statistics_for_programs_are_the_last_line() -> None:
    found = lines()[-1]
    assert faults(found, SCHEMA["$defs"]["statistics"], SCHEMA) == []
    assert (found["games"], found["copies"]) == (2, 0)
    assert sum(one["won"] for one in found["monsters"]) == 2


# -- sums over games ----------------------------------------------------------------------


ANA = PlayerFacts("Ana", "aa", "Gigazaur", False, ("Wings", "Wings", "Nova Breath"))
REX = PlayerFacts("Rex", "bb", "The King", False, ("Wings",))
BOT = PlayerFacts("Nina", "cc", "Kraken", True)
GAME = LogFacts(
    "11", "sound", game="g1", rules="second", turns=12, players=(ANA, REX), winners=(0,),
    by_points=True,
)  # fmt: skip
OTHER = replace(GAME, sha256="22", game="g2", turns=20, players=(ANA, REX, BOT), winners=(2,),
                by_points=False)  # fmt: skip


def test_wins_are_counted_by_key_with_chance_by_the_size_of_the_table() -> None:
    found = sum_up_evenings([GAME, OTHER])
    assert [(one.name, one.rate.of, float(one.rate.won)) for one in found.players] == [
        (BOTS, 1, 1), ("Ana", 2, 1), ("Rex", 2, 0),
    ]  # fmt: skip
    ana = found.players[1]
    assert ana.rate.chance == pytest.approx((1 / 2 + 1 / 3) / 2)
    assert ana.by_points == 1
    assert [one.name for one in found.monsters] == ["Gigazaur", "The King", "Kraken"]


def test_a_player_has_the_last_name_that_the_key_had() -> None:
    renamed = replace(OTHER, players=(replace(ANA, name="Anna"), REX, BOT))
    assert "Anna" in [one.name for one in sum_up_evenings([GAME, renamed]).players]
    namesake = replace(OTHER, players=(replace(ANA, key="dd"), REX, BOT))
    assert [one.key for one in sum_up_evenings([GAME, namesake]).players] == ["", "bb", "aa", "dd"]


def test_a_shared_victory_is_half_a_win_for_each() -> None:
    found = sum_up_evenings([replace(GAME, winners=(0, 1))])
    assert [one.rate.won for one in found.players] == [Fraction(1, 2)] * 2


def test_each_game_counts_once_and_only_whole_and_sound_ones() -> None:
    bad = [replace(OTHER, result=result) for result in ("wrong", "unfinished")]
    without_end = [replace(OTHER, winners=winners) for winners in (None, ())]
    found = sum_up_evenings([GAME, GAME, *bad, *without_end])
    assert (found.games, found.copies, found.without_winner) == (2, 1, 1)


def test_a_card_counts_once_for_each_seat_that_has_bought_it() -> None:
    cards = {one.name: one.rate for one in sum_up_evenings([GAME]).cards}
    assert (cards["Wings"].of, float(cards["Wings"].won)) == (2, 1)
    assert (cards["Nova Breath"].of, float(cards["Nova Breath"].won)) == (1, 1)


def test_lengths_are_those_of_a_rule_set() -> None:
    classic = replace(OTHER, game="g3", rules="classic", turns=7)
    first, second = sum_up_evenings([OTHER, GAME, classic]).lengths
    assert (first.rules, first.turns, first.by_points) == ("classic", (7,), 0)
    assert (second.rules, second.turns, second.by_points) == ("second", (12, 20), 1)
    assert second.mean == 16
