"""What must hold for the honest though others cheat.

Law: as in `tests.tools.sim.invariants`; of a cheat's own machine nothing is asked. I3 is all that
is said here about proofs: no honest seat is accused, all evidence proves, whoever told two of the
honest two things is convicted or out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath

from kotp2p.absence_notices import Dropped, Gone, Late, Rewound, VoteEnded, VoteOpened
from kotp2p.game.evidence import examine_evidence
from kotp2p.notices import Agreement, Cheated, Diverged, Happened, Missing, Notice, Unconfirmed
from kotp2p.peer.peer import Peer
from kotp2p.shell.table_loop import TableLoop
from kotp2p.wire.votes import is_majority, keepers_of
from tests.tools.sim import wire
from tests.tools.sim.disk import SimDisk
from tests.tools.sim.invariants import Invariants
from tests.tools.sim.life import Life


@dataclass
class Accountability(Invariants):
    cheats: frozenset[int] = frozenset()
    """Machines."""
    stops: bool = False
    """A cheat may bring the game to a halt with another position (PROTOCOL.md 5.6)."""
    played_by: dict[int, int] = field(default_factory=dict)
    """The machine of each seat."""
    accused: dict[int, set[int]] = field(default_factory=dict)
    """By machine: the seats that it was shown to have cheated."""
    told: dict[int, set[str]] = field(default_factory=dict)
    """By machine: what its person was told about others since anything has happened, and of a vote
    that is still open."""

    def is_honest(self, seat: int) -> bool:
        return self.played_by.get(seat, -1) not in self.cheats

    def __post_init__(self) -> None:
        super().__post_init__()
        self.votes.ends_hold = False
        self.votes.is_honest = self.is_honest

    def watches_votes(self, life: Life) -> bool:
        return life.machine not in self.cheats

    # -- taps ------------------------------------------------------------------------------

    def sits(self, life: Life, peer: Peer, disk: SimDisk) -> None:
        super().sits(life, peer, disk)
        self.played_by[peer.seat] = life.machine

    def sent(self, life: Life, stream: int, data: bytes) -> None:
        if life.machine not in self.cheats:
            super().sent(life, stream, data)

    def written(self, life: Life, path: PurePath, data: bytes) -> None:
        if life.machine not in self.cheats:
            super().written(life, path, data)

    # -- while the game runs ---------------------------------------------------------------

    def i1_agreement(self, life: Life, peer: Peer, since: tuple[int, int]) -> tuple[int, int]:
        """What an honest copy holds up to the head before the last but one of the gathers that it
        has closed, all of them hold, in whatever view (PROTOCOL.md 9.2: with proofs more is undone
        than without); and one head means one position."""
        if life.machine in self.cheats:
            return since
        ledger = peer.ledger
        begin = since[1] if since[0] == ledger.view else 0
        for height in range(begin, ledger.chain.gather_before_last + 1):
            known, _ = self.stands.setdefault((height,), (ledger.heads[height], set()))
            if known != ledger.heads[height]:
                words = f"{life.name} stands elsewhere at {height} behind a closed gather"
                self.broken("I1", words)
        if ledger.height % 4 == 0:
            place, held = ("position", ledger.head), ledger.game.digest()
            known, _ = self.stands.setdefault(place, (held, set()))
            if known != held:
                self.broken("I1", f"{life.name} has another position at {ledger.place}")
        return (ledger.view, ledger.chain.gather_before_last + 1)

    def i2_nobody_accused(self, life: Life, notice: Notice) -> None:
        if life.machine in self.cheats:
            return
        told = self.told.setdefault(life.machine, set())
        match notice:
            case Cheated(seat=seat):
                self.accused.setdefault(life.machine, set()).add(seat)
                if self.is_honest(seat):
                    self.broken("I2", f"{life.name} was shown {notice}, who is honest")
            case Diverged() if not self.stops:
                self.broken("I2", f"{life.name} was shown {notice}")
            case Diverged(agreement=Agreement.THEIRS | Agreement.NONE) if self._can_agree(life):
                self.broken("I2", f"{life.name} stops, though most are honest: {notice}")
            case Happened():
                told &= {VoteOpened.__name__}  # a vote is shown as open until it ends
            case VoteEnded():
                told.discard(VoteOpened.__name__)
            case Dropped() | Rewound():
                told.clear()
            case Late() | Gone() | VoteOpened() | Missing() | Diverged() | Unconfirmed():
                told.add(type(notice).__name__)
            case _:
                pass

    def _can_agree(self, life: Life) -> bool:
        """Whether, on the copies of a process, more than half are honest of the keepers that count
        there: not convicts, nor those who have left by then. A farewell from a later place excuses
        nobody here."""
        for peer in life.peers:
            ledger, convicts = peer.ledger, peer.follower.accusations.convicts
            live = keepers_of(peer.genesis.players, ledger.game.state.seats_alive())
            left = {s for s, farewell in ledger.farewells.items() if farewell.place <= ledger.place}
            voices = live - left - set(convicts)
            if not is_majority(sum(map(self.is_honest, voices)), len(voices)):
                return False
        return True

    def i7_no_self_contradiction(self, life: Life, body: wire.Body) -> None:
        """Of honest seats only."""
        if body.seat is not None and self.is_honest(body.seat):
            super().i7_no_self_contradiction(life, body)

    def i17_own_reader(self, life: Life, notice: Notice) -> None:
        if life.machine not in self.cheats:
            super().i17_own_reader(life, notice)

    def i19_on_time(self, life: Life, notice: Notice) -> None:
        """Cheats may vote as they like; an honest voter has a reason that a witness has seen."""
        is_by_honest = isinstance(notice, Dropped) and any(map(self.is_honest, notice.by))
        if is_by_honest and life.machine not in self.cheats:
            super().i19_on_time(life, notice)

    def i9_bounded(self, life: Life, loop: TableLoop) -> None:
        if life.machine not in self.cheats:
            super().i9_bounded(life, loop)

    # -- at the end ------------------------------------------------------------------------

    def i3_evidence(self, machine: int, disk: SimDisk) -> int:
        """Every file of evidence names a cheat; how many there are."""
        found = [(p, data) for p, data in disk.files.items() if p.name.startswith("evidence-")]
        for path, data in found:
            finding = examine_evidence(data)
            if finding.cheat is None:
                self.broken("I3", f"{machine}: {path.name} proves nothing: {finding.reason}")
            elif self.is_honest(finding.cheat.seat):
                self.broken("I3", f"{machine}: {path.name} convicts who is honest")
        return len(found)

    def i3_two_bodies(
        self,
        out: set[int],
        end: tuple[int, int] | None = None,
        stopped_at: Mapping[int, tuple[int, int]] | None = None,
        undone: Collection[tuple[int, int]] = (),
    ) -> None:
        """Who has told two of the honest two things is convicted, or among those that are `out`.
        Farewells from behind the `end`, where nobody was asked any more, are compared by nobody.
        Nor are entries that votes have `undone`, from that place of a view on, before they met.
        What a machine holds of the place where it has stopped (`stopped_at`) it shows the others
        when they go on.
        """
        convicted = set().union(*self.accused.values())
        places: dict[object, wire.Body] = {}
        for (machine, _), held in self.durable.items():
            if machine in self.cheats:
                continue
            for body in held.values():
                place, seat = body.place(), body.seat
                if place is None or seat is None or self.is_honest(seat):
                    continue
                if end is not None and body.kind == wire.STAND_IN and body.fields()[2:] >= end:
                    continue
                if body.kind == wire.PLAY and (
                    place[2:4] == (stopped_at or {}).get(machine)
                    or any(is_behind(place[2:4], start) for start in undone)
                ):
                    continue
                if places.setdefault(place, body) != body and seat not in convicted | out:
                    self.broken("I3", f"seat {seat} has told two things: {place[0]} {place[2:]}")


def is_behind(place: tuple[object, ...], start: tuple[int, int]) -> bool:
    """Whether a view and height are of that view, and not before that height."""
    view, height = place
    return view == start[0] and isinstance(height, int) and height >= start[1]
