"""Feeds: what each watcher of this process is sent, and what it may send.

Scope: the log in parts, as fast as a watcher reads it; what the players say, where watchers may
hear it; how many watch, for the players; which watcher is dropped. The time comes in as an
argument.

A watcher tells how much it has read. It never has more than `WINDOW_BYTES` on the way to it, so a
slow one costs no memory. One that reads nothing for a while though there is more is dropped, and so
is one that sends anything else than a watcher may. A watcher reads and says nothing. A keeper of
the game that has lost its files is a reader like them, and no watcher: it is not counted.
"""

import hashlib
import math
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from kotp2p.mesh.gossip import ShowNotice
from kotp2p.seams.commands import WatchOffer
from kotp2p.seams.cores import Allowance, Phase, StateTable, pace_of_notices
from kotp2p.seams.notices import WatchersChanged
from kotp2p.wire import entries, frames

# -- the feeds -----------------------------------------------------------------------------


LinkNumber: TypeAlias = int

WINDOW_BYTES = 131_072
"""Bytes of the log that may be on their way to one watcher."""
ASK_SECONDS = 10.0
"""How long a watcher may take to ask for the log."""
SETTLE_SECONDS = 5.0
"""How long one who comes to a game stays until the table hears of it: a guest who comes too late
reads only whether they have a seat, which takes seconds through a relay."""
SLOW_SECONDS = 30.0
"""How long a watcher may read nothing of what is on its way."""
MAX_RETURNING = 6
"""Keepers without their files that may read at a time, besides the watchers."""


class FeedState(StrEnum):
    GREETED = "greeted"
    """Its key is proved, and it has not asked for the log yet."""
    BEHIND = "behind"
    """There is more than it has been sent."""
    CURRENT = "current"
    """It has been sent all that there is."""
    ENDED = "ended"


class FeedEvent(StrEnum):
    ASKED = "it asks for the log"
    READ = "it tells how much it has read"
    GROWN = "the log grows"
    ALL_SENT = "all of it is sent"
    LINK_ENDED = "its link ends"


FEED = StateTable(
    "feed of a watcher",
    FeedState.GREETED,
    {
        FeedState.GREETED: {
            FeedEvent.ASKED: FeedState.BEHIND,
            FeedEvent.LINK_ENDED: FeedState.ENDED,
        },
        FeedState.BEHIND: {
            FeedEvent.READ: FeedState.BEHIND,
            FeedEvent.GROWN: FeedState.BEHIND,
            FeedEvent.ALL_SENT: FeedState.CURRENT,
            FeedEvent.LINK_ENDED: FeedState.ENDED,
        },
        FeedState.CURRENT: {
            FeedEvent.READ: FeedState.CURRENT,
            FeedEvent.GROWN: FeedState.BEHIND,
            FeedEvent.LINK_ENDED: FeedState.ENDED,
        },
        FeedState.ENDED: {},
    },
)


@dataclass(frozen=True, slots=True)
class SendToWatcher:
    link: LinkNumber
    frame: frames.Frame


@dataclass(frozen=True, slots=True)
class CutWatcher:
    link: LinkNumber


@dataclass(frozen=True, slots=True)
class TellPlayers:
    """Send a frame over the links with all players, or with one of them."""

    frame: frames.Frame
    only: LinkNumber | None = None


FeedEffect: TypeAlias = SendToWatcher | CutWatcher | TellPlayers | ShowNotice


@dataclass(slots=True)
class Feed:
    """The state of one watcher."""

    heard_at: float
    since: float
    """When it was linked; later, when it has last read something or had nothing to read."""
    is_counted: bool = True
    """Whether it watches. A keeper that fetches the log to come back does not."""
    phase: Phase[FeedState, FeedEvent] = field(default_factory=lambda: Phase.at_start(FEED))
    sent: int = 0
    read: int = 0

    @property
    def room(self) -> int:
        """Return the number of bytes that may still be sent to this watcher."""
        return WINDOW_BYTES - (self.sent - self.read)

    def is_late(self, now: float) -> bool:
        if now - self.heard_at >= frames.LINK_DEAD_SECONDS:
            return True
        if self.phase.state is FeedState.GREETED:
            return now - self.since >= ASK_SECONDS
        return self.phase.state is FeedState.BEHIND and now - self.since >= SLOW_SECONDS


