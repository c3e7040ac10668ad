"""Whole games of whole peers on in-memory streams, a virtual clock, seeded entropy and disks."""

from dataclasses import dataclass, replace

import pytest
import trio

from kotp2p.extras.recording import facts_of_log
from kotp2p.game.verify import Result, verify_log
from kotp2p.peer.peer import Peer
from kotp2p.referee.box.rulesets import Options
from kotp2p.referee.model.answers import Answer, Seat
from kotp2p.referee.model.decisions import Decision
from kotp2p.referee.model.state import State
from kotp2p.seams import notices
from kotp2p.seams.commands import Leave, Say
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.world import Connection, PortTaken
from kotp2p.shell.run import HostOptions, SeatWish, solo
from kotp2p.wire.genesis import LobbyOptions, is_bot
from kotp2p.wire.names import BOT_NAMES
from tests.support.memory_tables import Recorder, TestTable
from tests.support.memory_world import MemoryAcceptor, MemoryHost, MemoryNet, world
from tests.support.whole_games import Slow, same_sound_logs

pytestmark = pytest.mark.virtual_time


@pytest.mark.parametrize(("players", "rules"), [(2, "classic"), (4, "second"), (6, "dark")])
async def test_a_game_ends_and_all_hold_the_same_log(players: int, rules: str) -> None:
    table = TestTable(players=players, rules=rules)
    await table.run()
    assert {e.kind for e in table.endings.values()} == {EndKind.FINISHED}
    assert len({e.winners for e in table.endings.values()}) == 1
    same_sound_logs(table, range(players))
    assert table.report(0).confirmed_by == tuple(range(players))


async def test_a_table_whose_guests_cannot_be_dialled_plays_through_the_host() -> None:
    table = TestTable(players=4)
    table.net.undialable |= {f"10.0.0.{n}" for n in (2, 3, 4)}
    await table.run()
    same_sound_logs(table, range(4))
    assert {called for _, called, *_ in table.net.made} == {"10.0.0.1"}


class Miscounted(Peer):
    """Its copy of the game goes wrong: one monster has a point too many."""

    has_miscounted = False

    def _advance_once(self, now: float) -> bool:
        if self.ledger.height == 30 and not self.has_miscounted:
            self.ledger.game.state.monsters[-1].points += 1
            self.has_miscounted = True
        return super()._advance_once(now)


async def test_a_copy_that_differs_stops_alone_and_accuses_nobody() -> None:
    """All are told the first number that differs. The others let a bot play, to the end."""
    table = TestTable(players=3)
    table.make_peer[1] = Miscounted
    for n in (0, 2):
        table.fronts[n] = Recorder(f"goes on {n}", goes_on=True)
    await table.run()
    assert [table.endings[n].kind for n in range(3)] == [
        EndKind.FINISHED, EndKind.STOPPED, EndKind.FINISHED
    ]  # fmt: skip
    agreements = (notices.Agreement.OURS, notices.Agreement.THEIRS, notices.Agreement.OURS)
    for n, agreement in enumerate(agreements):
        assert not table.fronts[n].seen(notices.Cheated)
        told = table.fronts[n].seen(notices.Diverged)[-1]
        assert isinstance(told, notices.Diverged)
        assert (told.field, told.agreement) == ("seat 2.points", agreement)
    same_sound_logs(table, (0, 2))
    assert table.report(1).reason == "the position differs from the replay"


async def test_no_seed_is_left_behind_by_a_start_or_a_game() -> None:
    table = TestTable(players=2)
    await table.run()
    for n in range(2):
        files = table.world_of(n).disk.files  # type: ignore[attr-defined]
        assert not [path for path in files if "starting" in path.parts or path.name == "seed"]


# -- options ---------------------------------------------------------------------------------------

# Options of a table: proposed by the host, shown to all, signed by all, played by all.


