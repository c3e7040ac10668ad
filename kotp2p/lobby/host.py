"""The host's side of the lobby, without I/O: who sits where, and when a start is tried.

The host only keeps the list. Links are numbers that the shell gives out; link 0 is the host
himself. Effects are performed by the shell in order. What is said in a start is in `starting.py`;
here is who takes part in it, and who loses his seat by it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from kotp2p.endings import EndKind
from kotp2p.lobby.ceremony import (
    LINK_DEAD_SECONDS,
    MAX_UNSEATED_LINKS,
    PING_SECONDS,
    LobbyGuest,
    free_monster,
)
from kotp2p.lobby.effects import (
    HOST_ITSELF,
    CloseLobby,
    HangUp,
    LinkNumber,
    LobbyEffect,
    SendToLink,
    ShowNotice,
    SpawnBot,
    lobby_notice,
)
from kotp2p.lobby.known_keys import KnownKeys, NewKeyPolicy, people_to_remember
from kotp2p.lobby.start_attempt import LobbyState, StartAttempt, make_charter
from kotp2p.notices import KeyChanged, LobbyFault, LobbyRefused, Said, StartFailed
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import Signed
from kotp2p.wire.frames import Frame
from kotp2p.wire.frames_game import GameFrame
from kotp2p.wire.frames_link import LinkFrame, RefusalCode
from kotp2p.wire.frames_lobby import (
    Assent,
    Closed,
    HostFrame,
    Lobby,
    LobbyChat,
    Ping,
    RowShown,
    Sealed,
    Sit,
    Stand,
    TakenSeat,
    Unsure,
)
from kotp2p.wire.genesis import Clocks, Genesis
from kotp2p.wire.lobby_options import LobbyOptions
from kotp2p.wire.names import clean_name, fold_name, free_name
from kotp2p.wire.rate import clean_chat_line
from referee.box.rulesets import RULE_SETS
from referee.box.setup import Options


@dataclass(slots=True)
class HostLobby:
    signer: Signer
    name: str
    monster: str
    rules: str
    seats: int
    port: int
    entropy: Callable[[int], bytes]
    options: Options = field(default_factory=Options)
    clocks: Clocks = field(default_factory=Clocks)
    start_when_full: bool = False
    seat_order: tuple[bytes, ...] = ()
    """The key that each seat is kept for, if its owner comes: a rematch."""
    bot_keys: set[bytes] = field(default_factory=set)
    """Keys of this process's bots."""
    known_keys: KnownKeys = field(default_factory=KnownKeys)
    one_game: bool = False
    """The host's own key is made for this game only."""
    deadline: float = math.inf
    _effects: list[LobbyEffect] = field(default_factory=list)
    _guests: dict[LinkNumber, LobbyGuest] = field(default_factory=dict)
    _places: list[LinkNumber | None] = field(default_factory=list)
    _attempt: StartAttempt | None = None
    """The start that is under way, or has come to its end."""
    _next_ping: float = 0.0
    _bots_wanted: int = 0

    def __post_init__(self) -> None:
        self.name = clean_name(self.name, "Host")
        self.monster = free_monster(self.monster, ())
        host = LobbyGuest(HOST_ITSELF, self.signer.key, "", self.name, self.monster, self.port)
        host.one_game = self.one_game
        self._guests[HOST_ITSELF] = host
        self._places = [None] * self.seats
        self._places[self._seat_for(self.signer.key)] = HOST_ITSELF

    @property
    def phase(self) -> LobbyState:
        return LobbyState.OPEN if self._attempt is None else self._attempt.phase

    @property
    def free_seats(self) -> int:
        return self._places.count(None)

    def take_effects(self) -> list[LobbyEffect]:
        effects = list(self._effects)
        self._effects.clear()  # the attempt writes into the same list
        return effects

    # -- what happens on links -----------------------------------------------------------

    def accept_link(self, link: LinkNumber, key: bytes, address: str, now: float) -> None:
        """A proved link; its owner has no seat until it asks for one."""
        if self.phase is not LobbyState.OPEN:
            self._hang(link, RefusalCode.STARTED)
            return
        old = next(
            (g for g in self._guests.values() if g.key == key and g.link != HOST_ITSELF), None
        )
        if key == self.signer.key:
            self._hang(link, RefusalCode.BAD)
        elif old is not None:
            # The newer link of a key replaces the older and takes its seat.
            self._hang(old.link, RefusalCode.BAD)
            del self._guests[old.link]
            self._places = [link if p == old.link else p for p in self._places]
            old.link, old.address, old.heard_at, old.unaccepted = link, address, now, frozenset()
            self._guests[link] = old
        elif None not in self._places:
            self._hang(link, RefusalCode.FULL)
        else:
            waiting = [n for n in self._guests if n not in self._places]
            if len(waiting) >= MAX_UNSEATED_LINKS:
                self._hang(waiting[0], RefusalCode.BUSY)
                del self._guests[waiting[0]]
            guest = LobbyGuest(
                link, key, address, bot=key in self.bot_keys, heard_at=now, arrived_at=now
            )
            self._guests[link] = guest

    def receive_frame(self, link: LinkNumber, frame: Frame, now: float) -> None:
        guest = self._guests.get(link)
        if guest is None:
            return
        guest.heard_at = now
        match frame:
            case Sit():
                self._sit(guest, frame)
            case Stand():
                self._hang(link, RefusalCode.CLOSED)
                self.lose_link(link, now)
            case Ping():
                pass
            case LobbyChat(text=words):
                if link in self._places and guest.chat_rate.allows(now):
                    self._pass_on(guest.name, words, guest.link)
            case Unsure(keys=keys):
                guest.unaccepted = frozenset(keys)
                if self.phase not in (LobbyState.OPEN, LobbyState.BEGUN) and guest.chat_rate.allows(
                    now
                ):
                    self._tell_unsure([guest])
            case Sealed() | RowShown() | Assent():
                self._part(guest, frame, now)
            case _:  # the annotation names all that a guest never sends
                _stray: Signed | LinkFrame | HostFrame | GameFrame = frame
                self._hang(link, RefusalCode.BAD)
                self.lose_link(link, now)

    def lose_link(self, link: LinkNumber, now: float) -> None:
        """The link is closed or its owner has stood up."""
        guest = self._guests.pop(link, None)
        if guest is None or self.phase is LobbyState.BEGUN:
            return
        seated = link in self._places
        self._places = [None if p == link else p for p in self._places]
        if seated and self.phase is not LobbyState.OPEN:
            self._retry([guest.name], now)
        elif seated:
            self._publish()

    def send_chat(self, words: str) -> None:
        """The host says something to all that are seated."""
        words = clean_chat_line(words)
        if words:
            self._pass_on(self.name, words, HOST_ITSELF)

    def _pass_on(self, name: str, words: str, source: LinkNumber) -> None:
        for link in self._places:
            if link == HOST_ITSELF:
                self._effects.append(ShowNotice(Said(name, words, source == HOST_ITSELF)))
            elif link is not None and link != source:
                self._effects.append(SendToLink(link, LobbyChat(name, words)))

    def _sit(self, guest: LobbyGuest, sit: Sit) -> None:
        if guest.link in self._places:
            self._publish()
            return
        if None not in self._places or self.phase is not LobbyState.OPEN:
            self._hang(
                guest.link,
                RefusalCode.FULL if self.phase is LobbyState.OPEN else RefusalCode.STARTED,
            )
            del self._guests[guest.link]
            return
        others = self._seated()
        guest.name = free_name(clean_name(sit.name, "Guest"), [g.name for g in others])
        guest.monster = free_monster(sit.monster, [g.monster for g in others])
        guest.port, guest.one_game = sit.port, sit.one_game
        known = self._other_key(guest)
        if known is not None and self.known_keys.policy is NewKeyPolicy.REFUSE:
            self._effects.append(ShowNotice(KeyChanged(guest.name, known, guest.key, True)))
            self._hang(guest.link, RefusalCode.REMOVED)
            del self._guests[guest.link]
            return
        self._places[self._seat_for(guest.key)] = guest.link
        if guest.bot:
            self._bots_wanted -= 1
        self._publish()
        if known is not None:
            self._effects.append(ShowNotice(KeyChanged(guest.name, known, guest.key)))

    def _seat_for(self, key: bytes) -> int:
        """Its own seat in a rematch; else the first free one, best one that is kept for nobody."""
        free = [seat for seat, taken in enumerate(self._places) if taken is None]
        for wanted in (key, b""):
            for seat in free:
                if seat < len(self.seat_order) and self.seat_order[seat] == wanted:
                    return seat
        return free[0]

    # -- what the host says --------------------------------------------------------------

    def start_game(self, now: float) -> None:
        if self.phase is not LobbyState.OPEN:
            self._refuse(LobbyFault.STARTING)
        elif len(self._seated()) < 2:
            self._refuse(LobbyFault.TOO_FEW)
        elif self.options.two_player and len(self._seated()) > 2:
            self._refuse(LobbyFault.TWO_ONLY)
        elif (new := self._new_key()) is not None:
            self._refuse(LobbyFault.NEW_KEY, new.name)
        elif not self._tell_unsure(self._seated()):
            self._propose(now)

    def accept_key(self, name: str) -> None:
        """A known name with another key: it is he."""
        guest = self._find(name)
        if guest is None:
            self._refuse(LobbyFault.NO_SUCH_NAME, name)
        else:
            self.known_keys.accept_key(guest.name, guest.key)

    def _other_key(self, guest: LobbyGuest) -> bytes | None:
        if guest.bot or guest.link == HOST_ITSELF:
            return None
        return self.known_keys.known_other_key(guest.name, guest.key)

    def _new_key(self) -> LobbyGuest | None:
        return next((g for g in self._seated() if self._other_key(g) is not None), None)

    def _tell_unsure(self, guests: list[LobbyGuest]) -> bool:
        """Tells the host who of them takes no part in a start, and because of whom."""
        found = [
            (guest.name, other.name)
            for guest in guests
            for other in self._seated()
            if other.key in guest.unaccepted - {guest.key} and guest.link in self._places
        ]
        for name, other in found:
            self._refuse(LobbyFault.UNSURE, name, other)
        return bool(found)

    def people_to_remember(self, genesis: Genesis) -> list[tuple[str, bytes]]:
        """Names and keys of the others that are worth remembering."""
        passing = {g.key for g in self._guests.values() if g.one_game} | {self.signer.key}
        return people_to_remember(genesis.players, passing)

    def add_bot(self) -> None:
        if self.phase is not LobbyState.OPEN:
            self._refuse(LobbyFault.STARTING)
        elif self._places.count(None) <= self._bots_wanted:
            self._refuse(LobbyFault.FULL)
        else:
            self._bots_wanted += 1
            self._effects.append(SpawnBot())

    def remove_player(self, name: str, now: float) -> None:
        guest = self._find(name)
        if self.phase is not LobbyState.OPEN:
            self._refuse(LobbyFault.STARTING)
        elif guest is None:
            self._refuse(LobbyFault.NO_SUCH_NAME, name)
        elif guest.link == HOST_ITSELF:
            self._refuse(LobbyFault.NOT_YOURSELF)
        else:
            self._hang(guest.link, RefusalCode.REMOVED)
            self.lose_link(guest.link, now)

    def move_player(self, name: str, seat: int) -> None:
        guest = self._find(name)
        if self.phase is not LobbyState.OPEN:
            self._refuse(LobbyFault.STARTING)
        elif guest is None:
            self._refuse(LobbyFault.NO_SUCH_NAME, name)
        elif not 1 <= seat <= self.seats:
            self._refuse(LobbyFault.NO_SUCH_SEAT, str(seat))
        else:
            here, there = self._places.index(guest.link), seat - 1
            places = self._places
            places[here], places[there] = places[there], places[here]
            self._publish()

    def close_table(self) -> None:
        """The host leaves: the table is closed and everybody reads so."""
        for link in list(self._guests):
            if link != HOST_ITSELF:
                self._hang(link, RefusalCode.CLOSED)
        self._effects.append(CloseLobby(EndKind.LEFT))

    def tick(self, now: float) -> None:
        if now >= self._next_ping:
            self._next_ping = now + PING_SECONDS
            self._effects += [
                SendToLink(link, Ping()) for link in self._guests if link != HOST_ITSELF
            ]
        for guest in list(self._guests.values()):
            since = guest.heard_at if guest.link in self._places else guest.arrived_at
            if now - since >= LINK_DEAD_SECONDS and guest.link != HOST_ITSELF:
                self._hang(guest.link, RefusalCode.BAD)
                self.lose_link(guest.link, now)
        missing = self._attempt.late_links(now) if self._attempt is not None else []
        if missing:
            self._fail(missing, now)
        full = self.phase is LobbyState.OPEN and None not in self._places
        if self.start_when_full and full and self._new_key() is None:
            self._propose(now)
        self.deadline = now + PING_SECONDS / 2

    def publish_seats(self) -> None:
        """Tells everybody (the host's front too) who sits where."""
        self._publish()

    # -- the start -----------------------------------------------------------------------

    def _propose(self, now: float) -> None:
        seated = self._seated()
        rules = RULE_SETS[self.rules]
        charter = make_charter(seated, rules, self.options, self.clocks, self.entropy(32))
        self._attempt = StartAttempt.of(charter, seated, self.signer, self.entropy, self._effects)
        self._attempt.propose(now)

    def _part(self, guest: LobbyGuest, frame: Sealed | RowShown | Assent, now: float) -> None:
        attempt = self._attempt
        if attempt is None or attempt.phase is LobbyState.BEGUN or guest.link not in self._places:
            return
        try:
            attempt.accept_part(guest.link, frame, now)
        except BadBytes:
            self._fail([guest.link], now)
            return
        if attempt.genesis is not None:
            for link in self._guests:
                if link not in self._places:
                    self._hang(link, RefusalCode.STARTED)
            self._effects.append(attempt.begin_game())

    def _fail(self, links: list[LinkNumber], now: float) -> None:
        """These did not follow: they lose their seats and the start is repeated."""
        names = [self._guests[link].name for link in links]
        for link in links:
            self._hang(link, RefusalCode.REMOVED)
            self._guests.pop(link)
            self._places = [None if p == link else p for p in self._places]
        self._retry(names, now)

    def _retry(self, missing: list[str], now: float) -> None:
        self._attempt = None
        self._effects.append(ShowNotice(StartFailed(tuple(missing))))
        self._publish()
        if len(self._seated()) >= 2 and self._new_key() is None:
            self._propose(now)

    # -- small things --------------------------------------------------------------------

    def _seated(self) -> list[LobbyGuest]:
        return [self._guests[link] for link in self._places if link is not None]

    def _find(self, name: str) -> LobbyGuest | None:
        return next((g for g in self._seated() if fold_name(g.name) == fold_name(name)), None)

    def _publish(self) -> None:
        places = tuple(
            None if link is None else self._place(self._guests[link]) for link in self._places
        )
        lobby = Lobby(places, self.rules, LobbyOptions(self.options, self.clocks).texts())
        for guest in self._seated():
            if guest.link != HOST_ITSELF:
                self._effects.append(SendToLink(guest.link, lobby))
        self._effects.append(ShowNotice(lobby_notice(lobby, self.signer.key)))

    @staticmethod
    def _place(guest: LobbyGuest) -> TakenSeat:
        return TakenSeat(
            guest.key,
            guest.name,
            guest.monster,
            guest.bot,
            guest.link == HOST_ITSELF,
            guest.one_game,
        )

    def _hang(self, link: LinkNumber, why: RefusalCode) -> None:
        self._effects.append(HangUp(link, Closed(int(why))))

    def _refuse(self, why: LobbyFault, name: str = "", other: str = "") -> None:
        self._effects.append(ShowNotice(LobbyRefused(why, name, other)))
