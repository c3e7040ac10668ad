"""A relay's first line, the places that lead through one, and the tokens of pairs."""

import os

import pytest

from kotp2p.rendezvous import exchange
from kotp2p.rendezvous.servers import check_mailbox, check_relay, relay_target
from kotp2p.wire.crypto import exchange_public_key
from kotp2p.wire.encoding import BadBytes

PLACE = exchange.RelayPlace("tcp:relay.test:4001", bytes(range(32)))
GAME = b"g" * 32


def test_the_request_is_the_line_of_the_transit_relay() -> None:
    line = exchange.request_line(bytes(32), bytes(8))
    assert line == b"please relay " + b"0" * 64 + b" for side " + b"0" * 16 + b"\n"


def test_the_answer_is_ok_and_nothing_else() -> None:
    assert exchange.read_answer(b"ok\n")
    assert not exchange.read_answer(b"ok")
    for other in (b"bad handshake\n", b"impatient\n", b"\n", b"OK\n", b" ok\n"):
        with pytest.raises(exchange.RelayFault):
            exchange.read_answer(other)


def test_a_first_line_has_at_most_64_bytes() -> None:
    assert not exchange.read_answer(b"x" * (exchange.MAX_ANSWER_BYTES - 1))
    with pytest.raises(exchange.RelayFault, match="too long"):
        exchange.read_answer(b"x" * exchange.MAX_ANSWER_BYTES)


def test_a_place_through_a_relay_is_read_back() -> None:
    assert exchange.RelayPlace.parse(str(PLACE)) == PLACE
    assert exchange.is_relay_place(str(PLACE))


@pytest.mark.parametrize("place", ["192.168.1.20", "kitchen", "::1", ""])
def test_other_places_are_none_through_a_relay(place: str) -> None:
    assert exchange.RelayPlace.parse(place) is None


@pytest.mark.parametrize("relay", ["tcp:[::1]:4001", "tcp:10.0.0.1:65535"])
def test_a_relay_has_a_host_and_a_port(relay: str) -> None:
    assert relay_target(relay)[1]


@pytest.mark.parametrize(
    "relay", ["tcp:a:0", "tcp:a:65536", "udp:a:1", "a:1", "tcp:a b:1", "tcp::1", "tcp:" + "a" * 300]
)
def test_what_is_no_relay_is_refused(relay: str) -> None:
    with pytest.raises(ValueError, match="no relay"):
        check_relay(relay)


@pytest.mark.parametrize("url", ["", "ws://10.0.0.1:4000/v1", "wss://mailbox.test/v1"])
def test_a_mailbox_is_a_websocket_or_none(url: str) -> None:
    assert check_mailbox(url) == url


@pytest.mark.parametrize("url", ["http://a/v1", "ws://", "ws://u@a/", "ws://a\n/", "x", "ws://a:b"])
def test_what_is_no_websocket_is_refused(url: str) -> None:
    with pytest.raises(ValueError):  # some are of the library
        check_mailbox(url)


def test_both_sides_of_a_pair_have_one_token() -> None:
    ours, theirs = os.urandom(32), os.urandom(32)
    here = exchange.pair_token(ours, exchange_public_key(theirs), GAME, (0, 2))
    there = exchange.pair_token(theirs, exchange_public_key(ours), GAME, (2, 0))
    assert here == there
    assert here != exchange.pair_token(ours, exchange_public_key(theirs), GAME, (0, 1))
    assert here != exchange.pair_token(ours, exchange_public_key(theirs), b"h" * 32, (0, 2))


def test_a_key_with_which_anybody_has_the_token_is_refused() -> None:
    with pytest.raises(BadBytes):
        exchange.pair_token(os.urandom(32), bytes(32), GAME, (0, 1))
