"""What the notices have said about the table that neither the game nor the log keeps.

Scope: when each player came, who is absent, in which turn a monster was out. No I/O but the clock
on the wall, for people to read.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, assert_never

from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import _, list_with_commas, plural
from kotp2p.cli.ui.screen.last_events import LastEvents
from kotp2p.referee.model.answers import Seat
from kotp2p.referee.model.events import Eliminated, TurnStarted
from kotp2p.seams import notices as absence
from kotp2p.seams import notices as start
from kotp2p.seams import notices as told
from kotp2p.seams import notices as watching
from kotp2p.seams.notices import AskingByCode, LobbyRefused, TableCode
from kotp2p.seams.seat_view import SeatView
from kotp2p.wire.frames import SEAT_KEPT_SECONDS

Ignored: TypeAlias = (
    told.GuestIdentity | told.NameChanged | told.KeyChanged
    | told.KeyAccepted | AskingByCode | start.StartFailed
    | start.StartDeclined | start.StartSigned | start.StartInDoubt | start.HostLinkChanged
    | LobbyRefused | told.Said
    | watching.WatchAdmitted | watching.WatchLinkChanged
    | watching.RemarkRefused | watching.NextGameAwaited
    | told.PastLog | told.Reopened | told.Flooded
    | told.GameStarted | told.Waiting | told.OwnClock
    | told.GameFinished | told.TopRevealed | told.LinkChanged | told.Detour
    | told.Unsteady
    | told.Cheated | told.EvidenceKept | told.Diverged | told.ProgramFault
    | absence.Offer | absence.OfferEnded | absence.Wished | absence.StopWanted | absence.CardBurnt
    | absence.PlayedForYou | absence.ReturnAsked | absence.ChangeStalls | absence.Split
)  # fmt: skip
"""Notices that say nothing of what is kept here."""


def time_of_day() -> str:
    return time.strftime("%H:%M")


def time_after(seconds: float) -> str:
    return time.strftime("%H:%M", time.localtime(time.time() + seconds))


@dataclass
class TableStatus:
    time_of_day: Callable[[], str] = time_of_day
    time_after: Callable[[float], str] = time_after
    opened: told.TableOpened | None = None
    """How others can join, if this process hosts the table."""
    code: TableCode | None = None
    """The code of the table, and whether it works."""
    table_name: str = ""
    """Two words by which others find it on this network; empty: it is not announced."""
    unannounced: told.TableAnnounced | None = None
    """Why it is not announced, if that was tried."""
    rematch: told.RematchNews | None = None
    """For whom the seats are kept, if this process hosts another game with the same people."""
    came_at: dict[bytes, str] = field(default_factory=dict)
    """The time of day at which each player of the lobby came, by their key."""
    kept_until: dict[bytes, str] = field(default_factory=dict)
    """Until when the seat of each player is kept whose link is lost, by their key."""
    out_since: dict[Seat, int] = field(default_factory=dict)
    """The turn in which a monster was out."""
    last: LastEvents = field(default_factory=LastEvents)
    absent: set[Seat] = field(default_factory=set)
    """Seats from which nothing has been heard for a while."""
    watchers: int = 0
    """How many only watch."""

    def note_notice(self, notice: told.Notice) -> None:
        """Keep what the notice tells; most notices tell nothing that is shown in the first row."""
        match notice:
            case told.TableOpened():
                self.opened = notice
            case TableCode():
                self.code = notice
            case told.TableAnnounced(name=name, fault=fault):
                self.table_name = name
                self.unannounced = notice if fault else None
            case told.RematchNews(step=step):
                self.opened = None
                self.rematch = notice if step is told.RematchStep.OFFERS else None
                self.came_at.clear()
            case told.LobbyChanged(seats=seats):
                for seat in seats:
                    if seat is not None:
                        self.came_at.setdefault(seat.key, self.time_of_day())
                self._note_kept(seats)
            case told.Happened(events=events):
                self.last.note_events(events)
                self.note_past(notice)
            case watching.WatchersChanged(count=count):
                self.watchers = count
            case told.Missing(seats=seats):
                self.absent = set(seats)
            case absence.Gone() | absence.Returned() | absence.LineUpBegun():
                self._note_absence(notice)
            case _:  # the annotation names every notice that changes nothing here
                _ignored: Ignored = notice

    def _note_kept(self, seats: Sequence[told.LobbySeat | None]) -> None:
        away = [seat.key for seat in seats if seat is not None and seat.away]
        until = self.time_after(SEAT_KEPT_SECONDS)
        self.kept_until = {key: self.kept_until.get(key, until) for key in away}

    def note_past(self, notice: told.Notice) -> None:
        """Of what happened before the game was resumed, only this is of any use now."""
        if isinstance(notice, told.Happened):
            turn = notice.view.game.state.turn
            for event in reversed(notice.events):  # the view is the one after all of them
                if isinstance(event, TurnStarted):
                    turn -= 1
                elif isinstance(event, Eliminated):
                    self.out_since[event.seat] = turn

    def _note_absence(self, notice: absence.Gone | absence.Returned | absence.LineUpBegun) -> None:
        match notice:
            case absence.Gone(seat=seat):
                self.absent.add(seat)
            case absence.Returned(seat=seat):
                self.absent.discard(seat)
            case absence.LineUpBegun(changes=changes):  # the table marks for whom a bot plays
                self.absent.difference_update(change.keeper for change in changes)
            case _:
                assert_never(notice)

    def title_marks(self, view: SeatView) -> list[str]:
        """What everybody should know about this moment, for the first row."""
        found = []
        absent = [seat for seat in sorted(self.absent) if view.game.state.monsters[seat].alive]
        if absent:
            who = list_with_commas(names.player_name(view, seat) for seat in absent)
            found.append(_("no word from {names}", names=who))
        if self.watchers:
            found.append(self.describe_watchers())
        return found

    def describe_watchers(self) -> str:
        """In two words, for a title."""
        return plural("{n} watches", "{n} watch", self.watchers)
