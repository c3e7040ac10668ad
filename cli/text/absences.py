"""Late, gone and dropped players, votes and pauses: as sentences, and as typed words. No I/O."""

from __future__ import annotations

from typing import assert_never

from cli.text import names
from cli.text.i18n import _, list_with_and, plural
from kotp2p.notices import (
    AbsenceNotice,
    AdjournWanted,
    Dropped,
    Gone,
    Late,
    Paused,
    PauseEnded,
    Returned,
    Rewound,
    Voted,
    VoteEnded,
    VoteOpened,
)
from kotp2p.seat_view import SeatView
from referee.model.answers import Seat


def describe_absence(notice: AbsenceNotice, view: SeatView) -> list[str]:
    match notice:
        case Late(seats=seats, vote_in=seconds):
            who = _listed(view, seats)
            return [
                _("Time is up for {who}. Nothing is played for anybody; in {n} s the others may "
                  "vote.", who=who, n=seconds)
            ]  # fmt: skip
        case Gone(seat=seat, vote_in=seconds):
            return [
                _("No word from {name} any more. The game waits; in {n} s the others may vote. To "
                  "come back, {keeper} types: kotp2p resume", name=names.player_name(view, seat),
                  keeper=names.player_name(view, view.players[seat].keeper), n=seconds)
            ]  # fmt: skip
        case Returned(seat=seat):
            return [_("{name} is there again.", name=names.player_name(view, seat))]
        case VoteOpened():
            return _opened(notice, view)
        case Voted() | VoteEnded():
            return [_vote(notice, view)]
        case Dropped(seats=seats, by=by):
            return [
                _("{who} is out, by the votes of {by}.", who=_listed(view, seats),
                  by=_listed(view, by))
            ]  # fmt: skip
        case Rewound(height=height):
            return [
                _("What was played since entry {height} does not count: the votes came before it. "
                  "The game goes on from there.", height=height)
            ]  # fmt: skip
        case Paused() | PauseEnded():
            return [_pause(notice, view)]
        case AdjournWanted():
            return [_adjourn(notice, view)]
        case _:
            assert_never(notice)


def _opened(notice: VoteOpened, view: SeatView) -> list[str]:
    who = _listed(view, notice.accused)
    if not notice.has_majority:
        return [
            _("The game cannot go on without {who}: those present are not more than half of the "
              "players. wait, or type adjourn to stop here; all can resume later.", who=who)
        ]  # fmt: skip
    lines = [
        _("The others may now go on without {who}, if all agree: {voters}.", who=who,
          voters=_listed(view, notice.voters))
    ]  # fmt: skip
    if notice.yours:
        lines.append(
            _("Type drop to vote for it, wait to take that back. Without votes the game waits.")
        )
    return lines


def _vote(notice: Voted | VoteEnded, view: SeatView) -> str:
    match notice:
        case Voted(seat=seat, accused=()):
            return _("{name} wants to wait.", name=names.player_name(view, seat))
        case Voted(seat=seat, accused=accused):
            return _("{name} votes to go on without {who}.", name=names.player_name(view, seat),
                     who=_listed(view, accused))  # fmt: skip
        case VoteEnded(accused=accused):
            return _("The vote about {who} is over; nobody is out.", who=_listed(view, accused))
        case _:
            assert_never(notice)


def _pause(notice: Paused | PauseEnded, view: SeatView) -> str:
    name = names.player_name(view, notice.seat)
    match notice:
        case Paused(seconds=seconds):
            return plural(
                "{name} pauses: the clocks stand for {n} minute at most. go ends one's own pause.",
                "{name} pauses: the clocks stand for {n} minutes at most. go ends one's own pause.",
                seconds // 60,
                name=name,
            )
        case PauseEnded():
            return _("The pause of {name} is over; the clocks run again.", name=name)
        case _:
            assert_never(notice)


def _adjourn(notice: AdjournWanted, view: SeatView) -> str:
    name = names.player_name(view, notice.seat)
    if not notice.wanted:
        return _("{name} wants to play on.", name=name)
    if not notice.missing:
        return _("{name} wants to stop here for today. All agree.", name=name)
    return _(
        "{name} wants to stop here for today; all can resume later. Who agrees types adjourn: "
        "{missing}.",
        name=name,
        missing=_listed(view, notice.missing),
    )


def _listed(view: SeatView, seats: tuple[Seat, ...]) -> str:
    return list_with_and([names.player_name(view, seat) for seat in seats])
