"""A table as one process sees it: performs what the lobby and the peer want done.

This is the shell around the sans-IO cores. One task takes items from one inbox (frames, closed
links, answers, commands), feeds them to the core of the moment, and performs its effects: first
what goes to disk, with one sync for the whole batch, then frames, questions and notices, in
order. Append, sync, accept, send: nothing that depends on a body leaves before it is on disk.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TypeAlias

import trio

from kotp2p.crypto import Signer
from kotp2p.dialling import Dialling
from kotp2p.effects import Append, Ask, Drop, Effect, Finish, Send, Show, Withdraw
from kotp2p.encoding import BadBytes
from kotp2p.entries import Kind, Signed
from kotp2p.frames import Frame, Hello, Refusal, Why
from kotp2p.front import Ending, EndKind, Front, Leave, Notice
from kotp2p.genesis import Genesis
from kotp2p.inbox import Came, Command, Got, Item, Replied, TableControl, Went
from kotp2p.journal import SALT, head, record
from kotp2p.links import Link, refusal
from kotp2p.lobby_effects import (
    Begin,
    Hang,
    LobbyEffect,
    NewBot,
    Notify,
    SaveSeed,
    Shut,
    Tell,
)
from kotp2p.lobby_guest import TABLE, GuestLobby
from kotp2p.lobby_host import HostLobby
from kotp2p.peer import Peer
from kotp2p.saved import Places, Saved, folder_of
from kotp2p.wiring import Wiring
from kotp2p.words import Verb
from kotp2p.world import FileTrouble, LogFile, World

WORDS = {
    "drop": Verb.DROP,
    "wait": Verb.WAIT,
    "pause": Verb.PAUSE,
    "go": Verb.GO,
    "adjourn": Verb.ADJOURN,
    "stay": Verb.WAIT,
}
"""What a front's commands say to the other seats."""


MakePeer: TypeAlias = Callable[[Genesis, int, Signer, bytes], Peer]
"""Genesis, seat, identity, seed of the table -> the core that plays."""


