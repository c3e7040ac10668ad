"""Every event is of a kind, and its sentences know it."""

from typing import get_args

import pytest

from kotp2p.cli.text.event_words import SENTENCES, WRITERS, seat_of_event
from kotp2p.cli.text.story import LineKind, Story, ToldLine, kind_of_event
from kotp2p.referee.model import events
from kotp2p.referee.model.state import Cause, DamageKind
from tests.support.local_game import new_view


@pytest.mark.parametrize("event_type", get_args(events.Event))
def test_every_event_has_a_kind(event_type: type[events.Event]) -> None:
    assert isinstance(kind_of_event(object.__new__(event_type)), LineKind)


def test_every_event_has_its_words_or_is_silent() -> None:
    silent = {events.TripleOnesScored, events.TurnEnded, events.CardDiscarded, events.ItemMarked}
    assert {*SENTENCES, *WRITERS, events.MarketFilled} == set(get_args(events.Event)) - silent


def test_a_sentence_knows_its_kind_and_its_monster() -> None:
    view = new_view(3)
    view.game.state.turn = 7
    story = Story(view.game.state)
    lines = story.describe_events(
        [
            events.TurnStarted(1),
            events.HeartsLost(0, 2, DamageKind.CLAWS, 1),
            events.HeartsLost(2, 1, DamageKind.CLAWS, 1),
            events.EnergyGained(2, 1, Cause.DICE),
            events.Eliminated(2),
        ],
        view,
    )
    told = [(line.kind, line.seat) for line in lines if isinstance(line, ToldLine)]
    assert len(told) == len(lines)
    assert told[:4] == [
        (LineKind.TURN, 1),
        (LineKind.DAMAGE, 1),  # the attacker, for all that are hit
        (LineKind.ENERGY, 2),
        (LineKind.DAMAGE, 2),
    ]
    (first, *_others) = lines
    assert isinstance(first, ToldLine)
    assert first.short == "Turn 8, Rex"


def test_an_event_of_no_monster_has_no_seat() -> None:
    assert seat_of_event(object.__new__(events.DeckRenewed)) is None
