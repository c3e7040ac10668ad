"""A vote that lacks absent keepers alone, and the seat that is accused answers after all.

The usual way to that: all want to go on without a late player, and the machine of one of them stops
before it has signed its vote. The step asks that one for nothing, so no vote could be about it.
"""

from __future__ import annotations

import pytest

from kotp2p.game.steps import Gather, Solo
from kotp2p.notices import Waiting
from kotp2p.votes.stances import Act
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.frames import Frame
from kotp2p.wire.intents import IntentKind
from kotp2p.wire.votes import Vote, VoteChoice
from referee.model.answers import Seat
from tests.support.five_players import SIGNERS, genesis, out_of_turn
from tests.support.hearing import hear_frame
from tests.support.wired_peers import WiredPeers
from tests.support.wishes import LATE, VOTERS, asks_late_player, wait_for_vote, wish_all_but_late

DEAD: Seat = 4
HERE: tuple[Seat, ...] = (0, 1, 2)
PLAYING = (*HERE, LATE)


def voted_without_dead_one() -> WiredPeers:
    """Three of the four have voted about the late player. The machine of the fourth, which wanted
    it too, has stopped before its vote."""
    table = WiredPeers(DEAD)
    asks_late_player(table)
    wish_and_die(table)
    return table


def wish_and_die(table: WiredPeers) -> None:
    wish_all_but_late(table, *VOTERS[:-2], DEAD)
    table.unplug(DEAD)
    wish_all_but_late(table, HERE[-1])


def voted_without_silent_one() -> WiredPeers:
    """The fourth is there, and tells nobody its vote."""
    table = WiredPeers(DEAD)
    asks_late_player(table)
    table.tamper[DEAD] = nothing
    table.peers[DEAD].declare_intent(IntentKind.DROP, table.now)
    intent = table.peers[DEAD]._voting.intents.newest[DEAD].signed
    table.send(DEAD, [intent])
    wish_all_but_late(table, *HERE)
    return table


def nothing(_seat: Seat, _frame: Frame) -> tuple[Frame, ...]:
    return ()


def answer_late(table: WiredPeers) -> None:
    table.silent = set()
    table.answer()
    table.wait(2)


def places(table: WiredPeers, seats: tuple[Seat, ...] = HERE) -> set[tuple[int, int]]:
    return {table.peers[seat].ledger.place for seat in seats}


def play_and_wish(table: WiredPeers, seconds: int = 600) -> None:
    """The players that are there are asked about the dead one alone, however long they think about
    it. Then all want to go on without that one."""
    table.play(lambda: asks_about_dead(table) or is_out(table), seconds)
    for _ in range(200):
        if is_out(table):
            return
        assert asks_about_dead(table)
        table.wait(1)
    for seat in PLAYING:
        table.wish(seat, IntentKind.DROP)
    table.play(lambda: is_out(table), 2)


def asks_about_dead(table: WiredPeers) -> bool:
    return {table.open_vote(seat) for seat in PLAYING} == {(DEAD,)}


def is_out(table: WiredPeers) -> bool:
    alive = [table.peers[seat].ledger.game.state.seats_alive() for seat in PLAYING]
    return all(DEAD not in seats for seats in alive)


def waits_for(table: WiredPeers, seat: Seat) -> tuple[Seat, ...]:
    """What a seat was told last about what the game waits for."""
    return [shown.seats for shown in table.shown[seat] if isinstance(shown, Waiting)][-1]


def go_on(table: WiredPeers, heights: int = 9) -> None:
    """All that are there come further by so many heights."""
    goal = max(table.peers[seat].ledger.height for seat in PLAYING) + heights
    table.play(lambda: all(table.peers[s].ledger.height >= goal for s in PLAYING))


def test_a_dead_machine_that_owes_its_vote_holds_nobody_up() -> None:
    """The late player is back and stays. The dead one is voted out where it is next asked."""
    table = voted_without_dead_one()
    answer_late(table)
    play_and_wish(table)
    alive = {*table.peers[0].ledger.game.state.seats_alive()}
    assert LATE in alive
    go_on(table)


