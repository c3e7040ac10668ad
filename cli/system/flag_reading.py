"""How the words behind a flag become its value: by the flag's own parser, and nothing else.

Scope: typer reads every flag through pydantic, also one that is not typed. To import pydantic takes
a third of the time in which a light command starts, and this program needs none of it: each flag
has a parser (`cli.system.flag_values`), or is a string, a path or a switch.
Known limitation: the name in which typer keeps the reader of a parameter is its own. A version that
keeps none, as 0.26 does, or under another name, reads the same values in its own way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args, get_origin

READERS: dict[object, Callable[[Any], Any]] = {str: str, Path: Path, bool: lambda value: value}
"""Of parameters without a parser. A switch has its value from the flag that was typed."""


@dataclass(frozen=True, slots=True)
class ValueReader:
    """What typer asks for the value of a parameter."""

    read: Callable[[Any], Any]

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """`value`: what was typed, or the default. A value that is refused raises BadParameter."""
        takes_several = param.multiple or param.nargs == -1
        if value is None:
            return () if takes_several else None
        return [self.read(one) for one in value] if takes_several else self.read(value)


def read_directly(parameter: Any) -> None:
    """From now on typer reads this parameter by its own parser."""
    described = getattr(parameter, "type_descriptor", None)
    if described is None:
        return
    of_one = described.annotation
    if get_origin(of_one) is list:
        (of_one,) = get_args(of_one)
    read = described.parameter_info.parser or READERS.get(of_one)
    if read is not None:
        parameter._runtime_param = ValueReader(read)
