"""Vectors of what play is about: what lies in each box, and positions with their digests.

Tables in the middle of a turn are laid by vector_positions.toml, in the form of
tests/scenario/README.md, and played through a script. Their vectors have the first position, then
every input with the digest of the position after it, then the last one.
"""

import tomllib
from pathlib import Path

from kotp2p.referee.box.rulesets import RULE_SETS, Options
from kotp2p.referee.model.answers import Answered, Burnt, BuyTop, Drawn, Input, Looked, Out
from kotp2p.referee.model.position import digest_of_numbers
from kotp2p.wire.encoding import Value
from kotp2p.wire.entries import answer_to_value
from tests.scenario.form import Scenario, read_scenarios
from tests.scenario.script import Play
from tests.scenario.setting import Setting, lay_table
from tests.support.scribe import Scribe

TABLES = Path(__file__).with_name("vector_positions.toml")
Shown = dict[str, object]
STEPS = (0, 1, 4, 9, 25, 60)
"""Heights of which the position is shown."""
LONG_NUMBERS = (0, 127, 128, 255, 256, 16_383, 16_384, 2**32 - 1)
"""No game has a position of these numbers. They show how many bytes each takes."""


class RecordedPlay(Play):
    def __init__(self, scenario: Scenario, setting: Setting) -> None:
        super().__init__(scenario, setting)
        self.steps: list[list[object]] = []

    def _submit(self, given: Input) -> None:
        super()._submit(given)
        self.steps.append([show_input(given), self._game.digest().hex()])

    @property
    def undrawn(self) -> list[int]:
        """The cards of the deck: a drawn value is an index into them."""
        return list(self._game.state.undrawn)

    def show_position(self) -> Shown:
        numbers = [[name, number] for name, number in self._game.position()]
        return {"numbers": numbers, "digest": self._game.digest().hex()}


def show_input(given: Input) -> Shown:
    match given:
        case Answered(seat, answer):
            assert not isinstance(answer, BuyTop), "it would need a contribution"
            return {"seat": seat, "answer": _as_json(answer_to_value(answer, None))}
        case Drawn(values):
            return {"values": list(values)}
        case Looked(_, seat):
            return {"looked": seat}
        case Out(seats):
            return {"out": list(seats)}
        case Burnt():
            return {"burnt": True}


def _as_json(value: Value) -> object:
    return [_as_json(member) for member in value] if isinstance(value, tuple) else value


def turns() -> dict[str, list[Shown]]:
    """By what the table shows: the position at the start of a turn, and one behind the inputs."""
    return {
        scenario.id: _play(scenario)
        for scenario in read_scenarios(tomllib.loads(TABLES.read_text("utf-8")))
    }


def _play(scenario: Scenario) -> list[Shown]:
    (rules,) = scenario.rules
    setting = lay_table(scenario, rules)
    play = RecordedPlay(scenario, setting)
    deck = [card.key for card in setting.setup.deck]
    undrawn = sorted(play.undrawn)
    first: Shown = {"rules": rules, "deck": deck, "undrawn": undrawn, **play.show_position()}
    play.play()
    return [first, {"inputs": play.steps, **play.show_position()}]


def boxes() -> dict[str, object]:
    """Of each card its key, name, cost and number; of each side of a tile what it stands for."""
    return {
        name: {
            "cards": [[c.key, c.name, c.cost, c.copies] for c in rules.cards],
            "sides": [[tile.key, tile.name, tile.side, tile.step] for tile in rules.tiles],
        }
        for name, rules in RULE_SETS.items()
    }


def positions() -> dict[str, object]:
    tables = {
        "second, of three": Scribe(3),
        "classic, of three": Scribe(3, "classic"),
        "dark, of two": Scribe(2, "dark", Options(tile_sides="mixed"), number=1),
    }
    games: dict[str, object] = {name: _shown(scribe) for name, scribe in tables.items()}
    digest = digest_of_numbers(LONG_NUMBERS)
    assert digest is not None, "each is small enough"
    numbers = [[f"number {i}", number] for i, number in enumerate(LONG_NUMBERS)]
    long_numbers = [{"numbers": numbers, "digest": digest.hex()}]
    return {**games, "numbers of one to five bytes": long_numbers, **turns()}


def _shown(scribe: Scribe) -> list[object]:
    found: list[object] = []
    for height in STEPS:
        while scribe.ledger.height < height and scribe.ledger.owing_seats():
            scribe.step()
        game = scribe.ledger.game
        numbers = [[name, number] for name, number in game.position()]
        found.append(
            {"height": scribe.ledger.height, "numbers": numbers, "digest": game.digest().hex()}
        )
    return found
