"""An evening of a few friends, in virtual time: their programs, and what they press."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from kotp2p.bots import Noise, choose
from kotp2p.game.verify import Report, verify_log
from kotp2p.mesh.gossip import AskDecision
from kotp2p.peer.peer import Peer
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import Notice
from kotp2p.wire.genesis import Clocks
from tests.tools.sim.mesh import Mesh, Process, log_bytes
from tests.tools.sim.signed_table import sign_table

N = TypeVar("N")
"""The kind of a notice."""
THINKING = 0.5


@dataclass
class Evening:
    """Friends that answer soon, but for those who are away from the keyboard."""

    seats: int = 3
    keepers: int = 3
    seed: str = "evening"
    clocks: Clocks = field(default_factory=lambda: Clocks(0, 0))
    automatic: tuple[Seat, ...] = ()
    away: set[Seat] = field(default_factory=set)
    mesh: Mesh = field(init=False)
    shown: dict[Seat, list[tuple[float, Notice]]] = field(default_factory=dict)
    _asked: dict[Seat, tuple[Process, AskDecision]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        chance = Random(self.seed)
        table = sign_table(chance, self.seats, self.keepers, "second", self.clocks, self.automatic)
        self.mesh = Mesh(table, chance, 0.02)
        self.mesh.on_ask = self._ask
        self.mesh.on_notice.append(self._show)
        for keeper in range(self.keepers):
            self.mesh.begin(keeper)
        self.mesh.dial_again()

    # -- what the friends do -------------------------------------------------------------------

    def _ask(self, process: Process, asked: AskDecision) -> None:
        is_own = asked.seat == process.keeper
        if is_own:
            self._asked[process.keeper] = (process, asked)
        if not is_own or process.keeper not in self.away:
            self.mesh.after(THINKING, lambda: self._answer(process, asked))

    def _answer(self, process: Process, asked: AskDecision) -> None:
        peer = process.peer
        if peer.ledger.place != asked.place or peer.ledger.game.pending != asked.decision:
            return
        view = peer.view_of(asked.seat)
        answer = choose("easy", view.game, asked.seat, asked.decision, Noise(), view.top)
        place, seat = asked.place, asked.seat
        self.mesh.do(process, lambda p: p.accept_answer(place, seat, answer, self.mesh.now))

    def sit_down(self, keeper: Seat) -> None:
        """Somebody is at the keyboard again, and presses a key."""
        self.away.discard(keeper)
        self.press(keeper, lambda peer, now: peer.come_back(now))
        if keeper in self._asked:
            self._answer(*self._asked[keeper])

    def press(self, keeper: Seat, what: Callable[[Peer, float], None]) -> None:
        process = self.mesh.processes[keeper]
        self.mesh.do(process, lambda peer: what(peer, self.mesh.now))

    def go_on(self, *keepers: Seat, bot: bool = True) -> None:
        for keeper in keepers:
            self.press(keeper, lambda peer, now: peer.go_on(bot, now))

    def restart(self, keeper: Seat) -> None:
        """The same command is typed again."""
        self.mesh.resume(keeper, self.mesh.processes[keeper].disk)
        self.mesh.dial_again()

    # -- time and what is seen -----------------------------------------------------------------

    def wait(self, seconds: float) -> None:
        self.mesh.run_until(self.mesh.now + seconds)

    def until(self, there: Callable[[], bool], within: float = 3600.0) -> None:
        self.mesh.run_until(self.mesh.now + within, there)
        assert there(), "it does not come"

    def play_out(self) -> None:
        """To the end, for all who are there."""
        here = [p for p in self.mesh.processes.values() if p.is_alive and p.ended is None]
        self.until(lambda: all(p.ended is not None for p in here))
        assert all(p.ended is not None and p.ended[0] is EndKind.FINISHED for p in here)

    def waits_for(self, keeper: Seat) -> None:
        """Until the game waits for this keeper's decision."""
        self.until(lambda: keeper in self._asked and self._is_asked(keeper))

    def _is_asked(self, keeper: Seat) -> bool:
        process, asked = self._asked[keeper]
        return process.peer.ledger.place == asked.place

    def _show(self, process: Process, notice: Notice) -> None:
        self.shown.setdefault(process.keeper, []).append((self.mesh.now, notice))

    def seen(self, keeper: Seat, kind: type[N]) -> list[N]:
        return [n for _, n in self.shown.get(keeper, ()) if isinstance(n, kind)]

    def peer(self, keeper: Seat) -> Peer:
        return self.mesh.processes[keeper].peer

    def ended(self, keeper: Seat) -> EndKind | None:
        ended = self.mesh.processes[keeper].ended
        return None if ended is None else ended[0]

    def report(self, keeper: Seat) -> Report:
        return verify_log(log_bytes(self.mesh.table, self.mesh.processes[keeper].disk))
