"""When a vote is open, about whom and for whom; what the wishes of others do (PROTOCOL.md 9.8)."""

from __future__ import annotations

import pytest

from kotp2p.absence_notices import (
    AdjournWanted,
    NoVote,
    Paused,
    PauseEnded,
    Voted,
    VoteEnded,
    VoteOpened,
)
from kotp2p.game.refusals import Forged
from kotp2p.mesh.effects import SendFrame, ShowNotice
from kotp2p.notices import Notice
from kotp2p.votes.locks import VoteLocks
from kotp2p.votes.stances import Act
from kotp2p.votes.voting import Voting
from kotp2p.wire.entries import Entry, Signed
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.intents import Intent, IntentKind
from kotp2p.wishes.clocks import MAX_PAUSE_SECONDS, VOTE_AFTER_SECONDS, Owing
from referee.model.answers import Seat
from tests.support.five_players import (
    SIGNERS,
    at_a_decision,
    convict,
    genesis,
    offence,
    others,
    owes,
    proof_against,
    sitting,
    two_answers,
)

ME, GONE, AWAY, SECOND = 0, 4, 3, 1
NOW = 100.0


def at_the_table(*owing: Seat) -> Voting:
    """This seat has links to two others. The clocks of `owing` run."""
    ledger, asked = at_a_decision()
    assert asked not in (ME, GONE)
    voting = sitting(ledger, ME)
    for seat in (SECOND, 2):
        voting.intents.gossip.reachability.add_link(seat, 0.0)
    owed = Owing(ledger.place, owing, turn=1, active=asked, decides=True)
    voting.intents.clocks.update(owed, 0.0)
    return voting


def told(voting: Voting) -> list[Notice]:
    effects = voting.intents.gossip.effects
    notices = [effect.notice for effect in effects if isinstance(effect, ShowNotice)]
    effects.clear()
    return notices


def update(voting: Voting, now: float = VOTE_AFTER_SECONDS) -> list[Notice]:
    voting.intents.update_open_vote(now)
    return told(voting)


def says(
    voting: Voting,
    seat: Seat,
    serial: int,
    kind: IntentKind,
    *about: Seat,
    place: tuple[int, int] | None = None,
) -> list[Notice]:
    """A link brings what a seat wants."""
    at = voting.ledger.place if place is None else place
    word = Intent.sign(SIGNERS[seat], genesis().id, seat, serial, kind, at, about)
    voting.intents.receive_intent(SECOND, word.signed, NOW)
    return told(voting)


# -- the open vote -------------------------------------------------------------------------


def test_a_vote_opens_once_about_a_seat_that_owes_and_has_been_gone_long_enough() -> None:
    voting = at_the_table(GONE)
    voting.intents.clocks.gone_since[GONE] = 0.0
    assert update(voting, VOTE_AFTER_SECONDS - 0.1) == []
    opened = VoteOpened((GONE,), tuple(others(GONE)), has_majority=True, yours=True)
    assert update(voting) == [opened]
    assert update(voting) == []


