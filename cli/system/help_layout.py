"""How a command reads its line and explains itself: its flags under headings, in plain lines of at
most 80 columns, and what is wrong with a line in one sentence (`usage_errors`).

Scope: the headings, and the order in which they stand. Each flag names its own
(`rich_help_panel`, typer's word for it; the boxes that typer would draw need a terminal that can
draw them). A flag that only one command has stands first.
Not here: what the flags mean (`cli.system.options`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from typer.core import TyperCommand, TyperGroup

from kotp2p.cli.system.flag_reading import read_directly
from kotp2p.cli.system.usage_errors import TooManyWords, UnknownCommand, explained_errors
from kotp2p.cli.text.i18n import N_, _

TABLE = N_("The table")
RULES = N_("The rules of the game")
YOU = N_("You at the table")
NETWORK = N_("Network and invitations")
DISPLAY = N_("What you see and hear")
FILES = N_("Files and output")
GENERAL = N_("General")
OWN = N_("Options")
ARGUMENTS = N_("Arguments")
HEADINGS = (OWN, TABLE, RULES, YOU, NETWORK, DISPLAY, FILES, GENERAL)
NO_BRACES = str.maketrans("", "", "{}")
"""Typer puts braces around an argument that must be there."""
DEFAULT_PATTERN = re.compile(r"  \[default: (?P<default>[^\]]*)\]$")
"""As typer adds it to a text."""
TYPERS_HELP = {
    "Show this message and exit.": N_("Show this message and exit."),
}
"""What typer says of its own flag."""
TYPERS_OWN = frozenset({"--help"})
SHOWS_ALL = "kotp2p: shows all flags"
"""In the context of a command: rare flags are shown, too."""
MOST_FLAG_COLUMNS = 28
"""A flag that is wider has its text below it."""


class _Explained:
    """A command whose texts are marked messages, which are looked up when they are shown."""

    _help: str | None = None
    _epilog: str | None = None
    rare: frozenset[str] = frozenset()
    """Parameters that only `--help-all` shows."""

    @property
    def help(self) -> str | None:
        return self._help and _(self._help)

    @help.setter
    def help(self, message: str | None) -> None:
        self._help = message

    @property
    def epilog(self) -> str | None:
        return self._epilog and _(self._epilog)

    @epilog.setter
    def epilog(self, message: str | None) -> None:
        self._epilog = message

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters, each explained in the reader's language and read by its own parser."""
        found = list(super().get_params(ctx))  # type: ignore[misc]
        for parameter in found:
            marked = vars(parameter).setdefault("marked_help", getattr(parameter, "help", None))
            parameter.help = marked and _(TYPERS_HELP.get(marked, marked))
            read_directly(parameter)
        return found

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        pieces = " ".join(self.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, pieces, prefix=_("Usage:") + " ")

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        pieces = super().collect_usage_pieces(ctx)  # type: ignore[misc]
        return [piece.translate(NO_BRACES) for piece in pieces]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        write_options(self, ctx, formatter)


class GroupedCommand(_Explained, TyperCommand):
    allow_extra_args = True  # told below, in words of this program

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if ctx.resilient_parsing:
            return super().parse_args(ctx, args)
        with explained_errors(ctx):
            rest = super().parse_args(ctx, args)
            if rest:
                raise TooManyWords(" ".join(rest))
        return rest


class GroupedGroup(_Explained, TyperGroup):
    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if ctx.resilient_parsing:
            return super().parse_args(ctx, args)
        with explained_errors(ctx):
            return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if not ctx.resilient_parsing:
            with explained_errors(ctx):
                if self.get_command(ctx, args[0]) is None:
                    raise UnknownCommand(args[0])
        return super().resolve_command(ctx, args)


@contextmanager
def _section(title: str, formatter: Any) -> Iterator[None]:
    """Like `formatter.section`, with the colon as the language sets it."""
    formatter.write_paragraph()
    formatter.write(_("{title}:", title=title) + "\n")
    with formatter.indentation():
        yield


def sort_options(command: Any, ctx: Any) -> dict[str, list[tuple[str, str]]]:
    """Under each heading its flags, each as it is typed and as it is explained."""
    found: dict[str, list[tuple[str, str]]] = {name: [] for name in (ARGUMENTS, *HEADINGS)}
    shows_all = ctx.meta.get(SHOWS_ALL, False)
    for parameter in command.get_params(ctx):
        if parameter.name in command.rare and not shows_all:
            continue
        record = _in_own_words(parameter.get_help_record(ctx))
        if record is None:
            continue
        if parameter.param_type_name == "argument":
            found[ARGUMENTS].append((parameter.metavar or parameter.name.upper(), record[1]))
        else:
            is_typers_own = not TYPERS_OWN.isdisjoint(parameter.opts)
            named = GENERAL if is_typers_own else getattr(parameter, "rich_help_panel", None)
            heading = named or OWN
            found[heading].append(record)
    return {heading: rows for heading, rows in found.items() if rows}


def _in_own_words(record: tuple[str, str] | None) -> tuple[str, str] | None:
    """What typer has added, in the reader's language."""
    if record is None:
        return None
    flag, text = record
    added = DEFAULT_PATTERN.search(text)
    if added is None:
        return record
    value = added["default"]
    return flag, text[: added.start()] + "  " + _("[default: {value}]", value=value)


def write_options(command: Any, ctx: Any, formatter: Any) -> None:
    for heading, rows in sort_options(command, ctx).items():
        with _section(_(heading), formatter):
            formatter.write_dl(rows, col_max=MOST_FLAG_COLUMNS)
