"""What a host is shown for others to type, and what a guest types."""

from dataclasses import replace

import pytest

from kotp2p.cli.text import how_to_join
from kotp2p.cli.text.how_to_join import (
    best_command,
    choose_addresses,
    describe_access,
    join_commands,
)
from kotp2p.net.invitation import Invitation
from kotp2p.seams.notices import TableOpened
from kotp2p.wire.addresses import DEFAULT_PORT

NAMES = {
    "192.168.1.20": "eth0",
    "192.168.1.44": "wlan0",
    "203.0.113.5": "wan0",
    "172.17.0.1": "docker0",
    "10.8.0.2": "wg0",
}


def test_the_commands_that_others_type() -> None:
    usual = TableOpened(("192.168.1.20", "fe80::1%eth0"), 4242, False)
    first, *others = join_commands(usual, {})
    assert first == "kotp2p join 192.168.1.20"
    assert others == ["If that fails: kotp2p join fe80::1%eth0"]
    other = TableOpened(("2001:db8::7",), 4243, False)
    assert join_commands(other, {}) == ["kotp2p join [2001:db8::7]:4243"]
    assert "4243" in describe_access(other, {})[0]
    loopback = TableOpened(("127.0.0.1",), 4242, True)
    assert not any("watch" in line for line in describe_access(other, {}))
    watched = describe_access(replace(other, most_watchers=8), {})
    assert "To watch, others type: kotp2p watch [2001:db8::7]:4243" in watched
    assert "Only this machine" in describe_access(loopback, {})[0]


def test_the_other_addresses_stand_below_with_their_interfaces() -> None:
    many = TableOpened(tuple(NAMES), 4242, False)
    assert best_command(many, NAMES) == "kotp2p join 192.168.1.20"
    assert join_commands(many, NAMES)[1:] == [
        "If that fails, over wlan0: kotp2p join 192.168.1.44",
        "If that fails, over wan0: kotp2p join 203.0.113.5",
        "If that fails, over wg0: kotp2p join 10.8.0.2",
    ]
    assert "the first of these commands" in describe_access(many, NAMES)[0]


def test_container_bridges_are_left_out_unless_there_is_nothing_else() -> None:
    bridges = {"172.17.0.1": "docker0", "172.18.0.1": "br-1f2e", "192.168.122.1": "virbr0",
               "10.0.3.1": "lxcbr0", "169.254.9.9": "veth12"}  # fmt: skip
    assert choose_addresses(("192.168.1.20", *bridges), {**NAMES, **bridges}) == ("192.168.1.20",)
    assert choose_addresses(tuple(bridges), bridges) == tuple(bridges)
    opened = TableOpened(("192.168.1.20", "172.17.0.1"), 4242, False)
    assert "type this command" in describe_access(opened, NAMES)[0]


def test_an_interface_shows_one_of_its_ipv6_addresses() -> None:
    found = ("192.168.1.20", "2001:db8::7", "2001:db8::8", "2001:db8::9")
    names = dict.fromkeys(found, "eth0") | {"2001:db8::9": "wlan0"}
    assert choose_addresses(found, names) == ("192.168.1.20", "2001:db8::7", "2001:db8::9")


def test_a_closed_table_shows_one_link() -> None:
    closed = TableOpened(("192.168.1.20", "10.0.0.7"), 4242, False, "kotp2p://x/y", b"k" * 32)
    assert join_commands(closed, NAMES) == ["kotp2p join kotp2p://x/y"]
    access = describe_access(closed, NAMES)
    assert "type this command" in access[0]
    assert any("Nobody gets in without this link or a code" in line for line in access)
    assert access[-1].startswith("Your key: ")


def test_a_link_that_a_shell_would_take_apart_is_quoted() -> None:
    closed = TableOpened(("2001:db8::7",), 4242, False, "kotp2p://[2001:db8::7]/y")
    assert join_commands(closed, {}) == ["kotp2p join 'kotp2p://[2001:db8::7]/y'"]


