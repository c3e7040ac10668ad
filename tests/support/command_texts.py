"""The commands that texts name: where they stand, and whether the program would take them.

Scope: every `kotp2p …` in messages, help and documents, and the reading of one as a command line.
In a sentence a command ends at punctuation, at two spaces, or before a word of `PROSE`. So a word
that is no command is noticed, unless it is one that sentences go on with.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import typer

from kotp2p.cli.extras.help import TOPICS
from kotp2p.cli.main import app
from kotp2p.cli.system.config import CONFIG_KEYS

NAMED = re.compile(
    r"(?<![\w./-])(?<!mutants )(?:\.venv/bin/)?kotp2p (?!->|open table|busy)(?=\S)([^\n`]*)"
)
"""Not the package, and not the bytes that PROTOCOL.md 4 names."""
PLACEHOLDER = re.compile(r"\{.*\}|[A-Z][A-Z0-9:\[\]]*(?:\.\.\.)?|….*|.*…")
"""Stands for what a player fills in, or a program."""
PROSE = {
    "and", "can", "cannot", "checks", "explains", "for", "from", "goes", "has", "in", "into", "is",
    "keeps", "lists", "makes", "needs", "on", "or", "plays", "prints", "shows", "takes", "then",
    "to", "with", "without", "you",
}  # fmt: skip
"""Words with which a sentence goes on behind a command, or behind the name of the program."""


VERBS = {
    "config": {"show", "set"},
    "identity": {"show", "export", "import", "rename"},
    "doctor": {"terminal", "data", "network"},
}
"""The words that a command takes as its first."""


class NotACommand(Exception):
    """The message says what of a text the program does not know."""


@dataclass(frozen=True, slots=True)
class NamedCommand:
    words: tuple[str, ...]
    """What stands behind `kotp2p`."""
    command: Any
    """That of typer to which they lead."""
    depth: int
    """How many of the words name it."""


@cache
def program() -> Any:
    return typer.main.get_command(app)


def texts_of_module(source: str) -> Iterator[str]:
    """The strings of a module that are not docstrings; a field stands for what is filled in."""
    nodes = list(ast.walk(ast.parse(source)))
    prose = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    parts = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in nodes:
        match node:
            case ast.JoinedStr(values=values):
                yield "".join(
                    str(part.value) if isinstance(part, ast.Constant) else "{field}"
                    for part in values
                )
            case ast.Constant(value=str(text)) if id(node) not in prose | parts:
                yield text
            case _:  # no text
                pass


def commands_in(text: str) -> Iterator[NamedCommand]:
    """Those that a sentence names. Raises NotACommand."""
    for found in NAMED.finditer(text):
        command = read_command(found[1])
        if command.words:
            yield command


def read_command(text: str) -> NamedCommand:
    """The command that the text begins with; no words, if it is a sentence about the program.
    Raises NotACommand."""
    command: Any = program()
    words: list[str] = []
    depth = 0
    typed = _split(text)
    for word in typed:
        if word.startswith("-") and word != "-":
            flag = word.partition("=")[0]
            option = _option_of(command, flag)
            value = None if option.is_flag or flag != word else next(typed, None)
            if option.is_flag or flag != word:
                words.append(word)
            elif value is not None:  # else only the flag is named
                words += [word, value]
        elif word in getattr(command, "commands", {}):
            command = command.commands[word]
            words.append(word)
            depth = len(words)
        elif word in PROSE or (not words and PLACEHOLDER.fullmatch(word)):
            break
        elif any(one.param_type_name == "argument" for one in command.params):
            words.append(word)
        else:
            raise NotACommand(f"kotp2p {' '.join(words)} takes no {word!r}: {text}")
    found = NamedCommand(tuple(words), command, depth)
    _check_words(found)
    return found


def _split(text: str) -> Iterator[str]:
    """The words before the sentence ends or goes on elsewhere."""
    for word in re.split(r"  +|\s#", text)[0].split(" "):
        bare = re.sub(r"[.,;:)\"']+$", "", word)
        if bare.endswith("]") and "[" not in bare:  # of a remark in brackets
            yield bare[:-1]
            return
        if bare in ("", "&&", "|", "("):
            return
        yield bare
        if bare != word and not word.endswith("..."):
            return


def _option_of(command: Any, flag: str) -> Any:
    context = typer.Context(command, info_name="kotp2p")
    context.help_option_names = ["-h", "--help"]
    for one in command.get_params(context):
        if flag in (*one.opts, *one.secondary_opts):
            return one
    raise NotACommand(f"there is no flag {flag} of {command.name}")


def _check_words(found: NamedCommand) -> None:
    """What typer takes as any word is a setting, a command or a topic all the same."""
    rest = [
        word
        for word in found.words[found.depth :]
        if not word.startswith("-") and not PLACEHOLDER.fullmatch(word)
    ]
    verbs = VERBS.get(found.words[0] if found.words else "")
    if verbs is not None and rest:
        if rest[0] not in verbs:
            raise NotACommand(f"{found.words[0]} takes no {rest[0]}")
        if rest[0] == "set" and rest[1:] and rest[1] not in {key.name for key in CONFIG_KEYS}:
            raise NotACommand(f"there is no setting {rest[1]}")
    elif found.words[:1] == ("help",) and rest and rest[0] not in {one.name for one in TOPICS}:
        command: Any = program()
        for word in rest:
            command = getattr(command, "commands", {}).get(word)
            if command is None:
                raise NotACommand(f"there is no help on {' '.join(rest)}")


def flags_with_values(found: NamedCommand) -> tuple[str, ...]:
    """The words that name the command, and those of its flags that have a value which a player need
    not fill in. No words if the command cannot be read without more."""
    if any(one.required for one in found.command.params):
        return ()
    words = iter(enumerate(found.words))
    kept: list[str] = []
    command: Any = program()
    for at, word in words:
        if word.startswith("-") and word != "-":
            is_flag = _option_of(command, word.partition("=")[0]).is_flag
            value = "" if is_flag or "=" in word else next(words)[1]
            if not PLACEHOLDER.fullmatch(value or word.partition("=")[2] or "-"):
                kept += [word, value] if value else [word]
        elif at < found.depth:
            command = command.commands[word]
            kept.append(word)
    return tuple(kept)


@cache
def is_read(words: tuple[str, ...]) -> bool:
    """Whether a command line is taken as far as its values; nothing is done but to print help."""
    command: Any = program()
    try:
        context = command.make_context("kotp2p", list(words))
        while context.args or context._protected_args:
            rest = [*context._protected_args, *context.args]
            name, command, rest = command.resolve_command(context, rest)
            context = command.make_context(name, rest, parent=context)
            if not hasattr(command, "commands"):
                break
    except typer.Exit as ended:
        return ended.exit_code == 0
    return True
