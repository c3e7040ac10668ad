"""A table as one process sees it: performs what the lobby and the peer want done.

This is the shell around the sans-IO cores. One task takes items from one inbox (frames, closed
links, answers, commands), feeds them to the core of the moment (the lobby here, the peer by
`kotp2p.shell.game_loop`), and performs its effects: first what goes to disk, with one sync for the
whole batch, then frames, questions and notices, in order. Append, sync, accept, send: nothing that
depends on a body leaves before it is on disk.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TypeAlias

import trio

from kotp2p.endings import Ending, EndKind
from kotp2p.front import Front
from kotp2p.lobby.effects import (
    HOST_LINK,
    Begin,
    Hang,
    LobbyEffect,
    NewBot,
    Notify,
    SaveSeed,
    Shut,
    Tell,
)
from kotp2p.lobby.guest import GuestLobby
from kotp2p.lobby.host import HostLobby
from kotp2p.net.connections import Wiring
from kotp2p.net.inbox import Came, Command, Got, Item, Went
from kotp2p.net.links import refusal
from kotp2p.peer.peer import Peer
from kotp2p.shell.control import TableControl
from kotp2p.shell.game_loop import Playing
from kotp2p.store.log_writer import Logbook
from kotp2p.store.saved_game import Places, Saved, folder_of, known_path, starting_path
from kotp2p.wire.crypto import OPEN_TABLE_SECRET, Signer
from kotp2p.wire.frames_link import Hello, Refusal, RefusalCode
from kotp2p.wire.genesis import Genesis
from kotp2p.world import FileTrouble, World

MakePeer: TypeAlias = Callable[[Genesis, int, Signer, bytes], Peer]
"""Genesis, seat, identity, seed of the table -> the core that plays."""


@dataclass(slots=True)
class Table:
    """Runs one seat from the lobby, or from where a game was left, to the end."""

    world: World
    signer: Signer
    front: Front
    lobby: HostLobby | GuestLobby | None
    """None: `saved` goes on."""
    saved: Saved | None = None
    also: tuple[str, int] | None = None
    """After a restart: an address at which somebody of this game may be dialled, too."""
    one_game: bool = False
    """The identity is made for this game alone: its key is kept beside it."""
    spawn_bot: Callable[[], None] | None = None
    """Host: lets a bot of this process join."""
    dismiss_bots: Callable[[], Awaitable[None]] | None = None
    """Host: lets all of them leave, and waits until they have."""
    post: Callable[[HostLobby], None] | None = None
    """Host: tells the LAN how the lobby stands."""
    keep_bots: Callable[[], Awaitable[None]] | None = None
    """Host: ends all of them; their seats stay in the game."""
    host_address: str = ""
    """Guest: where the host was dialled."""
    secret: bytes = OPEN_TABLE_SECRET
    """What all links of this table need (`kotp2p.net.certificates`)."""
    bind: str = ""
    """The one address that this process listens on; empty: all."""
    keeps_log: bool = True
    """Bots have no log in the folder that people look into."""
    listens: bool = True
    make_peer: MakePeer = Peer
    wiring: Wiring = field(init=False)
    ending: Ending | None = None
    _playing: Playing | None = None
    """Once the game has begun."""
    _inbox_in: trio.MemorySendChannel[Item] = field(init=False)
    _inbox: trio.MemoryReceiveChannel[Item] = field(init=False)
    _nursery: trio.Nursery | None = None
    _seed: PurePath | None = None
    """The seed of the start under way."""
    _broken: Ending | None = None
    """RefusalCode somebody else has ended it."""
    _early: list[Item] = field(default_factory=list)
    """Mesh links and their frames that came before the genesis was complete."""

    def __post_init__(self) -> None:
        self._inbox_in, self._inbox = trio.open_memory_channel[Item](10_000)
        self.wiring = Wiring(
            self.world, self.signer, self.world.entropy(8), self._put, self._judge, self.secret
        )

    # -- the loop ------------------------------------------------------------------------

    async def run(self) -> Ending:
        """Until the game or the lobby has ended for this seat."""
        self.front.attach(TableControl(self._put))
        try:
            async with trio.open_nursery() as nursery:
                self._nursery = nursery
                self.wiring.begin(nursery)
                if self.saved is not None:
                    await self._go_on(self.saved)
                else:
                    await self._begin_lobby()
                while not self._is_over():
                    await self._turn_over(await self._next_items())
                await self.wiring.close(self._inbox)
                nursery.cancel_scope.cancel()
        except* FileTrouble as group:
            self.ending = Ending(EndKind.FILES, _first_words(group))
        self.ending = self.ending or self._broken
        assert self.ending is not None
        return self.ending

    def break_off(self, why: Ending) -> None:
        """Ends this seat where it stands, as if its own files had failed: it may come back."""
        self._broken = why
        if self._nursery is not None:
            self._nursery.cancel_scope.cancel()

    @property
    def peer(self) -> Peer | None:
        return self._playing.peer if self._playing is not None else None

    def _is_over(self) -> bool:
        if self._playing is not None:
            self.ending = self._playing.ending
        return self.ending is not None

    async def _begin_lobby(self) -> None:
        now = trio.current_time()
        if isinstance(self.lobby, GuestLobby):
            self.lobby.begin(now)
        elif self.lobby is not None:
            self.lobby.tick(now)
            self.lobby.publish()
        await self._perform_lobby()

    async def _next_items(self) -> list[Item]:
        """What has come in, or nothing when a deadline is due."""
        core = self.peer if self.peer is not None else self.lobby
        items: list[Item] = []
        assert core is not None
        with trio.move_on_at(core.deadline):
            items.append(await self._inbox.receive())
        while len(items) < 256:
            try:
                items.append(self._inbox.receive_nowait())
            except trio.WouldBlock:
                break
        return items

    async def _turn_over(self, items: list[Item]) -> None:
        for item in items:
            self._take(item, trio.current_time())
            if self.peer is None:
                await self._perform_lobby()
        now = trio.current_time()
        if self.peer is None and self.lobby is not None:
            if now >= self.lobby.deadline:
                self.lobby.tick(now)
            await self._perform_lobby()
        if self._playing is not None:
            await self._playing.tick(now)

    def _put(self, item: Item) -> None:
        try:
            self._inbox_in.send_nowait(item)
        except trio.WouldBlock:
            if isinstance(item, Got):
                item.link.cut()  # floods us faster than we can judge
        except trio.ClosedResourceError:
            pass

    def _take(self, item: Item, now: float) -> None:
        if self._playing is not None:
            self._playing.take(item, now)
        elif isinstance(self.lobby, HostLobby):
            self._take_as_host(self.lobby, item, now)
        elif self.lobby is not None:
            self._take_as_guest(self.lobby, item, now)

    # -- lobby ---------------------------------------------------------------------------

    def _take_as_host(self, lobby: HostLobby, item: Item, now: float) -> None:
        match item:
            case Came(link=link):
                lobby.arrive(link.number, link.key, link.address, now)
            case Got(link=link, frame=frame):
                lobby.receive(link.number, frame, now)
            case Went(link=link):
                lobby.gone(link.number, now)
            case Command(verb="start"):
                lobby.start(now)
            case Command(verb="bot"):
                lobby.add_bot()
            case Command(verb="remove", name=name):
                lobby.remove(name, now)
            case Command(verb="move", name=name, seat=seat):
                lobby.move(name, seat)
            case Command(verb="say", name=words):
                lobby.say(words)
            case Command(verb="accept", name=name):
                lobby.accept(name)
            case Command(verb="leave" | "keep"):
                lobby.close()
            case _:
                pass

    def _take_as_guest(self, lobby: GuestLobby, item: Item, now: float) -> None:
        match item:
            case Got(link=link, frame=frame) if link.number == HOST_LINK:
                lobby.receive(frame, now)
            case Went(link=link) if link.number == HOST_LINK:
                lobby.lost()
            case Came() | Got() | Went():
                if len(self._early) < 1000:
                    self._early.append(item)
            case Command(verb="say", name=words):
                lobby.say(words)
            case Command(verb="accept", name=name):
                lobby.accept(name)
            case Command(verb="leave" | "keep") if lobby.is_bound:
                self._early.append(item)  # the others must not wait for a seat without files
            case Command(verb="leave" | "keep"):
                lobby.leave()
            case _:
                pass

    async def _perform_lobby(self) -> None:
        effects: Iterable[LobbyEffect] = self.lobby.take_effects() if self.lobby else ()
        for effect in effects:
            match effect:
                case Tell(link=number, frame=frame):
                    self.wiring.send(number, frame)
                case Hang(link=number, frame=frame):
                    self.wiring.send(number, frame)
                    if number in self.wiring.links:
                        self.wiring.links[number].close()
                case Notify(notice=notice):
                    self.front.show(notice)
                case NewBot():
                    if self.spawn_bot is not None:
                        self.spawn_bot()
                case SaveSeed(table=table, seed=seed):
                    self._forget_seed()
                    self._seed = starting_path(self.world, table, self.signer.key)
                    key = self.signer.secret() if self.one_game else b""
                    await self.world.disk.write_secret(self._seed, seed + key)
                case Begin():
                    await self._begin_game(effect)
                case Shut(kind=kind, detail=detail):
                    self._forget_seed()
                    self.ending = Ending(kind, detail)
        if self.post is not None and isinstance(self.lobby, HostLobby):
            self.post(self.lobby)

    def _forget_seed(self) -> None:
        """Of an attempt to start that was given up, or that has its place with its game now."""
        if self._seed is not None:
            self.world.disk.remove(self._seed)
            self._seed = None

    # -- into the game -------------------------------------------------------------------

    async def _begin_game(self, begin: Begin) -> None:
        """From the lobby: the game gets its folder. The log is written last, so that a game whose
        log is there can be resumed."""
        genesis, disk = begin.genesis, self.world.disk
        folder = folder_of(self.world, genesis.id, self.signer.key)
        disk.lock(folder / "lock")
        if self.one_game:
            await disk.write_secret(folder / "key", self.signer.secret())
        port = self.lobby.port if self.lobby is not None else 0
        places = Places(
            self.bind, port, self.host_address, begin.addresses, shared="", secret=self.secret
        )
        await disk.write_secret(folder / "places", places.encode())
        await disk.write_secret(folder / "seed", begin.seed)
        logbook = Logbook(self.world, folder / "log", genesis, shares=self.keeps_log)
        peer = self.make_peer(genesis, begin.seat, self.signer, begin.seed)
        await self._play(peer, logbook, places, folder, begin.links)
        self._forget_seed()
        await self._remember(genesis)
        early, self._early = self._early, []
        for item in early:
            self._put(item)

    async def _remember(self, genesis: Genesis) -> None:
        """Whom this profile plays with; who plays for one game leaves no trace in it."""
        if self.lobby is not None and self.keeps_log and not self.one_game:
            people = self.lobby.lasting(genesis)
            if people:
                self.lobby.acquaintances.meet(people)
                path = known_path(self.world)
                await self.world.disk.replace(path, self.lobby.acquaintances.encode())

    async def _go_on(self, saved: Saved) -> None:
        """From the folder of a game that was left; or a bot's, that its keeper has begun."""
        if not saved.count:
            disk, folder = self.world.disk, saved.folder
            await disk.replace(folder / "key", saved.signer.secret())
            await disk.replace(folder / "places", saved.places.encode())
            await disk.replace(folder / "seed", saved.seed)
        logbook = await Logbook.reopened(self.world, saved, shares=self.keeps_log)
        peer = Peer(saved.genesis, saved.seat, saved.signer, saved.seed, saved.ledger)
        await self._play(peer, logbook, saved.places, saved.folder, {})
        if not saved.count:
            self._seed = starting_path(self.world, saved.genesis.charter.table, self.signer.key)
            self._forget_seed()

    async def _play(
        self,
        peer: Peer,
        logbook: Logbook,
        places: Places,
        folder: PurePath,
        links: dict[int, int],
    ) -> None:
        assert self._nursery is not None
        self._playing = Playing(
            self.world,
            self.signer,
            self.front,
            self.wiring,
            self._put,
            self._nursery,
            peer,
            logbook,
            self.dismiss_bots,
            self.keep_bots,
        )
        await self._playing.begin(places, folder, links, dials=self.listens, also=self.also)

    def _judge(self, theirs: Hello) -> Refusal | None:
        """What is said to a newcomer before anything is proved."""
        if not theirs.table:
            if self.peer is not None:
                return refusal(RefusalCode.STARTED, "the game has started")
            if not isinstance(self.lobby, HostLobby):
                return refusal(RefusalCode.NO_TABLE, "no table is open here")
        elif self.peer is not None and theirs.table != self.wiring.table:
            return refusal(RefusalCode.NO_TABLE, "another table is played here")
        return None


def _first_words(group: BaseExceptionGroup[FileTrouble]) -> str:
    """What the first of them says, however deep it lies."""
    first: BaseException = group
    while isinstance(first, BaseExceptionGroup):
        first = first.exceptions[0]
    return str(first)