@pytest.mark.parametrize("sides", ["green", "mixed"])
async def test_a_dark_table_plays_with_the_sides_that_it_shows(sides: str) -> None:
    table = TestTable(players=3, rules="dark", options=Options(tile_sides=sides), seed=sides)
    await table.run()
    for n in range(3):
        assert table.endings[n].kind is EndKind.FINISHED
        assert table.report(n).result is Result.SOUND
        (first, *_more) = table.front(n).seen(notices.LobbyChanged)
        assert isinstance(first, notices.LobbyChanged)
        assert first.options == LobbyOptions(Options(tile_sides=sides))
    view = table.endings[0].view
    assert view is not None
    game = view.game
    assert game.setup.options.tile_sides == sides
    shown = {game.setup.tile(item).side for item in game.state.tiles}
    assert shown == ({"green"} if sides == "green" else {"red", "green"})


@pytest.mark.parametrize(
    ("rules", "options"),
    [
        ("second", Options(two_player=True)),
        ("classic", Options(two_player=True)),
        ("dark", Options(bay_for_beginners=True)),
        ("second", Options(tile_sides="mixed")),
    ],
)
async def test_a_table_that_no_start_could_fill_is_not_opened(rules: str, options: Options) -> None:
    """Three seats, and it starts when they are full."""
    with pytest.raises(ValueError):
        await TestTable(players=3, rules=rules, options=options).host()


# -- solo ------------------------------------------------------------------------------------------

# A table whose other seats are bots: one process, no links.


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

    def show(self, notice: notices.Notice) -> None:
        super().show(notice)
        if isinstance(notice, notices.GameStarted):
            self.state = notice.view.game.state.copy()
        elif isinstance(notice, notices.Happened):
            assert self.state is not None
            for event in notice.events:
                event.apply(self.state)


ONE_PERSON = HostOptions(bots=2)


async def play_solo(front: Recorder, options: HostOptions = ONE_PERSON) -> tuple[Ending, bytes]:
    net = MemoryNet()
    machine = replace(world(net, "10.0.0.1", "solo"), net=Deaf(net, "10.0.0.1"))
    with trio.fail_after(600):
        ending = await solo(machine, SeatWish("Ana"), options, front)
    assert ending.log is not None
    return ending, machine.disk.read(ending.log) or b""


async def test_a_table_with_bots_alone_is_played_to_its_end_without_a_port() -> None:
    ending, log = await play_solo(Recorder("Ana"))
    assert ending.kind is EndKind.FINISHED
    assert ending.view is not None
    players = ending.view.players
    names = {player.name for seat, player in enumerate(players) if is_bot(players, seat)}
    assert len(names) == 2
    assert names < set(BOT_NAMES)
    assert verify_log(log).result is Result.SOUND


async def test_the_front_is_shown_the_game_from_its_first_position_on() -> None:
    front = Following("Ana")
    ending, _log = await play_solo(front)
    assert ending.view is not None
    assert front.state == ending.view.game.state


class Both(Recorder):
    """A front for several people, which notes for whom it is asked."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.seats: set[Seat] = set()

    async def decide(self, view: notices.SeatView, decision: Decision) -> Answer | Leave:
        assert view.seat == decision.seat
        self.seats.add(view.seat)
        return await super().decide(view, decision)


async def test_people_at_one_machine_answer_through_one_front_and_the_log_is_sound() -> None:
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


# -- chat ------------------------------------------------------------------------------------------

# Chat reaches everybody, in the lobby and in the game, once, and no log.


def heard(table: TestTable, n: int) -> list[tuple[str, str, bool]]:
    return [(x.name, x.text, x.yours) for x in table.front(n).seen(notices.Said)]


async def test_in_a_game_everybody_hears_it_once_whatever_the_links() -> None:
    table = TestTable(players=4)
    for n in range(4):
        table.fronts[n] = Slow(f"slow {n}")
    table.net.undialable |= {"10.0.0.2", "10.0.0.3", "10.0.0.4"}  # all through the host

    async def talk() -> None:
        await table.asked(1, 2)
        control = table.front(1).control
        control(Say("good roll!"))
        for i in range(30):
            control(Say(f"spam {i}"))

    await table.run(talk)
    same_sound_logs(table, range(4))
    for n in (0, 2, 3):
        assert heard(table, n)[0] == ("Guest 1", "good roll!", False)
        assert len(heard(table, n)) == 8
    for n in range(4):
        data = table.world_of(n).disk.read(table.log_path(n))
        assert data is not None
        assert b"good roll!" not in data
