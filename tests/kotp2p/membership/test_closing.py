"""How a game closes: each transition of the table, and the record that is written."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from kotp2p.endings import EndKind
from kotp2p.game.breaks import check_closing
from kotp2p.game.chain import Chain
from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Forged
from kotp2p.game.steps import Finished
from kotp2p.membership.closing import CLOSING, GameClosing
from kotp2p.membership.seals import END_SEALS_SECONDS
from kotp2p.mesh.effects import AppendRecord, SendFrame, ShowNotice
from kotp2p.mesh.newest_heads import NewestHeads
from kotp2p.notices import GameFinished, Unconfirmed
from kotp2p.seat_view import SeatView
from kotp2p.votes.locks import VoteLocks
from kotp2p.votes.stances import Act
from kotp2p.wire.closings import Break, End, pack_seals, unpack_seals
from kotp2p.wire.crypto import Tag
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.frames import Frame
from kotp2p.wire.frames_game import Want
from kotp2p.wire.intents import Intent, IntentKind
from referee.model.answers import Seat
from tests.support.five_players import PEOPLE, SIGNERS, at_a_decision, genesis, owes, sitting
from tests.support.state_walks import followed, transitions

ALL = range(PEOPLE)


def closing_of(ledger: Ledger, seat: Seat) -> GameClosing:
    voting = sitting(ledger, seat)
    view = SeatView(seat, genesis().players, ledger.game, "")
    return GameClosing.for_seat(NewestHeads(voting.intake.gossip), view, voting)


def all_adjourn(closing: GameClosing) -> None:
    """All players say that they want to stop for today."""
    intents = closing.adjournment.intents
    for seat in ALL:
        place, game = closing.ledger.place, genesis().id
        intents.newest[seat] = Intent.sign(SIGNERS[seat], game, seat, 1, IntentKind.ADJOURN, place)


class Over:
    """A game that is over as soon as the test says so, with an end of its choice."""

    def __init__(self, patch: pytest.MonkeyPatch, ledger: Ledger) -> None:
        self.patch, self.ledger, self.step = patch, ledger, ledger.step

    def ends(self) -> End:
        end = End(self.ledger.height, self.ledger.head, (0,), bytes(32))
        self.ledger.chain.step = Finished((0,))
        self.patch.setattr(Chain, "build_end", lambda _: end)
        self.patch.setattr(Ledger, "electorates", lambda _: [set(ALL)])
        return end

    def is_undone(self) -> None:
        self.ledger.chain.step = self.step


def confirms(closing: GameClosing, end: End, *seats: Seat) -> None:
    body = end.body(genesis().id)
    seals = {seat: SIGNERS[seat].sign(Tag.CLOSE, body) for seat in seats}
    closing.receive_seals(seats[0], Signed(BodyKind.CLOSE, body, pack_seals(seals)), 0.0)


def stops(closing: GameClosing, stop: Break | None, *seats: Seat) -> None:
    """These sign a break that this seat has signed."""
    assert stop is not None
    body = stop.body(genesis().id)
    seals = {seat: SIGNERS[seat].sign(Tag.CLOSE, body) for seat in seats}
    closing.receive_seals(seats[0], Signed(BodyKind.CLOSE, body, pack_seals(seals)), 0.0)


def records(closing: GameClosing) -> int:
    return sum(isinstance(effect, AppendRecord) for effect in closing.gossip.effects)


def doubts(closing: GameClosing) -> int:
    shown = (e.notice for e in closing.gossip.effects if isinstance(e, ShowNotice))
    return sum(isinstance(notice, Unconfirmed) for notice in shown)


def go_on(ledger: Ledger) -> None:
    for seat in ledger.owing_seats():
        ledger.accept_entry(owes(ledger, seat))


def stands_at(closing: GameClosing) -> int | None:
    """The height of the break that is signed."""
    signed = closing.adjournment.signed_break
    return None if signed is None else signed.height


def everybody_else(me: Seat) -> list[Seat]:
    return [seat for seat in ALL if seat != me]


def test_a_break_is_signed_anew_where_the_game_has_moved_and_dropped_when_a_seat_plays_on() -> None:
    ledger, asked = at_a_decision()
    closing = closing_of(ledger, asked)
    stop = closing.adjournment
    assert closing.close_game(0.0) is None
    all_adjourn(closing)
    assert closing.close_game(0.0) is None
    assert stands_at(closing) == ledger.height
    go_on(ledger)
    assert closing.close_game(1.0) is None
    assert stands_at(closing) == ledger.height
    stop.intents.newest.clear()
    go_on(ledger)
    assert closing.close_game(2.0) is None
    assert stands_at(closing) is None
    all_adjourn(closing)
    assert closing.close_game(2.0) is None
    assert records(closing) == 0
    stops(closing, stop.signed_break, *everybody_else(asked))
    assert closing.close_game(2.0) is EndKind.ADJOURNED
    assert records(closing) == 1


def test_a_break_that_was_taken_back_ends_the_session_once_all_have_signed_it() -> None:
    """The others have ended by it. The record is of this place."""
    ledger, asked = at_a_decision()
    closing = closing_of(ledger, asked)
    all_adjourn(closing)
    closing.close_game(0.0)
    stop = closing.adjournment.signed_break
    assert stop is not None
    closing.adjournment.intents.newest.clear()
    go_on(ledger)
    assert closing.close_game(1.0) is None
    stops(closing, stop, *everybody_else(asked))
    closing.gossip.reachability.add_link(everybody_else(asked)[0], 0.0)
    assert closing.close_game(2.0) is EndKind.ADJOURNED
    written, shown = closing.gossip.effects[-2:]
    assert isinstance(written, AppendRecord)
    assert check_closing(ledger, written.signed)[1].keys() == {asked}
    assert isinstance(shown, SendFrame)
    assert isinstance(shown.frame, Signed)
    assert shown.frame.body == stop.body(genesis().id)
    assert unpack_seals(shown.frame.signature).keys() == {*ALL}


def test_an_end_that_votes_undo_is_confirmed_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger, asked = at_a_decision()
    closing, game = closing_of(ledger, asked), Over(monkeypatch, ledger)
    all_adjourn(closing)
    closing.close_game(0.0)
    game.ends()  # though all had wanted to stop
    assert closing.close_game(1.0) is None
    assert closing.next_deadline() == 1.0 + END_SEALS_SECONDS  # later ones would be in the past
    assert closing.confirmation() is not None
    game.is_undone()
    closing.adjournment.intents.newest.clear()
    assert closing.close_game(2.0) is None
    assert closing.confirmation() is None
    end = game.ends()
    assert closing.close_game(3.0) is None
    confirms(closing, end, *everybody_else(asked))
    assert closing.close_game(3.0) is EndKind.FINISHED
    assert records(closing) == 1


def sent(closing: GameClosing) -> list[tuple[Seat, Frame]]:
    effects, closing.gossip.effects = closing.gossip.effects, []
    return [(e.seat, e.frame) for e in effects if isinstance(e, SendFrame)]


def test_confirmations_are_passed_on_one_by_one_and_what_led_to_the_end_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ledger, me = at_a_decision()
    closing, over = closing_of(ledger, me), Over(monkeypatch, ledger)
    source, signer, third = everybody_else(me)[:3]
    for seat in (source, third):
        closing.gossip.reachability.add_link(seat, 0.0)
    end = over.ends()
    over.is_undone()
    confirms(closing, end, source)
    assert [(seat, type(frame)) for seat, frame in sent(closing)] == [(source, Want)]
    over.ends()
    closing.close_game(1.0)
    sent(closing)
    confirms(closing, end, source, signer)
    passed_on = [(seat, f) for seat, f in sent(closing) if isinstance(f, Signed)]
    assert [(seat, set(unpack_seals(f.signature))) for seat, f in passed_on] == [(third, {signer})]


@pytest.mark.parametrize("is_undone", [False, True])
def test_an_end_that_a_majority_may_not_know_waits_and_says_so_once(
    monkeypatch: pytest.MonkeyPatch, is_undone: bool
) -> None:
    ledger, asked = at_a_decision()
    closing, game = closing_of(ledger, asked), Over(monkeypatch, ledger)
    end = game.ends()
    closing.close_game(0.0)
    for seconds in (END_SEALS_SECONDS, END_SEALS_SECONDS + 1):
        assert closing.close_game(seconds) is None
        assert doubts(closing) == 1
    if is_undone:
        game.is_undone()
        assert closing.close_game(END_SEALS_SECONDS + 2) is None
        assert records(closing) == 0
    else:
        confirms(closing, end, *everybody_else(asked))
        assert closing.close_game(END_SEALS_SECONDS + 2) is EndKind.FINISHED


def test_a_minority_that_is_linked_is_waited_for_until_time_is_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ledger, asked = at_a_decision()
    closing, game = closing_of(ledger, asked), Over(monkeypatch, ledger)
    end = game.ends()
    closing.close_game(0.0)
    first, second, third, last = everybody_else(asked)
    confirms(closing, end, first, second, third)
    closing.gossip.reachability.add_link(last, 0.0)
    assert closing.close_game(1.0) is None
    assert closing.close_game(END_SEALS_SECONDS) is EndKind.FINISHED


def test_a_pledged_seat_waits_without_a_deadline_in_the_past(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ledger, asked = at_a_decision()
    closing, game = closing_of(ledger, asked), Over(monkeypatch, ledger)
    end = game.ends()
    closing.close_game(0.0)
    assert closing.next_deadline() == END_SEALS_SECONDS
    confirms(closing, end, *everybody_else(asked))
    with monkeypatch.context() as pledged:
        pledged.setattr(VoteLocks, "forbids", lambda _, act: act is Act.SIGN_END)
        assert closing.close_game(END_SEALS_SECONDS) is None
    assert closing.next_deadline() == math.inf
    assert closing.close_game(END_SEALS_SECONDS + 1) is EndKind.FINISHED


def test_a_seat_that_confirms_other_ends_without_end_hides_no_confirmation_of_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """This copy hears the last entries late: the others have confirmed the end before it comes."""
    ledger, asked = at_a_decision()
    closing, game = closing_of(ledger, asked), Over(monkeypatch, ledger)
    cheat, *honest = everybody_else(asked)
    for turn in range(4 * PEOPLE):
        confirms(closing, End(turn, bytes(32), (cheat,), bytes(32)), cheat)
    end = End(ledger.height, ledger.head, (0,), bytes(32))
    for seat in honest:
        confirms(closing, end, seat)
    confirms(closing, end, cheat, *honest)
    confirms(closing, End(0, bytes(32), (cheat,), bytes(32)), cheat)
    assert game.ends() == end
    assert closing.close_game(0.0) is EndKind.FINISHED
    shown = [e.notice for e in closing.gossip.effects if isinstance(e, ShowNotice)]
    assert [n.confirmed_by for n in shown if isinstance(n, GameFinished)] == [
        tuple(sorted({asked, *honest}))
    ]


def test_an_early_confirmation_that_its_seat_has_not_signed_is_forged() -> None:
    ledger, asked = at_a_decision()
    closing = closing_of(ledger, asked)
    cheat, victim, *_ = everybody_else(asked)
    body = End(ledger.height, ledger.head, (0,), bytes(32)).body(genesis().id)
    seal = SIGNERS[cheat].sign(Tag.CLOSE, body)
    with pytest.raises(Forged):
        closing.receive_seals(cheat, Signed(BodyKind.CLOSE, body, pack_seals({victim: seal})), 0.0)


def test_these_games_walk_through_every_transition() -> None:
    with followed(CLOSING) as seen:
        test_a_break_is_signed_anew_where_the_game_has_moved_and_dropped_when_a_seat_plays_on()
        test_a_break_that_was_taken_back_ends_the_session_once_all_have_signed_it()
        with pytest.MonkeyPatch.context() as patch:
            test_an_end_that_votes_undo_is_confirmed_anew(patch)
        for is_undone in (False, True):
            with pytest.MonkeyPatch.context() as patch:
                test_an_end_that_a_majority_may_not_know_waits_and_says_so_once(patch, is_undone)
        with pytest.MonkeyPatch.context() as patch:
            test_a_minority_that_is_linked_is_waited_for_until_time_is_up(patch)
    assert seen == transitions(CLOSING)


def test_a_bot_closes_its_game_behind_its_keeper(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proof may come to the keeper, whose vote then undoes the end."""
    ledger, bot = at_a_decision()
    closing, game = closing_of(ledger, bot), Over(monkeypatch, ledger)
    keeper = everybody_else(bot)[0]
    charter = genesis().charter
    players = list(charter.players)
    players[bot] = replace(players[bot], bot=True, keeper=keeper)
    ledger.genesis = replace(genesis(), charter=replace(charter, players=tuple(players)))
    closing.gossip.reachability.add_link(keeper, 0.0)
    confirms(closing, game.ends(), *everybody_else(bot))
    for seconds in (0.0, END_SEALS_SECONDS, 2 * END_SEALS_SECONDS):
        assert closing.close_game(seconds) is None
    closing.gossip.reachability.remove_link(keeper)
    assert closing.close_game(2 * END_SEALS_SECONDS) is EndKind.FINISHED
