"""Whether the players of a lobby are those who are known under their names.

Scope: what host and guest ask of the known keys (`kotp2p.lobby.known_keys`) while a lobby is open.
A start has to wait until every key that has changed is accepted by a person, or the player is
turned away where nobody can be asked. A person accepts a key that they could see. A key that has
come under the same name a moment before the answer is not meant.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from kotp2p.lobby.agreement import LOBBY_SEEN_SECONDS
from kotp2p.lobby.known_keys import KnownKeys, NewKeyPolicy
from kotp2p.lobby.seating import LobbyGuest, Seating
from kotp2p.seams.budgets import NOTICES_AT_ONCE, NOTICES_PER_SECOND, Allowance
from kotp2p.seams.notices import KeyAccepted, KeyChanged, LobbyFault, LobbyRefused, Notice
from kotp2p.wire.frames import TakenSeat
from kotp2p.wire.names import find_seat

MAX_QUESTIONS_KEPT = 64
"""Keys of which it is known that the player was told. One more, and the oldest is forgotten."""


@dataclass(slots=True)
class KeyQuestions:
    """What the player is told of keys that have changed: each one once, and at a pace.

    Keys cost nothing, so somebody can come under a known name with another key each time.
    """

    _pace: Allowance = field(default_factory=lambda: Allowance(NOTICES_AT_ONCE, NOTICES_PER_SECOND))
    _told: dict[KeyChanged, None] = field(default_factory=dict)
    """The oldest first."""
    _next: float = math.inf
    """When one more may be told, if one waits."""

    @property
    def due(self) -> float:
        return self._next

    def choose(self, changes: Iterable[KeyChanged], now: float) -> list[KeyChanged]:
        """Those of all present changes that are told now. The others wait."""
        chosen = []
        self._next = math.inf
        for change in changes:
            if change in self._told:
                continue
            if not self._pace.has(1, now):
                self._next = self._pace.next_time(1, now)
                break
            chosen += self.ask_now(change, now)
        return chosen

    def ask_now(self, change: KeyChanged, now: float) -> list[KeyChanged]:
        """The change if the player was not told it before: now they are, whatever the pace says."""
        if change in self._told:
            return []
        self._pace.charge(1, now)
        self._told[change] = None
        if len(self._told) > MAX_QUESTIONS_KEPT:
            del self._told[next(iter(self._told))]
        return [change]


@dataclass(slots=True)
class HostKeyCheck:
    """The host's side: every guest that sits down is compared."""

    known_keys: KnownKeys
    seating: Seating
    own_key: bytes
    questions: KeyQuestions = field(default_factory=KeyQuestions)

    @property
    def refuses_new_keys(self) -> bool:
        return self.known_keys.policy is NewKeyPolicy.REFUSE

    def changed_key(self, guest: LobbyGuest) -> KeyChanged | None:
        """Says so if the guest's name is known under another key, not accepted yet."""
        if not guest.has_link:
            return None
        known = self.known_keys.known_other_key(guest.name, guest.key)
        if known is None:
            return None
        return KeyChanged(guest.name, known, guest.key, self.refuses_new_keys)

    def refuses_name(self, guest: LobbyGuest, name: str) -> bool:
        """Whether nobody is here to be asked whether the guest may be called so."""
        known = self.known_keys.known_other_key(name, guest.key)
        return self.refuses_new_keys and known is not None and guest.has_link

    def first_changed(self) -> LobbyGuest | None:
        """A seated guest because of whom no start can be tried."""
        return next(
            (g for g in self.seating.seated_guests() if self.changed_key(g) is not None), None
        )

    def choose_questions(self, now: float) -> list[KeyChanged]:
        """Of the seated players, what the host is told now."""
        changes = (self.changed_key(guest) for guest in self.seating.seated_guests())
        return self.questions.choose((c for c in changes if c is not None), now)

    def accept_player(self, wanted: str, now: float) -> list[Notice]:
        """Accepts the key of the player of this name or seat number, and says so. A key that the
        host was not told of is told, and not accepted."""
        guest = self.seating.find_player(wanted)
        if guest is None:
            return [LobbyRefused(LobbyFault.NO_SUCH_NAME, wanted)]
        change = self.changed_key(guest)
        untold = [] if change is None else self.questions.ask_now(change, now)
        if untold or now < guest.sat_at + LOBBY_SEEN_SECONDS:
            return [*untold, LobbyRefused(LobbyFault.JUST_SEATED, guest.name)]
        self.known_keys.accept_key(guest.name, guest.key)
        return [KeyAccepted(guest.name, guest.key)]

    def unaccepted_among(self, guests: Iterable[LobbyGuest]) -> list[tuple[str, str]]:
        """(name of a guest, name of a player whose key that guest has not accepted)."""
        return [
            (guest.name, other.name)
            for guest in guests
            for other in self.seating.seated_guests()
            if other.key in guest.unaccepted - {guest.key} and self.seating.is_seated(guest.link)
        ]


@dataclass(slots=True)
class GuestKeyCheck:
    """A guest's side: the others are known from the host's lists only."""

    known_keys: KnownKeys
    own_key: bytes
    seats: tuple[TakenSeat | None, ...] = ()
    """The lobby as the host has told it last."""
    _since: dict[tuple[int, TakenSeat], float] = field(default_factory=dict)
    """Since when each seat has been as it is."""
    questions: KeyQuestions = field(default_factory=KeyQuestions)

    @property
    def refuses_new_keys(self) -> bool:
        return self.known_keys.policy is NewKeyPolicy.REFUSE

    def see_seats(self, seats: tuple[TakenSeat | None, ...], now: float) -> None:
        taken = [(n, seat) for n, seat in enumerate(seats) if seat is not None]
        self._since = {row: self._since.get(row, now) for row in taken}
        self.seats = seats

    def people_seated(self) -> list[tuple[str, bytes]]:
        """Name and key of each player in the lobby that has a key."""
        return [
            (seat.name, seat.key) for seat in self.seats if seat is not None and not seat.is_kept
        ]

    def changed_keys(self, people: Iterable[tuple[str, bytes]]) -> list[KeyChanged]:
        """Those of `people` whose names are known under other keys, not accepted yet."""
        found = []
        for name, key in people:
            known = self.known_keys.known_other_key(name, key)
            if known is not None and key != self.own_key:
                found.append(KeyChanged(name, known, key, self.refuses_new_keys))
        return found

    def accept_player(self, wanted: str, now: float) -> list[Notice]:
        """Like that of a host."""
        found = find_seat(wanted, [None if seat is None else seat.name for seat in self.seats])
        seat = None if found is None else self.seats[found]
        if found is None or seat is None:
            return [LobbyRefused(LobbyFault.NO_SUCH_NAME, wanted)]
        changes = () if seat.is_kept else self.changed_keys([(seat.name, seat.key)])
        untold = [one for change in changes for one in self.questions.ask_now(change, now)]
        if untold or now < self._since[found, seat] + LOBBY_SEEN_SECONDS:
            return [*untold, LobbyRefused(LobbyFault.JUST_SEATED, seat.name)]
        if not seat.is_kept:
            self.known_keys.accept_key(seat.name, seat.key)
        return [KeyAccepted(seat.name, seat.key)]
