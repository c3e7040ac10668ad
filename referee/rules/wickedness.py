"""Wickedness: the track and the taking of its tiles (RULES.md 2.1, 2.2).

Scope: the marker moves with the ones and the twos. Each step that it reaches is paid out once,
until the marker is back at 0.

Not here: what a tile does (`referee.cards.tile_effects`).
"""

from __future__ import annotations

from collections.abc import Sequence

from kotp2p.referee.box.tiles import MIXED, SIDES, TILES, TRACK_STEPS, faces_lying_up
from kotp2p.referee.model.answers import ONE, TWO, Face, Item, Seat, Take, Use
from kotp2p.referee.model.card_decisions import TileDecision
from kotp2p.referee.model.decisions import Chance, ChanceKind, Draw
from kotp2p.referee.model.events import TilesLaid, TileTaken, WickednessChanged
from kotp2p.referee.model.state import NO_ITEM
from kotp2p.referee.rules.holdings import gain_holding
from kotp2p.referee.table.hooks import Effect, Rules
from kotp2p.referee.table.table import Table

TRACK_END = TRACK_STEPS[-1]
WICKEDNESS_PER_TRIPLE = {ONE: 2, TWO: 1}
"""Wickedness for each triple; threes give none."""


def lay_tiles(t: Table) -> Rules[None]:
    """Set-up: one face of each tile lies up. Mixed sides are drawn, all at once (A-45)."""
    tiles = len(TILES) // len(SIDES)
    sides: Sequence[str] = (t.setup.options.tile_sides,) * tiles
    if t.setup.options.tile_sides == MIXED:
        values = None
        while not isinstance(values, tuple):
            if not t.state.seats_alive():
                return
            values = yield Chance(ChanceKind.SIDES, (Draw(len(SIDES)),) * tiles)
        sides = [SIDES[value] for value in values]
    deck = len(t.setup.deck)
    t.record(TilesLaid(tuple(deck + face for face in faces_lying_up(tuple(sides)))))


def advance_wickedness(t: Table, face: Face, count: int) -> Rules[None]:
    """The marker moves with each triple and stops at the end of the track. Then the monster takes
    a tile for each step that the marker has reached, the lower step first."""
    seat = t.state.active
    monster = t.active
    goal = min(TRACK_END, monster.wickedness + WICKEDNESS_PER_TRIPLE.get(face, 0) * (count // 3))
    if goal == monster.wickedness:
        return
    t.record(WickednessChanged(seat, goal))
    for step in TRACK_STEPS:
        if monster.wickedness >= step and step not in monster.steps:
            yield from _take_tile(t, seat, step)


def _take_tile(t: Table, seat: Seat, step: int) -> Rules[None]:
    """Take a tile, which is a must if there is one (A-44), but no second one of the same step."""
    while True:
        known = _tiles_at_step(t, t.state.tiles, step)
        held = [holding.item for holding in t.monsters[seat].holdings]
        if not known or _tiles_at_step(t, held, step):
            t.record(TileTaken(seat, NO_ITEM, step))
            return
        answer = None
        if len(known) == 1:
            answer = Take(known[0])
        else:
            given = yield t.with_offers(TileDecision(seat, step, known))
            if isinstance(given, Use):
                yield from t.use(Effect.offer_anytime, seat, given)
            elif isinstance(given, Take):
                answer = given
        if answer is not None:
            t.record(TileTaken(seat, answer.tile, step))
            yield from gain_holding(t, seat, answer.tile)
            return


def _tiles_at_step(t: Table, items: Sequence[Item], step: int) -> tuple[Item, ...]:
    """Those of `items` that are tiles of this step."""
    return tuple(i for i in items if not t.is_card(i) and t.setup.tile(i).step == step)
