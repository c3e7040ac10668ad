"""A word of the table phrase is enough to name a log."""

import os
from pathlib import Path

import pytest

from kotp2p.cli.system.folders import NamedLog, find_log

OLD = "2026-11-18-lemon-train-ocean-piano.kotlog"
NEW = "2026-11-20-chisel-lemon-fabric-onion.kotlog"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    logs = tmp_path / "logs"
    logs.mkdir()
    for age, name in enumerate((NEW, OLD, "mine.kotlog", "notes.txt")):
        (logs / name).touch()
        os.utime(logs / name, (1000 - age, 1000 - age))
    return tmp_path


def found(data: Path, wanted: str) -> NamedLog:
    return find_log(wanted, data / "logs", data)


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("chisel", NEW), ("CHISEL", NEW), ("chi", NEW), ("chisel-lemon", NEW),
        ("chisel lemon", NEW), ("fabric", NEW), ("piano", OLD), ("train ocean", OLD),
        ("2026-11-18", OLD), ("mine", "mine.kotlog"),
    ],
)  # fmt: skip
def test_words_of_the_phrase_or_the_day_name_a_log(data: Path, wanted: str, name: str) -> None:
    assert found(data, wanted) == NamedLog(data / "logs" / name)


def test_of_several_that_fit_the_newest_is_meant_and_the_others_are_counted(data: Path) -> None:
    assert found(data, "lemon") == NamedLog(data / "logs" / NEW, 1)


def test_what_names_no_log_is_a_path(data: Path) -> None:
    for wanted in ("zebra", "abric", "-", "./chisel", "sub/chisel", "", "x" * 5000, "a\0b"):
        assert found(data, wanted).path == Path(wanted)


def test_a_file_that_is_there_means_itself(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(data)
    Path("chisel").touch()
    assert found(data, "chisel") == NamedLog(Path("chisel"))


def test_an_unfinished_game_whose_log_stands_in_another_folder_is_found(data: Path) -> None:
    folder = data / "games" / "aa" / "bb"
    folder.mkdir(parents=True)
    (folder / "places").write_bytes(b"\x00\x01 2026-11-21-zebra-crown-olive-tulip.kotlog\x02")
    (folder / "log").touch()
    assert found(data, "zebra") == NamedLog(folder / "log")


def test_without_a_folder_of_logs_nothing_is_found(tmp_path: Path) -> None:
    assert find_log("chisel", tmp_path / "logs", tmp_path).path == Path("chisel")
