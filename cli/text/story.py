"""Events become sentences, one fact a line, for the reader at one seat.

Scope: the order of the lines, and what is told together. `Story` folds the events over its own
copy of the State, because the peer's game may be further on: so a sentence can name the values
right after its event.
Not here: the sentences (`events_turn`, `events_values`, `events_tokyo`, `events_cards`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from kotp2p.cli.text import events_cards, events_tokyo, events_turn, events_values
from kotp2p.cli.text.context import StoryContext
from kotp2p.cli.text.told_lines import LineKind, ToldLine, kind_of_event, seat_of_event
from kotp2p.referee.model.answers import Face, Item, Seat
from kotp2p.referee.model.apply import apply
from kotp2p.referee.model.events import (
    CardBought,
    CardDiscarded,
    CardKept,
    CardLost,
    CardRolled,
    CardSold,
    CardUsed,
    CopyPlaced,
    CountersChanged,
    DamagePrevented,
    DeckRenewed,
    DiceResolved,
    DiceRolled,
    DieChanged,
    Eliminated,
    EnergyGained,
    EnergyLost,
    EnteredTokyo,
    Event,
    ExtraTurnGained,
    ExtraTurnsLost,
    FirstRolled,
    GameEnded,
    HeartsGained,
    HeartsLost,
    HeartsReachedZero,
    HeartsSet,
    ItemMarked,
    LeftTokyo,
    MarketFilled,
    MarketSwept,
    MovedToCity,
    PointsGained,
    PointsLost,
    Resurrected,
    RoarRecorded,
    RollGained,
    Sheltered,
    TilesLaid,
    TileTaken,
    TokensGained,
    TokensRemoved,
    TopLost,
    TopSeen,
    TripleOnesScored,
    TurnEnded,
    TurnStarted,
    WickednessChanged,
    YieldAnswered,
    Zombified,
)
from kotp2p.referee.model.state import DamageKind, State
from kotp2p.seams.seat_view import SeatView


class Story:
    """What one seat has been told so far."""

    def __init__(self, state: State, *, asked: bool = True) -> None:
        """`asked`: the questions of this seat are put to the reader, not to a bot."""
        # Folded from here on: the game may be further on than the events being told.
        self._state = state.copy()
        self._dice_told: list[Face] = []
        self._dice_points = events_values.DicePoints()
        self._bought: set[Item] = set()
        self._asked = asked

    def is_told_alive(self, seat: Seat) -> bool:
        """As far as has been told."""
        return self._state.monsters[seat].alive

    def describe_events(self, events: Sequence[Event], view: SeatView) -> list[str]:
        context = StoryContext(
            view, self._state, self._bought, self._dice_told, reader_is_asked=self._asked
        )
        lines: list[str] = []
        hits: list[events_values.ClawHit] = []
        for event in events:
            claws = event if isinstance(event, HeartsLost) and _by_claws(event) else None
            if hits and (claws is None or claws.dealer != hits[0].lost.dealer):
                lines.append(_tell_hits(hits, context))
                hits = []
            apply(self._state, event)
            context.points_of_dice = self._dice_points.note_event(event)
            if claws is None:
                lines += _tell_event(event, context)
            else:
                hits.append(events_values.ClawHit(claws, context.monster(claws.seat).hearts))
        if hits:
            lines.append(_tell_hits(hits, context))
        return lines


def _tell_hits(hits: Sequence[events_values.ClawHit], context: StoryContext) -> str:
    text = events_values.describe_claw_hits(hits, context)
    return ToldLine(text, LineKind.DAMAGE, hits[0].lost.dealer)


def _tell_event(event: Event, context: StoryContext) -> list[str]:
    """The sentences of an event, which know their kind."""
    kind, seat = kind_of_event(event), seat_of_event(event)
    short = ""
    if isinstance(event, TurnStarted):
        short = events_turn.describe_turn_shortly(event, context)
    return [ToldLine(line, kind, seat, short) for line in _describe_event(event, context)]


def _by_claws(event: HeartsLost) -> bool:
    return event.packet is DamageKind.CLAWS


def _describe_event(event: Event, context: StoryContext) -> list[str]:
    """None, one, or (a table turned over) several lines."""
    match event:
        case (
            FirstRolled() | TurnStarted() | DiceRolled() | DieChanged() | RollGained()
            | DiceResolved() | TripleOnesScored() | CardRolled() | ExtraTurnGained()
            | ExtraTurnsLost() | RoarRecorded() | TurnEnded() | GameEnded()
        ):  # fmt: skip
            line = events_turn.describe_turn_event(event, context)
        case (
            PointsGained() | PointsLost() | EnergyGained() | EnergyLost() | HeartsGained()
            | HeartsLost() | HeartsSet() | TokensGained() | TokensRemoved() | WickednessChanged()
        ):  # fmt: skip
            line = events_values.describe_value_event(event, context)
        case (
            EnteredTokyo() | LeftTokyo() | MovedToCity() | YieldAnswered() | HeartsReachedZero()
            | Eliminated() | Resurrected() | Zombified() | DamagePrevented() | Sheltered()
        ):  # fmt: skip
            line = events_tokyo.describe_tokyo_event(event, context)
        case MarketFilled() | DeckRenewed() | MarketSwept() | TopSeen() | TopLost():
            return events_cards.describe_market_event(event, context)
        case (
            CardUsed() | CardBought() | CardKept() | CardLost() | CardDiscarded() | CardSold()
            | CountersChanged() | CopyPlaced() | ItemMarked() | TilesLaid() | TileTaken()
        ):  # fmt: skip
            line = events_cards.describe_card_event(event, context)
        case _:
            assert_never(event)
    return [line] if line else []
