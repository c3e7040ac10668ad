"""Vectors of what play is about: what lies in each box, and positions with their digests."""

from kotp2p.referee.box.rulesets import RULE_SETS, Options
from kotp2p.referee.model.position import digest_of_numbers
from tests.support.scribe import Scribe
from tests.tools import vector_positions

STEPS = (0, 1, 4, 9, 25, 60)
"""Heights of which the position is shown."""
LONG_NUMBERS = (0, 127, 128, 255, 256, 16_383, 16_384, 2**32 - 1)
"""No game has a position of these numbers. They show how many bytes each takes."""


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
    return {**games, "numbers of one to five bytes": long_numbers, **vector_positions.turns()}


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
