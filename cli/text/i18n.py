"""The one door of every sentence for people: translation in, clean text out.

Scope: a message id is a whole English sentence with named fields, so that a translator may order
the words. Some fields are clauses of their own (a list of outcomes, an amount with its unit).
Nothing is looked up before it is shown, so a language that is chosen late holds everywhere.
Names that other players type and text that other programs send are cleaned where they are printed
(`clean_line`), nowhere else.
"""

import errno
import gettext
import string
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Protocol

DIGITS = "0123456789"


class Catalogue(Protocol):
    def gettext(self, message: str, /) -> str: ...

    def ngettext(self, one: str, many: str, n: int, /) -> str: ...

    def pgettext(self, context: str, message: str, /) -> str: ...


_catalogue: Catalogue = gettext.NullTranslations()
_code = "en"
_is_right_to_left = False
_isolates = False
"""Whether filled-in fields are isolated from the direction of the sentence."""
_digits: str = DIGITS
_decimal_sign = "."

MAX_MARKS = 4
MAX_FIELD = 4096
"""The longest path of most systems. A longer word in a sentence has been typed by mistake."""
FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"
RIGHT_TO_LEFT_ISOLATE = "\u2067"
HARMLESS_FORMAT_SIGNS = "\u200c\u200d"
"""Format characters that words of some languages need."""


def use_catalogue(catalogue: Catalogue, code: str) -> None:
    global _catalogue, _code, _digits, _decimal_sign, _is_right_to_left, _isolates
    _catalogue, _code, _isolates = catalogue, code, False
    # Translators: in which direction your language is written: ltr, or rtl for right to left.
    _is_right_to_left = catalogue.pgettext("direction of writing", "ltr") == "rtl"
    # Translators: the ten digits of your language, from nought to nine and without spaces.
    found = catalogue.pgettext("digits", "0123456789")
    is_whole = len(found) == len(DIGITS) and [unicodedata.decimal(one, -1) for one in found] == [
        int(one) for one in DIGITS
    ]
    _digits = found if is_whole else DIGITS
    # Translators: what stands between a whole number and its tenths.
    _decimal_sign = catalogue.pgettext("decimal sign", ".")


def language() -> str:
    return _code


def is_right_to_left() -> bool:
    return _is_right_to_left


def use_isolates(wanted: bool) -> None:
    global _isolates
    _isolates = wanted


@contextmanager
def isolates_used(wanted: bool) -> Iterator[None]:
    before = _isolates
    use_isolates(wanted)
    try:
        yield
    finally:
        use_isolates(before)


def isolate(text: str) -> str:
    """Isolate the direction of reading of a text, which cannot end that by its own marks."""
    depth = 0
    for sign in text:
        depth += (sign == FIRST_STRONG_ISOLATE) - (sign == POP_ISOLATE)
        if depth < 0:
            break
    text = text if depth == 0 else without_isolates(text)
    return f"{FIRST_STRONG_ISOLATE}{text}{POP_ISOLATE}"


def _is_made_of_isolates(text: str) -> bool:
    """Return whether all that has a direction of reading is isolated, as in a list of names."""
    depth, count = 0, 0
    for sign in text:
        if sign == FIRST_STRONG_ISOLATE:
            depth, count = depth + 1, count + 1
        elif sign == POP_ISOLATE:
            depth -= 1
        elif depth == 0 and unicodedata.bidirectional(sign) in ("L", "R", "AL"):
            return False
    return count > 1


def as_cell(text: str) -> str:
    """Isolate a cell of a table, without the spaces at its ends."""
    core = text.strip(" ")
    if not _isolates or not core:
        return text
    before, _core, after = text.partition(core)
    return before + isolate(core) + after


def close_isolates(text: str) -> str:
    still_open = text.count(FIRST_STRONG_ISOLATE) - text.count(POP_ISOLATE)
    return text + POP_ISOLATE * still_open


