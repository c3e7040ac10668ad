"""The roster: the keeper of each seat, as the line-ups of a line say (PROTOCOL.md 9.2).

Scope: the members, who answers for each seat, what a plan changes about that, and whether those
that stay are enough.
Not here: what a plan does to the game (`kotp2p.game.chain`), and how a plan is found
(`kotp2p.lineup.plan`).

A *keeper* is a person's process. It keeps its own seat, and perhaps seats for which a bot answers.
A *member* is a keeper of the present line-up. Only line-ups change who is one, never what happens
in the game: a keeper whose monsters are all out stays a member, as a *witness*.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from kotp2p.referee.model.answers import Seat
from kotp2p.wire.genesis import Genesis, Player
from kotp2p.wire.lineups import Change, LineUp, Plan, Reason


@dataclass(frozen=True, slots=True)
class Roster:
    """The members of one line-up, and the keeper of each seat."""

    lineup: bytes
    """The id of the line-up."""
    attempt: int
    keepers: tuple[Seat | None, ...]
    """By seat: its keeper; None once its monster was taken out."""
    members: frozenset[Seat]
    out: Mapping[Seat, Reason]
    """The keepers that were put out and are not back."""
    instances: Mapping[Seat, bytes]
    """The last process of each keeper that a line-up has named; that which began the game has
    none."""

    @staticmethod
    def at_genesis(genesis: Genesis) -> Roster:
        keepers = tuple(player.keeper for player in genesis.players)
        return Roster(genesis.id, 0, keepers, frozenset(genesis.keepers), {}, {})

    def seats_of(self, keeper: Seat, alive: Collection[Seat]) -> tuple[Seat, ...]:
        """Return the seats of `alive` that a keeper answers for."""
        return tuple([seat for seat in alive if self.keepers[seat] == keeper])

    def contributors(self, alive: Collection[Seat]) -> tuple[Seat, ...]:
        """Return the members that answer for a living seat: they make the dice, ascending."""
        return tuple(sorted({k for s in alive if (k := self.keepers[s]) is not None}))

    def witnesses(self, alive: Collection[Seat]) -> tuple[Seat, ...]:
        """Return the other members, ascending."""
        return tuple(sorted(self.members.difference(self.contributors(alive))))

    def why_impossible(self, plan: Plan, alive: Collection[Seat]) -> str:
        """Return why a plan cannot follow this roster, in technical words; empty if it can."""
        for change in plan:
            is_member = change.keeper in self.members
            if is_member != (change.reason is not Reason.BACK):
                return f"keeper {change.keeper} cannot be {change.reason.name.lower()}"
            if change.reason is Reason.BACK and not self.can_be_back(change.keeper, alive):
                return f"keeper {change.keeper} has nothing to come back to"
            if change.instance and change.instance <= self.instances.get(change.keeper, b""):
                return f"keeper {change.keeper} has named a later process"
        return ""

    def can_be_back(self, keeper: Seat, alive: Collection[Seat]) -> bool:
        """Whether a keeper is out as absent, and its own monster lives."""
        return self.out.get(keeper) is Reason.ABSENT and keeper in alive

    def has_majority(self, members: Collection[Seat], plan: Iterable[Change]) -> bool:
        """Whether `members` are more than half of those here that no plan names as having cheated
        or left. `plan`: of all line-ups from this one on."""
        gone = {c.keeper for c in plan if c.reason in (Reason.CHEATED, Reason.LEFT)}
        counted = self.members - gone
        return 2 * len(counted.intersection(members)) > len(counted)

    def staying(self, plan: Plan) -> frozenset[Seat]:
        """Return the members that a plan does not put out."""
        return self.members.difference(c.keeper for c in plan if c.reason.puts_out)

    def members_after(self, plan: Plan) -> frozenset[Seat]:
        """Return the members of the line-up with this plan: those that stay, and those back."""
        return self.staying(plan).union(c.keeper for c in plan if c.reason is Reason.BACK)

    def after(self, lineup: LineUp, players: Sequence[Player]) -> Roster:
        """Return the roster of a line-up that follows this one."""
        members = self.members_after(lineup.plan)
        out, instances = dict(self.out), dict(self.instances)
        for change in lineup.plan:
            if change.reason.puts_out:
                out[change.keeper] = change.reason
            else:
                out.pop(change.keeper, None)
                instances[change.keeper] = change.instance
        keepers = tuple(
            self._keeper_after(seat, lineup, members, players) for seat in range(len(players))
        )
        return Roster(lineup.id, lineup.attempt, keepers, members, out, instances)

    def _keeper_after(
        self, seat: Seat, lineup: LineUp, members: Collection[Seat], players: Sequence[Player]
    ) -> Seat | None:
        change, keeper = lineup.find(seat), self.keepers[seat]
        if change is not None and change.reason in (Reason.CHEATED, Reason.LEFT):
            return None
        if change is not None and change.reason is Reason.BACK:
            return seat
        if keeper is None or keeper in members:
            return keeper
        return next_keeper(seat, members, players)


def next_keeper(seat: Seat, members: Collection[Seat], players: Sequence[Player]) -> Seat | None:
    """Return the next member clockwise of a seat that is a person, or of all if none is."""
    others = [(seat + step) % len(players) for step in range(1, len(players) + 1)]
    here = [other for other in others if other in members]
    persons = [other for other in here if not players[other].automatic]
    return next(iter(persons or here), None)
