"""Bots against each other: `python -m bench.bots [--games N] [--rules R]... [PART]...`.

The parts, each played with every rule set that is named (all, by default):

* `hard`: one `hard` against three `normal`;
* `easy`: one `normal` against three `easy`;
* `enter`: a person who presses Enter only against three `normal`;
* `equals`: two to six `normal`, for the wins by place in the turn order and by card.

or a part such as `normal,easy,easy`: one bot of each level for each seat. The games are played in
the referee alone, on all cores (`--jobs N`) or on a Dask cluster (`--dask ADDRESS`), and are the
same wherever they are played. Each table says what chance would give. Progress goes to stderr.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

from bench.cluster import open_executor
from bench.contest import Contender, Contest, GameResult, contender_of_level, play_games, player_of
from bench.enter_only import choose_by_enter
from bench.executors import Workers, count_cores
from bench.standings import HEADINGS, Standings, sum_up
from bench.whole_game import Player
from kotp2p.cli.extras.games.evenings import align_rows
from kotp2p.extras.bots import Noise
from kotp2p.referee.box.rulesets import MAX_SEATS, MIN_SEATS, RULE_SETS

SEATS = 4
LEAST_PURCHASES = 20
"""A card that was bought less often tells nothing."""


def player(level: str, entropy: bytes) -> Player:
    return player_of(contender_of_level(level), Noise(entropy))


NORMAL = contender_of_level("normal")
HARD = contender_of_level("hard")
EASY = contender_of_level("easy")
ENTER = Contender("enter", choose_by_enter)


@dataclass(frozen=True, slots=True)
class Row:
    contenders: tuple[Contender, ...]
    shows_cards: bool = False


PARTS: dict[str, tuple[Row, ...]] = {
    "hard": (Row((HARD, *3 * (NORMAL,))),),
    "easy": (Row((NORMAL, *3 * (EASY,))),),
    "enter": (Row((ENTER, *3 * (NORMAL,))),),
    "equals": tuple(Row(seats * (NORMAL,), shows_cards=seats == SEATS) for seats in range(2, 7)),
}


def rows_of(part: str) -> tuple[Row, ...]:
    """Find a part by its name, or by the levels of its bots; raise ValueError."""
    if part in PARTS:
        return PARTS[part]
    levels = part.split(",")
    if not MIN_SEATS <= len(levels) <= MAX_SEATS:
        raise ValueError(f"there is no part {part}; there are {', '.join(PARTS)}")
    return (Row(tuple(contender_of_level(level) for level in levels)),)


def measure(contest: Contest, games: int, shows_cards: bool, workers: Workers) -> Iterator[str]:
    began = perf_counter()
    results: list[GameResult] = []
    for result in play_games(contest, range(games), workers.executor, workers.at_once):
        results.append(result)
        if len(results) % max(1, games // 10) == 0:
            speed = len(results) / (perf_counter() - began)
            print(f"{len(results)} of {games} games, {speed:.1f} a second.", file=sys.stderr)
    standings = sum_up(contest, results)
    yield from describe(contest, standings)
    yield ""
    yield from list_bots(standings)
    yield ""
    yield from list_places(standings)
    if shows_cards:
        yield ""
        yield from list_cards(standings)


def describe(contest: Contest, standings: Standings) -> Iterator[str]:
    names = ", ".join(contender.name for contender in contest.contenders)
    yield f"{standings.games} games, rule set {contest.rules}, seed {contest.seed}: {names}."
    yield f"{standings.turns:.1f} turns and {standings.purchases:.1f} purchases a game."
    if standings.shared or standings.without_winner:
        yield f"Shared victories: {standings.shared}; without a winner: {standings.without_winner}."


def list_bots(standings: Standings) -> list[str]:
    heading = ["bot", "seats", *HEADINGS, "purchases a game and seat"]
    rows = [
        [bot.name, str(bot.seats), *bot.wins.cells(), f"{bot.purchases:.2f}"]
        for bot in standings.contenders
    ]
    return align_rows([heading, *rows])


def list_places(standings: Standings) -> list[str]:
    """List the wins by place in the turn order."""
    rows = [[str(place), *rate.cells()] for place, rate in enumerate(standings.places, 1)]
    return align_rows([["turn order", *HEADINGS], *rows])


def list_cards(standings: Standings) -> list[str]:
    """List the wins of those who bought a card, for each card that was bought often enough."""
    rows = [
        [card.name, str(card.wins.of), *card.wins.cells()]
        for card in standings.cards
        if card.wins.of >= LEAST_PURCHASES
    ]
    return align_rows([["card", "bought", *HEADINGS], *rows])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.bots")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; all")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--rules", action="append", choices=list(RULE_SETS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=count_cores())
    parser.add_argument("--dask", help="the address of a Dask scheduler, in place of --jobs")
    wanted = parser.parse_args()
    try:
        rows = [row for part in wanted.parts or PARTS for row in rows_of(part)]
    except ValueError as fault:
        parser.error(str(fault))
    with open_executor(wanted.jobs, wanted.dask) as workers:
        for rules in wanted.rules or RULE_SETS:
            for row in rows:
                contest = Contest(rules, row.contenders, wanted.seed)
                for line in measure(contest, wanted.games, row.shows_cards, workers):
                    print(line, flush=True)
                print()


if __name__ == "__main__":
    main()
