"""The course of a game: its turning point, in words, and as lines that fit a window."""

import random

import pytest

from kotp2p.cli.extras.games import statistics
from kotp2p.cli.extras.games.chart import chart_course
from kotp2p.cli.system.options import Symbols
from kotp2p.cli.text.i18n import line_width
from kotp2p.cli.ui.screen import theme
from kotp2p.cli.ui.screen.pages import end_page
from kotp2p.extras import bots
from kotp2p.referee.model.events import (
    Eliminated,
    EnteredTokyo,
    Event,
    LeftTokyo,
    PointsGained,
    TurnEnded,
    TurnStarted,
)
from kotp2p.referee.model.state import Cause, Place
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import GameFinished, GameStarted, Happened, SeatView
from tests.support.local_game import Table, new_view, piped

WINDOW = (80, 16)
"""Columns of a window, and rows of a page in one of 24 rows."""


def course(*turns: str) -> dict[int, tuple[statistics.Standing, ...]]:
    """`3 5x`: points of each seat at the end of a turn; x is out."""
    return {
        n: tuple(
            statistics.Standing(int(points.rstrip("x")), 5, not points.endswith("x"))
            for points in turn.split()
        )
        for n, turn in enumerate(turns, 1)
    }


def judged(chances: tuple[float, ...], winners: tuple[int, ...] = (0,)) -> statistics.Statistics:
    """A game of two, with the chance of the first at the start of each turn."""
    events = [event for _one in chances for event in (TurnStarted(0), TurnEnded(0))]
    counted = told(new_view(2), *events)
    counted.chances = {n: (chance, 1 - chance) for n, chance in enumerate(chances, 1)}
    counted.winners = winners
    return counted


@pytest.mark.parametrize(
    ("chances", "found"),
    [
        ((0.2, 0.3, 0.6, 0.7), statistics.TurningPoint(2, 0.3, 0.6)),
        ((0.2, 0.6, 0.3, 0.49), statistics.TurningPoint(4, 0.49, 1.0)),  # not the favourite
        ((0.2, 0.3, 0.45, 0.5), statistics.TurningPoint(2, 0.3, 0.45)),  # the favourite at the end
        ((0.2, 0.4, 0.55, 0.9), statistics.TurningPoint(1, 0.2, 0.4)),  # and a round before it
        ((0.9, 0.95, 0.97), None),  # no turn moved it much
        ((0.6, 0.69, 0.78), None),
        ((0.6,), None),
    ],
)
def test_the_turning_point_is_the_turn_that_moved_the_chance_of_the_winner_most(
    chances: tuple[float, ...], found: statistics.TurningPoint | None
) -> None:
    assert statistics.find_turning_point(judged(chances)) == found
    assert statistics.find_turning_point(judged(chances, (0, 1))) is None
    assert statistics.find_turning_point(judged(chances, ())) is None


def test_a_turn_that_nobody_has_judged_is_none() -> None:
    counted = judged((0.2, 0.6, 0.9))
    del counted.chances[2]
    assert statistics.find_turning_point(counted) is None


def at_seat(view: SeatView, seat: int) -> SeatView:
    return SeatView(seat, view.players, view.game, view.phrase)


def told(view: SeatView, *events: Event) -> statistics.Statistics:
    counted = statistics.Statistics()
    counted.count_notice(GameStarted(view))
    counted.count_notice(Happened(events, view))
    return counted


def points(seat: int, amount: int) -> PointsGained:
    return PointsGained(seat, amount, Cause.DICE)


def test_each_turn_is_kept_as_it_ended() -> None:
    view = new_view(2)
    counted = told(
        view, TurnStarted(0), points(0, 2), TurnEnded(0), TurnStarted(1), points(1, 3),
        TurnEnded(1), TurnStarted(0), points(0, 4),
    )  # fmt: skip
    assert [(one[0].points, one[1].points) for one in counted.course().values()] == [
        (2, 0), (2, 3), (6, 3),
    ]  # fmt: skip
    assert list(counted.course()) == [1, 2, 3]
    counted.count_notice(GameFinished((0,), (0,), view))
    assert statistics.describe_turning_point(counted, view) == ["You won with 6 points."]
    counted.chances = {1: (0.4, 0.6), 2: (0.301, 0.699), 3: (0.45, 0.55)}
    turned = "The turning point, as a bot of level hard judges: in turn 3 "
    assert statistics.describe_turning_point(counted, view) == [
        "You won with 6 points.", f"{turned}your chance to win rose from 45 to 100 %.",
    ]  # fmt: skip
    assert statistics.describe_turning_point(counted, at_seat(view, 1)) == [
        "Ana won with 6 points.", f"{turned}the chance of Ana to win rose from 45 to 100 %.",
    ]  # fmt: skip
    assert statistics.describe_course(counted, view) == [
        "Points and hearts at the end of turns 1, 2 and 3:",
        "Ana: points 2, 2, 6; hearts 10, 10, 10.",
        "Rex: points 0, 3, 3; hearts 10, 10, 10.",
    ]


def test_without_a_single_winner_nothing_is_said() -> None:
    view = new_view(2)
    counted = told(view, TurnStarted(0), points(0, 2), TurnEnded(0), TurnStarted(1))
    for winners in ((), (0, 1)):
        counted.winners = winners
        assert statistics.describe_turning_point(counted, view) == []


