"""What a sentence may look at: its reader, and the table right after its event."""

from __future__ import annotations

from dataclasses import dataclass, field

from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import _
from kotp2p.referee.model.answers import Face, Item, Seat
from kotp2p.referee.model.state import Monster, State
from kotp2p.seams.seat_view import SeatView


@dataclass
class StoryContext:
    view: SeatView
    state: State
    """Right after the event that is being told."""
    cards_just_bought: set[Item] = field(default_factory=set)
    """That such a card now lies before its buyer needs no words."""
    dice_last_told: list[Face] = field(default_factory=list)
    """What the last sentence about all dice of another monster said."""
    points_of_dice: int = 0
    """What the dice would have given by the present event, if points did not stop at the most."""
    reader_is_asked: bool = True
    """The reader is asked about their own dice, and sees them there."""

    def player_name(self, seat: Seat) -> str:
        return names.player_name(self.view, seat)

    def monster(self, seat: Seat) -> Monster:
        return self.state.monsters[seat]

    def item_name(self, item: Item) -> str:
        return names.item_name(self.view.game, item)

    def is_reader(self, seat: Seat | None) -> bool:
        return seat == self.view.seat

    def fit_to_reader(self, seat: Seat, to_me: str, to_others: str, **fields: object) -> str:
        """One of two marked sentences: about the reader, or about `{name}`."""
        if self.is_reader(seat):
            return _(to_me, **fields)
        return _(to_others, name=self.player_name(seat), **fields)
