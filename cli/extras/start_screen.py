"""Bare `kotp2p` on a terminal: a title, what one can do, and a line that is read."""

from dataclasses import dataclass
from typing import Any

from kotp2p.cli.system.folders import LastGame, data_folder, find_last_game
from kotp2p.cli.text.i18n import _, typeable

LABEL_COLUMNS = 9

QUIT = ("q", "quit", "exit", "leave")
JOIN = "join"
RULES = "rules"
INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class Choice:
    word: str
    """The word that may be typed instead of the number."""
    meaning: str
    command: tuple[str, ...]


def list_choices(last: LastGame | None) -> list[Choice]:
    choices = [
        Choice("play", _("a game against three bots"), ("solo",)),
        Choice("host", _("open a table for others"), ("host",)),
        Choice(JOIN, _("sit down at a table"), (JOIN,)),
    ]
    if last is not None:
        meaning = _("go on with your game of {day}", day=last.day)
        choices.append(Choice("resume", meaning, ("resume", *last.phrase.split()[:2])))
    choices.append(Choice(RULES, _("how the game is played"), (RULES,)))
    return choices


def show_start_screen(program: Any) -> int:
    """Ask until something is chosen, run it, and return its exit code."""
    choices = list_choices(find_last_game(data_folder()))
    for line in describe_choices(choices):
        print(line)
    while True:
        try:
            typed = input(_("Your choice, Enter plays: "))
            command = read_choice(typed, choices)
            if command == [JOIN]:
                command = _ask_for_table()
        except EOFError:
            print()
            return 0
        except KeyboardInterrupt:
            print()
            return INTERRUPTED
        if command is None:
            print(_("Type a number or a word of the list, or press Enter."))
        elif not command:
            return 0
        else:
            code = program.main(command, "kotp2p", standalone_mode=False) or 0
            if command[0] != RULES:
                return int(code)
            print()


def describe_choices(choices: list[Choice]) -> list[str]:
    rows = [(str(n), choice.word, choice.meaning) for n, choice in enumerate(choices, 1)]
    rows.append(("q", _("quit"), _("all commands: {command}", command=typeable("kotp2p -h"))))
    return [
        "",
        "   " + _("K O T P 2 P     King of Tokyo, 2 to 6 players"),
        "",
        *(f"   {key}  {word:<{LABEL_COLUMNS}}{meaning}" for key, word, meaning in rows),
        "",
    ]


def read_choice(typed: str, choices: list[Choice]) -> list[str] | None:
    """Return the command line that is meant, empty to quit, or None if it is not understood."""
    word, _space, rest = typed.strip().partition(" ")
    word, rest = word.lower(), rest.strip()
    if not word:
        return list(choices[0].command)
    if word in QUIT:
        return []
    for n, choice in enumerate(choices, 1):
        if word in (str(n), choice.word, choice.command[0]):
            takes_more = choice.word in (JOIN, RULES)
            if rest and not takes_more:
                return None
            return [*choice.command, *(["--", *rest.split()] if rest else [])]
    return None


def _ask_for_table() -> list[str]:
    from kotp2p.cli.commands.join import read_completed
    from kotp2p.cli.text.how_to_join import read_pasted

    print(_("The host's screen shows a code, the address, or a link that starts with kotp2p://."))
    question = _("Code, address or link; Enter looks around here: ")
    typed = read_pasted(read_completed(question, input))
    return [JOIN, "--", *typed.split()] if typed else [JOIN]
