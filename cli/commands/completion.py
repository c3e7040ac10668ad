"""What a shell may put in place of a word that is half typed, after `kotp2p` and its commands.

Scope: the words of saved games, cards, topics and settings. Typer completes commands, flags and
fixed choices itself, and installs the completion (`kotp2p --install-completion`). What these
functions need is imported when a shell asks.
Known limitation: a word that a shell would want quoted is not offered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import typer

SAFE_WORD_PATTERN = re.compile(r"[\w.-]+")
"""Stands on a command line as it is."""


def complete_phrase(context: typer.Context, incomplete: str) -> list[str]:
    """The next word of the table phrase of an unfinished game."""
    from cli.system.folders import data_folder
    from cli.system.last_game import list_phrases

    return next_words(list_phrases(data_folder()), context.params.get("game"), incomplete)


def complete_card(context: typer.Context, incomplete: str) -> list[str]:
    """The next word of the name of a card or tile of any rule set."""
    from cli.text.card_search import cards_and_tiles, fold_words
    from referee.box.rulesets import RULE_SETS

    names = {
        fold_words(card.name) for rules in RULE_SETS.values() for card in cards_and_tiles(rules)
    }
    return next_words(sorted(names), context.params.get("words"), incomplete)


def complete_rule(incomplete: str) -> list[str]:
    from cli.text.player_rules import TOPICS

    return next_words([topic.words[0] for topic in TOPICS], (), incomplete)


def complete_help(context: typer.Context, incomplete: str) -> list[str]:
    """A command, a topic, or a command of the command before."""
    from cli.commands.help_topics import TOPICS

    command: Any = context.find_root().command
    before = list(context.params.get("words") or ())
    for word in before:
        command = getattr(command, "commands", {}).get(word)
    topics = [] if before else [topic.name for topic in TOPICS]
    return next_words([*getattr(command, "commands", {}), *topics], (), incomplete)


def complete_setting(incomplete: str) -> list[str]:
    from cli.system.config import CONFIG_KEYS

    return next_words([key.name for key in CONFIG_KEYS], (), incomplete)


def next_words(names: Iterable[str], before: Iterable[str] | None, incomplete: str) -> list[str]:
    """Of the names that begin with the words `before`, each next word that fits, once."""
    typed = [word.lower() for word in before or ()]
    found = dict[str, None]()
    for name in names:
        words = name.split()
        if words[: len(typed)] == typed and len(words) > len(typed):
            word = words[len(typed)]
            if word.startswith(incomplete.lower()) and SAFE_WORD_PATTERN.fullmatch(word):
                found[word] = None
    return list(found)
