"""What a seed does to its table: who plays what, and which faults strike how often.

Each seed draws its own weight for each kind, many of them zero: a game in which everything
happens at once hides what two faults do together.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from kotp2p.wire.genesis import Clocks

FULL_GAME_EVERY = 50

SECOND_PROCESS = "second process"  # a copy of a player's folder is played on another machine
FAULTS = (
    "kill",  # the process dies, the system says so to the others
    "power",  # the machine dies: half-open links, torn writes
    "kill while syncing",
    "power while syncing",
    "power while sending",
    "drop",  # a connection is reset
    "half-open",  # a connection swallows everything
    "clog",  # one direction of one pair stands still
    "one-way",  # nothing reaches one machine
    "partition",  # two groups do not hear each other
    "swizzle",  # pairs are cut one by one and mended in another order
    "slow reader",
    "freeze",  # the lid of a laptop
    "skew",  # all clocks jump ahead
    "slow disk",
    "disk full",
    "older copy",  # power, and a backup is restored
    "second start",  # the command typed twice
    "stranger",  # bytes from somebody who is no player
    SECOND_PROCESS,
)


@dataclass(frozen=True, slots=True)
class Mix:
    seed: int
    players: int
    bots: int
    rules: str
    level: str
    latency: float
    thinking: float
    every: float
    """Mean seconds between two faults."""
    lasting: float
    """Seconds of the fault phase."""
    weights: dict[str, float] = field(default_factory=dict)
    leavers: tuple[int, ...] = ()
    """Machines whose person leaves for good, and says so."""
    hasty: tuple[int, ...] = ()
    """Machines whose person votes to go on without who is absent; the others wait."""
    lost: int | None = None
    """The machine that breaks in this game and never comes back."""
    breaks: bool = False
    """People stop for the day now and then, and pause."""
    clocks: Clocks = field(default_factory=Clocks)
    cheats: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Machines that cheat, and their tricks."""
    host_lies: tuple[str, ...] = ()
    """The lies of the host in the lobby (`tests.tools.sim.lying_hosts`)."""
    looks: bool = False
    """Two monsters may look at the top card from the start on, and do."""
    watchers: tuple[str, ...] = ()
    """Those who only watch, by what they do (`tests.tools.sim.watchers`)."""


def mix(seed: int) -> Mix:
    chance = Random(f"mix {seed}")
    full = seed % FULL_GAME_EVERY == FULL_GAME_EVERY - 1
    players = chance.choice((2, 2, 3, 3, 3, 4, 4, 5, 6))
    name = chance.choice(("classic", "second", "dark"))
    bots = chance.randint(1, players - 2) if players > 2 and chance.random() < 0.15 else 0
    how_often = (0.0, 0.0, 0.3, 1.0)
    weights = {kind: chance.choice(how_often) for kind in FAULTS if kind != SECOND_PROCESS}
    # By chance of its own: a seed without it still means what it meant before there was this fault.
    weights[SECOND_PROCESS] = Random(f"second process {seed}").choice(how_often)
    machines = range(players - bots)
    leavers = [n for n in machines if chance.random() < 0.06]
    mood = chance.choice(("patient", "patient", "mixed", "hasty", "lost"))
    haste = {"patient": 0.0, "mixed": 0.5}.get(mood, 1.0)
    lost = chance.choice(machines) if mood == "lost" and len(machines) > 1 else None
    return Mix(
        seed=seed,
        players=players,
        bots=bots,
        rules=name if full else f"short-{name}",
        level="normal" if full else "easy",
        latency=chance.choice((0.005, 0.04, 0.2)),
        thinking=chance.choice((0.2, 0.8, 2.0)),
        every=chance.uniform(2.0, 15.0),
        lasting=chance.uniform(20.0, 80.0) * (2 if full else 1) * (4 if haste else 1),
        weights=weights,
        leavers=tuple(n for n in leavers if n != lost),
        hasty=tuple(n for n in machines if chance.random() < haste),
        lost=lost,
        breaks=chance.random() < 0.15,
        clocks=chance.choice((Clocks(), Clocks(20, 10), Clocks(0, 0))),
    )
