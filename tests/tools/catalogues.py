"""The catalogues of all languages, from what the code says: extract, merge, count.

    python -m tests.tools.catalogues            # every language: new messages in, old ones out
    python -m tests.tools.catalogues add fr     # a new language: its catalogue, still empty
    python -m tests.tools.catalogues fr         # one language only

Scope: Babel reads the modules of `cli`. The printed cards and tiles of `referee` come with a
context, as no code there speaks to people. A checkout compiles what it needs by itself, and the
build compiles all.
"""

import io
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from kotp2p.cli.extras.forms.html import markup_messages, script_messages
from kotp2p.cli.text.player_rules import CARD_NAME, CARD_TEXT, TILE_NAME, TILE_TEXT
from kotp2p.referee.box.rulesets import RULE_SETS
from tests.support.paths import ROOT, folder_of, modules_of, place_of
from tests.support.tool_line import tool_parser

LOCALE = folder_of("cli") / "locale"
DOMAIN = "kotp2p"
KEYWORDS = {
    "_": None, "N_": None, "plural": (1, 2), "N_plural": (1, 2), "in_context": ((1, "c"), 2),
    "pgettext": ((1, "c"), 2), "TypedWord": ((1, "c"), 2),
}  # fmt: skip
COMMENT_TAGS = ("Translators:",)
HEADER = """\
# Sentences of kotp2p in {language}.
# CONTRIBUTING.md says how a translator works, and which words are whose.
"""
HEADERS_THAT_CHANGE = re.compile(
    r'^"(?:POT-Creation-Date|PO-Revision-Date|Generated-By|Last-Translator|Language-Team'
    r"|Report-Msgid-Bugs-To|Project-Id-Version): .*\n",
    re.MULTILINE,
)
"""They would differ in every run, or say nothing."""


@dataclass(frozen=True, slots=True)
class Count:
    messages: int
    missing: int
    fuzzy: int

    @property
    def is_complete(self) -> bool:
        return not self.missing and not self.fuzzy


def template() -> Catalog:
    found = Catalog(project="kotp2p", charset="utf-8")
    for path in modules_of("cli"):
        place = place_of(path)
        for _line, message, comments, context in extract_from_file(
            "python", str(path), keywords=KEYWORDS, comment_tags=COMMENT_TAGS,
            strip_comment_tags=True,
        ):  # fmt: skip
            found.add(message, locations=[(place, 1)], auto_comments=comments, context=context)
    for path in sorted((folder_of("cli") / "extras" / "forms" / "page").glob("*.*")):
        place, text = place_of(path), path.read_text("utf-8")
        for message in markup_messages(text) if path.suffix == ".html" else script_messages(text):
            found.add(message, locations=[(place, 1)])
    for context, text, comment, place in _printed():
        found.add(text, locations=[(place, 1)], auto_comments=[comment], context=context)
    for one in found:
        one.flags -= {"python-format"}  # our fields have braces
    return found


def _printed() -> Iterator[tuple[str, str, str, str]]:
    """Context, text, comment and place of what cards and tiles say."""
    cards: dict[tuple[str, str], dict[str, list[str]]] = {}
    for rules in RULE_SETS.values():
        for card in rules.cards:
            for kind, text in (*((CARD_NAME, name) for name in card.names), (CARD_TEXT, card.text)):
                sets = cards.setdefault((kind, text), {}).setdefault(card.key, [])
                if rules.name not in sets:
                    sets.append(rules.name)
    for (kind, text), by_key in cards.items():
        for key, sets in by_key.items():
            yield kind, text, f"{key}: {', '.join(sets)}", "referee/box/cards.py"
    for tile in RULE_SETS["dark"].tiles:
        note = f"{tile.key}: {tile.side} side, step {tile.step}"
        yield TILE_NAME, tile.name, note, "referee/box/cards.py"
        yield TILE_TEXT, tile.text, note, "referee/box/cards.py"


def path_of(code: str, folder: Path = LOCALE) -> Path:
    return folder / code.replace("-", "_") / "LC_MESSAGES" / f"{DOMAIN}.po"


def languages(folder: Path = LOCALE) -> list[str]:
    found = folder.glob(f"*/LC_MESSAGES/{DOMAIN}.po")
    return sorted(path.parent.parent.name.replace("_", "-") for path in found)


def new_catalogue(code: str) -> Catalog:
    """An empty one, with the plural forms of the language if Babel knows it."""
    try:
        locale = Locale.parse(code, sep="-")
    except (UnknownLocaleError, ValueError):
        return Catalog(charset="utf-8")
    return Catalog(locale=locale, charset="utf-8")


def read_catalogue(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=_babel_name(path), abort_invalid=True)


def _babel_name(path: Path) -> str | None:
    name = path.parent.parent.name
    try:
        Locale.parse(name)
    except (UnknownLocaleError, ValueError):
        return None
    return name


def write_catalogue(catalogue: Catalog, path: Path) -> None:
    name = path.parent.parent.name
    catalogue.fuzzy = False
    catalogue.header_comment = HEADER.format(language=name.replace("_", "-")).rstrip("\n")
    if catalogue.locale is None:
        catalogue.locale = "en"  # Babel writes no plural forms of a language that it does not know
    found = io.BytesIO()
    write_po(found, catalogue, width=100, ignore_obsolete=True, include_lineno=False)
    text = HEADERS_THAT_CHANGE.sub("", found.getvalue().decode())
    text = re.sub(r'^"Language: \w+', f'"Language: {name}', text, count=1, flags=re.MULTILINE)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def is_translated(message: Message) -> bool:
    forms = message.string if isinstance(message.string, tuple) else (message.string,)
    return all(forms)


def count(catalogue: Catalog, of: Catalog) -> Count:
    missing = fuzzy = 0
    wanted = [message for message in of if message.id]
    for message in wanted:
        found = catalogue.get(message.id, message.context)
        if found is None or not is_translated(found):
            missing += 1
        elif found.fuzzy:
            fuzzy += 1
    return Count(len(wanted), missing, fuzzy)


def update(code: str, of: Catalog, folder: Path = LOCALE) -> Count:
    """Brings one catalogue up to the template; a message that is only near is marked as fuzzy."""
    path = path_of(code, folder)
    catalogue = read_catalogue(path) if path.exists() else new_catalogue(code)
    catalogue.update(of)
    write_catalogue(catalogue, path)
    return count(catalogue, of)


def main(words: list[str]) -> int:
    is_new = words[:1] == ["add"]
    wanted = words[1:] if is_new else words or languages()
    unknown = [code for code in wanted if not is_new and code not in languages()]
    if unknown or (is_new and len(wanted) != 1):
        print("There is no catalogue of", *unknown or ["no language"], "yet; to begin one: add fr")
        return 2
    of = template()
    for code in wanted:
        found = update(code, of)
        print(
            f"{code}: {found.messages} messages, {found.missing} missing, {found.fuzzy} to be"
            f" looked at, in {path_of(code).relative_to(ROOT)}"
        )
    return 0


if __name__ == "__main__":
    parser = tool_parser("tests.tools.catalogues", __doc__)
    parser.add_argument(
        "words", nargs="*", metavar="CODE", help="a language, or: add, and a new one"
    )
    sys.exit(main(parser.parse_args().words))
