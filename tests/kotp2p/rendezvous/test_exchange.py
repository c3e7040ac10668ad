"""The exchange: who knows the words is introduced, and nobody else learns anything."""

import contextlib
import itertools
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kotp2p.rendezvous import exchange
from kotp2p.rendezvous.words import Code
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.genesis import PROTOCOL_VERSION

CODE = Code(7412, 3, 5)
INTRODUCTION = exchange.Introduction(
    b"secret", b"f" * 10, (("44.128.0.7", 4242),), "tcp:relay.test:4001", b"t" * 32
)


def entropy(seed: str = "") -> Callable[[int], bytes]:
    numbers = itertools.count()

    def draw(size: int) -> bytes:
        block = b"".join(
            sha256(f"{seed} {next(numbers)}".encode()).digest() for _ in range(size // 32 + 1)
        )
        return block[:size]

    return draw


@pytest.fixture
def guest() -> exchange.GuestExchange:
    return exchange.GuestExchange(CODE, entropy("guest"))


def exchange_with(code: Code, seen_at: str = "44.128.0.9") -> tuple[str, exchange.Introduction]:
    """What the host hears of a guest that has this code, and what the guest hears."""
    guest = exchange.GuestExchange(code, entropy("guest"))
    host = exchange.HostExchange(CODE, guest.id, entropy("host"))
    confirmation = guest.confirm(host.answer(guest.open()), seen_at)
    heard = host.read_confirmation(confirmation)
    return heard, guest.read_introduction(host.introduce(INTRODUCTION))


def test_who_knows_the_words_is_introduced() -> None:
    assert exchange_with(CODE) == ("44.128.0.9", INTRODUCTION)


@pytest.mark.parametrize(
    "wrong", [replace(CODE, first=4), replace(CODE, second=4), replace(CODE, first=5, second=3)]
)
def test_a_host_notices_wrong_words_before_it_says_anything(wrong: Code) -> None:
    with pytest.raises(exchange.WrongWords):
        exchange_with(wrong)


def test_the_number_is_bound() -> None:
    with pytest.raises(exchange.WrongWords):
        exchange_with(replace(CODE, number=7413))


def test_a_confirmation_is_of_no_use_in_another_exchange(guest: exchange.GuestExchange) -> None:
    first = exchange.HostExchange(CODE, guest.id, entropy("one"))
    second = exchange.HostExchange(CODE, guest.id, entropy("two"))
    opening = guest.open()
    confirmation = guest.confirm(first.answer(opening), "")
    second.answer(opening)
    with pytest.raises(exchange.WrongWords):
        second.read_confirmation(confirmation)


def test_a_guest_believes_no_host_without_the_words(guest: exchange.GuestExchange) -> None:
    liar = exchange.HostExchange(replace(CODE, first=9), guest.id, entropy("host"))
    guest.confirm(liar.answer(guest.open()), "")
    with pytest.raises(exchange.WrongWords):
        guest.read_introduction(liar.introduce(INTRODUCTION))


@pytest.mark.parametrize("step", [-1, 1])
def test_a_guest_reads_which_version_the_host_has(guest: exchange.GuestExchange, step: int) -> None:
    opening = exchange.Opening.decode(
        exchange.HostExchange(CODE, guest.id, entropy("host")).answer(guest.open())
    )
    other = replace(opening, protocol=PROTOCOL_VERSION + step)
    with pytest.raises(exchange.OtherVersion) as fault:
        guest.confirm(other.encode(), "")
    assert fault.value.theirs == (PROTOCOL_VERSION + step, opening.rules)


def test_a_host_answers_a_guest_of_another_version(guest: exchange.GuestExchange) -> None:
    older = replace(exchange.Opening.decode(guest.open()), protocol=PROTOCOL_VERSION - 1)
    answer = exchange.HostExchange(CODE, guest.id, entropy("host")).answer(older.encode())
    assert exchange.Opening.decode(answer).protocol == PROTOCOL_VERSION


@given(st.binary(max_size=200))
def test_whatever_comes_as_an_opening_is_read_or_refused(body: bytes) -> None:
    host = exchange.HostExchange(CODE, "0" * 16, entropy("host"))
    with pytest.raises(BadBytes):
        host.answer(body)


def answered(element: bytes) -> bytes:
    """What a host answers to an opening with this element."""
    guest = exchange.GuestExchange(CODE, entropy("guest"))
    opening = replace(exchange.Opening.decode(guest.open()), element=element)
    return exchange.HostExchange(CODE, guest.id, entropy("host")).answer(opening.encode())


NO_ELEMENTS = {
    "not on the curve": b"B\0\3".ljust(33, b"\0"),
    "of no side": bytes(33),
    "the neutral one": b"B\1".ljust(33, b"\0"),
    "in another group": b"B".ljust(33, b"\0"),
    "above the field": b"B".ljust(33, b"\xff"),
}


@pytest.mark.parametrize("element", NO_ELEMENTS.values(), ids=NO_ELEMENTS)
def test_no_element_is_refused_by_both_sides(element: bytes) -> None:
    with pytest.raises(BadBytes):
        answered(element)
    guest = exchange.GuestExchange(CODE, entropy("guest"))
    theirs = replace(exchange.Opening.decode(guest.open()), element=element.replace(b"B", b"A", 1))
    with pytest.raises(BadBytes):
        guest.confirm(theirs.encode(), "")


def test_an_element_of_the_own_side_is_refused(guest: exchange.GuestExchange) -> None:
    own = exchange.HostExchange(CODE, guest.id, entropy("host")).answer(guest.open())
    with pytest.raises(BadBytes):
        exchange.HostExchange(CODE, guest.id, entropy("host")).answer(own)
    with pytest.raises(BadBytes):
        guest.confirm(exchange.GuestExchange(CODE, entropy("guest")).open(), "")


@given(st.binary(max_size=32))
def test_whatever_comes_as_an_element_is_answered_or_refused(point: bytes) -> None:
    with contextlib.suppress(BadBytes):
        assert exchange.Opening.decode(answered(b"B" + point.ljust(32, b"\0")))


def test_a_body_has_at_most_four_kilobytes() -> None:
    host = exchange.HostExchange(CODE, "0" * 16, entropy("host"))
    with pytest.raises(BadBytes, match="too long"):
        host.answer(bytes(exchange.MAX_BODY_BYTES + 1))


@pytest.mark.parametrize(
    "bad",
    [
        replace(INTRODUCTION, targets=(("kitchen", 4242),)),
        replace(INTRODUCTION, targets=(("fe80::1%eth0", 4242),)),
        replace(INTRODUCTION, host=b"short"),
        replace(INTRODUCTION, token=b"short"),
        replace(INTRODUCTION, relay="http://relay.test"),
        replace(INTRODUCTION, relay="tcp:relay.test:0"),
    ],
)
def test_a_guest_takes_no_introduction_that_leads_nowhere(bad: exchange.Introduction) -> None:
    with pytest.raises(BadBytes):
        exchange.Introduction.decode(bad.encode())


def test_an_introduction_without_a_relay_has_no_token() -> None:
    direct = replace(INTRODUCTION, relay="", token=b"")
    assert exchange.Introduction.decode(direct.encode()) == direct


def test_nothing_secret_is_shown() -> None:
    assert "secret" not in repr(INTRODUCTION).replace("secret=", "")
    assert "tttt" not in repr(INTRODUCTION)
