"""The whole screen as rows, for any size.

Scope: the frame. From the bottom up: the keys, the input line, three rows of prompt under a title,
and these never move. Above them is the table with its log. A page covers everything above the
prompt, and so does a great moment. What a question says beyond its three rows goes above its title,
over the log and, if that is too little, over the table: no question is cut.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import _, as_cell, in_context, line_width, list_with_commas
from kotp2p.cli.text.typed_words import own_command
from kotp2p.cli.ui.screen import dice_and_cards, panels, theme
from kotp2p.cli.ui.screen.dice_and_cards import describe_roll, draw_cards_of_others, list_boxes
from kotp2p.cli.ui.screen.pages import Page
from kotp2p.cli.ui.screen.screen import Screen, keepable_dice
from kotp2p.cli.ui.screen.table_status import lobby_rows
from kotp2p.cli.wing import wing
from kotp2p.referee.model.decisions import BuyDecision, OpportunistDecision
from kotp2p.seams.notices import SeatView

SMALLEST_SIZE = (60, 20)
ROOM_FOR_PORTRAITS = 24
PROMPT_ROWS = 3
INPUT_AND_KEYS_ROWS = 2


def draw_screen(screen: Screen, columns: int, height: int) -> list[theme.Row]:
    """Draw `height` rows, without the input line and the keys."""
    screen.columns = columns
    if columns < SMALLEST_SIZE[0] or height + INPUT_AND_KEYS_ROWS < SMALLEST_SIZE[1]:
        told = [
            _("Make the window larger; the game goes on."),
            screen.heading,
            *([screen.time_left] if screen.time_left else []),
            *screen.prompt_lines()[-1:],
            *([screen.prompt.remark] if screen.prompt.remark else []),
        ]
        return draw_too_small(told, columns, height)
    remark = screen.prompt.remark
    prompt, overflow = _draw_prompt(screen, columns, remark)
    room = height - len(prompt) - 1
    view, moment = screen.state.view, screen.moments.shown
    if screen.page is not None:
        upper = draw_page(screen, screen.page, columns, room)
    elif view is not None and moment is not None and moment.words and not overflow:
        upper = _draw_moment(screen, view, moment, columns, room)
    else:
        steady = len(_draw_prompt(screen, columns, "")[1])
        upper = draw_upper(screen, columns, room, overflow, steady)
    return [_draw_title(screen, columns), *upper, *prompt]


BESIDE_THE_PICTURE = 3
"""Rows above and below the portraits of a moment: the skylines, and one that is empty."""


def _draw_moment(
    screen: Screen, view: SeatView, moment: panels.Moment, columns: int, room: int
) -> list[theme.Row]:
    style = f"{theme.STYLES[moment.kind]} face"
    words: list[theme.Row] = [
        theme.mark_names([(style, text)], view)
        for text in theme.fold_lines([moment.words], columns - 4)
    ]
    skyline: theme.Row = [(style, (theme.signs().skyline * columns)[:columns])]
    left = room - len(words) - BESIDE_THE_PICTURE
    picture = wing().draw_moment(screen, view, moment, columns, left)
    rows = [skyline, *picture, [], *words, skyline]
    above = max(0, room - len(rows)) // 2
    rows = [*[[]] * above, *(theme.center_row(row, columns) for row in rows)][:room]
    return [*rows, *[[]] * (room - len(rows))]


def _draw_title(screen: Screen, columns: int) -> theme.Row:
    parts = ["kotp2p"]
    view = screen.state.view
    if view is not None and view.game.state.turn:  # 0 until it is known who begins
        parts.append(_("turn {turn}", turn=view.game.state.turn))
    parts.append(screen.heading)
    if view is not None and screen.ending is None:
        parts += screen.status.title_marks(view)
    text = " " + " | ".join(map(as_cell, parts))
    if view is not None and not names.is_alone(view):
        phrase = " | " + view.phrase
        if line_width(text) + line_width(phrase) < columns:
            text += phrase
    return [("title", theme.pad_to_width(text, columns))]


def _draw_prompt(
    screen: Screen, columns: int, remark: str
) -> tuple[list[theme.Row], list[theme.Row]]:
    """Return the title and three rows of prompt, and the rows that do not fit there."""
    style = "danger" if screen.time_left and screen.clock.is_urgent else "prompt"
    title = _draw_prompt_title(screen, columns, style)
    remark_rows = theme.draw_text([remark] if remark else [], columns, "status")
    blocks = _draw_question(screen, columns)
    shown = remark_rows[-PROMPT_ROWS:]
    # A line goes above the title as a whole, so that it is read in one place.
    while blocks and len(blocks[-1]) + len(shown) <= PROMPT_ROWS:
        shown = [*blocks.pop(), *shown]
    coach = theme.draw_text(_coach_lines(screen), columns, "news")
    if screen.are_dice_rolling:  # the advice gives the roll away; its rows stay free
        coach = [[("log", "")] for _row in coach]
    overflow = coach + [row for block in blocks for row in block] + remark_rows[:-PROMPT_ROWS]
    empty: list[theme.Row] = [[("log", "")]] * (PROMPT_ROWS - len(shown))
    return [title, *empty, *shown], overflow


def _draw_prompt_title(screen: Screen, columns: int, style: str) -> theme.Row:
    """Draw the title, with the letter of the active monster unless the reader is asked."""
    view, end = screen.state.view, screen.time_left
    is_told = screen.state.asking is None and not screen.state.is_leave_asked
    if view is None or not is_told or screen.ending is not None or screen.state.is_reading:
        return theme.rule_row(columns, screen.heading, end, style=style)
    active = view.game.state.active
    return theme.rule_of_monster(view, active, columns, screen.heading, end, style)


def _coach_lines(screen: Screen) -> list[str]:
    asking = screen.state.asking
    if asking is None or screen.state.is_leave_asked or not asking.coach:
        return []
    return [asking.coach]


def _draw_question(screen: Screen, columns: int) -> list[list[theme.Row]]:
    view = screen.state.view
    return [
        [theme.mark_names(row, view) for row in theme.draw_text([line], columns)]
        for line in _pack_lines(screen.prompt_lines(), columns - 2)
    ]


def _pack_lines(lines: list[str], columns: int) -> list[str]:
    """Join lines if that makes them fit the prompt: those before its last one, or all."""
    packed = [lines, [" ".join(lines[:-1]), *lines[-1:]], [" ".join(lines)]]
    return next((it for it in packed if len(theme.fold_lines(it, columns)) <= PROMPT_ROWS), lines)


def draw_page(screen: Screen, page: Page, columns: int, room: int) -> list[theme.Row]:
    view = screen.state.view
    portraits: list[theme.Row] = []
    if page is screen.end_page and view is not None and room >= ROOM_FOR_PORTRAITS:
        portraits = wing().draw_portraits(screen, view, columns - 1)
    shown, where = page.visible_rows(columns - 2, room - 1 - len(portraits))
    title = page.title + (f" {where}" if where else "")
    rows: list[theme.Row] = [theme.rule_row(columns, title, _("Esc closes"))]
    rows += [[("log", " "), *row] for row in portraits]
    rows += [theme.mark_names([(style, " " + text)], view) for style, text in shown]
    return rows + [[("log", "")]] * (room - len(rows))


def draw_too_small(told: Sequence[str], columns: int, height: int) -> list[theme.Row]:
    size = _("kotp2p needs {columns}x{rows}, now {width}x{height}.", columns=SMALLEST_SIZE[0],
             rows=SMALLEST_SIZE[1], width=columns, height=height + INPUT_AND_KEYS_ROWS)  # fmt: skip
    rows: list[theme.Row] = [[("log", r)] for r in theme.fold_lines([size, *told], max(columns, 8))]
    return rows[:height]


# -- what is above the prompt, and where, for any width and height -------------------------
#
# How the room is divided. In one column: the monsters, the dice beside Tokyo, the cards for sale,
# the log. From `TWO_COLUMNS` on, dice and Tokyo are on the left, with the portraits and the race to
# the points, cards and log on the right.
# Less room means smaller drawings first, then fewer rows of the log. While cards may be bought,
# their texts are more important than the boxes of the dice, which become words.


TWO_COLUMNS = 100
LEFT_COLUMNS = 52
MOST_LEFT_COLUMNS = 60
"""Enough for four portraits, and for six large dice."""
RIGHT_COLUMNS = 48
"""Before the left column grows, the right one has as many, with the line between them."""
LOG_ROWS = 8
"""Rows of the log that come before large dice and the texts of cards."""
LOG_ROWS_OF_MANY = 6
"""Likewise with more than `FEW_SEATS`."""
FEW_SEATS = 4
LOBBY_LOG_ROWS = 4
LOG_ROWS_BESIDE_COACH = 3
LOG_ROWS_BESIDE = 6
WORDS_COLUMNS = 74
"""Columns from which the faces of six dice fit into a rule."""


def draw_upper(
    screen: Screen, columns: int, room: int, overflow: list[theme.Row], steady: int = 0
) -> list[theme.Row]:
    """Draw `room` rows: the table, the log, and the rows of the question above its title.

    `steady` is the number of those rows without a remark, by which the drawing of the table is
    chosen, so that dice stay under the mouse when a click on one leads to a remark.
    """
    view = screen.state.view
    body = max(0, room - len(overflow))
    if view is None:
        rows = _draw_lobby(screen, columns, body)
    elif columns >= TWO_COLUMNS:
        rows = _draw_two_columns(screen, view, columns, body)
    else:
        rows = _draw_one_column(screen, view, columns, body, max(0, room - steady))
    return [*rows[:body], *overflow[:room]]


def _draw_lobby(screen: Screen, columns: int, room: int) -> list[theme.Row]:
    feed = screen.state.feed
    most = max(0, room - LOBBY_LOG_ROWS - 1)  # its rule besides
    rows = lobby_rows(feed.lobby, screen.status, columns, feed.audience.interfaces, most)
    lobby = rows[:most]
    if columns >= TWO_COLUMNS:
        seats = [] if feed.lobby is None else feed.lobby.seats
        monsters = [seat.monster for seat in seats if seat is not None]
        portraits = wing().draw_lobby_portraits(screen, monsters, columns)
        if room - len(lobby) >= len(portraits) + LOG_ROWS:
            lobby = [*lobby, *portraits]
    return [*lobby, *_draw_log(screen, columns, room - len(lobby))]


# -- one column ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Plan:
    """Rows above the log, and how many rows of the log they should leave."""

    rows: list[theme.Row]
    has_log_rule: bool
    """Whether the log needs no rule, below a rule with cards or where it has hardly a row."""
    log_rows: int


def _draw_one_column(
    screen: Screen, view: SeatView, columns: int, room: int, steady: int
) -> list[theme.Row]:
    table = panels.monster_rows(view, columns, screen.status.out_since, screen.status.last)
    for plan in _list_plans(screen, view, columns, _fewest_log_rows(screen, view)):
        above = [*table, *plan.rows]
        if len(above) + plan.has_log_rule + plan.log_rows <= steady:
            break
    above = above[: max(0, room - plan.has_log_rule)]
    if plan.has_log_rule or screen.log.rows_below == 0 or is_shopping(screen):
        log = _draw_log(screen, columns, room - len(above), has_rule=plan.has_log_rule)
        return [*above, *log]
    return [*above[:-1], *_draw_log(screen, columns, room - len(above) + 1)]


def _fewest_log_rows(screen: Screen, view: SeatView) -> int:
    asking = screen.state.asking
    if asking is not None and asking.coach:
        return LOG_ROWS_BESIDE_COACH
    return LOG_ROWS if len(view.players) <= FEW_SEATS else LOG_ROWS_OF_MANY


def _list_plans(screen: Screen, view: SeatView, columns: int, fewest: int) -> Iterator[Plan]:
    """Yield plans for the column, the best one first; the last one fits if no other does."""
    board = draw_board(screen, view, columns)
    small = _draw_dice_in_words(screen, view, columns)
    cards = dice_and_cards.draw_shop(view, columns, text_rows=0)
    rule = dice_and_cards.draw_shop_rule(view, columns)
    dice = _head_dice(screen, view, columns)  # what they have given is read beside the cards
    if is_shopping(screen):
        texts = dice_and_cards.draw_shop(view, columns, text_rows=dice_and_cards.MANY_ROWS)
        short = dice_and_cards.draw_shop(view, columns, text_rows=1)
        yield Plan([*board, *texts], True, fewest)
        yield Plan([*dice, *texts], True, fewest)
        yield Plan([*dice, *short], True, fewest)
        yield Plan([*dice, *cards], False, fewest)
        yield Plan([*dice, *rule], False, fewest)
        yield Plan(cards, False, 1)
    if screen.has_pictures:
        large = draw_board(screen, view, columns, large=True)
        yield Plan([*large, *cards], True, LOG_ROWS)
    yield Plan([*board, *cards], True, fewest)
    yield Plan([*board, *rule], False, fewest)
    yield Plan([*small, *rule], False, fewest)
    yield Plan([*dice, *rule], False, fewest)
    yield Plan([*small, *rule], False, 1)
    yield Plan(small, True, 0)


def is_shopping(screen: Screen) -> bool:
    asking = screen.state.asking
    if asking is None or screen.state.is_leave_asked:
        return False
    return isinstance(asking.question.decision, BuyDecision | OpportunistDecision)


def draw_board(
    screen: Screen, view: SeatView, columns: int, *, large: bool = False
) -> list[theme.Row]:
    """Draw the dice, and Tokyo beside them if there is room."""
    boxes = list_boxes(screen)
    large = large and dice_and_cards.columns_of_boxes(len(boxes), large=True) <= columns
    taken = dice_and_cards.columns_of_boxes(len(boxes), large=large)
    dice = dice_and_cards.draw_boxes(boxes, large=large)
    beside = columns - taken - 3
    if beside >= panels.SMALLEST_COLUMNS:
        dice = theme.put_side_by_side(dice, panels.draw_tokyo(view, beside), taken + 2, "")
    return [*_head_dice(screen, view, columns), *dice]


def _head_dice(screen: Screen, view: SeatView, columns: int) -> list[theme.Row]:
    faces = "" if screen.are_dice_rolling else names.faces(view.game.state.dice)
    whole = _("{head}: {text}", head=describe_roll(view), text=faces) if faces else ""
    whole = whole or describe_roll(view)
    if columns >= WORDS_COLUMNS and line_width(whole) <= columns - 8:
        return [_dice_rule(screen, view, columns, whole)]
    words = theme.draw_text([faces or " "], columns)
    return [_dice_rule(screen, view, columns, describe_roll(view)), *words]


def _dice_rule(screen: Screen, view: SeatView, columns: int, left: str) -> theme.Row:
    room = columns - 11 - line_width(left)
    end = "" if screen.are_dice_rolling else _describe_worth(view, room)
    return theme.rule_of_monster(view, view.game.state.active, columns, left, end)


def _describe_worth(view: SeatView, room: int) -> str:
    state = view.game.state
    if not state.dice:
        return ""
    worth = list_with_commas(names.list_worth(view, state.active, state.dice))
    return worth if line_width(worth) <= room else ""


def _draw_dice_in_words(screen: Screen, view: SeatView, columns: int) -> list[theme.Row]:
    row = dice_and_cards.draw_in_one_row(list_boxes(screen))
    rule = _dice_rule(screen, view, columns, describe_roll(view))
    return [rule, *([row] if view.game.state.dice else [])]


# -- two columns ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Left:
    large_dice: bool
    race: bool
    portraits: bool


LEFTS = (
    Left(large_dice=True, race=True, portraits=True),
    Left(large_dice=False, race=True, portraits=True),
    Left(large_dice=False, race=False, portraits=True),
    Left(large_dice=True, race=True, portraits=False),
    Left(large_dice=False, race=True, portraits=False),
    Left(large_dice=False, race=False, portraits=False),
)


def _draw_two_columns(screen: Screen, view: SeatView, columns: int, room: int) -> list[theme.Row]:
    left_columns = max(LEFT_COLUMNS, min(MOST_LEFT_COLUMNS, columns - RIGHT_COLUMNS))
    table = panels.monster_rows(view, columns, screen.status.out_since, screen.status.last)
    height = room - len(table)
    left = _draw_left(screen, view, left_columns, height)
    right = _draw_shop_and_log(screen, view, columns - left_columns - 1, height)
    upright = theme.signs().upright
    return [*table, *theme.put_side_by_side(left[:height], right, left_columns, upright)]


def _draw_left(screen: Screen, view: SeatView, columns: int, room: int) -> list[theme.Row]:
    rows: list[theme.Row] = []
    for plan in LEFTS:
        rows = _draw_plan(plan, screen, view, columns)
        if rows and len(rows) <= room:
            break
    return [*rows, *draw_cards_of_others(view, columns, room - len(rows))]


def _draw_plan(plan: Left, screen: Screen, view: SeatView, columns: int) -> list[theme.Row]:
    """Draw a plan; return no rows if a part does not fit, or needs pictures that are off."""
    boxes = list_boxes(screen)
    is_large = plan.large_dice
    if is_large and not screen.has_pictures:
        return []
    if is_large and dice_and_cards.columns_of_boxes(len(boxes), large=True) > columns:
        return []
    portraits: list[theme.Row] = []
    if plan.portraits:
        portraits = wing().draw_portraits(screen, view, columns)
        if not portraits:
            return []
    return [
        *_head_dice(screen, view, columns),
        *dice_and_cards.draw_boxes(boxes, large=is_large),
        *panels.draw_tokyo(view, columns),
        *portraits,
        *(panels.draw_race(view, columns, len(view.players) + 1) if plan.race else []),
    ]


def _draw_shop_and_log(
    screen: Screen, view: SeatView, columns: int, height: int
) -> list[theme.Row]:
    fewest = 1 if is_shopping(screen) else LOG_ROWS_BESIDE
    for text_rows in (dice_and_cards.MANY_ROWS, 2, 1, 0, dice_and_cards.NAMES_ALONE):
        cards = dice_and_cards.draw_shop(view, columns, text_rows)
        if len(cards) + 1 + fewest <= height:
            break
    return [*cards, *_draw_log(screen, columns, height - len(cards))]


# -- the log -------------------------------------------------------------------------------------


def _draw_log(
    screen: Screen, columns: int, height: int, *, has_rule: bool = True
) -> list[theme.Row]:
    if height <= 0:
        return []
    if not screen.are_dice_rolling:
        screen.log.release()
    newer = screen.log.rows_below
    title = _("Log, {n} newer rows below: Page Down", n=newer) if newer else _("Log")
    rows = [theme.rule_row(columns, title)] if has_rule else []
    left = height - len(rows)
    shown = screen.log.visible_rows(columns, left) if left else []
    rows += [theme.draw_log_row(row, columns, screen.state.view) for row in shown]
    return rows + [[("log", "")]] * (height - len(rows))


# -- the last row: which key does what now -------------------------------------------------
#
# The hints for each state of the screen, and what is left out where it does not fit. F1, which
# lists all keys, is always shown. Some terminals take F1 and F10 for their menus; there the hints
# are the words that are typed instead.


GAP = "  "


@dataclass(frozen=True, slots=True)
class KeyHint:
    key: str
    does: str
    weight: int = 1
    """Hints of less weight are left out first."""

    @property
    def columns(self) -> int:
        return line_width(self.key) + bool(self.does) + line_width(self.does)


def draw_key_row(screen: Screen, columns: int) -> theme.Row:
    return fit_hints(list_hints(screen), columns)


def fit_hints(hints: list[KeyHint], columns: int) -> theme.Row:
    while len(hints) > 1 and _width(hints) > columns:
        lightest = min(hint.weight for hint in hints)
        last = max(at for at, hint in enumerate(hints) if hint.weight == lightest)
        hints = [*hints[:last], *hints[last + 1 :]]
    row: theme.Row = []
    for hint in hints:
        does = f" {hint.does}" if hint.does else ""
        row += [("keyname", hint.key), ("key", does + GAP)]
    return theme.fit_row(row, columns)


def _width(hints: list[KeyHint]) -> int:
    return sum(hint.columns for hint in hints) + len(GAP) * (len(hints) - 1)


def list_hints(screen: Screen) -> list[KeyHint]:
    hints = _list_keys(screen)
    if not screen.keys_are_words:
        return hints
    if screen.ending is not None:  # no words are read there
        return [hint for hint in hints if hint.key not in ("F1", "F10")]
    words = {"F1": KeyHint("?", _("Help"), 3), "F10": KeyHint(own_command("leave"), "", 2)}
    return [words.get(hint.key, hint) for hint in hints]


def _list_keys(screen: Screen) -> list[KeyHint]:
    escape, view = in_context("key", "Esc"), screen.state.view
    cards = [] if view is None else [KeyHint("F2", _("Cards"), 1)]
    pages = [KeyHint("F1", _("Help"), 3), *cards, KeyHint("F3", _("Log"), 1)]
    scrolling = []
    if screen.page is not None and screen.page.is_longer:
        up, down = in_context("key", "Page Up"), in_context("key", "Page Down")
        scrolling = [KeyHint(up, _("Back")), KeyHint(down, _("On"))]
    if screen.ending is not None:
        asks = screen.last_question is not None and screen.last_question.asks
        enter = KeyHint(in_context("key", "Enter"), _("Close"), 3)
        other = _("Table") if screen.page is screen.end_page else _("The end")
        first = [*([] if asks else [enter]), KeyHint(escape, other, 3)]
        last = [KeyHint("F10", _("Close"), 2)] if asks else []
        return [*first, *pages, *scrolling, *last]
    if screen.state.is_reading:
        begin = KeyHint(in_context("key", "Enter"), _("Begin"), 3)
        return [begin, pages[0], *scrolling, KeyHint("F10", _("Leave"), 2)]
    if screen.page is not None:
        return [KeyHint(escape, _("Close"), 3), *pages, *scrolling]
    if screen.keys_are_words and view is not None:
        words = [own_command(word) for word in ("cards", "log", "orders", "look", "leave")]
        return [KeyHint("?", "", 3), *(KeyHint(word, "") for word in words), _hint_now(screen)]
    more = [] if view is not None else [KeyHint("F6", _("More"), 1)]
    return [*pages, *more, KeyHint("F10", _("Leave"), 2), _hint_now(screen)]


def _hint_now(screen: Screen) -> KeyHint:
    if screen.state.is_leave_asked:
        return KeyHint(in_context("key", "Esc"), _("Stay"), 3)
    if screen.input.text:
        return KeyHint(in_context("key", "Esc"), _("Clear"), 3)
    if screen.state.pace.is_behind:
        return KeyHint(_("Any key"), _("Skip"), 3)
    if screen.picker.die is not None and keepable_dice(screen.state.asking):
        return KeyHint(in_context("key", "Space"), _("Keep"), 3)
    return KeyHint(_("Arrows"), _("Pick"), 1)
