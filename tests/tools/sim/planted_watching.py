"""Bugs about watchers, planted on purpose; see `tests.tools.sim.planted`.

Each is shown by games in which little else happens than that they are watched.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from unittest.mock import patch

import trio

from kotp2p.peer.peer import Peer
from kotp2p.shell.inbox import Item
from kotp2p.shell.stage import Stage
from kotp2p.shell.table_loop import TableLoop
from kotp2p.shell.watcher_links import WatcherLinks
from kotp2p.watching.served_log import ServedLog
from kotp2p.watching.watcher import KeepBytes, Watcher
from kotp2p.wire.commitments import Stream, contribution
from kotp2p.wire.frames import Frame
from kotp2p.wire.frames_watch import LogPart
from tests.tools.sim.hostile_watchers import HALF_OPEN, READS_NOTHING
from tests.tools.sim.life import CURRENT
from tests.tools.sim.mix import Mix, mix
from tests.tools.sim.planted import Bug
from tests.tools.sim.watchers import Kind

WATCH_BUGS: dict[str, Bug] = {}


def watched_mix(seed: int) -> Mix:
    """A game in which nothing else happens than that it is watched, also by some who read
    nothing."""
    some = mix(seed)
    return replace(
        some,
        players=3,
        bots=0,
        rules="short-second",
        level="easy",
        weights=dict.fromkeys(some.weights, 0.0),
        leavers=(),
        lost=None,
        breaks=False,
        watchers=(Kind.FOLLOWS, READS_NOTHING, HALF_OPEN),
    )


def restored_mix(seed: int) -> Mix:
    """The same, and older copies of disks are restored."""
    calm = watched_mix(seed)
    weights = {**calm.weights, "older copy": 1.0}
    watchers = (Kind.FOLLOWS, Kind.FOLLOWS)
    return replace(calm, weights=weights, every=5.0, lasting=400.0, watchers=watchers)


def lied_to_mix(seed: int) -> Mix:
    """The host plays by the rules, and sends its watchers another log."""
    return replace(watched_mix(seed), cheats={0: ()}, watchers=(Kind.FOLLOWS, Kind.FOLLOWS))


def bug(
    words: str,
    *caught_by: str,
    of_seed: Callable[[int], Mix] = watched_mix,
    seeds: tuple[int, ...] = (),
) -> Callable[
    [Callable[[], AbstractContextManager[object]]], Callable[[], AbstractContextManager[object]]
]:  # fmt: skip
    def add(
        plant: Callable[[], AbstractContextManager[object]],
    ) -> Callable[[], AbstractContextManager[object]]:
        WATCH_BUGS[plant.__name__] = Bug(words, plant, frozenset(caught_by), seeds, of_seed)
        return plant

    return add


@bug("a watcher is sent the contribution to the next roll", "I6")
def sends_a_secret() -> AbstractContextManager[object]:
    send = WatcherLinks._send

    def sends(links: WatcherLinks, number: int, frame: Frame) -> None:
        life = CURRENT.get()
        if isinstance(frame, LogPart) and life is not None and life.peers:
            peer: Peer = life.peers[0]
            slot = peer.ledger.chain.slots.next_slot[Stream.DICE]
            table = peer.genesis.charter.table
            secret = contribution(peer.seed, table, Stream.DICE, slot)
            send(links, number, LogPart(frame.offset, secret))
        send(links, number, frame)

    return patch.object(WatcherLinks, "_send", sends)


@bug("a host waits until its watchers have read", "W6")
def waits_for_watchers() -> AbstractContextManager[object]:
    feed = TableLoop._feed_batch

    async def feeds(loop: TableLoop, stage: Stage, items: list[Item]) -> Stage:
        found = await feed(loop, stage, items)
        links = loop.connections.links
        while any(link.is_watcher and link._queued_bytes for link in links.values()):
            await trio.sleep(0.1)
        return found

    return patch.object(TableLoop, "_feed_batch", feeds)


@bug(
    "only the length is asked of what a watcher has",
    "W1",
    "W2",
    "W5",
    of_seed=restored_mix,
    seeds=(4,),
)
def trusts_the_length() -> AbstractContextManager[object]:
    return patch.object(ServedLog, "begins_with", lambda log, size, digest: size <= log.size)


@bug("a watcher keeps what it has not checked", "W1", of_seed=lied_to_mix, seeds=(2,))
def keeps_unchecked() -> AbstractContextManager[object]:
    def keep(watcher: Watcher) -> None:
        size = len(watcher._log)
        if size > watcher._kept:
            watcher._effects.append(KeepBytes(watcher._kept, bytes(watcher._log[watcher._kept :])))
            watcher._kept = size

    return patch.object(Watcher, "_keep_bytes", keep)
