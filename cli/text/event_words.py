"""What happened in a game, event by event, in sentences.

Scope: one sentence or none for each kind of event, as one seat reads it.
Not here: their order and what is left out (`cli.text.story`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, assert_never

from kotp2p.cli.text import card_words, names
from kotp2p.cli.text.card_words import printed_name
from kotp2p.cli.text.i18n import N_, _, list_with_and, plural
from kotp2p.cli.text.typed_words import MARKET_LETTERS
from kotp2p.referee.model.answers import Face, Item, Seat
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
from kotp2p.referee.model.state import (
    NO_ITEM,
    Cause,
    DamageKind,
    Monster,
    Place,
    Source,
    State,
    Token,
    TurnKind,
)
from kotp2p.seams.notices import SeatView

# -- what a sentence may look at: its reader, and the table right after its event ----------


@dataclass
class StoryContext:
    view: SeatView
    state: State
    """The state right after the event."""
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

    def monster(self, seat: Seat) -> Monster:
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


ValueEvent: TypeAlias = (
    PointsGained | PointsLost | EnergyGained | EnergyLost | HeartsGained | HeartsLost | HeartsSet
    | TokensGained | TokensRemoved | WickednessChanged
)  # fmt: skip


def describe_value_event(event: ValueEvent, context: StoryContext) -> str | None:
    match event:
        case PointsGained() | PointsLost() | EnergyGained() | EnergyLost() | HeartsGained():
            return _changed(event, context)
        case HeartsLost():
            return _lost(event, context)
        case HeartsSet(seat=seat, hearts=hearts):
            return context.fit_to_reader(
                seat,
                N_("You have {hearts} now."),
                N_("{name} has {hearts} now."),
                hearts=names.hearts(hearts),
            )
        case TokensGained(seat=seat, token=token, amount=amount):
            return context.fit_to_reader(
                seat,
                N_("You get {tokens}."),
                N_("{name} gets {tokens}."),
                tokens=count_of_tokens(token, amount),
            )
        case TokensRemoved(seat=seat, token=token, amount=amount):
            return context.fit_to_reader(
                seat,
                N_("You lose {tokens}."),
                N_("{name} loses {tokens}."),
                tokens=count_of_tokens(token, amount),
            )
        case WickednessChanged(seat=seat, wickedness=wickedness):
            return context.fit_to_reader(
                seat,
                N_("Your wickedness is {n} now."),
                N_("{name}'s wickedness is {n} now."),
                n=wickedness,
            )
        case _:
            assert_never(event)


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
        """Return the points that the dice give by this event, not capped by the dial.

        Return 0 for an event that is not about points of dice.
        """
        match event:
            case DiceResolved(dice=dice, order=order):
                groups = [names.points_of_face(face, dice.count(face)) for face in order]
                self._to_come = [points for points in groups if points]
            case PointsGained(amount=amount, cause=Cause.DICE):
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

    lost: HeartsLost
    hearts_after: int


def describe_claw_hits(group: Sequence[ClawHit], context: StoryContext) -> str:
    """Describe an attack in one line.

    For example: `Ana hits Rex for 2 (4 hearts left) and you for 2 (1 heart left).`
    """
    victims = list_with_and([_victim(hit, context) for hit in group])
    dealer = group[0].lost.dealer
    if dealer is None:
        return _("Claws hit {victims}.", victims=victims)
    return context.fit_to_reader(
        dealer,
        N_("You hit {victims}."),
        N_("{name} hits {victims}."),
        victims=victims,
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
    event: PointsGained | PointsLost | EnergyGained | EnergyLost | HeartsGained,
    context: StoryContext,
) -> str | None:
    if not event.amount:
        return None
    monster = context.monster(event.seat)
    match event:
        case PointsGained(amount=n):
            of_dice = max(n, context.points_of_dice)
            what = names.capped_points(of_dice, n, monster.points)
            now, gained = monster.points, True
        case PointsLost(amount=n):
            what, now, gained = names.points(n), monster.points, False
        case EnergyGained(amount=n):
            what, now, gained = names.energy(n), monster.energy, True
        case EnergyLost(amount=n):
            what, now, gained = names.energy(n), monster.energy, False
        case HeartsGained(amount=n):
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
    (
        N_("You lose {what} ({why}), {now} left."),
        N_("{name} loses {what} ({why}), {now} left."),
    ),
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


def _lost(event: HeartsLost, context: StoryContext) -> str | None:
    """Describe lost hearts, except those lost to claws (`describe_claw_hits`)."""
    after = context.monster(event.seat).hearts
    fields = {"n": event.amount, "hearts": names.hearts(after)}
    if event.packet is DamageKind.POISON:
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


TurnEvent: TypeAlias = (
    FirstRolled | TurnStarted | DiceRolled | DieChanged | RollGained | DiceResolved
    | TripleOnesScored | CardRolled | ExtraTurnGained | ExtraTurnsLost | RoarRecorded | TurnEnded
    | GameEnded
)  # fmt: skip


def describe_turn_event(event: TurnEvent, context: StoryContext) -> str | None:
    match event:
        case FirstRolled(rolls=rolls):
            return _first_roll(rolls, context)
        case TurnStarted(seat=seat, extra=kind):
            return _turn(seat, kind, context)
        case DiceRolled():
            return _rolled(event, context)
        case DieChanged(seat=seat, item=item, face=face):
            return context.fit_to_reader(
                seat,
                N_("With {card}, you turn one die into: {face}."),
                N_("With {card}, {name} turns one die into: {face}."),
                card=context.item_name(item),
                face=names.face(face),
            )
        case RollGained(seat=seat, item=item):
            return context.fit_to_reader(
                seat,
                N_("{card} gives you one more roll."),
                N_("{card} gives {name} one more roll."),
                card=context.item_name(item),
            )
        case DiceResolved():
            return _resolved(event, context)
        case CardRolled(seat=seat, item=item, dice=dice):
            return context.fit_to_reader(
                seat,
                N_("You roll for {card}: {dice}."),
                N_("{name} rolls for {card}: {dice}."),
                card=context.item_name(item),
                dice=names.faces(dice),
            )
        case ExtraTurnGained() | ExtraTurnsLost() | RoarRecorded():
            return _to_come(event, context)
        case TripleOnesScored() | TurnEnded():
            return None
        case GameEnded(winners=winners):
            return describe_end(winners, context)
        case _:
            assert_never(event)


def _to_come(event: ExtraTurnGained | ExtraTurnsLost | RoarRecorded, context: StoryContext) -> str:
    match event:
        case ExtraTurnGained(seat=seat):
            return context.fit_to_reader(
                seat,
                N_("You will have another turn after this one."),
                N_("{name} will have another turn after this one."),
            )
        case ExtraTurnsLost(seat=seat):
            return context.fit_to_reader(
                seat,
                N_("Your extra turns are lost."),
                N_("{name}'s extra turns are lost."),
            )
        case RoarRecorded(seat=seat):
            return context.fit_to_reader(
                seat,
                N_("Your Final Roar wins the game at the end of this turn."),
                N_("{name}'s Final Roar wins the game at the end of this turn."),
            )
        case _:
            assert_never(event)


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


def _first_roll(rolls: tuple[tuple[Seat, tuple[Face, ...]], ...], context: StoryContext) -> str:
    parts = [
        context.fit_to_reader(
            seat,
            N_("you {n}"),
            N_("{name} {n}"),
            n=sum(1 for die in dice if die is Face.CLAW),
        )
        for seat, dice in rolls
    ]
    claws = [sum(die is Face.CLAW for die in dice) for _seat, dice in rolls]
    if claws.count(max(claws)) > 1:
        return _(
            "The most claws begin: {rolls}. Those with the most roll again.",
            rolls=list_with_and(parts),
        )
    first, _dice = rolls[claws.index(max(claws))]
    return context.fit_to_reader(
        first,
        N_("The most claws begin: {rolls}. So you begin."),
        N_("The most claws begin: {rolls}. So {name} begins."),
        rolls=list_with_and(parts),
    )


def _turn(seat: Seat, kind: TurnKind, context: StoryContext) -> str:
    monster = context.monster(seat)
    fields = {
        "turn": context.state.turn,
        "place": names.place_name(context.view, monster.place),
        "hearts": names.hearts(monster.hearts),
        "energy": names.energy(monster.energy),
        "points": names.points(monster.points),
    }
    if kind is not TurnKind.ORDINARY:
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


def describe_turn_shortly(event: TurnStarted, context: StoryContext) -> str:
    """Return the turn and its player, for a heading in narrow columns."""
    return context.fit_to_reader(
        event.seat, N_("Turn {turn}, yours"), N_("Turn {turn}, {name}"), turn=context.state.turn
    )


def _rolled(event: DiceRolled, context: StoryContext) -> str | None:
    """Describe a roll; the reader's own is left to the question or to `_resolved`."""
    every = len(event.positions) == len(event.dice)
    if context.is_reader(event.seat):
        shown = every and context.state.rolls < 2 and context.reader_is_asked
        return None if shown else _own_reroll(event)
    context.dice_last_told[:] = event.dice
    name = context.player_name(event.seat)
    if every and context.state.rolls > 1:
        return _("{name} rerolls all: {dice}.", name=name, dice=names.faces(event.dice))
    if every:
        return _("{name} rolls {dice}.", name=name, dice=names.faces(event.dice))
    return _(
        "{name} rerolls {count}: {rolled}. Now {dice}.",
        name=name,
        count=names.dice_count(len(event.positions)),
        rolled=names.faces(event.dice[position] for position in event.positions),
        dice=names.faces(event.dice),
    )


