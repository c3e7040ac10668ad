"""What a process has taken, in any order, and what that proves (LINEUPS rules 2, 5, 8)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from itertools import combinations

from tests.tools.lineup_model.bodies import (
    Assent,
    Body,
    Entry,
    Here,
    Kind,
    Leave,
    Proof,
    Ready,
    Wish,
)  # fmt: skip
from tests.tools.lineup_model.lineups import LineUp, is_enough
from tests.tools.lineup_model.positions import ILLEGAL

LONE, IDLE = 16, 64
"""How many line-ups that have not begun are kept with the assents of one keeper alone, or of the
same keepers: those of the greatest rank."""
Spot = tuple[int, int, int]
"""Attempt, height and head before an entry."""


@dataclass
class Book:
    is_bounded: bool = False
    """Whether it forgets what hostile keepers could fill it with. What laws go by does not."""
    known: dict[Body, None] = field(default_factory=dict)
    facts: int = 0
    """How many bodies but READYs and assents it has: with it what a keeper finds may change."""
    entries: dict[tuple[int, int, int, int], list[Entry]] = field(default_factory=dict)
    readies: dict[int, dict[int, list[Ready]]] = field(default_factory=dict)
    """Attempt -> keeper -> the different READYs."""
    newest: dict[int, int] = field(default_factory=dict)
    """Keeper -> the greatest attempt of its READYs."""
    assents: dict[LineUp, set[int]] = field(default_factory=dict)
    signed: dict[int, dict[int, dict[LineUp, None]]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    """Keeper -> attempt -> what it has assented to."""
    wrote: dict[int, dict[int, Entry]] = field(default_factory=lambda: defaultdict(dict))
    """Keeper -> the attempt of a line-up -> an entry that it has signed there."""
    leaves: dict[int, Leave] = field(default_factory=dict)
    """Of each keeper the one with the lowest attempt."""
    all_leaves: dict[int, list[Leave]] = field(default_factory=lambda: defaultdict(list))
    wishes: dict[int, Wish] = field(default_factory=dict)
    heres: dict[int, int] = field(default_factory=dict)
    forks: dict[int, set[Spot]] = field(default_factory=lambda: defaultdict(set))
    """Keeper -> where it has signed two different entries."""
    offences: set[int] = field(default_factory=set)
    """Who has signed what the referee refuses. It convicts on the line that it stands on."""
    proofs: dict[int, tuple[Entry | Assent | Leave, ...]] = field(default_factory=dict)
    """Of whom anything but an offence convicts: what does. It is told like all facts."""

    def take(self, body: Body) -> bool:
        if body in self.known:
            return False
        self.known[body] = None
        self.facts += not isinstance(body, Ready | Assent)
        match body:
            case Entry():
                self._take_entry(body)
            case Ready():
                self.readies.setdefault(body.attempt, {}).setdefault(body.keeper, []).append(body)
                self.newest[body.keeper] = max(body.attempt, self.newest.get(body.keeper, 0))
            case Assent():
                self._take_assent(body)
            case Leave():
                old = self.leaves.get(body.keeper)
                if old is None or body.attempt < old.attempt:
                    self.leaves[body.keeper] = body
                self.all_leaves[body.keeper].append(body)
                self._judge(body.keeper)
            case Wish():
                old_wish = self.wishes.get(body.keeper)
                if old_wish is None or _order(old_wish) < _order(body):
                    self.wishes[body.keeper] = body
            case Here():
                self.heres[body.keeper] = max(body.instance, self.heres.get(body.keeper, 0))
            case Proof():
                self.proofs.setdefault(body.keeper, body.bodies)
                for shown in body.bodies:
                    self.take(shown)
        return True

    def _take_entry(self, e: Entry) -> None:
        there = self.entries.setdefault((e.attempt, e.height, e.prev, e.keeper), [])
        there.append(e)
        if ILLEGAL in e.what:
            self.offences.add(e.keeper)
        if len(there) > 1:
            self.forks[e.keeper].add((e.attempt, e.height, e.prev))
            self.proofs.setdefault(e.keeper, tuple(there))
        known = self.wrote[e.keeper].get(e.under)
        if known is None or known.kind == Kind.END:  # an END contradicts less than others
            self.wrote[e.keeper][e.under] = e
            self._judge(e.keeper)

    def _take_assent(self, a: Assent) -> None:
        self.assents.setdefault(a.lineup, set()).add(a.keeper)
        self.signed[a.keeper].setdefault(a.lineup.attempt, {})[a.lineup] = None
        self._judge(a.keeper)
        if self.is_bounded:
            self.forget_idle(a.lineup)

    def forget_idle(self, last: LineUp) -> None:
        """Forget all but some line-ups with the assents of the same keepers: they have no end."""
        signers = self.assents[last]
        idle = [up for up, who in self.assents.items() if who == signers]
        most = LONE if len(signers) == 1 else IDLE
        if len(idle) <= most:
            return
        idle = [up for up in idle if not self.has_begun(up)]
        shown = {body for proof in self.proofs.values() for body in proof}
        proving = {body.lineup for body in shown if isinstance(body, Assent)}
        for up in sorted(idle, key=lambda up: (up in proving, up.rank))[:-most]:
            del self.assents[up]
            for keeper in signers:
                self.known.pop(Assent(keeper, up), None)
                self.signed[keeper][up.attempt].pop(up, None)

    def counts(self, body: Body) -> bool:
        """Whether a wish or HERE is not overtaken by a newer one of its keeper."""
        match body:
            case Wish():
                return self.wishes[body.keeper] == body
            case Here():
                return self.heres[body.keeper] == body.instance
            case _:
                return True

    def _judge(self, keeper: int) -> None:
        """Look for contradictions that are not two entries (rule 8)."""
        if keeper not in self.proofs:
            proof = next(self._contradictions(keeper), None)
            if proof is not None:
                self.proofs[keeper] = proof

    def _contradictions(self, keeper: int) -> Iterator[tuple[Entry | Assent | Leave, ...]]:
        assents = [Assent(keeper, up) for ups in self.signed[keeper].values() for up in ups]
        entries, leaves = self.wrote[keeper].items(), self.all_leaves.get(keeper, [])
        for ups in self.signed[keeper].values():
            yield from combinations([Assent(keeper, up) for up in ups], 2)
        yield from combinations(leaves, 2)
        for leave in leaves:
            yield from ((leave, a) for a in assents if a.lineup.attempt > leave.attempt)
            yield from ((leave, e) for under, e in entries if under > leave.lineup.attempt)
        for assent in assents:
            up = assent.lineup
            binding = [(under, e) for under, e in entries if e.kind != Kind.END]
            yield from ((e, assent) for under, e in binding if has_two_pasts(keeper, under, up))

    @property
    def cheats(self) -> Set[int]:
        return self.proofs.keys()

    # -- READY and begun ---------------------------------------------------------------------

    def ready(self, keeper: int, attempt: int) -> Ready | None:
        """The READY of a keeper in an attempt. A keeper with two has none there."""
        found = self.readies.get(attempt, {}).get(keeper, ())
        return found[0] if len(found) == 1 else None

    def were_ready(self, lineup: LineUp) -> bool:
        """Whether all its members were READY under it, in one of their READYs, or have assented."""
        there, assents = self.readies.get(lineup.attempt, {}), self.assents.get(lineup, ())
        return all(
            k in assents or any(r.number == lineup.number for r in there.get(k, ()))
            for k in lineup.members
        )

    def is_binding(self, lineup: LineUp) -> bool:
        """Whether an assent to it calls for a new line-up (rule 4)."""
        return self.were_ready(lineup) and stays_enough(lineup)

    def has_begun(self, lineup: LineUp) -> bool:
        """What anybody can check: all members have assented and are enough, for known reasons."""
        if lineup.pred is None:
            return True
        if not self.assents.get(lineup, set()) >= lineup.members or not stays_enough(lineup):
            return False
        return all(self._has_reason(lineup, n.keeper, n.why.name) for n in lineup.plan)

    def _has_reason(self, lineup: LineUp, keeper: int, why: str) -> bool:
        if why == "CHEATED":
            return self.is_convicted(keeper)
        if why == "LEFT":
            return keeper in self.leaves and self.leaves[keeper].attempt < lineup.attempt
        return True

    def is_convicted(self, keeper: int) -> bool:
        return keeper in self.cheats or keeper in self.offences

    def copy(self) -> Book:
        """What a copied folder holds: everything but READYs, which are in memory only."""
        new = Book(self.is_bounded)
        for body in self.known:
            if not isinstance(body, Ready):
                new.take(body)
        return new


def stays_enough(lineup: LineUp) -> bool:
    assert lineup.pred is not None
    gone = frozenset(n.keeper for n in lineup.plan if n.why.name in ("CHEATED", "LEFT"))
    return is_enough(lineup.pred, lineup.pred_confirmed, gone, lineup.members)


def has_two_pasts(keeper: int, wrote: int, lineup: LineUp) -> bool:
    """Whether an entry of attempt `wrote` and an assent to a later line-up contradict each other.

    They do if the line-up does not come from that of the entry, unless one on the way, of a later
    attempt than the entry's, is without this keeper.
    """
    if lineup.attempt <= wrote:
        return False
    q = lineup.pred
    while q is not None and q.attempt > wrote:
        if keeper not in q.members:
            return False
        q = q.pred
    return q is None or q.attempt != wrote


def _order(wish: Wish) -> tuple[int, list[int], list[tuple[int, int]]]:
    return wish.serial, sorted(wish.absent), sorted(wish.refused)
