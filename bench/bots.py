"""How the levels do against each other: `python -m bench.bots [GAMES] [RULES...]`.

One `normal` against three `easy`, the seat rotated, in the referee alone. A shared victory
counts by its share. By chance alone one of four would win 25 %.
"""

from __future__ import annotations

import sys
from time import perf_counter

from bench.table import Player, play
from kotp2p.bots import Noise, choose
from referee.box.rulesets import RULE_SETS, RuleSet
from referee.box.setup import Setup
from referee.game import Game
from referee.model.answers import Answer, Item
from referee.model.decisions import Decision

SEATS = 4


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


def main(games: int, names: list[str]) -> None:
    for name in names:
        began = perf_counter()
        won = 0.0
        turns = 0
        nobody = 0
        for number in range(games):
            seat = number % SEATS
            levels = ["normal" if s == seat else "easy" for s in range(SEATS)]
            winners, length = match(RULE_SETS[name], levels, number)
            won += 1 / len(winners) if seat in winners else 0
            nobody += not winners
            turns += length
        spent = perf_counter() - began
        print(
            f"{name}: normal wins {won / games:.0%} of {games} games against three easy; "
            f"{turns / games:.1f} turns a game, {nobody} without a winner; "
            f"{games / spent:.1f} games/s"
        )


if __name__ == "__main__":
    wanted = sys.argv[1:]
    count = int(wanted.pop(0)) if wanted and wanted[0].isdigit() else 400
    main(count, wanted or list(RULE_SETS))
