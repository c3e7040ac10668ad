"""What a peer does with what others have signed."""

from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest

from kotp2p.game.steps import Cheat
from kotp2p.lineup.plan import find_line_up
from kotp2p.mesh.gossip import AppendRecord, AskDecision, EndPeer, SendFrame, ShowNotice
from kotp2p.mesh.reachability import QUIET_AFTER_SECONDS
from kotp2p.peer.peer import AWAY_SECONDS, END_SECONDS, FOLLOWERS_SECONDS, LEAVE_SECONDS, Peer
from kotp2p.referee.model.answers import Reroll
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import Quiet, Split
from kotp2p.wire.entries import Answering, BodyKind, Entry, Head, Signed, sign_head
from kotp2p.wire.frames import Ping, Want
from kotp2p.wire.lineups import Change, CheatProof, Here, Leave, Ready, Reason, sign_wish
from tests.support import five_players
from tests.support.hearing import hear_frame
from tests.support.scribe import Scribe, rolling

LATER = bytes((0, 0, 0, 9, 1, 1, 1, 1))
"""The instance of a later process."""


def at_the_table(*, is_asked: bool = False, resumed: bool = True) -> tuple[Peer, int, int]:
    """A peer that is linked to all, the seat that is asked, and another one."""
    ledger, asked = five_players.at_a_decision()
    me, other = five_players.others(asked)[:2]
    if is_asked:
        me, other = asked, me
    peer = Peer(
        five_players.genesis(), me, five_players.SIGNERS[me], five_players.SEEDS[me], ledger
    )
    peer.returning.has_returned = not resumed
    peer.begin(0.0)
    for seat in five_players.others(me):
        peer.link_up(seat, 0.0)
    return peer, asked, other


def signed_by_it(peer: Peer, kind: BodyKind) -> list[Signed]:
    sent = [e.frame for e in peer.take_effects() if isinstance(e, SendFrame)]
    return [frame for frame in sent if isinstance(frame, Signed) and frame.kind is kind]


def test_it_opens_what_it_owes_after_a_frame_that_takes_the_game_on() -> None:
    peer, asked, _ = at_the_table()
    _, reroll = five_players.two_answers(peer.ledger, asked)
    peer.receive_frame(asked, reroll.signed, 1.0)
    assert peer.deadline == 1.0
    peer.tick(1.0)
    assert peer.deadline > 1.0, "or its process would never sleep again"
    assert peer.ledger.height == reroll.height + 1
    assert peer.ledger.chain.find_entry(peer.ledger.height, peer.seat) is not None


def with_a_proven_cheat() -> Peer:
    peer, asked, _ = at_the_table()
    kept, reroll = five_players.two_answers(peer.ledger, asked)
    peer.receive_frame(asked, reroll.signed, 1.0)
    peer.take_effects()
    peer.receive_frame(asked, kept.signed, 1.0)
    return peer


def test_it_is_ready_at_once_to_go_on_without_a_proven_cheat() -> None:
    assert signed_by_it(with_a_proven_cheat(), BodyKind.READY)


def test_it_signs_no_entry_while_it_is_ready() -> None:
    peer = with_a_proven_cheat()
    peer.tick(1.5)
    assert not signed_by_it(peer, BodyKind.PLAY)


def test_an_assent_that_the_budget_of_its_author_held_back_goes_on_with_its_seal() -> None:
    peer, asked, other = at_the_table()
    for attempt in range(1, 18):
        found = find_line_up(peer.ledger, (Change(asked, Reason.ABSENT),), attempt)
        signed = found.signed({other: found.assent(five_players.SIGNERS[other])})
        peer.receive_frame(other, signed, 1.0)
    assert signed not in signed_by_it(peer, BodyKind.LINE_UP)
    peer.tick(3.0)
    assert signed in signed_by_it(peer, BodyKind.LINE_UP)


def test_it_asks_its_player_once_for_each_place_and_nobody_for_another_seat() -> None:
    for is_asked in (True, False):
        peer, asked, _ = at_the_table(is_asked=is_asked)
        peer.tick(1.0)
        questions = [e for e in peer.take_effects() if isinstance(e, AskDecision)]
        assert [(e.place, e.seat) for e in questions] == [(peer.ledger.place, asked)] * is_asked


