"""Commands that are imported when they are typed.

Scope: what a table says of a command, and how typer gets the command of it. The list of commands
needs the table alone, so neither `--help` nor another command pays for the flags of all.
Not here: the table (`cli.command_table`), and how a command explains itself
(`cli.system.help_layout`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

import typer

from cli.system.help_layout import GroupedCommand


class CommandEntry(NamedTuple):
    """What is known of a command before it is imported."""

    name: str
    module: str
    flags: str
    """What the module calls the function with its flags, or the `typer.Typer` of a group."""
    help: str
    """A marked message, as the examples."""
    examples: str

    def build(self) -> Any:
        """The command as typer runs it."""
        alone = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
        flags = getattr(import_module(self.module), self.flags)
        if isinstance(flags, typer.Typer):
            alone.add_typer(flags, name=self.name, help=self.help, epilog=self.examples)
        else:
            alone.command(self.name, cls=GroupedCommand, help=self.help, epilog=self.examples)(
                flags
            )
        return typer.main.get_group(alone).commands[self.name]


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


def listed(entry: CommandEntry) -> GroupedCommand:
    """The command as lists of commands need it: it can say what it is for."""
    return GroupedCommand(name=entry.name, help=entry.help)