def test_a_dead_machine_holds_nobody_up_that_was_late_with_its_part_of_a_draw() -> None:
    """The dead one has signed its own part, so that draw does not wait for it either."""
    table = WiredPeers(DEAD, LATE)
    kept: list[Frame] = []

    def keeps_back(_seat: Seat, frame: Frame) -> tuple[Frame, ...]:
        if isinstance(frame, Signed) and frame.kind is BodyKind.PLAY:
            kept.append(frame)
            return ()
        return (frame,)

    ledger = table.peers[0].ledger
    table.play(lambda: ledger.height > 6 and isinstance(ledger.step, Solo))
    table.tamper[LATE] = keeps_back
    table.play(lambda: isinstance(ledger.step, Gather) and ledger.owing_seats() == (LATE,))
    height = ledger.height
    wait_for_vote(table)
    wish_and_die(table)
    del table.tamper[LATE]
    table.send(LATE, kept[-1:])
    table.wait(40)
    assert all(table.peers[seat].ledger.height > height for seat in HERE)
    play_and_wish(table)
    assert LATE in ledger.game.state.seats_alive()
    go_on(table)


def test_a_keeper_that_leaves_and_keeps_its_vote_back_holds_nobody_up() -> None:
    """Its farewell names the round, so that its vote may still be on the way."""
    table = voted_without_silent_one()
    answer_late(table)
    view, height = table.peers[0].ledger.place
    said = Farewell.sign(SIGNERS[DEAD], genesis().id, DEAD, view, height + 1, (1,))
    table.send(DEAD, [said.signed])
    table.wait(1)
    table.unplug(DEAD)
    play_and_wish(table)
    go_on(table)


def test_a_convict_that_keeps_its_vote_back_holds_nobody_up() -> None:
    table = voted_without_silent_one()
    answer_late(table)
    table.send(DEAD, [out_of_turn(table.peers[0].ledger, DEAD).signed])
    play_and_wish(table)
    go_on(table)


def test_while_the_last_voter_is_there_its_answer_is_waited_for() -> None:
    """It votes or objects within a moment. Nothing is taken that its vote would undo."""
    table = voted_without_silent_one()
    before = places(table)
    answer_late(table)
    assert places(table) == before


@pytest.mark.parametrize("is_far", [False, True], ids=["at once", "behind some answers"])
def test_the_vote_of_a_machine_that_is_back_counts_until_the_next_gather(is_far: bool) -> None:
    """All go back to where they have voted, and the late player is out."""
    table = voted_without_dead_one()
    ledger = table.peers[0].ledger
    (view, height), head = ledger.place, ledger.head
    answer_late(table)
    table.wait(40)
    assert all(place > (view, height) for place in places(table))
    if is_far:
        for _ in range(60):
            table.answer()
            table.wait(1)
    late: Signed = Vote.sign(
        SIGNERS[DEAD], genesis().id, (view, height), head, DEAD, VoteChoice.DROP, (LATE,), 1
    ).signed
    for seat in PLAYING:
        hear_frame(table.peers[seat], HERE[0] if seat else HERE[1], late, table.now)
    table.wait(1)
    assert {place[0] for place in places(table, PLAYING)} == {view + 1}
    assert LATE not in ledger.game.state.seats_alive()


def test_nobody_opens_in_a_gather_while_the_vote_of_the_dead_one_may_come() -> None:
    """With that gather closed there would be no way back."""
    table = voted_without_dead_one()
    answer_late(table)
    table.wait(40)
    for _ in range(60):
        table.answer()
        table.wait(1)
    for seat in HERE:
        peer = table.peers[seat]
        assert peer._voting.locks.forbids(Act.SIGN_ENTRY)
        assert {*HERE, DEAD} <= {*peer.ledger.owing_seats()}
        assert waits_for(table, seat) == (DEAD,)
    late = table.peers[LATE]
    assert not late._voting.locks.forbids(Act.SIGN_ENTRY)
    assert {*late.ledger.chain.gathered} == {LATE}
