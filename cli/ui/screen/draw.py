"""The whole screen as rows, for any size.

Scope: the frame. From the bottom up: the keys, the input line, three rows of prompt under a title,
and these never move. Above them stands the table with its log (`layouts`). A page lies over
everything above the prompt, and so does a great moment. What a question says beyond its three rows
goes above its title, over the log and, if that is too little, over the table: nothing that is asked
is cut.
Not here: the terminal. The input is a `Screen` and a size, the output is styled text.
"""

from __future__ import annotations

from kotp2p.cli.ask.question import Confirm
from kotp2p.cli.text.i18n import _, as_cell, line_width
from kotp2p.cli.ui.screen.layouts import draw_upper
from kotp2p.cli.ui.screen.moment_rows import draw_moment
from kotp2p.cli.ui.screen.monster_marks import mark_names, rule_of_monster
from kotp2p.cli.ui.screen.pages import Page
from kotp2p.cli.ui.screen.portrait_rows import draw_final_portraits
from kotp2p.cli.ui.screen.rows import Row, fold_lines, pad_to_width, rule_row
from kotp2p.cli.ui.screen.screen import Screen

SMALLEST_SIZE = (60, 20)
"""Columns and rows below which only what is urgent is drawn."""
ROOM_FOR_PORTRAITS = 24
"""Rows of a page from which portraits stand above its text."""
PROMPT_ROWS = 3
"""Rows of a question below its title."""
INPUT_AND_KEYS_ROWS = 2
"""Rows at the bottom that the stage draws itself."""


def draw_screen(screen: Screen, columns: int, height: int) -> list[Row]:
    """`height` rows, without the input line and the keys."""
    screen.columns = columns
    if columns < SMALLEST_SIZE[0] or height + INPUT_AND_KEYS_ROWS < SMALLEST_SIZE[1]:
        return _draw_too_small(screen, columns, height)
    prompt, overflow = _draw_prompt(screen, columns)
    room = height - len(prompt) - 1
    view, moment = screen.state.view, screen.moments.shown
    if screen.page is not None:
        upper = draw_page(screen, screen.page, columns, room)
    elif view is not None and moment is not None and moment.words and not overflow:
        upper = draw_moment(screen, view, moment, columns, room)
    else:
        upper = draw_upper(screen, columns, room, overflow)
    return [_draw_title(screen, columns), *upper, *prompt]


def _draw_title(screen: Screen, columns: int) -> Row:
    parts = ["kotp2p"]
    view = screen.state.view
    if view is not None and view.game.state.turn:  # 0 until it is known who begins
        parts.append(_("turn {turn}", turn=view.game.state.turn))
    parts.append(screen.heading)
    if view is not None and screen.ending is None:
        parts += screen.status.title_marks(view)
    text = " " + " | ".join(map(as_cell, parts))
    if view is not None and not screen.state.feed.audience.solo:
        phrase = " | " + view.phrase
        if line_width(text) + line_width(phrase) < columns:
            text += phrase
    return [("title", pad_to_width(text, columns))]


def _draw_prompt(screen: Screen, columns: int) -> tuple[list[Row], list[Row]]:
    """The title and three rows; and the rows that do not fit there, for above the title."""
    style = "danger" if screen.time_left and screen.clock.is_urgent else "prompt"
    title = _draw_prompt_title(screen, columns, style)
    remark = screen.prompt.remark or _remark_on_line(screen)
    folded = fold_lines([remark] if remark else [], columns - 2)
    remark_rows: list[Row] = [[("status", " " + row)] for row in folded]
    blocks = _draw_question(screen, columns)
    shown = remark_rows[-PROMPT_ROWS:]
    # A line goes above the title as a whole, so that it is read in one place.
    while blocks and len(blocks[-1]) + len(shown) <= PROMPT_ROWS:
        shown = [*blocks.pop(), *shown]
    coached = fold_lines(_coach_lines(screen), columns - 2)
    coach: list[Row] = [[("news", " " + row)] for row in coached]
    overflow = coach + [row for block in blocks for row in block] + remark_rows[:-PROMPT_ROWS]
    empty: list[Row] = [[("log", "")]] * (PROMPT_ROWS - len(shown))
    return [title, *empty, *shown], overflow


def _draw_prompt_title(screen: Screen, columns: int, style: str) -> Row:
    """With the letter of the monster whose turn it is, while the reader is not asked."""
    view, end = screen.state.view, screen.time_left
    is_told = screen.state.asking is None and not screen.state.is_leave_asked
    if view is None or not is_told or screen.ending is not None or screen.state.is_reading:
        return rule_row(columns, screen.heading, end, style=style)
    active = view.game.state.active
    return rule_of_monster(view, active, columns, screen.heading, end, style)


def _remark_on_line(screen: Screen) -> str:
    """What the player may not mean by the line that stands there."""
    asking = screen.state.asking
    if asking is None or screen.state.is_leave_asked or isinstance(asking.waiting, Confirm):
        return ""
    return asking.question.remark_on(screen.input.text)


def _coach_lines(screen: Screen) -> list[str]:
    asking = screen.state.asking
    if asking is None or screen.state.is_leave_asked or not asking.coach:
        return []
    return [asking.coach]


def _draw_question(screen: Screen, columns: int) -> list[list[Row]]:
    """Line by line, each as the rows that it takes."""
    view = screen.state.view
    blocks: list[list[Row]] = []
    for line in _pack_lines(screen.prompt_lines(), columns - 2):
        rows: list[Row] = [[("log", " " + row)] for row in fold_lines([line], columns - 2)]
        blocks.append(rows if view is None else [mark_names(row, view) for row in rows])
    return blocks


def _pack_lines(lines: list[str], columns: int) -> list[str]:
    """Sentences behind each other, if that spares the log rows: what is told before the prompt, or
    all of it."""
    packed = [lines, [" ".join(lines[:-1]), *lines[-1:]], [" ".join(lines)]]
    return next((one for one in packed if len(fold_lines(one, columns)) <= PROMPT_ROWS), lines)


def draw_page(screen: Screen, page: Page, columns: int, room: int) -> list[Row]:
    view = screen.state.view
    portraits: list[Row] = []
    if page is screen.end_page and view is not None and room >= ROOM_FOR_PORTRAITS:
        portraits = draw_final_portraits(screen, view, columns - 1)
    shown, where = page.visible_rows(columns - 2, room - 1 - len(portraits))
    title = page.title + (f" {where}" if where else "")
    rows: list[Row] = [rule_row(columns, title, _("Esc closes"))]
    rows += [[("log", " "), *row] for row in portraits]
    for style, text in shown:
        row: Row = [(style, " " + text)]
        rows.append(row if view is None else mark_names(row, view))
    return rows + [[("log", "")]] * (room - len(rows))


def _draw_too_small(screen: Screen, columns: int, height: int) -> list[Row]:
    """What is urgent stays in sight."""
    lines = [
        _("kotp2p needs {columns}x{rows}, now {width}x{height}.", columns=SMALLEST_SIZE[0],
          rows=SMALLEST_SIZE[1], width=columns, height=height + INPUT_AND_KEYS_ROWS),
        _("Make the window larger; the game goes on."),
        screen.heading,
        *([screen.time_left] if screen.time_left else []),
        *screen.prompt_lines()[-1:],
        *([screen.prompt.remark] if screen.prompt.remark else []),
    ]  # fmt: skip
    rows: list[Row] = [[("log", row)] for row in fold_lines(lines, max(columns, 8))]
    return rows[:height]
