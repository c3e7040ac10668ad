"""`python -m bench.learning` makes the network of `hard` (`kotp2p/extras/bots/learned.json`).

* `games` plays games of `normal` on all cores, or with `--dask` on a cluster, and writes down what
  the network sees of each monster at the start of each turn;
* `fit` finds the network that says best who wins.

The network gives a standing to each monster, and chances are in the proportion of e to the
standings, as with the figures. It is fitted in rounds. The first one learns who has won. Each of
the others learns from the one before what the next turns have shown, and less from the end, which
is often luck (Sutton, "Learning to predict by the methods of temporal differences", 1988).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bench.cluster import open_executor
from bench.executors import count_cores
from bench.whole_game import Player, play
from kotp2p.extras.bots import Noise, choose
from kotp2p.extras.bots.card_worths import lasting_worths
from kotp2p.extras.bots.chances import View
from kotp2p.extras.bots.learned import AMOUNTS, MOST_SEATS, NAMED, STEPPED, Sight, see_table
from kotp2p.referee.box.rulesets import RULE_SETS, Setup
from kotp2p.referee.game import Game
from kotp2p.referee.model.answers import Answer, Item, Seat
from kotp2p.referee.model.decisions import Decision

Array = npt.NDArray[np.float32]
Position = dict[Seat, Sight]

HIDDEN = 16
ROUNDS = 3
MOST_EPOCHS = 60
PATIENCE = 5
"""A round ends when this many epochs have brought nothing."""
BATCH = 1024
RATE = 0.001
DECAY = 1.0
"""Of the weights, as a multiple of the rate."""
LASTING = 0.8
"""The share of the next aim in the aim of a turn; the rest is the chance at the next turn."""
HELD_BACK = 5
"""Every fifth game teaches nothing, and says when to stop."""
DECIMALS = 4


class SeenGame(NamedTuple):
    winners: tuple[Seat, ...]
    positions: list[Position]
    """At the start of each turn."""


def see_game(level: str, seats: int, number: int) -> SeenGame:
    """Play game `number` of the rule set whose turn it is."""
    rules = list(RULE_SETS.values())[number % len(RULE_SETS)]
    key = f"learning {rules.name} {seats} {number}".encode()
    positions: dict[int, Position] = {}

    def player(seat: Seat) -> Player:
        noise = Noise(key, bytes([seat]))

        def answer(game: Game, decision: Decision, top: Item | None) -> Answer:
            if game.state.turn and game.state.turn not in positions:
                view = View(lasting_worths(game))
                positions[game.state.turn] = dict(see_table(game, view))
            return choose(level, game, decision, noise, top)

        return answer

    players = [player(seat) for seat in range(seats)]
    played = play(Setup(rules, seats, rules.deck()), players, Noise(key))
    return SeenGame(played.winners, list(positions.values()))


def pack_game(game: SeenGame) -> str:
    """Return a line of JSON, with the numbers of each sight in the order of `SEEN`."""
    positions = [
        [[seat, *(sight[name] for name in SEEN)] for seat, sight in seen.items()]
        for seen in game.positions
    ]
    return json.dumps({"winners": game.winners, "positions": positions}, separators=(",", ":"))


def parse_game(line: str) -> SeenGame:
    found = json.loads(line)
    return SeenGame(
        tuple(found["winners"]),
        [
            {seat: dict(zip(SEEN, numbers, strict=True)) for seat, *numbers in position}
            for position in found["positions"]
        ],
    )


def spread(sight: Sight) -> list[float]:
    """Return the inputs of the fit.

    Each step of a number is an input, so that neighbours differ little; each name is one, too.
    """
    inputs: list[float] = []
    for kind, size in STEPPED.items():
        inputs += [float(number < sight[kind]) for number in range(size - 1)]
    for kind, size in NAMED.items():
        inputs += [float(name == sight[kind]) for name in range(size)]
    return [*inputs, *(sight[amount] for amount in AMOUNTS)]


SEEN = (*STEPPED, *NAMED, *AMOUNTS)
INPUTS = sum(size - 1 for size in STEPPED.values()) + sum(NAMED.values()) + len(AMOUNTS)


class Lessons(NamedTuple):
    """All positions of some games, in the order of play."""

    inputs: npt.NDArray[np.float16]
    """By position, seat and input; 0 for a monster that is out."""
    lives: npt.NDArray[np.bool_]
    """By position and seat."""
    wins: Array
    """By position and seat: its share of the victory."""
    games: npt.NDArray[np.int64]
    """By position: the number of the game."""

    def choose(self, which: npt.NDArray[np.bool_] | npt.NDArray[np.int64]) -> Lessons:
        """Return some of the positions, chosen by a mask or by their indices."""
        return Lessons(self.inputs[which], self.lives[which], self.wins[which], self.games[which])


def read_lessons(games: Iterable[SeenGame]) -> Lessons:
    """Return the lessons of the games, without positions in which no winner lives."""
    inputs, lives, wins, numbers = [], [], [], []
    for number, game in enumerate(games):
        for position in game.positions:
            if not position.keys() & set(game.winners):
                continue
            seen = np.zeros((MOST_SEATS, INPUTS), np.float16)
            for seat, sight in position.items():
                seen[seat] = spread(sight)
            won = [seat in game.winners and seat in position for seat in range(MOST_SEATS)]
            inputs.append(seen)
            lives.append([seat in position for seat in range(MOST_SEATS)])
            wins.append([float(share) / sum(won) for share in won])
            numbers.append(number)
    return Lessons(np.array(inputs), np.array(lives), np.array(wins, np.float32), np.array(numbers))


@dataclass(slots=True)
class Fit:
    """A network while it learns, with the moments of Adam (Kingma and Ba, 2015)."""

    parts: list[Array]
    """From the inputs to the hidden layer, its bias, and from there to the standing."""
    _means: list[Array]
    _squares: list[Array]
    _steps: int = 0

    @staticmethod
    def begin(chance: np.random.Generator) -> Fit:
        first = chance.normal(0, 0.5 / np.sqrt(INPUTS), (INPUTS, HIDDEN))
        last = chance.normal(0, 0.5 / np.sqrt(HIDDEN), HIDDEN)
        parts = [p.astype(np.float32) for p in (first, np.zeros(HIDDEN), last)]
        return Fit(parts, [np.zeros_like(p) for p in parts], [np.zeros_like(p) for p in parts])

    def chances(self, lessons: Lessons) -> Array:
        """Return the chances by position and seat."""
        whole = [
            self._think(
                lessons.inputs[i : i + BATCH].astype(np.float32), lessons.lives[i : i + BATCH]
            )[1]
            for i in range(0, len(lessons.games), BATCH)
        ]
        return np.concatenate(whole)

    def _think(self, inputs: Array, lives: npt.NDArray[np.bool_]) -> tuple[Array, Array]:
        first, bias, last = self.parts
        hidden = np.maximum(inputs @ first + bias, 0)
        standings = np.where(lives, hidden @ last, -np.inf)
        shares = np.exp(standings - standings.max(axis=1, keepdims=True))
        return hidden, (shares / shares.sum(axis=1, keepdims=True)).astype(np.float32)

    def learn(self, inputs: Array, lives: npt.NDArray[np.bool_], aims: Array) -> None:
        """Take a step towards chances that are like `aims`."""
        hidden, chances = self._think(inputs, lives)
        wrong = (chances - aims) / len(aims)
        back = wrong[..., np.newaxis] * self.parts[2] * (hidden > 0)
        flat = back.reshape(-1, HIDDEN)
        slopes = [
            inputs.reshape(-1, INPUTS).T @ flat,
            flat.sum(axis=0),
            np.tensordot(wrong, hidden, axes=([0, 1], [0, 1])),
        ]
        self._steps += 1
        for i, slope in enumerate(slopes):
            self._means[i] = 0.9 * self._means[i] + 0.1 * slope
            self._squares[i] = 0.999 * self._squares[i] + 0.001 * slope**2
            mean = self._means[i] / (1 - 0.9**self._steps)
            square = self._squares[i] / (1 - 0.999**self._steps)
            step = mean / (np.sqrt(square) + 1e-8) + DECAY * self.parts[i]
            self.parts[i] = (self.parts[i] - RATE * step).astype(np.float32)


def loss(chances: Array, wins: Array) -> float:
    """Return the mean of minus the logarithm of the chance that the winner was given."""
    return float(-(wins * np.log(np.maximum(chances, 1e-9))).sum(axis=1).mean())


def fit(lessons: Lessons, seed: int = 1) -> tuple[Fit, list[float]]:
    """Return the network, and its loss on the games held back after each round."""
    chance = np.random.default_rng(seed)
    held_back = lessons.games % HELD_BACK == HELD_BACK - 1
    aims = lessons.wins
    losses = []
    best = Fit.begin(chance)
    for _ in range(ROUNDS):
        best, found = _fit_round(lessons, aims, held_back, chance)
        losses.append(found)
        aims = look_ahead(lessons, best.chances(lessons))
    return best, losses


def look_ahead(lessons: Lessons, chances: Array) -> Array:
    """Return aims by position and seat: a mean of the next turns, and of who has won."""
    aims = lessons.wins.copy()
    for i in range(len(aims) - 2, -1, -1):
        if lessons.games[i] == lessons.games[i + 1]:
            aims[i] = LASTING * aims[i + 1] + (1 - LASTING) * chances[i + 1]
    return aims


def _fit_round(
    lessons: Lessons, aims: Array, held_back: npt.NDArray[np.bool_], chance: np.random.Generator
) -> tuple[Fit, float]:
    learner = Fit.begin(chance)
    judged = lessons.choose(held_back)
    best, least, idle = [p.copy() for p in learner.parts], np.inf, 0
    for _ in range(MOST_EPOCHS):
        order = chance.permutation(np.flatnonzero(~held_back))
        for i in range(0, len(order), BATCH):
            some = order[i : i + BATCH]
            learner.learn(lessons.inputs[some].astype(np.float32), lessons.lives[some], aims[some])
        found = loss(learner.chances(judged), judged.wins)
        idle += 1
        if found < least:
            best, least, idle = [p.copy() for p in learner.parts], found, 0
        if idle == PATIENCE:
            break
    learner.parts = best
    return learner, float(least)


def join_units(parts: Sequence[Array], lessons: Lessons) -> list[Array]:
    """Return the parts with one unit for all of one sign that no lesson turns off: they add up."""
    first, bias, last = parts
    on = (lessons.inputs[lessons.lives].astype(np.float32) @ first + bias > 0).all(axis=0)
    joint, weights = np.eye(len(last), dtype=np.float32)[:, ~on], last[~on]
    for sign in (np.float32(1), np.float32(-1)):
        shares = np.where(on, np.maximum(sign * last, 0), 0)
        if shares.any():
            joint, weights = np.column_stack([joint, shares]), np.append(weights, sign)
    return [first @ joint, bias @ joint, weights]


def pack_network(parts: Sequence[Array]) -> str:
    """Return the network in the form that `kotp2p.extras.bots.learned` reads."""
    rows, bias, weights = parts
    tables, at = dict[str, object](), 0
    for kind, size in STEPPED.items():
        steps = rows[at : at + size - 1].cumsum(axis=0)
        tables[kind] = _rounded(np.insert(steps, 0, 0, axis=0))
        at += size - 1
    for kind, size in NAMED.items():
        own_bias = bias if kind == "monsters" else 0  # one of its rows is always added
        tables[kind] = _rounded(rows[at : at + size] + own_bias)
        at += size
    amounts = dict(zip(AMOUNTS, _rounded(rows[at:]), strict=True))
    network = {"tables": tables, "amounts": amounts, "weights": _rounded(weights)}
    return json.dumps(network, separators=(",", ":")) + "\n"


def _rounded(array: npt.NDArray[np.floating]) -> list[object]:
    return list(np.round(array.astype(float), DECIMALS).tolist())


def _play_games(
    level: str, seats: int, numbers: Iterable[int], jobs: int, cluster: str | None
) -> Iterator[SeenGame]:
    with open_executor(jobs, cluster) as workers:
        futures = [workers.executor.submit(see_game, level, seats, n) for n in numbers]
        for future in futures:
            yield future.result()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.learning", description=__doc__)
    commands = parser.add_subparsers(required=True, dest="command")
    games = commands.add_parser("games", help="play games, and write down what is seen")
    games.add_argument("--games", type=int, default=2000)
    games.add_argument("--first", type=int, default=0, help="the number of the first game (0)")
    games.add_argument("--seats", type=int, default=4)
    games.add_argument("--level", default="normal")
    games.add_argument("--jobs", type=int, default=count_cores())
    games.add_argument("--dask", help="the address of a Dask scheduler, in place of --jobs")
    games.add_argument("--out", type=Path, required=True)
    fitting = commands.add_parser("fit", help="find the network")
    fitting.add_argument("seen", nargs="+", type=Path, help="files written by `games`")
    fitting.add_argument("--out", type=Path, default=Path("kotp2p/extras/bots/learned.json"))
    given = parser.parse_args()
    if given.command == "games":
        numbers = range(given.first, given.first + given.games)
        with given.out.open("w") as file:
            for game in _play_games(given.level, given.seats, numbers, given.jobs, given.dask):
                print(pack_game(game), file=file, flush=True)
        return
    lessons = read_lessons(
        parse_game(line) for path in given.seen for line in path.read_text().splitlines()
    )
    learner, losses = fit(lessons)
    given.out.write_text(pack_network(join_units(learner.parts, lessons)))
    print(f"{len(lessons.games)} positions; loss after each round: {losses}")


if __name__ == "__main__":
    main()
