"""A player whose window is not in front is called by a notice, and the terminal is given back."""

from __future__ import annotations

import pytest

from tests.support.screen_table import Asked, roll
from tests.support.screen_terminal import ENTER, Terminal

IN_FRONT, AWAY = "\x1b[I", "\x1b[O"
ON, OFF = "\x1b[?1004h", "\x1b[?1004l"
KITTY = "\x1b]99;;kotp2p: YOUR TURN: roll 1 of 3"


@pytest.fixture
def kitty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TMUX", raising=False)
    monkeypatch.setenv("TERM", "xterm-kitty")


def told(asked: Asked, reports: str) -> str:
    """What is written after the terminal has sent `reports` and the player is called again."""

    async def play(t: Terminal) -> None:
        await t.see("Keep which?")
        t.press(reports + "3")
        await t.see("> 3")
        asked.screen.put_warning("Your time is nearly up.")
        await t.see("nearly up")

    return asked.by(play).paper.raw


@pytest.mark.usefixtures("kitty")
def test_a_player_elsewhere_is_called_by_a_notice() -> None:
    assert told(Asked(roll()), AWAY).count(KITTY) == 1


@pytest.mark.usefixtures("kitty")
@pytest.mark.parametrize("reports", [IN_FRONT, AWAY + IN_FRONT, ""])
def test_a_player_before_the_window_gets_the_bell_alone(reports: str) -> None:
    assert "\x1b]99;" not in told(Asked(roll()), reports)


@pytest.mark.usefixtures("kitty")
def test_no_notice_comes_where_the_bell_is_off() -> None:
    assert "\x1b]99;" not in told(Asked(roll(), bell=False), AWAY)


def test_a_report_is_no_key() -> None:
    asked = Asked(roll())

    async def play(t: Terminal) -> None:
        await t.see("Keep which?")
        t.press("3" + AWAY + "3")
        await t.see("> 33")
        assert asked.screen.focus.in_front is False
        t.press(IN_FRONT + ENTER)
        await t.until(lambda: bool(asked.answers), "an answer")

    asked.by(play)
    assert asked.screen.focus.in_front is True


def test_reports_are_asked_for_once_and_ended_once() -> None:
    asked = Asked(roll())

    async def play(t: Terminal) -> None:
        await t.see("Keep which?")

    raw = asked.by(play).paper.raw
    assert raw.count(ON) == raw.count(OFF) == 1
    assert raw.index(ON) < raw.index(OFF)


def test_a_text_goes_into_the_clipboard() -> None:
    asked = Asked(roll())

    async def play(t: Terminal) -> None:
        await t.see("Keep which?")
        assert asked.screen.copy_text("kotp2p join ana")

    assert "\x1b]52;c;a290cDJwIGpvaW4gYW5h\x07" in asked.by(play).paper.raw
