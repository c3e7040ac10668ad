"""Speed of the referee: `python -m bench.games [SECONDS]`.

Random legal games of 4 seats in the rule set second, and beside them, in the same run, how
many SHA-256 digests of 1 KiB this machine makes: the ratio travels from machine to machine.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from time import perf_counter

from bench.table import Player, play
from kotp2p.bots import Noise
from referee.answers import Answer, Item, Reroll
from referee.decisions import Decision, RollDecision
from referee.game import Game, Setup
from referee.rulesets import SECOND


def anybody(noise: Noise) -> Player:
    """Answers at random; not one by one from the list, which is long for rerolls."""

    def answer(game: Game, decision: Decision, top: Item | None) -> Answer:
        if isinstance(decision, RollDecision) and decision.rolls_left and noise.percent(70):
            dice = tuple(i for i in range(len(decision.dice)) if noise.percent(50))
            return Reroll(dice) if dice else decision.default
        answers = list(decision.answers())
        return answers[noise.below(len(answers))]

    return answer


def main(seconds: float) -> None:
    deck = SECOND.deck()
    games = inputs = turns = 0
    began = perf_counter()
    while perf_counter() - began < seconds:
        noise = Noise(games.to_bytes(8, "big"))
        played = play(Setup(SECOND, 4, deck), [anybody(noise)] * 4, noise)
        games += 1
        inputs += played.inputs
        turns += played.game.state.turn
    spent = perf_counter() - began
    hashes = 0
    began = perf_counter()
    while perf_counter() - began < 0.5:
        for _ in range(1000):
            sha256(bytes(1024)).digest()
        hashes += 1000
    per_hash = (perf_counter() - began) / hashes
    print(
        f"{games / spent:.1f} random games/s, {inputs / spent:.0f} inputs/s "
        f"({inputs / games:.0f} inputs and {turns / games:.1f} turns a game); "
        f"one input costs {spent / inputs / per_hash:.1f} SHA-256 of 1 KiB"
    )


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 5.0)
