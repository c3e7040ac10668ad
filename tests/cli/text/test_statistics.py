"""The counts of a game: against the events themselves, after a rewind, and as lines."""

from __future__ import annotations

import random

import pytest

from cli.system.output import wrap
from cli.text import statistics
from cli.text.statistics import Deeds, Statistics
from kotp2p import bots
from kotp2p.endings import Ending, EndKind
from kotp2p.notices import GameFinished, GameStarted, Happened, Notice, Rewound
from kotp2p.seat_view import SeatView
from referee.box.rulesets import RULE_SETS
from referee.model.answers import Answered, Out
from referee.model.decisions import Chance, Over
from referee.model.events import (
    CardBought,
    CardLost,
    Eliminated,
    EnergyGained,
    Event,
    HeartsGained,
    HeartsLost,
    MarketFilled,
    PointsGained,
    PointsLost,
)
from referee.model.kinds import Cause, DamageKind
from tests.support.laid_decisions import table
from tests.support.local_game import NAMES, Table, draw, new_view, piped, said


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
    found = notebook.front.state.feed.statistics
    events = notebook.events
    for seat, deeds in enumerate(found.deeds):
        monster = game.view.game.state.monsters[seat]
        gained = sum(e.amount for e in events if isinstance(e, PointsGained) and e.seat == seat)
        missed = sum(e.amount for e in events if isinstance(e, PointsLost) and e.seat == seat)
        assert deeds.from_dice + deeds.from_tokyo + deeds.from_cards == gained
        assert monster.points in (gained - missed, 0)
        assert deeds.bought == sum(isinstance(e, CardBought) and e.seat == seat for e in events)
        assert deeds.lost == sum(
            e.amount for e in events if isinstance(e, HeartsLost) and e.seat == seat
        )
        assert (deeds.fell is None) == monster.alive
    dealt = [e for e in events if isinstance(e, HeartsLost) and e.dealer not in (None, e.seat)]
    assert sum(d.dealt for d in found.deeds) == sum(e.amount for e in dealt)
    assert sum(d.rerolled for d in found.deeds) > 0
    assert sum(d.in_tokyo for d in found.deeds) > 0


def begun(view: SeatView) -> Statistics:
    found = Statistics()
    found.note(GameStarted(view))
    return found


def test_each_deed_goes_to_its_player() -> None:
    view = table()
    found = begun(view)
    found.note(
        Happened(
            (
                HeartsLost(1, 3, DamageKind.CLAWS, 0),
                HeartsLost(2, 2, DamageKind.CARD, 2),
                HeartsGained(1, 2, Cause.DICE),
                EnergyGained(0, 4, Cause.DICE),
                PointsGained(0, 3, Cause.DICE),
                PointsGained(0, 1, Cause.TOKYO),
                PointsGained(0, 2, Cause.CARD),
            ),
            view,
        )
    )
    assert found.deeds[0] == Deeds(energy=4, from_dice=3, from_tokyo=1, from_cards=2, dealt=3)
    assert found.deeds[1] == Deeds(lost=3, healed=2)
    assert found.deeds[2] == Deeds(lost=2)


async def test_what_was_rewound_is_not_counted() -> None:
    """Somebody is dropped at an earlier point: the counts of the others are those of a game that
    never went on from there."""
    for behind in range(4, 40, 3):
        short, long = Recorded(), Recorded()
        short.play(behind)
        long.play(behind + 20)
        assert long.found.deeds != short.found.deeds
        view = SeatView(0, short.view.players, short.view.game, "")
        out = Happened(tuple(view.game.submit(Out((2,)))), view)
        long.found.note(Rewound(1, view, view.game.state))
        long.found.note(out)
        short.found.note(out)
        assert long.found.deeds[:2] == short.found.deeds[:2], behind
        assert long.found.ranks(view) == short.found.ranks(view)


def test_a_drop_takes_cards_that_nobody_had_by_then() -> None:
    """The view is further on than what is told: nothing is known for sure, and nothing breaks."""
    view = table()
    found = begun(view)
    view.game.state.turn = 7
    found.note(Rewound(5, view, view.game.state))
    found.note(Happened((CardLost(2, 0), MarketFilled(((0, 3),)), Eliminated(2)), view))
    assert found.deeds[2].fell == 0


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
                events = game.submit(draw(pending, self._chooser))
            else:
                assert not isinstance(pending, Over)
                answer = Answered(pending.seat, bots.advise(self.view, pending))
                events = game.submit(answer)
            self.found.note(Happened(tuple(events), self.view))


def test_places_are_shared_by_equals() -> None:
    view = table(5)
    found = begun(view)
    monsters = view.game.state.monsters
    monsters[0].points, monsters[1].points, monsters[2].points = 20, 7, 7
    monsters[3].alive = monsters[4].alive = False
    found.deeds[3].fell, found.deeds[4].fell = 9, 12
    found.note(GameFinished((0,), (0,), view))
    assert found.ranks(view) == [(1, 0), (2, 1), (2, 2), (4, 4), (5, 3)]


def test_six_players_fit_on_a_screen() -> None:
    view = table(6)
    found = begun(view)
    for deeds in found.deeds:
        for name in vars(deeds):
            setattr(deeds, name, 188)
    told = statistics.lines(found, view)
    assert len(told) == 7
    rows = [row for line in told for row in wrap(line, 78)]
    assert len(rows) <= 20
    assert all(len(row) <= 78 for row in rows)


def test_a_resumed_game_says_from_when_it_counts() -> None:
    view = table()
    view.game.state.turn = 12
    found = Statistics()
    found.note(GameStarted(view, resumed=True))
    assert statistics.lines(found, view)[0] == (
        "How it went since turn 12, when the game was resumed:"
    )


async def test_plain_tells_it_at_the_end() -> None:
    notebook, game = await a_game(2, "second")
    front = notebook.front
    assert not any("How it went" in line for line in said(front))
    await front.show_ending(Ending(EndKind.FINISHED, view=game.view))
    told = said(front)[-3:]
    assert told[0] == "How it went:"
    assert {line.split(":")[0][3:] for line in told[1:]} == set(NAMES[:2])
