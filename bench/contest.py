"""A contest of bots, and its games on any executor.

Scope: values that can be sent to another process, and one function that plays a game by its number.
Everything in a game follows from the contest and that number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass

from bench.whole_game import Player, play
from kotp2p.extras.bots import LEVELS, Noise, choose
from kotp2p.referee.box.rulesets import RULE_SETS, Setup
from kotp2p.referee.game import Game
from kotp2p.referee.model.answers import Answer, Item, Seat
from kotp2p.referee.model.decisions import Decision
from kotp2p.referee.model.events import CardBought, Event, TurnStarted

Chooser = Callable[[Game, Decision, Noise, Item | None], Answer]
"""The answer of a bot to a decision. It has a name in a module, as other processes look it up."""


@dataclass(frozen=True, slots=True)
class Level:
    """A level of `kotp2p.extras.bots` as a `Chooser`."""

    name: str

    def __call__(self, game: Game, decision: Decision, noise: Noise, top: Item | None) -> Answer:
        return choose(self.name, game, decision, noise, top)


@dataclass(frozen=True, slots=True)
class Contender:
    name: str
    """Contenders of one name count together."""
    chooser: Chooser


@dataclass(frozen=True, slots=True)
class Contest:
    rules: str
    contenders: tuple[Contender, ...]
    seed: int


@dataclass(frozen=True, slots=True)
class GameResult:
    number: int
    winners: tuple[Seat, ...]
    """More than one for a shared victory, none if no monster is left."""
    first: Seat
    """The seat that began."""
    turns: int
    bought: tuple[tuple[str, ...], ...]
    """The names of the cards that each seat bought, in order."""


def contender_of_level(level: str) -> Contender:
    """Return the contender of a level; raise ValueError for an unknown level."""
    if level not in LEVELS:
        raise ValueError(f"no bot plays at level {level!r}; there are {', '.join(LEVELS)}")
    return Contender(level, Level(level))


def contender_at(contest: Contest, number: int, seat: Seat) -> int:
    """Return the index of the contender at `seat` in a game; they move on by one seat."""
    return (seat + number) % len(contest.contenders)


def play_game(contest: Contest, number: int) -> GameResult:
    rules = RULE_SETS[contest.rules]
    seats = len(contest.contenders)
    key = f"{contest.rules} {contest.seed} {number}".encode()
    first: list[Seat] = []
    bought: list[list[str]] = [[] for _ in range(seats)]
    deck = rules.deck()

    def hear(events: Sequence[Event]) -> None:
        first.extend(event.seat for event in events if isinstance(event, TurnStarted))
        for event in events:
            if isinstance(event, CardBought):
                bought[event.seat].append(deck[event.card].name)

    players = [
        player_of(
            contest.contenders[contender_at(contest, number, seat)], Noise(key, bytes([seat]))
        )
        for seat in range(seats)
    ]
    played = play(Setup(rules, seats, deck), players, Noise(key), listener=hear)
    return GameResult(
        number, played.winners, first[0], played.game.state.turn, tuple(map(tuple, bought))
    )


def player_of(contender: Contender, noise: Noise) -> Player:
    def answer(game: Game, decision: Decision, top: Item | None) -> Answer:
        return contender.chooser(game, decision, noise, top)

    return answer


def play_games(
    contest: Contest, numbers: Iterable[int], executor: Executor, at_once: int
) -> Iterator[GameResult]:
    """Yield the results in the order in which they come; hand out at most `at_once` games.

    An error of a game or of the executor is raised here.
    """
    left = iter(numbers)
    running: set[Future[GameResult]] = set()
    while True:
        for number in left:
            running.add(executor.submit(play_game, contest, number))
            if len(running) >= at_once:
                break
        if not running:
            return
        done, running = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()
