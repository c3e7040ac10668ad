"""Monsters that can be chosen in the lobby, and the marks of ready players, as sentences."""

from __future__ import annotations

from kotp2p.cli.text.i18n import _, list_with_and, plural
from kotp2p.cli.text.names import name_in_sentence
from kotp2p.lobby.monsters import MONSTERS
from kotp2p.seams.notices import LobbyChanged, LobbySeat


def list_monsters(lobby: LobbyChanged) -> list[str]:
    """All monsters of the box, and whose they are."""
    players = {seat.monster: seat.name for seat in lobby.seats if seat is not None}
    mine = lobby.seats[lobby.you]
    lines = []
    for monster in MONSTERS:
        if mine is not None and monster == mine.monster:
            lines.append(_("{monster}: yours", monster=monster))
        elif monster in players:
            lines.append(_("{monster}: taken by {name}", monster=monster, name=players[monster]))
        else:
            lines.append(_("{monster}: free", monster=monster))
    return [*lines, _("Type monster and one of them, as monster King.")]


def free_monsters(lobby: LobbyChanged) -> list[str]:
    taken = {seat.monster for seat in lobby.seats if seat is not None}
    return [monster for monster in MONSTERS if monster not in taken]


# -- who is ready --------------------------------------------------------------------------


def list_unready(lobby: LobbyChanged) -> list[LobbySeat]:
    """The players that the host waits for: all who are not ready, but the host itself, and those
    who are away, without whom a start begins."""
    seats = [seat for seat in lobby.seats if seat is not None]
    return [seat for seat in seats if not (seat.ready or seat.host or seat.away)]


def describe_unready(unready: list[LobbySeat]) -> str:
    """Before a start that the host has asked for."""
    names = list_with_and([name_in_sentence(seat.name) for seat in unready])
    return plural(
        "{names} is not ready. Press Enter to begin all the same.",
        "{names} are not ready. Press Enter to begin all the same.",
        len(unready),
        names=names,
    )


def describe_marks(old: LobbyChanged, new: LobbyChanged) -> list[str]:
    """The players whose marks are new, or have ended."""
    before = {seat.key for seat in old.seats if seat is not None and seat.ready}
    people = [seat for seat in new.seats if seat is not None and not seat.is_played_by_bot]
    ended = [seat for seat in people if seat.key in before and not seat.ready]
    begun = [seat for seat in people if seat.key not in before and seat.ready]
    mine = new.seats[new.you]
    lines = []
    if ended and _is_other_table(old, new):
        lines.append(_("The table has changed: type ready again, everyone who was."))
        ended = []
    for seat in ended:
        if seat is mine:
            lines.append(_("You are not ready any more: type ready when you are."))
        else:
            lines.append(_("{name} is not ready any more.", name=name_in_sentence(seat.name)))
    for seat in begun:
        if seat is mine:
            lines.append(_("You are ready."))
        else:
            lines.append(_("{name} is ready.", name=name_in_sentence(seat.name)))
    others = [seat for seat in new.seats if seat is not None and seat is not mine]
    if begun and mine is not None and mine.host and others and not list_unready(new):
        lines.append(_("Everyone else is ready: type start to begin the game."))
    return lines


def _is_other_table(old: LobbyChanged, new: LobbyChanged) -> bool:
    def who_sits_where(lobby: LobbyChanged) -> list[bytes | None]:
        return [None if seat is None else seat.key for seat in lobby.seats]

    return (who_sits_where(old), old.rules, old.options) != (
        who_sits_where(new), new.rules, new.options,
    )  # fmt: skip
