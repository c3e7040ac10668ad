"""A player says farewell from a later place: all others can still go on, with what a cheat has told
the leaver alone, and without those that are missed here."""

from __future__ import annotations

from kotp2p.absence_notices import Gone
from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Gather, Solo
from kotp2p.mesh.effects import ShowNotice
from kotp2p.votes.voting import Voting
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.frames_game import Links
from kotp2p.wire.intents import IntentKind
from kotp2p.wire.votes import Vote, VoteChoice
from kotp2p.wishes.clocks import Owing
from referee.model.answers import Seat
from tests.support.five_players import PEOPLE, SIGNERS, drop, genesis, owes, sitting
from tests.support.hearing import hear_frame
from tests.support.hostile_seats import MALLORY, NOW, OTHER
from tests.support.hostile_seats import genesis as small_genesis
from tests.support.hostile_seats import peer as small_peer
from tests.support.wired_peers import WiredPeers
from tests.tools.vector_table import SEATS

OTHER_LEAVER, MISSED, LEAVER = 2, 3, 4
EVERY_ROUND = range(1, 65)


def waits_for_missed() -> WiredPeers:
    """All but one have opened, and nothing more comes of that one."""
    table = WiredPeers(MISSED, LEAVER)
    table.tamper[MISSED] = lambda _seat, _frame: ()
    table.play(lambda: table.peers[0].ledger.owing_seats() == (MISSED,))
    assert isinstance(table.peers[0].ledger.step, Gather)
    return table


def open_votes(table: WiredPeers) -> set[tuple[Seat, ...]]:
    return {table.peers[seat]._voting.intents.open_vote for seat in table.honest}


def goes_on_without_both(table: WiredPeers) -> bool:
    """The three of five that are there want to go on, once they may."""
    table.play(lambda: open_votes(table) == {(MISSED, LEAVER)})
    for seat in table.honest:
        table.peers[seat].declare_intent(IntentKind.DROP, table.now)
        table._perform(seat)
    table.play_on(6)
    table.check_honest()
    return not table.alive() & {MISSED, LEAVER}


def test_who_has_opened_and_leaves_holds_up_no_vote_about_who_has_not() -> None:
    """The farewell is from behind that gather, so it is as good as no vote there."""
    table = waits_for_missed()
    here = table.peers[0].ledger.place
    table.peers[LEAVER].leave_game(table.now)
    table._perform(LEAVER)
    table.deliver()
    assert table.peers[0].ledger.farewells[LEAVER].place > here
    assert goes_on_without_both(table)


def test_a_farewell_from_the_far_future_that_names_every_round_holds_up_no_vote() -> None:
    table = waits_for_missed()
    farewell = Farewell.sign(SIGNERS[LEAVER], genesis().id, LEAVER, 0, 900_000, EVERY_ROUND)
    table.send(LEAVER, [farewell.signed])
    table.tamper[LEAVER] = lambda _seat, _frame: ()
    assert goes_on_without_both(table)


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
        table.peers[leaver].leave_game(table.now)
        table._perform(leaver)
    return table


def test_what_a_cheat_has_told_a_leaver_alone_is_missed_by_nobody() -> None:
    table = tells_leavers_alone(LEAVER)
    missed_at = table.peers[0].ledger.height
    table.deliver()
    assert table.heights()[0] > missed_at
    table.check_honest()


def test_two_leavers_that_a_cheat_has_told_its_part_leave_a_majority_of_three() -> None:
    """One step earlier, where neither of them has left yet, the last two honest would be two of
    five."""
    table = tells_leavers_alone(LEAVER, OTHER_LEAVER)
    table.play(lambda: open_votes(table) == {(MISSED,)})
    for seat in table.honest:
        table.peers[seat].declare_intent(IntentKind.DROP, table.now)
        table._perform(seat)
    table.play_on(6)
    table.check_honest()
    assert table.alive() == {0, 1}


def test_votes_against_all_that_have_opened_hold_up_no_vote() -> None:
    """Each seat once promised to spare all that a cheat had voted against, and kept that."""
    table = waits_for_missed()
    place, head = table.peers[0].ledger.place, table.peers[0].ledger.head
    for round_, accused in enumerate([(LEAVER,), (0, 1, 2, LEAVER), (1, 2, LEAVER)], 1):
        game, drop_ = genesis().id, VoteChoice.DROP
        vote = Vote.sign(SIGNERS[MISSED], game, place, head, MISSED, drop_, accused, round_)
        table.send(MISSED, [vote.signed])
    table.deliver()
    table.peers[LEAVER].leave_game(table.now)
    table._perform(LEAVER)
    assert goes_on_without_both(table)


def test_who_leaves_later_and_has_voted_here_is_not_voted_out() -> None:
    """Its vote counts, and without it the others may be too few."""
    ledger = Ledger(genesis())
    for seat in range(PEOPLE):
        if seat != MISSED:
            ledger.accept_entry(owes(ledger, seat))
    ledger.accept_farewell(Farewell.sign(SIGNERS[LEAVER], genesis().id, LEAVER, 0, 1, (1,)))
    voting = sitting(ledger, 0)
    voting.clocks.gone_since[MISSED] = 0.0
    voting.clocks.update(Owing(ledger.place, ledger.owing_seats(), 0, 0, False), 100.0)
    assert open_vote_of(voting) == (MISSED, LEAVER)
    ledger.accept_vote(drop(ledger, LEAVER, (MISSED,), 1))
    assert open_vote_of(voting) == (MISSED,)


def open_vote_of(voting: Voting) -> tuple[Seat, ...]:
    voting.intents.update_open_vote(100.0)
    return voting.intents.open_vote


def test_who_owes_something_here_is_missed_though_it_leaves_later() -> None:
    """Where the table has no clocks, nobody could ever vote about it otherwise."""
    found, ahead = small_peer(), 900_000
    assert MALLORY in found.ledger.owing_seats()
    farewell = Farewell.sign(SEATS[MALLORY], small_genesis().id, MALLORY, 0, ahead)
    hear_frame(found, MALLORY, farewell.signed, NOW)
    found.link_down(MALLORY, NOW)
    hear_frame(found, OTHER, Links((0,)), NOW)
    shown = set()
    for second in range(40):
        found.tick(NOW + second)
        shown |= {e.notice for e in found.take_effects() if isinstance(e, ShowNotice)}
    assert [n.seat for n in shown if isinstance(n, Gone)].count(MALLORY) == 1
