"""The program without its wing: a game is hosted, joined, played and checked, and no sentence names
a command that is not there."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import fields
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest

from kotp2p.cli.command_table import COMMANDS, CORE
from kotp2p.cli.wing import Hint, Wing, wing
from tests.support.command_texts import texts_of_module
from tests.support.paths import ROOT, modules_of
from tests.support.settings import write_settings
from tests.tools.measure import WING

RUN = "from kotp2p.cli import start; start()"
NAMED = re.compile(r"(?<![\w./-])kotp2p ([a-z]+)\b(?! \()")
OF_WING = {entry.name for entry in COMMANDS} - {entry.name for entry in CORE}
PATIENCE = 240


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The packages without the wing."""
    shutil.copytree(
        ROOT / "kotp2p", tmp_path / "tree" / "kotp2p",
        ignore=shutil.ignore_patterns("__pycache__", "*.po"),
    )  # fmt: skip
    for package in ("kotp2p", "kotp2p/cli"):
        shutil.rmtree(tmp_path / "tree" / package / WING)
    return tmp_path / "tree"


def start(tree: Path, home: Path, *words: str) -> subprocess.Popen[str]:
    home.mkdir(exist_ok=True)
    # without site, as an editable installation would find the wing in its checkout
    libraries = sysconfig.get_paths()
    env = {
        **os.environ, "KOTP2P_DATA": str(home / "data"),
        "KOTP2P_LAN_INTERFACES": "", "KOTP2P_CONFIG": write_settings(home), "LOGNAME": home.name,
        "PYTHONPATH": os.pathsep.join([str(tree), libraries["purelib"], libraries["platlib"]]),
    }  # fmt: skip
    return subprocess.Popen(
        [sys.executable, "-S", "-P", "-c", RUN, *words], env=env, cwd=home, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def run(tree: Path, home: Path, *words: str) -> tuple[int, str, str]:
    done = start(tree, home, *words)
    out, err = done.communicate(timeout=PATIENCE)
    return done.returncode, out, err


def test_without_the_wing_a_game_is_hosted_played_and_verified(tree: Path, tmp_path: Path) -> None:
    port = "43117"
    words = ("--bot", "easy", "--players", "2", "--no-lan", "--bind", "127.0.0.1", "--port", port)
    ana = start(tree, tmp_path / "ana", "host", *words)
    assert ana.stdout is not None
    shown = next(line for line in ana.stdout if "kotp2p join" in line)
    target = shown.split("kotp2p join")[1].split()[0]
    code, _out, err = run(tree, tmp_path / "rex", "join", target, "--bot", "easy")
    assert code == 0, err
    ana.communicate(timeout=PATIENCE)
    assert ana.returncode == 0
    code, out, _err = run(tree, tmp_path / "rex", "verify")
    assert (code, ": sound." in out) == (0, True)


def test_without_the_wing_help_lists_the_commands_of_the_core(tree: Path, tmp_path: Path) -> None:
    code, out, err = run(tree, tmp_path, "-h")
    assert (code, err) == (0, "")
    listed = re.findall(r"^  (?!kotp2p)([a-z]+)  +\S", out, re.MULTILINE)
    assert listed == [entry.name for entry in CORE]
    assert run(tree, tmp_path, "doctor")[0] == 2


def core_modules() -> list[Path]:
    return [path for path in modules_of("cli", "kotp2p")
            if WING not in path.relative_to(ROOT).parts]  # fmt: skip


def test_no_sentence_of_the_core_names_a_command_of_the_wing() -> None:
    assert {
        "cards", "doctor", "explain", "export", "games", "help", "identity", "replay", "rules",
        "watch",
    } == OF_WING  # fmt: skip
    for path in core_modules():
        for text in texts_of_module(path.read_text(encoding="utf-8")):
            assert not OF_WING & set(NAMED.findall(text)), f"{path}: {text}"


def test_the_core_imports_nothing_of_the_wing() -> None:
    pattern = re.compile(r"^\s*(?:from|import) kotp2p\.(?:cli\.)?extras\b", re.MULTILINE)
    for path in core_modules():
        assert not pattern.search(path.read_text(encoding="utf-8")), path


def test_each_row_of_the_wing_leads_to_what_it_names() -> None:
    rows = [getattr(wing(), field.name) for field in fields(Wing)]
    called = [row.args[0] for row in rows if isinstance(row, partial)]
    assert len(called) == len(rows) - len(("commands", "hints"))
    for place in (*called, *(entry.run for entry in COMMANDS)):
        module, _colon, function = place.partition(":")
        assert callable(getattr(import_module(module), function)), place


def test_each_hint_of_the_core_has_a_sentence_of_the_wing_and_none_without_it() -> None:
    assert set(wing().hints) == set(Hint)
    assert Wing().say(Hint.NO_LOG) == ""
    assert "kotp2p games" in wing().say(Hint.NO_LOG)
