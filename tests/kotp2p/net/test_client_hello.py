"""The first record of TLS: read as OpenSSL writes it, and whatever else comes."""

import random

from kotp2p.net.entrance import MAX_RECORD_BYTES, is_whole, server_name
from tests.support.tls_links import hello

NAME = "0123456789abcdef" * 3 + "01234567"


def test_the_name_that_a_dialler_says_is_read() -> None:
    assert server_name(hello(NAME)) == NAME
    assert server_name(hello(NAME) + b"more") == NAME
    assert server_name(hello(None)) == ""


def test_a_hello_is_whole_with_its_last_byte() -> None:
    whole = hello(NAME)
    assert [n for n in range(len(whole) + 1) if is_whole(whole[:n])] == [len(whole)]
    assert is_whole(whole + b"more")


def test_what_is_no_record_of_tls_is_not_waited_for() -> None:
    assert is_whole(b"GET / HTTP/1.1")
    too_long = bytes((22, 3, 1)) + MAX_RECORD_BYTES.to_bytes(2, "big")
    assert not is_whole(too_long[:4])
    assert is_whole(bytes((22, 3, 1)) + (MAX_RECORD_BYTES + 1).to_bytes(2, "big"))


def test_bytes_that_are_cut_off_or_changed_have_a_name_or_none() -> None:
    whole, dice = hello(NAME), random.Random(1)
    assert all(server_name(whole[:n]) == "" for n in range(100))
    for _ in range(5_000):
        changed = bytearray(whole[: dice.randrange(len(whole))] if dice.random() < 0.3 else whole)
        for _ in range(dice.randrange(1, 4)):
            if changed:
                changed[dice.randrange(len(changed))] = dice.randrange(256)
        assert isinstance(server_name(bytes(changed)), str)
