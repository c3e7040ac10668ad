"""Whole tables on a walk: all that their machines do, and all that their players are shown.

    python -m tests.tools.table_walk --seed 3
    python -m tests.tools.table_walk

The first prints each line with its time, who it is about, and what happened. The second takes what
the machines do now for right, and writes a digest of each walk.

No line depends on the order in which tasks of one moment run: the lines of a moment are sorted, and
frames that cross a network never come at the same time.
"""

import json
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import Enum
from functools import partial
from hashlib import sha256
from pathlib import PurePath
from random import Random
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import patch

import trio
from trio.testing import MockClock

from kotp2p.net.connections import ListenAt
from kotp2p.net.invitation import SECRET_BYTES
from kotp2p.rendezvous.exchange import PLACE_OF_RELAYED, RelayPlace
from kotp2p.rendezvous.servers import Servers
from kotp2p.rendezvous.words import Code, read_code
from kotp2p.seams import commands
from kotp2p.seams.endings import Ending
from kotp2p.seams.notices import SeatView, TableCode
from kotp2p.seams.world import Connection
from kotp2p.shell.run import SeatWish, join
from kotp2p.wire.crypto import OPEN_TABLE_SECRET
from tests.support import memory_world
from tests.support.courses import digest_of
from tests.support.memory_mailbox import MemoryMailboxes
from tests.support.memory_tables import HOST, PORT, TestTable, refuse
from tests.support.onlookers import Onlooker, Watching
from tests.support.paths import ROOT
from tests.support.tool_line import tool_parser
from tests.support.whole_games import Slow
from tests.tools.sim.rules import short_rules

RECORDED = ROOT / "tests" / "whole_tables" / "walks.json"
"""By seed: the digest of the walk."""
SEEDS = range(22)
TIMES = 5
"""A walk in which two things happen at one moment may have several ends, and is not recorded."""
LONGEST_SECONDS = 500.0
NOTED = {
    "replace", "write_secret", "create_log", "share", "refresh", "lock", "release",
    "remove", "dial", "listen", "browse", "mailbox", "wait_at_relay", "show", "decide",
    "show_ending",
}  # fmt: skip
"""What a machine does."""
SAME = (10, 16, 32)
"""Bytes of these sizes are the same in every run."""


def in_words(value: object) -> str:
    """The same in every process, whatever the order of its tasks."""
    match value:
        case Enum():
            return value.name
        case bytes() | bytearray():
            return value.hex()[:8] if len(value) in SAME else "bytes"
        case SeatView(seat=seat):
            return f"view of {seat}"
        case tuple() | list():
            return f"({' '.join(map(in_words, value))})"
        case set() | frozenset() | dict():
            return in_words(sorted(value))
        case _ if is_dataclass(value):
            parts = [getattr(value, one.name) for one in fields(value) if one.repr]
            return f"{type(value).__name__}{in_words(parts)}"
        case _:
            return type(value).__name__ if callable(value) else str(value)


@dataclass
class Diary:
    lines: set[tuple[float, str, str]] = field(default_factory=set)

    def note(self, who: object, what: str, *about: object) -> None:
        self.lines.add((_now(), str(who), f"{what} {in_words(about)}"))

    def read(self) -> list[str]:
        return [f"{at:.3f} {who} {what}" for at, who, what in sorted(self.lines)]


def _now() -> float:
    return round(trio.current_time(), 3)


@dataclass
class Noting:
    """Stands for a part of a machine, and notes what that does."""

    part: Any
    diary: Diary
    who: object

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return type(self.part)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.part, name)

        def noted(*given: object) -> Any:
            if not (name == "replace" and cast(PurePath, given[0]).name == "places"):
                self.diary.note(self.who, name, *given)  # addresses come in any order
            return value(*given)

        return noted if name in NOTED else value


class Staying(Slow):
    """Reads the end for some time."""

    async def show_ending(self, ending: Ending) -> None:
        self.control = refuse  # whatever is typed closes the end
        await trio.sleep(30)


