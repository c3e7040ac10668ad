"""Evidence: one file that shows anybody, later and offline, which seat has cheated.

Scope: making and examining such a file (PROTOCOL.md 10.7).
Not here: what a proof shows (`conviction`).

A file like a log: the genesis, the canonical log up to the entry that the game refuses
(nothing of it for two bodies that contradict each other), and the proof as the last record.
"""

from __future__ import annotations

from dataclasses import dataclass

from kotp2p.game.conviction import convict
from kotp2p.game.ledger import Ledger, line_bodies
from kotp2p.game.refusals import Cheat, Early, Forged, Fork
from kotp2p.game.verify import Replay, WrongLog
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import PLAY, SHARE, BodyKind, Entry
from kotp2p.wire.genesis import Player
from kotp2p.wire.lineups import CheatProof
from kotp2p.wire.records import (
    EVIDENCE_MAGIC,
    SALT_BYTES,
    Damaged,
    LogFault,
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


def make_evidence(ledger: Ledger, cheat: Cheat) -> bytes:
    """Return the file about a cheat that `ledger` knows: the line up to it, then the proof."""
    genesis, salt, proof = ledger.genesis, ledger.genesis.id[:SALT_BYTES], cheat.proof
    needed = max([Entry.parse(s).height for s in proof.bodies if s.kind in (PLAY, SHARE)] or [0])
    if any(signed.kind is BodyKind.LINE_UP for signed in proof.bodies):
        needed = ledger.height  # its judge needs all line-ups
    chain = ledger.chain
    begun = [part for part in chain.begun if part.height <= needed]
    line = [s for s in line_bodies(ledger, chain, 0, begun, until=needed) if s != proof.signed]
    bodies = dict.fromkeys([genesis.signed, *line])
    records = (pack_record(salt, i, signed) for i, signed in enumerate([*bodies, proof.signed]))
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
        cheat = convict(replay.ledger, proof)
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