def test_the_last_monster_alive_has_won_by_the_fall_of_the_one_before() -> None:
    view = new_view(3)
    counted = told(
        view, TurnStarted(0), points(0, 1), points(1, 9), Eliminated(2), TurnEnded(0),
        TurnStarted(0), points(0, 1), Eliminated(1),
    )  # fmt: skip
    counted.winners = (0,)
    decided = "The game was decided in turn 2: "
    assert statistics.describe_turning_point(counted, view) == [
        f"{decided}Rex was out, and you alone were left."
    ]
    for seat, who in ((1, "you were"), (2, "Rex was")):
        assert statistics.describe_turning_point(counted, at_seat(view, seat)) == [
            f"{decided}{who} out, and Ana alone was left."
        ]


def test_before_two_turns_there_is_no_course() -> None:
    view = new_view(2)
    for counted in (told(view), told(view, TurnStarted(0))):
        assert statistics.describe_course(counted, view) == []
        assert chart_course(counted, view, 78) == []


def long_game(turns: int, seats: int = 2) -> tuple[statistics.Statistics, SeatView]:
    view = new_view(seats)
    events: list[Event] = []
    for n in range(turns):
        events += [TurnStarted(n % seats), points(0, 1)] if n < 20 else [TurnStarted(n % seats)]
        events.append(TurnEnded(n % seats))
    return told(view, *events), view


@pytest.mark.parametrize("symbols", theme.SIGNS)
@pytest.mark.parametrize("turns", [2, 6, 20, 53, 54, 55, 100, 700])
@pytest.mark.parametrize("columns", [58, 78, 118])
def test_a_game_of_any_length_fits(symbols: Symbols, turns: int, columns: int) -> None:
    theme.use_symbols(symbols)
    counted, view = long_game(turns)
    rows = chart_course(counted, view, columns)
    assert len(rows) == 1 + 2 * 2
    assert all(line_width(row) <= columns for row in rows[1:])  # the first is folded
    assert len({line_width(row) for row in rows[1:]}) == 1
    assert f"Turns 1 to {turns}" in rows[0]
    assert rows[1].startswith("Ana")
    assert rows[1].endswith(str(min(turns, 20)))


def test_the_digits_of_ascii_are_explained_and_blocks_rise() -> None:
    counted, view = long_game(20)
    rows = chart_course(counted, view, 78)
    assert "9 is 20 points, or 10 hearts." in rows[0]
    assert rows[1].count("9") == 2  # only the last turn, two columns wide
    theme.use_symbols(Symbols.UNICODE)
    rows = chart_course(counted, view, 78)
    assert "9 is" not in rows[0]
    assert rows[1].count("█") == 2
    assert "▁" not in rows[1]  # that is nothing at all
    assert rows[2].count("█") == 40


def test_a_monster_that_is_out_has_no_blocks_any_more() -> None:
    view = new_view(2)
    counted = told(
        view, TurnStarted(0), TurnEnded(0), TurnStarted(1), Eliminated(1), TurnEnded(1),
        TurnStarted(0), TurnEnded(0),
    )  # fmt: skip
    rex = next(row for row in chart_course(counted, view, 78) if row.startswith("Rex"))
    assert rex.endswith("out")
    *_, last = statistics.describe_course(counted, view)
    assert last == "Rex: points 0, out, out; hearts 10, out, out."


def test_the_chart_shows_stays_in_tokyo_and_the_turn_of_a_fall() -> None:
    view = new_view(2)
    counted = told(
        view, TurnStarted(0), TurnEnded(0), TurnStarted(1), EnteredTokyo(1, Place.CITY),
        TurnEnded(1), TurnStarted(0), Eliminated(1), LeftTokyo(1, yielded=False), TurnEnded(0),
        TurnStarted(0), TurnEnded(0),
    )  # fmt: skip
    rows = chart_course(counted, view, 78)
    assert len(rows) == 1 + 2 + 3  # the first was never in Tokyo
    hearts, tokyo = rows[4], rows[5]
    first = rows[1].index("0")
    assert hearts[first : first + 12].rstrip() == "999999x"
    assert tokyo[first : first + 12].rstrip() == "   ###"
    assert tokyo.lstrip().startswith("Tokyo")


async def test_the_end_of_six_players_fits_three_windows() -> None:
    front = piped(bots.make_bot("easy", bytes(32)))
    game = Table(new_view(6), front, random.Random(2))
    await game.play()
    feed = front.state.feed
    assert isinstance(feed.tally, statistics.Statistics)
    ending = Ending(EndKind.FINISHED, view=game.view, winners=feed.tally.winners)
    page = end_page(ending, feed, WINDOW[0])
    first, _where = page.visible_rows(WINDOW[0] - 2, WINDOW[1])
    assert first[0][1].startswith("Winner: ")
    assert first[0][0] == "points face"
    assert " won with " in first[1][1] or "alone was left" in first[1][1]
    page.turn(1)
    second, _where = page.visible_rows(WINDOW[0] - 2, WINDOW[1])
    assert "How it went:" in [text for _style, text in second]
    page.turn(1)
    third, _where = page.visible_rows(WINDOW[0] - 2, WINDOW[1])
    assert any(text.startswith("6. ") for _style, text in third)
    text = "\n".join(feed.describe_deeds())
    assert "Points and hearts at the end of turns" in text
    assert "The turning point, as a bot of level hard judges" in text
