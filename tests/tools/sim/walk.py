"""One walk: a game of real peers in virtual time, under the faults of its seed.

Scope: what a seed does to its table, the two phases of a walk, and what it came to.
"""

import functools
import itertools
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from random import Random
from unittest.mock import patch

from kotp2p.referee.model.answers import Seat
from kotp2p.wire import crypto, entries
from kotp2p.wire.genesis import Clocks
from tests.tools.sim.mesh import Mesh, Pair, WrongOwnLog, log_bytes
from tests.tools.sim.people import People, Person
from tests.tools.sim.promises import Law, Promises, Violation
from tests.tools.sim.rules import looking, short_tables
from tests.tools.sim.signed_table import sign_table
from tests.tools.sim.tricks import TRICKS, Trickster
from tests.tools.sim.weather import FAULTS, Weather

STANDSTILL_SECONDS = 1500.0
"""Once all is mended, a game that does not go on for this long stands still for good."""
PLANTED_STANDSTILL_SECONDS = 400.0
"""The same for a planted bug. Without the bugs no walk of their seeds stands still for so long."""
MOST_SECONDS = 20_000.0
FULL_GAME_EVERY = 40


@dataclass(frozen=True, slots=True)
class Mix:
    """What a seed does to its table."""

    seed: int
    seats: int
    keepers: int
    rules: str
    latency: float
    every: float
    lasting: float
    """Seconds of the phase of faults."""
    weights: dict[str, float]
    persons: tuple[Person, ...]
    bots: tuple[Seat, ...] = ()
    clocks: Clocks = field(default_factory=Clocks)
    apart: frozenset[Pair] = frozenset()
    looks: bool = False
    tricks: dict[Seat, tuple[str, ...]] = field(default_factory=dict)
    """Keepers that cheat, and how."""


def mix(seed: int) -> Mix:
    chance = Random(f"mix {seed}")
    seats = chance.choice((2, 2, 3, 3, 3, 4, 4, 5, 6))
    keepers = seats if chance.random() < 0.8 else chance.randint(1, seats)
    name = chance.choice(("classic", "second", "dark"))
    is_full = seed % FULL_GAME_EVERY == FULL_GAME_EVERY - 1
    often = (0.0, 0.0, 0.3, 1.0)
    weights = {kind: chance.choice(often) for kind in FAULTS}
    for kind in ("leave", "lose", "stop", "bot"):
        weights[kind] *= 0.2
    haste = chance.choice((0.0, 0.5, 1.0))
    persons = tuple(
        Person(
            keeper,
            chance.choice((0.2, 1.0, 5.0)),
            haste * chance.random() if haste < 1 else 1.0,
            chance.choice((0.0, 0.0, 0.05, 0.3)),
            chance.random() < 0.3,
        )
        for keeper in range(keepers)
    )
    return Mix(
        seed, seats, keepers, name if is_full else f"short-{name}",
        chance.choice((0.005, 0.04, 0.2)), chance.uniform(2.0, 40.0),
        chance.choice((60.0, 200.0, 600.0, 1200.0)), weights, persons,
        tuple(k for k in range(1, keepers) if chance.random() < 0.05),
        chance.choice((Clocks(), Clocks(20, 10), Clocks(0, 0))),
        _shape(chance, keepers), looks=name == "classic" and chance.random() < 0.4,
    )  # fmt: skip


def cheat_mix(seed: int) -> Mix:
    """As `mix`, with keepers that cheat: from one to all but one."""
    what, chance = mix(seed), Random(f"cheats {seed}")
    keepers = max(what.keepers, 2)
    if what.keepers < 2:
        what = replace(what, keepers=2, seats=max(what.seats, 2), persons=(
            what.persons[0], replace(what.persons[0], keeper=1)
        ))  # fmt: skip
    hostile = chance.sample(range(keepers), chance.randint(1, max(1, min(keepers - 1, 3))))
    tricks = {k: tuple(chance.sample(TRICKS, chance.randint(1, 5))) for k in hostile}
    weights = {kind: weight * chance.choice((0.0, 1.0)) for kind, weight in what.weights.items()}
    return replace(what, tricks=tricks, weights=weights)


def _shape(chance: Random, keepers: int) -> frozenset[Pair]:
    """Return the pairs without a link: mostly none; else all that go round a hub, or a chain."""
    every = set(itertools.combinations(range(keepers), 2))
    shape = chance.choice(("all", "all", "all", "star", "chain"))
    if shape == "star":
        hub = chance.randrange(keepers)
        return frozenset(pair for pair in every if hub not in pair)
    if shape == "chain":
        return frozenset(pair for pair in every if pair[1] - pair[0] > 1)
    return frozenset()


@dataclass(frozen=True, slots=True)
class Outcome:
    seed: int
    digest: str
    """Of all that the peers have done."""
    virtual: float
    violations: tuple[Violation, ...]
    faults: Counter[str]
    reached: Counter[str]
    notes: tuple[str, ...] = field(repr=False, default=())
    files: tuple[bytes, ...] = field(repr=False, default=())
    """The logs and the evidence of honest keepers, each once, if the caller wants them."""


