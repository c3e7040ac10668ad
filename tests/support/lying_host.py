"""A host that changes what it tells its guests: true frames, altered on their way to one guest.

The host behind it is the real one, and goes through with what it proposes under a lie.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias
from unittest.mock import patch

from kotp2p.lobby import host as host_module
from kotp2p.lobby import start
from kotp2p.lobby.start import make_charter
from kotp2p.wire.frames import Frame, Lobby, Start, TakenSeat
from kotp2p.wire.genesis import Charter, Player, table_id
from tests.support.lobby_room import Room

CharterLie: TypeAlias = Callable[[Charter], Charter]
LobbyLie: TypeAlias = Callable[[Lobby], Lobby | None]
"""None: the guest is not told of this change."""


@dataclass
class LyingRoom(Room):
    """A table with a host that lies in its lobby to some guests, and in its start to all."""

    lobby_lies: dict[int, LobbyLie] = field(default_factory=dict)
    """By the link of the guest that is lied to."""

    def altered_by_host(self, link: int, frame: Frame) -> Frame | None:
        if isinstance(frame, Lobby) and link in self.lobby_lies:
            return self.lobby_lies[link](frame)
        if isinstance(frame, Start):  # one address for each player of the lie
            return replace(frame, addresses=(("", 0),) * len(frame.charter.players))
        return frame

    def start_with(self, lie: CharterLie, now: float = 1.0) -> None:
        """Starts the game under a charter that is another one than the lobby makes."""

        def propose(*terms: Any) -> Charter:
            return lie(make_charter(*terms))

        unread = patch.object(start, "encode", lambda _: b"")  # its own reader would object
        with unread, patch.object(host_module, "make_charter", propose):
            self.start(now)


def with_players(charter: Charter, players: tuple[Player, ...], host: int = 0) -> Charter:
    """The charter with other seats, and all that follows made right; the host keeps its key's."""
    key = players[host].key
    kept = tuple(replace(p, keeper=host if p.key == key else n) for n, p in enumerate(players))
    table = table_id(kept, host, charter.fresh)
    return replace(charter, players=kept, host=host, table=table)


def with_seats(lobby: Lobby, change: Callable[[TakenSeat], TakenSeat]) -> Lobby:
    return replace(lobby, seats=tuple(None if one is None else change(one) for one in lobby.seats))
