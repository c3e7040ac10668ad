"""The drawn table end to end: the real program, a terminal, keys; how it is given back."""

from __future__ import annotations

import re
import signal
import termios
from pathlib import Path

import pytest

from kotp2p.game.verify import Result, verify_log
from tests.support.window import Window

ENTER, F10, DOWN = "\r", "\x1b[21~", "\x1b[B"
END = "| The end"
EARLY = "Too early: the question is new. Press the key again."


def asked(window: Window) -> str:
    """The rows of the prompt and of the dice, without the seconds; empty if nothing is asked."""
    if not window.rows[18].startswith("-- YOU"):
        return ""
    rows = [window.rows[4], *window.rows[18:22]]
    text = "\n".join(rows).replace(EARLY, "")
    return re.sub(r"-+ \d+ s --", "", text)


def answer(window: Window, keys: str = ENTER) -> None:
    before = asked(window)
    window.insist(keys, lambda: asked(window) != before)


def dice(window: Window) -> str:
    """The row of the dice, once they lie still."""
    found = re.compile(r"Your dice, roll \d: ")
    window.until(lambda: any(found.search(row) for row in window.rows), "dice that lie still")
    return next(row for row in window.rows if found.search(row))


LEAVE = "Leave the game for good?"


def turn(window: Window) -> int:
    found = re.match(r" kotp2p \| turn (\d+)", window.rows[0])
    return int(found.group(1)) if found else 0


def leave_by_the_list(window: Window) -> None:
    """On a slow machine an arrow may count twice, which picks `n`: then once more."""

    def has_left() -> bool:
        return window.is_over() or "-- The end --" in window.text

    while not has_left():
        window.insist(F10, lambda: has_left() or LEAVE in window.text)
        window.insist(DOWN, lambda: has_left() or "> y" in window.text)
        window.press(ENTER)
        window.until(lambda: has_left() or LEAVE not in window.text, "what comes of it")


def test_a_person_plays_at_80x24_by_enter_and_leaves(tmp_path: Path) -> None:
    ana = Window(tmp_path / "ana", "solo", "--bots", "1", "--name", "Ana")
    while True:
        ana.until(lambda: bool(asked(ana)) or END in ana.text, "a prompt")
        if END in ana.text or turn(ana) >= 7:
            break
        answer(ana)
    if END not in ana.text:
        leave_by_the_list(ana)
    # The last answer may have ended the game, whether it was to be left or not.
    ana.until(lambda: ana.is_over() or "Another game" in ana.text, "the end")
    if not ana.is_over():
        ana.insist("n" + ENTER, ana.is_over)
    assert ana.ended() == 0
    assert ana.restored
    assert verify_log(ana.log().read_bytes()).result in (Result.SOUND, Result.UNFINISHED)


