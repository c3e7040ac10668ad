"""The position as a list of labelled numbers, and its digest.

Scope: every number that can influence the rest of the game, in a fixed order, independent of
classes. docs/PROTOCOL.md states the same list, and it is versioned with the rules. A list is its
length and then its members. A seat or an item that may be absent is its number + 1, or 0. A truth
is 0 or 1. The order:

turn, active, home, frozen, freeze, final_push, frenzy, others_frenzy (seats), roar;
for each monster by seat: alive, hearts, points, energy, place, poison, shrink, wickedness,
steps (list), zombie, sheltered, holdings (for each: item, acquired, counters, copies, used);
market (3 items), undrawn (ascending), discard (ascending), resolving (in order), seen_by
(seats), tiles (ascending), acquisitions; dice (faces), rolls, extra_rolls, drew_blood,
triple_ones; over (0, or 1 and the winners as a list); pending: kind (index in `PENDING_KINDS`),
the seat asked or served, number of draws.

The digest is SHA-256 over `DIGEST_TAG` and all numbers, each as an unsigned big-endian u32.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from struct import pack

from referee.model.decisions import Chance, Over, Pending
from referee.model.state import Monster, State

DIGEST_TAG = b"kotp2p/position/1\0"
MAX_NUMBER = 2**32 - 1
"""Each number of a position is hashed as four bytes."""
PENDING_KINDS = (
    "over", "dice", "cards", "sides", "look", "roll", "probe", "change", "order", "hearts",
    "response", "yield", "swap", "buy", "opportunist", "deposit", "copy", "tile", "sell",
    "again",
)  # fmt: skip
KIND_NUMBERS = {kind: number for number, kind in enumerate(PENDING_KINDS)}


def position_numbers(state: State, pending: Pending) -> list[int]:
    """All numbers without their names, since every peer computes them once a turn."""
    found = [
        state.turn, state.active, state.home, state.frozen, state.freeze, state.final_push,
        state.frenzy, len(state.others_frenzy), *state.others_frenzy, _one_more_or_zero(state.roar),
    ]  # fmt: skip
    for m in state.monsters:
        found += (
            m.alive, m.hearts, m.points, m.energy, m.place, m.poison, m.shrink, m.wickedness,
            len(m.steps),
        )  # fmt: skip
        found += m.steps
        found += (m.zombie, m.sheltered, len(m.holdings))
        for held in m.holdings:
            found += (held.item, held.acquired, held.counters, held.copies + 1, held.used)
    found += [0 if item is None else item + 1 for item in state.market]
    discard = sorted(state.discard)
    for pile in (state.undrawn, discard, state.resolving, state.seen_by, state.tiles):
        found.append(len(pile))
        found += pile
    found += (state.acquisitions, len(state.dice))
    found += state.dice
    found += (state.rolls, state.extra_rolls, state.drew_blood, state.triple_ones)
    if state.winners is None:
        found.append(0)
    else:
        found += (1, len(state.winners), *state.winners)
    found += _pending_numbers(pending)
    return found


def _one_more_or_zero(seat: int | None) -> int:
    return 0 if seat is None else seat + 1


def _pending_numbers(pending: Pending) -> tuple[int, int, int]:
    if isinstance(pending, Over):
        return KIND_NUMBERS["over"], 0, 0
    draws = len(pending.draws) if isinstance(pending, Chance) else 0
    return KIND_NUMBERS[pending.kind], _one_more_or_zero(pending.seat), draws


def label_numbers(state: State, pending: Pending) -> list[tuple[str, int]]:
    """All numbers, each with the name of its field, to show where two peers differ."""
    return [
        (n, int(v))
        for n, v in zip(_number_names(state), position_numbers(state, pending), strict=True)
    ]


def _number_names(state: State) -> list[str]:
    """The names of the members of `position_numbers`, one by one."""
    names = ["turn", "active", "home", "frozen", "freeze", "final_push", "frenzy"]
    names += [*_list_names("others_frenzy", state.others_frenzy), "roar"]
    for monster in state.monsters:
        names += _monster_names(monster)
    names += [f"market.{slot}" for slot in range(len(state.market))]
    for label in ("undrawn", "discard", "resolving", "seen_by", "tiles"):
        names += _list_names(label, getattr(state, label))
    names += ["acquisitions", *_list_names("dice", state.dice)]
    names += ["rolls", "extra_rolls", "drew_blood", "triple_ones", "over"]
    if state.winners is not None:
        names += _list_names("winners", state.winners)
    return [*names, "pending.kind", "pending.seat", "pending.draws"]


def _monster_names(monster: Monster) -> list[str]:
    labels = [
        "alive", "hearts", "points", "energy", "place", "poison", "shrink", "wickedness",
        *_list_names("steps", monster.steps), "zombie", "sheltered", "holdings.length",
    ]  # fmt: skip
    for i in range(len(monster.holdings)):
        held = ("item", "acquired", "counters", "copies", "used")
        labels += [f"holdings.{i}.{label}" for label in held]
    return [f"seat {monster.seat}.{label}" for label in labels]


def _list_names(label: str, values: Sequence[int]) -> list[str]:
    return [f"{label}.length", *(f"{label}.{i}" for i in range(len(values)))]


def digest_of_position(state: State, pending: Pending) -> bytes:
    return sha256(DIGEST_TAG + _pack_numbers(position_numbers(state, pending))).digest()


def digest_of_numbers(numbers: Sequence[int]) -> bytes | None:
    """The digest of the position that these numbers tell; None if they fit no position."""
    if not all(0 <= number <= MAX_NUMBER for number in numbers):
        return None
    return sha256(DIGEST_TAG + _pack_numbers(numbers)).digest()


def _pack_numbers(numbers: Sequence[int]) -> bytes:
    try:
        last_bytes = bytes(numbers)
    except ValueError:  # one of them is 256 or more, as in no usual game
        return pack(f">{len(numbers)}I", *numbers)
    packed = bytearray(4 * len(numbers))
    packed[3::4] = last_bytes
    return bytes(packed)
