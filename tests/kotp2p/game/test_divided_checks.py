"""A verdict by two processes is the verdict by one, whichever of them checks a signature."""

import random
from functools import partial
from pathlib import Path

import pytest

from kotp2p.game.verify import Report, Result, are_signed_after, own_end, verify_beside, verify_log
from tests.support.log_bytes import offsets
from tests.support.vector_logs import QUARRELS, WHOLE_LOGS, forged, vector
from tests.tools.fuzz.logs import Logs

MUTATIONS = 48


def verdict(log: bytes, end: int | None = None) -> Report:
    """Both parts one after the other."""
    end = own_end(len(log)) if end is None else end
    return verify_beside(log, end, partial(are_signed_after, log, end))


@pytest.mark.parametrize("path", WHOLE_LOGS, ids=lambda path: path.stem)
def test_a_log_has_the_verdict_that_one_process_finds(path: Path) -> None:
    log = path.read_bytes()
    assert verdict(log) == verify_log(log)


@pytest.mark.parametrize("name", QUARRELS)
@pytest.mark.parametrize("end", [0, 2**31])
def test_either_process_can_check_all(name: str, end: int) -> None:
    assert verdict(vector(name), end) == verify_log(vector(name))


def test_each_wrong_signature_is_found_by_the_process_that_has_to_check_it() -> None:
    log = vector("two")
    starts = [*offsets(log), len(log)]
    record = len(starts) // 2
    wrong = forged(log, record)
    right = verify_log(wrong)
    assert right.result is Result.WRONG
    end_of_record = starts[record + 1]
    assert are_signed_after(wrong, end_of_record)  # it ends there, and not behind that
    assert not are_signed_after(wrong, end_of_record - 1)
    for end in (end_of_record - 1, end_of_record):
        assert verdict(wrong, end) == right


def test_mutated_logs_have_the_verdict_that_one_process_finds() -> None:
    originals = tuple(vector(name) for name in (*QUARRELS, "two"))
    mutated = Logs(originals, random.Random("divided"))
    for n in range(MUTATIONS):
        change = mutated.body_changed if n % 2 else mutated.records_changed
        log = change(n % len(originals))
        assert verdict(log) == verify_log(log)


def test_what_cannot_be_read_is_not_said_to_be_signed() -> None:
    log = vector("two")
    assert are_signed_after(log, 0)
    assert not are_signed_after(log[:20], 0)
    assert not are_signed_after(b"no log" * 9, 0)
    middle = len(log) // 2
    assert not are_signed_after(log[:middle] + b"\xff" * 40 + log[middle + 40 :], 0)
