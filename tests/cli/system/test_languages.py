"""Which language is spoken: by a flag, a variable, the settings or the locale."""

import ast
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from kotp2p.cli.system import languages
from kotp2p.cli.system.compiled_catalogues import NotCompiled, compile_text, read_compiled
from kotp2p.cli.system.folders import CATALOGUES_VARIABLE, CONFIG_VARIABLE
from kotp2p.cli.text import i18n
from kotp2p.cli.text.i18n import _, plural
from tests.support.command_line import run
from tests.support.paths import modules_of
from tests.support.pseudo import CODE, write_pseudo_language
from tests.support.spoken_language import I18N_STATE

AT_ONCE = {"_", "plural", "in_context", "printed", "number", "list_with_and", "list_with_or",
           "list_with_commas"}  # fmt: skip
TOY = """
msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\\nPlural-Forms: nplurals=2; plural=(n > 1);"

msgid "quit"
msgstr "{code}"

msgid "{{n}} heart"
msgid_plural "{{n}} hearts"
msgstr[0] "{{n}} one"
msgstr[1] "{{n}} many"

msgid "energy"
msgstr ""

#, fuzzy
msgid "claw"
msgstr "not sure"

msgctxt "digits"
msgid "0123456789"
msgstr "{digits}"
"""


def put_toy(folder: Path, name: str, digits: str = "0123456789") -> Path:
    path = folder / name / "LC_MESSAGES" / "kotp2p.po"
    path.parent.mkdir(parents=True)
    path.write_text(TOY.format(code=name, digits=digits), encoding="utf-8")
    return path


@pytest.fixture
def toys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three languages, and no other."""
    for name, digits in (("xa", "0123456789"), ("xb_YB", "0123456789"), ("xc", "۰۱۲۳۴۵۶۷۸۹")):
        put_toy(tmp_path, name, digits)
    monkeypatch.setattr(languages, "OWN_FOLDER", tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"),
        ({"LANG": "xa_XA.UTF-8"}, "xa"),
        ({"LANG": "xb_YB.UTF-8"}, "xb-YB"),
        ({"LANG": "xb_ZZ@euro"}, "xb-YB"),
        ({"LANG": "xa", "LC_MESSAGES": "xb", "LC_ALL": "xc"}, "xc"),
        ({"LANG": "xa", "LC_MESSAGES": "xb", "LC_ALL": ""}, "xb-YB"),
        ({"LANG": "xa", "LANGUAGE": "zz:xc:xb"}, "xc"),
        ({"LANG": "C", "LANGUAGE": "xc"}, "en"),
        ({"LANG": "en_GB", "LANGUAGE": ""}, "en"),
        ({"LANG": "zz_ZZ.UTF-8"}, "en"),
    ],
)
def test_the_locale_says_the_language(
    toys: Path, environment: dict[str, str], code: str
) -> None:  # fmt: skip
    assert languages.language_of_locale(environment) == code


def test_a_flag_wins_over_a_variable_over_the_settings_over_the_locale(
    toys: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "config.toml"
    monkeypatch.setenv(CONFIG_VARIABLE, str(settings))
    locale = {"LANG": "xa"}
    assert languages.choose_language(["cards"], locale) == "xa"
    settings.write_text('lang = "xb-YB"')
    assert languages.choose_language(["cards"], locale) == "xb-YB"
    locale["KOTP2P_LANG"] = "xc"
    assert languages.choose_language(["cards"], locale) == "xc"
    for words in (["--lang", "xa", "cards"], ["cards", "--lang=xa"], ["cards", "--lang", "XA_XA"]):
        assert languages.choose_language(words, locale) == "xa"
    assert languages.choose_language(["cards", "--", "--lang", "xa"], locale) == "xc"
    assert languages.choose_language(["cards", "--lang"], locale) == "xc"


@pytest.mark.parametrize("text", ['lang = "zz"', "lang = 7", "lang =", "\xff"])
def test_settings_that_are_wrong_leave_the_locale(
    toys: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    settings = tmp_path / "config.toml"
    settings.write_bytes(text.encode("latin-1"))
    monkeypatch.setenv(CONFIG_VARIABLE, str(settings))
    assert languages.choose_language([], {"LANG": "xa"}) == "xa"


def test_an_unknown_language_is_refused_with_those_that_there_are(toys: Path) -> None:
    err = run("--lang", "zz", "cards").refused()
    assert err == (
        "kotp2p: --lang: zz is no language of this program; there are en, xa, xb-YB and xc.\n"
    )


def test_what_has_no_translation_or_a_doubtful_one_stays_english(toys: Path) -> None:
    assert languages.prepare_language(["--lang", "xa"], {}) == ""
    assert [_("quit"), _("energy"), _("claw"), _("heart")] == ["xa", "energy", "claw", "heart"]
    assert [plural("{n} heart", "{n} hearts", n) for n in (0, 1, 2)] == ["0 one", "1 one", "2 many"]


def test_numbers_are_in_the_digits_of_the_language_and_names_as_they_are(toys: Path) -> None:
    languages.speak("xc")
    assert plural("{n} heart", "{n} hearts", 42) == "۴۲ many"
    assert _("{name} has {n}", name="R2", n=12.5) == "R2 has ۱۲.۵"
    languages.speak("en")
    assert plural("{n} heart", "{n} hearts", 42) == "42 hearts"


@pytest.mark.parametrize("digits", ["", "12", "abcdefghij", "۹۸۷۶۵۴۳۲۱۰"])
def test_digits_that_are_none_leave_the_usual_ones(tmp_path: Path, digits: str) -> None:
    path = put_toy(tmp_path, "xd", digits)
    import gettext
    import io

    i18n.use_catalogue(gettext.GNUTranslations(io.BytesIO(read_compiled(path))), "xd")
    assert i18n.number(10) == "10"


def test_a_catalogue_is_compiled_once_and_again_when_it_is_newer(tmp_path: Path) -> None:
    path = put_toy(tmp_path, "xa")
    compiled = path.with_suffix(".mo")
    first = read_compiled(path)
    assert compiled.read_bytes() == first
    compiled.write_bytes(b"kept")
    assert read_compiled(path) == b"kept"
    path.write_text(TOY.format(code="other", digits=""), encoding="utf-8")
    later = compiled.stat().st_mtime_ns + 1_000_000_000
    os.utime(path, ns=(later, later))
    assert b"other" in read_compiled(path)


def test_an_installed_program_has_the_compiled_file_alone(tmp_path: Path) -> None:
    path = put_toy(tmp_path, "xa")
    data = read_compiled(path)
    path.unlink()
    assert read_compiled(path) == data


def test_a_broken_catalogue_is_told_and_english_stands_for_it(toys: Path) -> None:
    path = toys / "xa" / "LC_MESSAGES" / "kotp2p.po"
    path.write_text('msgid "quit', encoding="utf-8")
    with pytest.raises(NotCompiled):
        compile_text(path.read_bytes())
    said = languages.prepare_language(["--lang", "xa"], {})
    assert said.startswith("The texts in xa are not compiled: ")
    path.with_suffix(".mo").write_bytes(b"no catalogue")
    path.unlink()
    said = languages.prepare_language(["--lang", "xa"], {})
    assert said.startswith("The texts in xa cannot be read: ")
    assert _("quit") == "quit"


def calls_at_import(tree: ast.AST) -> Iterator[ast.Call]:
    """Calls that run when the module is imported: outside the bodies of functions."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for part in (*child.decorator_list, child.args):
                yield from calls_at_import(part)
                if isinstance(part, ast.Call):
                    yield part
        elif not isinstance(child, ast.Lambda):
            yield from calls_at_import(child)
            if isinstance(child, ast.Call):
                yield child


