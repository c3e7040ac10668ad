"""A purchase that kills is seen before it is made, on a fork that leaves the game alone."""

import pytest

from kotp2p.cli.ask.foresight import NOTHING_AT_STAKE, Stakes, find_stakes, order_matters
from kotp2p.referee.model.answers import Buy, Done, Stop
from kotp2p.referee.model.decisions import BuyDecision, OrderDecision
from kotp2p.referee.model.state import Place, State
from kotp2p.seams.notices import SeatView
from tests.support.laid_decisions import item
from tests.support.staged_turns import (
    Change,
    all_of,
    answer,
    go_on,
    has,
    placed,
    rolled,
    shop,
    unchanged,
)


def at_the_shop(hearts: int, key: str) -> SeatView:
    """Seat 0 may buy the card `key`; its dice gave nothing."""
    return shop(key, change=has(0, hearts=hearts, energy=20))


@pytest.mark.parametrize(
    ("key", "takes"), [("jet-fighters", 4), ("tank", 3), ("national-guard", 2)]
)
def test_a_card_that_costs_hearts(key: str, takes: int) -> None:
    for hearts in (takes - 1, takes, takes + 1):
        view = at_the_shop(hearts, key)
        before = view.game.digest()
        pending = view.game.pending
        assert isinstance(pending, BuyDecision)
        found = find_stakes(view, pending, Buy(item(view, key)))
        assert found == (Stakes(is_out=True) if hearts <= takes else NOTHING_AT_STAKE)
        assert view.game.digest() == before


def test_other_answers_kill_nobody() -> None:
    view = at_the_shop(1, "jet-fighters")
    pending = view.game.pending
    assert isinstance(pending, BuyDecision)
    assert find_stakes(view, pending, Done()) == NOTHING_AT_STAKE


def at_the_order(faces: str, change: Change = unchanged, seats: int = 3) -> SeatView:
    """Seat 0 has stopped with these dice."""
    view = rolled(faces, change, seats=seats)
    answer(view, Stop())
    go_on(view, OrderDecision)
    return view


def matters(view: SeatView) -> bool:
    pending = view.game.pending
    assert isinstance(pending, OrderDecision)
    return order_matters(view, pending)


def test_without_cards_the_order_does_not_matter_outside_tokyo() -> None:
    assert not matters(at_the_order("111HBC"))
    assert not matters(at_the_order("123HBC"))


def ana_stands_in_the_bay(hearts_of_mia: int) -> Change:
    def change(state: State) -> None:
        state.monsters[0].place = Place.BAY
        state.monsters[0].hearts = 3
        state.monsters[1].place = Place.CITY
        state.monsters[2].hearts = hearts_of_mia

    return change


def test_hearts_heal_in_the_bay_if_claws_close_it_first() -> None:
    assert matters(at_the_order("23HHBC", ana_stands_in_the_bay(hearts_of_mia=1), seats=5))
    assert not matters(at_the_order("23HHBC", ana_stands_in_the_bay(hearts_of_mia=2), seats=5))


def test_an_owned_card_that_does_nothing_here_changes_nothing() -> None:
    view = at_the_order("1HHBBC", has(1, "wings"))
    before = view.game.digest()
    assert not matters(view)
    assert view.game.digest() == before


def test_hearts_before_a_burrowing_monster_leaves_would_be_wasted() -> None:
    assert matters(at_the_order("1HHBBC", all_of(has(1, "burrowing"), placed(1))))


def test_all_six_groups_are_tried() -> None:
    assert not matters(at_the_order("123HBC", has(1, "wings")))
    assert matters(at_the_order("123HBC", all_of(has(1, "burrowing"), placed(1))))
