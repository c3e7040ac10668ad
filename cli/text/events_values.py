"""Sentences about points, energy, hearts, tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from kotp2p.cli.text import names
from kotp2p.cli.text.context import StoryContext
from kotp2p.cli.text.i18n import N_, _, list_with_and, plural
from kotp2p.referee.model.answers import Item
from kotp2p.referee.model.events import (
    DiceResolved,
    EnergyGained,
    EnergyLost,
    Event,
    HeartsGained,
    HeartsLost,
    HeartsSet,
    PointsGained,
    PointsLost,
    TokensGained,
    TokensRemoved,
    WickednessChanged,
)
from kotp2p.referee.model.state import Cause, DamageKind, Token

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
    """What the numbers of the dice would give, group by group. An event tells only what counts."""

    def __init__(self) -> None:
        self._to_come: list[int] = []

    def note_event(self, event: Event) -> int:
        """The points that this event would have given without an end of the dial; 0 if the dice
        do not give them."""
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
    """One victim of an attack; all victims of an attack are told in one line."""

    lost: HeartsLost
    hearts_after: int


def describe_claw_hits(group: Sequence[ClawHit], context: StoryContext) -> str:
    """`Ana hits Rex for 2 (4 hearts left) and you for 2 (1 heart left).`"""
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
    """In brackets; nothing for dice, which have just been told."""
    if item is not None:
        return context.item_name(item)
    return _("Tokyo") if cause is Cause.TOKYO else ""


def _lost(event: HeartsLost, context: StoryContext) -> str | None:
    """Claws are told by `describe_claw_hits`."""
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
