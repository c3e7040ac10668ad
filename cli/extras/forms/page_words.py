"""The words of a page in the reader's language: those that stand in it, and those that it says.

Scope: `[[...]]` in the markup and `say("...")` in a script hold English sentences, which are
messages as `_("...")` is in a module. The page carries what its script says, and the cards.
Not here: the rest of a page (`template`), the sentences of the story (`told`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import escape

from kotp2p.cli.text.card_words import printed_name, printed_text
from kotp2p.cli.text.i18n import DIGITS, number, plain_message, plain_plural, printed
from kotp2p.referee.box.rulesets import RULE_SETS, RuleSet

IN_MARKUP = re.compile(r"\[\[(.+?)\]\]", re.DOTALL)
IN_SCRIPT = re.compile(r'\bsay\(\s*"((?:[^"\\]|\\.)*)"')
COUNTED_IN_SCRIPT = re.compile(r'\bsayCount\(\s*"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"')
MOST_COUNTED = 200
"""From here on the form of a number is that of its last two digits."""


def markup_messages(markup: str) -> Iterator[str]:
    for found in IN_MARKUP.findall(markup):
        yield " ".join(found.split())


def script_messages(script: str) -> Iterator[str | tuple[str, str]]:
    """A sentence, or one that counts with its two forms."""
    for found in IN_SCRIPT.findall(script):
        yield json.loads(f'"{found}"')
    for one, many in COUNTED_IN_SCRIPT.findall(script):
        yield json.loads(f'"{one}"'), json.loads(f'"{many}"')


def translate_markup(markup: str) -> str:
    """A sentence with tags in it is put in as it is, as its translation has the same tags."""

    def translated(found: re.Match[str]) -> str:
        message = " ".join(found[1].split())
        text = plain_message(message)
        return text if "<" in message else escape(text)

    return IN_MARKUP.sub(translated, markup)


def words_of_page(script: str) -> str:
    """What the script says, and the cards and tiles of all rule sets, as JSON for an element."""
    said: dict[str, object] = {}
    for message in script_messages(script):
        if isinstance(message, str):
            said[message] = plain_message(message)
        else:
            forms = [plain_plural(*message, n) for n in range(MOST_COUNTED)]
            kinds = list(dict.fromkeys(forms))
            said[message[0]] = {"forms": kinds, "of": [kinds.index(form) for form in forms]}
    words = {
        "said": said,
        "cards": {name: [*_faces_of(rules)] for name, rules in RULE_SETS.items()},
        "digits": number(DIGITS),
        "list": printed("list", "{list}, {next}"),
    }
    return json.dumps(words, ensure_ascii=False).replace("<", "\\u003c")


def _faces_of(rules: RuleSet) -> Iterator[dict[str, object]]:
    """What stands on each card and tile, by its number in a game (PROTOCOL.md 5.1)."""
    for card in rules.deck():
        yield {
            "key": card.key, "name": printed_name(card), "text": printed_text(card),
            "cost": card.cost, "keep": card.keep,
        }  # fmt: skip
    for tile in rules.tiles:
        yield {"key": tile.key, "name": printed_name(tile), "text": printed_text(tile)}
