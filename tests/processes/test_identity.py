"""An identity goes to another machine, by hand: what is typed is not seen."""

from __future__ import annotations

from pathlib import Path

from tests.support.person import Person
from tests.support.program import Program

WORDS = "correct horse battery"


def play_once(home: Path) -> None:
    """A first game makes the identity."""
    assert Program(home, "solo", "--bots", "1", "--bot", "easy").wait() == 0


def type_passphrase(person: Person, sentence: str) -> None:
    person.child.expect_exact(sentence)
    person.child.waitnoecho()
    person.child.sendline(WORDS)


def test_the_passphrase_is_typed_twice_unseen_and_opens_the_file_elsewhere(tmp_path: Path) -> None:
    play_once(tmp_path / "ana")
    Person(tmp_path / "ana", "identity", "rename", "Ana").prompted()
    file = tmp_path / "ana.kotid"
    ana = Person(tmp_path / "ana", "identity", "export", str(file))
    type_passphrase(ana, "A passphrase for the file:")
    type_passphrase(ana, "The same once more:")
    assert ana.prompted() is None
    assert WORDS not in ana.said
    assert ana.ended() == 0
    play_once(tmp_path / "bob")
    bob = Person(tmp_path / "bob", "identity", "import", str(file))
    type_passphrase(bob, "The passphrase of the file:")
    question = bob.prompted()
    assert question is not None
    assert "y goes on, anything else changes nothing." in question
    bob.type("y")
    assert bob.prompted() is None
    assert "This machine plays as Ana now" in bob.said
    assert bob.ended() == 0
    keys = [
        (tmp_path / name / "data" / "profiles" / "default" / "key").read_bytes()
        for name in ("ana", "bob")
    ]
    assert keys[0] == keys[1]
