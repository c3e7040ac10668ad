"""Watching under fuzz: a source that sends any log in any pieces, and watchers that send anything.

A watcher shows what is right, and comes to the verdict of `verify`. A source raises nothing, and
never has more on the way to a watcher than it may.
"""

import random

from kotp2p.cli.ui.notice_feed import Audience, NoticeFeed
from kotp2p.extras.watching.watcher import EndWatching, KeepBytes, Watcher
from kotp2p.game.verify import Report, Result, verify_log
from kotp2p.mesh.feeds import WINDOW_BYTES, CutWatcher, Feeds, SendToWatcher
from kotp2p.mesh.gossip import ShowNotice
from kotp2p.seams.commands import WatchOffer
from kotp2p.seams.endings import EndKind
from kotp2p.wire.frames import MAX_PART_BYTES, Admitted, LogPart, Watch, decode, encode
from kotp2p.wire.records import HEAD_BYTES
from tests.tools.fuzz import errors, seeds
from tests.tools.fuzz.logs import Logs, signatures_taken_for_good
from tests.tools.fuzz.mutate import Mutator


def watched(chance: random.Random, count: int) -> int:
    """Changed logs in pieces, and between them frames that no source sends."""
    logs, frames = Logs(seeds.logs(), chance), Mutator(seeds.frames(), chance)
    good = 0
    for n in range(count):
        which = int(chance.random() ** 1.5 * len(logs._logs))
        if n % 3 == 0:
            good += follow(logs.bytes_changed(logs._logs[which]), chance, frames)
        elif n % 3 == 1:
            good += follow(logs.records_changed(which), chance, frames)
        else:
            with signatures_taken_for_good():
                good += follow(logs.body_changed(which), chance, frames)
        feed(chance, frames)
    return good


def follow(data: bytes, chance: random.Random, frames: Mutator) -> bool:
    """Whether the watcher found nothing wrong. All that it is shown has words."""
    watcher, teller = Watcher(from_start=chance.random() < 0.5), NoticeFeed(WATCHES)
    watcher.link_up(0)
    watcher.receive_frame(Admitted(int(chance.random() * len(data)), chance.random() < 0.5), 0)
    kept, at, ended = b"", 0, None
    while at < len(data) and not watcher.is_over:
        part = data[at : at + 1 + int(chance.random() * MAX_PART_BYTES)]
        watcher.receive_frame(LogPart(at, part[:MAX_PART_BYTES]), 0)
        at += len(part[:MAX_PART_BYTES])
        is_read = True
        while is_read:
            is_read = watcher.read_on()
            for effect in watcher.take_effects():
                match effect:
                    case ShowNotice(notice=notice):
                        teller.tell_notice(notice)
                    case KeepBytes(data=more):
                        kept += more
                    case EndWatching(kind=kind):
                        ended = kind
                    case _:  # what it sends
                        pass
    compare(verify_log(data), ended, kept, data)
    return ended is not EndKind.WRONG_LOG


def compare(report: Report, ended: EndKind | None, kept: bytes, data: bytes) -> None:
    assert data.startswith(kept)
    match report.result:
        case Result.SOUND:
            assert ended is EndKind.FINISHED
        case Result.WRONG:
            assert ended in (EndKind.WRONG_LOG, EndKind.FINISHED, None)
            assert report.wrong_at is not None
            assert len(kept) <= report.wrong_at.offset or ended is EndKind.FINISHED
        case Result.UNFINISHED:
            assert ended in (None, EndKind.WRONG_LOG)  # a long torn tail is waited for no longer
        case Result.UNREADABLE:
            assert ended is EndKind.WRONG_LOG or len(data) < HEAD_BYTES
            assert kept == b""


def feed(chance: random.Random, frames: Mutator) -> None:
    feeds, now = Feeds(WatchOffer(4, has_chat=chance.random() < 0.5)), 0.0
    for link in range(5):
        feeds.accept_link(link, now)
    for _ in range(40):
        now += chance.random() * 3
        roll, link = chance.random(), int(chance.random() * 6)
        if roll < 0.4:
            feeds.receive_frame(link, Watch(int(chance.random() * 300_000), b""), now)
        elif roll < 0.6:
            feeds.append_log(bytes(int(chance.random() * 60_000)), now)
        elif roll < 0.65:
            feeds.lose_link(link, now)
        elif roll < 0.7:
            feeds.tick(now)
        else:
            try:
                frame = decode(frames.next())
            except errors.DECODING:
                continue
            if frame is not None:
                feeds.receive_frame(link, frame, now)
        for effect in feeds.take_effects():
            if isinstance(effect, SendToWatcher):
                encode(effect.frame)
            elif isinstance(effect, CutWatcher):
                feeds.lose_link(effect.link, now)
        assert all(one.sent - one.read <= WINDOW_BYTES for one in feeds.feeds.values())


WATCHES = Audience(answers=False)
