"""A command line that cannot be understood, in one sentence: what is wrong, and what to type.

Scope: every error of typer's parser (`UsageError` and what is below it) as a sentence of this
program, in place of the usage lines and the words of the library.
Not here: values that a flag refuses (`flag_values`), and what a command refuses itself.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

import typer

from kotp2p.cli.system.exit_codes import Exit
from kotp2p.cli.system.output import Output
from kotp2p.cli.text.i18n import _, list_with_or
from kotp2p.cli.text.own_command import typeable

errors: Any = sys.modules[typer.BadParameter.__module__]
"""Where typer keeps its errors; it names few of them itself."""

NEAR_FLAG_RATIO = 0.75
"""How much of an unknown flag must be in a known one, of 1. All begin alike."""


class TooManyWords(Exception):
    """A command takes fewer words; the argument is what is left of them."""


class UnknownCommand(Exception):
    """The argument is the word that stands in a command's place."""


@contextmanager
def explained_errors(context: Any) -> Iterator[None]:
    """Says what is wrong with a command line and ends with the exit code for that."""
    try:
        yield
    except (errors.UsageError, TooManyWords, UnknownCommand) as fault:
        sentence = describe_usage_error(fault, context)
        Output.standard().note_line(_("kotp2p: {fault}", fault=sentence))
        raise typer.Exit(Exit.USAGE) from None


def describe_usage_error(fault: Any, context: Any) -> str:
    """`context`: of the command that is read. The sentence follows the name of the program."""
    path = context.command_path
    match fault:
        case TooManyWords():
            return _("{path} has no use for {words}; what it takes: {help}", path=path,
                     words=str(fault), help=_help_command(path))  # fmt: skip
        case UnknownCommand():
            return _describe_unknown_command(str(fault), path, context.command.commands)
        case errors.MissingParameter():
            return _("{path} needs {name} behind it; to read about it: {help}", path=path,
                     name=_metavar(fault.param), help=_help_command(path))  # fmt: skip
        case errors.BadParameter():
            return _("{name}: {fault}", name=_name_of(fault), fault=fault.message)
        case errors.NoSuchOption():
            return _describe_unknown_flag(fault.option_name, context)
        case errors.BadOptionUsage():
            return _describe_missing_value(fault.option_name, context.command)
        case _:  # none that the parameters of this program can cause
            return str(fault.message)


def _help_command(path: str) -> str:
    """`path`: the program with its commands, as typed."""
    program, _space, command = path.partition(" ")
    return typeable(f"{program} help {command}".strip())


def _describe_unknown_command(word: str, path: str, known: Iterable[str]) -> str:
    typed = f"{path} {word}"
    near = get_close_matches(word, known, n=1)
    if near:
        return _("There is no command {typed}; near to it: {near}", typed=typed,
                 near=typeable(f"{path} {near[0]}"))  # fmt: skip
    return _("There is no command {typed}; to list all: {help}", typed=typed,
             help=_help_command(path))  # fmt: skip


def _describe_unknown_flag(flag: str, context: Any) -> str:
    path = context.command_path
    known = [opt for one in context.command.get_params(context) for opt in _flags_of(one)]
    near = get_close_matches(flag, known, n=1, cutoff=NEAR_FLAG_RATIO)
    if near:
        return _("{path} has no flag {flag}; near to it: {near}", path=path, flag=flag,
                 near=near[0])  # fmt: skip
    commands = context.find_root().command.commands
    others = [
        f"kotp2p {name}"
        for name, command in commands.items()
        if any(flag in _flags_of(one) for one in command.params)
    ]
    if others:
        return _("{path} has no flag {flag}, but {others} has.", path=path, flag=flag,
                 others=list_with_or(others))  # fmt: skip
    return _("{path} has no flag {flag}; to list all: {help}", path=path, flag=flag,
             help=_help_command(path))  # fmt: skip


def _describe_missing_value(flag: str, command: Any) -> str:
    for one in command.params:
        if flag in _flags_of(one):
            if one.is_flag:
                return _("{flag} takes no value.", flag=flag)
            return _("{flag} needs a value behind it: {flag} {value}", flag=flag,
                     value=_metavar(one))  # fmt: skip
    return _("{flag} needs a value behind it.", flag=flag)


def _flags_of(parameter: Any) -> list[str]:
    return [opt for opt in (*parameter.opts, *parameter.secondary_opts) if opt.startswith("-")]


def _metavar(parameter: Any) -> str:
    return str(parameter.metavar or parameter.name.upper())


def _name_of(fault: Any) -> str:
    if fault.param is None:
        return str(fault.param_hint)
    is_argument = fault.param.param_type_name == "argument"
    return _metavar(fault.param) if is_argument else str(fault.param.opts[0])
