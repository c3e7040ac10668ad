"""The machines of a simulated game: one for each player, and those with copies of their files.

Law: all machines with files of one player have one number, and an address and a disk each.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.endings import EndKind
from kotp2p.wire.crypto import Signer
from tests.tools.sim.disk import OWN_KEY, SimDisk
from tests.tools.sim.life import Life


@dataclass(eq=False)
class Machine:
    number: int
    disk: SimDisk
    life: Life | None = None
    lives: int = 0
    down: float = 0.0
    """Seconds that it stays off after the blow that it was dealt."""
    done: EndKind | None = None
    lost: bool = False
    """It will never be seen again."""
    excused: bool = False
    """Its disk was full: an ending for files is as it should be."""
    home: int = 0
    """Counts the machines with files of this player; they have one number."""
    tries: int = 0
    """How often the player has typed the command again since they have come back here."""
    is_older: bool = False
    """Its files were copied before the player has come back elsewhere for the last time. They may
    tell the epoch that the process there has, too."""
    left_alone: bool = False
    """Nobody types a command here: the player plays on another machine."""

    @property
    def is_used(self) -> bool:
        """Somebody plays here, or will."""
        return self.done is None and not self.left_alone

    @property
    def address(self) -> str:
        return f"10.0.{self.home}.{self.number + 1}"

    @property
    def is_at_table(self) -> bool:
        """Its process runs, and plays."""
        return self.life is not None and self.life.alive and bool(self.life.peers)

    def has_game(self) -> bool:
        """It has a game to go on with."""
        return any(path.name == "log" for path in self.disk.files)

    def own_log(self) -> tuple[bytes, bytes]:
        """Of the person, not of bots that their process keeps; and their key."""
        key = Signer(self.disk.files[OWN_KEY]).key
        (log,) = (data for path, data in self.disk.logs().items() if path.parent.name == key.hex())
        return log, key

    def mend(self) -> None:
        """Its disk works again, and its process runs on."""
        self.disk.full, self.disk.blow, self.disk.sync_time = False, None, 0.005
        if self.life is not None:
            self.life.slow = False
            if self.life.frozen is not None:
                self.life.frozen.set()
                self.life.frozen = None


@dataclass
class Homes:
    """Where each player plays, and where else they might."""

    machines: list[Machine] = field(default_factory=list)
    """By player: where they play now."""
    copies: list[Machine] = field(default_factory=list)
    """Machines on which a player has played, or might play, instead."""

    def all_machines(self) -> list[Machine]:
        return [*self.machines, *self.copies]

    def of_player(self, number: int) -> list[Machine]:
        return [machine for machine in self.all_machines() if machine.number == number]

    def move_player(self, machine: Machine) -> None:
        """The player of this machine plays on it from now on."""
        before = self.machines[machine.number]
        if before is not machine:
            self.copies = [m for m in (*self.copies, before) if m is not machine]
            self.machines[machine.number] = machine
