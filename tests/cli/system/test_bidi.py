"""Right-to-left text: isolated for terminals that turn it round, turned here for the others."""

import gettext
import io
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from kotp2p.cli.system import languages
from kotp2p.cli.system.languages import BORDERS, join_letters, prepare_bidi
from kotp2p.cli.system.output import Output
from kotp2p.cli.text import i18n
from kotp2p.cli.text.i18n import FIRST_STRONG_ISOLATE as FSI
from kotp2p.cli.text.i18n import POP_ISOLATE as PDI
from kotp2p.cli.text.i18n import RIGHT_TO_LEFT_ISOLATE as RLI
from kotp2p.cli.ui.screen.theme import align_right, pad_to_width
from tests.support.pseudo import Toy

SAID = {
    "{name} has {n} left.": "{name} تنها {n} دارد.",
    ("direction of writing", "ltr"): "rtl",
    ("digits", "0123456789"): "۰۱۲۳۴۵۶۷۸۹",
}


def in_reading_order(text: str) -> str:
    """As printed, with the letters in the forms of a keyboard."""
    return unicodedata.normalize("NFKC", languages.in_reading_order(text))


def row_in_reading_order(row: list[tuple[str, str]]) -> list[tuple[str, str]]:
    found = languages.row_in_reading_order(row)
    return [(style, unicodedata.normalize("NFKC", text)) for style, text in found]


@pytest.fixture(autouse=True)
def toy() -> Iterator[None]:
    i18n.use_catalogue(Toy(SAID), "xx")
    yield
    prepare_bidi("off", {}, has_terminal=False)


@pytest.mark.parametrize(
    ("environment", "isolated", "turned"),
    [
        ({"VTE_VERSION": "7200"}, True, False),
        ({"KONSOLE_VERSION": "230800"}, True, False),
        ({"TERM_PROGRAM": "Apple_Terminal"}, True, False),
        ({"TERM": "xterm-256color"}, True, True),
        ({"VTE_VERSION": "7200", "TMUX": "/tmp/x"}, True, False),
        ({"TERM": "tmux-256color", "TMUX": "/tmp/x"}, True, True),
        ({"VTE_VERSION": "7200", "STY": "1.x"}, True, True),
    ],
)
def test_a_terminal_that_says_nothing_of_it_turns_nothing(
    environment: dict[str, str], isolated: bool, turned: bool
) -> None:
    prepare_bidi("auto", environment, has_terminal=True)
    sentence = i18n._("{name} has {n} left.", name="Ana", n=12)
    assert (FSI in sentence) is isolated
    assert ("سلام" not in in_reading_order("سلام")) is turned


def test_a_pipe_gets_the_text_as_it_is_stored() -> None:
    prepare_bidi("auto", {"TERM": "xterm"}, has_terminal=False)
    assert i18n._("{name} has {n} left.", name="Ana", n=12) == "Ana تنها ۱۲ دارد."


def test_a_language_from_left_to_right_is_left_alone() -> None:
    i18n.use_catalogue(gettext.NullTranslations(), "en")
    prepare_bidi("program", {}, has_terminal=True)
    assert i18n._("{name} has {n} left.", name="سلام", n=12) == "سلام has 12 left."
    assert in_reading_order("سلام") == "سلام"


def test_names_and_numbers_are_isolated() -> None:
    prepare_bidi("terminal", {}, has_terminal=True)
    said = i18n._("{name} has {n} left.", name="Ana", n=12)
    assert said == f"{FSI}Ana{PDI} تنها {FSI}۱۲{PDI} دارد."
    assert i18n.clean_line(said) == said
    assert i18n.line_width(said) == i18n.line_width("Ana تنها ۱۲ دارد.")


@pytest.mark.parametrize("name", [f"A{PDI}b", f"A{FSI}b", f"{PDI}{FSI}"])
def test_a_name_cannot_end_its_isolation(name: str) -> None:
    found = i18n.isolate(name)
    assert found.count(FSI) == found.count(PDI) == 1
    assert (found[0], found[-1]) == (FSI, PDI)


