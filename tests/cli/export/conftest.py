"""A browser for the tests of the page: one for each worker, where there is one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kotp2p.cli.extras.forms.html import build_page
from kotp2p.extras.recording import record_log
from tests.support.browser import Browser, find_browser, started_browser
from tests.support.pages import GamePage
from tests.support.recorded import golden_log


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if find_browser() is None:
        pytest.skip("there is no Chromium here")
    with started_browser() as started:
        yield started


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a game with votes, that of a quarrel, and the bare checker."""
    folder = tmp_path_factory.mktemp("pages")
    for page, name in (("game", "absent"), ("quarrel", "quarrel")):
        (folder / f"{page}.html").write_text(build_page(record_log(golden_log(name))))
    (folder / "empty.html").write_text(build_page(None))
    return folder


@pytest.fixture
def game(browser: Browser, pages: Path) -> GamePage:
    return _shown(browser, pages / "game.html")


@pytest.fixture
def checker(browser: Browser, pages: Path) -> GamePage:
    return _shown(browser, pages / "empty.html")


def _shown(browser: Browser, file: Path) -> GamePage:
    page = GamePage(browser)
    browser.resize(1280, 900)
    page.show(file)
    return page
