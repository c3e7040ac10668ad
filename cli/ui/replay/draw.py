"""The rows of a recorded game: the panels of the drawn table, and a time line in the prompt's rows.

Scope: the title, the rows below the log and the row of keys. From the bottom up: the keys, the
input line, a time line of the turns, what happened or a remark, the place, and a rule.
Not here: the table and its log (`cli.ui.screen.layouts`).
"""

from __future__ import annotations

from pathlib import PurePath

from kotp2p.cli.text.endings import describe_verdict
from kotp2p.cli.text.i18n import _, as_cell, in_context, line_width, number
from kotp2p.cli.ui.replay.player import ReplayPlayer
from kotp2p.cli.ui.screen.draw import INPUT_AND_KEYS_ROWS, PROMPT_ROWS, SMALLEST_SIZE, draw_page
from kotp2p.cli.ui.screen.key_row import KeyHint, fit_hints
from kotp2p.cli.ui.screen.layouts import draw_upper
from kotp2p.cli.ui.screen.monster_marks import mark_names, rule_of_monster
from kotp2p.cli.ui.screen.pages import Page
from kotp2p.cli.ui.screen.rows import Row, cut_to_width, fold_lines, pad_to_width
from kotp2p.cli.ui.screen.screen import Screen
from kotp2p.cli.ui.screen.theme import signs


def draw_replay(
    player: ReplayPlayer, screen: Screen, heading: str, columns: int, height: int
) -> list[Row]:
    """`height` rows, without the input line and the keys."""
    screen.columns = columns
    if columns < SMALLEST_SIZE[0] or height + INPUT_AND_KEYS_ROWS < SMALLEST_SIZE[1]:
        return _draw_too_small(player, columns, height)
    room = height - PROMPT_ROWS - 2
    if isinstance(screen.page, Page):
        upper = draw_page(screen, screen.page, columns, room)
    else:
        upper = draw_upper(screen, columns, room, [])
    prompt = _draw_prompt(player, screen, heading, columns)
    return [_draw_title(player, columns), *upper, *prompt]


def _draw_title(player: ReplayPlayer, columns: int) -> Row:
    parts = [
        "kotp2p",
        _("replay"),
        _("turn {turn} of {turns}", turn=player.reel.turn_at(player.place),
          turns=player.recording.turns),
        player.describe_verdict(),
    ]  # fmt: skip
    text = " " + " | ".join(map(as_cell, parts))
    phrase = " | " + player.recording.genesis.phrase
    if line_width(text) + line_width(phrase) < columns:
        text += phrase
    return [("title", pad_to_width(text, columns))]


def _draw_prompt(player: ReplayPlayer, screen: Screen, heading: str, columns: int) -> list[Row]:
    view = screen.state.view
    assert view is not None  # a recording has a position everywhere
    title = rule_of_monster(
        view, view.game.state.active, columns, heading, _describe_pace(player), "prompt"
    )
    told = player.remark or _describe_moment(player)
    style = "status" if player.remark else "log"
    rows: list[Row] = [[(style, " " + row)] for row in fold_lines([told], columns - 2)]
    where: Row = [("log", " " + cut_to_width(player.describe_place(), columns - 2))]
    # The place makes room for a long sentence.
    shown = [mark_names(row, view) for row in [*rows, where][: PROMPT_ROWS - 1]]
    return [title, *shown, draw_time_line(player, columns)]


def _describe_moment(player: ReplayPlayer) -> str:
    """What has closed the step; behind the last one, the verdict on the log."""
    if player.is_at_end and player.log.is_whole:
        return describe_verdict(PurePath(player.name).name, player.report)
    return player.reel.describe_cause(player.place)


def _describe_pace(player: ReplayPlayer) -> str:
    speed = f"{player.speed:g}"
    if player.is_playing:
        return _("plays at speed {speed}", speed=speed)
    return _("paused, speed {speed}", speed=speed)


def draw_time_line(player: ReplayPlayer, columns: int) -> Row:
    """A sign for each turn, or for some turns of a long game; the present one is marked."""
    turns, now = player.recording.turns, player.reel.turn_at(player.place)
    room = columns - 2
    per_sign = max(1, -(-turns // room))
    text, signs_wanted = "", -(-turns // per_sign)
    while (sign := len(text) + 1) <= signs_wanted:
        label = number(1 if sign == 1 else sign * per_sign)
        if (sign == 1 or sign % 10 == 0) and len(text) + len(label) <= room:
            text += label
        else:
            text += ":" if sign % 5 == 0 else "."
    if now == 0:
        return [("active", signs().active), ("rule", text)]
    at = (now - 1) // per_sign
    behind = at + 1
    while text[at].isdigit() and text[behind : behind + 1].isdigit():  # a label gives way whole
        behind += 1
    freed = "." * (min(behind, signs_wanted) - at - 1)
    return [
        ("rule", " " + text[:at]),
        ("active", signs().active),
        ("rule", freed + text[behind:]),
    ]


def _draw_too_small(player: ReplayPlayer, columns: int, height: int) -> list[Row]:
    lines = [
        _("kotp2p needs {columns}x{rows}, now {width}x{height}.", columns=SMALLEST_SIZE[0],
          rows=SMALLEST_SIZE[1], width=columns, height=height + INPUT_AND_KEYS_ROWS),
        player.describe_place(),
        player.reel.describe_cause(player.place),
    ]  # fmt: skip
    rows: list[Row] = [[("log", row)] for row in fold_lines(lines, max(columns, 8))]
    return rows[:height]


def draw_replay_keys(player: ReplayPlayer, screen: Screen, columns: int) -> Row:
    if screen.page is not None:
        hints = [
            KeyHint(in_context("key", "Esc"), _("Close"), 3),
            KeyHint(in_context("key", "Page Up"), _("Back"), 1),
            KeyHint(in_context("key", "Page Down"), _("On"), 1),
        ]
    else:
        hints = [
            KeyHint("F1", _("Help"), 3),
            KeyHint(in_context("key", "Right"), _("Event"), 2),
            KeyHint(in_context("key", "Down"), _("Turn"), 2),
            KeyHint(in_context("key", "Tab"), _("Decision"), 2),
            KeyHint(in_context("key", "Space"), _("Pause") if player.is_playing else _("Play"), 2),
            KeyHint("F4", _("Explain"), 1),
            KeyHint("F5", _("Seat"), 0),
            KeyHint("F10", _("Leave"), 2),
        ]
    return fit_hints(hints, columns)
