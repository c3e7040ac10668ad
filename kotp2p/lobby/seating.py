"""The guests in a host's lobby, and their seats.

Scope: guests by link, seats, and the questions about them.
Not here: the right to sit down, and what anybody is told (`kotp2p.lobby.host`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from kotp2p.bots.tempers import BOTS
from kotp2p.lobby.effects import HOST_ITSELF, LinkNumber
from kotp2p.lobby.monsters import free_monster
from kotp2p.seams.budgets import Allowance, pace_of_wishes
from kotp2p.wire.chat import RateLimit, new_chat_limit
from kotp2p.wire.frames import FRESH_BYTES, NO_MARK, RefusalCode, Sit, TakenSeat
from kotp2p.wire.names import find_seat, free_name


@dataclass(slots=True)
class LobbyGuest:
    """The owner of a link; the host itself is one, too, and so are a bot of the host and a further
    person at its machine."""

    link: LinkNumber
    key: bytes
    """Empty for a bot and for a further person at the host's machine: the host signs for them."""
    address: str
    """Where its link was seen from; empty for the host's own machine."""
    name: str = ""
    monster: str = ""
    port: int = 0
    one_game: bool = False
    automatic: bool = False
    """A bot answers in its place."""
    fresh: bytes = bytes(FRESH_BYTES)
    """As in its SIT."""
    has_asked: bool = False
    """It has asked for its seat on this link."""
    heard_at: float = math.inf
    arrived_at: float = math.inf
    away_until: float | None = None
    """Its link is lost, and its seat is kept until then."""
    sat_at: float = -math.inf
    """When it sat down under its name."""
    unaccepted: frozenset[bytes] = frozenset()
    """Keys of others that this guest has not accepted, as it says."""
    mark: bytes = NO_MARK
    """What it has signed because its player is ready. It counts only for the lobby that it was
    signed for."""
    chat_rate: RateLimit = field(default_factory=new_chat_limit)
    wish_pace: Allowance = field(default_factory=pace_of_wishes)
    """How often it may change name, monster and mark."""

    @property
    def is_host(self) -> bool:
        return self.link == HOST_ITSELF

    @property
    def is_kept(self) -> bool:
        """Whether the process of the host keeps its seat: a bot, or a further person there."""
        return self.link < HOST_ITSELF

    @property
    def is_away(self) -> bool:
        return self.away_until is not None

    @property
    def has_link(self) -> bool:
        return self.link > HOST_ITSELF and not self.is_away

    def as_seat(self, place_of_host: int) -> TakenSeat:
        """`place_of_host`: the keeper of bots, and of further people at the host's machine."""
        if self.is_kept:
            return TakenSeat(place_of_host, self.name, self.monster, automatic=self.automatic)
        return TakenSeat(
            self.key, self.name, self.monster, self.is_host, self.automatic, self.one_game,
            self.fresh,
        )  # fmt: skip

    def note_sit(self, sit: Sit) -> None:
        """What it says of itself, beside its wishes."""
        self.port, self.one_game, self.fresh = sit.port, sit.one_game, sit.fresh
        self.automatic = sit.automatic


