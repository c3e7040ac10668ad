"""What must hold whatever happens, checked from outside the product.

The numbers are those of the reliability research. I3 (accountability) needs a cheat and is not
here; I13 to I16 are in `tests.tools.sim.vote_laws`. Nothing raises into the product: what is broken
is written down and ends the game.

Law: bytes are read by `tests.tools.sim.wire`, logs compared as bytes. Where a check reads a peer's
own state (I1, I9) it compares peers with each other or with a number, never with itself.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from random import Random
from typing import TypeAlias

from kotp2p.absence_notices import Dropped
from kotp2p.game.report import Result
from kotp2p.game.verify import verify_log
from kotp2p.notices import Cheated, Diverged, Notice, ProgramFault
from kotp2p.peer.peer import Peer
from kotp2p.shell.table_loop import TableLoop
from kotp2p.wire.commitments import Stream, contribution
from tests.tools.sim import wire
from tests.tools.sim.disk import SimDisk
from tests.tools.sim.life import FOR_WATCHER, Life
from tests.tools.sim.net import ABOUT_WATCHERS
from tests.tools.sim.vote_laws import VoteLaws

MOST_LINKS = 24
MOST_WAITING = 1_500
"""Frames that wait for a peer, or items that wait to be judged: far below the product's limits."""
MOST_STREAMS = 60
AHEAD = {Stream.DICE: 4, Stream.CARDS: 10}
"""Slots behind the last opened one that are looked for as secrets: more than are committed."""
FAIR = 1e-4
"""The chance of an outcome as odd as that, from fair dice, at which they are called unfair."""


@dataclass(frozen=True, slots=True)
class Violation:
    number: str
    words: str

    def __str__(self) -> str:
        return f"{self.number}: {self.words}"


verified_once = functools.lru_cache(64)(verify_log)
"""The same log is looked at by several laws at the end of a game."""

Place: TypeAlias = tuple[bytes, Stream, int]
"""Of a contribution: what it is derived from, and its slot."""


@dataclass
class Secrets:
    """What one seat must not show, yet."""

    seat: int
    seed: bytes
    table: bytes
    shown: set[Place] = field(default_factory=set)
    last: dict[tuple[bytes, Stream], int] = field(default_factory=dict)
    hidden: dict[bytes, Place] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.begins(self.table, {Stream.DICE: 0, Stream.CARDS: 0})

    def begins(self, origin: bytes, first: Mapping[Stream, int]) -> None:
        """A view: all parts come from another origin than before."""
        for stream, ahead in AHEAD.items():
            if (origin, stream) not in self.last:
                self.last[origin, stream] = first[stream] - 1
                self._hide(origin, stream, range(first[stream], first[stream] + ahead))

    def _hide(self, origin: bytes, stream: Stream, slots: Iterable[int]) -> None:
        for slot in slots:
            place = (origin, stream, slot)
            if place not in self.shown:
                self.hidden[contribution(self.seed, *place)] = place

    def signs(self, body: wire.Body) -> None:
        """What stands in a play body of this seat is shown from now on."""
        for c in wire.blobs(body.fields()):
            place = self.hidden.pop(c, None)
            if place is not None:
                origin, stream, slot = place
                self.shown.add(place)
                ahead, last = AHEAD[stream], self.last[origin, stream]
                self._hide(origin, stream, range(last + ahead, slot + ahead + 1))
                self.last[origin, stream] = max(last, slot)


