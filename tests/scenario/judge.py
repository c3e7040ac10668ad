"""Comparing the outcome of a scenario with its expectations; each difference in words."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from kotp2p.referee.model.answers import Face, Item, Seat
from kotp2p.referee.model.state import NO_ITEM, Holding, Monster, Place
from tests.scenario.form import Expected, Owned, Scenario
from tests.scenario.script import Outcome


def find_differences(scenario: Scenario, rules: str, outcome: Outcome) -> list[str]:
    seats = {seat.name: index for index, seat in enumerate(scenario.seats)}
    found: list[str] = []
    for whom, expected in scenario.expected_in(rules).items():
        judge = _Judge(scenario, outcome)
        is_table = whom == "table"
        wrong = judge.judge_table(expected) if is_table else judge.judge_seat(seats[whom], expected)
        found += [f"{whom} {difference}" for difference in wrong]
    return found


class _Judge:
    def __init__(self, scenario: Scenario, outcome: Outcome) -> None:
        self.scenario = scenario
        self.outcome = outcome
        self.state = outcome.state
        self.setup = outcome.game.setup

    def _key(self, item: Item) -> str:
        return self.setup.key(item)

    # Seats

    def judge_seat(self, seat: Seat, expected: Expected) -> Iterator[str]:
        monster = self.state.monsters[seat]
        for key, wanted in expected.items():
            match key, wanted:
                case ("cards", tuple()):
                    yield from self._judge_owned("cards", monster, wanted, all_of_them=True)
                case ("has", tuple()):
                    yield from self._judge_owned("cards", monster, wanted, all_of_them=False)
                case ("counters", Mapping()):
                    yield from self._judge_counters(monster, wanted)
                case ("tiles", tuple()):
                    yield from self._judge_owned("tiles", monster, wanted, all_of_them=True)
                case _:  # all keys with a plain value
                    is_so = self._value_of_seat(monster, key)
                    if isinstance(wanted, tuple):
                        wanted = tuple(sorted(wanted))
                    if is_so != wanted:
                        yield _difference(key, _in_words(wanted), _in_words(is_so))

    def _value_of_seat(self, monster: Monster, key: str) -> object:
        match key:
            case "at":
                return monster.place
            case "dice":
                return tuple(sorted(self.outcome.dice.get(monster.seat, ())))
            case "max_hearts":
                return self.outcome.game.max_hearts_in(self.state, monster.seat)
            case _:  # the other keys are called like the field of the monster
                return getattr(monster, key)

    def _judge_owned(
        self, what: str, monster: Monster, wanted: tuple[object, ...], *, all_of_them: bool
    ) -> Iterator[str]:
        """Match each card or tile wanted with one that is there; `has` allows for others."""
        cards = len(self.setup.deck)
        left = [h for h in monster.holdings if (h.item < cards) is (what == "cards")]
        owned = _join(self._key(holding.item) for holding in left)
        for card in wanted:
            assert isinstance(card, Owned)
            match = next((holding for holding in left if self._matches(holding, card)), None)
            if match is None:
                yield _difference(what, f"{card.key}{_describe_details(card)}", owned)
            else:
                left.remove(match)
        if all_of_them and left:
            extra = _join(self._key(holding.item) for holding in left)
            yield f"{what}: expected no {extra}, found {owned}"

    def _matches(self, holding: Holding, card: Owned) -> bool:
        if self._key(holding.item) != card.key:
            return False
        if card.counters is not None and holding.counters != card.counters:
            return False
        copied = "" if holding.copies == NO_ITEM else self._key(holding.copies)
        return card.copies is None or copied == card.copies

    def _judge_counters(self, monster: Monster, wanted: Mapping[str, int]) -> Iterator[str]:
        for key, counters in wanted.items():
            there = [h.counters for h in monster.holdings if self._key(h.item) == key]
            if counters not in there:
                is_so = _join(str(n) for n in there) if there else "no such card"
                yield _difference(f"counters of {key}", counters, is_so)

    # The table

    def judge_table(self, expected: Expected) -> Iterator[str]:
        asked = self.outcome.asked
        for key, wanted in expected.items():
            match key, wanted:
                case ("asked", tuple()):
                    if missing := list(Counter(wanted) - Counter(asked)):
                        yield _difference(
                            key, self._list_questions(missing), self._list_questions(asked)
                        )
                case ("asked_once", tuple()):
                    for question in wanted:
                        if (times := asked.count(question)) != 1:
                            once = f"{self._list_questions([question])} once"
                            yield _difference(key, once, f"it {_times(times)}")
                case ("not_asked", tuple()):
                    if too_much := [question for question in wanted if question in asked]:
                        yield f"not_asked: expected no {self._list_questions(too_much)}, found it"
                case ("market", tuple()):
                    face_up = sorted(self._key(i) for i in self.state.market if i is not None)
                    if face_up != sorted(wanted):
                        yield _difference(key, _join(sorted(wanted)), _join(face_up))
                case _:  # all keys with a plain value
                    is_so = self._value_of_table(key)
                    if is_so != wanted:
                        yield _difference(key, self._show(key, wanted), self._show(key, is_so))

    def _value_of_table(self, key: str) -> object:
        state = self.state
        match key:
            case "turn":
                return self.outcome.next_turn
            case "over":
                return state.winners is not None
            case "winners":
                return None if state.winners is None else tuple(sorted(state.winners))
            case "deck_size":
                return len(state.undrawn)
            case "discard_size":
                return len(state.discard)
            case "city":
                return state.seat_at(Place.CITY)
            case "bay":
                return state.seat_at(Place.BAY)
            case _:  # a key is text; `form` has refused all others
                raise AssertionError(f"an expectation that is read but not judged: {key}")

    def _show(self, key: str, value: object) -> str:
        match key, value:
            case ("winners", None):
                return "a game that goes on"
            case ("winners", tuple()):
                return _join([self._seat_name(seat) for seat in value])
            case ("turn" | "city" | "bay", None):
                return "nobody"
            case ("turn" | "city" | "bay", int()):
                return self._seat_name(value)
            case _:  # all other values show themselves
                return _in_words(value)

    def _seat_name(self, seat: Seat) -> str:
        return self.scenario.seats[seat].name

    def _list_questions(self, asked: Sequence[tuple[Seat, str]]) -> str:
        return _join([f"{self._seat_name(seat)} {kind}" for seat, kind in asked])


def _difference(what: str, wanted: object, found: object) -> str:
    return f"{what}: expected {wanted}, found {found}"


def _times(number: int) -> str:
    return f"{number} times" if number else "never"


def _in_words(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case Place():
            return value.name.lower()
        case tuple():
            return "".join(face.letter for face in value if isinstance(face, Face)) or "no dice"
        case _:  # numbers, keys and None
            return str(value)


def _join(words: Iterable[str]) -> str:
    return ", ".join(words) or "none"


def _describe_details(card: Owned) -> str:
    counters = "" if card.counters is None else f" with {card.counters} counters"
    copies = "" if card.copies is None else f" copying {card.copies}"
    return counters + copies
