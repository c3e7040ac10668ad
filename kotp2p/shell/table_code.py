"""The code of a table in one process: what is known of it, who answers it, and who is told."""

from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import trio

from kotp2p.net.code_desk import CodeDesk, HostPlace
from kotp2p.net.connections import Listener
from kotp2p.net.links import Link
from kotp2p.referee.model.answers import Seat
from kotp2p.rendezvous.servers import mailbox_host, relay_host
from kotp2p.rendezvous.words import Code
from kotp2p.seams.commands import Front
from kotp2p.seams.cores import Allowance
from kotp2p.seams.notices import CodeStep, TableCode
from kotp2p.seams.world import Connection, World
from kotp2p.wire.crypto import key_fingerprint
from kotp2p.wire.frames import Ask, CodeTold

ABSENCE_SECONDS = 5.0
"""How long those who come first must be away until this process answers in their place. They may
be on their way: all links of a game that goes on are new."""
CHANGES_AT_ONCE = 8
CHANGES_PER_SECOND = 1 / 30
"""How often one player may change the code: each change is written, and moves the mailbox."""


@dataclass(slots=True)
class HeldCode:
    world: World
    front: Front
    accept: Callable[[Connection], Awaitable[None]]
    """As in `CodeDesk`."""
    place: HostPlace | None = None
    """Where guests find this process; None: it answers no guest."""
    known: CodeTold | None = None
    is_host: bool = False
    """Its player has opened the table, and reads how the code stands."""
    note_change: Callable[[], None] = lambda: None
    """The code is another one now."""
    _is_wanted: bool = False
    _is_shared: bool = False
    _desk: CodeDesk | None = None
    _scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    _stirred: trio.Event = field(default_factory=trio.Event)
    _paces: dict[Seat, Allowance] = field(
        default_factory=lambda: defaultdict(lambda: Allowance(CHANGES_AT_ONCE, CHANGES_PER_SECOND))
    )

    @property
    def can_answer(self) -> bool:
        """Return whether guests find this process, and its settings name a mailbox."""
        rendezvous = self.world.rendezvous
        has_mailbox = rendezvous is not None and bool(rendezvous.servers.mailbox)
        return self.place is not None and has_mailbox

    def listen_at(self, listener: Listener | None, key: bytes, secret: bytes) -> None:
        """Set where guests find this process, which plays under `key`."""
        self.place = HostPlace(
            secret,
            key_fingerprint(key),
            lambda: () if listener is None else listener.addresses(),
            lambda: 0 if listener is None else listener.port,
        )

    async def run(self) -> None:
        async with trio.open_nursery() as nursery:
            while True:
                while not self._is_wanted or (desk := self._find_desk()) is None:
                    await self._stirred.wait()
                with trio.CancelScope() as self._scope:
                    await desk.run(nursery)

    def answer(self, *, wanted: bool = True) -> None:
        self._is_wanted = wanted
        if wanted:
            self._stir()
        else:
            self._scope.cancel()

    def share(self) -> None:
        self._is_shared = True
        if self._desk is not None:
            self._desk.share()

    def renew(self) -> None:
        if self._desk is not None and self._is_wanted:
            self._desk.renew()

    def answer_on_link(self, link: Link, ask: Ask, now: float) -> None:
        """Answer a guest of this network, who proves the words on a link."""
        desk = self._find_desk() if self._is_wanted else None
        answer = desk.answer_on_link(ask.phase, ask.body, now) if desk is not None else None
        if answer is not None:
            link.send(Ask(answer.phase, answer.body))

    def hear(self, source: Seat, told: CodeTold, now: float) -> bool:
        """Take a code from the player who answers it; return whether it is news."""
        if told == self.known or not self._paces[source].take(1, now):
            return False
        before, self.known = self.known, told
        if self._desk is not None:
            self._desk.follow(Code.of(told))
        if before is not None:
            self._show(CodeStep.MOVED, Code.of(told))
        self._stir()
        self.note_change()
        return True

    def _stir(self) -> None:
        self._stirred.set()
        self._stirred = trio.Event()

    def _find_desk(self) -> CodeDesk | None:
        """Return the desk; None while no code is known, or no guest could come by it."""
        world, known = self.world, self.known
        if self._desk is None and known is not None and self.can_answer:
            assert world.rendezvous is not None and self.place is not None
            self._desk = CodeDesk(
                world.rendezvous,
                world.entropy,
                self.place,
                self.accept,
                self._take_step,
                Code.of(known),
                world.program[1],
                is_first=not self._is_shared,
                is_shared=self._is_shared,
            )
        return self._desk

    def _take_step(self, step: CodeStep, code: Code) -> None:
        assert self.known is not None  # there is a desk
        if code != Code.of(self.known):
            self.known = code.told()
            self.note_change()
        self._show(step, code)

    def _show(self, step: CodeStep, code: Code) -> None:
        rendezvous = self.world.rendezvous
        if rendezvous is None or (not self.is_host and step is not CodeStep.MOVED):
            return
        servers = rendezvous.servers
        mailbox, relay = mailbox_host(servers.mailbox), relay_host(servers.relay)
        self.front.show(
            TableCode(
                step, code.spelled, code.in_numbers, mailbox, relay, self.world.lan is not None
            )
        )
