"""A player of the table sends what no unmodified program sends."""

from __future__ import annotations

import pytest

from kotp2p.entries import Blame, Entry
from kotp2p.ledger import Ledger
from kotp2p.steps import Forged
from kotp2p.votes import Choice, Vote
from kotp2p.words import Verb, Word
from tests.hostile.seats import MALLORY, dropped, genesis, hears, peer
from tests.vectors import SEATS


@pytest.mark.parametrize("choice", list(Choice))
@pytest.mark.parametrize("accused", [(5,), (0, 3), (2, 4, 5)])
def test_votes_against_a_seat_that_the_table_does_not_have(
    choice: Choice, accused: tuple[int, ...]
) -> None:
    game = genesis().id
    vote = Vote.sign(SEATS[MALLORY], game, (0, 0), game, MALLORY, choice, accused)
    with pytest.raises(Forged):
        Ledger(genesis()).vote(vote)
    assert dropped(hears(peer(), vote.signed))


def test_blames_somebody_for_a_share_that_nobody_has_given() -> None:
    """Once the program went round and round with it. It may be ahead of us, so that nobody is
    accused before its height is behind us."""
    game, found = genesis().id, peer()
    load = Blame(3, bytes(32))
    blame = Entry.sign(SEATS[MALLORY], game, 0, 0, game, MALLORY, load)
    assert hears(found, blame.signed) == []
    assert hears(found, blame.signed) == []
    assert not found.done


def test_wants_to_go_on_without_a_seat_that_the_table_does_not_have() -> None:
    word = Word.sign(SEATS[MALLORY], genesis().id, MALLORY, 1, Verb.DROP, (0, 0), (5,))
    assert dropped(hears(peer(), word.signed))