def without_isolates(text: str) -> str:
    return text.replace(FIRST_STRONG_ISOLATE, "").replace(POP_ISOLATE, "")


class _List(str):
    """A list whose parts are isolated, so that they follow the direction of the sentence."""


class _WithOwnDigits(string.Formatter):
    """A formatter like `str.format`, with numbers in the digits of the language."""

    def format_field(self, value: Any, format_spec: str) -> str:
        text = str(super().format_field(value, format_spec))
        text = number(text) if isinstance(value, (int, float)) else text
        if not _isolates or not text or isinstance(value, _List) or _is_made_of_isolates(text):
            return text
        return isolate(text)


_with_own_digits = _WithOwnDigits()


def number(value: int | float | str) -> str:
    text = str(value)
    return text if _digits == DIGITS else text.translate(str.maketrans(DIGITS, _digits))


def decimal(value: float, places: int) -> str:
    """Return a number with `places` decimal places, in the notation of the reader's language."""
    return number(f"{value:.{places}f}".replace(".", _decimal_sign))


def shorten(text: str) -> str:
    """Leave out the middle of what is longer than any path."""
    is_long = len(text) > MAX_FIELD
    return f"{text[:40]}...{text[-40:]}" if is_long else text


def _fill_in(sentence: str, fields: Mapping[str, object]) -> str:
    fill = sentence.format_map
    if _digits != DIGITS or _isolates:
        fill = partial(_with_own_digits.vformat, sentence, ())
    filled = fill(fields)
    if len(filled) <= MAX_FIELD:
        return filled
    return fill({name: value if isinstance(value, int | float) else shorten(str(value))
                 for name, value in fields.items()})  # fmt: skip


def _(message: str, /, **fields: object) -> str:
    """Translate a sentence and fill in its fields."""
    return _fill_in(_catalogue.gettext(message), fields)


def plural(one: str, many: str, n: int, /, **fields: object) -> str:
    return _fill_in(_catalogue.ngettext(one, many, n), {**fields, "n": n})


def plain_message(message: str) -> str:
    return _catalogue.gettext(message)


def plain_plural(one: str, many: str, n: int) -> str:
    return _catalogue.ngettext(one, many, n)


def in_context(context: str, message: str, /, **fields: object) -> str:
    return _fill_in(_catalogue.pgettext(context, message), fields)


def printed(context: str, text: str) -> str:
    return _catalogue.pgettext(context, text)


def list_with_commas(parts: Iterable[str]) -> str:
    """Join the parts: `a`, `a, b`, `a, b, c`."""
    found = ""
    for n, part in enumerate(parts):
        # Translators: two things of a list; {list} ends with what stands before {next}.
        found = _List(in_context("list", "{list}, {next}", list=found, next=part)) if n else part
    return found


def list_with_semicolons(parts: Iterable[str]) -> str:
    """Join parts that contain commas: `a; b, with a comma; c`."""
    found = ""
    for n, part in enumerate(parts):
        # Translators: two things of a list; {list} ends with what stands before {next}.
        found = _List(in_context("list", "{list}; {next}", list=found, next=part)) if n else part
    return found


def list_with_and(parts: Sequence[str]) -> str:
    """Join the parts: `a`, `a and b`, `a, b and c`."""
    if len(parts) < 2:
        return "".join(parts)
    return _List(_("{first} and {last}", first=list_with_commas(parts[:-1]), last=parts[-1]))


def list_with_or(parts: Sequence[str]) -> str:
    """Join the parts: `a`, `a or b`, `a, b or c`."""
    if len(parts) < 2:
        return "".join(parts)
    return _List(_("{first} or {last}", first=list_with_commas(parts[:-1]), last=parts[-1]))


