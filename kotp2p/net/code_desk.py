"""Where a table is asked for by its code: the mailbox of its number, the waiting at the relay."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from math import inf

import trio

from kotp2p.net.rendezvous import RELAY_GONE
from kotp2p.rendezvous import desks, words
from kotp2p.rendezvous.exchange import TOKEN_BYTES, Introduction, RelayPlace
from kotp2p.rendezvous.mailbox import AllOld, Complaint, Heard, Message
from kotp2p.seams import world
from kotp2p.seams.notices import CodeStep
from kotp2p.wire.addresses import MAX_ADDRESSES, is_one_machine, is_public

FIRST_PAUSE_SECONDS, MAX_PAUSE_SECONDS = 1.0, 60.0
"""The pause before a server is dialled again; it doubles."""
TEST_SECONDS = 60.0
"""The time between two tests."""
TEST_ANSWER_SECONDS = 10.0
MIN_NUMBER_SECONDS = 20.0
"""How long a number is kept at least: a stranger must not make the host draw without end."""
CLEAR_MESSAGES = 100
"""With more messages the mailbox is emptied: each guest is sent all of them."""
MAX_TOKENS = 32
"""Tokens at which this process waits; one more, and the oldest is given up."""


@dataclass(frozen=True, slots=True)
class HostPlace:
    """The host as a guest gets to know it: its key, where it listens, and the table's secret."""

    secret: bytes = field(repr=False)
    host: bytes
    addresses: Callable[[], tuple[str, ...]]
    port: Callable[[], int]


