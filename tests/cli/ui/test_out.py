"""A player who is out of the game and watches on, or hands the seat to a bot."""

from kotp2p.cli.ui.player_state import Departure
from kotp2p.referee.model.events import Eliminated
from kotp2p.seams.notices import GameStarted, Happened, Offer
from tests.support.laid_decisions import among_persons
from tests.support.local_game import at_terminal, notes, said
from tests.support.recorded_control import Orders

STAY = "Stay and watch, and the others can finish"


def test_a_player_whose_monster_falls_reads_what_it_is_worth_to_stay() -> None:
    for seats, is_told in ((3, True), (2, False)):
        front, view = at_terminal(), among_persons(seats=seats)
        front.attach(Orders())
        front.show(GameStarted(view))
        del view.keepers[0]
        front.show(Happened((Eliminated(0),), view))
        assert any(STAY in line for line in notes(front)) is is_told


def test_a_witness_still_answers_an_offer() -> None:
    front, orders, view = at_terminal(), Orders(), among_persons()
    front.attach(orders)
    del view.keepers[0]
    view.game.state.monsters[0].alive = False
    front.show(GameStarted(view))
    front.show(Offer((2,), can_go_on=True, yours=True))
    front.read_line("b")
    assert orders.given == [("go on", True)]


def test_whoever_leaves_may_let_a_bot_play_on() -> None:
    front, orders = at_terminal(), Orders()
    front.attach(orders)
    front.show(GameStarted(among_persons()))
    front.read_line("leave")
    assert "b lets a bot play on until you are back" in " ".join(said(front)[-3:])
    front.read_line("b")
    assert orders.given == [("bot plays",)]
    assert front.state.departure is Departure.HANDED_OVER
    assert front.leaving.keep_seat()
    assert orders.given[-1] == ("keep",)


def test_of_two_nobody_can_leave_a_bot_behind() -> None:
    front, orders = at_terminal(), Orders()
    front.attach(orders)
    front.show(GameStarted(among_persons(seats=2)))
    front.read_line("leave")
    assert "b lets a bot play" not in " ".join(said(front))
    front.read_line("b")
    assert orders.given == []
    assert said(front)[-1].endswith("You stay in the game.")