def test_what_is_known_is_followed_up_once_however_often_it_comes() -> None:
    peer, asked, _ = at_the_table()
    _, reroll = five_players.two_answers(peer.ledger, asked)
    hear_frame(peer, asked, reroll.signed, 1.0)
    with patch.object(Peer, "_advance", autospec=True, side_effect=Peer._advance) as advance:
        for _ in range(9):
            peer.receive_frame(asked, reroll.signed, 2.0)
        assert advance.call_count == 0
        assert peer.deadline == 2.0
        peer.tick(2.0)
        assert advance.call_count == 1


def test_what_is_missing_is_asked_for_at_once_over_a_new_link() -> None:
    peer, _, other = at_the_table()
    attempt, height = peer.ledger.place
    game, asked = five_players.genesis().id, []
    for beat in range(3):
        if beat == 2:
            peer.link_up(other, 1.0)
        ahead = sign_head(
            five_players.SIGNERS[other], game, other, attempt, height + 1, bytes(32), beat=beat
        )
        hear_frame(peer, other, ahead, 1.0)
        sent = [e.frame for e in peer.take_effects() if isinstance(e, SendFrame)]
        asked.append(sum(isinstance(frame, Want) for frame in sent))
    assert asked == [1, 0, 1]


def test_a_link_over_which_nothing_comes_is_shown_until_something_comes() -> None:
    peer, _, other = at_the_table()
    shown = []
    for now in (QUIET_AFTER_SECONDS - 0.1, QUIET_AFTER_SECONDS, QUIET_AFTER_SECONDS + 0.1):
        hear_frame(peer, other, Ping(), now) if now > QUIET_AFTER_SECONDS else peer.tick(now)
        notices = [e.notice for e in peer.take_effects() if isinstance(e, ShowNotice)]
        shown.append([notice for notice in notices if isinstance(notice, Quiet)])
    quiet = [Quiet(seat, int(QUIET_AFTER_SECONDS)) for seat in five_players.others(peer.seat)]
    assert shown == [[], quiet, [Quiet(other, 0)]]


def test_a_farewell_goes_into_the_own_log() -> None:
    peer, _, _ = at_the_table()
    peer.give_up(1.0)
    kinds = [e.signed.kind for e in peer.take_effects() if isinstance(e, AppendRecord)]
    assert kinds[-1] is BodyKind.LEAVE


def test_it_pings_and_says_where_it_stands_every_five_seconds() -> None:
    peer, _, other = at_the_table()
    peer.take_effects()
    said = []
    for now in range(1, 11):
        peer.tick(float(now))
        sent = [e for e in peer.take_effects() if isinstance(e, SendFrame)]
        said += [(now, type(e.frame)) for e in sent if e.seat == other]
    assert said == [(2, Ping), (4, Ping), (6, Signed), (8, Ping), (10, Ping)]


def test_each_heartbeat_is_newer_than_the_one_before() -> None:
    peer, _, _ = at_the_table()
    first, second = (
        Head.parse(peer._sign_head(), five_players.genesis().id).beat for _ in range(2)
    )
    assert first < second


def test_it_ends_and_says_nothing_once_a_later_process_plays_its_seat() -> None:
    for words in ("head", "here"):
        peer, asked, _ = at_the_table()
        peer.take_effects()
        peer.say_line("what has not gone out yet", 0.5)
        own = five_players.SIGNERS[peer.seat], five_players.genesis().id, peer.seat
        head = sign_head(*own, *peer.ledger.place, peer.ledger.head, LATER)
        here = Here.sign(*own, LATER).signed
        hear_frame(peer, asked, head if words == "head" else here, 1.0)
        effects = peer.take_effects()
        assert not [e for e in effects if isinstance(e, AppendRecord | SendFrame)]
        (end,) = [e for e in effects if isinstance(e, EndPeer)]
        assert end.kind is EndKind.ELSEWHERE
        assert peer.newest_instance == LATER
        peer.say_line("hello", 2.0)
        assert not peer.take_effects()


def test_a_proven_cheat_ends_by_itself_once_nobody_is_left_to_put_it_out() -> None:
    """Or whoever has begun two copies of a folder would sit at a table where nothing moves."""
    peer, me, _ = at_the_table(is_asked=True)
    both = five_players.two_answers(peer.ledger, me)
    *others, last = five_players.others(me)
    hear_frame(peer, last, CheatProof(tuple(entry.signed for entry in both)).signed, 1.0)
    for seat in (*others, last):
        assert not peer.has_ended
        game, signer = five_players.genesis().id, five_players.SIGNERS[seat]
        hear_frame(peer, seat, Leave.sign(signer, game, seat, 0, 0).signed, 1.0)
    (end,) = [e for e in peer.take_effects() if isinstance(e, EndPeer)]
    assert (end.kind, end.detail) == (EndKind.STOPPED, "cheated")


