"""The language of the program: its choice, its catalogue, and its direction of reading."""

import gettext
import io
import os
import re
import shlex
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TypeAlias

from kotp2p.cli.system.compiled_catalogues import NotCompiled, read_compiled
from kotp2p.cli.system.folders import CATALOGUES_VARIABLE, config_file
from kotp2p.cli.system.options import Bidi
from kotp2p.cli.text import i18n
from kotp2p.cli.text.i18n import _, list_with_and

# -- languages -----------------------------------------------------------------------------
#
# A flag wins over a variable, a variable over the settings, and those over the locale of this
# system. A language is a folder with a catalogue; no code names one.


SOURCE = "en"
FLAG = "--lang"
LANG_VARIABLE = "KOTP2P_LANG"
DOMAIN = "kotp2p"
OWN_FOLDER = Path(__file__).parent.parent / "locale"
MAX_CONFIG_BYTES = 16_384


class UnknownLanguage(ValueError):
    """There is no such language; the message names those that there are."""


def find_catalogues() -> dict[str, Path]:
    named = os.environ.get(CATALOGUES_VARIABLE)
    found: dict[str, Path] = {}
    for folder in (OWN_FOLDER, *([Path(named)] if named else [])):
        for path in sorted(folder.glob(f"*/LC_MESSAGES/{DOMAIN}.[mp]o")):
            code = path.parent.parent.name.replace("_", "-")
            found[code] = path.with_suffix(".po")
    return found


def list_languages() -> list[str]:
    return sorted({SOURCE, *find_catalogues()})


def find_language(word: str) -> str | None:
    """Return the language that `pt-BR`, `pt_BR.UTF-8` or `pt` means, or None."""
    wanted = word.strip().partition(".")[0].partition("@")[0].replace("_", "-").lower()
    if not wanted:
        return None
    known = list_languages()
    for code in known:
        if code.lower() == wanted:
            return code
    main = wanted.partition("-")[0]
    return next((code for code in known if code.lower().partition("-")[0] == main), None)


def parse_language(value: object) -> str:
    """Return the language that a setting means; raise UnknownLanguage."""
    found = find_language(value) if isinstance(value, str) else None
    if found is None:
        raise UnknownLanguage(
            _("{word} is no language of this program; there are {languages}.",
              word=value, languages=list_with_and(list_languages()))
        )  # fmt: skip
    return found


def choose_language(words: Sequence[str], environment: Mapping[str, str]) -> str:
    """Return the language for a command line; words that are not understood are skipped."""
    typed = _typed_language(words)
    wishes = (typed, environment.get(LANG_VARIABLE, ""), _set_word("lang"))
    for wish in wishes:
        found = find_language(wish)
        if found is not None:
            return found
    return language_of_locale(environment)


