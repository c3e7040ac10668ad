"""What a lobby does with each frame that does not fit: the table of PROTOCOL.md 6.1, row by row.

A raw link stands for the other side; the lobby behind it is the real one, with its real links.
"""

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import pytest
import trio

from kotp2p.lobby.lobby_chat import LobbyLine
from kotp2p.lobby.lobby_effects import HangUp, SendToLink
from kotp2p.net.handshake import OwnSide, Refused, make_hello, shake_hands
from kotp2p.net.links import Link
from kotp2p.seams import cores, endings
from kotp2p.wire import crypto, encoding, entries, frames, genesis
from tests.support import lobby_room, memory_tables, paths, tls_links

pytestmark = pytest.mark.virtual_time

MIA = crypto.Signer(bytes([0x33]) * 32)
RawFrame: TypeAlias = tuple[encoding.Value, ...]
"""The fields of a frame, sent as they are."""
HELLO = make_hello(MIA, bytes(8), b"", bytes(32))
PLAY = entries.Signed(entries.BodyKind.PLAY, b"body", bytes(64))
GENESIS = entries.Signed(entries.BodyKind.GENESIS, b"body", bytes(65))
ROW = genesis.GenesisRow(bytes(32), (bytes(32),) * 2, (bytes(32),) * 8)


@dataclass
class RawGuest:
    """A proved link to the host of an open lobby, and what comes on it."""

    link: Link
    heard: list[frames.Frame] = field(default_factory=list)
    has_ended: bool = False

    async def run(self) -> None:
        await self.link.run(self.heard.append)
        self.has_ended = True

    async def say(self, *said: frames.Frame | RawFrame) -> None:
        for one in said:
            data = frames.pack_with_length(one) if isinstance(one, tuple) else frames.encode(one)
            self.link._queued_bytes += len(data)
            self.link._outbox.send_nowait(data)
        await trio.sleep(1)

    def heard_of(self, kind: type) -> list[frames.Frame]:
        return [frame for frame in self.heard if isinstance(frame, kind)]


async def dialled(table: memory_tables.TestTable, mesh: bytes = b"") -> Link:
    connection = await table.world_of(1).net.dial(memory_tables.HOST, memory_tables.PORT)
    own = OwnSide(None, crypto.OPEN_TABLE_SECRET, MIA, make_hello(MIA, bytes(8), mesh, bytes(32)))
    return await shake_hands(connection, own, True, 1, tls_links.admit_all)


@asynccontextmanager
async def at_a_lobby(players: int = 3) -> AsyncIterator[RawGuest]:
    table = memory_tables.TestTable(players=players)
    async with table.hosted() as nursery:
        guest = RawGuest(await dialled(table))
        nursery.start_soon(guest.run)
        yield guest
        nursery.cancel_scope.cancel()


SIT = frames.Sit("Mia", "", 0)


async def sent_away(code: frames.RefusalCode, *said: frames.Frame | RawFrame) -> None:
    async with at_a_lobby() as guest:
        await guest.say(SIT, *said)
        assert guest.heard_of(frames.Closed) == [frames.Closed(int(code))]
        assert guest.has_ended


async def cut_off(*said: frames.Frame | RawFrame) -> None:
    async with at_a_lobby() as guest:
        await guest.say(SIT, *said)
        assert not guest.heard_of(frames.Closed)
        assert guest.has_ended


async def passed_over(*said: frames.Frame | RawFrame) -> None:
    async with at_a_lobby() as guest:
        await guest.say(SIT)
        before = len(guest.heard)
        await guest.say(*said)
        assert not [frame for frame in guest.heard[before:] if not isinstance(frame, frames.Ping)]
        assert not guest.has_ended


