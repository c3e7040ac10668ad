"""Draws are uniform, reproducible, and bound to their slot."""

from collections import Counter
from itertools import permutations

from kotp2p.wire import crypto

SEED, TABLE, GAME, HEAD = b"s" * 32, b"t" * 32, b"g" * 32, b"h" * 32


def draw(slot: int) -> bytes:
    parts = [
        crypto.contribution(bytes((seat,)) * 32, TABLE, crypto.Stream.DICE, slot)
        for seat in range(3)
    ]
    return crypto.slot_result(GAME, HEAD, crypto.Stream.DICE, slot, parts)


def test_a_contribution_is_bound_to_its_origin_stream_and_slot() -> None:
    base = crypto.contribution(SEED, TABLE, crypto.Stream.DICE, 1)
    assert base == crypto.contribution(SEED, TABLE, crypto.Stream.DICE, 1)
    others = [
        crypto.contribution(b"x" * 32, TABLE, crypto.Stream.DICE, 1),
        crypto.contribution(SEED, b"u" * 32, crypto.Stream.DICE, 1),
        crypto.contribution(SEED, TABLE, crypto.Stream.CARDS, 1),
        crypto.contribution(SEED, TABLE, crypto.Stream.DICE, 2),
    ]
    assert base not in others


def test_a_commitment_is_bound_to_its_seat() -> None:
    c = crypto.contribution(SEED, TABLE, crypto.Stream.CARDS, 4)
    assert crypto.own_commitment(
        SEED, TABLE, TABLE, crypto.Stream.CARDS, 2, 4
    ) == crypto.commitment(TABLE, crypto.Stream.CARDS, 2, 4, c)
    assert crypto.commitment(TABLE, crypto.Stream.CARDS, 2, 4, c) != crypto.commitment(
        TABLE, crypto.Stream.CARDS, 3, 4, c
    )


def test_every_contribution_and_the_head_change_the_result() -> None:
    parts = [bytes((n,)) * 32 for n in range(3)]
    base = crypto.slot_result(GAME, HEAD, crypto.Stream.DICE, 0, parts)
    for seat in range(3):
        changed = [b"!" * 32 if n == seat else part for n, part in enumerate(parts)]
        assert crypto.slot_result(GAME, HEAD, crypto.Stream.DICE, 0, changed) != base
    assert crypto.slot_result(GAME, b"i" * 32, crypto.Stream.DICE, 0, parts) != base


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
