"""What a seat shows of its past to those that tell of another one (PROTOCOL.md 9.1 R5)."""

from kotp2p.game.ledger import Ledger
from kotp2p.mesh.gossip import Forks, Gossip, SendFrame
from kotp2p.mesh.reachability import Reachability
from kotp2p.referee.model.answers import Seat
from kotp2p.wire.entries import Signed
from tests.support.five_players import at_a_decision, owes


def forks() -> Forks:
    """Of seat 0, with links to 1 and 2."""
    reachability = Reachability(0)
    for seat in (1, 2):
        reachability.add_link(seat, 0.0)
    ledger, _ = at_a_decision()
    return Forks(ledger, Gossip(ledger, reachability))


def shown(forks: Forks, source: Seat) -> dict[Seat, list[Signed]]:
    """The bodies that go over each link when `source` tells of another past."""
    forks.answer_fork(source, forks.ledger.height)
    sent = [effect for effect in forks.gossip.effects if isinstance(effect, SendFrame)]
    forks.gossip.effects.clear()
    return {
        link: [e.frame for e in sent if e.seat == link and isinstance(e.frame, Signed)]
        for link in (1, 2)
    }


def go_on(ledger: Ledger) -> Signed:
    (seat,) = ledger.owing_seats()
    entry = owes(ledger, seat)
    ledger.accept_entry(entry)
    return entry.signed


def test_all_are_shown_a_body_once_and_the_one_that_tells_each_time() -> None:
    """A cheat that told of another past at each height once filled all links."""
    table = forks()
    before = shown(table, 1)
    assert len(before[1]) > 5
    assert before[2] == before[1]
    news = go_on(table.ledger)
    behind = shown(table, 1)
    assert behind[2] == [news]
    assert behind[1] == [*before[1], news]
    assert shown(table, 2) == {1: [], 2: behind[1]}


def test_a_fork_is_answered_once_for_each_head_of_this_seat() -> None:
    table = forks()
    assert shown(table, 1)[1]
    assert shown(table, 1) == {1: [], 2: []}
