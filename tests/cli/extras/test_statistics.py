"""The counts of a game: against the events themselves, after a rewind, and as lines."""

import random

import pytest

from kotp2p.cli.extras.games import statistics
from kotp2p.cli.extras.games.statistics import PlayerCounts, Statistics
from kotp2p.cli.system.output import wrap_line
from kotp2p.extras import bots
from kotp2p.referee.box.rulesets import RULE_SETS
from kotp2p.referee.model.answers import Answered, Out
from kotp2p.referee.model.decisions import Chance, Over
from kotp2p.referee.model.events import (
    CardBought,
    Eliminated,
    EnergyGained,
    Event,
    HeartsGained,
    HeartsLost,
    PointsGained,
    PointsLost,
)
from kotp2p.referee.model.state import Cause, DamageKind
from kotp2p.seams.endings import Ending, EndKind
from kotp2p.seams.notices import GameFinished, GameStarted, Happened, LineUpBegun, Notice, SeatView
from tests.support.laid_decisions import table
from tests.support.local_game import NAMES, Table, draw, new_view, piped, put_in, said


class Notebook:
    """Remembers what a front is shown."""

    def __init__(self) -> None:
        self.front = piped(bots.make_bot("easy", bytes(32)))
        self.notices: list[Notice] = []
        show = self.front.show

        def also(notice: Notice) -> None:
            self.notices.append(notice)
            show(notice)

        self.front.show = also  # type: ignore[method-assign]

    @property
    def events(self) -> list[Event]:
        return [e for n in self.notices if isinstance(n, Happened) for e in n.events]


async def a_game(seats: int, rules: str, seed: int = 1) -> tuple[Notebook, Table]:
    notebook = Notebook()
    game = Table(new_view(seats, RULE_SETS[rules]), notebook.front, random.Random(seed))
    await game.play()
    return notebook, game


@pytest.mark.parametrize("rules", ["classic", "second", "dark"])
async def test_a_whole_game_adds_up(rules: str) -> None:
    notebook, game = await a_game(4, rules)
    found = notebook.front.state.feed.tally
    assert isinstance(found, Statistics)
    events = notebook.events
    for seat, deeds in enumerate(found.counts):
        monster = game.view.game.state.monsters[seat]
        gained = sum(e.amount for e in events if isinstance(e, PointsGained) and e.seat == seat)
        missed = sum(e.amount for e in events if isinstance(e, PointsLost) and e.seat == seat)
        told = deeds.points_from_dice + deeds.points_from_tokyo + deeds.points_from_cards
        assert told == gained - missed
        assert monster.points in (told, 0)
        assert deeds.cards_bought == sum(
            isinstance(e, CardBought) and e.seat == seat for e in events
        )
        assert deeds.hearts_lost == sum(
            e.amount for e in events if isinstance(e, HeartsLost) and e.seat == seat
        )
        assert (deeds.turn_of_fall is None) == monster.alive
    dealt = [e for e in events if isinstance(e, HeartsLost) and e.dealer not in (None, e.seat)]
    assert sum(d.hearts_dealt for d in found.counts) == sum(e.amount for e in dealt)


def begun(view: SeatView) -> Statistics:
    found = Statistics()
    found.count_notice(GameStarted(view))
    return found


def test_each_deed_goes_to_its_player() -> None:
    view = table()
    found = begun(view)
    found.count_notice(
        Happened(
            (
                HeartsLost(1, 3, DamageKind.CLAWS, 0), HeartsLost(2, 2, DamageKind.CARD, 2),
                HeartsGained(1, 2, Cause.DICE), EnergyGained(0, 4, Cause.DICE),
                PointsGained(0, 3, Cause.DICE), PointsGained(0, 1, Cause.TOKYO),
                PointsGained(0, 7, Cause.CARD), PointsLost(0, 5, Cause.CARD),
            ),
            view,
        )
    )  # fmt: skip
    assert found.counts[0] == PlayerCounts(
        points_from_dice=3, points_from_tokyo=1, points_from_cards=2, hearts_dealt=3
    )
    assert found.counts[1] == PlayerCounts(hearts_lost=3)
    assert found.counts[2] == PlayerCounts(hearts_lost=2)


async def test_what_was_rewound_is_not_counted() -> None:
    """The counts of the others are those of a game that never went on from there."""
    for behind in range(4, 40, 3):
        short, long = Recorded(), Recorded()
        short.play(behind)
        long.play(behind + 20)
        assert long.found.counts != short.found.counts
        view = SeatView(0, short.view.players, short.view.game, "")
        before = view.game.state.copy()
        out = Happened(tuple(put_in(view, Out((2,)))), view)
        long.found.count_notice(LineUpBegun((), view, before))
        long.found.count_notice(out)
        short.found.count_notice(out)
        assert long.found.counts[:2] == short.found.counts[:2], behind
        assert long.found.rank_seats(view) == short.found.rank_seats(view)


class Recorded:
    """The same game each time, as far as one wants it."""

    def __init__(self) -> None:
        self.view = new_view(3)
        self.found = begun(self.view)
        self._chooser = random.Random(4)

    def play(self, steps: int) -> None:
        game = self.view.game
        for _step in range(steps):
            pending = game.pending
            if isinstance(pending, Chance):
                events = put_in(self.view, draw(pending, self._chooser))
            else:
                assert not isinstance(pending, Over)
                answer = Answered(pending.seat, bots.advise(self.view, pending))
                events = put_in(self.view, answer)
            self.found.count_notice(Happened(tuple(events), self.view))


def test_places_are_shared_by_equals() -> None:
    view = table(5)
    found = begun(view)
    monsters = view.game.state.monsters
    monsters[0].points, monsters[1].points, monsters[2].points = 20, 7, 7
    monsters[3].alive = monsters[4].alive = False
    found.counts[3].turn_of_fall, found.counts[4].turn_of_fall = 9, 12
    found.count_notice(GameFinished((0,), (0,), view))
    assert found.rank_seats(view) == [(1, 0), (2, 1), (2, 2), (4, 4), (5, 3)]


def test_six_players_fit_on_a_screen() -> None:
    view = table(6)
    found = begun(view)
    for deeds in found.counts:
        for name in vars(deeds):
            setattr(deeds, name, 188)
    told = statistics.describe_statistics(found, view)
    assert len(told) == 7
    rows = [row for line in told for row in wrap_line(line, 78)]
    assert len(rows) <= 20
    assert all(len(row) <= 78 for row in rows)


def test_a_monster_that_is_out_is_told_with_the_turn_and_its_points() -> None:
    view = table()
    view.game.state.turn = 20
    view.game.state.monsters[1].points = 9
    found = begun(view)
    fall = Eliminated(1)
    fall.apply(view.game.state)
    found.count_notice(Happened((fall,), view))
    told = statistics.describe_statistics(found, view)
    assert any("out in turn 20 with 9 points (0 from dice" in line for line in told)


async def test_plain_tells_it_at_the_end() -> None:
    notebook, game = await a_game(2, "second")
    front = notebook.front
    assert not any("How it went" in line for line in said(front))
    await front.show_ending(Ending(EndKind.FINISHED, view=game.view))
    told = said(front)[-3:]
    assert told[0] == "How it went:"
    assert {line.split(":")[0][3:] for line in told[1:]} == set(NAMES[:2])