async def malformed() -> None:
    for said in (
        (67, "Mia", "", 0, False),  # SIT with too few fields
        (67, "x" * 25, "", 0, False, bytes(16), False),
        (83, b"body", bytes(63)),
        (78, (1, 0)),  # LINKS that do not ascend
        (78, (0, 1, 2, 3, 4, 5, 5)),
        (79, 0, 1_000_001),  # WANT of a height that no game has
        (81, 1_000_001, ()),
        (84, (bytes(31),)),
        (86, 1, "x" * 25, ""),
        (86, 1, "the host", ""),  # CHOOSE of what is no name
        (87, 1, bytes(63)),
        (),
    ):
        await cut_off(said)


async def unknown_numbers() -> None:
    for number in (0, 13, 63, 128, 2**53 - 1):
        await cut_off((number, b"body", bytes(64)))


async def later_frames() -> None:
    await passed_over((76, bytes(64)), (80,), (76, "Zoe", "hi"), (126, "anything"), (127, 1, 2, 3))


async def out_of_place() -> None:
    lobby = frames.Lobby((None, None), "second", genesis.LobbyOptions())
    for said in (
        HELLO,
        lobby,
        frames.Closed(6),
        frames.AllSealed(bytes(32), ()),
        PLAY,
        frames.Links((0, 1)),
    ):
        await sent_away(frames.RefusalCode.BAD, said)


async def sits_twice() -> None:
    async with at_a_lobby() as guest:
        await guest.say(SIT)
        (first,) = guest.heard_of(frames.Lobby)
        await guest.say(frames.Sit("Another", "", 0))
        assert guest.heard_of(frames.Lobby) == [first, first]


async def sits_again_on_a_newer_link() -> None:
    room = lobby_room.Room.of(1)
    key = room.guests[1].signer.key
    room.host.accept_link(7, key, "10.0.0.9", 1.0)
    for name in ("Mia", "Another"):
        room.host.receive_frame(7, frames.Sit(name, "", 40_001, fresh=b"another process."), 1.0)
        room.pump(1.0)
        mine = room.said(frames.Lobby)[-1].taken_seats[1]
        assert (mine.key, mine.name, mine.fresh) == (key, "Mia", b"another process.")


async def sits_without_a_name() -> None:
    for name in ("", "  "):
        async with at_a_lobby() as guest:
            await guest.say(frames.Sit(name, "", 0))
            (lobby,) = guest.heard_of(frames.Lobby)
            assert isinstance(lobby, frames.Lobby)
            assert [seat.name for seat in lobby.seats if seat is not None] == ["Ana", "Guest"]


async def stands() -> None:
    await sent_away(frames.RefusalCode.CLOSED, frames.Stand())
    async with at_a_lobby() as guest:
        await guest.say(frames.Stand())
        assert guest.heard_of(frames.Closed) == [frames.Closed(int(frames.RefusalCode.CLOSED))]


async def speaks_for_another() -> None:
    room = lobby_room.Room.of(1, 2)
    forged = frames.LobbyChat(room.line_of(1, "hello").body, bytes(64))
    lines = (room.line_of(2, "hello"), forged, frames.LobbyChat(b"no line", bytes(64)))
    for line in lines:
        room.host.receive_frame(1, line, 1.0)
    room.pump(1.0)
    assert not room.said(frames.LobbyChat)
    assert not room.shut


async def wishes_in_vain() -> None:
    async with at_a_lobby() as guest:
        await guest.say(SIT)
        before = guest.heard_of(frames.Lobby)
        await guest.say(
            frames.Choose(5, "Ana", ""), frames.Choose(6, "", "Hydra"), frames.Mark(7, bytes(64))
        )
        said = [(5, 3), (6, 5), (7, 7)]
        assert guest.heard_of(frames.Denied) == [frames.Denied(*one) for one in said]
        assert guest.heard_of(frames.Lobby) == before
        assert not guest.has_ended