def test_the_program_turns_words_round_and_leaves_latin_and_columns() -> None:
    prepare_bidi("program", {}, has_terminal=False)
    assert in_reading_order(i18n._("{name} has {n} left.", name="Ana", n=12)) == ".دراد ۱۲ اهنت Ana"
    assert in_reading_order("  سلام   Ana  ") == "  مالس   Ana  "
    out = io.StringIO()
    Output(out, out).say_line("سلام")
    assert unicodedata.normalize("NFKC", out.getvalue()) == "مالس\n"


def test_a_terminal_is_told_in_which_direction_each_cell_is_read() -> None:
    """Most terminals read every line from left to right, also one that begins with Persian."""
    prepare_bidi("terminal", {}, has_terminal=True)
    said = i18n._("{name} has {n} left.", name="Ana", n=12)
    assert in_reading_order(f"  {said}   Ana") == f"  {RLI}{said}{PDI}   Ana"
    before, name, after = said.partition("Ana")
    row = row_in_reading_order([("log", " " + before), ("log own", name), ("log", after)])
    assert row == [
        ("log", f" {RLI}{before}"), ("log own", "Ana"), ("log", f"{after}{PDI}"), ("log", " ")
    ]  # fmt: skip


def test_an_isolate_that_is_cut_in_two_is_whole_in_both_parts() -> None:
    prepare_bidi("terminal", {}, has_terminal=True)
    assert in_reading_order(f"{FSI}سلام  خوبی{PDI}") == (
        f"{RLI}{FSI}سلام{PDI}{PDI}  {RLI}{FSI}خوبی{PDI}{PDI}"
    )
    prepare_bidi("program", {}, has_terminal=True)
    assert in_reading_order(f"b: {FSI}{FSI}Ana{PDI}، ۴ سلام") == "مالس ۴ ،Ana :b"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ana (شما)", "(امش) Ana"), ("[شما] (Ana)", "(Ana) [امش]"), ("(شما", "امش)"),
        ("شما)", "(امش"),
    ],
)  # fmt: skip
def test_brackets_are_mirrored_where_the_program_turns_them(text: str, shown: str) -> None:
    prepare_bidi("program", {}, has_terminal=True)
    assert in_reading_order(text) == shown


def test_the_parts_of_a_list_stand_in_the_order_of_the_sentence() -> None:
    prepare_bidi("terminal", {}, has_terminal=True)
    names = i18n.list_with_commas(["Ana", "Rex", "Mia"])
    assert names == f"{FSI}Ana{PDI}, {FSI}Rex{PDI}, {FSI}Mia{PDI}"
    listed = i18n.list_with_and(["Ana", "Rex"])
    assert i18n._("{name} has {n} left.", name=listed, n=2).startswith(listed)
    one = i18n._("{name} has {n} left.", name=i18n.list_with_and(["Ana"]), n=2)
    assert one.startswith(f"{FSI}Ana{PDI}")


def test_spaces_around_a_cell_stay_where_they_are() -> None:
    prepare_bidi("terminal", {}, has_terminal=True)
    assert i18n.as_cell("  سلام ") == f"  {FSI}سلام{PDI} "


def test_cells_of_a_table_are_as_wide_as_ever() -> None:
    prepare_bidi("terminal", {}, has_terminal=True)
    for text in ("سلام", "Ana", "", "سلام خوبی چطوری"):
        assert i18n.line_width(pad_to_width(text, 8)) == i18n.line_width(align_right(text, 8)) == 8


def test_the_settings_say_who_turns_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "xx" / "LC_MESSAGES" / "kotp2p.po"
    path.parent.mkdir(parents=True)
    path.write_text('msgctxt "direction of writing"\nmsgid "ltr"\nmsgstr "rtl"\n')
    monkeypatch.setattr(languages, "OWN_FOLDER", tmp_path)
    settings = tmp_path / "config.toml"
    settings.write_text('lang = "xx"\nbidi = "program"\n')
    monkeypatch.setenv("KOTP2P_CONFIG", str(settings))
    assert languages.prepare_language([], {}) == ""
    assert in_reading_order("سلام") == "مالس"
    settings.write_text('lang = "xx"\nbidi = "off"\n')
    assert languages.prepare_language([], {}) == ""
    assert in_reading_order("سلام") == "سلام"


