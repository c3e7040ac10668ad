"""A keeper that calls the others to later rounds: how far they follow, and where they meet."""

from __future__ import annotations

from kotp2p.game.vote_tally import MAX_LEADS, MAX_ROUNDS_AHEAD
from kotp2p.votes.locks import VoteLocks
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.frames import Frame
from kotp2p.wire.votes import MAX_ROUND, Vote, VoteChoice
from referee.model.answers import Seat
from tests.support.five_players import (
    SIGNERS,
    at_a_decision,
    count,
    drop,
    genesis,
    held,
    others,
)
from tests.support.wired_peers import WiredPeers
from tests.support.wishes import LATE, VOTERS, asks_late_player, wish_all_but_late


def test_voters_that_met_in_a_later_round_wait_in_no_earlier_one() -> None:
    """Each was called to a round of its own first, and none of them votes there any more."""
    ledger, gone = at_a_decision()
    me, other, third, cheat = others(gone)
    for voter, rounds in ((me, (1, 4, 5)), (other, (1, 3, 5)), (third, (1, 5)), (cheat, (4,))):
        for round_ in rounds:
            count(ledger, drop(ledger, voter, (gone,), round_))
    locks = VoteLocks(ledger, me)
    mine = {vote.round: vote for vote in ledger.tally.votes_of(me)}
    assert not locks.shown.may_still_count(mine[4])
    assert locks.shown.may_still_count(mine[5])
    locks.shown.note_objection(held(ledger, cheat, gone))
    assert not any(map(locks.shown.may_still_count, mine.values()))


def test_a_voter_that_has_not_come_to_a_later_round_itself_is_still_bound() -> None:
    """The other one may be a cheat, whose later round is too far ahead to be followed."""
    ledger, gone = at_a_decision()
    me, other, *_ = others(gone)
    mine = drop(ledger, me, (gone,), 1)
    count(ledger, mine)
    count(ledger, drop(ledger, other, (gone,), MAX_ROUND))
    assert VoteLocks(ledger, me).shown.may_still_count(mine)


def test_a_keeper_follows_one_other_so_many_times() -> None:
    ledger, gone = at_a_decision()
    me, other, third, _ = others(gone)
    count(ledger, drop(ledger, me, (gone,), 1))
    for round_ in range(2, MAX_LEADS + 2):
        count(ledger, drop(ledger, other, (gone,), round_))
        assert ledger.next_round(me, ledger.height, (gone,)) == round_
        count(ledger, drop(ledger, me, (gone,), round_))
    count(ledger, drop(ledger, other, (gone,), MAX_LEADS + 2))
    assert ledger.next_round(me, ledger.height, (gone,)) is None
    count(ledger, drop(ledger, third, (gone,), MAX_LEADS + 2))
    assert ledger.next_round(me, ledger.height, (gone,)) == MAX_LEADS + 2


def test_a_keeper_follows_about_another_matter_though_it_follows_no_more_about_this_one() -> None:
    ledger, gone = at_a_decision()
    me, other, third, _ = others(gone)
    for voter in (other, me):
        for round_ in range(1, MAX_LEADS + 2):
            count(ledger, drop(ledger, voter, (gone,), round_))
    count(ledger, drop(ledger, other, (gone,), MAX_LEADS + 2))
    assert ledger.next_round(me, ledger.height, (gone,)) is None
    both = tuple(sorted((gone, third)))
    count(ledger, drop(ledger, other, both, MAX_LEADS + 9))
    assert ledger.next_round(me, ledger.height, both) == MAX_LEADS + 9


def hand_signed(place: tuple[int, int], head: bytes, cheat: Seat, round_: int) -> Signed:
    game = genesis().id
    return Vote.sign(
        SIGNERS[cheat], game, place, head, cheat, VoteChoice.DROP, (LATE,), round_
    ).signed


def without_votes(_seat: Seat, frame: Frame) -> tuple[Frame, ...]:
    is_vote = isinstance(frame, Signed) and frame.kind is BodyKind.VOTE
    return () if is_vote else (frame,)


def test_voters_that_a_cheat_calls_to_rounds_of_their_own_meet_all_the_same() -> None:
    """Each is called further and further, until it follows no more. In the round where all are then
    the cheat has voted for one of them: the late player is out, and the game goes on."""
    table, cheat = WiredPeers(VOTERS[-1]), VOTERS[-1]
    asks_late_player(table)
    ledger = table.peers[0].ledger
    place, head = ledger.place, ledger.head

    table.tamper[cheat] = without_votes
    wish_all_but_late(table, *VOTERS)
    called = VOTERS[:-1]
    for n, seat in enumerate(called):
        rounds = range(MAX_ROUNDS_AHEAD + 1 - n, MAX_ROUND, MAX_ROUNDS_AHEAD)
        table.send(cheat, [hand_signed(place, head, cheat, r) for r in rounds[:30]], [seat])
        table.deliver()
    assert {table.peers[seat].ledger.view > 0 for seat in called} == {True}
    assert len({table.peers[seat].ledger.head for seat in called}) == 1
    assert LATE not in ledger.game.state.seats_alive()


def test_votes_of_a_cheat_about_one_matter_leave_enough_for_that_about_the_cheat() -> None:
    """The late player has not voted yet. The others are many rounds ahead of it."""
    ledger, cheat = at_a_decision()
    late, *called = others(cheat)
    far = 1 + MAX_LEADS * MAX_ROUNDS_AHEAD
    for voter in called:
        for round_ in range(1, far + 1, MAX_ROUNDS_AHEAD):
            count(ledger, drop(ledger, voter, (late,), round_))
        count(ledger, drop(ledger, voter, (cheat,), far + 1))
    moved = None
    while ledger.view == 0:
        next_round = ledger.next_round(late, ledger.height, (cheat,))
        assert next_round is not None
        moved = count(ledger, drop(ledger, late, (cheat,), next_round))
    assert moved is not None
    assert [found.seats for found in moved.dropped] == [(cheat,)]