@dataclass(slots=True)
class Seating:
    seats: list[LinkNumber | None]
    """The link of each seat's owner; None: the seat is free."""
    kept_for: tuple[bytes, ...] = ()
    """A rematch: the key that each seat is kept for, empty for a bot of the host. Nobody else sits
    down there, until the host opens the seats. Empty: all seats are open."""
    guests: dict[LinkNumber, LobbyGuest] = field(default_factory=dict)
    """All that are linked, those without a seat too, in the order in which they came, and those
    whom the host's process keeps."""
    _bots: int = 0
    """So many bots have sat down here so far."""
    _kept: int = 0
    """So many bots and further people at the host's machine have."""

    @property
    def free_seats(self) -> int:
        return self.seats.count(None)

    def is_seated(self, link: LinkNumber) -> bool:
        return link in self.seats

    def seated_guests(self) -> list[LobbyGuest]:
        """The seated players in seat order."""
        return [self.guests[link] for link in self.seats if link is not None]

    def present_players(self) -> list[LobbyGuest]:
        """The seated players whose link stands, in seat order."""
        return [guest for guest in self.seated_guests() if not guest.is_away]

    def away_players(self) -> list[LobbyGuest]:
        """The seated players whose link is lost."""
        return [guest for guest in self.seated_guests() if guest.is_away]

    def unseated_links(self) -> list[LinkNumber]:
        """Links whose owners have no seat, the oldest first."""
        return [link for link in self.guests if not self.is_seated(link)]

    def guest_links(self) -> list[LinkNumber]:
        """All links; the host has none to itself, nor to its bots."""
        return [link for link, guest in self.guests.items() if guest.has_link]

    def seated_links(self) -> list[LinkNumber]:
        """The links of seated guests."""
        return [guest.link for guest in self.seated_guests() if guest.has_link]

    def find_player(self, wanted: str) -> LobbyGuest | None:
        """The seated player of this name, in any spelling that looks alike, or on the seat of this
        number, from 1."""
        guests = [None if link is None else self.guests[link] for link in self.seats]
        seat = find_seat(wanted, [None if guest is None else guest.name for guest in guests])
        return None if seat is None else guests[seat]

    def find_key(self, key: bytes) -> LobbyGuest | None:
        """The guest of this key, seated or not."""
        return next((g for g in self.guests.values() if g.key == key and not g.is_host), None)

    def add_guest(self, guest: LobbyGuest) -> None:
        self.guests[guest.link] = guest

    def open_seats(self) -> None:
        """From now on anybody may sit on a seat that was kept."""
        self.kept_for = ()

    def refuse_seat(self, key: bytes) -> RefusalCode | None:
        """Why the owner of `key` cannot sit down; None if a seat is free for them."""
        if self.free_seats == 0:
            return RefusalCode.FULL
        return RefusalCode.KEPT if self._seat_for(key) is None else None

    def sit_down(self, guest: LobbyGuest) -> None:
        """On the best seat that is free for this player; there must be one."""
        seat = self._seat_for(guest.key)
        assert seat is not None
        self.seats[seat] = guest.link

    def add_bot(self) -> None:
        """A bot of the host sits down; a seat must be free. It is called like no other player, and
        has the first free monster."""
        wanted = list(BOTS)[self._bots % len(BOTS)]
        self._bots += 1
        self._keep_guest(wanted).automatic = True

    def add_person(self, name: str) -> None:
        """A further person at the host's machine sits down; a seat must be free."""
        self._keep_guest(name)

    def _keep_guest(self, wanted: str) -> LobbyGuest:
        names = [guest.name for guest in self.seated_guests()]
        monsters = [guest.monster for guest in self.seated_guests()]
        self._kept += 1
        kept = LobbyGuest(
            -self._kept, b"", "", free_name(wanted, names), free_monster("", monsters)
        )
        self.guests[kept.link] = kept
        self.sit_down(kept)
        return kept

    def _seat_for(self, key: bytes) -> int | None:
        """The seat kept for `key`, or any that is free if none is kept. A bot, which has no key,
        sits where bots were, and elsewhere if the host asks for more of them: so it gives a kept
        seat away."""
        free = [seat for seat, link in enumerate(self.seats) if link is None]
        if not self.kept_for:
            return free[0] if free else None
        kept = [seat for seat in free if self.kept_for[seat] == key]
        return next(iter(kept or (() if key else free)), None)

    def change_link(self, guest: LobbyGuest, link: LinkNumber, address: str, now: float) -> None:
        """The guest has come again by a newer link, which takes over the seat of the older one."""
        del self.guests[guest.link]
        self.seats = [link if taken == guest.link else taken for taken in self.seats]
        guest.link, guest.address, guest.heard_at = link, address, now
        guest.unaccepted, guest.has_asked, guest.away_until = frozenset(), False, None
        self.guests[link] = guest

    def swap_seats(self, guest: LobbyGuest, seat: int) -> None:
        """The guest and the present owner of `seat` change places; the seat may be free."""
        here = self.seats.index(guest.link)
        self.seats[here], self.seats[seat] = self.seats[seat], self.seats[here]

    def vacate_seat(self, link: LinkNumber) -> None:
        """A bot is gone with its seat."""
        if link < HOST_ITSELF:
            self.guests.pop(link, None)
        self.seats = [None if taken == link else taken for taken in self.seats]

    def as_seats(self) -> tuple[TakenSeat | None, ...]:
        host = self.seats.index(HOST_ITSELF)
        return tuple(
            None if link is None else self.guests[link].as_seat(host) for link in self.seats
        )

    def place_of(self, guest: LobbyGuest) -> TakenSeat:
        """A seated player as LOBBY has it."""
        return guest.as_seat(self.seats.index(HOST_ITSELF))

    def marks(self) -> tuple[bytes, ...]:
        """The mark of each seat, as in LOBBY."""
        return tuple(NO_MARK if link is None else self.guests[link].mark for link in self.seats)
