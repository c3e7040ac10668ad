"""The stage of one seat's game without a network: its links are put to it by the test."""

from collections.abc import Iterable
from types import SimpleNamespace
from typing import cast

from kotp2p.mesh.feeds import Feeds
from kotp2p.net import connections, entrance, links
from kotp2p.peer.peer import Peer
from kotp2p.seams import commands, cores
from kotp2p.shell.game_stage import GameFiles, GameStage
from kotp2p.shell.table_loop import BotFronts, TableLoop, WatcherLinks
from kotp2p.store import game_files, saved_game
from kotp2p.wire.entries import Signed
from tests.support.five_players import SEEDS, SIGNERS, genesis
from tests.support.memory_world import MemoryNet, world

OLDER, NEWER = bytes(8), bytes(7) + b"\1"
"""The instances of two processes of one player."""


class FakeLink:
    def __init__(self, seat: int, number: int, dialled: bool, instance: bytes = OLDER) -> None:
        self.key, self.number, self.dialled = SIGNERS[seat].key, number, dialled
        table = genesis().charter.table
        self.their_hello = SimpleNamespace(table=table, instance=instance, role=0)
        self.address, self.budget, self.was_shut = "10.0.0.9", cores.Budget.for_stranger(), False
        self.is_relayed = False

    def cut(self) -> None:
        self.was_shut = True

    close = cut


class ForgetfulLog:
    async def append_bodies(self, bodies: Iterable[Signed], *, is_sending: bool = True) -> bytes:
        list(bodies)
        return b""


class Here:
    """The process of one seat, and the links that come to it."""

    def __init__(self, seat: int) -> None:
        self.links: dict[int, FakeLink] = {}
        self.sent: list[tuple[int, object]] = []
        self.instance, self.entrance = NEWER, entrance.Entrance()
        self.table = genesis().charter.table
        here = world(MemoryNet(), "10.0.0.1", "a")
        places = saved_game.SavedPlaces("", 4242, "", (("", 4242),) * 5, "")
        guard = cores.OwnFaultGuard(lambda _: None)
        watchers = WatcherLinks(
            cast(connections.Connections, self), lambda _: None, Feeds(commands.NO_WATCHERS), guard
        )  # fmt: skip
        loop = SimpleNamespace(
            world=here, connections=self, signer=SIGNERS[seat], own_faults=guard, listener=None,
            front=SimpleNamespace(show=lambda _: None), watchers=watchers,
            bots=BotFronts(here),
            code=SimpleNamespace(known=None),
        )  # fmt: skip
        file = game_files.PlacesFile(here.disk, here.data / "places", places)
        self.peer = Peer(genesis(), seat, SIGNERS[seat], SEEDS[seat], None, NEWER)
        self.peer.begin(0.0)
        files = SimpleNamespace(places=file, log=ForgetfulLog())
        self.stage = GameStage(cast(TableLoop, loop), cast(GameFiles, files), self.peer)

    def send_frame(self, number: int, frame: object) -> None:
        self.sent.append((number, frame))

    def accept(self, link: FakeLink) -> None:
        self.links[link.number] = link
        self.stage._accept_link(cast(links.Link, link), 0.0)
