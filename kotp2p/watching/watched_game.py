"""A game whose log comes in pieces: each record is judged, and told as notices.

Scope: the one reader of logs (`kotp2p.game.verify`), and what its records mean for somebody without
a seat.
Not here: where the bytes come from (`kotp2p.watching.watcher`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Finished, Moved, asked_decision
from kotp2p.game.verify import LogReading, ReadRecord, Report
from kotp2p.mesh.effects import notices_of, update_keepers
from kotp2p.notices import GameFinished, GameStarted, Notice, Waiting
from kotp2p.seat_view import WATCHER, SeatView


@dataclass(slots=True)
class WatchedGame:
    view: SeatView | None = None
    """None until the genesis was read. Nothing secret is ever in it."""
    _reading: LogReading = field(default_factory=lambda: LogReading(b"", grows=True))

    @property
    def size(self) -> int:
        """Bytes that were read and found right."""
        return self._reading.right_bytes

    @property
    def unread(self) -> int:
        """Bytes behind them that have come."""
        return self._reading.unread

    @property
    def is_wrong(self) -> bool:
        return self._reading.is_over

    @property
    def is_finished(self) -> bool:
        """All members have confirmed the end of the game."""
        return self._ledger is not None and self._ledger.chain.is_over

    @property
    def has_ended(self) -> bool:
        """The game is over, confirmed or not: nothing more is played."""
        return self._ledger is not None and isinstance(self._ledger.step, Finished)

    @property
    def _ledger(self) -> Ledger | None:
        return self._reading.ledger

    @property
    def game_id(self) -> bytes:
        """Empty until the genesis was read."""
        return b"" if self._ledger is None else self._ledger.genesis.id

    @property
    def table(self) -> bytes:
        """The id of the table; empty until the genesis was read."""
        return b"" if self._ledger is None else self._ledger.genesis.charter.table

    @property
    def turns(self) -> int:
        return 0 if self._ledger is None else self._ledger.chain.turns

    def name_of_leaver(self, key: bytes) -> str:
        """Of the player with this key, if they have left for good; empty otherwise."""
        if self._ledger is None:
            return ""
        genesis = self._ledger.genesis
        seat = genesis.seat_of(key)
        has_left = seat is not None and seat in self._ledger.leaves
        return genesis.players[seat].name if seat is not None and has_left else ""

    def report(self) -> Report:
        return self._reading.report()

    def feed(self, data: bytes) -> None:
        """These bytes have come, and can be read."""
        self._reading.feed(data)

    def read_record(self) -> list[Notice] | None:
        """What the next record has made happen; None if it has not come as a whole, or is wrong.
        The view stands right behind it until the next one is read."""
        read = self._reading.read_record()
        return None if read is None else self._tell_record(read)

    def waiting(self) -> Waiting | None:
        """The seats that the game waits for now, and for what."""
        ledger = self._ledger
        if ledger is None or self.has_ended:
            return None
        seats = ledger.owing_seats()
        return Waiting(seats, asked_decision(ledger.step, ledger.game)) if seats else None

    def _tell_record(self, read: ReadRecord) -> list[Notice]:
        ledger = self._ledger
        if ledger is None:
            return []  # the program that has written the log
        if self.view is None:
            genesis = ledger.genesis
            self.view = SeatView(WATCHER, genesis.players, ledger.game, genesis.phrase)
            update_keepers(self.view, ledger)
            return [GameStarted(self.view)]
        assert read.moved is not None  # as for every record after the genesis
        return self._tell_move(ledger, self.view, read.moved)

    def _tell_move(self, ledger: Ledger, view: SeatView, moved: Moved) -> list[Notice]:
        view.game = ledger.game
        if moved.parts:
            update_keepers(view, ledger)
        found = notices_of(moved, view)
        return [*found, *self.end_notices()] if ledger.chain.is_over else found

    def end_notices(self) -> list[Notice]:
        """The end of the game, with those that have confirmed it so far; nothing before it."""
        ledger, view = self._ledger, self.view
        if ledger is None or view is None or not isinstance(ledger.step, Finished):
            return []
        return [GameFinished(ledger.step.winners, tuple(sorted(ledger.chain.gathered)), view)]
