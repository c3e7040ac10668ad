"""Whole games of whole peers on in-memory streams, a virtual clock, seeded entropy and disks."""

from __future__ import annotations

import pytest
import trio

from kotp2p.game.verify import Result
from kotp2p.peer.peer import Peer
from kotp2p.referee.model.answers import Answer
from kotp2p.referee.model.decisions import Decision
from kotp2p.referee.model.events import Eliminated
from kotp2p.seams.endings import EndKind
from kotp2p.seams.front import Leave
from kotp2p.seams.notices import (
    Agreement,
    Cheated,
    Diverged,
    GameFinished,
    GameStarted,
    Happened,
    LineUpBegun,
    LinkChanged,
    SeatView,
)
from kotp2p.wire.lineups import CheatKind, Reason
from kotp2p.wire.lineups import Leave as Leaving
from tests.support.memory_tables import Recorder, TestTable
from tests.support.whole_games import Leaver, same_sound_logs


@pytest.mark.parametrize(("players", "rules"), [(2, "classic"), (4, "second"), (6, "dark")])
async def test_a_game_ends_and_all_hold_the_same_log(
    players: int, rules: str, autojump_clock: trio.testing.MockClock
) -> None:
    table = TestTable(players=players, rules=rules)
    await table.run()
    assert {e.kind for e in table.endings.values()} == {EndKind.FINISHED}
    assert len({e.winners for e in table.endings.values()}) == 1
    same_sound_logs(table, range(players))
    assert table.report(0).confirmed_by == tuple(range(players))


async def test_bots_of_the_host_play_with_two_people(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=5, bots=3)
    await table.run()
    same_sound_logs(table, range(2))
    players = table.report(1).players
    assert [p.keeper != seat for seat, p in enumerate(players)].count(True) == 3
    assert {p.keeper for seat, p in enumerate(players) if p.keeper != seat} == {
        i for i, p in enumerate(players) if p.name == "Ana"
    }


async def test_a_table_whose_guests_cannot_be_dialled_plays_through_the_host(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=4)
    table.net.undialable |= {f"10.0.0.{n}" for n in (2, 3, 4)}
    await table.run()
    same_sound_logs(table, range(4))
    assert {called for _, called, *_ in table.net.made} == {"10.0.0.1"}


class GoneWhenOut(Recorder):
    """Takes what comes, and closes its terminal as soon as its monster is out."""

    def __init__(self, name: str) -> None:
        super().__init__(name, "easy")
        self.out = False

    def show(self, notice: object) -> None:
        super().show(notice)  # type: ignore[arg-type]
        if isinstance(notice, Happened) and notice.view.game.state.winners is None:
            for event in notice.events:
                if isinstance(event, Eliminated) and event.seat == notice.view.seat:
                    self.out = True
                    assert self.control is not None
                    self.control.leave()

    async def decide(self, view: SeatView, decision: Decision) -> Answer | Leave:
        """Stays in Tokyo whatever happens, and defends itself never."""
        self.asked += 1
        return decision.default


async def test_the_host_is_out_first_and_leaves_and_the_others_finish(
    autojump_clock: trio.testing.MockClock,
) -> None:
    for seed in "abcdefghijklmnop":
        table = TestTable(players=4, seed=seed)
        table.fronts[0] = GoneWhenOut("host")
        await table.run()
        went = table.fronts[0].out and not table.fronts[0].seen(GameFinished)  # type: ignore[attr-defined]
        if went and table.report(0).turns < table.report(1).turns:
            break
    else:
        pytest.fail("the host was never out before the end")
    assert table.endings[0].kind is EndKind.LEFT
    assert table.report(0).result is Result.UNFINISHED
    assert {table.endings[n].kind for n in (1, 2, 3)} == {EndKind.FINISHED}
    same_sound_logs(table, range(1, 4))
    assert table.report(1).confirmed_by == (1, 2, 3)


@pytest.mark.parametrize("leaver", [0, 2])
@pytest.mark.parametrize("at", [1, 4, 9])
async def test_who_leaves_takes_the_monster_out_and_the_others_play_on(
    leaver: int, at: int, autojump_clock: trio.testing.MockClock
) -> None:
    table = TestTable(players=4)
    table.fronts[leaver] = Leaver("leaver", at)
    await table.run()
    rest = [n for n in range(4) if n != leaver]
    assert table.endings[leaver].kind is EndKind.LEFT
    for n in rest:
        assert table.endings[n].kind is EndKind.FINISHED
        (begun,) = table.fronts[n].seen(LineUpBegun)
        assert [(c.keeper, c.reason) for c in begun.changes] == [(leaver, Reason.LEFT)]
        assert leaver not in table.endings[n].winners
    reports = [table.report(n) for n in rest]
    assert {r.result for r in reports} == {Result.SOUND}
    assert len({r.canonical for r in reports}) == 1


