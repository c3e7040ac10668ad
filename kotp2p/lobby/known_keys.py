"""The keys of earlier fellow players, and the files of a profile that hold them and its own key.

Scope: what a profile remembers of the people it began a game with, the question whether a seat is
one of them, and an identity as a file for another machine. A name is a label and a key is the
player: the same name with another key may be a friend with a new machine, or a stranger.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import PurePath
from typing import TypeAlias

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from kotp2p.referee.model.answers import Seat
from kotp2p.seams.world import Disk, FileFault, FileTrouble
from kotp2p.wire import crypto, encoding
from kotp2p.wire.genesis import Player
from kotp2p.wire.names import MAX_NAME_LENGTH, looks_of, read_name

# -- known keys ----------------------------------------------------------------------------


Looks: TypeAlias = tuple[str, str]
"""Of a name, as `looks_of` gives them."""

MAX_KNOWN_KEYS = 400
"""One more, and the key that was met longest ago is forgotten."""
FORM = 2
"""Of what `KnownKeys.encode` writes."""
_DAY = re.compile(r"\d{4}-\d\d-\d\d|")


@dataclass(frozen=True, slots=True)
class KnownPerson:
    name: str
    key: bytes
    since: str = ""
    """The day on which a game with this key was first written down, such as 2026-10-02; empty if
    that was before days were."""


class NewKeyPolicy(StrEnum):
    """What a player does about a known name that comes with another key."""

    ASK = "ask"
    REFUSE = "refuse"
    ACCEPT = "accept"


def people_to_remember(players: Iterable[Player], own_key: bytes) -> list[tuple[str, bytes]]:
    return [
        (player.name, player.key)
        for seat, player in enumerate(players)
        if player.keeper == seat and not player.one_game and player.key != own_key
    ]


STRANGERS_WITH_POWER = 2
"""This many are more than half of three keepers, and can put any player out (PROTOCOL.md, B5). A
game of more keepers may come down to three. One is never more than half."""


@dataclass(slots=True)
class KnownKeys:
    policy: NewKeyPolicy = NewKeyPolicy.ASK
    _known: dict[Looks, KnownPerson] = field(default_factory=dict)
    """By the looks of the name; those met last stand at the end."""
    _accepted: set[tuple[Looks, bytes]] = field(default_factory=set)

    def known_other_key(self, name: str, key: bytes) -> bytes | None:
        """Return another key under which `name` is known, unless `key` is accepted."""
        looks = looks_of(name)
        alike = self._alike_to(looks)
        if not alike or self._known[alike[-1]].key == key or (looks, key) in self._accepted:
            return None
        return None if self.policy is NewKeyPolicy.ACCEPT else self._known[alike[-1]].key

    def is_person(self, key: bytes) -> bool:
        """Return whether a person has played under this key: bots are not remembered."""
        return any(key == known.key for known in self._known.values())

    def name_of(self, key: bytes) -> str | None:
        names = [known.name for known in self._known.values() if known.key == key]
        return names[-1] if names else None

    def find_strangers(self, players: Sequence[Player], own_key: bytes) -> tuple[Seat, ...]:
        """Return the seats of people with unknown keys, if they are enough to put a player out."""
        found = tuple(
            seat
            for seat, player in enumerate(players)
            if player.keeper == seat and player.key != own_key and not self.is_person(player.key)
        )
        return found if len(found) >= STRANGERS_WITH_POWER else ()

    def accept_key(self, name: str, key: bytes) -> None:
        self._accepted.add((looks_of(name), key))

    def remember(self, people: Iterable[tuple[str, bytes]], day: str = "") -> None:
        """Remember the people with whom a game has begun; `day` is for those who are new."""
        for name, key in people:
            alike = self._alike_to(looks_of(name))
            since = [self._known[one].since for one in alike if self._known[one].key == key]
            self._put(KnownPerson(name, key, since[-1] if since else day))

    def people(self) -> tuple[KnownPerson, ...]:
        """Return the known people; those met last are at the end."""
        return tuple(self._known.values())

    def find(self, name: str) -> KnownPerson | None:
        """Return the person known under this name, or under one that looks like it."""
        alike = self._alike_to(looks_of(name))
        return self._known[alike[-1]] if alike else None

    def forget(self, person: KnownPerson) -> None:
        del self._known[looks_of(person.name)]

    def add(self, people: Iterable[KnownPerson]) -> None:
        """Add people whom another machine knows, unless the name or the key is known here."""
        for person in people:
            if self.find(person.name) is None and not self.is_person(person.key):
                self._put(person)

    def _put(self, person: KnownPerson) -> None:
        looks = looks_of(person.name)
        for alike in self._alike_to(looks):
            del self._known[alike]
        self._known[looks] = person
        while len(self._known) > MAX_KNOWN_KEYS:
            del self._known[next(iter(self._known))]

    def _alike_to(self, looks: Looks) -> list[Looks]:
        return [known for known in self._known if not set(known).isdisjoint(looks)]

    def encode(self) -> bytes:
        return encoding.pack((FORM, self.value()))

    def value(self) -> encoding.Value:
        return tuple((one.name, one.key, one.since) for one in self._known.values())

    def decode(self, data: bytes) -> None:
        form, people = encoding.array(encoding.unpack(data), 2)
        if form != FORM:
            raise encoding.BadBytes("written by another version of kotp2p")
        for person in read_people(people):
            self._put(person)


def read_people(value: object) -> list[KnownPerson]:
    found = []
    for fields in encoding.array(value, most=MAX_KNOWN_KEYS):
        name, key, day = encoding.array(fields, 3)
        since = encoding.text(day, 10)
        if not _DAY.fullmatch(since):
            raise encoding.BadBytes("a day is needed")
        name, key = encoding.text(name, MAX_NAME_LENGTH), encoding.octets(key, crypto.KEY_BYTES)
        found.append(KnownPerson(name, key, since))
    return found


# -- the files of a profile: its key, its name, and the keys that it has met ---------------


def profile_folder(data: PurePath, profile: str) -> PurePath:
    """Return the folder of a profile; `data` is that of the user's games and profiles."""
    return data / "profiles" / profile


