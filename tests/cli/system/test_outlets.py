"""What becomes of output that cannot be written: silence, or a sentence and an exit code."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

import pytest

from kotp2p.cli.command_table import COMMANDS
from kotp2p.cli.system.output import Exit, Outlet, end_output, install_outlets, outlet_of
from tests.support.forked import CAN_FORK, Fork, input_pipe
from tests.support.paths import LOGS
from tests.support.program import PATIENCE

FULL_DISK = Path("/dev/full")
LOG = str(LOGS / "protocol-6-rules-2-classic.kotlog")
TALKATIVE = [
    ("--help-all",), ("--version",), ("help",), ("help", "files"),
    ("cards",), ("cards", "mimic"), ("rules",), ("config",),
    ("identity", "show"),
    ("games", "--json", LOG), ("games", LOG), ("verify", LOG),
    ("verify", "--json", LOG), ("replay", "--plain", LOG), ("explain", LOG),
    ("export", LOG), ("export", "--json", LOG), ("export", "--html", LOG),
    ("export", "--html", "none"),
    *((entry.name, "--help-all") for entry in COMMANDS),
]  # fmt: skip
needs_full_disk = pytest.mark.skipif(
    not (FULL_DISK.exists() and CAN_FORK), reason="there is no device that is full"
)


@pytest.fixture(autouse=True)
def own_streams(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Those of the tests come back afterwards."""
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    yield


@pytest.fixture
def full_disk() -> Iterator[int]:
    descriptor = os.open(FULL_DISK, os.O_WRONLY)
    yield descriptor
    os.close(descriptor)


def start_on(words: Sequence[str], home: Path, stdout: int) -> tuple[int, str]:
    """The exit code and the error output of the program that writes to `stdout`."""
    stderr, theirs = input_pipe()
    environment = {**os.environ, "KOTP2P_DATA": str(home), "KOTP2P_LAN_INTERFACES": ""}
    fork = Fork(words, environment, home, (os.open(os.devnull, os.O_RDONLY), stdout, theirs))
    with stderr:
        said = stderr.read()
    return fork.wait(PATIENCE), said


@needs_full_disk
@pytest.mark.parametrize("words", TALKATIVE, ids=" ".join)
def test_a_full_disk_is_told_and_has_its_exit_code(words: Sequence[str], tmp_path: Path) -> None:
    code, said = start_on(words, tmp_path, os.open(FULL_DISK, os.O_WRONLY))
    assert said.endswith("kotp2p: the output is incomplete: the disk is full.\n")
    assert "Traceback" not in said
    assert code == Exit.FILES


@pytest.mark.skipif(not CAN_FORK, reason="only Linux forks here")
@pytest.mark.parametrize("words", TALKATIVE, ids=" ".join)
def test_a_pipe_that_nobody_reads_is_no_error(words: Sequence[str], tmp_path: Path) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    code, said = start_on(words, tmp_path, theirs)
    assert "kotp2p: " not in said
    assert "Traceback" not in said
    assert code == Exit.DONE


def stream_to(descriptor: int, encoding: str = "utf-8") -> TextIO:
    return open(descriptor, "w", encoding=encoding, closefd=False)


def outlet_to(descriptor: int, monkeypatch: pytest.MonkeyPatch) -> Outlet:
    """That of the standard output, which leads there now."""
    monkeypatch.setattr(sys, "stdout", stream_to(descriptor))
    install_outlets()
    outlet = outlet_of(sys.stdout)
    assert isinstance(outlet, Outlet)
    return outlet


def test_what_follows_on_a_closed_pipe_goes_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    outlet = outlet_to(theirs, monkeypatch)
    for _line in range(2):
        sys.stdout.write("one\n")
        sys.stdout.flush()
    assert outlet.fault is None
    assert end_output(Exit.DONE) == Exit.DONE
    os.close(theirs)


@needs_full_disk
@pytest.mark.parametrize(
    ("text", "code", "ends"),
    [("wrong\n", Exit.WRONG, Exit.WRONG), ("not flushed yet", None, Exit.FILES)],
)
def test_a_full_disk_is_the_exit_code(
    text: str, code: Exit | None, ends: Exit, full_disk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    outlet_to(full_disk, monkeypatch)
    sys.stdout.write(text)
    assert end_output(code) == ends


def test_a_full_pipe_that_does_not_block_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    outlet_to(theirs, monkeypatch)
    text = "0123456789" * 100_000
    read: list[str] = []

    def read_all() -> None:
        with open(ours, encoding="utf-8") as reader:
            read.append(reader.read())

    reading = threading.Thread(target=read_all)
    reading.start()
    sys.stdout.write(text)
    assert end_output(Exit.DONE) == Exit.DONE
    os.close(theirs)
    reading.join(PATIENCE)
    assert read == [text]


def test_a_letter_that_the_terminal_lacks_loses_its_accent(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = os.pipe()
    monkeypatch.setattr(sys, "stdout", stream_to(theirs, "ascii"))
    install_outlets()
    sys.stdout.write("d’ex æquo\xa0: né ن")
    sys.stdout.flush()
    assert os.read(ours, 20) == b"d'ex aequo : ne ?"
    os.close(ours)
    os.close(theirs)


@pytest.mark.parametrize("lang", ["fr", "fa"])
def test_help_in_ascii_is_without_accents_or_in_english(lang: str) -> None:
    words = [sys.executable, "-m", "kotp2p", "host", "-h", "--lang", lang]
    found = subprocess.check_output(words, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert found.isascii() and b"?" not in found
