"""Events become sentences, one fact a line, for the reader at one seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, assert_never

from kotp2p.cli.text import names, player_rules
from kotp2p.cli.text.i18n import N_, _, list_with_and, number, plural
from kotp2p.cli.text.player_rules import printed_name
from kotp2p.cli.text.typed_words import MARKET_LETTERS
from kotp2p.referee.model import answers
from kotp2p.referee.model import events as ev
from kotp2p.referee.model import state as model
from kotp2p.referee.model.answers import Face, Item, Reason, Seat
from kotp2p.referee.model.events import Event
from kotp2p.referee.model.state import Cause, DamageKind, Place, State, Token
from kotp2p.seams.notices import SeatView

# -- what a sentence may look at: its reader, and the table right after its event ----------


@dataclass
class StoryContext:
    view: SeatView
    state: model.State
    cards_just_bought: set[Item] = field(default_factory=set)
    """The cards whose move to their buyer needs no words."""
    dice_last_told: list[Face] = field(default_factory=list)
    """The dice of another monster as the last sentence showed them."""
    points_of_dice: int = 0
    """What the dice would give by the present event, not capped by the dial."""
    reader_is_asked: bool = True
    """Whether the reader is asked about their own dice, and sees them there."""

    def player_name(self, seat: Seat) -> str:
        return names.player_name(self.view, seat)

    def monster(self, seat: Seat) -> model.Monster:
        return self.state.monsters[seat]

    def item_name(self, item: Item) -> str:
        return names.item_name(self.view.game, item)

    def is_reader(self, seat: Seat | None) -> bool:
        return seat == self.view.seat

    def fit_to_reader(self, seat: Seat, to_me: str, to_others: str, **fields: object) -> str:
        """Fill in one of two marked messages: about the reader, or about `{name}`."""
        if self.is_reader(seat):
            return _(to_me, **fields)
        return _(to_others, name=self.player_name(seat), **fields)


# -- sentences about points, energy, hearts, tokens ----------------------------------------


def count_of_tokens(token: Token, n: int) -> str:
    match token:
        case Token.POISON:
            return plural("{n} poison token", "{n} poison tokens", n)
        case Token.SHRINK:
            return plural("{n} shrink token", "{n} shrink tokens", n)
        case _:
            assert_never(token)


class DicePoints:
    """The points of a roll by groups of numbers, of which an event has only those that count."""

    def __init__(self) -> None:
        self._to_come: list[int] = []

    def note_event(self, event: Event) -> int:
        """Return the points that the dice give by this event, not capped by the dial."""
        match event:
            case ev.DiceResolved(dice=dice, order=order):
                groups = [names.points_of_face(face, dice.count(face)) for face in order]
                self._to_come = [points for points in groups if points]
            case ev.PointsGained(amount=amount, cause=Cause.DICE):
                while self._to_come:
                    points = self._to_come.pop(0)
                    if points >= amount:
                        return points
            case _:  # nothing about the numbers of dice
                pass
        return 0


@dataclass(frozen=True, slots=True)
class ClawHit:
    """One victim of an attack; all victims of an attack share one line."""

    lost: ev.HeartsLost
    hearts_after: int


def describe_claw_hits(group: Sequence[ClawHit], context: StoryContext) -> str:
    """Describe an attack in a line, for example `Ana hits Rex for 2 (4 hearts left)`."""
    victims = list_with_and([_victim(hit, context) for hit in group])
    dealer = group[0].lost.dealer
    if dealer is None:
        return _("Claws hit {victims}.", victims=victims)
    return context.fit_to_reader(
        dealer, N_("You hit {victims}."), N_("{name} hits {victims}."), victims=victims
    )


def _victim(hit: ClawHit, context: StoryContext) -> str:
    return context.fit_to_reader(
        hit.lost.seat,
        N_("you for {n} ({hearts} left)"),
        N_("{name} for {n} ({hearts} left)"),
        n=hit.lost.amount,
        hearts=names.hearts(hit.hearts_after),
    )


def _changed(
    event: ev.PointsGained | ev.PointsLost | ev.EnergyGained | ev.EnergyLost | ev.HeartsGained,
    context: StoryContext,
) -> str | None:
    if not event.amount:
        return None
    monster = context.monster(event.seat)
    match event:
        case ev.PointsGained(amount=n):
            of_dice = max(n, context.points_of_dice)
            what = names.capped_points(of_dice, n, monster.points)
            now, gained = monster.points, True
        case ev.PointsLost(amount=n):
            what, now, gained = names.points(n), monster.points, False
        case ev.EnergyGained(amount=n):
            what, now, gained = names.energy(n), monster.energy, True
        case ev.EnergyLost(amount=n):
            what, now, gained = names.energy(n), monster.energy, False
        case ev.HeartsGained(amount=n):
            what, now, gained = names.hearts(n), monster.hearts, True
        case _:
            assert_never(event)
    why = _why(event.cause, event.item, context)
    if event.cause is Cause.PAYMENT:
        pair = _PAID[gained]
    else:
        pair = _FOR[gained] if why else _PLAIN[gained]
    return context.fit_to_reader(event.seat, *pair, what=what, now=now, why=why)


_PLAIN = (
    (N_("You lose {what}, {now} left."), N_("{name} loses {what}, {now} left.")),
    (N_("You get {what}, now {now}."), N_("{name} gets {what}, now {now}.")),
)
"""Lost, gained: to the reader, about others."""
_FOR = (
    (N_("You lose {what} ({why}), {now} left."), N_("{name} loses {what} ({why}), {now} left.")),
    (N_("You get {what} ({why}), now {now}."), N_("{name} gets {what} ({why}), now {now}.")),
)
_PAID = (
    (N_("You pay {what}, {now} left."), N_("{name} pays {what}, {now} left.")),
    (N_("You are paid {what}, now {now}."), N_("{name} is paid {what}, now {now}.")),
)


def _why(cause: Cause, item: Item | None, context: StoryContext) -> str:
    """Return the cause for brackets; empty for dice, which the line before has shown."""
    if item is not None:
        return context.item_name(item)
    return _("Tokyo") if cause is Cause.TOKYO else ""


def _lost(event: ev.HeartsLost, context: StoryContext) -> str | None:
    """Describe lost hearts, except those lost to claws (`describe_claw_hits`)."""
    after = context.monster(event.seat).hearts
    fields = {"n": event.amount, "hearts": names.hearts(after)}
    if event.packet is model.DamageKind.POISON:
        return context.fit_to_reader(
            event.seat,
            N_("Poison hurts you for {n} ({hearts} left)."),
            N_("Poison hurts {name} for {n} ({hearts} left)."),
            **fields,
        )
    if event.item is not None:
        return context.fit_to_reader(
            event.seat,
            N_("{card} hurts you for {n} ({hearts} left)."),
            N_("{card} hurts {name} for {n} ({hearts} left)."),
            card=context.item_name(event.item),
            **fields,
        )
    return context.fit_to_reader(
        event.seat,
        N_("You lose {what}, {now} left."),
        N_("{name} loses {what}, {now} left."),
        what=names.hearts(event.amount),
        now=after,
    )


# -- sentences about turns and dice --------------------------------------------------------


def describe_end(winners: tuple[Seat, ...], context: StoryContext) -> str:
    if not winners:
        return _("The game is over: all monsters are out, nobody wins.")
    if winners == (context.view.seat,):
        return _("The game is over: you win.")
    others = [context.player_name(seat) for seat in winners if not context.is_reader(seat)]
    if len(others) < len(winners):
        return _("The game is over: you win together with {others}.", others=list_with_and(others))
    if len(others) == 1:
        return _("The game is over: {name} wins.", name=others[0])
    return _("The game is over: {names} win together.", names=list_with_and(others))


def _first_roll(event: ev.FirstRolled, context: StoryContext) -> str:
    rolls = event.rolls
    parts = [
        context.fit_to_reader(
            seat, N_("you {n}"), N_("{name} {n}"), n=sum(1 for die in dice if die is Face.CLAW)
        )
        for seat, dice in rolls
    ]
    claws = [sum(die is Face.CLAW for die in dice) for _seat, dice in rolls]
    if claws.count(max(claws)) > 1:
        return _("The most claws begin: {rolls}. Those with the most roll again.",
                 rolls=list_with_and(parts))  # fmt: skip
    first, _dice = rolls[claws.index(max(claws))]
    return context.fit_to_reader(
        first,
        N_("The most claws begin: {rolls}. So you begin."),
        N_("The most claws begin: {rolls}. So {name} begins."),
        rolls=list_with_and(parts),
    )


def _turn(event: ev.TurnStarted, context: StoryContext) -> str:
    seat = event.seat
    monster = context.monster(seat)
    fields = {
        "turn": context.state.turn,
        "place": names.place_name(context.view, monster.place),
        "hearts": names.hearts(monster.hearts),
        "energy": names.energy(monster.energy),
        "points": names.points(monster.points),
    }
    if event.extra is not model.TurnKind.ORDINARY:
        return context.fit_to_reader(
            seat,
            N_("Turn {turn}, your extra turn: {place}, {hearts}, {energy}, {points}."),
            N_("Turn {turn}, {name}'s extra turn: {place}, {hearts}, {energy}, {points}."),
            **fields,
        )
    return context.fit_to_reader(
        seat,
        N_("Turn {turn}, yours: {place}, {hearts}, {energy}, {points}."),
        N_("Turn {turn}, {name}: {place}, {hearts}, {energy}, {points}."),
        **fields,
    )


def describe_turn_shortly(event: ev.TurnStarted, context: StoryContext) -> str:
    return context.fit_to_reader(
        event.seat, N_("Turn {turn}, yours"), N_("Turn {turn}, {name}"), turn=context.state.turn
    )


def _rolled(event: ev.DiceRolled, context: StoryContext) -> str | None:
    """Describe a roll; the reader's own is left to the question or to `_resolved`."""
    every = len(event.positions) == len(event.dice)
    count = names.dice_count(len(event.positions))
    rolled = names.faces(event.dice[position] for position in event.positions)
    if context.is_reader(event.seat):
        if every and context.state.rolls < 2 and context.reader_is_asked:
            return None
        return _("You roll {count}: {rolled}.", count=count, rolled=rolled)
    context.dice_last_told[:] = event.dice
    name = context.player_name(event.seat)
    if every and context.state.rolls > 1:
        return _("{name} rerolls all: {dice}.", name=name, dice=names.faces(event.dice))
    if every:
        return _("{name} rolls {dice}.", name=name, dice=names.faces(event.dice))
    return _("{name} rerolls {count}: {rolled}. Now {dice}.",
             name=name, count=count, rolled=rolled, dice=names.faces(event.dice))  # fmt: skip


