"""Sentences from right to left on a page: which direction what is filled in takes.

Scope: a browser gives an isolated part the direction of its first letter, and one without a letter
of its own, such as a list of isolated names, that of English. Here it gets that of the sentence.
Not here: which parts are isolated (`cli.text.i18n`).
"""

from __future__ import annotations

from kotp2p.cli.extras.forms.moments import Line
from kotp2p.cli.extras.forms.said import Json
from kotp2p.cli.text.i18n import FIRST_STRONG_ISOLATE, POP_ISOLATE

RIGHT_TO_LEFT_ISOLATE = "\u2067"


def isolate_lists(line: Line) -> Line:
    """The line with this done in all of its texts."""
    return {name: _isolate_in(value) for name, value in line.items()}


def _isolate_in(value: Json) -> Json:
    if isinstance(value, str):
        return isolate_lists_in(value)
    if isinstance(value, list):
        return [_isolate_in(item) for item in value]
    if isinstance(value, dict):
        return {name: _isolate_in(item) for name, item in value.items()}
    return value


def isolate_lists_in(text: str) -> str:
    signs = list(text)
    begun: list[int] = []
    """Where the isolated parts begin that have not ended, and have no letter so far."""
    for at, sign in enumerate(signs):
        if sign == FIRST_STRONG_ISOLATE:
            begun.append(at)
        elif sign == POP_ISOLATE and begun:
            first = begun.pop()
            if first >= 0:
                signs[first] = RIGHT_TO_LEFT_ISOLATE
        elif sign.isalpha() and begun:
            begun[-1] = -1
    return "".join(signs)
