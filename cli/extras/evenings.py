"""What the games of a club have shown: tables, sentences for `--plain`, an object.

Scope: sums in words and numbers.
Not here: the sums (`kotp2p.extras.evenings`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction

from kotp2p.cli.text.i18n import _, decimal, line_width, number, plural
from kotp2p.cli.text.names import face as face_name
from kotp2p.cli.text.names import names_in_sentences
from kotp2p.extras.evenings import FAIR, Dice, Evenings, Length, Rate, Wins
from kotp2p.referee.model.answers import Face

MAX_ROWS = 12
"""The most rows of a table for people, those with most games; programs get all."""
TURNS_PER_BAR = 5
VERSION = 1
"""The version of the object. docs/FORMATS.md says when it rises."""


def describe_evenings(found: Evenings, *, plain: bool) -> Iterator[str]:
    """Yield the sections with an empty line between them."""
    yield from describe_counted(found)
    for heading, wins in (
        (_("player"), call_players(found.players)),
        (_("monster"), [(one.name, one) for one in found.monsters]),
        (_("bought card"), [(one.name, one) for one in found.cards]),
    ):
        if wins:
            yield ""
            yield from _list_wins(heading, wins[:MAX_ROWS], plain=plain)
        if len(wins) > MAX_ROWS:
            yield plural("{n} more stands less often in games; --json has all.",
                         "{n} more stand less often in games; --json has all.",
                         len(wins) - MAX_ROWS)  # fmt: skip
    yield ""
    for length in found.lengths:
        yield describe_length(length)
    if found.dice.rolled:
        yield ""
        yield from _describe_dice(found, plain=plain)


def describe_counted(found: Evenings) -> Iterator[str]:
    """Say how many games there are, and which do not count."""
    yield plural("{n} game.", "{n} games.", found.games)
    if found.copies:
        yield plural("{n} log is a further copy, and does not count.",
                     "{n} logs are further copies, and do not count.", found.copies)  # fmt: skip
    if found.without_winner:
        yield plural("{n} game ended without a winner.", "{n} games ended without a winner.",
                     found.without_winner)  # fmt: skip


def call_players(wins: Sequence[Wins]) -> list[tuple[str, Wins]]:
    """Return the players with the names that a table shows."""
    called = _tell_apart([(one.name, one.key) for one in wins])
    return [
        (name if one.key else _("all bots"), one) for name, one in zip(called, wins, strict=True)
    ]


def _tell_apart(players: Sequence[tuple[str, str]]) -> list[str]:
    """Return the names; those of several people get the beginning of their key."""
    of_name = Counter(name for name, key in players if key)
    return [
        _("{name} (key {key})", name=name, key=key[:8]) if key and of_name[name] > 1 else name
        for name, key in players
    ]


def _list_wins(heading: str, wins: Sequence[tuple[str, Wins]], *, plain: bool) -> Iterator[str]:
    if plain:
        for name, one in wins:
            yield plural(
                "{heading} {name}, {n} time: won {share}; 95 % interval {low} to {high}, chance "
                "{chance}.",
                "{heading} {name}, {n} times: won {share}; 95 % interval {low} to {high}, chance "
                "{chance}.",
                one.rate.of,
                heading=heading.capitalize(),
                name=name,
                **percents(one.rate),
            )
        return
    headings = [heading, _("times"), *rate_headings()]
    rows = [[name, number(one.rate.of), *rate_cells(one.rate)] for name, one in wins]
    yield from align_rows([headings, *rows])


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


def count_lengths(length: Length) -> list[tuple[str, int]]:
    """Return the number of games by length in turns, from the shortest to the longest."""
    span = length.turns[-1] - length.turns[0] + 1
    width = TURNS_PER_BAR * -(-span // (TURNS_PER_BAR * MAX_ROWS))
    bins = Counter(turns // width for turns in length.turns)
    return [
        (_("{first} to {last} turns", first=one * width, last=(one + 1) * width - 1), bins[one])
        for one in range(min(bins), max(bins) + 1)
    ]


def _describe_dice(found: Evenings, *, plain: bool) -> Iterator[str]:
    rates = list_face_rates(found.dice)
    if plain:
        for face, rate in rates:
            yield _(
                "Face {face}: {count} of {of} dice, {share}; chance {chance}.",
                face=face_name(face),
                count=int(rate.won),
                of=rate.of,
                **percents(rate),
            )
    else:
        rows = [[face_name(face), number(int(rate.won)), *rate_cells(rate)] for face, rate in rates]
        headings = [_("face"), _("rolled"), _("share"), _("95 % interval"), _("chance")]
        yield from align_rows([headings, *rows])
    yield from describe_dice_tests(found)


def describe_dice_tests(found: Evenings) -> Iterator[str]:
    """Describe the result of the test on all dice, and on those of each player."""
    yield _test_sentence(_("All dice together"), found.dice)
    shown = found.dice_of_players[:MAX_ROWS]
    names = names_in_sentences(tuple(one.name for one in shown))
    called = _tell_apart([(name, one.key) for name, one in zip(names, shown, strict=True)])
    for name, one in zip(called, shown, strict=True):
        if one.rolled:
            yield _test_sentence(name if one.key else _("All bots"), one)


def _test_sentence(name: str, dice: Dice) -> str:
    return _(
        "{name}: {n} dice, chi-square {value}. Fair dice are at least as uneven in {share} of all "
        "cases.",
        name=name,
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
    """Align rows into columns: those in `left` to the left, the others to the right."""
    widths = [max(line_width(row[n]) for row in rows) for n in range(len(rows[0]))]
    return [_align_row(row, widths, left).rstrip() for row in rows]


def _align_row(row: Sequence[str], widths: Sequence[int], left: Collection[int]) -> str:
    cells = []
    for n, cell in enumerate(row):
        gap = " " * (widths[n] - line_width(cell))
        cells.append(cell + gap if n in left else gap + cell)
    return "  ".join(cells)


def rate_headings() -> Iterator[str]:
    yield from (_("wins"), _("95 % interval"), _("chance"))


def rate_cells(rate: Rate) -> Iterator[str]:
    texts = percents(rate)
    yield texts["share"]
    yield _("{low} to {high}", low=texts["low"], high=texts["high"])
    yield texts["chance"]


def percents(rate: Rate) -> dict[str, str]:
    low, high = rate.interval
    values = {"share": rate.share, "low": low, "high": high, "chance": rate.chance}
    return {name: percent(value) for name, value in values.items()}


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
