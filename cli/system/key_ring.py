"""Which keys of a log its reader knows: their own, those they have met, those they expect.

Scope: the people of a game, seat by seat, and what a profile knows. Bots do not count: their
keepers vouch for their keys.
Not here: the sentences (`cli.commands.verify_story`), and how the keys of a lobby are judged
(`kotp2p.lobby.key_check`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from kotp2p.lobby.known_keys import KnownKeys, NewKeyPolicy
from kotp2p.lobby.profile_files import profile_folder, read_identity, read_known_keys
from kotp2p.net.fingerprint import fingerprint
from kotp2p.referee.model.answers import Seat
from kotp2p.store.machine_disk import MachineDisk
from kotp2p.wire.genesis import Player
from kotp2p.wire.names import are_alike


class Acquaintance(StrEnum):
    OWN = "own"
    EXPECTED = "expected"
    MET = "met"
    """The reader has begun a game with this key before."""
    OTHER_KEY = "other-key"
    """The reader knows or expects this name with another key."""
    UNKNOWN = "unknown"


STRANGE = (Acquaintance.OTHER_KEY, Acquaintance.UNKNOWN)


@dataclass(frozen=True, slots=True)
class ExpectedKey:
    name: str
    key: str
    """All of it in hexadecimal, or its fingerprint; in small letters."""

    def is_key(self, key: bytes) -> bool:
        return self.key in (key.hex(), fingerprint(key).lower())


@dataclass(frozen=True, slots=True)
class JudgedSeat:
    seat: Seat
    acquaintance: Acquaintance
    known_as: str = ""
    """The name under which the key is known or expected."""


@dataclass(frozen=True, slots=True)
class JudgedKeys:
    """What the reader knows of the people of one game."""

    people: tuple[JudgedSeat, ...] = ()
    met_expectations: frozenset[str] = frozenset()
    """The names that were expected and are there with their keys."""
    broken_expectations: frozenset[str] = frozenset()
    """The names that were expected and are there with other keys."""

    @property
    def known(self) -> int:
        return sum(one.acquaintance not in STRANGE for one in self.people)

    @property
    def are_all_known(self) -> bool:
        return self.known == len(self.people) > 0


@dataclass(slots=True)
class KeyRing:
    own: bytes | None = None
    met: KnownKeys = field(default_factory=KnownKeys)
    expected: Sequence[ExpectedKey] = ()

    def judge(self, players: Sequence[Player]) -> JudgedKeys:
        people = [seat for seat, player in enumerate(players) if player.keeper == seat]
        return JudgedKeys(
            tuple(self._judge_seat(seat, players[seat]) for seat in people),
            frozenset(
                one.name
                for one in self.expected
                if any(one.is_key(players[seat].key) for seat in people)
            ),
            frozenset(
                one.name
                for seat in people
                if self._breaks_expectation(players[seat])
                for one in self._expected_of(players[seat])
            ),
        )

    def _judge_seat(self, seat: Seat, player: Player) -> JudgedSeat:
        if self._breaks_expectation(player):
            return JudgedSeat(seat, Acquaintance.OTHER_KEY, player.name)
        for one in self.expected:
            if one.is_key(player.key):
                return JudgedSeat(seat, Acquaintance.EXPECTED, one.name)
        if player.key == self.own:
            return JudgedSeat(seat, Acquaintance.OWN, player.name)
        name = self.met.name_of(player.key)
        if name is not None:
            return JudgedSeat(seat, Acquaintance.MET, name)
        if self.met.known_other_key(player.name, player.key) is not None:
            return JudgedSeat(seat, Acquaintance.OTHER_KEY, player.name)
        return JudgedSeat(seat, Acquaintance.UNKNOWN)

    def _expected_of(self, player: Player) -> list[ExpectedKey]:
        return [one for one in self.expected if are_alike(one.name, player.name)]

    def _breaks_expectation(self, player: Player) -> bool:
        """Whether the name is expected, and not with this key."""
        named = self._expected_of(player)
        return bool(named) and not any(one.is_key(player.key) for one in named)


def read_key_ring(data: Path, profile: str, expected: Sequence[ExpectedKey]) -> KeyRing:
    """What the profile knows; a new one knows nobody. Raises FileTrouble."""
    disk, folder = MachineDisk(), profile_folder(data, profile)
    signer = read_identity(disk, folder)
    known = read_known_keys(disk, folder, NewKeyPolicy.ASK)
    return KeyRing(None if signer is None else signer.key, known, expected)
