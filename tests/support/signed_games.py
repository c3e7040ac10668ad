"""Logs of games whose players sign what a test wants: the one seat, or two things for one place."""

from kotp2p.game.ledger import Ledger
from kotp2p.wire.records import canonical_log
from tests.support.five_players import at_a_decision, genesis, two_answers


def log_of(ledger: Ledger) -> bytes:
    bodies = (ledger.genesis.signed, *ledger.canonical_bodies())
    return canonical_log(ledger.genesis.id, bodies)


def parted_logs() -> tuple[bytes, bytes, bytes]:
    """Two logs of one game, in which one seat has answered differently, and the log up to there."""
    logs = []
    for which in (0, 1):
        ledger, seat = at_a_decision()
        before = log_of(ledger)
        ledger.accept_entry(two_answers(ledger, seat)[which])
        logs.append(log_of(ledger))
    assert logs[0] != logs[1]
    assert ledger.genesis.id == genesis().id
    return logs[0], logs[1], before
