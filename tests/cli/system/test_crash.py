"""A program error: a report in a file, one line on the screen."""

import sys
from pathlib import Path

import pytest

from kotp2p.cli.system.options import CommonFlags
from kotp2p.cli.system.process import report_crash


def crash() -> None:
    try:
        raise RuntimeError("the thing that broke")
    except RuntimeError:
        report_crash(*sys.exc_info())


def test_the_report_is_in_a_file_that_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    crash()
    err = capsys.readouterr().err
    assert "Traceback" not in err
    assert len(err.splitlines()) == 1
    (report,) = tmp_path.iterdir()
    assert str(report) in err
    assert "the thing that broke" in report.read_text()


def test_with_a_debug_log_the_report_is_in_that(
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(CommonFlags, "debug", Path("debug.log"))
    crash()
    err = capsys.readouterr().err
    assert "Traceback" not in err
    assert "debug.log" in err
    assert "the thing that broke" in caplog.text
