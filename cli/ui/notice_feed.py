"""Notices of the peer as lines, and what this seat has read so far."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

from kotp2p.cli.ask.standing_orders import OrderKeeper, Orders
from kotp2p.cli.text import endings, how_to_join, lobby, names, notices, players, queries
from kotp2p.cli.text.how_to_join import code_command, describe_asking, describe_code
from kotp2p.cli.text.i18n import _, ascii_digits
from kotp2p.cli.text.lobby import describe_fault, describe_signed_start
from kotp2p.cli.text.queries import SinceTurn
from kotp2p.cli.text.story import LineKind, Story, tell_all
from kotp2p.cli.text.typed_words import BOT_PLAYS, COMMANDS, WAITS, explain_word, in_english
from kotp2p.cli.wing import wing
from kotp2p.game.steps import ChangedHands
from kotp2p.referee.box.rulesets import RULE_SETS, Options, RuleSet
from kotp2p.referee.model.answers import Item, Seat
from kotp2p.referee.model.decisions import YieldDecision
from kotp2p.referee.model.events import Eliminated, Event, GameEnded, YieldAnswered
from kotp2p.seams import notices as told
from kotp2p.seams.commands import ComeBack, Control, GoOn, LetBack, StopToday
from kotp2p.seams.endings import Ending
from kotp2p.seams.notices import WATCHER, SeatView
from kotp2p.wire.names import find_seat

# -- keepers that do not answer, and what may be said about them ---------------------------


BOT_WORD, WAIT_WORD, ADJOURN_WORD, ACCEPT_WORD = "bot", "wait", "adjourn", "accept"
BACK_WORD = "back"
WORDS = (BOT_WORD, WAIT_WORD, ADJOURN_WORD, ACCEPT_WORD, BACK_WORD)


@dataclass(slots=True)
class OpenMatters:
    offer: told.Offer | None = None
    wished: told.Wished | None = None
    stop: told.StopWanted | None = None
    stalled: tuple[Seat, ...] = ()
    """The keepers that a change of who plays is waiting for."""
    returning: tuple[told.ReturnAsked, ...] = ()
    """The keepers about whose return the player is asked."""

    def note_notice(self, notice: told.AbsenceNotice) -> None:
        match notice:
            case told.Offer():
                self.offer, self.wished = notice, None
            case told.OfferEnded():
                self.offer = self.wished = None
            case told.Wished(seat=seat):
                if notice.without:
                    self.wished = notice
                elif self.wished is not None and self.wished.seat == seat:
                    self.wished = None
            case told.StopWanted():
                self.stop = notice if notice.wanted else None
            case told.ChangeStalls(seats=seats):
                self.stalled = seats
            case told.ReturnAsked(seat=seat):
                self.returning = (*self._return_of_others(seat), notice)
            case told.LineUpBegun(changes=changes):
                self.offer = self.wished = None
                self.stalled = ()
                for change in changes:
                    self.returning = self._return_of_others(change.keeper)
            case _:  # it opens and closes no question
                pass

    def _return_of_others(self, seat: Seat) -> tuple[told.ReturnAsked, ...]:
        return tuple(asked for asked in self.returning if asked.seat != seat)

    def describe(self, view: SeatView) -> list[str]:
        lines = [players.describe_own_absence()] if is_away(view) else []
        if self.offer is not None:
            lines += notices.describe_offer(self.offer, view)
        if self.wished is not None:
            lines.append(notices.describe_wish(self.wished, view))
        if self.stalled:
            lines.append(notices.describe_stall(self.stalled, view))
        if self.stop is not None:
            lines.append(notices.describe_stop(self.stop, view))
        return [*lines, *(notices.describe_return(asked, view) for asked in self.returning)]

    def read_letter(self, line: str) -> str:
        """Return the command that a letter means during an offer, or an empty string."""
        if self.offer is None:
            return ""
        if BOT_PLAYS.is_typed(line):
            return BOT_WORD
        return WAIT_WORD if WAITS.is_typed(line) else ""

    def do_command(self, line: str, view: SeatView, control: Control) -> list[str] | None:
        """Run a command and return the reply, or None if it is no such command."""
        word, _space, rest = " ".join(ascii_digits(line).split()).partition(" ")
        word = in_english(word, COMMANDS)
        if word not in WORDS or (rest and word != ACCEPT_WORD):
            return None
        if word == ACCEPT_WORD:
            return self._accept(rest, view, control)
        if word == BACK_WORD:
            return _come_back(view, control)
        if word == ADJOURN_WORD:
            control(StopToday(wanted=True))
            return []
        return self._answer_offer(word, view, control)

    def _answer_offer(self, word: str, view: SeatView, control: Control) -> list[str]:
        offer, does_wait = self.offer, word == WAIT_WORD
        if does_wait:
            control(StopToday(wanted=False))
        if offer is None:
            is_told = does_wait and self.stop is not None
            return [] if is_told else [_("There is nobody for whom a bot could play now.")]
        if not offer.yours:
            return [_("The others decide about that without you.")]
        if not does_wait and not offer.can_go_on:
            return [notices.describe_too_few()]
        control(GoOn(bot=not does_wait))
        return [notices.describe_waiting(offer.seats, view)] if does_wait else []

    def _accept(self, rest: str, view: SeatView, control: Control) -> list[str]:
        seat = find_seat(rest, [player.name for player in view.players])
        if seat is None and not rest and len(self.returning) == 1:
            seat = self.returning[0].seat
        if seat not in [asked.seat for asked in self.returning]:
            return [_("Nobody of that name asks to come back.")]
        assert seat is not None  # it is among those that ask
        control(LetBack(seat))
        self.returning = self._return_of_others(seat)
        return []


def is_away(view: SeatView) -> bool:
    """Return whether others keep the reader's seat, whose monster lives."""
    if view.seat == WATCHER:
        return False
    keeper, monster = view.players[view.seat].keeper, view.game.state.monsters[view.seat]
    return monster.alive and view.keepers.get(view.seat, keeper) != keeper


