"""The letters that a player types for faces, for cards of the market, and for other monsters.

Scope: one table for prompts, for reading lines, and for the panels that show the letters.
Not here: words and the letters of single answers, which each question knows (`cli.ask`).
"""

from __future__ import annotations

from kotp2p.referee.model.answers import Face

FACE_OF_LETTER = {
    "1": Face.ONE, "2": Face.TWO, "3": Face.THREE, "h": Face.HEART, "e": Face.BOLT,
    "b": Face.BOLT, "c": Face.CLAW,
}  # fmt: skip
"""The bolt is energy, so both letters name it."""
LETTER_OF_WORD = {"heart": "h", "energy": "e", "bolt": "e", "claw": "c"}
"""What every line calls the faces; a word stands for one die, as its letter does."""
MARKET_LETTERS = "abc"
"""The slots of the market, by their number."""
PATIENT_LETTERS = "abcdef"
"""The monsters that a player may heal, by their place in the decision."""


def letter_of_face(face: Face) -> str:
    return "123hec"[face]


def spell_faces(text: str) -> str:
    """The line with the letter of a face in place of each word for it."""
    words = text.replace(",", " ").split()
    return " ".join(LETTER_OF_WORD.get(word, word) for word in words)
