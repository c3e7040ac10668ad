"""How dice or cards came about, in words and as lines that anybody can run.

Scope: one draw as lines: the seal and the opening of each player with their records, the hash of
all parts, and the steps from the hash to a face or a card. Behind it a program of a few lines for a
bare Python, which needs nothing of kotp2p.
Not here: working it out (`kotp2p.game.draws`).
"""

from __future__ import annotations

from typing import assert_never

from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import _, plural
from kotp2p.game.draws import DrawnSlot, ExplainedDraw, NumberStep
from kotp2p.referee.model.answers import Face
from kotp2p.referee.model.decisions import ChanceKind
from kotp2p.seams.seat_view import SeatView
from kotp2p.wire.crypto import Stream, Tag

INDENT = "    "


def describe_method() -> list[str]:
    """What holds for every draw."""
    return [
        _(
            "Each player had sealed a secret number for each draw: they had signed its hash. "
            "Behind the decision that made the draw necessary, all of them opened their numbers."
        ),
        _(
            "The hash of all opened numbers, and of the head of the log before the draw, is the "
            "result. So nobody could choose it, as long as one player was honest."
        ),
        _(
            "kotp2p verify checks the signatures, the heads, and that the records are in this "
            "order. The lines below check the seals, the hash and the faces, with any Python 3."
        ),
    ]


def describe_draw(draw: ExplainedDraw, before: SeatView) -> list[str]:
    """`before` stands where the draw was owed."""
    lines = [_describe_head(draw, before.game.state.turn)]
    if draw.decided_in:
        decided = _("The decision before it stands in record {record}.", record=draw.decided_in)
        lines.append(decided)
    for slot in draw.slots:
        lines += _describe_slot(slot, before, draw.kind)
    return lines


def _describe_head(draw: ExplainedDraw, turn: int) -> str:
    count = sum(len(slot.values) for slot in draw.slots)
    fields = {"turn": turn, "record": draw.moment.record}
    match draw.kind:
        case ChanceKind.DICE:
            return plural(
                "Turn {turn}: {n} die, drawn with record {record}.",
                "Turn {turn}: {n} dice, drawn with record {record}.",
                count,
                **fields,
            )
        case ChanceKind.CARDS | ChanceKind.LOOK:
            return plural(
                "Turn {turn}: {n} card, drawn with record {record}.",
                "Turn {turn}: {n} cards, drawn with record {record}.",
                count,
                **fields,
            )
        case ChanceKind.SIDES:
            return plural(
                "Turn {turn}: the side of {n} tile, drawn with record {record}.",
                "Turn {turn}: the sides of {n} tiles, drawn with record {record}.",
                count,
                **fields,
            )
        case _:
            assert_never(draw.kind)


def _describe_slot(slot: DrawnSlot, before: SeatView, kind: ChanceKind) -> list[str]:
    lines = [_name_slot(slot)]
    for part in slot.parts:
        who = names.player_name(before, part.seat)
        where = (
            _("{name} sealed in the signed start of the game:", name=who)
            if part.sealed_in == 0
            else _("{name} sealed in record {record}:", name=who, record=part.sealed_in)
        )
        lines += [
            where,
            INDENT + part.seal.hex(),
            _("{name} opened in record {record}:", name=who, record=part.opened_in),
            INDENT + part.opened.hex(),
        ]
    lines += [
        _("The head of the log before the draw:"),
        INDENT + slot.head.hex(),
        _("The hash of the head and of all opened numbers, in the order of seats:"),
        INDENT + slot.result.hex(),
    ]
    return lines + [_describe_step(step, slot, before, kind) for step in slot.steps]


def _name_slot(slot: DrawnSlot) -> str:
    if slot.stream is Stream.DICE:
        return _("Number {slot} of the dice:", slot=slot.slot)
    return _("Number {slot} of the cards:", slot=slot.slot)


def _describe_step(step: NumberStep, slot: DrawnSlot, before: SeatView, kind: ChanceKind) -> str:
    fields: dict[str, object] = {"number": step.number, "size": step.size}
    if step.is_taken:
        return _("{number} modulo {size} is a card that is gone already: the next one.", **fields)
    if step.value is None:
        return _("{number} is too high to be fair modulo {size}: the next one.", **fields)
    return _(
        "{number} modulo {size} is {value}: {what}.",
        value=step.value,
        what=_name_value(step.value, slot, before, kind),
        **fields,
    )


def _name_value(value: int, slot: DrawnSlot, before: SeatView, kind: ChanceKind) -> str:
    match kind:
        case ChanceKind.DICE:
            return names.face(Face(value))
        case ChanceKind.CARDS | ChanceKind.LOOK:
            return names.item_name(before.game, slot.pile[value])
        case ChanceKind.SIDES:
            return _("green") if value else _("red")
        case _:
            assert_never(kind)


# -- the lines that anybody can run ------------------------------------------------------------


def list_program(draw: ExplainedDraw, game: bytes, table: bytes) -> list[str]:
    """A program for a bare Python: it prints for each seal whether it fits, the results, and the
    values. No line is longer than 80 columns."""
    lines = [
        "from hashlib import sha256",
        "def h(tag, *fields):",
        "  data = [f if isinstance(f, bytes) else f.to_bytes(8, 'big')",
        "          for f in (tag.encode(), *fields)]",
        "  return sha256(b''.join(len(d).to_bytes(4, 'big') + d for d in data)).digest()",
        "x = bytes.fromhex",
        _hex_line("game", game),
        _hex_line("table", table),
    ]
    for slot in draw.slots:
        lines += _list_slot(slot, draw.kind)
    return lines


def _hex_line(name: str, data: bytes) -> str:
    return f"{name} = x('{data.hex()}')"


def _list_slot(slot: DrawnSlot, kind: ChanceKind) -> list[str]:
    stream, size, count = int(slot.stream), slot.steps[0].size, len(slot.values)
    lines = ["parts = []"]
    for part in slot.parts:
        place = f"{stream}, {part.seat}, {slot.slot}"
        lines += [
            _hex_line("seal", part.seal),
            _hex_line("part", part.opened),
            f"print(h('{Tag.COMMITMENT}', table, {place}, part) == seal)",
            "parts.append(part)",
        ]
    lines += [
        _hex_line("head", slot.head),
        f"r = h('{Tag.RESULT}', game, head, {stream}, {slot.slot}, *parts)",
        "print(r.hex())",
        f"blocks = [h('{Tag.STREAM}', r, b) for b in range(99)]",
        "ns = [int.from_bytes(k[i:i+8], 'big') for k in blocks for i in (0, 8, 16, 24)]",
        f"vs = [n % {size} for n in ns if n < 2**64 - 2**64 % {size}]",
    ]
    if kind is ChanceKind.DICE:
        faces = "['1', '2', '3', 'heart', 'energy', 'claw']"
        return [*lines, f"print(*[{faces}[v] for v in vs[:{count}]])"]
    return [*lines, f"print(*[v for v in vs if v not in {sorted(slot.gone)}][:{count}])"]
