"""Sentences about turns and dice."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from kotp2p.cli.text import names
from kotp2p.cli.text.context import StoryContext
from kotp2p.cli.text.i18n import N_, _, list_with_and
from kotp2p.referee.model.answers import Face, Seat
from kotp2p.referee.model.events import (
    CardRolled,
    DiceResolved,
    DiceRolled,
    DieChanged,
    ExtraTurnGained,
    ExtraTurnsLost,
    FirstRolled,
    GameEnded,
    RoarRecorded,
    RollGained,
    TripleOnesScored,
    TurnEnded,
    TurnStarted,
)
from kotp2p.referee.model.state import TurnKind

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
    """The turn and whose it is, for a heading in narrow columns."""
    return context.fit_to_reader(
        event.seat, N_("Turn {turn}, yours"), N_("Turn {turn}, {name}"), turn=context.state.turn
    )


def _rolled(event: DiceRolled, context: StoryContext) -> str | None:
    """One's own dice stand in the question that follows, or in `_resolved`."""
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
    """Silent where the dice have just been told, and no card has changed them since."""
    if not context.is_reader(event.seat) and context.dice_last_told == list(event.dice):
        return None
    return context.fit_to_reader(
        event.seat,
        N_("Your final dice: {dice}."),
        N_("{name}'s final dice: {dice}."),
        dice=names.faces(event.dice),
    )