def clean_line(line: str) -> str:
    """Replace signs that move a cursor or change the direction of reading, and piled up marks."""
    if line.isascii() and line.isprintable():
        return line
    kept, marks = [], 0
    for sign in line:
        if _isolates and sign in (FIRST_STRONG_ISOLATE, POP_ISOLATE):
            kept.append(sign)  # what others have typed has lost its own in `isolate`
            continue
        marks = marks + 1 if unicodedata.category(sign) in ("Mn", "Me") else 0
        if marks <= MAX_MARKS:
            kept.append("?" if _harmful(sign) else sign)
    return "".join(kept)


def line_width(line: str) -> int:
    """Return the columns of a line on a terminal, added up sign by sign as prompt_toolkit does."""
    if line.isascii() and line.isprintable():
        return len(line)
    from wcwidth import wcwidth  # its tables take longer to load than many a command runs

    return sum(max(0, wcwidth(sign)) for sign in line)


def _harmful(sign: str) -> bool:
    kind = unicodedata.category(sign)
    return kind in ("Cc", "Cs", "Zl", "Zp") or (kind == "Cf" and sign not in HARMLESS_FORMAT_SIGNS)


def typed_signs(text: str) -> str:
    """Return the signs of a text that may stand in a typed line."""
    return "".join(s for s in text if s.isprintable() or s in HARMLESS_FORMAT_SIGNS)


def ascii_digits(text: str) -> str:
    """Replace digits of any script by ASCII, as a Persian keyboard types other ones."""
    return "".join(str(unicodedata.digit(s)) if s.isdigit() and s > "\x7f" else s for s in text)


def N_(message: str) -> str:
    """Mark a message for the translators; it is translated where it is used."""
    return message


def N_plural(one: str, many: str) -> tuple[str, str]:
    return one, many


# -- the word by which this program is called in its sentences -----------------------------
#
# `kotp2p` becomes the path of the program where the shell would not find the bare word, in commands
# that the reader types on this machine; a command for others has the bare word.


PROGRAM = "kotp2p"
IS_PUBLISHED = False
"""Whether the package index has this program under its name. Until then anybody could take the
name, so nothing that a person reads installs or runs it by name."""
_program = PROGRAM


def use_program(program: str) -> None:
    global _program
    _program = program


def typeable(command: str) -> str:
    """Return a command that begins with `kotp2p` as it can be typed here."""
    program, space, rest = command.partition(" ")
    return f"{_program}{space}{rest}" if program == PROGRAM else command


# -- why the system does not read or write a file, as a clause -----------------------------


TOO_MANY = frozenset({errno.EMFILE, errno.ENFILE})
_WORDS = {
    errno.ENOENT: N_("there is no such file"),
    errno.ENOTDIR: N_("a file stands where a folder should be"),
    errno.EISDIR: N_("it is a folder"),
    errno.EINVAL: N_("it is no file"),
    errno.EACCES: N_("the system does not allow it"),
    errno.EPERM: N_("the system does not allow it"),
    errno.EROFS: N_("the disk can only be read"),
    errno.ENOSPC: N_("the disk is full"),
    errno.EFBIG: N_("it is too long"),
    errno.ENAMETOOLONG: N_("the name is too long"),
    errno.ELOOP: N_("its links lead in a circle"),
    **dict.fromkeys(TOO_MANY, N_("too many files are open")),
    errno.EEXIST: N_("it is there already"),
    errno.EIO: N_("the disk reports an error"),
}


def describe_system_error(number: int | None, *, writing: bool = False) -> str:
    if writing and number == errno.ENOENT:
        return _("there is no such folder")
    if number in _WORDS:
        return _(_WORDS[number])
    return _("the system reports {error}", error=errno.errorcode.get(number or 0, number or 0))


def is_for_want_of_files(error: BaseException) -> bool:
    """Return whether the only fault is that the system refuses more files or sockets."""
    if isinstance(error, BaseExceptionGroup):
        return all(map(is_for_want_of_files, error.exceptions))
    return isinstance(error, OSError) and error.errno in TOO_MANY


def describe_few_files() -> str:
    return _("This program may open too few files here. To let it open more, type first: "
             "{command}", command="ulimit -n 1024")  # fmt: skip
