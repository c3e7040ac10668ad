"""A host that dies while a start is signed: no seat that has signed is lost to the game."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
import trio

from kotp2p.game.verify import Result
from kotp2p.lobby.start import START_STEP_SECONDS
from kotp2p.net.connections import Connections
from kotp2p.seams import notices
from kotp2p.seams.commands import KeepSeat
from kotp2p.seams.endings import EndKind
from kotp2p.wire.entries import Signed, pack_seals, unpack_seals
from kotp2p.wire.frames import AllSealed, Frame, GenesisShown, Lobby, Ping, Start
from kotp2p.wire.lineups import Reason
from tests.support.lobby_room import ends_start, is_assent
from tests.support.memory_tables import HOST, Recorder, TestTable
from tests.support.memory_world import memory_disk
from tests.support.whole_games import same_sound_logs
from tests.tools.sim.rules import short_rules

pytestmark = pytest.mark.virtual_time

BEFORE_THE_END = Start | AllSealed | GenesisShown
GUESTS = (1, 2, 3)


@pytest.fixture(autouse=True)
def short_games() -> Iterator[None]:
    with short_rules():
        yield


@dataclass
class LostHost:
    """A table of four people. `reaches` says which frames of the start still leave the host; after
    the first that does not, and after all that end it, the host says nothing more and dies."""

    reaches: Callable[[int, Frame], bool]
    table: TestTable = field(default_factory=lambda: TestTable(players=4, rules="short-second"))
    is_dying: bool = False
    has_died: bool = False
    """And may come back, as a process like any other."""

    def install(self, patch: pytest.MonkeyPatch) -> None:
        send, lost = Connections.send_frame, self

        def send_frame(self: Connections, number: int, frame: Frame) -> None:
            if self.world is not lost.table.world_of(0) or lost.lets_go(self, number, frame):
                send(self, number, frame)

        patch.setattr(Connections, "send_frame", send_frame)

    def lets_go(self, connections: Connections, number: int, frame: Frame) -> bool:
        link = connections.links.get(number)
        if self.has_died or link is None:
            return True
        if self.is_dying and not ends_start(frame):
            return False
        guest = int(link.address.rpartition(".")[2]) - 1
        is_of_start = isinstance(frame, BEFORE_THE_END) or ends_start(frame)
        goes = not is_of_start or self.reaches(guest, frame)
        self.is_dying |= not goes or ends_start(frame)
        return goes

    async def host_dies(self) -> None:
        while not self.is_dying:
            await trio.sleep(0.01)
        await trio.sleep(0.001)
        self.table.kill(0)
        await trio.sleep(0.001)
        self.table.break_links(HOST)
        self.has_died = True

    def begun(self) -> set[int]:
        return {n for n in GUESTS if self.table.front(n).seen(notices.GameStarted)}

    def signed(self) -> set[int]:
        return {n for n in GUESTS if self.table.front(n).seen(notices.StartInDoubt)} | self.begun()

    def kept(self, n: int) -> list[str]:
        disk = memory_disk(self.table.world_of(n))
        return [path.parts[1] for path in disk.files if path.parts[1] in ("games", "starting")]


async def all_come_back(lost: LostHost) -> None:
    """The host resumes, and each guest whose program has ended types the same `join` again."""
    table = lost.table
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.resume, 0)
        await trio.sleep(1)
        for n in GUESTS:
            if n in table.endings:
                table.free(n)
                del table.endings[n]
                nursery.start_soon(table.guest, n)
    assert {table.endings[n].kind for n in range(4)} == {EndKind.FINISHED}
    same_sound_logs(table, range(4))
    assert not [n for n in GUESTS if "starting" in lost.kept(n)]


def having(guests: frozenset[int]) -> Callable[[int, Frame], bool]:
    return lambda guest, frame: not ends_start(frame) or guest in guests


SETS = [frozenset(n for n in GUESTS if 1 << n & bits) for bits in range(0, 16, 2)]


@pytest.mark.parametrize("has_heard", SETS, ids=lambda guests: "".join(map(str, guests)) or "none")
async def test_whoever_has_begun_brings_all_who_have_signed_along(
    has_heard: frozenset[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = LostHost(having(has_heard))
    lost.install(monkeypatch)
    table = lost.table

    async def meanwhile() -> None:
        await lost.host_dies()
        await trio.sleep(START_STEP_SECONDS - 1)
        assert lost.begun() == (set(GUESTS) if has_heard else set())
        assert not table.endings
        await trio.sleep(2)
        ended = {n: ending.kind for n, ending in table.endings.items()}
        assert ended == ({} if has_heard else dict.fromkeys(GUESTS, EndKind.START_IN_DOUBT))
        await all_come_back(lost)

    await table.run(meanwhile)


async def until_in_doubt_is_over(lost: LostHost) -> dict[int, EndKind]:
    await lost.host_dies()
    await trio.sleep(START_STEP_SECONDS + 1)
    return {n: ending.kind for n, ending in lost.table.endings.items()}


@pytest.mark.parametrize("frames", range(10))
async def test_a_host_that_dies_before_any_has_begun_leaves_the_signed_in_doubt(
    frames: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has sent so many frames of the start."""
    sent: list[int] = []

    def reaches(guest: int, frame: Frame) -> bool:
        sent.append(guest)
        return len(sent) <= frames

    lost = LostHost(reaches)
    lost.install(monkeypatch)
    table = lost.table

    async def meanwhile() -> None:
        ended = await until_in_doubt_is_over(lost)
        signed = set(sent[6:frames])
        assert {n for n in GUESTS if "starting" in lost.kept(n)} == signed
        assert lost.signed() == signed
        assert ended == {
            n: EndKind.START_IN_DOUBT if n in signed else EndKind.LOST_HOST for n in GUESTS
        }

    await table.run(meanwhile)


