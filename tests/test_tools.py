"""Each tool says with --help what it does, and the heads of modules are printed."""

import runpy
import shutil
import subprocess
import sys
import warnings
from xml.etree import ElementTree

import pytest

from kotp2p.cli.extras.help import TOPICS
from kotp2p.cli.ui.screen.theme import row_width
from tests.support.paths import ROOT
from tests.tools import rooms
from tests.tools.manual import MANUAL, manual_text
from tests.tools.picture import COLUMNS, PICTURE, ROWS, picture_text, take_picture


def tools() -> list[str]:
    """A tool is a package with a `__main__`, or a module that says how it is run."""
    folder = ROOT / "tests" / "tools"
    found = [path.parent.name for path in folder.glob("*/__main__.py")]
    for path in folder.glob("*.py"):
        if 'if __name__ == "__main__":' in path.read_text(encoding="utf-8"):
            found.append(path.stem)
    return sorted(found)


@pytest.mark.parametrize("name", tools())
def test_a_tool_explains_itself(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [name, "--help"])
    with warnings.catch_warnings(), pytest.raises(SystemExit) as ended:
        warnings.simplefilter("ignore", RuntimeWarning)  # a test may have imported it before
        runpy.run_module(f"tests.tools.{name}", run_name="__main__", alter_sys=True)
    assert ended.value.code == 0
    usage = capsys.readouterr().out
    assert usage.startswith("usage: ")
    assert len(usage.splitlines()) > 4, "it says nothing of what it does"


def test_every_tool_is_listed() -> None:
    listed = (ROOT / "tests" / "README.md").read_text(encoding="utf-8")
    assert {"sim", "golden", "rooms"} <= set(tools())
    assert [name for name in tools() if f"tests.tools.{name}" not in listed] == []


def test_rooms_prints_the_heads_of_modules(capsys: pytest.CaptureFixture[str]) -> None:
    assert "kotp2p/wire/\n    Every byte that is hashed" in "\n".join(rooms.lines_about("kotp2p"))
    assert "kotp2p/lineup/plan.py" in "\n".join(rooms.lines_about("kotp2p/lineup"))
    offers = [line.strip() for line in rooms.lines_about("kotp2p/referee/table/table.py")]
    at = offers.index("was_wounded(self, t: Table, me: InPlay, hit: Hit, lost: int)")
    assert offers[at + 1].endswith(".")
    with pytest.raises(ValueError, match="there is no package, room or module nothing"):
        rooms.lines_about("nothing")


# -- manual ----------------------------------------------------------------------------------------


def test_the_manual_page_is_current() -> None:
    assert MANUAL.read_text("utf-8") == manual_text(), "run python -m tests.tools.manual"


def test_it_has_every_command_and_topic() -> None:
    text = manual_text()
    for command in ("host", "join", "resume", "verify", "config", "help"):
        assert f".SS kotp2p {command}\n" in text
    for topic in TOPICS:
        assert f".SH {topic.name.upper().replace('-', ' ')}\n" in text


@pytest.mark.skipif(shutil.which("groff") is None, reason="no groff")
def test_roff_has_nothing_to_complain_of() -> None:
    found = subprocess.run(
        ["groff", "-man", "-ww", "-Tascii", str(MANUAL)], capture_output=True, text=True, check=True
    )
    assert found.stderr == ""
    assert "kotp2p config set speed slow" in " ".join(found.stdout.split())


# -- picture ---------------------------------------------------------------------------------------

# The picture in README: drawn by the program, the same each time, small, and readable anywhere.


MAX_BYTES = 200_000


def test_the_picture_is_a_whole_screen_and_the_same_each_time() -> None:
    rows = take_picture()
    assert len(rows) == ROWS
    assert all(row_width(row) <= COLUMNS for row in rows)
    assert rows == take_picture()
    assert picture_text(rows) == PICTURE.read_text("utf-8"), (
        "python -m tests.tools.picture draws it"
    )


def test_the_picture_of_readme_needs_nothing_else() -> None:
    assert "](docs/table.svg)" in (ROOT / "README.md").read_text("utf-8")
    drawn = PICTURE.read_text("utf-8")
    assert len(drawn.encode()) < MAX_BYTES
    assert "@import" not in drawn and "url(http" not in drawn, "a font from elsewhere"
    picture = ElementTree.fromstring(drawn)
    texts = [one.text or "" for one in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert " ".join(texts).count("YOUR TURN: roll 2 of 3") == 2  # the title and the prompt
    assert "F1" in texts
    assert len([*picture.iter("{http://www.w3.org/2000/svg}rect")]) > 4 * 14 * 7 / 2, "portraits"


def test_each_word_of_the_picture_stands_apart_in_any_font() -> None:
    picture = ElementTree.fromstring(PICTURE.read_text("utf-8"))
    ends: dict[str, float] = {}
    for one in picture.iter("{http://www.w3.org/2000/svg}text"):
        assert one.text and " " not in one.text and "\N{NO-BREAK SPACE}" not in one.text
        row, start = one.attrib["y"], float(one.attrib["x"])
        assert start >= ends.get(row, 0.0), one.text
        ends[row] = start + float(one.attrib["textLength"])
