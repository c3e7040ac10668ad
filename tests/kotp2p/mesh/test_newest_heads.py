"""What goes to whom while two processes of one seat may be there (PROTOCOL.md 9.10)."""

from __future__ import annotations

import pytest

from kotp2p.game.ledger import Ledger
from kotp2p.mesh.effects import SendFrame
from kotp2p.mesh.gossip import Gossip
from kotp2p.mesh.newest_heads import CHANGING_SECONDS, NewestHeads
from kotp2p.mesh.reachability import Reachability
from kotp2p.wire.entries import Head
from referee.model.answers import Seat
from tests.support.five_players import SIGNERS, genesis, owes

OLDER, NEWER = bytes(8), b"\1" + bytes(7)


@pytest.fixture
def heads() -> NewestHeads:
    """Of seat 0, with links to 1, 2 and 3; seats 1 and 3 hear each other."""
    reachability = Reachability(0)
    reachability.start_clocks(len(SIGNERS), 0.0)
    for seat in (1, 2, 3):
        reachability.add_link(seat, 0.0)
    reachability.learn_links(3, (0, 1))
    return NewestHeads(Gossip(Ledger(genesis()), reachability))


def hears(heads: NewestHeads, instance: bytes, now: float) -> None:
    """A head of seat 1."""
    heads.gossip.budgets.now = now
    head = Head(1, 0, 0, genesis().id, instance, 1)
    heads.note_head(1, head, head.sign(SIGNERS[1], genesis().id))
    heads.gossip.effects.clear()


def told(heads: NewestHeads, source: Seat, now: float) -> list[Seat]:
    """The seats to which an entry of seat 1 is passed on."""
    heads.gossip.budgets.now = now
    heads.relay_entry(source, owes(heads.gossip.ledger, 1))
    found = [effect.seat for effect in heads.gossip.effects if isinstance(effect, SendFrame)]
    heads.gossip.effects.clear()
    return found


def test_an_entry_goes_to_those_alone_that_cannot_hear_its_author(heads: NewestHeads) -> None:
    hears(heads, OLDER, 0.0)
    assert told(heads, 1, 1.0) == [2]


def test_an_entry_goes_to_all_while_an_older_process_may_be_there(heads: NewestHeads) -> None:
    """Also to those that hear its author: that may be the other process. And to the author."""
    hears(heads, OLDER, 0.0)
    hears(heads, NEWER, 5.0)
    assert told(heads, 1, 5.0) == [2, 3]
    assert told(heads, 2, 4.999 + CHANGING_SECONDS) == [1, 3]
    assert told(heads, 1, 5.0 + CHANGING_SECONDS) == [2]


def test_the_first_process_that_is_heard_of_changes_nothing(heads: NewestHeads) -> None:
    hears(heads, NEWER, 5.0)
    hears(heads, OLDER, 5.0)
    assert told(heads, 1, 5.0) == [2]
