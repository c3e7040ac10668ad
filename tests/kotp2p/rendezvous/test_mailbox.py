"""A mailbox server is read as a stranger."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kotp2p.rendezvous import mailbox
from kotp2p.rendezvous.exchange import MAX_BODY_BYTES

PONG = '{"type": "pong", "pong": 1, "server_tx": 1000.0}'
MESSAGE = {"type": "message", "side": "guest", "phase": "00/1", "body": "0a", "server_rx": 999.5}


def read(found: object, reader: mailbox.MailboxReader | None = None) -> mailbox.Heard | None:
    return (reader or mailbox.MailboxReader()).read(json.dumps(found), 0.0)


def test_a_message_is_old_until_all_old_ones_were_told() -> None:
    reader = mailbox.MailboxReader()
    assert read(MESSAGE, reader) == mailbox.Message("guest", "00/1", b"\n", 999.5, True)
    assert reader.read(PONG, 0.0) == mailbox.AllOld(1000.0)
    assert read(MESSAGE, reader) == mailbox.Message("guest", "00/1", b"\n", 999.5, False)
    assert reader.read(PONG, 0.0) is None


@pytest.mark.parametrize(
    ("told", "taken"),
    [(7, 7.0), (0.5, 0.5), (0, 0.0), (-1, 0.0), (1e12, 0.0), (True, 0.0), ("7", 0.0), (None, 0.0)],
)
def test_a_time_that_no_clock_shows_is_taken_for_none(told: object, taken: float) -> None:
    assert read({"type": "pong", "server_tx": told}) == mailbox.AllOld(taken)


def test_a_welcome_tells_where_the_server_sees_us() -> None:
    seen = {"type": "welcome", "welcome": {"your-address": {"ipv4": "44.128.0.7", "port": 9}}}
    assert read(seen) == mailbox.Welcome("44.128.0.7", "")
    assert read({"type": "welcome", "welcome": {}}) == mailbox.Welcome("", "")


@pytest.mark.parametrize("address", ["kitchen", "0.0.0.0", 7, "fe80::1%eth0", "\x1b[2J"])
def test_an_address_that_is_none_is_not_taken(address: object) -> None:
    told = {"type": "welcome", "welcome": {"your-address": {"ipv4": address}}}
    assert read(told) == mailbox.Welcome("", "")


def test_what_a_server_says_is_cleaned_and_cut() -> None:
    told = {"type": "welcome", "welcome": {"error": "\x1b[31m" + "x" * 1000}}
    found = read(told)
    assert isinstance(found, mailbox.Welcome)
    assert found.error.startswith(" [31mxxx") and len(found.error) == mailbox.MAX_SHOWN_TEXT


def test_a_crowded_mailbox_is_known_as_one() -> None:
    found = read({"type": "error", "error": "crowded", "orig": {}})
    assert isinstance(found, mailbox.Complaint) and found.is_crowded
    other = read({"type": "error", "error": "must bind first"})
    assert isinstance(other, mailbox.Complaint) and not other.is_crowded


@pytest.mark.parametrize(
    "frame",
    [
        "", "no JSON", "[]", "7", "{}", '{"type": 7}', '{"type": "welcome"}', "[" * 9000,
        '{"type": "message", "side": "guest"}', '{"type": "message", "side": 1, "phase": 2}',
        b"{}", '{"type": "welcome", "welcome": []}', '"\ud800"',
    ],
)  # fmt: skip
def test_what_no_server_says_ends_the_connection(frame: str | bytes) -> None:
    with pytest.raises(mailbox.MailboxFault):
        mailbox.MailboxReader().read(frame, 0.0)


@pytest.mark.parametrize(("size", "is_taken"), [(mailbox.MAX_FRAME_BYTES, True), (16_385, False)])
def test_a_frame_has_at_most_16_kilobytes(size: int, is_taken: bool) -> None:
    frame = '{"type": "ack"}'.ljust(size)
    if is_taken:
        assert mailbox.MailboxReader().read(frame, 0.0) is None
    else:
        with pytest.raises(mailbox.MailboxFault):
            mailbox.MailboxReader().read(frame, 0.0)


@pytest.mark.parametrize(
    "changed",
    [{"phase": "x" * 41}, {"body": "zz"}, {"body": "0"}, {"body": "00" * (MAX_BODY_BYTES + 1)}],
)
def test_a_message_that_no_side_of_ours_adds_is_passed_over(changed: dict[str, str]) -> None:
    assert read({**MESSAGE, **changed}) is None


def test_what_a_later_server_says_is_passed_over() -> None:
    assert read({"type": "motd", "text": "hello"}) is None


def test_200_messages_in_each_minute_are_read_and_one_more_ends_the_connection() -> None:
    reader = mailbox.MailboxReader()
    reader.read(PONG, 0.0)
    for minute in (0, 1, 2):
        for _ in range(mailbox.MAX_MESSAGES):
            reader.read('{"type": "ack"}', minute * mailbox.MESSAGES_SECONDS)
    with pytest.raises(mailbox.MailboxFault, match="too many"):
        reader.read('{"type": "ack"}', 3 * mailbox.MESSAGES_SECONDS - 1)


def test_a_mailbox_that_never_ends_is_given_up() -> None:
    reader = mailbox.MailboxReader()
    for _ in range(mailbox.MAX_OLD_MESSAGES):
        read(MESSAGE, reader)
    with pytest.raises(mailbox.MailboxFault, match="too much"):
        read(MESSAGE, reader)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
KEYS = ("type", "welcome", "your-address", "ipv4", "error", "side", "phase", "body", "server_rx")


@given(
    st.sampled_from(["welcome", "message", "pong", "error", "ack"]),
    st.dictionaries(st.sampled_from(KEYS), JSON),
)
def test_any_text_of_known_keys_is_read_or_refused(kind: str, found: dict[str, object]) -> None:
    try:
        read({**found, "type": kind})
    except mailbox.MailboxFault:
        return
