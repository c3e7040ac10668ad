"""What keepers say about who plays is taken of keepers, and about keepers, alone."""

import pytest

from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Forged
from kotp2p.lineup.plan import Facts, Returns
from kotp2p.wire.lineups import Change, Here, Reason, sign_wish
from tests.support.scribe import Scribe

INSTANCE = bytes(8)


def facts_of(scribe: Scribe) -> Facts:
    return Facts(Ledger(scribe.ledger.genesis))


@pytest.mark.parametrize("named", [3, 4, 5], ids=["a bot", "beyond the last seat", "the greatest"])
def test_a_wish_names_keepers_of_the_table(named: int) -> None:
    """Else a program that tells it would look for a player that there is not."""
    scribe = Scribe(4, bots=1)
    facts, signer, game = facts_of(scribe), scribe.signers[1], scribe.game
    for wish in (
        sign_wish(signer, game, 1, 1, without=(0, named)),
        sign_wish(signer, game, 1, 1, refused=((named, INSTANCE),)),
    ):
        with pytest.raises(Forged):
            facts.accept_wish(wish)
    assert facts.wishes == {}
    right = sign_wish(signer, game, 1, 1, without=(0,), refused=((2, INSTANCE),))
    assert facts.accept_wish(right)
    assert facts.wishes == {1: right}


@pytest.mark.parametrize("seat", [3, 4])
def test_a_seat_that_is_kept_by_another_wishes_nothing_and_plays_no_process(seat: int) -> None:
    scribe = Scribe(4, bots=1)
    facts, signer = facts_of(scribe), scribe.signers[0]
    with pytest.raises(Forged):
        facts.accept_wish(sign_wish(signer, scribe.game, seat, 1))
    with pytest.raises(Forged):
        facts.accept_here(Here.sign(signer, scribe.game, seat, INSTANCE))


def test_who_is_wished_away_stays_where_too_few_would_be_left() -> None:
    """Two go on without two others, and one of these without the second: three are enough."""
    scribe = Scribe(4)
    facts = facts_of(scribe)
    for keeper, without in ((0, (2, 3)), (1, (2, 3)), (3, (2,))):
        wish = sign_wish(scribe.signers[keeper], scribe.game, keeper, 1, without=without)
        assert facts.accept_wish(wish)
    assert facts.find_plan(1, 0.0) == (Change(2, Reason.ABSENT),)


@pytest.mark.parametrize(("times", "pause"), [(1, 8.0), (2, 16.0), (3, 32.0), (4, 32.0)])
def test_a_keeper_is_named_again_after_a_doubling_pause(times: int, pause: float) -> None:
    named = Returns(times, 100.0, 0)
    assert [named.may_return(100.0 + pause - 0.1), named.may_return(100.0 + pause)] == [False, True]


@pytest.mark.parametrize(
    ("words", "later", "is_restless"), [(8, 59.0, False), (9, 59.0, True), (9, 60.0, False)]
)
def test_a_keeper_is_restless_that_says_more_than_eight_words_within_a_minute(
    words: int, later: float, is_restless: bool
) -> None:
    facts = facts_of(Scribe(4))
    for _ in range(words):
        facts.note_word(2, 100.0)
    assert facts.is_restless(2, 100.0 + later) is is_restless
    assert not facts.is_restless(1, 100.0)
