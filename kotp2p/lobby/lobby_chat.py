"""Chat in the lobby: each line is signed by its author for the lobby that its author saw.

The host passes lines on, and can pass on no line that its author has not written. A line names the
hash of a LOBBY. As that LOBBY has fresh bytes of every player in it, a line of an earlier evening
fits no lobby of today.

Scope: the form of a line, the lines of this player, which lines of the others count, and what a
host passes on.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.lobby.lobby_effects import HOST_ITSELF, EffectQueue, LinkNumber
from kotp2p.lobby.seating import Seating
from kotp2p.seams import cores, notices
from kotp2p.wire import crypto, encoding, frames, genesis

MAX_LOBBIES_KEPT = 16
"""The number of last lobbies that a line may name to count: it may cross a change on its way."""


@dataclass(frozen=True, slots=True)
class LobbyLine:
    lobby: bytes
    """The hash of the LOBBY that the author saw last."""
    author: bytes
    serial: int
    """Ascends with every line of one process."""
    words: str

    def sign(self, signer: crypto.Signer) -> frames.LobbyChat:
        """Sign the line; raise Unwritable for a line that no reader takes."""
        value = (self.lobby, self.author, self.serial, self.words)
        body = encoding.pack_readable(value, LobbyLine.parse)
        return frames.LobbyChat(body, signer.sign(crypto.Tag.SAID, body))

    @staticmethod
    def parse(body: bytes) -> LobbyLine:
        lobby, author, serial, words = encoding.array(encoding.unpack(body), 4)
        return LobbyLine(
            encoding.octets(lobby, crypto.HASH_BYTES),
            encoding.octets(author, crypto.KEY_BYTES),
            encoding.integer(serial),
            encoding.text(words, encoding.MAX_TEXT),
        )


@dataclass(slots=True)
class LobbyTalk:
    """The chat of one lobby, as one of its players writes and reads it."""

    signer: crypto.Signer
    _lobbies: dict[bytes, dict[bytes, str]] = field(default_factory=dict)
    """For the hashes of the last lobbies, the newest last: the names of the players by key."""
    _names: dict[bytes, str] = field(default_factory=dict)
    _serial: int = 0
    _heard: dict[tuple[bytes, bytes], int] = field(default_factory=dict)
    """By lobby and author: the greatest serial. A line that comes again is no new one."""
    _author_rates: dict[bytes, cores.RateLimit] = field(default_factory=dict)
    _whole_rate: cores.RateLimit = field(
        default_factory=lambda: cores.RateLimit(
            genesis.MAX_SEATS * cores.MAX_CHAT_LINES, cores.CHAT_WINDOW_SECONDS
        )
    )
    """Of all authors: a host can let players come and go whose keys are all its own."""

    def see_lobby(self, lobby: frames.Lobby) -> None:
        self._names = {seat.key: seat.name for seat in lobby.taken_seats if not seat.is_kept}
        self._author_rates = {k: r for k, r in self._author_rates.items() if k in self._names}
        self._lobbies.pop(lobby.id, None)
        self._lobbies[lobby.id] = self._names
        if len(self._lobbies) > MAX_LOBBIES_KEPT:
            del self._lobbies[next(iter(self._lobbies))]
        self._heard = {at: n for at, n in self._heard.items() if at[0] in self._lobbies}

    def write_line(self, words: str) -> frames.LobbyChat | None:
        """Return a line of this player; None without a lobby, or if cleaning leaves nothing."""
        words = cores.clean_chat_line(words)
        if not words or not self._lobbies:
            return None
        self._serial += 1
        line = LobbyLine(next(reversed(self._lobbies)), self.signer.key, self._serial, words)
        return line.sign(self.signer)

    def read_line(
        self, frame: frames.LobbyChat, now: float, author: bytes | None = None
    ) -> tuple[str, str] | None:
        """Return name and words of a line by another player, or by `author` alone.

        Return None for a line that is skipped: forged, of another lobby, of an author who had
        another name there, already read, or too soon after others.
        """
        try:
            line = LobbyLine.parse(frame.body)
        except encoding.BadBytes:
            return None
        name = self._names.get(line.author)
        if name is None or line.author == self.signer.key or not self._is_new(line):
            return None
        if author not in (None, line.author):
            return None
        if not crypto.is_valid_signature(line.author, crypto.Tag.SAID, frame.body, frame.signature):
            return None
        rate = self._author_rates.setdefault(line.author, cores.new_chat_limit())
        if not (rate.allows(now) and self._whole_rate.allows(now)):
            return None
        self._heard[line.lobby, line.author] = line.serial
        return name, line.words

    def _is_new(self, line: LobbyLine) -> bool:
        heard = self._heard.get((line.lobby, line.author), 0)
        names = self._lobbies.get(line.lobby, {})
        return names.get(line.author) == self._names[line.author] and line.serial > heard


@dataclass(slots=True)
class ChatRelay:
    """The relay that shows chat to the host, and passes it on to all that are seated."""

    talk: LobbyTalk
    seating: Seating
    effects: EffectQueue

    def say_line(self, name: str, words: str) -> None:
        line = self.talk.write_line(words)
        if line is not None:
            self.effects.show_notice(notices.Said(name, cores.clean_chat_line(words), True))
            self._pass_on(line, HOST_ITSELF)

    def accept_line(self, source: LinkNumber, line: frames.LobbyChat, now: float) -> None:
        """Show and pass on a line of a guest, unless another has written it."""
        if not self.seating.is_seated(source):
            return
        heard = self.talk.read_line(line, now, self.seating.guests[source].key)
        if heard is not None:
            self.effects.show_notice(notices.Said(*heard, yours=False))
            self._pass_on(line, source)

    def _pass_on(self, line: frames.LobbyChat, source: LinkNumber) -> None:
        for link in self.seating.seated_links():
            if link != source:
                self.effects.send_frame(link, line)
