"""Addresses that others tell: of one machine, in numbers, and never the reader's own."""

import pytest

from kotp2p.wire import addresses
from kotp2p.wire.encoding import BadBytes, array, pack, unpack
from kotp2p.wire.frames import Start
from tests.tools.vector_table import SEATS, small_genesis

NEAR = ["", "192.168.1.20", "10.0.0.1", "100.64.0.7", "fd00::7", "203.0.113.9", "2001:db8::1"]
FORBIDDEN = [
    "localhost", "ana.example", "127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1", "0.0.0.0",
    "::ffff:0.0.0.0", "0.1.2.3", "::ffff:224.0.0.251", "255.255.255.255",
    "::", "224.0.0.251", "ff02::fb", "fe80::1%eth0", "1.2.3", "0x7f000001", "2130706433", " ",
    "192.168.1.20 ", "[::1]", "1" * 65,
]  # fmt: skip


@pytest.mark.parametrize("address", NEAR)
def test_a_host_tells_where_the_others_are(address: str) -> None:
    for port in (0, 4242, 65_535):
        assert addresses.read_start_target(address, port) == (address, port)
    with pytest.raises(BadBytes):
        addresses.read_start_target(address, 65_536)
    assert addresses.can_be_told(address)


@pytest.mark.parametrize("address", FORBIDDEN)
def test_a_host_never_makes_a_guest_look_up_a_name_or_dial_itself(address: str) -> None:
    with pytest.raises(BadBytes):
        addresses.read_start_target(address, 4242)
    assert not addresses.can_be_told(address)
    assert addresses.is_one_machine(address) is addresses.is_loopback(address)
    charter = small_genesis()[0].charter
    targets = (("", 4242), ("192.168.1.20", 4242), (address, 4242))
    start = Start(charter, targets)
    with pytest.raises(BadBytes):
        Start.parse(array(unpack(pack(start.value())))[1:])


def test_only_addresses_of_the_internet_are_public() -> None:
    assert addresses.is_public("8.8.8.8")
    assert addresses.is_public("2606:4700::1111")
    assert addresses.is_public("::ffff:8.8.8.8")
    for address in ("", "192.168.1.20", "100.64.0.7", "fd00::7", "fe80::1", "127.0.0.1", "x"):
        assert not addresses.is_public(address)


@pytest.mark.parametrize(
    ("address", "is_local"),
    [
        ("127.0.0.1", True), ("127.8.8.8", True), ("::1", True), ("::1%lo", True),
        ("::ffff:127.0.0.1", True), ("::ffff:192.168.1.5", False), ("192.168.1.5", False),
        ("fd00::5", False), ("ana.example", False), ("", False),
    ],
)  # fmt: skip
def test_loopback_has_many_spellings(address: str, is_local: bool) -> None:
    assert addresses.is_loopback(address) is is_local


def test_a_machine_has_an_address_of_ipv4_or_a_network_of_ipv6() -> None:
    for address in ("10.0.0.9", "::ffff:10.0.0.9"):
        assert addresses.network_of(address) == "10.0.0.9"
    for address in ("2001:db8::1", "2001:db8::2:0:0:1", "2001:db8::1%eth0"):
        assert addresses.network_of(address) == "2001:db8::/64"


# -- the book ------------------------------------------------------------------------------

LAN, HERE = ("192.168.1.7", 4243), ("127.0.0.1", 4244)


def book() -> addresses.AddressBook:
    genesis, _ = small_genesis()
    return addresses.AddressBook(genesis.id, genesis.players)


def told(
    seat: int, sequence: int, *targets: addresses.Target, signer: int | None = None
) -> addresses.SignedAddress:
    by = SEATS[seat if signer is None else signer]
    return addresses.SignedAddress.sign(by, small_genesis()[0].id, seat, sequence, targets)


def test_of_what_a_seat_has_told_the_greatest_number_holds() -> None:
    it = book()
    second, third = told(1, 2, LAN), told(1, 3)
    assert it.accept(second.signed) == second
    for old in (second, told(1, 1), told(1, 2, HERE)):
        assert it.accept(old.signed) is None
    assert it.newest_of_seat == {1: second}
    assert it.accept(third.signed) == third
    assert it.newest_of_seat == {1: third}


def test_only_a_seat_itself_tells_where_it_is() -> None:
    it = book()
    for seat in (1, 5):  # the table has three seats
        with pytest.raises(BadBytes):
            it.accept(told(seat, 1, LAN, signer=2).signed)
    assert it.newest_of_seat == {}


def test_a_loopback_address_counts_only_over_loopback() -> None:
    it = book()
    local = told(1, 1, LAN, HERE)
    assert local.is_local
    assert it.accept(local.signed, near=False) is None
    assert it.accept(local.signed, near=True) == local
    assert it.accept(told(0, 1, LAN).signed, near=False) is not None


def test_a_seat_is_dialled_where_its_last_link_was_seen_with_the_port_that_it_has_told() -> None:
    it = book()
    assert it.targets_of(1, 0, ()) == []
    it.last_link_addresses[1] = "10.0.0.9"
    assert it.targets_of(1, 0, ()) == []
    assert it.targets_of(1, 5000, ()) == [("10.0.0.9", 5000)]
    it.accept(told(1, 1, LAN).signed)
    for port in (0, 5000):
        assert it.targets_of(1, port, (LAN[0],)) == [("10.0.0.9", 4243), LAN]
    it.last_link_addresses[1] = ""
    assert it.targets_of(1, 5000, ("10.0.0.1",)) == [("127.0.0.1", 4243), LAN]
    assert it.targets_of(1, 5000, (LAN[0],)) == [("127.0.0.1", 4243)]
