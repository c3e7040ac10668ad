"""What a shell may put in place of a word that is half typed, after `kotp2p` and its commands.

Scope: the words of saved games, cards, topics and settings, and the addresses of hosts. Typer
completes commands, flags and fixed choices itself, and installs the completion
(`kotp2p --install-completion`). What these functions need is imported when a shell asks.
Not here: the values of single flags (`cli.system.flag_values`).
Known limitation: a word that a shell would want quoted is not offered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import typer

from cli.system.flag_values import SAFE_WORD_PATTERN, complete_monster

SAFE_ADDRESS_PATTERN = re.compile(r"[\w.:-]+")
"""Likewise; a shell may end a word at a colon, but not one that it has put there itself."""


SAFE_PATH_PATTERN = re.compile(r"[\w./-]+")


def complete_phrase(context: typer.Context, incomplete: str) -> list[str]:
    """The next word of the table phrase of an unfinished game."""
    from cli.system.folders import data_folder
    from cli.system.last_game import list_phrases

    return next_words(list_phrases(data_folder()), context.params.get("game"), incomplete)


def complete_log(incomplete: str) -> list[str]:
    """A file of this folder, or the first word of the table phrase of a game."""
    from cli.system.folders import data_folder, log_folder
    from cli.system.named_logs import list_words

    data = data_folder()
    words = next_words(list_words(log_folder(data), data), (), incomplete)
    head, _slash, start = incomplete.rpartition("/")
    folder = Path(f"{head}/" if head or incomplete.startswith("/") else ".")
    try:
        files = sorted(p for p in folder.iterdir() if p.name.startswith(start))
    except (OSError, ValueError):
        files = []
    shown = [f"{path}/" if path.is_dir() else str(path) for path in files]
    return [*words, *(path for path in shown if SAFE_PATH_PATTERN.fullmatch(path))]


def complete_address(context: typer.Context, incomplete: str) -> list[str]:
    """Where the hosts of unfinished games were: `join` goes on with such a game."""
    from cli.system.folders import data_folder
    from cli.system.last_game import MAX_PLACES_BYTES
    from cli.text.join_target import format_address
    from kotp2p.store.files import read_whole_file
    from kotp2p.store.saved_game import SavedPlaces
    from kotp2p.wire.encoding import BadBytes

    if context.params.get("address"):
        return []
    found = set[str]()
    for path in data_folder().glob("games/*/*/places"):
        try:
            places = SavedPlaces.decode(read_whole_file(path, MAX_PLACES_BYTES))
        except (OSError, BadBytes):
            continue
        ports = [port for address, port in places.addresses if port and not address]
        found |= {format_address(places.host_address, port) for port in ports}
    fitting = [address for address in sorted(found) if address.startswith(incomplete)]
    return [address for address in fitting if SAFE_ADDRESS_PATTERN.fullmatch(address)]


def complete_known(context: typer.Context, incomplete: str) -> list[str]:
    """The next word of the name of a player that the profile knows."""
    from cli.system.folders import data_folder
    from kotp2p.lobby.known_keys import NewKeyPolicy
    from kotp2p.lobby.profile_files import profile_folder, read_known_keys
    from kotp2p.store.machine_disk import MachineDisk
    from kotp2p.world import FileTrouble

    folder = profile_folder(data_folder(), context.params.get("profile") or "default")
    try:
        known = read_known_keys(MachineDisk(), folder, NewKeyPolicy.ASK)
    except FileTrouble:
        return []
    names = [one.name.lower() for one in known.people()]
    return next_words(sorted(names), context.params.get("name"), incomplete)


def complete_card(context: typer.Context, incomplete: str) -> list[str]:
    """The next word of the name of a card or tile of any rule set."""
    from cli.text.card_search import cards_and_tiles, fold_words
    from cli.text.printed_words import printed_name
    from referee.box.rulesets import RULE_SETS

    names = {
        fold_words(printed_name(card))
        for rules in RULE_SETS.values()
        for card in cards_and_tiles(rules)
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


def complete_value(context: typer.Context, incomplete: str) -> list[str]:
    """A value of the setting before; none for what is free."""
    from cli.system import choices
    from cli.system.config import CONFIG_KEYS

    name = context.params.get("key")
    words = {
        "symbols": choices.Symbols, "palette": choices.Palette,
        "background": choices.Background, "speed": choices.Speed,
    }  # fmt: skip
    if context.params.get("value"):
        return []
    if name == "monster":
        return complete_monster(incomplete)
    if any(key.name == name and isinstance(key.default, bool) for key in CONFIG_KEYS):
        return next_words(["true", "false"], (), incomplete)
    return next_words(list(words.get(str(name), ())), (), incomplete)


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
