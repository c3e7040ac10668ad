"""What must hold of those who only watch (W1 to W5), whatever happens to them and to the game.

W1: what a watcher holds is a first part of a log that verifies, whoever has sent it. W2: of an
honest source it is a first part of what its log has held. W3 is in `tests.tools.sim.onlookers`.
W4: it has no head that the honest do not have there; what was undone, it was told of. W5: it comes
to an end by itself, and of an honest source never to that of a wrong log. W6 is about two games:
what the players are shown is the same whether they are watched or not (`simulate(in_order=True)`),
at the same times.

Law: as in `tests.tools.sim.invariants`, of which I1, I6, I10 and I17 are asked of watchers, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import PurePath
from random import Random
from typing import TYPE_CHECKING, cast
from unittest.mock import patch

from kotp2p.endings import Ending, EndKind
from kotp2p.game.ledger import Ledger
from kotp2p.game.report import Result
from kotp2p.game.verify import verify_log
from kotp2p.peer.peer import Peer
from kotp2p.shell.watch import WatchStage
from kotp2p.watching.served_log import ServedLog
from kotp2p.wire.genesis import Genesis
from tests.tools.sim.life import CURRENT, Life
from tests.tools.sim.wire import MAGIC

if TYPE_CHECKING:
    from tests.tools.sim.game import SimGame


@dataclass(frozen=True, slots=True)
class Seen:
    """What a watcher has, in the form of a peer."""

    ledger: Ledger
    genesis: Genesis


@dataclass
class WatchLaws:
    game: SimGame
    _held: dict[str, bytearray] = field(default_factory=dict)
    """By watching process: the log as far as it was found right."""
    _since: dict[str, tuple[int, int]] = field(default_factory=dict)
    _versions: dict[PurePath, list[bytearray]] = field(default_factory=dict)
    """All that has stood in the log of the player who is watched, by file. One that was restored
    from an older copy is another version."""
    _lives: dict[PurePath, str] = field(default_factory=dict)

    @property
    def has_honest_source(self) -> bool:
        return 0 not in self.game.mix.cheats

    def note_written(self, life: Life, path: PurePath, data: bytes) -> None:
        if life.machine or path.name != "log":
            return
        versions = self._versions.setdefault(path, [])
        if data.startswith(MAGIC):
            versions.append(bytearray(data))
        elif self._lives.get(path) != life.name:  # the process has begun with what lay there
            versions.append(bytearray(self._file(life, path) + data))
        else:
            versions[-1] += data
        self._lives[path] = life.name

    def _file(self, life: Life, path: PurePath) -> bytes:
        homes = self.game.homes.of_player(life.machine)
        return next(m.disk.files[path] for m in homes if m.address == life.address)

    def note_kept(self, stage: WatchStage, offset: int, data: bytes) -> None:
        """A watcher has found more of its log right."""
        life = CURRENT.get()
        assert life is not None
        held = self._held.setdefault(life.name, bytearray())
        if offset == 0:
            if held:
                self.game.trace.reach("watcher: begins again")
            held.clear()
            self._since.pop(life.name, None)
        if offset != len(held):
            self.game.invariants.broken("W1", f"{life.name} keeps {offset} behind {len(held)}")
        held += data
        if self.has_honest_source:
            self._judge_source(life, bytes(held))
            self._judge_heads(life, stage)

    def _judge_source(self, life: Life, held: bytes) -> None:
        versions = [bytes(version) for found in self._versions.values() for version in found]
        for machine in self.game.homes.of_player(0):  # a process has begun with what lay there
            versions += [data for path, data in machine.disk.files.items() if path.name == "log"]
        if not any(version.startswith(held) for version in versions):
            self.game.invariants.broken("W2", f"{life.name} has what its source has not")

    def _judge_heads(self, life: Life, stage: WatchStage) -> None:
        ledger = stage.watcher.game._reading.ledger
        if ledger is not None:
            seen = cast(Peer, Seen(ledger, ledger.genesis))
            since = self._since.get(life.name, (0, 0))
            self._since[life.name] = self.game.invariants.i1_agreement(life, seen, since)

    def judge_ending(self, life: Life, ending: Ending) -> None:
        held, broken = bytes(self._held.get(life.name, b"")), self.game.invariants.broken
        self.game.trace.reach(f"watcher: {ending.kind}", life.name)
        if held:
            report = verify_log(held)
            if report.result not in (Result.SOUND, Result.UNFINISHED):
                broken("W1", f"{life.name} holds a log that is {report.result}: {report.reason}")
            if ending.kind is EndKind.FINISHED and report.result is not Result.SOUND:
                broken("W1", f"{life.name} has seen an end that its log has not")
        if ending.kind is EndKind.WRONG_LOG and self.has_honest_source:
            broken("W5", f"{life.name} is sent a wrong log by who is honest: {ending.detail}")
        if ending.kind is EndKind.FILES:
            broken("W5", f"{life.name} cannot write: {ending.detail}")


@contextmanager
def lying_sources(game: SimGame) -> Iterator[None]:
    """A cheat that is watched changes a byte of what it sends, now and then."""
    part = ServedLog.part
    chance = Random(f"lying source {game.mix.seed}")
    often = chance.choice((0.0, 0.02, 0.2))

    def parts(log: ServedLog, offset: int, most: int) -> bytes:
        found, life = part(log, offset, most), CURRENT.get()
        is_lie = life is not None and life.machine in game.mix.cheats and chance.random() < often
        if not is_lie or not found:
            return found
        game.trace.reach("watcher: lied to")
        at = chance.randrange(len(found))
        return found[:at] + bytes([found[at] ^ 1 << chance.randrange(8)]) + found[at + 1 :]

    with patch.object(ServedLog, "part", parts) if game.mix.cheats else nullcontext():
        yield


@contextmanager
def watched_watching(game: SimGame) -> Iterator[None]:
    """The product tells the laws what watchers hold; it does the same without."""
    keep = WatchStage._keep

    async def keeps(stage: WatchStage, offset: int, data: bytes) -> None:
        game.watchers.laws.note_kept(stage, offset, data)
        await keep(stage, offset, data)

    with patch.object(WatchStage, "_keep", keeps), lying_sources(game):
        yield
