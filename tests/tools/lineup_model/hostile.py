"""Hostile keepers. They see all that is sent, at once, and show what they sign to whom they like.

Each has a habit for a while; habits change, and some never do. What an honest keeper would sign in
their place is made from the view of a victim, so a hostile keeper can play well, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.tools.lineup_model.bodies import Assent, Body, Entry, Here, Leave, Ready, Wish
from tests.tools.lineup_model.book import IDLE
from tests.tools.lineup_model.finding import build
from tests.tools.lineup_model.keeper import Process
from tests.tools.lineup_model.laws import Draw
from tests.tools.lineup_model.line import what_is_owed
from tests.tools.lineup_model.lineups import Named, Why, stay
from tests.tools.lineup_model.positions import DECISIONS, DRAWS, ILLEGAL, KIND_OF, VARIANTS, Step
from tests.tools.lineup_model.words import AGAIN, AT_ONCE

if TYPE_CHECKING:
    from tests.tools.lineup_model.world import World


class Coalition:
    """All hostile keepers of a walk."""

    def __init__(self, world: World) -> None:
        r = world.random
        self.habits: dict[int, Habit] = {b: r.choice(HABITS) for b in sorted(world.bad)}
        self.steady = r.random() < 0.4
        """Whether no habit changes."""
        self.serial = 1000
        self.instance = 100 << 32
        self.said_at: dict[int, float] = {}
        """By hostile keeper: when it did last what it does only now and then."""
        self.chattered_at: dict[int, float] = {}

    def tick(self, world: World) -> None:
        r = world.random
        self.hear_heres(world)
        processes = [p for p in world.honest() if p.written is None]
        if not processes:
            return
        for b in self.habits:
            if not self.steady and r.random() < 0.03:
                self.habits[b] = r.choice(HABITS)
            victim = r.choice(processes)
            self.habits[b](self, world, b, victim)

    def hear_heres(self, world: World) -> None:
        """A hostile member may be the only other one that has the HERE of a process."""
        for running in world.running:
            if not running.greeted and self.habits and world.random.random() < 0.2:
                running.greeted = True
                running.process.quiet_until = world.now + 3.1
                world._post(running.process.quiet_until, running, None)

    # -- what an honest keeper would sign ---------------------------------------------------------

    def entry(self, b: int, v: Process, choice: int = 0) -> list[Body]:
        place = v.line.last
        if b not in place.askers or v.line.signed(place, b):
            return []
        what = what_is_owed(place, b, v.lineup, choice)
        return [Entry(b, place.attempt, *place.at, KIND_OF[place.step], what, v.lineup.attempt)]

    def ready(self, world: World, b: int, v: Process) -> list[Body]:
        mine = v.ready
        if (
            mine is None
            or v.found is None
            or v.found.number != mine.number
            or b not in v.found.members
        ):
            return []
        return [Ready(b, mine.attempt, mine.number, v.found.instances[b])]

    def assent(self, world: World, b: int, v: Process) -> list[Body]:
        up = v.found
        if up is None or b not in up.members or not v.book.were_ready(up):
            return []
        return [Assent(b, up)]

    def here(self, b: int, v: Process) -> list[Body]:
        if b in v.lineup.members or v.book.heres.get(b, 0) > v.lineup.instances[b]:
            return []
        self.instance += 1 << 32
        return [Here(b, self.instance)]

    def some(self, world: World) -> list[int]:
        r = world.random
        if r.random() < 0.5:
            return world.good
        if world.side:
            half = r.random() < 0.5
            return [k for k in world.good if world.side[k] == half]
        return r.sample(world.good, r.randint(1, len(world.good)))

    # -- habits ------------------------------------------------------------------------------------

    def _silent(self, world: World, b: int, v: Process) -> None:
        """Sign nothing."""

    def _plays(self, world: World, b: int, v: Process) -> None:
        choice = world.random.randrange(DECISIONS) if v.line.last.step == Step.DECISION else 0
        world.send(
            [
                *self.entry(b, v, choice),
                *self.ready(world, b, v),
                *self.assent(world, b, v),
                *self.here(b, v),
            ],
            None,
        )

    def _plays_but(self, world: World, b: int, v: Process, entries: bool = True) -> None:
        choice = world.random.randrange(DECISIONS) if v.line.last.step == Step.DECISION else 0
        bodies = self.entry(b, v, choice) if entries else []
        world.send([*bodies, *self.ready(world, b, v), *self.here(b, v)], None, self.some(world))

    def open_draw(self, world: World, v: Process) -> Draw | None:
        place = v.line.last
        draw = world.laws.draws.get(place.key(0)[:3])
        return draw if draw is not None and draw.is_foreseen else None

    def _last_opener(self, world: World, b: int, v: Process) -> None:
        """Open when all honest keepers have, if the result is good; else try to have another."""
        place = v.line.last
        if place.step not in DRAWS or place.gather is None or b not in place.gather.contributors:
            self._plays(world, b, v)
            return
        draw = self.open_draw(world, v)
        if draw is None:
            world.send([*self.ready(world, b, v), *self.assent(world, b, v)], None)
        elif draw.result % 2 == 0:
            self._plays(world, b, v)
        else:
            world.laws.count("a hostile last opener dislikes the result")
            world.random.choice(REDRAWS)(self, world, b, v)

    # -- what may give another result -------------------------------------------------------------

    def says_here(self, world: World, b: int, v: Process) -> None:
        self.instance += 1 << 32
        world.send([Here(b, self.instance)], None, self.some(world))

    def wishes_itself_away(self, world: World, b: int, v: Process) -> None:
        self._wish(world, b, frozenset({b}))

    def wishes_others_away(self, world: World, b: int, v: Process) -> None:
        self._wish(world, b, frozenset(v.lineup.members - {b}))

    def leaves_now(self, world: World, b: int, v: Process) -> None:
        if world.random.random() < 0.2:
            bound = max(world.laws.all.signed[b], default=0)
            named = world.random.choice((bound, bound, v.bound, v.attempt, v.attempt + 100))
            world.send([Leave(b, v.lineup, named)], None, self.some(world))

    def opens_for_one(self, world: World, b: int, v: Process) -> None:
        world.send(self.entry(b, v, world.random.randrange(VARIANTS)), None, [v.me])

    def lets_a_mate_open(self, world: World, b: int, v: Process) -> None:
        mate = world.random.choice(sorted(world.bad))
        world.send(self.entry(mate, v, world.random.randrange(VARIANTS)), None, self.some(world))

    def is_ready_and_assents(self, world: World, b: int, v: Process) -> None:
        bodies = [*self.ready(world, b, v), *self.assent(world, b, v)]
        world.send(bodies, None, self.some(world))

    def opens_for_some(self, world: World, b: int, v: Process) -> None:
        if world.random.random() < 0.3:
            world.send(self.entry(b, v), None, self.some(world))

    def _wish(self, world: World, b: int, absent: frozenset[int]) -> None:
        self.serial += 1
        world.send([Wish(b, self.serial, absent, frozenset())], None, self.some(world))

    def _wishes_all_away(self, world: World, b: int, v: Process) -> None:
        """Wish everybody away, and be READY first for what the others will find."""
        if world.random.random() < 0.2:
            self._wish(
                world,
                b,
                frozenset(k for k in v.lineup.members if k != b and world.random.random() < 0.8),
            )
        if world.random.random() < 0.3:
            self._own_lineup(world, b, v)
        self._plays_but(world, b, v, world.random.random() < 0.5)
        if world.random.random() < 0.7:
            world.send(self.assent(world, b, v), None, self.some(world))

    def _own_lineup(self, world: World, b: int, v: Process) -> None:
        r = world.random
        index = len(v.line.places) - 1
        if r.random() < 0.2:
            index = r.randrange(len(v.line.places))
        plan = [] if r.random() < 0.3 else [
            Named(k, r.choice((Why.ABSENT, Why.LEFT, Why.CHEATED)))
            for k in sorted(v.lineup.members) if r.random() < 0.4
        ]  # fmt: skip
        if r.random() < 0.3 and v.found is not None:
            plan = list(v.found.plan)
        if not stay(v.lineup.members, plan):
            return
        up = build(v.line, index, tuple(plan), v.attempt + r.choice((0, 0, 1, 1, 2, 70)), v.archive)
        bodies: list[Body] = [
            Ready(m, up.attempt, up.number, up.instances[m]) for m in sorted(world.bad & up.members)
        ]
        if r.random() < 0.3:
            bodies += [Assent(m, up) for m in sorted(world.bad & up.members)]
        world.send(bodies, None, self.some(world))

    def _wrecks(self, world: World, b: int, v: Process) -> None:
        world.random.choice(WRECKS)(self, world, b, v)

    def assents_to_anything(self, world: World, b: int, v: Process) -> None:
        ups = world.assents()
        if ups:
            world.send([Assent(b, world.random.choice(ups[-6:]))], None, self.some(world))

    def is_ready_for_anything(self, world: World, b: int, v: Process) -> None:
        r = world.random
        attempts = [a for a in v.book.readies if a >= v.attempt - 2]
        if attempts:
            x = r.choice([x for xs in v.book.readies[r.choice(attempts)].values() for x in xs])
            ready = Ready(b, x.attempt, x.number, v.lineup.instances[b])
            world.send([ready], None, self.some(world))

    def wishes_some_away(self, world: World, b: int, v: Process) -> None:
        some = frozenset(k for k in v.lineup.members if world.random.random() < 0.4)
        self._wish(world, b, some)

    def offends(self, world: World, b: int, v: Process) -> None:
        place = v.line.last
        may = b in place.askers and place.step in (Step.DECISION, *DRAWS)
        if may and world.random.random() < 0.1:
            kind = KIND_OF[place.step]
            entry = Entry(b, place.attempt, *place.at, kind, (ILLEGAL,), v.lineup.attempt)
            world.send([entry], None, self.some(world))

    def _equivocates(self, world: World, b: int, v: Process) -> None:
        r = world.random
        place = v.line.last
        if r.random() < 0.3 and b in place.askers and place.step in (Step.DECISION, *DRAWS):
            half = self.some(world)
            one = self.entry(b, v, 0)
            world.send(one, None, half)
            if r.random() < 0.3:
                world.send(self.entry(b, v, 1), None, [k for k in world.good if k not in half])
            return
        self._plays(world, b, v)

    def _here_and_gone(self, world: World, b: int, v: Process) -> None:
        if b in v.lineup.members and world.random.random() < 0.8:
            return
        world.send(self.here(b, v), None)

    def _here_again(self, world: World, b: int, v: Process) -> None:
        if world.random.random() < 0.3:
            self.instance += 1 << 32
            world.send([Here(b, self.instance)], None)
        self._plays(world, b, v)

    def _never_assents(self, world: World, b: int, v: Process) -> None:
        self._plays_but(world, b, v)

    def _assents_late(self, world: World, b: int, v: Process) -> None:
        """Assent to what it was asked for some attempts ago."""
        self._plays_but(world, b, v, world.random.random() < 0.5)
        signed = world.laws.all.signed[b]
        ups = [u for u in world.assents() if b in u.members and u.attempt > max(signed, default=0)]
        if ups and world.random.random() < 0.3:
            world.send([Assent(b, min(ups, key=lambda u: u.rank))], None, self.some(world))

    def _flaps(self, world: World, b: int, v: Process) -> None:
        """Play now and then; call attempts far ahead."""
        r = world.random
        if r.random() < 0.4:
            self._plays(world, b, v)
        elif r.random() < 0.5:
            ahead = v.attempt + r.choice((1, 1, 2, 40, 90))
            world.send([Ready(b, ahead, r.randrange(1 << 40), 1)], None, self.some(world))

    def _shows_one(self, world: World, b: int, v: Process) -> None:
        r = world.random
        victim = [world.good[int(world.now / 7) % len(world.good)]]
        bodies = [*self.entry(b, v), *self.ready(world, b, v)]
        bodies += [*self.assent(world, b, v), *self.here(b, v)]
        if r.random() < 0.02:
            bodies.append(Leave(b, v.lineup, v.bound))
        world.send(bodies, None, victim)

    # -- words to some, words without end ---------------------------------------------------------

    def _is_time(self, world: World, b: int, seconds: float) -> bool:
        if world.now < self.said_at.get(b, -seconds) + seconds:
            return False
        self.said_at[b] = world.now
        return True

    def _use_up_budget(self, world: World, b: int) -> None:
        """Say more than others pass on, without meaning anything by it."""
        since = world.now - self.chattered_at.get(b, -100.0)
        if since * AGAIN < 0.5:
            return
        self.chattered_at[b] = world.now
        for _ in range(int(min(AT_ONCE, since * AGAIN)) + 1):
            self.serial += 1
            world.send([Wish(b, self.serial, NOBODY, NOBODY_REFUSED)], None)

    def _comes_back_for_ever(self, world: World, b: int, v: Process) -> None:
        """Go, and say HERE with another process each nine seconds; be READY never."""
        if b in v.lineup.members:
            if self._is_time(world, b, 30.0):
                self._wish(world, b, frozenset({b}))
        elif self._is_time(world, b, 9.0):
            self._wish(world, b, frozenset())
            self.instance += 1 << 32
            world.send([Here(b, self.instance)], None)

    def _is_many_processes(self, world: World, b: int, v: Process) -> None:
        """Say HERE more often in one T than others may go up in it."""
        if b not in v.lineup.members:
            self._comes_back_for_ever(world, b, v)
            return
        if self._is_time(world, b, 0.6):
            self.instance += 1 << 32
            world.send([Here(b, self.instance)], None)
        world.send([*self.ready(world, b, v), *self.assent(world, b, v)], None)

    def _is_ready_for_one(self, world: World, b: int, v: Process) -> None:
        """Be READY where only one seat hears of it, and call for a line-up again and again."""
        world.send(self.entry(b, v), None)
        self._use_up_budget(world, b)
        if self._is_time(world, b, 120.0):
            self.instance += 1 << 32
            world.send([Here(b, self.instance)], None)
        alone = min(world.good)
        mine = next((p for p in world.honest() if p.me == alone), v)
        world.send(self.ready(world, b, mine), None, [alone])

    def _is_another_to_each(self, world: World, b: int, v: Process) -> None:
        """Say HERE with a different process to each seat, where no other hears of it."""
        world.send(self.entry(b, v), None)
        self._use_up_budget(world, b)
        for p in world.honest():
            world.send(self.ready(world, b, p), None, [p.me])
        if self._is_time(world, b, 120.0):
            for seat in world.good:
                self.instance += 1 << 32
                world.send([Here(b, self.instance)], None, [seat])

    def _is_ready_further_up(self, world: World, b: int, v: Process) -> None:
        """Be READY to one seat alone in later attempts, to what it finds or to nothing."""
        world.send(self.entry(b, v), None)
        self._use_up_budget(world, b)
        if v.found is None or v.ready is None or b not in v.found.members:
            return
        r = world.random
        for more in [r.randint(1, 9)] if r.random() < 0.7 else range(1, 9):
            attempt = (v.attempt if r.random() < 0.5 else max(v.said)) + more
            number = v.found.number_in(attempt) if r.random() < 0.6 else 0
            world.send([Ready(b, attempt, number, v.found.instances[b])], None, [v.me])

    def _fills_with_assents(self, world: World, b: int, v: Process) -> None:
        """Assent, with all mates, to more line-ups than anybody keeps."""
        self._plays(world, b, v)
        if not self._is_time(world, min(world.bad), 120.0):
            return
        for more in range(IDLE + 2):
            up = build(v.line, len(v.line.places) - 1, (), v.attempt + 2 + more, v.archive)
            world.send([Assent(m, up) for m in sorted(world.bad & up.members)], None)

    def _leaves(self, world: World, b: int, v: Process) -> None:
        if world.random.random() < 0.05:
            top = max(world.laws.all.signed[b], default=0)
            world.send([Leave(b, v.lineup, top)], None, self.some(world))
        if b not in world.laws.all.leaves:
            self._plays(world, b, v)


NOBODY, NOBODY_REFUSED = frozenset[int](), frozenset[tuple[int, int]]()
Habit = Callable[[Coalition, "World", int, Process], None]

REDRAWS: tuple[Habit, ...] = (
    Coalition.says_here, Coalition.wishes_itself_away, Coalition.wishes_others_away,
    Coalition.leaves_now, Coalition.opens_for_one, Coalition.opens_for_some,
    Coalition.lets_a_mate_open, Coalition.is_ready_and_assents, Coalition._own_lineup,
    Coalition._own_lineup, Coalition._assents_late, Coalition._wrecks,
)  # fmt: skip
WRECKS: tuple[Habit, ...] = (
    Coalition._plays_but, Coalition._plays_but, Coalition._plays_but,
    Coalition.assents_to_anything, Coalition._own_lineup, Coalition.is_ready_for_anything,
    Coalition.wishes_some_away, Coalition.says_here, Coalition.leaves_now, Coalition.offends,
    Coalition.is_ready_and_assents,
)  # fmt: skip
HABITS: tuple[Habit, ...] = (
    Coalition._silent, Coalition._plays, Coalition._plays, Coalition._last_opener,
    Coalition._last_opener, Coalition._last_opener, Coalition._wrecks, Coalition._wrecks,
    Coalition._wishes_all_away, Coalition._here_and_gone, Coalition._here_again,
    Coalition._never_assents, Coalition._assents_late, Coalition._flaps, Coalition._shows_one,
    Coalition._equivocates, Coalition._leaves, Coalition._comes_back_for_ever,
    Coalition._is_many_processes, Coalition._is_ready_for_one, Coalition._is_another_to_each,
    Coalition._is_ready_further_up, Coalition._is_ready_further_up, Coalition._fills_with_assents,
)  # fmt: skip
