"""A verdict by last signatures: the same as by all of them, but for what it does not show."""

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kotp2p.game import verify
from kotp2p.wire.entries import BodyKind
from tests.support.vector_logs import QUARRELS, WHOLE_LOGS, forged, records, vector
from tests.tools.fuzz.logs import Logs
from tests.tools.independent.strife import strifes

RIGHT = (verify.Result.SOUND, verify.Result.UNFINISHED)
MUTATIONS = 48


def same_verdict(log: bytes) -> bool:
    return replace(
        verify.verify_by_last_signatures(log), signatures=verify.Signatures.ALL
    ) == verify.verify_log(log)


def answered_for(log: bytes) -> Iterator[int]:
    """The records of entries in the winning sequence before the last one of their authors."""
    report = verify.verify_log(log)
    counted, keys = set(report.bodies), {player.key for player in report.players}
    authors = [
        next(key for key in keys if signed.is_by(key))
        if signed.kind in (BodyKind.PLAY, BodyKind.SHARE) and signed in counted
        else None
        for signed in records(log)
    ]
    return (at for at, one in enumerate(authors) if one is not None and one in authors[at + 1 :])


@pytest.mark.parametrize("path", WHOLE_LOGS, ids=lambda path: path.stem)
def test_a_log_has_the_verdict_that_it_has_by_all_signatures(path: Path) -> None:
    log = path.read_bytes()
    assert same_verdict(log) == (path.stem != "wrong-forged-signature")
    found = verify.verify_by_last_signatures(log)
    assert (found.signatures is verify.Signatures.LAST) == (found.result in RIGHT)


def test_games_with_many_line_ups_have_the_same_verdict() -> None:
    games = strifes(random.Random("last signatures"), ("second",), 60)
    for _ in range(6):
        assert same_verdict(next(games))


@pytest.mark.parametrize("name", QUARRELS)
def test_all_is_checked_that_no_later_entry_answers_for(name: str) -> None:
    log = vector(name)
    passed, whole = set(answered_for(log)), records(log)
    plays = [at for at, one in enumerate(whole) if one.kind is BodyKind.PLAY]
    for at, one in enumerate(whole):
        if one.kind is BodyKind.CHEAT_PROOF or (at in plays[10:-10] and at % 4):
            continue  # a proof has no signature of its own, and a long game many entries alike
        other = forged(log, at)
        found, by_all = verify.verify_by_last_signatures(other), verify.verify_log(other)
        assert by_all.result is verify.Result.WRONG, at
        assert found == by_all if at not in passed else found.result in RIGHT, at


def test_it_does_not_show_that_each_record_is_rightly_signed() -> None:
    """What it shows all the same: the author has signed an entry that names this one."""
    log = vector("two")
    other = forged(log, next(answered_for(log)))
    assert verify.verify_log(other).reason == "a signature that is not its keeper's"
    found, right = verify.verify_by_last_signatures(other), verify.verify_log(log)
    assert (found.result, found.signatures) == (verify.Result.SOUND, verify.Signatures.LAST)
    assert (found.head, found.winners, found.confirmed_by) == (
        right.head, right.winners, right.confirmed_by,
    )  # fmt: skip
    assert found.canonical != right.canonical


def test_a_log_that_changes_the_game_is_refused() -> None:
    """Whatever becomes of the records, a log that is taken tells only what its seats have signed,
    in the order in which they have."""
    originals = tuple(vector(name) for name in (*QUARRELS, "two"))
    said = {(s.kind, s.body) for log in originals for s in records(log)}
    heads = {head for log in originals for head in heads_of(log)}
    mutated = Logs(originals, random.Random("changed"))
    taken = 0
    for n in range(MUTATIONS):
        change = mutated.body_changed if n % 2 else mutated.records_changed
        log = change(n % len(originals))
        found, by_all = verify.verify_by_last_signatures(log), verify.verify_log(log)
        assert found.result is by_all.result or told_by_all(log, found, by_all), by_all.reason
        if found.result in RIGHT:
            taken += 1
            assert {(s.kind, s.body) for s in found.bodies} <= said
            assert found.head in heads
    assert taken


def heads_of(log: bytes) -> Iterator[bytes]:
    """The head behind each record."""
    reading = verify.LogReading(log)
    while reading.read_record() is not None:
        assert reading.ledger is not None
        yield reading.ledger.head


def told_by_all(log: bytes, found: verify.Report, by_all: verify.Report) -> bool:
    """Whether the two differ in nothing but a signature that an entry answers for."""
    assert by_all.wrong_at is not None
    wrong = records(log)[by_all.wrong_at.record]
    return (
        found.signatures is verify.Signatures.LAST
        and by_all.reason == "a signature that is not its keeper's"
        and wrong in found.bodies
    )
