"""Passes: who can make one, and how often it is good."""

import pytest

from kotp2p.net.entrance import MAX_PASSES_KEPT, NONCE_BYTES, Passes
from kotp2p.wire.crypto import OPEN_TABLE_SECRET

SECRET, OTHER = b"0123456789", b"9876543210"
GAME, REMATCH = bytes(32), bytes(31) + b"\1"


def nonce(n: int) -> bytes:
    return n.to_bytes(NONCE_BYTES, "big")


def test_a_pass_is_good_once_at_each_listener() -> None:
    shown = Passes(SECRET).make(nonce(1))
    here, there = Passes(SECRET), Passes(SECRET)
    assert [here.take(shown), here.take(shown), there.take(shown)] == [True, False, True]


@pytest.mark.parametrize(
    ("secret", "game", "is_good"),
    [
        (SECRET, GAME, True),
        (SECRET, b"", True),  # somebody who has the invitation, and not the game
        (SECRET, REMATCH, False),
        (OTHER, GAME, False),
        (OTHER, b"", False),
        (OPEN_TABLE_SECRET, GAME, False),
    ],
)
def test_a_pass_of_a_closed_table_needs_its_invitation(
    secret: bytes, game: bytes, is_good: bool
) -> None:
    assert Passes(SECRET, GAME).take(Passes(secret, game).make(nonce(1))) is is_good


@pytest.mark.parametrize(("game", "is_good"), [(GAME, True), (REMATCH, False), (b"", False)])
def test_a_pass_of_an_open_table_needs_its_game(game: bytes, is_good: bool) -> None:
    there = Passes(OPEN_TABLE_SECRET, GAME)
    assert there.take(Passes(OPEN_TABLE_SECRET, game).make(nonce(1))) is is_good


def test_nothing_is_a_pass_in_the_lobby_of_an_open_table() -> None:
    lobby = Passes()
    assert not lobby.are_worth_making
    assert not lobby.take(lobby.make(nonce(1)))


def test_another_form_of_a_pass_is_none() -> None:
    there = Passes(SECRET)
    good = there.make(nonce(0xABC))
    bad = (
        "", "kotp2p", good[:-2], good + "00", good.upper(), " " + good, "x" + good[1:],
        good[:-1] + ("0" if good[-1] != "0" else "1"),
    )  # fmt: skip
    assert [name for name in bad if there.take(name)] == []
    assert there.take(good)


def test_few_passes_are_kept() -> None:
    there = Passes(SECRET)
    for n in range(MAX_PASSES_KEPT + 10):
        assert there.take(there.make(nonce(n)))
    assert len(there._shown) == MAX_PASSES_KEPT
    assert not there.take(there.make(nonce(MAX_PASSES_KEPT)))