def test_nobody_else_can_say_that_a_later_process_plays_its_seat() -> None:
    peer, asked, other = at_the_table()
    false = Here.sign(five_players.SIGNERS[other], five_players.genesis().id, peer.seat, LATER)
    hear_frame(peer, asked, false.signed, 1.0)
    assert not peer.has_ended


def test_a_player_whose_question_a_line_up_has_taken_back_is_not_away() -> None:
    scribe = Scribe(4)
    scribe.until(rolling)
    (me,), back, teller = scribe.ledger.owing_seats(), 1, 2
    peer = Peer(scribe.ledger.genesis, me, scribe.signers[me], scribe.seeds[me])
    peer.begin(0.0)
    peer.link_up(teller, 0.0)
    scribe.lose(back)
    scribe.change(Change(back, Reason.BACK, LATER))  # it commits before anybody is asked again
    for signed in scribe.log[1:]:
        hear_frame(peer, teller, signed, 1.0)
    for now in range(10, 10 + int(AWAY_SECONDS), 10):
        hear_frame(peer, teller, Ping(), now)
    scribe.lose(me)
    peer.take_effects()
    hear_frame(peer, teller, scribe.log[-1], 2.0 + AWAY_SECONDS)
    assert signed_by_it(peer, BodyKind.HERE)


def test_who_lets_a_bot_play_and_hears_nothing_of_the_others_leaves_after_five_seconds() -> None:
    peer, _, _ = at_the_table()
    peer.let_bot_play(1.5)  # no other deadline is met then
    while not peer.has_ended:
        peer.tick(now := peer.deadline)
    assert now == 1.5 + LEAVE_SECONDS
    assert [e.kind for e in peer.take_effects() if isinstance(e, EndPeer)] == [EndKind.KEPT]


def test_who_comes_back_while_others_let_a_bot_play_takes_its_own_wish_back() -> None:
    peer, _, other = at_the_table()
    wish = sign_wish(peer.signer, peer.genesis.id, peer.seat, 1, is_away=True)
    hear_frame(peer, other, wish.signed, 1.0)
    hear_frame(peer, other, Ping(), 6.0)
    assert signed_by_it(peer, BodyKind.WISH)
    assert not peer.facts.wishes[peer.seat].is_away


def test_a_split_is_told_once_if_it_stands_at_two_heartbeats() -> None:
    peer, _, _ = at_the_table()
    split: Any = SimpleNamespace(lineup=SimpleNamespace(id=bytes(32)), by=(2,))
    told = []
    for now, found in ((2.0, [split]), (4.0, []), (6.0, [split]), (8.0, [split])):
        peer.ledger.splits = found
        peer.tick(now)
        told.append([e.notice for e in peer.take_effects() if isinstance(e, ShowNotice)])
    assert [Split((2,)) in notices for notices in told] == [False, False, True, False]


def test_a_proof_that_comes_too_early_is_judged_until_its_place_is_reached() -> None:
    peer, _, other = at_the_table()
    ahead = five_players.beyond(peer.ledger.height)
    (cheat,) = ahead.owing_seats()
    illegal = five_players.out_of_turn(ahead, cheat)
    for signed in (CheatProof((illegal.signed,)).signed, *ahead.chain.bodies_since(0)):
        assert cheat not in peer.ledger.convicts
        hear_frame(peer, other, signed, 1.0)
    assert cheat in peer.ledger.convicts


def test_an_answer_to_a_question_of_before_is_dropped() -> None:
    peer, asked, _ = at_the_table(is_asked=True)
    peer.take_effects()
    attempt, height = peer.ledger.place
    peer.accept_answer((attempt, height - 1), asked, Reroll((0,)), 1.0)
    assert not signed_by_it(peer, BodyKind.PLAY)


