"""How a guest reaches the host: from what was typed to a link whose other side is proved.

All places of an invitation are tried in order. A place may lead to a stranger: private addresses
are the same in many networks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import trio

from kotp2p.lobby.lobby_effects import LINK_TO_HOST
from kotp2p.net.connections import Connections
from kotp2p.net.handshake import LinkFault, NotInvited, Refused, TableBusy
from kotp2p.net.invitation import Invitation, key_fingerprint
from kotp2p.net.links import Link
from kotp2p.net.rendezvous import RELAY_GONE, RELAY_REFUSES, RELAY_SILENT
from kotp2p.referee.box.rulesets import RULES_VERSION
from kotp2p.rendezvous.exchange import is_relay_place
from kotp2p.seams.endings import Ending, EndKind, end_kind_of_refusal
from kotp2p.seams.world import CannotReach
from kotp2p.wire.crypto import OPEN_TABLE_SECRET
from kotp2p.wire.frames import Hello, Refusal, RefusalCode
from kotp2p.wire.genesis import PROTOCOL_VERSION


@dataclass(frozen=True, slots=True)
class TableAddress:
    """The table that a guest wants to reach."""

    places: tuple[str, ...]
    port: int
    secret: bytes = OPEN_TABLE_SECRET
    host: bytes | None = None
    """The fingerprint that the host's key must have; None: any host."""
    relay: str = ""
    """Where the players of a code meet that have no direct way, `tcp:HOST:PORT`."""

    @staticmethod
    def from_invitation(invitation: Invitation) -> TableAddress:
        return TableAddress(invitation.places, invitation.port, invitation.secret, invitation.host)


PLACE_SECONDS = 3.0
"""A place that has not answered within this time waits until the other places have been tried. A
firewall on the way may be silent, and private addresses lead elsewhere in another network."""


RELAY_HEAD_START_SECONDS = 1.0
"""How long direct ways are tried alone: a machine that can be dialled has mostly answered by
then."""


class NotSeated(Exception):
    """The host was not reached, or has refused; `ending` is what the guest's run came to."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending.kind)
        self.ending = ending


class _OtherHost(LinkFault):
    """The peer there knows the secret of the table, but did not make the invitation."""


async def connect_to_host(connections: Connections, table: TableAddress) -> tuple[Link, str]:
    """The link to the host, and the place at which it was. Raises NotSeated.

    If all places fail, the answer of a peer says more than a place at which there is none. A relay
    is tried beside them as soon as no direct way was found at once.
    """
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
    slow: list[str] = []
    for place in table.places[:-1]:
        try:
            with trio.move_on_after(PLACE_SECONDS):
                return await _connect_at(connections, table, place), place
            slow.append(place)
        except NotSeated as fault:
            faults.append(fault)
    for place in (table.places[-1], *slow):
        try:
            return await _connect_at(connections, table, place), place
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


async def _connect_at(connections: Connections, table: TableAddress, place: str) -> Link:
    """Dials one place, and proves both keys. Raises NotSeated."""

    def admit(theirs: Hello) -> None:
        if table.host is not None and key_fingerprint(theirs.key) != table.host:
            raise _OtherHost("another key than the invitation's")

    try:
        return await connections.dial_host(place, table.port, LINK_TO_HOST, admit)
    except CannotReach as fault:
        raise NotSeated(Ending(_ENDING_OF_FAULT[fault.why], fault.detail)) from fault
    except _OtherHost as fault:
        raise NotSeated(Ending(EndKind.OTHER_HOST, str(fault))) from fault
    except NotInvited as fault:
        kind = EndKind.NOT_INVITED if table.secret == OPEN_TABLE_SECRET else EndKind.OTHER_TABLE
        raise NotSeated(Ending(kind, str(fault))) from fault
    except TableBusy as fault:
        raise NotSeated(Ending(EndKind.BUSY, str(fault))) from fault
    except LinkFault as fault:
        raise NotSeated(Ending(EndKind.NOT_A_TABLE, str(fault))) from fault
    except Refused as fault:
        raise NotSeated(_ending_of_refusal(fault.refusal)) from fault


def _ending_of_refusal(refusal: Refusal) -> Ending:
    if refusal.code == RefusalCode.VERSION:
        theirs = f"{refusal.protocol}.{refusal.rules}"
        return Ending(EndKind.VERSION, f"{theirs} {PROTOCOL_VERSION}.{RULES_VERSION}")
    return Ending(end_kind_of_refusal(refusal.code), refusal.text)
