"""Logs in which line-ups have undone something, as one peer has written them."""

from kotp2p.referee.model.answers import Seat
from kotp2p.wire.lineups import Change, LineUp, Reason
from tests.support.scribe import Scribe, rolling


def _undoing() -> tuple[Scribe, Seat, LineUp]:
    """An answer came to the writer alone; the others want to go on without its keeper."""
    scribe = Scribe(5)
    scribe.until(rolling)
    (gone,) = scribe.ledger.owing_seats()
    lineup = scribe.line_up(Change(gone, Reason.ABSENT))
    scribe.step()
    return scribe, gone, lineup


def undone_log() -> bytes:
    scribe, _gone, lineup = _undoing()
    scribe.take(scribe.assents(lineup))
    assert scribe.ledger.roster.lineup == lineup.id
    scribe.until(lambda ledger: rolling(ledger) and ledger.chain.turns == 2)
    return scribe.file()


def returned_log() -> bytes:
    """As `undone_log`; then a later line-up from behind that answer begins, so it counts."""
    scribe, gone, lineup = _undoing()
    other = next(seat for seat in range(5) if seat != gone)
    later = scribe.line_up(Change(other, Reason.ABSENT), attempt=2)
    scribe.take(scribe.assents(lineup), scribe.assents(later))
    assert scribe.ledger.roster.lineup == later.id
    scribe.step()
    return scribe.file()