def _resolved(event: ev.DiceResolved, context: StoryContext) -> str | None:
    """Describe the final dice, unless a line has just shown them and no card changed them."""
    if not context.is_reader(event.seat) and context.dice_last_told == list(event.dice):
        return None
    return context.fit_to_reader(
        event.seat,
        N_("Your final dice: {dice}."),
        N_("{name}'s final dice: {dice}."),
        dice=names.faces(event.dice),
    )


# -- sentences about Tokyo, and about monsters that fall or are saved ----------------------


def _left_tokyo(event: ev.LeftTokyo, context: StoryContext) -> str | None:
    """Return nothing for a yield, which the answer has described, or for a fall."""
    if event.yielded or not context.monster(event.seat).alive:
        return None
    return context.fit_to_reader(
        event.seat, N_("You are out of Tokyo."), N_("{name} is out of Tokyo.")
    )


def _answered(event: ev.YieldAnswered, context: StoryContext) -> str:
    if event.yields:
        return context.fit_to_reader(event.seat, N_("You leave Tokyo."), N_("{name} leaves Tokyo."))
    return context.fit_to_reader(event.seat, N_("You stay in Tokyo."), N_("{name} stays in Tokyo."))


def _entered(event: ev.EnteredTokyo, context: StoryContext) -> str:
    if event.place is Place.BAY:
        return context.fit_to_reader(
            event.seat, N_("You enter Tokyo Bay."), N_("{name} enters Tokyo Bay.")
        )
    if names.has_bay(context.view):
        return context.fit_to_reader(
            event.seat, N_("You enter Tokyo City."), N_("{name} enters Tokyo City.")
        )
    return context.fit_to_reader(event.seat, N_("You enter Tokyo."), N_("{name} enters Tokyo."))


