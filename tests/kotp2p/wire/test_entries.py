"""Each kind of signed body and each payload of an entry is complete."""

import json
import re
from typing import get_args

import pytest

from kotp2p.referee.model.answers import Answer
from kotp2p.wire.encoding import BadBytes, Value, unpack
from kotp2p.wire.entries import (
    PAYLOADS,
    TAG_OF_KIND,
    BodyKind,
    Entry,
    EntryType,
    Payload,
    answer_to_value,
    parse_answer,
)
from tests.support.paths import ROOT, VECTORS
from tests.tools.fuzz import seeds


def test_each_entry_type_has_one_payload_and_each_payload_one_type() -> None:
    assert sorted(payload.TYPE for payload in get_args(Payload)) == sorted(EntryType)
    assert {PAYLOADS[number] for number in EntryType} == set(get_args(Payload))


@pytest.mark.parametrize("payload_class", get_args(Payload))
def test_the_fuzz_starts_from_the_payload_and_it_is_read_back(payload_class: type[Payload]) -> None:
    entries = [
        Entry.parse(signed)
        for signed in seeds.bodies()
        if signed.kind in (BodyKind.PLAY, BodyKind.SHARE)
    ]
    found = [entry.payload for entry in entries if isinstance(entry.payload, payload_class)]
    assert found
    assert [payload_class.parse(payload.value()) for payload in found] == found


def test_every_body_that_is_signed_has_a_tag_of_its_own() -> None:
    assert set(TAG_OF_KIND) == set(BodyKind) - {BodyKind.CHEAT_PROOF, BodyKind.PROGRAM}, (
        "a proof of cheating is not signed itself, nor what a program says of itself"
    )
    assert len(set(TAG_OF_KIND.values())) == len(TAG_OF_KIND)


@pytest.mark.parametrize("kind", TAG_OF_KIND, ids=lambda kind: kind.name)
def test_the_protocol_lists_the_kind_under_its_number(kind: BodyKind) -> None:
    protocol = (ROOT / "docs" / "PROTOCOL.md").read_text("utf-8")
    name = kind.name.replace("_", "-")
    assert re.search(rf"^\| {int(kind)} \| {name} \|", protocol, re.MULTILINE)


@pytest.mark.parametrize("kind", TAG_OF_KIND, ids=lambda kind: kind.name)
def test_the_fuzz_starts_from_a_body_of_the_kind(kind: BodyKind) -> None:
    assert kind in {signed.kind for signed in seeds.bodies()}


# -- answers ------------------------------------------------------------------------------


def vector_answers() -> dict[type, list[bytes]]:
    """The encodings in docs/vectors/answers.json, by the class that they are read as."""
    found: dict[type, list[bytes]] = {}
    for text in json.loads((VECTORS / "answers.json").read_text("utf-8")).values():
        data = bytes.fromhex(text)
        answer, _secret = parse_answer(unpack(data))
        found.setdefault(type(answer), []).append(data)
    return found


@pytest.mark.parametrize("answer_class", get_args(Answer))
def test_a_vector_shows_the_answer_and_it_is_read_back_as_written(answer_class: type) -> None:
    for data in vector_answers()[answer_class]:
        assert answer_to_value(*parse_answer(unpack(data))) == unpack(data)


BOUNDS: dict[str, tuple[Value, dict[tuple[int, ...], int]]] = {
    "use": ((2, 0, 0, 0), {(1,): 999, (2,): 64, (3,): 5}),
    "reroll": ((1, (0,)), {(1, 0): 999}),
    "order": ((5, (0,)), {(1, 0): 5}),
    "hearts": (
        (6, 0, 0, 0, ((0, 0),)), {(1,): 64, (2,): 64, (3,): 64, (4, 0, 0): 5, (4, 0, 1): 64}
    ),
    "swap": ((9, 0), {(1,): 999}),
    "buy": ((10, 0), {(1,): 999}),
    "buy top": ((11, 0, bytes(32)), {(1,): 999}),
    "deposit": ((14, 0), {(1,): 999}),
    "copy": ((15, 0), {(1,): 999}),
    "take": ((17, 0), {(1,): 999}),
    "sell": ((18, (0,)), {(1, 0): 999}),
}  # fmt: skip
"""By PROTOCOL.md 5.3: an answer, and by path the greatest number that each of its fields takes."""


def put(value: Value, path: tuple[int, ...], new: Value) -> Value:
    if not path:
        return new
    assert isinstance(value, tuple)
    at, *rest = path
    return (*value[:at], put(value[at], tuple(rest), new), *value[at + 1 :])


@pytest.mark.parametrize("name", BOUNDS)
def test_each_number_of_an_answer_has_its_bounds(name: str) -> None:
    value, bounds = BOUNDS[name]
    for path, most in bounds.items():
        for number in (0, most):
            parse_answer(put(value, path, number))
        with pytest.raises(BadBytes):
            parse_answer(put(value, path, most + 1))


@pytest.mark.parametrize(
    ("code", "most", "member"), [(1, 200, 0), (18, 200, 0), (5, 6, 0), (6, 6, (0, 1))]
)
def test_each_list_of_an_answer_has_its_bounds(code: int, most: int, member: Value) -> None:
    before = (code, 0, 0, 0) if code == 6 else (code,)
    for number in (0, most):
        parse_answer((*before, (member,) * number))
    with pytest.raises(BadBytes):
        parse_answer((*before, (member,) * (most + 1)))


@pytest.mark.parametrize(
    "value",
    [
        (), (20,), (0, 0), (1,), (1, (), ()), (2, 0, None), (2, 0, None, None, 0), (6, 0, 0, 0),
        (6, 0, 0, 0, ((0,),)), (6, 0, 0, 0, (), 0), (9,), (9, 0, 0), (11, 0), (11, 0, bytes(31)),
        (11, 0, bytes(32), 0), (12,), (12, None, 0), (12, bytes(32)),
    ],
)  # fmt: skip
def test_an_answer_has_its_own_fields_and_no_others(value: Value) -> None:
    with pytest.raises(BadBytes):
        parse_answer(value)
