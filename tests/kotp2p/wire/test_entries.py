"""Each kind of signed body and each payload of an entry is complete."""

import re
from typing import get_args

import pytest

from kotp2p.wire.entries import PAYLOADS, TAG_OF_KIND, BodyKind, Entry, EntryType, Payload
from tests.support.paths import ROOT
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
