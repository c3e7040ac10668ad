"""What a dialler reads of a listener that may have no room."""

import pytest
import trio
import trio.testing

from kotp2p.net.entrance import BUSY_LINE, DialledStream, NoRoom


@pytest.mark.parametrize("before", [b"", b"the beginning of a handshake"])
async def test_a_listener_without_room_says_so_at_any_moment_of_a_handshake(before: bytes) -> None:
    here, there = trio.testing.memory_stream_pair()
    await there.send_all(before + BUSY_LINE)
    with pytest.raises(NoRoom):
        await DialledStream(here).receive_some()


async def test_once_it_has_let_us_in_those_words_are_bytes_like_others() -> None:
    here, there = trio.testing.memory_stream_pair()
    stream = DialledStream(here)
    stream.is_let_in = True
    await there.send_all(BUSY_LINE)
    assert await stream.receive_some() == BUSY_LINE
