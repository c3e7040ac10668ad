"""A host that gives its guests wrong addresses of each other: all they sign goes through it."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from kotp2p.lobby.start import StartAttempt
from kotp2p.mesh.reachability import DETOUR_SECONDS
from kotp2p.net.dialer import Dialer
from kotp2p.referee.model.answers import Answer, Seat
from kotp2p.referee.model.decisions import Decision
from kotp2p.seams.front import Leave
from kotp2p.seams.notices import Detour, GameStarted, SeatView
from kotp2p.wire.addresses import SignedAddress
from tests.support.memory_tables import HOST, Recorder, TestTable

HOST_SEAT = 0


class Thoughtful(Recorder):
    """Thinks for so long that no monster falls in the first minute."""

    async def decide(self, view: SeatView, decision: Decision) -> Answer | Leave:
        await trio.sleep(15)
        return await super().decide(view, decision)


async def test_the_guests_are_told_and_told_again_when_they_have_found_each_other(
    autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = TestTable(players=3, fronts={n: Thoughtful(f"player {n}") for n in range(3)})
    send, keeps_back = Dialer._send_address, True

    def send_address(self: Dialer, seat: Seat, known: SignedAddress) -> None:
        if self.world is not table.world_of(0) or known.seat == HOST_SEAT or not keeps_back:
            send(self, seat, known)

    monkeypatch.setattr(Dialer, "_send_address", send_address)
    nowhere = (("", 4242), ("10.9.9.9", 4242), ("10.9.9.9", 4242))
    monkeypatch.setattr(StartAttempt, "addresses", property(lambda _: nowhere))

    async def meanwhile() -> None:
        nonlocal keeps_back
        while not table.front(1).seen(GameStarted):
            await trio.sleep(0.1)
        await trio.sleep(DETOUR_SECONDS + 1)
        for n in (1, 2):
            assert table.front(n).seen(Detour) == [Detour(HOST_SEAT, (3 - n,))]
        keeps_back = False
        table.break_links(HOST)  # each new link is told all addresses

    await table.run(meanwhile)
    for n in (1, 2):
        assert [told.others for told in table.front(n).seen(Detour)] == [(3 - n,), ()]
    assert not table.front(0).seen(Detour)
