"""Letters that look like those of ASCII, as they are typed by another keyboard.

Scope: full-width signs, and the letters of other scripts that nobody can tell from Latin ones: `с`
of Cyrillic for `c`. A word with any other letter of its script is a word of that script, and stays.
Not here: names and chat, which are kept as they are typed.
"""

from __future__ import annotations

import unicodedata

CYRILLIC = "асеоріѕјхувԁһӏкмтнАВСЕНІЈКМОРЅТХУ"
LATIN_OF_CYRILLIC = "aceopisjxybdhlkmthABCEHIJKMOPSTXY"
GREEK = "οαικνρυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"
LATIN_OF_GREEK = "oaikvpuxABEZHIKMNOPTYX"
_LATIN = str.maketrans(CYRILLIC + GREEK, LATIN_OF_CYRILLIC + LATIN_OF_GREEK)


def plain_letters(text: str) -> str:
    """The line in ASCII, as far as its words look like ASCII."""
    return " ".join(map(_plain_word, text.split(" ")))


def plain_first_word(text: str) -> str:
    """The same for the word that says what the line is about."""
    word, space, rest = text.strip().partition(" ")
    return f"{_plain_word(word)}{space}{rest}"


def _plain_word(word: str) -> str:
    if word.isascii():
        return word
    found = "".join(map(_half_width, word)).translate(_LATIN)
    return found if found.isascii() else word


def _half_width(sign: str) -> str:
    is_full = unicodedata.east_asian_width(sign) == "F"
    return unicodedata.normalize("NFKC", sign) if is_full else sign
