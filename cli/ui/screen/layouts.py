"""What stands above the prompt, and where, for any width and height.

Scope: how the room is divided. In one column: the monsters, the dice beside Tokyo, the cards for
sale, the log. From `TWO_COLUMNS` on, dice and Tokyo stand on the left, with the portraits and the
race to the points, cards and log on the right; from `WIDE_COLUMNS` on the monsters are on the left
too. Less room means smaller drawings first, then fewer rows of the log. While cards may be bought,
their texts are more important than the boxes of the dice, and the dice stand there in words.
Not here: the parts themselves, and the title and the prompt (`draw`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import _, line_width, list_with_commas
from kotp2p.cli.ui.screen import dice_boxes, panels, shop, tokyo
from kotp2p.cli.ui.screen.blow_row import draw_blow
from kotp2p.cli.ui.screen.card_pane import draw_card_pane, draw_cards_of_others
from kotp2p.cli.ui.screen.lobby_rows import lobby_rows
from kotp2p.cli.ui.screen.log_marks import draw_log_row
from kotp2p.cli.ui.screen.monster_marks import mark_names, rule_of_monster
from kotp2p.cli.ui.screen.portrait_rows import (
    PORTRAIT_ROWS,
    draw_lobby_portraits,
    draw_portraits,
)
from kotp2p.cli.ui.screen.race import draw_race
from kotp2p.cli.ui.screen.rows import Row, fold_lines, put_side_by_side, rule_row
from kotp2p.cli.ui.screen.screen import Screen
from kotp2p.cli.ui.screen.table_dice import describe_roll, list_boxes
from kotp2p.cli.ui.screen.theme import signs
from kotp2p.referee.model.decisions import BuyDecision, OpportunistDecision
from kotp2p.seams.seat_view import SeatView

TWO_COLUMNS = 100
"""Columns from which there are two columns."""
WIDE_COLUMNS = 132
"""Columns from which the monsters stand in the left one of them."""
LEFT_COLUMNS = 52
MOST_LEFT_COLUMNS = 60
"""Enough for four portraits, and for six large dice."""
RIGHT_COLUMNS = 48
"""Before the left column grows, the right one has as many, with the line between them."""
WIDE_LEFT_COLUMNS = 80
LOG_ROWS = 8
"""Rows of the log that come before large dice and the texts of cards."""
LOG_ROWS_OF_MANY = 6
"""Likewise with more than `FEW_SEATS`."""
FEW_SEATS = 4
LOBBY_LOG_ROWS = 4
"""Rows of the log that a lobby always leaves."""
LOG_ROWS_BESIDE_COACH = 3
LOG_ROWS_BESIDE = 6
"""Likewise in a column of its own; what has happened since the reader's last turn needs more."""
WORDS_COLUMNS = 74
"""Columns from which the faces of six dice fit into a rule."""


def draw_upper(screen: Screen, columns: int, room: int, overflow: list[Row]) -> list[Row]:
    """`room` rows: the table, the log, and what the question needs above its title."""
    view = screen.state.view
    body = max(0, room - len(overflow))
    if view is None:
        rows = _draw_lobby(screen, columns, body)
    elif columns >= TWO_COLUMNS:
        rows = _draw_two_columns(screen, view, columns, body)
    else:
        rows = _draw_one_column(screen, view, columns, body)
    return [*rows[:body], *overflow[:room]]


def _draw_lobby(screen: Screen, columns: int, room: int) -> list[Row]:
    feed = screen.state.feed
    most = max(0, room - LOBBY_LOG_ROWS - 1)  # its rule besides
    rows = lobby_rows(feed.lobby, screen.status, columns, feed.audience.interfaces, most)
    lobby = rows[:most]
    if columns >= TWO_COLUMNS and room - len(lobby) >= PORTRAIT_ROWS + LOG_ROWS:
        seats = [] if feed.lobby is None else feed.lobby.seats
        monsters = [seat.monster for seat in seats if seat is not None]
        lobby = [*lobby, *draw_lobby_portraits(screen, monsters, columns)]
    return [*lobby, *_draw_log(screen, columns, room - len(lobby))]


# -- one column ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Plan:
    """Rows above the log, and how many rows of the log they should leave."""

    rows: list[Row]
    has_log_rule: bool
    """The log needs no rule of its own below a rule with cards, or where it has hardly a row."""
    log_rows: int