async def speaks_without_a_seat() -> None:
    async with at_a_lobby() as guest:
        line = LobbyLine(bytes(32), MIA.key, 1, "hello").sign(MIA)
        wishes = (frames.Choose(1, "Otto", ""), frames.Mark(2, b""))
        await guest.say(
            line, *wishes, frames.Unsure((bytes(32),)), frames.Sealed(bytes(32), bytes(32))
        )
        assert not [frame for frame in guest.heard if not isinstance(frame, frames.Ping)]
        assert not guest.has_ended


async def follows_no_start() -> None:
    await passed_over(
        frames.Declined(bytes(32)),
        frames.Sealed(bytes(32), bytes(32)),
        frames.RowShown(bytes(32), ROW),
        GENESIS,
    )


async def sits_too_late() -> None:
    room = lobby_room.Room.of(1)
    room.deaf.add(1)
    late = crypto.Signer(bytes([0x44]) * 32)
    room.host.accept_link(7, late.key, "10.0.0.9", 1.0)
    room.host.start_game(1.0)
    room.host.receive_frame(7, frames.Sealed(bytes(32), bytes(32)), 1.0)
    room.host.receive_frame(7, SIT, 1.0)
    room.pump(1.0)
    assert (7, frames.Closed(int(frames.RefusalCode.STARTED))) in room.told


async def follows_wrongly() -> None:
    room = lobby_room.Room.of(1, 2)
    room.deaf |= {1, 2}
    room.start(1.0)
    (start, *_) = room.said(frames.Start)
    for link in (1, 2):
        room.host.receive_frame(link, frames.Sealed(start.charter.table, bytes(32)), 1.0)
    room.host.receive_frame(1, frames.RowShown(start.charter.table, ROW), 1.0)
    room.pump(1.0)
    assert (1, frames.Closed(int(frames.RefusalCode.REMOVED))) in room.told
    assert len(room.said(frames.Start)) == 3  # two of the first attempt, one of the next


async def wants_another_table() -> None:
    table = memory_tables.TestTable()
    async with table.hosted() as nursery:
        with pytest.raises(Refused) as refused:
            await dialled(table, mesh=bytes(32))
        assert refused.value.refusal.code == frames.RefusalCode.NO_TABLE
        nursery.cancel_scope.cancel()


def guest_after(frame: frames.Frame) -> endings.EndKind | None:
    """The end of a seated guest that hears `frame`; None if it stays."""
    room = lobby_room.Room.of(1)
    room.guests[1].receive_frame(frame, 1.0)
    room.pump(1.0)
    return room.shut.get(1)


async def host_out_of_place() -> None:
    for said in (
        HELLO,
        SIT,
        frames.Stand(),
        PLAY,
        GENESIS,
        frames.Links((0, 1)),
        frames.Sealed(bytes(32), bytes(32)),
    ):
        assert guest_after(said) is None


async def host_without_a_table() -> None:
    seatless = frames.Lobby((None, None), "second", genesis.LobbyOptions())
    for said in (seatless, frames.AllSealed(bytes(32), ())):
        assert guest_after(said) is endings.EndKind.NOT_A_TABLE


async def host_with_a_false_lobby() -> None:
    room = lobby_room.Room.of(1)
    lobby = room.said(frames.Lobby)[-1]
    kept = frames.TakenSeat(1, "Rex", "Kraken", automatic=True)
    room.guests[1].receive_frame(replace(lobby, seats=(*lobby.seats[:2], kept)), 1.0)
    said = [e.frame for e in room.guests[1].take_effects() if isinstance(e, HangUp)]
    assert said == [frames.Stand()]
    assert room.guests[1].is_over


async def host_with_another_start() -> None:
    other, room = lobby_room.Room.of(1, 2), lobby_room.Room.of(1)
    other.start(1.0)
    (start, *_) = other.said(frames.Start)
    room.guests[1].receive_frame(start, 1.0)
    said = [e.frame for e in room.guests[1].take_effects() if isinstance(e, SendToLink)]
    assert said == [frames.Declined(start.charter.table)]
    assert not room.guests[1].is_over


