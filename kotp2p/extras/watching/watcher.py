"""The side of a watcher, without I/O: it asks its source for the log, checks it, and shows it.

Scope: the states of watching, what is sent to the source, when watching ends, and what the records
of a log mean for somebody without a seat.
Not here: the one reader of logs (`kotp2p.game.verify`), and dialling (`kotp2p.extras.shell.watch`).

The bytes are those of the log of the source. A watcher that has lost its link goes on where it was,
if the log of the source still begins with what it has. Otherwise it begins again.
"""

import hashlib
import math
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Finished, Moved, asked_decision
from kotp2p.game.verify import LogReading, ReadRecord, report_changes
from kotp2p.mesh.feeds import WINDOW_BYTES
from kotp2p.mesh.gossip import ShowNotice, notices_of, update_keepers
from kotp2p.referee.model.answers import Seat
from kotp2p.seams import endings, notices
from kotp2p.seams.cores import Phase, RateLimit, StateTable, new_chat_limit
from kotp2p.wire import encoding, entries, frames, records
from kotp2p.wire.genesis import signed_by_keeper

# -- a game whose log comes in pieces: each record is judged, and told as notices ----------


@dataclass(slots=True)
class WatchedGame:
    view: notices.SeatView | None = None
    """None until the genesis was read. Nothing secret is ever in it."""
    reading: LogReading = field(default_factory=lambda: LogReading(b"", grows=True))

    @property
    def has_ended(self) -> bool:
        """Return whether the game is over, confirmed or not: nothing more is played."""
        return self._ledger is not None and isinstance(self._ledger.step, Finished)

    @property
    def _ledger(self) -> Ledger | None:
        return self.reading.ledger

    @property
    def table(self) -> bytes:
        """Return the id of the table; empty until the genesis was read."""
        return b"" if self._ledger is None else self._ledger.genesis.charter.table

    def name_of_leaver(self, key: bytes) -> str:
        """Return the name of the player with this key who has left for good; else an empty text."""
        if self._ledger is None:
            return ""
        genesis = self._ledger.genesis
        seat = genesis.seat_of(key)
        has_left = seat is not None and seat in self._ledger.leaves
        return genesis.players[seat].name if seat is not None and has_left else ""

    def read_record(self) -> list[notices.Notice] | None:
        """Return what the next record has made happen.

        None if it has not come as a whole, or is wrong. The view shows the game right after it
        until the next one is read.
        """
        read = self.reading.read_record()
        return None if read is None else self._tell_record(read)

    def waiting(self) -> notices.Waiting | None:
        """Return the seats that the game waits for now, and for what."""
        ledger = self._ledger
        if ledger is None or self.has_ended:
            return None
        seats = ledger.owing_seats()
        return notices.Waiting(seats, asked_decision(ledger.step, ledger.game)) if seats else None

    def _tell_record(self, read: ReadRecord) -> list[notices.Notice]:
        ledger = self._ledger
        if ledger is None:
            return []  # the program that has written the log
        if self.view is None:
            genesis = ledger.genesis
            self.view = notices.SeatView(
                notices.WATCHER, genesis.players, ledger.game, genesis.phrase
            )
            update_keepers(self.view, ledger)
            return [notices.GameStarted(self.view)]
        assert read.moved is not None  # as for every record after the genesis
        return self._tell_move(ledger, self.view, read.moved)

    def _tell_move(
        self, ledger: Ledger, view: notices.SeatView, moved: Moved
    ) -> list[notices.Notice]:
        view.game = ledger.game
        if moved.parts:
            update_keepers(view, ledger)
        found = notices_of(moved, view)
        return [*found, *self.end_notices()] if ledger.chain.is_over else found

    def end_notices(self) -> list[notices.Notice]:
        """Return the end of the game, with those that have confirmed it; empty before that."""
        ledger, view = self._ledger, self.view
        if ledger is None or view is None or not isinstance(ledger.step, Finished):
            return []
        return [
            notices.GameFinished(ledger.step.winners, tuple(sorted(ledger.chain.gathered)), view)
        ]


# -- the watcher ---------------------------------------------------------------------------


READ_BYTES_PER_WATCH = WINDOW_BYTES // 2
"""How many bytes are read before the source is sent a WATCH."""
MAX_UNREAD_BYTES = 131_072
"""More than any record has: bytes of which no record comes are no log."""
GIVE_UP_SECONDS = 120.0
"""How long a lost source is looked for."""


class WatchState(StrEnum):
    AWAY = "away"
    ASKING = "asking"
    """The source was asked for the log, and has not said how much there is."""
    CATCHING_UP = "catching up"
    """What was there before this link comes in."""
    LIVE = "live"
    OVER = "over"


class WatchEvent(StrEnum):
    LINKED = "a link stands"
    ADMITTED = "the source says how much there is"
    CAUGHT_UP = "all that was there is read"
    LOST = "the link is lost"
    ENDED = "there is nothing more to see"


