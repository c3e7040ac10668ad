"""Asking chance: dice and the cards that are turned up.

Scope: all Chance nodes for dice and market. If a seat leaves the game while a node is open, the
node is made anew, since the piles may have grown.

Not here: the roll-off (`turn`), the sides of the tiles (`wickedness`) and the look at the top card
(`market`).
"""

from __future__ import annotations

from kotp2p.referee.model.answers import Face, Item, Seat
from kotp2p.referee.model.decisions import CARDS, DICE, Chance, Draw
from kotp2p.referee.model.events import DeckRenewed, MarketFilled
from kotp2p.referee.table.hooks import Rules
from kotp2p.referee.table.table import Table

DIE_DRAW = Draw(6)
FACES = tuple(Face)
_DICE_DRAWS = [(DIE_DRAW,) * n for n in range(32)]


def draw_dice(t: Table, count: int, seat: Seat | None = None) -> Rules[tuple[Face, ...]]:
    """Roll `count` dice. Dice for `seat` alone are withdrawn (no faces) if it leaves the game."""
    draws = _DICE_DRAWS[count] if count < len(_DICE_DRAWS) else (DIE_DRAW,) * count
    while seat is None or t.monsters[seat].alive:
        values = yield Chance(DICE, draws, seat)
        if isinstance(values, tuple):
            return tuple([FACES[value] for value in values])
    return ()


def refill_market(t: Table) -> Rules[tuple[Item, ...]]:
    """Fill the gaps of the market as long as there are cards; the cards turned up.

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
