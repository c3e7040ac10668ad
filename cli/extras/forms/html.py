"""The page: one self-contained file that replays a game in a browser and checks its log.

Scope: joins the parts in `page/` to one document, with what it carries: the lines of the log, the
portraits of the monsters, and the lists of PROTOCOL.md that a verifier needs. Its policy forbids it
the network, and any script but its own.
Not here: what the page does (`page/*.js`, in the order of `SCRIPTS`, in one scope).
"""

from __future__ import annotations

import importlib.resources
import json
from collections.abc import Iterator
from dataclasses import asdict
from html import escape
from itertools import chain

from kotp2p.cli.extras.forms.isolates import isolate_lists
from kotp2p.cli.extras.forms.lines import export_lines, pack_line, sentence_lines
from kotp2p.cli.extras.forms.page_words import words_of_page
from kotp2p.cli.extras.forms.template import fill_page, page_part, page_policy, page_style
from kotp2p.cli.pictures.portraits import load_portraits
from kotp2p.cli.text.i18n import is_right_to_left, isolates_used, language
from kotp2p.recording.log_recording import LogRecording

SCRIPTS = (
    "bytes", "msgpack", "crypto", "file", "names", "genesis", "bodies", "slots", "line", "proofs",
    "judge", "verdict", "position", "told", "table", "draws", "dom", "portraits", "faults", "board",
    "chart", "story", "replay", "origin", "report", "bare", "main",
)  # fmt: skip
"""The modules of the page; each uses names of those before it, and functions of all."""
LISTS = ("printable", "names", "words")
"""Files of kotp2p that the page carries under the same names."""


def build_page(log: LogRecording | None) -> str:
    """The page of a log that has a head of this version; without a log it is the bare checker."""
    with isolates_used(is_right_to_left()):
        return _fill_page(log)


def _fill_page(log: LogRecording | None) -> str:
    style, script = page_style("page.css"), _script()
    fields = {
        "csp": page_policy(style, script),
        "style": style,
        "script": script,
        "lang": escape(language()),
        "direction": "rtl" if is_right_to_left() else "ltr",
        "game": "\n".join(_packed_lines(log)),
        "said": words_of_page(script),
        "portraits": _portraits(),
        **{name: _list(name) for name in LISTS},
    }
    return fill_page("page.html", fields)


def _packed_lines(log: LogRecording | None) -> Iterator[str]:
    """One after the other: as objects, those of a long game take many times the room."""
    if log is not None:
        told = sentence_lines(log)
        told = map(isolate_lists, told) if is_right_to_left() else told
        yield from map(pack_line, chain(export_lines(log), told))


def _portraits() -> str:
    return json.dumps({name: asdict(one) for name, one in load_portraits().items()})


def _script() -> str:
    parts = "\n".join(page_part(f"{name}.js") for name in SCRIPTS)
    return f'\n"use strict";\n(() => {{\n{parts}}})();\n'


def _list(name: str) -> str:
    text = importlib.resources.files("kotp2p").joinpath(f"{name}.txt").read_text("utf-8")
    assert "<" not in text  # it stands in an element as it is
    return text
