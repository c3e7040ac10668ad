"""The commands that play, whole: a bot in every seat, over loopback."""

import json
from pathlib import Path

import pytest

from kotp2p.cli.commands import join
from kotp2p.cli.commands.person import count_bots
from tests.support.command_line import run


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
def test_people_who_cannot_sit_down_together(
    data: Path, words: tuple[str, ...], sentence: str
) -> None:
    code, out, err = run("solo", "--people", *words)
    assert (code, out) == (2, "")
    assert sentence in err


@pytest.mark.parametrize(
    ("wanted", "people", "bots"),
    [(None, 1, 3), (None, 3, 3), (None, 4, 2), (None, 6, 0), (4, 2, 4)],
)
def test_as_many_bots_play_as_find_a_seat(wanted: int | None, people: int, bots: int) -> None:
    assert count_bots(wanted, people) == bots


def test_nobody_at_that_port(data: Path) -> None:
    code, out, err = run("join", "127.0.0.1:9", "--bot", "normal")
    assert (code, out) == (3, "")
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
