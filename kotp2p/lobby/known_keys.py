"""The keys of earlier fellow players, so that a stranger under a known name is noticed.

Scope: what a profile remembers of the people it began a game with, and the question
whether a seat is one of them. A name is a label and a key is the player: the same name with
another key may be a friend with a new machine, or a stranger who uses that name. Bots, and keys
that are made for one game, are not remembered. Bots are not asked about; a key that says of itself
that it is made for one game is, or anybody could say so. No I/O: `kotp2p.shell.lobby_stage` writes
the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass, field
from enum import StrEnum

from kotp2p.wire.crypto import KEY_BYTES
from kotp2p.wire.encoding import array, octets, pack, text, unpack
from kotp2p.wire.genesis import MAX_NAME_LENGTH, Player
from kotp2p.wire.names import fold_name

MAX_KNOWN_KEYS = 400
"""One more, and the key that was met longest ago is forgotten."""


class NewKeyPolicy(StrEnum):
    """What a player does about a known name that comes with another key."""

    ASK = "ask"
    REFUSE = "refuse"
    ACCEPT = "accept"


def people_to_remember(players: Iterable[Player], passing: Set[bytes]) -> list[tuple[str, bytes]]:
    """Names and keys of the people among `players`. `passing`: keys for one game, and our own."""
    return [(p.name, p.key) for p in players if not p.bot and p.key not in passing]


@dataclass(slots=True)
class KnownKeys:
    policy: NewKeyPolicy = NewKeyPolicy.ASK
    _known: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    """Name and key by the folded name; keys met last stand at the end."""
    _accepted: set[tuple[str, bytes]] = field(default_factory=set)

    def known_other_key(self, name: str, key: bytes) -> bytes | None:
        """The key under which `name` is known, if that is another one than `key`, and the player
        has not accepted `key`."""
        folded = fold_name(name)
        known = self._known.get(folded)
        if known is None or known[1] == key or (folded, key) in self._accepted:
            return None
        return None if self.policy is NewKeyPolicy.ACCEPT else known[1]

    def accept_key(self, name: str, key: bytes) -> None:
        """The player here has agreed that this is the same person."""
        self._accepted.add((fold_name(name), key))

    def remember(self, people: Iterable[tuple[str, bytes]]) -> None:
        """Remembers the people with whom a game has begun."""
        for name, key in people:
            self._known.pop(fold_name(name), None)
            self._known[fold_name(name)] = (name, key)
        while len(self._known) > MAX_KNOWN_KEYS:
            del self._known[next(iter(self._known))]

    def encode(self) -> bytes:
        return pack(tuple(self._known.values()))

    def decode(self, data: bytes) -> None:
        """Reads what `encode` has written. Raises BadBytes."""
        for pair in array(unpack(data), most=MAX_KNOWN_KEYS):
            name, key = array(pair, 2)
            self.remember([(text(name, MAX_NAME_LENGTH), octets(key, KEY_BYTES))])
