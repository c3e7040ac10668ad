"""Find the host of a table: by its address, by its code, and again after a link has broken."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial

import trio

from kotp2p.lobby.guest import GuestLobby
from kotp2p.lobby.lobby_effects import LINK_TO_HOST
from kotp2p.net.connections import Connections
from kotp2p.net.dialer import FIRST_REDIAL_SECONDS
from kotp2p.net.handshake import LinkFault, NotInvited, Refused, TableBusy
from kotp2p.net.invitation import Invitation
from kotp2p.net.links import Link
from kotp2p.net.rendezvous import RELAY_GONE, RELAY_REFUSES, RELAY_SILENT
from kotp2p.referee.box.rulesets import RULES_VERSION
from kotp2p.rendezvous.desks import GUEST_SIDE, HOST_SIDE, Answer, GuestDesk
from kotp2p.rendezvous.exchange import Introduction, RelayPlace, is_relay_place
from kotp2p.rendezvous.mailbox import Complaint, Heard, Message
from kotp2p.rendezvous.servers import mailbox_host
from kotp2p.rendezvous.words import Code
from kotp2p.seams.commands import Front
from kotp2p.seams.endings import Ending, EndKind, end_kind_of_refusal
from kotp2p.seams.notices import AskingByCode
from kotp2p.seams.world import (
    CannotReach,
    LanTrouble,
    Mailbox,
    MailboxFlooded,
    MailboxTrouble,
    MailboxUnproven,
    World,
)
from kotp2p.store.saved_game import make_instance
from kotp2p.wire.addresses import DEFAULT_PORT, FoundTable
from kotp2p.wire.crypto import KEY_BYTES, OPEN_TABLE_SECRET, Signer, key_fingerprint
from kotp2p.wire.entries import INSTANCE_BYTES
from kotp2p.wire.frames import Ask, Closed, Frame, Hello, Refusal, RefusalCode
from kotp2p.wire.genesis import PROTOCOL_VERSION

# -- how a host is found and reached -------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TableAddress:
    places: tuple[str, ...]
    port: int
    secret: bytes = OPEN_TABLE_SECRET
    host: bytes | None = None
    """The fingerprint that the host's key must have; None: any host."""
    relay: str = ""
    """Where the players of a code meet that have no direct way, `tcp:HOST:PORT`."""
    code: Code | None = None
    """The code that has led here: the host may be found by it at another place later."""

    @staticmethod
    def from_invitation(invitation: Invitation) -> TableAddress:
        return TableAddress(invitation.places, invitation.port, invitation.secret, invitation.host)


PLACE_SECONDS = 3.0
"""A place that has not answered within this time waits until the other places have been tried. A
firewall on the way may be silent, and private addresses lead elsewhere in another network."""


RELAY_HEAD_START_SECONDS = 1.0
"""How long direct ways are tried alone: by then a machine that can be dialled has answered."""
RELAY_PAUSES_SECONDS = (1.0, 2.0, 4.0)
"""Before each further attempt where a relay has carried nothing: the host waits there again."""


