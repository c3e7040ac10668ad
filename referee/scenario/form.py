"""What a scenario says, as values, and how it is read from parsed TOML.

Everything that can be wrong without knowing a rule set is refused here: unknown keys, words,
names, faces. What depends on the rule set (a card that is not in its deck) is `setting`'s.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from referee.model.state import Place
from referee.scenario.fields import Fault, Fields, shown
from referee.scenario.lines import Line, read_lines
from referee.scenario.words import (
    KINDS,
    PLACES,
    RULES,
    SIDES,
    TILE_KEYS,
    card_key,
    faces,
    one_of,
    tile_key,
)


@dataclass(frozen=True, slots=True)
class Owned:
    """A card or tile in front of a monster: its key and, where the scenario says so, what is on
    it."""

    key: str
    counters: int | None = None
    copies: str | None = None
    of: int | None = None


@dataclass(frozen=True, slots=True)
class Seated:
    name: str
    at: Place
    hearts: int
    points: int
    energy: int
    poison: int
    shrink: int
    wickedness: int
    cards: tuple[Owned, ...]
    tiles: tuple[Owned, ...]


Expected = Mapping[str, object]
"""What one seat, or the table, must show at the end: as `_of_seat` and `_of_table` read it."""


@dataclass(frozen=True, slots=True)
class Scenario:
    id: str
    title: str
    rules: tuple[str, ...]
    two_player: bool
    bay_for_beginners: bool
    tile_sides: str
    active: int
    market: tuple[str, ...] | None
    deck: tuple[str, ...]
    discard: tuple[str, ...]
    deck_size: int | None
    seats: tuple[Seated, ...]
    script: tuple[Line, ...]
    to_script_end: bool
    """`until = "script"`: stop at the first question or roll after the last line."""
    expect: Mapping[str, Expected]
    expect_in: Mapping[str, Mapping[str, Expected]]
    named: frozenset[str]
    """Keys of all cards that it names anywhere."""
    named_tiles: frozenset[str]
    """Keys of all faces of tiles that it names anywhere: they lie up."""

    def expected_in(self, rules: str) -> dict[str, Expected]:
        """`expect` with what `expect_in` lays over it, key by key within each seat."""
        merged: dict[str, Expected] = dict(self.expect)
        for whom, values in self.expect_in.get(rules, {}).items():
            merged[whom] = {**merged.get(whom, {}), **values}
        return merged


class _Reader:
    """Reads one scenario; it knows the seats' names, and notes each card that is named."""

    def __init__(self, data: object, place: str) -> None:
        self.top = Fields(data, place)
        self.named: set[str] = set()
        self.named_tiles: set[str] = set()
        self.seats: dict[str, int] = {}

    def card(self, name: object, place: str) -> str:
        key = card_key(name, place)
        self.named.add(key)
        return key

    def tile(self, name: object, place: str) -> str:
        key = tile_key(name, place)
        self.named_tiles.add(key)
        return key

    def seat(self, name: object, place: str) -> int:
        if not isinstance(name, str) or name not in self.seats:
            raise Fault(place, f"no seat is named {shown(name)}")
        return self.seats[name]

    def cards(self, fields: Fields, key: str) -> tuple[str, ...]:
        return tuple(
            self.card(name, f"{fields.at(key)}[{i}]") for i, name in enumerate(fields.items(key))
        )

    def read(self) -> Scenario:
        top = self.top
        name = top.text("id")
        top.place = f"{top.place} ({name})"
        seats = self._seats(top.items("seats"))
        options = top.table("options")
        two_player = options.flag("two_player_option", False)
        beginners = options.flag("bay_for_beginners", False)
        sides = one_of(options.text("tile_sides", "red"), SIDES, options.at("tile_sides"))
        options.finish()
        active = self.seat(top.take("active"), top.at("active")) if top.has("active") else 0
        scenario = Scenario(
            id=name,
            title=top.text("title", ""),
            rules=self._rules(),
            two_player=two_player,
            bay_for_beginners=beginners,
            tile_sides=sides,
            active=active,
            market=self.cards(top, "market") if top.has("market") else None,
            deck=self.cards(top, "deck"),
            discard=self.cards(top, "discard"),
            deck_size=top.number("deck_size") if top.has("deck_size") else None,
            seats=seats,
            script=read_lines(top.items("script"), top.at("script"), self),
            to_script_end=one_of(
                top.text("until", "end of turn"), ("end of turn", "script"), top.at("until")
            )
            == "script",
            expect=self._expectations(top.table("expect")),
            expect_in=self._expect_in(top.table("expect_in")),
            named=frozenset(self.named),
            named_tiles=frozenset(self.named_tiles),
        )
        top.finish()
        if scenario.market is not None and len(scenario.market) > 3:
            raise Fault(top.at("market"), "no more than three cards lie face up")
        return scenario

    def _rules(self) -> tuple[str, ...]:
        rules = self.top.texts("rules")
        if not rules:
            raise Fault(self.top.place, f"'rules' must name at least one of {', '.join(RULES)}")
        for rule_set in rules:
            one_of(rule_set, RULES, self.top.at("rules"))
        return tuple(rules)

    def _seats(self, given: list[object]) -> tuple[Seated, ...]:
        place = self.top.at("seats")
        if not 2 <= len(given) <= 6:
            raise Fault(place, f"2 to 6 seats are needed, not {len(given)}")
        tables = [Fields(one, f"{place}[{i}]") for i, one in enumerate(given)]
        for index, fields in enumerate(tables):
            name = fields.text("name")
            if name in self.seats or name == "table" or not name:
                raise Fault(fields.at("name"), f"'{name}' cannot be the name of this seat")
            self.seats[name] = index
        return tuple(
            self._seated(name, fields) for name, fields in zip(self.seats, tables, strict=True)
        )

    def _seated(self, name: str, fields: Fields) -> Seated:
        at = one_of(fields.text("at", "outside"), tuple(PLACES), fields.at("at"))
        seated = Seated(
            name=name,
            at=PLACES[at],
            hearts=fields.number("hearts", 10, most=12),
            points=fields.number("points", 0, most=20),
            energy=fields.number("energy", 0),
            poison=fields.number("poison", 0),
            shrink=fields.number("shrink", 0),
            wickedness=fields.number("wickedness", 0, most=10),
            cards=self._owned(fields, "cards"),
            tiles=self._tiles(fields, "tiles"),
        )
        fields.finish()
        return seated

    def _owned(self, fields: Fields, key: str) -> tuple[Owned, ...]:
        found = []
        for index, given in enumerate(fields.items(key)):
            place = f"{fields.at(key)}[{index}]"
            if isinstance(given, str):
                found.append(Owned(self.card(given, place)))
                continue
            table = Fields(given, place)
            card = self.card(table.take("card"), table.at("card"))
            counters = table.number("counters") if table.has("counters") else None
            found.append(Owned(card, counters, *self._link(table)))
            table.finish()
        return tuple(found)

    def _tiles(self, fields: Fields, key: str) -> tuple[Owned, ...]:
        found = []
        for index, given in enumerate(fields.items(key)):
            place = f"{fields.at(key)}[{index}]"
            if isinstance(given, str):
                found.append(Owned(self.tile(given, place)))
                continue
            table = Fields(given, place)
            tile = self.tile(table.take("tile"), table.at("tile"))
            counters = table.number("counters") if table.has("counters") else None
            found.append(Owned(tile, counters, *self._link(table)))
            table.finish()
        return tuple(found)

    def _link(self, table: Fields) -> tuple[str | None, int | None]:
        """The target of a copying card; whose it is may be left out."""
        if not table.has("copies"):
            return None, None
        card = self.card(table.take("copies"), table.at("copies"))
        owner = self.seat(table.take("of"), table.at("of")) if table.has("of") else None
        return card, owner

    def _copying(self, name: str, place: str) -> str:
        """A card or tile with counters on it."""
        return self.tile(name, place) if name in TILE_KEYS else self.card(name, place)

    def _expect_in(self, fields: Fields) -> dict[str, Mapping[str, Expected]]:
        found: dict[str, Mapping[str, Expected]] = {}
        for rule_set in fields.left():
            one_of(rule_set, RULES, fields.place)
            found[rule_set] = self._expectations(fields.table(rule_set))
        return found

    def _expectations(self, fields: Fields) -> dict[str, Expected]:
        found: dict[str, Expected] = {}
        for whom in fields.left():
            if whom == "table":
                found[whom] = self._of_table(fields.table(whom))
            else:
                self.seat(whom, fields.place)
                found[whom] = self._of_seat(fields.table(whom))
        return found

    def _of_seat(self, fields: Fields) -> Expected:
        found: dict[str, object] = {}
        for key in fields.left():
            match key:
                case "at":
                    at = one_of(fields.text(key), tuple(PLACES), fields.at(key))
                    found[key] = PLACES[at]
                case "alive":
                    found[key] = fields.flag(key, True)
                case "cards" | "has":
                    found[key] = self._owned(fields, key)
                case "tiles":
                    found[key] = self._tiles(fields, key)
                case "dice":
                    found[key] = faces(fields.text(key), fields.at(key))
                case "counters":
                    counters = fields.table(key)
                    found[key] = {
                        self._copying(name, counters.place): counters.number(name)
                        for name in counters.left()
                    }
                case (
                    "hearts" | "points" | "energy" | "poison" | "shrink" | "wickedness"
                    | "max_hearts"
                ):  # fmt: skip
                    found[key] = fields.number(key)
                case _:
                    raise Fault(fields.place, f"unknown key '{key}'")
        return found

    def _of_table(self, fields: Fields) -> Expected:
        found: dict[str, object] = {}
        for key in fields.left():
            match key:
                case "market":
                    found[key] = self.cards(fields, key)
                case "turn":
                    found[key] = self.seat(fields.take(key), fields.at(key))
                case "over":
                    found[key] = fields.flag(key, True)
                case "winners":
                    winners = fields.texts(key)
                    found[key] = tuple(sorted(self.seat(w, fields.at(key)) for w in winners))
                case "asked" | "not_asked":
                    found[key] = tuple(
                        self._question(text, fields.at(key)) for text in fields.texts(key)
                    )
                case "deck_size" | "discard_size":
                    found[key] = fields.number(key)
                case "city" | "bay":
                    who = fields.text(key)
                    found[key] = None if who == "" else self.seat(who, fields.at(key))
                case _:
                    raise Fault(fields.place, f"unknown key '{key}'")
        return found

    def _question(self, text: str, place: str) -> tuple[int, str]:
        name, _, kind = text.rpartition(" ")
        return self.seat(name, place), one_of(kind, KINDS, place)


def read(data: object) -> tuple[Scenario, ...]:
    """All scenarios of one parsed file; `Fault` if it is not in the format."""
    top = Fields(data, "file")
    given = top.items("scenario")
    top.finish()
    if not given:
        raise Fault("file", "there is no [[scenario]] in it")
    return tuple(_Reader(one, f"scenario {i + 1}").read() for i, one in enumerate(given))