def _own_reroll(event: DiceRolled) -> str:
    return _(
        "You roll {count}: {rolled}.",
        count=names.dice_count(len(event.positions)),
        rolled=names.faces(event.dice[position] for position in event.positions),
    )


def _resolved(event: DiceResolved, context: StoryContext) -> str | None:
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


TokyoEvent: TypeAlias = (
    EnteredTokyo | LeftTokyo | MovedToCity | YieldAnswered | HeartsReachedZero | Eliminated
    | Resurrected | Zombified | DamagePrevented | Sheltered
)  # fmt: skip


def describe_tokyo_event(event: TokyoEvent, context: StoryContext) -> str | None:
    seat = event.seat
    match event:
        case EnteredTokyo(place=place):
            return _entered(event, place, context)
        case LeftTokyo(yielded=yielded):
            # The answer has described a yield; what follows describes a fall.
            if yielded or not context.monster(seat).alive:
                return None
            return context.fit_to_reader(
                seat, N_("You are out of Tokyo."), N_("{name} is out of Tokyo.")
            )
        case MovedToCity():
            return context.fit_to_reader(
                seat,
                N_("You move from Tokyo Bay to Tokyo City."),
                N_("{name} moves from Tokyo Bay to Tokyo City."),
            )
        case YieldAnswered(yields=yields):
            if yields:
                return context.fit_to_reader(
                    seat, N_("You leave Tokyo."), N_("{name} leaves Tokyo.")
                )
            return context.fit_to_reader(
                seat, N_("You stay in Tokyo."), N_("{name} stays in Tokyo.")
            )
        case HeartsReachedZero() | Eliminated():
            return _fallen(event, context)
        case Resurrected(item=item, hearts=hearts):
            return context.fit_to_reader(
                seat,
                N_("{card} saves you: you are back with {hearts}."),
                N_("{card} saves {name}: they are back with {hearts}."),
                card=context.item_name(item),
                hearts=names.hearts(hearts),
            )
        case Zombified():
            return context.fit_to_reader(
                seat, N_("You are a zombie now."), N_("{name} is a zombie now.")
            )
        case DamagePrevented() | Sheltered():
            return _spared(event, context)
        case _:
            assert_never(event)


