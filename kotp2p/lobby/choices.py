"""Names and monsters that players choose while a lobby is open: what can be chosen at all.

Scope: what somebody has typed as a name or a monster, and whether a seat of a lobby can have it.
Not here: how a guest asks for it (`kotp2p.lobby.guest_choices`), and how a host grants it
(`kotp2p.lobby.host_choices`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kotp2p.lobby.monsters import MONSTERS
from kotp2p.seams.notices import LobbyFault
from kotp2p.wire.frames import DenialCode
from kotp2p.wire.names import are_alike, clean_name, is_changed, is_reserved_wish


@dataclass(frozen=True, slots=True)
class OtherSeat:
    """A taken seat, as far as it stands in the way of a choice."""

    name: str
    monster: str


def read_name(typed: str) -> str | LobbyFault:
    """The name that somebody has typed, or why nobody can be called so. Unlike the name with which
    a guest comes, it is not made fit: they can type it again."""
    name = clean_name(typed, "")
    if name and not is_changed(typed, name):
        return name
    return LobbyFault.RESERVED_NAME if is_reserved_wish(typed) else LobbyFault.NO_NAME


def read_monster(typed: str) -> str | LobbyFault:
    """The monster of the box that is called so. The beginning of one of its words will do where it
    fits no other monster."""
    wanted = " ".join(typed.split())
    exact = [monster for monster in MONSTERS if are_alike(monster, wanted)]
    found = exact or [monster for monster in MONSTERS if _begins_a_word(wanted, monster)]
    return found[0] if len(found) == 1 else LobbyFault.NO_MONSTER


def _begins_a_word(wanted: str, monster: str) -> bool:
    words = monster.lower().split(" ")
    ends = (" ".join(words[at:]) for at in range(len(words)))
    return bool(wanted) and any(end.startswith(wanted.lower()) for end in ends)


def find_denial(name: str, monster: str, others: Iterable[OtherSeat]) -> DenialCode | None:
    """Why a player cannot have this name or monster beside these others; empty: as it is."""
    seats = list(others)
    if name and any(are_alike(name, seat.name) for seat in seats):
        return DenialCode.NAME_TAKEN
    if monster and monster not in MONSTERS:
        return DenialCode.NO_MONSTER
    if monster and any(monster == seat.monster for seat in seats):
        return DenialCode.MONSTER_TAKEN
    return None


_FAULTS = {
    DenialCode.STARTING: LobbyFault.STARTING,
    DenialCode.TOO_OFTEN: LobbyFault.TOO_OFTEN,
    DenialCode.NAME_TAKEN: LobbyFault.NAME_TAKEN,
    DenialCode.NAME_KNOWN: LobbyFault.NAME_KNOWN,
    DenialCode.NO_MONSTER: LobbyFault.NO_MONSTER,
    DenialCode.MONSTER_TAKEN: LobbyFault.MONSTER_TAKEN,
    DenialCode.OTHER_LOBBY: LobbyFault.OTHER_LOBBY,
}


def fault_of(code: int) -> LobbyFault:
    """What the player is told; of a later version's code, that the host has not done it."""
    return _FAULTS[DenialCode(code)] if code in set(DenialCode) else LobbyFault.DENIED
