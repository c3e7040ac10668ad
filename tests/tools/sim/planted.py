"""Bugs planted on purpose: each is one line that a tired hand could write in the product.

A simulation that cannot fail proves nothing. Each of these must be caught within some dozens of
seeds, and the same seeds must pass without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import PurePath
from unittest.mock import patch

import trio

from kotp2p.game.slots import GatherPlan, Slots
from kotp2p.membership.closing import GameClosing
from kotp2p.membership.presence import Presence
from kotp2p.membership.punctuality import Punctuality
from kotp2p.membership.rejoin import Rejoin
from kotp2p.mesh.gossip import Gossip
from kotp2p.mesh.reachability import Reachability
from kotp2p.net import connections
from kotp2p.peer.peer import Peer
from kotp2p.store import saved_bots, saved_game
from kotp2p.store.saved_game import SavedGame
from kotp2p.wire.commitments import Stream, contribution
from kotp2p.wire.crypto import Signer
from kotp2p.wire.entries import Head, Opening, Signed
from kotp2p.wire.genesis import Clocks
from kotp2p.world import FileTrouble, World
from referee.model.answers import Seat
from referee.model.decisions import Chance
from tests.tools.sim.disk import LifeDisk, SimLog
from tests.tools.sim.mix import Mix, mix
from tests.tools.sim.planted_votes import VOTE_BUGS


@dataclass(frozen=True, slots=True)
class Bug:
    words: str
    plant: Callable[[], AbstractContextManager[object]]
    caught_by: frozenset[str]
    """Invariants of which at least one must break."""
    seeds: tuple[int, ...] = ()
    """Games that are known to show it, and to be harmless without it; they are played first."""
    of_seed: Callable[[int], Mix] = mix
    """The game of a seed in which it is looked for."""


BUGS: dict[str, Bug] = {}


def bug(
    words: str, *caught_by: str, of_seed: Callable[[int], Mix] = mix, seeds: tuple[int, ...] = ()
) -> Callable[
    [Callable[[], AbstractContextManager[object]]], Callable[[], AbstractContextManager[object]]
]:  # fmt: skip
    def add(
        plant: Callable[[], AbstractContextManager[object]],
    ) -> Callable[[], AbstractContextManager[object]]:
        BUGS[plant.__name__] = Bug(words, plant, frozenset(caught_by), seeds, of_seed)
        return plant

    return add


@bug("an append returns before it is on disk", "I8", "I4", "I2", "I1")
def sends_before_sync() -> AbstractContextManager[object]:
    async def append(log: SimLog, data: bytes) -> None:
        log.life.check()
        log.disk.tap.written(log.life, log.path, data)
        log.disk.pending[log.path] = log.disk.pending.get(log.path, b"") + data
        trio.lowlevel.spawn_system_task(sync, log)

    async def sync(log: SimLog) -> None:
        await trio.sleep(log.disk.sync_time)
        if log.life.alive and log.path in log.disk.pending:
            log._done(b"")

    return patch.object(SimLog, "append", append)


@bug("a game that is resumed has another seed", "I2", "I10", "I17", seeds=(46,))
def seed_is_forgotten() -> AbstractContextManager[object]:
    load = saved_game.load_game

    def forgetful(
        world: World, folder: PurePath, signer: Signer, *, was_elsewhere: bool
    ) -> SavedGame | None:
        found = load(world, folder, signer, was_elsewhere=was_elsewhere)
        return replace(found, seed=world.entropy(32)) if found is not None else None

    return patch.object(saved_bots, "load_game", forgetful)


@bug("a heartbeat carries the contribution to the next roll", "I6")
def opens_too_early() -> AbstractContextManager[object]:
    seeds: dict[Signer, bytes] = {}
    sit = Peer.__post_init__

    def seated(peer: Peer) -> None:
        seeds[peer.signer] = peer.seed
        sit(peer)

    def sign_head(presence: Presence) -> Signed:
        ledger, signer = presence.ledger, presence.voting.signer
        slot = ledger.chain.slots.next_slot[Stream.DICE]
        table = ledger.genesis.charter.table
        shown = contribution(seeds[signer], table, Stream.DICE, slot)
        head = Head(presence.own.seat, ledger.view, ledger.height, shown)
        return head.sign(signer, ledger.genesis.id)

    @contextmanager
    def planted() -> Iterator[None]:
        with (
            patch.object(Peer, "__post_init__", seated),
            patch.object(Presence, "sign_head", sign_head),
        ):
            yield

    return planted()


@bug("a torn tail is left in place when a game is resumed", "I4", seeds=(28,))
def torn_tail_stays() -> AbstractContextManager[object]:
    reopen = LifeDisk.reopen_log

    async def reopen_log(disk: LifeDisk, path: PurePath, size: int) -> object:
        return await reopen(disk, path, len(disk.disk.files[path]))

    return patch.object(LifeDisk, "reopen_log", reopen_log)


@bug("after a restart a seat decides before it has heard the others", "I7", "I2", "I1", seeds=(21,))
def decides_at_once() -> AbstractContextManager[object]:
    return patch.object(Rejoin, "may_sign", lambda rejoin, place, now: True)


@bug("nobody is sent what he lacks", "I5", seeds=(28,))
def serves_nobody() -> AbstractContextManager[object]:
    return patch.object(Gossip, "serve_request", lambda gossip, source, height, now: False)


@bug("the lock of a game is not taken", "I7", "I9", "I4", "I8", "I1", seeds=(79, 148, 90))
def lock_is_ignored() -> AbstractContextManager[object]:
    return patch.object(LifeDisk, "lock", lambda disk, path: True)


@bug("a roll hashes the contributions as they came, not by seat", "I1", "I2")
def dice_by_arrival() -> AbstractContextManager[object]:
    draw = Slots.draw_outcome

    def by_arrival(
        slots: Slots, plan: GatherPlan, head: bytes, parts: dict[Seat, Opening], chance: Chance
    ) -> tuple[int, ...]:
        with patch("kotp2p.game.slots.sorted", list, create=True):
            return draw(slots, plan, head, parts, chance)

    return patch.object(Slots, "draw_outcome", by_arrival)


@bug("who is gone is never noticed", "I5", seeds=(7,))
def silence_is_patience() -> AbstractContextManager[object]:
    return patch.object(Reachability, "find_gone_seats", lambda links, seats, now: {})


@bug("what a stranger sends is nobody's to catch", "I10")
def stranger_kills() -> AbstractContextManager[object]:
    class Nothing(Exception):
        pass

    return patch.object(connections, "LinkFault", Nothing)


@bug("a failed write is tried no more and told nobody", "I4", "I8", seeds=(20,))
def full_disk_is_ignored() -> AbstractContextManager[object]:
    append = SimLog.append

    async def ignores(log: SimLog, data: bytes) -> None:
        with suppress(FileTrouble):
            await append(log, data)

    return patch.object(SimLog, "append", ignores)


def sleepers(seed: int) -> Mix:
    """Processes sleep for so long that the others vote, as they always do."""
    some = mix(seed)
    return replace(
        some,
        players=3,
        bots=0,
        rules="short-second",
        level="easy",
        latency=0.04,
        thinking=3.0,
        every=10.0,
        lasting=400.0,
        weights={**dict.fromkeys(some.weights, 0.0), "freeze": 1.0},
        leavers=(),
        hasty=(0, 1, 2),
        lost=None,
        breaks=False,
        clocks=Clocks(20, 10),
    )


@bug(
    "a process that slept takes the voters for heard all the time",
    "I19", of_seed=sleepers, seeds=(71,),
)  # fmt: skip
def sleep_is_forgotten() -> AbstractContextManager[object]:
    return patch.object(Punctuality, "_was_heard", lambda punctuality, voter, began: True)


@bug("a log that lacks a block is refused", "I4", "I5", "I10", seeds=(8,))
def refuses_lost_blocks() -> AbstractContextManager[object]:
    return patch.object(saved_game, "cut_lost_blocks", lambda data: data)


@bug("the time to sign an end stays over", "I24", seeds=(23,))
def end_stays_due() -> AbstractContextManager[object]:
    return patch.object(GameClosing, "_note_time", lambda _closing, _now: None)


@bug("a die has seven sides, and the seventh counts as the first", "I11")
def crooked_dice() -> AbstractContextManager[object]:
    @contextmanager
    def crooked() -> Iterator[None]:
        with patch(
            "kotp2p.wire.commitments._next_below", lambda numbers, size: next(numbers) % 7 % size
        ):
            yield

    return crooked()


for _name in ("votes_at_once", "words_are_not_waited_for"):
    _found = VOTE_BUGS[_name]
    BUGS[_name] = Bug(_found.words, _found.plant, frozenset({"I15"}), (4,))
