"""What the flags that stand before or after a command have set; one process runs one command.

Not here: the flags (`cli.flags`), and the settings that hold without them (`cli.system.config`).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer

from kotp2p.cli.system.choices import Speed
from kotp2p.cli.system.version import VERSION
from kotp2p.cli.text.i18n import _

VERSION_TEXT = "kotp2p {version}"


def show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(_(VERSION_TEXT, version=VERSION))
        raise typer.Exit


class CommonFlags:
    lang: str | None = None
    debug: Path | None = None
    """Where what the program does is written."""
    plain = False
    no_color = False
    speed: Speed | None = None


def keep(name: str) -> Callable[[Any], None]:
    """Make the callback of a flag that may stand before the command and after it."""

    def remember(wanted: Any) -> None:
        if wanted is not None:
            setattr(CommonFlags, name, wanted)

    return remember


def keep_switch(name: str) -> Callable[[Any], None]:
    """Make the same for a flag that can only be switched on."""
    remember = keep(name)
    return lambda wanted: remember(wanted or None)
