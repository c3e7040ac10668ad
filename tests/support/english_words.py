"""English words that have no business among the sentences of another language."""

import re
from collections.abc import Iterable
from functools import cache

from kotp2p.cli.text.i18n import without_isolates
from kotp2p.lobby.roster import MONSTERS
from kotp2p.referee.box.rulesets import RULE_SETS
from tests.tools.catalogues import path_of, read_catalogue, template

FIELD = re.compile(r"\{[^{}]*\}")
WORD = re.compile(r"[^\W\d_]{2,}")
NO_SENTENCES = re.compile(
    r"kotp2p [\w -]+|--[\w-]+|\S*\.kotlog|\b[0-9a-z]{4}(-[0-9a-z]{4}){3}\b|[\w-]+(-[\w]+){3}"
)
"""Commands, flags, logs, fingerprints and table phrases. So are words in capitals."""
ECHO = "> "
"""How a line begins that repeats what was typed."""


def find_english(lines: Iterable[str], code: str, names: Iterable[str] = ()) -> list[str]:
    """The lines with words that are in English messages and in none of this language. `names`: what
    is the same in every language."""
    strange = words_of_english_alone(code)
    own = sorted((*MONSTERS, *names), key=len, reverse=True)
    return [line for line in lines if not line.startswith(ECHO) and strange & _words(line, own)]


@cache
def words_of_english_alone(code: str) -> frozenset[str]:
    """In small letters, but the names of the rule sets, which are the same in every language."""
    english, own = set[str](), set[str]()
    for message in template():
        english |= _words_of_forms(message.id)
    for message in read_catalogue(path_of(code)):
        if message.id:
            own |= _words_of_forms(message.string)
    return frozenset(english - own - RULE_SETS.keys())


def _words_of_forms(forms: str | Iterable[str] | None) -> set[str]:
    texts = [forms or ""] if isinstance(forms, str | None) else forms
    return {word for text in texts for word in _words(FIELD.sub(" ", text), ())}


def _words(text: str, names: Iterable[str]) -> set[str]:
    text = NO_SENTENCES.sub(" ", without_isolates(text))
    for name in names:
        text = text.replace(name, " ")
    return {word.lower() for word in WORD.findall(text) if not word.isupper()}
