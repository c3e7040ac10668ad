"""How far a long command is: on a terminal, in plain lines, and not at all into a pipe."""

from __future__ import annotations

import io

import pytest

from kotp2p.cli.system.output import ERASE_ROW, has_terminal, shown_progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_makes_room_for_lines_on_the_same_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr("sys.stdout", screen)
    with shown_progress(3, "logs", plain=False) as progress:
        for n in range(3):
            progress.make_room()
            print(f"line {n}")
            progress.step()
    shown = screen.getvalue()
    assert shown.count(ERASE_ROW) == 3
    for n in range(3):
        assert f"{ERASE_ROW}line {n}\n" in shown
    assert "3/3" in shown


def test_a_bar_stays_if_the_lines_go_elsewhere(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    with shown_progress(2, "logs", plain=False) as progress:
        assert has_terminal()
        progress.make_room()
        progress.step()
    assert ERASE_ROW not in screen.getvalue()
    assert capsys.readouterr().out == ""


def test_nothing_goes_into_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    with shown_progress(2, "logs", plain=False) as progress:
        progress.make_room()
        progress.step()
    assert not has_terminal()
    assert capsys.readouterr() == ("", "")
