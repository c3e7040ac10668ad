"""Events become sentences, one fact a line, for the reader at one seat.

Scope: the order of the lines, and which facts share one. `Story` folds the events over its own copy
of the State, because the peer's game may be further on: so a sentence can name the values right
after its event.
Not here: the sentences (`event_words`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import assert_never

from kotp2p.cli.text import event_words, names
from kotp2p.cli.text.event_words import StoryContext
from kotp2p.cli.text.i18n import N_, _, list_with_and, list_with_commas, plural
from kotp2p.referee.model import events as told
from kotp2p.referee.model.answers import (
    Again,
    Answer,
    Buy,
    BuyTop,
    Copy,
    Deposit,
    Done,
    Face,
    Hearts,
    Item,
    Keep,
    Order,
    Pass,
    Peek,
    Reason,
    Reroll,
    Seat,
    Sell,
    Stay,
    Stop,
    Swap,
    Sweep,
    Take,
    Use,
    Yield,
)
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
from kotp2p.seams.notices import SeatView

# -- events become sentences, one fact a line, for the reader at one seat ------------------


class Story:
    """The game as far as one seat has read it."""

    def __init__(self, state: State, *, asked: bool = True) -> None:
        """Start from a copy of `state`; without `asked` a bot answers this seat's questions."""
        # Folded from here on: the game may be further on than these events.
        self._state = state.copy()
        self._dice_told: list[Face] = []
        self._dice_points = event_words.DicePoints()
        self._bought: set[Item] = set()
        self._asked = asked

    def is_told_alive(self, seat: Seat) -> bool:
        """Return whether the monster is alive as far as the story has come."""
        return self._state.monsters[seat].alive

    def describe_events(self, events: Sequence[Event], view: SeatView) -> list[str]:
        context = StoryContext(
            view, self._state, self._bought, self._dice_told, reader_is_asked=self._asked
        )
        lines: list[str] = []
        hits: list[event_words.ClawHit] = []
        for event in events:
            claws = event if isinstance(event, HeartsLost) and _by_claws(event) else None
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
    """Return the sentences of an event, tagged with their kind."""
    kind, seat = kind_of_event(event), seat_of_event(event)
    short = ""
    if isinstance(event, TurnStarted):
        short = event_words.describe_turn_shortly(event, context)
    great = isinstance(event, Eliminated | GameEnded)
    return [
        ToldLine(line, kind, seat, short, stands_out=great)
        for line in _describe_event(event, context)
    ]


def _by_claws(event: HeartsLost) -> bool:
    return event.packet is DamageKind.CLAWS


def _describe_event(event: Event, context: StoryContext) -> list[str]:
    """Return no, one or (a table turned over) several lines."""
    match event:
        case (
            FirstRolled() | TurnStarted() | DiceRolled() | DieChanged() | RollGained()
            | DiceResolved() | TripleOnesScored() | CardRolled() | ExtraTurnGained()
            | ExtraTurnsLost() | RoarRecorded() | TurnEnded() | GameEnded()
        ):  # fmt: skip
            line = event_words.describe_turn_event(event, context)
        case (
            PointsGained() | PointsLost() | EnergyGained() | EnergyLost() | HeartsGained()
            | HeartsLost() | HeartsSet() | TokensGained() | TokensRemoved() | WickednessChanged()
        ):  # fmt: skip
            line = event_words.describe_value_event(event, context)
        case (
            EnteredTokyo() | LeftTokyo() | MovedToCity() | YieldAnswered() | HeartsReachedZero()
            | Eliminated() | Resurrected() | Zombified() | DamagePrevented() | Sheltered()
        ):  # fmt: skip
            line = event_words.describe_tokyo_event(event, context)
        case MarketFilled() | DeckRenewed() | MarketSwept() | TopSeen() | TopLost():
            return event_words.describe_market_event(event, context)
        case (
            CardUsed() | CardBought() | CardKept() | CardLost() | CardDiscarded() | CardSold()
            | CountersChanged() | CopyPlaced() | ItemMarked() | TilesLaid() | TileTaken()
        ):  # fmt: skip
            line = event_words.describe_card_event(event, context)
        case _:
            assert_never(event)
    return [line] if line else []


# -- sentences that know their kind: a hit, a card, a word of chat -------------------------
#
# The kinds, and which event is of which. A `ToldLine` is the sentence and can be read as nothing
# else; a display that has marks for kinds may use them.


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
    """A line of the story.

    `seat` is the monster that acts or is affected. `short` is a form for a narrow row, or empty.
    `stands_out` marks a fall or a victory.
    """

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
    """Return the seat, or None if the event concerns no monster or several."""
    seat = getattr(event, "seat", None)
    return seat if isinstance(seat, int) else None


# -- what a player has answered, in a sentence: for a game that is looked at again ---------
#
# One sentence for each kind of answer, at the position at which it was given.


