"""What the page says of logs that are dropped there, and of those that lie."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kotp2p.cli.extras.forms.html import build_page
from kotp2p.cli.extras.forms.lines import export_lines, pack_line
from kotp2p.extras.recording import record_log
from tests.support.browser import Browser
from tests.support.pages import GamePage
from tests.support.paths import LOGS, VECTORS
from tests.support.recorded import place_in_last_position

ABSENT = LOGS / "protocol-6-rules-2-absent.kotlog"


def test_the_bare_checker_opens_a_log_and_says_what_it_lacks(checker: GamePage) -> None:
    assert checker.result == "none"
    assert "Open a log" in checker.text_of("verdict-line")
    checker.drop("a.kotlog", ABSENT.read_bytes())
    assert checker.result == "sound"
    assert checker.text_of("replay") == ""
    assert "which this page does not" in checker.text_of("bare")
    steps = checker.text_of("bare-steps")
    assert "A bot plays for Guest 4 until Guest 4 is back, in Ana's program." in steps
    assert "Guest 1 has given up." in steps


def test_the_bare_checker_opens_the_page_of_a_reader(checker: GamePage, pages: Path) -> None:
    checker.drop("game.html", (pages / "game.html").read_bytes())
    assert checker.result == "sound"
    assert "Turn 41 of 41" in checker.text_of("where")


def test_an_export_shows_the_game_without_its_sentences(checker: GamePage) -> None:
    checker.drop("a.jsonl", packed(exported()))
    assert checker.result == "sound"
    assert checker.text_of("verdict-list") == ""
    checker.go(1)
    assert "MarketFilled" in checker.text_of("now")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"kotp2pev" + bytes(40), "kotp2p verify"),
        (b"", "no log of kotp2p"),
        (b"\xff" * 60, "no log of kotp2p"),
        (b"[1, 2]\n", "no export of one"),
        (b'{"line":"log","version":3}', "of version 3"),
    ],
    ids=["evidence", "nothing", "noise", "JSON", "later"],
)
def test_what_is_no_log_is_refused_in_words(checker: GamePage, data: bytes, words: str) -> None:
    checker.drop("x", data)
    assert checker.result == "unreadable"
    assert words in checker.text_of("verdict-line")


def test_of_a_log_that_is_refused_nothing_of_the_one_before_is_left(checker: GamePage) -> None:
    checker.drop("a.kotlog", ABSENT.read_bytes())
    titles = "[document.title, document.getElementById('subtitle').textContent]"
    phrase = record_log(ABSENT.read_bytes()).report().phrase
    assert all(phrase in title for title in checker.browser.run(titles))
    checker.drop("b.kotlog", b"junk")
    assert not any(phrase in title for title in checker.browser.run(titles))


JUNK_BYTES = 60 * 2**20


@pytest.mark.parametrize(
    ("front", "result", "words"),
    [
        (b"", "unreadable", "This is no log of kotp2p, and no export of one."),
        (b"{", "unreadable", "This is no log of kotp2p, and no export of one."),
        (b"<!doctype html>", "unreadable", "This is no log of kotp2p, and no export of one."),
        (ABSENT.read_bytes()[:40], "wrong", "WRONG at record 0, byte 40: its bytes are not those"),
        (ABSENT.read_bytes()[:9000], "wrong", "its bytes are not those that were written"),
    ],
    ids=["random", "an object", "a page", "a head", "a log"],
)
def test_junk_is_refused_plainly(checker: GamePage, front: bytes, result: str, words: str) -> None:
    checker.drop("junk", front, junk=JUNK_BYTES)
    assert words in checker.text_of("verdict-line")
    assert checker.result == result
    assert checker.browser.faults == []


def test_what_is_longer_than_any_log_is_not_read(checker: GamePage) -> None:
    checker.drop("junk", ABSENT.read_bytes(), junk=64 * 2**20)
    assert "longer than any log" in checker.text_of("verdict-line")
    assert checker.result == "unreadable"


def test_a_log_of_another_version_is_not_judged(checker: GamePage) -> None:
    checker.drop("x", (LOGS / "protocol-4-rules-1-head.kotlog").read_bytes())
    assert checker.result == "unreadable"
    assert "no published version reads it: format 1, protocol 4" in checker.text_of("verdict-line")


def test_the_page_of_a_game_against_the_rules_tells_so(browser: Browser, tmp_path: Path) -> None:
    log = record_log((VECTORS / "logs" / "wrong-illegal.kotlog").read_bytes())
    (tmp_path / "x.html").write_text(build_page(log))
    page = GamePage(browser)
    page.show(tmp_path / "x.html")
    assert page.result == "wrong"
    assert "has found: wrong at record 10. It knows the rules" in page.text_of("verdict-list")


# -- liars ---------------------------------------------------------------------------------------

Line = dict[str, Any]


def exported() -> list[Line]:
    return [dict(line) for line in export_lines(record_log(ABSENT.read_bytes()))]


def packed(lines: list[Line]) -> bytes:
    return "\n".join(map(json.dumps, lines)).encode()


def moments(lines: list[Line]) -> list[Line]:
    return [line for line in lines if line["line"] == "moment"]


def another_die(lines: list[Line]) -> None:
    drawn = next(line for line in moments(lines) if line["draw"] and line["draw"]["kind"] == "dice")
    drawn["draw"]["values"][0] = 5 - drawn["draw"]["values"][0]


def another_card(lines: list[Line]) -> None:
    moments(lines)[1]["draw"]["piles"][0].reverse()
    moments(lines)[1]["draw"]["values"].reverse()


def more_points(lines: list[Line]) -> None:
    at = place_in_last_position(ABSENT.read_bytes(), "seat 0.points")
    moments(lines)[-1]["position"][at] += 1


def another_head(lines: list[Line]) -> None:
    moments(lines)[40]["head"] = "00" * 32


def a_moment_left_out(lines: list[Line]) -> None:
    lines.remove(moments(lines)[-1])


@pytest.mark.parametrize(
    ("lie", "words"),
    [
        (another_die, "does not follow from what was opened"),
        (another_card, "does not follow from what was opened"),
        (more_points, "the players have signed another board"),
        (another_head, "it is not in the log"),
        (a_moment_left_out, "the log goes on, and the list does not"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_list_that_lies_is_found_out(
    checker: GamePage, lie: Callable[[list[Line]], None], words: str
) -> None:
    lines = exported()
    lie(lines)
    checker.drop("lie.jsonl", packed(lines))
    assert words in checker.text_of("verdict-list")
    assert checker.result == "wrong"


@pytest.mark.parametrize("value", [None, 7, "x", [], {}, [[]], -1, 2**60], ids=repr)
@pytest.mark.parametrize("name", ["turn", "head", "draw", "events", "position"])
def test_a_list_of_another_form_is_refused(checker: GamePage, name: str, value: object) -> None:
    lines = exported()
    moments(lines)[3][name] = value
    checker.drop("x.jsonl", packed(lines))
    is_in_form = (name, value) in (("draw", None), ("turn", 7), ("events", []))
    words = checker.text_of("verdict-line") + checker.text_of("verdict-list")
    assert is_in_form or "does not fit" in words or "is not as docs/FORMATS.md says" in words, words


MARKUP = "</script><img src=x onerror=\"document.title='caught'\"><b>\u202e&amp;"


def test_markup_in_names_and_texts_is_text(checker: GamePage) -> None:
    lines = exported()
    table = next(line for line in lines if line["line"] == "table")
    for player in table["players"]:
        player["name"] = player["monster"] = MARKUP
    for face in table["faces"].values():
        face["name"] = face["text"] = MARKUP
    for line in lines:
        if line["line"] == "moment":
            line["events"] = [{"event": MARKUP, "said": MARKUP}]
        elif line["line"] == "verdict":
            line["reason"], line["result"] = MARKUP, MARKUP
    checker.drop(MARKUP, packed(lines))
    checker.go(60)
    browser = checker.browser
    assert browser.run("document.querySelectorAll('main img, main b.x, main script').length") == 0
    assert "<img" in checker.text_of("now")
    assert "<img" not in checker.text_of("board"), "players and cards are those of the log"
    assert "caught" not in browser.run("document.title")
    assert browser.faults == []


def test_the_lines_of_a_page_cannot_end_their_element() -> None:
    assert "<" not in pack_line({"line": MARKUP})
    assert json.loads(pack_line({"line": MARKUP})) == {"line": MARKUP}


# -- what the browser lets the page do -----------------------------------------------------------


def test_the_page_may_use_no_network_and_no_other_script(game: GamePage) -> None:
    tried = game.browser.run(
        "await (async () => { const found = [];"
        "document.addEventListener('securitypolicyviolation', "
        "(e) => found.push(e.effectiveDirective));"
        "await fetch('http://127.0.0.1:9/').catch(() => {});"
        "const image = new Image(); image.src = 'http://127.0.0.1:9/x.png';"
        "const script = document.createElement('script'); script.textContent = 'window.bad = 1';"
        "document.body.append(image, script);"
        "document.body.setAttribute('onclick', 'window.bad = 1'); document.body.click();"
        "await new Promise((resolve) => setTimeout(resolve, 100));"
        "return [found, window.bad ?? null]; })()"
    )
    directives, bad = tried
    assert bad is None
    assert {"connect-src", "img-src", "script-src-elem", "script-src-attr"} <= set(directives)
