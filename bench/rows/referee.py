"""The referee against python-chess, the rules engine that its users call fast enough.

Scope: an input here and a ply there are each one move, checked and made. Both pick at random with
the same generator. By time, and by instructions, which no other program on the machine changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from itertools import count
from random import Random
from typing import Any

from bench.clock import cpu_of, timed
from bench.instructions import count_work
from bench.program import Program, Referee
from bench.row import Missing, Row, Sample, Samples

GAMES = 12
"""In a repetition."""
GAMES_TO_A_BOARD = 3
DIGESTS = 20
"""Of each position."""
HASHES = 2_000


class Quick:
    """Numbers that cost little, so that the referee is measured and not the dice."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed).random

    def below(self, bound: int) -> int:
        return int(self._random() * bound)

    def percent(self, chance: int) -> bool:
        return self._random() * 100 < chance

    def draw(self, draws: Sequence[Any]) -> tuple[int, ...]:
        """Return a value below the size of each draw."""
        random = self._random
        return tuple([int(random() * one.size) for one in draws])

    def shuffle(self, members: Sequence[Any]) -> tuple[Any, ...]:
        random = self._random
        return tuple(sorted(members, key=lambda _: random()))


@dataclass(slots=True)
class RandomGame:
    """A legal game of four seats that answer at random."""

    referee: Referee
    seed: int

    def play(self, *, has_digests: bool, kept: list[Any] | None = None) -> int:
        """Play a game and return the number of its inputs, which are appended to `kept`."""
        game, noise = self.referee.new_game(), Quick(self.seed)
        top, turn, inputs = None, 0, 0
        while not isinstance(pending := game.pending, self.referee.over):
            if not game.state.seen_by:
                top = None
            given, top = self._input(game, pending, noise, top)
            game.submit(given)
            inputs += 1
            if kept is not None:
                kept.append(given)
            if has_digests and game.state.turn != turn:
                turn = game.state.turn
                game.digest()
        return inputs

    def _input(self, game: Any, pending: Any, noise: Quick, top: Any) -> tuple[Any, Any]:
        """Return the next input, and the top card if a seat knows it."""
        referee = self.referee
        if not isinstance(pending, referee.chance):
            return referee.answered(pending.seat, self._answer(pending, noise)), top
        if pending.kind is referee.look:
            undrawn = game.state.undrawn
            seen = undrawn[noise.below(len(undrawn))] if top is None else top
            return referee.looked(0, pending.seat), seen
        return referee.drawn(_draw(pending, noise, top)), top

    def _answer(self, decision: Any, noise: Quick) -> Any:
        """Return a random answer, without listing all answers where there are many."""
        referee = self.referee
        is_roll = isinstance(decision, referee.roll_decision)
        if is_roll and decision.rolls_left and noise.percent(70):
            dice = _positions_in(noise.below(1 << len(decision.dice)))
            return referee.reroll(dice) if dice else decision.default
        if is_roll and not decision.uses:
            return decision.default
        if isinstance(decision, referee.order_decision):
            return referee.order(noise.shuffle(decision.groups))
        answers = referee.legal_answers(decision)
        return answers[noise.below(len(answers))]


@cache
def _positions_in(subset: int) -> tuple[int, ...]:
    """Return the dice of a subset, whose bits are the dice."""
    return tuple(i for i in range(subset.bit_length()) if subset >> i & 1)


def _draw(chance: Any, noise: Quick, top: Any) -> tuple[int, ...]:
    """Return a fair outcome; the first undrawn card is `top` if a seat has seen it."""
    if not chance.piles:
        return noise.draw(chance.draws)
    values: list[int] = []
    taken: set[tuple[int, int]] = set()
    for one in chance.draws:
        value = noise.below(one.size)
        if one.pool >= 0:  # of a pile, in which each card lies once
            if one.pool == 0 and top is not None and top in chance.piles[0] and not taken:
                value = chance.piles[0].index(top)
            while (one.pool, value) in taken:
                value = noise.below(one.size)
            taken.add((one.pool, value))
        values.append(value)
    return tuple(values)


def play_chess(seed: int) -> int:
    """Play one random game and return the number of plies."""
    try:
        import chess
    except ImportError:
        raise Missing("python-chess is not installed") from None
    noise, board, plies = Quick(seed), chess.Board(), 0
    while not board.is_game_over():
        moves = list(board.legal_moves)
        board.push(moves[noise.below(len(moves))])
        plies += 1
    return plies


@dataclass(slots=True)
class Tally:
    """Moves of both games, played in turn."""

    inputs: int = 0
    inputs_cpu: float = 0.0
    plies: int = 0
    plies_cpu: float = 0.0

    def play_board(self, seed: int) -> None:
        plies, spent = timed(partial(play_chess, seed))
        self.plies += plies
        self.plies_cpu += spent

    def sample(self) -> Sample:
        return Sample(
            (self.inputs / self.inputs_cpu) / (self.plies / self.plies_cpu),
            {"inputs": self.inputs, "inputs_s": self.inputs_cpu, "plies": self.plies,
             "plies_s": self.plies_cpu},
        )  # fmt: skip


