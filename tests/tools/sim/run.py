"""Runs one seed, the same way every time.

Law: everything that could differ between two runs is fixed here: trio's batches, its order of
tasks, the clock. The names of trio are private; if they are gone this fails loudly.
"""

from __future__ import annotations

import functools
import gc
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, MutableSequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from random import Random
from typing import Any
from unittest.mock import patch

import trio
import trio._core._run as scheduler

from cli.system.garbage import search_rarely
from kotp2p.net import handshake
from kotp2p.peer.peer import Peer
from kotp2p.shell import bot_runner, game_start
from kotp2p.shell.game_stage import GameStage
from kotp2p.shell.inbox import Item
from kotp2p.shell.stage import Stage
from kotp2p.shell.table_loop import TableLoop
from kotp2p.wire import crypto, entries, genesis
from tests.tools.sim.adjourning_law import watched_adjourning
from tests.tools.sim.cheat_game import CheatGame
from tests.tools.sim.clock import SimClock
from tests.tools.sim.game import SimGame
from tests.tools.sim.invariants import Violation
from tests.tools.sim.life import CURRENT
from tests.tools.sim.lying_hosts import lying
from tests.tools.sim.mix import Mix, mix
from tests.tools.sim.rules import looking, short_rules
from tests.tools.sim.trace import Trace
from tests.tools.sim.vote_watch import watched_votes
from tests.tools.sim.watch_laws import watched_watching


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one seed came to."""

    seed: int
    digest: str
    virtual: float
    violations: tuple[Violation, ...]
    faults: Counter[str]
    reached: Counter[str]
    rolled: Counter[int]
    deepest: Counter[str]
    notes: int
    shown: str
    """A digest of what the players were shown, and when; but for what they hear of watchers."""
    lines: tuple[str, ...] = field(repr=False, default=())
    files: tuple[bytes, ...] = field(repr=False, default=())
    """The logs and the evidence on all disks, each once, if the caller wants them."""


IO_MANAGER: Any = vars(scheduler)["TheIOManager"]


def polling_when_idle(clock: SimClock) -> Callable[[object, float], object]:
    """What comes from the system, which is asked only if nothing else is to be done."""
    poll = IO_MANAGER.get_events

    def poll_when_idle(manager: object, timeout: float) -> object:
        clock.note_round()
        return poll(manager, timeout) if timeout else []

    return poll_when_idle


def busy_tasks() -> str:
    """The tasks that run next, and whose they are."""
    tasks = scheduler.GLOBAL_RUN_CONTEXT.runner.runq
    lives = ((task, task.context.get(CURRENT)) for task in tasks)
    return ", ".join(f"{task.name} of {life.name if life else 'nobody'}" for task, life in lives)


class InOrder(Random):
    """In place of trio's chance: tasks run in the order in which they were begun. So others of a
    watcher between them change nothing, and two games can be compared."""

    def shuffle(self, x: MutableSequence[Any]) -> None:
        pass


def run_deterministically(
    main: Callable[[], Awaitable[None]], seed: object, clock: SimClock, in_order: bool = False
) -> None:
    """Trio's own `MockClock` would wait here for ever: it jumps on an event that is not asked
    for."""
    assert hasattr(scheduler, "_ALLOW_DETERMINISTIC_SCHEDULING"), "trio has changed"
    with (
        patch.object(scheduler, "_ALLOW_DETERMINISTIC_SCHEDULING", True),
        patch.object(scheduler, "_r", (InOrder if in_order else Random)(f"scheduler {seed}")),
        patch.object(IO_MANAGER, "get_events", polling_when_idle(clock)),
    ):
        trio.run(main, clock=clock)


LOG_MAGIC, EVIDENCE_MAGIC = b"kotp2plg", b"kotp2pev"
PEER_MAKERS = (game_start, bot_runner)
"""Modules that make the peer of a resumed game, and of a bot."""


@contextmanager
def watched(game: SimGame) -> Iterator[None]:
    """The product tells the game what its peers do; it does the same without."""
    begin, items = Peer.begin, TableLoop._next_items
    since: dict[int, tuple[int, int]] = {}

    def begins(peer: Peer, now: float) -> None:
        life = CURRENT.get()
        assert life is not None
        game.sits(life, peer)
        since[id(peer)] = (0, 0)
        begin(peer, now)

    async def next_items(loop: TableLoop, stage: Stage) -> list[Item]:
        life = CURRENT.get()
        assert life is not None
        life.check()
        if isinstance(stage, GameStage):  # all that its peer wanted done is done
            peer = stage.peer
            since[id(peer)] = game.invariants.i1_agreement(life, peer, since[id(peer)])
        found = await items(loop, stage)
        await life.runs()
        game.invariants.i9_bounded(life, loop)
        return found

    def is_honest(peer: Peer) -> bool:
        life = CURRENT.get()
        assert life is not None
        return game.invariants.watches_votes(life)

    with ExitStack() as stack:
        stack.enter_context(patch.object(Peer, "begin", begins))
        stack.enter_context(patch.object(TableLoop, "_next_items", next_items))
        for module in PEER_MAKERS:
            stack.enter_context(patch.object(module, "Peer", game.peer))
        stack.enter_context(watched_votes(game.invariants.votes, is_honest))
        stack.enter_context(watched_adjourning(game))
        stack.enter_context(watched_watching(game))
        yield


VERIFIERS = (entries, genesis, handshake)
"""Modules that check signatures."""
checked_once = functools.lru_cache(100_000)(crypto.is_valid_signature)
"""One signature is checked by all peers of a table, here in one process: it is right or wrong for
all of them."""


@contextmanager
def quick_signatures(is_valid: Callable[..., bool] = checked_once) -> Iterator[None]:
    with ExitStack() as stack:
        for module in VERIFIERS:
            stack.enter_context(patch.object(module, "is_valid_signature", is_valid))
        yield


@contextmanager
def own_signatures_unchecked() -> Iterator[None]:
    """Within, what a signer of this process has made is not checked at all: it is right for its
    key, tag and body."""
    made, sign = set[tuple[bytes, crypto.Tag, bytes, bytes]](), crypto.Signer.sign

    def signs(signer: crypto.Signer, tag: crypto.Tag, body: bytes) -> bytes:
        signature = sign(signer, tag, body)
        made.add((signer.key, tag, body, signature))
        return signature

    def is_valid(key: bytes, tag: crypto.Tag, body: bytes, signature: bytes) -> bool:
        known = (key, tag, body, signature) in made
        return known or checked_once(key, tag, body, signature)

    with patch.object(crypto.Signer, "sign", signs), quick_signatures(is_valid):
        yield


@contextmanager
def garbage_sought_rarely() -> Iterator[None]:
    """Within, Python searches for garbage at the pace of the program. Of the many objects of a game
    nearly all are freed without the search."""
    usual = gc.get_threshold()
    search_rarely()
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def simulate(
    seed: int | Mix,
    in_words: bool = False,
    planted: AbstractContextManager[object] | None = None,
    with_files: bool = False,
    in_order: bool = False,
) -> Outcome:
    """One game under the faults of its seed. `in_order`: what the players are shown is the same
    whether the game is watched or not."""
    what = mix(seed) if isinstance(seed, int) else seed
    clock = SimClock()
    trace = Trace(in_words)
    games: list[SimGame] = []
    ended: list[float] = []

    async def main() -> None:
        game = (CheatGame if what.cheats else SimGame)(what, clock, trace)
        games.append(game)
        clock.at_standstill = lambda: game.invariants.i24_moves_on(busy_tasks())
        with watched(game), lying(game):
            await game.run()
        ended.append(trio.current_time())
        trace.note("over", len(game.invariants.violations))

    looks = looking() if what.looks else nullcontext()
    with (
        garbage_sought_rarely(),
        short_rules(),
        own_signatures_unchecked(),
        looks,
        planted or nullcontext(),
    ):
        run_deterministically(main, what.seed, clock, in_order)
    found = games[0].invariants
    return Outcome(
        what.seed,
        trace.digest(),
        ended[0],
        tuple(found.violations),
        trace.faults,
        trace.reached,
        found.rolled,
        found.deepest,
        trace.notes,
        trace.shown.hexdigest(),
        tuple(trace.lines),
        tuple(files_of(games[0])) if with_files else (),
    )


def files_of(game: SimGame) -> list[bytes]:
    """Of one content the first only: the same log lies on several disks."""
    every = [data for machine in game.machines for data in machine.disk.files.values()]
    return [*dict.fromkeys(data for data in every if data[:8] in (LOG_MAGIC, EVIDENCE_MAGIC))]
