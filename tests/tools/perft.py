"""How many ways a few small tables can go: `python -m tests.tools.perft`.

As in chess, the count of all lines of a given length: from a table, each legal input at each
node, chance included, whatever it leads to. A line that ends the game early is in no longer
count. A rule that offers too much, or too little, shows in a number.

The hand counts, in second edition rules:

* `one die` (two monsters, everybody has five shrink tokens, so that one die is rolled; no energy):
  6 faces; each may be kept or rerolled, 12. Of these a reroll has 6 outcomes, 36 together. Kept,
  five faces lead on to the next monster's roll with its 6 faces, 30 (a bolt buys nothing); a heart
  heals, takes a token off or is wasted, 3. That makes 36 + 30 + 3 = 69.
* `two dice` (P2 in the City, the dearest cards in the market): 36 pairs; each has 4 subsets to
  reroll, none included, 144. Rerolls: 6 + 6 + 36 outcomes for each pair, 1728 together. Kept, the
  30 pairs of different faces ask for one of 2 orders, 60. Of the 6 doubles three numbers lead to
  the next roll of one die, 18; two hearts, each of them as above, are 6 ways, as their order does
  not matter; two bolts are 2 energy, to sweep or not, 2; two claws hit the City, which stays or
  yields, 2. That makes 1728 + 60 + 18 + 6 + 2 + 2 = 1816.

The other tables are counted by the referee alone; their numbers only keep it from changing
unseen.
"""

from collections.abc import Iterator
from itertools import product

from kotp2p.referee.box.rulesets import CLASSIC, DARK, SECOND
from kotp2p.referee.game import Game
from kotp2p.referee.model.answers import Answered, Drawn, Input, Looked
from kotp2p.referee.model.decisions import Chance, ChanceKind, Over
from tests.support.referee_table import BAY, CITY, Played, Sits, seated
from tests.support.tool_line import tool_parser

DEAR = ("energize", "skyscraper", "gas-refinery")


def tables() -> dict[str, Played]:
    one = Sits(shrink=5)
    return {
        "one die": seated(SECOND, one, one, market=DEAR),
        "two dice": seated(SECOND, Sits(shrink=4), Sits(CITY, shrink=5), market=DEAR),
        "answers to damage": seated(
            CLASSIC,
            Sits(shrink=5, energy=3, cards=("acid-attack", "energy-drink", "stretchy")),
            Sits(CITY, hearts=3, energy=4, cards=("wings", "camouflage", "rapid-healing")),
            market=DEAR,
        ),
        "buying": seated(
            SECOND,
            Sits(energy=6, shrink=6, cards=("made-in-a-lab", "parasitic-tentacles")),
            Sits(CITY, energy=4, shrink=5, cards=("opportunist", "jets")),
            market=("corner-store", "heal", "mimic"),
            undrawn=("frenzy", "wings"),
        ),
        "five in the dark": seated(
            DARK,
            Sits(shrink=4, cards=("fire-breathing",)),
            Sits(CITY, hearts=1, cards=("jets", "unstable-dna")),
            Sits(BAY, hearts=1, energy=1, cards=("super-jump",)),
            Sits(shrink=5),
            Sits(shrink=5, cards=("psychic-probe",)),
            market=DEAR,
        ),
    }


COUNTS = {
    "one die": (6, 12, 69),
    "two dice": (36, 144, 1816),
    "answers to damage": (6, 18, 96),
    "buying": (7, 24, 78),
    "five in the dark": (36, 144, 1836),
}


def inputs(game: Game) -> Iterator[Input]:
    """Everything that can be put in here."""
    pending = game.pending
    match pending:
        case Over():
            return
        case Chance(kind=ChanceKind.LOOK, seat=seat):
            assert seat is not None, "somebody looks"
            yield Looked(0, seat)
        case Chance(draws=draws):
            for values in product(*(range(draw.size) for draw in draws)):
                taken = [(d.pool, v) for d, v in zip(draws, values, strict=True) if d.pool >= 0]
                if len(set(taken)) == len(taken):
                    yield Drawn(values)
        case _:
            for answer in pending.legal_answers():
                yield Answered(pending.seat, answer)


def count(game: Game, depth: int) -> int:
    """Lines of exactly this many inputs."""
    if depth == 0:
        return 1
    total = 0
    for given in inputs(game):
        after = game.fork()
        after.submit(given)
        total += count(after, depth - 1)
    return total


if __name__ == "__main__":
    tool_parser("tests.tools.perft", __doc__).parse_args()
    for name, table in tables().items():
        print(name, *(count(table.game, depth) for depth in (1, 2, 3)))
