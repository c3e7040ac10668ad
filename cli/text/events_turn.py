"""Sentences about turns and dice."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from cli.text import names
from cli.text.context import Telling
from cli.text.i18n import _, listing, mark
from referee.model.answers import Face, Seat
from referee.model.events import (
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
    TurnEnded,
    TurnStarted,
)
from referee.model.kinds import TurnKind

TurnEvent: TypeAlias = (
    FirstRolled | TurnStarted | DiceRolled | DieChanged | RollGained | DiceResolved | CardRolled
    | ExtraTurnGained | ExtraTurnsLost | RoarRecorded | TurnEnded | GameEnded
)  # fmt: skip


def tell(event: TurnEvent, told: Telling) -> str | None:
    match event:
        case FirstRolled(rolls=rolls):
            return _first_roll(rolls, told)
        case TurnStarted(seat=seat, extra=kind):
            return _turn(seat, kind, told)
        case DiceRolled():
            return _rolled(event, told)
        case DieChanged(seat=seat, item=item, face=face):
            return told.say(
                seat,
                mark("With {card} you turn one die into: {face}."),
                mark("With {card} {name} turns one die into: {face}."),
                card=told.item(item),
                face=names.face(face),
            )
        case RollGained(seat=seat, item=item):
            return told.say(
                seat,
                mark("{card} gives you one more roll."),
                mark("{card} gives {name} one more roll."),
                card=told.item(item),
            )
        case DiceResolved():
            return _resolved(event, told)
        case CardRolled(seat=seat, item=item, dice=dice):
            return told.say(
                seat,
                mark("You roll for {card}: {dice}."),
                mark("{name} rolls for {card}: {dice}."),
                card=told.item(item),
                dice=names.faces(dice),
            )
        case ExtraTurnGained() | ExtraTurnsLost() | RoarRecorded():
            return _to_come(event, told)
        case TurnEnded():
            return None
        case GameEnded(winners=winners):
            return ended(winners, told)
        case _:
            assert_never(event)


def _to_come(event: ExtraTurnGained | ExtraTurnsLost | RoarRecorded, told: Telling) -> str:
    match event:
        case ExtraTurnGained(seat=seat):
            return told.say(
                seat,
                mark("You will have another turn after this one."),
                mark("{name} will have another turn after this one."),
            )
        case ExtraTurnsLost(seat=seat):
            return told.say(
                seat,
                mark("Your extra turns are lost."),
                mark("The extra turns of {name} are lost."),
            )
        case RoarRecorded(seat=seat):
            return told.say(
                seat,
                mark("Your Final Roar wins the game at the end of this turn."),
                mark("The Final Roar of {name} wins the game at the end of this turn."),
            )
        case _:
            assert_never(event)


def ended(winners: tuple[Seat, ...], told: Telling) -> str:
    if not winners:
        return _("The game is over: all monsters are out, nobody wins.")
    if winners == (told.view.seat,):
        return _("The game is over: you win.")
    others = [told.player(seat) for seat in winners if not told.mine(seat)]
    if len(others) < len(winners):
        return _("The game is over: you win together with {others}.", others=listing(others))
    if len(others) == 1:
        return _("The game is over: {name} wins.", name=others[0])
    return _("The game is over: {names} win together.", names=listing(others))


def _first_roll(rolls: tuple[tuple[Seat, tuple[Face, ...]], ...], told: Telling) -> str:
    parts = [
        told.say(
            seat,
            mark("you with {n}"),
            mark("{name} with {n}"),
            n=sum(1 for die in dice if die is Face.CLAW),
        )
        for seat, dice in rolls
    ]
    claws = [sum(die is Face.CLAW for die in dice) for _seat, dice in rolls]
    if claws.count(max(claws)) > 1:
        return _(
            "Whoever rolls the most claws begins: {rolls}. The equal ones roll again.",
            rolls=listing(parts),
        )
    return _("Whoever rolls the most claws begins: {rolls}.", rolls=listing(parts))


def _turn(seat: Seat, kind: TurnKind, told: Telling) -> str:
    monster = told.monster(seat)
    fields = {
        "turn": told.state.turn,
        "place": names.place(monster.place),
        "hearts": names.hearts(monster.hearts),
        "energy": names.energy(monster.energy),
        "points": names.points(monster.points),
    }
    if kind is not TurnKind.ORDINARY:
        return told.say(
            seat,
            mark("Turn {turn}, yours once more: {place}, {hearts}, {energy}, {points}."),
            mark("Turn {turn}, {name} once more: {place}, {hearts}, {energy}, {points}."),
            **fields,
        )
    return told.say(
        seat,
        mark("Turn {turn}, yours: {place}, {hearts}, {energy}, {points}."),
        mark("Turn {turn}, {name}: {place}, {hearts}, {energy}, {points}."),
        **fields,
    )


def _rolled(event: DiceRolled, told: Telling) -> str | None:
    """One's own dice stand in the question that follows, or in `_resolved`."""
    every = len(event.positions) == len(event.dice)
    if told.mine(event.seat):
        shown = every and told.state.rolls < 2 and told.asked
        return None if shown else _own_reroll(event)
    told.dice_told[:] = event.dice
    name = told.player(event.seat)
    if every and told.state.rolls > 1:
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


def _resolved(event: DiceResolved, told: Telling) -> str | None:
    """Silent where the dice have just been told, and no card has changed them since."""
    if not told.mine(event.seat) and told.dice_told == list(event.dice):
        return None
    return told.say(
        event.seat,
        mark("Your final dice: {dice}."),
        mark("Final dice of {name}: {dice}."),
        dice=names.faces(event.dice),
    )