def _come_back(view: SeatView, control: Control) -> list[str]:
    if not is_away(view):
        return [explain_word("undo")]
    control(ComeBack())
    return []


def wish_for_bot(notice: told.Notice, seat: Seat, control: Control) -> None:
    """Agree for a seat that a bot answers for: the persons decide, and no bot holds them up."""
    match notice:
        case told.Offer(yours=True, can_go_on=True, seats=seats) if seat not in seats:
            control(GoOn(bot=True))
        case told.StopWanted(seat=other, wanted=wanted) if other != seat:
            control(StopToday(wanted))
        case _:  # it asks for no wish
            pass


# -- the feed ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ToldNotice:
    lines: list[str] = field(default_factory=list)
    hints: list[str] = field(default_factory=list)
    """Lines that help the reader now, and need not be kept."""


@dataclass(frozen=True, slots=True)
class Audience:
    """The reader, as far as it matters for what is worth saying."""

    solo: bool = False
    """Whether no one else can come, so that the lobby and the table phrase are left out."""
    can_type: bool = True
    """Whether the reader sits at a terminal, and may type commands in the lobby."""
    starts_game: bool = False
    """Whether the reader begins the game by a command, not the last seat that is taken."""
    answers: bool = True
    """Whether the reader answers the questions; otherwise a bot does."""
    wanted_monster: str | None = None
    refused_name: str | None = None
    """The login name of a reader who has chosen no name and cannot be called that."""
    interfaces: Mapping[str, str] = field(default_factory=dict)
    """The interface of each address of this machine, so that a host can tell them apart."""
    lesson: RuleSet | None = None
    """The rules that the reader is about to learn, from a page and from a coach."""
    is_easy: bool = False
    """Whether the bots are easy, as in a first game."""
    is_new_guest: bool = False
    """Whether the reader's first game is at another table: the page is shown in its lobby."""
    options: Options = field(default_factory=Options)
    appearance: tuple[str, ...] = ()
    """The settings of what the reader sees, one a line."""


