"""The page: one self-contained file that replays a game in a browser and checks its log."""

import base64
import importlib.resources
import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from hashlib import sha256
from html import escape
from itertools import chain

from kotp2p.cli.extras.forms.lines import Json, export_lines, pack_line, sentence_lines
from kotp2p.cli.extras.pictures.portraits import load_portraits
from kotp2p.cli.text import i18n
from kotp2p.cli.text.player_rules import printed_name, printed_text
from kotp2p.extras.recording import LogRecording
from kotp2p.referee.box.rulesets import RULE_SETS, RuleSet

# -- sentences from right to left on a page: which direction what is filled in takes -------
#
# A browser gives an isolated part the direction of its first letter, and one without a letter of
# its own, such as a list of isolated names, that of English. Here it gets that of the sentence.


RIGHT_TO_LEFT_ISOLATE = "\u2067"


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
    """The beginnings of open isolated parts that have no letter so far."""
    for at, sign in enumerate(signs):
        if sign == i18n.FIRST_STRONG_ISOLATE:
            begun.append(at)
        elif sign == i18n.POP_ISOLATE and begun:
            first = begun.pop()
            if first >= 0:
                signs[first] = RIGHT_TO_LEFT_ISOLATE
        elif sign.isalpha() and begun:
            begun[-1] = -1
    return "".join(signs)


# -- page words ----------------------------------------------------------------------------
#
# The words of a page in the reader's language: those of its markup, and those of its script.
# `[[...]]` in the markup and `say("...")` in a script hold English sentences, which are messages as
# `_("...")` is in a module. The page carries what its script says, and the cards.


IN_MARKUP = re.compile(r"\[\[(.+?)\]\]", re.DOTALL)
IN_SCRIPT = re.compile(r'\bsay\(\s*"((?:[^"\\]|\\.)*)"')
COUNTED_IN_SCRIPT = re.compile(r'\bsayCount\(\s*"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"')
MOST_COUNTED = 200
"""From this number on the plural form depends on the last two digits."""


def markup_messages(markup: str) -> Iterator[str]:
    for found in IN_MARKUP.findall(markup):
        yield " ".join(found.split())


def script_messages(script: str) -> Iterator[str | tuple[str, str]]:
    for found in IN_SCRIPT.findall(script):
        yield json.loads(f'"{found}"')
    for one, many in COUNTED_IN_SCRIPT.findall(script):
        yield json.loads(f'"{one}"'), json.loads(f'"{many}"')


def translate_markup(markup: str) -> str:
    """Translate the sentences of the markup; one with tags has its tags in the translation."""

    def translated(found: re.Match[str]) -> str:
        message = " ".join(found[1].split())
        text = i18n.plain_message(message)
        return text if "<" in message else escape(text)

    return IN_MARKUP.sub(translated, markup)


def words_of_page(script: str) -> str:
    said: dict[str, object] = {}
    for message in script_messages(script):
        if isinstance(message, str):
            said[message] = i18n.plain_message(message)
        else:
            forms = [i18n.plain_plural(*message, n) for n in range(MOST_COUNTED)]
            kinds = list(dict.fromkeys(forms))
            said[message[0]] = {"forms": kinds, "of": [kinds.index(form) for form in forms]}
    words = {
        "said": said,
        "cards": {name: [*_faces_of(rules)] for name, rules in RULE_SETS.items()},
        "digits": i18n.number(i18n.DIGITS),
        "list": i18n.printed("list", "{list}, {next}"),
    }
    return json.dumps(words, ensure_ascii=False).replace("<", "\\u003c")


def _faces_of(rules: RuleSet) -> Iterator[dict[str, object]]:
    """Yield the text of each card and tile, by its number in a game (PROTOCOL.md 5.1)."""
    for card in rules.deck():
        yield {
            "key": card.key, "name": printed_name(card), "text": printed_text(card),
            "cost": card.cost, "keep": card.keep,
        }  # fmt: skip
    for tile in rules.tiles:
        yield {"key": tile.key, "name": printed_name(tile), "text": printed_text(tile)}


# -- template ------------------------------------------------------------------------------
#
# Pages that need nothing but themselves: their parts in `page/`, and what a browser lets them do.


FIELD = re.compile(r"\{\{(\w+)\}\}")


def page_part(name: str) -> str:
    folder = importlib.resources.files("kotp2p.cli.extras.forms")
    return folder.joinpath("page", name).read_text("utf-8")


def _policy(style: str, script: str) -> str:
    """Return a policy that allows this style and this script, and nothing else."""
    return (
        f"default-src 'none'; script-src '{_source(script)}'; style-src '{_source(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _source(text: str) -> str:
    return "sha256-" + base64.b64encode(sha256(text.encode()).digest()).decode()


# -- html ----------------------------------------------------------------------------------


SCRIPTS = (
    "bytes", "msgpack", "crypto", "file", "names", "genesis", "bodies", "slots", "line", "proofs",
    "judge", "verdict", "position", "told", "table", "draws", "dom", "portraits", "faults", "board",
    "chart", "story", "replay", "origin", "report", "bare", "main",
)  # fmt: skip
"""The modules of the page; each uses names of those before it, and functions of all."""
LISTS = ("printable", "names", "words")
"""Files of kotp2p that the page carries under the same names."""


def build_page(log: LogRecording | None) -> str:
    """Return the page of a log with a head of this version, or the checker without a log."""
    with i18n.isolates_used(i18n.is_right_to_left()):
        return _fill_page(log)


def _fill_page(log: LogRecording | None) -> str:
    style, script = "\n" + page_part("page.css"), _script()
    fields = {
        "csp": _policy(style, script),
        "style": style,
        "script": script,
        "lang": escape(i18n.language()),
        "direction": "rtl" if i18n.is_right_to_left() else "ltr",
        "game": "\n".join(_packed_lines(log)),
        "said": words_of_page(script),
        "portraits": json.dumps({name: asdict(one) for name, one in load_portraits().items()}),
        **{name: _list(name) for name in LISTS},
    }
    page = translate_markup(page_part("page.html"))
    assert set(FIELD.findall(page)) == set(fields)
    return FIELD.sub(lambda found: fields[found[1]], page)


def _packed_lines(log: LogRecording | None) -> Iterator[str]:
    if log is not None:
        told = sentence_lines(log)
        if i18n.is_right_to_left():
            told = ({name: _isolate_in(value) for name, value in line.items()} for line in told)
        yield from map(pack_line, chain(export_lines(log), told))


def _script() -> str:
    parts = "\n".join(page_part(f"{name}.js") for name in SCRIPTS)
    return f'\n"use strict";\n(() => {{\n{parts}}})();\n'


def _list(name: str) -> str:
    text = importlib.resources.files("kotp2p").joinpath(f"{name}.txt").read_text("utf-8")
    assert "<" not in text  # it is an element's text without further escapes
    return text
