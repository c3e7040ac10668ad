"""An attack on the table: from whom to whom, as long as it is shown."""

from __future__ import annotations

from kotp2p import bots
from kotp2p.cli.ui.screen.controls import DrawnTable, seat_screen_player
from kotp2p.cli.ui.screen.draw import draw_screen
from kotp2p.cli.ui.screen.panels import Blow, draw_blow
from kotp2p.cli.ui.screen.theme import row_width
from kotp2p.referee.model.decisions import BuyDecision, YieldDecision
from kotp2p.referee.model.events import DiceRolled, Event, HeartsLost, YieldAnswered
from kotp2p.referee.model.state import DamageKind, Place
from kotp2p.seams.notices import GameStarted, Happened
from tests.support.laid_decisions import dice, table
from tests.support.local_game import new_view
from tests.support.screen_table import Asked
from tests.support.screen_terminal import Terminal

ROLL = DiceRolled(1, (0, 1, 2, 3, 4, 5), dice("33CHB1"))


def hit(seat: int, amount: int = 2, dealer: int | None = 1) -> HeartsLost:
    return HeartsLost(seat, amount, DamageKind.CLAWS, dealer)


def shown(*batches: tuple[Event, ...]) -> DrawnTable:
    """Rex, the second player, is at turn; the first and the third stand in Tokyo."""
    table = seat_screen_player(bots.advise)
    view = new_view(6)
    state = view.game.state
    state.turn, state.active, state.rolls, state.dice = 9, 1, 3, list(dice("33CHB1"))
    state.monsters[0].place, state.monsters[2].place = Place.CITY, Place.BAY
    table.player.show(GameStarted(view))
    for events in batches:
        table.player.show(Happened(events, view))
    return table


def text_of(table: DrawnTable, columns: int = 80, rows: int = 24) -> list[str]:
    drawn = draw_screen(table.screen, columns, rows - 2)
    return ["".join(part for _style, part in row).rstrip() for row in drawn]


def test_an_attack_names_the_attacker_and_each_monster_that_it_hits() -> None:
    text = text_of(shown((ROLL,), (hit(0), hit(2, 1))))
    assert "-- K Rex ==> G you -2 A Mia -1 -" in "\n".join(text)
    assert [row[0] for row in text[2:8]] == ["x", ">", "x", " ", " ", " "]
    assert " -2 " in text[2]
    assert " -1 " in text[4]


def test_an_attack_stays_while_those_in_tokyo_answer() -> None:
    text = text_of(shown((ROLL,), (hit(0), hit(2, 1)), (YieldAnswered(0, False),)))
    assert any("K Rex ==> G you -2 A Mia -1 " in row for row in text)


def test_an_attack_is_gone_with_the_next_event() -> None:
    text = text_of(shown((ROLL,), (hit(0),), (ROLL,)))
    assert not any("==>" in row for row in text)
    assert text[2].startswith(" G")
    assert any("Dice of Rex, roll 3" in row for row in text)


def test_damage_that_nobody_else_deals_is_no_attack() -> None:
    assert not any("==>" in row for row in text_of(shown((hit(1, 2, 1),))))
    assert not any("==>" in row for row in text_of(shown((hit(0, 2, None),))))


def test_letters_are_left_where_names_do_not_fit() -> None:
    view = new_view(6)
    blow = Blow(1, tuple((seat, 2) for seat in (0, 2, 3, 4, 5)))
    row = draw_blow(view, blow, 40)
    assert row_width(row) == 40
    assert "".join(part for _style, part in row).startswith("-- K ==> G -2 A -2 C -2 M -2 S -2 -")


def test_the_row_has_the_width_of_its_window() -> None:
    view = new_view(6)
    for columns in range(12, 140):
        assert row_width(draw_blow(view, Blow(1, ((0, 12), (2, 3))), columns)) == columns


def test_an_attack_of_ones_own_is_gone_when_the_shop_opens() -> None:
    view = table(rolled="CC1123")
    view.game.state.monsters[0].place = Place.CITY
    asked = Asked(BuyDecision(0, (), False, False, False), view=view)
    asked.table.player.show(GameStarted(view))
    asked.table.player.show(Happened((hit(1, 2, 0),), view))
    assert asked.screen.status.last.blow is not None

    async def script(terminal: Terminal) -> None:
        rows = await terminal.see("YOUR TURN: buy")
        assert not any("==>" in row or " -2 " in row for row in rows)

    asked.by(script)


def test_an_attack_stands_while_one_is_asked_about_it() -> None:
    view = table(rolled="CC1123")
    view.game.state.monsters[0].place, view.game.state.active = Place.CITY, 1
    asked = Asked(YieldDecision(0, 1), view=view)
    asked.table.player.show(GameStarted(view))
    asked.table.player.show(Happened((hit(0, 2, 1),), view))

    async def script(terminal: Terminal) -> None:
        await terminal.see("stay or leave?", "K Rex ==> G you -2")

    asked.by(script)
