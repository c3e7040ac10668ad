"""The fields of a record by name, and records of another form than any game takes."""

import pytest

from kotp2p.cli.extras.forms.lines import name_fields
from kotp2p.wire.crypto import SIGNATURE_BYTES
from kotp2p.wire.encoding import Value, pack
from kotp2p.wire.entries import BodyKind, Signed

SIGNATURE = bytes(SIGNATURE_BYTES)
BODY = pack((1,))


def proof(*parts: Value) -> Signed:
    return Signed(BodyKind.CHEAT_PROOF, pack(parts), b"")


def test_a_proof_names_the_body_that_it_holds() -> None:
    named = name_fields(proof(int(BodyKind.LEAVE), BODY, SIGNATURE))
    assert named == {
        "bodies": [
            {"kind": "leave", "body": BODY.hex(), "signature": SIGNATURE.hex(), "says": None}
        ]
    }


@pytest.mark.parametrize(
    "parts",
    [
        (int(BodyKind.LEAVE), "no bytes", SIGNATURE),
        (int(BodyKind.LEAVE), BODY.hex(), SIGNATURE),
        (int(BodyKind.LEAVE), BODY, "no bytes"),
        ("no number", BODY, SIGNATURE),
        (True, BODY, SIGNATURE),
        (250, BODY, SIGNATURE),
        (int(BodyKind.LEAVE), BODY),
        (),
        (int(BodyKind.LEAVE), BODY, SIGNATURE) * 3,
    ],
)
def test_a_proof_of_another_form_has_no_fields(parts: tuple[Value, ...]) -> None:
    assert name_fields(proof(*parts)) is None


def test_a_proof_that_is_no_list_has_no_fields() -> None:
    assert name_fields(Signed(BodyKind.CHEAT_PROOF, pack("text"), b"")) is None
