"""How the flag is read that says in which language a command speaks.

Scope: its value, and that it holds for a command line that was not read beforehand, as
`cli.main.run` does.
Not here: which languages there are (`cli.system.languages`), which is imported when it is asked.
"""

from __future__ import annotations

import typer

from kotp2p.cli.system.options import CommonFlags
from kotp2p.cli.text.i18n import language


def read_language(word: str) -> str:
    from kotp2p.cli.system.languages import UnknownLanguage, parse_language

    try:
        return parse_language(word)
    except UnknownLanguage as fault:
        raise typer.BadParameter(str(fault)) from None


def speak_language(code: str | None) -> None:
    if code is None:
        return
    CommonFlags.lang = code
    if code != language():
        from kotp2p.cli.system.languages import speak

        speak(code)