def test_no_vote_is_about_a_seat_that_is_there_and_has_signed_what_must_not_be_taken_yet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Three of six had voted about two seats, and were locked; two others had taken the entry of
    one of these as it came back, and waited for the other one alone."""
    voting = at_the_table(AWAY, GONE)
    ledger, clocks = voting.ledger, voting.intents.clocks
    clocks._spent |= {AWAY: 1000.0, GONE: 1000.0}
    assert update(voting)[-1] == VoteOpened((AWAY, GONE), (0, 1, 2), has_majority=True, yours=True)
    answer = owes(ledger, *ledger.owing_seats()).payload
    entry = Entry.sign(SIGNERS[AWAY], genesis().id, *ledger.place, ledger.head, AWAY, answer)
    monkeypatch.setattr(VoteLocks, "forbids", lambda _, act: act is Act.TAKE_ENTRY)
    assert voting.held_entries.hold_back(entry)
    assert update(voting) == [
        VoteEnded((AWAY, GONE)),
        VoteOpened((GONE,), (0, 1, 2, AWAY), has_majority=True, yours=True),
    ]
    clocks.gone_since[AWAY] = 0.0
    assert update(voting)[-1] == VoteOpened((AWAY, GONE), (0, 1, 2), has_majority=True, yours=True)


def test_no_vote_opens_about_seats_of_which_nothing_is_owed() -> None:
    voting = at_the_table(SECOND)
    voting.intents.clocks.gone_since[GONE] = 0.0
    assert update(voting) == []
    assert voting.intents.open_vote == ()


def test_an_open_vote_is_about_all_that_are_away_but_those_that_have_said_farewell() -> None:
    voting = at_the_table(GONE)
    voting.intents.clocks.gone_since |= {GONE: 0.0, AWAY: 50.0, SECOND: 50.0}
    view, height = voting.ledger.place
    assert SECOND not in voting.ledger.owing_seats()
    bye = Farewell.sign(SIGNERS[SECOND], genesis().id, SECOND, view, height)
    voting.ledger.accept_farewell(bye)
    (opened,) = update(voting)
    assert opened == VoteOpened((AWAY, GONE), (ME, SECOND, 2), has_majority=True, yours=True)


def test_an_open_vote_is_about_convicts_too_and_they_count_for_nothing() -> None:
    voting = at_the_table(GONE)
    voting.intents.clocks.gone_since |= {GONE: 0.0, AWAY: 50.0}
    convict(voting, voting.ledger.judge_proof(proof_against(2)))
    (opened,) = update(voting)
    assert opened == VoteOpened((2, AWAY, GONE), (ME, SECOND), has_majority=False, yours=True)


@pytest.mark.parametrize("gone", [(AWAY, GONE), (2, AWAY, GONE)])
def test_a_proof_about_an_undone_line_convicts_nobody_in_an_open_vote(gone: tuple[Seat]) -> None:
    """Nobody could name it in a vote, so a vote that is told to be enough would be in vain."""
    voting, (undone, asked) = at_the_table(), at_a_decision()
    now_closed, once_closed = two_answers(undone, asked)
    undone.accept_entry(once_closed)
    voting.ledger.accept_entry(now_closed)
    voting.convicts.update({seat: offence(undone, seat) for seat in (2, AWAY, GONE)})
    owed = Owing(voting.ledger.place, (GONE,), turn=1, active=asked, decides=True)
    voting.intents.clocks.update(owed, 0.0)
    voting.intents.clocks.gone_since |= dict.fromkeys(gone, 0.0)
    needed = tuple(others(*gone))
    assert update(voting) == [VoteOpened(gone, needed, has_majority=len(needed) > 2, yours=True)]


def test_a_convict_alone_opens_no_vote_of_the_players() -> None:
    voting = at_the_table(GONE)
    convict(voting, voting.ledger.judge_proof(proof_against(2)))
    assert update(voting) == []


def test_a_vote_ends_when_its_accused_are_back_and_another_opens_when_more_are_away() -> None:
    voting = at_the_table(GONE)
    clocks = voting.intents.clocks
    clocks.gone_since[GONE] = 0.0
    update(voting)
    clocks.gone_since[AWAY] = 50.0
    assert update(voting) == [
        VoteEnded((GONE,)), VoteOpened((AWAY, GONE), (0, 1, 2), has_majority=True, yours=True)
    ]  # fmt: skip
    clocks.gone_since.clear()
    assert update(voting) == [VoteEnded((AWAY, GONE))]


def test_a_seat_that_is_accused_is_told_so_and_agrees_to_nothing() -> None:
    voting = at_the_table(ME)
    voting.intents.clocks.gone_since[ME] = 0.0
    assert update(voting) == [VoteOpened((ME,), (1, 2, 3, 4), has_majority=True, yours=False)]
    for seat in others(ME):
        says(voting, seat, 1, IntentKind.DROP, ME)
    assert not voting.intents.is_agreed()


# -- wishes of others ----------------------------------------------------------------------


def relayed(voting: Voting) -> list[tuple[Seat, Signed]]:
    effects = voting.intents.gossip.effects
    return [
        (e.seat, e.frame)
        for e in effects
        if isinstance(e, SendFrame) and isinstance(e.frame, Signed)
    ]


def test_a_wish_that_is_news_is_passed_on_and_an_older_one_is_answered_with_it() -> None:
    """To all, also to seats with a link to its author: a liar may tell each something else."""
    voting, place = at_the_table(GONE), at_a_decision()[0].place
    voting.intents.gossip.reachability.learn_links(2, (ME, 3))
    newest = None
    for serial, to in ((2, 2), (2, None), (1, SECOND), (3, 2)):
        word = Intent.sign(SIGNERS[3], genesis().id, 3, serial, IntentKind.WAIT, place)
        newest = word if to == 2 else newest
        voting.intents.receive_intent(SECOND, word.signed, NOW)
        assert newest is not None
        assert relayed(voting) == ([] if to is None else [(to, newest.signed)])
        voting.intents.gossip.effects.clear()


def test_of_two_wishes_with_one_number_all_take_the_same() -> None:
    place = at_a_decision()[0].place
    kinds = (IntentKind.WAIT, IntentKind.ADJOURN)
    for order in (kinds, kinds[::-1]):
        voting = at_the_table(GONE)
        for kind in order:
            says(voting, 3, 1, kind, place=place)
        assert voting.intents.newest[3].kind is IntentKind.ADJOURN


def test_a_new_link_gets_the_newest_wish_of_each_kind() -> None:
    voting = at_the_table(GONE)
    says(voting, 3, 1, IntentKind.DROP, GONE)
    says(voting, 3, 2, IntentKind.ADJOURN)
    says(voting, 3, 3, IntentKind.PAUSE, place=(0, 1))
    found = [Intent.parse(s, genesis().id) for s in voting.intents.bodies_for_new_link()]
    assert [(i.seat, i.kind) for i in found] == [(3, IntentKind.ADJOURN), (3, IntentKind.PAUSE)]


def test_a_wish_is_of_its_seat_and_about_seats_of_the_table() -> None:
    voting = at_the_table(GONE)
    place = voting.ledger.place
    forged = Intent.sign(SIGNERS[2], genesis().id, 3, 1, IntentKind.DROP, place, (GONE,))
    nobody = Intent.sign(SIGNERS[3], genesis().id, 3, 1, IntentKind.DROP, place, (5,))
    for word in (forged, nobody):
        with pytest.raises(Forged):
            voting.intents.receive_intent(SECOND, word.signed, NOW)
    assert voting.intents.newest == {}


def test_after_a_restart_a_seat_goes_on_behind_the_last_number_that_it_has_used() -> None:
    voting = at_the_table(GONE)
    assert says(voting, ME, 7, IntentKind.DROP, GONE) == []
    voting.intents.declare_intent(IntentKind.WAIT, (), NOW)
    assert voting.intents.newest[ME].serial == 8


def test_after_a_restart_a_seat_takes_back_an_old_wish_to_stop() -> None:
    """Else a cheat could show it to others as the wish of this evening."""
    voting = at_the_table(GONE)
    says(voting, ME, 7, IntentKind.ADJOURN)
    taken_back = voting.intents.newest[ME]
    assert (taken_back.serial, taken_back.kind) == (8, IntentKind.WAIT)
    voting.intents.declare_intent(IntentKind.ADJOURN, (), NOW)
    voting.intents.gossip.effects.clear()
    says(voting, ME, 7, IntentKind.ADJOURN)
    assert voting.intents.newest[ME].kind is IntentKind.ADJOURN


def test_a_wish_to_go_on_without_a_seat_is_told_and_so_is_that_it_is_taken_back() -> None:
    voting = at_the_table(GONE)
    assert says(voting, 3, 1, IntentKind.DROP, GONE) == [Voted(3, (GONE,))]
    assert says(voting, 3, 2, IntentKind.WAIT) == [Voted(3, ())]
    assert says(voting, 3, 3, IntentKind.WAIT) == []
    view, height = voting.ledger.place
    elsewhere = (view, height + 1)
    assert says(voting, 3, 4, IntentKind.DROP, GONE, place=elsewhere) == []
    assert says(voting, 3, 5, IntentKind.WAIT) == []


@pytest.mark.parametrize("kind", [IntentKind.DROP, IntentKind.WAIT])
def test_who_votes_while_no_vote_is_open_is_told_when_one_could_be(kind: IntentKind) -> None:
    voting = at_the_table()
    (asked,) = voting.ledger.owing_seats()
    voting = at_the_table(asked)
    voting.intents.explain_needless_vote(kind, 0.0)
    limit = voting.intents.clocks.clocks.turn
    assert told(voting) == [NoVote(((asked, limit + VOTE_AFTER_SECONDS),))]


def test_a_vote_that_is_open_or_taken_back_needs_no_explanation() -> None:
    voting = at_the_table(GONE)
    voting.intents.declare_intent(IntentKind.ADJOURN, (), NOW)
    told(voting)
    voting.intents.explain_needless_vote(IntentKind.WAIT, NOW)
    voting.intents.explain_needless_vote(IntentKind.PAUSE, NOW)
    assert told(voting) == []
    voting.intents.clocks.gone_since[GONE] = 0.0
    assert isinstance(update(voting)[0], VoteOpened)
    voting.intents.explain_needless_vote(IntentKind.DROP, NOW)
    assert told(voting) == []


def test_a_wish_to_stop_is_told_with_those_that_play_on_and_so_is_that_it_is_taken_back() -> None:
    voting = at_the_table(GONE)
    voting.intents.clocks.gone_since[GONE] = 0.0
    assert says(voting, 3, 1, IntentKind.ADJOURN) == [AdjournWanted(3, True, (0, 1, 2))]
    assert says(voting, 3, 2, IntentKind.ADJOURN) == []
    assert says(voting, 2, 1, IntentKind.ADJOURN) == [AdjournWanted(2, True, (0, 1))]
    assert says(voting, 3, 3, IntentKind.WAIT) == [AdjournWanted(3, False, ())]


def test_all_that_are_present_must_want_to_stop() -> None:
    voting = at_the_table(GONE)
    voting.intents.clocks.gone_since[GONE] = 0.0
    says(voting, 1, 1, IntentKind.WAIT)
    assert voting.intents.keepers_playing_on() == (0, 1, 2, 3)
    for seat in (1, 2, 3):
        says(voting, seat, 2, IntentKind.ADJOURN)
        assert not voting.intents.find_adjourn_wishes()
    voting.intents.declare_intent(IntentKind.ADJOURN, (), NOW)
    assert voting.intents.find_adjourn_wishes()


def test_a_table_at_which_nobody_wants_to_stop_does_not_stop_when_all_are_away() -> None:
    voting = at_the_table(GONE)
    voting.intents.clocks.gone_since |= dict.fromkeys(range(5), 0.0)
    assert not voting.intents.find_adjourn_wishes()
    says(voting, 3, 1, IntentKind.ADJOURN)
    assert not voting.intents.find_adjourn_wishes()


def test_what_this_player_wants_goes_to_all_links_and_names_the_place_or_the_turn() -> None:
    voting = at_the_table(GONE)
    here, turn = voting.ledger.place, (0, voting.ledger.chain.turns)
    assert here != turn
    for number, kind in enumerate(IntentKind, 1):
        voting.intents.declare_intent(kind, (), NOW)
        (first, signed), (second, _) = relayed(voting)
        found = Intent.parse(signed, genesis().id)
        is_about_clocks = kind in (IntentKind.PAUSE, IntentKind.GO)
        assert (first, second, found.serial, found.kind) == (SECOND, 2, number, kind)
        assert found.place == (turn if is_about_clocks else here)
        voting.intents.gossip.effects.clear()


def test_wishes_about_clocks_and_about_votes_are_numbered_together_and_kept_apart() -> None:
    voting = at_the_table(GONE)
    turn = (0, voting.ledger.chain.turns)
    says(voting, 3, 5, IntentKind.ADJOURN)
    assert says(voting, 3, 4, IntentKind.PAUSE, place=turn) != []
    assert says(voting, 3, 3, IntentKind.GO, place=turn) == []
    assert says(voting, 3, 4, IntentKind.WAIT) == []


def test_a_second_pause_of_a_turn_does_not_end_the_first() -> None:
    voting = at_the_table(GONE)
    turn = (0, voting.ledger.chain.turns)
    says(voting, 3, 1, IntentKind.PAUSE, place=turn)
    assert says(voting, 3, 2, IntentKind.PAUSE, place=turn) == []
    assert 3 in voting.intents.clocks.paused_until


# -- pauses --------------------------------------------------------------------------------


def test_a_pause_stops_the_clocks_once_in_a_turn_until_its_seat_ends_it() -> None:
    voting = at_the_table(GONE)
    turn = voting.ledger.chain.turns
    paused = voting.intents.clocks.paused_until
    pause, go = IntentKind.PAUSE, IntentKind.GO
    assert says(voting, 3, 1, pause, place=(0, turn)) == [Paused(3, int(MAX_PAUSE_SECONDS))]
    assert paused == {3: NOW + MAX_PAUSE_SECONDS}
    assert says(voting, 2, 1, go, place=(0, turn)) == []  # it had not paused
    assert says(voting, 3, 2, go, place=(0, turn)) == [PauseEnded(3)]
    assert paused == {}
    assert says(voting, 3, 3, pause, place=(0, turn)) == []  # once in a turn
    assert says(voting, 2, 2, pause, place=(0, turn)) == [Paused(2, int(MAX_PAUSE_SECONDS))]


def test_a_pause_of_another_turn_that_comes_late_stops_nothing() -> None:
    voting = at_the_table(GONE)
    turn = voting.ledger.chain.turns
    assert says(voting, 3, 1, IntentKind.PAUSE, place=(0, turn + 1)) == []
    assert voting.intents.clocks.paused_until == {}
