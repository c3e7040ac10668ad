"""Peers in virtual time: processes of keepers, their logs, and the links between them.

Scope: what `kotp2p.shell.game_stage` and `kotp2p.net` do for a peer, without sockets and files.
"""

import hashlib
import heapq
import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

from kotp2p.game.ledger import Ledger
from kotp2p.game.verify import LogReading
from kotp2p.mesh import gossip
from kotp2p.peer.peer import Peer
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import Notice
from kotp2p.wire.entries import INSTANCE_BYTES, Signed
from kotp2p.wire.frames import Frame, decode, encode
from tests.support.scribe import written
from tests.tools.sim.signed_table import SignedTable

Pair = tuple[Seat, Seat]
REDIAL_SECONDS = 1.5
MAX_EVENTS = 3_000_000
LENGTH_BYTES = 4
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
"""Of an object, in its `repr`: it is another one in each run."""


@dataclass(eq=False)
class Link:
    """A connection of two processes; frames of each direction arrive in order."""

    ends: Pair
    is_up: bool = True
    is_dumb: bool = False
    """It swallows everything, and tells neither side."""
    last: dict[Seat, float] = field(default_factory=dict)
    """By sender: when its last frame arrives."""


@dataclass(eq=False)
class Process:
    """One life of a keeper's program."""

    keeper: Seat
    peer: Peer
    disk: list[Signed]
    """The records of its log."""
    is_alive: bool = True
    is_asleep: bool = False
    waiting: list[Callable[[], None]] = field(default_factory=list)
    """What happens to it while its machine sleeps."""
    ended: tuple[EndKind, str] | None = None
    ticks_at: float = float("inf")
    sends: Callable[[Seat, Frame], list[Frame]] | None = None
    """What a hostile keeper makes of a frame that its program sends."""
    hears: Callable[[Seat, Frame], list[Frame]] | None = None