def at_the_end(scribe: Scribe, *linked: int, is_away: bool = False) -> Peer:
    scribe.finish()
    peer = Peer(scribe.ledger.genesis, 0, scribe.signers[0], scribe.seeds[0])
    peer.begin(0.0)
    for seat in linked:
        peer.link_up(seat, 0.0)
    if is_away:
        peer.absence.let_bot_play(0.0)
    for signed in scribe.log[1:]:
        peer.receive_frame(1, signed, 1.0)
    peer.tick(1.0)
    return peer


def test_who_lets_a_bot_play_signs_no_end() -> None:
    assert not at_the_end(Scribe(4), 1, 2, 3, is_away=True).ledger.chain.gathered


def test_at_the_end_a_bot_s_process_stays_ten_seconds_for_those_that_are_out() -> None:
    scribe = Scribe(3)
    scribe.until(rolling)
    scribe.lose(2)
    for linked, ended_at in (((1, 2), 1.0 + FOLLOWERS_SECONDS), ((1,), 1.0)):
        peer = at_the_end(scribe, *linked)
        peer.receive_frame(1, scribe.entry(1).signed, 1.0)
        peer.reachability.start_clocks(3, 1.0 if 2 in linked else -60.0)  # 2 is heard, or gone
        for now in (1.0, 1.0 + FOLLOWERS_SECONDS):
            peer.tick(now)
            assert peer.has_ended == (now >= ended_at)


def test_who_may_have_to_go_on_from_before_the_end_waits_five_minutes_for_others() -> None:
    scribe = Scribe(3)
    scribe.until(rolling)
    assent = scribe.assents(scribe.line_up(Change(2, Reason.ABSENT)), 0)
    peer = at_the_end(scribe, 1)
    for signed in (scribe.entry(1).signed, assent):
        peer.receive_frame(1, signed, 1.0)
    while not peer.has_ended:
        peer.tick(now := peer.deadline)
    assert now == 1.0 + 300


def other_last_answer(scribe: Scribe) -> Entry:
    """Another answer to the last question of a game that others than seat 0 were asked."""
    entries = [Entry.parse(s) for s in scribe.log if s.kind is BodyKind.PLAY]
    last = [e for e in entries if isinstance(e.payload, Answering) and e.seat > 0][-1]
    place = last.attempt, last.height, last.prev, last.seat
    return Entry.sign(scribe.signers[last.seat], *place, Answering(Reroll((0,)), None))


@pytest.mark.parametrize(("is_forked", "is_away"), [(False, False), (True, False), (False, True)])
def test_whose_end_may_be_undone_does_not_take_the_last_end(is_forked: bool, is_away: bool) -> None:
    peer = at_the_end(scribe := Scribe(4), 1, 2, 3)
    if is_forked:
        hear_frame(peer, 1, other_last_answer(scribe).signed, 2.0)
    if is_away:
        peer.absence.let_bot_play(2.0)
    for seat in (1, 2, 3):
        hear_frame(peer, 1, scribe.entry(seat).signed, 2.0)
    assert peer.attempts.stands_still() == is_forked
    assert peer.ledger.chain.is_over == (not is_forked and not is_away)
    assert peer.attempts.confirming() == {0, 1, 2, 3}


@pytest.mark.parametrize("is_live", [False, True])
def test_for_a_peer_no_line_up_begins_once_all_have_signed_the_end(is_live: bool) -> None:
    scribe = Scribe(4)
    scribe.finish()
    ledger = scribe.ledger
    with pytest.raises(Cheat) as caught:
        ledger.accept_entry(other_last_answer(scribe))
    ledger.accept_proof(caught.value.proof)
    undoing = scribe.assents(scribe.line_up(Change(caught.value.seat, Reason.CHEATED)))
    scribe.finish(0, 1, 2, 3)
    ledger.is_live = is_live
    ledger.accept_line_up(undoing)
    assert ledger.chain.is_over == is_live


def hear_ready_like_it(scribe: Scribe, peer: Peer, *seats: int, now: float) -> None:
    for seat in seats:
        own, here = peer.attempts.own, peer.facts.heres.get(seat)
        assert own is not None
        instance = here.instance if here else bytes(8)
        said = scribe.game, seat, own.attempt, own.lineup, instance
        hear_frame(peer, 1, Ready.sign(scribe.signers[seat], *said).signed, now)


