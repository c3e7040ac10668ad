"""How the dice or cards of a turn came about, in words: seals, openings, hashes, steps."""

from __future__ import annotations

from typing import assert_never

from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import _
from kotp2p.extras.recording import DrawnSlot, ExplainedDraw, NumberStep
from kotp2p.referee.model.answers import Face
from kotp2p.referee.model.decisions import ChanceKind
from kotp2p.seams import notices
from kotp2p.wire.crypto import Stream

# -- how dice or cards came about ----------------------------------------------------------
#
# One draw as lines: the seal and the opening of each player with their records, the hash of all
# parts, and the steps from the hash to a face or a card.


INDENT = "    "


def describe_method() -> list[str]:
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
            "kotp2p verify checks the seals, the hashes and the signatures, and that the records "
            "are in this order."
        ),
    ]


def describe_draw(draw: ExplainedDraw, before: notices.SeatView) -> list[str]:
    turn, record = before.game.state.turn, draw.moment.record
    lines = [_("Turn {turn}, drawn with record {record}:", turn=turn, record=record)]
    if draw.decided_in:
        decided = _("The decision before it stands in record {record}.", record=draw.decided_in)
        lines.append(decided)
    for slot in draw.slots:
        lines += _describe_slot(slot, before, draw.kind)
    return lines


def _describe_slot(slot: DrawnSlot, before: notices.SeatView, kind: ChanceKind) -> list[str]:
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


def _describe_step(
    step: NumberStep, slot: DrawnSlot, before: notices.SeatView, kind: ChanceKind
) -> str:
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


def _name_value(value: int, slot: DrawnSlot, before: notices.SeatView, kind: ChanceKind) -> str:
    match kind:
        case ChanceKind.DICE:
            return names.face(Face(value))
        case ChanceKind.CARDS | ChanceKind.LOOK:
            return names.item_name(before.game, slot.pile[value])
        case ChanceKind.SIDES:
            return _("green") if value else _("red")
        case _:
            assert_never(kind)
