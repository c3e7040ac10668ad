"""Names, monsters and marks at a host's table: what is granted, and how often.

Scope: the wishes of seated players, the host's own among them, and their budget (PROTOCOL.md 9.9).
Not here: the name and monster with which a player sits down (`kotp2p.lobby.host`), and when the
lobby is told (`kotp2p.lobby.lobby_board`).

Known limitation: a wish that waits on its way while the lobby changes is judged by the lobby as it
is when the wish comes.
"""

from __future__ import annotations

from dataclasses import dataclass

from kotp2p.lobby.choices import OtherSeat, fault_of, find_denial, read_monster, read_name
from kotp2p.lobby.effects import HOST_ITSELF, EffectQueue
from kotp2p.lobby.key_check import HostKeyCheck
from kotp2p.lobby.lobby_board import LobbyBoard
from kotp2p.lobby.ready_marks import is_mark_of, sign_mark
from kotp2p.lobby.seating import LobbyGuest, Seating
from kotp2p.lobby.start_attempt import LobbyStart
from kotp2p.seams.notices import LobbyFault, LobbyRefused
from kotp2p.wire.crypto import Signer
from kotp2p.wire.frames import NO_MARK, Choose, DenialCode, Denied, Mark


@dataclass(slots=True)
class HostChoices:
    signer: Signer
    seating: Seating
    keys: HostKeyCheck
    board: LobbyBoard
    start: LobbyStart
    effects: EffectQueue

    @property
    def own(self) -> LobbyGuest:
        """The host itself."""
        return self.seating.guests[HOST_ITSELF]

    # -- guests ------------------------------------------------------------------------------

    def accept_wish(self, guest: LobbyGuest, wish: Choose | Mark) -> None:
        """Of a guest; one without a seat is not heard."""
        if not self.seating.is_seated(guest.link):
            return
        match wish:
            case Choose(name=name, monster=monster):
                denial = self._choose(guest, name, monster)
            case Mark(mark=mark):
                denial = self._mark(guest, mark)
        if denial is not None:
            self.effects.send_frame(guest.link, Denied(wish.serial, int(denial)))

    # -- the host itself ---------------------------------------------------------------------

    def change_name(self, typed: str, now: float) -> None:
        self.board.note_time(now)
        wanted = read_name(typed)
        if isinstance(wanted, LobbyFault):
            self.effects.show_notice(LobbyRefused(wanted, typed))
        else:
            self._tell_denial(self._choose(self.own, wanted, ""), wanted)

    def change_monster(self, typed: str, now: float) -> None:
        self.board.note_time(now)
        wanted = read_monster(typed)
        if isinstance(wanted, LobbyFault):
            self.effects.show_notice(LobbyRefused(wanted, typed))
        else:
            self._tell_denial(self._choose(self.own, "", wanted), wanted)

    def mark_ready(self, wanted: bool, now: float) -> None:
        self.board.note_time(now)
        mark = sign_mark(self.board.lobby(), self.signer) if wanted else NO_MARK
        self._tell_denial(self._mark(self.own, mark), "")

    def _tell_denial(self, denial: DenialCode | None, wanted: str) -> None:
        if denial is not None:
            self.effects.show_notice(LobbyRefused(fault_of(denial), wanted))

    # -- what is granted ---------------------------------------------------------------------

    def _choose(self, guest: LobbyGuest, name: str, monster: str) -> DenialCode | None:
        name, monster = name or guest.name, monster or guest.monster
        if (name, monster) == (guest.name, guest.monster):
            return None
        others = [other for other in self.seating.seated_guests() if other is not guest]
        denial = self._refused_now(guest) or find_denial(
            name, monster, (OtherSeat(other.name, other.monster) for other in others)
        )
        if denial is None and self.keys.refuses_name(guest, name):
            denial = DenialCode.NAME_KNOWN
        if denial is not None:
            return denial
        guest.wish_pace.charge(1, self.board.now)
        if name != guest.name:
            guest.sat_at = self.board.now
        guest.name, guest.monster = name, monster
        self.board.publish()
        self.effects.show_notices(self.keys.choose_questions(self.board.now))
        return None

    def _mark(self, guest: LobbyGuest, mark: bytes) -> DenialCode | None:
        if mark == guest.mark:
            return None
        denial = self._refused_now(guest)
        if denial is None and mark != NO_MARK:
            place = self.seating.place_of(guest)
            is_for_this = is_mark_of(self.board.lobby(), place, mark)
            denial = None if is_for_this else DenialCode.OTHER_LOBBY
        if denial is not None:
            return denial
        guest.wish_pace.charge(1, self.board.now)
        guest.mark = mark
        self.board.publish()
        return None

    def _refused_now(self, guest: LobbyGuest) -> DenialCode | None:
        if not self.start.is_open:
            return DenialCode.STARTING
        # The host's player can be trusted not to flood their own table.
        is_spent = not guest.is_host and not guest.wish_pace.has(1, self.board.now)
        return DenialCode.TOO_OFTEN if is_spent else None