def describe_answer(view: SeatView, seat: Seat, answer: Answer) -> str:
    """Describe an answer; `view` is the one in which `seat` was asked."""
    match answer:
        case Stop() | Reroll() | Order() | Hearts() | Use():
            return _describe_dice(view, seat, answer)
        case Pass():
            return _fit(view, seat, N_("You do nothing here."), N_("{name} does nothing here."))
        case Done():
            return _fit(view, seat, N_("You are done here."), N_("{name} is done here."))
        case Yield():
            return _fit(
                view, seat, N_("You decide to leave Tokyo."), N_("{name} decides to leave Tokyo.")
            )
        case Stay():
            return _fit(
                view,
                seat,
                N_("You decide to stay in Tokyo."),
                N_("{name} decides to stay in Tokyo."),
            )
        case Take() | Again():
            return _describe_gain(view, seat, answer)
        case Buy() | BuyTop() | Copy() | Sell() | Swap():
            return _describe_cards(view, seat, answer)
        case Peek() | Sweep() | Deposit() | Keep():
            return _describe_deal(view, seat, answer)
        case _:
            assert_never(answer)


def _describe_dice(view: SeatView, seat: Seat, answer: Stop | Reroll | Order | Hearts | Use) -> str:
    dice = view.game.state.dice
    match answer:
        case Stop():
            return _fit(view, seat, N_("You stop rolling."), N_("{name} stops rolling."))
        case Reroll(dice=again) if len(again) == len(dice):
            return _fit(
                view, seat, N_("You roll all dice again."), N_("{name} rolls all dice again.")
            )
        case Reroll(dice=again):
            return _fit(
                view,
                seat,
                N_("You keep {kept} and roll {rolled} again."),
                N_("{name} keeps {kept} and rolls {rolled} again."),
                kept=names.faces(die for at, die in enumerate(dice) if at not in again),
                rolled=names.dice_count(len(again)),
            )
        case Order(groups=groups):
            return _fit(
                view,
                seat,
                N_("You use the dice in this order: {faces}."),
                N_("{name} uses the dice in this order: {faces}."),
                faces=list_with_commas(names.face(face) for face in groups),
            )
        case Hearts():
            return _fit(
                view,
                seat,
                N_("Your hearts go here: {parts}."),
                N_("The hearts of {name} go here: {parts}."),
                parts=_list_hearts(view, answer),
            )
        case Use(item=item):
            return _fit(
                view,
                seat,
                N_("You use {card}."),
                N_("{name} uses {card}."),
                card=names.item_name(view.game, item),
            )
        case _:
            assert_never(answer)


def _list_hearts(view: SeatView, answer: Hearts) -> str:
    parts = []
    if answer.heal:
        parts.append(_("{hearts} to heal", hearts=names.hearts(answer.heal)))
    if answer.poison:
        parts.append(
            plural("{n} against a poison token", "{n} against poison tokens", answer.poison)
        )
    if answer.shrink:
        parts.append(
            plural("{n} against a shrink token", "{n} against shrink tokens", answer.shrink)
        )
    parts += [
        _("{hearts} for {name}", hearts=names.hearts(n), name=names.player_name(view, patient))
        for patient, n in answer.give
    ]
    return list_with_and(parts) or _("nowhere")


def _describe_gain(view: SeatView, seat: Seat, answer: Take | Again) -> str:
    match answer:
        case Take(tile=tile):
            return _fit(
                view,
                seat,
                N_("You choose the tile {tile}."),
                N_("{name} chooses the tile {tile}."),
                tile=names.item_name(view.game, tile),
            )
        case Again():
            return _fit(
                view, seat, N_("You want the extra turn."), N_("{name} wants the extra turn.")
            )
        case _:
            assert_never(answer)


def _describe_cards(view: SeatView, seat: Seat, answer: Buy | BuyTop | Copy | Sell | Swap) -> str:
    match answer:
        case Buy(card=card):
            return _about_cards(
                view, seat, N_("You want to buy {cards}."), N_("{name} wants to buy {cards}."), card
            )
        case BuyTop(card=card):
            return _about_cards(
                view,
                seat,
                N_("You buy the top card of the deck, {cards}."),
                N_("{name} buys the top card of the deck, {cards}."),
                card,
            )
        case Copy(card=card):
            return _about_cards(
                view, seat, N_("You want to copy {cards}."), N_("{name} wants to copy {cards}."),
                card,
            )  # fmt: skip
        case Sell(cards=cards):
            return _about_cards(
                view, seat, N_("You sell {cards}."), N_("{name} sells {cards}."), *cards
            )
        case Swap(card=card):
            return _about_cards(
                view, seat, N_("You take {cards}."), N_("{name} takes {cards}."), card
            )
        case _:
            assert_never(answer)


