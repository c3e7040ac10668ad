"""I20: what an honest player signs is what they were shown last. I21: a game that has begun has
begun for all honest players. I23: whoever is shown as ready has said so.

Law: both compare what honest processes have shown, and whom a genesis names, with what there is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kotp2p.notices import LobbyChanged, Notice
from kotp2p.start_notices import StartSigned
from kotp2p.wire.crypto import Signer
from tests.tools.sim.disk import OWN_KEY
from tests.tools.sim.life import Life

if TYPE_CHECKING:
    from tests.tools.sim.game import SimGame
    from tests.tools.sim.machines import Machine


@dataclass
class StartLaws:
    game: SimGame
    shown: dict[int, LobbyChanged] = field(default_factory=dict)
    """The lobby that each machine has shown last, perhaps by an earlier process."""
    marked: set[bytes] = field(default_factory=set)
    """The keys of the people who have said that they are ready."""

    def note_notice(self, life: Life, notice: Notice) -> None:
        if isinstance(notice, LobbyChanged):
            self.shown[life.machine] = notice
            self._check_marks(life, notice)
        elif isinstance(notice, StartSigned) and life.machine not in self.game.mix.cheats:
            self._compare(life, self.shown[life.machine], notice)

    def _check_marks(self, life: Life, notice: LobbyChanged) -> None:
        ready = [seat for seat in notice.seats if seat is not None and seat.ready and not seat.bot]
        for seat in ready:
            if seat.key not in self.marked:
                words = f"{life.name} was shown {seat.name} as ready without a word of {seat.name}"
                self.game.invariants.broken("I23", words)
        if ready and life.machine not in self.game.mix.cheats:
            self.game.trace.reach("shown somebody as ready")

    def _compare(self, life: Life, seen: LobbyChanged, notice: StartSigned) -> None:
        charter = notice.charter
        shown = [(s.key, s.name, s.monster, s.bot) for s in seen.seats if s is not None]
        signed = [(p.key, p.name, p.monster, p.bot) for p in charter.players]
        table = (seen.rules, seen.options.options, seen.options.clocks)
        if (shown, table) != (signed, (charter.rules, charter.options, charter.clocks)):
            words = f"{life.name} was shown {seen} and has signed {charter}"
            self.game.invariants.broken("I20", words)

    def judge_start(self, machines: list[Machine]) -> None:
        """Whether the game has begun for all of these machines that play in it."""
        begun = {
            Signer(machine.disk.files[OWN_KEY]).key: machine.number in self.game.begun
            for machine in machines
            if OWN_KEY in machine.disk.files
        }
        peers = [p for m in machines if m.life is not None for p in m.life.peers]
        for player in {player for peer in peers for player in peer.genesis.players}:
            if not begun.get(player.key, True):
                words = f"{player.name} has signed a start that began without them"
                self.game.invariants.broken("I21", words)
