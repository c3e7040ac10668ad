"""What a seat has decided and perhaps nobody has heard waits for the head of the other side, and
until its process could decide anew."""

from __future__ import annotations

from kotp2p.endings import EndKind
from kotp2p.game.steps import Solo
from kotp2p.membership.rejoin import BELIEVE_CLAIM_SECONDS, OLDER_STOPS_SECONDS
from kotp2p.mesh.effects import AppendRecord, EndPeer, SendFrame
from kotp2p.peer.peer import Peer
from kotp2p.wire.entries import Answering, BodyKind, Entry, Head, Signed
from kotp2p.wire.frames_game import Want
from kotp2p.wire.votes import Vote, VoteChoice
from referee.model.answers import Reroll
from tests.support.five_players import (
    SEEDS,
    SIGNERS,
    at_a_decision,
    drop,
    genesis,
    hear_all,
    others,
    owes,
)
from tests.support.hearing import hear_frame
from tests.support.scribe import Scribe

NEWER = bytes((0, 0, 0, 9, 5, 5, 5, 5))


def alone_with_an_answer() -> tuple[Peer, Signed]:
    """A peer that has answered while it had no link, and has opened its part of the next draw."""
    ledger, me = at_a_decision()
    peer = Peer(genesis(), me, SIGNERS[me], SEEDS[me], ledger)
    hear_all(peer, SIGNERS)
    peer.accept_answer(ledger.place, Reroll((0,)), 1.0)
    (answer,) = [e.signed for e in peer.take_effects() if isinstance(e, AppendRecord)][:1]
    return peer, answer


def back_with_an_answer() -> tuple[Peer, Signed, Entry]:
    """A peer that has just returned to a log with an answer that nobody builds on, and another
    answer that an older process of its seat might have given there."""
    ledger, me = at_a_decision()
    place, before = ledger.place, ledger.head
    answer = owes(ledger, me)
    ledger.accept_entry(answer)
    peer = Peer(genesis(), me, SIGNERS[me], SEEDS[me], ledger)
    peer.begin(0.0)
    rival = Answering(Reroll((0,)))
    return (
        peer,
        answer.signed,
        Entry.sign(SIGNERS[me], genesis().id, *place, before, me, rival),
    )


def sent(peer: Peer, to: int) -> list[Signed]:
    found = [e.frame for e in peer.take_effects() if isinstance(e, SendFrame) and e.seat == to]
    return [frame for frame in found if isinstance(frame, Signed)]


def head(seat: int, place: tuple[int, int], before: bytes, instance: bytes = bytes(8)) -> Signed:
    return Head(seat, *place, before, instance).sign(SIGNERS[seat], genesis().id)


def test_an_answer_that_nobody_builds_on_follows_the_first_head_of_a_new_link() -> None:
    peer, answer = alone_with_an_answer()
    here, there = others(peer.seat)[:2]
    for link in (here, there):
        peer.link_up(link, 2.0)
    place = Entry.parse(answer).height
    assert answer not in sent(peer, here)
    hear_frame(peer, here, Want(place), 2.5)  # nor on request
    hear_frame(peer, there, head(here, (0, place), peer.ledger.heads[place]), 2.5)  # another's
    assert answer not in sent(peer, here)
    hear_frame(peer, here, head(here, (0, place), peer.ledger.heads[place]), 3.0)
    effects = peer.take_effects()
    assert [e.seat for e in effects if isinstance(e, SendFrame) and e.frame == answer] == [here]


def test_what_stands_behind_such_an_answer_waits_with_it() -> None:
    """An opening behind it names a head that only this answer has."""
    peer, answer = alone_with_an_answer()
    opening = peer.ledger.chain.find_entry(peer.ledger.height, peer.seat)
    assert opening is not None
    here = others(peer.seat)[0]
    peer.link_up(here, 2.0)
    assert not {answer, opening.signed} & set(sent(peer, here))
    place = Entry.parse(answer).height
    hear_frame(peer, here, head(here, (0, place), peer.ledger.heads[place]), 3.0)
    assert {answer, opening.signed} <= set(sent(peer, here))


def test_a_seat_that_has_come_past_it_never_gets_it() -> None:
    """It has this answer, or another one."""
    peer, answer = alone_with_an_answer()
    here = others(peer.seat)[0]
    peer.link_up(here, 2.0)
    height = Entry.parse(answer).height + 1
    hear_frame(peer, here, head(here, (0, height), bytes(32)), 3.0)  # a fork, too
    hear_frame(peer, here, Want(height - 1), 4.0)
    hear_frame(peer, here, head(here, (0, height), peer.ledger.heads[height]), 5.0)
    assert answer not in sent(peer, here)


