"""What the games of a contest show: wins with intervals, by bot, by turn order and by card.

Scope: sums over results. They do not depend on the order of the results.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from bench.contest import Contest, GameResult, contender_at
from kotp2p.cli.extras.games import evenings
from kotp2p.referee.model.answers import Seat

NORMAL_QUANTILE = 1.959964
"""Of the normal distribution: 95 of 100 values lie within this many standard deviations."""
HEADINGS = ("wins", "95 % interval", "chance")


class Rate(evenings.Rate):
    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95 % interval of Wilson, which stays between 0 and 1."""
        if not self.of:
            return 0.0, 1.0
        n, z = self.of, NORMAL_QUANTILE
        middle = (self.share + z * z / (2 * n)) / (1 + z * z / n)
        spread = z * sqrt(self.share * (1 - self.share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        return max(0.0, middle - spread), min(1.0, middle + spread)

    def cells(self) -> Iterator[str]:
        """Yield the share, its interval and that of chance, under `HEADINGS`."""
        low, high = self.interval
        yield f"{self.share:.1%}"
        yield f"{low:.1%} to {high:.1%}"
        yield f"{self.chance:.1%}"


@dataclass(frozen=True, slots=True)
class ContenderStanding:
    name: str
    seats: int
    """Contenders of this name at the table."""
    wins: Rate
    """Games that one of them won."""
    purchases: float
    """A game, by each of them."""


@dataclass(frozen=True, slots=True)
class CardStanding:
    name: str
    wins: Rate
    """`of` counts the seats that bought it in a game, each once."""


@dataclass(frozen=True, slots=True)
class Standings:
    games: int
    turns: float
    """A game."""
    purchases: float
    """A game, by all seats."""
    shared: int
    """Games with more than one winner."""
    without_winner: int
    contenders: tuple[ContenderStanding, ...]
    """In the order of the contest, each name once."""
    places: tuple[Rate, ...]
    """By place in the turn order, the seat that began first."""
    cards: tuple[CardStanding, ...]
    """The card bought most often first."""


def sum_up(contest: Contest, results: Iterable[GameResult]) -> Standings:
    games = sorted(results, key=lambda result: result.number)
    seats = len(contest.contenders)
    count = len(games)
    return Standings(
        games=count,
        turns=_mean([game.turns for game in games]),
        purchases=_mean([sum(map(len, game.bought)) for game in games]),
        shared=sum(len(game.winners) > 1 for game in games),
        without_winner=sum(not game.winners for game in games),
        contenders=_sum_contenders(contest, games),
        places=tuple(
            Rate(sum((_won(g, (g.first + place) % seats) for g in games), Fraction()), count,
                 1 / seats)
            for place in range(seats)
        ),
        cards=_sum_cards(seats, games),
    )  # fmt: skip


def _sum_contenders(contest: Contest, games: Sequence[GameResult]) -> tuple[ContenderStanding, ...]:
    names = [contender.name for contender in contest.contenders]
    won: dict[str, Fraction] = dict.fromkeys(names, Fraction())
    bought = Counter[str]()
    for game in games:
        for seat in range(len(names)):
            name = names[contender_at(contest, game.number, seat)]
            won[name] += _won(game, seat)
            bought[name] += len(game.bought[seat])
    count = len(games)
    return tuple(
        ContenderStanding(
            name,
            names.count(name),
            Rate(won[name], count, names.count(name) / len(names)),
            bought[name] / (count * names.count(name)) if count else 0.0,
        )
        for name in dict.fromkeys(names)
    )


def _sum_cards(seats: int, games: Sequence[GameResult]) -> tuple[CardStanding, ...]:
    owners = Counter[str]()
    won: dict[str, Fraction] = {}
    for game in games:
        for seat, names in enumerate(game.bought):
            for name in set(names):
                owners[name] += 1
                won[name] = won.get(name, Fraction()) + _won(game, seat)
    found = [CardStanding(name, Rate(won[name], owners[name], 1 / seats)) for name in owners]
    return tuple(sorted(found, key=lambda card: (-card.wins.of, card.name)))


def _won(game: GameResult, seat: Seat) -> Fraction:
    return Fraction(1, len(game.winners)) if seat in game.winners else Fraction()


def _mean(numbers: Sequence[int]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0
