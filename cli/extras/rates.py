"""Shares with their intervals: rows of a table, and a bar beside chance.

Scope: a chart is ASCII everywhere.
Not here: what is counted (`kotp2p.extras.evenings`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from kotp2p.cli.text.i18n import _, decimal, line_width
from kotp2p.extras.evenings import Rate

CHART_COLUMNS = 20
"""The bar of a share that is twice that of chance, or more; its middle is chance."""


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
