"""What a scenario says, as values, and how it is read from parsed TOML."""

from collections.abc import Mapping
from dataclasses import dataclass

from kotp2p.referee.box.rulesets import TILE_SIDE_OPTIONS
from kotp2p.referee.model.state import Place
from tests.scenario import words
from tests.scenario.fields import Fault, Fields, show_value
from tests.scenario.lines import Line, read_lines


@dataclass(frozen=True, slots=True)
class Owned:
    """A card or tile in front of a monster: its key, and the counters and link on it if named."""

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
"""What one seat, or the table, must show at the end, by key."""


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
    """Keys of all cards that the scenario names anywhere."""
    named_tiles: frozenset[str]
    """Keys of all faces of tiles that the scenario names anywhere; they lie up."""

    def expected_in(self, rules: str) -> dict[str, Expected]:
        """`expect`, overlaid with `expect_in` key by key within each seat."""
        merged: dict[str, Expected] = dict(self.expect)
        for whom, values in self.expect_in.get(rules, {}).items():
            merged[whom] = {**merged.get(whom, {}), **values}
        return merged


class _Reader:
    """Reads one scenario; it knows the names of the seats and notes each card that is named."""

    def __init__(self, data: object, place: str) -> None:
        self.top = Fields(data, place)
        self.named: set[str] = set()
        self.named_tiles: set[str] = set()
        self.seats: dict[str, int] = {}

    def note_card(self, name: object, place: str) -> str:
        key = words.card_key(name, place)
        self.named.add(key)
        return key

    def note_tile(self, name: object, place: str) -> str:
        key = words.tile_key(name, place)
        self.named_tiles.add(key)
        return key

    def find_seat(self, name: object, place: str) -> int:
        if not isinstance(name, str) or name not in self.seats:
            raise Fault(place, f"no seat is named {show_value(name)}")
        return self.seats[name]

    def note_cards(self, fields: Fields, key: str) -> tuple[str, ...]:
        return tuple(
            self.note_card(name, f"{fields.place_of(key)}[{i}]")
            for i, name in enumerate(fields.list_of(key))
        )

    def read(self) -> Scenario:
        top = self.top
        name = top.text("id")
        top.place = f"{top.place} ({name})"
        seats = self._read_seats(top.list_of("seats"))
        options = top.table("options")
        two_player = options.flag("two_player_option", False)
        beginners = options.flag("bay_for_beginners", False)
        sides = words.check_one_of(
            options.text("tile_sides", "red"), TILE_SIDE_OPTIONS, options.place_of("tile_sides")
        )
        options.refuse_unread_keys()
        active = (
            self.find_seat(top.take("active"), top.place_of("active")) if top.has("active") else 0
        )
        scenario = Scenario(
            id=name,
            title=top.text("title", ""),
            rules=self._read_rules(),
            two_player=two_player,
            bay_for_beginners=beginners,
            tile_sides=sides,
            active=active,
            market=self.note_cards(top, "market") if top.has("market") else None,
            deck=self.note_cards(top, "deck"),
            discard=self.note_cards(top, "discard"),
            deck_size=top.number("deck_size") if top.has("deck_size") else None,
            seats=seats,
            script=read_lines(top.list_of("script"), top.place_of("script"), self),
            to_script_end=words.check_one_of(
                top.text("until", "end of turn"), ("end of turn", "script"), top.place_of("until")
            )
            == "script",
            expect=self._read_expectations(top.table("expect")),
            expect_in=self._read_expect_in(top.table("expect_in")),
            named=frozenset(self.named),
            named_tiles=frozenset(self.named_tiles),
        )
        top.refuse_unread_keys()
        if scenario.market is not None and len(scenario.market) > 3:
            raise Fault(top.place_of("market"), "no more than three cards lie face up")
        return scenario

    def _read_rules(self) -> tuple[str, ...]:
        rules = self.top.list_of_texts("rules")
        if not rules:
            names = ", ".join(words.RULE_SET_NAMES)
            raise Fault(self.top.place, f"'rules' must name at least one of {names}")
        for rule_set in rules:
            words.check_one_of(rule_set, words.RULE_SET_NAMES, self.top.place_of("rules"))
        return tuple(rules)

    def _read_seats(self, given: list[object]) -> tuple[Seated, ...]:
        place = self.top.place_of("seats")
        if not 2 <= len(given) <= 6:
            raise Fault(place, f"2 to 6 seats are needed, not {len(given)}")
        tables = [Fields(one, f"{place}[{i}]") for i, one in enumerate(given)]
        for index, fields in enumerate(tables):
            name = fields.text("name")
            if name in self.seats or name == "table" or not name:
                raise Fault(fields.place_of("name"), f"'{name}' cannot be the name of this seat")
            self.seats[name] = index
        return tuple(self._read_seat(name, f) for name, f in zip(self.seats, tables, strict=True))

    def _read_seat(self, name: str, fields: Fields) -> Seated:
        at = words.check_one_of(
            fields.text("at", "outside"), tuple(words.PLACES), fields.place_of("at")
        )
        seated = Seated(
            name=name,
            at=words.PLACES[at],
            hearts=fields.number("hearts", 10, most=12),
            points=fields.number("points", 0, most=20),
            energy=fields.number("energy", 0),
            poison=fields.number("poison", 0),
            shrink=fields.number("shrink", 0),
            wickedness=fields.number("wickedness", 0, most=10),
            cards=self._read_owned(fields, "cards"),
            tiles=self._read_owned(fields, "tiles"),
        )
        fields.refuse_unread_keys()
        return seated

    def _read_owned(self, fields: Fields, key: str) -> tuple[Owned, ...]:
        kind, note = ("tile", self.note_tile) if key == "tiles" else ("card", self.note_card)
        found = []
        for index, given in enumerate(fields.list_of(key)):
            place = f"{fields.place_of(key)}[{index}]"
            if isinstance(given, str):
                found.append(Owned(note(given, place)))
                continue
            table = Fields(given, place)
            item = note(table.take(kind), table.place_of(kind))
            counters = table.number("counters") if table.has("counters") else None
            found.append(Owned(item, counters, *self._read_link(table)))
            table.refuse_unread_keys()
        return tuple(found)

    def _read_link(self, table: Fields) -> tuple[str | None, int | None]:
        """The target of a copying card; its owner may be left out."""
        if not table.has("copies"):
            return None, None
        card = self.note_card(table.take("copies"), table.place_of("copies"))
        owner = self.find_seat(table.take("of"), table.place_of("of")) if table.has("of") else None
        return card, owner

    def _read_copied(self, name: str, place: str) -> str:
        """The key of a card or tile with counters on it."""
        return (
            self.note_tile(name, place) if name in words.TILE_KEYS else self.note_card(name, place)
        )

    def _read_expect_in(self, fields: Fields) -> dict[str, Mapping[str, Expected]]:
        found: dict[str, Mapping[str, Expected]] = {}
        for rule_set in fields.keys_left():
            words.check_one_of(rule_set, words.RULE_SET_NAMES, fields.place)
            found[rule_set] = self._read_expectations(fields.table(rule_set))
        return found

    def _read_expectations(self, fields: Fields) -> dict[str, Expected]:
        found: dict[str, Expected] = {}
        for whom in fields.keys_left():
            if whom == "table":
                found[whom] = self._read_table_values(fields.table(whom))
            else:
                self.find_seat(whom, fields.place)
                found[whom] = self._read_seat_values(fields.table(whom))
        return found

    def _read_seat_values(self, fields: Fields) -> Expected:
        found: dict[str, object] = {}
        for key in fields.keys_left():
            match key:
                case "at":
                    at = words.check_one_of(
                        fields.text(key), tuple(words.PLACES), fields.place_of(key)
                    )
                    found[key] = words.PLACES[at]
                case "alive":
                    found[key] = fields.flag(key, True)
                case "cards" | "has" | "tiles":
                    found[key] = self._read_owned(fields, key)
                case "dice":
                    found[key] = words.read_faces(fields.text(key), fields.place_of(key))
                case "counters":
                    counters = fields.table(key)
                    found[key] = {
                        self._read_copied(name, counters.place): counters.number(name)
                        for name in counters.keys_left()
                    }
                case (
                    "hearts" | "points" | "energy" | "poison" | "shrink" | "wickedness"
                    | "max_hearts"
                ):  # fmt: skip
                    found[key] = fields.number(key)
                case _:  # a key of the file, which may be any text
                    raise Fault(fields.place, f"unknown key '{key}'")
        return found

    def _read_table_values(self, fields: Fields) -> Expected:
        found: dict[str, object] = {}
        for key in fields.keys_left():
            match key:
                case "market":
                    found[key] = self.note_cards(fields, key)
                case "turn":
                    found[key] = self.find_seat(fields.take(key), fields.place_of(key))
                case "over":
                    found[key] = fields.flag(key, True)
                case "winners":
                    winners = fields.list_of_texts(key)
                    found[key] = tuple(
                        sorted(self.find_seat(w, fields.place_of(key)) for w in winners)
                    )
                case "asked" | "asked_once" | "not_asked":
                    found[key] = tuple(
                        self._read_question(text, fields.place_of(key))
                        for text in fields.list_of_texts(key)
                    )
                case "deck_size" | "discard_size":
                    found[key] = fields.number(key)
                case "city" | "bay":
                    who = fields.text(key)
                    found[key] = None if who == "" else self.find_seat(who, fields.place_of(key))
                case _:  # a key of the file, which may be any text
                    raise Fault(fields.place, f"unknown key '{key}'")
        return found

    def _read_question(self, text: str, place: str) -> tuple[int, str]:
        name, _, kind = text.rpartition(" ")
        return self.find_seat(name, place), words.check_one_of(kind, words.DECISION_KINDS, place)


def read_scenarios(data: object) -> tuple[Scenario, ...]:
    """All scenarios of one parsed file; `Fault` if it is not in the format."""
    top = Fields(data, "file")
    given = top.list_of("scenario")
    top.refuse_unread_keys()
    if not given:
        raise Fault("file", "there is no [[scenario]] in it")
    return tuple(_Reader(one, f"scenario {i + 1}").read() for i, one in enumerate(given))