WATCHING = StateTable(
    "watching a game",
    WatchState.AWAY,
    {
        WatchState.AWAY: {WatchEvent.LINKED: WatchState.ASKING, WatchEvent.ENDED: WatchState.OVER},
        WatchState.ASKING: {
            WatchEvent.ADMITTED: WatchState.CATCHING_UP,
            WatchEvent.LOST: WatchState.AWAY,
            WatchEvent.ENDED: WatchState.OVER,
        },
        WatchState.CATCHING_UP: {
            WatchEvent.CAUGHT_UP: WatchState.LIVE,
            WatchEvent.LOST: WatchState.AWAY,
            WatchEvent.ENDED: WatchState.OVER,
        },
        WatchState.LIVE: {WatchEvent.LOST: WatchState.AWAY, WatchEvent.ENDED: WatchState.OVER},
        WatchState.OVER: {},
    },
)


@dataclass(frozen=True, slots=True)
class SendToSource:
    frame: frames.Frame


@dataclass(frozen=True, slots=True)
class CutSource:
    """Cut the link of a source that sends nothing, or what no source sends."""


@dataclass(frozen=True, slots=True)
class KeepBytes:
    """Keep these bytes of the log, which were found right."""

    offset: int
    """0: all that was kept before is of another log."""
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class EndWatching:
    kind: endings.EndKind
    detail: str = ""


WatcherEffect: TypeAlias = SendToSource | CutSource | KeepBytes | ShowNotice | EndWatching


