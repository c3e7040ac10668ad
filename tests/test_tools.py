"""Each tool says with --help what it does, and the heads of modules are printed."""

from __future__ import annotations

import runpy
import sys
import warnings

import pytest

from tests.support.paths import ROOT
from tests.tools import rooms


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
    assert {"sim", "perft", "rooms"} <= set(tools())
    assert [name for name in tools() if name != "sim" and f"tests.tools.{name}" not in listed] == []
    assert "python -m tests.sim " in listed


def test_rooms_prints_the_heads_of_modules(capsys: pytest.CaptureFixture[str]) -> None:
    assert "kotp2p/wire/\n    Every byte that is hashed" in "\n".join(rooms.lines_about("kotp2p"))
    assert "kotp2p/lineup/plan.py" in "\n".join(rooms.lines_about("kotp2p/lineup"))
    with pytest.raises(ValueError, match="there is no package, room or module nothing"):
        rooms.lines_about("nothing")
