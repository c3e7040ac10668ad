"""The catalogues of the languages: complete, with the fields of the English sentence in each."""

import re
import string
import subprocess
import sys
import unicodedata
from collections import defaultdict
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message

from kotp2p.cli.text.i18n import line_width
from tests.support.paths import ROOT
from tests.support.pseudo import CODE, write_pseudo_language
from tests.tools import catalogues

IN_THE_MAKING: frozenset[str] = frozenset()
"""Languages whose catalogues need not be complete yet."""
WITHOUT_FIELDS = {"card name", "card text", "tile name", "tile text"}


@pytest.fixture(scope="module")
def template() -> Catalog:
    return catalogues.template()


def fields_of(text: str) -> set[str]:
    return {name for _text, name, _spec, _how in string.Formatter().parse(text) if name is not None}


def forms_of(message: Message) -> list[str]:
    string = message.string or ""
    return [string] if isinstance(string, str) else list(string)


def wrong_fields(message: Message) -> bool:
    """Every form has the fields of the English one. A form for one thing may leave out `n`."""
    one, many = (message.id, message.id) if isinstance(message.id, str) else message.id
    wanted = fields_of(one) | fields_of(many)
    try:
        found = [fields_of(form) for form in forms_of(message)]
    except ValueError:
        return True
    allowed = [wanted] if one == many else [wanted, wanted - {"n"}]
    return any(form not in allowed for form in found)


@pytest.mark.parametrize("code", catalogues.languages())
def test_every_sentence_is_in_every_catalogue(template: Catalog, code: str) -> None:
    if code in IN_THE_MAKING:
        pytest.skip("in the making")
    found = catalogues.count(catalogues.read_catalogue(catalogues.path_of(code)), template)
    assert found.is_complete, f"python -m tests.tools.catalogues {code}: {found}"


@pytest.mark.parametrize("code", catalogues.languages())
def test_every_translation_has_the_fields_and_forms_of_its_message(code: str) -> None:
    found = catalogues.read_catalogue(catalogues.path_of(code))
    for message in found:
        if not message.id or not catalogues.is_translated(message):
            continue
        if isinstance(message.id, tuple):
            assert len(forms_of(message)) == found.num_plurals, message.id
        if message.context not in WITHOUT_FIELDS:
            assert not wrong_fields(message), message.id


def most_columns(message: Message) -> int | None:
    """How wide it may be, as its comment says."""
    found = re.search(r"at most (\d+) columns", " ".join(message.auto_comments))
    return int(found[1]) if found else None


@pytest.mark.parametrize("code", catalogues.languages())
def test_what_stands_in_a_column_fits_into_it(template: Catalog, code: str) -> None:
    translated = catalogues.read_catalogue(catalogues.path_of(code))
    limits = 0
    for message in template:
        most = most_columns(message)
        if most is None:
            continue
        limits += 1
        assert isinstance(message.id, str)
        assert line_width(message.id) <= most, message.id
        found = translated.get(message.id, message.context)
        for form in forms_of(found) if found is not None else []:
            assert line_width(form) <= most, f"{message.id}: {form}"
    assert limits > 10


def scripts_of(text: str) -> set[str]:
    """By the first words of the names of its letters: LATIN, ARABIC."""
    letters = filter(str.isalpha, unicodedata.normalize("NFKC", text))
    return {unicodedata.name(letter).split()[0] for letter in letters}


@pytest.mark.parametrize("code", catalogues.languages())
def test_no_translation_is_in_the_script_of_another_language(code: str) -> None:
    """Beside Latin, which commands need in every language, a script is that of most messages."""
    found: dict[str, list[object]] = defaultdict(list)
    translated = list(catalogues.read_catalogue(catalogues.path_of(code)))
    for message in translated:
        for script in scripts_of(" ".join(forms_of(message))) - {"LATIN"}:
            found[script].append(message.id)
    for ids in found.values():
        assert len(ids) > len(translated) / 2, ids


def test_a_field_that_is_missing_or_new_is_noticed() -> None:
    assert not wrong_fields(Message("{a} has {b}", "{b} di {a}"))
    assert wrong_fields(Message("{a} has {b}", "{b} di"))
    assert wrong_fields(Message("{a} has {b}", "{b} di {a} {c}"))
    assert wrong_fields(Message("{a} has {b}", "{b di {a}"))
    assert not wrong_fields(Message(("{n} die", "{n} dice"), ("un", "{n} due")))
    assert wrong_fields(Message(("{a} {n}", "{a} {n}s"), ("un", "{n} due")))


def test_the_template_has_sentences_contexts_plural_forms_and_cards(template: Catalog) -> None:
    assert len(template) > 2000
    assert template.get(("{n} heart", "{n} hearts")) is not None
    digits, wings = template.get("0123456789", "digits"), template.get("Wings", "card name")
    assert digits is not None and wings is not None
    assert digits.auto_comments
    assert wings.auto_comments == ["wings: classic, second, dark"]
    assert template.get("Antimatter Beam", "tile name") is not None


def test_a_catalogue_is_merged_and_loses_no_translation(template: Catalog, tmp_path: Path) -> None:
    assert catalogues.update("fr", template, tmp_path).missing == len(template)
    path = catalogues.path_of("fr", tmp_path)
    text = path.read_text("utf-8")
    head, _id, tail = text.partition('msgid "quit"\nmsgstr ""')
    assert tail
    path.write_text(f'{head}msgid "quit"\nmsgstr "quitter"{tail}', encoding="utf-8")
    assert catalogues.update("fr", template, tmp_path).missing == len(template) - 1
    once = path.read_bytes()
    assert 'msgid "quit"\nmsgstr "quitter"' in once.decode()
    catalogues.update("fr", template, tmp_path)
    assert path.read_bytes() == once, "a second run changes nothing"


def test_a_new_language_needs_no_code(tmp_path: Path) -> None:
    """A catalogue made like any other is spoken by a program that has never heard of it."""
    write_pseudo_language(tmp_path)
    found = subprocess.run(
        [sys.executable, "-c", "from kotp2p.cli.main import run; run()", "cards", "wings"],
        env={"PYTHONPATH": str(ROOT), "KOTP2P_CATALOGUES": str(tmp_path), "KOTP2P_LANG": CODE,
             "KOTP2P_DATA": str(tmp_path / "data"), "PYTHONIOENCODING": "utf-8"},
        capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    assert found.stderr == ""
    assert "⟦" in found.stdout


def test_the_build_compiles_the_catalogues(tmp_path: Path) -> None:
    for name in ("README.md", "setup.py", "kotp2p/cli/system/compiled_catalogues.py"):
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((ROOT / name).read_bytes())
    (tmp_path / "kotp2p" / "__init__.py").write_text("")
    (tmp_path / "kotp2p" / "cli" / "__init__.py").write_text("")
    (tmp_path / "README.md").write_text("")
    (tmp_path / "setup.cfg").write_text(
        "[metadata]\nname = toy\n[options]\npackages = kotp2p, kotp2p.cli\n"
    )
    write_pseudo_language(tmp_path / "kotp2p" / "cli" / "locale")
    subprocess.run(
        [sys.executable, "setup.py", "-q", "build_py", "-d", "built"],
        cwd=tmp_path, check=True, capture_output=True,
    )  # fmt: skip
    built = {path.name for path in (tmp_path / "built" / "kotp2p" / "cli" / "locale").rglob("*.*o")}
    assert built == {"kotp2p.mo"}
