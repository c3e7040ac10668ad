"""The whole screen as rows, for any size. Pure: a `Screen` in, styled text out.

From the bottom up: the keys, the input line, three rows of prompt under a title, and these
never move. Above them the log, which takes what room there is; the table stands on top. A page
lies over everything above the prompt. What a question says beyond its three rows goes above its
title, over the log and, if that is too little, over the table: nothing that is asked is cut.
"""

from __future__ import annotations

from cli.text.i18n import _, width
from cli.ui.screen import panels
from cli.ui.screen.lobby_rows import lobby_rows
from cli.ui.screen.picker import rolled
from cli.ui.screen.rows import Row, cut, fill, folded, row_width, rule
from cli.ui.screen.screen import Screen

SMALLEST = (60, 20)
FULL = (80, 24)
PROMPT = 3
"""Rows of a question below its title."""


def draw(screen: Screen, columns: int, height: int) -> list[Row]:
    """`height` rows, without the input line and the keys."""
    screen.columns = columns
    if columns < SMALLEST[0] or height + 2 < SMALLEST[1]:
        return _too_small(screen, columns, height)
    prompt, above = _prompt(screen, columns)
    room = height - len(prompt) - 1
    if screen.page is not None:
        upper = _page(screen, columns, room)
    else:
        upper = _upper(screen, columns, height, room, above)
    return [_title(screen, columns), *upper, *prompt]


def keys(columns: int, *, ended: bool = False) -> str:
    if ended:
        return cut(_("Enter Close  Esc Table  F2 Cards  F3 Log  Page Up Page Down"), columns)
    long = _("F1 Help  F2 Cards  F3 Log  F4 Orders  F6 Do  F10 Leave  Up Down Pick  Esc Clear")
    short = _("F1 Help  F2 Cards  F3 Log  F4 Orders  F6 Do  F10 Leave")
    return long if width(long) <= columns else cut(short, columns)


def _title(screen: Screen, columns: int) -> Row:
    parts = ["kotp2p"]
    view = screen.news.view
    if view is not None:
        parts.append(_("turn {turn}", turn=view.game.state.turn))
    parts.append(screen.heading)
    if view is not None and screen.ending is None:
        parts += screen.seen.marks(view)
    text = " " + " | ".join(parts)
    if view is not None:
        phrase = " | " + view.phrase
        if width(text) + width(phrase) < columns:
            text += phrase
    return [("title", fill(text, columns))]


def _prompt(screen: Screen, columns: int) -> tuple[list[Row], list[Row]]:
    """The title and three rows; and the lines that do not fit there whole, for above."""
    seconds = screen.seconds
    end = "" if seconds is None else _("{n} s", n=seconds)
    title = rule(columns, screen.heading, end, style="prompt")
    said = [screen.status] if screen.status else []
    status: list[Row] = [[("status", " " + row)] for row in folded(said, columns - 2)]
    blocks = _asked(screen, columns)
    shown = status[-PROMPT:]
    while blocks and len(blocks[-1]) + len(shown) <= PROMPT:
        shown = [*blocks.pop(), *shown]
    above = [row for block in blocks for row in block] + status[:-PROMPT]
    empty: list[Row] = [[("log", "")]] * (PROMPT - len(shown))
    return [title, *empty, *shown], above


def _asked(screen: Screen, columns: int) -> list[list[Row]]:
    """Line by line, each as the rows that it takes; the dice before the prompt."""
    blocks: list[list[Row]] = [
        [[("log", " " + row)] for row in folded([line], columns - 2)] for line in screen.lines()
    ]
    dice = [] if screen.is_leaving else rolled(screen.asking)
    if dice:
        own = panels.own_dice(dice, screen.picking.kept(screen.input, dice), screen.picking.die)
        if row_width(own) <= columns:
            blocks.insert(len(blocks) - 1, [own])
    return blocks


def _upper(screen: Screen, columns: int, height: int, room: int, above: list[Row]) -> list[Row]:
    view = screen.news.view
    if view is None:
        top = lobby_rows(screen, columns)
        between = [rule(columns, _scrolled(screen))]
    else:
        top = panels.monsters(view, columns, screen.seen.fell)
        if (columns, room + 7) >= FULL and columns >= FULL[0]:
            top += panels.market(view, columns)
        between = [
            rule(columns, _scrolled(screen)) if screen.scroll else panels.dice(view, columns)
        ]
    top = top[: max(0, room - len(above) - len(between))]
    left = room - len(top) - len(between)
    if left <= len(above):
        return [*top, *between, *above[:left]]
    return [*top, *between, *_log(screen, columns, left - len(above)), *above]


def _scrolled(screen: Screen) -> str:
    if screen.scroll:
        return _("Log, {n} newer rows below: Page Down", n=screen.scroll)
    return _("Log")


def _log(screen: Screen, columns: int, height: int) -> list[Row]:
    rows = folded(screen.log, columns - 2)
    screen.scroll = max(0, min(screen.scroll, len(rows) - height))
    end = len(rows) - screen.scroll
    shown = rows[max(0, end - height) : end]
    return [[("log", " " + row)] for row in shown] + [[("log", "")]] * (height - len(shown))


def _page(screen: Screen, columns: int, room: int) -> list[Row]:
    page = screen.page
    assert page is not None
    shown, where = page.rows(columns - 2, room - 1)
    title = page.title + (f" {where}" if where else "")
    rows: list[Row] = [rule(columns, title, _("Esc closes"))]
    rows += [[("log", " " + row)] for row in shown]
    return rows + [[("log", "")]] * (room - len(rows))


def _too_small(screen: Screen, columns: int, height: int) -> list[Row]:
    """What is urgent stays in sight."""
    seconds = screen.seconds
    lines = [
        _("kotp2p needs {columns}x{rows}, now {width}x{height}.", columns=SMALLEST[0],
          rows=SMALLEST[1], width=columns, height=height + 2),
        _("Make the window larger; the game goes on."),
        screen.heading if seconds is None else f"{screen.heading}, {_('{n} s', n=seconds)}",
        *screen.lines()[-1:],
        *([screen.status] if screen.status else []),
    ]  # fmt: skip
    rows: list[Row] = [[("log", row)] for row in folded(lines, max(columns, 8))]
    return rows[:height]