@dataclass(slots=True)
class Feeds:
    offer: WatchOffer
    log: bytearray = field(default_factory=bytearray)
    """That of this process: whole records."""
    feeds: dict[LinkNumber, Feed] = field(default_factory=dict)
    _effects: list[FeedEffect] = field(default_factory=list)
    _beat: float = math.inf
    """When the watchers are pinged and looked at next."""
    _elsewhere: dict[LinkNumber, int] = field(default_factory=dict)
    """How many watch through other processes, by the link of the player who has said so."""
    _told: tuple[int, int] = (0, 0)
    """The numbers that were sent last: how many watch here, and how many in all."""
    _settled_at: float = -math.inf
    """When the last one who came counts."""
    _pace: Allowance = field(default_factory=pace_of_notices)
    _now: float = -math.inf

    @property
    def is_full(self) -> bool:
        return self._watchers >= self.offer.most

    @property
    def has_room_for_keeper(self) -> bool:
        """Return whether one more keeper may fetch the log."""
        return len(self.feeds) - self._watchers < MAX_RETURNING

    @property
    def _watchers(self) -> int:
        return sum(feed.is_counted for feed in self.feeds.values())

    @property
    def deadline(self) -> float:
        if self._told == self._counts:
            return self._beat
        news = self._pace.next_time(1, self._now)
        return min(self._beat, max(news, self._settled_at) if self._has_grown else news)

    @property
    def _has_grown(self) -> bool:
        return self._watchers > self._told[0]

    @property
    def _counts(self) -> tuple[int, int]:
        here = self._watchers
        return here, here + sum(self._elsewhere.values())

    def take_effects(self) -> list[FeedEffect]:
        effects, self._effects = self._effects, []
        return effects

    # -- the log -------------------------------------------------------------------------

    def append_log(self, data: bytes, now: float) -> None:
        self.log += data
        for link, feed in self.feeds.items():
            if feed.phase.allows(FeedEvent.GROWN) and feed.sent < len(self.log):
                if feed.phase.state is FeedState.CURRENT:
                    feed.since = now
                feed.phase.move(FeedEvent.GROWN)
                self._push(link, feed)

    def _push(self, link: LinkNumber, feed: Feed) -> None:
        while feed.sent < len(self.log) and feed.room > 0:
            most = min(frames.MAX_PART_BYTES, feed.room)
            part = bytes(self.log[feed.sent : feed.sent + most])
            self._effects.append(SendToWatcher(link, frames.LogPart(feed.sent, part)))
            feed.sent += len(part)
        if feed.sent == len(self.log) and feed.phase.state is FeedState.BEHIND:
            feed.phase.move(FeedEvent.ALL_SENT)

    # -- watchers ------------------------------------------------------------------------

    def accept_link(self, link: LinkNumber, now: float, *, is_keeper: bool = False) -> None:
        """Accept a watcher, or a keeper without its files; cut the link if there is no room."""
        if not self.has_room_for_keeper if is_keeper else self.is_full:
            self._effects.append(CutWatcher(link))
            return
        if not self.feeds:
            self._beat = now + frames.PING_SECONDS
        if self.log and not self._has_grown:  # nobody waits to be counted
            self._settled_at = now + SETTLE_SECONDS
        self.feeds[link] = Feed(now, now, is_counted=not is_keeper)
        self._tell_counts(now)

    def lose_link(self, link: LinkNumber, now: float) -> None:
        feed = self.feeds.pop(link, None)
        if feed is not None:
            feed.phase.move(FeedEvent.LINK_ENDED)
            self._tell_counts(now)
        if not self.feeds:
            self._beat = math.inf

    def receive_frame(self, link: LinkNumber, frame: frames.Frame, now: float) -> None:
        """Take a frame of a watcher; one that no watcher sends costs it its link."""
        feed = self.feeds.get(link)
        if feed is None:
            return
        feed.heard_at = now
        match frame:
            case frames.Watch():
                self._accept_watch(link, feed, frame, now)
            case frames.Ping():
                pass  # it has shown by now that the link is alive
            case _:  # nothing else is a watcher's to send
                self._drop(link)

    def _accept_watch(self, link: LinkNumber, feed: Feed, watch: frames.Watch, now: float) -> None:
        if feed.phase.state is FeedState.GREETED:
            feed.phase.move(FeedEvent.ASKED)
            self._effects.append(
                SendToWatcher(link, frames.Admitted(len(self.log), self.offer.has_chat))
            )
            if self._begins_with(watch.size, watch.digest):
                feed.sent = feed.read = watch.size
        elif watch.digest or not feed.read < watch.size <= feed.sent:
            self._drop(link)
            return
        else:
            feed.phase.move(FeedEvent.READ)
            feed.read = watch.size
        feed.since = now
        self._push(link, feed)

    def _begins_with(self, size: int, digest: bytes) -> bool:
        """Return whether a watcher has the first `size` bytes of this log, and no others."""
        if size > len(self.log):
            return False
        return size == 0 or hashlib.sha256(memoryview(self.log)[:size]).digest() == digest

    def _drop(self, link: LinkNumber) -> None:
        self._effects.append(CutWatcher(link))

    # -- what is said at the table -------------------------------------------------------

    def tell_watchers(self, line: entries.Signed) -> None:
        if self.offer.has_chat:
            for link, feed in self.feeds.items():
                if feed.is_counted:
                    self._effects.append(SendToWatcher(link, line))

    # -- what the table hears of watchers ------------------------------------------------

    def greet_player(self, link: LinkNumber) -> None:
        if self._told[0]:
            self._effects.append(TellPlayers(frames.Watched(self._told[0]), link))

    def hear_player(self, link: LinkNumber, watched: frames.Watched, now: float) -> None:
        self._elsewhere[link] = watched.count
        self._tell_counts(now)

    def lose_player(self, link: LinkNumber, now: float) -> None:
        if self._elsewhere.pop(link, 0):
            self._tell_counts(now)

    def _tell_counts(self, now: float) -> None:
        self._now = max(self._now, now)
        here, all_ = self._counts
        if (here, all_) == self._told or not self._pace.has(1, self._now):
            return
        if self._has_grown and self._now < self._settled_at:
            return
        self._pace.charge(1, self._now)
        before, self._told = self._told, (here, all_)
        if all_ != before[1]:
            self._effects.append(ShowNotice(WatchersChanged(all_)))
            self._effects += [
                SendToWatcher(link, frames.Watched(min(all_, frames.MAX_WATCHERS)))
                for link, feed in self.feeds.items()
                if feed.is_counted
            ]
        if here != before[0]:
            self._effects.append(TellPlayers(frames.Watched(here)))

    # -- time ----------------------------------------------------------------------------

    def tick(self, now: float) -> None:
        self._tell_counts(now)
        if now < self._beat:
            return
        self._beat = now + frames.PING_SECONDS
        for link, feed in list(self.feeds.items()):
            if feed.is_late(now):
                self._drop(link)
            else:
                self._effects.append(SendToWatcher(link, frames.Ping()))
