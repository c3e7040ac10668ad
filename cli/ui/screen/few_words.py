"""The words of a question: so few that it is read at a glance.

Scope: how many there may be below the dice, and what is cut if there are more. What has to be
answered is never cut. A sentence that tells what an answer leads to ends in the mark of a cut text,
and `?` shows it whole.
Not here: what a question says (`cli.ask`). The coach of a first game speaks beside it.
"""

from __future__ import annotations

from collections.abc import Sequence

from kotp2p.cli.text.i18n import close_isolates, language

MOST_WORDS_IN_ENGLISH = 45
MOST_WORDS = 55
"""Of other languages, which need more for the same."""
WORDS_OF_THE_KEYS = 10
"""Those that the last row names."""
FEWEST_WORDS_OF_A_SENTENCE = 4
"""With less room, a sentence is left out."""
CUT_SENTENCE = " .. (?)"


def count_words(text: str) -> int:
    return sum(any(sign.isalnum() for sign in word) for word in text.split())


def most_words() -> int:
    """Below the dice, with the title of the question and the keys."""
    return MOST_WORDS_IN_ENGLISH if language() == "en" else MOST_WORDS


def room_for_facts(heading: str, asked: Sequence[str]) -> int:
    """Words that are left for what may be cut; `asked`: what may not."""
    taken = sum(map(count_words, (heading, *asked)))
    return max(0, most_words() - WORDS_OF_THE_KEYS - taken)


def shorten(lines: Sequence[str], room: int) -> list[str]:
    """As many of them as have room, the last one cut; at least a mark says that something is."""
    shown: list[str] = []
    for line in lines:
        count = count_words(line)
        if count <= room:
            shown.append(line)
        elif room >= FEWEST_WORDS_OF_A_SENTENCE:
            shown.append(_cut(line, room))
        room = max(0, room - count)
    return shown


def _cut(line: str, words: int) -> str:
    kept: list[str] = []
    for word in line.split():
        words -= count_words(word)
        if words < 0:
            break
        kept.append(word)
    return close_isolates(" ".join(kept).rstrip(",;:")) + CUT_SENTENCE
