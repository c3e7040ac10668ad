"""What an honest program signs, writes and sends is read back first, whatever it was sent."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kotp2p.game.steps import Gather
from kotp2p.game.verify import Result
from kotp2p.lineup.absence import Absence
from kotp2p.lineup.plan import find_line_up
from kotp2p.mesh import gossip
from kotp2p.peer.bodies import Secrets
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.notices import ProgramFault, Said
from kotp2p.wire.entries import Opening
from kotp2p.wire.lineups import Change, Reason
from tests.support.five_players import SIGNERS, genesis
from tests.support.wired_peers import WiredPeers

MALLORY = 3
GAME = genesis().id


def faults_told(table: WiredPeers, seat: Seat) -> list[str]:
    return [n.detail for n in table.shown[seat] if isinstance(n, ProgramFault)]


def where_mallory_is_asked() -> WiredPeers:
    table = WiredPeers(MALLORY)
    table.silent.add(MALLORY)
    table.play(lambda: MALLORY in table.asked)
    return table


def waits_for_mallory() -> WiredPeers:
    """Mallory says nothing any more, and the others are offered to go on without."""
    table = where_mallory_is_asked()
    table.tamper[MALLORY] = lambda _target, _frame: ()
    table.play(lambda: all(table.offered(seat) == (MALLORY,) for seat in table.honest))
    return table


# -- assents -----------------------------------------------------------------------------------


@pytest.mark.parametrize("signers", [(MALLORY,), (MALLORY, 0)])
def test_an_assent_of_the_keeper_that_is_put_out_spoils_no_log(signers: tuple[Seat, ...]) -> None:
    """Nobody else has found that line-up yet, and one of its seals is by another key."""
    table = waits_for_mallory()
    ledger = table.peers[table.honest[0]].ledger
    lineup = find_line_up(ledger, (Change(MALLORY, Reason.ABSENT),), ledger.attempt + 1)
    seals = {seat: lineup.assent(SIGNERS[MALLORY]) for seat in signers}
    table.send(MALLORY, [lineup.signed(seals)])
    table.deliver()
    table.go_on()
    table.play_on(5)
    assert MALLORY not in table.members()
    for seat in table.honest:
        assert table.report(seat).result is Result.UNFINISHED
        assert [change.keeper for change in table.report(seat).changes] == [MALLORY]
    table.check_honest()


# -- entries, wishes, chat ---------------------------------------------------------------------


def test_an_entry_that_its_own_ledger_refuses_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    make_opening = Secrets.make_opening

    def wrong(secrets: Secrets, step: Gather) -> Opening:
        opening = make_opening(secrets, step)
        if secrets.seat != 0 or secrets.ledger.height < 4:
            return opening
        return replace(opening, top=bytes(32))

    table = WiredPeers(MALLORY)
    monkeypatch.setattr(Secrets, "make_opening", wrong)
    table.wait(1)
    table.play(lambda: bool(faults_told(table, 0)))
    table.wait(20)
    assert len(faults_told(table, 0)) == 1
    assert not table.ended
    assert not any(table.accused[seat] for seat in table.honest)
    monkeypatch.undo()
    table.play_on(5)
    table.check_honest()


def test_a_wish_that_nobody_reads_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    table = waits_for_mallory()
    without = Absence._without

    def descending(absence: Absence, now: float) -> tuple[Seat, ...]:
        return (*without(absence, now), 0)

    monkeypatch.setattr(Absence, "_without", descending)
    table.go_on()
    for seat in table.honest:
        assert faults_told(table, seat)
        assert table.peers[seat].facts.wishes == {}
    assert not table.ended
    monkeypatch.undo()
    table.go_on()
    table.play_on(5)
    assert MALLORY not in table.members()
    table.check_honest()


def test_a_line_of_chat_that_nobody_reads_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    table = WiredPeers(MALLORY)
    monkeypatch.setattr(gossip, "clean_chat_line", lambda words: words)
    table.peers[0].say_line("a\x1b[2J", table.now)
    table.peers[0].say_line("hello", table.now)
    table._perform(0)
    table.deliver()
    assert len(faults_told(table, 0)) == 1
    assert [n.text for n in table.shown[1] if isinstance(n, Said)] == ["hello"]
    table.check_honest()