async def test_a_cut_link_between_two_guests_is_got_round(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=3)

    async def cut() -> None:
        while table.front(2).asked < 3:
            await trio.sleep(0.05)
        table.net.cut("10.0.0.2", "10.0.0.3")

    await table.run(cut)
    same_sound_logs(table, range(3))
    assert table.fronts[1].seen(LinkChanged) or table.fronts[2].seen(LinkChanged)


class Miscounted(Peer):
    """Its copy of the game goes wrong: one monster has a point too many."""

    has_miscounted = False

    def _advance_once(self, now: float) -> bool:
        if self.ledger.height == 30 and not self.has_miscounted:
            self.ledger.game.state.monsters[-1].points += 1
            self.has_miscounted = True
        return super()._advance_once(now)


async def test_a_copy_that_differs_stops_alone_and_accuses_nobody(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """All are told the first number that differs. The others let a bot play, to the end."""
    table = TestTable(players=3)
    table.make_peer[1] = Miscounted
    for n in (0, 2):
        table.fronts[n] = Recorder(f"goes on {n}", goes_on=True)
    await table.run()
    assert [table.endings[n].kind for n in range(3)] == [
        EndKind.FINISHED, EndKind.STOPPED, EndKind.FINISHED
    ]  # fmt: skip
    agreements = (Agreement.OURS, Agreement.THEIRS, Agreement.OURS)
    for n, agreement in enumerate(agreements):
        assert not table.fronts[n].seen(Cheated)
        told = table.fronts[n].seen(Diverged)[-1]
        assert isinstance(told, Diverged)
        assert (told.field, told.agreement) == ("seat 2.points", agreement)
    same_sound_logs(table, (0, 2))
    assert table.report(1).reason == "the position differs from the replay"


async def test_copies_without_a_majority_stop_the_game_and_accuse_nobody(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=2)
    table.make_peer[1] = Miscounted
    await table.run()
    assert {e.kind for e in table.endings.values()} == {EndKind.STOPPED}
    for n in range(2):
        assert not table.fronts[n].seen(Cheated)
        (notice,) = table.fronts[n].seen(Diverged)
        assert isinstance(notice, Diverged)
        assert (notice.field, notice.agreement) == ("seat 1.points", Agreement.NONE)
    assert table.report(0).result is Result.UNFINISHED
    assert table.report(1).reason == "the position differs from the replay"


class TwoLeaves(Peer):
    """Tells some that it leaves now, and others that it leaves later."""

    def give_up(self, now: float) -> None:
        for later, seat in enumerate(sorted(self.reachability.linked)):
            attempt = self.ledger.attempt
            leave = Leaving.sign(self.signer, self.genesis.id, self.seat, attempt, attempt + later)
            self.gossip.send(seat, leave.signed)


async def test_two_farewells_of_one_seat_are_a_proof_against_it(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=3)
    table.fronts[1] = Leaver("leaver", 2)
    table.make_peer[1] = TwoLeaves
    await table.run()
    same_sound_logs(table, (0, 2))
    for n in (0, 2):
        assert table.endings[n].kind is EndKind.FINISHED
        (notice,) = table.fronts[n].seen(Cheated)
        assert isinstance(notice, Cheated)
        assert (notice.seat, notice.kind) == (1, CheatKind.EQUIVOCATION)


@pytest.mark.parametrize("at", [1, 2, 3, 5, 8])
async def test_the_bots_of_a_host_that_leaves_play_on_with_another_keeper(
    at: int, autojump_clock: trio.testing.MockClock
) -> None:
    table = TestTable(players=5, bots=2)
    table.fronts[0] = Leaver("host", at)
    await table.run()
    assert table.endings[0].kind is EndKind.LEFT
    for n in (1, 2):
        assert table.endings[n].kind is EndKind.FINISHED
        (start,) = table.fronts[n].seen(GameStarted)
        host = next(p.keeper for s, p in enumerate(start.view.players) if p.keeper != s)
        bots = {s for s, p in enumerate(start.view.players) if p.keeper != s}
        assert len(bots) == 2
        (begun,) = table.fronts[n].seen(LineUpBegun)
        (change,) = begun.changes
        assert (change.keeper, change.reason) == (host, Reason.LEFT)
        fallen = [
            (event.seat, event.left)
            for happened in table.fronts[n].seen(Happened)
            for event in happened.events
            if isinstance(event, Eliminated)
        ]
        assert {seat for seat, left in fallen if left} == {host}
        handed = {seat for seat, _keeper in change.seats}
        assert handed <= bots <= handed | {seat for seat, _left in fallen}
        assert {keeper for _seat, keeper in change.seats} <= {0, 1, 2, 3, 4} - bots - {host}
    same_sound_logs(table, range(1, 3))


async def test_no_seed_is_left_behind_by_a_start_or_a_game(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = TestTable(players=2)
    await table.run()
    for n in range(2):
        files = table.world_of(n).disk.files  # type: ignore[attr-defined]
        assert not [path for path in files if "starting" in path.parts or path.name == "seed"]