def _out(event: ev.Eliminated, context: StoryContext) -> str:
    seat = event.seat
    if event.left:
        return context.fit_to_reader(
            seat, N_("You are no longer in the game."), N_("{name} is no longer in the game.")
        )
    if context.is_reader(seat) and sum(monster.alive for monster in context.state.monsters) > 1:
        return _("You are out of the game. You can go on watching; type leave to go.")
    return context.fit_to_reader(
        seat, N_("You are out of the game."), N_("{name} is out of the game.")
    )


def _spared(event: ev.DamagePrevented, context: StoryContext) -> str:
    hearts = names.hearts(event.amount)
    if event.item is None:
        return context.fit_to_reader(
            event.seat,
            N_("You are spared {hearts}."),
            N_("{name} is spared {hearts}."),
            hearts=hearts,
        )
    return context.fit_to_reader(
        event.seat,
        N_("{card} spares you {hearts}."),
        N_("{card} spares {name} {hearts}."),
        card=context.item_name(event.item),
        hearts=hearts,
    )


# -- sentences about the market and about cards before the monsters ------------------------


def _turned_up(slot: int, item: Item, context: StoryContext) -> str:
    card = context.view.game.card(item)
    return _(
        "For sale now: ({letter}) {card}, {energy}, {kind}.",
        letter=MARKET_LETTERS[slot],
        card=printed_name(card),
        energy=names.energy(card.cost),
        kind=player_rules.kind_of_card(card),
    )


