"""The page of `kotp2p games`: one self-contained file with charts.

Scope: sums in, markup out. All that others have typed goes in as escaped text. The page has no
script, and its policy forbids it any and the network.
Not here: the sums and the sentences (`cli.extras.evenings`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from kotp2p.cli.extras import evenings
from kotp2p.cli.extras.forms.html import fill_page, page_policy, page_style
from kotp2p.cli.text.i18n import _, clean_line, language, plural
from kotp2p.cli.text.names import face as face_name


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
    yield from _wins(_("Wins by player"), evenings.call_players(found.players))
    yield from _wins(_("Wins by monster"), _named(found.monsters))
    yield from _wins(
        _("Wins by bought card"), _named(found.cards),
        _("Players who are winning can buy more, so a large share does not mean that the card has "
          "won the game."),
    )  # fmt: skip
    yield from _lengths(found)
    if found.dice.rolled:
        yield from _dice(found.dice)


def _named(wins: Sequence[evenings.Wins]) -> list[tuple[str, evenings.Wins]]:
    return [(one.name, one) for one in wins]


def _wins(
    title: str, wins: Sequence[tuple[str, evenings.Wins]], caution: str = ""
) -> Iterator[str]:
    if not wins:
        return
    yield _heading(title)
    if caution:
        yield _paragraph(caution, quiet=True)
    yield _bars([_bar_of(name, one.rate, one.rate.of) for name, one in wins[: evenings.MAX_ROWS]])
    if len(wins) > evenings.MAX_ROWS:
        yield _paragraph(evenings.describe_others(len(wins) - evenings.MAX_ROWS))


def _lengths(found: evenings.Evenings) -> Iterator[str]:
    yield _heading(_("Length of games"))
    for length in found.lengths:
        yield _paragraph(evenings.describe_length(length))


def _dice(dice: evenings.Dice) -> Iterator[str]:
    yield _heading(_("Dice against chance"))
    rates = evenings.list_face_rates(dice)
    yield _bars([_bar_of(face_name(face), rate, int(rate.won)) for face, rate in rates])
    yield _paragraph(evenings.describe_dice_test(dice))


# -- markup ----------------------------------------------------------------------------------


def _text(text: str) -> str:
    return escape(clean_line(text))


def _heading(text: str) -> str:
    return f"<h2>{_text(text)}</h2>"


def _paragraph(text: str, *, quiet: bool = False) -> str:
    return f'<p class="quiet">{_text(text)}</p>' if quiet else f"<p>{_text(text)}</p>"


def _bar_of(name: str, rate: evenings.Rate, times: int) -> tuple[str, str, evenings.Rate]:
    share = evenings.percent(rate.share)
    return name, plural("{share}, {n} time", "{share}, {n} times", times, share=share), rate


def _bars(bars: Sequence[tuple[str, str, evenings.Rate]]) -> str:
    most = max(max(rate.interval[1], rate.chance) for _name, _value, rate in bars)
    return "\n".join(['<ul class="bars">', *(_draw_bar(*bar, most) for bar in bars), "</ul>"])


def _draw_bar(name: str, value: str, rate: evenings.Rate, most: float) -> str:
    share, low, high, chance = (
        f"{100 * part / most:.2f}" for part in (rate.share, *rate.interval, rate.chance)
    )
    return (
        f'<li><span class="name"><bdi>{_text(name)}</bdi></span> '
        f'<span class="value">{_text(value)}</span>'
        '<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="track" width="100" height="10"/>'
        f'<rect class="share" width="{share}" height="10"/>'
        f'<line class="interval" x1="{low}" x2="{high}" y1="5" y2="5"/>'
        f'<line class="chance" x1="{chance}" x2="{chance}" y1="0" y2="10"/></svg></li>'
    )
