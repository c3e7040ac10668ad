"""Writes docs/kotp2p.1, the manual page, from what the commands and topics say of themselves.

    python -m tests.tools.manual

Scope: the same help as `kotp2p COMMAND -h` and `kotp2p help TOPIC`, as roff.
"""

import sys
from collections.abc import Iterator
from typing import Any

import typer

from kotp2p.cli.extras.help import TOPICS, Block
from kotp2p.cli.main import app
from kotp2p.cli.system.command_line import DISPLAY, GENERAL, SHOWS_ALL, sort_options
from tests.support.paths import ROOT
from tests.support.tool_line import tool_parser

MANUAL = ROOT / "docs" / "kotp2p.1"
SHARED = (DISPLAY, GENERAL)
"""Flags of many commands; they stand with the program itself."""


def manual_text() -> str:
    root: Any = typer.main.get_command(app)
    context = typer.Context(root, info_name="kotp2p")
    context.meta[SHOWS_ALL] = True
    lines = [
        r".\" Written by python -m tests.tools.manual; a change here is lost.",
        '.TH KOTP2P 1 "" kotp2p "User commands"',
        ".SH NAME",
        r"kotp2p \- " + _roff(root.help),
        ".SH SYNOPSIS",
        ".B kotp2p",
        ".I COMMAND",
        "[options]",
        ".SH DESCRIPTION",
        _roff(root.help),
        *_options(root, context, with_shared=True),
        ".SH COMMANDS",
        *_commands(root, context),
    ]
    for topic in TOPICS:
        lines += [f".SH {topic.name.upper().replace('-', ' ')}"]
        for block in topic.describe():
            lines += _block(block)
    return "\n".join(lines) + "\n"


def _commands(group: Any, parent: typer.Context) -> Iterator[str]:
    for name, command in group.commands.items():
        context = typer.Context(command, info_name=name, parent=parent)
        yield f".SS {_roff(context.command_path)}"
        yield _roff(command.help)
        yield from _options(command, context, with_shared=False)
        yield ".PP"
        yield _roff(command.epilog)


def _options(command: Any, context: typer.Context, *, with_shared: bool) -> Iterator[str]:
    for heading, rows in sort_options(command, context).items():
        if with_shared or heading not in SHARED:
            for flag, text in rows:
                yield from (".TP", f".B {_roff(flag)}", _roff(text))


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, str):
        yield from (".PP", _roff(block))
    else:
        for term, text in block:
            yield from (".TP", f".B {_roff(term)}", _roff(text))


def _roff(text: str) -> str:
    """One line that begins with no command of roff and has no hyphen that it may bend."""
    line = " ".join(text.split()).replace("\\", r"\e").replace("-", r"\-").replace("~", r"\(ti")
    return rf"\&{line}" if line.startswith((".", "'")) else line


if __name__ == "__main__":
    tool_parser("tests.tools.manual", __doc__).parse_args()
    MANUAL.write_text(manual_text(), encoding="utf-8")
    sys.exit(0)
