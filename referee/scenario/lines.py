"""The lines of a script: a roll, a card drawn, or the answer of a seat.

An answer keeps the words of the file; what it means at a decision is `translate`'s matter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias, TypedDict

from referee.model.answers import Face
from referee.scenario.fields import Fault, Fields
from referee.scenario.words import KEYS, TILE_KEYS, faces


@dataclass(frozen=True, slots=True)
class DiceLine:
    faces: tuple[Face, ...]
    text: str


@dataclass(frozen=True, slots=True)
class DrawLine:
    card: str
    text: str


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """`by` answers with the word `do`; the rest as the word needs it, cards by key."""

    by: int
    do: str
    refused: bool
    text: str
    card: str = ""
    cards: tuple[str, ...] = ()
    owner: int | None = None
    """`from` of a purchase and `of` of a copy, where they name a seat."""
    from_deck: bool = False
    via: str = ""
    die: int | None = None
    face: Face | None = None
    dice: tuple[int, ...] = ()
    groups: tuple[Face, ...] = ()
    heal: int = 0
    poison: int = 0
    shrink: int = 0
    give: tuple[tuple[int, int], ...] = ()
    energy: int = 0
    tile: str = ""


Line: TypeAlias = DiceLine | DrawLine | AnswerLine


class Names(Protocol):
    """What reading a line needs of its scenario."""

    def card(self, name: object, place: str) -> str: ...
    def cards(self, fields: Fields, key: str) -> tuple[str, ...]: ...
    def tile(self, name: object, place: str) -> str: ...
    def seat(self, name: object, place: str) -> int: ...


class _Rest(TypedDict, total=False):
    """What an answer holds besides its seat and word."""

    card: str
    cards: tuple[str, ...]
    owner: int
    from_deck: bool
    via: str
    die: int
    face: Face
    dice: tuple[int, ...]
    groups: tuple[Face, ...]
    heal: int
    poison: int
    shrink: int
    give: tuple[tuple[int, int], ...]
    energy: int
    tile: str


def _nothing(fields: Fields, names: Names) -> _Rest:
    return {}


def _reroll(fields: Fields, names: Names) -> _Rest:
    if not fields.has("dice"):
        raise Fault(fields.place, "'dice' is missing: the positions to reroll")
    return {"dice": tuple(sorted(fields.numbers("dice")))}


def _use(fields: Fields, names: Names) -> _Rest:
    rest: _Rest = {"card": names.card(fields.take("card"), fields.at("card"))}
    if fields.has("die"):
        rest["die"] = fields.number("die")
    if fields.has("face"):
        shown = faces(fields.text("face"), fields.at("face"))
        if len(shown) != 1:
            raise Fault(fields.at("face"), "one face is needed")
        rest["face"] = shown[0]
    if fields.has("via"):
        via = fields.text("via")
        rest["via"] = KEYS.get(via) or TILE_KEYS.get(via, via)
    return rest


def _order(fields: Fields, names: Names) -> _Rest:
    if not fields.has("groups"):
        raise Fault(fields.place, "'groups' is missing: the faces in the order wanted")
    return {"groups": faces("".join(fields.texts("groups")), fields.at("groups"))}


def _hearts(fields: Fields, names: Names) -> _Rest:
    give = fields.table("give")
    given = sorted((names.seat(who, give.place), give.number(who)) for who in give.left())
    return {
        "heal": fields.number("heal", 0),
        "poison": fields.number("poison", 0),
        "shrink": fields.number("shrink", 0),
        "give": tuple((seat, hearts) for seat, hearts in given if hearts),
    }


def _swap(fields: Fields, names: Names) -> _Rest:
    return {"card": names.card(fields.take("card"), fields.at("card"))}


def _buy(fields: Fields, names: Names) -> _Rest:
    rest: _Rest = {"card": names.card(fields.take("card"), fields.at("card"))}
    if fields.has("from"):
        source = fields.take("from")
        if source == "deck":
            rest["from_deck"] = True
        else:
            rest["owner"] = names.seat(source, fields.at("from"))
    return rest


def _deposit(fields: Fields, names: Names) -> _Rest:
    return {"energy": fields.number("energy")}


def _copy(fields: Fields, names: Names) -> _Rest:
    rest: _Rest = {"card": names.card(fields.take("card"), fields.at("card"))}
    if fields.has("of"):
        rest["owner"] = names.seat(fields.take("of"), fields.at("of"))
    return rest


def _take(fields: Fields, names: Names) -> _Rest:
    return {"tile": names.tile(fields.take("tile"), fields.at("tile"))}


def _sell(fields: Fields, names: Names) -> _Rest:
    if not fields.has("cards"):
        raise Fault(fields.place, "'cards' is missing: the cards to sell")
    return {"cards": names.cards(fields, "cards")}


_WORDS: Mapping[str, Callable[[Fields, Names], _Rest]] = {
    "reroll": _reroll,
    "use": _use,
    "stop": _nothing,
    "pass": _nothing,
    "done": _nothing,
    "order": _order,
    "hearts": _hearts,
    "yield": _nothing,
    "stay": _nothing,
    "swap": _swap,
    "buy": _buy,
    "peek": _nothing,
    "sweep": _nothing,
    "deposit": _deposit,
    "copy": _copy,
    "keep": _nothing,
    "take": _take,
    "sell": _sell,
    "again": _nothing,
}
"""What each word of an answer takes with it."""


def read_lines(given: list[object], place: str, names: Names) -> tuple[Line, ...]:
    return tuple(_line(one, f"{place}[{i}]", names) for i, one in enumerate(given))


def _line(given: object, place: str, names: Names) -> Line:
    fields = Fields(given, place)
    text = f"line {place.rpartition('[')[2][:-1]}"
    line: Line
    if fields.has("dice") and not fields.has("do"):
        shown = fields.text("dice")
        line = DiceLine(faces(shown, fields.at("dice")), f"{text}, dice {shown}")
    elif fields.has("draw"):
        name = fields.text("draw")
        line = DrawLine(names.card(name, fields.at("draw")), f"{text}, draw {name}")
    else:
        line = _answer(fields, text, names)
    fields.finish()
    return line


def _answer(fields: Fields, text: str, names: Names) -> AnswerLine:
    who = fields.take("by")
    by = names.seat(who, fields.at("by"))
    word = fields.text("do")
    if word not in _WORDS:
        raise Fault(fields.at("do"), f"'{word}' is no answer")
    refused = fields.flag("refused", False)
    rest = _WORDS[word](fields, names)
    return AnswerLine(by, word, refused, f"{text}, {who} {word}", **rest)
