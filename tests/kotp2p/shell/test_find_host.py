"""What a guest is told when the table that it dials does not let it in."""

from __future__ import annotations

from typing import cast

import pytest

from kotp2p.endings import EndKind
from kotp2p.net.connections import Connections
from kotp2p.net.handshake import NotInvited
from kotp2p.shell.find_host import NotSeated, TableAddress, _connect_at
from kotp2p.wire.crypto import OPEN_TABLE_SECRET


class Closed:
    """A table for those that have its invitation."""

    async def dial_host(self, *_: object) -> None:
        raise NotInvited("a certificate of another table")


@pytest.mark.parametrize(
    ("secret", "kind"),
    [(OPEN_TABLE_SECRET, EndKind.NOT_INVITED), (b"0123456789", EndKind.OTHER_TABLE)],
)
async def test_without_an_invitation_one_is_needed_and_with_one_it_is_of_another_table(
    secret: bytes, kind: EndKind
) -> None:
    table = TableAddress(("10.0.0.1",), 4242, secret)
    with pytest.raises(NotSeated) as refused:
        await _connect_at(cast(Connections, Closed()), table, "10.0.0.1")
    assert refused.value.ending.kind is kind
