"""What one seat may see of a running game.

Scope: the value that a peer hands to a front with its notices and its questions.
Not here: sentences, and anything that another seat keeps secret.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.referee.game import GameReading
from kotp2p.referee.model.answers import Item, Seat
from kotp2p.wire.genesis import Player

WATCHER: Seat = -1
"""The seat of a watcher, live or later: no seat of any table equals it."""


@dataclass(slots=True)
class SeatView:
    """The game as its seat sees it; one object for the whole game, which the peer keeps current."""

    seat: Seat
    """`WATCHER` for a watcher."""
    players: tuple[Player, ...]
    """All players, by seat."""
    game: GameReading
    """The peer's own referee. A front reads it and MUST NOT submit anything to it."""
    phrase: str
    """The table phrase: four words, separated by spaces."""
    keepers: dict[Seat, Seat] = field(default_factory=dict)
    """By living seat: the keeper that plays it now, itself or by a bot."""
    top: Item | None = None
    """The top card of the deck, if this seat has peeked at it and it is still there."""

    def is_played_by_bot(self, seat: Seat) -> bool:
        """Return whether a bot answers for this seat now."""
        player = self.players[seat]
        return player.automatic or self.keepers.get(seat, player.keeper) != player.keeper

    @property
    def has_say(self) -> bool:
        """Return whether this player keeps a monster in the game, their own or a bot's."""
        return self.seat in self.keepers.values()
