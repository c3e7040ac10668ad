"""The guests in a host's lobby, their seats, and whether their keys are the known ones.

Scope: guests by link, seats, and the questions about them; which names and monsters can be chosen;
what host and guest ask of the known keys (`kotp2p.lobby.known_keys`) while a lobby is open. Not
here: the right to sit down, and all frames and notices (`kotp2p.lobby.host`).
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from kotp2p.lobby.agreement import LOBBY_SEEN_SECONDS
from kotp2p.lobby.known_keys import KnownKeys, NewKeyPolicy
from kotp2p.lobby.lobby_effects import HOST_ITSELF, LinkNumber
from kotp2p.seams import cores
from kotp2p.seams.notices import KeyAccepted, KeyChanged, LobbyFault, LobbyRefused, Notice
from kotp2p.wire import names
from kotp2p.wire.frames import FRESH_BYTES, NO_MARK, DenialCode, RefusalCode, Sit, TakenSeat

# -- seats ---------------------------------------------------------------------------------


@dataclass(slots=True)
class LobbyGuest:
    """A seated player: a guest, the host, a bot of the host, or a further person at its machine."""

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
    fresh: bytes = bytes(FRESH_BYTES)
    has_asked: bool = False
    heard_at: float = math.inf
    arrived_at: float = math.inf
    is_away: bool = False
    """Its link is lost."""
    kept_until: float = math.inf
    """When its seat is given up, unless it asks for it again by then."""
    sat_at: float = -math.inf
    unaccepted: frozenset[bytes] = frozenset()
    """Keys of others that this guest has not accepted, as it says."""
    mark: bytes = NO_MARK
    """What it has signed as its player is ready. It counts for the lobby of which it speaks."""
    chat_rate: cores.RateLimit = field(default_factory=cores.new_chat_limit)
    wish_pace: cores.Allowance = field(default_factory=cores.pace_of_wishes)

    @property
    def is_host(self) -> bool:
        return self.link == HOST_ITSELF

    @property
    def is_kept(self) -> bool:
        return self.link < HOST_ITSELF

    @property
    def is_awaited(self) -> bool:
        """Return whether it has not asked again since its link was lost or replaced."""
        return not self.has_asked and self.kept_until < math.inf

    @property
    def has_link(self) -> bool:
        return self.link > HOST_ITSELF and not self.is_away

    def as_seat(self, place_of_host: int) -> TakenSeat:
        """Return the seat as LOBBY has it; `place_of_host` keeps its bots and further people."""
        if self.is_kept:
            return TakenSeat(place_of_host, self.name, self.monster, automatic=self.automatic)
        return TakenSeat(
            self.key,
            self.name,
            self.monster,
            self.is_host,
            self.automatic,
            self.one_game,
            self.fresh,
        )

    def keep_until(self, until: float) -> None:
        # Who comes again and again without asking is kept no longer.
        if self.has_asked:
            self.has_asked, self.kept_until = False, until

    def note_sit(self, sit: Sit) -> None:
        self.port, self.one_game, self.fresh = sit.port, sit.one_game, sit.fresh
        self.automatic = sit.automatic


@dataclass(slots=True)
class Seating:
    seats: list[LinkNumber | None]
    """The link of each seat's owner; None: the seat is free."""
    kept_for: tuple[bytes, ...] = ()
    """A rematch: the key that each seat is kept for, empty for a bot of the host. No other player
    can take it until the host opens the seats. The seats after these are open."""
    kept_monsters: tuple[str, ...] = ()
    """The monster that each of these seats had in the last game."""
    guests: dict[LinkNumber, LobbyGuest] = field(default_factory=dict)
    """All that are linked, those without a seat too, in the order in which they came, and those
    whom the host's process keeps."""
    chance: bytes = b""
    """What draws the names and monsters of bots, and the monsters of further people here."""
    _bots: int = 0
    """The number of bots that have sat down here so far."""
    _kept: int = 0
    """How many bots and further people at the host's machine have sat down here so far."""

    @property
    def free_seats(self) -> int:
        return self.seats.count(None)

    def is_seated(self, link: LinkNumber) -> bool:
        return link in self.seats

    def seated_guests(self) -> list[LobbyGuest]:
        return [self.guests[link] for link in self.seats if link is not None]

    def away_players(self) -> list[LobbyGuest]:
        return [guest for guest in self.seated_guests() if guest.is_away]

    def unseated_links(self) -> list[LinkNumber]:
        return [link for link in self.guests if not self.is_seated(link)]

    def guest_links(self) -> list[LinkNumber]:
        return [link for link, guest in self.guests.items() if guest.has_link]

    def seated_links(self) -> list[LinkNumber]:
        return [guest.link for guest in self.seated_guests() if guest.has_link]

    def find_player(self, wanted: str) -> LobbyGuest | None:
        """Return the seated player of a name that looks like this, or of a seat number from 1."""
        guests = [None if link is None else self.guests[link] for link in self.seats]
        seat = names.find_seat(wanted, [None if guest is None else guest.name for guest in guests])
        return None if seat is None else guests[seat]

    def find_key(self, key: bytes) -> LobbyGuest | None:
        return next((g for g in self.guests.values() if g.key == key and not g.is_host), None)

    def add_guest(self, guest: LobbyGuest) -> None:
        self.guests[guest.link] = guest

    def open_seats(self) -> None:
        self.kept_for = ()

    def refuse_seat(self, key: bytes) -> RefusalCode | None:
        """Return why the owner of `key` cannot sit down; None if a seat is free for them."""
        if self.free_seats == 0:
            return RefusalCode.FULL
        return RefusalCode.KEPT if self._seat_for(key) is None else None

    def sit_down(self, guest: LobbyGuest) -> None:
        seat = self._seat_for(guest.key)
        assert seat is not None
        self.seats[seat] = guest.link

    def add_bot(self) -> None:
        """Seat a bot of the host, with a free name and monster; a seat must be free."""
        wanted = shuffle(names.BOT_NAMES, self.chance)[self._bots % len(names.BOT_NAMES)]
        self._bots += 1
        self._keep_guest(wanted).automatic = True

    def add_person(self, name: str) -> None:
        self._keep_guest(name)

    def _keep_guest(self, wanted: str) -> LobbyGuest:
        called = [guest.name for guest in self.seated_guests()]
        taken = self.taken_monsters(b"")
        monster = next(one for one in shuffle(names.MONSTERS, self.chance) if one not in taken)
        self._kept += 1
        kept = LobbyGuest(-self._kept, b"", "", names.free_name(wanted, called), monster)
        self.guests[kept.link] = kept
        self.sit_down(kept)
        return kept

    def taken_monsters(self, key: bytes) -> set[str]:
        """Return what the owner of `key` cannot get: others sit with it, or will."""
        others = [guest for guest in self.seated_guests() if not guest.key or guest.key != key]
        seated = {guest.key for guest in others}
        kept = zip(self.kept_for, self.kept_monsters, strict=False)
        awaited = {monster for owner, monster in kept if owner and owner not in seated | {key}}
        return {guest.monster for guest in others} | awaited

    def _seat_for(self, key: bytes) -> int | None:
        # A bot, which has no key, gets a seat of an earlier bot, and another if the host asks for
        # more of them: so it gives a kept seat away.
        free = [seat for seat, link in enumerate(self.seats) if link is None]
        is_kept = len(self.kept_for)
        kept = [seat for seat in free if seat < is_kept and self.kept_for[seat] == key]
        is_open = [seat for seat in free if seat >= is_kept]
        return next(iter(kept or is_open or (() if key else free)), None)

    def change_link(self, guest: LobbyGuest, link: LinkNumber, address: str, now: float) -> None:
        del self.guests[guest.link]
        self.seats = [link if taken == guest.link else taken for taken in self.seats]
        guest.link, guest.address, guest.heard_at = link, address, now
        guest.unaccepted, guest.is_away = frozenset(), False
        self.guests[link] = guest

    def swap_seats(self, guest: LobbyGuest, seat: int) -> None:
        here = self.seats.index(guest.link)
        self.seats[here], self.seats[seat] = self.seats[seat], self.seats[here]

    def vacate_seat(self, link: LinkNumber) -> None:
        if link < HOST_ITSELF:
            self.guests.pop(link, None)
        self.seats = [None if taken == link else taken for taken in self.seats]

    def as_seats(self) -> tuple[TakenSeat | None, ...]:
        host = self.seats.index(HOST_ITSELF)
        return tuple(None if n is None else self.guests[n].as_seat(host) for n in self.seats)

    def place_of(self, guest: LobbyGuest) -> TakenSeat:
        return guest.as_seat(self.seats.index(HOST_ITSELF))

    def marks(self) -> tuple[bytes, ...]:
        return tuple(NO_MARK if link is None else self.guests[link].mark for link in self.seats)


