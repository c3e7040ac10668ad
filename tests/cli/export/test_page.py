"""The page of a game in a browser: it replays the game, and can be used by everybody."""

from gettext import NullTranslations
from pathlib import Path

import pytest

from kotp2p.cli.extras.forms.html import build_page
from kotp2p.cli.text import i18n
from kotp2p.extras.recording import record_log
from tests.support.browser import Browser
from tests.support.pages import GamePage
from tests.support.paths import LOGS

ABSENT = LOGS / "protocol-6-rules-2-absent.kotlog"
NO_ED25519 = """
SubtleCrypto.prototype.importKey = async () => { throw new DOMException("", "NotSupportedError"); };
"""

BUTTONS = "document.getElementById('controls').getBoundingClientRect()"
COVERED = f"""
[...document.querySelectorAll("#where, #now, #dice, #chart")].filter((e) => {{
  const {{ top, bottom }} = e.getBoundingClientRect(), bar = {BUTTONS};
  return top < bar.bottom && bar.top < bottom;
}}).map((e) => e.id)
"""


class Leftwards(NullTranslations):
    """English words in the direction of Persian ones."""

    def pgettext(self, context: str, message: str) -> str:
        return "rtl" if context.startswith("direction") else message


def test_the_page_of_a_sound_game_says_so_and_what_that_is_worth(game: GamePage) -> None:
    assert game.result == "sound"
    assert game.text_of("verdict-line") == "Sound, as far as a page can tell."
    assert game.text_of("verdict-tick") == "\N{CHECK MARK}"
    assert game.text_of("verdict-words").startswith("Nothing here was changed, and Ana")
    said = "You know 0 of 5 keys: this log could have been made by one person."
    assert said in game.text_of("verdict-keys")
    assert game.text_of("verdict-list") == ""
    done, still_open = game.text_of("checks-done"), game.text_of("checks-open")
    assert "429 dice and 11 cards, made anew" in done
    assert "42 boards" in done
    assert "The rules" in still_open
    assert "What a liar could fake" in game.text_of("checks")
    assert game.browser.faults == []


def test_a_browser_without_signatures_says_so_never_sound(browser: Browser, pages: Path) -> None:
    page = GamePage(browser)
    page.show(pages / "game.html", NO_ED25519)
    assert page.result == "unchecked"
    assert "cannot check Ed25519 signatures" in page.text_of("verdict-line")
    assert "sound" not in browser.run("document.body.innerText").lower()
    assert page.verdict_on(ABSENT.read_bytes()).result == "unchecked"


def test_what_the_verdict_rests_on_is_folded_below_its_one_line(game: GamePage) -> None:
    height = "document.getElementById('verdict').getBoundingClientRect().height"
    folded = game.browser.run(height)
    game.browser.run("document.getElementById('checks').open = true")
    assert game.browser.run(height) > 4 * folded


def test_the_page_opens_with_the_winner_and_the_last_table(game: GamePage) -> None:
    assert game.text_of("outcome-title").endswith(" has won.")
    portraits = "document.querySelectorAll('#outcome .portrait').length"
    assert game.browser.run(portraits) == 1
    assert game.moment == 305
    on_board = "document.querySelectorAll('#board .portrait').length"
    assert game.browser.run(on_board) == game.browser.run(
        "document.querySelectorAll('#board .monster').length"
    )


def test_one_click_plays_the_game_from_its_start(game: GamePage) -> None:
    game.browser.run("document.getElementById('play-all').click()")
    assert game.moment == 0
    pressed = "document.getElementById('play').getAttribute('aria-pressed')"
    assert game.browser.run(pressed) == "true"
    game.browser.press("ArrowLeft")  # and a key stops it
    assert game.browser.run(pressed) == "false"


def test_the_game_can_be_gone_through_with_keys(game: GamePage) -> None:
    browser = game.browser
    game.go(0)
    browser.press("ArrowRight")
    browser.press("ArrowRight")
    assert game.moment == 2
    browser.press("ArrowLeft")
    assert game.moment == 1
    browser.press("n", text="n")
    browser.press("n", text="n")
    assert game.text_of("where").startswith("Turn 2 of 41")
    browser.press("p", text="p")
    assert game.text_of("where").startswith("Turn 1 of 41")


def test_it_plays_by_itself_and_stops_at_the_end(game: GamePage) -> None:
    game.browser.run("document.getElementById('speed').value = '16'")
    game.go(260)
    game.browser.press(" ", "Space", " ")
    pressed = "document.getElementById('play').getAttribute('aria-pressed')"
    assert game.browser.run(pressed) == "true"
    game.browser.wait_for(f"{pressed} === 'false'")
    assert game.moment == 305


def test_the_present_moment_is_read_out_and_marked_in_the_story(game: GamePage) -> None:
    game.go(30)
    now = game.browser.run("document.getElementById('now').innerText")
    assert game.browser.run("document.getElementById('now').getAttribute('aria-live')") == "polite"
    marked = game.browser.run("[...document.querySelectorAll('#log .now')].map(e => e.innerText)")
    assert marked
    assert all(line in now for line in marked)


