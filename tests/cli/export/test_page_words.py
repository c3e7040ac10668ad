"""The page in the language of the player who has made it."""

import gettext
import json
import re

from kotp2p.cli.extras.forms import html
from kotp2p.cli.text import i18n
from tests.support.pseudo import CODE, Pseudo
from tests.tools.catalogues import template

SCRIPT = 'say("A {b}"); sayCount("{n} die", "{n} dice", 3); say(\n  "c\\u2026", { x });'


class Counting(gettext.NullTranslations):
    def gettext(self, message: str) -> str:
        return f"<{message}>"

    def ngettext(self, one: str, many: str, n: int) -> str:
        return ("none", "one", "some")[min(n, 2)]

    def pgettext(self, context: str, message: str) -> str:
        return "rtl" if context.startswith("direction") else message


def test_what_a_script_says_is_found() -> None:
    assert list(html.script_messages(SCRIPT)) == ["A {b}", "c…", ("{n} die", "{n} dice")]


def test_a_page_carries_what_its_script_says_with_the_forms_of_the_language() -> None:
    i18n.use_catalogue(Counting(), "xx")
    words = html.words_of_page(SCRIPT)
    assert "<" not in words, "it stands in an element of the page"
    said = json.loads(words)["said"]
    assert said["A {b}"] == "<A {b}>"
    assert said["{n} die"]["forms"] == ["none", "one", "some"]
    assert said["{n} die"]["of"][:4] == [0, 1, 2, 2]


def test_sentences_of_the_markup_are_escaped_unless_they_have_tags() -> None:
    i18n.use_catalogue(Counting(), "xx")
    assert html.translate_markup("<p>[[a\n   b]]</p>") == "<p>&lt;a b&gt;</p>"
    assert html.translate_markup("<p>[[a <b>c</b>]]</p>") == "<p><a <b>c</b>></p>"


def test_the_page_says_its_language_and_direction() -> None:
    assert '<html lang="en" dir="ltr">' in html.build_page(None)
    i18n.use_catalogue(Counting(), "fa")
    assert '<html lang="fa" dir="rtl">' in html.build_page(None)


def test_all_words_of_the_markup_are_translated() -> None:
    i18n.use_catalogue(Pseudo(), CODE)
    body = html.build_page(None).partition("<body>")[2].partition("<script")[0]
    assert "[[" not in body
    shown = re.sub(r"⟦[^⟧]*⟧", "", body)
    left = re.findall(r">([^<]*[^\W\d_]{2}[^<]*)<|(?:aria-label|title)=\"(\w[^\"]*)\"", shown)
    assert left == []


def test_tags_of_a_message_are_known_to_the_catalogues() -> None:
    tagged = [m.id for m in template() if isinstance(m.id, str) and "<code>" in m.id]
    assert len(tagged) >= 4