def shuffle(ordered: Iterable[str], chance: bytes) -> list[str]:
    """Return the names in an order that follows from `chance`; without one, in their own."""
    left, noise = list(ordered), cores.Noise(chance)
    return [left.pop(noise.below(len(left))) for _ in range(len(left))] if chance else left


# -- which name and monster a seat can have ------------------------------------------------


def read_name(typed: str) -> str | LobbyFault:
    """Return the name that was typed, or why it cannot be one: the player can type it again."""
    name = names.clean_name(typed, "")
    if name and not names.is_changed(typed, name):
        return name
    return LobbyFault.RESERVED_NAME if names.is_reserved_wish(typed) else LobbyFault.NO_NAME


def read_monster(typed: str) -> str | LobbyFault:
    """Return the monster that is called so, or begins so alone, or why there is none."""
    wanted = " ".join(typed.split())
    exact = [monster for monster in names.MONSTERS if names.are_alike(monster, wanted)]
    found = exact or [monster for monster in names.MONSTERS if _begins_a_word(wanted, monster)]
    return found[0] if len(found) == 1 else LobbyFault.NO_MONSTER


def _begins_a_word(wanted: str, monster: str) -> bool:
    words = monster.lower().split(" ")
    ends = (" ".join(words[at:]) for at in range(len(words)))
    return bool(wanted) and any(end.startswith(wanted.lower()) for end in ends)


