"""A game whose log comes in pieces: each record is judged, and told as notices.

Scope: the one reader of logs (`kotp2p.game.verify`), and what its records mean for somebody without
a seat.
Not here: where the bytes come from (`kotp2p.watching.watcher`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.game.ledger import Ledger
from kotp2p.game.report import Report
from kotp2p.game.steps import asked_decision
from kotp2p.game.verify import LogReading, ReadRecord
from kotp2p.mesh.moved_notices import drop_notices, event_notices
from kotp2p.notices import GameFinished, GameStarted, Notice, SeatLeft, Waiting
from kotp2p.seat_view import WATCHER, SeatView
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.votes import seats_kept_by
from referee.model.answers import Seat


@dataclass(slots=True)
class WatchedGame:
    view: SeatView | None = None
    """None until the genesis was read. Nothing secret is ever in it."""
    _reading: LogReading = field(default_factory=lambda: LogReading(b"", grows=True))
    _alive: frozenset[Seat] = frozenset()

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
        """The end of the game was read, with the signatures under it."""
        replay = self._reading.replay
        return replay is not None and replay.end is not None

    @property
    def is_broken_off(self) -> bool:
        """The players have stopped for today."""
        replay = self._reading.replay
        return replay is not None and replay.stopped is not None

    @property
    def is_claimed(self) -> bool:
        """Some were missing then."""
        replay = self._reading.replay
        return replay is not None and replay.stopped is not None and bool(replay.stopped[0].absent)

    @property
    def game_id(self) -> bytes:
        """Empty until the genesis was read."""
        return b"" if self._reading.ledger is None else self._reading.ledger.genesis.id

    @property
    def table(self) -> bytes:
        """The id of the table; empty until the genesis was read."""
        ledger = self._reading.ledger
        return b"" if ledger is None else ledger.genesis.charter.table

    @property
    def turns(self) -> int:
        ledger = self._reading.ledger
        return 0 if ledger is None else ledger.chain.turns

    def name_of_leaver(self, key: bytes) -> str:
        """Of the player with this key, if they have left for good; empty otherwise."""
        ledger = self._reading.ledger
        if ledger is None:
            return ""
        players, gone = ledger.genesis.players, ledger.farewells
        return next((p.name for s, p in enumerate(players) if p.key == key and s in gone), "")

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
        ledger = self._reading.ledger
        if ledger is None or self.is_finished:
            return None
        seats = ledger.owing_seats()
        return Waiting(seats, asked_decision(ledger.step, ledger.game)) if seats else None

    def _tell_record(self, read: ReadRecord) -> list[Notice]:
        ledger = self._reading.ledger
        assert ledger is not None  # the first record was a genesis, or it was wrong
        if self.view is None:
            genesis = ledger.genesis
            self.view = SeatView(WATCHER, genesis.players, ledger.game, genesis.phrase)
            found: list[Notice] = [GameStarted(self.view)]
        else:
            found = self._tell_move(ledger, self.view, read)
        self._alive = frozenset(ledger.game.state.seats_alive())
        return found

    def _tell_move(self, ledger: Ledger, view: SeatView, read: ReadRecord) -> list[Notice]:
        replay = self._reading.replay
        if read.moved is None:
            if replay is None or replay.end is None:
                return []  # a break, which the end of the watching tells
            end, seals = replay.end
            return [GameFinished(end.winners, tuple(seals), view)]
        view.game = ledger.game
        found: list[Notice] = []
        if read.signed.kind is BodyKind.STAND_IN:
            found += [SeatLeft(seat) for seat in self._seats_leaving(ledger, read.signed)]
        found += drop_notices(read.moved, view)
        found += event_notices(read.moved, view)
        return found

    def _seats_leaving(self, ledger: Ledger, signed: Signed) -> list[Seat]:
        keeper = Farewell.parse(signed, ledger.genesis.id).seat
        return sorted(seats_kept_by(ledger.genesis.players, {keeper}, self._alive))