def _bought(event: ev.CardBought, context: StoryContext) -> str:
    context.cards_just_bought.add(event.card)
    card = context.item_name(event.card)
    match event.source:
        case model.Source.MARKET:
            return context.fit_to_reader(
                event.seat, N_("You buy {card}."), N_("{name} buys {card}."), card=card
            )
        case model.Source.TOP:
            return context.fit_to_reader(
                event.seat,
                N_("You buy {card}, the top card of the deck."),
                N_("{name} buys {card}, the top card of the deck."),
                card=card,
            )
        case model.Source.MONSTER:
            owner = "" if event.owner is None else context.player_name(event.owner)
            if context.is_reader(event.owner):
                return _(
                    "{name} buys your {card}.", name=context.player_name(event.seat), card=card
                )
            return context.fit_to_reader(
                event.seat,
                N_("You buy {card} from {owner}."),
                N_("{name} buys {card} from {owner}."),
                card=card,
                owner=owner,
            )
        case _:
            assert_never(event.source)


def _kept(event: ev.CardKept, context: StoryContext) -> str | None:
    if event.item in context.cards_just_bought:
        context.cards_just_bought.remove(event.item)
        return None
    return context.fit_to_reader(
        event.seat,
        N_("You have {card} now."),
        N_("{name} has {card} now."),
        card=context.item_name(event.item),
    )


def _lost_card(event: ev.CardLost, context: StoryContext) -> str | None:
    name = context.item_name(event.item)
    if event.discarded:
        return context.fit_to_reader(
            event.seat, N_("You discard {card}."), N_("{name} discards {card}."), card=name
        )
    if names.is_card(context.view.game, event.item):  # another sentence has its new place
        return None
    return context.fit_to_reader(
        event.seat,
        N_("Your tile {tile} leaves the game."),
        N_("{name}'s tile {tile} leaves the game."),
        tile=name,
    )


def _took_tile(event: ev.TileTaken, context: StoryContext) -> str:
    if event.tile == model.NO_ITEM:
        return context.fit_to_reader(
            event.seat,
            N_("You reach step {step}, and no tile is left for you."),
            N_("{name} reaches step {step}, and no tile is left."),
            step=event.step,
        )
    context.cards_just_bought.add(event.tile)
    return context.fit_to_reader(
        event.seat,
        N_("You take {tile}."),
        N_("{name} takes {tile}."),
        tile=context.item_name(event.tile),
    )


