"""Which language is spoken, and where its catalogue lies.

Scope: a flag wins over a variable, a variable over the settings, and those over the locale of this
system. A language is a folder with a catalogue; no code names one.
Not here: the sentences (`cli.text.i18n`), how a catalogue is compiled
(`cli.system.compiled_catalogues`).
"""

from __future__ import annotations

import gettext
import io
import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from kotp2p.cli.system.bidi import is_shown_on_terminal, prepare_bidi
from kotp2p.cli.system.compiled_catalogues import NotCompiled, read_compiled
from kotp2p.cli.system.folders import CATALOGUES_VARIABLE, config_file
from kotp2p.cli.text import i18n
from kotp2p.cli.text.i18n import _, list_with_and

SOURCE = "en"
"""The language of the messages themselves."""
FLAG = "--lang"
LANG_VARIABLE = "KOTP2P_LANG"
DOMAIN = "kotp2p"
OWN_FOLDER = Path(__file__).parent.parent / "locale"
MAX_CONFIG_BYTES = 16_384


class UnknownLanguage(ValueError):
    """There is no such language; the sentence names those that there are."""


def find_catalogues() -> dict[str, Path]:
    """The catalogues by the codes of their languages, such as `pt-BR`."""
    named = os.environ.get(CATALOGUES_VARIABLE)
    found: dict[str, Path] = {}
    for folder in (OWN_FOLDER, *([Path(named)] if named else [])):
        for path in sorted(folder.glob(f"*/LC_MESSAGES/{DOMAIN}.[mp]o")):
            code = path.parent.parent.name.replace("_", "-")
            found[code] = path.with_suffix(".po")
    return found


def list_languages() -> list[str]:
    return sorted({SOURCE, *find_catalogues()})


def find_language(word: str) -> str | None:
    """The language that is meant by `pt-BR`, `pt_BR.UTF-8` or `pt`; None if there is none."""
    wanted = word.strip().partition(".")[0].partition("@")[0].replace("_", "-").lower()
    if not wanted:
        return None
    known = list_languages()
    for code in known:
        if code.lower() == wanted:
            return code
    main = wanted.partition("-")[0]
    return next((code for code in known if code.lower().partition("-")[0] == main), None)


def parse_language(value: object) -> str:
    """Raises UnknownLanguage."""
    found = find_language(value) if isinstance(value, str) else None
    if found is None:
        raise UnknownLanguage(
            _("{word} is no language of this program; there are {languages}.",
              word=value, languages=list_with_and(list_languages()))
        )  # fmt: skip
    return found


def choose_language(words: Sequence[str], environment: Mapping[str, str]) -> str:
    """The language for a command line. What is not understood is passed over here: the flag and
    the settings are refused where they are read."""
    typed = _typed_language(words)
    wishes = (typed, environment.get(LANG_VARIABLE, ""), _set_word("lang"))
    for wish in wishes:
        found = find_language(wish)
        if found is not None:
            return found
    return language_of_locale(environment)


def language_of_locale(environment: Mapping[str, str]) -> str:
    """As gettext reads the locale: LANGUAGE is a list, and counts for nothing in the locale C."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((environment[name] for name in names if environment.get(name)), "")
    if locale in ("C", "POSIX"):
        return SOURCE
    for word in (*environment.get("LANGUAGE", "").split(":"), locale):
        found = find_language(word)
        if found is not None:
            return found
    return SOURCE


def speak(code: str) -> None:
    """From now on sentences are in this language, in English where it has none."""
    if code == SOURCE:
        i18n.use_catalogue(gettext.NullTranslations(), SOURCE)
        return
    data = read_compiled(find_catalogues()[code])
    i18n.use_catalogue(gettext.GNUTranslations(io.BytesIO(data)), code)


def prepare_language(words: Sequence[str], environment: Mapping[str, str]) -> str:
    """Speaks the language for a command line, in the direction in which it is read. The sentence
    says why it cannot; empty if it can."""
    code = choose_language(words, environment)
    try:
        speak(code)
        if i18n.is_right_to_left():
            wish = _set_word("bidi")
            prepare_bidi(wish, environment, has_terminal=is_shown_on_terminal())
    except NotCompiled as fault:
        command = f"{shlex.quote(sys.executable)} -m pip install babel"  # for a checkout alone
        return _("The texts in {language} are not compiled: {detail}. They are in English now. "
                 "To install what is missing: {command}",
                 language=code, detail=fault, command=command)  # fmt: skip
    except (OSError, ValueError, UnicodeDecodeError) as fault:
        return _("The texts in {language} cannot be read: {detail}. They are in English now.",
                 language=code, detail=fault)  # fmt: skip
    return ""


def _typed_language(words: Sequence[str]) -> str:
    """What stands behind the last flag of that name."""
    found = ""
    for n, word in enumerate(words):
        if word == "--":
            break
        if word == FLAG and n + 1 < len(words):
            found = words[n + 1]
        elif word.startswith(f"{FLAG}="):
            found = word.partition("=")[2]
    return found


def _set_word(key: str) -> str:
    """What the file of settings says; empty if it says nothing."""
    path = config_file()
    if not path.is_file():
        return ""
    import tomllib  # only for those who have set something

    try:
        with path.open("rb") as file:
            found = tomllib.loads(file.read(MAX_CONFIG_BYTES).decode()).get(key)
    except (OSError, ValueError, RecursionError):
        return ""  # the settings are refused where they are read
    return found if isinstance(found, str) else ""
