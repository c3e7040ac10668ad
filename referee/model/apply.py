"""The one door: `apply(state, event)` changes the State, and nothing else does.

Scope: one small function for each kind of event. Folding the events of a game over its first
State gives its last one, so an event holds all that its function needs, and the function reads
nothing but the State.

Not here: a rule. An event says what has happened; whether it may happen was decided before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from kotp2p.referee.model import events as ev
from kotp2p.referee.model.answers import Item, Seat
from kotp2p.referee.model.events import Event
from kotp2p.referee.model.state import (
    CITY,
    FINAL_PUSH,
    FREEZE_TIME,
    NO_ITEM,
    ORDINARY,
    OUTSIDE,
    POISON,
    Holding,
    Source,
    State,
    Token,
)

E = TypeVar("E")
APPLIERS: dict[type, Callable[[State, Any], None]] = {}
"""What each kind of event does to the State. A `match` over 48 kinds would test one after the
other."""


def apply(state: State, event: Event) -> None:
    """Change `state` to what it is after `event`."""
    APPLIERS[type(event)](state, event)


def _applies(kind: type[E]) -> Callable[[Callable[[State, E], None]], Callable[[State, E], None]]:
    def register(applier: Callable[[State, E], None]) -> Callable[[State, E], None]:
        APPLIERS[kind] = applier
        return applier

    return register


def _only_told(_state: State, _event: object) -> None:
    """Change nothing, for events that say why other events follow."""


for _kind in (
    ev.FirstRolled, ev.DiceResolved, ev.CardRolled, ev.CardUsed, ev.DamagePrevented,
    ev.YieldAnswered, ev.HeartsReachedZero, ev.CardSold, ev.TurnEnded,
):  # fmt: skip
    APPLIERS[_kind] = _only_told


def _find_holding(state: State, seat: Seat, item: Item) -> Holding:
    for holding in state.monsters[seat].holdings:
        if holding.item == item:
            return holding
    raise KeyError(f"item {item} does not lie in front of seat {seat}")


# -- turns and dice --------------------------------------------------------------------------


@_applies(ev.TurnStarted)
def _turn_started(state: State, event: ev.TurnStarted) -> None:
    extra = event.extra
    state.frozen = state.frozen + 1 if extra is FREEZE_TIME else 0
    if extra is ORDINARY:
        state.home = event.seat
    elif extra is FREEZE_TIME:
        state.freeze = False
    elif extra is FINAL_PUSH:
        state.final_push = False
    elif event.seat == state.active and state.frenzy:  # a frenzy of its own
        state.frenzy -= 1
    else:
        state.others_frenzy.remove(event.seat)
    state.active = event.seat
    state.turn += 1
    state.dice = []
    state.rolls = state.extra_rolls = 0
    state.drew_blood = state.triple_ones = False
    for monster in state.monsters:
        monster.sheltered = False
        for holding in monster.holdings:
            holding.used = 0


@_applies(ev.DiceRolled)
def _dice_rolled(state: State, event: ev.DiceRolled) -> None:
    state.dice = list(event.dice)
    state.rolls += 1


@_applies(ev.DieChanged)
def _die_changed(state: State, event: ev.DieChanged) -> None:
    state.dice[event.position] = event.face


@_applies(ev.RollGained)
def _roll_gained(state: State, _event: ev.RollGained) -> None:
    state.extra_rolls += 1


@_applies(ev.TripleOnesScored)
def _triple_ones_scored(state: State, _event: ev.TripleOnesScored) -> None:
    state.triple_ones = True


@_applies(ev.ExtraTurnGained)
def _extra_turn_gained(state: State, event: ev.ExtraTurnGained) -> None:
    if event.effect is FREEZE_TIME:
        state.freeze = True
    elif event.effect is FINAL_PUSH:
        state.final_push = True
    elif event.seat == state.active:
        state.frenzy += 1
    else:
        state.others_frenzy.append(event.seat)


@_applies(ev.ExtraTurnsLost)
def _extra_turns_lost(state: State, event: ev.ExtraTurnsLost) -> None:
    if event.seat == state.active:
        state.freeze = state.final_push = False
        state.frenzy = 0
    state.others_frenzy = [seat for seat in state.others_frenzy if seat != event.seat]


@_applies(ev.RoarRecorded)
def _roar_recorded(state: State, event: ev.RoarRecorded) -> None:
    state.roar = event.seat


@_applies(ev.GameEnded)
def _game_ended(state: State, event: ev.GameEnded) -> None:
    state.winners = event.winners


# -- values of a monster ---------------------------------------------------------------------


@_applies(ev.PointsGained)
def _points_gained(state: State, event: ev.PointsGained) -> None:
    state.monsters[event.seat].points += event.amount


@_applies(ev.PointsLost)
def _points_lost(state: State, event: ev.PointsLost) -> None:
    state.monsters[event.seat].points -= event.amount


@_applies(ev.EnergyGained)
def _energy_gained(state: State, event: ev.EnergyGained) -> None:
    state.monsters[event.seat].energy += event.amount


@_applies(ev.EnergyLost)
def _energy_lost(state: State, event: ev.EnergyLost) -> None:
    state.monsters[event.seat].energy -= event.amount


@_applies(ev.HeartsGained)
def _hearts_gained(state: State, event: ev.HeartsGained) -> None:
    state.monsters[event.seat].hearts += event.amount


@_applies(ev.HeartsLost)
def _hearts_lost(state: State, event: ev.HeartsLost) -> None:
    state.monsters[event.seat].hearts -= event.amount
    if event.dealer == state.active:
        state.drew_blood = True


@_applies(ev.HeartsSet)
def _hearts_set(state: State, event: ev.HeartsSet) -> None:
    state.monsters[event.seat].hearts = event.hearts


@_applies(ev.Sheltered)
def _sheltered(state: State, event: ev.Sheltered) -> None:
    state.monsters[event.seat].sheltered = True


@_applies(ev.TokensGained)
def _tokens_gained(state: State, event: ev.TokensGained) -> None:
    _add_tokens(state, event.seat, event.token, event.amount)


@_applies(ev.TokensRemoved)
def _tokens_removed(state: State, event: ev.TokensRemoved) -> None:
    _add_tokens(state, event.seat, event.token, -event.amount)


def _add_tokens(state: State, seat: Seat, token: Token, amount: int) -> None:
    if token is POISON:
        state.monsters[seat].poison += amount
    else:
        state.monsters[seat].shrink += amount


@_applies(ev.WickednessChanged)
def _wickedness_changed(state: State, event: ev.WickednessChanged) -> None:
    monster = state.monsters[event.seat]
    monster.wickedness = event.wickedness
    if not event.wickedness:
        monster.steps = ()


# -- Tokyo, falling and being saved ------------------------------------------------------------


@_applies(ev.EnteredTokyo)
def _entered_tokyo(state: State, event: ev.EnteredTokyo) -> None:
    state.monsters[event.seat].place = event.place


@_applies(ev.LeftTokyo)
def _left_tokyo(state: State, event: ev.LeftTokyo) -> None:
    state.monsters[event.seat].place = OUTSIDE


@_applies(ev.MovedToCity)
def _moved_to_city(state: State, event: ev.MovedToCity) -> None:
    state.monsters[event.seat].place = CITY


@_applies(ev.Eliminated)
def _eliminated(state: State, event: ev.Eliminated) -> None:
    monster = state.monsters[event.seat]
    monster.alive = False
    monster.place = OUTSIDE
    monster.hearts = monster.points = monster.energy = 0
    monster.poison = monster.shrink = monster.wickedness = 0
    monster.steps = ()
    monster.zombie = monster.sheltered = False


@_applies(ev.Resurrected)
def _resurrected(state: State, event: ev.Resurrected) -> None:
    state.monsters[event.seat].hearts = event.hearts


@_applies(ev.Zombified)
def _zombified(state: State, event: ev.Zombified) -> None:
    state.monsters[event.seat].zombie = True


# -- the market ----------------------------------------------------------------------------------


@_applies(ev.MarketFilled)
def _market_filled(state: State, event: ev.MarketFilled) -> None:
    for slot, item in event.cards:
        state.market[slot] = item
        state.undrawn.remove(item)
    state.seen_by = ()


@_applies(ev.DeckRenewed)
def _deck_renewed(state: State, _event: ev.DeckRenewed) -> None:
    state.undrawn = sorted(state.discard)
    state.discard = []


@_applies(ev.MarketSwept)
def _market_swept(state: State, event: ev.MarketSwept) -> None:
    state.market = [None] * len(state.market)
    state.discard += event.cards


@_applies(ev.TopSeen)
def _top_seen(state: State, event: ev.TopSeen) -> None:
    state.seen_by += (event.seat,)


@_applies(ev.TopLost)
def _top_lost(state: State, _event: ev.TopLost) -> None:
    state.seen_by = ()


@_applies(ev.CardBought)
def _card_bought(state: State, event: ev.CardBought) -> None:
    if event.source is Source.MARKET:
        assert event.slot is not None, "a market card lies in a slot"
        state.market[event.slot] = None
        state.resolving.append(event.card)
    elif event.source is Source.TOP:
        state.undrawn.remove(event.card)
        state.seen_by = ()
        state.resolving.append(event.card)


@_applies(ev.CardDiscarded)
def _card_discarded(state: State, event: ev.CardDiscarded) -> None:
    state.resolving.remove(event.card)
    state.discard.append(event.card)


# -- cards and tiles in front of a monster -----------------------------------------------------


@_applies(ev.CardKept)
def _card_kept(state: State, event: ev.CardKept) -> None:
    if event.item in state.resolving:
        state.resolving.remove(event.item)
    state.acquisitions += 1
    kept = Holding(event.item, state.acquisitions, event.counters)
    state.monsters[event.seat].holdings.append(kept)


@_applies(ev.CardLost)
def _card_lost(state: State, event: ev.CardLost) -> None:
    state.monsters[event.seat].holdings.remove(_find_holding(state, event.seat, event.item))
    if event.discarded:
        state.discard.append(event.item)


@_applies(ev.CountersChanged)
def _counters_changed(state: State, event: ev.CountersChanged) -> None:
    _find_holding(state, event.seat, event.item).counters = event.counters


@_applies(ev.CopyPlaced)
def _copy_placed(state: State, event: ev.CopyPlaced) -> None:
    """Set the link; counters and uses of the copied card before it are lost (A-34)."""
    holding = _find_holding(state, event.seat, event.item)
    holding.copies = event.card
    holding.counters = 0
    holding.used = 0


@_applies(ev.ItemMarked)
def _item_marked(state: State, event: ev.ItemMarked) -> None:
    _find_holding(state, event.seat, event.item).used += 1


@_applies(ev.TilesLaid)
def _tiles_laid(state: State, event: ev.TilesLaid) -> None:
    state.tiles = list(event.tiles)


@_applies(ev.TileTaken)
def _tile_taken(state: State, event: ev.TileTaken) -> None:
    """Pay out the step; the event CardKept then puts the tile in front of the monster."""
    if event.tile != NO_ITEM:
        state.tiles.remove(event.tile)
    state.monsters[event.seat].steps += (event.step,)
