"""Commands and their flags as rows, and how typer gets the commands of them.

Scope: what a row holds; a command is built when it is typed, and what it does is imported when it
runs. So neither `--help` nor another command pays for the work of all.
Not here: the rows (`cli.flags`, `cli.command_table`), and how a command explains itself
(`cli.system.help_layout`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Annotated, Any, NamedTuple

import typer

from kotp2p.cli.system.help_layout import GroupedCommand


class Flag(NamedTuple):
    """An option, or an argument of a command if its name has no hyphen in front."""

    name: str
    """As it is typed: `--players`, `--coach/--no-coach`, `--output -o`, or `ADDRESS`."""
    to: str
    """The parameter of the function that gets the value."""
    kind: Any
    help: str
    """A marked message."""
    default: Any = None
    heading: str | None = None
    metavar: str | None = None
    parse: Callable[[str], Any] | None = None
    callback: Callable[..., Any] | None = None
    is_eager: bool = False
    is_rare: bool = False
    """It stands in `--help-all` alone."""
    is_kept: bool = False
    """Its callback keeps the value, so no function gets it."""

    @property
    def is_option(self) -> bool:
        return self.name.startswith("-")

    def parameter(self) -> inspect.Parameter:
        """The parameter as typer reads it from a signature."""
        details: dict[str, Any] = {
            "help": self.help, "metavar": self.metavar, "parser": self.parse,
            "callback": self.callback, "is_eager": self.is_eager,
            "rich_help_panel": self.heading,
        }  # fmt: skip
        if self.is_option:
            info = typer.Option(*self.name.split(), **details)
        else:
            info = typer.Argument(**details | {"metavar": self.metavar or self.name})
        return inspect.Parameter(
            self.to, inspect.Parameter.KEYWORD_ONLY, default=self.default,
            annotation=Annotated[self.kind, info],
        )  # fmt: skip


CONTEXT = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)


class CommandEntry(NamedTuple):
    """What is known of a command before it runs."""

    name: str
    run: str
    """`module:function`; the function gets the values of the flags by name, and returns an exit
    code."""
    short: str
    """What it is for, in a few words: marked messages, as the other texts."""
    help: str
    examples: str
    flags: Sequence[Flag]
    needs_program: bool = False
    """The function gets typer's context of the whole program as `root`."""
    after: str = ""
    """Of a command of the wing: the one before it in a list."""

    def build(self) -> Any:
        """Make the command as typer runs it."""
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
        raise typer.Exit(getattr(import_module(module), function)(**given))


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
    """The commands of a table by name. Each is built when it is looked up."""

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