def _entered(event: EnteredTokyo, place: Place, context: StoryContext) -> str:
    if place is Place.BAY:
        return context.fit_to_reader(
            event.seat, N_("You enter Tokyo Bay."), N_("{name} enters Tokyo Bay.")
        )
    if names.has_bay(context.view):
        return context.fit_to_reader(
            event.seat, N_("You enter Tokyo City."), N_("{name} enters Tokyo City.")
        )
    return context.fit_to_reader(event.seat, N_("You enter Tokyo."), N_("{name} enters Tokyo."))


def _fallen(event: HeartsReachedZero | Eliminated, context: StoryContext) -> str:
    seat = event.seat
    match event:
        case HeartsReachedZero():
            return context.fit_to_reader(
                seat, N_("You have no hearts left."), N_("{name} has no hearts left.")
            )
        case Eliminated(left=True):
            return context.fit_to_reader(
                seat, N_("You are no longer in the game."), N_("{name} is no longer in the game.")
            )
        case Eliminated():
            return _out(seat, context)
        case _:
            assert_never(event)


def _out(seat: Seat, context: StoryContext) -> str:
    if context.is_reader(seat) and sum(monster.alive for monster in context.state.monsters) > 1:
        return _("You are out of the game. You can go on watching; type leave to go.")
    return context.fit_to_reader(
        seat, N_("You are out of the game."), N_("{name} is out of the game.")
    )


