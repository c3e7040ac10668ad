"""Whether there is another game with the same people after one has ended.

The only I/O is one question on a terminal, unless the drawn table has asked it.
Not here: how the people find each other (`kotp2p.shell.rematch`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kotp2p.cli.commands.one_game import Played
from kotp2p.cli.commands.person import Person
from kotp2p.cli.ui.another_game import ask_on_line, is_possible, read_answer, refuse_answer
from kotp2p.endings import Ending


def is_wanted(played: Played, ask: Callable[[str], str]) -> bool:
    """Asks after a game that was played to its end, until the answer is one; `ask` shows a sentence
    and reads a line."""
    if played.ending is None or not is_possible(played.ending):
        return False
    if played.wants_another is not None:
        return played.wants_another
    question = sentence = ask_on_line(played.ending, was_easy=played.was_easy)
    while True:
        try:
            line = ask(sentence)
        except (EOFError, KeyboardInterrupt):
            return False
        answer = read_answer(line) if line.strip() else False
        if answer is not None:
            return answer
        sentence = f"{refuse_answer()}\n{question}"


def same_person(person: Person, ending: Ending) -> Person:
    """With the name and the monster of the game that has ended."""
    assert ending.view is not None
    me = ending.view.players[ending.view.seat]
    return replace(person, name=me.name, monster=me.monster)
