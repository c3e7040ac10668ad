"""One seat's side of the start of a game; host and guests do the same (PROTOCOL.md 6.2).

The host proposes a charter. Every seat commits to a row (a nonce and its first commitments to
chance), then shows the row, then signs the genesis that is made of all rows. As all seats commit
before any row is shown, no seat can choose its row by those of others, and so steer the game id.

Scope: this seat's row, and what is checked before anything of it is shown or signed.
Not here: the frames (`kotp2p.lobby.guest`, `kotp2p.lobby.start_attempt`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from kotp2p.state_table import Phase, StateTable
from kotp2p.wire.commitments import CARD_WINDOW, DICE_WINDOW, Stream, own_commitment
from kotp2p.wire.crypto import Signer, Tag
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.genesis import Charter, Genesis, GenesisRow


class CeremonyState(StrEnum):
    COMMITTED = "committed"
    """This seat has committed to its row."""
    SHOWN = "shown"
    """It has shown the row."""
    SIGNED = "signed"
    """It has signed the genesis: for the others the game may begin at any moment."""
    COMPLETE = "complete"
    """It knows the signatures of all seats."""


class CeremonyEvent(StrEnum):
    ALL_COMMITTED = "all have committed"
    GENESIS_SHOWN = "the genesis is shown"
    ALL_SIGNED = "all have signed"


CEREMONY = StateTable(
    "start of a game, one seat",
    CeremonyState.COMMITTED,
    {
        CeremonyState.COMMITTED: {CeremonyEvent.ALL_COMMITTED: CeremonyState.SHOWN},
        CeremonyState.SHOWN: {CeremonyEvent.GENESIS_SHOWN: CeremonyState.SIGNED},
        CeremonyState.SIGNED: {
            CeremonyEvent.GENESIS_SHOWN: CeremonyState.SIGNED,  # shown twice: signed alike
            CeremonyEvent.ALL_SIGNED: CeremonyState.COMPLETE,
        },
        CeremonyState.COMPLETE: {},
    },
)


@dataclass(slots=True)
class Ceremony:
    charter: Charter
    signer: Signer
    seed: bytes
    nonce: bytes
    seat: int = field(init=False)
    row: GenesisRow = field(init=False)
    commitments: tuple[bytes, ...] = ()
    """The commitment of each seat to its row, once all have committed."""
    genesis: Genesis | None = None
    """The genesis that this seat has signed."""
    _phase: Phase[CeremonyState, CeremonyEvent] = field(
        default_factory=lambda: Phase.at_start(CEREMONY)
    )

    def __post_init__(self) -> None:
        """Raises BadBytes if this player does not sit at the proposed table."""
        keys = [p.key for p in self.charter.players]
        if self.signer.key not in keys:
            raise BadBytes("a table without this seat")
        self.seat = keys.index(self.signer.key)
        table = self.charter.table

        def window(stream: Stream, size: int) -> tuple[bytes, ...]:
            return tuple(
                own_commitment(self.seed, table, table, stream, self.seat, s) for s in range(size)
            )

        self.row = GenesisRow(
            self.nonce, window(Stream.DICE, DICE_WINDOW), window(Stream.CARDS, CARD_WINDOW)
        )

    @property
    def own_commitment(self) -> bytes:
        return self.row.nonce_commitment(self.charter.table, self.signer.key)

    @property
    def is_bound(self) -> bool:
        """This seat has signed: for the others the game may have begun."""
        return self._phase.state in (CeremonyState.SIGNED, CeremonyState.COMPLETE)

    def accept_commitments(self, commitments: Sequence[bytes]) -> None:
        """All seats have committed: from now on rows may be shown. Raises BadBytes."""
        is_complete = len(commitments) == len(self.charter.players)
        if not is_complete or commitments[self.seat] != self.own_commitment:
            raise BadBytes("seals that are not this table's")
        if not self._phase.allows(CeremonyEvent.ALL_COMMITTED):
            # Other commitments now could be chosen by the rows that have been shown.
            raise BadBytes("sealed twice")
        self._phase.move(CeremonyEvent.ALL_COMMITTED)
        self.commitments = tuple(commitments)

    def has_committed(self, seat: int, row: GenesisRow) -> bool:
        """Whether the row is the one to which its seat has committed."""
        key = self.charter.players[seat].key
        commitment = row.nonce_commitment(self.charter.table, key)
        return bool(self.commitments) and commitment == self.commitments[seat]

    def sign_genesis(self, body: bytes) -> bytes:
        """Checks the genesis against all that was committed to, and returns this seat's signature.
        Raises BadBytes."""
        genesis = Genesis.parse(body)
        if genesis.charter != self.charter:
            raise BadBytes("a genesis of another table")
        if not all(self.has_committed(seat, row) for seat, row in enumerate(genesis.rows)):
            raise BadBytes("a row that was not sealed so")
        self._phase.move(CeremonyEvent.GENESIS_SHOWN)
        self.genesis = genesis
        return self.signer.sign(Tag.GENESIS, body)

    def complete_genesis(self, signatures: Sequence[bytes]) -> Genesis:
        """The genesis with the signatures of all seats. Raises BadBytes."""
        if self.genesis is None:
            raise BadBytes("signatures before the genesis")
        if not signatures:  # `parse` takes a genesis whose signatures are not collected yet
            raise BadBytes("no signatures")
        complete = Genesis.parse(self.genesis.body, signatures)
        self._phase.move(CeremonyEvent.ALL_SIGNED)
        return complete
