"""Late, gone and dropped players, votes and pauses as sentences."""

from __future__ import annotations

import math
from typing import assert_never

from cli.text import names
from cli.text.clocks import minutes_and_seconds
from cli.text.i18n import _, list_with_and, plural
from cli.text.own_command import typeable
from kotp2p.absence_notices import (
    AbsenceNotice,
    AdjournWanted,
    Dropped,
    Gone,
    Late,
    NoVote,
    Paused,
    PauseEnded,
    Returned,
    Rewound,
    Voted,
    VoteEnded,
    VoteFailed,
    VoteOpened,
    VoteStands,
)
from kotp2p.seat_view import SeatView
from referee.model.answers import Seat


def describe_absence(notice: AbsenceNotice, view: SeatView) -> list[str]:
    match notice:
        case Late(seats=seats, vote_in=seconds):
            return [
                _("Time is up for {names}. No move is made for anyone; in {n} s the others may "
                  "vote.", names=_listed(view, seats), n=seconds)
            ]  # fmt: skip
        case Gone(seat=seat, vote_in=seconds):
            return [
                _("{name} no longer answers. The game waits; in {n} s the others may vote. To "
                  "come back, {keeper} types: kotp2p resume", name=names.player_name(view, seat),
                  keeper=names.player_name(view, view.players[seat].keeper), n=seconds)
            ]  # fmt: skip
        case Returned(seat=seat):
            return [_("{name} is back.", name=names.player_name(view, seat))]
        case NoVote():
            return [_no_vote(notice, view)]
        case VoteOpened():
            return _opened(notice, view)
        case Voted() | VoteEnded():
            return [_vote(notice, view)]
        case VoteStands() | VoteFailed():
            return [_standing(notice, view)]
        case Dropped():
            return _dropped(notice, view)
        case Rewound():
            return [
                _("The last moves do not count, because the votes came first. The game goes on "
                  "from before them; state shows how everyone stands.")
            ]  # fmt: skip
        case Paused() | PauseEnded():
            return [_pause(notice, view)]
        case AdjournWanted():
            return [_adjourn(notice, view)]
        case _:
            assert_never(notice)


def _no_vote(notice: NoVote, view: SeatView) -> str:
    if not notice.opens_in:
        return _("There is nobody to vote on: the game waits for you.")
    seat, seconds = min(notice.opens_in, key=lambda one: one[1])
    name = names.player_name(view, seat)
    if math.isinf(seconds):
        return _("There is nobody to vote on: {name} is connected, and has no time limit.",
                 name=name)  # fmt: skip
    return _("There is nobody to vote on yet: {name} has {time} left until a vote can open.",
             name=name, time=minutes_and_seconds(seconds))  # fmt: skip


def _opened(notice: VoteOpened, view: SeatView) -> list[str]:
    absent = _listed(view, notice.accused)
    if not notice.has_majority:
        return [
            _("The game cannot go on without {names}: the players present are not a majority. "
              "Wait, or type adjourn to stop here; everyone can resume later.", names=absent)
        ]  # fmt: skip
    lines = [
        _("The game may now go on without {names} if all the others agree: {voters}.",
          names=absent, voters=_marked(view, notice.needed))
    ]  # fmt: skip
    if view.seat in notice.accused:
        lines.append(_("Your answer ends the vote: nobody is out then."))
    if notice.yours:
        lines.append(
            _("Type drop to vote for that, wait to withdraw your vote. Without votes the game "
              "waits.")
        )  # fmt: skip
    return lines


