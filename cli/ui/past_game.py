"""What happened in a game before this process resumed it, from its log.

Scope: the log is verified and replayed, and its events are told as if they happened now.
Not here: what is made of them (`cli.text.statistics`, `cli.text.story`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cli.text.statistics import Statistics
from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Moved
from kotp2p.game.verify import Replay, Result, verify_log
from kotp2p.notices import GameStarted, Happened
from kotp2p.seat_view import SeatView
from kotp2p.store.files import read_whole_file
from kotp2p.wire.entries import BodyKind, Entry, Signed
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.proofs import CheatProof
from kotp2p.wire.records import MAX_LOG_BYTES, RecordReader, read_salt
from kotp2p.wire.votes import Vote


def count_log_file(path: Path, view: SeatView) -> Statistics | None:
    """What the whole log says; None if it cannot be read, or is not a sound log of this game."""
    try:
        data = read_whole_file(path, MAX_LOG_BYTES)
    except OSError:
        return None
    return count_log(data, view)


def count_log(data: bytes, view: SeatView) -> Statistics | None:
    counted = Statistics()
    for notice in tell_log(data, view):
        counted.count_notice(notice)
    return counted if counted.counts else None


def tell_log(data: bytes, view: SeatView) -> Iterator[GameStarted | Happened]:
    """The game of the log; nothing if it is not a sound log of this game. The views of the notices
    stand where each of them was told, until the next one is taken. The canonical form of the log is
    told: what votes have undone is not in it."""
    report = verify_log(data)
    if report.result not in (Result.SOUND, Result.UNFINISHED) or report.phrase != view.phrase:
        return
    reader = RecordReader(report.canonical, read_salt(report.canonical))
    genesis = reader.read_record()
    replay = Replay(read_salt(report.canonical))
    assert genesis is not None  # it has just been verified
    replay.add_record(genesis)
    ledger = replay.ledger
    assert ledger is not None  # likewise
    yield GameStarted(_view_of(ledger, view))
    while (signed := reader.read_record()) is not None:
        moved = _accept(ledger, signed)
        if moved is not None:
            yield Happened(tuple(moved.events), _view_of(ledger, view))


def _view_of(ledger: Ledger, view: SeatView) -> SeatView:
    return SeatView(view.seat, view.players, ledger.chain.game, view.phrase)


def _accept(ledger: Ledger, signed: Signed) -> Moved | None:
    """What a record of a sound log does to the game; None if nothing."""
    match signed.kind:
        case BodyKind.PLAY | BodyKind.SHARE:
            return ledger.accept_entry(Entry.parse(signed))
        case BodyKind.STAND_IN:
            return ledger.accept_farewell(Farewell.parse(signed, ledger.genesis.id))
        case BodyKind.VOTE:
            return ledger.accept_vote(Vote.parse(signed, ledger.genesis.id))
        case BodyKind.CHEAT_PROOF:
            return ledger.accept_proof(CheatProof.parse(signed))
        case _:  # closings, and what is in no log
            return None
