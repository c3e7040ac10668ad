"""Files of evidence under fuzz: `examine` says what they prove, and raises nothing.

A file like those that peers write: a genesis, the line of play for a while, and a proof behind it;
with bytes changed anywhere, or with records of others, checksums right and signatures taken for
good.
"""

import random

from kotp2p.game.verify import examine_evidence
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.lineups import CheatProof
from kotp2p.wire.records import EVIDENCE_MAGIC, SALT_BYTES, pack_head, pack_record
from tests.tools.fuzz import seeds, table
from tests.tools.fuzz.logs import Logs, signatures_taken_for_good
from tests.tools.fuzz.mutate import Mutator


def examined(chance: random.Random, count: int) -> int:
    liar, logs = table.Liar(chance), Logs(seeds.logs(), chance)
    bodies = Mutator(seeds.frames(), chance)
    convicted = 0
    for n in range(count):
        log = chance.choice(seeds.logs())
        until = 1 + int(chance.random() * 30)
        with signatures_taken_for_good():
            ledger, _ = table.begun(log, until)
            found = [liar.body(ledger, None) for _ in range(chance.choice((1, 1, 2)))]
        if n % 3 == 0 and len(found) == 2:
            found[1] = found[0]
        packed = CheatProof(tuple(found)).pack()
        if n % 4 == 0:
            packed = bodies.turned(packed)
        whole = [signed for signed, _ in seeds.records(log)][:until]
        data = _file(log[20 : 20 + SALT_BYTES], [*whole, Signed(BodyKind.CHEAT_PROOF, packed, b"")])
        if n % 4 == 1:
            data = logs.bytes_changed(data)
        with signatures_taken_for_good():
            convicted += examine_evidence(data).cheat is not None
    return convicted


def _file(salt: bytes, whole: list[Signed]) -> bytes:
    records = (pack_record(salt, i, signed) for i, signed in enumerate(whole))
    return pack_head(salt, EVIDENCE_MAGIC) + b"".join(records)
