"""What the notices have said about the table that neither the game nor the log keeps: who came
when, who is absent, who fell in which turn, whether a vote is open. No I/O but the clock on the
wall, for people to read."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from cli.text import names
from cli.text.i18n import _
from kotp2p.notices import (
    Dropped,
    Gone,
    Happened,
    LobbyChanged,
    Missing,
    Notice,
    Paused,
    PauseEnded,
    Returned,
    Rewound,
    TableOpened,
    VoteEnded,
    VoteOpened,
)
from kotp2p.seat_view import SeatView
from referee.model.answers import Seat
from referee.model.events import Eliminated


def time_of_day() -> str:
    return time.strftime("%H:%M")


@dataclass
class Seen:
    wall: Callable[[], str] = time_of_day
    opened: TableOpened | None = None
    since: dict[bytes, str] = field(default_factory=dict)
    """When each player of the lobby came, by his key."""
    fell: dict[Seat, int] = field(default_factory=dict)
    """The turn in which a monster was out."""
    gone: set[Seat] = field(default_factory=set)
    """Nothing has been heard of them for a while."""
    paused: Seat | None = None
    """Who has stopped the clocks."""
    vote: VoteOpened | None = None

    def note(self, notice: Notice) -> None:
        """Other notices say nothing of this."""
        match notice:
            case TableOpened():
                self.opened = notice
            case LobbyChanged(seats=seats):
                for seat in seats:
                    if seat is not None:
                        self.since.setdefault(seat.key, self.wall())
            case Happened(events=events, view=view):
                turn = view.game.state.turn
                self.fell |= {e.seat: turn for e in events if isinstance(e, Eliminated)}
            case _:
                self._note_absence(notice)

    def _note_absence(self, notice: Notice) -> None:
        match notice:
            case VoteOpened():
                self.vote = notice
            case VoteEnded() | Dropped() | Rewound():
                self.vote = None
            case Gone(seat=seat):
                self.gone.add(seat)
            case Returned(seat=seat):
                self.gone.discard(seat)
            case Missing(seats=seats):
                self.gone = set(seats)
            case Paused(seat=seat):
                self.paused = seat
            case PauseEnded():
                self.paused = None
            case _:
                pass

    def marks(self, view: SeatView) -> list[str]:
        """What everybody should know about this moment, for the first row."""
        found = []
        absent = [seat for seat in sorted(self.gone) if view.game.state.monsters[seat].alive]
        if absent:
            who = ", ".join(names.player(view, seat) for seat in absent)
            found.append(_("no word from {names}", names=who))
        if self.vote is not None:
            found.append(_("a vote is open"))
        if self.paused is not None:
            found.append(_("paused by {name}", name=names.player(view, self.paused)))
        return found
