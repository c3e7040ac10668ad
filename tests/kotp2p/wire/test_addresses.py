"""Addresses that others tell: of one machine, in numbers, and never the reader's own."""

from __future__ import annotations

import pytest

from kotp2p.wire.addresses import can_be_told, is_public, read_start_target
from kotp2p.wire.encoding import BadBytes, array, pack, unpack
from kotp2p.wire.frames_lobby import Start
from tests.tools.vector_table import small_genesis

NEAR = ["", "192.168.1.20", "10.0.0.1", "100.64.0.7", "fd00::7", "203.0.113.9", "2001:db8::1"]
FORBIDDEN = [
    "localhost", "ana.example", "127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1", "0.0.0.0",
    "::ffff:0.0.0.0", "0.1.2.3", "::ffff:224.0.0.251", "255.255.255.255",
    "::", "224.0.0.251", "ff02::fb", "fe80::1%eth0", "1.2.3", "0x7f000001", "2130706433", " ",
    "192.168.1.20 ", "[::1]", "1" * 65,
]  # fmt: skip


@pytest.mark.parametrize("address", NEAR)
def test_a_host_tells_where_the_others_are(address: str) -> None:
    assert read_start_target(address, 4242) == (address, 4242)
    assert can_be_told(address)


@pytest.mark.parametrize("address", FORBIDDEN)
def test_a_host_never_makes_a_guest_look_up_a_name_or_dial_itself(address: str) -> None:
    with pytest.raises(BadBytes):
        read_start_target(address, 4242)
    assert not can_be_told(address)
    charter = small_genesis()[0].charter
    targets = (("", 4242), ("192.168.1.20", 4242), (address, 4242))
    start = Start(charter, targets)
    with pytest.raises(BadBytes):
        Start.parse(array(unpack(pack(start.value())))[1:])


def test_only_addresses_of_the_internet_are_public() -> None:
    assert is_public("8.8.8.8")
    assert is_public("2606:4700::1111")
    assert is_public("::ffff:8.8.8.8")
    for address in ("", "192.168.1.20", "100.64.0.7", "fd00::7", "fe80::1", "127.0.0.1", "x"):
        assert not is_public(address)
