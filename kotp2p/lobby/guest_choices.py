"""A guest's name, monster and mark in an open lobby: what its player wants of them.

Scope: the wishes of one guest, and the answers of its host. A wish that cannot be granted in the
lobby as the guest knows it is refused here, and the host is not asked.
Not here: what a host does about a wish (`kotp2p.lobby.host_choices`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.lobby.choices import OtherSeat, fault_of, find_denial, read_monster, read_name
from kotp2p.lobby.effects import LINK_TO_HOST, EffectQueue
from kotp2p.lobby.ready_marks import sign_mark
from kotp2p.lobby.seen_lobby import SeenLobby
from kotp2p.seams.notices import LobbyFault, LobbyRefused
from kotp2p.wire.crypto import Signer
from kotp2p.wire.frames import NO_MARK, Choose, Denied, Mark

MAX_OPEN_WISHES = 16
"""Wishes of which it is known what they were about. One more, and the oldest is forgotten."""


@dataclass(slots=True)
class GuestChoices:
    signer: Signer
    seen: SeenLobby
    effects: EffectQueue
    names: set[str] = field(default_factory=set)
    """The names that the player has wanted in this lobby: the host may give each of them."""
    _serial: int = 0
    _open: dict[int, str] = field(default_factory=dict)
    """By serial: the name or monster that was wanted; empty for a mark. The oldest first."""

    def change_name(self, typed: str) -> None:
        wanted = read_name(typed)
        if isinstance(wanted, LobbyFault):
            self._refuse(wanted, typed)
        elif self._can_have(wanted, name=wanted):
            self.names.add(wanted)
            self.effects.send_frame(LINK_TO_HOST, Choose(self._count_wish(wanted), wanted, ""))

    def change_monster(self, typed: str) -> None:
        wanted = read_monster(typed)
        if isinstance(wanted, LobbyFault):
            self._refuse(wanted, typed)
        elif self._can_have(wanted, monster=wanted):
            self.effects.send_frame(LINK_TO_HOST, Choose(self._count_wish(wanted), "", wanted))

    def mark_ready(self, wanted: bool) -> None:
        """For a game as the lobby has it now."""
        if self.seen.lobby is not None:
            mark = sign_mark(self.seen.lobby, self.signer) if wanted else NO_MARK
            self.effects.send_frame(LINK_TO_HOST, Mark(self._count_wish(""), mark))

    def hear_denial(self, denied: Denied) -> None:
        """The host has not done what the player wanted. What they did not want is passed over, so
        each wish is answered once at most."""
        wanted = self._open.pop(denied.serial, None)
        if wanted is not None:
            self._refuse(fault_of(denied.code), wanted)

    def _can_have(self, wanted: str, *, name: str = "", monster: str = "") -> bool:
        """Whether the lobby is there, and nobody in it has that. Else the player is told."""
        others = (seat for seat in self.seen.taken_seats if seat.key != self.signer.key)
        denial = find_denial(
            name, monster, (OtherSeat(other.name, other.monster) for other in others)
        )
        if denial is not None:
            self._refuse(fault_of(denial), wanted)
        return denial is None and self.seen.lobby is not None

    def _count_wish(self, wanted: str) -> int:
        self._serial += 1
        self._open[self._serial] = wanted
        if len(self._open) > MAX_OPEN_WISHES:
            del self._open[next(iter(self._open))]
        return self._serial

    def _refuse(self, why: LobbyFault, wanted: str) -> None:
        self.effects.show_notice(LobbyRefused(why, wanted))
