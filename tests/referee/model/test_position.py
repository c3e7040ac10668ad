"""The names of the position fit its numbers, although code lists them separately, and its bytes."""

from hashlib import sha256
from random import Random
from typing import get_args

import pytest

from kotp2p.referee.game import Game
from kotp2p.referee.model.decisions import Chance, ChanceKind, Decision, Over
from kotp2p.referee.model.position import DIGEST_TAG, PENDING_KINDS, digest_of_numbers
from tests.support.random_games import MOST_INPUTS, next_input, rich_game

SCALARS = (
    "turn", "active", "home", "frozen", "freeze", "final_push", "frenzy", "acquisitions",
    "rolls", "extra_rolls", "drew_blood", "triple_ones",
)  # fmt: skip
LISTS = ("others_frenzy", "resolving", "seen_by", "tiles", "dice")
OF_MONSTER = (
    "alive", "hearts", "points", "energy", "place", "poison", "shrink", "wickedness", "zombie",
    "sheltered",
)  # fmt: skip
OF_HOLDING = ("item", "acquired", "counters", "used")


def check(game: Game) -> None:
    state, pending = game.state, game.pending
    position = dict(game.position())
    assert len(position) == len(game.position()), "no name stands twice"
    for label in SCALARS:
        assert position[label] == getattr(state, label), label
    for label in LISTS:
        values = [position[f"{label}.{i}"] for i in range(position[f"{label}.length"])]
        assert values == list(getattr(state, label)), label
    assert position["undrawn"] == len(state.undrawn)
    discard = [position[f"discard.{i}"] for i in range(position["discard.length"])]
    assert discard == sorted(state.discard)
    assert position["roar"] == (0 if state.roar is None else state.roar + 1)
    assert position["over"] == (state.winners is not None)
    for slot, item in enumerate(state.market):
        assert position[f"market.{slot}"] == (0 if item is None else item + 1)
    for monster in state.monsters:
        name = f"seat {monster.seat}"
        for label in OF_MONSTER:
            assert position[f"{name}.{label}"] == getattr(monster, label), label
        steps = [position[f"{name}.steps.{i}"] for i in range(position[f"{name}.steps.length"])]
        assert tuple(steps) == monster.steps
        assert position[f"{name}.holdings.length"] == len(monster.holdings)
        for i, held in enumerate(monster.holdings):
            for label in OF_HOLDING:
                assert position[f"{name}.holdings.{i}.{label}"] == getattr(held, label), label
            assert position[f"{name}.holdings.{i}.copies"] == held.copies + 1
    if isinstance(pending, Over):
        assert position["pending.kind"] == 0
    else:
        draws = len(pending.draws) if isinstance(pending, Chance) else 0
        kind = pending.kind.value if isinstance(pending, Chance) else pending.kind
        assert position["pending.draws"] == draws
        assert PENDING_KINDS[position["pending.kind"]] == kind
        assert position["pending.seat"] == (0 if pending.seat is None else pending.seat + 1)


def test_every_kind_of_node_has_its_number() -> None:
    kinds = {decision.kind for decision in get_args(Decision)} | {kind.value for kind in ChanceKind}
    assert sorted(PENDING_KINDS) == sorted(kinds | {"over"})


@pytest.mark.parametrize("rules", ["classic", "second", "dark"])
def test_each_name_stands_at_its_number(rules: str) -> None:
    for seed in range(4):
        random = Random(f"{rules} {seed}")
        game = rich_game(rules, 3 + seed % 4, random)
        for _ in range(MOST_INPUTS):
            check(game)
            if isinstance(game.pending, Over):
                break
            game.submit(next_input(game, random, 0.01))


@pytest.mark.parametrize(
    ("number", "its_bytes"),
    [
        (127, b"\x7f"), (128, b"\x80\x01"), (255, b"\xff\x01"), (256, b"\x80\x02"),
        (2**14 - 1, b"\xff\x7f"), (2**14, b"\x80\x80\x01"), (2**32 - 1, b"\xff\xff\xff\xff\x0f"),
    ],
)  # fmt: skip
def test_a_long_number_of_a_position_takes_seven_bits_a_byte(number: int, its_bytes: bytes) -> None:
    digest = digest_of_numbers((1, number, 2))
    assert digest == sha256(DIGEST_TAG + b"\x01" + its_bytes + b"\x02").digest()


@pytest.mark.parametrize("number", [-1, 2**32])
def test_no_position_has_such_a_number(number: int) -> None:
    assert digest_of_numbers((1, number)) is None
