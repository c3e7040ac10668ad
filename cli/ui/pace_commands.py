"""What a player may type about the pace at which they are shown the game.

Scope: the word `speed`, what it changes, and its sentences.
Not here: when something is shown (`presentation_queue`).
"""

from __future__ import annotations

from typing import Any

from kotp2p.cli.system.options import Speed
from kotp2p.cli.text.i18n import _, list_with_or
from kotp2p.cli.text.typed_words import SPEEDS, own_command, own_word, words_in_english
from kotp2p.cli.ui.presentation_queue import PresentationQueue

SPEED_WORD = "speed"


def next_speed(speed: Speed) -> Speed:
    """The next faster speed; after the fastest the slowest."""
    speeds = list(Speed)
    return speeds[(speeds.index(speed) + 1) % len(speeds)]


def answer_speed(line: str, pace: PresentationQueue[Any], *, can_type: bool) -> list[str] | None:
    """Does what the line says about the speed. None if it is about something else."""
    word, _space, wanted = " ".join(line.lower().split()).partition(" ")
    if word != SPEED_WORD:
        return None
    if not can_type:
        return [_("Without a terminal everything is shown at once.")]
    if not wanted:
        return [f"{describe_speed(pace.speed)} {_how_to_change()}"]
    wanted = words_in_english(wanted, SPEEDS)
    if wanted not in set(Speed):
        return [_("There is no speed {word}.", word=wanted) + " " + _how_to_change()]
    pace.choose_speed(Speed(wanted))
    return [f"{describe_speed(pace.speed)} {_how_to_change()}"]


def describe_speed(speed: Speed) -> str:
    match speed:
        case Speed.SLOW:
            return _("You are shown slowly what happens.")
        case Speed.NORMAL:
            return _("You are shown what happens at the normal speed.")
        case Speed.FAST:
            return _("You are shown fast what happens.")
        case Speed.INSTANT:
            return _("You are shown at once what happens.")


def _how_to_change() -> str:
    words = [f"{own_command(SPEED_WORD)} {own_word(speed, SPEEDS)}" for speed in Speed]
    return _("To change it, type {words}.", words=list_with_or(words))