@pytest.mark.parametrize(("players", "confirmed", "late"), [
    (4, (), (2, 3)), (4, (2,), (3,)), (5, (2,), (2, 4)), (5, (2, 3), (4,)),
])  # fmt: skip
def test_at_a_forked_end_who_has_not_signed_it_with_most_holds_up_those_that_go_back(
    players: int, confirmed: tuple[int, ...], late: tuple[int, ...]
) -> None:
    peer = at_the_end(scribe := Scribe(players), *range(1, players))
    for entry in (other_last_answer(scribe), *map(scribe.entry, confirmed)):
        hear_frame(peer, 1, entry.signed, 2.0)
    for now in range(2, 66):
        peer.tick(float(now))
        hear_ready_like_it(scribe, peer, *((1,) if players == 4 else (1, 3)), now=float(now))
    assert peer.absence.offered.seats == late


def test_who_is_bound_when_the_game_ends_signs_the_end_in_a_line_up_there() -> None:
    scribe = Scribe(4)
    scribe.finish()
    *before, last = scribe.log[1:]
    asked = Entry.parse(last).seat
    peer = Peer(scribe.ledger.genesis, 0, scribe.signers[0], scribe.seeds[0])
    peer.begin(0.0)
    peer.link_up(1, 0.0)
    here = Here.sign(scribe.signers[asked], scribe.game, asked, LATER)
    for signed in (*before, here.signed):
        hear_frame(peer, 1, signed, 1.0)
    hear_ready_like_it(scribe, peer, 1, 2, 3, now=1.0)
    hear_frame(peer, 1, last, 1.0)
    hear_ready_like_it(scribe, peer, 1, 2, 3, now=2.0)
    assert not peer.ledger.chain.gathered
    at_end = max(peer.ledger.line_ups.values(), key=lambda found: found.rank)
    hear_frame(
        peer, 1, at_end.signed({k: at_end.assent(scribe.signers[k]) for k in (1, 2, 3)}), 2.0
    )
    assert (peer.ledger.attempt, *peer.ledger.chain.gathered) == (at_end.attempt, 0)


@pytest.mark.parametrize("is_end", [False, True])
def test_who_is_bound_at_the_end_by_what_undoes_nothing_signs_it(is_end: bool) -> None:
    scribe = Scribe(4)
    scribe.until(rolling)
    found = scribe.line_up()
    scribe.finish()
    scribe.log.append(scribe.assents(scribe.line_up() if is_end else found, 0))
    peer = at_the_end(scribe, 1, 2, 3)
    assert (0 in peer.ledger.chain.gathered, peer.attempts.stands_still()) == (is_end, not is_end)


def test_who_has_written_the_end_and_shows_it_is_not_ready_to_undo_it() -> None:
    peer = at_the_end(scribe := Scribe(4), 1, 2, 3)
    peer.stays = True
    for seat in (1, 2):
        hear_frame(peer, 1, scribe.entry(seat).signed, 2.0)
    while peer.deadline <= 1.0 + END_SECONDS:
        peer.tick(peer.deadline)
    peer.link_up(1, 2.0 + END_SECONDS)
    hear_frame(peer, 1, other_last_answer(scribe).signed, 2.0 + END_SECONDS)
    assert peer.ledger.convicts and not peer.attempts.stands_still()
    for stop in (peer.keep_seat, peer.let_bot_play, peer.give_up):
        stop(2.0 + END_SECONDS)
        assert not peer.has_ended


def test_an_end_that_convicts_its_signer_is_the_last_record() -> None:
    scribe = Scribe(4)
    scribe.until(rolling)
    scribe.lose(3)
    peer = at_the_end(scribe, 1, 2)
    leave = Leave.sign(scribe.signers[2], scribe.game, 2, 0, 0)
    for signed in (scribe.entry(1).signed, leave.signed, scribe.entry(2).signed):
        peer.receive_frame(1, signed, 2.0)
    peer.tick(2.0)
    records = [e.signed.kind for e in peer.take_effects() if isinstance(e, AppendRecord)]
    assert peer.ledger.convicts and records[-1] is BodyKind.PLAY


def test_once_all_have_confirmed_the_end_nothing_more_is_taken_or_recorded() -> None:
    scribe = Scribe(2)
    peer = at_the_end(scribe, 1)
    peer.receive_frame(1, scribe.entry(1).signed, 2.0)
    peer.receive_frame(1, scribe.leave(1).signed, 2.0)
    peer.tick(2.0)
    records = [e.signed.kind for e in peer.take_effects() if isinstance(e, AppendRecord)]
    assert records[-1] is BodyKind.PLAY
