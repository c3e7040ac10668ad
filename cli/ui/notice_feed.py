"""Notices of the peer as lines, and what this seat has been told so far. No I/O.

What the reader should know now but a log of the game need not say (`hints`) is kept apart
from the game itself (`lines`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias, assert_never

from cli.ask import preview
from cli.text import absences, lobby, notices, queries, statistics
from cli.text.story import Story
from kotp2p.notices import (
    AbsenceNotice,
    AdjournWanted,
    Announcement,
    Cheated,
    Diverged,
    Dropped,
    EvidenceKept,
    GameFinished,
    GameStarted,
    Gone,
    GuestIdentity,
    Happened,
    IncidentNotice,
    KeyChanged,
    Late,
    LinkChanged,
    LobbyChanged,
    LobbyNotice,
    LobbyRefused,
    Missing,
    NameChanged,
    Notice,
    Paused,
    PauseEnded,
    Reopened,
    Returned,
    Rewound,
    Said,
    SeatLeft,
    StartFailed,
    TableOpened,
    TopRevealed,
    Unconfirmed,
    Voted,
    VoteEnded,
    VoteOpened,
    Waiting,
)
from kotp2p.seat_view import SeatView
from referee.box.rulesets import RULE_SETS, RuleSet
from referee.model.answers import Seat

AboutSeat: TypeAlias = SeatLeft | LinkChanged


@dataclass(frozen=True, slots=True)
class Told:
    lines: list[str] = field(default_factory=list)
    hints: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Reader:
    """For whom it is told."""

    alone: bool = False
    """Nobody else can come: the lobby and the phrase are not worth a word."""
    types: bool = True
    """Sits at a terminal, and may type commands in the lobby."""
    starts: bool = False
    """Begins the game by typing so; otherwise it begins when every seat is taken."""
    asked: bool = True
    """Answers the questions; otherwise a bot does."""
    monster: str | None = None
    """The one that was wished for."""


class News:
    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.desk = queries.Desk()
        self.lobby: LobbyChanged | None = None
        self.statistics = statistics.Statistics()
        self._story: Story | None = None
        self._going: set[Seat] = set()
        """They have said goodbye: the end of their link is no news."""

    @property
    def view(self) -> SeatView | None:
        """The game, once it has begun."""
        return self.desk.view

    @property
    def rules(self) -> RuleSet | None:
        """Those of the table, as far as they are known."""
        if self.view is not None:
            return self.view.game.setup.rules
        return None if self.lobby is None else RULE_SETS.get(self.lobby.rules)

    @property
    def in_lobby(self) -> bool:
        return self.lobby is not None and self.view is None

    def counted(self) -> list[str]:
        """What each player did, for the end of the game."""
        return [] if self.view is None else statistics.lines(self.statistics, self.view)

    def tell(self, notice: Notice) -> Told:
        self.statistics.note(notice)
        match notice:
            case (
                TableOpened() | Announcement() | LobbyChanged() | LobbyRefused() | StartFailed()
                | GuestIdentity() | NameChanged() | KeyChanged()
            ):  # fmt: skip
                return self._lobby(notice)
            case Said():
                return Told([notices.said(notice)])
            case Reopened():
                return Told(hints=notices.reopened(notice))
            case GameStarted(view=view, resumed=resumed):
                self.desk.view = view
                self._story = Story(view.game.state, asked=self.reader.asked)
                who = self.desk.look("who") or []
                if resumed:
                    return Told([*notices.resumed(view), *who])
                return Told([*notices.started(view, alone=self.reader.alone), *who])
            case Happened(events=events, view=view):
                self.desk.view = view
                lines = self._story.tell(events, view) if self._story is not None else []
                danger = preview.threat(view, events) if self.reader.asked else ""
                return Told(lines, [danger] if danger else [])
            case Waiting():
                return Told()  # told only if it takes long
            case GameFinished(view=view):
                self.desk.view = view
                return Told([notices.finished(notice)])
            case (
                Late() | Gone() | Returned() | VoteOpened() | Voted() | VoteEnded() | Dropped()
                | Rewound() | Paused() | PauseEnded() | AdjournWanted()
            ):  # fmt: skip
                return Told(self._absence(notice))
            case _:  # an IncidentNotice, as the type of the parameter below says
                assert self.view is not None  # all of these come after GameStarted
                return Told(self._incident(notice, self.view))

    def _lobby(self, notice: LobbyNotice) -> Told:
        match notice:
            case TableOpened():
                return Told(lobby.opened(notice), lobby.opened_hints(notice))
            case Announcement():
                return Told(hints=[lobby.announced(notice)])
            case LobbyChanged():
                return Told() if self.reader.alone else self._seats(notice)
            case LobbyRefused():
                return Told([lobby.fault(notice)])
            case KeyChanged():
                return Told([lobby.key_changed(notice)])
            case StartFailed():
                return Told([lobby.start_failed(notice)])
            case GuestIdentity():
                return Told(hints=[notices.guest(notice)])
            case NameChanged():
                return Told(hints=[notices.renamed(notice)])
            case _:
                assert_never(notice)

    def _seats(self, new: LobbyChanged) -> Told:
        old, self.lobby = self.lobby, new
        if old is not None:
            lines = lobby.changes(old, new)
            full = bool(lines) and None not in new.seats
            return Told(lines, lobby.now_start() if full and self.reader.starts else [])
        hints = lobby.host_key(new)
        hints += lobby.hints(new) if self.reader.types else lobby.starts_itself(new)
        return Told(lobby.first_look(new), [*lobby.monster_taken(new, self.reader.monster), *hints])

    def _incident(self, notice: IncidentNotice, view: SeatView) -> list[str]:
        match notice:
            case TopRevealed():
                return [notices.revealed(notice, view)]
            case Missing():
                return [notices.missing(notice, view)]
            case SeatLeft() | LinkChanged():
                return self._about_seat(notice, view)
            case Cheated():
                return [notices.cheated(notice, view)]
            case EvidenceKept():
                return [notices.evidence(notice, view)]
            case Unconfirmed():
                return [notices.unconfirmed(notice, view)]
            case Diverged():
                return [notices.diverged(notice, view)]
            case _:
                assert_never(notice)

    def _absence(self, notice: AbsenceNotice) -> list[str]:
        if isinstance(notice, Rewound):
            self.desk.view = notice.view
            self._story = Story(notice.state, asked=self.reader.asked)
        assert self.view is not None  # all of these come after GameStarted
        return absences.tell(notice, self.view)

    def _about_seat(self, notice: AboutSeat, view: SeatView) -> list[str]:
        if isinstance(notice, LinkChanged) and notice.seat in self._going:
            return []
        if isinstance(notice, SeatLeft):
            self._going.add(notice.seat)
        told_out = self._story is not None and not self._story.alive(notice.seat)
        return notices.about_seat(notice, view, told_out=told_out)
