"""What a source sends its watchers, what it takes from them, and which it drops."""

import hashlib
from math import inf

import pytest

from kotp2p.mesh.feeds import (
    ASK_SECONDS,
    MAX_RETURNING,
    SETTLE_SECONDS,
    SLOW_SECONDS,
    WINDOW_BYTES,
    CutWatcher,
    FeedEffect,
    Feeds,
    FeedState,
    SendToWatcher,
    TellPlayers,
)
from kotp2p.mesh.gossip import ShowNotice
from kotp2p.seams.commands import WatchOffer
from kotp2p.seams.cores import NOTICES_AT_ONCE
from kotp2p.seams.notices import WatchersChanged
from kotp2p.wire.crypto import Signer
from kotp2p.wire.entries import ChatLine
from kotp2p.wire.frames import (
    LINK_DEAD_SECONDS,
    MAX_PART_BYTES,
    PING_SECONDS,
    Admitted,
    LogPart,
    Ping,
    Watch,
    Watched,
    WatchFrame,
    decode,
)
from tests.tools.vector_frames import all_frames

NOW = 1000.0
LONG = bytes(range(256)) * 2048
"""Bytes of a log, four times as many as may be on their way."""


FOUR = WatchOffer(4)
STRAYS = [
    frame
    for data in all_frames().values()
    if (frame := decode(bytes.fromhex(str(data))[4:])) is not None
    and not isinstance(frame, Ping | Watch)
]
"""What players, lobbies and sources send."""


def fed(offer: WatchOffer = FOUR, log: bytes = b"") -> Feeds:
    feeds = Feeds(offer)
    feeds.accept_link(7, NOW)
    feeds.append_log(log, NOW)
    feeds.take_effects()
    return feeds


def sent(effects: list[FeedEffect], link: int = 7) -> list[object]:
    return [e.frame for e in effects if isinstance(e, SendToWatcher) and e.link == link]


def is_cut(effects: list[FeedEffect], link: int = 7) -> bool:
    return CutWatcher(link) in effects


def hears(feeds: Feeds, *frames: WatchFrame | Ping, now: float = NOW) -> list[FeedEffect]:
    for frame in frames:
        feeds.receive_frame(7, frame, now)
    return feeds.take_effects()


def test_a_watcher_gets_the_log_in_parts_and_then_what_is_added() -> None:
    feeds = fed(log=b"abc" * 6000)
    first, *parts = sent(hears(feeds, Watch(0, b"")))
    assert first == Admitted(18_000, has_chat=False)
    assert parts == [
        LogPart(0, (b"abc" * 6000)[:MAX_PART_BYTES]),
        LogPart(MAX_PART_BYTES, (b"abc" * 6000)[MAX_PART_BYTES:]),
    ]
    feeds.append_log(b"xyz", NOW)
    assert sent(feeds.take_effects()) == [LogPart(18_000, b"xyz")]


def test_nobody_gets_anything_before_they_ask() -> None:
    feeds = fed(log=b"abc")
    feeds.append_log(b"xyz", NOW)
    assert sent(feeds.take_effects()) == []


def test_a_watcher_that_comes_back_gets_only_what_it_lacks() -> None:
    feeds = fed(log=b"abcdef")
    _admitted, part = sent(hears(feeds, Watch(4, hashlib.sha256(b"abcd").digest())))
    assert part == LogPart(4, b"ef")


@pytest.mark.parametrize("size", [4, 9])
def test_a_watcher_of_another_log_gets_all_of_this_one(size: int) -> None:
    feeds = fed(log=b"abcdef")
    _admitted, part = sent(hears(feeds, Watch(size, hashlib.sha256(b"?").digest())))
    assert part == LogPart(0, b"abcdef")


def test_no_more_is_on_its_way_than_a_watcher_has_room_for() -> None:
    feeds = fed(log=LONG)
    frames = sent(hears(feeds, Watch(0, b"")))
    on_the_way = sum(len(f.data) for f in frames if isinstance(f, LogPart))
    assert on_the_way == WINDOW_BYTES
    feeds.append_log(b"more", NOW)
    assert sent(feeds.take_effects()) == []  # it is behind already
    (part, *_others) = sent(hears(feeds, Watch(1000, b"")))
    assert part == LogPart(WINDOW_BYTES, LONG[WINDOW_BYTES:][:1000])