@dataclass(slots=True)
class _Journal:
    """The log of this seat, and its second name in the folder of logs."""

    file: LogFile
    path: PurePath
    shared: PurePath | None
    salt: bytes
    count: int = 0

    def encode(self, signed: Signed) -> bytes:
        self.count += 1
        return record(self.salt, self.count - 1, signed)


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
    bind: str = ""
    """The one address that this process listens on; empty: all."""
    keeps_log: bool = True
    """Bots have no log in the folder that people look into."""
    listens: bool = True
    make_peer: MakePeer = Peer
    wiring: Wiring = field(init=False)
    peer: Peer | None = None
    ending: Ending | None = None
    _seats: dict[int, int] = field(default_factory=dict)
    """Link number of each linked seat, in the game."""
    _inbox_in: trio.MemorySendChannel[Item] = field(init=False)
    _inbox: trio.MemoryReceiveChannel[Item] = field(init=False)
    _nursery: trio.Nursery | None = None
    _asking: trio.CancelScope | None = None
    _seed: PurePath | None = None
    """The seed of the start under way."""
    _journal: _Journal | None = None
    _dialling: Dialling | None = None
    _early: list[Item] = field(default_factory=list)
    """Mesh links and their frames that came before the genesis was complete."""

    def __post_init__(self) -> None:
        self._inbox_in, self._inbox = trio.open_memory_channel[Item](10_000)
        self.wiring = Wiring(self.world, self.signer, self.world.entropy(8), self._put, self._judge)

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
                while self.ending is None:
                    await self._turn_over(await self._next_items())
                await self.wiring.close(self._inbox)
                nursery.cancel_scope.cancel()
        except* FileTrouble as group:
            self.ending = Ending(EndKind.FILES, _first_words(group))
        assert self.ending is not None
        return self.ending

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
        if self.peer is not None:
            if now >= self.peer.deadline:
                self.peer.tick(now)
            await self._perform(self.peer.take_effects())

    def _put(self, item: Item) -> None:
        try:
            self._inbox_in.send_nowait(item)
        except trio.WouldBlock:
            if isinstance(item, Got):
                item.link.cut()  # floods us faster than we can judge
        except trio.ClosedResourceError:
            pass

    def _take(self, item: Item, now: float) -> None:
        if self.peer is not None:
            self._take_in_game(self.peer, item, now)
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
            case Command(verb="leave" | "keep"):
                lobby.close()
            case _:
                pass

    def _take_as_guest(self, lobby: GuestLobby, item: Item, now: float) -> None:
        match item:
            case Got(link=link, frame=frame) if link.number == TABLE:
                lobby.receive(frame, now)
            case Went(link=link) if link.number == TABLE:
                lobby.lost()
            case Came() | Got() | Went():
                if len(self._early) < 1000:
                    self._early.append(item)
            case Command(verb="say", name=words):
                lobby.say(words)
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
                    self._show(notice)
                case NewBot():
                    if self.spawn_bot is not None:
                        self.spawn_bot()
                case SaveSeed(table=table, seed=seed):
                    self._forget_seed()
                    self._seed = self._seed_path(table)
                    await self.world.disk.write_secret(self._seed, seed)
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

    def _seed_path(self, table: bytes) -> PurePath:
        return self.world.data / "starting" / f"{table.hex()[:32]}-{self.signer.key.hex()[:16]}"

    # -- game ----------------------------------------------------------------------------

    async def _begin_game(self, begin: Begin) -> None:
        """From the lobby: the game gets its folder."""
        genesis, disk = begin.genesis, self.world.disk
        folder = folder_of(self.world, genesis.id, self.signer.key)
        disk.lock(folder / "lock")
        await disk.write_secret(folder / "seed", begin.seed)
        if self.one_game:
            await disk.write_secret(folder / "key", self.signer.secret())
        salt = genesis.id[:SALT]
        file = await disk.create_log(folder / "log", head(salt))
        shared = None
        if self.keeps_log:
            name = f"{self.world.today()}-{genesis.phrase.replace(' ', '-')}"
            shared = disk.share(folder / "log", self.world.logs, name, ".kotlog")
        port = self.lobby.port if self.lobby is not None else 0
        places = Places(self.bind, port, self.host_address, begin.addresses, str(shared or ""))
        await disk.write_secret(folder / "places", places.encode())
        self._journal = _Journal(file, folder / "log", shared, salt)
        self._forget_seed()
        peer = self.make_peer(genesis, begin.seat, self.signer, begin.seed)
        await self._sit(peer, places, folder)
        for number, seat in begin.links.items():
            if number in self.wiring.links:
                self._link(peer, seat, number, trio.current_time())
        await self._perform(peer.take_effects())
        early, self._early = self._early, []
        for item in early:
            self._put(item)

    async def _go_on(self, saved: Saved) -> None:
        """From the folder of a game that was left."""
        file = await self.world.disk.reopen_log(saved.folder / "log", saved.size)
        shared = type(saved.folder)(saved.places.shared) if saved.places.shared else None
        salt = saved.genesis.id[:SALT]
        self._journal = _Journal(file, saved.folder / "log", shared, salt, saved.count)
        peer = Peer(saved.genesis, saved.seat, saved.signer, saved.seed, saved.ledger)
        await self._sit(peer, saved.places, saved.folder)
        await self._perform(peer.take_effects())

    async def _sit(self, peer: Peer, places: Places, folder: PurePath) -> None:
        """The peer begins, and dials the others from now on."""
        assert self._nursery is not None
        self.wiring.table = peer.genesis.charter.table
        self.peer = peer
        self._dialling = Dialling(
            self.world,
            self.wiring,
            peer.genesis,
            peer.seat,
            self.signer,
            folder,
            places,
            self._seats,
        )
        peer.begin(trio.current_time())
        if self.listens or peer.genesis.players[peer.seat].bot:
            self._dialling.begin(self._nursery)
        if self.also is not None:
            self._nursery.start_soon(
                self._dialling.seek, self.also, lambda: bool(peer.comeback.missing)
            )

    def _link(self, peer: Peer, seat: int, number: int, now: float) -> None:
        self._seats[seat] = number
        peer.link_up(seat, now)
        link = self.wiring.links.get(number)  # gone already, if this process was stopped
        if self._dialling is not None and link is not None:
            self._dialling.greet(seat, link)

    def _receive(self, peer: Peer, seat: int, link: Link, frame: Frame, now: float) -> None:
        if not isinstance(frame, Signed) or frame.kind is not Kind.ADDRESS:
            peer.receive(seat, frame, now)
        elif self._dialling is not None:
            try:
                self._dialling.hear(seat, frame)
            except BadBytes:
                link.cut()

    def _take_in_game(self, peer: Peer, item: Item, now: float) -> None:
        match item:
            case Came(link=link):
                self._came_in_game(peer, link, now)
            case Got(link=link, frame=frame):
                seat = self._seat_of(link)
                if seat is not None:
                    self._receive(peer, seat, link, frame, now)
            case Went(link=link):
                seat = self._seat_of(link)
                if seat is not None:
                    del self._seats[seat]
                    peer.link_down(seat, now)
                    if self._dialling is not None:
                        self._dialling.hurry(seat)
            case Replied(answer=Leave()):
                self._command(peer, "leave", now)
            case Replied(place=place, answer=answer):
                assert not isinstance(answer, Leave)
                peer.answer(place, answer, now)
            case Command(verb="say", name=words):
                peer.chat.say(words, now)
            case Command(verb=verb):
                self._command(peer, verb, now)

    def _command(self, peer: Peer, verb: str, now: float) -> None:
        assert self._nursery is not None
        match verb:
            case "leave":
                self._nursery.start_soon(self._leave)
            case "farewell":
                peer.leave(now)
            case "keep":
                self._nursery.start_soon(self._keep_seat)
            case "close":
                peer.keep()
            case _ if verb in WORDS:
                peer.want(WORDS[verb], now)
            case _:
                pass  # of the lobby, a moment too late

    def _came_in_game(self, peer: Peer, link: Link, now: float) -> None:
        """A link of the mesh. Of two links to one process both sides keep the one that the
        smaller key dialled; of two processes the newer one counts."""
        keys = [p.key for p in peer.genesis.players]
        seat = keys.index(link.key) if link.key in keys else None
        # Who was dialled may not have had its genesis yet when it said hello.
        tables = (peer.genesis.charter.table, b"") if link.dialled else (self.wiring.table,)
        if seat is None or seat == peer.seat or link.hello.table not in tables:
            link.cut()
            return
        old = self.wiring.links.get(self._seats.get(seat, -1))
        if old is not None and old.hello.instance == link.hello.instance:
            smaller_dials = self.signer.key < link.key
            if link.dialled != smaller_dials and old.dialled == smaller_dials:
                link.cut()
                return
        self._link(peer, seat, link.number, now)
        if old is not None:
            old.close()

    def _seat_of(self, link: Link) -> int | None:
        return next((s for s, number in self._seats.items() if number == link.number), None)

    async def _leave(self) -> None:
        """The bots of this process go first: the others hear them only through it."""
        if self.dismiss_bots is not None:
            await self.dismiss_bots()
        self._put(Command("farewell"))

    async def _keep_seat(self) -> None:
        """This process ends, its bots first; all of them may come back."""
        if self.keep_bots is not None:
            await self.keep_bots()
        self._put(Command("close"))

    async def _perform(self, effects: list[Effect]) -> None:
        """To disk first; then the rest, in order."""
        journal = self._journal
        assert journal is not None
        data = b"".join(journal.encode(e.signed) for e in effects if isinstance(e, Append))
        if data:
            with trio.CancelScope(shield=True):
                await journal.file.append(data)
        for effect in effects:
            match effect:
                case Append():
                    pass
                case Send(seat=seat, frame=frame):
                    self.wiring.send(self._seats.get(seat, -1), frame)
                case Show(notice=notice):
                    self._show(notice)
                case Ask():
                    self._ask(effect)
                case Withdraw():
                    self._withdraw()
                case Drop(seat=seat):
                    link = self.wiring.links.get(self._seats.get(seat, -1))
                    if link is not None:
                        link.cut()
                case Finish(kind=kind, detail=detail):
                    await self._end(kind, detail)

    async def _end(self, kind: EndKind, detail: str) -> None:
        peer, journal = self.peer, self._journal
        assert peer is not None
        assert journal is not None
        shared = journal.shared
        if shared is not None and not self.world.disk.refresh(journal.path, shared):
            shared = None
        await journal.file.aclose()
        if kind in (EndKind.FINISHED, EndKind.LEFT):
            self.world.disk.remove(journal.path.with_name("places"))  # nothing to come back to
        if self._asking is not None:
            self._asking.cancel()
        self.ending = Ending(
            kind,
            detail,
            shared if shared is not None else journal.path,
            peer.view,
            peer.ledger.game.state.winners or (),
            peer.ledger.turns,
        )

    def _ask(self, ask: Ask) -> None:
        """Puts a question to the front; an older one that is still open is withdrawn."""
        self._withdraw()
        assert self._nursery is not None
        self._asking = trio.CancelScope()
        self._nursery.start_soon(self._await_answer, ask, self._asking)

    def _withdraw(self) -> None:
        if self._asking is not None:
            self._asking.cancel()
            self._asking = None

    async def _await_answer(self, ask: Ask, scope: trio.CancelScope) -> None:
        assert self.peer is not None
        with scope:
            answer = await self.front.decide(self.peer.view, ask.decision)
            self._put(Replied(ask.place, answer))

    def _show(self, notice: Notice) -> None:
        self.front.show(notice)

    def _judge(self, theirs: Hello) -> Refusal | None:
        """What is said to a newcomer before anything is proved."""
        if not theirs.table:
            if self.peer is not None:
                return refusal(Why.STARTED, "the game has started")
            if not isinstance(self.lobby, HostLobby):
                return refusal(Why.NO_TABLE, "no table is open here")
        elif self.peer is not None and theirs.table != self.wiring.table:
            return refusal(Why.NO_TABLE, "another table is played here")
        return None


def _first_words(group: BaseExceptionGroup[FileTrouble]) -> str:
    """What the first of them says, however deep it lies."""
    first: BaseException = group
    while isinstance(first, BaseExceptionGroup):
        first = first.exceptions[0]
    return str(first)
