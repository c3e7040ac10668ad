"""A start that a guest follows: what it signs, keeps, and asks for.

Scope: from the genesis that is shown to the signatures of all, of whomever they come. The host
collects the signatures. Players tell each other, on each new link, the signatures that they know:
if the host is lost as it hands them out, those who have them all have begun.
Not here: the checks (`kotp2p.lobby.ceremony`), and whom a guest asks when (`kotp2p.lobby.guest`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kotp2p.lobby.ceremony import Ceremony
from kotp2p.lobby.effects import (
    BeginGame,
    CloseLobby,
    FindOthers,
    KeepStart,
    LinkNumber,
    SendToLink,
    ShowNotice,
)
from kotp2p.lobby.known_keys import KnownKeys
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import StartSigned
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import Signed, unpack_seals
from kotp2p.wire.frames import Start
from kotp2p.wire.genesis import Genesis, keepers_of


@dataclass(frozen=True, slots=True)
class FollowedStart:
    ceremony: Ceremony
    addresses: tuple[tuple[str, int], ...]
    """Where the host says that each seat can be dialled."""

    @staticmethod
    def begin_attempt(
        start: Start, signer: Signer, entropy: Callable[[int], bytes]
    ) -> FollowedStart:
        """The seed of an earlier attempt is never used again, as parts of it may have been shown.
        Raises BadBytes if this player does not sit at the proposed table."""
        seed, nonce = entropy(32), entropy(32)
        return FollowedStart(Ceremony(start.charter, signer, seed, nonce), start.addresses)

    @staticmethod
    def recall(
        genesis: Genesis, signer: Signer, seed: bytes, addresses: tuple[tuple[str, int], ...]
    ) -> FollowedStart:
        """A start that an earlier process has signed. Raises BadBytes if it cannot have."""
        charter = genesis.charter
        keys = [charter.players[seat].key for seat in keepers_of(charter.players)]
        if signer.key not in keys:
            raise BadBytes("a start of others")
        nonce = genesis.rows[keys.index(signer.key)].nonce
        ceremony = Ceremony(charter, signer, seed, nonce)
        pairs = zip(keys, genesis.rows, strict=True)
        ceremony.accept_commitments(
            [row.nonce_commitment(charter.table, key) for key, row in pairs]
        )
        ceremony.sign_genesis(genesis.body)
        return FollowedStart(ceremony, addresses)

    @property
    def is_bound(self) -> bool:
        return self.ceremony.is_bound

    @property
    def genesis(self) -> Genesis:
        """What this seat has signed."""
        assert self.ceremony.genesis is not None  # asked for once it is bound
        return self.ceremony.genesis

    def sign(self, body: bytes, host: LinkNumber) -> tuple[KeepStart, SendToLink]:
        """The genesis is shown. Raises BadBytes."""
        signed = self.ceremony.sign_genesis(body)
        return self.keep(), SendToLink(host, signed)

    def keep(self) -> KeepStart:
        return KeepStart(self.genesis, self.ceremony.seed, self.addresses)

    def find_others(self) -> FindOthers:
        return FindOthers(self.genesis, self.addresses)

    def tell_seals(self, link: LinkNumber) -> SendToLink:
        """Tells the other side the signatures that are known here. It answers with what it knows
        beyond."""
        return SendToLink(link, self.ceremony.known_seals())

    def knows_beyond(self, signed: Signed) -> bool:
        """Whether a signature is known here that the other side has not told."""
        return bool(self.ceremony.seals.keys() - unpack_seals(signed.signature).keys())

    def close_lobby(self, kind: EndKind, detail: str) -> CloseLobby:
        """How the lobby ends if nobody tells that the game has begun."""
        if kind is EndKind.LOST_HOST:
            kind, detail = EndKind.START_IN_DOUBT, self.genesis.phrase
        return CloseLobby(kind, detail, keeps_start=True)

    def begin(
        self, genesis: Genesis, links: dict[LinkNumber, int], known: KnownKeys
    ) -> tuple[ShowNotice, BeginGame]:
        """All have signed this genesis."""
        mine = self.ceremony
        strangers = known.find_strangers(genesis.players, mine.signer.key)
        return (
            ShowNotice(StartSigned(genesis.charter, strangers)),
            BeginGame(genesis, mine.seat, mine.seed, links, self.addresses),
        )
