"""A few files with one changed meaning for each reader; `python -m tests.tools.meanings` makes
hundreds."""

import random

import pytest

from kotp2p.game.verify import Result, verify_log
from kotp2p.wire.entries import BodyKind
from tests.tools import meanings
from tests.tools.meanings import READERS, Changes, Fault, games, run_reader, sign_again

SAMPLE = 2


@pytest.fixture(scope="module", autouse=True)
def played() -> None:
    """Not from a coroutine: the first call plays the games."""
    games()


@pytest.mark.parametrize("name", READERS)
def test_a_reader_takes_no_changed_meaning_for_the_truth(name: str) -> None:
    assert run_reader(name, 0, SAMPLE) == []


def test_most_changes_leave_a_log_that_is_read_far_and_is_wrong() -> None:
    """Mutants that are refused at their first byte would show nothing."""
    chance = random.Random("mutants")
    reports = [verify_log(meanings.changed_log_of(*games(), chance)) for _ in range(20)]
    assert sum(report.entries > 0 for report in reports) >= 10
    assert sum(report.result is Result.WRONG for report in reports) >= 10


def test_a_body_that_was_changed_is_signed_by_its_author_again() -> None:
    game, _other = games()
    for kind in (BodyKind.GENESIS, BodyKind.PLAY, BodyKind.LINE_UP):
        old = next(one for one in game.records if one.kind is kind)
        new = sign_again(old, old.body, game.signers)
        assert new == old
        assert sign_again(old, old.body + b"\0", game.signers).signature != old.signature


def test_every_kind_of_change_is_made() -> None:
    chance = random.Random("changes")
    value = {"a": 1, "b": ["x", b"y"], "c": True}
    made = [Changes(chance).change(value, ["foreign"]) for _ in range(300)]
    assert value == {"a": 1, "b": ["x", b"y"], "c": True}
    assert {"a": 1, "b": [b"y", "x"], "c": True} in made, "swapped"
    assert {"a": 1, "b": ["x", "x", b"y"], "c": True} in made, "doubled"
    assert {"a": 1, "c": True} in made, "left out"
    assert {"a": None, "b": ["x", b"y"], "c": True} in made, "of another type"
    assert {"a": "foreign", "b": ["x", b"y"], "c": True} in made, "of another game"
    assert {"a": 2, "b": ["x", b"y"], "c": True} in made, "one more"
    assert any(len(str(one)) > meanings.A_MILLION for one in made), "very long"


def test_a_reader_that_fails_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_words: object = None) -> int:
        raise RuntimeError("planted")

    monkeypatch.setattr("kotp2p.cli.commands.settings.show_config", fail)
    (told,) = run_reader("config", 0, 1)
    assert told.startswith("config 0: Fault: config: RuntimeError('planted')")
    monkeypatch.undo()
    with pytest.raises(Fault):
        meanings.expect(meanings.Said(1, "", ""), {0}, "config")