def test_what_somebody_builds_on_goes_at_once() -> None:
    peer, answer = alone_with_an_answer()
    ledger = peer.ledger
    while ledger.owing_seats()[0] == peer.seat:
        ledger.accept_entry(owes(ledger, peer.seat))
    ledger.accept_entry(owes(ledger, ledger.owing_seats()[0]))
    here = others(peer.seat)[0]
    peer.link_up(here, 2.0)
    assert answer in sent(peer, here)


def test_an_answer_of_a_bot_that_its_keeper_alone_builds_on_waits_as_well() -> None:
    """Both are one process, which nobody else may have heard."""
    scribe = Scribe(4, bots=2)
    scribe.until(lambda ledger: ledger.step in (Solo(2), Solo(3)))
    bot, place = scribe.ledger.owing_seats()[0], scribe.ledger.height
    answer = scribe.entry(bot)
    scribe.take(answer)
    scribe.until(lambda ledger: 0 in ledger.owing_seats())
    opening = scribe.entry(0)
    scribe.take(opening)
    game = scribe.ledger.genesis
    peer = Peer(game, 0, scribe.signers[0], scribe.seeds[0], scribe.ledger)
    hear_all(peer, scribe.signers)
    peer.link_up(1, 1.0)
    assert not {answer.signed, opening.signed} & set(sent(peer, 1))
    theirs = Head(1, 0, place, scribe.ledger.heads[place], bytes(8))
    hear_frame(peer, 1, theirs.sign(scribe.signers[1], game.id), 2.0)
    assert {answer.signed, opening.signed} <= set(sent(peer, 1))


def test_a_vote_follows_the_first_head_of_a_new_link() -> None:
    ledger, asked = at_a_decision()
    me, here = others(asked)[:2]
    vote = drop(ledger, me, (asked,), 1)
    ledger.accept_vote(vote)
    peer = Peer(genesis(), me, SIGNERS[me], SEEDS[me], ledger)
    hear_all(peer, SIGNERS)
    peer.link_up(here, 1.0)
    assert vote.signed not in sent(peer, here)
    hear_frame(peer, here, head(here, ledger.place, ledger.head), 2.0)
    assert vote.signed in sent(peer, here)


def test_a_process_that_slept_tells_nobody_what_it_has_decided_beside_a_newer_one() -> None:
    """The others say first of all on a new link that there is a newer process."""
    peer, answer = alone_with_an_answer()
    here = others(peer.seat)[0]
    peer.link_up(here, 2.0)
    hear_frame(peer, here, head(peer.seat, peer.ledger.place, bytes(32), NEWER), 2.5)
    effects = peer.take_effects()
    assert EndPeer(EndKind.ELSEWHERE) in effects
    assert answer not in [e.frame for e in effects if isinstance(e, SendFrame)]


def test_what_was_not_written_yet_when_a_newer_process_is_heard_of_is_taken_back() -> None:
    """An answer and a head that come in one batch: nothing of the answer leaves, or is written."""
    ledger, me = at_a_decision()
    peer = Peer(genesis(), me, SIGNERS[me], SEEDS[me], ledger)
    peer.own.has_decided = True
    peer.begin(0.0)
    here = others(me)[0]
    peer.link_up(here, 0.0)
    newer = head(me, ledger.place, ledger.head, NEWER)
    peer.take_effects()
    payload = owes(ledger, me).payload
    assert isinstance(payload, Answering)
    peer.accept_answer(ledger.place, payload.answer, 1.0)
    hear_frame(peer, here, newer, 1.0)
    effects = peer.take_effects()
    assert not [e for e in effects if isinstance(e, AppendRecord | SendFrame)]
    assert EndPeer(EndKind.ELSEWHERE) in effects


def test_a_process_that_is_back_stops_for_an_answer_that_excludes_its_own() -> None:
    """Its log has one that nobody had heard, as its machine had lost its power then. An older
    process has decided just now, and those who have not heard it yet must not hear the first."""
    peer, answer, rival = back_with_an_answer()
    seats = others(peer.seat)
    here = seats[0]
    peer.link_up(here, 0.0)
    for seat in seats:  # all are still at its place
        told = head(seat, (0, rival.height), peer.ledger.heads[rival.height])
        hear_frame(peer, here, told, 1.0)
    peer.tick(0.9 + OLDER_STOPS_SECONDS)
    hear_frame(peer, here, rival.signed, 0.9 + OLDER_STOPS_SECONDS)
    effects = peer.take_effects()
    assert EndPeer(EndKind.ELSEWHERE) in effects
    assert answer not in [e.frame for e in effects if isinstance(e, SendFrame)]


