"""The dice on the table, the cards for sale, and those of the others, in the room that there is.

A module of its own for its size; `draw` puts the parts of the table together.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from kotp2p.cli.text import names, player_rules
from kotp2p.cli.text.i18n import _, line_width, number, plural
from kotp2p.cli.text.player_rules import printed_name, printed_text
from kotp2p.cli.text.queries import PriceTag, tags_of_market
from kotp2p.cli.ui.screen import theme
from kotp2p.cli.ui.screen.screen import CARD, DIE, Screen, keepable_dice, mark_row, shown_as_kept
from kotp2p.referee.model.answers import Face, Item
from kotp2p.seams.notices import SeatView

# -- dice drawn as boxes: three rows high, a row higher if kept ----------------------------


BOX_COLUMNS = theme.FACE_COLUMNS + 2
PITCH_COLUMNS = BOX_COLUMNS + 1
BOX_ROWS = 4
"""Three of a box and one by which kept dice are lifted."""
LARGE_BOX_COLUMNS, LARGE_BOX_ROWS = 8, 6
LARGE_PITCH_COLUMNS = LARGE_BOX_COLUMNS + 1
PICTURES = {
    Face.ONE: ("..##..", ".###..", "..##..", "..##..", "..##..", ".####."),
    Face.TWO: (".####.", "##..##", "...##.", "..##..", ".##...", "######"),
    Face.THREE: ("#####.", "....##", ".####.", "....##", "....##", "#####."),
    Face.HEART: (".#..#.", "######", "######", ".####.", "..##..", "......"),
    Face.BOLT: ("...##.", "..##..", ".#####", "...##.", "..##..", ".#...."),
    Face.CLAW: (".#.#.#", ".#.#.#", ".#.#.#", "#.#.#.", "#.#.#.", "#.#.#."),
}
"""The faces of large dice, of which a sign shows two pixels."""
HALF_BLOCKS = {"..": " ", "#.": "▀", ".#": "▄", "##": "█"}
FACE_STYLES = {Face.HEART: "heart", Face.BOLT: "energy", Face.CLAW: "damage"}
"""Numbers have the style of any die."""


@dataclass(frozen=True, slots=True)
class DieBox:
    face: Face | None
    """None: not rolled yet."""
    is_kept: bool = False
    is_new: bool = False
    is_picked: bool = False
    mark: str = ""
    """The mark of a click on it (`screen`); empty if it cannot be chosen."""
    is_moving: bool = False
    """Whether the face is one of those that a rolling die shows on its way."""


def columns_of_boxes(count: int, *, large: bool = False) -> int:
    return 1 + (LARGE_PITCH_COLUMNS if large else PITCH_COLUMNS) * count


def draw_boxes(dice: Sequence[DieBox], *, large: bool = False) -> list[theme.Row]:
    """Draw the dice in `BOX_ROWS` rows, or `LARGE_BOX_ROWS`."""
    rows: list[theme.Row] = [[("log", " ")] for _ in range(LARGE_BOX_ROWS if large else BOX_ROWS)]
    for die in dice:
        for row, parts in zip(rows, _draw_box(die, large=large), strict=True):
            row += [*(mark_row(parts, die.mark) if die.mark else parts), ("log", " ")]
    return rows


def _draw_box(die: DieBox, *, large: bool) -> list[theme.Row]:
    signs = theme.signs()
    frame = "cursor" if die.is_picked else _frame_style(die)
    columns = LARGE_BOX_COLUMNS if large else BOX_COLUMNS
    top_left, top_right, low_left, low_right = signs.corners
    edge = signs.line * (columns - 2)
    side, style = (frame, signs.upright), _face_style(die, frame)
    faces = _draw_picture(die.face) if large else [_draw_face(die.face)]
    box: list[theme.Row] = [
        [(frame, top_left + edge + top_right)],
        *([side, (style, face), side] for face in faces),
        [(frame, low_left + edge + low_right)],
    ]
    if die.is_kept:
        # Translators: below a die, with a space in front; at most 5 columns wide.
        return [*box, [("kept", theme.pad_to_width(_(" kept"), columns))]]
    # Translators: above a die, with a space in front; at most 5 columns wide.
    above = _(" new") if die.is_new else ""
    return [[("new", theme.pad_to_width(above, columns))], *box]


def _draw_face(face: Face | None) -> str:
    return " " * theme.FACE_COLUMNS if face is None else number(theme.signs().faces[face])


def _draw_picture(face: Face | None) -> list[str]:
    columns = LARGE_BOX_COLUMNS - 2
    rows = ("." * columns,) * columns if face is None else PICTURES[face]
    return [
        "".join(HALF_BLOCKS[upper + lower] for upper, lower in zip(*two, strict=True))
        for two in zip(rows[::2], rows[1::2], strict=True)
    ]


def _frame_style(die: DieBox) -> str:
    if die.is_moving or die.face is None:
        return "moving"
    return "kept" if die.is_kept else "new" if die.is_new else "die"


def _face_style(die: DieBox, frame: str) -> str:
    if frame in ("cursor", "moving") or die.face is None:
        return frame
    return f"face {FACE_STYLES.get(die.face, 'log')}"


def draw_in_one_row(dice: Sequence[DieBox]) -> theme.Row:
    row: theme.Row = [("log", " ")]
    for die in dice:
        if die.face is not None:
            style = "cursor" if die.is_picked else "kept" if die.is_kept else "log"
            part = (style, theme.die_text(die.face, is_kept=die.is_kept))
            row += [*(mark_row([part], die.mark) if die.mark else [part]), ("log", " ")]
    return row


# -- which dice lie on the table: the kept ones, the new ones, the cursor ------------------


DICE_OF_A_ROLL = 6


def list_boxes(screen: Screen) -> list[DieBox]:
    view = screen.state.view
    dice = [] if view is None else view.game.state.dice
    if not dice:
        return [DieBox(None)] * DICE_OF_A_ROLL
    rolled = screen.status.last.rolled_of(dice)
    asked = [] if screen.state.is_leave_asked else keepable_dice(screen.state.asking)
    motion = screen.motion
    if asked != sorted(dice):
        kept_first = sorted(range(len(dice)), key=lambda at: (at in rolled, dice[at], at))
        return [
            DieBox(
                motion.face_shown(dice[at], at),
                is_kept=bool(rolled) and at not in rolled,
                is_new=at in rolled,
                is_moving=motion.is_rolling(at),
            )
            for at in kept_first
        ]
    order = sorted(range(len(dice)), key=lambda at: (dice[at], at in rolled, at))
    held = shown_as_kept(screen.picker, screen.state.asking, screen.input.text, asked)
    held = held or [False] * len(asked)
    is_chosen = any(held) or screen.picker.die is not None  # who chooses has seen the dice
    return [
        DieBox(
            dice[at] if is_chosen else motion.face_shown(dice[at], at),
            is_kept=is_held,
            is_new=at in rolled and not is_held,
            is_picked=n == screen.picker.die,
            mark=f"{DIE}{n}",
            is_moving=motion.is_rolling(at) and not is_chosen,
        )
        for n, (at, is_held) in enumerate(zip(order, held, strict=True))
    ]


def describe_roll(view: SeatView) -> str:
    state = view.game.state
    name = names.player_name(view, state.active)
    if state.active == view.seat:
        return _("Your dice, roll {n}", n=state.rolls) if state.dice else _("Your dice to come")
    if state.dice:
        return _("Dice of {name}, roll {n}", name=name, n=state.rolls)
    return _("Dice of {name} to come", name=name)


# -- the cards for sale: in one row between the table and the log, or with their texts -----


MANY_ROWS, NAMES_ALONE = 99, -1
"""Of the text of each card; `NAMES_ALONE` leaves out its kind, too."""


def _draw_name(letter: str, tag: PriceTag | None) -> theme.Row:
    if tag is None:
        return [("dear", f" {letter} -")]
    price = number(tag.price) + theme.signs().faces[Face.BOLT].strip()
    style = "card" if tag.can_be_bought else "dear"
    return [("energy", f" {letter} {price} "), (style, printed_name(tag.card))]


def draw_shop_rule(view: SeatView, columns: int) -> list[theme.Row]:
    """Draw rules with letters, prices and names, as many as these need; F2 shows the texts."""
    line = theme.signs().line
    rows: list[theme.Row] = [[("rule", line)]]
    for n, (letter, tag) in enumerate(tags_of_market(view)):
        card = mark_row(_draw_name(letter, tag), f"{CARD}{n}")
        if n and theme.row_width(rows[-1]) + theme.row_width(card) + 2 > columns:
            rows.append([("rule", line)])
        rows[-1] += [("rule", line), *card, ("rule", " ")]
    left = [columns - theme.row_width(row) for row in rows]
    end = _first_to_fit([f" {end} {line * 2}" for end in (_("F2 reads them"), "F2")], left[-1])
    ruled = [*(line * n for n in left[:-1]), line * (left[-1] - line_width(end)) + end]
    return [[*row, ("rule", rest)] for row, rest in zip(rows, ruled, strict=True)]


def _first_to_fit(texts: Sequence[str], columns: int) -> str:
    return next((text for text in texts if line_width(text) <= columns), "")


def draw_shop(view: SeatView, columns: int, text_rows: int) -> list[theme.Row]:
    """Draw a rule that names the key for cut texts, and each card with `text_rows` rows of text."""
    rows: list[theme.Row] = []
    is_cut = False
    for n, (letter, tag) in enumerate(tags_of_market(view)):
        card = [_draw_name(letter, tag)]
        if tag is not None and text_rows > NAMES_ALONE:
            folded = theme.fold_lines([printed_text(tag.card)], columns - 4)
            is_cut |= len(folded) > text_rows
            card = [*_draw_head(letter, tag, columns), *_draw_card_text(folded, columns, text_rows)]
        rows += [mark_row(row, f"{CARD}{n}") for row in card]
    deck = plural("{n} more card in the deck", "{n} more cards in the deck",
                  len(view.game.state.undrawn))  # fmt: skip
    title, ends = _("Power cards"), (_("F2 reads them"), "F2") if is_cut else (deck,)
    end = _first_to_fit(ends, columns - 9 - line_width(title))
    return [theme.rule_row(columns, title, end), *rows]


def _draw_head(letter: str, tag: PriceTag, columns: int) -> list[theme.Row]:
    mark, style = ("energy", "card") if tag.can_be_bought else ("dear", "dear")
    first, *more = theme.fold_lines([tag.head()], columns - 3)
    rows: list[theme.Row] = [[(mark, f" {letter} "), (style, first)]]
    return [*rows, *([(style, f"   {row}")] for row in more)]


def _draw_card_text(folded: list[str], columns: int, text_rows: int) -> list[theme.Row]:
    shown = folded[:text_rows]
    if shown and len(folded) > text_rows:
        shown[-1] = theme.cut_to_width(shown[-1] + " " * columns, columns - 4).rstrip()
    return [[("log", "   " + row)] for row in shown]


# -- the cards of the others, for windows with room ---------------------------------------


def draw_cards_of_others(view: SeatView, columns: int, room: int) -> list[theme.Row]:
    """Draw whole cards of the other players in at most `room` rows; F2 has the rest."""
    rows = [theme.rule_row(columns, _("Cards of the others"))]
    for monster in view.game.state.monsters:
        if monster.seat == view.seat or not monster.alive:
            continue
        for holding in monster.holdings:
            (_style, head), *text = [row[0] for row in _draw_text(view, holding.item, columns)]
            sign = f" {theme.monster_letter(view, monster.seat)}"
            letter = (theme.seat_style(monster.seat), sign)
            card: list[theme.Row] = [[letter, ("card", head)], *[[row] for row in text]]
            if len(rows) + len(card) <= room:
                rows += card
    return rows if len(rows) > 1 else []


def _draw_text(view: SeatView, item: Item, columns: int) -> list[theme.Row]:
    if names.is_card(view.game, item):
        card = view.game.card(item)
        head, text = player_rules.card_head(card), printed_text(card)
    else:
        tile = view.game.setup.tile(item)
        head, text = printed_name(tile), printed_text(tile)
    rows: list[theme.Row] = [[("card", f" {head}")]]
    return rows + [[("log", f"   {row}")] for row in theme.fold_lines([text], columns - 4)]
