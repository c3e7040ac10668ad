"""A table whose other seats are bots: one process, no links."""

from __future__ import annotations

from dataclasses import dataclass, replace

import trio
import trio.testing

from kotp2p.bots import make_bot
from kotp2p.bots.tempers import BOTS
from kotp2p.game.recording import facts_of_log
from kotp2p.game.verify import Result, verify_log
from kotp2p.referee.model.answers import Answer, Seat
from kotp2p.referee.model.decisions import Decision
from kotp2p.referee.model.state import State
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.front import Leave
from kotp2p.seams.notices import GameStarted, Happened, Notice, SeatView
from kotp2p.seams.world import Connection, PortTaken
from kotp2p.shell.run import HostOptions, SeatWish, solo
from kotp2p.wire.genesis import is_bot
from tests.support.memory_tables import Recorder
from tests.support.memory_world import MemoryAcceptor, MemoryHost, MemoryNet, world


@dataclass
class Deaf(MemoryHost):
    """A machine on which nobody can listen, and nobody can be dialled."""

    async def dial(self, address: str, port: int) -> Connection:
        raise AssertionError("there is nobody to dial")

    async def listen(self, bind: str | None, port: int, tries: int = 1) -> MemoryAcceptor:
        raise PortTaken("in this test")


class Following(Recorder):
    """Keeps a position of its own: the first one, and what has happened since."""

    state: State | None = None

    def show(self, notice: Notice) -> None:
        super().show(notice)
        if isinstance(notice, GameStarted):
            self.state = notice.view.game.state.copy()
        elif isinstance(notice, Happened):
            assert self.state is not None
            for event in notice.events:
                event.apply(self.state)


ONE_PERSON = HostOptions(bots=2)


async def play_solo(front: Recorder, options: HostOptions = ONE_PERSON) -> tuple[Ending, bytes]:
    net = MemoryNet()
    machine = replace(world(net, "10.0.0.1", "solo"), net=Deaf(net, "10.0.0.1"))
    with trio.fail_after(600):
        ending = await solo(machine, SeatWish("Ana"), options, front, make_bot)
    assert ending.log is not None
    return ending, machine.disk.read(ending.log) or b""


async def test_a_table_with_bots_alone_is_played_to_its_end_without_a_port(
    autojump_clock: trio.testing.MockClock,
) -> None:
    ending, log = await play_solo(Recorder("Ana"))
    assert ending.kind is EndKind.FINISHED
    assert ending.view is not None
    players = ending.view.players
    names = {player.name for seat, player in enumerate(players) if is_bot(players, seat)}
    assert len(names) == 2
    assert names < set(BOTS)
    assert verify_log(log).result is Result.SOUND


async def test_the_front_is_shown_the_game_from_its_first_position_on(
    autojump_clock: trio.testing.MockClock,
) -> None:
    front = Following("Ana")
    ending, _log = await play_solo(front)
    assert ending.view is not None
    assert front.state == ending.view.game.state


class Both(Recorder):
    """A front for several people, which notes for whom it is asked."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.seats: set[Seat] = set()

    async def decide(self, view: SeatView, decision: Decision) -> Answer | Leave:
        assert view.seat == decision.seat
        self.seats.add(view.seat)
        return await super().decide(view, decision)


async def test_people_at_one_machine_answer_through_one_front_and_the_log_is_sound(
    autojump_clock: trio.testing.MockClock,
) -> None:
    front = Both("Ana")
    ending, log = await play_solo(front, HostOptions(people=("Rex", "Mia"), bots=1))
    assert ending.kind is EndKind.FINISHED
    assert ending.view is not None
    players = ending.view.players
    assert [player.name for player in players if not player.automatic] == ["Ana", "Rex", "Mia"]
    assert {player.keeper for player in players} == {ending.view.seat}
    counted = {player.key for player in facts_of_log(log).players if not player.bot}
    assert len(counted) == 3
    assert front.seats == {seat for seat, player in enumerate(players) if not player.automatic}
    assert verify_log(log).result is Result.SOUND