def _spared(event: DamagePrevented | Sheltered, context: StoryContext) -> str:
    match event:
        case Sheltered():
            return context.fit_to_reader(
                event.seat,
                N_("{card} keeps you from losing hearts for the rest of this turn."),
                N_("{card} keeps {name} from losing hearts for the rest of this turn."),
                card=context.item_name(event.item),
            )
        case DamagePrevented(item=item):
            if item is None:
                return context.fit_to_reader(
                    event.seat,
                    N_("You are spared {hearts}."),
                    N_("{name} is spared {hearts}."),
                    hearts=names.hearts(event.amount),
                )
            return context.fit_to_reader(
                event.seat,
                N_("{card} spares you {hearts}."),
                N_("{card} spares {name} {hearts}."),
                card=context.item_name(item),
                hearts=names.hearts(event.amount),
            )
        case _:
            assert_never(event)


# -- sentences about the market and about cards before the monsters ------------------------


MarketEvent: TypeAlias = MarketFilled | DeckRenewed | MarketSwept | TopSeen | TopLost
CardEvent: TypeAlias = (
    CardUsed | CardBought | CardKept | CardLost | CardDiscarded | CardSold | CountersChanged
    | CopyPlaced | ItemMarked | TilesLaid | TileTaken
)  # fmt: skip


def describe_market_event(event: MarketEvent, context: StoryContext) -> list[str]:
    match event:
        case MarketFilled(cards=cards):
            return [_turned_up(slot, item, context) for slot, item in cards]
        case DeckRenewed():
            return [_("The deck is used up: the discard pile becomes the new deck.")]
        case MarketSwept(seat=seat):
            return [
                context.fit_to_reader(
                    seat,
                    N_("You sweep the shop: three new cards come."),
                    N_("{name} sweeps the shop: three new cards come."),
                )
            ]
        case TopSeen(seat=seat):
            return [
                context.fit_to_reader(
                    seat,
                    N_("You look at the top card of the deck."),
                    N_("{name} looks at the top card of the deck."),
                )
            ]
        case TopLost():
            return [_("The top card of the deck has changed; nobody has seen it.")]
        case _:
            assert_never(event)


def _turned_up(slot: int, item: Item, context: StoryContext) -> str:
    card = context.view.game.card(item)
    return _(
        "For sale now: {letter} {card}, {energy}, {kind}.",
        letter=MARKET_LETTERS[slot],
        card=printed_name(card),
        energy=names.energy(card.cost),
        kind=card_words.kind_of_card(card),
    )