def _describe_deal(view: SeatView, seat: Seat, answer: Peek | Sweep | Deposit | Keep) -> str:
    match answer:
        case Peek():
            return _fit(
                view,
                seat,
                N_("You ask to see the top card of the deck."),
                N_("{name} asks to see the top card of the deck."),
            )
        case Sweep():
            return _fit(
                view,
                seat,
                N_("You pay for three new cards."),
                N_("{name} pays for three new cards."),
            )
        case Deposit(energy=energy):
            return _fit(
                view,
                seat,
                N_("You lay {energy} on the card."),
                N_("{name} lays {energy} on the card."),
                energy=names.energy(energy),
            )
        case Keep():
            return _fit(
                view, seat, N_("You go on copying the same card."),
                N_("{name} goes on copying the same card."),
            )  # fmt: skip
        case _:
            assert_never(answer)


def _about_cards(view: SeatView, seat: Seat, to_me: str, to_others: str, *cards: Item) -> str:
    listed = list_with_and([names.item_name(view.game, card) for card in cards])
    return _fit(view, seat, to_me, to_others, cards=listed)


def _fit(view: SeatView, seat: Seat, to_me: str, to_others: str, **fields: object) -> str:
    """Fill in one of two marked messages: about the reader, or about `{name}`."""
    if seat == view.seat:
        return _(to_me, **fields)
    return _(to_others, name=names.player_name(view, seat), **fields)


# -- refusals ------------------------------------------------------------------------------
#
# The referee's reasons as sentences: to the player who is refused, and of a player who cheated.


_DICE = N_("the dice did not allow it")
_CARDS = N_("the cards did not allow it")
_CHOICE = N_("what it named could not be chosen")
_TOP_CARD = N_("the top card was not to be had like that")
_BROKEN: Mapping[str, str] = MappingProxyType({
    Reason.NO_SUCH_DIE: _DICE, Reason.NO_SUCH_FACE: _DICE, Reason.NOT_THE_GROUPS: _DICE,
    Reason.NO_ROLL_LEFT: N_("no roll was left"),
    Reason.NOT_USABLE: _CARDS, Reason.FORBIDDEN: _CARDS,
    Reason.CANNOT_PAY: N_("there was not enough energy for it"),
    Reason.NOT_FOR_SALE: N_("the card was not for sale"),
    Reason.FULL_HEARTS: N_("no heart was missing"),
    Reason.TOO_MANY: _CHOICE, Reason.NOT_A_TARGET: _CHOICE,
    Reason.ALREADY_SEEN: _TOP_CARD, Reason.NOT_SEEN: _TOP_CARD,
})  # fmt: skip
_NOT_ASKED = N_("nothing of the kind was asked")


def describe_broken_rule(detail: str) -> str:
    """Name the broken rule in a clause; `detail` is that of the proof."""
    return _(_BROKEN.get(detail.partition(":")[0], _NOT_ASKED))


def describe_refusal(reason: Reason) -> str:
    return _answer(reason) or _place(reason)


def _answer(reason: Reason) -> str:
    """Explain reasons about the thing that was named; empty for other reasons."""
    match reason:
        case Reason.NO_SUCH_DIE:
            return _("That die cannot be used for this.")
        case Reason.NO_SUCH_FACE:
            return _("The die cannot become that.")
        case Reason.CANNOT_PAY:
            return _("You do not have enough energy for that.")
        case Reason.NOT_FOR_SALE:
            return _("That card is not for sale to you now.")
        case Reason.TOO_MANY:
            return _("That is more than there is.")
        case Reason.NOT_A_TARGET:
            return _("That one cannot be chosen.")
        case Reason.NOT_THE_GROUPS:
            return _("Name each group of dice once.")
        case Reason.FULL_HEARTS:
            return _("You have all your hearts already.")
        case _:  # `_place` has the others, and ends in assert_never
            return ""


def _place(reason: Reason) -> str:
    match reason:
        case Reason.NO_ROLL_LEFT:
            return _("You have no roll left.")
        case Reason.NOT_USABLE:
            return _("That card cannot be used here.")
        case Reason.FORBIDDEN:
            return _("A card forbids that.")
        case Reason.ALREADY_SEEN:
            return _("You have seen the top card already; it is still there.")
        case Reason.NOT_SEEN:
            return _("You can buy the top card only after looking at it.")
        case Reason.NOT_ASKED | Reason.WRONG_KIND | Reason.BAD_OUTCOME:
            return _("That is not an answer to this question.")
        case Reason.NOT_ALIVE:
            return _("That monster is out of the game.")
        case Reason.OVER:
            return _("The game is over.")
        case (
            Reason.NO_SUCH_DIE | Reason.NO_SUCH_FACE | Reason.CANNOT_PAY | Reason.NOT_FOR_SALE
            | Reason.TOO_MANY | Reason.NOT_A_TARGET | Reason.NOT_THE_GROUPS | Reason.FULL_HEARTS
        ):  # fmt: skip
            raise AssertionError(reason)  # `_answer` has them
        case _:
            assert_never(reason)
