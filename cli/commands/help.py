"""`kotp2p help`: a command, or a topic that concerns several."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

import typer

from kotp2p.cli.commands.help_topics import TOPICS, Block, HelpTopic
from kotp2p.cli.system.output import DEFAULT_COLUMNS, Exit, Output, wrap_line
from kotp2p.cli.text.i18n import _, line_width
from kotp2p.cli.text.own_command import typeable

MOST_TERM_COLUMNS = 26
"""A term that is wider has its text below it."""


def show_help(words: list[str] | None, root: Any) -> int:
    """`words`: a command or a topic; none: what there is. `root`: typer's
    context of the whole program."""
    output = Output.standard()
    if not words:
        _list_all(root, output)
        return Exit.DONE
    for topic in TOPICS:
        if words == [topic.name]:
            for line in lines_of_topic(topic):
                output.say_unbroken(line)
            return Exit.DONE
    found = _help_of_command(words, root)
    if found is None:
        output.note_line(_explain_nothing(" ".join(words), root))
        return Exit.NOTHING_FOUND
    typer.echo(found)
    return Exit.DONE


def lines_of_topic(topic: HelpTopic) -> list[str]:
    """What `kotp2p help` prints of a topic, in at most 80 columns."""
    lines = [_("{name}: {summary}", name=topic.name, summary=_(topic.summary))]
    for block in topic.describe():
        lines += ["", *lines_of_block(block)]
    return lines


def lines_of_block(block: Block) -> list[str]:
    if isinstance(block, str):
        return wrap_line(block, DEFAULT_COLUMNS)
    widest = max(line_width(term) for term, _text in block)
    indent = " " * (min(widest, MOST_TERM_COLUMNS) + 4)
    lines = []
    for term, text in block:
        first, *rest = wrap_line(indent + text, DEFAULT_COLUMNS)
        if line_width(term) > MOST_TERM_COLUMNS:
            lines += [f"  {term}", first, *rest]
        else:
            lines += [f"  {term}{first[line_width(term) + 2 :]}", *rest]
    return lines


def _help_of_command(words: list[str], root: Any) -> str | None:
    name, *more = words
    if more or name not in root.command.commands:
        return None
    context = typer.Context(root.command.commands[name], info_name=name, parent=root)
    return str(context.get_help())


def _list_all(root: Any, output: Output) -> None:
    commands = [(entry.name, _(entry.short)) for entry in root.command.entries]
    output.say_line(
        _(
            "Commands; {command} explains host with all its flags:",
            command=typeable("kotp2p help host"),
        )
    )
    for line in lines_of_block(commands):
        output.say_unbroken(line)
    output.say_line("")
    output.say_line(
        _(
            "Topics; {command} explains where things are kept:",
            command=typeable("kotp2p help files"),
        )
    )
    for line in lines_of_block([(topic.name, _(topic.summary)) for topic in TOPICS]):
        output.say_unbroken(line)
    output.say_line("")
    output.say_line(_("How the game is played: {command}", command=typeable("kotp2p rules")))


def _explain_nothing(typed: str, root: Any) -> str:
    names = [*root.command.commands, *(topic.name for topic in TOPICS)]
    close = get_close_matches(typed, names, n=1)
    if close:
        return _(
            "kotp2p: there is no help on {typed}. Near to it: {command}",
            typed=typed, command=typeable(f"kotp2p help {close[0]}"),
        )  # fmt: skip
    return _(
        "kotp2p: there is no help on {typed}. To list what there is: {command}",
        typed=typed,
        command=typeable("kotp2p help"),
    )