def describe_card_event(event: CardEvent, context: StoryContext) -> str | None:
    match event:
        case CardBought():
            return _bought(event, context)
        case CardKept() | CardLost():
            return _moved(event, context)
        case CardUsed() | CountersChanged() | CopyPlaced() | CardSold():
            return _at_work(event, context)
        case CardDiscarded() | ItemMarked():
            return None
        case TilesLaid(tiles=tiles):
            return _(
                "Wickedness tiles: {tiles}.",
                tiles=list_with_and([context.item_name(tile) for tile in tiles]),
            )
        case TileTaken(seat=seat, tile=tile, step=step) if tile == NO_ITEM:
            return context.fit_to_reader(
                seat,
                N_("You reach step {step}, and no tile is left for you."),
                N_("{name} reaches step {step}, and no tile is left."),
                step=step,
            )
        case TileTaken(seat=seat, tile=tile):
            context.cards_just_bought.add(tile)
            return context.fit_to_reader(
                seat,
                N_("You take {tile}."),
                N_("{name} takes {tile}."),
                tile=context.item_name(tile),
            )
        case _:
            assert_never(event)


def _bought(event: CardBought, context: StoryContext) -> str:
    context.cards_just_bought.add(event.card)
    card = context.item_name(event.card)
    match event.source:
        case Source.MARKET:
            return context.fit_to_reader(
                event.seat, N_("You buy {card}."), N_("{name} buys {card}."), card=card
            )
        case Source.TOP:
            return context.fit_to_reader(
                event.seat,
                N_("You buy {card}, the top card of the deck."),
                N_("{name} buys {card}, the top card of the deck."),
                card=card,
            )
        case Source.MONSTER:
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


def _moved(event: CardKept | CardLost, context: StoryContext) -> str | None:
    card = context.item_name(event.item)
    match event:
        case CardKept(seat=seat):
            if event.item in context.cards_just_bought:
                context.cards_just_bought.remove(event.item)
                return None
            return context.fit_to_reader(
                seat,
                N_("You have {card} now."),
                N_("{name} has {card} now."),
                card=card,
            )
        case CardLost(seat=seat, discarded=discarded):
            # The place of a card that is not discarded is in another sentence.
            if not discarded:
                return _tile_gone(event, context)
            return context.fit_to_reader(
                seat, N_("You discard {card}."), N_("{name} discards {card}."), card=card
            )
        case _:
            assert_never(event)


def _tile_gone(event: CardLost, context: StoryContext) -> str | None:
    if names.is_card(context.view.game, event.item):
        return None
    return context.fit_to_reader(
        event.seat,
        N_("Your tile {tile} leaves the game."),
        N_("{name}'s tile {tile} leaves the game."),
        tile=context.item_name(event.item),
    )


def _at_work(
    event: CardUsed | CountersChanged | CopyPlaced | CardSold, context: StoryContext
) -> str:
    match event:
        case CardUsed(seat=seat, item=item):
            return context.fit_to_reader(
                seat, N_("You use {card}."), N_("{name} uses {card}."), card=context.item_name(item)
            )
        case CountersChanged(seat=seat, item=item, counters=counters):
            return context.fit_to_reader(
                seat,
                N_("On your {card}: {n} left."),
                N_("On {name}'s {card}: {n} left."),
                card=context.item_name(item),
                n=counters,
            )
        case CopyPlaced(seat=seat, item=item, card=card):
            if card == NO_ITEM:
                return context.fit_to_reader(
                    seat,
                    N_("Your {card} copies nothing now."),
                    N_("{name}'s {card} copies nothing now."),
                    card=context.item_name(item),
                )
            return context.fit_to_reader(
                seat,
                N_("Your {card} copies {copied} now."),
                N_("{name}'s {card} copies {copied} now."),
                card=context.item_name(item),
                copied=context.item_name(card),
            )
        case CardSold(seat=seat, card=card, energy=energy):
            return context.fit_to_reader(
                seat,
                N_("You sell {card} for {energy}."),
                N_("{name} sells {card} for {energy}."),
                card=context.item_name(card),
                energy=names.energy(energy),
            )
        case _:
            assert_never(event)