def language_of_locale(environment: Mapping[str, str]) -> str:
    """Return the language of the locale as gettext does: C has no LANGUAGE."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((environment[name] for name in names if environment.get(name)), "")
    if locale in ("C", "POSIX"):
        return SOURCE
    for word in (*environment.get("LANGUAGE", "").split(":"), locale):
        found = find_language(word)
        if found is not None:
            return found
    return SOURCE


def speak(code: str) -> None:
    """Use a catalogue; English where the standard output cannot show its letters."""
    if code != SOURCE:
        data = read_compiled(find_catalogues()[code])
        i18n.use_catalogue(gettext.GNUTranslations(io.BytesIO(data)), code)
    if code == SOURCE or not _can_be_shown(_("Usage:")):
        i18n.use_catalogue(gettext.NullTranslations(), SOURCE)


def _can_be_shown(word: str) -> bool:
    bare = [s for s in unicodedata.normalize("NFKD", word) if not unicodedata.combining(s)]
    try:
        "".join(bare).encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def prepare_language(words: Sequence[str], environment: Mapping[str, str]) -> str:
    """Choose the language for a command line; return why it cannot be used, or nothing."""
    code = choose_language(words, environment)
    try:
        speak(code)
        if i18n.is_right_to_left():
            wish = _set_word("bidi")
            prepare_bidi(wish, environment, has_terminal=is_shown_on_terminal())
    except NotCompiled as fault:
        command = f"{shlex.quote(sys.executable)} -m pip install babel"  # for a checkout alone
        return _("The texts in {language} are not compiled: {detail}. They are in English now. "
                 "To install what is missing: {command}",
                 language=code, detail=fault, command=command)  # fmt: skip
    except (OSError, ValueError, UnicodeDecodeError) as fault:
        return _("The texts in {language} cannot be read: {detail}. They are in English now.",
                 language=code, detail=fault)  # fmt: skip
    return ""


def _typed_language(words: Sequence[str]) -> str:
    found = ""
    for n, word in enumerate(words):
        if word == "--":
            break
        if word == FLAG and n + 1 < len(words):
            found = words[n + 1]
        elif word.startswith(f"{FLAG}="):
            found = word.partition("=")[2]
    return found


def _set_word(key: str) -> str:
    path = config_file()
    if not os.path.isfile(path):  # of a closed folder `Path` raises
        return ""
    import tomllib  # only for those who have set something

    try:
        with path.open("rb") as file:
            found = tomllib.loads(file.read(MAX_CONFIG_BYTES).decode()).get(key)
    except (OSError, ValueError, RecursionError):
        return ""  # the settings are refused where they are read
    return found if isinstance(found, str) else ""


# -- text that is read from right to left --------------------------------------------------
#
# The order in which a line is read, and who arranges it. A terminal may do it: then names and
# numbers are isolated, so that they do not split the sentence around them. Otherwise this program
# does it, right before a line is shown.


Fragment: TypeAlias = tuple[str, str]
SPACES = " "
BORDERS = "".join(map(chr, range(0x2400, 0x2420)))
"""Signs without a direction. They temporarily mark both ends of a part with a style."""
CELLS_PATTERN = re.compile(r"( {2,}| ?[\u2500-\u257f]+ ?| ?[+|]?-{2,}[+|]? ?)")
"""What separates cells: spaces, or the line of a heading or of a box."""
RIGHT_TO_LEFT = frozenset({"R", "AL"})
BRACKETS = ("()", "[]", "{}", "«»")
FORMS = (*range(0xFB50, 0xFC00), *range(0xFE70, 0xFF00))
"""Where Unicode has the forms of letters, with others that are made of several."""
JOINED = {
    (False, False): "isolated", (True, False): "final", (False, True): "initial",
    (True, True): "medial",
}  # fmt: skip
"""The form of a letter by whether it is joined to the one before and to the next one."""
_mode = Bidi.OFF


def prepare_bidi(wish: str, environment: Mapping[str, str], *, has_terminal: bool) -> None:
    """Choose how text is ordered; `wish` is the setting, in which an unknown word is auto."""
    global _mode
    mode = Bidi.OFF
    if i18n.is_right_to_left():
        mode = choose_mode(wish, environment, has_terminal=has_terminal)
    i18n.use_isolates(mode is not Bidi.OFF)
    _mode = mode


def choose_mode(wish: str, environment: Mapping[str, str], *, has_terminal: bool) -> Bidi:
    mode = Bidi(wish) if wish in set(Bidi) else Bidi.AUTO
    if mode is not Bidi.AUTO:
        return mode
    return _guess_mode(environment) if has_terminal else Bidi.OFF


def _guess_mode(environment: Mapping[str, str]) -> Bidi:
    """Guess from its variables what the terminal can do; inside GNU screen, nothing."""
    # tmux hands on the order and the marks, and most often runs where it was started.
    if environment.get("STY"):
        return Bidi.PROGRAM
    turns = (
        environment.get("VTE_VERSION", "").isdigit()
        or environment.get("KONSOLE_VERSION")
        or environment.get("TERM_PROGRAM") == "Apple_Terminal"
        or environment.get("TERM", "").startswith("mlterm")
    )
    if turns:
        return Bidi.TERMINAL
    return Bidi.PROGRAM


def in_reading_order(text: str) -> str:
    """Return a part of a line as it must be printed: reordered, or marked for the terminal."""
    # Cells of a table, separated by two spaces or more, stay where they are.
    match _mode:
        case Bidi.PROGRAM:
            return "".join(map(_turn_cell, CELLS_PATTERN.split(text)))
        case Bidi.TERMINAL:
            return "".join(sign for _style, sign in _direct_cells([("", sign) for sign in text]))
        case _:  # a language from left to right, or a pipe
            return text


def row_in_reading_order(row: Iterable[Fragment]) -> list[Fragment]:
    """Return a row of several styles as it must be printed."""
    # Parts whose styles have the same first word (`log`, `log own`) are one sentence.
    if _mode not in (Bidi.PROGRAM, Bidi.TERMINAL):
        return list(row)
    found: list[Fragment] = []
    for _word, group in groupby(row, key=lambda part: part[0].partition(" ")[0]):
        parts = list(group)
        if _mode is Bidi.TERMINAL:
            signs = [(style, sign) for style, text in parts for sign in text]
            found += _join_by_style(_direct_cells(signs))
        elif len({style for style, _text in parts}) > 1:
            found += _turn_sentence(parts)
        else:
            found += [(style, in_reading_order(text)) for style, text in parts]
    if found and found[-1][1].endswith(i18n.POP_ISOLATE):
        found.append((found[-1][0], SPACES))  # prompt_toolkit counts a last sign without a width
    return found


def _direct_cells(signs: list[Fragment]) -> list[Fragment]:
    """Mark the direction of cells from right to left, as most terminals read the other way."""
    found: list[Fragment] = []
    at = 0
    for cell in CELLS_PATTERN.split("".join(sign for _style, sign in signs)):
        part, at = signs[at : at + len(cell)], at + len(cell)
        found += _direct_cell(part)
    return found


def _direct_cell(cell: list[Fragment]) -> list[Fragment]:
    text = "".join(sign for _style, sign in cell)
    if not _is_from_right_to_left(text):
        return cell
    missing, unclosed = _count_halves(text)
    shown = [at for at, (_style, sign) in enumerate(cell) if sign != SPACES]
    first, last = shown[0], shown[-1] + 1
    opening = cell[first][0], i18n.RIGHT_TO_LEFT_ISOLATE + i18n.FIRST_STRONG_ISOLATE * missing
    closing = cell[last - 1][0], i18n.POP_ISOLATE * (unclosed + 1)
    return [*cell[:first], opening, *cell[first:last], closing, *cell[last:]]


def _count_halves(text: str) -> tuple[int, int]:
    """Return how many isolates began in a row before, and how many end in a row after."""
    missing = unclosed = 0
    for sign in text:
        if sign == i18n.FIRST_STRONG_ISOLATE:
            unclosed += 1
        elif sign == i18n.POP_ISOLATE and unclosed:
            unclosed -= 1
        elif sign == i18n.POP_ISOLATE:
            missing += 1
    return missing, unclosed


def _turn_sentence(parts: Iterable[Fragment]) -> list[Fragment]:
    styled = [(style, sign) for style, text in parts for sign in text]
    found: list[Fragment] = []
    at = 0
    for cell in CELLS_PATTERN.split("".join(sign for _style, sign in styled)):
        part, at = styled[at : at + len(cell)], at + len(cell)
        found += _turn_styled_cell(part)
    return _join_by_style(found)


def _join_by_style(fragments: Iterable[Fragment]) -> list[Fragment]:
    return [
        (style, "".join(text for _style, text in group))
        for style, group in groupby(fragments, key=lambda one: one[0])
    ]


def _base_style(parts: list[Fragment]) -> str:
    """Return the style of the sentence: the word with which all begin, or that of the longest."""
    word = parts[0][0].partition(" ")[0]
    longest = max(parts, key=lambda part: len(part[1]))[0]
    return word if any(style == word for style, _text in parts) else longest


def _turn_styled_cell(cell: list[Fragment]) -> list[Fragment]:
    """Reorder a cell of several styles, whose parts are isolated and marked to be found again."""
    parts = _join_by_style(cell)
    if not parts:
        return []
    base = _base_style(parts)
    text, styles = "", dict[str, str]()
    signs = {sign for _style, sign in cell}
    borders = (border for border in BORDERS if border not in signs)
    for style, part in parts:
        border = None if style == base else next(borders, None)
        if border is None:
            text += part
            continue
        styles[border] = style
        opened = part.count(i18n.FIRST_STRONG_ISOLATE) - part.count(i18n.POP_ISOLATE)
        text += i18n.FIRST_STRONG_ISOLATE * max(0, opened)
        text += i18n.isolate(border + i18n.without_isolates(part) + border)
        text += i18n.POP_ISOLATE * max(0, -opened)
    found: list[Fragment] = []
    style = base
    for sign in _turn_cell(text):
        if sign in styles:
            style = styles[sign] if style == base else base
        else:
            found.append((style, sign))
    return found


def _turn_cell(cell: str) -> str:
    if not _is_from_right_to_left(cell):
        return i18n.without_isolates(cell)
    import bidi

    core = cell.strip(SPACES)
    before, _core, after = cell.partition(core)
    missing, unclosed = _count_halves(core)
    whole = i18n.FIRST_STRONG_ISOLATE * missing + core + i18n.POP_ISOLATE * unclosed
    turned = i18n.without_isolates(str(bidi.get_display(join_letters(whole), base_dir="R")))
    return before + _mirror_brackets(turned) + after


def join_letters(text: str) -> str:
    """Return each Arabic or Persian letter in the form that joins it to its neighbours."""
    # A terminal that does not arrange the order of letters does not choose their forms either.
    forms = _list_forms()
    shown = [at for at, sign in enumerate(text) if not unicodedata.combining(sign)]
    found = list(text)
    for before, at, after in zip([-1, *shown], shown, [*shown[1:], -1], strict=False):
        letter = text[at]
        form = JOINED[
            before >= 0 and (text[before], "initial") in forms and (letter, "final") in forms,
            after >= 0 and (letter, "initial") in forms and (text[after], "final") in forms,
        ]
        found[at] = forms.get((letter, form), letter)
    return "".join(found)


@cache
def _list_forms() -> Mapping[tuple[str, str], str]:
    """Return the signs of the forms, which Unicode derives from the letters."""
    found: dict[tuple[str, str], str] = {}
    for code in FORMS:
        form, _space, letter = unicodedata.decomposition(chr(code)).partition(" ")
        if len(letter) == len("0628"):
            found.setdefault((chr(int(letter, 16)), form.strip("<>")), chr(code))
    return found


def _mirror_brackets(text: str) -> str:
    """Swap brackets that the reordering has turned round, which the library does not.

    A pair with the closing bracket first was turned. So was a single one whose sentence is broken
    within the pair. A pair of the other direction within such a pair is not detected.
    """
    signs = list(text)
    for pair in BRACKETS:
        waiting: list[int] = []
        for at, sign in enumerate(signs):
            if sign not in pair:
                continue
            if waiting and signs[waiting[-1]] != sign:
                first = waiting.pop()
                if signs[first] == pair[1]:
                    signs[first], signs[at] = sign, signs[first]
            else:
                waiting.append(at)
        for at in waiting:
            signs[at] = pair[1 - pair.index(signs[at])]
    return "".join(signs)


def _is_from_right_to_left(text: str) -> bool:
    return any(unicodedata.bidirectional(sign) in RIGHT_TO_LEFT for sign in text)


def is_shown_on_terminal() -> bool:
    try:
        return sys.stdout.isatty()
    except (AttributeError, ValueError):  # closed, or none at all
        return False
