"""A game of six in which two were dropped and one was convicted, in all forms."""

from __future__ import annotations

from pathlib import Path

import pytest

from kotp2p.game.verify import verify_log
from tests.support.browser import Browser
from tests.support.command_line import run
from tests.support.pages import GamePage
from tests.support.recorded import golden_log, player_of

CONVICTED = (
    "Guest 3 opened another number for dice or cards than was sealed. Guest 3 is out, by the votes "
    "of Ana, Guest 1, Guest 2, Guest 4 and Guest 5."
)
LEFT_OUT = (
    CONVICTED,
    "Guest 4 is out, by the votes of Ana, Guest 1, Guest 2 and Guest 5.",
    "Guest 5 is out, by the votes of Ana, Guest 1 and Guest 2.",
)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "quarrel.kotlog"
    path.write_bytes(golden_log("quarrel"))
    return path


def test_the_log_is_of_six_with_two_dropped_and_one_convicted() -> None:
    report = verify_log(golden_log("quarrel"))
    assert len(report.players) == 6
    assert [out.seats for out in report.voted_out] == [(3,), (4,), (5,)]
    assert {(caught.seat, caught.turn) for caught in report.caught} == {(3, 2)}


def test_the_plain_replay_tells_why_each_of_them_is_out(log: Path) -> None:
    code, out, _err = run("replay", "--plain", str(log))
    assert code == 0
    assert [line for line in out.splitlines() if " is out, " in line] == list(LEFT_OUT)


def test_the_drawn_replay_tells_why_and_since_when_each_of_them_is_out() -> None:
    player = player_of(golden_log("quarrel"))
    told = [
        line
        for turn in range(player.reel.recording.turns + 1)
        for moment in player.reel.tell_chapter(turn)
        for line in moment.lines
    ]
    assert [line for line in told if " is out, " in line] == list(LEFT_OUT)
    player.go_to_end()
    assert player.reel.fallen_by(player.place) == {3: 2, 4: 4, 5: 9}


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [320, 375, 1280])
def test_its_page_fits_phones_and_desks(
    browser: Browser, pages: Path, width: int, dark: bool
) -> None:
    page = GamePage(browser)
    browser.resize(width, 812, dark=dark)
    page.show(pages / "quarrel.html")
    assert page.result == "sound"
    last = browser.run("Number(document.getElementById('moment').max)")
    for moment in (0, 12, last // 2, last):
        page.go(moment)
        assert not page.is_wider_than_screen()
        assert page.cut_elements() == []
    assert browser.faults == []


def test_its_page_says_once_why_a_player_is_out(browser: Browser, pages: Path) -> None:
    page = GamePage(browser)
    page.show(pages / "quarrel.html")
    assert page.text_of("log").count(CONVICTED) == 1
    number = browser.run("Number([...document.querySelectorAll('#log p')].find((line) => "
                         "line.textContent === given[0]).dataset.moment)", CONVICTED)  # fmt: skip
    page.go(number)
    assert page.text_of("now").count(CONVICTED) == 1
    assert page.text_of("board").count("out of the game") == 1
