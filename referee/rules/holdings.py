"""Cards and tiles coming into play and leaving it; monsters falling and leaving the game.

Scope: every holding comes and goes through this module, so that copies are cut, counters start
full and the maximum of hearts holds. The windows, in order:

* `gain_holding`: CardKept, `came_into_play`.
* `lose_holding`: CardLost, links to the card cut, `left_play`, the cap on hearts.
* `reach_zero_hearts`: HeartsReachedZero; `wins_at_zero`, else `rescue_at_zero`, else eliminated;
  then `reached_zero` of all alive; then the Bay closes if it must.
"""

from kotp2p.referee.model import events as ev
from kotp2p.referee.model.answers import Item, Seat
from kotp2p.referee.model.state import NO_ITEM, Holding
from kotp2p.referee.rules.monsters import cap_hearts, close_bay
from kotp2p.referee.table.table import Effect, InPlay, Rules, Table


def gain_holding(t: Table, seat: Seat, item: Item, counters: int | None = None) -> Rules[None]:
    """Put a card or tile in front of `seat`, with `counters` that travel with it (A-25)."""
    full = t.effects[item].counters
    t.record(ev.CardKept(seat, item, full if counters is None else counters))
    holding = t.monsters[seat].holdings[-1]
    for me in t.effects_of(seat, holding):
        # The item's own effect may use itself up, or choose a card to copy, before the next.
        if t.still_works(me) and Effect.came_into_play in me.effect.hooks:
            yield from me.effect.came_into_play(t, me)


def counters_that_travel(holding: Holding) -> int:
    """Return the counters that change owners with a card, not with a copying one (A-25, A-104)."""
    return holding.counters if holding.copies == NO_ITEM else 0


def lose_holding(
    t: Table, seat: Seat, holding: Holding, discarded: bool = True, fallen: bool = False
) -> None:
    """Take a holding from `seat`.

    A card that only changes its owner (not `discarded`) stays copied (K26). If the owner has
    `fallen`, no effect of the loss follows (A-18).
    """
    gone = t.effects_of(seat, holding)  # found now, since the next event takes the holding away
    card = t.is_card(holding.item)
    t.record(ev.CardLost(seat, holding.item, discarded and card))
    if discarded:
        for other in t.seats_from_active():
            for copy in list(t.monsters[other].holdings):
                if copy.copies == holding.item:
                    cut_link(t, other, copy)
    if not fallen:
        _end_effects(t, gone)


def cut_link(t: Table, seat: Seat, holding: Holding) -> None:
    """Cut the link of a copying card, which then copies nothing."""
    gone = [me for me in t.effects_of(seat, holding) if me.card != holding.item]
    t.record(ev.CopyPlaced(seat, holding.item, NO_ITEM))
    _end_effects(t, gone)


def use_up(t: Table, me: InPlay) -> None:
    """Use up an effect: discard its card, or cut the link of its tile (A-34, A-48)."""
    if t.is_card(me.holding.item):
        lose_holding(t, me.seat, me.holding)
    else:
        cut_link(t, me.seat, me.holding)


def _end_effects(t: Table, gone: list[InPlay]) -> None:
    for me in gone:
        # A monster without hearts is falling or being rescued: no loss of an effect hurts it.
        if t.monsters[me.seat].hearts:
            me.effect.left_play(t, me)
            if Effect.extra_max_hearts in me.effect.hooks:
                cap_hearts(t, me.seat)


def lose_all_holdings(t: Table, seat: Seat, but: Holding | None = None) -> None:
    """Take all holdings from a monster that has fallen, its copying cards first."""
    for holding in sorted(t.monsters[seat].holdings, key=lambda held: held.copies == NO_ITEM):
        if holding is not but:
            lose_holding(t, seat, holding, fallen=True)


def reach_zero_hearts(t: Table, seat: Seat) -> None:
    """Let `seat` win, be rescued or be eliminated at 0 hearts (3.7.5)."""
    t.record(ev.HeartsReachedZero(seat))
    if any(me.effect.wins_at_zero(t, me) for me in t.of(Effect.wins_at_zero, seat)):
        t.record(ev.RoarRecorded(seat))
        eliminate(t, seat)
    elif not any(me.effect.rescue_at_zero(t, me) for me in t.of(Effect.rescue_at_zero, seat)):
        eliminate(t, seat)
    for me in t.each(Effect.reached_zero, t.seats_from_active()):
        if t.still_works(me):
            me.effect.reached_zero(t, me, seat)
    close_bay(t)


def eliminate(t: Table, seat: Seat, left: bool = False) -> None:
    """Return cards to the discard pile, the rest to the box; the caller closes the Bay."""
    state = t.state
    lose_all_holdings(t, seat)
    t.record(ev.Eliminated(seat, left))
    extra = state.freeze or state.final_push or state.frenzy
    if (seat == state.active and extra) or seat in state.others_frenzy:
        t.record(ev.ExtraTurnsLost(seat))
    if state.seen_by and state.seen_by[0] == seat:
        t.record(ev.TopLost())


def remove_leavers(t: Table, seats: tuple[Seat, ...]) -> None:
    """Remove seats that have left the game without reaching 0 hearts (A-91)."""
    for seat in seats:
        eliminate(t, seat, left=True)
    close_bay(t)
