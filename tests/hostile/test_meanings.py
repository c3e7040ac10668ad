"""A few changed files for each reader; `python -m tests.tools.meanings` makes hundreds."""

import random

import pytest

from kotp2p.game.verify import Result, verify_log
from kotp2p.wire.entries import BodyKind
from tests.support.log_bytes import changed_game
from tests.tools import meanings
from tests.tools.fuzz import seeds

SAMPLE = 2


@pytest.fixture(scope="module", autouse=True)
def played() -> None:
    """Not from a coroutine: the first call plays the games."""
    seeds.logs()


@pytest.mark.parametrize("name", meanings.READERS)
def test_a_reader_takes_no_changed_meaning_for_the_truth(name: str) -> None:
    assert meanings.run_reader(name, 0, SAMPLE) == []


def test_most_changes_leave_a_log_that_is_read_far_and_is_wrong() -> None:
    """Mutants that are refused at their first byte would show nothing."""
    chance = random.Random("mutants")
    reports = [verify_log(meanings.changed_log(*changed_game(), chance)) for _ in range(20)]
    assert sum(report.entries > 0 for report in reports) >= 10
    assert sum(report.result is Result.WRONG for report in reports) >= 10


def test_a_body_that_was_changed_is_signed_by_its_author_again() -> None:
    log, signers = changed_game()
    whole = [signed for signed, _ in seeds.records(log)]
    for kind in (BodyKind.GENESIS, BodyKind.PLAY, BodyKind.LINE_UP):
        old = next(one for one in whole if one.kind is kind)
        assert meanings.sign_again(old, old.body, signers) == old
        assert meanings.sign_again(old, old.body + b"\0", signers).signature != old.signature