class NotSeated(Exception):
    """The host was not reached, or has refused; `ending` is what the guest's run came to."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending.kind)
        self.ending = ending


class _OtherHost(LinkFault):
    """The peer there knows the secret of the table, but did not make the invitation."""


async def connect_to_host(connections: Connections, table: TableAddress) -> tuple[Link, str]:
    """Return the link to the host, and the place at which it was; raise NotSeated.

    A relay may be busy, or cut a connection in the middle: all ways are tried again then.
    """
    for pause in RELAY_PAUSES_SECONDS:
        try:
            return await _connect_once(connections, table)
        except NotSeated as fault:
            if fault.ending.kind not in _MAY_CARRY_LATER:
                raise
        await trio.sleep(pause)
    return await _connect_once(connections, table)


async def _connect_once(connections: Connections, table: TableAddress) -> tuple[Link, str]:
    # If all places fail, the answer of a peer says more than a place at which there is none. A
    # relay is tried beside them as soon as no direct way was found at once.
    relays = tuple(place for place in table.places if is_relay_place(place))
    direct = replace(table, places=tuple(p for p in table.places if p not in relays))
    if not relays:
        return await _connect_directly(connections, table)
    found: list[tuple[Link, str]] = []
    faults: list[NotSeated] = []
    is_direct_over = trio.Event()
    async with trio.open_nursery() as nursery:

        async def try_directly() -> None:
            try:
                if direct.places:
                    await keep(await _connect_directly(connections, direct))
            except NotSeated as fault:
                faults.append(fault)
            is_direct_over.set()

        async def try_relay(place: str) -> None:
            with trio.move_on_after(RELAY_HEAD_START_SECONDS):
                await is_direct_over.wait()
            try:
                await keep((await _connect_at(connections, table, place), place))
            except NotSeated as fault:
                faults.append(fault)

        async def keep(one: tuple[Link, str]) -> None:
            if found:  # both were made in the same moment
                one[0].cut()
                await one[0].run(lambda _frame: None)
            else:
                found.append(one)
                nursery.cancel_scope.cancel()

        nursery.start_soon(try_directly)
        for place in relays:
            nursery.start_soon(try_relay, place)
    if found:
        return found[0]
    raise _most_telling(faults)


def _most_telling(faults: list[NotSeated]) -> NotSeated:
    silent = set(_ENDING_OF_FAULT.values())
    answered = [fault for fault in faults if fault.ending.kind not in silent]
    relayed = [fault for fault in faults if fault.ending.kind in _RELAY_ENDINGS]
    return (answered or relayed or faults)[0]


async def _connect_directly(connections: Connections, table: TableAddress) -> tuple[Link, str]:
    faults: list[NotSeated] = []
    *first, last = table.places
    tries = [*((place, PLACE_SECONDS) for place in first), (last, math.inf)]
    for place, seconds in tries:
        try:
            with trio.move_on_after(seconds):
                return await _connect_at(connections, table, place), place
            tries.append((place, math.inf))
        except NotSeated as fault:
            faults.append(fault)
    raise _most_telling(faults)


_ENDING_OF_FAULT = {
    "name-unknown": EndKind.NAME_UNKNOWN,
    "refused": EndKind.REFUSED,
    "no-answer": EndKind.NO_ANSWER,
    RELAY_GONE: EndKind.RELAY_GONE,
    RELAY_SILENT: EndKind.RELAY_SILENT,
    RELAY_REFUSES: EndKind.RELAY_REFUSES,
}
_RELAY_ENDINGS = (EndKind.RELAY_GONE, EndKind.RELAY_SILENT, EndKind.RELAY_REFUSES)
_MAY_CARRY_LATER = (EndKind.RELAY_SILENT, EndKind.RELAY_REFUSES)


async def _connect_at(connections: Connections, table: TableAddress, place: str) -> Link:
    def admit(theirs: Hello) -> None:
        if table.host is not None and key_fingerprint(theirs.key) != table.host:
            raise _OtherHost("another key than the invitation's")

    try:
        return await connections.dial_host(place, table.port, LINK_TO_HOST, admit)
    except (CannotReach, LinkFault, Refused) as fault:
        ending = ending_of_fault(fault, table.secret)
        if ending.kind is EndKind.NOT_A_TABLE and is_relay_place(place):
            ending = replace(ending, kind=EndKind.RELAY_REFUSES)
        raise NotSeated(ending) from fault


def ending_of_fault(fault: CannotReach | LinkFault | Refused, secret: bytes) -> Ending:
    """Say why no link to a table came about; `secret` is what was said at its door."""
    match fault:
        case CannotReach():
            return Ending(_ENDING_OF_FAULT[fault.why], fault.detail)
        case Refused():
            return _ending_of_refusal(fault.refusal)
        case _OtherHost():
            return Ending(EndKind.OTHER_HOST, str(fault))
        case NotInvited():
            kind = EndKind.NOT_INVITED if secret == OPEN_TABLE_SECRET else EndKind.OTHER_TABLE
            return Ending(kind, str(fault))
        case TableBusy():
            return Ending(EndKind.BUSY, str(fault))
        case LinkFault():  # no word that a table would send
            return Ending(EndKind.NOT_A_TABLE, str(fault))


def _ending_of_refusal(refusal: Refusal) -> Ending:
    if refusal.code == RefusalCode.VERSION:
        theirs = f"{refusal.protocol}.{refusal.rules}"
        return Ending(EndKind.VERSION, f"{theirs} {PROTOCOL_VERSION}.{RULES_VERSION}")
    return Ending(end_kind_of_refusal(refusal.code), refusal.text)


KNOCK_SECONDS = 8.0


async def knock(world: World, signer: Signer, table: TableAddress) -> EndKind | None:
    """Return why that table lets in nobody now; None: it does."""
    instance = make_instance(0, world.entropy(INSTANCE_BYTES))
    connections = Connections(world, signer, instance, lambda _: None, lambda _: None, table.secret)
    with trio.move_on_after(KNOCK_SECONDS):
        try:
            link, _place = await connect_to_host(connections, table)
        except NotSeated as fault:
            return fault.ending.kind
        link.cut()
        await link.run(lambda _frame: None)  # it closes
        return None
    return EndKind.NO_ANSWER


# -- by code -------------------------------------------------------------------------------


ASKING_SECONDS = 30.0
"""How long a guest asks a number at which no host answers."""
ATTEMPT_SECONDS = 6.0
WORDS_SECONDS = 35.0
"""How long it waits for a host that has answered: one that has heard many wrong words takes 30 s
for the next."""
REFUSED_SECONDS = 2.0
"""How long it waits on after a message that the words are wrong: a stranger may have sent it."""
PAUSE_SECONDS = 1.0
DEAF_PAUSES_SECONDS = (1.0, 2.0, 4.0)
"""Before each further attempt to reach a server that has not answered."""


async def find_by_code(world: World, code: Code, front: Front | None) -> TableAddress:
    """Find the table of a code, here or at the mailbox, telling `front`; raise NotSeated."""
    found: list[TableAddress] = []
    faults: dict[bool, NotSeated] = {}
    async with trio.open_nursery() as nursery:

        async def follow(find: Callable[[], Awaitable[TableAddress]], *, is_near: bool) -> None:
            try:
                found.append(await find())
                nursery.cancel_scope.cancel()
            except NotSeated as fault:
                faults[is_near] = fault

        nursery.start_soon(partial(follow, partial(_find_near, world, code), is_near=True))
        await follow(partial(_find_at_mailbox, world, code, front), is_near=False)
    if found:
        return found[0]
    known_there = (EndKind.VERSION, EndKind.WRONG_WORDS, EndKind.NO_DIRECT_WAY)
    is_unknown_there = faults[False].ending.kind not in known_there
    has_answered = faults[True].ending.kind is not EndKind.NOBODY_AT_NUMBER
    raise faults[is_unknown_there and has_answered]


async def _find_at_mailbox(world: World, code: Code, front: Front | None) -> TableAddress:
    host = mailbox_host(world.rendezvous.servers.mailbox) if world.rendezvous is not None else ""
    if front is not None and host:
        front.show(AskingByCode(code.number, host))
    until, deaf = trio.current_time() + ASKING_SECONDS, 0
    while True:
        try:
            found = await ask_at_mailbox(world, code)
        except MailboxUnproven as fault:
            raise NotSeated(Ending(EndKind.UNPROVEN_MAILBOX, host)) from fault
        except MailboxTrouble as fault:
            if deaf == len(DEAF_PAUSES_SECONDS):
                raise NotSeated(Ending(EndKind.NO_MAILBOX, f"{host}: {fault}")) from fault
            await trio.sleep(DEAF_PAUSES_SECONDS[deaf])
            deaf += 1
        else:
            if found is not None:
                return found
            if trio.current_time() >= until:
                raise NotSeated(Ending(EndKind.NOBODY_AT_NUMBER, str(code.number)))
            if front is not None:
                front.show(AskingByCode(code.number, host, is_again=True))
            await trio.sleep(PAUSE_SECONDS)


async def ask_at_mailbox(world: World, code: Code) -> TableAddress | None:
    """Ask once for a table, None if no host answers; raise MailboxTrouble or NotSeated."""
    rendezvous = world.rendezvous
    if rendezvous is None or not rendezvous.servers.mailbox:
        raise NotSeated(Ending(EndKind.NO_MAILBOX))
    try:
        found = await _ask_at(world, code, rendezvous.mailbox(GUEST_SIDE, code.number))
    except MailboxFlooded:
        return None  # by strangers: the host goes to another number
    if found is None:
        return None
    # Who has set no relay wants none, whatever the host has set.
    carrier = found.relay if rendezvous.servers.relay else ""
    if not (found.targets or carrier):
        raise NotSeated(Ending(EndKind.NO_DIRECT_WAY))
    places = tuple(address for address, _ in found.targets)
    port = found.targets[0][1] if found.targets else DEFAULT_PORT
    relay = (str(RelayPlace(carrier, found.token)),) if carrier else ()
    return TableAddress(places + relay, port, found.secret, found.host, carrier, code)


def without_relay(ending: Ending, table: TableAddress) -> Ending:
    """Return the ending at a table to which a code has led; nobody has typed its address."""
    is_unreached = ending.kind in (EndKind.NO_ANSWER, EndKind.REFUSED)
    return Ending(EndKind.NO_DIRECT_WAY) if is_unreached and not table.relay else ending


async def _ask_at(
    world: World, code: Code, place: AbstractAsyncContextManager[Mailbox]
) -> Introduction | None:
    with trio.move_on_after(ATTEMPT_SECONDS) as opening:
        async with place as mailbox:
            opening.deadline = math.inf
            desk = GuestDesk(code, world.entropy, world.program[1])
            asked = desk.open()
            await mailbox.add(asked.phase, asked.body)
            with trio.move_on_after(ATTEMPT_SECONDS) as scope:
                return await _follow(mailbox, desk, scope)
            if desk.is_refused and desk.other_version is not None:
                ours = f"{PROTOCOL_VERSION}.{RULES_VERSION}"
                raise NotSeated(Ending(EndKind.VERSION, f"{desk.other_version} {ours}"))
            if desk.is_answered:  # by a host that hears no more guesses now, or by a stranger
                raise NotSeated(Ending(EndKind.WRONG_WORDS, str(code.number)))
    return None


async def _follow(
    mailbox: Mailbox, desk: GuestDesk, scope: trio.CancelScope
) -> Introduction | None:
    """Exchange messages until the introduction; return None if the mailbox is full."""
    last = math.inf
    while True:
        heard = await mailbox.hear()
        if isinstance(heard, Complaint):
            return None
        if not isinstance(heard, Message):
            continue
        found = desk.hear(heard, mailbox.seen_at)
        if isinstance(found, Introduction):
            return found
        if isinstance(found, Answer):
            await mailbox.add(found.phase, found.body)
            last = min(last, trio.current_time() + WORDS_SECONDS)
            scope.deadline = last
        elif desk.is_refused and not desk.hears_several:
            scope.deadline = min(scope.deadline, trio.current_time() + REFUSED_SECONDS)


# -- by code on this network: the same exchange, on a link to a machine that names the number


NEAR_SECONDS = 2.0
"""How long a code looks around on this network, while it asks the mailbox."""


async def _find_near(world: World, code: Code) -> TableAddress:
    """Find the table of a code among those that are announced here; raise NotSeated."""
    faults = [NotSeated(Ending(EndKind.NOBODY_AT_NUMBER, str(code.number)))]
    found: list[TableAddress] = []
    try:
        around = await world.lan.browse(NEAR_SECONDS) if world.lan is not None else ()
    except LanTrouble:
        around = ()
    async with trio.open_nursery() as nursery:

        async def ask(table: FoundTable) -> None:
            at = TableAddress(table.addresses, table.poster.port)
            keys: list[bytes] = []
            place = _mailbox_on_link(world, at, nursery, keys.append)
            try:
                host = await _ask_at(world, code, place)
            except NotSeated as fault:
                faults.append(fault)
            except MailboxTrouble:
                pass  # it has broken off: no table of ours
            else:
                # A stranger may pass the exchange on to the host, and announce its own address.
                if host is not None and host.host in map(key_fingerprint, keys):
                    found.append(
                        TableAddress(at.places, at.port, host.secret, host.host, host.relay, code)
                    )
                    nursery.cancel_scope.cancel()

        for table in around:
            if code.number in table.numbers:
                nursery.start_soon(ask, table)
    if found:
        return found[0]
    raise faults[-1]


@dataclass(slots=True)
class _MailboxOnLink:
    """Implements `world.Mailbox` on a link to a host, with nobody else there."""

    link: Link
    frames: trio.MemoryReceiveChannel[Frame]
    seen_at: str = ""

    async def hear(self) -> Heard:
        async for frame in self.frames:
            self.link.note_taken()
            if isinstance(frame, Ask):
                return Message(HOST_SIDE, frame.phase, frame.body, 0.0, is_old=False)
            if isinstance(frame, Closed):
                raise NotSeated(Ending(end_kind_of_refusal(frame.code)))
        raise MailboxTrouble("the link has ended")

    async def add(self, phase: str, body: bytes) -> None:
        self.link.send(Ask(phase, body))

    async def clear(self) -> None:
        """Do nothing: what was said is kept nowhere."""


@asynccontextmanager
async def _mailbox_on_link(
    world: World, table: TableAddress, nursery: trio.Nursery, note_key: Callable[[bytes], None]
) -> AsyncIterator[Mailbox]:
    """Open a link to a host that is announced, read in `nursery`; raise NotSeated."""
    # `note_key` is given the key that the other side has proved.
    signer, instance = Signer(world.entropy(KEY_BYTES)), world.entropy(INSTANCE_BYTES)
    connections = Connections(world, signer, instance, lambda _: None, lambda _: None)
    link, _place = await connect_to_host(connections, table)
    note_key(link.key)
    heard, frames = trio.open_memory_channel[Frame](math.inf)

    async def read() -> None:
        with heard:
            await link.run(heard.send_nowait)

    nursery.start_soon(read)
    try:
        yield _MailboxOnLink(link, frames)
    finally:
        link.cut()


# -- again, after a link has broken ---------------------------------------------------------

MAX_PAUSE_SECONDS = 5.0
ASK_AGAIN_DIALS, ASK_AGAIN_SECONDS = 2, 10.0
"""Attempts at the old places before the code is asked: the host may have moved; for how long."""
MAX_REFUSED_DIALS = 4
"""Attempts in a row that find the machine without the program: it has ended there."""
CLOSING_SECONDS = 0.05
"""The pause before it is looked again whether the old link has ended."""
MAY_PASS = (
    EndKind.NO_ANSWER, EndKind.NAME_UNKNOWN, EndKind.BUSY, EndKind.NOT_A_TABLE, *_RELAY_ENDINGS,
)  # fmt: skip
"""What a broken network, or a relay that starts again, may look like; everything else is an answer
of the host."""


@dataclass(frozen=True, slots=True)
class HostSearch:
    world: World
    lobby: GuestLobby
    table: TableAddress
    connections: Connections

    async def run(self) -> None:
        pause, refused, silent, table = FIRST_REDIAL_SECONDS, 0, 0, self.table
        while self.lobby.is_away:
            # The old link ends first, as both have the same number.
            while (old := self.connections.links.get(LINK_TO_HOST)) is not None:
                old.cut()
                await trio.sleep(CLOSING_SECONDS)
            ending = await self._dial(table)
            if ending is None:
                return
            refused = refused + 1 if ending.kind is EndKind.REFUSED else 0
            silent += not refused
            if refused >= MAX_REFUSED_DIALS:
                self.lobby.give_up_return(EndKind.LOST_HOST)
            elif not refused and ending.kind not in MAY_PASS:
                self.lobby.give_up_return(ending.kind, ending.detail)
            await trio.sleep(pause)
            pause = min(1.5 * pause, MAX_PAUSE_SECONDS)
            if silent >= ASK_AGAIN_DIALS:
                silent, table = 0, await self._ask_again(table)

    async def _ask_again(self, table: TableAddress) -> TableAddress:
        """Return where the code leads now, if it is to the same host."""
        if table.code is None:
            return table
        with trio.move_on_after(ASK_AGAIN_SECONDS), suppress(NotSeated):
            found = await find_by_code(self.world, table.code, None)
            return found if found.host == table.host else table
        return table

    async def _dial(self, table: TableAddress) -> Ending | None:
        try:
            link, _place = await connect_to_host(self.connections, table)
        except NotSeated as fault:
            return fault.ending
        self.connections.serve_link(link)
        return None
