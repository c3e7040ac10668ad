"""Stopping for today: the keepers that are present sign where the game stands (PROTOCOL.md 9.5).

Scope: breaks, and the signatures under them.
Not here: what players want (`intents`), and when the game closes (`closing`).

How it works: a player may tell some that they want to stop, and others that they do not. So a break
counts only with the signatures of all keepers that it holds present, and a seat tells all that it
knows of their wishes with its own signature. A peer that knows a newer wish answers with it, and
the seat takes its part back. A keeper that wishes to stop and does not sign is left out after a
while, so that it holds up nobody.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from kotp2p.game.breaks import check_break_seats, find_missed_seats, is_break_here
from kotp2p.game.ledger import Ledger
from kotp2p.game.refusals import Forged
from kotp2p.wire.closings import Break, pack_seals, unpack_seals
from kotp2p.wire.crypto import Signer, Tag
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.genesis import sealed_by_seat
from kotp2p.wire.votes import keepers_of, seats_kept_by
from kotp2p.wishes.intents import Intents
from referee.model.answers import Seat

BREAK_SEALS_SECONDS = 10.0
"""Seconds to wait for the signature of a keeper that has agreed, while nothing changes."""
BREAK_COUNTS_SECONDS = 20.0
"""For so long an own signature counts that was taken back or that the game has passed: others may
have ended by it."""
BREAK_PAUSE_SECONDS = 1.0
"""Pause between two times that this seat tells its break of one place: wishes may change without
end."""
MAX_BREAKS_OF_SEAT = 16
"""Signatures of one seat that are kept at a time. Copies may stand at different places, but a seat
may also sign without end. It takes up its own room only."""
MAX_OWN_BREAKS = 64
"""Breaks of this seat that are kept at a time. A game of bots passes many places in a second."""


@dataclass(slots=True)
class OwnBreak:
    """What this seat has promised with its signature under a break."""

    needed: frozenset[Seat]
    """The keepers that the break holds present."""
    counts_until: float


@dataclass(frozen=True, slots=True)
class AgreedBreak:
    """A break that all keepers have signed that it holds present."""

    stop: Break
    shown: Signed
    """The break with all signatures under it, for the others."""
    record: Signed
    """What ends the log: the same, or a break of the present place if the game has moved since."""


@dataclass(slots=True)
class Adjournment:
    ledger: Ledger
    intents: Intents
    seat: Seat
    signer: Signer
    signed_break: Break | None = None
    """The break of this place that this seat has signed; None if no adjourning is under way."""
    deadline: float = math.inf
    """When `sign_break` is due."""
    _wishes: Mapping[Seat, bytes] = field(default_factory=dict)
    """By keeper: the wish that was told with this seat's last signature."""
    _silent: set[Seat] = field(default_factory=set)
    """The keepers that have not signed here in time, though they wish to stop."""
    _silent_at: float = math.inf
    """When those that have not signed are silent."""
    _paused_until: float = 0.0
    _own: dict[Break, OwnBreak] = field(default_factory=dict)
    """What this seat has signed, the last one behind the others."""
    _seals: dict[Seat, dict[Break, bytes]] = field(default_factory=dict)
    """The signatures of each seat under breaks that count, or that the game has not passed."""

    # -- signing -------------------------------------------------------------------------

    def sign_break(self, now: float) -> list[Signed]:
        """Signs a break because all present agree, or anew because something has changed. Returns
        what is to be told over all links."""
        wishes = self.intents.find_adjourn_wishes()
        if self.seat not in wishes:
            self.take_back()
            return []
        last = self.signed_break
        if last is None or last.place != (*self.ledger.place, self.ledger.head):
            self._silent.clear()
        here = self._find_break()
        if here == last and wishes == self._wishes:
            self.deadline = self._silent_at
            if now < self.deadline:
                return []
            self._silent |= self._find_unsigned(here)
            here = self._find_break()
        elif now < self._paused_until and any(here.place == own.place for own in self._own):
            self.deadline = self._paused_until
            return []
        return self._tell_break(here, wishes, now)

    def take_back(self) -> None:
        """Not all that are present want to stop here any more, or the game is over."""
        self.signed_break, self.deadline = None, math.inf

    def _find_break(self) -> Break:
        """Where the game stands, without the keepers that are gone or silent."""
        ledger = self.ledger
        out = self.intents.absent_keepers() | self._silent
        absent = seats_kept_by(ledger.genesis.players, out, find_missed_seats(ledger))
        return Break(ledger.view, ledger.height, ledger.head, tuple(sorted(absent)))

    def _tell_break(self, here: Break, wishes: Mapping[Seat, bytes], now: float) -> list[Signed]:
        self.signed_break, self._wishes = here, wishes
        self.deadline = self._silent_at = now + BREAK_SEALS_SECONDS
        self._paused_until = now + BREAK_PAUSE_SECONDS
        self._own.pop(here, None)
        needed = frozenset(self.intents.present_keepers() - self._silent)
        self._own[here] = OwnBreak(needed, now + BREAK_COUNTS_SECONDS)
        for old in list(self._own)[:-MAX_OWN_BREAKS]:
            del self._own[old]
        seal = self._sign(here)
        mine = self._seals.get(self.seat, {})
        self._seals[self.seat] = {b: s for b, s in mine.items() if b in self._own} | {here: seal}
        return [*self.intents.newest_wishes(), self._pack(here, {self.seat: seal})]

    # -- the signatures of others --------------------------------------------------------

    def receive_seals(self, stop: Break, signed: Signed) -> list[Signed]:
        """Signatures of others. Returns the new ones, to be passed on. Raises BadBytes or
        Forged."""
        given = unpack_seals(signed.signature)
        check_break_seats(self.ledger, stop, given)
        new = []
        for seat, seal in given.items():
            if not self._has_room(seat, stop):
                continue
            if not sealed_by_seat(self.ledger.genesis.players, seat, signed.body, seal):
                raise Forged("a signature that is not its seat's")
            self._seals[seat][stop] = seal
            new.append(self._pack(stop, {seat: seal}))
        return new

    def _has_room(self, seat: Seat, stop: Break) -> bool:
        """Whether a signature of `seat` is new, and may be kept if it is right. Those under breaks
        that the game has passed make room, and one under a break of this very place is kept. So is
        one under a break that this seat has signed."""
        ledger, own = self.ledger, self._own
        kept = {
            b: s
            for b, s in self._seals.get(seat, {}).items()
            if b in own or b.place[:2] >= ledger.place
        }
        self._seals[seat] = kept
        if stop in kept:
            return False
        if stop in own:
            return True
        if stop.place[:2] < ledger.place:
            return False
        is_here = stop.place == (*ledger.place, ledger.head)
        return is_here or len(kept.keys() - own.keys()) < MAX_BREAKS_OF_SEAT

    def seals_for_new_link(self) -> Signed | None:
        """The signatures under the break that this seat has signed here."""
        stop = self.signed_break
        return None if stop is None else self._pack(stop, self._seals_under(stop))

    # -- the end -------------------------------------------------------------------------

    def find_agreed_break(self, now: float) -> AgreedBreak | None:
        """A break that this seat has signed, and with it all that the break holds present. For a
        seat that has no say: one of this place that all these have signed."""
        for stop, own in [*self._own.items()]:
            if stop != self.signed_break and now >= own.counts_until:
                del self._own[stop]
            elif not self._find_unsigned(stop):
                return self._agree(stop)
        return self._find_break_of_others()

    def _find_break_of_others(self) -> AgreedBreak | None:
        """A player who is out is not asked, and stops watching where the others stop."""
        if not self._seals:
            return None
        ledger, players = self.ledger, self.ledger.genesis.players
        live = self.intents.live_keepers()
        if players[self.seat].keeper in live:
            return None
        for stop in {stop for kept in self._seals.values() for stop in kept}:
            needed = live - keepers_of(players, stop.absent) - set(ledger.farewells)
            if needed and needed <= {*self._seals_under(stop)} and is_break_here(ledger, stop):
                shown = self._pack(stop, self._seals_under(stop))
                return AgreedBreak(stop, shown, shown)
        return None

    def _agree(self, stop: Break) -> AgreedBreak:
        """Others end by this break, whatever this copy has taken since."""
        ledger, shown = self.ledger, self._pack(stop, self._seals_under(stop))
        if is_break_here(ledger, stop):
            return AgreedBreak(stop, shown, shown)
        absent = tuple(sorted(find_missed_seats(ledger).intersection(stop.absent)))
        here = Break(ledger.view, ledger.height, ledger.head, absent)
        return AgreedBreak(stop, shown, self._pack(here, {self.seat: self._sign(here)}))

    def _find_unsigned(self, stop: Break) -> set[Seat]:
        """The keepers that have not signed a break of this seat, though it holds them present."""
        return set(self._own[stop].needed) - set(self.ledger.farewells) - {*self._seals_under(stop)}

    def _seals_under(self, stop: Break) -> dict[Seat, bytes]:
        return {seat: kept[stop] for seat, kept in self._seals.items() if stop in kept}

    def _sign(self, stop: Break) -> bytes:
        return self.signer.sign(Tag.CLOSE, stop.body(self.ledger.genesis.id))

    def _pack(self, stop: Break, seals: dict[Seat, bytes]) -> Signed:
        return Signed(BodyKind.CLOSE, stop.body(self.ledger.genesis.id), pack_seals(seals))