def test_a_watcher_that_reads_gets_to_the_end() -> None:
    feeds, got = fed(log=LONG), b""
    frames = sent(hears(feeds, Watch(0, b"")))
    while frames:
        for frame in frames:
            if isinstance(frame, LogPart):
                assert frame.offset == len(got)
                got += frame.data
        frames = sent(hears(feeds, Watch(len(got), b""))) if len(got) < len(LONG) else []
    assert got == LONG
    assert feeds.feeds[7].phase.state is FeedState.CURRENT


def test_a_watcher_that_reads_nothing_though_there_is_more_is_dropped() -> None:
    feeds = fed(log=LONG)
    hears(feeds, Watch(0, b""))
    for seconds in range(5, int(SLOW_SECONDS), 5):
        feeds.receive_frame(7, Ping(), NOW + seconds)
        feeds.tick(NOW + seconds)
        assert not is_cut(feeds.take_effects()), seconds
    feeds.receive_frame(7, Ping(), NOW + SLOW_SECONDS)
    feeds.tick(NOW + SLOW_SECONDS)
    assert is_cut(feeds.take_effects())


def test_a_watcher_with_nothing_to_read_may_wait_for_hours() -> None:
    feeds = fed(log=b"abc")
    hears(feeds, Watch(0, b""))
    for beat in range(1, 1000):
        feeds.receive_frame(7, Ping(), NOW + 5 * beat)
        feeds.tick(NOW + 5 * beat)
        assert not is_cut(feeds.take_effects())


def test_a_watcher_that_asks_for_nothing_is_dropped() -> None:
    feeds = fed()
    feeds.tick(NOW + 5)
    assert not is_cut(feeds.take_effects())
    feeds.receive_frame(7, Ping(), NOW + ASK_SECONDS)
    feeds.tick(NOW + ASK_SECONDS)
    assert is_cut(feeds.take_effects())


def test_a_silent_watcher_is_dropped() -> None:
    feeds = fed()
    hears(feeds, Watch(0, b""))
    for seconds in (2, 4, 6, 8, 10, 11.9, 12):
        feeds.tick(NOW + seconds)
        assert is_cut(feeds.take_effects()) == (seconds >= LINK_DEAD_SECONDS)


@pytest.mark.parametrize(
    "frame",
    [Watch(4, b""), Watch(0, b""), Watch(2, bytes(32)), *STRAYS],
    ids=lambda frame: type(frame).__name__,
)
def test_what_no_watcher_sends_costs_it_its_link_and_nothing_else(frame: WatchFrame) -> None:
    feeds = fed(log=b"abc")
    feeds.accept_link(8, NOW)
    hears(feeds, Watch(0, b""))
    effects = hears(feeds, frame)
    assert is_cut(effects)
    assert not is_cut(effects, 8)
    assert not [e for e in effects if isinstance(e, TellPlayers | ShowNotice)]


def test_watchers_hear_a_player_where_they_may_and_nowhere_else() -> None:
    line = ChatLine.sign(Signer(bytes(32)), bytes(32), 0, 1, "hello").signed
    for has_chat, heard in ((True, [line]), (False, [])):
        feeds = fed(WatchOffer(4, has_chat=has_chat))
        feeds.tell_watchers(line)
        assert sent(feeds.take_effects()) == heard


def test_a_keeper_without_its_files_reads_though_nobody_may_watch_and_is_not_counted() -> None:
    feeds = Feeds(WatchOffer(0, has_chat=True))
    feeds.append_log(LONG[:1000], NOW)
    feeds.accept_link(9, NOW, is_keeper=True)
    assert feeds.take_effects() == []
    feeds.receive_frame(9, Watch(0, b""), NOW)
    first, *parts = sent(feeds.take_effects(), 9)
    assert first == Admitted(1000, has_chat=True)
    assert b"".join(part.data for part in parts if isinstance(part, LogPart)) == LONG[:1000]
    line = ChatLine.sign(Signer(bytes(32)), bytes(32), 0, 1, "hello").signed
    feeds.tell_watchers(line)
    feeds.accept_link(7, NOW)
    assert feeds.take_effects() == [CutWatcher(7)]


