"""A program error: a report in a file, one line on the screen."""

import logging
import os
import sys
from pathlib import Path

import pytest

from kotp2p.cli.system.options import CommonFlags
from kotp2p.cli.system.process import LOGGER, report_crash


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


@pytest.mark.parametrize("is_full", [False, True])
def test_with_a_debug_log_the_report_is_in_that_unless_its_disk_is_full(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    is_full: bool,
) -> None:
    (tmp_path / "reports").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "reports"))
    log = tmp_path / "debug.log"
    log.touch()
    handler = logging.FileHandler(os.devnull if is_full else log)
    monkeypatch.setattr(logging, "raiseExceptions", False)
    monkeypatch.setattr(logging.getLogger(LOGGER), "handlers", [handler])
    monkeypatch.setattr(CommonFlags, "debug", log)
    crash()
    handler.close()
    (report,) = (tmp_path / "reports").iterdir() if is_full else [log]
    assert str(report) in capsys.readouterr().err
    assert "the thing that broke" in report.read_text()