def _copied(event: ev.CopyPlaced, context: StoryContext) -> str:
    card = context.item_name(event.item)
    if event.card == model.NO_ITEM:
        return context.fit_to_reader(
            event.seat,
            N_("Your {card} copies nothing now."),
            N_("{name}'s {card} copies nothing now."),
            card=card,
        )
    return context.fit_to_reader(
        event.seat,
        N_("Your {card} copies {copied} now."),
        N_("{name}'s {card} copies {copied} now."),
        card=card,
        copied=context.item_name(event.card),
    )


# -- the sentence of each event ------------------------------------------------------------


SENTENCES: Mapping[type[Event], tuple[str, str]] = MappingProxyType({
    ev.HeartsSet: (N_("You have {hearts} now."), N_("{name} has {hearts} now.")),
    ev.TokensGained: (N_("You get {tokens}."), N_("{name} gets {tokens}.")),
    ev.TokensRemoved: (N_("You lose {tokens}."), N_("{name} loses {tokens}.")),
    ev.WickednessChanged: (
        N_("Your wickedness is {n} now."),
        N_("{name}'s wickedness is {n} now."),
    ),
    ev.DieChanged: (
        N_("With {card}, you turn one die into: {face}."),
        N_("With {card}, {name} turns one die into: {face}."),
    ),
    ev.RollGained: (
        N_("{card} gives you one more roll."),
        N_("{card} gives {name} one more roll."),
    ),
    ev.CardRolled: (
        N_("You roll for {card}: {dice}."),
        N_("{name} rolls for {card}: {dice}."),
    ),
    ev.ExtraTurnGained: (
        N_("You will have another turn after this one."),
        N_("{name} will have another turn after this one."),
    ),
    ev.ExtraTurnsLost: (N_("Your extra turns are lost."), N_("{name}'s extra turns are lost.")),
    ev.RoarRecorded: (
        N_("Your Final Roar wins the game at the end of this turn."),
        N_("{name}'s Final Roar wins the game at the end of this turn."),
    ),
    ev.MovedToCity: (
        N_("You move from Tokyo Bay to Tokyo City."),
        N_("{name} moves from Tokyo Bay to Tokyo City."),
    ),
    ev.HeartsReachedZero: (N_("You have no hearts left."), N_("{name} has no hearts left.")),
    ev.Resurrected: (
        N_("{card} saves you: you are back with {hearts}."),
        N_("{card} saves {name}: they are back with {hearts}."),
    ),
    ev.Zombified: (N_("You are a zombie now."), N_("{name} is a zombie now.")),
    ev.Sheltered: (
        N_("{card} keeps you from losing hearts for the rest of this turn."),
        N_("{card} keeps {name} from losing hearts for the rest of this turn."),
    ),
    ev.MarketSwept: (
        N_("You sweep the shop: three new cards come."),
        N_("{name} sweeps the shop: three new cards come."),
    ),
    ev.TopSeen: (
        N_("You look at the top card of the deck."),
        N_("{name} looks at the top card of the deck."),
    ),
    ev.CardUsed: (N_("You use {card}."), N_("{name} uses {card}.")),
    ev.CountersChanged: (N_("On your {card}: {n} left."), N_("On {name}'s {card}: {n} left.")),
    ev.CardSold: (N_("You sell {card} for {energy}."), N_("{name} sells {card} for {energy}.")),
})  # fmt: skip
"""To the reader, about others; with the fields of `_fields_of`."""

