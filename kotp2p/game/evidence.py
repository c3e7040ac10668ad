"""Evidence: one file that shows anybody, later and offline, which seat has cheated.

Scope: making and examining such a file (PROTOCOL.md 10.7).
Not here: what a proof shows (`conviction`).

A file like a log: the genesis, the canonical log up to the entry that the game refuses
(nothing of it for two bodies that contradict each other), and the proof as the last record.
"""

from __future__ import annotations

from dataclasses import dataclass

from kotp2p.game import history
from kotp2p.game.conviction import height_needed
from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Cheat, Early, Forged, Fork
from kotp2p.game.verify import Replay, WrongLog
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.genesis import Player
from kotp2p.wire.log_faults import LogFault
from kotp2p.wire.proofs import CheatProof
from kotp2p.wire.records import (
    EVIDENCE_MAGIC,
    SALT_BYTES,
    Damaged,
    RecordReader,
    Unreadable,
    Versions,
    pack_head,
    pack_record,
    read_salt,
)


@dataclass(frozen=True, slots=True)
class Finding:
    """What a file of evidence comes to."""

    cheat: Cheat | None
    """None if it proves nothing, for the `reason`."""
    players: tuple[Player, ...] = ()
    phrase: str = ""
    reason: str = ""
    """The same as for a `Report`, here and below."""
    fault: LogFault | None = None
    versions: Versions | None = None
    turn: int | None = None
    """Of the cheat, 0 before the first one; None if the file does not go so far."""


def make_evidence(ledger: Ledger, proof: CheatProof) -> bytes:
    """The file. Raises BadBytes or Forged if the proof is none."""
    genesis, salt = ledger.genesis, ledger.genesis.id[:SALT_BYTES]
    first = Signed(BodyKind.GENESIS, genesis.body, b"".join(genesis.signatures))
    play = history.canonical_bodies(ledger.chain.closed[: height_needed(proof)])
    last = proof.signed
    records = (pack_record(salt, i, signed) for i, signed in enumerate((first, *play, last)))
    return pack_head(salt, EVIDENCE_MAGIC) + b"".join(records)


def examine_evidence(data: bytes) -> Finding:
    """What the bytes of a file of evidence prove. Never raises for bad bytes."""
    try:
        salt = read_salt(data, EVIDENCE_MAGIC)
    except Unreadable as fault:
        return Finding(None, reason=str(fault), fault=fault.fault, versions=fault.versions)
    replay, reader = Replay(salt), RecordReader(data, salt)
    try:
        proof = _last(reader, replay)
        assert replay.ledger is not None
        cheat = replay.ledger.judge_proof(proof)
    except (Damaged, WrongLog, BadBytes, Forged, Early, Fork) as fault:
        ledger = replay.ledger
        if ledger is None:
            return Finding(None, reason=str(fault), fault=_fault_of(fault))
        genesis = ledger.genesis
        return Finding(None, genesis.players, genesis.phrase, str(fault), _fault_of(fault))
    genesis, chain = replay.ledger.genesis, replay.ledger.chain
    turn = chain.turn_at(cheat.height) if cheat.height <= chain.height else None
    return Finding(cheat, genesis.players, genesis.phrase, turn=turn)


def _fault_of(fault: Exception) -> LogFault:
    match fault:
        case Damaged():
            return LogFault.DAMAGED
        case WrongLog():
            return fault.fault
        case _:  # the proof itself, or none at its end
            return LogFault.PROOF


def _last(reader: RecordReader, replay: Replay) -> CheatProof:
    """The proof, once all before it is replayed."""
    while True:
        signed = reader.read_record()
        if signed is None:
            raise Forged("no proof stands at its end")
        is_last = signed.kind is BodyKind.CHEAT_PROOF and reader.offset == reader.size
        if is_last and replay.ledger is not None:
            return CheatProof.parse(signed)
        replay.add_record(signed)
