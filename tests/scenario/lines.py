"""The lines of a script: a roll, a card drawn, or the answer of a seat."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias, TypedDict

from kotp2p.referee.model.answers import Face
from tests.scenario.fields import Fault, Fields
from tests.scenario.words import CARD_KEYS, TILE_KEYS, read_faces


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
    """`by` answers with the word `do`. The other fields depend on the word; cards by key."""

    by: int
    do: str
    refused: bool
    text: str
    card: str = ""
    cards: tuple[str, ...] = ()
    owner: int | None = None
    """The seat in `from` of a purchase or `of` of a copy."""
    from_deck: bool = False
    second: bool = False
    """The second of two equal cards is meant."""
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
    """The part of the scenario reader that a line needs."""

    def note_card(self, name: object, place: str) -> str: ...
    def note_cards(self, fields: Fields, key: str) -> tuple[str, ...]: ...
    def note_tile(self, name: object, place: str) -> str: ...
    def find_seat(self, name: object, place: str) -> int: ...


class _Rest(TypedDict, total=False):
    """The fields of an answer besides its seat and word."""

    card: str
    cards: tuple[str, ...]
    owner: int
    from_deck: bool
    second: bool
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


def _read_nothing(fields: Fields, names: Names) -> _Rest:
    return {}


def _read_reroll(fields: Fields, names: Names) -> _Rest:
    if not fields.has("dice"):
        raise Fault(fields.place, "'dice' is missing: the positions to reroll")
    return {"dice": tuple(sorted(fields.list_of_numbers("dice")))}


def _read_use(fields: Fields, names: Names) -> _Rest:
    rest: _Rest = {"card": names.note_card(fields.take("card"), fields.place_of("card"))}
    if fields.has("die"):
        rest["die"] = fields.number("die")
    if fields.has("face"):
        shown = read_faces(fields.text("face"), fields.place_of("face"))
        if len(shown) != 1:
            raise Fault(fields.place_of("face"), "one face is needed")
        rest["face"] = shown[0]
    if fields.has("via"):
        via = fields.text("via")
        if via not in CARD_KEYS and via not in TILE_KEYS:
            raise Fault(fields.place_of("via"), f"there is no card or tile named '{via}'")
        rest["via"] = CARD_KEYS.get(via) or TILE_KEYS[via]
    return rest


def _read_order(fields: Fields, names: Names) -> _Rest:
    if not fields.has("groups"):
        raise Fault(fields.place, "'groups' is missing: the faces in the order wanted")
    return {
        "groups": read_faces("".join(fields.list_of_texts("groups")), fields.place_of("groups"))
    }


def _read_hearts(fields: Fields, names: Names) -> _Rest:
    give = fields.table("give")
    given = sorted((names.find_seat(who, give.place), give.number(who)) for who in give.keys_left())
    return {
        "heal": fields.number("heal", 0),
        "poison": fields.number("poison", 0),
        "shrink": fields.number("shrink", 0),
        "give": tuple((seat, hearts) for seat, hearts in given if hearts),
    }


def _read_one_of_two(fields: Fields, names: Names) -> _Rest:
    """A card, and whether the second of two equal ones is meant."""
    return {
        "card": names.note_card(fields.take("card"), fields.place_of("card")),
        "second": fields.flag("second", False),
    }


def _read_buy(fields: Fields, names: Names) -> _Rest:
    source = fields.take("from") if fields.has("from") else None
    if source == "deck":
        card = names.note_card(fields.take("card"), fields.place_of("card"))
        return {"card": card, "from_deck": True}
    rest = _read_one_of_two(fields, names)
    if source is not None:
        rest["owner"] = names.find_seat(source, fields.place_of("from"))
    return rest


def _read_copy(fields: Fields, names: Names) -> _Rest:
    rest = _read_one_of_two(fields, names)
    if fields.has("of"):
        rest["owner"] = names.find_seat(fields.take("of"), fields.place_of("of"))
    return rest


def _read_sell(fields: Fields, names: Names) -> _Rest:
    if not fields.has("cards"):
        raise Fault(fields.place, "'cards' is missing: the cards to sell")
    return {"cards": names.note_cards(fields, "cards"), "second": fields.flag("second", False)}


_READERS: Mapping[str, Callable[[Fields, Names], _Rest]] = {
    "reroll": _read_reroll,
    "use": _read_use,
    "stop": _read_nothing,
    "pass": _read_nothing,
    "done": _read_nothing,
    "order": _read_order,
    "hearts": _read_hearts,
    "yield": _read_nothing,
    "stay": _read_nothing,
    "swap": _read_one_of_two,
    "buy": _read_buy,
    "peek": _read_nothing,
    "sweep": _read_nothing,
    "deposit": lambda fields, names: {"energy": fields.number("energy")},
    "copy": _read_copy,
    "keep": _read_nothing,
    "take": lambda fields, names: {
        "tile": names.note_tile(fields.take("tile"), fields.place_of("tile"))
    },
    "sell": _read_sell,
    "again": _read_nothing,
}
"""For each word of an answer, the reader of its further keys."""


def read_lines(given: list[object], place: str, names: Names) -> tuple[Line, ...]:
    return tuple(_read_line(one, f"{place}[{i}]", names) for i, one in enumerate(given))


def _read_line(given: object, place: str, names: Names) -> Line:
    fields = Fields(given, place)
    text = f"line {place.rpartition('[')[2][:-1]}"
    line: Line
    if fields.has("dice") and not fields.has("do"):
        shown = fields.text("dice")
        line = DiceLine(read_faces(shown, fields.place_of("dice")), f"{text}, dice {shown}")
    elif fields.has("draw"):
        name = fields.text("draw")
        line = DrawLine(names.note_card(name, fields.place_of("draw")), f"{text}, draw {name}")
    else:
        line = _read_answer(fields, text, names)
    fields.refuse_unread_keys()
    return line


def _read_answer(fields: Fields, text: str, names: Names) -> AnswerLine:
    who = fields.take("by")
    by = names.find_seat(who, fields.place_of("by"))
    word = fields.text("do")
    if word not in _READERS:
        raise Fault(fields.place_of("do"), f"'{word}' is no answer")
    refused = fields.flag("refused", False)
    rest = _READERS[word](fields, names)
    return AnswerLine(by, word, refused, f"{text}, {who} {word}", **rest)
