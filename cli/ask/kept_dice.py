"""A typed line of faces: which dice it keeps, and which equal dice it throws.

Scope: `33c` keeps two 3s and a claw. A capital letter, or a face with a star behind it, keeps all
dice with that face: `H`, `h*`, `3*`. The drawn dice and the answer read a line alike, by this.
Not here: what is answered (`cli.ask.dice`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import _, ascii_digits, list_with_and, plural
from kotp2p.cli.text.typed_words import (
    FACE_OF_LETTER,
    FACES,
    letter_of_face,
    letters_in_english,
    plain_letters,
)
from kotp2p.referee.model.answers import Face

ALL_SIGN = "*"
_FACES = re.compile(r"(?:[123hebcHEBC]\*?)+")


def spell_out_faces(line: str, dice: Sequence[Face]) -> str:
    """A line of faces with one small letter for each die that is kept; any other line in small
    letters. `hH` keeps no more than all hearts."""
    text = letters_in_english(plain_letters(ascii_digits(line)), FACES)
    bare = text.replace(" ", "").replace(",", "")
    if not _FACES.fullmatch(bare):
        return text.lower()
    named: Counter[Face] = Counter()
    all_of: set[Face] = set()
    for sign, star in re.findall(r"(.)(\*?)", bare):
        face = FACE_OF_LETTER[sign.lower()]
        named[face] += 1
        if star or sign.isupper():
            all_of.add(face)
    for face in all_of:
        # At least one, so that a face that no die shows is refused by its name.
        named[face] = max(1, sum(die is face for die in dice))
    return "".join(letter_of_face(face) for face in named.elements())


def describe_split_faces(dice: Sequence[Face], rolled: Sequence[int]) -> str:
    """`2 hearts are rolled again.` where others of the same face are kept; empty if none is."""
    thrown = Counter(dice[position] for position in rolled)
    shown = Counter(dice)
    split = [face for face in sorted(thrown) if thrown[face] < shown[face]]
    if not split:
        return ""
    return plural(
        "{dice} is rolled again.",
        "{dice} are rolled again.",
        sum(thrown[face] for face in split),
        dice=list_with_and([_dice_with(face, thrown[face]) for face in split]),
    )


def _dice_with(face: Face, n: int) -> str:
    match face:
        case Face.HEART:
            return names.hearts(n)
        case Face.CLAW:
            return names.claws(n)
        case _:  # energy, which counts without a plural, and the numbers
            return plural("{n} die with {face}", "{n} dice with {face}", n, face=names.face(face))


def bracket_dice(dice: Sequence[Face], rolled: Sequence[int]) -> str:
    """`[3] [3] heart claw`: the dice that are kept stand in brackets."""
    kept = [position not in rolled for position in range(len(dice))]
    shown = sorted(zip(dice, kept, strict=True), key=lambda die: (die[0], not die[1]))
    return " ".join(
        _("[{face}]", face=names.face(face)) if is_kept else names.face(face)
        for face, is_kept in shown
    )
