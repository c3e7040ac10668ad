"""A start that a guest follows: what it signs, keeps, and asks for.

Scope: from the genesis that is shown to the signatures of all, of whomever they come. The host
collects the signatures. If it is lost as it hands them out, those who have them have begun, and
give them to each seat that asks by showing its own signature.
Not here: the checks (`kotp2p.lobby.ceremony`), and whom a guest asks when (`kotp2p.lobby.guest`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kotp2p.endings import EndKind
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
from kotp2p.start_notices import StartSigned
from kotp2p.wire.crypto import Signer, Tag
from kotp2p.wire.frames_lobby import Assent, Start
from kotp2p.wire.genesis import Genesis


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
        seat = [player.key for player in charter.players].index(signer.key)
        ceremony = Ceremony(charter, signer, seed, genesis.rows[seat].nonce)
        pairs = zip(charter.players, genesis.rows, strict=True)
        ceremony.accept_commitments(
            [row.nonce_commitment(charter.table, player.key) for player, row in pairs]
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
        signature = self.ceremony.sign_genesis(body)
        return self.keep(), SendToLink(host, Assent(signature))

    def keep(self) -> KeepStart:
        return KeepStart(self.genesis, self.ceremony.seed, self.addresses)

    def find_others(self) -> FindOthers:
        return FindOthers(self.genesis, self.addresses)

    def ask(self, link: LinkNumber) -> SendToLink:
        """Asks the other side for the signatures of all."""
        signature = self.ceremony.signer.sign(Tag.GENESIS, self.genesis.body)
        return SendToLink(link, Assent(signature))

    def close_lobby(self, kind: EndKind, detail: str) -> CloseLobby:
        """How the lobby ends if nobody tells that the game has begun."""
        if kind is EndKind.LOST_HOST:
            kind, detail = EndKind.START_IN_DOUBT, self.genesis.phrase
        return CloseLobby(kind, detail, keeps_start=True)

    def begin(
        self, signatures: Sequence[bytes], links: dict[LinkNumber, int], known: KnownKeys
    ) -> tuple[ShowNotice, BeginGame]:
        """Raises BadBytes unless these are the signatures of all."""
        mine = self.ceremony
        genesis = mine.complete_genesis(signatures)
        strangers = known.find_strangers(genesis.players, mine.signer.key)
        return (
            ShowNotice(StartSigned(genesis.charter, strangers)),
            BeginGame(genesis, mine.seat, mine.seed, links, self.addresses),
        )
