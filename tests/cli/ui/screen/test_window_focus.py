"""Whether the window is in front, as the terminal reports it, and the clipboard."""

from tests.support.screen_table import Asked, played, roll
from tests.support.screen_terminal import ENTER, Terminal

IN_FRONT, AWAY = "\x1b[I", "\x1b[O"
ON, OFF = "\x1b[?1004h", "\x1b[?1004l"


@played(lambda: Asked(roll()))
async def test_a_report_is_no_key(asked: Asked, t: Terminal) -> None:
    t.press("3" + AWAY + "3")
    await t.see("> 33")
    assert asked.screen.focus.in_front is False
    t.press(IN_FRONT + ENTER)
    await t.until(lambda: bool(asked.answers), "an answer")
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
