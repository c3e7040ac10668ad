"""A player gives up at a later place than the others: they go on with what a cheat has told the
leaver alone, and without the keepers that are missed."""

import pytest

from kotp2p.game.steps import Gather, Solo
from kotp2p.mesh.gossip import ShowNotice
from kotp2p.referee.model.answers import Pass, Reroll, Seat
from kotp2p.seams.notices import Gone
from kotp2p.wire.entries import Answering, Entry
from kotp2p.wire.frames import Links
from kotp2p.wire.lineups import CheatProof, Leave, LineUp
from tests.support.five_players import SIGNERS, genesis
from tests.support.hearing import hear_frame
from tests.support.hostile_seats import MALLORY, NOW, OTHER
from tests.support.hostile_seats import genesis as small_genesis
from tests.support.hostile_seats import peer as small_peer
from tests.support.wired_peers import WiredPeers
from tests.tools.vector_table import SEATS

OTHER_LEAVER, MISSED, LEAVER = 2, 3, 4


def waits_for_missed() -> WiredPeers:
    table = WiredPeers(MISSED, LEAVER)
    table.tamper[MISSED] = lambda _seat, _frame: ()
    table.play(lambda: table.peers[0].ledger.owing_seats() == (MISSED,))
    assert isinstance(table.peers[0].ledger.step, Gather)
    return table


def goes_on_without_both(table: WiredPeers) -> bool:
    """The three of five that are there want to go on, once they may."""
    table.play(lambda: all(MISSED in table.offered(seat) for seat in table.honest))
    table.go_on()
    table.play_on(6)
    table.check_honest()
    return not table.members() & {MISSED, LEAVER}


def test_a_player_who_has_opened_and_leaves_holds_up_nobody() -> None:
    table = waits_for_missed()
    table.leave(LEAVER)
    table.deliver()
    assert goes_on_without_both(table)
    assert LEAVER not in table.alive()


def test_a_farewell_from_the_far_future_holds_up_nobody() -> None:
    """It says that its keeper has assented to line-ups that never come."""
    table = waits_for_missed()
    farewell = Leave.sign(SIGNERS[LEAVER], genesis().id, LEAVER, 0, 900_000)
    table.send(LEAVER, [farewell.signed])
    table.tamper[LEAVER] = lambda _target, _frame: ()
    assert goes_on_without_both(table)


def test_assents_against_all_that_have_opened_hold_up_nobody() -> None:
    table = waits_for_missed()
    ledger, key = table.peers[0].ledger, SIGNERS[MISSED]
    for attempt in range(1, 4):
        lineup = lone_line_up(attempt, (ledger.height, ledger.head))
        table.send(MISSED, [lineup.signed({MISSED: lineup.assent(key)})])
    table.deliver()
    table.leave(LEAVER)
    assert goes_on_without_both(table)


def lone_line_up(attempt: int, base: tuple[int, bytes]) -> LineUp:
    game = genesis().id
    return LineUp.build(game, attempt, game, base, bytes(32), (), None)


def tells_leavers_alone(*leavers: Seat) -> WiredPeers:
    """A cheat has shown its part of a gather to those alone that leave now, before their heads
    could tell anybody how far they are. It says nothing more."""
    table = WiredPeers(MISSED, *leavers)
    ledgers = [peer.ledger for peer in table.peers]
    table.play(lambda: isinstance(ledgers[0].step, Solo))
    table.tamper[MISSED] = lambda seat, frame: (frame,) if seat in leavers else ()
    table.play(
        lambda: (
            ledgers[0].owing_seats() == (MISSED,)
            and all(ledgers[leaver].height == ledgers[0].height + 1 for leaver in leavers)
        )
    )
    table.tamper[MISSED] = lambda _seat, _frame: ()
    for leaver in leavers:
        table.leave(leaver)
    return table


def test_what_a_cheat_has_told_a_leaver_alone_is_missed_by_nobody() -> None:
    table = tells_leavers_alone(LEAVER)
    missed_at = table.peers[0].ledger.height
    table.deliver()
    table.wait(5)
    assert table.heights()[0] > missed_at
    table.check_honest()


def test_two_leavers_that_a_cheat_has_told_its_part_leave_a_majority_of_three() -> None:
    """Two of the five have left for good, so two of three may go on without the cheat."""
    table = tells_leavers_alone(LEAVER, OTHER_LEAVER)
    table.play(lambda: all(table.offered(seat) == (MISSED,) for seat in table.honest))
    table.go_on()
    table.play_on(6)
    table.check_honest()
    assert table.members() == {0, 1}
    assert not table.alive() & {LEAVER, OTHER_LEAVER}


def test_a_player_who_owes_something_here_is_missed_though_a_farewell_names_later_line_ups() -> (
    None
):
    found = small_peer()
    assert MALLORY in found.ledger.owing_seats()
    farewell = Leave.sign(SEATS[MALLORY], small_genesis().id, MALLORY, 0, 900_000)
    hear_frame(found, MALLORY, farewell.signed, NOW)
    found.link_down(MALLORY, NOW)
    hear_frame(found, OTHER, Links((0,)), NOW)
    shown = set()
    for second in range(40):
        found.tick(NOW + second)
        shown |= {e.notice for e in found.take_effects() if isinstance(e, ShowNotice)}
    assert [n.seat for n in shown if isinstance(n, Gone)].count(MALLORY) == 1


# -- forking leavers -------------------------------------------------------------------------------

# A cheat that leaves twice, each time as of another line-up, and hides it behind another proof.


FORKER = 3


def height_before_its_turn() -> int:
    """Another seat is asked alone there, and Mallory alone after it."""
    table = WiredPeers()
    table.play(lambda: table.heights()[0] > 40)
    asked = [start.asked for start in table.peers[0].ledger.chain.starts]
    return next(
        height
        for height, seats in enumerate(asked)
        if len(seats) == 1 and seats != (FORKER,) and asked[height + 1] == (FORKER,)
    )


@pytest.mark.parametrize("is_hidden", [False, True])
def test_two_farewells_part_nobody_though_the_cheat_has_signed_two_entries_where_it_was_not_asked(
    is_hidden: bool,
) -> None:
    height, game, key = height_before_its_turn(), genesis().id, SIGNERS[FORKER]
    table = WiredPeers(FORKER)
    table.play(lambda: table.heights() == [height] * len(table.honest))
    table.silent, table.tamper[FORKER] = {FORKER}, lambda _target, _frame: ()
    head = table.peers[0].ledger.head
    answers = [
        Entry.sign(key, 0, height, head, FORKER, Answering(answer)).signed
        for answer in (Pass(), Reroll((0,)))
    ]
    if is_hidden:
        table.send(FORKER, [CheatProof(tuple(answers)).signed])
        table.deliver()
    for attempt, hearers in ((0, table.honest[::2]), (1, table.honest[1::2])):
        farewell = Leave.sign(key, game, FORKER, 0, attempt)
        table.send(FORKER, [farewell.signed], hearers)
    table.deliver()
    table.play_on(10)
    table.check_honest()
    table.check_convicted(FORKER)
    ledgers = [table.peers[seat].ledger for seat in table.honest]
    assert len({ledger.roster.lineup for ledger in ledgers}) == 1
