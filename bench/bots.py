"""How the bots do against each other: `python -m bench.bots [--games N] [--rules R]... [PART]...`.

The parts, each played with every rule set that is named (all, by default):

* `hard`: one `hard` against three `normal`;
* `easy`: one `normal` against three `easy`;
* `earlier`: one `normal` against three of what `normal` was in the first version
  (`tests.support.earlier_normal`), and the same with their parts changed;
* `equals`: two to six `normal`, for the wins by place in the turn order and by card.

The games are those of `kotp2p bots run`, in the referee alone and on all cores (`--jobs N`,
`--dask ADDRESS`). Each table says what chance would give.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

from bench.table import Player, play
from cli.system.executors import Workers, count_cores, open_workers
from cli.text import tournament
from kotp2p.bots import Noise, choose
from kotp2p.tournament.contest import Contender, Contest, contender_of_level
from kotp2p.tournament.running import play_games
from kotp2p.tournament.standings import sum_up
from referee.box.rulesets import RULE_SETS, RuleSet
from referee.box.setup import Setup
from referee.game import Game
from referee.model.answers import Answer, Item
from referee.model.decisions import Decision
from tests.support import earlier_normal

SEATS = 4
LEAST_PURCHASES = 20
"""A card that was bought less often tells nothing."""


def player(level: str, entropy: bytes) -> Player:
    noise = Noise(entropy)

    def answer(game: Game, decision: Decision, top: Item | None) -> Answer:
        return choose(level, game, decision.seat, decision, noise, top)

    return answer


def match(rules: RuleSet, levels: list[str], number: int) -> tuple[tuple[int, ...], int]:
    """Winners and turns of one game."""
    name = f"{rules.name} {number}".encode()
    players = [player(level, name + bytes([seat])) for seat, level in enumerate(levels)]
    played = play(Setup(rules, len(levels), rules.deck()), players, Noise(name))
    return played.winners, played.game.state.turn


def choose_as_earlier(game: Game, decision: Decision, noise: Noise, top: Item | None) -> Answer:
    return earlier_normal.choose_answer(game, decision, top)


NORMAL = contender_of_level("normal")
HARD = contender_of_level("hard")
EASY = contender_of_level("easy")
EARLIER = Contender("earlier", choose_as_earlier)


@dataclass(frozen=True, slots=True)
class Row:
    contenders: tuple[Contender, ...]
    shows_cards: bool = False


PARTS: dict[str, tuple[Row, ...]] = {
    "hard": (Row((HARD, *3 * (NORMAL,))),),
    "easy": (Row((NORMAL, *3 * (EASY,))),),
    "earlier": (Row((NORMAL, *3 * (EARLIER,))), Row((EARLIER, *3 * (NORMAL,)))),
    "equals": tuple(Row(seats * (NORMAL,), shows_cards=seats == SEATS) for seats in range(2, 7)),
}


def measure(contest: Contest, games: int, shows_cards: bool, workers: Workers) -> Iterator[str]:
    began = perf_counter()
    results = list(play_games(contest, range(games), workers.executor, workers.at_once))
    speed = games / (perf_counter() - began)
    standings = sum_up(contest, results)
    yield from tournament.describe_contest(contest, standings)
    yield f"{speed:.1f} games a second."
    yield ""
    yield from tournament.list_bots(standings, plain=False)
    yield ""
    yield from tournament.list_places(standings, plain=False)
    if shows_cards:
        yield ""
        yield from tournament.list_cards(standings, plain=False, least=LEAST_PURCHASES)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.bots")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; all")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--rules", action="append", choices=list(RULE_SETS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=count_cores())
    parser.add_argument("--dask")
    wanted = parser.parse_args()
    unknown = sorted(set(wanted.parts) - set(PARTS))
    if unknown:
        parser.error(f"there is no part {unknown[0]}; there are {', '.join(PARTS)}")
    with open_workers(wanted.jobs, wanted.dask) as workers:
        for rules in wanted.rules or RULE_SETS:
            for part in wanted.parts or PARTS:
                for row in PARTS[part]:
                    contest = Contest(rules, row.contenders, wanted.seed)
                    for line in measure(contest, wanted.games, row.shows_cards, workers):
                        print(line, flush=True)
                    print()


if __name__ == "__main__":
    main()