class NoticeFeed:
    def __init__(self, audience: Audience) -> None:
        self.audience = audience
        self.desk = queries.TableQueries()
        self.lobby: told.LobbyChanged | None = None
        self.opened: told.TableOpened | None = None
        """How others join, if this process hosts the table."""
        self.code: told.TableCode | None = None
        self.tally = wing().make_tally()
        self.since = SinceTurn()
        self.matters = OpenMatters()
        self.changes: list[ChangedHands] = []
        """The changes of who plays since this game began."""
        self.waits_for_game = False
        """Whether the reader watches a table at which no game has begun."""
        self._is_rematch = False
        self._story: Story | None = None

    @property
    def view(self) -> SeatView | None:
        return self.desk.view

    @property
    def rules(self) -> RuleSet | None:
        if self.view is not None:
            return self.view.game.setup.rules
        return None if self.lobby is None else RULE_SETS.get(self.lobby.rules)

    @property
    def options(self) -> Options:
        if self.view is not None:
            return self.view.game.setup.options
        return self.audience.options if self.lobby is None else self.lobby.options.options

    @property
    def in_lobby(self) -> bool:
        return self.lobby is not None and self.view is None

    def describe_deeds(self) -> list[str]:
        if self.view is None:
            return []
        return [*self.describe_changes(), *self.tally.describe(view_for_all(self.view))]

    def describe_changes(self) -> list[str]:
        """Tell of the keepers of seats, the players that have left, and the refused rolls."""
        if self.view is None:
            return []
        return players.describe_seat_history(self.view.players, self.changes)

    def describe_result(self, ending: Ending) -> str:
        """Describe the result for the reader; for several, or a bot's seat, only the winners."""
        view = self.view
        if not self.audience.answers or (view is not None and share_screen(view)):
            return endings.winners_line(ending)
        ranks = [] if view is None else self.tally.rank_seats(view)
        places = {seat: place for place, seat in ranks}
        return endings.describe_result(ending, None if view is None else places.get(view.seat))

    def tell_notice(self, notice: told.Notice) -> ToldNotice:
        self.tally.count_notice(notice)
        self._note_since(notice)
        match notice:
            case told.TableCode() | told.AskingByCode():
                return self._tell_code(notice)
            case told.Said():
                return ToldNotice(tell_all([notices.describe_chat(notice)], LineKind.CHAT))
            case told.Flooded():
                return ToldNotice(tell_all([notices.describe_flood(notice)], LineKind.INCIDENT))
            case told.Reopened():
                return ToldNotice(hints=notices.describe_new_address(notice))
            case told.GameStarted(view=view, resumed=resumed):
                self.desk.view = view_for_all(view)
                who = self.desk.answer_query("who") or []
                self.desk.view = view
                self._story = Story(notice.state, asked=self.audience.answers)
                self.matters = OpenMatters()
                if resumed:
                    return ToldNotice([*notices.describe_resumption(view), *who])
                self.changes = []
                return ToldNotice([*notices.describe_start(view, alone=self.audience.solo), *who])
            case told.Happened(events=events, view=view):
                self.desk.view = view
                return self._tell_events(events, view)
            case told.PastLog() | told.Waiting() | told.OwnClock():
                return ToldNotice()  # `tell_past` and `Reminders` show them
            case told.GameFinished(view=view):
                self.desk.view = view
                alone = names.is_alone(view)
                return ToldNotice([] if alone else [notices.describe_signed_end(notice)])
            case _:  # a notice of one of the groups
                return self._tell_group(notice)

    def _tell_group(
        self, notice: told.LobbyNotice | told.WatchNotice | told.AbsenceNotice | told.IncidentNotice
    ) -> ToldNotice:
        if isinstance(notice, told.LobbyNotice):
            return self._tell_lobby(notice)
        if isinstance(notice, told.WatchNotice):
            if isinstance(notice, told.WatchAdmitted):
                self.waits_for_game = not notice.has_begun
            return ToldNotice(hints=notices.describe_watching(notice))
        if isinstance(notice, told.AbsenceNotice):
            return ToldNotice(tell_all(self._tell_absence(notice), LineKind.INCIDENT))
        assert self.view is not None  # an incident comes after GameStarted
        kind = LineKind.CARD if isinstance(notice, told.TopRevealed) else LineKind.INCIDENT
        return ToldNotice(tell_all(self._tell_incident(notice, self.view), kind))

    def _tell_events(self, events: Sequence[Event], view: SeatView) -> ToldNotice:
        lines: list[str] = []
        if self._story is not None:
            lines = self._story.describe_events(events, view_for_all(view))
        if share_screen(view):
            return ToldNotice(lines)  # a fall would be one reader's alone
        return ToldNotice(lines, self._tell_witness(events, view))

    def _note_since(self, notice: told.Notice) -> None:
        if isinstance(notice, told.Happened) and share_screen(notice.view):
            notice = replace(notice, view=view_for_all(notice.view))
        self.since.note_notice(notice)

    def tell_past(self, notice: told.GameStarted | told.Happened) -> list[str]:
        self.tally.count_notice(notice)
        self._note_since(notice)
        if isinstance(notice, told.GameStarted):
            self._story = Story(notice.state, asked=self.audience.answers)
            return []
        assert self._story is not None  # GameStarted comes first
        return self._story.describe_events(notice.events, view_for_all(notice.view))

    def _tell_lobby(self, notice: told.LobbyNotice) -> ToldNotice:
        match notice:
            case told.TableOpened():
                self.opened = notice
                return self._tell_access(notice)
            case told.TableAnnounced():
                return ToldNotice(hints=lobby.describe_announcement(notice))
            case told.LobbyChanged():
                return ToldNotice() if self.audience.solo else self._tell_seats(notice)
            case told.LobbyRefused():
                return ToldNotice([describe_fault(notice)])
            case told.KeyChanged():
                return ToldNotice([lobby.describe_key_change(notice)])
            case told.KeyAccepted():
                return ToldNotice([lobby.describe_accepted_key(notice)])
            case (
                told.StartFailed()
                | told.StartDeclined()
                | told.StartInDoubt()
                | told.HostLinkChanged()
            ):
                return ToldNotice([lobby.describe_start_trouble(notice)])
            case told.StartSigned(charter=charter):
                lines = describe_signed_start(charter) + lobby.describe_strangers(notice)
                return ToldNotice([] if self.audience.solo else lines)
            case told.GuestIdentity():
                return ToldNotice(hints=[notices.describe_guest_identity(notice)])
            case told.NameChanged():
                return ToldNotice(hints=[notices.describe_new_name(notice)])
            case told.RematchNews():
                self.lobby = None  # the next one is another table's
                self._is_rematch = True
                return ToldNotice(lobby.describe_rematch(notice))
            case _:
                assert_never(notice)

    def _tell_code(self, notice: told.CodeNotice) -> ToldNotice:
        """Return a notice about a code: a working one and a fault as lines, else a hint."""
        if isinstance(notice, told.AskingByCode):
            return ToldNotice(hints=[describe_asking(notice)])
        self.code = notice
        lines = describe_code(notice)
        match notice.step:
            case told.CodeStep.OPEN:
                return ToldNotice([code_command(notice.code)], lines)
            case _ if notice.leads_here:
                return ToldNotice([*lines, code_command(notice.code)])
            case _:  # the others say what is wrong
                return ToldNotice(lines)

    def _tell_access(self, opened: told.TableOpened) -> ToldNotice:
        names = self.audience.interfaces
        if self._is_rematch:
            return ToldNotice(hints=how_to_join.describe_rematch_access(opened, names))
        return ToldNotice(
            how_to_join.join_commands(opened, names), how_to_join.describe_access(opened, names)
        )

    def _tell_seats(self, new: told.LobbyChanged) -> ToldNotice:
        old, self.lobby = self.lobby, new
        if old is not None:
            lines = lobby.describe_changes(old, new)
            full = None in old.seats and None not in new.seats
            return ToldNotice(
                lines,
                [_("Type start to begin the game.")] if full and self.audience.starts_game else [],
            )
        hints = lobby.describe_refused_name(new, self.audience.refused_name)
        hints += lobby.describe_taken_monster(new, self.audience.wanted_monster)
        hints += lobby.describe_host_key(new)
        hints += (
            lobby.describe_first_commands(new)
            if self.audience.can_type
            else lobby.describe_automatic_start(new)
        )
        return ToldNotice(lobby.describe_lobby(new), hints)

    def _tell_incident(self, notice: told.IncidentNotice, view: SeatView) -> list[str]:
        match notice:
            case told.TopRevealed() if share_screen(view):
                return []  # the person who has looked at it is shown it with their next question
            case told.TopRevealed():
                return [notices.describe_revealed_card(notice, view)]
            case told.Missing():
                return [notices.describe_missing(notice, view)]
            case told.LinkChanged():
                return notices.describe_link_change(notice, view)
            case told.Cheated(seat=seat, kind=kind):
                return [players.describe_cheat(kind, names.player_name(view, seat))]
            case told.EvidenceKept():
                return [notices.describe_evidence(notice, view)]
            case told.Detour():
                return [notices.describe_detour(notice, view)]
            case told.Unsteady():
                return [notices.describe_unsteadiness(notice, view)]
            case told.Diverged():
                return [notices.describe_divergence(notice, view)]
            case told.ProgramFault():
                return [notices.describe_own_fault(notice)]
            case _:
                assert_never(notice)

    def _tell_absence(self, notice: told.AbsenceNotice) -> list[str]:
        self.matters.note_notice(notice)
        if isinstance(notice, told.LineUpBegun):
            self.desk.view = notice.view
            self.changes += notice.changes
            if notice.undone_from is not None:
                self._story = Story(notice.undone_from, asked=self.audience.answers)
        assert self.view is not None  # all of these come after GameStarted
        return notices.describe_absence(notice, self.view)

    def _tell_witness(self, events: Sequence[Event], view: SeatView) -> list[str]:
        """Say why to stay, when the reader's monster falls."""
        falls = any(isinstance(event, Eliminated) and event.seat == view.seat for event in events)
        is_over = any(isinstance(event, GameEnded) for event in events)
        found = notices.describe_witness(view) if falls and not is_over else ""
        return [found] if found else []


