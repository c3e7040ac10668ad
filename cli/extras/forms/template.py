"""Pages that need nothing but themselves: their parts in `page/`, and what a browser lets them do.

Not here: what the pages are about (`html`, `charts`).
"""

from __future__ import annotations

import base64
import importlib.resources
import re
from collections.abc import Mapping
from hashlib import sha256

from kotp2p.cli.extras.forms.page_words import translate_markup

FIELD = re.compile(r"\{\{(\w+)\}\}")


def page_part(name: str) -> str:
    return (
        importlib.resources.files("kotp2p.cli.extras.forms")
        .joinpath("page", name)
        .read_text("utf-8")
    )


def page_style(name: str) -> str:
    """The style sheet behind the look that all pages share."""
    return "\n" + page_part("look.css") + page_part(name)


def page_policy(style: str, script: str = "") -> str:
    """The page may use this style, run this script if there is one, and do nothing else."""
    sources = [f"style-src '{_source(style)}'"]
    if script:
        sources.insert(0, f"script-src '{_source(script)}'")
    return "; ".join(["default-src 'none'", *sources, "base-uri 'none'", "form-action 'none'"])


def fill_page(name: str, fields: Mapping[str, str]) -> str:
    """The page with its fields, which are put in as they are: what is no markup is escaped."""
    page = translate_markup(page_part(name))
    assert set(FIELD.findall(page)) == set(fields)
    return FIELD.sub(lambda found: fields[found[1]], page)


def _source(text: str) -> str:
    return "sha256-" + base64.b64encode(sha256(text.encode()).digest()).decode()