def read_identity(disk: Disk, folder: PurePath) -> crypto.Signer | None:
    path = folder / "key"
    secret = disk.read(path)
    if secret is None:
        return None
    if len(secret) != crypto.KEY_BYTES or not any(
        secret
    ):  # zeros stand for a block that the disk has lost
        raise FileTrouble(FileFault(path, f"not a key ({crypto.KEY_BYTES} bytes)"))
    return crypto.Signer(secret)


def name_path(folder: PurePath) -> PurePath:
    return folder / "name"


def read_profile_name(disk: Disk, folder: PurePath) -> str | None:
    path = name_path(folder)
    data = disk.read(path)
    try:
        return None if data is None else read_name(data.decode().removesuffix("\n"))
    except ValueError as fault:  # no UTF-8, or no name
        raise FileTrouble(FileFault(path, "not a name")) from fault


def read_known_keys(
    disk: Disk, folder: PurePath, policy: NewKeyPolicy = NewKeyPolicy.ASK
) -> KnownKeys:
    known, path = KnownKeys(policy), folder / "known"
    data = disk.read(path)
    try:
        if data is not None:
            known.decode(data)
    except encoding.BadBytes as fault:
        raise FileTrouble(FileFault(path, str(fault))) from fault
    return known


# -- an identity as a file that its owner can carry away, behind a passphrase --------------
#
# Scrypt makes each guess of a passphrase cost 128 MiB and a good part of a second. Argon2id would
# need OpenSSL 3.2, which not every build of `cryptography` has.


