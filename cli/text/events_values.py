"""Sentences about points, energy, hearts, tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from cli.text import names
from cli.text.context import Telling
from cli.text.i18n import _, listing, mark, plural
from referee.model.answers import Item
from referee.model.events import (
    EnergyGained,
    EnergyLost,
    HeartsGained,
    HeartsLost,
    HeartsSet,
    PointsGained,
    PointsLost,
    TokensGained,
    TokensRemoved,
    WickednessChanged,
)
from referee.model.kinds import Cause, DamageKind, Token

ValueEvent: TypeAlias = (
    PointsGained | PointsLost | EnergyGained | EnergyLost | HeartsGained | HeartsLost | HeartsSet
    | TokensGained | TokensRemoved | WickednessChanged
)  # fmt: skip


def tell(event: ValueEvent, told: Telling) -> str | None:
    match event:
        case PointsGained() | PointsLost() | EnergyGained() | EnergyLost() | HeartsGained():
            return _changed(event, told)
        case HeartsLost():
            return _lost(event, told)
        case HeartsSet(seat=seat, hearts=hearts):
            return told.say(
                seat,
                mark("You have {hearts} now."),
                mark("{name} has {hearts} now."),
                hearts=names.hearts(hearts),
            )
        case TokensGained(seat=seat, token=token, amount=amount):
            return told.say(
                seat,
                mark("You get {tokens}."),
                mark("{name} gets {tokens}."),
                tokens=tokens(token, amount),
            )
        case TokensRemoved(seat=seat, token=token, amount=amount):
            return told.say(
                seat,
                mark("You are rid of {tokens}."),
                mark("{name} is rid of {tokens}."),
                tokens=tokens(token, amount),
            )
        case WickednessChanged(seat=seat, wickedness=wickedness):
            return told.say(
                seat,
                mark("Your wickedness is {n} now."),
                mark("The wickedness of {name} is {n} now."),
                n=wickedness,
            )
        case _:
            assert_never(event)


def tokens(token: Token, n: int) -> str:
    match token:
        case Token.POISON:
            return plural("{n} poison token", "{n} poison tokens", n)
        case Token.SHRINK:
            return plural("{n} shrink token", "{n} shrink tokens", n)
        case _:
            assert_never(token)


@dataclass(frozen=True, slots=True)
class ClawHit:
    """One victim of an attack; all victims of an attack are told in one line."""

    lost: HeartsLost
    hearts_after: int


def hits(group: Sequence[ClawHit], told: Telling) -> str:
    """`The claws of Ana hit Rex (6 to 4 hearts) and you (3 to 1 hearts).`"""
    victims = listing([_victim(hit, told) for hit in group])
    dealer = group[0].lost.dealer
    if dealer is None:
        return _("Claws hit {victims}.", victims=victims)
    return told.say(
        dealer,
        mark("Your claws hit {victims}."),
        mark("The claws of {name} hit {victims}."),
        victims=victims,
    )


def _victim(hit: ClawHit, told: Telling) -> str:
    return told.say(
        hit.lost.seat,
        mark("you ({before} to {after} hearts)"),
        mark("{name} ({before} to {after} hearts)"),
        before=hit.hearts_after + hit.lost.amount,
        after=hit.hearts_after,
    )


def _changed(
    event: PointsGained | PointsLost | EnergyGained | EnergyLost | HeartsGained, told: Telling
) -> str | None:
    if not event.amount:
        return None
    monster = told.monster(event.seat)
    match event:
        case PointsGained(amount=n):
            what, now, gained = names.points(n), monster.points, True
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
    why = _why(event.cause, event.item, told)
    if event.cause is Cause.PAYMENT:
        pair = _PAID[gained]
    else:
        pair = _FOR[gained] if why else _PLAIN[gained]
    return told.say(event.seat, *pair, what=what, now=now, why=why)


_PLAIN = (
    (mark("You lose {what}, {now} left."), mark("{name} loses {what}, {now} left.")),
    (mark("You get {what}, now {now}."), mark("{name} gets {what}, now {now}.")),
)
"""Lost, gained: to the reader, about others."""
_FOR = (
    (
        mark("You lose {what} ({why}), {now} left."),
        mark("{name} loses {what} ({why}), {now} left."),
    ),
    (mark("You get {what} ({why}), now {now}."), mark("{name} gets {what} ({why}), now {now}.")),
)
_PAID = (
    (mark("You pay {what}, {now} left."), mark("{name} pays {what}, {now} left.")),
    (mark("You are paid {what}, now {now}."), mark("{name} is paid {what}, now {now}.")),
)


def _why(cause: Cause, item: Item | None, told: Telling) -> str:
    """In brackets; nothing for dice, which have just been told."""
    if item is not None:
        return told.item(item)
    return _("Tokyo") if cause is Cause.TOKYO else ""


def _lost(event: HeartsLost, told: Telling) -> str | None:
    """Claws are told by `hits`."""
    after = told.monster(event.seat).hearts
    fields = {"before": after + event.amount, "after": after}
    if event.packet is DamageKind.POISON:
        return told.say(
            event.seat,
            mark("Poison hurts you, {before} to {after} hearts."),
            mark("Poison hurts {name}, {before} to {after} hearts."),
            **fields,
        )
    if event.item is not None:
        return told.say(
            event.seat,
            mark("{card} hurts you, {before} to {after} hearts."),
            mark("{card} hurts {name}, {before} to {after} hearts."),
            card=told.item(event.item),
            **fields,
        )
    return told.say(
        event.seat,
        mark("You lose hearts, {before} to {after}."),
        mark("{name} loses hearts, {before} to {after}."),
        **fields,
    )