def test_a_whole_game_ends_on_the_screen_with_the_winner(tmp_path: Path) -> None:
    ana = Window(tmp_path / "ana", "solo", "--bots", "1", "--name", "Ana", "--bot", "normal")
    ana.see("Winner", END)
    ana.until(lambda: ana.rows[23].startswith("Enter Close  Esc Table"), "the keys of the page")
    ana.insist(ENTER, ana.is_over)
    assert ana.ended() == 0
    assert ana.restored
    assert verify_log(ana.log().read_bytes()).result is Result.SOUND


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_gives_the_terminal_back_and_keeps_the_seat(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    """UX check 12."""
    ana = Window(tmp_path / "ana", "solo", "--bots", "1", "--name", "Ana")
    ana.see("Keep which?")
    before = dice(ana)
    ana.child.kill(number)
    if number == signal.SIGINT:
        ana.see("Leave the game for good?")
        ana.child.kill(number)
    assert ana.ended() == code
    assert ana.restored
    again = Window(tmp_path / "ana", "resume")
    again.see("Keep which?")
    assert dice(again) == before
    again.child.close(force=True)


def test_the_line_settings_are_given_back(tmp_path: Path) -> None:
    """UX check 12: `stty -g` before and after."""
    ana = Window(tmp_path / "ana", "solo", "--bots", "1", "--name", "Ana")
    before = ana.settings
    ana.see("Keep which?")
    assert termios.tcgetattr(ana.child.child_fd) != before
    ana.child.kill(signal.SIGTERM)
    ana.until(lambda: "\x1b[?1049l" in ana.raw, "the main screen")
    assert ana.ended() == 143


def test_a_crash_gives_the_terminal_back_and_says_where_the_report_is(tmp_path: Path) -> None:
    """UX check 12."""
    ana = Window(
        tmp_path / "ana", "solo", "--bots", "1", "--name", "Ana", broken=True,
        environment={"TMPDIR": str(tmp_path)},
    )  # fmt: skip
    assert ana.ended() == 1
    assert ana.restored
    shown = ana.raw[ana.raw.rfind("\x1b[?1049l") :]
    assert "an error in this program" in shown


def test_no_color_is_honoured(tmp_path: Path) -> None:
    """UX check 18."""
    plain = ({"NO_COLOR": "1"}, ())
    flagged: tuple[dict[str, str], tuple[str, ...]] = ({}, ("--no-color",))
    for environment, flags in (plain, flagged):
        ana = Window(
            tmp_path / "ana", "solo", "--bots", "1", "--name", "Ana", *flags,
            environment=environment,
        )  # fmt: skip
        ana.see("Keep which?")
        ana.press("33")
        ana.child.kill(signal.SIGTERM)
        ana.ended()
        colours = re.findall(r"\x1b\[[0-9;]*m", ana.raw)
        codes = {int(code) for one in colours for code in one[2:-1].split(";") if code}
        assert not {code for code in codes if 30 <= code <= 49 or code >= 90}, codes


def test_an_empty_no_color_takes_no_colour_away(tmp_path: Path) -> None:
    """UX check 18."""
    ana = Window(
        tmp_path / "ana", "solo", "--bots", "1", "--name", "Ana", environment={"NO_COLOR": ""}
    )
    ana.see("Keep which?")
    ana.child.kill(signal.SIGTERM)
    ana.ended()
    assert re.search(r"\x1b\[[0-9;]*\b38;5;\d+m", ana.raw)


def test_ascii_is_enough(tmp_path: Path) -> None:
    """UX check 19."""
    ana = Window(
        tmp_path / "ana", "solo", "--bots", "2", "--name", "Ana",
        environment={
            "PYTHONIOENCODING": "ascii", "LC_ALL": "C", "TERM": "linux",
        },
        symbols="",
    )  # fmt: skip
    ana.see("Keep which?")
    ana.press("\x1bOP")
    ana.child.kill(signal.SIGTERM)
    ana.ended()
    assert ana.raw.isascii()


def test_a_terminal_with_unicode_gets_it_by_itself(tmp_path: Path) -> None:
    ana = Window(
        tmp_path / "ana", "solo", "--bots", "1", "--name", "Ana",
        symbols="",
    )  # fmt: skip
    ana.see("Keep which?", "╭───╮ ╭───╮", "┌─ Tokyo ──")
    ana.child.kill(signal.SIGTERM)
    ana.ended()


@pytest.mark.parametrize(
    ("environment", "flags"),
    [({"TERM": "dumb"}, ()), ({"KOTP2P_PLAIN": "1"}, ()), ({}, ("--plain",))],
)
def test_a_terminal_that_cannot_draw_and_a_player_that_wants_lines_get_lines(
    tmp_path: Path, environment: dict[str, str], flags: tuple[str, ...]
) -> None:
    """UX check 20."""
    ana = Window(
        tmp_path / "ana", "solo", "--bots", "1", "--name", "Ana", *flags, environment=environment
    )
    ana.see("Keep which?")
    ana.child.kill(signal.SIGTERM)
    ana.ended()
    assert "\x1b" not in ana.raw


def test_the_start_screen_leads_to_the_rules_and_to_a_first_game(tmp_path: Path) -> None:
    ana = Window(tmp_path / "ana")
    ana.see("1  play", "Your choice, Enter plays:")
    ana.press("rules\r")
    ana.see("The aim: 20 points", "Your choice, Enter plays:")
    ana.press("play\r")
    ana.see("What are you called?")
    ana.press("Ana\r")
    ana.see("8 Space Penguin", "Which monster are you?")
    ana.press("kraken\r")
    ana.see("Before your first game", "Press Enter: the game begins.")
    ana.insist(ENTER, lambda: "Keep which?" in ana.text)
    ana.see("Coach: ", "Kraken")
    ana.child.kill(signal.SIGTERM)
    assert ana.ended() == 143
    assert ana.restored


def test_a_terminal_that_goes_away_in_the_middle_is_no_program_error(tmp_path: Path) -> None:
    reports = tmp_path / "reports"
    reports.mkdir()
    ana = Window(
        tmp_path / "ana", "solo", "--bots", "1", "--name", "Ana",
        environment={"TMPDIR": str(reports)},
    )  # fmt: skip
    ana.see("Keep which?")
    ana.child.ptyproc.fileobj.close()  # `close` of the child itself would send it signals as well
    ana.child.wait()
    assert list(reports.iterdir()) == []
    assert (ana.child.exitstatus, ana.child.signalstatus) in ((129, None), (None, signal.SIGHUP))
    again = Window(tmp_path / "ana", "resume")
    again.see("Keep which?")
    again.insist("\x1b[21~", lambda: "Leave?" in again.text)
    again.insist("y\r", again.is_over)
