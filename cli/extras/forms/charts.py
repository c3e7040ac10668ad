"""The page of `kotp2p games`: one self-contained file with charts, and each chart as a table.

Scope: sums in, markup out. All that others have typed goes in as escaped text. The page has no
script, and its policy forbids it any and the network.
Not here: the sums and the sentences (`cli.extras.evenings`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from kotp2p.cli.extras import evenings
from kotp2p.cli.extras.forms.html import fill_page, page_policy, page_style
from kotp2p.cli.text.i18n import _, clean_line, language, number, plural
from kotp2p.cli.text.names import face as face_name


@dataclass(frozen=True, slots=True)
class Bar:
    name: str
    value: str
    share: float
    interval: tuple[float, float] | None = None
    chance: float | None = None

    @property
    def reach(self) -> float:
        """Return the largest number that is drawn of the bar."""
        return max(self.share, *(self.interval or ()), self.chance or 0.0)


def build_stats_page(found: evenings.Evenings) -> str:
    style = page_style("stats.css")
    return fill_page(
        "stats.html",
        {
            "lang": escape(language()),
            "csp": page_policy(style),
            "style": style,
            "title": _text(_("Games of King of Tokyo")),
            "subtitle": _text(_("kotp2p games: counted from signed logs alone")),
            "main": "\n".join(_sections(found)),
            "footer": _text(
                _("Made by kotp2p. King of Tokyo is a game by Richard Garfield; this page is not "
                  "by its publisher.")
            ),
        },
    )  # fmt: skip


def _sections(found: evenings.Evenings) -> Iterator[str]:
    for line in evenings.describe_counted(found):
        yield _paragraph(line)
    yield _paragraph(
        _("The bar is the share of wins, the thin line its 95 % interval, and the mark what chance "
          "would give."),
        quiet=True,
    )  # fmt: skip
    yield from _wins(_("Wins by player"), _("player"), evenings.call_players(found.players))
    yield from _wins(_("Wins by monster"), _("monster"), _named(found.monsters))
    yield from _wins(
        _("Wins by bought card"), _("bought card"), _named(found.cards),
        _("Players who are winning can buy more, so a large share does not mean that the card has "
          "won the game."),
    )  # fmt: skip
    yield from _lengths(found)
    if found.dice.rolled:
        yield from _dice(found)


def _named(wins: Sequence[evenings.Wins]) -> list[tuple[str, evenings.Wins]]:
    return [(one.name, one) for one in wins]


def _wins(
    title: str, heading: str, wins: Sequence[tuple[str, evenings.Wins]], caution: str = ""
) -> Iterator[str]:
    if not wins:
        return
    yield _heading(title)
    if caution:
        yield _paragraph(caution, quiet=True)
    yield _bars([_bar_of(name, one.rate, one.rate.of) for name, one in wins[: evenings.MAX_ROWS]])
    if len(wins) > evenings.MAX_ROWS:
        yield _paragraph(
            plural("{n} more stands in the table alone.", "{n} more stand in the table alone.",
                   len(wins) - evenings.MAX_ROWS)
        )  # fmt: skip
    rows = [[name, number(one.rate.of), *evenings.rate_cells(one.rate)] for name, one in wins]
    yield _table(title, [heading, _("times"), *evenings.rate_headings()], rows)


def _lengths(found: evenings.Evenings) -> Iterator[str]:
    yield _heading(_("Length of games"))
    for length in found.lengths:
        yield _paragraph(evenings.describe_length(length))
        counted = evenings.count_lengths(length)
        most = max(count for _label, count in counted)
        yield _bars(
            [
                Bar(label, plural("{n} game", "{n} games", count), count / most)
                for label, count in counted
            ]
        )


def _dice(found: evenings.Evenings) -> Iterator[str]:
    title = _("Dice against chance")
    yield _heading(title)
    rates = [(face_name(face), rate) for face, rate in evenings.list_face_rates(found.dice)]
    yield _bars([_bar_of(name, rate, int(rate.won)) for name, rate in rates])
    rows = [[name, number(int(rate.won)), *evenings.rate_cells(rate)] for name, rate in rates]
    headings = [_("face"), _("rolled"), _("share"), _("95 % interval"), _("chance")]
    yield _table(title, headings, rows)
    for line in evenings.describe_dice_tests(found):
        yield _paragraph(line)


# -- markup ----------------------------------------------------------------------------------


def _text(text: str) -> str:
    """Escape a text for an element or an attribute."""
    return escape(clean_line(text))


def _heading(text: str) -> str:
    return f"<h2>{_text(text)}</h2>"


def _paragraph(text: str, *, quiet: bool = False) -> str:
    return f'<p class="quiet">{_text(text)}</p>' if quiet else f"<p>{_text(text)}</p>"


def _bar_of(name: str, rate: evenings.Rate, times: int) -> Bar:
    share = evenings.percents(rate)["share"]
    value = plural("{share}, {n} time", "{share}, {n} times", times, share=share)
    return Bar(name, value, rate.share, rate.interval, rate.chance)


def _bars(bars: Sequence[Bar]) -> str:
    """Draw bars on one scale."""
    most = max(bar.reach for bar in bars) or 1.0
    return "\n".join(['<ul class="bars">', *(_draw_bar(bar, most) for bar in bars), "</ul>"])


def _draw_bar(bar: Bar, most: float) -> str:
    def at(share: float) -> str:
        return f"{100 * share / most:.2f}"

    marks = [
        '<rect class="track" width="100" height="10"/>',
        f'<rect class="share" width="{at(bar.share)}" height="10"/>',
    ]
    if bar.interval is not None:
        low, high = map(at, bar.interval)
        marks.append(f'<line class="interval" x1="{low}" x2="{high}" y1="5" y2="5"/>')
    if bar.chance is not None:
        x = at(bar.chance)
        marks.append(f'<line class="chance" x1="{x}" x2="{x}" y1="0" y2="10"/>')
    return (
        f'<li><span class="name"><bdi>{_text(bar.name)}</bdi></span> '
        f'<span class="value">{_text(bar.value)}</span>'
        '<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        f"{''.join(marks)}</svg></li>"
    )


def _table(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in which the first cell of each row names it."""
    head = "".join(f'<th scope="col">{_text(heading)}</th>' for heading in headings)
    body = "\n".join(
        f'<tr><th scope="row"><bdi>{_text(name)}</bdi></th>'
        + "".join(f"<td>{_text(cell)}</td>" for cell in cells)
        + "</tr>"
        for name, *cells in rows
    )
    return (
        f"<details><summary>{_text(_('The same as a table'))}</summary>\n"
        f'<div class="scroll"><table><caption class="unseen">{_text(title)}</caption>\n'
        f"<thead><tr>{head}</tr></thead>\n"
        f"<tbody>\n{body}\n</tbody></table></div></details>"
    )
