"""The presence of the others, and what the game waits for, as a player is shown them."""

import math
from dataclasses import dataclass, field

from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Finished, asked_decision
from kotp2p.lineup.absence import Absence, Offered, Welcome
from kotp2p.lineup.attempts import Attempts
from kotp2p.lineup.plan import Facts
from kotp2p.mesh.gossip import Gossip
from kotp2p.mesh.reachability import Detours
from kotp2p.referee.model.answers import Seat
from kotp2p.seams import notices
from kotp2p.wire.lineups import Wish

STALL_SECONDS = 5.0
"""A change of line-up that takes longer is shown, with those that it waits for."""
LINKING_SECONDS = 5.0
"""Who has come back is told after this time of those with whom there is no link yet."""
ALONE_SECONDS = 120.0
"""Whom nobody has joined for so long after that is told what has probably happened."""


@dataclass(slots=True)
class Presence:
    ledger: Ledger
    gossip: Gossip
    facts: Facts
    attempts: Attempts
    absence: Absence
    welcome: Welcome
    seat: Seat
    is_resumed: bool
    gone: dict[Seat, float] = field(default_factory=dict)
    deadline: float = math.inf
    _detours: Detours = field(init=False)
    _quiet: frozenset[Seat] = frozenset()
    _waiting: notices.Waiting | None = None
    _offered: Offered = field(default_factory=Offered)
    _wishes: dict[Seat, Wish] = field(default_factory=dict)
    _stalled: tuple[Seat, ...] = ()
    _waited_for: tuple[Seat, ...] = ()
    _stalls_since: float = 0.0
    _missing: notices.Missing | None = None
    _missing_from: float = math.inf
    _told: int = 0

    def __post_init__(self) -> None:
        self._detours = Detours(self.gossip.reachability)

    def others(self) -> list[Seat]:
        return sorted(self.ledger.roster.members - {self.seat})

    def update(self, now: float) -> None:
        """Show who is gone or back, and who is reached through whom, until the game is over."""
        if isinstance(self.ledger.step, Finished):
            return
        others, reachability = self.others(), self.gossip.reachability
        gone = reachability.find_gone_seats(others, now)
        for keeper in sorted(gone.keys() - self.gone.keys()):
            if self._missing is None or keeper not in self._missing.seats:
                self.gossip.show(notices.Gone(keeper))
        for keeper in sorted(self.gone.keys() - gone.keys()):
            if keeper in others:
                self.gossip.show(notices.Returned(keeper))
        self.gone = self.absence.gone = gone
        self._report_quiet(now)
        for notice in self._detours.find_news([k for k in others if k not in gone], now):
            self.gossip.show(notice)
        self.deadline = min(reachability.next_deadline(now), self._detours.next_change(now))
        if self.is_resumed:
            self._report_missing(others, now)

    def _report_quiet(self, now: float) -> None:
        quiet = self.gossip.reachability.find_quiet_links(now)
        if not quiet and not self._quiet:
            return
        for seat in sorted(quiet.keys() - self._quiet):
            self.gossip.show(notices.Quiet(seat, quiet[seat]))
        for seat in sorted(self._quiet - quiet.keys()):
            self.gossip.show(notices.Quiet(seat, 0))
        self._quiet = frozenset(quiet)

    def _report_missing(self, others: list[Seat], now: float) -> None:
        there = self.gossip.reachability.reachable_seats()
        missing = tuple(k for k in others if k not in there)
        self._missing_from = min(self._missing_from, now + LINKING_SECONDS)
        alone_from = self._missing_from + (
            ALONE_SECONDS if len(missing) == len(others) else math.inf
        )
        found = notices.Missing(missing, is_alone=now >= alone_from)
        if missing and now < self._missing_from:
            self.deadline = min(self.deadline, self._missing_from)
        elif found != self._missing:
            self.gossip.show(found)
            self._missing = found
        if now < alone_from:
            self.deadline = min(self.deadline, alone_from)
        self.is_resumed = bool(missing)

    def report_waiting(self) -> None:
        ledger = self.ledger
        seats = tuple(s for s in ledger.owing_seats() if s != self.seat)
        waiting = notices.Waiting(seats, asked_decision(ledger.step, ledger.game))
        if seats and waiting != self._waiting:
            self.gossip.show(waiting)
        self._waiting = waiting

    # -- a change of who plays ---------------------------------------------------------------

    def has_news(self) -> bool:
        return self.absence.offered != self._offered or self.facts.revision != self._told

    def report_changes(self, now: float) -> None:
        self._told = self.facts.revision
        self._report_offer()
        self._report_wishes()
        self._report_stall(now)
        for keeper, why in self.welcome.judge(now):
            if keeper != self.seat:
                self.gossip.show(notices.ReturnAsked(keeper, why))

    def _report_offer(self) -> None:
        offered, shown = self.absence.offered, self._offered
        if offered == shown:
            return
        self._offered = offered
        if offered.seats:
            is_member = self.seat in self.ledger.roster.members
            self.gossip.show(notices.Offer(offered.seats, offered.can_go_on, is_member))
        else:
            self.gossip.show(notices.OfferEnded(shown.seats))

    def _report_wishes(self) -> None:
        for keeper, wish in self.facts.wishes.items():
            known = self._wishes.get(keeper)
            if known is wish:
                continue
            self._wishes[keeper] = wish
            before = known.without if known is not None else ()
            # a wish that has come true ends by itself
            is_over = not wish.without and self.ledger.roster.members.isdisjoint(before)
            if (wish.without != before and not is_over) or self._rather_waits(wish, known):
                missing = self.absence.missing_for(wish.without)
                self.gossip.show(notices.Wished(keeper, wish.without, missing))
            if wish.stops != (known is not None and known.stops):
                missing = self.absence.missing_to_stop(frozenset(self.gone))
                self.gossip.show(notices.StopWanted(keeper, wish.stops, missing))

    def _rather_waits(self, wish: Wish, known: Wish | None) -> bool:
        """Return whether another player, who wishes nobody away, has said so once more."""
        said = (known.without, known.refused, known.flags) if known is not None else ((), (), 0)
        is_asked = wish.seat != self.seat and (self.absence.offered.seats or self.gone)
        return bool(is_asked) and said == ((), wish.refused, wish.flags) and not wish.without

    def _report_stall(self, now: float) -> None:
        waited = self.attempts.waited_for()
        if not waited and self.attempts.stands_still():
            return  # the keepers meet in the next attempt
        if waited != self._waited_for:
            self._waited_for, self._stalls_since = waited, now
        is_due = not waited or now >= self._stalls_since + STALL_SECONDS
        if is_due and waited != self._stalled:
            self._stalled = waited
            self.gossip.show(notices.ChangeStalls(waited))

    def has_stopped(self) -> bool:
        """Return whether all members that are there want to stop for today."""
        own = self.facts.wishes.get(self.seat)
        wants = own is not None and own.stops
        return wants and not self.absence.missing_to_stop(frozenset(self.gone))
