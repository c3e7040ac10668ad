"""The log of this process as watchers are sent it: the bytes of the file, as far as they may know.

Scope: the bytes, and up to where they are sent.
Not here: which watcher has how much of them (`kotp2p.watching.feeds`), and files.

What no other player has built on is kept back (PROTOCOL.md 9.11). A process that has lost the
others may have signed a decision that its player takes anew after a return, on files that have lost
it (PROTOCOL.md 9.10). A watcher that knew the first one could then show both. And no watcher should
know a decision before the players do.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from kotp2p.wire.closings import End, parse_closing, unpack_seals
from kotp2p.wire.entries import Answering, BodyKind, Entry, Signed
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.genesis import Genesis, Player
from kotp2p.wire.records import HEAD_BYTES, RecordReader, read_salt
from kotp2p.wire.votes import Vote, seats_kept_by
from referee.model.answers import Seat


@dataclass(slots=True)
class ServedLog:
    key: bytes = b""
    """Of the player of this process; empty for a watcher, that has signed nothing of the log."""
    size: int = 0
    """So many bytes are sent."""
    players: tuple[Player, ...] = ()
    _data: bytearray = field(default_factory=bytearray)
    _reader: RecordReader | None = None
    _genesis: bytes = b""
    """The game id."""
    _own: frozenset[Seat] = frozenset()
    """The seats that are played from this process."""
    _held_from: int | None = None
    """Where the first record begins that no other player has built on."""

    def append(self, data: bytes, *, others_play: bool = True) -> None:
        """The file has grown by these bytes, whole records. `others_play`: a player of another
        process is still in the game, and will build on what this one has signed."""
        self._data += data
        if self.key:
            self._note_records(data)
        if not others_play:
            self._held_from = None
        self.size = len(self._data) if self._held_from is None else self._held_from

    def part(self, offset: int, most: int) -> bytes:
        return bytes(self._data[offset : min(self.size, offset + most)])

    def begins_with(self, size: int, digest: bytes) -> bool:
        """Whether a watcher has the first bytes of this log, and no others."""
        if size > self.size:
            return False
        return size == 0 or hashlib.sha256(memoryview(self._data)[:size]).digest() == digest

    def _note_records(self, data: bytes) -> None:
        if self._reader is None:
            if len(self._data) < HEAD_BYTES:
                return
            start = bytes(self._data)
            self._reader = RecordReader(start, read_salt(start))
        else:
            self._reader.feed(data)
        while True:
            offset, signed = self._reader.offset, self._reader.read_record()
            if signed is None:
                return
            self._note_record(offset, signed)

    def _note_record(self, offset: int, signed: Signed) -> None:
        """Its own decisions and votes are held until a record of another player follows."""
        author: Seat | None = None
        is_decision = False
        match signed.kind:
            case BodyKind.GENESIS:
                self._note_genesis(signed)
            case BodyKind.PLAY | BodyKind.SHARE:
                entry = Entry.parse(signed)
                author, is_decision = entry.seat, isinstance(entry.payload, Answering)
            case BodyKind.VOTE:
                author, is_decision = Vote.parse(signed, self._genesis).seat, True
            case BodyKind.STAND_IN:
                author = Farewell.parse(signed, self._genesis).seat
            case BodyKind.CLOSE:
                self._note_close(signed)
            case _:  # a proof is nobody's, and the others stand in no log
                pass
        if author is None:
            return
        if author not in self._own:
            self._held_from = None
        elif is_decision and self._held_from is None:
            self._held_from = offset

    def _note_close(self, signed: Signed) -> None:
        """Behind the end nothing is decided anew. Behind a break that nobody else has signed there
        may be."""
        is_end = isinstance(parse_closing(signed.body, self._genesis), End)
        if is_end or unpack_seals(signed.signature).keys() - self._own:
            self._held_from = None

    def _note_genesis(self, signed: Signed) -> None:
        genesis = Genesis.parse(signed.body)
        self._genesis, self.players = genesis.id, genesis.players
        keys = [player.key for player in genesis.players]
        if self.key in keys:
            keeper = genesis.players[keys.index(self.key)].keeper
            self._own = frozenset(seats_kept_by(genesis.players, {keeper}, range(len(keys))))
