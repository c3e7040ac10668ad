"""Moments that fill the table for a second: which they are, what they say, and what ends them."""

import pytest

from kotp2p.cli.system.options import Mood, Speed
from kotp2p.cli.text.story import LineKind
from kotp2p.cli.ui.screen import stage
from kotp2p.cli.ui.screen.controls import DrawnTable, seat_screen_player
from kotp2p.cli.ui.screen.panels import Moment, find_moment
from kotp2p.extras import bots
from kotp2p.referee.model.events import (
    Eliminated,
    EnteredTokyo,
    Event,
    GameEnded,
    HeartsLost,
    TurnEnded,
)
from kotp2p.referee.model.state import DamageKind, Place
from kotp2p.seams.notices import GameStarted, Happened
from tests.support.laid_decisions import table as laid_table
from tests.support.local_game import new_view
from tests.support.screen_table import Asked, roll, rows_of
from tests.support.screen_terminal import Terminal

ENTERS = EnteredTokyo(1, Place.CITY)
COLUMN_HEADINGS = "Monster"
"""Stands on the table, and on no moment."""


def hit(victim: int, amount: int, dealer: int | None = 1) -> HeartsLost:
    return HeartsLost(victim, amount, DamageKind.CLAWS, dealer)


def moving_table(*, animation: bool = True, speed: Speed = Speed.NORMAL) -> DrawnTable:
    table = seat_screen_player(bots.advise, animation=animation)
    table.screen.state.pace.choose_speed(speed)
    table.player.show(GameStarted(new_view(3)))
    return table


def show(table: DrawnTable, *events: Event) -> None:
    view = table.screen.state.view
    assert view is not None
    table.player.show(Happened(events, view))


@pytest.mark.parametrize(
    ("events", "kind", "moods"),
    [
        ((ENTERS,), LineKind.TOKYO, {1: Mood.CALM}),
        ((hit(0, 3), hit(2, 1)), LineKind.DAMAGE, {1: Mood.CALM, 0: Mood.HURT, 2: Mood.HURT}),
        ((Eliminated(2),), LineKind.DAMAGE, {2: Mood.HURT}),
        ((GameEnded((0, 2)),), LineKind.POINTS, {0: Mood.WINNING, 2: Mood.WINNING}),
        ((Eliminated(2), GameEnded((1,))), LineKind.POINTS, {1: Mood.WINNING}),
    ],
)
def test_the_greatest_event_is_the_moment(
    events: tuple[Event, ...], kind: LineKind, moods: dict[int, Mood]
) -> None:
    found = find_moment(events)
    assert found == Moment(kind, tuple(moods.items()))


@pytest.mark.parametrize(
    "events", [(hit(0, 2), hit(2, 2)), (hit(0, 3, None),), (TurnEnded(1),), (GameEnded(()),)]
)
def test_two_hearts_a_poison_and_an_end_without_winner_are_none(events: tuple[Event, ...]) -> None:
    assert find_moment(events) is None


def test_a_moment_fills_the_table_with_the_sentence_of_the_log() -> None:
    table = moving_table()
    show(table, ENTERS)
    rows = rows_of(table.screen)
    shown = "\n".join(rows)
    assert "Rex enters Tokyo." in shown and COLUMN_HEADINGS not in shown
    assert "Rex enters Tokyo." in table.screen.log.lines
    assert len(rows) == 22


@pytest.mark.parametrize(("animation", "speed"), [(False, Speed.NORMAL), (True, Speed.INSTANT)])
def test_without_animation_or_pace_there_is_none(animation: bool, speed: Speed) -> None:
    table = moving_table(animation=animation, speed=speed)
    show(table, ENTERS)
    assert COLUMN_HEADINGS in "\n".join(rows_of(table.screen))


def test_the_next_event_ends_it() -> None:
    table = moving_table()
    show(table, ENTERS)
    show(table, TurnEnded(1))
    assert COLUMN_HEADINGS in "\n".join(rows_of(table.screen))


@pytest.mark.parametrize("key", ["x", ""])
def test_any_key_ends_it_and_it_ends_by_itself(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if key:
        monkeypatch.setattr(stage, "MOMENT_SECONDS", 1000.0)
    asked = Asked(view=laid_table(rolled="33CHB1"))
    asked.screen.moments.is_on = True
    asked.screen.state.pace.choose_speed(Speed.NORMAL)

    async def script(t: Terminal) -> None:
        await t.see(COLUMN_HEADINGS)
        asked.table.post_job(lambda: asked.player.show(Happened((ENTERS,), asked.view)))
        await t.gone(COLUMN_HEADINGS)
        if key:
            t.press(key)
        await t.see(COLUMN_HEADINGS)

    asked.by(script)


def test_a_question_ends_it() -> None:
    asked = Asked(roll(), view=laid_table(rolled="33CHB1"))
    asked.screen.moments.shown = Moment(LineKind.TOKYO, ((1, Mood.CALM),), "Rex enters Tokyo.")

    async def script(t: Terminal) -> None:
        await t.see("Keep which?", COLUMN_HEADINGS)

    asked.by(script)
