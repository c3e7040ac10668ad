"""A cheat that leaves twice, each time as of another line-up, and hides it behind another proof."""

from __future__ import annotations

import pytest

from kotp2p.referee.model.answers import Pass, Reroll
from kotp2p.wire.entries import Answering, Entry
from kotp2p.wire.lineups import CheatProof, Leave
from tests.support.five_players import SIGNERS, genesis
from tests.support.wired_peers import WiredPeers

MALLORY = 3


def height_before_its_turn() -> int:
    """Another seat is asked alone there, and Mallory alone after it."""
    table = WiredPeers()
    table.play(lambda: table.heights()[0] > 40)
    asked = [start.asked for start in table.peers[0].ledger.chain.starts]
    return next(
        height
        for height, seats in enumerate(asked)
        if len(seats) == 1 and seats != (MALLORY,) and asked[height + 1] == (MALLORY,)
    )


@pytest.mark.parametrize("is_hidden", [False, True])
def test_two_farewells_part_nobody_though_the_cheat_has_signed_two_entries_where_it_was_not_asked(
    is_hidden: bool,
) -> None:
    height, game, key = height_before_its_turn(), genesis().id, SIGNERS[MALLORY]
    table = WiredPeers(MALLORY)
    table.play(lambda: table.heights() == [height] * len(table.honest))
    table.silent, table.tamper[MALLORY] = {MALLORY}, lambda _target, _frame: ()
    head = table.peers[0].ledger.head
    answers = [
        Entry.sign(key, 0, height, head, MALLORY, Answering(answer)).signed
        for answer in (Pass(), Reroll((0,)))
    ]
    if is_hidden:
        table.send(MALLORY, [CheatProof(tuple(answers)).signed])
        table.deliver()
    for attempt, hearers in ((0, table.honest[::2]), (1, table.honest[1::2])):
        farewell = Leave.sign(key, game, MALLORY, 0, attempt)
        table.send(MALLORY, [farewell.signed], hearers)
    table.deliver()
    table.play_on(10)
    table.check_honest()
    table.check_convicted(MALLORY)
    ledgers = [table.peers[seat].ledger for seat in table.honest]
    assert len({ledger.roster.lineup for ledger in ledgers}) == 1
