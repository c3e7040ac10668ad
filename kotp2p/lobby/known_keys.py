"""The keys of earlier fellow players, so that a stranger under a known name is noticed.

Scope: what a profile remembers of the people it began a game with, and the question
whether a seat is one of them. A name is a label and a key is the player: the same name with
another key may be a friend with a new machine, or a stranger who uses that name. Bots, and keys
that are made for one game, are not remembered. Bots are not asked about; a key that says of itself
that it is made for one game is, or anybody could say so. No I/O: `kotp2p.shell.lobby_stage` writes
the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from kotp2p.wire.crypto import KEY_BYTES
from kotp2p.wire.encoding import array, octets, pack, text, unpack
from kotp2p.wire.genesis import Player
from kotp2p.wire.names import MAX_NAME_LENGTH, looks_of
from referee.model.answers import Seat

Looks: TypeAlias = tuple[str, str]
"""Of a name, as `looks_of` gives them."""

MAX_KNOWN_KEYS = 400
"""One more, and the key that was met longest ago is forgotten."""


class NewKeyPolicy(StrEnum):
    """What a player does about a known name that comes with another key."""

    ASK = "ask"
    REFUSE = "refuse"
    ACCEPT = "accept"


def people_to_remember(players: Iterable[Player], own_key: bytes) -> list[tuple[str, bytes]]:
    """Names and keys of the others among `players` that are people with lasting keys."""
    return [(p.name, p.key) for p in players if not (p.bot or p.one_game or p.key == own_key)]


STRANGERS_WITH_POWER = 2
"""So many are more than half of three keepers, and can put out anybody (PROTOCOL.md 9.2 R7). A game
of more keepers may come down to three. One is never more than half."""


@dataclass(slots=True)
class KnownKeys:
    policy: NewKeyPolicy = NewKeyPolicy.ASK
    _known: dict[Looks, tuple[str, bytes]] = field(default_factory=dict)
    """Name and key by the looks of the name; keys met last stand at the end."""
    _accepted: set[tuple[Looks, bytes]] = field(default_factory=set)

    def known_other_key(self, name: str, key: bytes) -> bytes | None:
        """The key under which `name` is known, if that is another one than `key`, and the player
        has not accepted `key`."""
        looks = looks_of(name)
        alike = self._alike_to(looks)
        if not alike or self._known[alike[-1]][1] == key or (looks, key) in self._accepted:
            return None
        return None if self.policy is NewKeyPolicy.ACCEPT else self._known[alike[-1]][1]

    def is_person(self, key: bytes) -> bool:
        """Whether a person has played under this key: bots are not remembered."""
        return any(key == known for _name, known in self._known.values())

    def name_of(self, key: bytes) -> str | None:
        """The name under which this key was met last; None if it was not."""
        names = [name for name, known in self._known.values() if known == key]
        return names[-1] if names else None

    def find_strangers(self, players: Sequence[Player], own_key: bytes) -> tuple[Seat, ...]:
        """The seats of the other people whose keys were not met before, if they are so many that
        they can put somebody out; else none."""
        found = tuple(
            seat
            for seat, player in enumerate(players)
            if player.keeper == seat and player.key != own_key and not self.is_person(player.key)
        )
        return found if len(found) >= STRANGERS_WITH_POWER else ()

    def accept_key(self, name: str, key: bytes) -> None:
        """The player here has agreed that this is the same person."""
        self._accepted.add((looks_of(name), key))

    def remember(self, people: Iterable[tuple[str, bytes]]) -> None:
        """Remembers the people with whom a game has begun."""
        for name, key in people:
            looks = looks_of(name)
            for alike in self._alike_to(looks):
                del self._known[alike]
            self._known[looks] = (name, key)
        while len(self._known) > MAX_KNOWN_KEYS:
            del self._known[next(iter(self._known))]

    def _alike_to(self, looks: Looks) -> list[Looks]:
        """The looks of all known names that could be taken for this one."""
        return [known for known in self._known if not set(known).isdisjoint(looks)]

    def encode(self) -> bytes:
        return pack(tuple(self._known.values()))

    def decode(self, data: bytes) -> None:
        """Reads what `encode` has written. Raises BadBytes."""
        for pair in array(unpack(data), most=MAX_KNOWN_KEYS):
            name, key = array(pair, 2)
            self.remember([(text(name, MAX_NAME_LENGTH), octets(key, KEY_BYTES))])
