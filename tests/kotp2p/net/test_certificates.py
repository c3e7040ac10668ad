"""Certificates: the same authority for all who know the secret, another for everybody else."""

from __future__ import annotations

import pytest
from cryptography import x509
from cryptography.exceptions import InvalidSignature

from kotp2p.net.certificates import LEAF_ENTROPY, authority, binding, leaf
from kotp2p.wire.crypto import OPEN_TABLE_SECRET

ENTROPY = bytes(range(LEAF_ENTROPY))


def test_who_knows_the_secret_has_the_same_authority() -> None:
    assert authority(b"secret") == authority(b"secret")
    assert len({authority(b"secret"), authority(b"secret2"), authority(OPEN_TABLE_SECRET)}) == 3


def test_a_leaf_is_under_its_authority_and_no_other() -> None:
    own = x509.load_der_x509_certificate(leaf(b"secret", ENTROPY).certificate)
    own.verify_directly_issued_by(x509.load_der_x509_certificate(authority(b"secret")))
    with pytest.raises(InvalidSignature):
        own.verify_directly_issued_by(x509.load_der_x509_certificate(authority(OPEN_TABLE_SECRET)))


def test_every_process_has_a_leaf_of_its_own() -> None:
    other = bytes(LEAF_ENTROPY)
    assert (
        leaf(OPEN_TABLE_SECRET, ENTROPY).certificate == leaf(OPEN_TABLE_SECRET, ENTROPY).certificate
    )
    assert (
        leaf(OPEN_TABLE_SECRET, ENTROPY).certificate != leaf(OPEN_TABLE_SECRET, other).certificate
    )


def test_a_leaf_signs_no_other_leaf() -> None:
    own = x509.load_der_x509_certificate(leaf(OPEN_TABLE_SECRET, ENTROPY).certificate)
    constraints = own.extensions.get_extension_for_class(x509.BasicConstraints)
    assert constraints.critical
    assert not constraints.value.ca


def test_the_binding_tells_the_sides_apart() -> None:
    assert binding(b"a", b"b") != binding(b"b", b"a")
    assert binding(b"ab", b"") != binding(b"a", b"b")


def test_nothing_secret_is_in_what_is_logged() -> None:
    assert "PRIVATE" not in repr(leaf(OPEN_TABLE_SECRET, ENTROPY))
