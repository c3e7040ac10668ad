"""The flag that says in which language a command speaks.

Scope: the flag, and that it holds for a command line that was not read beforehand, as
`cli.main.run` does.
Not here: which languages there are (`cli.system.languages`), which is imported when it is asked.
"""

from __future__ import annotations

from typing import Annotated

import typer

from cli.system.help_layout import DISPLAY
from cli.system.options import CommonFlags
from cli.text.i18n import N_, language


def _read_language(word: str) -> str:
    from cli.system.languages import UnknownLanguage, parse_language

    try:
        return parse_language(word)
    except UnknownLanguage as fault:
        raise typer.BadParameter(str(fault)) from None


def _complete_language(incomplete: str) -> list[str]:
    from cli.system.languages import list_languages

    return [code for code in list_languages() if code.startswith(incomplete)]


def _speak(code: str | None) -> None:
    if code is None:
        return
    CommonFlags.lang = code
    if code != language():
        from cli.system.languages import speak

        speak(code)


Lang = Annotated[
    str | None,
    typer.Option(
        "--lang",
        rich_help_panel=DISPLAY,
        metavar="CODE",
        parser=_read_language,
        autocompletion=_complete_language,
        callback=_speak,
        is_eager=True,
        help=N_("The language of all texts, such as en. [default: as kotp2p config shows]"),
    ),
]
