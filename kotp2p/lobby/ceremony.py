"""One seat's side of the start of a game; host and guests do the same (PROTOCOL.md 6.2).

The host proposes a charter. Every keeper commits to a row (a nonce and its first commitments to
chance), then shows the row, then signs the genesis that is made of all rows. As all commit before
any row is shown, no keeper can choose its row by those of others, and so steer the game id. The
genesis is line-up 0: its signatures are the assents of its members.

Scope: this keeper's row, and what is checked before anything of it is shown or signed.
Not here: the frames (`kotp2p.lobby.guest`, `kotp2p.lobby.start_attempt`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from kotp2p.referee.model.answers import Seat
from kotp2p.seams.state_table import Phase, StateTable
from kotp2p.wire.crypto import (
    CARD_WINDOW,
    DICE_WINDOW,
    Signer,
    Stream,
    Tag,
    is_valid_signature,
    own_commitment,
)
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import BodyKind, Signed, pack_seals, unpack_seals
from kotp2p.wire.genesis import Charter, Genesis, GenesisRow, keepers_of


class CeremonyState(StrEnum):
    COMMITTED = "committed"
    """This seat has committed to its row."""
    SHOWN = "shown"
    """It has shown the row."""
    SIGNED = "signed"
    """It has signed the genesis: for the others the game may begin at any moment."""
    COMPLETE = "complete"
    """It knows the signatures of all keepers."""


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
    seat: Seat = field(init=False)
    keepers: tuple[Seat, ...] = field(init=False)
    row: GenesisRow = field(init=False)
    commitments: Mapping[Seat, bytes] = field(default_factory=dict)
    """The commitment of each keeper to its row, once all have committed."""
    genesis: Genesis | None = None
    """The genesis that this seat has signed."""
    seals: dict[Seat, bytes] = field(default_factory=dict)
    """The signatures of keepers under the genesis, as far as they are known."""
    _phase: Phase[CeremonyState, CeremonyEvent] = field(
        default_factory=lambda: Phase.at_start(CEREMONY)
    )

    def __post_init__(self) -> None:
        """Raises BadBytes if this player does not sit at the proposed table."""
        players = self.charter.players
        self.keepers = keepers_of(players)
        own = [seat for seat in self.keepers if players[seat].key == self.signer.key]
        if not own:
            raise BadBytes("a table without this seat")
        (self.seat,) = own
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
        """All keepers have committed, here in seat order: from now on rows may be shown. Raises
        BadBytes."""
        by_seat = dict(zip(self.keepers, commitments, strict=False))
        is_complete = len(commitments) == len(self.keepers)
        if not is_complete or by_seat[self.seat] != self.own_commitment:
            raise BadBytes("seals that are not this table's")
        if not self._phase.allows(CeremonyEvent.ALL_COMMITTED):
            # Other commitments now could be chosen by the rows that have been shown.
            raise BadBytes("sealed twice")
        self._phase.move(CeremonyEvent.ALL_COMMITTED)
        self.commitments = by_seat

    def has_committed(self, seat: Seat, row: GenesisRow) -> bool:
        """Whether the row is the one to which its keeper has committed."""
        key = self.charter.players[seat].key
        commitment = row.nonce_commitment(self.charter.table, key)
        return commitment == self.commitments.get(seat)

    def sign_genesis(self, body: bytes) -> Signed:
        """Checks the genesis against all that was committed to, and returns it with this seat's
        signature. Raises BadBytes."""
        genesis = Genesis.parse(body)
        if genesis.charter != self.charter:
            raise BadBytes("a genesis of another table")
        rows = zip(self.keepers, genesis.rows, strict=True)
        if not all(self.has_committed(seat, row) for seat, row in rows):
            raise BadBytes("a row that was not sealed so")
        self._phase.move(CeremonyEvent.GENESIS_SHOWN)
        self.genesis = genesis
        self.seals[self.seat] = self.signer.sign(Tag.GENESIS, body)
        return Signed(BodyKind.GENESIS, body, pack_seals({self.seat: self.seals[self.seat]}))

    def add_seals(self, signed: Signed) -> Genesis | None:
        """Takes signatures under the genesis, of whomever they come. Returns the genesis with those
        of all keepers, once they are known. Raises BadBytes."""
        if self.genesis is None or signed.body != self.genesis.body:
            raise BadBytes("signatures under a genesis that this seat has not signed")
        for seat, seal in unpack_seals(signed.signature).items():
            if seat not in self.keepers:
                raise BadBytes("a signature of nobody's")
            key = self.charter.players[seat].key
            if not is_valid_signature(key, Tag.GENESIS, signed.body, seal):
                raise BadBytes("a signature that is not its seat's")
            self.seals.setdefault(seat, seal)
        if len(self.seals) < len(self.keepers):
            return None
        if self._phase.state is CeremonyState.SIGNED:
            self._phase.move(CeremonyEvent.ALL_SIGNED)
        return Genesis.parse(self.genesis.body, pack_seals(self.seals))

    def known_seals(self) -> Signed:
        """The genesis with all signatures that are known here. This seat has signed it."""
        assert self.genesis is not None
        return Signed(BodyKind.GENESIS, self.genesis.body, pack_seals(self.seals))
