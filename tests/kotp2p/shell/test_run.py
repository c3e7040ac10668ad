"""How a table opens; and `join` where none is open: which game of this player it goes on with."""

from dataclasses import dataclass, field, replace
from pathlib import PurePath
from unittest.mock import AsyncMock, call

import pytest
import trio

from kotp2p.lobby.known_keys import KnownKeys, NewKeyPolicy
from kotp2p.net.connections import ListenAt
from kotp2p.rendezvous.words import Code
from kotp2p.seams.commands import WatchOffer
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.world import World
from kotp2p.shell import run
from kotp2p.shell.find_host import NotSeated, TableAddress
from kotp2p.shell.game_stage import SeatSetup
from kotp2p.shell.lobby_stage import HostStage
from kotp2p.shell.profile import Profile
from kotp2p.shell.run import SeatWish, join
from kotp2p.shell.table_loop import TableLoop
from kotp2p.store.game_files import start_path
from kotp2p.store.saved_game import SavedGame, SavedPlaces, epoch_of, game_folder
from kotp2p.wire.frames import CodeTold
from kotp2p.wire.genesis import Clocks
from kotp2p.wire.records import SALT_BYTES, pack_head, pack_record
from tests.support.five_players import PEOPLE, SEEDS, SIGNERS, genesis
from tests.support.memory_tables import Recorder
from tests.support.memory_world import MemoryHost, MemoryLan, MemoryNet, memory_disk, world
from tests.support.sample_start import START

pytestmark = pytest.mark.virtual_time

REX = 1
"""The player of this machine, and the seat both in the start and in the game."""
PLACE = ("192.168.1.7", 4242)
"""Where a peer of the start and of the game was dialled."""


def put_start(here: World) -> PurePath:
    """Rex has signed a start there. Returns the folder that its game would have."""
    disk = memory_disk(here)
    addresses = ((PLACE), *START.places.addresses[1:])
    start = replace(START, one_game=False, places=replace(START.places, addresses=addresses))
    assert start.signer.key == SIGNERS[REX].key
    path = start_path(here, start.genesis.charter.table, start.signer.key)
    disk.files[path] = start.encode()
    return start.folder(here)


def put_game(here: World, code: CodeTold | None = None) -> PurePath:
    """Rex has an unfinished game that was played there. Returns its folder."""
    disk = memory_disk(here)
    game = genesis()
    folder = game_folder(here, game.id, SIGNERS[REX].key)
    salt = game.id[:SALT_BYTES]
    disk.files[folder / "log"] = pack_head(salt) + pack_record(salt, 0, game.signed)
    disk.files[folder / "seed"] = SEEDS[REX]
    places = SavedPlaces("", 4242, "", (PLACE,) * PEOPLE, "", code=code)
    disk.files[folder / "places"] = places.encode()
    return folder


def machine() -> World:
    here = world(MemoryNet(), "10.0.0.1", "a")
    disk = memory_disk(here)
    disk.files[here.data / "profiles" / "default" / "key"] = SIGNERS[REX].secret()
    return here


async def rejoin(here: World) -> EndKind:
    address, port = PLACE
    table = TableAddress((address,), port)
    return (await join(here, SeatWish("Rex"), table, Recorder("Rex"))).kind


async def test_a_start_that_was_signed_there_is_asked_after() -> None:
    here = machine()
    put_start(here)
    assert await rejoin(here) is EndKind.START_IN_DOUBT


async def test_a_game_that_another_process_plays_is_not_left_for_a_start() -> None:
    here = machine()
    start, game = put_start(here), put_game(here)
    here.disk.lock(game / "lock")
    assert await rejoin(here) is EndKind.REFUSED
    assert here.disk.lock(start / "lock"), "another process may take it up"


Went = list[tuple[object, ...]]


@pytest.fixture
def went(monkeypatch: pytest.MonkeyPatch) -> Went:
    """With what a game was continued: its folder, who plays, and what else was said."""
    went: Went = []

    async def go_on(
        _: World, game: SavedGame, front: Recorder, *more: object, **named: object
    ) -> Ending:
        went.append((game.folder, front.name, *more, named))
        return Ending(EndKind.KEPT)

    monkeypatch.setattr(run, "continue_game", go_on)
    return went


HERE, CODE = ListenAt("10.0.0.1", 5151), Code(7412, 3, 5)