WRITERS: Mapping[type[Event], Callable[[Any, StoryContext], str | None]] = MappingProxyType({
    ev.PointsGained: _changed,
    ev.PointsLost: _changed,
    ev.EnergyGained: _changed,
    ev.EnergyLost: _changed,
    ev.HeartsGained: _changed,
    ev.HeartsLost: _lost,
    ev.FirstRolled: _first_roll,
    ev.TurnStarted: _turn,
    ev.DiceRolled: _rolled,
    ev.DiceResolved: _resolved,
    ev.GameEnded: lambda event, context: describe_end(event.winners, context),
    ev.EnteredTokyo: _entered,
    ev.LeftTokyo: _left_tokyo,
    ev.YieldAnswered: _answered,
    ev.Eliminated: _out,
    ev.DamagePrevented: _spared,
    ev.DeckRenewed: lambda _event, _context: _(
        "The deck is used up: the discard pile becomes the new deck."
    ),
    ev.TopLost: lambda _event, _context: _(
        "The top card of the deck has changed; nobody has seen it."
    ),
    ev.CardBought: _bought,
    ev.CardKept: _kept,
    ev.CardLost: _lost_card,
    ev.TileTaken: _took_tile,
    ev.CopyPlaced: _copied,
    ev.TilesLaid: lambda event, context: _(
        "Wickedness tiles: {tiles}.", tiles=list_with_and([*map(context.item_name, event.tiles)])
    ),
})  # fmt: skip
"""The functions for events with more than one sentence, or without a seat."""


def describe_event(event: Event, context: StoryContext) -> list[str]:
    if isinstance(event, ev.MarketFilled):
        return [_turned_up(slot, item, context) for slot, item in event.cards]
    if type(event) in WRITERS:
        line = WRITERS[type(event)](event, context)
        return [line] if line else []
    if type(event) in SENTENCES:
        seat = seat_of_event(event)
        assert seat is not None  # the sentences are about a monster
        to_me, to_others = SENTENCES[type(event)]
        return [context.fit_to_reader(seat, to_me, to_others, **_fields_of(event, context))]
    return []


def seat_of_event(event: Event) -> Seat | None:
    seat = getattr(event, "seat", None)
    return seat if isinstance(seat, int) else None


def _fields_of(event: Any, context: StoryContext) -> dict[str, object]:
    writers: dict[str, tuple[str, Callable[[Any], object]]] = {
        "item": ("card", context.item_name),
        "card": ("card", context.item_name),
        "hearts": ("hearts", names.hearts),
        "energy": ("energy", names.energy),
        "face": ("face", names.face),
        "dice": ("dice", names.faces),
        "wickedness": ("n", number),
        "counters": ("n", number),
        "token": ("tokens", lambda token: count_of_tokens(token, event.amount)),
    }
    return {
        field: write(getattr(event, name))
        for name, (field, write) in writers.items()
        if getattr(event, name, None) is not None
    }


# -- events become sentences, one fact a line, for the reader at one seat ------------------


class Story:
    def __init__(self, state: State, *, asked: bool = True) -> None:
        """Start from a copy of `state`; without `asked` a bot answers this seat's questions."""
        # Folded from here on: the game may be further on than these events.
        self._state = state.copy()
        self._dice_told: list[answers.Face] = []
        self._dice_points = DicePoints()
        self._bought: set[answers.Item] = set()
        self._asked = asked

    def describe_events(self, events: Sequence[Event], view: SeatView) -> list[str]:
        context = StoryContext(
            view, self._state, self._bought, self._dice_told, reader_is_asked=self._asked
        )
        lines: list[str] = []
        hits: list[ClawHit] = []
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
                hits.append(ClawHit(claws, context.monster(claws.seat).hearts))
        if hits:
            lines.append(_tell_hits(hits, context))
        return lines


def _tell_hits(hits: Sequence[ClawHit], context: StoryContext) -> str:
    text = describe_claw_hits(hits, context)
    return ToldLine(text, LineKind.DAMAGE, hits[0].lost.dealer)


def _tell_event(event: Event, context: StoryContext) -> list[str]:
    kind, seat = kind_of_event(event), seat_of_event(event)
    short = ""
    if isinstance(event, ev.TurnStarted):
        short = describe_turn_shortly(event, context)
    great = isinstance(event, ev.Eliminated | ev.GameEnded)
    lines = describe_event(event, context)
    return [ToldLine(line, kind, seat, short, stands_out=great) for line in lines]


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