def _dropped(notice: Dropped, view: SeatView) -> list[str]:
    voters = _marked(view, notice.by)
    lines = [
        _("You are out by the votes of {voters}.", voters=voters)
        if notice.seats == (view.seat,)
        else plural(
            "{names} is out by the votes of {voters}.",
            "{names} are out by the votes of {voters}.",
            len(notice.seats),
            names=_listed(view, notice.seats),
            voters=voters,
        )
    ]
    others = tuple(seat for seat in notice.punctual if seat != view.seat)
    if others:
        lines.append(
            plural(
                "{names} was on time all the same: neither late nor gone, as seen from here.",
                "{names} were on time all the same: neither late nor gone, as seen from here.",
                len(others),
                names=_listed(view, others),
            )
        )
    if view.seat in notice.punctual:
        lines.append(
            _(
                "They have put you out although you were on time: as seen from here, you were "
                "neither late nor gone. More than half of the players can do that together. Your "
                "log shows who voted: {command}",
                command=typeable("kotp2p verify"),
            )
        )
    if view.seat in notice.seats:
        lines.append(_("The game goes on without you. You can go on watching; type leave to go."))
    return lines


def _vote(notice: Voted | VoteEnded, view: SeatView) -> str:
    match notice:
        case Voted(seat=seat, accused=()):
            return _("{name} wants to wait.", name=names.player_name(view, seat))
        case Voted(seat=seat, accused=accused) if view.players[seat].automatic:
            return _("{name}, a bot, goes along with the vote about {names}.",
                     name=names.player_name(view, seat), names=_listed(view, accused))  # fmt: skip
        case Voted(seat=seat, accused=accused):
            return _("{name} votes to go on without {names}.", name=names.player_name(view, seat),
                     names=_listed(view, accused))  # fmt: skip
        case VoteEnded(accused=accused):
            return _("The vote about {names} is over; nobody is out.", names=_listed(view, accused))
        case _:
            assert_never(notice)


def _standing(notice: VoteStands | VoteFailed, view: SeatView) -> str:
    absent = _listed(view, notice.accused)
    match notice:
        case VoteFailed():
            return _("The vote to go on without {names} has failed.", names=absent)
        case VoteStands(waited=waited, blocks=True):
            return _(
                "Your vote to go on without {names} still needs {voters}. You can do nothing else "
                "until it has passed or failed.", names=absent, voters=_listed(view, waited)
            )  # fmt: skip
        case VoteStands(waited=waited):
            return _("Your vote to go on without {names} still needs {voters}.", names=absent,
                     voters=_listed(view, waited))  # fmt: skip
        case _:
            assert_never(notice)


def _pause(notice: Paused | PauseEnded, view: SeatView) -> str:
    name = names.player_name(view, notice.seat)
    match notice:
        case Paused(seconds=seconds):
            return plural(
                "{name} pauses: the clocks stop for {n} minute at most, or until {name} types go.",
                "{name} pauses: the clocks stop for {n} minutes at most, or until {name} types go.",
                seconds // 60,
                name=name,
            )
        case PauseEnded():
            return _("{name}'s pause is over; the clocks run again.", name=name)
        case _:
            assert_never(notice)


def _adjourn(notice: AdjournWanted, view: SeatView) -> str:
    name = names.player_name(view, notice.seat)
    if not notice.wanted:
        return _("{name} wants to play on.", name=name)
    if not notice.missing:
        return _("{name} wants to stop here for today. Everyone agrees.", name=name)
    missing = _marked(view, notice.missing)
    if view.seat in notice.missing:
        return _(
            "{name} wants to stop here for today; everyone can resume later. To agree, type "
            "adjourn. Still to agree: {names}.", name=name, names=missing
        )  # fmt: skip
    return _("{name} wants to stop here for today; everyone can resume later. Still to agree: "
             "{names}.", name=name, names=missing)  # fmt: skip


def _marked(view: SeatView, seats: tuple[Seat, ...]) -> str:
    """Those who have a say, and which of them are bots: these go along with the persons."""
    called = [
        _("{name} (bot)", name=names.player_name(view, seat))
        if view.players[seat].automatic
        else names.player_name(view, seat)
        for seat in seats
    ]
    return list_with_and(called)


def _listed(view: SeatView, seats: tuple[Seat, ...]) -> str:
    return list_with_and([names.player_name(view, seat) for seat in seats])