@dataclass
class Relays(MemoryMailboxes):
    """A mailbox server, and a relay at which two meet."""

    servers: Servers = field(default_factory=lambda: Servers("ws://box.test/v1", "tcp:re.test:1"))
    net: memory_world.MemoryNet = field(default_factory=memory_world.MemoryNet)
    way: float = 0.0
    """From the machine that asks; no two are alike."""

    async def wait_at_relay(self, place: RelayPlace) -> Connection:
        await trio.sleep(self.way)
        here = str(place), 0
        if here in self.net.listening:
            found = self.net.connect("at the relay", *here)
        else:
            send, receive = trio.open_memory_channel[Connection](1)
            self.net.listening[here] = cast(Any, SimpleNamespace(arrive=send.send_nowait))
            try:
                found = await receive.receive()
            finally:
                del self.net.listening[here]
        return replace(found, address=PLACE_OF_RELAYED, local="")


@dataclass
class RelayedHost(memory_world.MemoryHost):
    boxes: Relays

    async def dial(self, address: str, port: int) -> Connection:
        relay = RelayPlace.parse(address)
        if relay is None:
            return await super().dial(address, port)
        return await self.boxes.wait_at_relay(relay)


Act = Callable[[], object]


@dataclass
class Walk(TestTable):
    number: int = 0
    diary: Diary = field(default_factory=Diary)
    has_begun: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        one = self.chance = Random(self.number)
        self.people, self.players, self.start_when_full = one.choice((2, 3, 3, 4)), 5, False
        self.rules = one.choice(("short-second", "short-dark", "second"))
        self.watch = one.choice((commands.NO_WATCHERS, commands.WatchOffer(2),
                                 commands.WatchOffer(1, bytes(10), has_chat=False)))  # fmt: skip
        self.secret = one.choice((OPEN_TABLE_SECRET, OPEN_TABLE_SECRET, bytes(SECRET_BYTES)))
        self.hidden = {f"10.0.0.{n + 1}" for n in range(4)} if one.random() < 0.3 else set[str]()
        self.net.undialable |= self.hidden
        self.present, self.watchers, self.slept = set[int](), 0, [0.0] * 4
        servers = Relays(net=self.net)
        lan = memory_world.MemoryLan(one.choice(("", "", "no multicast")))
        for n in range(self.people):
            front = one.choice((Slow, Staying))(f"{self.number} {n}", 0.7 + 0.313 * n)
            self.fronts[n] = cast(Any, Noting(front, self.diary, n))
            if one.random() < 0.1:
                self.automatic.add(n)
            here, boxes = self.world_of(n), replace(servers, way=0.0031 * (n + 1))
            net = RelayedHost(self.net, f"10.0.0.{n + 1}", boxes)
            parts: dict[str, Any] = {"disk": here.disk, "net": net, "lan": lan}
            noting: dict[str, Any] = {k: Noting(v, self.diary, n) for k, v in parts.items()}
            entropy = entropy_of(f"{self.number} {n}")
            wall_clock = partial(self._wall_clock, n)
            self.worlds[n] = replace(
                here, entropy=entropy, rendezvous=boxes, wall_clock=wall_clock, **noting
            )
            if one.random() < 0.15:  # another process plays under the profile
                here.disk.lock(here.profile_folder / "lock")

    async def run_walk(self) -> list[str]:
        with (
            short_rules(),
            patch.object(
                memory_world.MemoryStream, "send_all", lambda *given: self._send_all(*given)
            ),
            trio.move_on_after(LONGEST_SECONDS),
        ):
            async with trio.open_nursery() as self.nursery:
                await self._walk()
        for n in range(self.people):
            disk = memory_world.memory_disk(self.world_of(n))
            files = [(path, disk.files[path]) for path in sorted(disk.files)]
            self.diary.note(n, "has", files, disk.links, disk.locks, disk.removed)
        self.diary.note("all", "listen", sorted(self.net.listening))
        return self.diary.read()

    async def _walk(self) -> None:
        self._goes(0, self.host)
        await self._pause(1, 2)
        for n in range(1, self.people):
            self._comes(n)
            await self._pause(1, 2)
        for _ in range(self.chance.randrange(9)):
            self._step(self._acts_in_lobby)
            await self._pause(0.3, 3)
        await self._pause(4, 5)
        self.front(0).control(commands.StartGame())
        self.has_begun = True
        await self._pause(1, 6)
        for _ in range(self.chance.randint(3, 14)):
            self._step(self._acts_in_game)
            await self._pause(0.4, 20)
        self.net.undialable = {*self.hidden}
        for n in range(self.people):
            self._part(self.front(n)).goes_on = True
            if n not in self.present:
                self._comes(n)
                await self._pause(1, 4)

    @staticmethod
    def _part(noting: Any) -> Any:
        return noting.part

    async def _pause(self, least: float, most: float) -> None:
        await trio.sleep(self.chance.randint(round(1000 * least), round(1000 * most)) / 1000)

    def _step(self, acts_of: Callable[[int], list[Act]]) -> None:
        n = self.chance.randrange(self.people)
        acts: list[Act] = acts_of(n) if n in self.present else [partial(self._comes, n)]
        act = self.chance.choice(acts)
        self.diary.note(n, "does", cast("partial[object]", act).func.__name__)
        act()

    # -- processes -------------------------------------------------------------------------------

    def _goes(self, n: int, play: Callable[..., Awaitable[None]], *given: object) -> None:
        self.present.add(n)
        self.nursery.start_soon(self._play, n, play, *given)

    async def _play(self, n: int, play: Callable[..., Awaitable[None]], *given: object) -> None:
        self.free(n)
        self._part(self.world_of(n).disk).full = False
        self.endings.pop(n, None)
        await play(*given)
        self.present.discard(n)
        self.diary.note(n, "ends", self.endings.get(n))

    def _comes(self, n: int) -> None:
        codes, elsewhere = self.front(0).seen(TableCode), (f"10.0.0.{self.people}", PORT)
        ways: list[tuple[Any, ...]] = [
            (self.guest, n), *[(self._by_code, n, read_code(told.code)) for told in codes[-1:]],
        ]  # fmt: skip
        if self.has_begun:
            ways += [(self.resume, n), (self.resume, n, elsewhere)]
        if n == 0 and HOST not in {place for place, _port in self.net.listening}:
            ways.append((self.host,))
        self._goes(n, *self.chance.choice(ways))

    async def _by_code(self, n: int, code: Code) -> None:
        here = ListenAt(port=self.chance.choice((None, 5000 + n)))
        wish = SeatWish(f"Guest {n}", "Kraken", n in self.automatic)
        with trio.CancelScope() as self.scopes[n]:
            self.endings[n] = await join(self.world_of(n), wish, code, self.front(n), here=here)

    def _loses_files(self, n: int) -> None:
        self.kill(n)
        disk = memory_world.memory_disk(self.world_of(n))
        for path in [path for path in disk.files if "games" in path.parts]:
            del disk.files[path]
        disk.links.clear()

    def _has_full_disk(self, n: int) -> None:
        self._part(self.world_of(n).disk).full = True

    def _watches(self, _n: int) -> None:
        self.watchers += 1
        self.nursery.start_soon(self._watch, self.watchers, self.chance.randint(5, 200) + 0.77)

    async def _watch(self, number: int, seconds: float) -> None:
        who = f"watcher {number}"
        front = cast(Any, Noting(Onlooker(), self.diary, who))
        one = Watching(self.net, number, from_start=number % 2 > 0, front=front)
        with trio.move_on_after(seconds):
            await one.run()
        self.diary.note(who, "ends", one.ending)

    # -- the network -----------------------------------------------------------------------------

    def _cuts(self, n: int) -> None:
        other = self.chance.choice([one for one in range(self.people) if one != n])
        self.net.cut(f"10.0.0.{n + 1}", f"10.0.0.{other + 1}")
        self.nursery.start_soon(self._mends, self.chance.choice((0.5, 3.0, 20.0, 50.0)))

    async def _send_all(self, stream: memory_world.MemoryStream, data: bytes) -> None:
        """Take a time on the way that no other pair of machines has."""
        await trio.lowlevel.checkpoint()
        pairs = [made[:2] if stream is made[2] else made[1::-1]
                 for made in self.net.made if stream in made[2:]]  # fmt: skip
        self.diary.note(pairs[0][0], "sends to", pairs[0][1])
        if not stream.hole:
            delay = 0.01 + int(sha256(repr(pairs[0]).encode()).hexdigest()[:4], 16) / 6_553_600
            await stream._send.send((trio.current_time() + delay, bytes(data)))

    async def _mends(self, after: float) -> None:
        await trio.sleep(after)
        self.net.undialable = {*self.hidden}

    def _breaks(self, n: int) -> None:
        self.break_links(f"10.0.0.{n + 1}")

    def _swallows_all(self, _n: int) -> None:
        for _caller, _called, one, other in self.net.made:
            one.hole = other.hole = True

    def _wall_clock(self, n: int) -> float:
        return trio.current_time() + self.slept[n]

    def _sleeps(self, n: int) -> None:
        self.slept[n] += 3_600.0

    def _moves(self, n: int) -> None:
        self.nursery.start_soon(self.moves, n, f"10.0.3.{self.chance.randint(1, 9)}")

    # -- what players type -----------------------------------------------------------------------

    def _types(self, n: int, command: commands.Command) -> None:
        if self.front(n).control is not refuse:
            self.diary.note(n, "types", command)
            self.front(n).control(command)

    def _all_type(self, _n: int, command: commands.Command) -> None:
        for n in self.present:
            self.nursery.start_soon(self._types_later, n, command)

    async def _types_later(self, n: int, command: commands.Command) -> None:
        await trio.sleep(0.0517 * n)
        self._types(n, command)

    def _acts_in_lobby(self, n: int) -> list[Act]:
        one = self.chance
        name = one.choice(("Ana", "Guest 1", "Guest 2", "Rex"))
        typed = (
            commands.Say("hello"), commands.ChangeName("Rex"), commands.ChangeMonster("Kra"),
            commands.MarkReady(one.random() < 0.7), commands.NewCode(), commands.OpenSeats(),
            commands.LeaveTable(), commands.KeepSeat(), commands.AcceptKey(name), commands.AddBot(),
            commands.AddBot(), commands.MovePlayer(name, one.randint(1, 5)),
            commands.RemovePlayer(name), commands.ComeBack(),
        )  # fmt: skip
        acts = (self.kill, self._cuts, self._breaks, self._watches, self._moves)
        by_host = 0 if type(one.choice(typed)) in (commands.AddBot, commands.NewCode) else n
        return [
            *(partial(self._types, by_host, command) for command in typed if n),
            *(partial(act, n) for act in acts if n),
            *(partial(self._types, 0, command) for command in typed[:6] + typed[8:]),
        ]

    def _acts_in_game(self, n: int) -> list[Act]:
        one = self.chance
        typed = (
            commands.Say("hello"), commands.NewCode(), commands.LetBotPlay(), commands.ComeBack(),
            commands.LetBack(one.randrange(self.players)), commands.KeepSeat(), commands.AddBot(),
        )  # fmt: skip
        of_all = (commands.GoOn(one.random() < 0.8), commands.StopToday(one.random() < 0.8))
        acts = (
            self.kill, self.kill, self._loses_files, self._has_full_disk, self._watches,
            self._cuts, self._breaks, self._swallows_all, self._moves, self._sleeps,
        )  # fmt: skip
        leaves = [partial(self._types, n, commands.LeaveTable())] * (one.random() < 0.2)
        return [
            *(partial(self._types, n, command) for command in typed), *leaves,
            *(partial(self._all_type, n, command) for command in of_all),
            *(partial(act, n) for act in acts),
        ]  # fmt: skip


def entropy_of(seed: str) -> Callable[[int], bytes]:
    """The same for a task, whatever others have drawn in the same moment."""
    drawn = Counter[trio.lowlevel.Task]()

    def entropy(size: int) -> bytes:
        task = trio.lowlevel.current_task()
        drawn[task] += 1
        return memory_world.seeded(f"{seed} {_now()} {drawn[task]}")(size)

    return entropy


def walk(seed: int) -> list[str]:
    return trio.run(Walk(number=seed).run_walk, clock=MockClock(autojump_threshold=0))


if __name__ == "__main__":
    parser = tool_parser("tests.tools.table_walk", __doc__)
    parser.add_argument("--seed", type=int, help="print this walk")
    seed = parser.parse_args().seed
    if seed is not None:
        print("\n".join(walk(seed)))
    else:
        seen = {number: {digest_of(walk(number)) for _ in range(TIMES)} for number in SEEDS}
        same = {number: digests.pop() for number, digests in seen.items() if len(digests) == 1}
        RECORDED.write_text(json.dumps(same, indent=1) + "\n")
