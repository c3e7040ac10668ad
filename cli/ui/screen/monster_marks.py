"""One letter and one colour for each monster, wherever its name stands.

Scope: which letter and which style a seat has at one table, and names found in rows of text. The
letter says what the colour says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from kotp2p.cli.ui.screen.palettes import SEAT_STYLES
from kotp2p.cli.ui.screen.rows import Row, rule_row
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.seat_view import SeatView

BOX_LETTERS = {
    "Gigazaur": "G",
    "The King": "K",
    "Alienoid": "A",
    "Meka Dragon": "M",
    "Kraken": "R",
    "Cyber Bunny": "B",
    "Cyber Kitty": "C",
    "Space Penguin": "S",
}
"""The monsters of the box keep their letters from game to game."""


def monster_letter(view: SeatView, seat: Seat) -> str:
    return list_letters([player.monster for player in view.players])[seat]


def list_letters(monsters: Sequence[str]) -> list[str]:
    """A letter for each, no letter twice. A monster that is not in the box takes the first of its
    own letters that is free, or the number of its seat."""
    taken = {BOX_LETTERS[name] for name in monsters if name in BOX_LETTERS}
    found = []
    for seat, name in enumerate(monsters):
        letter = BOX_LETTERS.get(name, "")
        if not letter or letter in found:
            free = [sign for sign in name.upper() if _is_letter(sign) and sign not in taken]
            letter = (free or [str(seat + 1)])[0]
        taken.add(letter)
        found.append(letter)
    return found


def _is_letter(sign: str) -> bool:
    return sign.isascii() and sign.isalpha()


def seat_style(seat: Seat) -> str:
    return SEAT_STYLES[seat]


def rule_of_monster(
    view: SeatView, seat: Seat, columns: int, left: str, end: str = "", style: str = "rule"
) -> Row:
    """A rule that begins with the letter of a monster."""
    letter = monster_letter(view, seat)
    ((_style, text),) = rule_row(columns, f"{letter} {left}", end)
    at = text.index(letter)
    rest = mark_names([(style, text[at + 1 :])], view)
    return [(style, text[:at]), (seat_style(seat), letter), *rest]


def mark_names(row: Row, view: SeatView) -> Row:
    """The same text, with the names of players and monsters in their colours. Each part that was
    divided keeps its style in front, by which a sentence is read in its order as a whole."""
    styles = _styles_by_name(tuple([(player.monster, player.name) for player in view.players]))
    if not styles:
        return row
    pattern = _pattern_of(tuple(styles))
    found: Row = []
    for style, text in row:
        found += [
            (f"{style} {styles[part]}" if part in styles else style, part)
            for part in pattern.split(text)
            if part
        ]
    return found


@lru_cache
def _styles_by_name(seats: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """The style of each name that can be told from other signs. `seats`: monster and player."""
    return {
        name: seat_style(seat)
        for seat, names in enumerate(seats)
        for name in names
        if any(sign.isalnum() for sign in name)
    }


@lru_cache
def _pattern_of(names: tuple[str, ...]) -> re.Pattern[str]:
    """Finds each of the names as a word of its own. A table is drawn many times with the same."""
    longest_first = sorted(names, key=len, reverse=True)
    return re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest_first))})(?!\w)")