def test_keepers_that_read_are_bounded_too() -> None:
    feeds = Feeds(WatchOffer(0))
    for link in range(MAX_RETURNING + 1):
        feeds.accept_link(link, NOW, is_keeper=True)
    assert feeds.take_effects() == [CutWatcher(MAX_RETURNING)]


def counts(effects: list[FeedEffect]) -> list[int]:
    return [
        e.notice.count
        for e in effects
        if isinstance(e, ShowNotice) and isinstance(e.notice, WatchersChanged)
    ]


def test_a_watcher_that_reads_slowly_and_steadily_stays() -> None:
    feeds = fed(log=LONG)
    hears(feeds, Watch(0, b""))
    for step in range(1, 5):
        now = NOW + step * (SLOW_SECONDS - 1)
        hears(feeds, Watch(step, b""), now=now)
        feeds.tick(now)
        assert not is_cut(feeds.take_effects())


def test_a_watcher_with_nothing_to_read_for_long_has_its_whole_time_for_what_comes() -> None:
    feeds = fed(log=b"abc")
    hears(feeds, Watch(0, b""))
    later = NOW + 10 * SLOW_SECONDS
    hears(feeds, Ping(), now=later)
    feeds.append_log(LONG, later)
    assert not is_cut(feeds.take_effects())
    for seconds, cut in ((SLOW_SECONDS - 1, False), (SLOW_SECONDS + PING_SECONDS, True)):
        hears(feeds, Ping(), now=later + seconds)
        feeds.tick(later + seconds)
        assert is_cut(feeds.take_effects()) is cut


def test_watchers_that_come_and_go_without_end_are_told_now_and_then() -> None:
    feeds, effects = Feeds(WatchOffer(4)), []
    for n in range(200):
        feeds.accept_link(n, NOW)
        feeds.lose_link(n, NOW)
        effects += feeds.take_effects()
    feeds.accept_link(200, NOW)
    effects += feeds.take_effects()
    assert len(counts(effects)) == NOTICES_AT_ONCE
    feeds.tick(NOW + 9)
    assert feeds.deadline == NOW + 10
    feeds.tick(NOW + 10)
    assert counts(feeds.take_effects()) == [1]  # the newest


def test_one_who_looks_and_goes_is_not_counted() -> None:
    feeds = Feeds(WatchOffer(4), bytearray(b"abc"))
    feeds.accept_link(1, NOW)
    feeds.lose_link(1, NOW + SETTLE_SECONDS / 2)
    assert feeds.deadline == inf
    feeds.tick(NOW + SETTLE_SECONDS)
    assert counts(feeds.take_effects()) == []
    feeds.accept_link(2, NOW + 10)
    feeds.tick(NOW + 10 + SETTLE_SECONDS - 0.1)
    assert counts(feeds.take_effects()) == []
    assert feeds.deadline == NOW + 10 + SETTLE_SECONDS
    feeds.tick(NOW + 10 + SETTLE_SECONDS)
    assert counts(feeds.take_effects()) == [1]


def test_those_that_watch_through_other_players_are_counted_too() -> None:
    feeds = fed()
    feeds.hear_player(3, Watched(4), NOW)
    effects = feeds.take_effects()
    assert counts(effects) == [5]
    assert not [e for e in effects if isinstance(e, TellPlayers)]  # they tell it themselves
    feeds.lose_player(3, NOW)
    assert counts(feeds.take_effects()) == [1]


def test_a_player_who_links_anew_hears_how_many_watch() -> None:
    feeds = fed()
    feeds.greet_player(12)
    assert feeds.take_effects() == [TellPlayers(Watched(1), 12)]
    feeds.hear_player(3, Watched(4), NOW)
    feeds.take_effects()
    feeds.greet_player(12)
    assert feeds.take_effects() == [TellPlayers(Watched(1), 12)]  # not those of others
    feeds.lose_player(3, NOW)
    feeds.lose_link(7, NOW)
    feeds.take_effects()
    feeds.greet_player(12)
    assert feeds.take_effects() == []


def test_one_more_than_may_watch_is_turned_away() -> None:
    feeds = Feeds(WatchOffer(1))
    feeds.accept_link(1, NOW)
    assert feeds.is_full
    feeds.take_effects()
    feeds.accept_link(2, NOW)
    assert feeds.take_effects() == [CutWatcher(2)]
