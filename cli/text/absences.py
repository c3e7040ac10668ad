"""The line-up in sentences: players that do not answer, wishes of the others, and changes.

Scope: each `AbsenceNotice`, and the question how a player leaves.
Not here: what stands until it is settled (`cli.ui.absence`), and proven cheats (`notices`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from kotp2p.cli.text import names
from kotp2p.cli.text.i18n import _, list_with_and, plural
from kotp2p.cli.text.since_turn import describe_turns_of_bot
from kotp2p.game.verify import ChangedHands
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.notices import (
    AbsenceNotice,
    AskedBecause,
    BurntBecause,
    CardBurnt,
    ChangeStalls,
    Gone,
    LineUpBegun,
    Offer,
    OfferEnded,
    PlayedForYou,
    ReturnAsked,
    Returned,
    SeatChange,
    Split,
    StopWanted,
    Wished,
)
from kotp2p.seams.seat_view import SeatView
from kotp2p.wire.lineups import Reason

MEMBERS_TO_GO_ON = 3
"""With two, neither is more than half of both."""


def describe_absence(notice: AbsenceNotice, view: SeatView) -> list[str]:
    match notice:
        case Gone() | Returned() | Wished() | StopWanted() | ReturnAsked():
            return [_describe_player(notice, view)]
        case Offer():
            return describe_offer(notice, view)
        case OfferEnded(seats=seats):
            return _describe_end_of_offer(seats, view)
        case LineUpBegun():
            return _describe_line_up(notice)
        case CardBurnt(seat=seat, because=BurntBecause.KEEPER_CHANGED):
            return [
                _("The top card that {name} had looked at goes back unseen: another program plays "
                  "for {name} now, and does not know it.", name=names.player_name(view, seat))
            ]  # fmt: skip
        case PlayedForYou():
            return describe_turns_of_bot(notice.events, notice.view)
        case ChangeStalls(seats=seats):
            return [describe_stall(seats, view)] if seats else []
        case Split(by=by):
            return [_describe_split(by, view)]
        case _:
            assert_never(notice)


def _describe_player(
    notice: Gone | Returned | Wished | StopWanted | ReturnAsked, view: SeatView
) -> str:
    match notice:
        case Gone(seat=seat):
            return _("{name} no longer answers. The game waits. To come back, {name} types: kotp2p "
                     "resume", name=names.player_name(view, seat))  # fmt: skip
        case Returned(seat=seat):
            return _("{name} is heard again.", name=names.player_name(view, seat))
        case Wished():
            return describe_wish(notice, view)
        case StopWanted():
            return describe_stop(notice, view)
        case ReturnAsked():
            return describe_return(notice, view)
        case _:
            assert_never(notice)


# -- somebody does not answer ----------------------------------------------------------------


def describe_offer(offer: Offer, view: SeatView) -> list[str]:
    """What is the matter, then what can be done about it."""
    who, count = _listed(view, offer.seats), len(offer.seats)
    if view.seat in offer.seats:
        return [
            _("The game waits for you. The others may now let a bot play for you until you are "
              "back.")
        ]  # fmt: skip
    first = plural("{names} does not answer.", "{names} do not answer.", count, names=who)
    if not offer.can_go_on:
        return [
            first,
            describe_too_few(),
            _("w waits, adjourn stops until another evening, leave leaves the game."),
        ]
    if not offer.yours:
        return [first, _("The others decide whether a bot plays on meanwhile.")]
    return [
        first,
        plural(
            "b lets a bot play for {names} until {names} is back, w waits. You can change it "
            "until all agree.",
            "b lets bots play for {names} until they are back, w waits. You can change it until "
            "all agree.",
            count,
            names=who,
        ),
    ]


def describe_too_few() -> str:
    return _("No bot can step in: the players who are left are not more than half of all.")


def _describe_end_of_offer(seats: tuple[Seat, ...], view: SeatView) -> list[str]:
    """Nothing about those for whom a bot plays now: that has been told."""
    here = [seat for seat in seats if not view.is_played_by_bot(seat)]
    if not here:
        return []
    return [_("The game no longer waits for {names}.", names=_listed(view, here))]


def describe_wish(wished: Wished, view: SeatView) -> str:
    name = names.player_name(view, wished.seat)
    if not wished.without:
        return _("{name} no longer wants a bot to play.", name=name)
    without = _listed(view, wished.without)
    if not wished.missing:
        return _("{name} wants a bot to play for {names}. Everyone agrees.", name=name,
                 names=without)  # fmt: skip
    return _("{name} wants a bot to play for {names}. Still to agree: {missing}.", name=name,
             names=without, missing=_marked(view, wished.missing))  # fmt: skip


def describe_stop(notice: StopWanted, view: SeatView) -> str:
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


def describe_stall(seats: tuple[Seat, ...], view: SeatView) -> str:
    return _("Who plays is about to change. The game waits until {names} agrees to the change.",
             names=_listed(view, seats))  # fmt: skip


def describe_witness(view: SeatView) -> str:
    """For a player whose monster has fallen while others play on; empty if nothing hangs on them.

    A witness counts as a player where it is asked whether those who are left are enough.
    """
    others = set(view.keepers.values()) - {view.seat}
    if len(others) < MEMBERS_TO_GO_ON - 1:
        return ""
    return _("Stay and watch, and the others can finish even if one of them does not come back: "
             "your program still counts.")  # fmt: skip


# -- a change of who plays -------------------------------------------------------------------


def _describe_line_up(notice: LineUpBegun) -> list[str]:
    lines = describe_changes(notice.changes, notice.view)
    if notice.undone_from is not None:
        lines.append(
            _("The last moves do not count any more. The game goes on from before them; state "
              "shows how everyone stands.")
        )  # fmt: skip
    return lines


def describe_changes(changes: Iterable[SeatChange | ChangedHands], view: SeatView) -> list[str]:
    """What a line-up has changed, by keeper."""
    return [line for change in changes for line in _describe_change(change, view)]


def _describe_change(change: SeatChange | ChangedHands, view: SeatView) -> list[str]:
    lines = [_describe_reason(change, view)]
    if change.refused:
        lines.append(
            _("{name} owed a part of a roll for which others had shown theirs. The log keeps this "
              "as a refused roll.", name=names.player_name(view, change.keeper))
        )  # fmt: skip
    lines += [
        _("{keeper}'s program now plays for {name}.", name=names.player_name(view, seat),
          keeper=names.player_name(view, keeper))
        for seat, keeper in change.seats
        if seat != change.keeper
    ]  # fmt: skip
    return lines


def _describe_reason(change: SeatChange | ChangedHands, view: SeatView) -> str:
    name, is_own = names.player_name(view, change.keeper), change.keeper == view.seat
    match change.reason:
        case Reason.CHEATED:
            return _("{name} is out of the game for cheating.", name=name)
        case Reason.LEFT:
            return _("{name} has given up.", name=name)
        case Reason.ABSENT if is_own:
            return describe_own_absence()
        case Reason.ABSENT:
            return _describe_absent(change, view, name)
        case Reason.AGAIN if is_own:
            return _("Your seat is played from here.")
        case Reason.AGAIN:
            return _("{name} has started the program again and plays on.", name=name)
        case Reason.BACK if is_own:
            return _("You are back, and your monster is yours again.")
        case Reason.BACK:
            return _("{name} is back and plays again.", name=name)
        case _:
            assert_never(change.reason)


def describe_own_absence() -> str:
    return _("The others go on with a bot in your place. To take your seat again, type: back")


def _describe_absent(change: SeatChange | ChangedHands, view: SeatView, name: str) -> str:
    keeper = dict(change.seats).get(change.keeper)
    if keeper is None:  # its monster was out: it only was a witness
        return _("{name} no longer watches.", name=name)
    return _("A bot plays for {name} until {name} is back, in {keeper}'s program.", name=name,
             keeper=names.player_name(view, keeper))  # fmt: skip


def describe_return(notice: ReturnAsked, view: SeatView) -> str:
    name = names.player_name(view, notice.seat)
    match notice.because:
        case AskedBecause.REFUSED_ROLLS:
            return _("{name} wants to come back, and has refused two rolls. To agree, type: accept "
                     "{name}", name=name)  # fmt: skip
        case AskedBecause.HELD_UP:
            return _("{name} wants to come back, and has held up the game for five minutes in all. "
                     "To agree, type: accept {name}", name=name)  # fmt: skip
        case AskedBecause.VANISHED:
            return _("{name} wants to come back, and did not come along the last time. To agree, "
                     "type: accept {name}", name=name)  # fmt: skip
        case _:
            assert_never(notice.because)


def _describe_split(by: tuple[Seat, ...], view: SeatView) -> str:
    if not by:
        return _("The others play this game on from another past than yours.")
    return _("The others play this game on from another past than yours. {names} signed both.",
             names=_listed(view, by))  # fmt: skip


# -- lists -------------------------------------------------------------------------------------


def _marked(view: SeatView, seats: Iterable[Seat]) -> str:
    """Those who have a say, and which of them are bots: these go along with the persons."""
    return list_with_and([names.marked_name(view, seat) for seat in seats])


def _listed(view: SeatView, seats: Iterable[Seat]) -> str:
    return list_with_and([names.player_name(view, seat) for seat in seats])
