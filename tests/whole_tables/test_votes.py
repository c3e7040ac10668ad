"""Who is absent is waited for; the others may go on without him, if all of them agree."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import trio
import trio.testing

from kotp2p.absence_notices import (
    Dropped,
    Gone,
    Late,
    Paused,
    Returned,
    Rewound,
    Voted,
    VoteEnded,
    VoteOpened,
)
from kotp2p.endings import EndKind
from kotp2p.front import Leave
from kotp2p.game.report import Result
from kotp2p.mesh.effects import Effect
from kotp2p.notices import Cheated, Happened
from kotp2p.peer.peer import Peer
from kotp2p.seat_view import SeatView
from kotp2p.wire.entries import BodyKind
from kotp2p.wire.genesis import Clocks
from kotp2p.wire.records import RecordReader, read_head
from referee.model.answers import Answer
from referee.model.decisions import Decision
from referee.model.events import Eliminated
from tests.support.memory_tables import Recorder, TestTable
from tests.support.whole_games import same_sound_logs, until


def voters(table: TestTable, *seats: int) -> None:
    for n in seats:
        table.fronts[n] = Recorder(f"voter {n}", votes=True)


def killing(table: TestTable, victim: int, after: int = 2) -> Callable[[], object]:
    async def kill() -> None:
        while table.front(victim).asked < after:
            await trio.sleep(0.05)
        table.kill(victim)

    return kill


@pytest.mark.parametrize("players", [3, 5])
@pytest.mark.parametrize("victim", [0, 2])
async def test_the_players_present_go_on_without_an_absent_one_if_all_agree(
    players: int, victim: int, autojump_clock: trio.testing.MockClock
) -> None:
    table = TestTable(players=players)
    rest = sorted(set(range(players)) - {victim})
    voters(table, *rest)
    await table.run(killing(table, victim))  # type: ignore[arg-type]
    for n in rest:
        front = table.fronts[n]
        assert table.endings[n].kind is EndKind.FINISHED
        assert [x.seat for x in front.seen(Gone)] == [victim]
        (opened,) = front.seen(VoteOpened)
        assert opened == VoteOpened((victim,), tuple(rest), True, True)
        (dropped,) = front.seen(Dropped)
        assert isinstance(dropped, Dropped)
        assert (dropped.seats, dropped.by) == ((victim,), tuple(rest))
        assert not front.seen(Cheated)
        assert not front.seen(Rewound)
        assert not front.seen(VoteEnded)
        out = [e.seat for h in front.seen(Happened) for e in h.events if isinstance(e, Eliminated)]
        assert victim in out
    reports = [table.report(n) for n in rest]
    assert {r.result for r in reports} == {Result.SOUND}
    assert len({r.canonical for r in reports}) == 1
    assert victim not in table.endings[rest[0]].winners


async def test_one_player_who_waits_keeps_the_seat_of_an_absent_one(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=4)
    voters(table, 0, 1)  # seat 2 says nothing

    async def come_back_late() -> None:
        await killing(table, 3)()  # type: ignore[misc]
        await until(lambda: table.front(0).seen(Voted))
        await trio.sleep(3_600)
        await table.resume(3)

    await table.run(come_back_late)
    same_sound_logs(table, range(4))
    for n in range(3):
        assert len(table.front(n).seen(Voted)) == 2
        assert not table.front(n).seen(Dropped)
        assert table.front(n).seen(Returned)
        assert table.front(n).seen(VoteEnded)


async def test_a_vote_that_is_taken_back_does_not_count(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=4)
    voters(table, 0)

    async def change_of_mind() -> None:
        await killing(table, 3)()  # type: ignore[misc]
        await until(lambda: table.front(1).seen(Voted))
        for n, drop in ((0, False), (1, True), (2, True)):
            control = table.front(n).control
            assert control is not None
            control.vote(drop=drop)
            await trio.sleep(1)
        assert not table.front(0).seen(Dropped)
        await table.resume(3)

    await table.run(change_of_mind)
    same_sound_logs(table, range(4))
    said = [(v.seat, bool(v.accused)) for v in table.front(2).seen(Voted)]
    assert said == [(0, True), (0, False), (1, True), (2, True)]
    for n in range(4):
        assert not table.front(n).seen(Dropped)


class Slow(Recorder):
    """Thinks long about its fifth answer."""

    seconds = 240.0

    async def decide(self, view: SeatView, decision: Decision) -> Answer | Leave:
        if self.asked == 5:
            self.asked += 1
            await trio.sleep(self.seconds)
            return await self.bot.decide(view, decision)
        return await super().decide(view, decision)


async def test_nothing_is_played_for_a_late_seat_and_its_answer_ends_the_vote(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=3)
    table.fronts[1] = Slow("slow")
    voters(table, 0)
    await table.run()
    same_sound_logs(table, range(3))
    for n in range(3):
        front = table.front(n)
        assert {x.seats for x in front.seen(Late)} == {(1,)}
        assert [x.yours for x in front.seen(VoteOpened)] == [n != 1]
        assert len(front.seen(VoteEnded)) == 1
        assert not front.seen(Dropped)
        assert not front.seen(Gone)


async def test_a_late_player_can_be_dropped_and_watches_on(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=3)
    table.fronts[1] = Slow("slow")
    voters(table, 0, 2)
    await table.run()
    same_sound_logs(table, range(3))
    for n in range(3):
        (dropped,) = table.front(n).seen(Dropped)
        assert isinstance(dropped, Dropped)
        assert (dropped.seats, dropped.by) == ((1,), (0, 2))
        assert table.endings[n].kind is EndKind.FINISHED


@pytest.mark.parametrize("clocks", [Clocks(0, 0), Clocks(600, 600)])
async def test_without_clocks_or_with_long_ones_nobody_is_late(
    clocks: Clocks, autojump_clock: trio.testing.MockClock
) -> None:
    table = TestTable(players=2, clocks=clocks)
    table.fronts[1] = Slow("slow")
    await table.run()
    same_sound_logs(table, range(2))
    assert not table.front(0).seen(Late)


async def test_a_pause_stops_the_clocks(autojump_clock: trio.testing.MockClock) -> None:
    table = TestTable(players=3)
    slow = table.fronts[1] = Slow("slow")
    voters(table, 0, 2)

    async def pause() -> None:
        await until(lambda: slow.asked == 6)
        for _twice in range(2):  # the second one of a turn counts for nothing
            assert slow.control is not None
            slow.control.pause()

    await table.run(pause)
    same_sound_logs(table, range(3))
    for n in range(3):
        assert [x.seat for x in table.front(n).seen(Paused)] == [1]
        assert not table.front(n).seen(Late)
        assert not table.front(n).seen(Dropped)


class Unheard(Peer):
    """For a while nothing that it sends arrives, though it hears the others."""

    mute = False

    def take_effects(self) -> list[Effect]:
        from kotp2p.mesh.effects import SendFrame

        effects = super().take_effects()
        return [e for e in effects if not (self.mute and isinstance(e, SendFrame))]


async def test_a_vote_beats_the_late_answer_that_nobody_has_heard(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """Its own copy is taken back, and all go on from the same place."""
    table = TestTable(players=3)
    voters(table, 0, 2)
    quiet: list[Unheard] = []

    def make(*args: object) -> Peer:
        quiet.append(Unheard(*args))  # type: ignore[arg-type]
        return quiet[0]

    table.make_peer[1] = make

    async def fall_silent() -> None:
        while not (quiet and table.front(1).asked >= 5):
            await trio.sleep(0.01)
        quiet[0].mute = True
        await until(lambda: table.front(0).seen(Dropped))
        quiet[0].mute = False

    await table.run(fall_silent)
    same_sound_logs(table, range(3))
    assert table.endings[1].kind is EndKind.FINISHED
    assert table.front(1).seen(Dropped)
    for n in range(3):
        assert not table.front(n).seen(Cheated)


class Mumbles(Recorder):
    """Its third answer is signed and written down, and nobody hears it."""

    quiet: list[Unheard]

    async def decide(self, view: SeatView, decision: Decision) -> Answer | Leave:
        if self.asked == 2:
            self.quiet[0].mute = True
        return await super().decide(view, decision)


async def test_what_was_answered_too_late_is_taken_back_where_it_was_known(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=3)
    voters(table, 0, 2)
    quiet: list[Unheard] = []
    front = table.fronts[1] = Mumbles("mumbles")
    front.quiet = quiet

    def make(*args: object) -> Peer:
        quiet.append(Unheard(*args))  # type: ignore[arg-type]
        return quiet[0]

    table.make_peer[1] = make

    async def speak_again() -> None:
        await until(lambda: table.front(0).seen(Dropped))
        quiet[0].mute = False

    await table.run(speak_again)
    same_sound_logs(table, range(3))
    (rewound,) = front.seen(Rewound)
    assert isinstance(rewound, Rewound)
    assert rewound.view.game is table.endings[1].view.game  # type: ignore[union-attr]
    for n in (0, 2):
        assert not table.front(n).seen(Rewound)
        assert not table.front(n).seen(Cheated)
    # The record of the answer stands in its own log, is checked, and is not part of the game.
    own, other = table.report(1), table.report(0)
    assert own.entries == other.entries
    assert own.canonical == other.canonical


async def test_a_keeper_and_its_bots_are_out_together_and_have_one_vote(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """Host with three bots and two people: when he is gone for good the two play on."""
    table = TestTable(players=6, bots=3)
    voters(table, 1, 2)
    await table.run(killing(table, 0))  # type: ignore[arg-type]
    for n in (1, 2):
        (dropped,) = table.front(n).seen(Dropped)
        assert isinstance(dropped, Dropped)
        players = dropped.view.players
        people = tuple(s for s, p in enumerate(players) if not p.bot)
        assert dropped.by == people[1:]
        assert dropped.seats == tuple(s for s, p in enumerate(players) if p.keeper == people[0])
        assert len(dropped.seats) == 4
        assert table.endings[n].kind is EndKind.FINISHED
    same_sound_logs(table, range(1, 3))


async def test_a_host_with_many_bots_cannot_drop_a_person_alone(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=6, bots=3)
    voters(table, 0)

    async def gone_for_an_hour() -> None:
        await killing(table, 2)()  # type: ignore[misc]
        await trio.sleep(3_600)
        assert table.front(0).seen(Voted)
        assert not table.front(0).seen(Dropped)
        await table.resume(2)

    await table.run(gone_for_an_hour)
    same_sound_logs(table, range(3))


async def test_two_players_can_only_claim_and_go_on_later(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=2)
    voters(table, 0)

    async def claim() -> None:
        await killing(table, 1)()  # type: ignore[misc]
        await until(lambda: table.front(0).seen(VoteOpened))
        (opened,) = table.front(0).seen(VoteOpened)
        assert isinstance(opened, VoteOpened)
        assert not opened.has_majority
        await trio.sleep(600)
        assert not table.front(0).seen(Dropped)
        control = table.front(0).control
        assert control is not None
        control.adjourn(wanted=True)

    await table.run(claim)
    assert table.endings[0].kind is EndKind.CLAIMED
    assert table.report(0).result is Result.UNFINISHED
    assert table.report(0).reason == "abandoned, claimed by Ana"
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.resume, 1)
        nursery.start_soon(table.resume, 0)
    same_sound_logs(table, range(2))


async def test_votes_stand_in_the_log_and_hold_in_a_replay(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=3)
    voters(table, 0, 1)
    await table.run(killing(table, 2))  # type: ignore[arg-type]
    log = table.endings[0].log
    assert log is not None
    data = table.world_of(0).disk.read(log)
    assert data is not None
    reader = RecordReader(data, read_head(data)[1])
    kinds = []
    while (signed := reader.read_record()) is not None:
        kinds.append(signed.kind)
    assert kinds.count(BodyKind.VOTE) == 2
    report = table.report(0)
    assert report.result is Result.SOUND
    again = table.report(1)
    assert again.canonical == report.canonical