@dataclass(slots=True)
class Watcher:
    from_start: bool = False
    """Show everything as if it happened now, not only what happens from now on."""
    game: WatchedGame = field(default_factory=WatchedGame)
    has_chat: bool = False
    _phase: Phase[WatchState, WatchEvent] = field(default_factory=lambda: Phase.at_start(WATCHING))
    _effects: list[WatcherEffect] = field(default_factory=list)
    _log: bytearray = field(default_factory=bytearray)
    """All that has come of the log."""
    _goal: int = 0
    """Bytes that were there when the source let this watcher in."""
    _told_read: int = 0
    """Bytes that the source knows to be read."""
    _kept: int = 0
    _has_unread: bool = False
    """Bytes have come that were not looked at yet."""
    _heard_at: float = math.inf
    _lost_at: float = math.inf
    _beat: float = math.inf
    _history: list[notices.Notice] = field(default_factory=list)
    """What was read and is not shown one by one."""
    _is_told: bool = False
    """The game was shown, as it stood when this process had caught up."""
    _waiting: notices.Waiting | None = None
    _source: bytes = b""
    """The key of the process at the other side of the link."""
    _serials: dict[Seat, int] = field(default_factory=dict)
    _pace: dict[Seat, RateLimit] = field(default_factory=dict)

    @property
    def is_over(self) -> bool:
        return self._phase.state is WatchState.OVER

    @property
    def is_away(self) -> bool:
        return self._phase.state is WatchState.AWAY

    @property
    def deadline(self) -> float:
        return min(self._beat, self._lost_at + GIVE_UP_SECONDS)

    def take_effects(self) -> list[WatcherEffect]:
        effects, self._effects = self._effects, []
        return effects

    # -- the link ------------------------------------------------------------------------

    def link_up(self, now: float, source: bytes = b"") -> None:
        """Ask for the log after the bytes that are here. `source` is the key of the other side."""
        if not self.is_away:
            return
        self._source = source
        self._phase.move(WatchEvent.LINKED)
        if self._lost_at < math.inf:
            self._show(notices.WatchLinkChanged(up=True))
        self._heard_at, self._lost_at, self._beat = now, math.inf, now + frames.PING_SECONDS
        digest = hashlib.sha256(self._log).digest() if self._log else b""
        self._send(frames.Watch(len(self._log), digest))

    def link_down(self, now: float) -> None:
        if self.is_away or self.is_over:
            return
        if self.game.has_ended:  # not all have confirmed it, and the source waits no longer
            for notice in self.game.end_notices():
                self._show(notice)
            self._end(endings.EndKind.FINISHED)
            return
        leaver = self.game.name_of_leaver(self._source)
        if leaver:
            self._end(endings.EndKind.SOURCE_LEFT, leaver)
            return
        self._phase.move(WatchEvent.LOST)
        self._lost_at, self._beat = now, math.inf
        self._show(notices.WatchLinkChanged(up=False, seconds=GIVE_UP_SECONDS))

    def give_up(self, kind: endings.EndKind) -> None:
        """End, as no table will let this watcher in again, or its person leaves."""
        if not self.is_over:
            self._end(kind)

    def tick(self, now: float) -> None:
        if self.is_over:
            return
        if now >= self._lost_at + GIVE_UP_SECONDS:
            self._end(endings.EndKind.LOST_TABLE)
        elif now >= self._beat:
            self._beat = now + frames.PING_SECONDS
            self._send(frames.Ping())
            if now - self._heard_at >= frames.LINK_DEAD_SECONDS:
                self._effects.append(CutSource())

    # -- frames of the source ------------------------------------------------------------

    def receive_frame(self, frame: frames.Frame, now: float) -> None:
        if self.is_away or self.is_over:
            return
        self._heard_at = now
        match frame:
            case frames.Admitted(size=size, has_chat=has_chat) if self._phase.allows(
                WatchEvent.ADMITTED
            ):
                self._phase.move(WatchEvent.ADMITTED)
                self._goal, self.has_chat = size, has_chat
                if not self._log:
                    self._show(notices.WatchAdmitted(size > 0, has_chat))
                self._note_progress()
            case frames.LogPart():
                self._accept_part(frame)
            case frames.Watched(count=count):
                self._show(notices.WatchersChanged(count))
            case entries.Signed(kind=entries.BodyKind.CHAT):
                self._accept_line(frame, now)
            case frames.Closed():
                self._end(endings.EndKind.CLOSED)
            case frames.Ping():
                pass  # it has shown by now that the link is alive
            case _:  # nothing else is a source's to send
                self._effects.append(CutSource())

    def _accept_part(self, part: frames.LogPart) -> None:
        if self._phase.state is WatchState.ASKING:
            self._effects.append(CutSource())
            return
        if part.offset == 0 and self._log and self._phase.state is WatchState.CATCHING_UP:
            self._begin_again()
        if part.offset != len(self._log) or part.offset + len(part.data) > records.MAX_LOG_BYTES:
            self._effects.append(CutSource())
            return
        self._log += part.data
        self.game.reading.feed(part.data)
        self._has_unread = True

    def read_on(self) -> bool:
        """Read one record of what has come; return False if there is none."""
        # It MUST be shown before the next one is read: a view shows the game as far as it was read.
        if self.is_over or not self._has_unread:
            return False
        news = self.game.read_record()
        if news is not None:
            self._history += news
            self._note_progress()
            return True
        self._has_unread = False
        self._keep_bytes()
        if self.game.reading.is_over or self.game.reading.unread > MAX_UNREAD_BYTES:
            self._end(endings.EndKind.WRONG_LOG, self.game.reading.report().reason)
            return False
        if len(self._log) - self._told_read >= READ_BYTES_PER_WATCH:
            self._told_read = len(self._log)
            self._send(frames.Watch(self._told_read, b""))
        self._show_waiting()
        ledger = self.game.reading.ledger
        if ledger is not None and ledger.chain.is_over:  # all members have confirmed the end
            self._end(endings.EndKind.FINISHED)
        return False

    def _begin_again(self) -> None:
        """Begin again, as the source has another log, as after a return to older files."""
        self.game, self._kept, self._told_read = WatchedGame(), 0, 0
        self._log.clear()
        self._history.clear()
        self._is_told = self._has_unread = False

    def _keep_bytes(self) -> None:
        size = self.game.reading.right_bytes
        if size > self._kept:
            self._effects.append(KeepBytes(self._kept, bytes(self._log[self._kept : size])))
            self._kept = size

    def _note_progress(self) -> None:
        is_behind = self._phase.state is WatchState.CATCHING_UP
        if is_behind and self.game.reading.right_bytes >= self._goal:
            self._phase.move(WatchEvent.CAUGHT_UP)
            is_behind = False
        if is_behind and not self._is_told and not self.from_start:
            return
        news, self._history = self._history, []
        if news and not self._is_told:
            self._is_told = True
            if self._goal and not self.from_start:
                news = self._sum_up(news)
        for notice in news:
            self._show(notice)

    def _sum_up(self, news: list[notices.Notice]) -> list[notices.Notice]:
        view = self.game.view
        assert view is not None  # news begins with a genesis
        reading = self.game.reading
        changes = () if reading.ledger is None else report_changes(reading.ledger.chain)
        past = notices.PastLog(bytes(self._log[: reading.right_bytes]), view, changes)
        ends = [notice for notice in news if isinstance(notice, notices.GameFinished)]
        return [past, notices.GameStarted(view, resumed=True), *ends]

    def _show_waiting(self) -> None:
        waiting = self.game.waiting()
        if waiting is not None and waiting != self._waiting:
            self._show(waiting)
        self._waiting = waiting

    # -- what is said at the table -------------------------------------------------------

    def _accept_line(self, signed: entries.Signed, now: float) -> None:
        view, ledger = self.game.view, self.game.reading.ledger
        if view is None or ledger is None:
            return
        try:
            line = entries.ChatLine.parse(signed, ledger.genesis.id)
        except encoding.BadBytes:
            self._effects.append(CutSource())
            return
        if not signed_by_keeper(view.players, line.seat, signed):
            self._effects.append(CutSource())
        elif line.serial > self._serials.get(line.seat, 0):
            self._serials[line.seat] = line.serial
            if self._pace.setdefault(line.seat, new_chat_limit()).allows(now):
                self._show(notices.Said(view.players[line.seat].name, line.words, yours=False))

    # -- the end -------------------------------------------------------------------------

    def _end(self, kind: endings.EndKind, detail: str = "") -> None:
        self._phase.move(WatchEvent.ENDED)
        self._effects.append(EndWatching(kind, detail))

    def _send(self, frame: frames.Frame) -> None:
        self._effects.append(SendToSource(frame))

    def _show(self, notice: notices.Notice) -> None:
        self._effects.append(ShowNotice(notice))
