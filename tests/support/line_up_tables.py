"""Tables of peers in virtual time for rulings about line-ups: some keepers act by hand."""

from dataclasses import dataclass, field
from random import Random

from kotp2p.game.verify import Report, verify_log
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.notices import Notice
from kotp2p.wire.crypto import Signer
from kotp2p.wire.entries import Signed
from kotp2p.wire.genesis import Clocks
from tests.tools.sim.mesh import Mesh, log_bytes
from tests.tools.sim.people import People, Person
from tests.tools.sim.promises import Promises
from tests.tools.sim.signed_table import sign_table


@dataclass
class LineUpTable:
    """All play, and go on without who is late, until the test does something else."""

    keepers: int
    seed: int = 0
    hostile: frozenset[Seat] = frozenset()
    shown: dict[Seat, list[Notice]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        chance = Random(f"table of line-ups {self.seed}")
        table = sign_table(chance, self.keepers, self.keepers, "second", Clocks(0, 0), ())
        self.mesh = mesh = Mesh(table, chance, 0.02)
        self.promises = Promises(mesh, frozenset(range(self.keepers)) - self.hostile)
        persons = {k: Person(k, 0.5, 1.0, 0.0, looks=False) for k in range(self.keepers)}
        self.people = People(mesh, chance, persons, "easy")
        mesh.on_notice.append(lambda p, n: self.shown.setdefault(p.keeper, []).append(n))
        for keeper in range(self.keepers):
            mesh.begin(keeper)
        mesh.run_until(2.0)

    @property
    def game(self) -> bytes:
        return self.mesh.table.genesis.id

    def signer(self, keeper: Seat) -> Signer:
        return self.mesh.table.signers[keeper]

    def ledger(self, keeper: Seat):  # type: ignore[no-untyped-def]
        return self.mesh.processes[keeper].peer.ledger

    def tell(self, keeper: Seat, signed: Signed, *to: Seat) -> None:
        """A hostile keeper sends a body of its own to some, or to all."""
        for other in to or [k for k in range(self.keepers) if k != keeper]:
            self.mesh.send(self.mesh.processes[keeper], other, signed)

    def run(self, seconds: float) -> None:
        self.mesh.run_until(self.mesh.now + seconds)

    def play_to_the_end(self) -> None:
        """Let the game end, and judge it by all promises."""
        present = self.promises.present

        def is_over() -> bool:
            return all(process.ended is not None for process in present())

        self.mesh.run_until(self.mesh.now + 5000, is_over)
        self.promises.judge(Random(0))
        assert self.promises.found == []
        assert is_over()

    def report(self, keeper: Seat) -> Report:
        return verify_log(log_bytes(self.mesh.table, self.mesh.processes[keeper].disk))

    def reasons(self, keeper: Seat) -> list[tuple[Seat, str]]:
        """Return what the line-ups that have begun at a keeper say of keepers, in their order."""
        return [
            (change.keeper, change.reason.name)
            for begun in self.ledger(keeper).chain.begun
            for change in begun.lineup.plan
        ]
