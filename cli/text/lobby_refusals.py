"""Why a command in the lobby is refused, as a sentence for each reason."""

from __future__ import annotations

from typing import Literal, TypeAlias, assert_never

from kotp2p.cli.text.i18n import _
from kotp2p.seams.notices import LobbyFault, LobbyRefused
from kotp2p.wire.names import MAX_NAME_LENGTH


def describe_fault(notice: LobbyRefused) -> str:
    match notice.why:
        case LobbyFault.TOO_FEW:
            return _("Two players are needed; bot adds one.")
        case LobbyFault.FULL:
            return _("All seats are taken.")
        case LobbyFault.NO_SUCH_NAME:
            return _(
                "Nobody here is called {name}; who shows the names and the seats.", name=notice.name
            )
        case LobbyFault.NO_SUCH_SEAT:
            return _("There is no such seat; who shows the seats.")
        case LobbyFault.NOT_YOURSELF:
            return _("You cannot remove yourself; leave closes the table.")
        case LobbyFault.STARTING:
            return _("The game is starting; wait a moment.")
        case LobbyFault.TWO_ONLY:
            return _("The two-player option is for two players; remove NAME removes one.")
        case LobbyFault.NOTHING_KEPT:
            return _("No seat is kept for anybody: whoever comes may take a free one.")
        case LobbyFault.NEW_KEY | LobbyFault.JUST_SEATED | LobbyFault.UNSURE:
            return _describe_key_fault(notice.why, notice.name, notice.other)
        case _:  # the type of the parameter below names the rest
            return _describe_choice_fault(notice.why, notice.name)


def _describe_key_fault(
    why: Literal[LobbyFault.NEW_KEY, LobbyFault.JUST_SEATED, LobbyFault.UNSURE],
    name: str,
    other: str,
) -> str:
    match why:
        case LobbyFault.NEW_KEY:
            return _("{name} has a new key: type accept {name} or remove {name}.", name=name)
        case LobbyFault.JUST_SEATED:
            return _(
                "{name} has just sat down there: look at the key, then type accept {name} again.",
                name=name,
            )
        case LobbyFault.UNSURE:
            return _(
                "{name} knows {other} by another key, and the game cannot begin until {name} types "
                "accept {other}: ask {name} to do so, or type remove {name}.",
                name=name,
                other=other,
            )
        case _:
            assert_never(why)


ChoiceFault: TypeAlias = Literal[
    LobbyFault.NO_NAME, LobbyFault.RESERVED_NAME, LobbyFault.NAME_TAKEN, LobbyFault.NAME_KNOWN,
    LobbyFault.NO_MONSTER, LobbyFault.MONSTER_TAKEN, LobbyFault.TOO_OFTEN, LobbyFault.OTHER_LOBBY,
    LobbyFault.DENIED,
]  # fmt: skip


def _describe_choice_fault(why: ChoiceFault, name: str) -> str:
    """A name, monster or mark that a player wanted in vain."""
    match why:
        case LobbyFault.NO_NAME:
            return _(
                "That cannot be a name. A name is at most {n} columns wide and has letters of one "
                "script, digits, and single spaces or signs like - and ' between them: name Ana.",
                n=MAX_NAME_LENGTH,
            )
        case LobbyFault.RESERVED_NAME:
            return _(
                "That reads like a word of the game itself: choose another name, such as name Ana."
            )
        case LobbyFault.NAME_TAKEN:
            return _(
                "Somebody here is called {name} or looks like it: type another name.",
                name=name,
            )
        case LobbyFault.NAME_KNOWN:
            return _(
                "The host knows another player as {name}, and nobody is there to be asked: type "
                "another name.",
                name=name,
            )
        case LobbyFault.NO_MONSTER:
            return _("No monster is called that; monsters lists them.")
        case LobbyFault.MONSTER_TAKEN:
            return _("{name} is taken; monsters shows which are free.", name=name)
        case LobbyFault.TOO_OFTEN:
            return _("You have changed that often just now; wait a few seconds and type it again.")
        case LobbyFault.OTHER_LOBBY:
            return _("The table has changed just now: look at it, then type ready again.")
        case LobbyFault.DENIED:
            return _("The host has not done that; its program gives a reason unknown here.")
        case _:
            assert_never(why)
