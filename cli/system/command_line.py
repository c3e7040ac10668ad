"""How commands and their flags become a program of typer: rows, help, errors in one sentence."""

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_args, get_origin

import typer
from typer.core import TyperCommand, TyperGroup

from kotp2p.cli.system.output import Output
from kotp2p.cli.system.process import begin_search
from kotp2p.cli.text.i18n import N_, _, typeable

# -- rows ----------------------------------------------------------------------------------


class Flag(NamedTuple):
    """An option, or an argument of a command if its name has no hyphen in front."""

    name: str
    """The name as it is typed: `--players`, `--coach/--no-coach`, `--output -o`, or `ADDRESS`."""
    to: str
    """The parameter of the function that gets the value."""
    kind: Any
    help: str
    default: Any = None
    heading: str | None = None
    metavar: str | None = None
    parse: Callable[[str], Any] | None = None
    callback: Callable[..., Any] | None = None
    is_eager: bool = False
    is_rare: bool = False
    """Whether only `--help-all` shows it."""
    is_kept: bool = False
    """Whether its callback keeps the value, so that no function gets it."""

    @property
    def is_option(self) -> bool:
        return self.name.startswith("-")

    def parameter(self) -> inspect.Parameter:
        details: dict[str, Any] = {
            "help": self.help,
            "metavar": self.metavar,
            "parser": self.parse,
            "callback": self.callback,
            "is_eager": self.is_eager,
            "rich_help_panel": self.heading,
        }
        if self.is_option:
            info = typer.Option(*self.name.split(), **details)
        else:
            info = typer.Argument(**details | {"metavar": self.metavar or self.name})
        return inspect.Parameter(
            self.to,
            inspect.Parameter.KEYWORD_ONLY,
            default=self.default,
            annotation=Annotated[self.kind, info],
        )


CONTEXT = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)


class CommandEntry(NamedTuple):
    name: str
    run: str
    """`module:function`: it gets the values of the flags by name, and returns an exit code."""
    short: str
    help: str
    examples: str
    flags: Sequence[Flag]
    needs_program: bool = False
    """Whether the function gets typer's context of the whole program as `root`."""
    after: str = ""
    """For a command of the wing: the one before it in a list."""

    def build(self) -> Any:
        alone = typer.Typer(
            rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False
        )
        alone.command(self.name, cls=GroupedCommand, help=self.help, epilog=self.examples)(
            with_signature(self._call, self.name, self.flags)
        )
        command: Any = typer.main.get_command(alone)
        command.rare = frozenset(flag.to for flag in self.flags if flag.is_rare)
        return command

    def _call(self, *, context: typer.Context, **values: Any) -> None:
        module, _colon, function = self.run.partition(":")
        given = {flag.to: values[flag.to] for flag in self.flags if not flag.is_kept}
        if self.needs_program:
            given["root"] = context.find_root()
        command = getattr(import_module(module), function)
        begin_search()
        raise typer.Exit(command(**given))


def with_signature(
    call: Callable[..., None], name: str, flags: Sequence[Flag]
) -> Callable[..., None]:
    """Give `call` the signature that typer reads: the context, and a parameter for each flag."""

    def command(**values: Any) -> None:
        call(**values)

    parameters = [CONTEXT, *(flag.parameter() for flag in flags)]
    command.__name__ = name
    command.__dict__["__signature__"] = inspect.Signature(parameters)
    command.__annotations__ = {one.name: one.annotation for one in parameters}
    return command