@pytest.mark.parametrize(("by_code", "place"), [(True, "10.0.0.77"), (False, PLACE[0])])
async def test_a_game_goes_on_where_a_code_leads_last_and_an_address_first(
    by_code: bool, place: str, went: Went, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, goal = machine(), TableAddress((PLACE[0], "10.0.0.77"), PLACE[1])
    game = put_game(here)
    monkeypatch.setattr(run, "find_by_code", AsyncMock(return_value=goal))
    await join(here, SeatWish("Rex"), CODE if by_code else goal, Recorder("Rex"), here=HERE)
    assert went == [(game, "Rex", (place, PLACE[1]), HERE, {"announce": False})]


@pytest.mark.parametrize(
    ("second", "is_locked", "goes_on"), [(5, False, True), (5, True, False), (6, False, False)]
)
async def test_the_game_of_a_code_goes_on_where_nobody_answers_whatever_its_number_is_now(
    second: int, is_locked: bool, goes_on: bool, went: Went, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, silence = machine(), NotSeated(Ending(EndKind.NO_MAILBOX))
    game = put_game(here, CODE.told())
    if is_locked:
        here.disk.lock(game / "lock")
    monkeypatch.setattr(run, "find_by_code", AsyncMock(side_effect=silence))
    ending = await join(here, SeatWish("Rex"), Code(1000, 3, second), Recorder("Rex"), here=HERE)
    assert went == [(game, "Rex", {"here": HERE, "announce": True})] * goes_on
    assert ending.kind is (EndKind.KEPT if goes_on else EndKind.NO_MAILBOX)


async def test_a_process_alone_has_a_seat_for_each_of_its_players_and_neither_port_nor_clock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened = AsyncMock()
    monkeypatch.setattr(run, "host", opened)
    here, front, wish = machine(), Recorder("Rex"), SeatWish("Rex")
    options = run.HostOptions("second", 6, bots=2, people=("Mia",), level="hard")
    await run.solo(here, wish, options, front)
    alone = replace(options, players=4, start_when_full=True, port=0, clocks=Clocks(0, 0))
    assert opened.await_args_list == [call(here, wish, alone, front, is_solo=True)]


@dataclass
class Opens:
    """What a table is when it opens: its stage, its loop, and what was begun beside them."""

    beside: list[tuple[object, object]] = field(default_factory=list)
    loop: TableLoop | None = None
    stage: HostStage | None = None

    async def begin(self, lobby: object, loop: object) -> None:
        self.beside.append((lobby, loop))

    async def run(self, loop: TableLoop, stage: HostStage) -> Ending:
        self.loop, self.stage = loop, stage
        await trio.sleep(1)
        return Ending(EndKind.LEFT)


@pytest.mark.parametrize("is_solo", [True, False])
async def test_tables_are_as_hosts_want_it(is_solo: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    here, opens = replace(machine(), lan=MemoryLan()), Opens()
    monkeypatch.setattr(TableLoop, "run", lambda loop, stage: opens.run(loop, stage))
    profile = Profile(SIGNERS[REX], True, KnownKeys(NewKeyPolicy.ACCEPT))
    options = run.HostOptions(
        "second", 5, bots=2, people=("Mia",), level="hard", bind="10.0.0.1", port=5151,
        secret=bytes(10), watch=WatchOffer(3, bytes(range(10))),
    )  # fmt: skip
    wish, front = SeatWish("Rex", "Kraken", automatic=True), Recorder("Rex")
    await run.HostedTable(here, front, wish, options, profile, is_solo, opens.begin).open()
    loop, stage = opens.loop, opens.stage
    assert loop is not None and stage is not None
    assert opens.beside == [(stage.lobby, loop)]
    port = 0 if is_solo else 5151
    places = SavedPlaces("10.0.0.1", port, secret=options.secret, watch=options.watch)
    assert stage.setup == SeatSetup(True, places)
    assert (loop.signer, loop.front, loop.secret) == (profile.signer, front, options.secret)
    assert (loop.watch, loop.level, loop.world.lan) == (options.watch, "hard", None)
    assert epoch_of(loop.connections.instance) == 0
    lobby = stage.lobby
    assert (lobby.port, lobby.offer, lobby.choices.own.name) == (port, options, "Rex")
    assert (lobby.choices.own.monster, lobby.choices.own.automatic) == ("Kraken", True)
    seated = [(guest.name, guest.automatic) for guest in lobby.seating.guests.values()]
    assert [*seated[:2], [bot for _, bot in seated[2:]]] == [("Rex", 1), ("Mia", 0), [1, 1]]
    assert isinstance(here.net, MemoryHost) and not here.net.net.listening
