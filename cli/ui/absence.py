"""What a player sees and types while others do not answer, or want to stop for today.

Scope: what stands until it is settled, the words that are typed about it, and what the program of a
seat wishes for which a bot answers.
Not here: the sentences (`cli.text.notices`), and how a player leaves (`departure`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from kotp2p.cli.text import notices
from kotp2p.cli.text.i18n import _, ascii_digits
from kotp2p.cli.text.typed_words import BOT_PLAYS, COMMANDS, WAITS, explain_word, in_english
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.front import Control
from kotp2p.seams.notices import (
    AbsenceNotice,
    CardBurnt,
    ChangeStalls,
    Gone,
    LineUpBegun,
    Notice,
    Offer,
    OfferEnded,
    PlayedForYou,
    ReturnAsked,
    Returned,
    Split,
    StopWanted,
    Wished,
)
from kotp2p.seams.seat_view import WATCHER, SeatView
from kotp2p.wire.names import find_seat

BOT_WORD, WAIT_WORD, ADJOURN_WORD, ACCEPT_WORD = "bot", "wait", "adjourn", "accept"
BACK_WORD = "back"
WORDS = (BOT_WORD, WAIT_WORD, ADJOURN_WORD, ACCEPT_WORD, BACK_WORD)


@dataclass(slots=True)
class OpenMatters:
    """Of who plays, what is not settled: the last notice of each kind, while it stands."""

    offer: Offer | None = None
    wished: Wished | None = None
    """The last wish about the offer."""
    stop: StopWanted | None = None
    """The last wish to stop for today."""
    stalled: tuple[Seat, ...] = ()
    """The keepers for which a change of who plays waits."""
    returning: tuple[ReturnAsked, ...] = ()
    """Keepers about which the player is asked."""

    def note_notice(self, notice: AbsenceNotice) -> None:
        match notice:
            case Offer():
                self.offer, self.wished = notice, None
            case OfferEnded():
                self.offer = self.wished = None
            case Wished():
                self.wished = notice if notice.without else None
            case StopWanted():
                self.stop = notice if notice.wanted else None
            case ChangeStalls(seats=seats):
                self.stalled = seats
            case ReturnAsked(seat=seat):
                self.returning = (*self._return_of_others(seat), notice)
            case LineUpBegun(changes=changes):
                self.offer = self.wished = None
                self.stalled = ()
                for change in changes:
                    self.returning = self._return_of_others(change.keeper)
            case Gone() | Returned() | CardBurnt() | PlayedForYou() | Split():
                pass  # nothing is to be settled
            case _:
                assert_never(notice)

    def _return_of_others(self, seat: Seat) -> tuple[ReturnAsked, ...]:
        return tuple(asked for asked in self.returning if asked.seat != seat)

    def describe(self, view: SeatView) -> list[str]:
        """What stands, and what can be typed about it."""
        lines = [notices.describe_own_absence()] if is_away(view) else []
        if self.offer is not None:
            lines += notices.describe_offer(self.offer, view)
        if self.wished is not None:
            lines.append(notices.describe_wish(self.wished, view))
        if self.stalled:
            lines.append(notices.describe_stall(self.stalled, view))
        if self.stop is not None:
            lines.append(notices.describe_stop(self.stop, view))
        return [*lines, *(notices.describe_return(asked, view) for asked in self.returning)]

    # -- what is typed -------------------------------------------------------------------

    def read_letter(self, line: str) -> str:
        """The command for which a letter stands while there is an offer; empty if for none."""
        if self.offer is None:
            return ""
        if BOT_PLAYS.is_typed(line):
            return BOT_WORD
        return WAIT_WORD if WAITS.is_typed(line) else ""

    def do_command(self, line: str, view: SeatView, control: Control) -> list[str] | None:
        """Do what was typed, and return what is said at once; None if it is no such command."""
        word, _space, rest = " ".join(ascii_digits(line).split()).partition(" ")
        word = in_english(word, COMMANDS)
        if word not in WORDS or (rest and word != ACCEPT_WORD):
            return None
        if word == ACCEPT_WORD:
            return self._accept(rest, view, control)
        if word == BACK_WORD:
            return _come_back(view, control)
        if word == ADJOURN_WORD:
            control.stop_today(wanted=True)
            return []
        return self._answer_offer(word, control)

    def _answer_offer(self, word: str, control: Control) -> list[str]:
        offer, does_wait = self.offer, word == WAIT_WORD
        if does_wait:
            control.stop_today(wanted=False)
        if offer is None:
            return [] if does_wait else [_("There is nobody for whom a bot could play now.")]
        if not offer.yours:
            return [_("The others decide about that without you.")]
        if not does_wait and not offer.can_go_on:
            return [notices.describe_too_few()]
        control.go_on(bot=not does_wait)
        return []

    def _accept(self, rest: str, view: SeatView, control: Control) -> list[str]:
        seat = find_seat(rest, [player.name for player in view.players])
        if seat is None and not rest and len(self.returning) == 1:
            seat = self.returning[0].seat
        if seat not in [asked.seat for asked in self.returning]:
            return [_("Nobody of that name asks to come back.")]
        assert seat is not None  # it is among those that ask
        control.let_back(seat)
        self.returning = self._return_of_others(seat)
        return []


def is_away(view: SeatView) -> bool:
    """Whether the others have gone on without the reader, whose monster lives."""
    if view.seat == WATCHER:
        return False
    keeper = view.players[view.seat].keeper
    return view.keepers.get(view.seat, keeper) != keeper


def _come_back(view: SeatView, control: Control) -> list[str]:
    if not is_away(view):
        return [explain_word("undo")]
    control.come_back()
    return []


def wish_for_bot(notice: Notice, seat: Seat, control: Control) -> None:
    """Say what the program of this seat wants while a bot answers for it.

    A bot has no opinion. It goes along at once, as all must agree: so the persons decide, and a
    table of bots alone is held up by nobody.
    """
    match notice:
        case Offer(yours=True, can_go_on=True, seats=seats) if seat not in seats:
            control.go_on(bot=True)
        case StopWanted(seat=other, wanted=wanted) if other != seat:
            control.stop_today(wanted)
        case _:  # it asks for no wish
            pass
