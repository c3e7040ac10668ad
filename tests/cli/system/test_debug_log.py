"""The file of `--debug`: where it may be, how large it gets, and what a report quotes of it."""

import errno
import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from kotp2p.cli.system import process
from kotp2p.cli.system.options import CommonFlags
from kotp2p.cli.system.process import LOGGER, start_debug_log
from tests.support.command_line import run


@pytest.fixture(autouse=True)
def as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(CommonFlags, "debug", None)
    monkeypatch.setattr(logging, "raiseExceptions", logging.raiseExceptions)
    yield
    logger = logging.getLogger(LOGGER)
    for handler in logger.handlers[:]:
        logger.removeHandler(handler)
        handler.close()
    logger.setLevel(logging.NOTSET)
    logger.propagate = True


def test_it_keeps_the_newest_lines_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "MAX_FILE_BYTES", 2000)
    path = tmp_path / "debug.log"
    start_debug_log(path)
    for number in range(1000):
        logging.getLogger("kotp2p.loop").debug("line %d", number)
    assert sorted(os.listdir(tmp_path)) == ["debug.log", "debug.log.1"]
    assert all(found.stat().st_size <= 2000 for found in tmp_path.iterdir())
    assert path.read_text().endswith("line 999\n")


def test_only_its_owner_reads_it(tmp_path: Path) -> None:
    start_debug_log(tmp_path / "debug.log")
    assert (tmp_path / "debug.log").stat().st_mode & 0o077 == 0


def test_it_follows_no_link_and_writes_into_no_folder_and_no_log(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"kotp2plg")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    for path in (tmp_path / "link", tmp_path, tmp_path / "log"):
        with pytest.raises(typer.BadParameter):
            start_debug_log(path)
    assert not (tmp_path / "target").exists()
    assert (tmp_path / "log").read_bytes() == b"kotp2plg"


def test_a_file_that_takes_nothing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_words: object, **_how: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    err = run("cards", "--debug", tmp_path / "none" / "log").told(2)
    assert "cannot be written" in " ".join(err.split())
    monkeypatch.setattr(Path, "open", fail)
    err = run("cards", "--debug", tmp_path / "log").told(2)
    assert "the disk is full" in " ".join(err.split())


def test_a_report_ends_with_the_last_lines_of_the_log(tmp_path: Path) -> None:
    path = tmp_path / "debug.log"
    path.write_text("".join(f"line {number}\n" for number in range(1000)))
    _code, out, _err = run("doctor", "terminal", "--report", "--debug", path)
    assert "kotp2p 0" in out or "kotp2p 1" in out
    assert "trio " in out
    assert "line 999" in out
    assert "line 5\n" not in out


def test_a_report_without_a_log_says_how_to_get_one() -> None:
    assert "--debug FILE" in " ".join(run("doctor", "terminal", "--report")[1].split())
