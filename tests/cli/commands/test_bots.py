"""`kotp2p bots run`: its tables, its document, and what it refuses."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from typer.testing import CliRunner

from cli.commands import bots as command
from cli.main import app
from cli.system.exit_codes import Exit
from kotp2p.tournament import running


def run(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["bots", "run", *words])
    return result.exit_code, result.stdout, result.stderr


QUICK = ("easy", "easy", "--games", "4", "--jobs", "1")


def test_it_prints_the_wins_by_bot_and_by_turn_order() -> None:
    code, out, err = run(*QUICK)
    lines = out.splitlines()
    assert code == 0
    assert lines[0] == "4 games with the rule set second: easy and easy. Seed 1."
    assert lines[1].startswith("A game has ")
    assert lines[3].split()[:3] == ["bot", "seats", "wins"]
    assert lines[4].split()[:4] == ["easy", "2", "100.0", "%"]
    assert [line.split()[0] for line in lines[7:]] == ["1", "2"]
    assert all("|" in line for line in lines[6:])
    assert "to go" not in err


def test_the_same_seed_gives_the_same_table_and_another_one_another() -> None:
    assert run(*QUICK) == run(*QUICK)
    assert run(*QUICK)[1] != run(*QUICK, "--seed", "2")[1]


def test_with_plain_each_row_is_a_sentence() -> None:
    _code, out, err = run(*QUICK, "--plain", "--cards")
    assert "easy, 2 seats: won 100.0 % of the games; 95 % interval" in out
    assert "Place 2 in the turn order: won " in out
    assert "times: its buyers won " in out or "time: its buyers won " in out
    assert "|" not in out
    assert err.splitlines()[-1] == "4 of 4 are done."


def test_cards_are_listed_on_request() -> None:
    assert "bought" not in run(*QUICK)[1]
    out = run(*QUICK, "--cards")[1]
    heading = next(line for line in out.splitlines() if line.startswith("card"))
    assert heading.split()[:2] == ["card", "bought"]


def test_programs_read_one_object_with_its_version() -> None:
    code, out, _err = run(*QUICK, "--rules", "dark", "--rules", "classic", "--json")
    document = json.loads(out)
    assert code == 0
    assert {key: document[key] for key in ("version", "levels", "seed", "games")} == {
        "version": 1, "levels": ["easy", "easy"], "seed": 1, "games": 4,
    }  # fmt: skip
    assert [one["rules"] for one in document["contests"]] == ["dark", "classic"]
    contest = document["contests"][0]
    assert (contest["played"], contest["complete"]) == (4, True)
    assert contest["bots"][0]["name"] == "easy"
    assert set(contest["turn_order"][0]) == {"of", "won", "share", "low", "high", "chance"}
    assert sum(place["won"] for place in contest["turn_order"]) + contest["without_winner"] == 4


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("easy",), "kotp2p: a table has 2 to 6 bots"),
        (7 * ("easy",), "kotp2p: a table has 2 to 6 bots"),
        (("easy", "grand"), "kotp2p: LEVEL: grand is not easy"),
        (("--games", "0"), "0 is not a number from 1 to"),
        (("--jobs", "none"), "none is not a number from 1 to 256"),
        (("--seed", "-1"), "-1 is not a number from 0 to"),
        (("--rules", "third"), "third is not classic, second or dark"),
        (("--dask", "cluster"), "cluster is not the address of a Dask scheduler"),
        (("--jobs", "2", "--dask", "h:8786"), "--jobs is for this machine"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_sentence(
    words: tuple[str, ...], sentence: str
) -> None:
    code, out, err = run(*words)
    assert (code, out) == (Exit.USAGE, "")
    assert sentence in err
    assert len(err.splitlines()) == 1


def test_without_the_extra_the_option_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    code, out, err = run(*QUICK[:4], "--dask", "127.0.0.1:8786")
    assert (code, out) == (Exit.UNREACHABLE, "")
    assert "pip install 'kotp2p[dask]'" in err


def stop_after(games: int, error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    def play_some(*details: Any) -> Iterator[Any]:
        for number, result in enumerate(running.play_games(*details)):
            if number == games:
                raise error
            yield result

    monkeypatch.setattr(command, "play_games", play_some)


def test_ctrl_c_prints_what_is_done_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    stop_after(3, KeyboardInterrupt(), monkeypatch)
    before = signal.getsignal(signal.SIGINT)
    code, out, _err = run(*QUICK, "--rules", "second", "--rules", "dark")
    assert code == Exit.STOPPED
    assert out.startswith("3 games with the rule set second")
    assert "1 of 4 games have not been played to their end." in out
    assert "dark" not in out
    assert signal.getsignal(signal.SIGINT) is before


def test_ctrl_c_before_the_first_end_prints_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    stop_after(0, KeyboardInterrupt(), monkeypatch)
    code, out, _err = run(*QUICK)
    assert code == Exit.STOPPED
    assert out.splitlines() == [
        "0 games with the rule set second: easy and easy. Seed 1.",
        "4 of 4 games have not been played to their end.",
    ]


def test_the_document_says_that_it_is_not_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    stop_after(2, KeyboardInterrupt(), monkeypatch)
    _code, out, _err = run(*QUICK, "--json")
    assert [(c["played"], c["complete"]) for c in json.loads(out)["contests"]] == [(2, False)]


def test_the_group_alone_shows_its_commands() -> None:
    result = CliRunner().invoke(app, ["bots"])
    assert result.exit_code == 0
    assert "run  Play many games" in result.stdout
