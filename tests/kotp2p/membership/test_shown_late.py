"""What seats show each other of a step that waits for somebody (PROTOCOL.md 9.1 R6)."""

from __future__ import annotations

from collections.abc import Iterator

from kotp2p.wire.entries import BodyKind, Entry, Signed
from kotp2p.wire.frames import Frame
from kotp2p.wishes.clocks import PROGRAM_ANSWER_SECONDS
from referee.model.answers import Seat
from tests.support.wired_peers import WiredPeers

SILENT: Seat = 2


def plays(frame: Frame) -> Entry | None:
    is_play = isinstance(frame, Signed) and frame.kind is BodyKind.PLAY
    return Entry.parse(frame) if is_play and isinstance(frame, Signed) else None


def sent_plays(table: WiredPeers, seat: Seat) -> list[Entry]:
    """What a seat sends from now on, as it comes to another."""
    found: list[Entry] = []

    def noting(_target: Seat, frame: Frame) -> Iterator[Frame]:
        entry = plays(frame)
        if entry is not None:
            found.append(entry)
        yield frame

    table.tamper[seat] = noting
    return found


def silent_in_a_gather() -> WiredPeers:
    table = WiredPeers(SILENT)
    table.tamper[SILENT] = lambda _target, frame: () if plays(frame) else (frame,)
    table.play(lambda: table.peers[0].ledger.owing_seats() == (SILENT,))
    return table


def test_what_came_for_a_step_is_shown_to_all_once_a_seat_is_late() -> None:
    table = silent_in_a_gather()
    sent = sent_plays(table, 0)
    table.wait(int(PROGRAM_ANSWER_SECONDS) - 2)
    assert not sent
    table.wait(4)
    others = [seat for seat in range(5) if seat != SILENT]
    assert sorted(entry.seat for entry in sent) == sorted(others * 4)
    sent.clear()
    table.wait(60)
    assert not sent
