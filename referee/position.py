"""The position as a list of labelled numbers, and its digest.

Law: every number that can influence the rest of the game, in a fixed order, independent of
classes; docs/PROTOCOL.md states the same list, and it is versioned with the rules. A list is
its length and then its members. A seat that may be nobody is seat + 1, or 0; an item that
may be nothing is item + 1, or 0; a truth is 0 or 1. The order:

turn, active, home, frozen, freeze, final_push, frenzy, others_frenzy (seats), roar;
for each monster by seat: alive, hearts, points, energy, place, poison, shrink, wickedness,
steps (list), zombie, sheltered, holdings (for each: item, acquired, counters, copies, used);
market (3 items), undrawn (ascending), discard (ascending), resolving (in order), seen_by
(seats), tiles (ascending), acquisitions; dice (faces), rolls, extra_rolls, drew_blood,
triple_ones; over (0, or 1 and the winners as a list); pending: kind (its place in `KINDS`),
the seat asked or served, number of draws.

The digest is SHA-256 over `TAG` and all numbers, each as an unsigned big-endian u32.
"""

from __future__ import annotations

from hashlib import sha256
from struct import pack

from referee.decisions import Chance, Over, Pending
from referee.state import Monster, State

TAG = b"kotp2p/position/1\0"
KINDS = (
    "over", "dice", "cards", "sides", "look", "roll", "probe", "change", "order", "hearts",
    "response", "yield", "swap", "buy", "opportunist", "deposit", "copy", "tile", "sell",
    "again",
)  # fmt: skip


class _Numbers(list[tuple[str, int]]):
    def one(self, label: str, value: int | None) -> None:
        self.append((label, int(value or 0)))

    def many(self, label: str, values: list[int]) -> None:
        self.append((f"{label}.length", len(values)))
        self += [(f"{label}.{i}", value) for i, value in enumerate(values)]


def _seat(seat: int | None) -> int:
    return 0 if seat is None else seat + 1


def labelled(state: State, pending: Pending) -> list[tuple[str, int]]:
    """All numbers, each with the name of its field."""
    numbers = _Numbers()
    for label in ("turn", "active", "home", "frozen", "freeze", "final_push", "frenzy"):
        numbers.one(label, getattr(state, label))
    numbers.many("others_frenzy", state.others_frenzy)
    numbers.one("roar", _seat(state.roar))
    for monster in state.monsters:
        _monster(numbers, monster)
    for slot, item in enumerate(state.market):
        numbers.one(f"market.{slot}", _seat(item))
    numbers.many("undrawn", state.undrawn)
    numbers.many("discard", sorted(state.discard))
    numbers.many("resolving", state.resolving)
    numbers.many("seen_by", list(state.seen_by))
    numbers.many("tiles", state.tiles)
    numbers.one("acquisitions", state.acquisitions)
    numbers.many("dice", [int(face) for face in state.dice])
    for label in ("rolls", "extra_rolls", "drew_blood", "triple_ones"):
        numbers.one(label, getattr(state, label))
    numbers.one("over", state.winners is not None)
    if state.winners is not None:
        numbers.many("winners", list(state.winners))
    _pending(numbers, pending)
    return numbers


def _monster(numbers: _Numbers, monster: Monster) -> None:
    name = f"seat {monster.seat}"
    for label in (
        "alive", "hearts", "points", "energy", "place", "poison", "shrink", "wickedness",
    ):  # fmt: skip
        numbers.one(f"{name}.{label}", getattr(monster, label))
    numbers.many(f"{name}.steps", list(monster.steps))
    numbers.one(f"{name}.zombie", monster.zombie)
    numbers.one(f"{name}.sheltered", monster.sheltered)
    numbers.one(f"{name}.holdings.length", len(monster.holdings))
    for i, held in enumerate(monster.holdings):
        for label, value in (
            ("item", held.item), ("acquired", held.acquired), ("counters", held.counters),
            ("copies", held.copies + 1), ("used", held.used),
        ):  # fmt: skip
            numbers.one(f"{name}.holdings.{i}.{label}", value)


def _pending(numbers: _Numbers, pending: Pending) -> None:
    if isinstance(pending, Over):
        kind, seat, draws = "over", None, 0
    elif isinstance(pending, Chance):
        kind, seat, draws = pending.kind.value, pending.seat, len(pending.draws)
    else:
        kind, seat, draws = pending.kind, pending.seat, 0
    numbers.one("pending.kind", KINDS.index(kind))
    numbers.one("pending.seat", _seat(seat))
    numbers.one("pending.draws", draws)


def digest(state: State, pending: Pending) -> bytes:
    numbers = [value for _, value in labelled(state, pending)]
    return sha256(TAG + pack(f">{len(numbers)}I", *numbers)).digest()