async def host_with_an_old_start() -> None:
    room = lobby_room.Room.of(1)
    room.start(1.0)
    (start,) = room.said(frames.Start)
    again = lobby_room.Room.of(1)
    guest = again.guests[1]
    guest.receive_frame(start, 1.0)
    assert not guest.is_over
    guest.receive_frame(start, 2.0)
    assert guest.is_over


async def sits_too_often() -> None:
    room = lobby_room.Room()
    for link in range(1, cores.SEATS_AT_ONCE + 2):
        room.join(link)
        room.host.receive_frame(link, frames.Stand(), 0.0)
    room.pump(0.0)
    closed = [frame.code for frame in room.said(frames.Closed)]
    assert closed == [frames.RefusalCode.CLOSED] * cores.SEATS_AT_ONCE + [frames.RefusalCode.BUSY]
    room.host.accept_link(99, MIA.key, "10.9.0.1", 0.0)  # of another network
    room.host.receive_frame(99, SIT, 0.0)
    assert room.host.free_seats < len(room.host.seating.seats) - 1


async def host_with_words_of_a_guest() -> None:
    room = lobby_room.Room.of(1, 2)
    forged = frames.LobbyChat(room.line_of(2, "hello").body, bytes(64))
    for frame in (forged, frames.Denied(1, 3), frames.Denied(0, 99), frames.Ask("", b"")):
        room.guests[1].receive_frame(frame, 1.0)
    assert not room.guests[1].take_effects()


async def asks_in_vain() -> None:
    await passed_over(frames.Ask("0011223344556677/1", b"an opening"), frames.Ask("", b""))


ROWS: dict[str, Callable[[], Awaitable[None]]] = {
    "a frame that is not well formed": malformed,
    "type 0, 13 to 63, or above 127": unknown_numbers,
    "a type from 64 to 127 that is not listed": later_frames,
    "a frame of the host, of the handshake or of a game": out_of_place,
    "HELLO with a `table` that is not empty": wants_another_table,
    "SIT of a seated guest": sits_twice,
    "the first SIT of a seated guest on a newer link": sits_again_on_a_newer_link,
    "SIT while a start is under way": sits_too_late,
    "SIT beyond the budget of a network (9.9 R8)": sits_too_often,
    "SIT with an empty name": sits_without_a_name,
    "STAND": stands,
    "SAID that the guest has not signed, or not for this lobby": speaks_for_another,
    "CHOOSE or MARK that the host does not grant": wishes_in_vain,
    "CHOOSE, MARK, SAID, UNSURE or a part of a start without a seat": speaks_without_a_seat,
    "ASK that the code does not answer": asks_in_vain,
    "SEALED, ROW, GENESIS or DECLINED of no start, another attempt or another step": (
        follows_no_start
    ),
    "SEALED, ROW or GENESIS that does not fit": follows_wrongly,
    "to a guest: LOBBY that is false for it": host_with_a_false_lobby,
    "to a guest: START that is not the last LOBBY": host_with_another_start,
    "to a guest: START with a `start` that is not above the last one": host_with_an_old_start,
    "to a guest: SAID that does not count, DENIED of no wish, ASK": host_with_words_of_a_guest,
    "to a guest: a frame of a guest, of the handshake or of a game": host_out_of_place,
    "to a guest: LOBBY without its seat, or a part of no start": host_without_a_table,
}


@pytest.mark.parametrize("row", ROWS)
async def test_a_frame_that_does_not_fit_has_the_effect_that_the_protocol_says(row: str) -> None:
    await ROWS[row]()


def test_the_protocol_lists_these_rows() -> None:
    text = (paths.ROOT / "docs" / "PROTOCOL.md").read_text("utf-8")
    table = text.split("| what comes | what follows |\n|---|---|\n")[1].split("\n\n")[0]
    assert re.findall(r"^\| (.+?) \|", table, re.MULTILINE) == list(ROWS)