# -- people --------------------------------------------------------------------------------
#
# The people are the seats that one keeper has and no bot plays. Lines for all of them use names; a
# question is for one.


def people_here(view: SeatView) -> tuple[Seat, ...]:
    if view.seat == WATCHER:
        return ()
    keeper = view.players[view.seat].keeper
    return tuple(
        seat
        for seat, player in enumerate(view.players)
        if player.keeper == keeper and not player.automatic
    )


def share_screen(view: SeatView) -> bool:
    return len(people_here(view)) > 1


def view_for_all(view: SeatView) -> SeatView:
    """Return the view that the people at one machine share, without what only one may know."""
    return replace(view, seat=WATCHER, top=None) if share_screen(view) else view


def hides_answer(events: Sequence[Event], view: SeatView) -> bool:
    """Return whether the events would show one person here the answer of another about Tokyo."""
    pending, people = view.game.pending, people_here(view)
    return (
        isinstance(pending, YieldDecision)
        and pending.seat in people
        and any(isinstance(event, YieldAnswered) and event.seat in people for event in events)
    )


@dataclass(slots=True)
class Turns:
    asked: Seat | None = None
    seen_card: Item | None = None
    """The top card of the deck that the person asked last has seen."""
    _orders: dict[Seat, Orders] = field(default_factory=dict)
    _first_orders: Orders = field(default_factory=Orders)
    """The orders of the settings, with which each person begins."""

    def pass_to(self, seat: Seat, standing: OrderKeeper) -> bool:
        if seat == self.asked:
            return False
        if self.asked is None:
            self._first_orders = standing.orders
        else:
            self._orders[self.asked] = standing.orders
            standing.orders = self._orders.get(seat, self._first_orders)
        self.asked, self.seen_card = seat, None
        return True
