"""Every command that writes a file, before a full disk, a folder that can only be read, a planted
link, and an output that nobody reads."""

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kotp2p.cli.extras import identity
from kotp2p.lobby import known_keys
from tests.support.command_line import run
from tests.support.paths import LOGS, ROOT
from tests.support.program import PATIENCE

LOG = LOGS / "protocol-6-rules-2-classic.kotlog"
PASSPHRASE = "correct horse battery"
OTHER_PROFILE = ["--profile", "new"]
WRITERS = {
    "config set": ("config.toml", ["config", "set", "speed", "slow"]),
    "identity rename": ("profiles/default/name", ["identity", "rename", "Bo"]),
    "identity export": ("out", ["identity", "export", "{out}"]),
    "identity import": ("profiles/new/key", ["identity", "import", "{identity}", *OTHER_PROFILE]),
    "export": ("out", ["export", "{log}", "--output", "{out}"]),
    "export --json": ("out", ["export", "--json", "{log}", "--output", "{out}"]),
    "export --html": ("out", ["export", "--html", "{log}", "--output", "{out}"]),
    "solo": ("logs", ["solo", "--bots", "1", "--bot", "easy", "--speed", "instant", "--plain"]),
}  # fmt: skip
"""What each writes in the folder of this test, and how it is called."""
OLD = {"config.toml": 'speed = "fast"\n', "profiles/default/name": "Ana\n"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data of a player, with the files that commands replace, and an exported identity."""
    monkeypatch.setattr(known_keys, "SCRYPT_COST", 2)
    monkeypatch.setattr(identity, "read_one_line", lambda _fd: PASSPHRASE)
    monkeypatch.setenv("KOTP2P_DATA", str(tmp_path))
    monkeypatch.setenv("KOTP2P_CONFIG", str(tmp_path / "config.toml"))
    for made in ("profiles/default", "profiles/new", "logs", "games"):
        (tmp_path / made).mkdir(parents=True, mode=0o700)
    (tmp_path / "profiles/default/key").write_bytes(b"a" * 32)
    shutil.copy(LOG, tmp_path / "game.kotlog")
    code, _out, err = run("identity", "export", str(tmp_path / "identity"))
    assert code == 0, err
    for name, text in OLD.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def words_of(name: str, folder: Path) -> list[str]:
    places = {"out": folder / "out", "log": folder / "game.kotlog", "identity": folder / "identity"}
    return [word.format(**places) for word in WRITERS[name][1]]


def files_in(folder: Path) -> dict[str, bytes]:
    """All but locks, which are made before anything is written."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "lock"
    }


def fill_disk(monkeypatch: pytest.MonkeyPatch) -> str:
    def fail(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fail)
    return "the disk is full"


def close_disk(monkeypatch: pytest.MonkeyPatch) -> str:
    """Another way than the rights of a folder, which root does not mind."""
    real = os.open

    def refuse(path: str, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_CREAT and Path(path).name != "lock":
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        return real(path, flags, mode)

    monkeypatch.setattr(os, "open", refuse)
    return "the disk can only be read"


@pytest.mark.parametrize("spoil", [fill_disk, close_disk])
@pytest.mark.parametrize("name", WRITERS)
def test_what_cannot_be_written_is_told_and_changes_nothing(
    name: str,
    spoil: Callable[[pytest.MonkeyPatch], str],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = files_in(folder)
    reason = spoil(monkeypatch)
    code, _out, err = run(*words_of(name, folder))
    monkeypatch.undo()
    assert code == 9, err
    assert reason in " ".join(err.split())
    assert str(folder) in err
    assert files_in(folder) == before


@pytest.mark.parametrize("name", WRITERS)
def test_no_planted_link_is_written_through(name: str, folder: Path) -> None:
    precious = folder / "precious"
    precious.write_bytes(b"precious")
    target = folder / WRITERS[name][0]
    for form in (".{}.part", "{}.part", ".{}.new", "{}.new", "{}.tmp", ".{}.tmp", "{}~"):
        target.with_name(form.format(target.name)).symlink_to(precious)
    code, _out, err = run(*words_of(name, folder))
    assert code == 0, err
    assert precious.read_bytes() == b"precious"
    assert target.is_dir() or target.read_bytes() != OLD.get(WRITERS[name][0], "").encode()


@pytest.mark.parametrize("name", [name for name in WRITERS if WRITERS[name][0] == "out"])
def test_no_log_is_written_over(name: str, folder: Path) -> None:
    shutil.copy(LOG, folder / "out")
    words = (word.replace("game.kotlog", "out") for word in words_of(name, folder))
    assert "is there already" in " ".join(run(*words).told(9).split())
    assert (folder / "out").read_bytes() == LOG.read_bytes()


@pytest.mark.parametrize("name", ["config set", "identity rename", "export"])
def test_a_file_is_written_also_if_nobody_reads_what_is_said(name: str, folder: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "kotp2p", *words_of(name, folder)],
            cwd=ROOT, stdout=writing, stderr=writing, timeout=PATIENCE, check=False,
        )  # fmt: skip
    finally:
        os.close(writing)
    assert done.returncode == 0
    path = WRITERS[name][0]
    assert (folder / path).read_bytes() != OLD.get(path, "").encode()
