"""Tags separate, keys that prove nothing are refused, shares open for their taker alone."""

from __future__ import annotations

import pytest

from kotp2p.wire.crypto import (
    Signer,
    Tag,
    check_key,
    derive,
    digest,
    exchange_public_key,
    is_valid_signature,
    seal,
    unseal,
)
from kotp2p.wire.encoding import BadBytes

P = 2**255 - 19
ORDER_8 = 2707385501144840649318225287225658788936804267575313519463743609750303402022


def le(number: int, sign: int = 0) -> bytes:
    return (number | sign << 255).to_bytes(32, "little")


def test_fields_cannot_flow_into_one_another() -> None:
    assert digest(Tag.TABLE, b"ab", b"c") != digest(Tag.TABLE, b"a", b"bc")
    assert digest(Tag.TABLE, b"ab") != digest(Tag.NONCE, b"ab")
    assert digest(Tag.TABLE, 1) == digest(Tag.TABLE, (1).to_bytes(8, "big"))
    assert derive(b"k", Tag.TABLE, b"a") != derive(b"j", Tag.TABLE, b"a")


def test_a_signature_counts_for_its_purpose_only() -> None:
    signer = Signer(bytes(range(32)))
    signature = signer.sign(Tag.PLAY, b"body")
    assert is_valid_signature(signer.key, Tag.PLAY, b"body", signature)
    assert not is_valid_signature(signer.key, Tag.LINE_UP, b"body", signature)
    assert not is_valid_signature(signer.key, Tag.PLAY, b"bodY", signature)
    assert not is_valid_signature(Signer(bytes(32)).key, Tag.PLAY, b"body", signature)
    assert not is_valid_signature(signer.key, Tag.PLAY, b"body", signature[:-1])


def test_a_signature_with_another_s_is_refused() -> None:
    order = 2**252 + 27742317777372353535851937790883648493
    signer = Signer(bytes(range(32)))
    signature = signer.sign(Tag.PLAY, b"body")
    s = int.from_bytes(signature[32:], "little") + order
    assert not is_valid_signature(
        signer.key, Tag.PLAY, b"body", signature[:32] + s.to_bytes(32, "little")
    )


@pytest.mark.parametrize("y", [0, 1, P - 1, ORDER_8, P - ORDER_8, P, P + 1, 2**255 - 1])
@pytest.mark.parametrize("sign", [0, 1])
def test_a_key_that_proves_nothing_is_refused(y: int, sign: int) -> None:
    with pytest.raises(BadBytes):
        check_key(le(y, sign))


def test_honest_keys_are_taken() -> None:
    for n in range(200):
        key = Signer(n.to_bytes(32, "big")).key
        assert check_key(key) == key


def test_a_secret_does_not_show_in_a_repr() -> None:
    secret = bytes(range(32))
    assert secret.hex() not in repr(Signer(secret))
    assert repr(secret) not in repr(Signer(secret))


def test_a_share_opens_for_its_taker_and_its_place_alone() -> None:
    giver, taker, other = b"g" * 32, b"t" * 32, b"o" * 32
    sealed = seal(giver, exchange_public_key(taker), b"c" * 32, b"slot 7")
    assert len(sealed) == 48
    assert unseal(taker, exchange_public_key(giver), sealed, b"slot 7") == b"c" * 32
    with pytest.raises(BadBytes):
        unseal(other, exchange_public_key(giver), sealed, b"slot 7")
    with pytest.raises(BadBytes):
        unseal(taker, exchange_public_key(giver), sealed, b"slot 8")
    with pytest.raises(BadBytes):
        unseal(taker, bytes(32), sealed, b"slot 7")