MAGIC = b"kotp2pid"
IDENTITY_FORM = 1
"""Of the file. A reader takes its own form alone."""
SALT_BYTES = 16
NONCE_BYTES = 12
_HEAD_BYTES = len(MAGIC) + 4 + SALT_BYTES + NONCE_BYTES
_TAG_BYTES = 16
MAX_IDENTITY_BYTES = _HEAD_BYTES + encoding.MAX_FRAME_BYTES + _TAG_BYTES
SCRYPT_COST = 2**17
"""With blocks of 1 KiB (r = 8) and one lane (p = 1)."""


class NoIdentity(Exception):
    """The bytes are no exported identity."""


class NewerIdentity(Exception):
    """A newer version of the program has written it."""


class WrongPassphrase(Exception):
    """The passphrase is wrong, or the bytes were changed: the two cannot be told apart."""


@dataclass(frozen=True, slots=True)
class CarriedIdentity:
    """What such a file holds."""

    secret: bytes = field(repr=False)
    name: str
    known: tuple[KnownPerson, ...]

    @property
    def key(self) -> bytes:
        return crypto.Signer(self.secret).key


def seal_identity(identity: CarriedIdentity, passphrase: str, fresh: bytes) -> bytes:
    """Return the bytes of the file; `fresh` holds SALT_BYTES and NONCE_BYTES of random bytes."""
    known = KnownKeys()
    known.add(identity.known)
    fields = (identity.secret, identity.name, known.value())
    plain = encoding.pack_readable(fields, read_sealed_text)
    head = MAGIC + IDENTITY_FORM.to_bytes(4, "big") + fresh[: SALT_BYTES + NONCE_BYTES]
    assert len(head) == _HEAD_BYTES  # as many fresh bytes were asked for
    return head + _cipher(passphrase, head).encrypt(head[-NONCE_BYTES:], plain, head)


def check_head(data: bytes) -> None:
    """Check that a passphrase is worth asking for; raise NoIdentity or NewerIdentity."""
    if data[: len(MAGIC)] != MAGIC or len(data) < len(MAGIC) + 4:
        raise NoIdentity
    form = int.from_bytes(data[len(MAGIC) : len(MAGIC) + 4], "big")
    if form > IDENTITY_FORM:
        raise NewerIdentity
    if form != IDENTITY_FORM or not _HEAD_BYTES + _TAG_BYTES < len(data) <= MAX_IDENTITY_BYTES:
        raise NoIdentity


def open_identity(data: bytes, passphrase: str) -> CarriedIdentity:
    """Open a sealed identity; raise NoIdentity, NewerIdentity or WrongPassphrase."""
    check_head(data)
    head, sealed = data[:_HEAD_BYTES], data[_HEAD_BYTES:]
    try:
        plain = _cipher(passphrase, head).decrypt(head[-NONCE_BYTES:], sealed, head)
    except InvalidTag:
        raise WrongPassphrase from None
    try:
        return read_sealed_text(plain)
    except encoding.BadBytes as fault:
        raise NoIdentity from fault


def read_sealed_text(plain: bytes) -> CarriedIdentity:
    secret, name, known = encoding.array(encoding.unpack(plain), 3)
    if not any(encoding.octets(secret, crypto.KEY_BYTES)):  # which no profile takes for a key
        raise encoding.BadBytes("a key of zeros")
    return CarriedIdentity(
        encoding.octets(secret, crypto.KEY_BYTES), read_name(name), tuple(read_people(known))
    )


def _cipher(passphrase: str, head: bytes) -> ChaCha20Poly1305:
    """Return the cipher of a passphrase in NFKC, as keyboards write one letter in several ways."""
    salt = head[-SALT_BYTES - NONCE_BYTES : -NONCE_BYTES]
    stretched = Scrypt(salt=salt, length=32, n=SCRYPT_COST, r=8, p=1)
    typed = unicodedata.normalize("NFKC", passphrase).encode("utf-8", "surrogatepass")
    return ChaCha20Poly1305(stretched.derive(typed))
