"""ADDRESS and ADDRESS:PORT as people type them."""

import pytest

from cli.text.join_target import BadAddress, format_address, parse_address
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
    assert parse_address(text) == (host, port)


@pytest.mark.parametrize(
    "text",
    ["", ":4242", "1.2.3.4:", "1.2.3.4:0", "1.2.3.4:65536", "1.2.3.4:x", "1.2.3.256", "1.2.3",
     "[::1", "[::1]4243", "[::1]:", "[1.2.3.4]:1", "a b", "-host", "1:2:3", "host:-1", "x" * 300,
     "host:\u0664\u0662"],
)  # fmt: skip
def test_what_is_no_address_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(BadAddress) as refused:
        parse_address(text)
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize("address", ["1.2.3.4", "::1", "fe80::1%eth0", "kitchen.local"])
@pytest.mark.parametrize("port", [DEFAULT_PORT, 4243])
def test_what_the_host_prints_is_what_join_reads(address: str, port: int) -> None:
    assert parse_address(format_address(address, port)) == (address, port)
