"""What host and guests of a lobby share: monsters, and the start of a game.

The start is a small ceremony (PROTOCOL.md 6.2): the host proposes a charter; everybody seals a
row (nonce and first commitments), then shows it, then signs the genesis made of all rows. As all
rows are sealed before one is shown, nobody can choose his own by those of others, and the game id
cannot be steered.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from kotp2p.wire.commitments import CARD_WINDOW, DICE_WINDOW, Stream, commitment_of_seed
from kotp2p.wire.crypto import Signer, Tag
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.genesis import Charter, Genesis, GenesisRow
from kotp2p.wire.names import fold_name
from kotp2p.wire.rate import RateLimit, new_chat_limit

MONSTERS = ("Gigazaur", "The King", "Alienoid", "Cyber Kitty", "Meka Dragon", "Space Penguin")
PING_SECONDS = 3.0
LINK_DEAD_SECONDS = 10.0
"""Seconds of silence after which a lobby link is dead."""
MAX_UNSEATED_LINKS = 8
"""Links in a lobby whose owners have no seat yet; the oldest goes first."""
START_STEP_SECONDS = 30.0
"""Seconds that a seat has for each step of the start."""


def free_monster(wanted: str, taken: Collection[str]) -> str:
    """`wanted` if it is a free monster (in any case), else the first free one."""
    free = [monster for monster in MONSTERS if monster not in taken]
    for monster in free:
        if fold_name(monster) == fold_name(wanted):
            return monster
    return free[0]


@dataclass(slots=True)
class LobbyGuest:
    link: int
    key: bytes
    address: str
    """Where its link was seen from; empty for the host's own machine."""
    name: str = ""
    monster: str = ""
    port: int = 0
    bot: bool = False
    one_game: bool = False
    heard_at: float = math.inf
    arrived_at: float = math.inf
    unaccepted: frozenset[bytes] = frozenset()
    """Keys of others that it has not accepted, as it says."""
    chat_rate: RateLimit = field(default_factory=new_chat_limit)


@dataclass(slots=True)
class Ceremony:
    """One seat's side of a start."""

    charter: Charter
    signer: Signer
    seed: bytes
    nonce: bytes
    seat: int = field(init=False)
    row: GenesisRow = field(init=False)
    commitments: tuple[bytes, ...] = ()
    """By seat, once all have sealed."""
    genesis: Genesis | None = None

    def __post_init__(self) -> None:
        """Raises BadBytes if this player does not sit at the proposed table."""
        keys = [p.key for p in self.charter.players]
        if self.signer.key not in keys:
            raise BadBytes("a table without this seat")
        self.seat = keys.index(self.signer.key)
        table = self.charter.table

        def window(stream: Stream, size: int) -> tuple[bytes, ...]:
            return tuple(
                commitment_of_seed(self.seed, table, table, stream, self.seat, s)
                for s in range(size)
            )

        self.row = GenesisRow(
            self.nonce, window(Stream.DICE, DICE_WINDOW), window(Stream.CARDS, CARD_WINDOW)
        )

    @property
    def own_commitment(self) -> bytes:
        return self.row.nonce_commitment(self.charter.table, self.signer.key)

    def accept_commitments(self, seals: Sequence[bytes]) -> None:
        """Everybody has sealed: from now on rows may be shown."""
        if len(seals) != len(self.charter.players) or seals[self.seat] != self.own_commitment:
            raise BadBytes("seals that are not this table's")
        if self.commitments:
            raise BadBytes("sealed twice")
        self.commitments = tuple(seals)

    def has_committed(self, seat: int, row: GenesisRow) -> bool:
        """Whether the row is the one that its seat has sealed."""
        key = self.charter.players[seat].key
        return (
            bool(self.commitments)
            and row.nonce_commitment(self.charter.table, key) == self.commitments[seat]
        )

    def sign_genesis(self, body: bytes) -> bytes:
        """Checks the genesis against all that was sealed, and signs it."""
        genesis = Genesis.parse(body)
        if genesis.charter != self.charter:
            raise BadBytes("a genesis of another table")
        if not all(self.has_committed(seat, row) for seat, row in enumerate(genesis.rows)):
            raise BadBytes("a row that was not sealed so")
        self.genesis = genesis
        return self.signer.sign(Tag.GENESIS, body)

    def complete_genesis(self, signatures: Sequence[bytes]) -> Genesis:
        if self.genesis is None:
            raise BadBytes("signatures before the genesis")
        return Genesis.parse(self.genesis.body, signatures)
