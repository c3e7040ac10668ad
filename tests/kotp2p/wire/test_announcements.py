"""What a table says of itself on the LAN, and what is believed of strangers."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kotp2p.net.lan import announced_on
from kotp2p.wire import addresses

POSTER = addresses.Poster("Ana", "second", 6, 4, 4242)
CODED = replace(POSTER, code_number=7412)
NEAR = ("192.168.1.7/24", "fd00::7/64")


def record(poster: addresses.Poster = POSTER, **changed: bytes) -> dict[bytes, bytes | None]:
    pairs = {key: value.encode() for key, value in addresses.txt_properties(poster).items()}
    return {key.encode(): value for key, value in (pairs | changed).items()}


def test_a_record_is_read_as_it_was_written() -> None:
    for poster in (POSTER, CODED, replace(POSTER, open=False, free=0), replace(POSTER, protocol=9)):
        assert addresses.parse_poster(record(poster), poster.port) == poster


def test_a_guest_may_sit_down_only_at_an_open_table_of_this_version() -> None:
    assert POSTER.takes_guests
    for other in (
        replace(POSTER, free=0),
        replace(POSTER, open=False),
        replace(POSTER, protocol=POSTER.protocol + 1),
        replace(POSTER, rules_version=POSTER.rules_version + 1),
    ):
        assert not other.takes_guests


@pytest.mark.parametrize(
    "changed",
    [
        {"seats": b"7"}, {"seats": b"1"}, {"free": b"6"}, {"free": b"-1"}, {"seats": b"\xb2"},
        {"free": "\u0664".encode()}, {"protocol": b"99999"}, {"protocol": b""},
        {"protocol": b"1" * 250}, {"host": b""}, {"host": b"\xff\xfe"}, {"host": b" \t\x1b "},
        {"code": b"0999"}, {"code": b"10000"}, {"code": b"7412-balloon-brook"},
        {"rules": b"Second; rm -rf"}, {"rules": b""}, {"rules": b"a" * 17}, {"free": b"000004"},
    ],
)  # fmt: skip
def test_a_record_that_no_table_sends_is_no_poster(changed: dict[str, bytes]) -> None:
    raw = {key.encode(): value for key, value in changed.items()}
    assert addresses.parse_poster(record() | raw, 4242) is None


@pytest.mark.parametrize("port", [None, 0, 65536])
def test_a_port_that_is_none(port: int | None) -> None:
    assert addresses.parse_poster(record(), port) is None


def test_a_name_is_cleaned_and_bounded() -> None:
    found = addresses.parse_poster(record(host="A\u202en\x1b[2Ja\n".encode() + b"x" * 60), 4242)
    assert found is not None
    assert len(found.host) <= 24
    assert found.host.isprintable()


@given(st.dictionaries(st.binary(max_size=12), st.none() | st.binary(max_size=40)), st.integers())
def test_no_announcement_breaks_the_reader(pairs: dict[bytes, bytes | None], port: int) -> None:
    assert addresses.parse_poster(pairs, port) is None
    addresses.parse_poster(record() | pairs, 4242)


@given(st.text(max_size=24))
def test_the_label_of_a_record_is_one_label(name: str) -> None:
    found = addresses.record_label(name.encode("utf-8", "ignore").decode(), "0badcafe")
    assert "." not in found
    assert len(found.encode()) <= 63
    assert found.endswith("0badcafe")


def test_addresses_of_this_network_come_first_and_others_not_at_all() -> None:
    claimed = ["8.8.8.8", "10.9.9.9", "fd00::5", "192.168.1.5", "127.0.0.1", "nonsense", "fe80::1"]
    here = ("192.168.1.5", "fd00::5", "fe80::2%eth0")
    assert addresses.dialable_here([*claimed, here[2]], NEAR) == (*here, "10.9.9.9")
    assert addresses.dialable_here(["127.0.0.1", "::1"], ("127.0.0.1",)) == ("127.0.0.1",)
    own_machine = ["::ffff:127.0.0.1", "::ffff:0.0.0.0", "0.0.0.0", "0.1.2.3", "255.255.255.255"]
    assert addresses.dialable_here(own_machine, NEAR) == ()
    many = ["8.8.8.8"] * addresses.MAX_RECORD_ADDRESSES
    assert addresses.dialable_here([*many, "192.168.1.5"], NEAR) == ()


def test_two_records_of_one_place_are_one_table() -> None:
    twin = replace(POSTER, host="Ben")
    here, there = ["192.168.1.5"], ["192.168.1.6"]
    found = addresses.merge_records(
        [(POSTER, ["8.8.8.8"]), (POSTER, here), (twin, here), (POSTER, there)], NEAR
    )
    assert [(t.poster.host, t.addresses) for t in found] == [
        ("Ana", ("192.168.1.5",)), ("Ana", ("192.168.1.6",)),
    ]  # fmt: skip


def test_a_second_record_does_not_make_a_table_look_full() -> None:
    here = ["192.168.1.5"]
    for lie in (replace(POSTER, free=0), replace(POSTER, open=False), replace(POSTER, protocol=99)):
        for records in ([(lie, here), (POSTER, here)], [(POSTER, here), (lie, here)]):
            (found,) = addresses.merge_records(records, NEAR)
            assert found.poster == POSTER
        (found,) = addresses.merge_records([(lie, here), (replace(lie, host="Eve"), here)], NEAR)
        assert found.poster == lie, "of two at which nobody sits down the first one counts"


def test_no_flood_of_tables() -> None:
    flood = [(replace(POSTER, port=1 + n), [f"192.168.1.{n}"]) for n in range(1, 255)]
    found = addresses.merge_records(flood, NEAR)
    assert len(found) == addresses.MAX_FOUND_TABLES
    assert {table.poster.port for table in found} == set(range(2, addresses.MAX_FOUND_TABLES + 2))


def test_one_machine_does_not_crowd_out_the_others() -> None:
    liar = [(replace(POSTER, port=1 + n), ["192.168.1.66"]) for n in range(400)]
    found = addresses.merge_records([*liar, (replace(POSTER, host="Zoe"), ["192.168.1.5"])], NEAR)
    assert [t.addresses[0] for t in found].count("192.168.1.66") == addresses.MAX_TABLES_OF_ADDRESS
    assert found[-1].poster.host == "Zoe"


def test_a_table_is_known_by_every_number_that_a_record_gives_it() -> None:
    """So a second record of its place, whichever is heard first, does not hide its code."""
    here = ["192.168.1.5"]
    lie = replace(POSTER, host="Eve", code_number=9000)
    for records in ([(lie, here), (CODED, here)], [(CODED, here), (lie, here), (CODED, here)]):
        (found,) = addresses.merge_records(records, NEAR)
        assert sorted(found.numbers) == [7412, 9000]
    assert addresses.merge_records([(POSTER, here)], NEAR)[0].numbers == ()
    flood = [(replace(POSTER, code_number=1000 + n), here) for n in range(6)]
    assert len(addresses.merge_records(flood, NEAR)[0].numbers) == addresses.MAX_NUMBERS_OF_TABLE


def test_two_tables_with_one_number_are_two() -> None:
    found = addresses.merge_records([(CODED, ["192.168.1.5"]), (CODED, ["192.168.1.6"])], NEAR)
    assert [table.numbers for table in found] == [(7412,)] * 2


def test_nothing_is_announced_on_a_public_network() -> None:
    wired, public = ("eth0", "192.168.1.5"), ("eth1", "8.8.4.4")
    assert announced_on([("lo", "127.0.0.1"), public, ("eth1", "fe80::1")]) == ()
    assert announced_on([public, wired, ("eth0", "2001:db8:1::5")])[0] == "192.168.1.5"
    assert "8.8.4.4" not in announced_on([public, wired])
    assert announced_on([wired, ("docker0", "172.17.0.1")]) == ("192.168.1.5",)
    assert announced_on([("veth1", "172.17.0.1")]) == ("172.17.0.1",)