@contextmanager
def own_signatures_unchecked() -> Iterator[None]:
    """Within, what a signer of this process has made is not checked: it is right for its key, tag
    and body. All else is checked once."""
    made, sign = set[tuple[bytes, crypto.Tag, bytes, bytes]](), crypto.Signer.sign
    checked = functools.lru_cache(100_000)(crypto.is_valid_signature)

    def signs(signer: crypto.Signer, tag: crypto.Tag, body: bytes) -> bytes:
        signature = sign(signer, tag, body)
        made.add((signer.key, tag, body, signature))
        return signature

    def is_valid(key: bytes, tag: crypto.Tag, body: bytes, signature: bytes) -> bool:
        return (key, tag, body, signature) in made or checked(key, tag, body, signature)

    with ExitStack() as stack:
        stack.enter_context(patch.object(crypto.Signer, "sign", signs))
        stack.enter_context(patch.object(entries, "is_valid_signature", is_valid))
        yield


def walk(
    seed: int | Mix,
    *,
    in_words: bool = False,
    with_effects: bool = False,
    with_files: bool = False,
    planted: AbstractContextManager[object] | None = None,
) -> Outcome:
    what = mix(seed) if isinstance(seed, int) else seed
    looks = looking() if what.looks else nullcontext()
    with short_tables(), own_signatures_unchecked(), looks, planted or nullcontext():
        found = Walk(what, in_words, until_broken=planted is not None)
        found.mesh.tells_effects = with_effects
        return found.run(with_files=with_files)


def walk_seed(
    cheats: bool, seed: int, *, in_words: bool = False, with_effects: bool = False
) -> Outcome:
    what = cheat_mix(seed) if cheats else mix(seed)
    try:
        return walk(what, in_words=in_words, with_effects=with_effects)
    except BaseException as fault:
        fault.add_note(f"in the walk of seed {seed}")
        raise


class Walk:
    def __init__(self, what: Mix, in_words: bool = False, *, until_broken: bool = False) -> None:
        """`until_broken`: the walk ends with the first law that is broken."""
        seed = what.seed
        self.mix = what
        self.until_broken = until_broken
        self.standstill = PLANTED_STANDSTILL_SECONDS if until_broken else STANDSTILL_SECONDS
        table = sign_table(
            Random(f"table {seed}"), what.seats, what.keepers, what.rules, what.clocks, what.bots
        )
        self.mesh = mesh = Mesh(table, Random(f"mesh {seed}"), what.latency)
        mesh.notes = [] if in_words else None
        honest = frozenset(range(what.keepers)) - what.tricks.keys()
        self.promises = Promises(mesh, honest)
        self.people = People(
            mesh, Random(f"people {seed}"), {p.keeper: replace(p) for p in what.persons}, "easy"
        )
        self.weather = Weather(
            mesh, self.promises, Random(f"weather {seed}"), what.every, what.weights, what.apart
        )

        self.cheats = [
            Trickster(mesh, keeper, tricks, Random(f"tricks {seed} {keeper}"))
            for keeper, tricks in sorted(what.tricks.items())
        ]

    def run(self, *, with_files: bool = False) -> Outcome:
        mesh = self.mesh
        try:
            for keeper in range(self.mix.keepers):
                mesh.begin(keeper)
            for cheat in self.cheats:
                cheat.begin()
            self.weather.begin()
            mesh.run_until(self.mix.lasting, self._is_over)
            self.promises.fair_from = mesh.now
            self.weather.heal()
            self.people.heal()
            self._go_to_the_end()
            if not self._is_broken():
                self.promises.judge(Random(f"judge {self.mix.seed}"))
        except WrongOwnLog as fault:
            self.promises.accuse(Law.LOGS, fault)
        return replace(self._outcome(), files=self._files() if with_files else ())

    def _go_to_the_end(self) -> None:
        mesh = self.mesh
        while not self._is_over() and mesh.now < MOST_SECONDS:
            before = self._place()
            mesh.run_until(mesh.now + self.standstill, self._is_over)
            if self._place() == before:
                return

    def _place(self) -> tuple[int, int]:
        return max((p.peer.ledger.place for p in self.promises.present()), default=(0, 0))

    def _is_broken(self) -> bool:
        return self.until_broken and bool(self.promises.found)

    def _is_over(self) -> bool:
        if self._is_broken():
            return True
        present = self.promises.present()
        return all(p.ended is not None for p in present) and not any(
            p.ended is not None and p.ended[0].value in ("kept", "adjourned") for p in present
        )

    def _files(self) -> tuple[bytes, ...]:
        honest = [p for k, p in self.mesh.processes.items() if k in self.promises.honest]
        logs = [log_bytes(self.mesh.table, process.disk) for process in honest]
        return tuple(dict.fromkeys([*logs, *self.mesh.evidence]))

    def _outcome(self) -> Outcome:
        reached = Counter[str]()
        for cheat in self.cheats:
            reached.update({f"trick {name}": count for name, count in cheat.played.items()})
        seen = set[bytes]()
        for process in self.mesh.processes.values():
            ledger = process.peer.ledger
            reached[f"end {process.ended[0] if process.ended else 'none'}"] += 1
            reached["splits"] += len(ledger.splits)
            for begun in ledger.chain.begun:
                if begun.lineup.id in seen:
                    continue
                seen.add(begun.lineup.id)
                reached["line-ups"] += 1
                reached["kept gathers"] += bool(begun.lineup.openings is not None)
                reached["refused rolls"] += len(begun.refused)
                reached["burnt cards"] += begun.burnt is not None
                for change in begun.lineup.plan:
                    reached[change.reason.name.lower()] += 1
        return Outcome(
            self.mix.seed, self.mesh.effects.hexdigest(), self.mesh.now, tuple(self.promises.found),
            self.weather.faults, reached, tuple(self.mesh.notes or ()),
        )  # fmt: skip