async def test_guests_that_cannot_be_dialled_come_in_with_the_host(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lost = LostHost(having(frozenset({1})))
    lost.install(monkeypatch)
    table = lost.table
    table.net.undialable |= {f"10.0.0.{n + 1}" for n in GUESTS}

    async def meanwhile() -> None:
        assert await until_in_doubt_is_over(lost) == dict.fromkeys((2, 3), EndKind.START_IN_DOUBT)
        assert lost.begun() == {1}
        await all_come_back(lost)

    await table.run(meanwhile)


async def test_a_seat_that_the_host_tells_nothing_hears_it_of_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table, send = TestTable(players=4, rules="short-second"), Connections.send_frame

    def send_frame(self: Connections, number: int, frame: Frame) -> None:
        link = self.links.get(number)
        is_to_2 = link is not None and (self.world.net, link.address) == (host_net, "10.0.0.3")
        if not is_to_2 or isinstance(frame, Lobby | Ping | BEFORE_THE_END):
            send(self, number, frame)

    host_net = table.world_of(0).net
    monkeypatch.setattr(Connections, "send_frame", send_frame)
    await table.run()
    assert not table.front(2).seen(notices.StartInDoubt)
    assert {table.endings[n].kind for n in range(4)} == {EndKind.FINISHED}


async def test_a_guest_whose_process_dies_as_it_signs_joins_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table, send = TestTable(players=3, rules="short-second"), Connections.send_frame
    died: list[Frame] = []

    def send_frame(self: Connections, number: int, frame: Frame) -> None:
        send(self, number, frame)
        if is_assent(frame) and self.world is table.world_of(2) and not died:
            died.append(frame)

    monkeypatch.setattr(Connections, "send_frame", send_frame)

    async def meanwhile() -> None:
        while not died:
            await trio.sleep(0.001)
        table.kill(2)
        await trio.sleep(5)
        await table.guest(2)

    await table.run(meanwhile)
    assert table.front(2).seen(notices.StartInDoubt)
    assert {table.endings[n].kind for n in range(3)} == {EndKind.FINISHED}
    same_sound_logs(table, range(3))


async def test_a_seat_that_shows_other_signatures_brings_nobody_into_a_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lost = LostHost(having(frozenset({3})))
    lost.install(monkeypatch)
    table, send = lost.table, Connections.send_frame

    def send_frame(self: Connections, number: int, frame: Frame) -> None:
        if self.world is table.world_of(3) and isinstance(frame, Signed) and ends_start(frame):
            seals = unpack_seals(frame.signature)
            swapped = dict(zip(seals, reversed(seals.values()), strict=True))
            frame = frame._replace(signature=pack_seals(swapped))
        send(self, number, frame)

    monkeypatch.setattr(Connections, "send_frame", send_frame)

    async def meanwhile() -> None:
        assert await until_in_doubt_is_over(lost) == dict.fromkeys((1, 2), EndKind.START_IN_DOUBT)
        assert lost.begun() == {3}
        await all_come_back(lost)

    await table.run(meanwhile)


async def test_all_that_a_seat_needs_to_come_back_is_on_disk_before_it_signs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table, send = TestTable(players=3, rules="short-second"), Connections.send_frame
    had: dict[bool, set[str]] = {}
    """By whether the frame ends the start."""

    def send_frame(self: Connections, number: int, frame: Frame) -> None:
        disk = memory_disk(self.world)
        if (is_assent(frame) or ends_start(frame)) and ends_start(frame) not in had:
            own = (path for path in disk.files if path.parts[1] in ("games", "starting"))
            had[ends_start(frame)] = {at.parts[1] if len(at.parts) == 3 else at.name for at in own}
        send(self, number, frame)

    monkeypatch.setattr(Connections, "send_frame", send_frame)
    await table.run()
    assert had == {False: {"starting"}, True: {"log", "places", "seed"}}


# -- closed windows --------------------------------------------------------------------------------

# A window that closes at any moment keeps its seat, and nobody has left the game.


class Closing(Recorder):
    """Closes its window at the first notice of a kind."""

    def __init__(self, name: str, when: Callable[[notices.Notice], bool]) -> None:
        super().__init__(name, "easy")
        self.when = when
        self.closed = False

    def show(self, notice: notices.Notice) -> None:
        super().show(notice)
        if not self.closed and self.when(notice):
            self.closed = True
            self.control(KeepSeat())


def in_a_gather(notice: notices.Notice) -> bool:
    """The others have not opened their part of a draw yet."""
    return isinstance(notice, notices.Waiting) and notice.decision is None


def asked(notice: notices.Notice) -> bool:
    return isinstance(notice, notices.Waiting) and notice.decision is not None


async def closes_and_comes_back(table: TestTable) -> None:
    front = table.front(0)
    assert isinstance(front, Closing)

    async def resume() -> None:
        while 0 not in table.endings:
            await trio.sleep(0.05)
        if not front.closed:
            return
        assert table.endings[0].kind is EndKind.KEPT
        assert table.report(0).result is Result.UNFINISHED
        await trio.sleep(2)
        await table.resume(0)

    await table.run(resume)


@pytest.mark.parametrize("when", [in_a_gather, asked])
async def test_a_host_that_closes_while_others_owe_something_goes_on(
    when: Callable[[notices.Notice], bool],
) -> None:
    table = TestTable(players=4, bots=1)
    table.fronts[0] = Closing("closing", when)
    await closes_and_comes_back(table)
    for n in range(3):
        assert table.endings[n].kind is EndKind.FINISHED
        begun = table.front(n).seen(notices.LineUpBegun)
        reasons = {c.reason for notice in begun for c in notice.changes}
        assert reasons <= {Reason.AGAIN}
    same_sound_logs(table, range(3))
