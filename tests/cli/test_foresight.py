"""A purchase that kills is seen before it is made, on a fork that leaves the game alone."""

import pytest

from cli.foresight import kills
from kotp2p.front import View
from referee.answers import Answered, Buy, Done, Drawn, Face
from referee.decisions import BuyDecision, Chance
from referee.game import Game
from tests.cli.desk import item
from tests.cli.local import new_view


def at_the_shop(hearts: int, key: str) -> View:
    """Seat 0 may buy the card `key` in slot a; its dice gave nothing."""
    view = new_view(3)
    state = view.game.state.copy()
    card = item(view, key)
    state.undrawn = [n for n in range(len(view.game.setup.deck)) if n != card]
    state.market = [card, state.undrawn.pop(), state.undrawn.pop()]
    state.monsters[0].hearts = hearts
    state.monsters[0].energy = 20
    state.active = state.home = 0
    view.game = Game.at(view.game.setup, state)
    while not isinstance(view.game.pending, BuyDecision):
        pending = view.game.pending
        if isinstance(pending, Chance):
            faces = (Face.ONE, Face.ONE, Face.TWO, Face.TWO, Face.THREE, Face.THREE)
            view.game.submit(Drawn(faces[: len(pending.draws)]))
        else:
            view.game.submit(Answered(pending.seat, pending.default))
    return view


@pytest.mark.parametrize(
    ("key", "takes"), [("jet-fighters", 4), ("tank", 3), ("national-guard", 2)]
)
def test_a_card_that_costs_hearts(key: str, takes: int) -> None:
    for hearts in (takes - 1, takes, takes + 1):
        view = at_the_shop(hearts, key)
        before = view.game.digest()
        assert kills(view, Buy(item(view, key))) == (hearts <= takes)
        assert view.game.digest() == before


def test_other_answers_kill_nobody() -> None:
    view = at_the_shop(1, "jet-fighters")
    assert not kills(view, Done())
