"""What the games of a club have shown: sums, as tables and as an object.

A module of its own, as `bench` counts with it, too. Wins are counted by player and monster, and by
card. Only whole and sound logs count, and each game once, however many copies of its log there are.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from kotp2p.cli.text.i18n import _, decimal, line_width, number, plural
from kotp2p.extras.recording import LogFacts, PlayerFacts
from kotp2p.referee.model.answers import Seat

# -- sums ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rate:
    """The share of games that were won; a shared victory counts by its share."""

    won: Fraction
    of: int
    chance: float

    @property
    def share(self) -> float:
        return float(self.won / self.of) if self.of else 0.0


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
    return Evenings(
        len(games),
        copies,
        sum(not facts.winners for facts in games),
        tuple(
            Wins(
                names.get(one.name, one.name),
                one.rate,
                one.by_points,
                one.name if one.name in names else "",
            )
            for one in (*bots, *people)
        ),
        _count_wins(games, lambda player: [player.monster]),
        _count_lengths(games),
        _count_wins(games, lambda player: sorted(set(player.bought))),
    )


def _names_by_key(games: Sequence[LogFacts]) -> dict[str, str]:
    return {player.key: player.name for game in games for player in game.players if not player.bot}


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
            yield plural("{n} more stands less often in games; --json has all.",
                         "{n} more stand less often in games; --json has all.",
                         len(wins) - MAX_ROWS)  # fmt: skip
    yield ""
    for length in found.lengths:
        yield describe_length(length)


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
    headings = [heading, _("times"), _("wins"), _("chance")]
    rows = [
        [name, number(one.rate.of), percent(one.rate.share), percent(one.rate.chance)]
        for name, one in wins
    ]
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
    }


def _wins_as_object(one: Wins) -> dict[str, object]:
    by_points = rounded(float(one.by_points))
    return {"name": one.name, "by_points": by_points, **rate_as_object(one.rate)}


# -- tables ----------------------------------------------------------------------------------


def align_rows(rows: Sequence[Sequence[str]], left: Collection[int] = (0,)) -> list[str]:
    widths = [max(line_width(row[n]) for row in rows) for n in range(len(rows[0]))]
    return [_align_row(row, widths, left).rstrip() for row in rows]


def _align_row(row: Sequence[str], widths: Sequence[int], left: Collection[int]) -> str:
    cells = []
    for n, cell in enumerate(row):
        gap = " " * (widths[n] - line_width(cell))
        cells.append(cell + gap if n in left else gap + cell)
    return "  ".join(cells)


def percent(value: float) -> str:
    return _("{number} %", number=decimal(100 * value, 1))


def rate_as_object(rate: Rate) -> dict[str, object]:
    return {
        "of": rate.of,
        "won": rounded(float(rate.won)),
        "share": rounded(rate.share),
        "chance": rounded(rate.chance),
    }


def rounded(number: float) -> float:
    return round(number, 6)
