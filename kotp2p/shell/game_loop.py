"""A running game as one process sees it: moves frames to the peer and does what it wants done.

The shell around one `Peer`, as `kotp2p.shell.lobby_loop` is around the lobby: links and their
seats, the log, the question that is open, and how this process ends.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import PurePath

import trio

from kotp2p.endings import Ending, EndKind
from kotp2p.front import EvidenceKept, Front, Leave
from kotp2p.mesh.effects import Append, Ask, Drop, Effect, Evidence, Finish, Send, Show, Withdraw
from kotp2p.net.connections import Wiring
from kotp2p.net.dialer import Dialling
from kotp2p.net.inbox import Came, Command, Got, Item, Replied, Went
from kotp2p.net.links import Link
from kotp2p.peer.peer import Peer
from kotp2p.store.log_writer import Logbook
from kotp2p.store.saved_game import Places
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import Kind, Signed
from kotp2p.wire.frames import Frame
from kotp2p.wire.intents import Verb
from kotp2p.world import World

WORDS = {
    "drop": Verb.DROP,
    "wait": Verb.WAIT,
    "pause": Verb.PAUSE,
    "go": Verb.GO,
    "adjourn": Verb.ADJOURN,
    "stay": Verb.WAIT,
}
"""What a front's commands say to the other seats."""


@dataclass(slots=True)
class Playing:
    world: World
    signer: Signer
    front: Front
    wiring: Wiring
    put: Callable[[Item], None]
    """Into the table's inbox."""
    nursery: trio.Nursery
    peer: Peer
    logbook: Logbook
    dismiss_bots: Callable[[], Awaitable[None]] | None = None
    keep_bots: Callable[[], Awaitable[None]] | None = None
    ending: Ending | None = None
    _seats: dict[int, int] = field(default_factory=dict)
    """Link number of each linked seat."""
    _dialling: Dialling = field(init=False)
    _asking: trio.CancelScope | None = None

    async def begin(
        self,
        places: Places,
        folder: PurePath,
        links: dict[int, int],
        *,
        dials: bool,
        also: tuple[str, int] | None,
    ) -> None:
        """The peer begins, and the others are dialled from now on. `links`: the seats of those
        that stand already; `also`: an address at which somebody may be."""
        peer, now = self.peer, trio.current_time()
        self.wiring.table = peer.genesis.charter.table
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
        peer.begin(now)
        for number, seat in links.items():
            if number in self.wiring.links:
                self._link(seat, number, now)
        await self.perform()
        self._dialling.places = replace(places, shared=str(self.logbook.shared or ""))
        if dials or peer.genesis.players[peer.seat].bot:
            self._dialling.begin(self.nursery)
        if also is not None:
            self.nursery.start_soon(self._dialling.seek, also, lambda: bool(peer.comeback.missing))

    async def tick(self, now: float) -> None:
        if now >= self.peer.deadline:
            self.peer.tick(now)
        await self.perform()

    def _link(self, seat: int, number: int, now: float) -> None:
        self._seats[seat] = number
        self.peer.link_up(seat, now)
        link = self.wiring.links.get(number)  # gone already, if this process was stopped
        if link is not None:
            self._dialling.greet(seat, link)

    def _receive(self, seat: int, link: Link, frame: Frame, now: float) -> None:
        if not isinstance(frame, Signed) or frame.kind is not Kind.ADDRESS:
            self.peer.receive(seat, frame, now)
            return
        try:
            self._dialling.hear(seat, frame)
        except BadBytes:
            link.cut()

    def take(self, item: Item, now: float) -> None:
        peer = self.peer
        match item:
            case Came(link=link):
                self._came(link, now)
            case Got(link=link, frame=frame):
                seat = self._seat_of(link)
                if seat is not None:
                    self._receive(seat, link, frame, now)
            case Went(link=link):
                seat = self._seat_of(link)
                if seat is not None:
                    del self._seats[seat]
                    peer.link_down(seat, now)
                    self._dialling.hurry(seat)
            case Replied(answer=Leave()):
                self._command("leave", now)
            case Replied(place=place, answer=answer):
                assert not isinstance(answer, Leave)
                peer.answer(place, answer, now)
            case Command(verb="say", name=words):
                peer.chat.say(words, now)
            case Command(verb=verb):
                self._command(verb, now)

    def _command(self, verb: str, now: float) -> None:
        peer = self.peer
        match verb:
            case "leave":
                self.nursery.start_soon(self._leave)
            case "farewell":
                peer.leave(now)
            case "keep":
                self.nursery.start_soon(self._keep_seat)
            case "close":
                peer.keep()
            case _ if verb in WORDS:
                peer.want(WORDS[verb], now)
            case _:
                pass  # of the lobby, a moment too late

    def _came(self, link: Link, now: float) -> None:
        """A link of the mesh. Of two links to one process both sides keep the one that the
        smaller key dialled; of two processes the newer one counts."""
        peer = self.peer
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
        self._link(seat, link.number, now)
        if old is not None:
            old.close()

    def _seat_of(self, link: Link) -> int | None:
        return next((s for s, number in self._seats.items() if number == link.number), None)

    async def _leave(self) -> None:
        """The bots of this process go first: the others hear them only through it."""
        if self.dismiss_bots is not None:
            await self.dismiss_bots()
        self.put(Command("farewell"))

    async def _keep_seat(self) -> None:
        """This process ends, its bots first; all of them may come back."""
        if self.keep_bots is not None:
            await self.keep_bots()
        self.put(Command("close"))

    async def perform(self) -> None:
        """What the peer wants done: to disk first; then the rest, in order."""
        effects: list[Effect] = self.peer.take_effects()
        await self.logbook.write(e.signed for e in effects if isinstance(e, Append))
        for effect in effects:
            match effect:
                case Append():
                    pass
                case Send(seat=seat, frame=frame):
                    self.wiring.send(self._seats.get(seat, -1), frame)
                case Show(notice=notice):
                    self.front.show(notice)
                case Ask():
                    self._ask(effect)
                case Withdraw():
                    self._withdraw()
                case Drop(seat=seat):
                    link = self.wiring.links.get(self._seats.get(seat, -1))
                    if link is not None:
                        link.cut()
                case Evidence(seat=seat, height=height, data=data):
                    path = await self.logbook.keep(f"evidence-{seat + 1}-{height}", data)
                    self.front.show(EvidenceKept(seat, path))
                case Finish(kind=kind, detail=detail):
                    await self._end(kind, detail)

    async def _end(self, kind: EndKind, detail: str) -> None:
        peer = self.peer
        log = await self.logbook.close()
        self._dialling.over = True
        if kind in (EndKind.FINISHED, EndKind.LEFT):
            self.world.disk.remove(self.logbook.path.with_name("places"))  # nothing to come back to
        if self._asking is not None:
            self._asking.cancel()
        self.ending = Ending(
            kind,
            detail,
            log,
            peer.view,
            peer.ledger.game.state.winners or (),
            peer.ledger.turns,
        )

    def _ask(self, ask: Ask) -> None:
        """Puts a question to the front; an older one that is still open is withdrawn."""
        self._withdraw()
        self._asking = trio.CancelScope()
        self.nursery.start_soon(self._await_answer, ask, self._asking)

    def _withdraw(self) -> None:
        if self._asking is not None:
            self._asking.cancel()
            self._asking = None

    async def _await_answer(self, ask: Ask, scope: trio.CancelScope) -> None:
        with scope:
            answer = await self.front.decide(self.peer.view, ask.decision)
            self.put(Replied(ask.place, answer))
