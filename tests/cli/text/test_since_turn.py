"""What has happened since the reader's last turn, as lines."""

from kotp2p.cli.text.queries import SinceTurn
from kotp2p.referee.model.answers import Seat
from kotp2p.referee.model.events import (
    CardBought,
    Eliminated,
    EnergyLost,
    Event,
    HeartsGained,
    HeartsLost,
    PointsGained,
    TurnEnded,
    TurnStarted,
)
from kotp2p.referee.model.state import Cause, DamageKind, Source
from kotp2p.seams.notices import GameStarted, Happened, LineUpBegun, SeatView
from tests.support.laid_decisions import item, table


def hit(dealer: Seat | None, seat: Seat, amount: int) -> HeartsLost:
    return HeartsLost(seat, amount, DamageKind.CLAWS, dealer)


class Game:
    def __init__(self) -> None:
        self.view: SeatView = table(rolled="33CHB1")
        self.since = SinceTurn()
        self.since.note_notice(GameStarted(self.view))

    def goes(self, *events: Event) -> None:
        for event in events:
            event.apply(self.view.game.state)
        self.since.note_notice(Happened(events, self.view))

    @property
    def lines(self) -> list[str]:
        return self.since.describe(self.view)


def test_who_hit_whom_for_how_much_and_hearts_and_points_before_and_after() -> None:
    game = Game()
    game.goes(TurnEnded(0), TurnStarted(1), hit(1, 0, 1), hit(1, 2, 1))
    game.goes(PointsGained(1, 2, Cause.DICE), TurnEnded(1), TurnStarted(2), hit(2, 0, 2))
    game.goes(hit(2, 0, 1), hit(2, 2, 1), TurnEnded(2), TurnStarted(0))
    assert game.lines == [
        "Ana (you): 6 hearts (10 before), 0 points.",
        "Mia: 8 hearts (10 before), 0 points; hit you for 3.",
        "Rex: 10 hearts, 2 points (0 before); hit you for 1 and Mia for 1.",
    ]


def test_what_was_bought_and_for_how_much() -> None:
    game = Game()
    tank, wings = item(game.view, "tank"), item(game.view, "wings")
    game.view.game.state.market = [tank, wings, None]
    game.since.note_notice(GameStarted(game.view))
    game.goes(TurnEnded(0), TurnStarted(1))
    game.goes(CardBought(1, tank, 4, Source.MARKET, 0), EnergyLost(1, 4, Cause.PAYMENT))
    game.goes(CardBought(1, wings, 6, Source.MARKET, 1))
    assert game.lines == ["Rex: 10 hearts, 0 points; bought Tank for 4 and Wings for 6."]


def test_hearts_that_came_back_are_in_the_figures() -> None:
    game = Game()
    game.goes(TurnEnded(0), hit(1, 2, 3), HeartsGained(2, 1, Cause.DICE))
    assert game.lines == [
        "Rex: 10 hearts, 0 points; hit Mia for 3.",
        "Mia: 8 hearts (10 before), 0 points.",
    ]


def test_whoever_fell_is_out_and_poison_is_nobodys_hit() -> None:
    game = Game()
    game.goes(TurnEnded(0), hit(1, 2, 10), Eliminated(2), hit(None, 1, 1))
    assert game.lines == [
        "Rex: 9 hearts (10 before), 0 points; hit Mia for 10.",
        "Mia: out of the game.",
    ]


def test_each_turn_of_ones_own_begins_anew_and_is_summed_up_once() -> None:
    game = Game()
    game.goes(hit(1, 0, 1))
    assert game.since.describe_once(game.view) == [], "no turn of the reader has ended yet"
    game.goes(TurnEnded(0), hit(1, 0, 2))
    told = game.since.describe_once(game.view)
    assert told == [
        "Ana (you): 7 hearts (9 before), 0 points.",
        "Rex: 10 hearts, 0 points; hit you for 2.",
    ]
    assert game.since.describe_once(game.view) == []
    game.goes(TurnEnded(0))
    assert game.lines == []


def test_a_turn_of_another_changes_nothing_about_ones_own() -> None:
    game = Game()
    game.goes(TurnEnded(0), hit(1, 0, 2), TurnEnded(1))
    assert game.lines != []


def test_what_does_not_count_any_more_is_not_told() -> None:
    game = Game()
    before = game.view.game.state.copy()
    game.goes(TurnEnded(0), hit(1, 0, 2))
    game.since.note_notice(LineUpBegun((), game.view, before))
    assert game.lines == []
    assert not game.since.has_had_turn


def test_before_a_game_there_is_nothing() -> None:
    assert SinceTurn().describe(table()) == []
