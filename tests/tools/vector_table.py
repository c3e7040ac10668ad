"""The fixed bytes of the vectors: keys, seeds, hashes, and a table with its genesis."""

from kotp2p.lobby.start import Ceremony
from kotp2p.referee.box.rulesets import Options
from kotp2p.wire.crypto import Signer
from kotp2p.wire.genesis import Charter, Genesis, GenesisRow, Player, table_id


def fill(byte: int, size: int = 32) -> bytes:
    return bytes((byte,)) * size


SEATS = [Signer(fill(1)), Signer(fill(2)), Signer(fill(3))]
SEEDS = [fill(0x51), fill(0x52), fill(0x53)]
GAME, HEAD_BYTES, TABLE = fill(0xAA), fill(0xBB), fill(0xCC)


def small_genesis() -> tuple[Genesis, list[GenesisRow]]:
    """Two keepers and a bot of the first."""
    players = (
        Player("Ana", "Gigazaur", SEATS[0].key, 0),
        Player("Rex", "The King", SEATS[1].key, 1),
        Player("Otto", "Alienoid", SEATS[0].key, 0, automatic=True),
    )
    table = table_id(players, 0, fill(0x0F))
    charter = Charter(table, fill(0x0F), 1, "second", Options(), players, 0)
    rows = [
        Ceremony(charter, signer, seed, fill(0x60 + i)).row
        for i, (signer, seed) in enumerate(zip(SEATS[:2], SEEDS[:2], strict=True))
    ]
    return Genesis.build(charter, rows), rows
