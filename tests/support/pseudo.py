"""Languages of tests: everything stands in brackets, or a few words are translated."""

import re
import string
from collections.abc import Mapping
from functools import cache
from gettext import NullTranslations
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message

from tests.tools.catalogues import path_of, template, write_catalogue

OPEN, CLOSE = "⟦", "⟧"
CODE = "qps"
"""No language has this code."""
WORDS_AND_SIGNS = ("digits", "decimal", "direction", "typed", "command")
"""How the contexts of messages begin that are no text to read."""


class Toy(NullTranslations):
    """A catalogue of a few messages, by text, by context and text, or by context alone."""

    def __init__(self, said: Mapping[Any, str]) -> None:
        super().__init__()
        self._said = said

    def gettext(self, message: str) -> str:
        return self._said.get(message, message)

    def pgettext(self, context: str, message: str) -> str:
        return self._said.get((context, message), self._said.get(context, message))


class Pseudo:
    """A catalogue that marks the text of a message and not what is filled in. As a true one does,
    it knows only what the translators are given."""

    def gettext(self, message: str) -> str:
        require_known(message)
        return mark(message)

    def ngettext(self, one: str, many: str, n: int) -> str:
        require_known((one, many))
        return mark(one if n == 1 else many)

    def pgettext(self, context: str, message: str) -> str:
        require_known(message, context)
        return mark(message, context)


def require_known(message: str | tuple[str, str], context: str | None = None) -> None:
    assert (message, context) in all_messages(), f"not given to the translators: {message!r}"


@cache
def all_messages() -> set[tuple[str | tuple[str, ...], str | None]]:
    found = set[tuple[str | tuple[str, ...], str | None]]()
    for message in template():
        if isinstance(message.id, str):
            found.add((message.id, message.context))
        else:
            found |= {(message.id[0], message.context), (tuple(message.id), message.context)}
    return found


def mark(message: str, context: str | None = None) -> str:
    if context is not None and context.startswith(WORDS_AND_SIGNS):
        return message
    found = ""
    for text, name, spec, conversion in string.Formatter().parse(message):
        plain = text.replace("{", "{{").replace("}", "}}")
        found += f"{OPEN}{plain}{CLOSE}" if re.search(r"\w", text) else plain
        if name is not None:
            found += f"{{{name}{'!' + conversion if conversion else ''}"
            found += f":{spec}}}" if spec else "}"
    return found


def write_pseudo_language(folder: Path, code: str = CODE) -> Path:
    """Its catalogue, made as for any language; the folder is one for KOTP2P_CATALOGUES."""
    found = Catalog(charset="utf-8")
    for message in template():
        if message.id:
            found.add(message.id, _say(message), context=message.context)
    path = path_of(code, folder)
    write_catalogue(found, path)
    return path


def _say(message: Message) -> str | tuple[str, ...]:
    if not isinstance(message.id, str):
        return tuple(mark(form) for form in message.id)
    return mark(message.id, message.context)
