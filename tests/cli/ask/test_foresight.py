"""A purchase that kills is seen before it is made, on a fork that leaves the game alone."""

from collections.abc import Callable

import pytest

from kotp2p.cli.ask.foresight import NOTHING_AT_STAKE, Stakes, find_stakes, order_matters
from kotp2p.referee.game import Game
from kotp2p.referee.model.answers import Answered, Buy, Done, Drawn, Face
from kotp2p.referee.model.decisions import BuyDecision, Chance, OrderDecision, Over
from kotp2p.referee.model.state import Holding, Place, State
from kotp2p.seams.notices import SeatView
from tests.support.laid_decisions import dice, item
from tests.support.local_game import new_view, put_in


def at_the_shop(hearts: int, key: str) -> SeatView:
    """Seat 0 may buy the card `key` in slot a; its dice gave nothing."""
    view = new_view(3)
    state = view.game.state.copy()
    card = item(view, key)
    state.undrawn = [n for n in range(len(view.game.setup.deck)) if n != card]
    state.market = [card, state.undrawn.pop(), state.undrawn.pop()]
    state.monsters[0].hearts = hearts
    state.monsters[0].energy = 20
    state.active = state.home = 0
    view.game = Game.at_turn_start(view.game.setup, state)
    while not isinstance(view.game.pending, BuyDecision):
        pending = view.game.pending
        if isinstance(pending, Chance):
            faces = (Face.ONE, Face.ONE, Face.TWO, Face.TWO, Face.THREE, Face.THREE)
            put_in(view, Drawn(faces[: len(pending.draws)]))
        else:
            assert not isinstance(pending, Over)
            put_in(view, Answered(pending.seat, pending.default))
    return view


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


def at_the_order(
    faces: str, change: Callable[[State], None] = lambda state: None, seats: int = 3
) -> SeatView:
    """Seat 0 has stopped with these dice."""
    view = new_view(seats)
    state = view.game.state.copy()
    state.active = state.home = 0
    change(state)
    view.game = Game.at_turn_start(view.game.setup, state)
    while not isinstance(view.game.pending, OrderDecision):
        pending = view.game.pending
        if isinstance(pending, Chance):
            put_in(view, Drawn(dice(faces)[: len(pending.draws)]))
        else:
            assert not isinstance(pending, Over)
            put_in(view, Answered(pending.seat, pending.default))
    return view


def matters(view: SeatView) -> bool:
    pending = view.game.pending
    assert isinstance(pending, OrderDecision)
    return order_matters(view, pending)


def test_without_cards_the_order_does_not_matter_outside_tokyo() -> None:
    assert not matters(at_the_order("111HBC"))
    assert not matters(at_the_order("123HBC"))


def ana_stands_in_the_bay(hearts_of_mia: int) -> Callable[[State], None]:
    def change(state: State) -> None:
        state.monsters[0].place = Place.BAY
        state.monsters[0].hearts = 3
        state.monsters[1].place = Place.CITY
        state.monsters[2].hearts = hearts_of_mia

    return change


def test_hearts_heal_in_the_bay_if_claws_close_it_first() -> None:
    assert matters(at_the_order("23HHBC", ana_stands_in_the_bay(hearts_of_mia=1), seats=5))
    assert not matters(at_the_order("23HHBC", ana_stands_in_the_bay(hearts_of_mia=2), seats=5))


def rex_owns(key: str, place: Place) -> Callable[[State], None]:
    def change(state: State) -> None:
        card = item(new_view(3), key)
        state.undrawn.remove(card)
        state.monsters[1].holdings = [Holding(card, 1)]
        state.monsters[1].place = place

    return change


def test_an_owned_card_that_does_nothing_here_changes_nothing() -> None:
    view = at_the_order("1HHBBC", rex_owns("wings", Place.OUTSIDE))
    before = view.game.digest()
    assert not matters(view)
    assert view.game.digest() == before


def test_hearts_before_a_burrowing_monster_leaves_would_be_wasted() -> None:
    assert matters(at_the_order("1HHBBC", rex_owns("burrowing", Place.CITY)))


def test_all_six_groups_are_tried() -> None:
    assert not matters(at_the_order("123HBC", rex_owns("wings", Place.OUTSIDE)))
    assert matters(at_the_order("123HBC", rex_owns("burrowing", Place.CITY)))
