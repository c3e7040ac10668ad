"""Chat in a game: signed, passed on like everything else, in no log (PROTOCOL.md 9.7)."""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.game.refusals import Forged
from kotp2p.mesh.effects import ShowNotice
from kotp2p.mesh.gossip import Gossip
from kotp2p.notices import Said
from kotp2p.wire.chat_limit import RateLimit, clean_chat_line, new_chat_limit
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes, array, integer, text, unpack
from kotp2p.wire.entries import MAX_SEAT, BodyKind, Signed
from kotp2p.wire.frame_types import MAX_TEXT
from kotp2p.wire.genesis import Player
from referee.model.answers import Seat


@dataclass(slots=True)
class Chat:
    game: bytes
    players: tuple[Player, ...]
    gossip: Gossip
    seat: Seat
    signer: Signer
    _serial: int = 0
    _last: dict[Seat, int] = field(default_factory=dict)
    """The greatest serial of each seat: what comes twice is shown once."""
    _shown: dict[Seat, RateLimit] = field(default_factory=dict)

    def say_line(self, words: str, now: float) -> None:
        """Tells everybody; what nobody could read is not said."""
        words = clean_chat_line(words)
        if not words:
            return
        self._serial = max(self._serial, self._last.get(self.seat, 0)) + 1
        signed = Signed.sign(
            self.signer, BodyKind.CHAT, (self.game, self.seat, self._serial, words)
        )
        self.gossip.broadcast(signed)
        self.gossip.effects.append(ShowNotice(Said(self.players[self.seat].name, words, True)))

    def accept_line(self, source: Seat, signed: Signed, now: float) -> None:
        """A line of some seat. Raises BadBytes or Forged."""
        theirs, seat, serial, words = array(unpack(signed.body), 4)
        if theirs != self.game:
            raise BadBytes("chat of another game")
        author, number = integer(seat, 0, MAX_SEAT), integer(serial)
        line = text(words, MAX_TEXT)
        if author >= len(self.players) or not signed.is_by(self.players[author].key):
            raise Forged("a line that is not its seat's")
        if number <= self._last.get(author, 0):
            return
        self._last[author] = number
        if author == self.seat or not self._shown.setdefault(author, new_chat_limit()).allows(now):
            return
        self.gossip.relay_frame(source, author, signed)
        self.gossip.effects.append(ShowNotice(Said(self.players[author].name, line, False)))
