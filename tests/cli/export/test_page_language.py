"""Every sentence that the page shows is one of its words: in a language that puts brackets around
what is translated, nothing but names, hashes and numbers stands outside.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from kotp2p.cli.extras.forms.html import build_page
from kotp2p.cli.extras.forms.lines import export_lines, pack_line
from kotp2p.cli.text import i18n
from kotp2p.extras.recording import record_log
from tests.support.browser import Browser
from tests.support.pages import GamePage
from tests.support.paths import LOGS, VECTORS, folder_of
from tests.support.pseudo import CODE, Pseudo

TOKEN = re.compile(
    r"""(?P<unseen>//[^\n]*|/\*.*?\*/|\s+)"""
    r"""|(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)"""
    r"""|(?P<pattern>/(?![/*\s])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\]|\\.)*\])+/[a-z]*)"""
    r"""|(?P<word>[\w$.]+)|(?P<sign>.)""",
    re.DOTALL,
)


def texts_of(script: str) -> Iterator[tuple[str, str]]:
    """The texts, each with the function of which it is an argument; empty if it is of none. Of a
    template these are the parts between what is filled in."""
    called, before = [""], ""
    for found in TOKEN.finditer(script):
        kind, token = found.lastgroup, found[0]
        if kind == "unseen":
            continue
        if kind == "text":
            for part in re.split(r"\$\{[^}]*\}", token[1:-1]):
                yield called[-1], part
        elif token in ("(", "[", "{"):
            called.append(before if token == "(" else "")
        elif token in (")", "]", "}"):
            called.pop()
        before = token


SCRIPTS = sorted((folder_of("cli") / "extras" / "forms" / "page").glob("*.js"))
SAID_BY = ("say", "sayCount")
FOR_PROGRAMMERS = ("need", "Malformed", "Damaged", "Unreadable")
"""What these are given is shown in a console only."""
NO_SENTENCES = {
    "input, select, textarea, summary",  # elements
    "tokyo bay", "tokyo city", "all players", "no one", "the game", "the host", "the others",
    "the players", "the table",  # refused names (PROTOCOL.md 2.1)
    "no end",  # for a console
}  # fmt: skip
SENTENCE = re.compile(r"[^\W\d_]{2,}[,:;]?\s[a-z]{2,}|^[A-Z][a-z]+[ .:]")
SHOWN = """
(() => {
  const shown = document.body.cloneNode(true);
  const left_out = "script, style, noscript, [hidden], .hex, option";
  shown.querySelectorAll(left_out).forEach((element) => element.remove());
  shown.querySelectorAll("*").forEach((element) => element.append(" "));
  const found = [shown.textContent];
  for (const name of ["aria-label", "title", "aria-valuetext"]) {
    for (const element of shown.querySelectorAll(`[${name}]`)) {
      found.push(element.getAttribute(name));
    }
  }
  return found;
})()
"""
IN_BRACKETS = re.compile(r"⟦[^⟦⟧]*⟧")
WORD = re.compile(r"[^\W\d_]{2,}")
COMMANDS = ("kotp2p verify FILE", "kotp2p verify", "docs/FORMATS.md")


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_no_sentence_of_a_script_stands_outside_its_words(path: Path) -> None:
    outside = [
        text
        for given_to, text in texts_of(path.read_text("utf-8"))
        if SENTENCE.search(text)
        and given_to not in (*SAID_BY, *FOR_PROGRAMMERS)
        and text not in NO_SENTENCES
    ]
    assert outside == []


def test_what_is_said_to_programmers_is_not_shown() -> None:
    """Of what is caught only a `Refusal` has words for the reader."""
    shown = [
        (path.stem, line.strip())
        for path in SCRIPTS
        for line in path.read_text("utf-8").splitlines()
        if re.search(r"\berror\.message\b", line)
    ]
    assert {name for name, _line in shown} == {"file", "main", "verdict"}
    assert all("why: error.message" in line or "Refus" in line or "new Damaged(" in line
               for _name, line in shown), shown  # fmt: skip


@pytest.fixture
def bracketed(browser: Browser, tmp_path: Path) -> GamePage:
    i18n.use_catalogue(Pseudo(), CODE)
    (tmp_path / "empty.html").write_text(build_page(None))
    page = GamePage(browser)
    page.show(tmp_path / "empty.html")
    return page


def words_outside(page: GamePage, data: bytes = b"") -> set[str]:
    """The words that are shown outside of brackets, and are no names of this log."""
    known = set[str]()
    log = record_log(data)
    if log.recording is not None:
        genesis = log.recording.genesis
        told = [genesis.phrase, genesis.charter.rules]
        told += [text for p in genesis.players for text in (p.name, p.monster)]
        known = set(WORD.findall(" ".join(told)))
    left = set[str]()
    for text in page.browser.run(SHOWN):
        for command in COMMANDS:
            text = text.replace(command, "")
        left |= set(WORD.findall(IN_BRACKETS.sub(" ", text)))
    return left - known


BAD_FILES = {
    "evidence": b"kotp2pev" + bytes(40),
    "nothing": b"",
    "noise": b"\xff" * 60,
    "JSON": b"[1, 2]\n",
    "another version": b'{"line":"log","version":2}',
    "no JSON": b'{"line":"log","version":1}\nx',
    "a line of another form": b'{"line":"log","version":1,"salt":"x"}',
    "an old log": (LOGS / "protocol-4-rules-1-head.kotlog").read_bytes(),
    "damaged head": (LOGS / "protocol-4-rules-1-head.kotlog").read_bytes()[:39] + b"x",
}


@pytest.mark.parametrize("data", BAD_FILES.values(), ids=BAD_FILES.keys())
def test_a_refusal_is_translated(bracketed: GamePage, data: bytes) -> None:
    bracketed.drop("1", data)
    assert bracketed.result == "unreadable"
    assert words_outside(bracketed) <= {"log"}  # the name of a line of an export


def test_the_verdict_on_a_bare_log_is_translated(bracketed: GamePage) -> None:
    for path in sorted((VECTORS / "logs").glob("*.kotlog")):
        data = path.read_bytes()
        bracketed.drop("1", data)
        assert words_outside(bracketed, data) == set(), path.stem


@pytest.mark.parametrize("name", ["wrong-illegal", "absent"])
def test_an_export_without_sentences_has_no_others(bracketed: GamePage, name: str) -> None:
    log = record_log((VECTORS / "logs" / f"{name}.kotlog").read_bytes())
    lines = [dict(line) for line in export_lines(log)]
    lines[-1]["head"] = "00" * 32
    bracketed.drop("1", "\n".join(map(pack_line, lines)).encode())
    assert bracketed.result == "wrong"
    events = {word for line in lines for word in WORD.findall(pack_line(line))}
    assert words_outside(bracketed, log.data) - events == set()


def test_the_page_of_a_game_is_translated(browser: Browser, tmp_path: Path) -> None:
    i18n.use_catalogue(Pseudo(), CODE)
    data = (LOGS / "protocol-6-rules-2-absent.kotlog").read_bytes()
    (tmp_path / "game.html").write_text(build_page(record_log(data)))
    page = GamePage(browser)
    page.show(tmp_path / "game.html")
    for moment in (0, 1, 30, 60, 134):
        page.go(moment)
        if moment == 1:  # the draw behind the start is made anew, step by step
            page.browser.wait_for("!document.getElementById('draw').hidden")
        assert words_outside(page, data) == set(), moment
