"""The code of a table that this process has opened, beside the loop that plays at it.

Scope: what connects a desk (`kotp2p.net.code_desk`) to a table: its links, and what its player is
shown.
"""

from __future__ import annotations

from kotp2p.net.code_desk import CodeDesk, HostPlace
from kotp2p.rendezvous.servers import mailbox_host, relay_host
from kotp2p.rendezvous.words import Code
from kotp2p.seams.notices import CodeStep, TableCode
from kotp2p.seams.world import Rendezvous, World
from kotp2p.shell.table_loop import TableLoop


def open_desk(
    world: World,
    rendezvous: Rendezvous,
    place: HostPlace,
    loop: TableLoop,
    code: Code,
    *,
    is_first: bool = True,
) -> CodeDesk:
    """`is_first`: the code was drawn just now."""
    servers = rendezvous.servers
    mailbox, relay = mailbox_host(servers.mailbox), relay_host(servers.relay)

    def tell(step: CodeStep, code: Code) -> None:
        loop.front.show(TableCode(step, code.spelled, code.in_numbers, mailbox, relay))

    return CodeDesk(
        rendezvous,
        world.entropy,
        place,
        loop.connections.accept_connection,
        tell,
        code,
        world.program[1],
        is_first,
    )
