"""Random walks of a table, wild and then fair."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from tests.tools.lineup_model.hostile import Coalition
from tests.tools.lineup_model.laws import Violation
from tests.tools.lineup_model.world import Running, Table, World

FAIR = 5400.0
"""Seconds of the fair part after which the game has to be at its end."""
RETURN = 1200.0
HOPELESS = 200.0
"""Seconds after which a walk ends in which the honest ones that are there are too few."""


@dataclass
class Tally:
    walks: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    violations: list[tuple[int, Table, str]] = field(default_factory=list)


def table_of(seed: int) -> Table:
    """Draw a table: 2 to 6 seats, 0 to all but one hostile, a quarter with copies of folders."""
    r = Random(f"table {seed}")
    seats = r.randint(2, 6)
    bots = r.randint(0, seats - 2) if r.random() < 0.2 else 0
    keepers = seats - bots
    hostile = r.randint(0, keepers - 1) if r.random() < 0.5 else r.randint(0, (keepers - 1) // 2)
    return Table(keepers, hostile, bots, seed % 4 == 3, r.randint(3, 8))


def walk(seed: int, table: Table | None = None) -> World:
    """Walk once. A law that does not hold raises a Violation."""
    world = World(seed, table or table_of(seed))
    coalition = Coalition(world) if world.bad else None
    for running in world.running:
        world.act(running)
    be_wild(world, coalition)
    be_fair(world, coalition)
    return world


def be_wild(world: World, coalition: Coalition | None) -> None:
    r = world.random
    end = r.choice((20.0, 60.0, 120.0))
    while world.now < end and not world.is_over():
        world.run_until(min(end, world.now + r.random() * 2.0), coalition, 0.2)
        fault(world, r.choice(world.running))
        world.laws.check()


def _whim(world: World, running: Running) -> None:
    r, p = world.random, running.process
    some = {k for k in sorted(p.lineup.members) if r.random() < 0.4}
    p.patience.whim = some if r.random() < 0.6 else set()


def _wishes_the_late_away(world: World, running: Running) -> None:
    running.process.patience.whim = set(running.process.line.owing()) - {running.process.me}


def _sleeps(world: World, running: Running) -> None:
    running.asleep = True


def _wakes(world: World, running: Running) -> None:
    world.wake(running)


def _restarts(world: World, running: Running) -> None:
    world.restart(running)


def _parts(world: World, running: Running) -> None:
    if not world.side and len(world.good) > 1:
        world.part()


def _heals(world: World, running: Running) -> None:
    world.heal()


def _is_copied(world: World, running: Running) -> None:
    if world.table.copies and len(world.old) < 2:
        world.keep_copy(running)


def _copy_begins(world: World, running: Running) -> None:
    if world.old:
        world.begin_copy()


def _is_gone(world: World, running: Running) -> None:
    if sum(q.here for q in world.running) > 2:
        running.gone = True
        world.laws.count("gone for good")


def _leaves(world: World, running: Running) -> None:
    world.leave(running)


def _refuses(world: World, running: Running) -> None:
    """A player refuses some who want to come back."""
    p = running.process
    p.patience.refused |= {h for h in p.book.heres.items() if world.random.random() < 0.5}


FAULTS: tuple[tuple[Callable[[World, Running], None] | None, int], ...] = (
    (_whim, 60), (_wishes_the_late_away, 40), (_sleeps, 12), (_wakes, 16), (_restarts, 8),
    (_parts, 8), (_heals, 8), (_is_copied, 8), (_copy_begins, 8), (_is_gone, 1), (_leaves, 1),
    (_refuses, 10), (None, 20),
)  # fmt: skip


def fault(world: World, running: Running) -> None:
    """Let something happen to a process, its player or its links."""
    kinds, weights = zip(*FAULTS, strict=True)
    kind = world.random.choices(kinds, weights)[0]
    if kind is not None:
        kind(world, running)
    world.act(running)


def be_fair(world: World, coalition: Coalition | None) -> None:
    world.wild, world.fair_at = False, world.now
    world.heal()
    for running in world.running:
        p = running.process
        p.patience.whim.clear()
        p.patience.refused.clear()
        world.wake(running)
    mute = [p for p in world.honest() if p.patience.answers_after > 100]
    # It goes along only where all others that are there agree, so beside a hostile one it must not
    # be needed for most, unless that one is the only one to be put out.
    here = {p.me for p in world.honest()}
    may = len(world.bad) + len(world.good) - len(here) < 2 or not world.bad
    may = may or 2 * (len(here) - 1) > world.table.keepers
    for p in mute[may and len(mute) < len(world.honest()) :]:  # one alone, where others answer
        p.patience.answers_after = 2.0
    world.exchange(words=True)
    end = world.now + FAIR
    hope = world.now
    while world.now < min(end, hope + HOPELESS) and not world.is_over() and world.honest():
        world.run_until(min(end, world.now + 20.0), coalition, 1.0)
        world.laws.check()
        world.laws.watch_returns(RETURN)
        world.exchange()
        if world.laws.could_go_on():
            hope = world.now


def walk_all(seeds: range, tally: Tally, stop_after: int = 10) -> Tally:
    for seed in seeds:
        table = table_of(seed)
        tally.walks += 1
        world = World(seed, table)
        try:
            world = walk(seed, table)
            tally.ends[world.laws.finish()] += 1
        except Violation as violation:
            tally.violations.append((seed, table, str(violation)))
            if len(tally.violations) >= stop_after:
                break
            continue
        tally.counts.update(world.laws.counts)
    return tally
