"""What the program of a seat wants of the others while a bot answers for it.

A bot has no opinion about who should be out, or when an evening is over. But the protocol asks each
program that is there, so one that says nothing would hold up all others. So it goes along with what
the persons have agreed, and counts on neither side.

Scope: which wish follows from what was told. No I/O.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from kotp2p.absence_notices import (
    AdjournWanted,
    Dropped,
    Rewound,
    Voted,
    VoteEnded,
    VoteOpened,
)
from kotp2p.notices import GameStarted, Notice
from kotp2p.seat_view import SeatView
from referee.model.answers import Seat


class Wish(Enum):
    DROP = auto()
    ADJOURN = auto()
    TAKE_BACK = auto()


@dataclass(slots=True)
class Abstention:
    _view: SeatView | None = None
    _vote: VoteOpened | None = None
    _agree: set[Seat] = field(default_factory=set)
    """The persons who want to go on without the accused of the open vote."""
    _goes_along: bool = False

    def note_notice(self, notice: Notice) -> Wish | None:
        """What this program has to say now, if anything."""
        match notice:
            case GameStarted(view=view):
                self._view = view
            case VoteOpened():
                self._vote, self._goes_along = notice, False
                self._agree.clear()
                return self._follow_vote()
            case VoteEnded() | Dropped() | Rewound():
                self._vote, self._goes_along = None, False
            case Voted(seat=seat, accused=accused):
                self._note_vote(seat, accused)
                return self._follow_vote()
            case AdjournWanted():
                return self._follow_adjourning(notice)
            case _:  # it asks for no wish
                pass
        return None

    def _note_vote(self, seat: Seat, accused: Sequence[Seat]) -> None:
        if self._vote is not None and tuple(accused) == self._vote.accused:
            self._agree.add(seat)
        else:
            self._agree.discard(seat)

    def _follow_vote(self) -> Wish | None:
        should = self._persons_have_agreed()
        if should is self._goes_along:
            return None
        self._goes_along = should
        return Wish.DROP if should else Wish.TAKE_BACK

    def _persons_have_agreed(self) -> bool:
        """All persons of whom it is asked, and they are more than half of the persons in the game.
        At a table without any person the bots decide."""
        view, vote = self._view, self._vote
        if view is None or vote is None or not vote.yours or not vote.has_majority:
            return False
        accused = {view.players[seat].keeper for seat in vote.accused}
        needed = self._persons(vote.needed)
        many = len(needed) + len(self._persons(accused))
        return not many or (needed <= self._agree and 2 * len(needed) > many)

    def _follow_adjourning(self, notice: AdjournWanted) -> Wish | None:
        view = self._view
        if view is None or notice.seat == view.seat:
            return None
        if not notice.wanted:
            return Wish.TAKE_BACK
        is_asked = view.seat in notice.missing
        return Wish.ADJOURN if is_asked and not self._persons(notice.missing) else None

    def _persons(self, keepers: Iterable[Seat]) -> set[Seat]:
        assert self._view is not None  # a game has begun
        return {seat for seat in keepers if not self._view.players[seat].is_played_by_bot}