def measure_players(program: Program, tiny: bool) -> Samples:
    """Measure players who look at their options, and a digest in each turn."""
    referee = program.referee()
    play_chess(0)  # imports it
    for rounds in count():
        tally = Tally()
        for seed in _seeds(rounds, tiny):
            play = partial(RandomGame(referee, seed).play, has_digests=True)
            inputs, spent = timed(play)
            tally.inputs += inputs
            tally.inputs_cpu += spent
            if seed % GAMES_TO_A_BOARD == 0:
                tally.play_board(seed)
        yield tally.sample()


def measure_alone(program: Program, tiny: bool) -> Samples:
    """Measure inputs that were recorded before."""
    referee = program.referee()
    play_chess(0)  # imports it
    for rounds in count():
        tally = Tally()
        for seed in _seeds(rounds, tiny):
            kept: list[Any] = []
            RandomGame(referee, seed).play(has_digests=False, kept=kept)
            tally.inputs += len(kept)
            tally.inputs_cpu += cpu_of(partial(_submit, referee.new_game(), kept))
            if seed % GAMES_TO_A_BOARD == 0:
                tally.play_board(seed)
        yield tally.sample()


def _record_games(program: Program, tiny: bool) -> Callable[[], int]:
    referee, games = program.referee(), list[list[Any]]()
    for seed in _seeds(0, tiny):
        games.append([])
        RandomGame(referee, seed).play(has_digests=False, kept=games[-1])

    def submit_all() -> int:
        for kept in games:
            _submit(referee.new_game(), kept)
        return sum(map(len, games))

    return submit_all


def _prepare_players(program: Program, tiny: bool) -> Callable[[], int]:
    referee = program.referee()

    def play() -> int:
        games = (RandomGame(referee, seed) for seed in _seeds(0, tiny))
        return sum(game.play(has_digests=True) for game in games)

    return play


def _prepare_boards(program: Program, tiny: bool) -> Callable[[], int]:
    play_chess(0)  # imports it
    boards = [seed for seed in _seeds(0, tiny) if seed % GAMES_TO_A_BOARD == 0]
    return lambda: sum(map(play_chess, boards))


INPUTS, PLAYERS, PLIES = "inputs", "inputs with players", "plies"
COUNTED_WORK = {INPUTS: _record_games, PLAYERS: _prepare_players, PLIES: _prepare_boards}
"""By name, what prepares it; that returns what is repeated, which returns its number of moves."""


def measure_instructions(work: str, program: Program, tiny: bool) -> Samples:
    """Measure the instructions of the games of the first repetition."""
    while True:
        ours, theirs = (count_work(one, program.tree, tiny=tiny) for one in (work, PLIES))
        yield Sample(
            theirs.for_each / ours.for_each,
            {"input_instructions": ours.for_each, "ply_instructions": theirs.for_each},
        )


def _seeds(rounds: int, tiny: bool) -> range:
    return range(1) if tiny else range(rounds * GAMES, (rounds + 1) * GAMES)


def _submit(game: Any, inputs: list[Any]) -> None:
    for given in inputs:
        game.submit(given)


def measure_digest(program: Program, tiny: bool) -> Samples:
    """Measure the digest of the position at each turn of one game."""
    referee = program.referee()
    kept: list[Any] = []
    RandomGame(referee, 1).play(has_digests=False, kept=kept)
    while True:
        game, turn, turns, digested, hashed = referee.new_game(), 0, 0, 0.0, 0.0
        for given in kept:
            game.submit(given)
            if game.state.turn != turn:
                turn, turns = game.state.turn, turns + 1
                digested += cpu_of(partial(_digest, game))
                hashed += cpu_of(_hash)
            if tiny and turns == 2:
                break
        one, other = digested / (DIGESTS * turns), hashed / (HASHES * turns)
        yield Sample(one / other, {"digest_us": one * 1e6, "sha256_us": other * 1e6})


def _digest(game: Any) -> None:
    for _ in range(DIGESTS):
        game.digest()


def _hash() -> None:
    block = bytes(64)
    for _ in range(HASHES):
        sha256(block).digest()


REFEREE_ROWS = (
    Row("rules.alone", "inputs to the referee alone, four seats", "× plies of python-chess",
        measure_alone, 5.4, is_floor=True, aim=7.0),
    Row("rules.alone-counted", "inputs to the referee alone, by instructions",
        "× plies of python-chess", partial(measure_instructions, INPUTS), 5.0, is_floor=True,
        repetitions=1),
    Row("rules.players", "inputs with players and digests", "× plies of python-chess",
        measure_players, 3.6, is_floor=True, aim=4.5),
    Row("rules.players-counted", "inputs with players and digests, by instructions",
        "× plies of python-chess", partial(measure_instructions, PLAYERS), 3.5, is_floor=True,
        repetitions=1),
    Row("rules.digest", "the digest of a position", "× SHA-256 of 64 bytes", measure_digest,
        12.0),
)  # fmt: skip