@dataclass(slots=True)
class CodeDesk:
    rendezvous: world.Rendezvous
    entropy: Callable[[int], bytes]
    place: HostPlace
    accept: Callable[[world.Connection], Awaitable[None]]
    """Takes what has come through the relay; raises CannotReach if nobody is there."""
    tell: Callable[[CodeStep, words.Code], None]
    code: words.Code
    program: str = ""
    is_first: bool = True
    """As in `HostDesk`."""
    is_shared: bool = False
    """Others may answer at this code, too."""
    _desk: desks.HostDesk = field(init=False)
    _seen_at: str = ""
    _messages: int = 0
    """In the mailbox, as far as this process has heard."""
    _is_open: bool = False
    _opened_at: float = -inf
    _told: CodeStep | None = None
    _tokens: dict[bytes, trio.CancelScope] = field(default_factory=dict)
    _again: trio.CancelScope = field(default_factory=trio.CancelScope)
    """Of the connection to the mailbox: cancelled, it is made anew."""
    _changed: trio.Event = field(default_factory=trio.Event)
    """Whether it is open, or which code it has."""
    _clearing: bool = False
    _misses_relay: bool = False
    _moved: bool = False
    """The number has changed since it was shown last."""
    _nursery: trio.Nursery | None = None

    def __post_init__(self) -> None:
        self._begin(self.code, is_first=self.is_first)

    def _begin(self, code: words.Code, *, is_first: bool) -> None:
        self.code, self._told, who = code, None, self.program
        self._desk = desks.HostDesk(code, self.entropy, self._introduce, who, is_first)
        self._note_change()

    def _note_change(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    async def _wait_until(self, is_so: Callable[[], bool]) -> None:
        while not is_so():
            await self._changed.wait()

    def renew(self) -> None:
        self._begin(words.Code.draw(self.entropy), is_first=True)
        self._again.cancel()

    def follow(self, code: words.Code) -> None:
        """Answer at this code from now on, which another player has drawn."""
        if code != self.code:
            self._begin(code, is_first=False)
            self._again.cancel()

    def share(self) -> None:
        self.is_shared = True
        if self._told in (CodeStep.OPEN, CodeStep.MOVED):
            self._desk.is_first = False

    async def run(self, relayed: trio.Nursery) -> None:
        """Answer at the code, and wait at the relay in `relayed`, for who comes back later, too."""
        self._told, self._nursery = None, relayed
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._test_now_and_then)
            pause = FIRST_PAUSE_SECONDS
            while True:
                if self._desk.guesses.are_used_up:
                    with trio.CancelScope() as self._again:  # until there is another code
                        await trio.sleep_forever()
                    pause = FIRST_PAUSE_SECONDS
                began = trio.current_time()
                with trio.CancelScope() as self._again:
                    try:
                        await self._stand_at_mailbox()
                    except world.MailboxFlooded:
                        await self._move()
                    except world.MailboxUnproven:
                        self._say(CodeStep.UNPROVEN_MAILBOX)
                    except world.MailboxTrouble:
                        if not self._is_steady(began):  # else it is dialled again without a word
                            self._say(CodeStep.NO_MAILBOX)
                self._is_open = False
                self._note_change()
                if not (self._desk.guesses.are_used_up or self._again.cancelled_caught):
                    if self._is_steady(began):
                        pause = FIRST_PAUSE_SECONDS
                    await trio.sleep(pause)
                    pause = min(2 * pause, MAX_PAUSE_SECONDS)

    def _is_steady(self, began: float) -> bool:
        return trio.current_time() > began + MAX_PAUSE_SECONDS

    def _say(self, step: CodeStep) -> None:
        if step is not self._told:
            self._told = step
            self.tell(step, self.code)

    def answer_on_link(self, phase: str, body: bytes, now: float) -> desks.Answer | None:
        was_used_up = self._desk.guesses.are_used_up
        answer = self._desk.answer_on_link(phase, body, now)
        if self._desk.guesses.are_used_up and not was_used_up:
            self._say(CodeStep.USED_UP)
            self._again.cancel()
        return answer

    # -- at the mailbox ------------------------------------------------------------------

    async def _stand_at_mailbox(self) -> None:
        desk = self._desk
        self._messages, self._clearing = 0, False
        async with self.rendezvous.mailbox(desks.HOST_SIDE, self.code.number) as mailbox:
            while desk is self._desk:
                heard: Heard | None = None
                with trio.move_on_at(desk.deadline):
                    heard = await mailbox.hear()
                self._take(heard, mailbox)
                for effect in desk.take_effects():
                    match effect:
                        case desks.Answer(phase=phase, body=body):
                            await mailbox.add(phase, body)
                        case desks.Admit(token=token):
                            self._wait_for(token)
                        case desks.CodeUsedUp():
                            self._say(CodeStep.USED_UP)
                            return
                        case desks.NumberTaken():
                            await self._move()
                if self._clearing:
                    await mailbox.clear()
                    return

    def _take(self, heard: Heard | None, mailbox: world.Mailbox) -> None:
        now, self._seen_at = trio.current_time(), mailbox.seen_at
        match heard:
            case Message():
                self._messages += 1
                self._desk.hear(heard, now)
            case AllOld(now=server_time):
                self._desk.end_old(server_time, now)
                self._opened_at, self._is_open = now, True
                self._note_change()
            case Complaint(is_crowded=True):
                self._desk.leave_number()
            case Complaint():
                raise world.MailboxTrouble(heard.text)
            case _:  # a welcome, or the time of a confirmation that waits
                self._desk.tick(now)

    async def _move(self) -> None:
        await trio.sleep_until(self._opened_at + MIN_NUMBER_SECONDS if self._told else 0)
        was_told = self._told is not None
        last = self._desk
        self._begin(replace(self.code, number=words.draw_number(self.entropy)), is_first=True)
        self._desk.guesses, self._desk.link_pace = last.guesses, last.link_pace
        self._moved = was_told

    def _introduce(self, seen_at: str) -> Introduction:
        """Return an introduction with only what the guest can use."""
        # That is public addresses, and private ones if the mailbox sees both sides at the same
        # address.
        is_near = bool(seen_at) and seen_at == self._seen_at
        known, port = self.place.addresses(), self.place.port()
        usable = [a for a in known if is_one_machine(a) and (is_near or is_public(a))]
        where = tuple((address, port) for address in usable[:MAX_ADDRESSES] if port)
        relay = self.rendezvous.servers.relay
        token = self.entropy(TOKEN_BYTES) if relay else b""
        return Introduction(self.place.secret, self.place.host, where, relay, token)

    # -- the test ------------------------------------------------------------------------

    async def _test_now_and_then(self) -> None:
        """Test the mailbox once a minute; after two tests that fail, move to another number."""
        # The first may fail as a router with a new address has ended the own connection silently.
        # The test of the new connection shows nothing about a stranger who deletes the mailbox now
        # and then, so it takes two that succeed until the first is forgotten.
        doubts = 0
        while True:
            await self._wait_until(lambda: self._is_open)
            desk = self._desk
            with trio.CancelScope() as scope:
                scope.deadline = trio.current_time() + TEST_ANSWER_SECONDS
                is_heard = await self._ask_itself(desk)
            if desk is not self._desk or not self._is_open:
                continue  # the host itself was not there
            if scope.cancelled_caught and not doubts:
                doubts, self._is_open = 2, False
                self._again.cancel()
                continue
            doubts = max(doubts - 1, 0)
            if scope.cancelled_caught or not is_heard:
                doubts = 0
                await self._move()
                self._again.cancel()
                continue
            self._say(CodeStep.MOVED if self._moved else CodeStep.OPEN)
            self._moved = False
            desk.is_first = desk.is_first and not self.is_shared
            with trio.move_on_after(TEST_SECONDS):
                await self._wait_until(lambda: desk is not self._desk or not self._is_open)  # noqa: B023  # it is awaited here

    async def _ask_itself(self, desk: desks.HostDesk) -> bool:
        """Return whether a guest would have been answered, by this host and no other side."""
        # True also where the server cannot be reached, which shows nothing about the number.
        opening = desk.open_test()
        try:
            async with self.rendezvous.mailbox(desks.GUEST_SIDE, self.code.number) as mailbox:
                await mailbox.add(opening.phase, opening.body)
                answer = opening.phase[:-1] + "2"
                while True:
                    heard = await mailbox.hear()
                    if isinstance(heard, Complaint):
                        return False
                    if not isinstance(heard, Message) or heard.phase != answer:
                        continue
                    if heard.side == desks.HOST_SIDE and desk.has_said(heard.phase, heard.body):
                        # A full mailbox is emptied, unless a guest is in an exchange. Both sides
                        # give it up, and the host opens it anew.
                        is_busy = desk.is_busy(trio.current_time())
                        if self._messages > CLEAR_MESSAGES and not is_busy:
                            await mailbox.clear()
                            self._clearing = True
                        return True
        except world.MailboxFlooded:
            return False
        except world.MailboxTrouble:
            await trio.sleep(FIRST_PAUSE_SECONDS)
            return True

    # -- at the relay --------------------------------------------------------------------

    def _wait_for(self, token: bytes) -> None:
        assert self._nursery is not None
        if len(self._tokens) >= MAX_TOKENS:
            self._tokens.pop(next(iter(self._tokens))).cancel()
        scope = self._tokens[token] = trio.CancelScope()
        self._nursery.start_soon(self._wait_at_relay, token, scope)

    async def _wait_at_relay(self, token: bytes, scope: trio.CancelScope) -> None:
        """Wait at the relay for a guest with this token, again and again."""
        # A guest may come several times: when its link has broken, or to watch.
        place, pause = RelayPlace(self.rendezvous.servers.relay, token), FIRST_PAUSE_SECONDS
        with scope:
            while True:
                try:
                    connection = await self.rendezvous.wait_at_relay(place)
                    self._note_relay(missing=False)
                    await self.accept(connection)
                    pause = FIRST_PAUSE_SECONDS
                except world.CannotReach as fault:
                    self._note_relay(missing=fault.why == RELAY_GONE)
                    await trio.sleep(pause)
                    pause = min(2 * pause, MAX_PAUSE_SECONDS)

    def _note_relay(self, *, missing: bool) -> None:
        if missing and not self._misses_relay:
            self.tell(CodeStep.NO_RELAY, self.code)
        self._misses_relay = missing
