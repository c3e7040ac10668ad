"""`kotp2p replay`: codes, and what is no log."""

import os
from functools import partial
from pathlib import Path

import pytest

from tests.support.command_line import run
from tests.support.log_bytes import offsets
from tests.support.paths import LOGS
from tests.support.recorded import golden_log, vector_log
from tests.tools.vector_table import fill

replay = partial(run, "replay")


def test_the_newest_game_or_a_word_or_a_file_is_told(log: Path) -> None:
    code, whole, _err = replay()
    assert code == 0
    assert whole.splitlines()[-1] == f"{log}: sound"
    assert replay("chisel")[1] == replay("lemon", "fabric")[1] == replay(log)[1] == whole


@pytest.mark.parametrize(
    ("flags", "own"), [((), "Ana"), (("--profile", "work"), "Rex"), (("--profile", "nobody"), "")]
)
def test_it_is_told_from_the_own_seat(data: Path, flags: tuple[str, ...], own: str) -> None:
    """Ana plays under the key of one profile, and Rex under that of another."""
    for number, profile in enumerate(("default", "work"), 1):
        (data / "profiles" / profile).mkdir(parents=True)
        (data / "profiles" / profile / "key").write_bytes(fill(number))
    log = data / "game.kotlog"
    log.write_bytes(vector_log("classic"))
    turns = [line for line in replay(*flags, log)[1].splitlines() if line.startswith("Turn ")]
    for turn, name in ((3, "Ana"), (4, "Rex")):
        whose = "yours" if name == own else name
        assert turns[turn - 1].startswith(f"Turn {turn}, {whose}: ")


def test_a_wrong_log_has_its_code_and_names_the_record(log: Path) -> None:
    data = golden_log("second")
    at = offsets(data)[97] + 30
    log.write_bytes(data[:at] + bytes((data[at] ^ 1,)) + data[at + 1 :])
    assert f"{log}: WRONG at record 97, " in replay().printed(6).splitlines()[-1]


def test_a_torn_log_is_told_as_far_as_it_goes(log: Path) -> None:
    data = golden_log("second")
    log.write_bytes(data[: offsets(data)[97] + 30])
    assert "unfinished" in replay().printed().splitlines()[-1]


def test_what_is_no_log_of_ours_is_unreadable(log: Path, tmp_path: Path) -> None:
    junk, pipe = tmp_path / "junk", tmp_path / "pipe"
    junk.write_bytes(os.urandom(1000))
    os.mkfifo(pipe)
    older = LOGS / "protocol-4-rules-1-head.kotlog"
    for path, reason in (
        (junk, "this is no log of kotp2p"),
        (pipe, "it is no file"),
        (tmp_path, ""),
        (tmp_path / "none", "there is no such file"),
        (older, "from before 1.0 has written it"),
    ):
        out = replay(path).printed(9)
        assert out.startswith(f"{path}: unreadable (")
        assert reason in out
        assert len(out.splitlines()) == 1


def test_without_any_log_it_says_where_none_is(data: Path) -> None:
    assert replay().refused(9).startswith(f"There is no log in {data / 'logs'}.")


@pytest.mark.usefixtures("log")
def test_a_log_can_come_through_a_pipe() -> None:
    assert replay("-", input=golden_log("second")).printed().splitlines()[-1] == "-: sound"
