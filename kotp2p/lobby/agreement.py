"""What a guest agrees to: a lobby that describes it truly, and a start that is that lobby.

A host sends its guests the lobby, and then proposes a start. A guest signs only what its player
could have seen: the start has the seats, rule set, options and clocks of the last lobby, and that
lobby has been unchanged for `LOBBY_SEEN_SECONDS`.

Scope: the comparison, without any state. Not here: what a guest does about a difference
(`kotp2p.lobby.guest`), and what every reader checks of names and charters (`kotp2p.wire.names`,
`kotp2p.wire.genesis`).
"""

import math
from collections.abc import Collection
from dataclasses import dataclass, field

from kotp2p.referee.box.rulesets import RULE_SETS
from kotp2p.seams.cores import Allowance, pace_of_lobbies
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.frames import Lobby, Sit, TakenSeat
from kotp2p.wire.genesis import Charter
from kotp2p.wire.names import MONSTERS, is_free_name_of

LOBBY_SEEN_SECONDS = 2.0
"""A person is asked for no signature sooner after a change of the lobby. A bot looks at nothing."""


class FalseLobby(Exception):
    """A lobby that no honest host sends this guest; the text says in what."""


@dataclass(frozen=True, slots=True)
class OwnSeat:
    """What a guest has sent its host about itself, and so what every lobby must say of it."""

    key: bytes
    host: bytes
    """The key that the host has proved on the link."""
    sit: Sit

    def check_lobby(self, lobby: Lobby, chosen: Collection[str] = ()) -> None:
        """Check what a lobby says of this guest; raise FalseLobby or BadBytes."""
        # `chosen` has the names that its player has wanted since it sat down.
        seats = lobby.taken_seats
        keys = [seat.key for seat in seats if not seat.is_kept]
        if len(set(keys)) < len(keys):
            raise FalseLobby("a lobby in which a key sits twice")
        own = next((seat for seat in seats if seat.key == self.key), None)
        if own is None:
            raise BadBytes("a lobby without this seat")
        told = (self.sit.one_game, self.sit.fresh, self.sit.automatic)
        if (own.one_game, own.fresh, own.automatic) != told:
            raise FalseLobby("a lobby in which this seat is another player's")
        if any(seat.owner == lobby.seats.index(own) for seat in seats):
            raise FalseLobby("a lobby in which this player keeps the seat of somebody else")
        if own.name not in chosen and not is_free_name_of(self.sit.name, own.name):
            raise FalseLobby("a lobby in which this player has the name of somebody else")
        if [seat.key for seat in seats if seat.host] != [self.host]:
            raise FalseLobby("a lobby of another host")
        check_monsters(seats)
        if lobby.rules not in RULE_SETS:
            raise FalseLobby("a lobby with a rule set that is not in the box")


def check_monsters(seats: tuple[TakenSeat, ...]) -> None:
    """Check that each player has a different monster of the box; raise FalseLobby."""
    monsters = [seat.monster for seat in seats]
    if len(set(monsters)) < len(monsters) or not set(monsters) <= set(MONSTERS):
        raise FalseLobby("a lobby with monsters that are not in the box")


def is_start_of(lobby: Lobby, charter: Charter) -> bool:
    shown = [
        (
            lobby.key_at(seat.owner),
            seat.is_kept,
            seat.name,
            seat.monster,
            seat.automatic,
            seat.host,
            seat.one_game,
        )
        for seat in lobby.taken_seats
    ]
    started = [
        (p.key, p.keeper != seat, p.name, p.monster, p.automatic, seat == charter.host, p.one_game)
        for seat, p in enumerate(charter.players)
    ]
    chosen = lobby.options
    table = (lobby.rules, chosen.options, chosen.clocks)
    return shown == started and table == (charter.rules, charter.options, charter.clocks)


# -- the lobby as its host has told it to a guest last -------------------------------------


@dataclass(slots=True)
class SeenLobby:
    key: bytes
    lobby: Lobby | None = None
    changed_at: float = math.inf
    """When something changed that a start would say. Marks are nothing of that kind."""
    _pace: Allowance = field(default_factory=pace_of_lobbies)

    @property
    def taken_seats(self) -> tuple[TakenSeat, ...]:
        return () if self.lobby is None else self.lobby.taken_seats

    @property
    def own(self) -> TakenSeat | None:
        return next((seat for seat in self.taken_seats if seat.owner == self.key), None)

    def take(self, lobby: Lobby, now: float) -> bool:
        """Take in a lobby that is not false; return whether it would make another start."""
        before = self.lobby
        if lobby == before:
            return False
        if not self._pace.take(1, now):
            raise FalseLobby("a lobby that changes without end")
        self.lobby = lobby
        if before is not None and lobby.id == before.id:
            return False
        self.changed_at = now
        return True
