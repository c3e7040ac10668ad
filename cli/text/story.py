"""Events become sentences, one fact a line, for the reader at one seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType

from kotp2p.cli.text import event_words
from kotp2p.cli.text.event_words import StoryContext
from kotp2p.cli.text.i18n import N_, _
from kotp2p.referee.model import answers
from kotp2p.referee.model import events as ev
from kotp2p.referee.model.answers import Reason, Seat
from kotp2p.referee.model.events import Event
from kotp2p.referee.model.state import DamageKind, State
from kotp2p.seams.notices import SeatView

# -- events become sentences, one fact a line, for the reader at one seat ------------------


class Story:
    def __init__(self, state: State, *, asked: bool = True) -> None:
        """Start from a copy of `state`; without `asked` a bot answers this seat's questions."""
        # Folded from here on: the game may be further on than these events.
        self._state = state.copy()
        self._dice_told: list[answers.Face] = []
        self._dice_points = event_words.DicePoints()
        self._bought: set[answers.Item] = set()
        self._asked = asked

    def describe_events(self, events: Sequence[Event], view: SeatView) -> list[str]:
        context = StoryContext(
            view, self._state, self._bought, self._dice_told, reader_is_asked=self._asked
        )
        lines: list[str] = []
        hits: list[event_words.ClawHit] = []
        for event in events:
            claws = None
            if isinstance(event, ev.HeartsLost) and event.packet is DamageKind.CLAWS:
                claws = event
            if hits and (claws is None or claws.dealer != hits[0].lost.dealer):
                lines.append(_tell_hits(hits, context))
                hits = []
            event.apply(self._state)
            context.points_of_dice = self._dice_points.note_event(event)
            if claws is None:
                lines += _tell_event(event, context)
            else:
                hits.append(event_words.ClawHit(claws, context.monster(claws.seat).hearts))
        if hits:
            lines.append(_tell_hits(hits, context))
        return lines


def _tell_hits(hits: Sequence[event_words.ClawHit], context: StoryContext) -> str:
    text = event_words.describe_claw_hits(hits, context)
    return ToldLine(text, LineKind.DAMAGE, hits[0].lost.dealer)


def _tell_event(event: Event, context: StoryContext) -> list[str]:
    kind, seat = kind_of_event(event), event_words.seat_of_event(event)
    short = ""
    if isinstance(event, ev.TurnStarted):
        short = event_words.describe_turn_shortly(event, context)
    great = isinstance(event, ev.Eliminated | ev.GameEnded)
    return [
        ToldLine(line, kind, seat, short, stands_out=great)
        for line in event_words.describe_event(event, context)
    ]


# -- sentences that know their kind: a hit, a card, a word of chat -------------------------
#
# The kinds, and which event is of which. A `ToldLine` is the sentence and can be read as nothing
# else; a display that has marks for kinds may use them.


class LineKind(StrEnum):
    FACT = "fact"
    TURN = "turn"
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
    """A line of the story about `seat`; `short` fits narrow rows, `stands_out` marks great news."""

    kind: LineKind
    seat: Seat | None
    short: str
    stands_out: bool

    def __new__(
        cls,
        text: str,
        kind: LineKind,
        seat: Seat | None = None,
        short: str = "",
        *,
        stands_out: bool = False,
    ) -> ToldLine:
        line = super().__new__(cls, text)
        line.kind, line.seat, line.short, line.stands_out = kind, seat, short, stands_out
        return line


def tell_all(lines: Sequence[str], kind: LineKind) -> list[str]:
    return [ToldLine(line, kind) for line in lines]


KINDS: Mapping[type[Event], LineKind] = MappingProxyType({
    ev.TurnStarted: LineKind.TURN,
    **dict.fromkeys((
        ev.FirstRolled, ev.DiceRolled, ev.DieChanged, ev.RollGained, ev.DiceResolved,
        ev.TripleOnesScored, ev.CardRolled,
    ), LineKind.DICE),
    **dict.fromkeys((
        ev.HeartsLost, ev.HeartsSet, ev.HeartsReachedZero, ev.Eliminated, ev.TokensGained,
    ), LineKind.DAMAGE),
    **dict.fromkeys((
        ev.HeartsGained, ev.TokensRemoved, ev.Resurrected, ev.Zombified, ev.DamagePrevented,
        ev.Sheltered,
    ), LineKind.HEALING),
    **dict.fromkeys(
        (ev.PointsGained, ev.PointsLost, ev.GameEnded, ev.RoarRecorded), LineKind.POINTS
    ),
    **dict.fromkeys((ev.EnergyGained, ev.EnergyLost), LineKind.ENERGY),
    **dict.fromkeys(
        (ev.EnteredTokyo, ev.LeftTokyo, ev.MovedToCity, ev.YieldAnswered), LineKind.TOKYO
    ),
    **dict.fromkeys((ev.ExtraTurnGained, ev.ExtraTurnsLost, ev.TurnEnded), LineKind.FACT),
})  # fmt: skip
"""All other events are about cards."""


def kind_of_event(event: Event) -> LineKind:
    return KINDS.get(type(event), LineKind.CARD)


# -- refusals ------------------------------------------------------------------------------


_REFUSED: Mapping[Reason, str] = MappingProxyType(
    {
        Reason.NO_SUCH_DIE: N_("That die cannot be used for this."),
        Reason.NO_SUCH_FACE: N_("The die cannot become that."),
        Reason.CANNOT_PAY: N_("You do not have enough energy for that."),
        Reason.NOT_FOR_SALE: N_("That card is not for sale to you now."),
        Reason.TOO_MANY: N_("That is more than there is."),
        Reason.NOT_A_TARGET: N_("That one cannot be chosen."),
        Reason.NOT_THE_GROUPS: N_("Name each group of dice once."),
        Reason.FULL_HEARTS: N_("You have all your hearts already."),
        Reason.NO_ROLL_LEFT: N_("You have no roll left."),
        Reason.NOT_USABLE: N_("That card cannot be used here."),
        Reason.FORBIDDEN: N_("A card forbids that."),
        Reason.ALREADY_SEEN: N_("You have seen the top card already; it is still there."),
        Reason.NOT_SEEN: N_("You can buy the top card only after looking at it."),
        Reason.NOT_ALIVE: N_("That monster is out of the game."),
        Reason.OVER: N_("The game is over."),
    }
)
_NO_ANSWER = N_("That is not an answer to this question.")


def describe_refusal(reason: Reason) -> str:
    return _(_REFUSED.get(reason, _NO_ANSWER))