def test_the_chart_is_the_time_line(game: GamePage) -> None:
    box = game.browser.run("document.querySelector('#chart').getBoundingClientRect().toJSON()")
    for kind in ("mousePressed", "mouseReleased"):
        game.browser.call(
            "Input.dispatchMouseEvent", type=kind, button="left", clickCount=1,
            x=box["x"] + box["width"] / 2, y=box["y"] + 20,
        )  # fmt: skip
    assert 112 < game.moment < 152
    assert game.browser.run("document.querySelectorAll('#course-table tbody tr').length") == 42


def test_a_die_is_made_anew_before_the_reader(game: GamePage) -> None:
    game.go(1)
    game.browser.wait_for("!document.getElementById('draw').hidden")
    told = game.text_of("draw")
    assert "It is what the list tells." in told
    assert "modulo 66 is" in told, "the first cards are drawn from the whole deck"
    assert told.count("Record 0:") == 15, "five players have sealed three slots in the genesis"


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [320, 375, 1280])
def test_nothing_is_wider_than_the_screen(game: GamePage, width: int, dark: bool) -> None:
    game.browser.resize(width, 800, dark=dark)
    game.go(60)
    assert not game.is_wider_than_screen()


@pytest.mark.parametrize("height", [568, 667, 740, 812])
def test_buttons_cover_nothing_where_the_reader_has_come_to(game: GamePage, height: int) -> None:
    """On a phone: neither on opening the page, nor where the game begins. They stay in sight."""
    game.browser.resize(375, height)
    game.go(60)
    for place in ("document.body", "document.getElementById('replay')"):
        game.browser.run(f"{place}.scrollIntoView()")
        assert game.browser.run(COVERED) == []
    game.browser.run("document.getElementById('board').scrollIntoView()")
    assert game.browser.run(f"{BUTTONS}.top") == 0
    assert game.browser.run(f"{BUTTONS}.height") < 64


def test_the_dice_lie_as_the_sentences_name_them(game: GamePage) -> None:
    game.go(14)
    words = "[...document.querySelectorAll('#dice figcaption')].map((e) => e.innerText)"
    shown = game.browser.run(words)
    assert shown == ["energy", "energy", "energy", "energy", "claw", "claw"]
    assert ", ".join(shown) in game.text_of("now")


def test_a_page_from_right_to_left_fits_and_what_is_filled_in_keeps_its_direction(
    browser: Browser, tmp_path: Path
) -> None:
    i18n.use_catalogue(Leftwards(), "fa")
    path = tmp_path / "game.html"
    path.write_text(build_page(record_log(ABSENT.read_bytes())))
    page = GamePage(browser)
    browser.resize(375, 667)
    page.show(path)
    assert browser.run("document.documentElement.dir") == "rtl"
    assert browser.run("[innerWidth, document.documentElement.scrollWidth]") == [375, 375]
    assert not page.is_wider_than_screen()
    page.go(2)
    names = "\u2067\u2068Ana\u2069, \u2068Guest 2\u2069\u2069"
    assert f"and \u2068{names} and \u2068Guest 3\u2069\u2069 confirmed" in page.text_of(
        "verdict-words"
    )
    assert "\u2068\u20673\u2069 energy\u2069" in page.text_of("log"), "a price in the story"
    assert i18n._("{n} seats", n=3) == "3 seats", "the terminal is as it was before"


OVERLAP = """
((one, other) => one.left < other.right && other.left < one.right
  && one.top < other.bottom && other.top < one.bottom
)(...["story", "draw"].map((id) => document.getElementById(id).getBoundingClientRect()))
"""


def test_the_story_does_not_cover_how_the_dice_came_about(game: GamePage) -> None:
    game.go(5)
    game.browser.wait_for("!document.getElementById('draw').hidden")
    game.browser.run("document.getElementById('draw').scrollIntoView()")
    assert game.browser.run(OVERLAP) is False


def test_everything_that_can_be_pressed_has_a_name(game: GamePage) -> None:
    nodes = game.browser.call("Accessibility.getFullAXTree")["nodes"]
    named = {"button", "slider", "spinbutton", "combobox", "region", "toolbar", "heading"}
    roles = [(n["role"]["value"], n.get("name", {}).get("value", "")) for n in nodes if "role" in n]
    assert [role for role, name in roles if role in named and not name] == []
    assert {"main", "banner", "contentinfo"} <= {role for role, _ in roles}


def test_on_paper_there_are_no_buttons_and_the_whole_story(game: GamePage) -> None:
    game.browser.resize(800, 1100, media="print")
    shown = "getComputedStyle(document.getElementById(given[0]))[given[1]]"
    assert game.browser.run(shown, "controls", "display") == "none"
    assert game.browser.run(shown, "log", "maxHeight") == "none"
