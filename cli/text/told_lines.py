"""Sentences that know their kind: a hit, a card, a word of chat.

Scope: the kinds, and which event is of which. A `ToldLine` is the sentence and can be read as
nothing else; a display that has marks for kinds may use them.
Not here: the sentences (`story`), and the marks (`cli.ui.screen.log_marks`).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import assert_never

from kotp2p.referee.model import events as told
from kotp2p.referee.model.answers import Seat
from kotp2p.referee.model.events import Event


class LineKind(StrEnum):
    FACT = "fact"
    """Without a mark."""
    TURN = "turn"
    """Begins a turn."""
    DICE = "dice"
    DAMAGE = "damage"
    HEALING = "healing"
    POINTS = "points"
    ENERGY = "energy"
    CARD = "card"
    TOKYO = "Tokyo"
    CHAT = "chat"
    INCIDENT = "incident"
    """About players and connections, not about monsters."""


class ToldLine(str):
    """`seat`: the monster that does it or to which it happens. `short`: the same where the whole
    does not fit on a row; empty if there is no shorter form."""

    kind: LineKind
    seat: Seat | None
    short: str

    def __new__(
        cls, text: str, kind: LineKind, seat: Seat | None = None, short: str = ""
    ) -> ToldLine:
        line = super().__new__(cls, text)
        line.kind, line.seat, line.short = kind, seat, short
        return line


def tell_all(lines: Sequence[str], kind: LineKind) -> list[str]:
    return [ToldLine(line, kind) for line in lines]


def kind_of_event(event: Event) -> LineKind:
    match event:
        case told.TurnStarted():
            return LineKind.TURN
        case (
            told.FirstRolled() | told.DiceRolled() | told.DieChanged() | told.RollGained()
            | told.DiceResolved() | told.TripleOnesScored() | told.CardRolled()
        ):  # fmt: skip
            return LineKind.DICE
        case (
            told.HeartsLost() | told.HeartsSet() | told.HeartsReachedZero() | told.Eliminated()
            | told.TokensGained()
        ):  # fmt: skip
            return LineKind.DAMAGE
        case (
            told.HeartsGained() | told.TokensRemoved() | told.Resurrected() | told.Zombified()
            | told.DamagePrevented() | told.Sheltered()
        ):  # fmt: skip
            return LineKind.HEALING
        case told.PointsGained() | told.PointsLost() | told.GameEnded() | told.RoarRecorded():
            return LineKind.POINTS
        case told.EnergyGained() | told.EnergyLost():
            return LineKind.ENERGY
        case told.EnteredTokyo() | told.LeftTokyo() | told.MovedToCity() | told.YieldAnswered():
            return LineKind.TOKYO
        case (
            told.MarketFilled() | told.DeckRenewed() | told.MarketSwept() | told.TopSeen()
            | told.TopLost() | told.CardUsed() | told.CardBought() | told.CardKept()
            | told.CardLost() | told.CardDiscarded() | told.CardSold() | told.CountersChanged()
            | told.CopyPlaced() | told.ItemMarked() | told.TilesLaid() | told.TileTaken()
            | told.WickednessChanged()
        ):  # fmt: skip
            return LineKind.CARD
        case told.ExtraTurnGained() | told.ExtraTurnsLost() | told.TurnEnded():
            return LineKind.FACT
        case _:
            assert_never(event)


def seat_of_event(event: Event) -> Seat | None:
    """None if it concerns no monster, or several."""
    seat = getattr(event, "seat", None)
    return seat if isinstance(seat, int) else None