def find_denial(
    name: str, monster: str, seats: Sequence[LobbyGuest | TakenSeat]
) -> DenialCode | None:
    """Return why a player cannot have this name or monster beside these; empty: no wish."""
    if name and any(names.are_alike(name, seat.name) for seat in seats):
        return DenialCode.NAME_TAKEN
    if monster and monster not in names.MONSTERS:
        return DenialCode.NO_MONSTER
    if monster and any(monster == seat.monster for seat in seats):
        return DenialCode.MONSTER_TAKEN
    return None


_FAULTS: dict[int, LobbyFault] = {
    DenialCode.STARTING: LobbyFault.STARTING,
    DenialCode.TOO_OFTEN: LobbyFault.TOO_OFTEN,
    DenialCode.NAME_TAKEN: LobbyFault.NAME_TAKEN,
    DenialCode.NAME_KNOWN: LobbyFault.NAME_KNOWN,
    DenialCode.NO_MONSTER: LobbyFault.NO_MONSTER,
    DenialCode.MONSTER_TAKEN: LobbyFault.MONSTER_TAKEN,
}


def fault_of(code: int) -> LobbyFault:
    """Return the fault to show; DENIED for a code that no honest host sends, or of a later one."""
    return _FAULTS.get(code, LobbyFault.DENIED)


# -- whether the players of a lobby are those who are known under their names --------------


MAX_QUESTIONS_KEPT = 64
"""How many keys that the player was asked about are remembered: then the oldest goes."""


@dataclass(slots=True)
class KeyQuestions:
    """The notices about keys that have changed: each one once, and at a pace."""

    # A stranger can come under a known name with another key each time, as keys cost nothing.

    _pace: cores.Allowance = field(default_factory=cores.pace_of_notices)
    _told: dict[KeyChanged, None] = field(default_factory=dict)
    """The oldest first."""
    _next: float = math.inf
    """When one more may be shown, if one waits."""

    @property
    def due(self) -> float:
        return self._next

    def choose(self, changes: Iterable[KeyChanged], now: float) -> list[KeyChanged]:
        """Return those of all present changes that are shown now; the others wait."""
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
        """Return the change if it was not shown before, whatever the pace says."""
        if change in self._told:
            return []
        self._pace.charge(1, now)
        self._told[change] = None
        if len(self._told) > MAX_QUESTIONS_KEPT:
            del self._told[next(iter(self._told))]
        return [change]


