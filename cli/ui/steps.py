"""What a person is shown in one go, and for how long it stands before the next thing is shown.

Scope: which notices wait for their turn, how the events of one notice are split, and the dwell
times. Everything is in seconds at normal speed.
Not here: the queue (`presentation_queue`), and who is shown the steps (`paced_front`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import assert_never

from kotp2p.referee.model import events as ev
from kotp2p.referee.model.answers import Seat
from kotp2p.referee.model.events import Event
from kotp2p.referee.model.state import DamageKind
from kotp2p.seams import notices as absence
from kotp2p.seams import notices as start
from kotp2p.seams import notices as told
from kotp2p.seams import notices as watching
from kotp2p.seams.notices import AskingByCode, LobbyRefused, TableCode

TURN_SECONDS = 0.4
ROLL_SECONDS = 0.6
OWN_ROLL_SECONDS = 1.2
"""For the last roll, about which nothing is asked: an answer ends the dwell time."""
RESULT_SECONDS = 0.5
MOVE_SECONDS = 0.5
MOMENT_SECONDS = 1.0
"""Of an event with which the drawn table fills itself (`cli.ui.screen.great_moments`)."""
HEAVY_HIT = 3
"""Hearts lost at once that make such an event."""
DAMAGE_SECONDS = 0.8
CARD_SECONDS = 0.8
PAID_CARDS_SECONDS = 2.4
"""Three new cards for which this player has paid."""
FALL_SECONDS = 1.2


class Handling(Enum):
    """How a notice reaches a player who may not have seen what came before it."""

    AT_ONCE = auto()
    """It is about the people or the clocks; no sentence about it depends on how the game stands."""
    IN_ORDER = auto()
    """It belongs to the course of the game."""
    BREAKS_IN = auto()
    """From here on the game is another one. What came before is shown at once."""


def handling_of(notice: told.Notice) -> Handling:
    match notice:
        case (
            told.Happened() | told.Waiting() | told.GameFinished() | told.TopRevealed()
            | told.LinkChanged() | told.Missing() | absence.PlayedForYou() | absence.CardBurnt()
        ):  # fmt: skip
            return Handling.IN_ORDER
        case told.Said(yours=yours):
            # What another says may be about a roll that this player has not seen yet.
            return Handling.AT_ONCE if yours else Handling.IN_ORDER
        case (
            told.GameStarted() | absence.LineUpBegun() | absence.Split() | told.Cheated()
            | told.EvidenceKept() | told.Diverged() | told.ProgramFault()
        ):  # fmt: skip
            return Handling.BREAKS_IN
        case (
            watching.WatchersChanged() | watching.WatchAdmitted() | watching.WatchLinkChanged()
            | watching.RemarkRefused() | watching.NextGameAwaited()
            | told.PastLog() | told.Reopened() | told.Flooded() | told.OwnClock() | told.Detour()
            | told.Unsteady()
            | told.TableOpened() | told.TableAnnounced() | told.LobbyChanged() | LobbyRefused()
            | start.StartFailed() | start.StartDeclined() | start.StartSigned()
            | start.StartInDoubt() | start.HostLinkChanged() | told.GuestIdentity()
            | told.NameChanged() | told.KeyChanged()
            | told.KeyAccepted() | told.RematchNews() | TableCode() | AskingByCode()
            | absence.Gone() | absence.Returned() | absence.Offer() | absence.OfferEnded()
            | absence.Wished() | absence.StopWanted() | absence.ReturnAsked()
            | absence.ChangeStalls()
        ):  # fmt: skip
            return Handling.AT_ONCE
        case _:
            assert_never(notice)


@dataclass(frozen=True, slots=True)
class EventStep:
    """Events that are shown together."""

    events: tuple[Event, ...]
    dwell: float
    is_own: bool = False
    """It befalls the player, or the player has done it: not to be skipped."""


class EventSplitter:
    """Splits the events of a game as the player of one seat needs to see them."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._paid_for_cards = False
        """This player has paid for new cards, which have not been turned up yet."""

    def sit_before(self, seat: Seat) -> None:
        """From now on, the events of this seat are the player's own."""
        self._seat = seat

    def split(self, events: Sequence[Event]) -> list[EventStep]:
        steps: list[EventStep] = []
        group: list[Event] = []
        dwell = 0.0
        for event, seconds in self._timed(events):
            if group and seconds and not _belong_together(group[-1], event):
                steps.append(self._step(group, dwell))
                group, dwell = [], 0.0
            group.append(event)
            dwell = max(dwell, seconds)
        return [*steps, self._step(group, dwell)]

    def _step(self, events: Sequence[Event], dwell: float) -> EventStep:
        return EventStep(tuple(events), dwell, any(self._is_own(event) for event in events))

    def _is_own(self, event: Event) -> bool:
        match event:
            case (
                ev.DiceRolled(seat=seat) | ev.HeartsLost(seat=seat) | ev.Eliminated(seat=seat)
                | ev.HeartsReachedZero(seat=seat) | ev.Resurrected(seat=seat)
                | ev.Zombified(seat=seat)
            ):  # fmt: skip
                return seat == self._seat
            case _:  # it can be read in the sum of the turn, or in the log
                return False

    def _timed(self, events: Sequence[Event]) -> Iterator[tuple[Event, float]]:
        """Each event with the time that it needs; 0 for what goes with the event before it."""
        for event in events:
            match event:
                case ev.DiceRolled(seat=self._seat):
                    yield event, OWN_ROLL_SECONDS
                case ev.MarketSwept(seat=self._seat):
                    self._paid_for_cards = True
                    yield event, 0.0
                case ev.MarketFilled() if self._paid_for_cards:
                    self._paid_for_cards = False
                    yield event, PAID_CARDS_SECONDS
                case ev.HeartsLost(amount=amount) if amount >= HEAVY_HIT:
                    yield event, MOMENT_SECONDS
                case _:  # the time of any other event is the same for all seats
                    yield event, _SECONDS.get(type(event), 0.0)


