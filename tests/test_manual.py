"""The manual page: made of the same help, current, readable by roff, and shipped."""

import shutil
import subprocess
import tomllib

import pytest

from kotp2p.cli.commands.help import TOPICS
from tests.support.paths import ROOT
from tests.tools.manual import MANUAL, manual_text


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


def test_the_wheel_takes_it_along() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    files = project["tool"]["setuptools"]["data-files"]
    assert files == {"share/man/man1": [MANUAL.relative_to(ROOT).as_posix()]}
