"""The dice of a turn until they are final, and how chance is asked (RULES.md 3.3 to 3.5).

Scope: all Chance nodes for dice and market. If a seat leaves the game while a node is open, the
node is made anew, since the piles may have grown.
Not here: the roll-off (`turn`), the sides of the tiles (`resolving`) and the look at the top card
(`market`).
"""

from __future__ import annotations

from kotp2p.referee.model.answers import THREE, Face, Item, Reroll, Seat, Use
from kotp2p.referee.model.decisions import (
    CARDS,
    DICE,
    Chance,
    ChangeDecision,
    Draw,
    ProbeDecision,
    RollDecision,
)
from kotp2p.referee.model.events import DeckRenewed, DiceRolled, DieChanged, MarketFilled
from kotp2p.referee.table.table import Effect, Rules, Table

# -- asking chance -------------------------------------------------------------------------


DIE_DRAW = Draw(6)
FACES = tuple(Face)
_DICE_DRAWS = [(DIE_DRAW,) * n for n in range(32)]


def draw_dice(t: Table, count: int, seat: Seat | None = None) -> Rules[tuple[Face, ...]]:
    """Roll `count` dice and return their faces.

    Dice for `seat` alone are withdrawn (no faces) if it leaves the game.
    """
    draws = _DICE_DRAWS[count] if count < len(_DICE_DRAWS) else (DIE_DRAW,) * count
    while seat is None or t.monsters[seat].alive:
        values = yield Chance(DICE, draws, seat)
        if isinstance(values, tuple):
            return tuple([FACES[value] for value in values])
    return ()


def refill_market(t: Table) -> Rules[tuple[Item, ...]]:
    """Fill the gaps of the market as long as there are cards; return the cards turned up.

    The undrawn cards come first, then the discard pile, which becomes the deck (3.10, A-62).
    """
    state = t.state
    while state.seats_alive():
        gaps = [slot for slot, item in enumerate(state.market) if item is None]
        first = min(len(gaps), len(state.undrawn))
        second = min(len(gaps) - first, len(state.discard))
        if first + second == 0:
            break
        piles = (tuple(state.undrawn), tuple(sorted(state.discard)))
        draws = (Draw(len(piles[0]), 0),) * first
        if second:
            draws += (Draw(len(piles[1]), 1),) * second
        values = yield Chance(CARDS, draws, piles=piles)
        if isinstance(values, tuple):
            cards = tuple([piles[draws[i].pool][value] for i, value in enumerate(values)])
            drawn = tuple([(gaps[i], card) for i, card in enumerate(cards)])
            if first:
                t.record(MarketFilled(drawn[:first]))
            if second:
                t.record(DeckRenewed())
                t.record(MarketFilled(drawn[first:]))
            return cards
    return ()


# -- the dice of a turn --------------------------------------------------------------------


def count_dice(t: Table) -> int:
    """Return how many dice the active monster rolls this turn (3.2.8, A-49, A-51)."""
    seat = t.state.active
    more = t.total(Effect.extra_dice, seat)
    return max(0, t.rules.dice + more - t.monsters[seat].shrink - t.state.frozen)


def roll_dice(t: Table) -> Rules[None]:
    """ROLL: the first roll, then rerolls and cards until the monster stops."""
    count = count_dice(t)
    if not count:
        return
    state = t.state
    seat = state.active
    first = yield from draw_dice(t, count)
    t.record(DiceRolled(seat, tuple(range(count)), first))
    while True:
        allowed = t.rules.rolls + t.total(Effect.extra_rolls, seat)
        left = max(0, allowed + state.extra_rolls - state.rolls)
        uses = t.offers(Effect.offer_roll, seat)
        if not left and not uses:
            return
        answer = yield t.with_offers(RollDecision(seat, tuple(state.dice), left), uses)
        if isinstance(answer, Reroll):
            faces = yield from draw_dice(t, len(answer.dice))
            dice = list(state.dice)
            for i, position in enumerate(answer.dice):
                dice[position] = faces[i]
            t.record(DiceRolled(seat, answer.dice, tuple(dice)))
        elif isinstance(answer, Use):
            yield from t.use(Effect.offer_roll, seat, answer)
        elif answer is not None:
            return


def reroll_one(t: Table, seat: Seat, item: Item, position: int) -> Rules[Face]:
    """Reroll one die of the active monster by a card of `seat`, without using up a roll.

    A 3 that another seat rolls is the 3 of a probe, and so is a 3 that comes of it (A-107).
    """
    (face,) = yield from draw_dice(t, 1)
    is_of_probe = seat != t.state.active or position in t.probed
    set_die(t, seat, item, position, face)
    if is_of_probe and face is THREE:
        t.probed.add(position)
    return face


def set_die(t: Table, seat: Seat, item: Item, position: int, face: Face) -> None:
    """Turn one die of the active monster by a card of `seat`.

    It is no die of a probe then.
    """
    t.record(DieChanged(seat, item, position, face))
    t.probed.discard(position)


def probe_window(t: Table) -> Rules[None]:
    """Ask each opponent that can reroll a die, clockwise, for one use each (3.4)."""
    active = t.state.active
    if not t.state.dice:
        return
    for seat in t.state.seats_clockwise(active):
        while uses := t.offers(Effect.offer_probe, seat):
            probes = {usable.item for usable in uses}
            answer = yield t.with_offers(ProbeDecision(seat, active, tuple(t.state.dice)), uses)
            if isinstance(answer, Use):
                yield from t.use(Effect.offer_probe, seat, answer)
                if answer.item in probes:
                    break
            elif answer is not None:
                break


def change_dice(t: Table) -> Rules[None]:
    """Let cards turn dice until the monster is done (3.5)."""
    seat = t.state.active
    while True:
        uses = t.offers(Effect.offer_change, seat)
        if not uses:
            return
        answer = yield t.with_offers(ChangeDecision(seat, tuple(t.state.dice)), uses)
        if isinstance(answer, Use):
            yield from t.use(Effect.offer_change, seat, answer)
        elif answer is not None:
            return
