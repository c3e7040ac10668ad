"""ADDRESS and ADDRESS:PORT as people type them."""

import pytest

from kotp2p.cli.text import how_to_join
from kotp2p.net.invitation import Invitation
from kotp2p.wire.addresses import DEFAULT_PORT


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("1.2.3.4", "1.2.3.4", DEFAULT_PORT),
        ("1.2.3.4:4243", "1.2.3.4", 4243),
        (" 1.2.3.4 ", "1.2.3.4", DEFAULT_PORT),
        ("host", "host", DEFAULT_PORT),
        ("host:4242", "host", 4242),
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
     "[::1", "[::1]4243", "[::1]:", "[1.2.3.4]:1", "a b", "-host", "1:2:3", "host:-1", "x" * 300,
     "host:\u0664\u0662"],
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
        ("kotp2p join 7412-kangaroo-umbrella", "7412-kangaroo-umbrella"),
        ("7412 Kangaroo umbrella", "7412 Kangaroo umbrella"),
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
    assert (
        how_to_join.parse_invitation(f" {link[:30]}\n  {link[30:50]} \r\n {link[50:]} \n")
        == invited
    )
    with pytest.raises(how_to_join.BadAddress):
        how_to_join.parse_invitation(f"{link[:30]} {link[30:]}")