@dataclass(slots=True)
class KeyCheck:
    known_keys: KnownKeys
    own_key: bytes
    questions: KeyQuestions = field(default_factory=KeyQuestions, kw_only=True)

    @property
    def refuses_new_keys(self) -> bool:
        return self.known_keys.policy is NewKeyPolicy.REFUSE

    def _find_change(self, name: str, key: bytes) -> KeyChanged | None:
        known = self.known_keys.known_other_key(name, key)
        return None if known is None else KeyChanged(name, known, key, self.refuses_new_keys)

    def _accept(
        self, name: str, key: bytes, change: KeyChanged | None, since: float, now: float
    ) -> list[Notice]:
        """Accept a key that the player here was shown, and has had time to see since then."""
        untold = [] if change is None else self.questions.ask_now(change, now)
        if untold or now < since + LOBBY_SEEN_SECONDS:
            return [*untold, LobbyRefused(LobbyFault.JUST_SEATED, name)]
        self.known_keys.accept_key(name, key)
        return [KeyAccepted(name, key)]


@dataclass(slots=True)
class HostKeyCheck(KeyCheck):
    """The host's side: every guest that sits down is compared."""

    seating: Seating

    def changed_key(self, guest: LobbyGuest) -> KeyChanged | None:
        return self._find_change(guest.name, guest.key) if guest.has_link else None

    def refuses_name(self, guest: LobbyGuest, name: str) -> bool:
        """Return whether no person here can be asked about the guest's name."""
        known = self.known_keys.known_other_key(name, guest.key)
        return self.refuses_new_keys and known is not None and guest.has_link

    def first_changed(self) -> LobbyGuest | None:
        return next(
            (g for g in self.seating.seated_guests() if self.changed_key(g) is not None), None
        )

    def choose_questions(self, now: float) -> list[KeyChanged]:
        """Return the changed keys of seated players that are shown now."""
        changes = (self.changed_key(guest) for guest in self.seating.seated_guests())
        return self.questions.choose((c for c in changes if c is not None), now)

    def accept_player(self, wanted: str, now: float) -> list[Notice]:
        """Accept the key of this player, if the host was shown it before; else show it."""
        guest = self.seating.find_player(wanted)
        if guest is None:
            return [LobbyRefused(LobbyFault.NO_SUCH_NAME, wanted)]
        change = self.changed_key(guest)
        return self._accept(guest.name, guest.key, change, guest.sat_at, now)

    def unaccepted_among(self, guests: Iterable[LobbyGuest]) -> list[tuple[str, str]]:
        """Return pairs of a guest and a player whose key that guest has not accepted."""
        return [
            (guest.name, other.name)
            for guest in guests
            for other in self.seating.seated_guests()
            if other.key in guest.unaccepted - {guest.key} and self.seating.is_seated(guest.link)
        ]


@dataclass(slots=True)
class GuestKeyCheck(KeyCheck):
    """A guest's side: the others are known from the host's lists only."""

    seats: tuple[TakenSeat | None, ...] = ()
    _since: dict[tuple[int, TakenSeat], float] = field(default_factory=dict)

    def see_seats(self, seats: tuple[TakenSeat | None, ...], now: float) -> None:
        taken = [(n, seat) for n, seat in enumerate(seats) if seat is not None]
        self._since = {row: self._since.get(row, now) for row in taken}
        self.seats = seats

    def change_of(self, seat: TakenSeat | None) -> KeyChanged | None:
        if seat is None or seat.is_kept or seat.key == self.own_key:
            return None
        return self._find_change(seat.name, seat.key)

    def accept_player(self, wanted: str, now: float) -> list[Notice]:
        found = names.find_seat(wanted, [None if s is None else s.name for s in self.seats])
        seat = None if found is None else self.seats[found]
        if found is None or seat is None:
            return [LobbyRefused(LobbyFault.NO_SUCH_NAME, wanted)]
        if seat.is_kept:
            return [KeyAccepted(seat.name, seat.key)]
        since = self._since[found, seat]
        return self._accept(seat.name, seat.key, self.change_of(seat), since, now)