@dataclass
class Invariants:
    """Of one game; `stop` ends it at the first violation."""

    stop: Callable[[], None] = lambda: None
    tell_written: Callable[[Life, PurePath, bytes], None] = lambda _life, _path, _data: None
    """What else wants to know what goes into a file."""
    violations: list[Violation] = field(default_factory=list)
    stands: dict[tuple[object, ...], tuple[bytes, set[int]]] = field(default_factory=dict)
    """Heads and positions, and the machines that have held them."""
    drops: dict[tuple[object, ...], tuple[object, ...]] = field(default_factory=dict)
    """What each seat has voted about in each round."""
    durable: dict[tuple[int, str], dict[object, wire.Body]] = field(default_factory=dict)
    """By player and address: the bodies in its logs that power loss does not take."""
    secrets: dict[tuple[int, bytes], Secrets] = field(default_factory=dict)
    """By machine and key of the seat."""
    with_copies: set[int] = field(default_factory=set)
    """Players whose files lie on several machines. What they have decided counts once another
    player has it; where the game stands for them is asked at the end (I4)."""
    heard: list[bytes] = field(default_factory=list)
    """Some frames that were sent, for who wants to replay them."""
    rolled: Counter[int] = field(default_factory=Counter)
    deepest: Counter[str] = field(default_factory=Counter)
    """The most that was seen of what is bounded."""
    votes: VoteLaws = field(init=False)
    """I13 to I16."""

    def __post_init__(self) -> None:
        self.votes = VoteLaws(self.broken)

    def watches_votes(self, life: Life) -> bool:
        """Whether the peers of a process keep the laws of the votes."""
        return True

    def broken(self, number: str, words: str) -> None:
        self.violations.append(Violation(number, words))
        self.stop()

    # -- taps ------------------------------------------------------------------------------

    def sent(self, life: Life, stream: int, data: bytes) -> None:
        """One frame, before any of it leaves."""
        is_about_watchers = FOR_WATCHER.get() or data[4:6] in ABOUT_WATCHERS
        if len(self.heard) < 200 and not is_about_watchers:
            self.heard.append(data)
        self.i6_secrecy(life, data, "sent")
        if life.machine < 0:
            return  # a stranger
        body = wire.of_frame(data)
        if body is not None:
            self.i8_durability(life, body)

    def written(self, life: Life, path: PurePath, data: bytes) -> None:
        self.tell_written(life, path, data)
        if path.name == "log":
            self._begun(life)
            for body in wire.of_log(data):
                if body.kind in (wire.PLAY, wire.SHARE):
                    for secret in self._own(life):
                        if secret.seat == body.seat:
                            secret.signs(body)
            self.i6_secrecy(life, data, f"written to {path.name}")

    def synced(self, life: Life, path: PurePath, data: bytes) -> None:
        if path.name == "log":
            held = self.durable.setdefault((life.machine, life.address), {})
            for body in wire.of_log(data):
                self.i7_no_self_contradiction(life, body)
                held[body.place() or body] = body

    def reopened(self, life: Life, disk: SimDisk) -> None:
        logs = disk.logs().values()
        bodies = [body for data in logs for body in wire.of_log(data[wire.LOG_HEAD :])]
        self.durable[life.machine, life.address] = {body.place() or body: body for body in bodies}

    def copied(self, machine: int) -> None:
        """Its files, to another machine: what it alone has held was never said, and perhaps never
        will be."""
        self.restored(machine)
        self.with_copies.add(machine)

    def restored(self, machine: int) -> None:
        """An older copy of its disk: what it alone has held was never said."""
        alone = [place for place, (_, held) in self.stands.items() if held == {machine}]
        for place in alone:
            del self.stands[place]

    def sits(self, life: Life, peer: Peer, disk: SimDisk) -> None:
        """A peer begins in this process."""
        key = peer.signer.key
        folder = PurePath("data") / "games" / peer.genesis.id.hex() / key.hex()
        seed = disk.files.get(folder / "seed")
        if seed is None:
            self.broken("I8", f"seat {peer.seat} plays, and its seed is not on disk")
        elif (life.machine, key) not in self.secrets:
            table = peer.genesis.charter.table
            self.secrets[life.machine, key] = Secrets(peer.seat, seed, table)

    def _own(self, life: Life) -> list[Secrets]:
        return [secret for (machine, _), secret in self.secrets.items() if machine == life.machine]

    def _begun(self, life: Life) -> None:
        """Its seats may have come to another view, in which they have other secrets."""
        for secret in self._own(life):
            for peer in life.peers:
                if peer.seat == secret.seat:
                    secret.begins(peer.ledger.chain.slots.origin, peer.ledger.chain.slots.next_slot)

    # -- while the game runs ---------------------------------------------------------------

    def i1_agreement(self, life: Life, peer: Peer, since: tuple[int, int]) -> tuple[int, int]:
        """In each view the head at each height, and the position at some, are the same at all
        peers. `since`: the view and height up to which this peer's were compared."""
        ledger, game = peer.ledger, peer.genesis.id
        self._begun(life)
        if life.machine in self.with_copies:
            return since
        first = since[1] if since[0] == ledger.view else 0
        for height in range(first, ledger.height + 1):
            place = (game, ledger.view, height)
            self._compare(life, place, ledger.heads[height])
        if ledger.height % 4 == 0 and ledger.height >= first:
            position = (game, ledger.view, ledger.height, "position")
            self._compare(life, position, ledger.game.digest())
        return (ledger.view, ledger.height + 1)

    def _compare(self, life: Life, place: tuple[object, ...], held: bytes) -> None:
        """What one machine alone has held does not bind it: an older copy of its disk may have
        been restored before anybody heard of it."""
        known, machines = self.stands.setdefault(place, (held, set()))
        if known == held:
            machines.add(life.machine)
        elif machines <= {life.machine}:
            self.stands[place] = (held, {life.machine})
        else:
            self.broken("I1", f"{life.name} stands elsewhere than {machines} at {place[1:]}")

    def i2_nobody_accused(self, life: Life, notice: Notice) -> None:
        """Nobody cheats here, and no two copies may differ."""
        if isinstance(notice, Cheated | Diverged):
            self.broken("I2", f"{life.name} was shown {notice}")

    def i19_on_time(self, life: Life, notice: Notice) -> None:
        """Nobody is told that votes have put out a seat which was on time."""
        if isinstance(notice, Dropped) and notice.punctual:
            self.broken("I19", f"{life.name}: {notice.punctual} by the votes of {notice.by}")

    def i6_secrecy(self, life: Life, data: bytes, how: str) -> None:
        """No seed, and no contribution before its seat has signed it in an entry."""
        for secret in self._own(life):
            if secret.seed in data:
                self.broken("I6", f"{life.name}: the seed of seat {secret.seat} was {how}")
            for c in [c for c in secret.hidden if c in data]:
                _, stream, slot = secret.hidden[c]
                words = f"{life.name}: {stream.name.lower()} slot {slot} was {how} too early"
                self.broken("I6", words)

    def i7_no_self_contradiction(self, life: Life, body: wire.Body) -> None:
        """No two disks hold different bodies of one seat for one place, and no seat votes about
        two matters in one round. (What an older copy has lost, and no other disk has, was never
        said. Nor was what only the disks of a player hold that has several. Of ends see I4.)"""
        author = next((n for (n, _), s in self.secrets.items() if s.seat == body.seat), -1)
        if author == life.machine and author in self.with_copies:
            return
        place = body.place()
        if place is None:
            place = ()
        for (machine, _), held in self.durable.items() if place else ():
            is_unheard = machine == author and author in self.with_copies
            if held.get(place, body) != body and not is_unheard:
                self.broken("I7", f"two bodies for one place: {place[0]} {place[2:]}")
        drop = body.drop()
        if drop is not None:
            where, matter = drop
            before = self.drops.setdefault(where, matter)
            if before != matter:
                self.broken("I7", f"two votes in one round: {where[1:]} {before} {matter}")

    def i8_durability(self, life: Life, body: wire.Body) -> None:
        """What a seat signed leaves its machine only when power loss cannot take it."""
        own = {secret.seat for secret in self._own(life)}
        if body.kind == wire.VOTE and body.drop() is None:
            return  # what it only tells
        if body.is_blame():
            return  # its own bytes are the same again
        held = self.durable.get((life.machine, life.address), {})
        if body.seat in own and held.get(body.place() or body) != body:
            self.broken("I8", f"{life.name} sent what is not on disk (kind {body.kind})")

    def i9_bounded(self, life: Life, loop: TableLoop) -> None:
        """Queues and links stay far below where they would be cut."""
        inbox = loop._inbox.statistics().current_buffer_used
        queues = [
            k._queue.statistics().current_buffer_used for k in loop.connections.links.values()
        ]
        depths = (
            ("inbox", inbox, MOST_WAITING),
            ("queue of a link", max(queues, default=0), MOST_WAITING),
            ("links", len(queues), MOST_LINKS),
            ("connections", len(life.streams), MOST_STREAMS),
        )
        for what, depth, most in depths:
            self.deepest[what] = max(self.deepest[what], depth)
            if depth > most:
                self.broken("I9", f"{life.name}: {what}: {depth}")

    def i17_own_reader(self, life: Life, notice: Notice) -> None:
        """No honest program is about to write what its own reader refuses."""
        if isinstance(notice, ProgramFault):
            self.broken("I17", f"{life.name}: {notice.detail}")

    def i10_isolation(self, life: Life, fault: BaseException) -> None:
        """Whatever others send, a process ends by its own rules: nothing escapes."""
        self.broken("I10", f"{life.name} died of {fault!r}")

    def i24_moves_on(self, busy: str) -> None:
        """No process runs on and on while no time passes."""
        self.broken("I24", f"nothing but {busy}")

    # -- at the end ------------------------------------------------------------------------

    def i4_verifiability(self, logs: dict[int, bytes], chance: Random) -> None:
        """Finished logs are sound, tell one game, and a bit flipped in one does not stay unseen."""
        games = set()
        for machine, data in logs.items():
            report = verified_once(data)
            if report.result is not Result.SOUND:
                self.broken("I4", f"the log of {machine} is {report.result}: {report.reason}")
            games.add((report.game, report.head))
        if len(games) > 1:
            self.broken("I4", "finished logs tell different games")
        if logs:
            machine, data = chance.choice(sorted(logs.items()))
            at = chance.randrange(len(data) * 8)
            flipped = bytearray(data)
            flipped[at // 8] ^= 1 << at % 8
            if verify_log(bytes(flipped)).result is Result.SOUND:
                self.broken("I4", f"the log of {machine} is sound without its bit {at}")

    def i4_logs(self, machine: int, disk: SimDisk) -> None:
        """What an honest machine has written is never wrong, nor too long, whatever it was sent. It
        may lack a block, if the power has failed and nobody has come back to the game."""
        for data in disk.logs().values():
            report = verified_once(data)
            if report.result not in (Result.SOUND, Result.UNFINISHED):
                words = f"the log of {machine} is {report.result}: {report.reason}"
                self.broken("I4", words)

    def i5_liveness(self, waiting: dict[int, str]) -> None:
        """Once all is mended everybody comes to an end in time."""
        if waiting:
            self.broken("I5", f"no end after the healing: {waiting}")


# -- over a batch --------------------------------------------------------------------------


def i11_fair_dice(rolled: Counter[int]) -> tuple[float, float]:
    """Chi-square of the six faces and the chance of one as great from fair dice."""
    expected = sum(rolled.values()) / 6
    if not expected:
        return 0.0, 1.0
    square = sum((rolled[face] - expected) ** 2 / expected for face in range(6))
    return square, _beyond(square)


def _beyond(square: float) -> float:
    """P(chi-square with 5 degrees of freedom > square)."""
    root = math.sqrt(square)
    density = math.sqrt(2 / math.pi) * math.exp(-square / 2)
    return math.erfc(root / math.sqrt(2)) + density * (root + root**3 / 3)


def i12_reached(found: Counter[str], wanted: Iterable[str]) -> list[str]:
    """What no game of the batch has come to."""
    return [marker for marker in wanted if not found[marker]]
