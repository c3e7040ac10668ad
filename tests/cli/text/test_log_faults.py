"""Why a log is not sound: a clause for each fault, without the technical words."""

import errno
from pathlib import Path

import pytest

from kotp2p.cli.text.endings import PLAIN_FAULTS, describe_fault_of_bytes, describe_log_fault
from kotp2p.cli.text.program_words import describe_system_error
from kotp2p.game.verify import Report, Result, verify_log
from kotp2p.wire.lineups import CheatKind
from kotp2p.wire.records import LogFault, Versions
from tests.support.paths import LOGS, VECTORS

WITH_FIELDS = {LogFault.NO_FILE, LogFault.OTHER_VERSION}


def test_each_fault_has_words() -> None:
    assert set(PLAIN_FAULTS) == set(LogFault) - WITH_FIELDS
    assert {kind.value for kind in CheatKind} <= {fault.value for fault in LogFault}


@pytest.mark.parametrize(
    "path", sorted((VECTORS / "logs").glob("*.kotlog")), ids=lambda path: path.stem
)
def test_each_written_log_has_a_fault_unless_it_is_sound(path: Path) -> None:
    report = verify_log(path.read_bytes())
    assert (report.fault is None) == (report.result is Result.SOUND)
    assert bool(describe_log_fault(report)) == (report.result is not Result.SOUND)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("unfinished", "the log ends before the game"),
        ("wrong-illegal", "the rules do not allow it"),
    ],
)
def test_some_of_them(name: str, words: str) -> None:
    report = verify_log((VECTORS / "logs" / f"{name}.kotlog").read_bytes())
    assert describe_log_fault(report).startswith(words)


def test_of_another_version_all_numbers_are_said() -> None:
    report = verify_log((LOGS / "protocol-4-rules-1-head.kotlog").read_bytes())
    said = describe_log_fault(report)
    assert "from before 1.0 has written it, and no published version reads it" in said
    assert said.endswith("protocol 4, rules 1")
    newer = describe_fault_of_bytes(LogFault.OTHER_VERSION, Versions(9, 1, 2))
    assert newer.startswith("a newer version of kotp2p has written it: format 9, protocol 1")
    assert "this one reads format 2" in newer


def test_what_the_system_says_is_put_into_words() -> None:
    missing = Report(Result.UNREADABLE, fault=LogFault.NO_FILE, error=errno.ENOENT)
    assert describe_log_fault(missing) == "there is no such file"
    assert describe_system_error(errno.EBUSY) == "the system reports EBUSY"
    assert describe_system_error(None) == "the system reports 0"
