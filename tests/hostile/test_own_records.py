"""What an honest program signs, writes and sends is read back first, whatever it was sent."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import pytest

from kotp2p.game.report import Result
from kotp2p.game.steps import Gather
from kotp2p.membership import adjourning
from kotp2p.mesh import chat
from kotp2p.notices import ProgramFault, Said
from kotp2p.peer.secrets import Secrets
from kotp2p.votes import voting
from kotp2p.wire.closings import Break, pack_seals
from kotp2p.wire.crypto import Tag
from kotp2p.wire.entries import BodyKind, Opening, Signed
from kotp2p.wire.intents import IntentKind
from kotp2p.wire.votes import Vote
from referee.model.answers import Seat
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


def break_without(table: WiredPeers, absent: tuple[Seat, ...], signers: Collection[Seat]) -> Signed:
    ledger = table.peers[table.honest[0]].ledger
    body = Break(ledger.view, ledger.height, ledger.head, absent).body(GAME)
    seals = {seat: SIGNERS[seat].sign(Tag.CLOSE, body) for seat in signers}
    return Signed(BodyKind.CLOSE, body, pack_seals(seals))


def go_home(table: WiredPeers) -> None:
    """Mallory says nothing any more; the others wait a while, and stop for today."""
    table.tamper[MALLORY] = lambda _target, _frame: ()
    table.wait(40)
    for seat in table.honest:
        table.peers[seat].declare_intent(IntentKind.ADJOURN, table.now)
        table._perform(seat)
    table.play(lambda: table.ended >= {*table.honest}, 60)


# -- records of a break ------------------------------------------------------------------------


@pytest.mark.parametrize("signers", [(MALLORY,), (MALLORY, 0)])
def test_a_seat_that_seals_the_break_without_itself_spoils_no_log(
    signers: tuple[Seat, ...],
) -> None:
    """Once its seal stood in the records of all others, and their logs were wrong."""
    table = where_mallory_is_asked()
    table.send(MALLORY, [break_without(table, (MALLORY,), signers)])
    table.deliver()
    go_home(table)
    for seat in table.honest:
        report = table.report(seat)
        assert report.result is Result.UNFINISHED
        assert report.reason.startswith("abandoned, claimed by")
    table.check_honest()


def test_a_record_that_no_reader_takes_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program as it was: it keeps the seal of a seat that the break names absent."""
    monkeypatch.setattr(adjourning, "check_break_seats", lambda *_given: None)
    table = where_mallory_is_asked()
    table.send(MALLORY, [break_without(table, (MALLORY,), (MALLORY,))])
    table.deliver()
    table.tamper[MALLORY] = lambda _target, _frame: ()
    table.wait(40)
    for seat in table.honest:
        table.peers[seat].declare_intent(IntentKind.ADJOURN, table.now)
        table._perform(seat)
    table.wait(60)
    for seat in table.honest:
        assert faults_told(table, seat) == [
            "a close record: a break that an absent player has signed"
        ]
        assert not any(record.kind is BodyKind.CLOSE for record in table.records[seat])
        assert table.report(seat).result is Result.UNFINISHED
    table.check_honest()


# -- entries, votes, chat ----------------------------------------------------------------------


def test_an_entry_that_its_own_ledger_refuses_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    make_opening = Secrets.make_opening

    def wrong(secrets: Secrets, step: Gather) -> Opening:
        opening = make_opening(secrets, step)
        if secrets.seat != 0 or secrets.ledger.height < 4:
            return opening
        return replace(opening, slot=opening.slot + 1)

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


def test_a_vote_that_its_own_ledger_refuses_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    table = where_mallory_is_asked()

    class WrongVote:
        @staticmethod
        def sign(*given: object, **named: object) -> Vote:
            signer, game, _place, *rest = given
            return Vote.sign(signer, game, (0, 1000), *rest, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(voting, "Vote", WrongVote)
    table.tamper[MALLORY] = lambda _target, _frame: ()
    table.wait(150)
    for seat in table.honest:
        table.peers[seat].declare_intent(IntentKind.DROP, table.now)
        table._perform(seat)
    table.deliver()
    for seat in table.honest:
        assert [told.partition(":")[0] for told in faults_told(table, seat)] == ["a vote"]
        assert not any(record.kind is BodyKind.VOTE for record in table.records[seat])
    assert not table.ended
    monkeypatch.undo()
    table.wait(10)
    assert MALLORY not in table.alive()
    table.check_honest()


def test_a_line_of_chat_that_nobody_reads_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    table = WiredPeers(MALLORY)
    monkeypatch.setattr(chat, "clean_chat_line", lambda words: words)
    table.peers[0].say_line("a\x1b[2J", table.now)
    table.peers[0].say_line("hello", table.now)
    table._perform(0)
    table.deliver()
    assert len(faults_told(table, 0)) == 1
    assert [n.text for n in table.shown[1] if isinstance(n, Said)] == ["hello"]
    table.check_honest()