class CommandsOnDemand(Mapping[str, Any]):
    """The commands of a table by name, each built when it is looked up."""

    def __init__(self, entries: Sequence[CommandEntry]) -> None:
        self._entries = {entry.name: entry for entry in entries}
        self._built: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._built:
            self._built[name] = self._entries[name].build()
        return self._built[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


# -- help ----------------------------------------------------------------------------------


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
DEFAULT_PATTERN = r"  \[default: (?P<default>[^\]]*)\]$"
"""The default that typer adds to a text."""
TYPERS_HELP = {"Show this message and exit.": N_("Show this message and exit.")}
"""Typer's texts about its own flags."""
TYPERS_OWN = frozenset({"--help"})
SHOWS_ALL = "kotp2p: shows all flags"
MOST_FLAG_COLUMNS = 28
"""A wider flag has its text below it."""


def _show_help(context: Any, _option: Any, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        typer.echo(context.get_help(), file=sys.stdout)
        context.exit()


class _Explained:
    """A command whose texts are marked messages, translated when they are shown."""

    _help: str | None = None
    _epilog: str | None = None
    rare: frozenset[str] = frozenset()

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
        """Return the parameters, explained in the reader's language, with their own parsers."""
        found = list(super().get_params(ctx))  # type: ignore[misc]
        for parameter in found:
            marked = vars(parameter).setdefault("marked_help", getattr(parameter, "help", None))
            parameter.help = marked and _(TYPERS_HELP.get(marked, marked))
            read_directly(parameter)
        return found

    def get_help_option(self, ctx: Any) -> Any:
        """Return the option that shows the help on the output of this program.

        Typer would write it in UTF-8, whatever the encoding of the output is.
        """
        option = super().get_help_option(ctx)  # type: ignore[misc]
        if option is not None:
            option.callback = _show_help
        return option

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        pieces = " ".join(super().collect_usage_pieces(ctx))  # type: ignore[misc]
        formatter.write_usage(ctx.command_path, pieces, prefix=_("Usage:") + " ")

    def format_options(self, ctx: Any, formatter: Any) -> None:
        write_options(self, ctx, formatter)


class GroupedCommand(_Explained, TyperCommand):
    allow_extra_args = True  # shown below, in words of this program

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
    formatter.write_paragraph()
    formatter.write(_("{title}:", title=title) + "\n")
    with formatter.indentation():
        yield


def sort_options(command: Any, ctx: Any) -> dict[str, list[tuple[str, str]]]:
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
    if record is None:
        return None
    flag, text = record
    added = re.search(DEFAULT_PATTERN, text)
    if added is None:
        return record
    value = added["default"]
    return flag, text[: added.start()] + "  " + _("[default: {value}]", value=value)


def write_options(command: Any, ctx: Any, formatter: Any) -> None:
    for heading, rows in sort_options(command, ctx).items():
        with _section(_(heading), formatter):
            formatter.write_dl(rows, col_max=MOST_FLAG_COLUMNS)


# -- what is wrong with a command line, in one sentence ------------------------------------
#
# Every error of typer's parser (`UsageError` and what is below it) as a sentence of this program,
# in place of the usage lines and the words of the library.


errors: Any = sys.modules[typer.BadParameter.__module__]
"""Where typer keeps its errors; it names few of them itself."""

NEAR_FLAG_RATIO = 0.75
"""The similarity, of 1, from which an unknown flag counts as a misspelling; all begin alike."""


class TooManyWords(Exception):
    """A command takes fewer words; the argument has those left over."""


class UnknownCommand(Exception):
    """There is no such command; the argument is the word in its place."""


@contextmanager
def explained_errors(context: Any) -> Iterator[None]:
    """Explain an error of the command line and exit with the code for that."""
    try:
        yield
    except (errors.UsageError, TooManyWords, UnknownCommand) as fault:
        raise typer.Exit(Output.standard().refuse(describe_usage_error(fault, context))) from None


def describe_usage_error(fault: Any, context: Any) -> str:
    path = context.command_path
    match fault:
        case TooManyWords():
            return _("{path} has no use for {words}; what it takes: {help}", path=path,
                     words=str(fault), help=_help_command(path))  # fmt: skip
        case UnknownCommand():
            return _describe_unknown_command(str(fault), path, context.command.commands)
        case errors.BadParameter():
            return _("{name}: {fault}", name=_name_of(fault), fault=fault.message)
        case errors.NoSuchOption():
            return _describe_unknown_flag(fault.option_name, context)
        case errors.BadOptionUsage():
            return _describe_missing_value(fault.option_name, context.command)
        case _:  # none that the parameters of this program can cause
            return str(fault.message)


def _help_command(path: str) -> str:
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
    return _("{path} has no flag {flag}; to list all: {help}", path=path, flag=flag,
             help=_help_command(path))  # fmt: skip


def _describe_missing_value(flag: str, command: Any) -> str:
    for one in command.params:
        if flag in _flags_of(one):
            if one.is_flag:
                return _("{flag} takes no value.", flag=flag)
            return _("{flag} needs a value after it: {flag} {value}", flag=flag,
                     value=_metavar(one))  # fmt: skip
    return _("{flag} needs a value after it.", flag=flag)


def _flags_of(parameter: Any) -> list[str]:
    return [opt for opt in (*parameter.opts, *parameter.secondary_opts) if opt.startswith("-")]


def _metavar(parameter: Any) -> str:
    return str(parameter.metavar or parameter.name.upper())


def _name_of(fault: Any) -> str:
    if fault.param is None:
        return str(fault.param_hint)
    is_argument = fault.param.param_type_name == "argument"
    return _metavar(fault.param) if is_argument else str(fault.param.opts[0])


# -- how the words after a flag become its value -------------------------------------------
#
# Typer reads every flag through pydantic, also one that is not typed. To import pydantic takes a
# third of the time in which a light command starts, and this program needs none of it: each flag
# has a parser (`cli.system.flags`), or is a string, a path or a switch.
#
# Known limitation: the name in which typer keeps the reader of a parameter is its own. A version
# that keeps none, as 0.26 does, or under another name, reads the same values in its own way.


READERS: dict[object, Callable[[Any], Any]] = {str: str, Path: Path, bool: lambda value: value}
"""The parsers of parameters without their own. A switch has its value from the flag typed."""


@dataclass(frozen=True, slots=True)
class ValueReader:
    """What typer asks for the value of a parameter, in place of its own."""

    read: Callable[[Any], Any]

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        takes_several = param.multiple or param.nargs == -1
        if value is None:
            return () if takes_several else None
        return [self.read(one) for one in value] if takes_several else self.read(value)


def read_directly(parameter: Any) -> None:
    """Make typer read this parameter by its own parser."""
    described = getattr(parameter, "type_descriptor", None)
    if described is None:
        return
    of_one = described.annotation
    if get_origin(of_one) is list:
        (of_one,) = get_args(of_one)
    read = described.parameter_info.parser or READERS.get(of_one)
    if read is not None:
        parameter._runtime_param = ValueReader(read)
