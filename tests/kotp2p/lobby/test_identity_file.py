"""Exported identities: what is written is read again, and by nobody without the passphrase."""

import random
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import PurePath

import pytest

from kotp2p.lobby import known_keys
from kotp2p.seams.world import FileTrouble
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes, Unwritable, pack
from tests.support.memory_world import MemoryDisk
from tests.tools.fuzz.mutate import Mutator

FRESH = bytes(range(28))
REX = known_keys.KnownPerson("Rex", b"r" * 32, "2026-10-02")
ANA = known_keys.CarriedIdentity(b"a" * 32, "Ana", (REX, known_keys.KnownPerson("Zoë", b"z" * 32)))
WORDS = "correct horse"


@pytest.fixture(autouse=True)
def quick_guesses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_keys, "SCRYPT_COST", 2)


def test_what_is_sealed_is_opened_by_its_passphrase_alone() -> None:
    data = known_keys.seal_identity(ANA, WORDS, FRESH)
    assert sha256(data).hexdigest()[:12] == "92ecc9e6f7da", "files that were sealed before"
    assert known_keys.open_identity(data, WORDS) == ANA
    assert known_keys.open_identity(data, WORDS).key == Signer(b"a" * 32).key
    for wrong in ("", "correct hors", "correct horse ", "Correct horse"):
        with pytest.raises(known_keys.WrongPassphrase):
            known_keys.open_identity(data, wrong)


def test_nothing_secret_can_be_read_in_the_file_or_in_its_repr() -> None:
    data = known_keys.seal_identity(ANA, WORDS, FRESH)
    for secret in (b"a" * 32, b"Ana", b"Rex", b"r" * 32):
        assert secret not in data
    assert "aaaa" not in repr(ANA)


def test_a_letter_is_the_same_however_a_keyboard_writes_it() -> None:
    data = known_keys.seal_identity(ANA, "crème brûlée", FRESH)
    assert known_keys.open_identity(data, "cre\u0300me bru\u0302le\u0301e") == ANA


def test_the_cost_of_a_guess_is_that_of_the_document(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert known_keys.SCRYPT_COST == 2**17


def test_a_file_of_another_kind_and_one_of_a_newer_program_are_told_apart() -> None:
    data = known_keys.seal_identity(ANA, WORDS, FRESH)
    for other in (b"", b"kotp2plg" + data[8:], data[:11], data[:50], data + bytes(70_000)):
        with pytest.raises(known_keys.NoIdentity):
            known_keys.open_identity(other, WORDS)
    with pytest.raises(known_keys.NewerIdentity):
        known_keys.open_identity(data[:8] + (2).to_bytes(4, "big") + data[12:], WORDS)
    with pytest.raises(known_keys.NoIdentity):
        known_keys.open_identity(data[:8] + bytes(4) + data[12:], WORDS)


def test_a_newer_program_may_write_anything_behind_the_number_of_its_form() -> None:
    head = known_keys.seal_identity(ANA, WORDS, FRESH)[:8]
    with pytest.raises(known_keys.NewerIdentity):
        known_keys.check_head(head + (2).to_bytes(4, "big"))
    with pytest.raises(known_keys.NoIdentity):
        known_keys.check_head(head + b"\0\0\2")  # of the number only a part is there


def test_a_changed_byte_anywhere_is_noticed() -> None:
    data = known_keys.seal_identity(ANA, WORDS, FRESH)
    chance = random.Random(7)
    mutator = Mutator([b"\x90"], chance)
    for _ in range(300):
        changed = mutator.turned(data)
        if changed != data:
            with pytest.raises(
                (known_keys.NoIdentity, known_keys.NewerIdentity, known_keys.WrongPassphrase)
            ):
                known_keys.open_identity(changed, WORDS)


def test_what_would_be_refused_is_not_written() -> None:
    with pytest.raises(Unwritable):
        known_keys.seal_identity(known_keys.CarriedIdentity(b"short", "Ana", ()), WORDS, FRESH)
    with pytest.raises(Unwritable):
        known_keys.seal_identity(known_keys.CarriedIdentity(b"a" * 32, "", ()), WORDS, FRESH)


def test_as_many_people_as_a_profile_knows_have_room() -> None:
    letters = "\U00020000" * 11  # as wide as a name may be, and four bytes each
    people = tuple(
        known_keys.KnownPerson(f"{letters[:10]}{n:03}", n.to_bytes(32, "big"), "2026-10-02")
        for n in range(known_keys.MAX_KNOWN_KEYS)
    )
    identity = known_keys.CarriedIdentity(b"a" * 32, "Ana", people)
    sealed = known_keys.seal_identity(identity, WORDS, FRESH)
    assert known_keys.open_identity(sealed, WORDS) == identity


def test_a_key_of_zeros_is_no_identity() -> None:
    assert known_keys.read_sealed_text(pack((b"a" * 32, "Ana", ()))).name == "Ana"
    with pytest.raises(BadBytes):
        known_keys.read_sealed_text(pack((bytes(32), "Ana", ())))


@pytest.mark.parametrize(
    ("name", "read", "data"),
    [
        *[("key", known_keys.read_identity, data) for data in (b"", b"k" * 31, bytes(32))],
        *[("name", known_keys.read_profile_name, data) for data in (b"", b"\xff", b"Ana\n\n")],
        ("known", known_keys.read_known_keys, b""),
    ],
)
def test_a_file_of_a_profile_that_is_damaged_is_named_and_one_that_is_missing_is_none(
    name: str, read: Callable[[MemoryDisk, PurePath], object], data: bytes
) -> None:
    assert read(MemoryDisk(), PurePath("ana")) in (None, known_keys.KnownKeys())
    with pytest.raises(FileTrouble, match=re.escape(str(PurePath("ana", name)))):
        read(MemoryDisk({PurePath("ana", name): data}), PurePath("ana"))