def _draw_one_column(screen: Screen, view: SeatView, columns: int, room: int) -> list[Row]:
    table = panels.monster_rows(view, columns, screen.status.out_since, screen.status.last)
    for plan in _list_plans(screen, view, columns, _fewest_log_rows(screen, view)):
        above = [*table, *plan.rows]
        if len(above) + plan.has_log_rule + plan.log_rows <= room:
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
    """The best one first; the last one is taken if none fits."""
    board = draw_board(screen, view, columns)
    small = _draw_dice_in_words(screen, view, columns)
    cards = shop.draw_shop(view, columns, text_rows=0)
    rule = shop.draw_shop_rule(view, columns)
    dice = _head_dice(screen, view, columns)  # what they have given is read beside the cards
    if is_shopping(screen):
        texts = shop.draw_shop(view, columns, text_rows=shop.MANY_ROWS)
        short = shop.draw_shop(view, columns, text_rows=1)
        yield Plan([*board, *texts], True, fewest)
        yield Plan([*dice, *texts], True, fewest)
        yield Plan([*dice, *short], True, fewest)
        yield Plan([*dice, *cards], False, fewest)
        yield Plan([*dice, rule], False, fewest)
        yield Plan(cards, False, 1)
    if screen.has_pictures:
        large = draw_board(screen, view, columns, large=True)
        yield Plan([*large, *cards], True, LOG_ROWS)
    yield Plan([*board, *cards], True, fewest)
    yield Plan([*board, rule], False, fewest)
    yield Plan([*small, rule], False, fewest)
    yield Plan([*dice, rule], False, fewest)
    yield Plan([*small, rule], False, 1)
    yield Plan(small, True, 0)


def is_shopping(screen: Screen) -> bool:
    """Whether a card may be bought now."""
    asking = screen.state.asking
    if asking is None or screen.state.is_leave_asked:
        return False
    return isinstance(asking.question.decision, BuyDecision | OpportunistDecision)


def draw_board(screen: Screen, view: SeatView, columns: int, *, large: bool = False) -> list[Row]:
    """The dice, and Tokyo beside them if there is room."""
    boxes = list_boxes(screen)
    large = large and dice_boxes.columns_of_boxes(len(boxes), large=True) <= columns
    taken = dice_boxes.columns_of_boxes(len(boxes), large=large)
    dice = dice_boxes.draw_boxes(boxes, large=large)
    beside = columns - taken - 3
    if beside >= tokyo.SMALLEST_COLUMNS:
        dice = put_side_by_side(dice, tokyo.draw_small(view, beside), taken + 2, "")
    return [*_head_dice(screen, view, columns), *dice]


def _head_dice(screen: Screen, view: SeatView, columns: int) -> list[Row]:
    """A rule that says whose dice they are and, when they lie still, what they show; in narrow
    columns the faces stand below it."""
    faces = "" if screen.are_dice_rolling else names.faces(view.game.state.dice)
    whole = _("{head}: {text}", head=describe_roll(view), text=faces) if faces else ""
    whole = whole or describe_roll(view)
    if columns >= WORDS_COLUMNS and line_width(whole) <= columns - 8:
        return [_dice_rule(screen, view, columns, whole)]
    below = fold_lines([faces or " "], columns - 2)
    words: list[Row] = [[("log", " " + row)] for row in below]
    return [_dice_rule(screen, view, columns, describe_roll(view)), *words]


def _dice_rule(screen: Screen, view: SeatView, columns: int, left: str) -> Row:
    """An attack stands here while it is shown: nobody then looks at the dice in words."""
    if screen.status.last.blow is not None:
        return draw_blow(view, screen.status.last.blow, columns)
    room = columns - 11 - line_width(left)
    end = "" if screen.are_dice_rolling else _describe_worth(view, room)
    return rule_of_monster(view, view.game.state.active, columns, left, end)


def _describe_worth(view: SeatView, room: int) -> str:
    """What the dice give; as much of it as fits, and a sign for the rest."""
    state = view.game.state
    if not state.dice:
        return ""
    parts = names.list_worth(view, state.active, state.dice)
    for n in range(len(parts), 0, -1):
        found = list_with_commas([*parts[:n], *([".."] if n < len(parts) else [])])
        if line_width(found) <= room:
            return found
    return ""


def _draw_dice_in_words(screen: Screen, view: SeatView, columns: int) -> list[Row]:
    row = dice_boxes.draw_in_one_row(list_boxes(screen))
    rule = _dice_rule(screen, view, columns, describe_roll(view))
    return [rule, *([row] if view.game.state.dice else [])]


# -- two columns ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Left:
    """How the left column is drawn."""

    large_dice: bool
    tokyo_rows: int
    race: bool
    portraits: bool


LEFTS = (
    Left(large_dice=True, tokyo_rows=tokyo.TALL_ROWS, race=True, portraits=True),
    Left(large_dice=True, tokyo_rows=tokyo.LARGE_ROWS, race=True, portraits=True),
    Left(large_dice=False, tokyo_rows=tokyo.TALL_ROWS, race=True, portraits=True),
    Left(large_dice=False, tokyo_rows=tokyo.LARGE_ROWS, race=True, portraits=True),
    Left(large_dice=False, tokyo_rows=tokyo.SMALL_ROWS, race=False, portraits=True),
    Left(large_dice=True, tokyo_rows=tokyo.TALL_ROWS, race=True, portraits=False),
    Left(large_dice=False, tokyo_rows=tokyo.TALL_ROWS, race=True, portraits=False),
    Left(large_dice=False, tokyo_rows=tokyo.TALL_ROWS, race=False, portraits=False),
    Left(large_dice=False, tokyo_rows=tokyo.LARGE_ROWS, race=False, portraits=False),
    Left(large_dice=False, tokyo_rows=tokyo.SMALL_ROWS, race=False, portraits=False),
)
"""The first one that has room is taken, and the last one if none has."""