@dataclass
class Mesh:
    table: SignedTable
    chance: Random
    latency: float
    now: float = 0.0
    processes: dict[Seat, Process] = field(default_factory=dict)
    """By keeper: its newest process."""
    links: dict[Pair, Link] = field(default_factory=dict)
    apart: set[Pair] = field(default_factory=set)
    """Pairs that cannot dial each other."""
    on_notice: list[Callable[[Process, Notice], None]] = field(default_factory=list)
    on_ask: Callable[[Process, gossip.AskDecision], None] | None = None
    on_step: list[Callable[[Process], None]] = field(default_factory=list)
    """Called when a peer has done what it wanted."""
    on_body: list[Callable[[Process, Signed], None]] = field(default_factory=list)
    """Called with each body that a process writes down or sends."""
    evidence: list[bytes] = field(default_factory=list)
    """The files that prove cheats."""
    events: int = 0
    effects: "hashlib._Hash" = field(default_factory=hashlib.sha256)
    """Of all that the peers have wanted, and when: what they send, write, ask, show and close."""
    notes: list[str] | None = None
    """What has happened, in words, if somebody wants to read it."""
    tells_effects: bool = False
    """Whether the notes have all effects, too."""
    _queue: list[tuple[float, int, Callable[[], None]]] = field(default_factory=list)
    _number: Iterator[int] = field(default_factory=itertools.count)
    _lives: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    # -- time --------------------------------------------------------------------------------

    def at(self, time: float, do: Callable[[], None]) -> None:
        heapq.heappush(self._queue, (max(time, self.now), next(self._number), do))

    def after(self, seconds: float, do: Callable[[], None]) -> None:
        self.at(self.now + seconds, do)

    def run_until(self, time: float, stop: Callable[[], bool] = lambda: False) -> None:
        while self._queue and self._queue[0][0] <= time and not stop():
            self.events += 1
            assert self.events < MAX_EVENTS, "a game without an end"
            self.now, _, do = heapq.heappop(self._queue)
            do()
        if not stop():
            self.now = time

    def note(self, *words: object) -> None:
        if self.notes is not None:
            self.notes.append(f"{self.now:9.2f} " + " ".join(map(str, words)))

    # -- processes ---------------------------------------------------------------------------

    def begin(self, keeper: Seat) -> Process:
        """The process that has signed the start."""
        table = self.table
        signer, seed = table.signers[keeper], table.seeds[keeper]
        peer = Peer(table.genesis, keeper, signer, seed, None, bytes(INSTANCE_BYTES))
        return self._start(Process(keeper, peer, []))

    def resume(self, keeper: Seat, disk: list[Signed]) -> Process:
        """A later process, from these records."""
        table = self.table
        number = (next(self._lives) << 32) + self.chance.getrandbits(32)
        peer = Peer(
            table.genesis, keeper, table.signers[keeper], table.seeds[keeper],
            read_ledger(table, disk), number.to_bytes(INSTANCE_BYTES, "big"),
        )  # fmt: skip
        return self._start(Process(keeper, peer, list(disk)))

    def _start(self, process: Process) -> Process:
        self.processes[process.keeper] = process
        for link in [li for li in self.links.values() if process.keeper in li.ends]:
            link.is_up = False  # a new link takes the place of one that nobody has closed
            del self.links[link.ends]
        self.do(process, lambda peer: peer.begin(self.now))
        for other in self.processes:
            self._redial(process.keeper, other)
        return process

    def kill(self, keeper: Seat, *, silently: bool = False) -> None:
        """The process is gone. `silently`: with its machine, so that nobody is told."""
        process = self.processes[keeper]
        process.is_alive, process.waiting = False, []
        for link in [li for li in self.links.values() if keeper in li.ends]:
            if silently:
                link.is_dumb = True
            else:
                self.drop(link)

    def sleep(self, keeper: Seat) -> None:
        self.processes[keeper].is_asleep = True

    def wake(self, keeper: Seat) -> None:
        process = self.processes[keeper]
        process.is_asleep = False
        waiting, process.waiting = process.waiting, []
        for do in waiting:
            do()
        self.do(process, lambda peer: peer.tick(self.now))

    def runs(self, keeper: Seat) -> bool:
        process = self.processes.get(keeper)
        return process is not None and process.is_alive and process.ended is None

    def do(self, process: Process, act: Callable[[Peer], None]) -> None:
        """Let a process do something, now or when its machine wakes up."""
        if not process.is_alive or process.ended is not None:
            return
        if process.is_asleep:
            process.waiting.append(lambda: self.do(process, act))
            return
        act(process.peer)
        self._perform(process)
        for step in self.on_step:
            step(process)
        self._schedule(process)

    def _schedule(self, process: Process) -> None:
        due = max(process.peer.deadline, self.now)
        if process.ended is not None or self.now < process.ticks_at <= due:
            return
        process.ticks_at = due

        def tick() -> None:
            if process.ticks_at == due:
                process.ticks_at = float("inf")
            if self.now >= process.peer.deadline:
                self.do(process, lambda peer: peer.tick(self.now))
            else:
                self._schedule(process)

        self.at(due, tick)

    def _perform(self, process: Process) -> None:
        effects = process.peer.take_effects()
        while effects:
            for effect in effects:
                self._perform_one(process, effect)
            effects = [] if process.ended is not None else process.peer.take_effects()

    def _perform_one(self, process: Process, effect: gossip.Effect) -> None:
        self._record(process, effect)
        match effect:
            case gossip.AppendRecord(signed=signed):
                process.disk.append(signed)
                for hear in self.on_body:
                    hear(process, signed)
            case gossip.SendFrame(seat=to, frame=frame):
                out = [frame] if process.sends is None else process.sends(to, frame)
                for each in out:
                    self.send(process, to, each)
            case gossip.AskDecision() if self.on_ask is not None:
                self.on_ask(process, effect)
            case gossip.ShowNotice(notice=notice):
                for show in self.on_notice:
                    show(process, notice)
            case gossip.KeepEvidence(data=data):
                self.evidence.append(data)
            case gossip.CloseLink(seat=other, reason=reason):
                self.note(process.keeper, "closes the link of", other, reason)
                if (link := self.links.get(_pair(process.keeper, other))) is not None:
                    self.after(0, lambda: self.drop(link))
            case gossip.EndPeer(kind=kind, detail=detail):
                self.note(process.keeper, "ends:", kind, detail)
                process.ended = (kind, detail)
                self._hang_up(process)
            case _:
                pass

    def _record(self, process: Process, effect: gossip.Effect) -> None:
        words = _ADDRESS.sub("", repr(effect))
        self.effects.update(f"{self.now:.6f} {process.keeper} {words}".encode())
        if self.tells_effects:
            self.note(process.keeper, words)

    def _hang_up(self, process: Process) -> None:
        """Close all links of a process, once what it has sent last is on its way."""
        for link in [li for li in self.links.values() if process.keeper in li.ends]:
            self.after(3 * self.latency, lambda link=link: self.drop(link))  # type: ignore[misc]

    # -- links -------------------------------------------------------------------------------

    def send(self, process: Process, to: Seat, frame: Frame) -> None:
        link = self.links.get(_pair(process.keeper, to))
        if isinstance(frame, Signed):
            for hear in self.on_body:
                hear(process, frame)
        if link is None or not link.is_up or link.is_dumb:
            return
        data = encode(frame)
        time = self.now + self.latency * self.chance.uniform(0.5, 2)
        time = link.last[process.keeper] = max(time, link.last.get(process.keeper, 0.0))
        self.at(time, lambda: self._arrive(link, process.keeper, to, data))

    def _arrive(self, link: Link, source: Seat, to: Seat, data: bytes) -> None:
        process = self.processes[to]
        if not link.is_up or link.is_dumb:
            return
        frame = decode(data[LENGTH_BYTES:])
        assert frame is not None, "a frame that its sender's program knows"
        heard = [frame] if process.hears is None else process.hears(source, frame)
        for each in heard:
            self.do(process, lambda peer, each=each: peer.receive_frame(source, each, self.now))  # type: ignore[misc]

    def dial(self, one: Seat, other: Seat) -> None:
        pair = _pair(one, other)
        if one == other or pair in self.links or pair in self.apart:
            return
        if any(not self.runs(k) or self.processes[k].is_asleep for k in pair):
            return
        self.links[pair] = Link(pair)
        for end in pair:
            self._tell(end, pair, up=True)

    def drop(self, link: Link) -> None:
        if not link.is_up:
            return
        link.is_up = False
        if self.links.get(link.ends) is link:
            del self.links[link.ends]
        for end in link.ends:
            self._tell(end, link.ends, up=False)
        self._redial(*link.ends)

    def _tell(self, end: Seat, pair: Pair, *, up: bool) -> None:
        other = pair[0] if end == pair[1] else pair[1]
        if up:
            self.do(self.processes[end], lambda peer: peer.link_up(other, self.now))
        else:
            self.do(self.processes[end], lambda peer: peer.link_down(other, self.now))

    def _redial(self, one: Seat, other: Seat) -> None:
        if one != other:
            seconds = self.chance.uniform(0.05, REDIAL_SECONDS)
            self.after(seconds, lambda: self.dial(one, other))

    def dial_again(self) -> None:
        for one, other in itertools.combinations(sorted(self.processes), 2):
            self.dial(one, other)


def _pair(one: Seat, other: Seat) -> Pair:
    return (min(one, other), max(one, other))


def log_bytes(table: SignedTable, disk: list[Signed]) -> bytes:
    return written(table.genesis.id, disk)


class WrongOwnLog(Exception):
    """A process has written a log that no reader takes."""


def read_ledger(table: SignedTable, disk: list[Signed]) -> Ledger:
    reading = LogReading(log_bytes(table, disk))
    while reading.read_record() is not None:
        pass
    report = reading.report()
    if report.wrong_at is not None:
        raise WrongOwnLog(f"{report.reason} at {report.wrong_at}")
    assert reading.ledger is not None
    return reading.ledger
