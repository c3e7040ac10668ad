"""A language in which everything that is translated stands in brackets."""

from __future__ import annotations

import re
import string
from pathlib import Path

from babel.messages.catalog import Catalog, Message

from tests.tools.catalogues import path_of, template, write_catalogue

OPEN, CLOSE = "⟦", "⟧"
CODE = "qps"
"""No language has this code."""


class Pseudo:
    """A catalogue that marks the text of a message and not what is filled in."""

    def gettext(self, message: str) -> str:
        found = ""
        for text, name, spec, conversion in string.Formatter().parse(message):
            plain = text.replace("{", "{{").replace("}", "}}")
            found += f"{OPEN}{plain}{CLOSE}" if re.search(r"\w", text) else plain
            if name is not None:
                found += f"{{{name}{'!' + conversion if conversion else ''}"
                found += f":{spec}}}" if spec else "}"
        return found

    def ngettext(self, one: str, many: str, n: int) -> str:
        return self.gettext(one if n == 1 else many)

    def pgettext(self, context: str, message: str) -> str:
        is_typed = context.startswith(("digits", "direction", "typed", "command"))
        return message if is_typed else self.gettext(message)


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
    pseudo = Pseudo()
    if not isinstance(message.id, str):
        return tuple(pseudo.gettext(form) for form in message.id)
    if message.context is not None:
        return pseudo.pgettext(message.context, message.id)
    return pseudo.gettext(message.id)
