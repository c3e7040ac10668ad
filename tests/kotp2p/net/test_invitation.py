"""Invitations: what is printed is read back, and nothing else is."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kotp2p.net.invitation import SECRET_BYTES, BadLink, Invitation, is_link
from kotp2p.wire.crypto import fingerprint, key_fingerprint

INVITED = Invitation(("192.168.1.20",), 4242, b"0123456789", key_fingerprint(b"\1" * 32))

places = st.lists(
    st.one_of(
        st.ip_addresses(v=4).map(str),
        st.ip_addresses(v=6).map(str),
        st.sampled_from(["ana.example", "my-machine", "localhost"]),
    ),
    min_size=1,
    max_size=4,
).map(tuple)


@given(
    st.builds(
        Invitation,
        places,
        st.integers(1, 65_535),
        st.binary(min_size=SECRET_BYTES, max_size=SECRET_BYTES),
        st.binary(min_size=32, max_size=32).map(key_fingerprint),
    )
)
def test_a_link_is_read_as_it_was_made(invitation: Invitation) -> None:
    assert Invitation.parse(invitation.as_link()) == invitation
    assert Invitation.parse(f"  {invitation.as_link().upper()} ").secret == invitation.secret


def test_a_usual_one_fits_a_line_and_needs_no_quotes() -> None:
    link = INVITED.as_link()
    assert len(f"kotp2p join {link}") < 80
    assert link.startswith("kotp2p://192.168.1.20/")
    assert not set(link) & set(" '\"&;|<>()$`\\*?[]#~!{}")


def test_another_address_may_be_put_in() -> None:
    link = INVITED.as_link().replace("192.168.1.20", "ana.example:5000")
    other = Invitation.parse(link)
    assert (other.places, other.port) == (("ana.example",), 5000)
    assert (other.secret, other.host) == (INVITED.secret, INVITED.host)


def test_letters_that_look_alike_are_the_same() -> None:
    head, _slash, code = INVITED.as_link().rpartition("/")
    assert Invitation.parse(f"{head}/{code.replace('1', 'l').replace('0', 'O')}") == INVITED


@pytest.mark.parametrize("place", range(2, 40))
def test_one_wrong_letter_is_noticed(place: int) -> None:
    link = INVITED.as_link()
    at = len(link) - 40 + place
    wrong = link[:at] + ("x" if link[at] != "x" else "y") + link[at + 1 :]
    with pytest.raises(BadLink):
        Invitation.parse(wrong)


CODE = INVITED.as_link().rpartition("/")[2]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "kotp2p://",
        "192.168.1.20",
        f"http://192.168.1.20/{CODE}",
        f"kotp2p:///{CODE}",
        "kotp2p://192.168.1.20/",
        f"kotp2p://192.168.1.20/{CODE[:-1]}",
        f"kotp2p://192.168.1.20/{CODE}0",
        f"kotp2p://192.168.1.20/{CODE}/",
        f"kotp2p://192.168.1.999/{CODE}",
        f"kotp2p://::1/{CODE}",
        f"kotp2p://[::1/{CODE}",
        f"kotp2p://[::ffff/{CODE}",
        f"kotp2p://ffff::]/{CODE}",
        f"kotp2p://1.2.3.4:0/{CODE}",
        f"kotp2p://1.2.3.4:65536/{CODE}",
        f"kotp2p://1.2.3.4:x/{CODE}",
        f"kotp2p://1.2.3.4,/{CODE}",
        f"kotp2p://{','.join(['1.2.3.4'] * 5)}/{CODE}",
        f"kotp2p://-x/{CODE}",
        f"kotp2p://a b/{CODE}",
        f"kotp2p://1.2.3.4/{CODE[:-1]}é",
        f"kotp2p://1.2.3.4/{CODE[:-1]}u",
        "kotp2p://1.2.3.4/0",
    ],
)
def test_what_is_no_link(text: str) -> None:
    with pytest.raises(BadLink) as fault:
        Invitation.parse(text)
    assert not fault.value.newer


def test_an_address_alone_is_told_as_half_of_an_invitation() -> None:
    with pytest.raises(BadLink, match="behind the address is missing"):
        Invitation.parse("kotp2p://192.168.1.20")


def test_one_of_a_later_version_is_known_as_such() -> None:
    with pytest.raises(BadLink) as fault:
        Invitation.parse(f"kotp2p://1.2.3.4/0{'c'}{CODE[2:]}zz")
    assert fault.value.newer


def test_a_code_of_two_letters_tells_its_version() -> None:
    for code, newer in (("0", False), ("04", False), ("08", False), ("0c", True), ("g0", True)):
        with pytest.raises(BadLink) as fault:
            Invitation.parse(f"kotp2p://1.2.3.4/{code}")
        assert fault.value.newer is newer


def test_an_invitation_to_watch_is_another_one_than_to_play() -> None:
    to_watch = replace(INVITED, to_watch=True)
    assert Invitation.parse(to_watch.as_link()) == to_watch
    assert to_watch.as_link() != INVITED.as_link()
    assert not Invitation.parse(INVITED.as_link()).to_watch


def test_what_is_meant_as_one() -> None:
    assert is_link(" KOTP2P://x")
    assert not is_link("192.168.1.20")


def test_a_fingerprint_is_four_groups() -> None:
    assert [len(group) for group in fingerprint(b"\1" * 32).split("-")] == [4, 4, 4, 4]
    assert fingerprint(b"\1" * 32) != fingerprint(b"\2" * 32)


def test_no_secret_in_what_is_logged() -> None:
    assert "0123456789" not in repr(INVITED)


@pytest.mark.parametrize(
    ("places", "kept"),
    [
        (("192.168.1.20",), 1),
        (("192.168.1.20", "10.0.0.7"), 2),
        (("192.168.1.20", "2001:db8:85a3:1234:5678:8a2e:370:7334"), 1),
        (("2001:db8:85a3:1234:5678:8a2e:370:7334", "2001:db8::1"), 1),
        (("2001:db8:85a3:1234:5678:8a2e:370:7334", "192.0.2.7", "192.168.1.20"), 2),
        (("2001:db8::1", "2001:db8::2", "192.0.2.7"), 3),
        (("a", "b", "c", "d", "e"), 4),
    ],
)
def test_a_link_holds_the_places_that_fit_into_a_row(places: tuple[str, ...], kept: int) -> None:
    made = Invitation.create(places, 4242, b"s" * SECRET_BYTES, b"h" * 10)
    assert made.places == places[:kept]
    assert Invitation.parse(made.as_link()) == made