def translated_at_import(text: str) -> list[int]:
    return [
        call.lineno
        for call in calls_at_import(ast.parse(text))
        if isinstance(call.func, ast.Name) and call.func.id in AT_ONCE
    ]


def test_nothing_is_translated_before_the_language_is_known() -> None:
    for path in modules_of("cli"):
        assert translated_at_import(path.read_text("utf-8")) == [], path


def test_what_is_translated_at_import_is_noticed() -> None:
    assert translated_at_import("A = [_('a')]\n\n@f(_('b'))\ndef g(x=_('c')):\n    _('d')") == [
        1, 3, 4,
    ]  # fmt: skip
    assert translated_at_import("A = lambda: _('a')\nB = N_('b')") == []


def test_help_with_heads_is_translated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_pseudo_language(tmp_path)
    monkeypatch.setenv(CATALOGUES_VARIABLE, str(tmp_path))
    code, out, err = run("--lang", CODE, "host", "-h")
    assert (code, err) == (0, "")
    for found in ("⟦Usage:⟧", "⟦Network and invitations⟧:", "⟦Show this message and", "⟦Open a"):
        assert found in out
    english, _was, _is = run("--lang", "en", "host", "-h")[1].partition("Open a table")
    assert "⟦" not in english


def test_all_that_is_remembered_of_a_language_is_forgotten_behind_each_test() -> None:
    source = ast.parse(Path(i18n.__file__).read_text("utf-8"))
    changed = {name for node in ast.walk(source) if isinstance(node, ast.Global)
               for name in node.names}  # fmt: skip
    assert changed == set(I18N_STATE)
