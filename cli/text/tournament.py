"""What a contest of bots has shown: tables with charts, sentences for `--plain`, and an object.

Scope: standings in words and numbers. A chart is ASCII everywhere.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from cli.text.i18n import _, decimal, line_width, list_with_and, number, plural
from kotp2p.tournament.contest import Contest
from kotp2p.tournament.standings import Rate, Standings

CHART_COLUMNS = 20
"""The bar of a share that is twice that of chance, or more; its middle is chance."""


def describe_contest(contest: Contest, standings: Standings) -> list[str]:
    """A few lines about all the games."""
    lines = [
        plural(
            "{n} game with the rule set {rules}: {bots}. Seed {seed}.",
            "{n} games with the rule set {rules}: {bots}. Seed {seed}.",
            standings.games,
            rules=contest.rules,
            bots=list_with_and([contender.name for contender in contest.contenders]),
            seed=contest.seed,
        ),
    ]
    if standings.games:
        lines.append(
            _("A game has {turns} turns and {purchases} purchases on average.",
              turns=decimal(standings.turns, 1), purchases=decimal(standings.purchases, 1))
        )  # fmt: skip
    if standings.shared:
        lines.append(
            plural("{n} game was won by several together.", "{n} games were won by several "
                   "together.", standings.shared)
        )  # fmt: skip
    if standings.without_winner:
        lines.append(
            plural("{n} game ended without a winner.", "{n} games ended without a winner.",
                   standings.without_winner)
        )  # fmt: skip
    return lines


def list_bots(standings: Standings, *, plain: bool) -> list[str]:
    if plain:
        return [
            plural(
                "{name}, {n} seat: won {share} of the games; 95 % interval {low} to {high}, chance "
                "{chance}; {purchases} purchases a game and seat.",
                "{name}, {n} seats: won {share} of the games; 95 % interval {low} to {high}, "
                "chance {chance}; {purchases} purchases a game and seat.",
                bot.seats,
                name=bot.name,
                purchases=decimal(bot.purchases, 2),
                **percents(bot.wins),
            )
            for bot in standings.contenders
        ]
    heading = [_("bot"), _("seats"), *rate_headings(), _("purchases a game and seat")]
    rows = [
        [bot.name, number(bot.seats), *rate_cells(bot.wins), decimal(bot.purchases, 2)]
        for bot in standings.contenders
    ]
    return align_rows([heading, *rows])


def list_places(standings: Standings, *, plain: bool) -> list[str]:
    """The wins by place in the turn order."""
    numbered = list(enumerate(standings.places, 1))
    if plain:
        return [
            _("Place {place} in the turn order: won {share} of the games; 95 % interval {low} to "
              "{high}, chance {chance}.", place=place, **percents(rate))
            for place, rate in numbered
        ]  # fmt: skip
    rows = [[number(place), *rate_cells(rate), draw_bar(rate)] for place, rate in numbered]
    return align_rows([[_("turn order"), *rate_headings(), chart_heading()], *rows])


def list_cards(standings: Standings, *, plain: bool, least: int = 1) -> list[str]:
    """The wins of those who bought a card, for each card bought at least so often."""
    cards = [card for card in standings.cards if card.wins.of >= least]
    if plain:
        return [
            plural(
                "{name}, bought {n} time: its buyers won {share}; 95 % interval {low} to {high}, "
                "chance {chance}.",
                "{name}, bought {n} times: its buyers won {share}; 95 % interval {low} to {high}, "
                "chance {chance}.",
                card.wins.of,
                name=card.name,
                **percents(card.wins),
            )
            for card in cards
        ]
    rows = [
        [card.name, number(card.wins.of), *rate_cells(card.wins), draw_bar(card.wins)]
        for card in cards
    ]
    return align_rows([[_("card"), _("bought"), *rate_headings(), chart_heading()], *rows])


def draw_bar(rate: Rate) -> str:
    """A bar as long as the share; the line in its middle is chance."""
    filled = min(CHART_COLUMNS, round(rate.share / rate.chance * CHART_COLUMNS / 2))
    middle = CHART_COLUMNS // 2
    bar = "#" * filled + " " * (CHART_COLUMNS - filled)
    return (bar[:middle] + "|" + bar[middle:]).rstrip()


def align_rows(rows: Sequence[Sequence[str]], left: Collection[int] = (0,)) -> list[str]:
    """Rows of one width a column: these columns and the bars to the left, the numbers to the
    right."""
    widths = [max(line_width(row[n]) for row in rows) for n in range(len(rows[0]))]
    return [_align_row(row, widths, left).rstrip() for row in rows]


def _align_row(row: Sequence[str], widths: Sequence[int], left: Collection[int]) -> str:
    cells = []
    for n, cell in enumerate(row):
        gap = " " * (widths[n] - line_width(cell))
        cells.append(cell + gap if n in left or cell.startswith(("#", "|", " ")) else gap + cell)
    return "  ".join(cells)


def chart_heading() -> str:
    return " " * (CHART_COLUMNS // 2) + _("| chance")


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


def standings_as_object(contest: Contest, asked: int, standings: Standings) -> dict[str, object]:
    """For programs; shares are between 0 and 1."""
    return {
        "rules": contest.rules,
        "played": standings.games,
        "complete": standings.games == asked,
        "turns": rounded(standings.turns),
        "purchases": rounded(standings.purchases),
        "shared": standings.shared,
        "without_winner": standings.without_winner,
        "bots": [
            {"name": bot.name, "seats": bot.seats, "purchases": rounded(bot.purchases)}
            | rate_as_object(bot.wins)
            for bot in standings.contenders
        ],
        "turn_order": [rate_as_object(rate) for rate in standings.places],
        "cards": [{"name": card.name} | rate_as_object(card.wins) for card in standings.cards],
    }


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
