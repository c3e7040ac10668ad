"""A living process comes back by itself: after sleep, at a new address, over links that died."""

from dataclasses import replace

import pytest
import trio
import trio.testing

from kotp2p.net.dialer import FIRST_REDIAL_SECONDS, MACHINE_CHECK_SECONDS, MAX_REST_SECONDS
from kotp2p.referee.model.answers import Answer
from kotp2p.referee.model.decisions import Decision
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import GameStarted, Gone, LinkChanged, SeatView
from kotp2p.store.saved_game import SavedPlaces
from kotp2p.wire.addresses import AddressBook, SignedAddress
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.genesis import Player
from tests.support.memory_tables import Recorder, TestTable
from tests.support.memory_world import MemoryDisk
from tests.support.whole_games import Slow, same_sound_logs


def slow_table(players: int) -> TestTable:
    table = TestTable(players=players)
    for n in range(players):
        table.fronts[n] = Slow(f"slow {n}")
    return table


async def test_a_peer_whose_address_changes_is_found_again(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """The others learn the new address from the seat itself, and dial it from then on."""
    table = slow_table(3)

    async def move() -> None:
        while table.front(1).asked < 4:
            await trio.sleep(0.1)
        await table.moves(1, "10.0.0.77")
        await trio.sleep(60)
        # The links that it made itself break, and it cannot dial any more: it must be dialled.
        table.net.deaf.add("10.0.0.77")
        table.break_links("10.0.0.77")

    await table.run(move)
    same_sound_logs(table, range(3))
    for n in (0, 2):
        assert not table.front(n).seen(Gone)
        assert table.front(n).seen(LinkChanged)


async def test_a_machine_that_slept_drops_its_links_and_dials_anew(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = slow_table(2)
    slept = 0.0
    table.worlds[1] = replace(table.world_of(1), wall_clock=lambda: trio.current_time() + slept)

    async def sleep() -> None:
        nonlocal slept
        while table.front(1).asked < 3:
            await trio.sleep(0.1)
        slept = 3_600.0

    await table.run(sleep)
    same_sound_logs(table, range(2))
    changes = [x.up for x in table.front(0).seen(LinkChanged)]
    assert changes == [False, True]
    assert not table.front(0).seen(Gone)


@pytest.mark.parametrize("players", [2, 3])
async def test_a_host_that_slept_still_has_its_bots(
    players: int, autojump_clock: trio.testing.MockClock
) -> None:
    """Alone with a bot, and with a guest beside it: they wait on this machine and dial it again."""
    table = slow_table(players)
    table.bots = 1
    slept = 0.0
    table.worlds[0] = replace(table.world_of(0), wall_clock=lambda: trio.current_time() + slept)

    async def sleep() -> None:
        nonlocal slept
        while table.front(0).asked < 3:
            await trio.sleep(0.1)
        slept = 3_600.0

    await table.run(sleep)
    same_sound_logs(table, range(players - 1))
    assert table.report(0).confirmed_by == (0, players - 1)[: players - 1]


async def test_a_link_that_has_died_in_silence_is_made_anew(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = slow_table(2)

    async def lose_everything() -> None:
        while table.front(1).asked < 3:
            await trio.sleep(0.1)
        for _caller, _called, here, there in table.net.made:
            here.hole = there.hole = True

    await table.run(lose_everything)
    same_sound_logs(table, range(2))


async def test_a_closed_window_keeps_the_seat_and_those_of_its_bots(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = slow_table(4)
    table.bots = 2

    async def close() -> None:
        while table.front(0).asked < 3:
            await trio.sleep(0.1)
        control = table.front(0).control
        assert control is not None
        control.keep()
        while 0 not in table.endings:
            await trio.sleep(0.1)
        assert table.endings[0].kind is EndKind.KEPT
        await trio.sleep(300)
        await table.resume(0)

    await table.run(close)
    for n in range(2):
        assert table.endings[n].kind is EndKind.FINISHED
    same_sound_logs(table, range(2))
    assert table.report(1).confirmed_by == (0, 3)


async def test_nobody_waits_for_a_player_whose_window_closes_after_their_elimination(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = slow_table(4)
    table.rules, table.seed = "classic", "d"  # somebody falls in this game

    def out(n: int) -> bool:
        started = table.front(n).seen(GameStarted)
        if not started:
            return False
        view = started[0].view
        return view.seat not in view.game.state.seats_alive()

    async def close() -> None:
        while not any(out(n) for n in range(4)):
            await trio.sleep(0.1)
        (loser,) = [n for n in range(4) if out(n)]
        losers.append(loser)
        assert loser not in table.endings
        control = table.front(loser).control
        assert control is not None
        control.keep()

    losers: list[int] = []
    await table.run(close)
    (loser,) = losers
    assert table.endings[loser].kind is EndKind.KEPT
    rest = [n for n in range(4) if n != loser]
    for n in rest:
        assert table.endings[n].kind is EndKind.FINISHED
        assert not table.front(n).seen(Gone)
        assert len(table.report(n).confirmed_by) == 3


async def test_addresses_are_kept_beside_the_game(autojump_clock: trio.testing.MockClock) -> None:
    table = slow_table(2)

    async def look() -> None:
        while table.front(1).asked < 5:
            await trio.sleep(0.1)
        await trio.sleep(MACHINE_CHECK_SECONDS)
        disk = table.world_of(1).disk
        assert isinstance(disk, MemoryDisk)
        (path,) = [p for p in disk.files if p.name == "places"]
        places = SavedPlaces.decode(disk.files[path])
        assert len(places.whereabouts) == 2

    await table.run(look)


SIGNERS = [Signer(bytes((i,)) * 32) for i in (1, 2)]
GAME = bytes(32)


def known() -> AddressBook:
    players = tuple(Player(f"p{i}", "m", signer.key, i) for i, signer in enumerate(SIGNERS))
    return AddressBook(GAME, players)


def said(seat: int, sequence: int, address: str, signer: int | None = None) -> SignedAddress:
    key = SIGNERS[seat if signer is None else signer]
    return SignedAddress.sign(key, GAME, seat, sequence, ((address, 4242),))


def test_the_greatest_sequence_counts() -> None:
    it = known()
    assert it.accept(said(0, 2, "10.0.0.2").signed) is not None
    assert it.accept(said(0, 1, "10.0.0.1").signed) is None
    assert it.accept(said(0, 2, "10.0.0.9").signed) is None
    assert it.targets_of(0, 0, ()) == [("10.0.0.2", 4242)]
    assert it.accept(said(0, 3, "10.0.0.3").signed) is not None
    assert it.targets_of(0, 0, ()) == [("10.0.0.3", 4242)]
    assert it.targets_of(1, 0, ()) == []


def test_nobody_speaks_for_another() -> None:
    it = known()
    for bad in (said(0, 1, "10.0.0.1", signer=1),):
        try:
            it.accept(bad.signed)
        except BadBytes:
            continue
        raise AssertionError
    assert it.targets_of(0, 0, ()) == []


def test_where_a_link_was_seen_comes_first_with_the_port_that_was_told() -> None:
    it = known()
    it.last_link_addresses[0] = "10.0.0.7"
    assert it.targets_of(0, 0, ()) == []
    assert it.targets_of(0, 4000, ()) == [("10.0.0.7", 4000)]
    it.accept(said(0, 1, "10.0.0.1").signed)
    assert it.targets_of(0, 4000, ()) == [("10.0.0.7", 4242), ("10.0.0.1", 4242)]
    it.last_link_addresses[0] = ""  # the same machine: its outer addresses lead nowhere else
    assert it.targets_of(0, 4000, ("10.0.0.1",)) == [("127.0.0.1", 4242)]


@pytest.mark.parametrize("address", ["ana.example", "0.0.0.0", "224.0.0.1", "fe80::1%eth0", ""])
def test_no_name_and_no_group_is_taken_for_an_address(address: str) -> None:
    with pytest.raises(BadBytes):
        known().accept(said(0, 1, address).signed)


def test_a_loopback_address_is_heard_on_loopback_only() -> None:
    it = known()
    assert it.accept(said(0, 1, "127.0.0.3").signed, near=False) is None
    assert it.targets_of(0, 0, ()) == []
    assert it.accept(said(0, 1, "127.0.0.3").signed, near=True) is not None


async def test_a_link_that_came_and_went_while_the_process_stood_still_harms_nobody(
    autojump_clock: trio.testing.MockClock,
) -> None:
    table = slow_table(2)
    await table.run(lambda: _come_and_go(table))
    same_sound_logs(table, range(2))


async def _come_and_go(table: TestTable) -> None:
    """Both ends of a new link are closed before the table has taken either from its inbox."""
    while table.front(1).asked < 3:
        await trio.sleep(0.1)
    table.break_links("10.0.0.2")
    for _attempt in range(20):
        await trio.sleep(FIRST_REDIAL_SECONDS / 4)
        for _caller, _called, one, other in table.net.made[-1:]:
            one.breaks()
            other.breaks()


async def test_links_that_break_at_once_are_made_more_and_more_seldom(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """As with a peer that sends what costs it its link, again and again."""
    calm, made = trio.Event(), 0

    class Patient(Recorder):
        async def decide(self, view: SeatView, decision: Decision) -> Answer:
            await calm.wait()
            return await super().decide(view, decision)  # type: ignore[return-value]

    table = TestTable(players=2)
    for n in range(2):
        table.fronts[n] = Patient(f"patient {n}")

    async def break_each() -> None:
        nonlocal made
        await trio.sleep(10)
        before, until = len(table.net.made), trio.current_time() + 20 * MAX_REST_SECONDS
        while trio.current_time() < until:
            table.break_links("10.0.0.2")
            await trio.sleep(0.3)
        made = len(table.net.made) - before
        calm.set()

    await table.run(break_each)
    assert 20 <= made <= 60  # both dial
    same_sound_logs(table, range(2))
