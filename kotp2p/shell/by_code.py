"""How a guest finds its table by a code: it asks at the mailbox of the number, and is introduced.

Scope: the attempts, and what it comes to if none succeeds.
Not here: what is said at the mailbox (`kotp2p.rendezvous.desks`), and the dialling of what the
host has told (`kotp2p.shell.find_host`).
"""

from __future__ import annotations

import trio

from kotp2p.referee.box.rulesets import RULES_VERSION
from kotp2p.rendezvous.desks import GUEST_SIDE, Answer, GuestDesk
from kotp2p.rendezvous.exchange import Introduction, OtherVersion, RelayPlace
from kotp2p.rendezvous.mailbox import Complaint, Message
from kotp2p.rendezvous.servers import mailbox_host
from kotp2p.rendezvous.words import Code
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.front import Front
from kotp2p.seams.notices import AskingByCode
from kotp2p.seams.world import Mailbox, MailboxTrouble, Rendezvous, World
from kotp2p.shell.find_host import NotSeated, TableAddress
from kotp2p.wire.addresses import DEFAULT_PORT
from kotp2p.wire.genesis import PROTOCOL_VERSION

ASKING_SECONDS = 30.0
"""How long a guest asks a number at which nobody answers."""
ATTEMPT_SECONDS = 6.0
"""How long one attempt waits for an answer."""
WORDS_SECONDS = 35.0
"""How long it waits for a host that has answered: one that has heard many wrong words takes 30 s
for the next."""
REFUSED_SECONDS = 2.0
"""How long it waits on when somebody says that the words are wrong: that may be a stranger."""
PAUSE_SECONDS = 1.0
MAX_DEAF_ATTEMPTS = 3
"""Attempts to reach the server."""


async def find_by_code(world: World, code: Code, front: Front) -> TableAddress:
    """Raises NotSeated."""
    rendezvous = world.rendezvous
    if rendezvous is None or not rendezvous.servers.mailbox:
        raise NotSeated(Ending(EndKind.NO_MAILBOX))
    host = mailbox_host(rendezvous.servers.mailbox)
    front.show(AskingByCode(code.number, host))
    until, deaf = trio.current_time() + ASKING_SECONDS, 0
    while True:
        try:
            found = await _ask_once(world, rendezvous, code)
        except MailboxTrouble as fault:
            deaf += 1
            if deaf >= MAX_DEAF_ATTEMPTS:
                raise NotSeated(Ending(EndKind.NO_MAILBOX, f"{host}: {fault}")) from fault
        else:
            if found is not None:
                return _as_address(found)
            if trio.current_time() >= until:
                raise NotSeated(Ending(EndKind.NOBODY_AT_NUMBER, str(code.number)))
            front.show(AskingByCode(code.number, host, is_again=True))
        await trio.sleep(PAUSE_SECONDS)


def _as_address(found: Introduction) -> TableAddress:
    places = tuple(address for address, _ in found.targets)
    port = found.targets[0][1] if found.targets else DEFAULT_PORT
    relay = (str(RelayPlace(found.relay, found.token)),) if found.relay else ()
    return TableAddress(places + relay, port, found.secret, found.host, found.relay)


async def _ask_once(world: World, rendezvous: Rendezvous, code: Code) -> Introduction | None:
    """None: nobody has answered. Raises MailboxTrouble or NotSeated."""
    desk = GuestDesk(code, world.entropy, world.program[1])
    with trio.CancelScope() as scope:
        scope.deadline = trio.current_time() + ATTEMPT_SECONDS
        async with rendezvous.mailbox(GUEST_SIDE, code.number) as mailbox:
            opening = desk.open()
            await mailbox.add(opening.phase, opening.body)
            try:
                return await _follow(mailbox, desk, scope)
            except OtherVersion as fault:
                theirs = f"{fault.theirs[0]}.{fault.theirs[1]}"
                ours = f"{PROTOCOL_VERSION}.{RULES_VERSION}"
                raise NotSeated(Ending(EndKind.VERSION, f"{theirs} {ours}")) from fault
    if desk.is_refused:
        raise NotSeated(Ending(EndKind.WRONG_WORDS, str(code.number)))
    return None


async def _follow(
    mailbox: Mailbox, desk: GuestDesk, scope: trio.CancelScope
) -> Introduction | None:
    """None: the mailbox lets no more people in."""
    while True:
        heard = await mailbox.hear()
        if isinstance(heard, Complaint):
            return None
        if not isinstance(heard, Message):
            continue
        was_refused = desk.is_refused
        found = desk.hear(heard, mailbox.seen_at)
        if isinstance(found, Introduction):
            return found
        if isinstance(found, Answer):
            await mailbox.add(found.phase, found.body)
            scope.deadline = trio.current_time() + WORDS_SECONDS
        if desk.is_refused and not was_refused:
            scope.deadline = trio.current_time() + REFUSED_SECONDS
