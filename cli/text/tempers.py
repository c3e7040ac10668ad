"""What the temper of a bot is called, so that players know what to expect of it."""

from __future__ import annotations

from typing import assert_never

from kotp2p.bots.tempers import TemperName, temper_of
from kotp2p.cli.text.i18n import _


def temper_word(name: str) -> str:
    """What the bot of this name is, in a word; empty for a bot of another program."""
    match temper_of(name).name:
        case TemperName.EVEN:
            return ""
        case TemperName.BUILDER:
            # Translators: a bot that collects cards; a noun or an adjective.
            return _("builder")
        case TemperName.BRAWLER:
            # Translators: a bot that likes to attack.
            return _("brawler")
        case TemperName.CAREFUL:
            # Translators: a bot that avoids being hit.
            return _("careful")
        case unknown:
            assert_never(unknown)


def bot_mark(name: str) -> str:
    """A bot in a list of marks."""
    temper = temper_word(name)
    return _("bot, {temper}", temper=temper) if temper else _("bot")