def test_a_coloured_name_stays_in_its_sentence() -> None:
    prepare_bidi("program", {}, has_terminal=True)
    said = i18n._("{name} has {n} left.", name="Ana", n=12)
    whole = in_reading_order(said)
    before, name, after = said.partition("Ana")
    found = row_in_reading_order([("log", before), ("log own", name), ("log", after)])
    assert "".join(text for _style, text in found) == whole
    assert [text for style, text in found if style == "log own"] == ["Ana"]
    assert {style for style, _text in found} == {"log own", "log"}


def test_a_coloured_name_of_right_to_left_letters_is_turned_in_its_place() -> None:
    prepare_bidi("program", {}, has_terminal=True)
    said = i18n._("{name} has {n} left.", name="سام", n=12)
    before, name, after = said.partition("سام")
    found = row_in_reading_order([("", before), (" own", name), ("", after)])
    assert found[-1] == (" own", "ماس")  # the first word stands at the right


def test_cells_of_several_styles_stay_in_their_columns() -> None:
    prepare_bidi("program", {}, has_terminal=True)
    row = [("own", "سلام"), ("", " ab"), ("heart", " سلام"), ("", "x")]
    found = row_in_reading_order(row)
    assert found == [("own", "مالس"), ("", " ab"), ("heart", " مالس"), ("", "x")]


def test_the_line_of_a_heading_parts_what_stands_on_it() -> None:
    prepare_bidi("program", {}, has_terminal=True)
    row = [("rule", "── سام "), ("rule own", "Ana"), ("rule", " ───── x ──")]
    text = "".join(part for _style, part in row_in_reading_order(row))
    assert text == "── Ana ماس ───── x ──"


@pytest.mark.parametrize(("left", "right"), [("┌─ ", " ──┐"), ("+-- ", " --+")])
def test_the_title_of_a_box_stays_on_its_line(left: str, right: str) -> None:
    prepare_bidi("program", {}, has_terminal=True)
    assert in_reading_order(f"{left}سام{right}") == f"{left}ماس{right}"


def test_signs_that_mark_parts_may_stand_in_a_text() -> None:
    prepare_bidi("program", {}, has_terminal=True)
    row = [("", "سلام " + BORDERS), (" own", "Ana")]
    assert "".join(text for _style, text in row_in_reading_order(row)).count("Ana") == 1


@pytest.mark.parametrize(
    ("letters", "joined"),
    [
        ("\u0628", "\ufe8f"),  # alone
        ("\u0628\u0628\u0628", "\ufe91\ufe92\ufe90"),  # first, between, last
        ("\u0628\u0627\u0628", "\ufe91\ufe8e\ufe8f"),  # alef joins no next letter
        ("\u0628\u200c\u0628", "\ufe8f\u200c\ufe8f"),  # a sign that parts them
        ("\u0628\u064e\u0628", "\ufe91\u064e\ufe90"),  # a vowel mark between them
        ("\u06af\u06cc", "\ufb94\ufbfd"),  # of Persian
        ("b \u0628 1", "b \ufe8f 1"),
    ],
)
def test_letters_are_joined_where_the_program_turns_them(letters: str, joined: str) -> None:
    assert join_letters(letters) == joined
    assert [i18n.line_width(sign) for sign in joined] == [i18n.line_width(sign) for sign in letters]
    prepare_bidi("program", {}, has_terminal=True)
    assert set(joined) - {"\u200c"} <= set(languages.in_reading_order(letters))
    prepare_bidi("terminal", {}, has_terminal=True)
    assert letters in languages.in_reading_order(letters)
