"""The position as a list of labelled numbers, and its digest.

Scope: every number that can influence the rest of the game, in a fixed order, independent of
classes and versioned with the rules. docs/PROTOCOL.md 5.6 states the list. Which cards are undrawn
follows from the rest, as each card of the deck is in one place.

The digest is SHA-256 over `DIGEST_TAG` and all numbers, each in LEB128: seven bits a byte, the
lowest first, and the highest bit of a byte says that another one follows.
"""

from collections.abc import Sequence
from hashlib import sha256

from kotp2p.referee.model.decisions import Chance, Over, Pending
from kotp2p.referee.model.state import Monster, State

DIGEST_TAG = b"kotp2p/position/2\0"
MAX_NUMBER = 2**32 - 1
PENDING_KINDS = (
    "over", "dice", "cards", "sides", "look", "roll", "probe", "change", "order", "hearts",
    "response", "yield", "swap", "buy", "opportunist", "deposit", "copy", "tile", "sell",
    "again",
)  # fmt: skip
KIND_NUMBERS = {kind: number for number, kind in enumerate(PENDING_KINDS)}


def position_numbers(state: State, pending: Pending) -> list[int]:
    """Return all numbers without names, as every peer computes them once a turn."""
    found = [
        state.turn, state.active, state.home, state.frozen, state.freeze, state.final_push,
        state.frenzy, state.rolls, state.extra_rolls, state.drew_blood, state.triple_ones,
        state.acquisitions, 0 if state.roar is None else state.roar + 1, len(state.undrawn),
        len(state.others_frenzy), *state.others_frenzy,
        len(state.discard), *sorted(state.discard),
        len(state.resolving), *state.resolving,
        len(state.seen_by), *state.seen_by,
        len(state.tiles), *state.tiles,
        len(state.dice), *state.dice,
        *[0 if item is None else item + 1 for item in state.market],
    ]  # fmt: skip
    for m in state.monsters:
        found += (
            m.alive, m.hearts, m.points, m.energy, m.place, m.poison, m.shrink, m.wickedness,
            m.zombie, m.sheltered, len(m.steps), len(m.holdings),
        )  # fmt: skip
        found += m.steps
        for held in m.holdings:
            found += (held.item, held.acquired, held.counters, held.copies + 1, held.used)
    if state.winners is None:
        found.append(0)
    else:
        found += (1, len(state.winners), *state.winners)
    found += _pending_numbers(pending)
    return found


def _pending_numbers(pending: Pending) -> tuple[int, int, int]:
    if isinstance(pending, Over):
        return KIND_NUMBERS["over"], 0, 0
    seat = 0 if pending.seat is None else pending.seat + 1
    draws = len(pending.draws) if isinstance(pending, Chance) else 0
    return KIND_NUMBERS[pending.kind], seat, draws


def label_numbers(state: State, pending: Pending) -> list[tuple[str, int]]:
    """Return all numbers, each with its field's name, to show where two peers differ."""
    numbers = position_numbers(state, pending)
    return [(n, int(v)) for n, v in zip(_number_names(state), numbers, strict=True)]


def _number_names(state: State) -> list[str]:
    """Return the names of the members of `position_numbers`."""
    names = [
        "turn", "active", "home", "frozen", "freeze", "final_push", "frenzy", "rolls",
        "extra_rolls", "drew_blood", "triple_ones", "acquisitions", "roar", "undrawn",
    ]  # fmt: skip
    for label in ("others_frenzy", "discard", "resolving", "seen_by", "tiles", "dice"):
        names += _list_names(label, getattr(state, label))
    names += [f"market.{slot}" for slot in range(len(state.market))]
    for monster in state.monsters:
        names += _monster_names(monster)
    names.append("over")
    if state.winners is not None:
        names += _list_names("winners", state.winners)
    return [*names, "pending.kind", "pending.seat", "pending.draws"]


def _monster_names(monster: Monster) -> list[str]:
    labels = [
        "alive", "hearts", "points", "energy", "place", "poison", "shrink", "wickedness", "zombie",
        "sheltered", "steps.length", "holdings.length",
    ]  # fmt: skip
    labels += [f"steps.{i}" for i in range(len(monster.steps))]
    for i in range(len(monster.holdings)):
        held = ("item", "acquired", "counters", "copies", "used")
        labels += [f"holdings.{i}.{label}" for label in held]
    return [f"seat {monster.seat}.{label}" for label in labels]


def _list_names(label: str, values: Sequence[int]) -> list[str]:
    return [f"{label}.length", *(f"{label}.{i}" for i in range(len(values)))]


def digest_of_position(state: State, pending: Pending) -> bytes:
    return sha256(DIGEST_TAG + _pack_numbers(position_numbers(state, pending))).digest()


def digest_of_numbers(numbers: Sequence[int]) -> bytes | None:
    """Return the digest of these numbers, or None if they fit no position."""
    if not all(0 <= number <= MAX_NUMBER for number in numbers):
        return None
    return sha256(DIGEST_TAG + _pack_numbers(numbers)).digest()


def _pack_numbers(numbers: Sequence[int]) -> bytes:
    """Return all numbers in LEB128."""
    try:
        packed = bytes(numbers)
    except ValueError:  # one of them is 256 or more
        pass
    else:
        if packed.isascii():  # all are below 128, as in most positions: each is its own byte
            return packed
    return b"".join([_pack_number(number) for number in numbers])


def _pack_number(number: int) -> bytes:
    packed = bytearray()
    while number > 127:
        packed.append(number & 127 | 128)
        number >>= 7
    packed.append(number)
    return bytes(packed)
