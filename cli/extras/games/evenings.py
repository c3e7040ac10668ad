"""What the games of a club have shown: sums, as tables and as an object.

A module of its own, as `bench` counts with it, too. Wins are counted by player and monster, and by
card; the dice are held against chance. Only whole and sound logs count, and each game once, however
many copies of its log there are.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import erfc, exp, pi, sqrt

from kotp2p.cli.text.i18n import _, decimal, line_width, number, plural
from kotp2p.cli.text.names import face as face_name
from kotp2p.extras.recording import LogFacts, PlayerFacts
from kotp2p.referee.model.answers import Face, Seat

# -- sums ------------------------------------------------------------------------------------


FAIR = 1 / len(Face)
NORMAL_QUANTILE = 1.959964
"""Of the normal distribution: 95 of 100 values lie within this many standard deviations."""


@dataclass(frozen=True, slots=True)
class Rate:
    """The share of games that were won; a shared victory counts by its share."""

    won: Fraction
    of: int
    chance: float

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
    """Return the probability of at least `x` with five degrees of freedom, in closed form."""
    return erfc(sqrt(x / 2)) + sqrt(2 * x / pi) * exp(-x / 2) * (1 + x / 3)


@dataclass(frozen=True, slots=True)
class Evenings:
    games: int
    copies: int
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
    return {
        player.key: player.name for facts in games for player in facts.players if not player.bot
    }


def _count_wins(
    games: Sequence[LogFacts], groups_of: Callable[[PlayerFacts], Sequence[str]]
) -> tuple[Wins, ...]:
    """Count the wins of each group, the largest first; chance gives each seat the same part."""
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


# -- for people ------------------------------------------------------------------------------


MAX_ROWS = 12
VERSION = 1
"""The version of the object. docs/FORMATS.md says when it rises."""


def describe_evenings(found: Evenings) -> Iterator[str]:
    yield from describe_counted(found)
    for heading, wins in (
        (_("player"), call_players(found.players)),
        (_("monster"), [(one.name, one) for one in found.monsters]),
        (_("bought card"), [(one.name, one) for one in found.cards]),
    ):
        if wins:
            yield ""
            yield from _list_wins(heading, wins[:MAX_ROWS])
        if len(wins) > MAX_ROWS:
            yield describe_others(len(wins) - MAX_ROWS)
    yield ""
    for length in found.lengths:
        yield describe_length(length)
    if found.dice.rolled:
        yield ""
        yield from _describe_dice(found.dice)


def describe_others(count: int) -> str:
    return plural("{n} more stands less often in games; --json has all.",
                  "{n} more stand less often in games; --json has all.", count)  # fmt: skip


def describe_counted(found: Evenings) -> Iterator[str]:
    yield plural("{n} game.", "{n} games.", found.games)
    if found.copies:
        yield plural("{n} log is a further copy, and does not count.",
                     "{n} logs are further copies, and do not count.", found.copies)  # fmt: skip
    if found.without_winner:
        yield plural("{n} game ended without a winner.", "{n} games ended without a winner.",
                     found.without_winner)  # fmt: skip


def call_players(wins: Sequence[Wins]) -> list[tuple[str, Wins]]:
    """Return the players as a table calls them, with part of the key where names are the same."""
    of_name = Counter(one.name for one in wins if one.key)
    return [
        (_call_player(one, is_alone=of_name[one.name] == 1) if one.key else _("all bots"), one)
        for one in wins
    ]


def _call_player(one: Wins, *, is_alone: bool) -> str:
    return one.name if is_alone else _("{name} (key {key})", name=one.name, key=one.key[:8])


def _list_wins(heading: str, wins: Sequence[tuple[str, Wins]]) -> list[str]:
    headings = [heading, _("times"), *rate_headings()]
    rows = [[name, number(one.rate.of), *rate_cells(one.rate)] for name, one in wins]
    return align_rows([headings, *rows])


def describe_length(length: Length) -> str:
    return plural(
        "Rule set {rules}: {n} game, {points} won by points; {least} to {most} turns, {mean} on "
        "average.",
        "Rule set {rules}: {n} games, {points} won by points; {least} to {most} turns, {mean} on "
        "average.",
        len(length.turns),
        rules=length.rules,
        points=length.by_points,
        least=length.turns[0],
        most=length.turns[-1],
        mean=decimal(length.mean, 1),
    )


def _describe_dice(dice: Dice) -> Iterator[str]:
    rows = [
        [face_name(face), number(int(rate.won)), *rate_cells(rate)]
        for face, rate in list_face_rates(dice)
    ]
    headings = [_("face"), _("rolled"), _("share"), _("95 % interval"), _("chance")]
    yield from align_rows([headings, *rows])
    yield describe_dice_test(dice)


def describe_dice_test(dice: Dice) -> str:
    return _(
        "{name}: {n} dice, chi-square {value}. Fair dice are at least as uneven in {share} of all "
        "cases.",
        name=_("All dice together"),
        n=dice.rolled,
        value=decimal(dice.chi_square, 2),
        share=percent(dice.p_value),
    )


def list_face_rates(dice: Dice) -> list[tuple[Face, Rate]]:
    return [(face, Rate(Fraction(dice.faces[face]), dice.rolled, FAIR)) for face in Face]


# -- for programs ----------------------------------------------------------------------------


def evenings_as_object(found: Evenings) -> dict[str, object]:
    """Return the statistics for JSON; shares are between 0 and 1."""
    return {
        "version": VERSION,
        "games": found.games,
        "copies": found.copies,
        "without_winner": found.without_winner,
        "players": [_wins_as_object(one) | {"key": one.key or None} for one in found.players],
        "monsters": [_wins_as_object(one) for one in found.monsters],
        "cards": [_wins_as_object(one) for one in found.cards],
        "rules": [
            {
                "name": one.rules,
                "games": len(one.turns),
                "by_points": one.by_points,
                "turns": list(one.turns),
                "mean": rounded(one.mean),
            }
            for one in found.lengths
        ],
        "dice": _dice_as_object(found.dice),
        "dice_of_players": [
            _dice_as_object(one) | {"name": one.name, "key": one.key or None}
            for one in found.dice_of_players
        ],
    }


def _wins_as_object(one: Wins) -> dict[str, object]:
    return {
        "name": one.name,
        "by_points": rounded(float(one.by_points)),
        **rate_as_object(one.rate),
    }


def _dice_as_object(dice: Dice) -> dict[str, object]:
    return {
        "rolled": dice.rolled,
        "faces": {face.name.lower(): dice.faces[face] for face in Face},
        "chi_square": rounded(dice.chi_square),
        "p_value": rounded(dice.p_value),
    }


# -- shares with their intervals, as rows of a table ---------------------------------------


def align_rows(rows: Sequence[Sequence[str]], left: Collection[int] = (0,)) -> list[str]:
    widths = [max(line_width(row[n]) for row in rows) for n in range(len(rows[0]))]
    return [_align_row(row, widths, left).rstrip() for row in rows]


def _align_row(row: Sequence[str], widths: Sequence[int], left: Collection[int]) -> str:
    cells = []
    for n, cell in enumerate(row):
        gap = " " * (widths[n] - line_width(cell))
        cells.append(cell + gap if n in left else gap + cell)
    return "  ".join(cells)


def rate_headings() -> list[str]:
    return [_("wins"), _("95 % interval"), _("chance")]


def rate_cells(rate: Rate) -> Iterator[str]:
    low, high = rate.interval
    yield percent(rate.share)
    yield _("{low} to {high}", low=percent(low), high=percent(high))
    yield percent(rate.chance)


def percent(value: float) -> str:
    return _("{number} %", number=decimal(100 * value, 1))


def rate_as_object(rate: Rate) -> dict[str, object]:
    low, high = rate.interval
    return {
        "of": rate.of,
        "won": rounded(float(rate.won)),
        "share": rounded(rate.share),
        "low": rounded(low),
        "high": rounded(high),
        "chance": rounded(rate.chance),
    }


def rounded(number: float) -> float:
    return round(number, 6)
