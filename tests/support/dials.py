"""A dialer of one seat, with links that lead nowhere: what it dials and sends is noted."""

from typing import cast

import trio

from kotp2p.net.connections import Connections
from kotp2p.net.dialer import Dialer
from kotp2p.net.entrance import Entrance
from kotp2p.seams.cores import OwnFaultGuard
from kotp2p.store.game_files import PlacesFile
from kotp2p.store.saved_game import SavedPlaces
from kotp2p.wire.addresses import Target
from tests.support.five_players import SIGNERS, genesis
from tests.support.memory_world import MemoryNet, world


class FakeLink:
    def __init__(self, address: str) -> None:
        self.address = address
        self.is_cut = self.is_relayed = False

    def cut(self) -> None:
        self.is_cut = True


class Dials:
    def __init__(self) -> None:
        self.made: list[Target] = []
        self.entrance = Entrance()
        self.links: dict[int, FakeLink] = {}
        self.sent: list[tuple[int, object]] = []

    async def dial_peer(self, address: str, port: int) -> None:
        self.made.append((address, port))
        await trio.lowlevel.checkpoint()

    def send_frame(self, number: int, frame: object) -> None:
        self.sent.append((number, frame))

    def take_sent(self) -> list[tuple[int, object]]:
        sent, self.sent = self.sent, []
        return sent

    def take(self) -> list[Target]:
        made, self.made = self.made, []
        return made


def dialer_of_seat_0(dials: Dials) -> Dialer:
    here = world(MemoryNet(), "10.0.0.1", "a")
    nowhere = ("", 0)
    addresses = (("", 4242), ("10.0.0.9", 5000), nowhere, nowhere, nowhere)
    places = SavedPlaces("", 4242, "", addresses, "")
    file = PlacesFile(here.disk, here.data / "places", places)
    guard = OwnFaultGuard(lambda _: None)
    return Dialer(here, cast(Connections, dials), genesis(), 0, SIGNERS[0], file, {}, guard)
