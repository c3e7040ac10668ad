"""Speed of the referee: `python -m bench.games [SECONDS]`.

Random legal games of 4 seats in the rule set second, with a digest at each turn end, and beside
them, in turns within the same run, random games of chess with python-chess, the rules engine
that its users call fast enough: a ply there and an input here are each one move, checked and
made. Both pick with the same generator. The ratio travels from machine to machine; the aim is 2.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from time import perf_counter

import chess

from bench.table import Player, draw
from kotp2p.bots import Noise
from referee.box.rulesets import SECOND
from referee.box.setup import Setup
from referee.game import Game
from referee.model.answers import Answer, Answered, Drawn, Item, Looked, Order, Reroll
from referee.model.decisions import Chance, ChanceKind, Decision, Over
from referee.model.dice_decisions import OrderDecision, RollDecision

SETUP = Setup(SECOND, 4, SECOND.deck())
ROUNDS = 10


class Quick(Noise):
    """Numbers that cost little, so that the referee is measured and not the dice."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed).random

    def below(self, bound: int) -> int:
        return int(self._random() * bound)


def anybody(noise: Noise) -> Player:
    """Answers at random; where the list is long, not by writing it out."""

    def answer(game: Game, decision: Decision, top: Item | None) -> Answer:
        if isinstance(decision, RollDecision) and decision.rolls_left and noise.percent(70):
            subset = noise.below(1 << len(decision.dice))
            dice = tuple(i for i in range(len(decision.dice)) if subset >> i & 1)
            return Reroll(dice) if dice else decision.default
        if isinstance(decision, RollDecision) and not decision.uses:
            return decision.default
        if isinstance(decision, OrderDecision):
            return Order(tuple(sorted(decision.groups, key=lambda _: noise.below(1 << 30))))
        answers = list(decision.legal_answers())
        return answers[noise.below(len(answers))]

    return answer


@dataclass(slots=True)
class Tally:
    games: int = 0
    moves: int = 0
    turns: int = 0
    seconds: float = 0.0

    @property
    def speed(self) -> float:
        return self.moves / self.seconds


def play_kings(tally: Tally, seconds: float) -> None:
    """Whole games until the time is over."""
    began = perf_counter()
    while perf_counter() - began < seconds:
        noise = Quick(tally.games)
        one_game(tally, noise, anybody(noise))
        tally.games += 1
    tally.seconds += perf_counter() - began


def one_game(tally: Tally, noise: Noise, player: Player) -> None:
    game = Game(SETUP)
    top: Item | None = None
    turn = 0
    while not isinstance(pending := game.pending, Over):
        state = game.state
        if not state.seen_by:
            top = None
        if not isinstance(pending, Chance):
            game.submit(Answered(pending.seat, player(game, pending, top)))
        elif pending.kind is ChanceKind.LOOK:
            assert pending.seat is not None, "somebody looks"
            top = state.undrawn[noise.below(len(state.undrawn))] if top is None else top
            game.submit(Looked(0, pending.seat))
        else:
            game.submit(Drawn(draw(pending, noise, top)))
        tally.moves += 1
        if state.turn != turn:
            turn = state.turn
            game.digest()
    tally.turns += turn


def play_chess(tally: Tally, seconds: float) -> None:
    began = perf_counter()
    while perf_counter() - began < seconds:
        noise = Quick(tally.games)
        board = chess.Board()
        while not board.is_game_over():
            moves = list(board.legal_moves)
            board.push(moves[noise.below(len(moves))])
            tally.moves += 1
        tally.games += 1
    tally.seconds += perf_counter() - began


def hash_seconds() -> float:
    """What one SHA-256 of 1 KiB costs."""
    block = bytes(1024)
    began = perf_counter()
    for _ in range(20_000):
        sha256(block).digest()
    return (perf_counter() - began) / 20_000


def main(seconds: float) -> None:
    kings, board = Tally(), Tally()
    for _ in range(ROUNDS):
        play_kings(kings, seconds / ROUNDS)
        play_chess(board, seconds / ROUNDS)
    print(
        f"{kings.games / kings.seconds:.1f} random games/s, {kings.speed:.0f} inputs/s "
        f"({kings.moves / kings.games:.0f} inputs and {kings.turns / kings.games:.1f} turns a "
        f"game, a digest for each turn); one input costs "
        f"{1 / kings.speed / hash_seconds():.1f} SHA-256 of 1 KiB"
    )
    print(f"python-chess {chess.__version__}: {board.speed:.0f} random plies/s")
    print(f"ratio inputs/s : plies/s = {kings.speed / board.speed:.2f}")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 5.0)
