"""Certificates: the same authority for all who know the secret, another for everybody else."""

import pytest
from cryptography import x509
from cryptography.exceptions import InvalidSignature

from kotp2p.net.tls import LEAF_ENTROPY_BYTES, bind_certificates, make_authority, make_leaf
from kotp2p.wire.crypto import OPEN_TABLE_SECRET

ENTROPY = bytes(range(LEAF_ENTROPY_BYTES))


def test_processes_that_know_the_secret_have_the_same_authority() -> None:
    assert make_authority(b"secret") == make_authority(b"secret")
    assert (
        len(
            {
                make_authority(b"secret"),
                make_authority(b"secret2"),
                make_authority(OPEN_TABLE_SECRET),
            }
        )
        == 3
    )


def test_a_leaf_is_under_its_authority_and_no_other() -> None:
    own = x509.load_der_x509_certificate(make_leaf(b"secret", ENTROPY).certificate)
    own.verify_directly_issued_by(x509.load_der_x509_certificate(make_authority(b"secret")))
    with pytest.raises(InvalidSignature):
        own.verify_directly_issued_by(
            x509.load_der_x509_certificate(make_authority(OPEN_TABLE_SECRET))
        )


def test_every_process_has_a_leaf_of_its_own() -> None:
    other = bytes(LEAF_ENTROPY_BYTES)
    assert (
        make_leaf(OPEN_TABLE_SECRET, ENTROPY).certificate
        == make_leaf(OPEN_TABLE_SECRET, ENTROPY).certificate
    )
    assert (
        make_leaf(OPEN_TABLE_SECRET, ENTROPY).certificate
        != make_leaf(OPEN_TABLE_SECRET, other).certificate
    )


def test_a_leaf_signs_no_other_leaf() -> None:
    own = x509.load_der_x509_certificate(make_leaf(OPEN_TABLE_SECRET, ENTROPY).certificate)
    constraints = own.extensions.get_extension_for_class(x509.BasicConstraints)
    assert constraints.critical
    assert not constraints.value.ca


def test_the_binding_tells_the_sides_apart() -> None:
    assert bind_certificates(b"a", b"b") != bind_certificates(b"b", b"a")
    assert bind_certificates(b"ab", b"") != bind_certificates(b"a", b"b")


def test_nothing_secret_is_in_what_is_logged() -> None:
    assert "PRIVATE" not in repr(make_leaf(OPEN_TABLE_SECRET, ENTROPY))