def test_a_process_that_is_back_tells_its_answer_once_it_could_decide_anew() -> None:
    peer, answer, rival = back_with_an_answer()
    seats = others(peer.seat)
    here = seats[0]
    peer.link_up(here, 0.0)
    for seat in seats:
        told = head(seat, (0, rival.height), peer.ledger.heads[rival.height])
        hear_frame(peer, here, told, 1.0)
    assert answer not in sent(peer, here)
    assert peer.deadline <= 1.0 + OLDER_STOPS_SECONDS
    peer.tick(1.0 + OLDER_STOPS_SECONDS)
    assert answer in sent(peer, here)


def test_a_process_that_is_back_keeps_its_answer_back_while_somebody_claims_to_be_further() -> None:
    """They have this answer, or another one, which comes here first."""
    peer, answer, rival = back_with_an_answer()
    seats = others(peer.seat)
    here, further = seats[:2]
    peer.link_up(here, 0.0)
    for seat in seats:
        told = head(seat, (0, rival.height + 9 * (seat == further)), bytes(32))
        hear_frame(peer, here, told, 1.0)
    peer.tick(1.0 + OLDER_STOPS_SECONDS)
    assert answer not in sent(peer, here)
    peer.tick(1.0 + BELIEVE_CLAIM_SECONDS)
    assert answer in sent(peer, here)


def test_a_process_that_is_back_stops_for_a_vote_that_excludes_its_own() -> None:
    ledger, asked = at_a_decision()
    me, here, third = others(asked)[:3]
    ledger.accept_vote(drop(ledger, me, (asked,), 1))
    peer = Peer(genesis(), me, SIGNERS[me], SEEDS[me], ledger)
    peer.begin(0.0)
    peer.link_up(here, 0.0)
    forgotten = drop(ledger, me, (third,), 2)
    hear_frame(peer, here, forgotten.signed, 1.0)
    assert not peer.has_ended
    rival = drop(ledger, me, (third,), 1)
    assert rival.signed.kind is BodyKind.VOTE
    hear_frame(peer, here, rival.signed, 1.0)
    assert EndPeer(EndKind.ELSEWHERE) in peer.take_effects()


def test_a_vote_of_another_past_is_answered_again_over_a_new_link() -> None:
    """Its voter may have lost the answer: what this copy has of the accused."""
    ledger, asked = at_a_decision()
    me, here = others(asked)[:2]
    answer, elsewhere = owes(ledger, asked), bytes(32)
    choice = (VoteChoice.DROP, (asked,), 1)
    vote = Vote.sign(SIGNERS[here], genesis().id, ledger.place, elsewhere, here, *choice)
    ledger.accept_entry(answer)
    peer = Peer(genesis(), me, SIGNERS[me], SEEDS[me], ledger)
    peer.begin(0.0)
    peer.link_up(here, 0.0)
    peer.take_effects()
    for is_new_link, is_answered in ((False, True), (False, False), (True, True), (False, False)):
        if is_new_link:
            peer.link_down(here, 1.0)
            peer.link_up(here, 1.0)
            peer.take_effects()
        hear_frame(peer, here, vote.signed, 1.0)
        assert (answer.signed in sent(peer, here)) is is_answered


def test_all_entries_that_came_too_early_are_taken_once_their_place_is_reached() -> None:
    ledger, asked = at_a_decision()
    me = others(asked)[0]
    peer = Peer(genesis(), me, SIGNERS[me], SEEDS[me], at_a_decision()[0])
    hear_all(peer, SIGNERS)
    for link in others(me):
        peer.link_up(link, 0.0)
    entries: list[Entry] = []
    while len({entry.height for entry in entries}) < 4:
        for seat in ledger.owing_seats():
            entry = owes(ledger, seat)
            ledger.accept_entry(entry)
            entries += [entry] * (seat != me)
    first, *later = entries
    for entry in later:
        hear_frame(peer, entry.seat, entry.signed, 1.0)
    assert peer.ledger.height == first.height
    hear_frame(peer, asked, first.signed, 1.0)
    assert peer.ledger.height == later[-1].height + 1
