"""What a sentence may look at: its reader, and the table right after its event."""

from __future__ import annotations

from dataclasses import dataclass, field

from cli.text import names
from cli.text.i18n import _
from kotp2p.seat_view import SeatView
from referee.model.answers import Face, Item, Seat
from referee.model.state import Monster, State


@dataclass
class Telling:
    view: SeatView
    state: State
    """Right after the event that is being told."""
    bought: set[Item] = field(default_factory=set)
    """That such a card now lies before its buyer needs no words."""
    dice_told: list[Face] = field(default_factory=list)
    """What the last sentence about all dice of another monster said."""
    asked: bool = True
    """The reader is asked about their own dice, and sees them there."""

    def player(self, seat: Seat) -> str:
        return names.player(self.view, seat)

    def monster(self, seat: Seat) -> Monster:
        return self.state.monsters[seat]

    def item(self, item: Item) -> str:
        return names.item_name(self.view.game, item)

    def mine(self, seat: Seat | None) -> bool:
        return seat == self.view.seat

    def say(self, seat: Seat, to_me: str, to_others: str, **fields: object) -> str:
        """One of two marked sentences: about the reader, or about `{name}`."""
        if self.mine(seat):
            return _(to_me, **fields)
        return _(to_others, name=self.player(seat), **fields)
