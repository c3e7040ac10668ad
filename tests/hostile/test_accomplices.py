"""A hostile keeper keeps its READY and assents back, or its openings too, to keep a convict in the
game."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from kotp2p.game.steps import Solo
from kotp2p.referee.model.answers import Pass, Reroll, Seat
from kotp2p.referee.model.decisions import RollDecision
from kotp2p.wire.entries import Answering, BodyKind, Entry, Signed
from kotp2p.wire.frames import Frame
from tests.support.five_players import SIGNERS
from tests.support.wired_peers import Tamper, WiredPeers

CONVICT, ACCOMPLICE = 3, 4


def heartbeats_alone(_seat: Seat, frame: Frame) -> Iterable[Frame]:
    """No opening, no READY and no assent."""
    return () if isinstance(frame, Signed) and frame.kind is not BodyKind.HEAD else (frame,)


def no_line_ups(_seat: Seat, frame: Frame) -> Iterable[Frame]:
    kept_back = (BodyKind.READY, BodyKind.LINE_UP)
    return () if isinstance(frame, Signed) and frame.kind in kept_back else (frame,)


def no_assents(_seat: Seat, frame: Frame) -> Iterable[Frame]:
    return () if isinstance(frame, Signed) and frame.kind is BodyKind.LINE_UP else (frame,)


def roll_of(table: WiredPeers, *seats: Seat) -> bool:
    ledger = table.peers[0].ledger
    asked = isinstance(ledger.game.pending, RollDecision)
    return asked and isinstance(ledger.step, Solo) and ledger.step.seat in seats


def convict_that_answers_twice(tamper: Tamper) -> WiredPeers:
    table = WiredPeers(CONVICT, ACCOMPLICE)
    table.play(lambda: roll_of(table, CONVICT))
    ledger = table.peers[0].ledger
    place, head = ledger.place, ledger.head
    table.tamper[ACCOMPLICE] = tamper
    table.silent.add(CONVICT)
    for answer in (Pass(), Reroll((0,))):
        entry = Entry.sign(SIGNERS[CONVICT], *place, head, CONVICT, Answering(answer))
        table.send(CONVICT, [entry.signed])
    table.deliver()
    assert all(CONVICT in table.accused[seat] for seat in table.honest)
    return table


@pytest.mark.parametrize("tamper", [heartbeats_alone, no_line_ups, no_assents])
def test_three_of_five_go_on_without_a_cheat_and_its_accomplice(tamper: Tamper) -> None:
    table = convict_that_answers_twice(tamper)
    table.play(lambda: all(ACCOMPLICE in table.offered(seat) for seat in table.honest))
    table.go_on()
    table.play_on(6)
    table.check_convicted(CONVICT)
    assert table.members() == {*table.honest}
    assert ACCOMPLICE in table.alive()  # a bot plays for it
    table.check_honest()


def test_an_accomplice_that_plays_its_part_is_not_put_out() -> None:
    table = convict_that_answers_twice(lambda _seat, frame: (frame,))
    table.play_on(6)
    table.check_convicted(CONVICT)
    assert table.members() == {*table.honest, ACCOMPLICE}
    table.check_honest()


def test_an_accomplice_that_is_convicted_where_nobody_asked_it_holds_up_nobody() -> None:
    """Its offence proves nothing at the place of the other cheat."""
    table = WiredPeers(CONVICT, ACCOMPLICE)
    table.tamper[ACCOMPLICE] = no_line_ups
    table.play(lambda: roll_of(table, *table.honest))
    ledger = table.peers[0].ledger
    attempt, height = ledger.place
    twice, offence = (
        Entry.sign(SIGNERS[seat], attempt, at, ledger.heads[at], seat, Answering(Pass()))
        for seat, at in ((CONVICT, height - 1), (ACCOMPLICE, height))
    )
    table.send(ACCOMPLICE, [offence.signed])
    table.send(CONVICT, [twice.signed])
    table.deliver()
    table.play_on(6)
    table.check_convicted(CONVICT, ACCOMPLICE)
    assert ledger.attempt > 0
    table.check_honest()
