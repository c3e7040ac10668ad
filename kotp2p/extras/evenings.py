"""Sums over games that people have played: wins, lengths, cards, and dice against chance.

Wins are counted by player, monster and rule set.

Scope: facts in, counts out. Only whole and sound logs count, and each game once, however many
copies of its log there are. Not here: the words (`cli.extras.evenings`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import erfc, exp, pi, sqrt

from kotp2p.game.recording import LogFacts, PlayerFacts
from kotp2p.referee.model.answers import Face, Seat

FAIR = 1 / len(Face)
NORMAL_QUANTILE = 1.959964
"""Of the normal distribution: 95 of 100 values lie within this many standard deviations."""


@dataclass(frozen=True, slots=True)
class Rate:
    """The share of games that were won; a shared victory counts by its share."""

    won: Fraction
    of: int
    chance: float
    """The share by chance alone."""

    @property
    def share(self) -> float:
        return float(self.won / self.of) if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95 % interval of Wilson, which stays between 0 and 1."""
        if not self.of:
            return 0.0, 1.0
        n, z = self.of, NORMAL_QUANTILE
        middle = (self.share + z * z / (2 * n)) / (1 + z * z / n)
        spread = z * sqrt(self.share * (1 - self.share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        return max(0.0, middle - spread), min(1.0, middle + spread)


@dataclass(frozen=True, slots=True)
class Wins:
    name: str
    rate: Rate
    """`of` counts games, or seats in games."""
    by_points: Fraction = Fraction()
    """Of the wins, those with enough points."""
    key: str = ""
    """Of a person, in hexadecimal; empty for what has none."""


@dataclass(frozen=True, slots=True)
class Length:
    """The games of one rule set."""

    rules: str
    turns: tuple[int, ...]
    """Of each game, ascending."""
    by_points: int
    """The number of games won with enough points."""

    @property
    def mean(self) -> float:
        return sum(self.turns) / len(self.turns)


@dataclass(frozen=True, slots=True)
class Dice:
    """How often each face was rolled, held against chance by the chi-square test of Pearson."""

    name: str
    faces: tuple[int, ...]
    key: str = ""

    @property
    def rolled(self) -> int:
        return sum(self.faces)

    @property
    def chi_square(self) -> float:
        """Return chi-square with five degrees of freedom; 0 if all faces came equally often."""
        if not self.rolled:
            return 0.0
        fair = self.rolled * FAIR
        return sum((count - fair) ** 2 / fair for count in self.faces)

    @property
    def p_value(self) -> float:
        """Return the probability that fair dice differ from equal counts at least as much."""
        return chi_square_tail_5(self.chi_square)


def chi_square_tail_5(x: float) -> float:
    """Return the probability that a chi-square variable is at least `x`.

    It has five degrees of freedom; the form is closed.
    """
    return erfc(sqrt(x / 2)) + sqrt(2 * x / pi) * exp(-x / 2) * (1 + x / 3)


@dataclass(frozen=True, slots=True)
class Evenings:
    games: int
    copies: int
    """Logs that tell a game once more."""
    without_winner: int
    players: tuple[Wins, ...]
    """All bots together first; then people by their keys, the one with most games first."""
    monsters: tuple[Wins, ...]
    lengths: tuple[Length, ...]
    cards: tuple[Wins, ...]
    """`of` counts the seats that have bought the card in a game, each once."""
    dice: Dice
    dice_of_players: tuple[Dice, ...]


BOTS = "bots"
"""What stands for all bots."""


def sum_up_evenings(logs: Iterable[LogFacts]) -> Evenings:
    by_game: dict[str, LogFacts] = {}
    copies = 0
    for facts in logs:
        if facts.is_counted:
            copies += facts.game in by_game
            by_game.setdefault(facts.game, facts)
    games = list(by_game.values())
    names = _names_by_key(games)
    people = _count_wins(games, lambda player: [] if player.bot else [player.key])
    bots = _count_wins(games, lambda player: [BOTS] if player.bot else [])
    dice = _count_dice(games, names)
    return Evenings(
        len(games),
        copies,
        sum(not facts.winners for facts in games),
        tuple(
            Wins(names.get(one.name, one.name), one.rate, one.by_points,
                 one.name if one.name in names else "")
            for one in (*bots, *people)
        ),
        _count_wins(games, lambda player: [player.monster]),
        _count_lengths(games),
        _count_wins(games, lambda player: sorted(set(player.bought))),
        Dice("", _add_faces(one.faces for one in dice)),
        dice,
    )  # fmt: skip


def _names_by_key(games: Sequence[LogFacts]) -> dict[str, str]:
    """Return the name that the owner of each key had in the last of the games."""
    return {
        player.key: player.name for facts in games for player in facts.players if not player.bot
    }


def _count_wins(
    games: Sequence[LogFacts], groups_of: Callable[[PlayerFacts], Sequence[str]]
) -> tuple[Wins, ...]:
    """Count how often the seats of each group have won; the largest group comes first.

    Chance gives each seat of a game the same part of it.
    """
    won: dict[str, Fraction] = {}
    by_points: dict[str, Fraction] = {}
    chance: dict[str, Fraction] = {}
    seats = Counter[str]()
    for facts in games:
        for seat, player in enumerate(facts.players):
            for group in groups_of(player):
                part = _share(facts, seat)
                seats[group] += 1
                chance[group] = chance.get(group, Fraction()) + Fraction(1, len(facts.players))
                won[group] = won.get(group, Fraction()) + part
                by_points[group] = by_points.get(group, Fraction()) + part * facts.by_points
    return tuple(
        Wins(name, Rate(won[name], of, float(chance[name] / of)), by_points[name])
        for name, of in sorted(seats.items(), key=lambda item: (-item[1], item[0]))
    )


def _share(facts: LogFacts, seat: Seat) -> Fraction:
    winners = facts.winners or ()
    return Fraction(1, len(winners)) if seat in winners else Fraction()


def _count_lengths(games: Sequence[LogFacts]) -> tuple[Length, ...]:
    found = []
    for rules in sorted({facts.rules for facts in games}):
        of_rules = [facts for facts in games if facts.rules == rules]
        turns = tuple(sorted(facts.turns for facts in of_rules))
        found.append(Length(rules, turns, sum(facts.by_points for facts in of_rules)))
    return tuple(found)


def _count_dice(games: Sequence[LogFacts], names: dict[str, str]) -> tuple[Dice, ...]:
    found: dict[str, list[tuple[int, ...]]] = {}
    for facts in games:
        for player in facts.players:
            found.setdefault(BOTS if player.bot else player.key, []).append(player.dice)
    counted = [
        Dice(names.get(key, key), _add_faces(rolled), key if key in names else "")
        for key, rolled in found.items()
    ]
    return tuple(sorted(counted, key=lambda one: (one.key != "", -one.rolled, one.name)))


def _add_faces(rolled: Iterable[Sequence[int]]) -> tuple[int, ...]:
    total = [0] * len(Face)
    for faces in rolled:
        for face, count in enumerate(faces):
            total[face] += count
    return tuple(total)
