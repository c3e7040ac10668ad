"""Words that are typed at a prompt and are no answer there: one closed table, and near misses.

Scope: which known line a word stands for, or which sentence explains it. A question reads its own
answers first, so no word here can hide one.
Not here: what a command does (`cli.ui`), and the answers of a question (`cli.ask`).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from kotp2p.cli.text.i18n import N_, _
from kotp2p.cli.text.own_command import typeable

PROGRAM = "kotp2p"
MIN_LETTERS_OF_MISS = 3
"""A shorter word is near too many others."""
MAX_WORDS_OF_COMMAND = 2
"""More are a sentence, in which the first word means nothing by itself."""
LIKENESS = 0.74
"""How much of a word must be right, as `difflib` counts it. The first letter must be."""

SAME_AS: Mapping[str, str] = MappingProxyType({
    "stat": "state", "stats": "state", "status": "state", "score": "state", "scores": "state",
    "board": "state", "table": "state", "monsters": "state",
    "market": "shop", "prices": "shop",
    "players": "who", "history": "log",
    "rule": "rules", "manual": "rules", "tutorial": "coach",
    "goal": "rules win", "aim": "rules win", "win": "rules win", "points": "rules points",
    "tokyo": "rules tokyo", "hearts": "rules hearts", "energy": "rules energy",
    "claws": "rules claws", "claw": "rules claws", "tokens": "rules tokens",
    "man": "help", "commands": "help", "hilfe": "help", "aide": "help",
})  # fmt: skip
"""What is meant by a word, as the line that is understood."""

_OF_THE_SHELL = N_("{word} is for your shell, after the game: {command}")
_OF_THE_LOBBY = N_("{word} is for the lobby; this game has begun.")
_BY_ITSELF = N_("Dice do that by themselves when they count. What they do: rules claws.")
_ENTER = N_("Press the Enter key alone for that. On an empty line it goes on, or gives advice.")
_KEEP = N_("Type the faces that you keep, such as 33c; all other dice are rolled. 0 rolls all.")
_FINAL = N_("What is done cannot be taken back.")

EXPLAINED: Mapping[str, str] = MappingProxyType({
    **dict.fromkeys(
        ("verify", "host", "join", "find", "solo", "resume", "config", "watch"), _OF_THE_SHELL
    ),
    **dict.fromkeys((
        "start", "remove", "move", "open", "copy", "keys", "name", "monster", "ready",
    ), _OF_THE_LOBBY),
    **dict.fromkeys(("attack", "fight"), _BY_ITSELF),
    **dict.fromkeys(("enter", "next", "continue", "end", "hint", "advice", "ok", "okay"), _ENTER),
    **dict.fromkeys(("roll", "reroll", "keep"), _KEEP),
    "undo": _FINAL,
    "save": N_("Every move is saved at once. Ctrl-C stops for now: you can go on later."),
    "new": N_("At the end you are asked whether to play again."),
    "restart": N_("At the end you are asked whether to play again."),
    "version": N_("The shell tells it: {command}"),
    "chat": N_("say WORDS sends a line to everyone at the table."),
    "skip": N_("skip makes the coach silent, and no coach is speaking now."),
    "buy": N_("Cards are bought at the end of your turn; shop shows them."),
    "stop": N_("There are no dice to stop for now."),
    "stay": N_("You are asked whether to stay when you are hit in Tokyo."),
})  # fmt: skip
"""What is said about a word, marked for translation."""

_OF_THE_GAME = N_("{word} is for the game, which has not begun yet.")


def known_line(text: str) -> str | None:
    """The line that is meant by `text`; None if it stands for no other line."""
    word, _space, rest = text.strip().lower().partition(" ")
    if word == PROGRAM and rest:
        return rest.strip()
    found = SAME_AS.get(word)
    if found is None or (rest and " " in found):
        return None
    return f"{found} {rest}".strip()


def explain_word(text: str) -> str:
    """A sentence about a word that does nothing at this place; empty if it is not known."""
    word = text.strip().lower().partition(" ")[0]
    if word not in EXPLAINED:
        return ""
    command = typeable("kotp2p --version" if word == "version" else f"kotp2p {word}")
    return _(EXPLAINED[word], word=word, command=command)


def explain_early_word(text: str, game_words: Iterable[str]) -> str:
    """The same in the lobby, where the words of the game do nothing yet."""
    word = text.strip().lower().partition(" ")[0]
    if word in game_words:
        return _(_OF_THE_GAME, word=word)
    return explain_word(text) if EXPLAINED.get(word) == _OF_THE_SHELL else ""


def suggest_word(text: str, commands: Iterable[str]) -> str:
    """A sentence that names the known word which is nearest; empty if none is near."""
    word = text.strip().lower().partition(" ")[0]
    if len(word) < MIN_LETTERS_OF_MISS or not word.isalpha():
        return ""
    if len(text.split()) > MAX_WORDS_OF_COMMAND:
        return ""
    here = tuple(commands)
    others = {one: meant for one, meant in SAME_AS.items() if meant.partition(" ")[0] in here}
    known = {**dict.fromkeys((*here, *EXPLAINED), ""), **others}
    alike = [one for one in known if one[0] == word[0]]
    near = difflib.get_close_matches(word, alike, n=1, cutoff=LIKENESS)
    if not near:
        return ""
    if near[0] in EXPLAINED and near[0] not in here:
        return explain_word(near[0])
    return _("{text} is not understood. Did you mean {word}?", text=text.strip(),
             word=known[near[0]] or near[0])  # fmt: skip