def _belong_together(before: Event, event: Event) -> bool:
    """One blow, told in one sentence."""
    return (
        isinstance(before, ev.HeartsLost)
        and isinstance(event, ev.HeartsLost)
        and before.packet is event.packet is DamageKind.CLAWS
        and before.dealer == event.dealer
    )


_SECONDS: dict[type, float] = {
    ev.FirstRolled: FALL_SECONDS,
    ev.TurnStarted: TURN_SECONDS,
    ev.DiceRolled: ROLL_SECONDS,
    ev.DieChanged: ROLL_SECONDS,
    ev.CardRolled: ROLL_SECONDS,
    ev.DiceResolved: RESULT_SECONDS,
    ev.HeartsLost: DAMAGE_SECONDS,
    ev.HeartsReachedZero: DAMAGE_SECONDS,
    ev.DamagePrevented: DAMAGE_SECONDS,
    ev.Eliminated: FALL_SECONDS,
    ev.Resurrected: FALL_SECONDS,
    ev.Zombified: FALL_SECONDS,
    ev.YieldAnswered: MOVE_SECONDS,
    ev.EnteredTokyo: MOMENT_SECONDS,
    ev.MovedToCity: MOVE_SECONDS,
    ev.CardBought: CARD_SECONDS,
    ev.CardUsed: MOVE_SECONDS,
    ev.CardSold: MOVE_SECONDS,
    ev.TileTaken: CARD_SECONDS,
    ev.MarketSwept: MOVE_SECONDS,
    ev.TokensGained: MOVE_SECONDS,
    ev.ExtraTurnGained: MOVE_SECONDS,
    ev.GameEnded: MOMENT_SECONDS,
}
"""What is not here goes with the event before it: nobody needs to see it apart."""
