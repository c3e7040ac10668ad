"""Tags separate, keys that prove nothing are refused, shares open for their taker alone."""

from collections import Counter
from itertools import permutations

import pytest

from kotp2p.wire import crypto
from kotp2p.wire.encoding import BadBytes
from tests.support.two_verifiers import vectors


def test_a_signature_has_one_form() -> None:
    found = vectors("keys")
    key, right = found["key"], found["signature of 'body' as kotp2p/play/1"]
    taken = [
        crypto.is_valid_signature(
            bytes.fromhex(key), crypto.Tag.PLAY, b"body", bytes.fromhex(signature)
        )
        for signature in (right, *found["refused signatures"].values())
    ]
    assert taken == [True] + [False] * len(found["refused signatures"])


@pytest.mark.parametrize("key", vectors("keys")["refused keys"].values())
def test_a_key_that_proves_nothing_is_refused(key: str) -> None:
    with pytest.raises(BadBytes):
        crypto.check_key(bytes.fromhex(key))


def test_a_secret_does_not_show_in_a_repr() -> None:
    secret = bytes(range(32))
    assert secret.hex() not in repr(crypto.Signer(secret))
    assert repr(secret) not in repr(crypto.Signer(secret))


def test_a_share_opens_for_its_taker_and_its_place_alone() -> None:
    giver, taker, other = b"g" * 32, b"t" * 32, b"o" * 32
    sealed = crypto.seal(giver, crypto.exchange_public_key(taker), b"c" * 32, b"slot 7")
    assert len(sealed) == 48
    assert crypto.unseal(taker, crypto.exchange_public_key(giver), sealed, b"slot 7") == b"c" * 32
    with pytest.raises(BadBytes):
        crypto.unseal(other, crypto.exchange_public_key(giver), sealed, b"slot 7")
    with pytest.raises(BadBytes):
        crypto.unseal(taker, crypto.exchange_public_key(giver), sealed, b"slot 8")
    with pytest.raises(BadBytes):
        crypto.unseal(taker, bytes(32), sealed, b"slot 7")


# -- commitments --------------------------------------------------------------------------


SEED, TABLE, GAME, HEAD = b"s" * 32, b"t" * 32, b"g" * 32, b"h" * 32


def draw(slot: int) -> bytes:
    seeds = [bytes((seat,)) * 32 for seat in range(3)]
    parts = [crypto.contribution(seed, TABLE, crypto.Stream.DICE, slot) for seed in seeds]
    return crypto.slot_result(GAME, HEAD, crypto.Stream.DICE, slot, parts)


def test_dice_are_even() -> None:
    rolled = Counter(v for slot in range(10_000) for v in crypto.draw_values(draw(slot), (6,) * 6))
    expected = 60_000 / 6
    chi_square = sum((n - expected) ** 2 / expected for n in rolled.values())
    assert set(rolled) == set(range(6))
    assert chi_square < 20.5  # 5 degrees of freedom, one in a thousand; the seed is fixed


def test_cards_drawn_one_by_one_are_an_even_shuffle() -> None:
    orders: Counter[tuple[int, ...]] = Counter()
    for game in range(4_800):
        taken: list[int] = []
        for slot in range(4):
            taken.append(crypto.draw_untaken(draw(game * 4 + slot), 4, taken))
        orders[tuple(taken)] += 1
    assert set(orders) == set(permutations(range(4)))
    chi_square = sum((n - 200) ** 2 / 200 for n in orders.values())
    assert chi_square < 49.7  # 23 degrees of freedom, one in a thousand; the seed is fixed


def test_a_taken_card_is_skipped_and_the_others_keep_their_slot() -> None:
    free = crypto.draw_untaken(draw(9), 66, ())
    assert crypto.draw_untaken(draw(9), 66, {(free + 1) % 66}) == free
    assert crypto.draw_untaken(draw(9), 66, {free}) != free
