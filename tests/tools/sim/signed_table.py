"""A table of peers that have signed a start, made from a seed. No lobby is needed for it."""

from dataclasses import dataclass
from random import Random

from kotp2p.referee.box.rulesets import Options
from kotp2p.referee.model.answers import Seat
from kotp2p.wire.crypto import CARD_WINDOW, DICE_WINDOW, Signer, Stream, Tag, own_commitment
from kotp2p.wire.genesis import Charter, Clocks, Genesis, GenesisRow, Player, table_id

NAMES = ("Ana", "Ben", "Cleo", "Dora", "Emil", "Fritz")
WINDOWS = {Stream.DICE: DICE_WINDOW, Stream.CARDS: CARD_WINDOW}


@dataclass(frozen=True, slots=True)
class SignedTable:
    genesis: Genesis
    signers: dict[Seat, Signer]
    """By keeper."""
    seeds: dict[Seat, bytes]


def sign_table(
    chance: Random, seats: int, keepers: int, rules: str, clocks: Clocks, bots: tuple[Seat, ...]
) -> SignedTable:
    """Seats from `keepers` on are bots of the host. `bots`: keepers that answer for themselves."""
    signers = {k: Signer(chance.randbytes(32)) for k in range(keepers)}
    seeds = {k: chance.randbytes(32) for k in range(keepers)}
    owners = [seat if seat < keepers else 0 for seat in range(seats)]
    players = tuple(
        Player(NAMES[seat], "", signers[owner].key, owner, owner != seat or seat in bots)
        for seat, owner in enumerate(owners)
    )
    fresh = chance.randbytes(32)
    table = table_id(players, 0, fresh)

    def window(keeper: Seat, stream: Stream) -> tuple[bytes, ...]:
        seed = seeds[keeper]
        return tuple(
            own_commitment(seed, table, table, stream, keeper, slot)
            for slot in range(WINDOWS[stream])
        )

    rows = [
        GenesisRow(chance.randbytes(32), window(k, Stream.DICE), window(k, Stream.CARDS))
        for k in range(keepers)
    ]
    charter = Charter(table, fresh, 1, rules, Options(), players, 0, clocks)
    made = Genesis.build(charter, rows)
    seals = {k: signer.sign(Tag.GENESIS, made.body) for k, signer in signers.items()}
    return SignedTable(Genesis(charter, made.rows, made.body, made.id, seals), signers, seeds)
