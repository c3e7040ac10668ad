"""A person at a terminal plays whole games by typing lines at the prompts."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from kotp2p.game.verify import Result, verify_log
from tests.support.person import Person
from tests.support.processes import QUICK, guest
from tests.support.program import Program

LIMIT = 2_000
"""Prompts of one game; a game that needs more is stuck."""


def play_with_enter(person: Person) -> None:
    for _ in range(LIMIT):
        if person.prompted() is None:
            return
        person.type("")
    raise AssertionError(person.said[-3000:])


def test_a_person_plays_a_whole_game_with_two_others(tmp_path: Path) -> None:
    """Answers of all sorts: dice by their faces, cards by their letters, and questions."""
    ana = Person(
        tmp_path / "ana", "host", "--players", "3", "--port", "0", "--bind", "127.0.0.1",
        "--start-when-full", "--name", "Ana",
    )  # fmt: skip
    ana.child.expect(r"kotp2p join 127\.0\.0\.1:(\d+)")
    port = int(ana.child.match.group(1))
    others = [guest(tmp_path / name, "127.0.0.1", port, bot=QUICK) for name in ("rex", "mia")]
    dice = Random(7)
    for _ in range(LIMIT):
        text = ana.prompted()
        if text is None:
            break
        ana.type(_answer(text, dice))
    assert ana.ended() == 0, ana.said[-3000:]
    assert [p.wait() for p in others] == [0, 0]
    reports = [verify_log(log.read_bytes()) for log in (ana.log(), *(p.logs()[0] for p in others))]
    assert {r.result for r in reports} == {Result.SOUND}
    assert len({r.canonical for r in reports}) == 1
    assert "Traceback" not in ana.said


def _answer(text: str, dice: Random) -> str:
    """What a person who reads the question could type."""
    question = text.rstrip().rpartition("\n")[2]
    if question.startswith("Keep which"):
        rolled = re.findall(r"Your roll \d of \d: ([^.]*)\.", text)
        faces = rolled[-1].split(", ") if rolled else []
        letters = {"heart": "h", "energy": "e", "claw": "c"}
        kept = [letters.get(face, face) for face in faces if dice.random() < 0.5]
        return "".join(kept) or dice.choice(("0", ""))
    if question.startswith("Buy which"):
        letters_offered: list[str] = re.findall(r"\b([abc]),", question)
        return dice.choice((*letters_offered, "shop", ""))
    return dice.choice(("", "state", "who", ""))


def test_a_person_plays_solo_with_enter_alone(tmp_path: Path) -> None:
    ana = Person(tmp_path / "ana", "solo", "--name", "Ana")
    play_with_enter(ana)
    assert ana.ended() == 0, ana.said[-3000:]
    assert verify_log(ana.log().read_bytes()).result is Result.SOUND


WRONG = 300


def test_three_hundred_wrong_lines_are_each_refused_and_asked_again(tmp_path: Path) -> None:
    """In as many games as they need; every refusal is one sentence, then the same question."""
    noise = Random(300)
    left = WRONG
    for game in range(20):
        folder = tmp_path / f"game{game}"
        # so wide that no sentence is broken
        ana = Person(folder, "solo", "--name", "Ana", "--bots", "2", columns=400)
        before: str | None = None
        asked = ""
        for _ in range(LIMIT):
            text = ana.prompted()
            if text is None:
                break
            question = text.rstrip().rpartition("\n")[2]
            if before is not None:
                assert question in (before, asked), text  # a proposal is taken back
                refusal = [line for line in text.split("\n") if line.strip()][:-1]
                assert len(refusal) == 1, text
                before = None
            if not question.startswith("Enter does it"):
                asked = question
            if left and noise.random() < 0.8:
                left -= 1
                before = question
                ana.type(_nonsense(noise))
            else:
                ana.type("")
        assert ana.ended() == 0, ana.said[-3000:]
        assert verify_log(ana.log().read_bytes()).result is Result.SOUND
        if not left:
            return
    pytest.fail(f"{left} wrong lines were not used up")


def _nonsense(noise: Random) -> str:
    """No command, no letter of a card, no face of a die alone."""
    pieces = ("zz", "qqq", "99999", "%$", "é", "xyzzy", "-7", "  zz 9", "\t", "buy it all", "１２")
    return "zq" + "".join(noise.choice(pieces) for _ in range(noise.randint(1, 4)))


def test_the_end_of_input_asks_and_enter_stays(tmp_path: Path) -> None:
    ana = Person(tmp_path / "ana", "solo", "--name", "Ana")
    assert ana.prompted() is not None
    ana.child.sendeof()
    asked = ana.prompted()
    assert asked is not None
    assert "leave" in asked.lower()
    ana.type("")
    assert ana.prompted() is not None
    ana.child.sendintr()
    asked = ana.prompted()
    assert asked is not None
    assert "leave" in asked.lower()
    ana.type("y" if re.search(r"\by\b", asked) else "quit")
    while ana.prompted() is not None:
        ana.type("")
    assert ana.ended() == 0
    assert verify_log(ana.log().read_bytes()).result is Result.UNFINISHED


def test_the_end_of_input_without_a_terminal_is_a_farewell(tmp_path: Path) -> None:
    solo = Program(tmp_path / "ana", "solo", stdin="")
    solo.wait_for("The game begins")
    solo.hang_up()
    assert solo.wait() == 5
    assert verify_log(solo.logs()[0].read_bytes()).result is Result.UNFINISHED


def test_a_game_piped_from_a_file_is_lines_only_and_ends_well(tmp_path: Path) -> None:
    """UX check 20: nothing moves a cursor, no sentence comes twice in a row, a hint comes once."""
    ana = Program(tmp_path / "ana", "solo", "--bots", "1", "--name", "Ana", stdin="\n" * 3000)
    assert ana.wait() == 0, ana.lines[-20:]
    told = [line for line in ana.out if not line.startswith("> ")]
    assert len(told) > 20
    assert not any(sign in line for line in ana.lines for sign in "\x1b\a\b\r")
    repeated = [a for a, b in pairwise(told) if a == b]
    assert not [line for line in repeated if "roll" not in line]  # dice may fall alike twice
    assert sum(line.startswith("d: stop and go on") for line in told) == 1
    assert verify_log(ana.logs()[0].read_bytes()).result is Result.SOUND


def test_a_first_game_is_taught_and_the_next_is_not(tmp_path: Path) -> None:
    ana = Person(tmp_path / "ana", "solo", "--name", "Ana", "--bots", "1", coach=True)
    first = ana.prompted()
    assert first is not None
    assert "The aim: 20 points" in first
    assert "slowly" not in first, "the speed of these programs is set"
    ana.type("")
    play_with_enter(ana)
    assert ana.ended() == 0, ana.said[-3000:]
    assert "Coach: " in ana.said
    again = Program(
        tmp_path / "ana", "solo", "--name", "Ana", "--bots", "1", stdin="coach\nleave\ny\n"
    )
    assert again.wait() == 0
    assert not any("The aim:" in line for line in again.lines)
    assert any("The coach explains your next three turns." in line for line in again.lines)
    assert (tmp_path / "ana" / "data" / "coached" / "default").exists()
