"""The links of those that read the log of this process, and what their feeds want done.

Scope: the shell around `kotp2p.mesh.feeds`, beside the stages of a table: it is the same one in
the lobby and in the game. Its effects are performed behind those of a stage, so that what players
are sent is queued first. A keeper of the game that has lost its files may always read, so that it
can come back; whether others may watch is the player's choice.
Not here: the log itself (`kotp2p.store.log_writer`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import assert_never

from kotp2p.mesh.feeds import CutWatcher, Feeds, SendToWatcher, TellPlayers
from kotp2p.mesh.gossip import ShowNotice
from kotp2p.net.connections import Connections, refuse_watcher
from kotp2p.net.handshake import make_refusal
from kotp2p.net.links import FrameReceived, LinkClosed, LinkEvent, LinkOpened
from kotp2p.seams.cores import OwnFaultGuard
from kotp2p.seams.front import WatchOffer
from kotp2p.seams.notices import Notice, Said
from kotp2p.wire.frames import Closed, Frame, Hello, Refusal, RefusalCode, Watched


@dataclass(slots=True)
class WatcherLinks:
    connections: Connections
    show: Callable[[Notice], None]
    feeds: Feeds
    own_faults: OwnFaultGuard
    keepers: frozenset[bytes] = frozenset()
    """The keys of the keepers, once the game has begun."""
    _read_log: Callable[[], bytes] | None = None
    """Reads all of the log, once there is one."""
    _serves: bool = False
    """The feeds have the log. They get it when the first reader comes."""

    @staticmethod
    def beside(
        connections: Connections, show: Callable[[Notice], None], offer: WatchOffer
    ) -> WatcherLinks:
        made = WatcherLinks(connections, show, Feeds(offer), OwnFaultGuard(show))
        connections.judge_watcher = made.judge_watcher
        return made

    @property
    def offer(self) -> WatchOffer:
        return self.feeds.offer

    @property
    def deadline(self) -> float:
        return self.feeds.deadline

    def judge_watcher(self, theirs: Hello, by_invitation: bool) -> Refusal | None:
        is_keeper = theirs.key in self.keepers
        if not is_keeper and (not self.offer.is_open or (self.offer.secret and not by_invitation)):
            return refuse_watcher(theirs, by_invitation)
        if theirs.table not in (b"", self.connections.table):
            return make_refusal(RefusalCode.NO_TABLE, "another table is here")
        if not self.feeds.has_room_for_keeper if is_keeper else self.feeds.is_full:
            return make_refusal(RefusalCode.FULL, "as many watch as may")
        return None

    # -- what comes in -------------------------------------------------------------------

    def accept_event(self, event: LinkEvent, now: float) -> None:
        number = event.link.number
        match event:
            case LinkOpened(link=link):
                self._serve_log(now)
                self.feeds.accept_link(number, now, is_keeper=link.key in self.keepers)
            case FrameReceived(frame=frame):
                self.feeds.receive_frame(number, frame, now)
            case LinkClosed():
                self.feeds.lose_link(number, now)
            case _:
                assert_never(event)

    def note_player_link(self, event: LinkEvent, now: float) -> None:
        match event:
            case LinkOpened(link=link):
                self.feeds.greet_player(link.number)
            case LinkClosed(link=link):
                self.feeds.lose_player(link.number, now)
            case FrameReceived():
                pass  # for the stage, or for `hear_player`
            case _:
                assert_never(event)

    def hear_player(self, number: int, watched: Watched, now: float) -> None:
        self.feeds.hear_player(number, watched, now)

    def note_notice(self, notice: Notice) -> None:
        """Send watchers what players say to each other, of what this process shows."""
        if isinstance(notice, Said) and notice.line is not None:
            self.feeds.tell_watchers(notice.line)

    # -- the log -------------------------------------------------------------------------

    def begin_log(
        self, read_log: Callable[[], bytes], keepers: frozenset[bytes], now: float
    ) -> None:
        """Begin to serve the growing log of the game, also to those that have watched the lobby."""
        self._read_log, self.keepers = read_log, keepers
        if self.feeds.feeds:
            self._serve_log(now)

    def _serve_log(self, now: float) -> None:
        if self._read_log is not None and not self._serves:
            self._serves = True
            self.feeds.append_log(self._read_log(), now)

    def grow_log(self, data: bytes, now: float) -> None:
        """Send the bytes by which the log has grown, which are in the file."""
        if self._serves and data:
            self.feeds.append_log(data, now)

    # -- what goes out -------------------------------------------------------------------

    def tick(self, now: float) -> None:
        if now >= self.feeds.deadline:
            self.feeds.tick(now)
        self.perform()

    def perform(self) -> None:
        for effect in self.feeds.take_effects():
            match effect:
                case SendToWatcher(link=number, frame=frame):
                    self._send(number, frame)
                case CutWatcher(link=number):
                    if number in self.connections.links:
                        self.connections.links[number].cut()
                case TellPlayers(frame=frame, only=only):
                    for link in self.connections.player_links:
                        if only in (None, link.number):
                            self._send(link.number, frame)
                case ShowNotice(notice=notice):
                    self.show(notice)
                case _:
                    assert_never(effect)

    def _send(self, number: int, frame: Frame) -> None:
        with self.own_faults:
            self.connections.send_frame(number, frame)

    def close(self) -> None:
        """End the links as this process ends; show watchers of a lobby that no game comes."""
        if self._read_log is None:
            for number in self.feeds.feeds:
                self._send(number, Closed(int(RefusalCode.CLOSED)))
        self.perform()
