"""The command `python -m tests.scenario`."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.scenario.__main__ import main
from tests.support.paths import ROOT
from tests.support.scenario_texts import QUIET, TABLE


def test_the_command_prints_a_line_for_each_and_tells_by_its_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad, odd = tmp_path / "good.toml", tmp_path / "bad.toml", tmp_path / "odd.toml"
    good.write_text(TABLE + QUIET, encoding="utf-8")
    bad.write_text(TABLE + QUIET + "\nexpect = {P1 = {hearts = 1}}", encoding="utf-8")
    odd.write_text("[[scenario]\n", encoding="utf-8")
    assert main([str(good)]) == 0
    assert capsys.readouterr().out == "ok S [second]\n"
    assert main([str(bad), str(good)]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "FAILED S [second]: P1 hearts: expected 1, found 10"
    assert out[1] == "ok S [second]"
    assert main([str(odd), str(good)]) == 2
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith(f"REFUSED {odd}: TOML:")
    assert "line 1" in out[0]
    assert out[1] == "ok S [second]"


def test_the_command_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert "2 if a file was refused" in capsys.readouterr().out


def test_a_file_that_is_nested_too_deeply_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deep, good = tmp_path / "deep.toml", tmp_path / "good.toml"
    deep.write_text("scenario = " + "[" * 50_000, encoding="utf-8")
    good.write_text(TABLE + QUIET, encoding="utf-8")
    assert main([str(deep), str(good)]) == 2
    out = capsys.readouterr().out.splitlines()
    assert out == [f"REFUSED {deep}: TOML: the file is nested too deeply", "ok S [second]"]


def test_the_command_runs_as_a_module(tmp_path: Path) -> None:
    file = tmp_path / "scenario.toml"
    file.write_text(TABLE + QUIET, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "tests.scenario", str(file)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert (done.returncode, done.stdout) == (0, "ok S [second]\n")
