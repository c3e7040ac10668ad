"""The page of `kotp2p games --html`: charts, and nothing that runs."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from kotp2p.cli.extras.games.evenings import Evenings, build_stats_page, sum_up_evenings
from kotp2p.extras.recording import LogFacts, facts_of_log
from tests.support.browser import Browser
from tests.support.pages import GamePage
from tests.support.recorded import GOLDEN_NAMES, golden_log

HOSTILE = (
    "<script>x</script>", "</style><img src=x>", '"><b onclick="x">', "&lt;i&gt;", "a\x1b[2Jb",
    "\u202etxt",
)  # fmt: skip
"""No game is begun with such names; but the page does not lean on that."""
VOID = {"meta"}


class Elements(HTMLParser):
    """The elements of a page, and the text in them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.attributes: set[str] = set()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(tag)
        self.attributes |= {name for name, _value in attrs}
        if tag not in VOID and not (self.get_starttag_text() or "").endswith("/>"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts.append(data.strip())


def sums(*names: str) -> Evenings:
    """Of golden games, with the players of the first one called so."""
    logs = [facts_of_log(golden_log(name)) for name in GOLDEN_NAMES]
    return sum_up_evenings([renamed(logs[0], names), *logs[1:]])


def renamed(facts: LogFacts, names: tuple[str, ...]) -> LogFacts:
    players = [
        replace(player, name=name) for player, name in zip(facts.players, names, strict=False)
    ]
    return replace(facts, players=(*players, *facts.players[len(players) :]))


@pytest.fixture(scope="module")
def page() -> str:
    return build_stats_page(sums())


def test_each_bar_says_its_name_and_its_value_in_words(page: str) -> None:
    shown = Elements(page)
    assert shown.open == []
    headings = re.findall("<h2>(.*?)</h2>", page)
    assert headings == [
        "Wins by player", "Wins by monster", "Wins by bought card", "Length of games",
        "Dice against chance",
    ]  # fmt: skip
    assert "5 games." in shown.texts
    bars = page.count("<svg")
    assert bars == page.count('aria-hidden="true"') == page.count("<li>")
    assert bars == len(re.findall(r'class="value">[\d.]+ %, \d+ times?<', page))


def test_bars_stay_in_their_places(page: str) -> None:
    numbers = re.findall(r' (?:width|x1|x2)="([\d.]+)"', page)
    assert len(numbers) > 50
    assert all(0 <= float(number) <= 100 for number in numbers)


def test_what_players_are_called_is_text_and_never_markup() -> None:
    found = Elements(build_stats_page(sums(*HOSTILE)))
    assert found.open == []
    assert not {"script", "img", "b", "i", "a"} & set(found.found)
    assert not any(name.startswith("on") or name in ("href", "src") for name in found.attributes)
    assert {"<script>x</script>", '"><b onclick="x">', "&lt;i&gt;"} <= set(found.texts)
    assert all(text.isprintable() for text in found.texts[2:] if "x" in text)


def test_people_of_one_name_are_told_apart() -> None:
    found = Elements(build_stats_page(sums()))
    called = [text for text in found.texts if re.fullmatch(r"Ana \(key \w+\)", text)]
    assert len(set(called)) == len(called) > 1


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [320, 375, 1280])
def test_it_fits_phones_and_desks(
    browser: Browser, page: str, tmp_path: Path, width: int, dark: bool
) -> None:
    path = tmp_path / "stats.html"
    path.write_text(page)
    browser.resize(width, 800, dark=dark)
    browser.open(path)
    shown = GamePage(browser)
    assert not shown.is_wider_than_screen()
    assert shown.cut_elements() == []
    ground = browser.run("getComputedStyle(document.body).backgroundColor")
    assert ground == ("rgb(23, 22, 20)" if dark else "rgb(251, 250, 247)")
    assert browser.faults == []


def test_hostile_names_run_nothing_in_a_browser(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "stats.html"
    path.write_text(build_stats_page(sums(*HOSTILE)))
    browser.open(path)
    assert browser.run("document.querySelectorAll('script, img, b').length") == 0
    assert browser.run("document.body.innerText").count("<script>x</script>") >= 1
    assert browser.faults == []
