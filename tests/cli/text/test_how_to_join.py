"""What a host passes on: the best address first, and the others by their interfaces."""

from dataclasses import replace

from kotp2p.cli.text.how_to_join import (
    best_command,
    choose_addresses,
    describe_access,
    join_commands,
)
from kotp2p.seams.notices import TableOpened

NAMES = {
    "192.168.1.20": "eth0",
    "192.168.1.44": "wlan0",
    "203.0.113.5": "wan0",
    "172.17.0.1": "docker0",
    "10.8.0.2": "wg0",
}


def test_the_commands_that_others_type() -> None:
    usual = TableOpened(("192.168.1.20", "fe80::1%eth0"), 4242, False)
    assert join_commands(usual, {}) == [
        "kotp2p join 192.168.1.20",
        "If that fails: kotp2p join fe80::1%eth0",
    ]
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
