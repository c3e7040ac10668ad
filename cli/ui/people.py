"""Several people at one machine: one of them is asked at a time, and the others see no secret.

Scope: the people are the seats that one keeper has and no bot plays. What is told to all of them
names everybody; what is asked is for one.
Not here: how a question is put (`line_player`), and when something is shown (`paced_front`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from kotp2p.cli.ask.standing_orders import OrderKeeper, Orders
from kotp2p.referee.model.answers import Item, Seat
from kotp2p.referee.model.decisions import YieldDecision
from kotp2p.referee.model.events import Event, YieldAnswered
from kotp2p.seams.seat_view import WATCHER, SeatView


def people_here(view: SeatView) -> tuple[Seat, ...]:
    """The seats of the people at this machine; more than one if they share it."""
    if view.seat == WATCHER:
        return ()
    keeper = view.players[view.seat].keeper
    return tuple(
        seat
        for seat, player in enumerate(view.players)
        if player.keeper == keeper and not player.automatic
    )


def share_screen(view: SeatView) -> bool:
    return len(people_here(view)) > 1


def view_for_all(view: SeatView) -> SeatView:
    """What people at one machine are told together: nobody of them is "you" there, and nothing is
    told that one of them knows alone."""
    return replace(view, seat=WATCHER, top=None) if share_screen(view) else view


def hides_answer(events: Sequence[Event], view: SeatView) -> bool:
    """Whether these events tell what one person here has answered to an attack on Tokyo, while
    another one here is still to answer it."""
    pending, people = view.game.pending, people_here(view)
    return (
        isinstance(pending, YieldDecision)
        and pending.seat in people
        and any(isinstance(event, YieldAnswered) and event.seat in people for event in events)
    )


@dataclass(slots=True)
class Turns:
    """The person that was asked last, and what of the others is put away meanwhile."""

    asked: Seat | None = None
    seen_card: Item | None = None
    """The top card of the deck that the person asked last has seen."""
    _orders: dict[Seat, Orders] = field(default_factory=dict)
    _first_orders: Orders = field(default_factory=Orders)
    """Those of the settings, with which each person begins."""

    def pass_to(self, seat: Seat, standing: OrderKeeper) -> bool:
        """Ask this person, by standing orders of their own. Return whether another was asked
        before, or nobody."""
        if seat == self.asked:
            return False
        if self.asked is None:
            self._first_orders = standing.orders
        else:
            self._orders[self.asked] = standing.orders
            standing.orders = self._orders.get(seat, self._first_orders)
        self.asked, self.seen_card = seat, None
        return True
