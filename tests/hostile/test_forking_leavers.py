"""A cheat that forks the game by leaving at two places, and hides the fork behind another proof."""

from __future__ import annotations

import pytest

from kotp2p.wire.entries import Answering, Entry
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.intents import IntentKind
from kotp2p.wire.proofs import CheatProof
from referee.model.answers import Pass, Reroll
from tests.support.five_players import SIGNERS, genesis
from tests.support.wired_peers import WiredPeers

MALLORY = 3


def height_before_its_turn() -> int:
    """Another seat is asked alone there, and Mallory alone behind it."""
    table = WiredPeers()
    table.play(lambda: table.heights()[0] > 40)
    asked = [start.asked for start in table.peers[0].ledger.chain.starts]
    return next(
        height
        for height, seats in enumerate(asked)
        if len(seats) == 1 and seats != (MALLORY,) and asked[height + 1] == (MALLORY,)
    )


@pytest.mark.parametrize("is_hidden", [False, True])
def test_two_farewells_are_undone_though_the_cheat_has_signed_two_entries_where_it_was_not_asked(
    is_hidden: bool,
) -> None:
    """All once kept the proof of the entries, which calls for a vote at a height that asks no
    accused, and nobody voted where the farewells had forked the game."""
    height, game, key = height_before_its_turn(), genesis().id, SIGNERS[MALLORY]
    table = WiredPeers(MALLORY)
    table.play(lambda: table.heights() == [height] * len(table.honest))
    table.silent, table.tamper[MALLORY] = {MALLORY}, lambda _target, _frame: ()
    view, head = table.peers[0].ledger.view, table.peers[0].ledger.head
    answers = [
        Entry.sign(key, game, view, height, head, MALLORY, Answering(answer)).signed
        for answer in (Pass(), Reroll((0,)))
    ]
    if is_hidden:
        table.send(MALLORY, [CheatProof(tuple(answers)).signed])
        table.deliver()
    for places, hearers in ((0, table.honest[::2]), (1, table.honest[1::2])):
        farewell = Farewell.sign(key, game, MALLORY, view, height + places, ())
        table.send(MALLORY, [farewell.signed], hearers)
    table.deliver()
    for seat in table.honest:
        if table.open_vote(seat):
            table.wish(seat, IntentKind.DROP)
    table.play_on(10)
    table.check_honest()
    table.check_convicted(MALLORY)