# -- what a guest types -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("1.2.3.4", "1.2.3.4", DEFAULT_PORT),
        ("1.2.3.4:4243", "1.2.3.4", 4243),
        (" 1.2.3.4 ", "1.2.3.4", DEFAULT_PORT),
        ("host", "host", DEFAULT_PORT),
        ("host:4242", "host", 4242),
        ("۱۲۷.۰.۰.۱:۴۲۴۳", "127.0.0.1", 4243),
        ("kitchen.local:1", "kitchen.local", 1),
        ("::1", "::1", DEFAULT_PORT),
        ("[::1]", "::1", DEFAULT_PORT),
        ("[::1]:4243", "::1", 4243),
        ("fe80::1%eth0", "fe80::1%eth0", DEFAULT_PORT),
        ("[fe80::1%eth0]:65535", "fe80::1%eth0", 65535),
        ("2001:db8::7", "2001:db8::7", DEFAULT_PORT),
        ("bücher.example", "xn--bcher-kva.example", DEFAULT_PORT),
    ],
)
def test_an_address_is_read(text: str, host: str, port: int) -> None:
    assert how_to_join.parse_address(text) == (host, port)


@pytest.mark.parametrize(
    "text",
    ["", ":4242", "1.2.3.4:", "1.2.3.4:0", "1.2.3.4:65536", "1.2.3.4:x", "1.2.3.256", "1.2.3",
     "[::1", "[::1]4243", "[::1]:", "[1.2.3.4]:1", "a b", "-host", "1:2:3", "host:-1", "x" * 300],
)  # fmt: skip
def test_what_is_no_address_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(how_to_join.BadAddress) as refused:
        how_to_join.parse_address(text)
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize("address", ["1.2.3.4", "::1", "fe80::1%eth0", "kitchen.local"])
@pytest.mark.parametrize("port", [DEFAULT_PORT, 4243])
def test_what_the_host_prints_is_what_join_reads(address: str, port: int) -> None:
    assert how_to_join.parse_address(how_to_join.format_address(address, port)) == (address, port)


@pytest.mark.parametrize(
    ("line", "target"),
    [
        ("kotp2p join 192.168.1.20", "192.168.1.20"),
        (" 192.168.1.20 ", "192.168.1.20"),
        ("kotp2p join 7412-balloon-brook", "7412-balloon-brook"),
        ("7412 Kangaroo brook", "7412 Kangaroo brook"),
        (".venv/bin/kotp2p join kotp2p://192.168.1.20/abc", "kotp2p://192.168.1.20/abc"),
        ("kotp2p join", ""),
        ("", ""),
    ],
)
def test_a_pasted_line_may_begin_with_the_command(line: str, target: str) -> None:
    assert how_to_join.read_pasted(line) == target


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("192.168.1.20 4243", "with a colon: 192.168.1.20:4243"),
        ("fe80::1 4243", "with a colon: [fe80::1]:4243"),
        ("192.168.1.20 192.168.1.21", "is not an address or the name of a machine"),
        ("one two three four five", "is not an address or the name of a machine"),
    ],
)
def test_several_words_that_are_no_code_are_explained(text: str, sentence: str) -> None:
    with pytest.raises(how_to_join.BadAddress, match=r"colon|not an address") as refused:
        how_to_join.parse_address(text)
    assert sentence in str(refused.value)


def test_a_long_link_may_be_copied_in_rows() -> None:
    invited = Invitation(("2001:db8::1", "192.0.2.7"), 4242, b"0123456789", b"h" * 10)
    link = invited.as_link()
    copied = f" {link[:30]}\n  {link[30:50]} \r\n {link[50:]} \n"
    assert how_to_join.parse_invitation(copied) == invited
    with pytest.raises(how_to_join.BadAddress):
        how_to_join.parse_invitation(f"{link[:30]} {link[30:]}")
