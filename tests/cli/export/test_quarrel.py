"""A game of six in which one was convicted and bots played on for two, in all forms."""

from pathlib import Path

import pytest

from kotp2p.game.verify import verify_log
from kotp2p.wire.lineups import Reason
from tests.support.browser import Browser
from tests.support.command_line import run
from tests.support.pages import GamePage
from tests.support.recorded import golden_log, player_of

CONVICTED = (
    "Guest 3 opened another number for dice or cards than was sealed. Guest 3 is out of the game "
    "for cheating."
)
KEPT = (
    "A bot plays for Guest 4 until Guest 4 is back, in Guest 5's program.",
    "A bot plays for Guest 5 until Guest 5 is back, in Ana's program. Ana's program now plays for "
    "Guest 4.",
)


def tells_who_plays(told: str) -> bool:
    words = " ".join(told.split())
    return all(words.count(sentence) == 1 for sentence in (CONVICTED, *KEPT))


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "quarrel.kotlog"
    path.write_bytes(golden_log("quarrel"))
    return path


def test_the_log_is_of_six_with_two_absent_and_one_convicted() -> None:
    report = verify_log(golden_log("quarrel"))
    assert len(report.players) == 6
    assert [(change.keeper, change.reason) for change in report.changes] == [
        (3, Reason.CHEATED),
        (4, Reason.ABSENT),
        (5, Reason.ABSENT),
    ]
    assert report.keepers == (0, 1, 2, None, 0, 0)
    assert {caught.seat for caught in report.caught} == {3}


def test_the_text_tells_who_is_out_and_for_whom_bots_play(log: Path) -> None:
    code, out, _err = run("export", str(log))
    assert code == 0
    assert tells_who_plays(out)


def test_the_plain_replay_tells_the_same(log: Path) -> None:
    code, out, _err = run("replay", "--plain", str(log))
    assert code == 0
    assert tells_who_plays(out)


def test_the_drawn_replay_tells_it_and_shows_since_when_the_cheat_is_out() -> None:
    player = player_of(golden_log("quarrel"))
    told = [
        line
        for turn in range(player.reel.recording.turns + 1)
        for _place, lines in player.reel.tell_chapter(turn)
        for line in lines
    ]
    assert tells_who_plays(" ".join(told))
    player.go_to_end()
    fallen = player.reel.fallen_by(player.place)
    assert fallen[3] == min(fallen.values())


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
    number = browser.run(
        "Number([...document.querySelectorAll('#log p')]"
        ".find((line) => line.textContent.startsWith(given[0])).dataset.moment)",
        CONVICTED,
    )
    page.go(number)
    assert page.text_of("now").count(CONVICTED) == 1
    assert page.text_of("board").count("out of the game") == 1
