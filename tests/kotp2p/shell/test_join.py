"""A guest that comes to no table: what it leaves behind."""

import pytest

from kotp2p.seams.endings import EndKind
from tests.support.memory_tables import TestTable

pytestmark = pytest.mark.virtual_time


async def test_a_guest_that_finds_no_table_gives_its_port_back() -> None:
    table = TestTable()
    await table.guest(1)
    assert table.endings[1].kind is EndKind.REFUSED
    assert not table.net.listening
