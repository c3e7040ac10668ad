"""Chat in a game: signed, passed on like everything else, in no log (PROTOCOL.md 9.7).

Scope: the lines of all seats as they arrive, and the lines that this seat writes.
Not here: chat in the lobby (`kotp2p.lobby`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.game.steps import require_signed_by_keeper
from kotp2p.mesh.effects import ShowNotice
from kotp2p.mesh.gossip import Gossip
from kotp2p.notices import Said
from kotp2p.referee.model.answers import Seat
from kotp2p.wire.chat import ChatLine, RateLimit, clean_chat_line, new_chat_limit
from kotp2p.wire.crypto import Signer
from kotp2p.wire.entries import Signed
from kotp2p.wire.genesis import Genesis


@dataclass(slots=True)
class ChatReader:
    """Shows the lines of the others, and passes them on."""

    genesis: Genesis
    gossip: Gossip
    seat: Seat
    """The seat whose own lines are not shown when they come back."""
    _last_serial: dict[Seat, int] = field(default_factory=dict)
    """The greatest serial of each seat: a line that arrives twice is shown once."""
    _pace: dict[Seat, RateLimit] = field(default_factory=dict)

    def accept_line(self, source: Seat, signed: Signed, now: float) -> None:
        """A line of some seat. Raises BadBytes or Forged."""
        line, players = ChatLine.parse(signed, self.genesis.id), self.genesis.players
        author = line.seat
        require_signed_by_keeper(players, author, signed, "line")
        if line.serial <= self.last_serial(author):
            return
        self._last_serial[author] = line.serial
        if author == self.seat or not self._pace.setdefault(author, new_chat_limit()).allows(now):
            return
        self.gossip.relay_frame(source, author, signed)
        self.gossip.effects.append(
            ShowNotice(Said(players[author].name, line.words, False, line=signed))
        )

    def last_serial(self, seat: Seat) -> int:
        """The greatest serial that was seen of `seat`; 0 before its first line."""
        return self._last_serial.get(seat, 0)


@dataclass(slots=True)
class ChatWriter:
    """Signs the lines of one seat."""

    reader: ChatReader
    signer: Signer
    _serial: int = 0

    def say_line(self, words: str, now: float) -> None:
        """Tells everybody. A line without a visible character is not sent."""
        words = clean_chat_line(words)
        if not words:
            return
        genesis, gossip, seat = self.reader.genesis, self.reader.gossip, self.reader.seat
        # After a restart the others still hold lines of before: their serials are used up.
        self._serial = max(self._serial, self.reader.last_serial(seat)) + 1
        line = ChatLine.sign(self.signer, genesis.id, seat, self._serial, words)
        gossip.broadcast(line.signed)
        gossip.effects.append(
            ShowNotice(Said(genesis.players[seat].name, words, True, line=line.signed))
        )
