"""What a majority can do to a player who is on time: it is said, and shown when it happens.

The voters here are modified: their programs open a vote as soon as their victim is asked.
"""

from __future__ import annotations

import pytest
import trio
import trio.testing

from kotp2p.absence_notices import Dropped
from kotp2p.endings import EndKind
from kotp2p.front import Leave
from kotp2p.notices import Cheated
from kotp2p.peer.peer import Peer
from kotp2p.seat_view import SeatView
from kotp2p.start_notices import StartSigned
from kotp2p.wire.genesis import Clocks
from kotp2p.wishes.clocks import SeatClocks
from referee.model.answers import Answer, Seat
from referee.model.decisions import Decision
from tests.support.memory_tables import Recorder, TestTable
from tests.support.whole_games import same_sound_logs

VICTIM = 1


class EagerClocks(SeatClocks):
    """Their victim may be voted on from the first second on."""

    __slots__ = ()

    def votable_seats(self, now: float) -> list[Seat]:
        assert self._owing is not None
        return [seat for seat in self._owing.seats if seat == VICTIM and self._owing.decides]


class Eager(Peer):
    def __post_init__(self) -> None:
        super().__post_init__()
        self._voting.clocks.__class__ = EagerClocks


class Thinking(Recorder):
    """Takes some seconds for each answer, and this many for the third one."""

    seconds = 5.0

    async def decide(self, view: SeatView, decision: Decision) -> Answer | Leave:
        await trio.sleep(self.seconds if self.asked == 2 else 5.0)
        return await super().decide(view, decision)


def against_the_victim(*voters: int, players: int = 3) -> TestTable:
    table = TestTable(players=players)
    for n in voters:
        table.make_peer[n] = Eager
        table.fronts[n] = Recorder(f"voter {n}", votes=True)
    table.fronts[VICTIM] = Thinking("victim")
    return table


async def test_who_is_voted_out_while_their_clock_runs_reads_that_they_were_on_time(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = against_the_victim(0, 2)
    await table.run()
    same_sound_logs(table, range(3))
    (dropped,) = table.front(VICTIM).seen(Dropped)
    assert (dropped.seats, dropped.by, dropped.punctual) == ((VICTIM,), (0, 2), (VICTIM,))
    for n in (0, 2):  # they know what they have done
        (dropped,) = table.front(n).seen(Dropped)
        assert dropped.punctual == ()
    for n in range(3):
        assert table.endings[n].kind is EndKind.FINISHED
        assert not table.front(n).seen(Cheated)
    (votes,) = table.report(VICTIM).voted_out
    assert (votes.seats, votes.voters) == ((VICTIM,), (0, 2))


async def test_who_is_voted_out_behind_their_clock_reads_nothing_of_the_kind(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=3, clocks=Clocks(20, 10))
    for n in (0, 2):
        table.fronts[n] = Recorder(f"voter {n}", votes=True)
    slow = table.fronts[VICTIM] = Thinking("victim")
    slow.seconds = 300.0
    await table.run()
    same_sound_logs(table, range(3))
    for n in range(3):
        (dropped,) = table.front(n).seen(Dropped)
        assert (dropped.seats, dropped.punctual) == ((VICTIM,), ())


@pytest.mark.parametrize(("players", "strangers"), [(2, []), (3, [2, 2, 2]), (4, [3, 3, 3, 3])])
async def test_a_game_with_enough_strangers_begins_with_a_word_about_them(
    players: int, strangers: list[int], autojump_clock: trio.testing.MockClock
) -> None:
    table = TestTable(players=players)
    await table.run()
    for n, count in enumerate(strangers):
        (signed,) = table.front(n).seen(StartSigned)
        assert len(signed.strangers) == count
        assert n not in signed.strangers