def _draw_two_columns(screen: Screen, view: SeatView, columns: int, room: int) -> list[Row]:
    is_wide = columns >= WIDE_COLUMNS
    narrow = max(LEFT_COLUMNS, min(MOST_LEFT_COLUMNS, columns - RIGHT_COLUMNS))
    left_columns = WIDE_LEFT_COLUMNS if is_wide else narrow
    right_columns = columns - left_columns - 1
    table_columns = left_columns if is_wide else columns
    table = panels.monster_rows(view, table_columns, screen.status.out_since, screen.status.last)
    top = [] if is_wide else table
    height = room - len(top)
    left = table if is_wide else []
    left = [*left, *_draw_left(screen, view, left_columns, height - len(left), is_wide=is_wide)]
    right = _draw_shop_and_log(screen, view, right_columns, height)
    return [*top, *put_side_by_side(left[:height], right, left_columns, signs().upright)]


def _draw_left(
    screen: Screen, view: SeatView, columns: int, room: int, *, is_wide: bool
) -> list[Row]:
    """Dice and Tokyo; below them, as far as there is room, what is nice to have in sight."""
    rows: list[Row] = []
    for plan in LEFTS:
        rows = _draw_plan(plan, screen, view, columns)
        if rows and len(rows) <= room:
            break
    if is_wide:
        rows += draw_card_pane(screen, view, columns, room - len(rows))
    return [*rows, *draw_cards_of_others(view, columns, room - len(rows))]


def _draw_plan(plan: Left, screen: Screen, view: SeatView, columns: int) -> list[Row]:
    """Empty if a part of it has no room at this width, or no pictures are shown."""
    boxes = list_boxes(screen)
    is_large = plan.large_dice
    if is_large and not screen.has_pictures:
        return []
    if is_large and dice_boxes.columns_of_boxes(len(boxes), large=True) > columns:
        return []
    portraits: list[Row] = []
    if plan.portraits:
        portraits = draw_portraits(screen, view, columns)
        if not portraits:
            return []
    return [
        *_head_dice(screen, view, columns),
        *dice_boxes.draw_boxes(boxes, large=is_large),
        *_draw_tokyo(view, columns, plan.tokyo_rows),
        *portraits,
        *(draw_race(view, columns, len(view.players) + 1) if plan.race else []),
    ]


def _draw_tokyo(view: SeatView, columns: int, rows: int) -> list[Row]:
    rule = rule_row(columns, _("Tokyo, and who stands around it"))
    if rows == tokyo.SMALL_ROWS:
        return tokyo.draw_small(view, columns)
    return [rule, *tokyo.draw_large(view, columns, tall=rows == tokyo.TALL_ROWS)]


def _draw_shop_and_log(screen: Screen, view: SeatView, columns: int, height: int) -> list[Row]:
    summary = len(_draw_summary(screen, columns, height))
    fewest = 1 if is_shopping(screen) else max(LOG_ROWS_BESIDE, summary)
    for text_rows in (shop.MANY_ROWS, 2, 1, 0):
        cards = shop.draw_shop(view, columns, text_rows)
        if len(cards) + 1 + fewest <= height:
            break
    return [*cards, *_draw_log(screen, columns, height - len(cards))]


# -- the log -------------------------------------------------------------------------------------


def _draw_log(screen: Screen, columns: int, height: int, *, has_rule: bool = True) -> list[Row]:
    if height <= 0:
        return []
    if not screen.are_dice_rolling:
        screen.log.release()
    box = _draw_summary(screen, columns, height)
    rows: list[Row] = []
    if has_rule and len(box) < height:
        rows = [rule_row(columns, _log_title(screen))]
    left = height - len(rows) - len(box)
    shown = screen.log.visible_rows(columns, left) if left else []
    rows += [draw_log_row(row, columns, screen.state.view) for row in shown]
    return rows + box + [[("log", "")]] * (height - len(rows) - len(box))


def _draw_summary(screen: Screen, columns: int, height: int) -> list[Row]:
    """What has happened since the reader's last turn, below the log; nothing while the reader looks
    at older rows of it."""
    view, summary = screen.state.view, screen.summary
    if summary is None or view is None or screen.log.rows_below:
        return []
    texts = fold_lines(summary.lines, columns - 2)
    rest = _("type since to read all of it") if len(texts) + 1 > height else ""
    rows: list[Row] = [rule_row(columns, summary.title, rest)]
    rows += [mark_names([("log", " " + text)], view) for text in texts]
    return rows[:height]


def _log_title(screen: Screen) -> str:
    if screen.log.rows_below:
        return _("Log, {n} newer rows below: Page Down", n=screen.log.rows_below)
    return _("Log")
