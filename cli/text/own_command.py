"""How a command of this program is typed in the shell from which it was started.

Scope: the printed `kotp2p` becomes the path of the program where the shell would not find the bare
word. It is for what the reader types on this machine; a command for others is printed bare.
Not here: where the program is (`cli.system.process`).
"""

from __future__ import annotations

PROGRAM = "kotp2p"
_program = PROGRAM


def use_program(program: str) -> None:
    """From now on commands begin with this, ready for a shell."""
    global _program
    _program = program


def typeable(command: str) -> str:
    """The command, which begins with `kotp2p`, as it can be typed here."""
    program, space, rest = command.partition(" ")
    return f"{_program}{space}{rest}" if program == PROGRAM else command
