"""Five wired peers, one of which is late, and what the players of the others wish."""

from __future__ import annotations

from kotp2p.game.steps import Solo
from kotp2p.wire.intents import IntentKind
from referee.model.answers import Seat
from tests.support.wired_peers import WiredPeers

LATE: Seat = 3
VOTERS: tuple[Seat, ...] = (0, 1, 2, 4)


def asks_late_player(table: WiredPeers) -> None:
    """The game waits for the late player until a vote about them is open for all others."""
    ledger = table.peers[0].ledger
    table.silent = {LATE}
    table.play(lambda: isinstance(ledger.step, Solo) and ledger.step.seat == LATE)
    wait_for_vote(table)


def wait_for_vote(table: WiredPeers) -> None:
    """Until a vote about the late player is open for all others."""
    for _ in range(400):
        if all(table.open_vote(seat) == (LATE,) for seat in VOTERS):
            return
        table.wait(1)
    raise AssertionError("no vote is open")


def wish_all_but_late(table: WiredPeers, *seats: Seat) -> None:
    """These players want to go on without the late one."""
    for seat in seats:
        table.wish(seat, IntentKind.DROP)
    table.wait(2)
