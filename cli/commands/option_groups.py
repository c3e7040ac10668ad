"""Flags that several commands share, as groups: each is declared once, and comes as one value.

Scope: the groups, and `with_option_groups`, which lets a command take them. To typer each flag of
a group is a parameter of its own.
Not here: the flags themselves, their help and their checks (`cli.system.options`).
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, dataclass_transform, get_type_hints

from cli.system.choices import Level, Rules
from cli.system.language_flag import Lang
from cli.system.options import (
    Animation,
    BackgroundChoice,
    Bell,
    Bot,
    Debug,
    Json,
    LogDir,
    MonsterName,
    Name,
    NoColor,
    OptionChoice,
    PaletteChoice,
    Plain,
    Profile,
    RuleChoice,
    SpeedChoice,
    StandingOrders,
    Strength,
    SymbolChoice,
    Tiles,
    Version,
    Watchers,
    WatchersChat,
)


@dataclass_transform()
def option_group(group: type[Any]) -> type[Any]:
    """A data class that is made once and read: it is neither compared nor printed. The methods for
    that would be made at each start of the program."""
    return dataclass(eq=False, repr=False)(group)


@option_group
class CommonFlags:
    """Every command has these. Their callbacks have kept what they say (`options.Common`)."""

    lang: Lang = None
    plain: Plain = False
    no_color: NoColor = False
    debug: Debug = False
    version: Version = False


@option_group
class LookFlags:
    """How the table is drawn; kept by their callbacks likewise."""

    symbols: SymbolChoice = None
    palette: PaletteChoice = None
    background: BackgroundChoice = None
    animation: Animation = None
    bell: Bell = None
    speed: SpeedChoice = None


@option_group
class ReplayLookFlags:
    """How the table of a recorded game is drawn: it has a speed of its own, and rings no bell."""

    symbols: SymbolChoice = None
    palette: PaletteChoice = None
    background: BackgroundChoice = None
    animation: Animation = None


@option_group
class SettingFlags:
    """Everything that the settings file can say about a game."""

    look: LookFlags
    orders: StandingOrders = None


@option_group
class ProfileFlags:
    """The player on this side, in every kind of game."""

    bot: Bot = None
    profile: Profile = "default"
    as_json: Json = False


@option_group
class SeatFlags:
    """How a player sits down at a new table."""

    name: Name = None
    monster: MonsterName = None
    log_dir: LogDir = None


@option_group
class GameFlags:
    """The game that is played at a table that this process opens."""

    level: Strength = Level.NORMAL
    rules: RuleChoice = Rules.SECOND
    option: OptionChoice = None
    tiles: Tiles = None


@option_group
class WatchFlags:
    """Those that may watch at a table which this process opens."""

    watchers: Watchers = None
    watchers_chat: WatchersChat = False


def with_option_groups(command: Callable[..., None]) -> Callable[..., None]:
    """The command as typer takes it: a parameter that is a group stands for all its flags."""
    hints = get_type_hints(command, include_extras=True)
    arguments = inspect.signature(command).parameters
    parameters: list[inspect.Parameter] = []
    for name, argument in arguments.items():
        parameters += _flatten(name, hints[name], argument.default)

    def run(**values: Any) -> None:
        command(**{name: _build(name, hints[name], values) for name in arguments})

    run.__name__, run.__doc__ = command.__name__, command.__doc__
    # What typer reads: the flags, and the types in the place where annotations are looked up.
    run.__dict__["__signature__"] = inspect.Signature(parameters)
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _is_group(hint: Any) -> bool:
    return isinstance(hint, type) and dataclasses.is_dataclass(hint)


def _flatten(name: str, hint: Any, default: Any) -> list[inspect.Parameter]:
    if not _is_group(hint):
        keyword_only = inspect.Parameter.KEYWORD_ONLY
        return [inspect.Parameter(name, keyword_only, default=default, annotation=hint)]
    hints = get_type_hints(hint, include_extras=True)
    found: list[inspect.Parameter] = []
    for field in dataclasses.fields(hint):
        missing = field.default is dataclasses.MISSING
        default = inspect.Parameter.empty if missing else field.default
        found += _flatten(field.name, hints[field.name], default)
    return found


def _build(name: str, hint: Any, values: dict[str, Any]) -> Any:
    """The value of a parameter, put together again if it is a group."""
    if not _is_group(hint):
        return values[name]
    hints = get_type_hints(hint, include_extras=True)
    fields = dataclasses.fields(hint)
    return hint(**{field.name: _build(field.name, hints[field.name], values) for field in fields})
