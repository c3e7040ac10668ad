"""The fixed bytes of the vectors: keys, seeds, hashes, and a table with its genesis."""

from __future__ import annotations

from kotp2p.lobby.ceremony import Ceremony
from kotp2p.wire.crypto import Signer
from kotp2p.wire.genesis import Charter, Genesis, GenesisRow, Player, table_id
from referee.box.setup import Options


def fill(byte: int, size: int = 32) -> bytes:
    return bytes((byte,)) * size


SEATS = [Signer(fill(1)), Signer(fill(2)), Signer(fill(3))]
SEEDS = [fill(0x51), fill(0x52), fill(0x53)]
GAME, HEAD_BYTES, TABLE = fill(0xAA), fill(0xBB), fill(0xCC)


def small_genesis() -> tuple[Genesis, list[GenesisRow]]:
    players = tuple(
        Player(name, monster, signer.key, bot, keeper)
        for name, monster, signer, bot, keeper in (
            ("Ana", "Gigazaur", SEATS[0], False, 0),
            ("Rex", "The King", SEATS[1], False, 1),
            ("Otto", "Alienoid", SEATS[2], True, 0),
        )
    )
    table = table_id(players, 0, fill(0x0F))
    charter = Charter(table, fill(0x0F), "second", Options(), players, 0)
    rows = [
        Ceremony(charter, signer, seed, fill(0x60 + i)).row
        for i, (signer, seed) in enumerate(zip(SEATS, SEEDS, strict=True))
    ]
    return Genesis.build(charter, rows), rows
