"""The host's side of the lobby, without I/O: what guests and host do, and what follows from it.

Scope: the right to sit down, the host's commands, what is granted of names, monsters and marks,
when the lobby is sent, and when a start is tried or repeated. The host keeps the list of seats and
nothing else; it decides no game. Not here: seats and changed keys (`kotp2p.lobby.seating`), and
what a start is (`kotp2p.lobby.start`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from kotp2p.lobby import lobby_chat, lobby_effects
from kotp2p.lobby.known_keys import KnownKeys
from kotp2p.lobby.seating import (
    HostKeyCheck,
    LobbyGuest,
    Seating,
    fault_of,
    find_denial,
    read_monster,
    read_name,
)
from kotp2p.lobby.start import LobbyStart, make_charter
from kotp2p.referee.box.rulesets import RULE_SETS, Options
from kotp2p.seams.cores import SEATS_AT_ONCE, SEATS_PER_SECOND, Allowance
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import LobbyFault, LobbyRefused, StartDeclined, StartFailed, StartSigned
from kotp2p.wire import addresses, crypto, encoding, frames, genesis
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.names import clean_name, free_monster, free_name

# -- names, monsters and marks: what is granted, and how often -----------------------------
#
# Known limitation: a wish that waits on its way while the lobby changes is judged by the lobby as
# it is when the wish comes.


@dataclass(slots=True)
class HostChoices:
    signer: crypto.Signer
    seating: Seating
    keys: HostKeyCheck
    board: LobbyBoard
    start: LobbyStart
    effects: lobby_effects.EffectQueue

    @property
    def own(self) -> LobbyGuest:
        return self.seating.guests[lobby_effects.HOST_ITSELF]

    # -- guests ------------------------------------------------------------------------------

    def accept_wish(self, guest: LobbyGuest, wish: frames.Choose | frames.Mark) -> None:
        if not self.seating.is_seated(guest.link):
            return
        match wish:
            case frames.Choose(name=name, monster=monster):
                denial = self._choose(guest, name, monster)
            case frames.Mark(mark=mark):
                denial = self._mark(guest, mark)
        if denial is not None:
            self.effects.send_frame(guest.link, frames.Denied(wish.serial, int(denial)))

    # -- the host itself ---------------------------------------------------------------------

    def change_name(self, typed: str, now: float) -> None:
        self.board.note_time(now)
        wanted = read_name(typed)
        if isinstance(wanted, LobbyFault):
            self.effects.show_notice(LobbyRefused(wanted, typed))
        else:
            self._tell_denial(self._choose(self.own, wanted, ""), wanted)

    def change_monster(self, typed: str, now: float) -> None:
        self.board.note_time(now)
        wanted = read_monster(typed)
        if isinstance(wanted, LobbyFault):
            self.effects.show_notice(LobbyRefused(wanted, typed))
        else:
            self._tell_denial(self._choose(self.own, "", wanted), wanted)

    def mark_ready(self, wanted: bool, now: float) -> None:
        self.board.note_time(now)
        mark = (
            lobby_effects.sign_mark(self.board.lobby(), self.signer) if wanted else frames.NO_MARK
        )
        self._tell_denial(self._mark(self.own, mark), "")

    def _tell_denial(self, denial: frames.DenialCode | None, wanted: str) -> None:
        if denial is not None:
            self.effects.show_notice(LobbyRefused(fault_of(denial), wanted))

    # -- what is granted ---------------------------------------------------------------------

    def _choose(self, guest: LobbyGuest, name: str, monster: str) -> frames.DenialCode | None:
        name, monster = name or guest.name, monster or guest.monster
        if (name, monster) == (guest.name, guest.monster):
            return None
        others = [other for other in self.seating.seated_guests() if other is not guest]
        denial = self._refused_now(guest) or find_denial(name, monster, others)
        if denial is None and self.keys.refuses_name(guest, name):
            denial = frames.DenialCode.NAME_KNOWN
        if denial is not None:
            return denial
        guest.wish_pace.charge(1, self.board.now)
        if name != guest.name:
            guest.sat_at = self.board.now
        guest.name, guest.monster = name, monster
        self.board.publish()
        self.effects.show_notices(self.keys.choose_questions(self.board.now))
        return None

    def _mark(self, guest: LobbyGuest, mark: bytes) -> frames.DenialCode | None:
        if mark == guest.mark:
            return None
        denial = self._refused_now(guest)
        if denial is None and mark != frames.NO_MARK:
            place = self.seating.place_of(guest)
            is_for_this = lobby_effects.is_mark_of(self.board.lobby(), place, mark)
            denial = None if is_for_this else frames.DenialCode.OTHER_LOBBY
        if denial is not None:
            return denial
        guest.wish_pace.charge(1, self.board.now)
        guest.mark = mark
        self.board.publish()
        return None

    def _refused_now(self, guest: LobbyGuest) -> frames.DenialCode | None:
        if not self.start.is_open:
            return frames.DenialCode.STARTING
        # The host's player can be trusted not to flood their own table.
        is_spent = not guest.is_host and not guest.wish_pace.has(1, self.board.now)
        return frames.DenialCode.TOO_OFTEN if is_spent else None


# -- what a host tells its guests: only how the lobby stands now, and not too often --------
#
# A guest can change the lobby as often as it likes, by sitting down and standing up. If each
# change were sent, one guest could fill the links of all others. So a change that comes too soon
# waits, and what is sent then is the newest lobby. Changes in between are never told.


LOBBIES_AT_ONCE = 8
"""Changes that are sent at once: a table that fills up."""
LOBBIES_PER_SECOND = 1.0
ANSWER_PAUSE_SECONDS = 1.0
"""The time between two answers to a guest that asks for its seat again."""


@dataclass(slots=True)
class LobbyBoard:
    offer: TableOffer
    seating: Seating
    talk: lobby_chat.LobbyTalk
    effects: lobby_effects.EffectQueue
    now: float = -math.inf
    _pace: Allowance = field(default_factory=lambda: Allowance(LOBBIES_AT_ONCE, LOBBIES_PER_SECOND))
    _has_news: bool = False
    _answered: dict[lobby_effects.LinkNumber, float] = field(default_factory=dict)
    """When each guest was sent the lobby because it had asked again."""

    @property
    def due(self) -> float:
        return self._pace.next_time(1, self.now) if self._has_news else math.inf

    def note_time(self, now: float) -> None:
        self.now = max(now, self.now)

    def publish(self) -> None:
        """Send the changed lobby to all, and to the host's front, now or later."""
        self._has_news = True
        self.publish_news()

    def publish_news(self, *, at_once: bool = False) -> None:
        """Send a change that has waited; a start is exactly the lobby that was sent last."""
        if not self._has_news or not (at_once or self._pace.has(1, self.now)):
            return
        self._pace.charge(1, self.now)
        self._has_news = False
        lobby = self.lobby()
        self.talk.see_lobby(lobby)
        for link in self.seating.seated_links():
            self.effects.send_frame(link, lobby)
        kept = bool(self.seating.kept_for) and self.seating.free_seats > 0
        away = frozenset(guest.key for guest in self.seating.away_players())
        notice = lobby_effects.lobby_notice(
            lobby, self.talk.signer.key, has_kept_seats=kept, away=away
        )
        self.effects.show_notice(notice)

    def answer_again(self, link: lobby_effects.LinkNumber) -> None:
        """Send the lobby to a seated guest that has asked for its seat again."""
        if self._has_news or self.now < self._answered.get(link, -math.inf) + ANSWER_PAUSE_SECONDS:
            return
        self._answered = {n: at for n, at in self._answered.items() if self.seating.is_seated(n)}
        self._answered[link] = self.now
        self.effects.send_frame(link, self.lobby())

    def lobby(self) -> frames.Lobby:
        """Return the present lobby, with the marks that count for it; earlier ones end."""
        players = len(self.seating.seated_guests())
        options = genesis.LobbyOptions(self.offer.options_of(players), self.offer.clocks)
        lobby = frames.Lobby(self.seating.as_seats(), self.offer.rules, options)
        for guest in self.seating.seated_guests():
            if guest.mark == frames.NO_MARK:
                continue
            if not lobby_effects.is_mark_of(lobby, self.seating.place_of(guest), guest.mark):
                guest.mark = frames.NO_MARK
        marks = self.seating.marks()
        return replace(lobby, marks=marks) if any(marks) else lobby


# -- how often the guests of one network sit down (PROTOCOL.md 9.9) ------------------------
#
# A guest that sits down and stands up without end changes the lobby each time, and everybody is
# told of it. A new key costs nothing, so the network counts. The host's own machine is not
# limited: a player there could do worse.


@dataclass(slots=True)
class SeatPace:
    _of_network: dict[str, Allowance] = field(default_factory=dict)
    """Of networks from which a guest has sat down lately."""

    def may_sit(self, address: str, now: float) -> bool:
        """Return whether a guest with this address may sit down now; count it if so."""
        if not address:
            return True
        self._of_network = {
            network: pace
            for network, pace in self._of_network.items()
            if not pace.has(SEATS_AT_ONCE, now)
        }
        pace = self._of_network.setdefault(
            addresses.network_of(address), Allowance(SEATS_AT_ONCE, SEATS_PER_SECOND)
        )
        return pace.take(1, now)


UNSEATED_SECONDS = 10.0
"""How long a link may stand whose owner asks for no seat."""
MAX_UNSEATED_LINKS = 8
"""Links whose owners have no seat yet; one more, and the oldest of them is closed."""


@dataclass(slots=True)
class HostLobby:
    signer: crypto.Signer
    name: str
    monster: str
    offer: TableOffer
    port: int
    entropy: Callable[[int], bytes]
    known_keys: KnownKeys = field(default_factory=KnownKeys)
    one_game: bool = False
    automatic: bool = False
    start: LobbyStart = field(init=False)
    choices: HostChoices = field(init=False)
    _effects: lobby_effects.EffectQueue = field(default_factory=lobby_effects.EffectQueue)
    seating: Seating = field(init=False)
    _keys: HostKeyCheck = field(init=False)
    _chat: lobby_chat.ChatRelay = field(init=False)
    _board: LobbyBoard = field(init=False)
    _seat_pace: SeatPace = field(default_factory=SeatPace)
    _pings: lobby_effects.PingTimer = field(default_factory=lobby_effects.PingTimer)

    def __post_init__(self) -> None:
        self.name = clean_name(self.name, "Guest")
        self.monster = free_monster(self.monster, ())
        fresh = self.entropy(frames.FRESH_BYTES)
        self.seating = Seating(
            [None] * self.offer.players, self.offer.order, self.offer.monsters, chance=fresh
        )
        host = LobbyGuest(
            lobby_effects.HOST_ITSELF, self.signer.key, "", self.name, self.monster, self.port
        )
        host.one_game, host.automatic = self.one_game, self.automatic
        host.fresh = fresh
        self.seating.add_guest(host)
        self.seating.sit_down(host)
        self._keys = HostKeyCheck(self.known_keys, self.signer.key, self.seating)
        talk = lobby_chat.LobbyTalk(self.signer)
        self._chat = lobby_chat.ChatRelay(talk, self.seating, self._effects)
        self._board = LobbyBoard(self.offer, self.seating, talk, self._effects)
        self.start = LobbyStart(self.signer, self.entropy, self._effects)
        self.choices = HostChoices(
            self.signer, self.seating, self._keys, self._board, self.start, self._effects
        )

    @property
    def free_seats(self) -> int:
        return self.seating.free_seats

    @property
    def deadline(self) -> float:
        return min(self._pings.deadline, self._board.due, self._keys.questions.due)

    def take_effects(self) -> list[lobby_effects.LobbyEffect]:
        return self._effects.take_all()

    # -- what happens on links -----------------------------------------------------------

    def accept_link(
        self, link: lobby_effects.LinkNumber, key: bytes, address: str, now: float
    ) -> None:
        old = self.seating.find_key(key)
        if not self.start.is_open:
            self._effects.hang_up(link, frames.RefusalCode.STARTED)
        elif key == self.signer.key:
            self._effects.hang_up(link, frames.RefusalCode.BAD)
        elif old is not None:
            if not old.is_away:
                self._effects.hang_up(old.link, frames.RefusalCode.BAD)
            old.keep_until(now + frames.SEAT_KEPT_SECONDS)
            self.seating.change_link(old, link, address, now)
        elif (code := self.seating.refuse_seat(key)) is not None:
            self._effects.hang_up(link, code)
        else:
            unseated = self.seating.unseated_links()
            if len(unseated) >= MAX_UNSEATED_LINKS:
                self._turn_away(unseated[0], frames.RefusalCode.BUSY)
            self.seating.add_guest(LobbyGuest(link, key, address, heard_at=now, arrived_at=now))

    def receive_frame(
        self, link: lobby_effects.LinkNumber, frame: frames.Frame, now: float
    ) -> None:
        guest = self.seating.guests.get(link)
        if guest is None:
            return
        self._board.note_time(now)
        guest.heard_at = now
        match frame:
            case frames.Sit():
                self._sit_down(guest, frame)
            case frames.Stand():
                self._effects.hang_up(link, frames.RefusalCode.CLOSED)
                self._give_up_seat(link, now)
            case frames.Ping() | frames.Ask():
                pass  # it has shown by now that the link is alive; the code has its own desk
            case frames.Choose() | frames.Mark():
                self.choices.accept_wish(guest, frame)
            case frames.LobbyChat():
                self._chat.accept_line(link, frame, now)
            case frames.Unsure(keys=keys):
                guest.unaccepted = frozenset(keys)
                if self.start.is_under_way and guest.chat_rate.allows(now):
                    self._show_unaccepted([guest])
            case frames.Declined(table=table):
                self._accept_declined(guest, table, now)
            case frames.Sealed() | frames.RowShown() | Signed(kind=BodyKind.GENESIS):
                self._accept_part(guest, frame, now)
            case _:  # the annotation names all that a guest never sends
                _stray: Signed | frames.HandshakeFrame | frames.HostFrame | frames.GameFrame = frame
                self._effects.hang_up(link, frames.RefusalCode.BAD)
                self._give_up_seat(link, now)

    def lose_link(self, link: lobby_effects.LinkNumber, now: float) -> None:
        """Handle a closed link; a seat is kept for a while, unless a start is under way."""
        guest = self.seating.guests.get(link)
        if guest is None or guest.is_away:
            return
        if self.start.is_open and self.seating.is_seated(link):
            self._board.note_time(now)
            guest.is_away = True
            guest.keep_until(now + frames.SEAT_KEPT_SECONDS)
            self.publish_seats()
        else:
            self._give_up_seat(link, now)

    def _give_up_seat(self, link: lobby_effects.LinkNumber, now: float) -> None:
        guest = self.seating.guests.pop(link, None)
        if guest is None or self.start.has_begun:
            return
        self._board.note_time(now)
        was_seated = self.seating.is_seated(link)
        self.seating.vacate_seat(link)
        if was_seated and self.start.is_under_way:
            self._repeat_start([guest.name], now)
        elif was_seated:
            self.publish_seats()

    def tick(self, now: float) -> None:
        if self.start.has_begun:
            return  # the lobby is over: its links may go, and their seats stay as they were signed
        self._board.note_time(now)
        self._board.publish_news()
        self._effects.show_notices(self._keys.choose_questions(now))
        if self._pings.is_due(now):
            for link in self.seating.guest_links():
                self._effects.send_frame(link, frames.Ping())
        self._close_dead_links(now)
        for guest in self.seating.seated_guests():
            if guest.is_awaited and now >= guest.kept_until:
                if guest.has_link:
                    self._effects.hang_up(guest.link, frames.RefusalCode.BAD)
                self._give_up_seat(guest.link, now)
        late = self.start.late_links(now)
        if late:
            self._expel_links(late, now)
        self._start_if_full(now)
        self._pings.rest(now)

    def _start_if_full(self, now: float) -> None:
        is_full = self.start.is_open and self.free_seats == 0
        is_awaited = any(guest.is_awaited for guest in self.seating.seated_guests())
        if self.offer.start_when_full and is_full and not is_awaited:
            self._propose_start_alone(now)

    def _close_dead_links(self, now: float) -> None:
        for guest in list(self.seating.guests.values()):
            # A link without a seat must ask for one: pings do not keep it open.
            is_seated = self.seating.is_seated(guest.link)
            due = (
                guest.heard_at + frames.LINK_DEAD_SECONDS
                if is_seated
                else guest.arrived_at + UNSEATED_SECONDS
            )
            if now >= due and guest.has_link:
                self._effects.hang_up(guest.link, frames.RefusalCode.BAD)
                self.lose_link(guest.link, now)

    # -- seats ---------------------------------------------------------------------------

    def _sit_down(self, guest: LobbyGuest, sit: frames.Sit) -> None:
        is_seated = self.seating.is_seated(guest.link)
        if is_seated and (guest.has_asked or not self.start.is_open):
            self._board.answer_again(guest.link)  # it has not heard our answer
            return
        if not self.start.is_open:
            self._turn_away(guest.link, frames.RefusalCode.STARTED)
            return
        code = self.seating.refuse_seat(guest.key)
        if not is_seated and code is not None:
            self._turn_away(guest.link, code)
            return
        if not is_seated and not self._seat_pace.may_sit(guest.address, self._board.now):
            self._turn_away(guest.link, frames.RefusalCode.BUSY)
            return
        others = [other for other in self.seating.seated_guests() if other is not guest]
        guest.name = free_name(clean_name(sit.name, "Guest"), [g.name for g in others])
        guest.monster = free_monster(sit.monster, self.seating.taken_monsters(guest.key))
        guest.note_sit(sit)
        guest.has_asked, guest.sat_at = True, self._board.now
        changed = self._keys.changed_key(guest)
        if changed is not None and changed.refused:
            self._effects.show_notices(self._keys.questions.choose([changed], self._board.now))
            self._turn_away(guest.link, frames.RefusalCode.REMOVED)
            self.seating.vacate_seat(guest.link)
            if is_seated:
                self.publish_seats()
            return
        if not is_seated:
            self.seating.sit_down(guest)
        self.publish_seats()
        self._effects.show_notices(self._keys.choose_questions(self._board.now))
        if is_seated:  # its link may break again before the next tick, without end
            self._start_if_full(self._board.now)

    def _turn_away(self, link: lobby_effects.LinkNumber, code: frames.RefusalCode) -> None:
        self._effects.hang_up(link, code)
        del self.seating.guests[link]

    def publish_seats(self) -> None:
        """Send the seats to all, also to the front of the host, at once or soon."""
        self._board.publish()

    # -- commands of the host ------------------------------------------------------------

    def start_game(self, now: float) -> None:
        present = [guest for guest in self.seating.seated_guests() if not guest.is_away]
        players = len(present)
        if not self.start.is_open:
            self._refuse_command(LobbyFault.STARTING)
        elif players < genesis.MIN_SEATS:
            self._refuse_command(LobbyFault.TOO_FEW)
        elif self.offer.options.two_player and players > 2:
            self._refuse_command(LobbyFault.TWO_ONLY)
        elif (changed := self._keys.first_changed()) is not None:
            self._refuse_command(LobbyFault.NEW_KEY, changed.name)
        elif not self._show_unaccepted(present):
            for guest in self.seating.away_players():
                self._give_up_seat(guest.link, now)
            self._propose_start(now)

    def send_chat(self, text: str) -> None:
        self._chat.say_line(self.choices.own.name, text)

    def open_seats(self) -> None:
        if self.seating.kept_for:
            self.seating.open_seats()
            self.publish_seats()
        else:
            self._refuse_command(LobbyFault.NOTHING_KEPT)

    def accept_key(self, name: str, now: float) -> None:
        self._effects.show_notices(self._keys.accept_player(name, now))

    def add_bot(self) -> None:
        if not self.start.is_open:
            self._refuse_command(LobbyFault.STARTING)
        elif self.free_seats == 0:
            self._refuse_command(LobbyFault.FULL)
        else:
            self.seating.add_bot()
            self.publish_seats()

    def add_person(self, name: str) -> None:
        self.seating.add_person(name)
        self.publish_seats()

    def remove_player(self, name: str, now: float) -> None:
        guest = self.seating.find_player(name)
        if not self.start.is_open:
            self._refuse_command(LobbyFault.STARTING)
        elif guest is None:
            self._refuse_command(LobbyFault.NO_SUCH_NAME, name)
        elif guest.is_host:
            self._refuse_command(LobbyFault.NOT_YOURSELF)
        elif guest.is_kept:
            self.seating.vacate_seat(guest.link)
            self.publish_seats()
        else:
            if guest.has_link:
                self._effects.hang_up(guest.link, frames.RefusalCode.REMOVED)
            self._give_up_seat(guest.link, now)

    def move_player(self, name: str, seat: int) -> None:
        """Move a player to the seat with this number, from 1, in exchange with its owner."""
        guest = self.seating.find_player(name)
        if not self.start.is_open:
            self._refuse_command(LobbyFault.STARTING)
        elif guest is None:
            self._refuse_command(LobbyFault.NO_SUCH_NAME, name)
        elif not 1 <= seat <= self.offer.players:
            self._refuse_command(LobbyFault.NO_SUCH_SEAT, str(seat))
        else:
            self.seating.swap_seats(guest, seat - 1)
            self.publish_seats()

    def close_table(self) -> None:
        for link in self.seating.guest_links():
            self._effects.hang_up(link, frames.RefusalCode.CLOSED)
        self._effects.add_effects(lobby_effects.CloseLobby(EndKind.LEFT))

    def _refuse_command(self, why: LobbyFault, name: str = "", other: str = "") -> None:
        self._effects.show_notice(LobbyRefused(why, name, other))

    def _show_unaccepted(self, guests: list[LobbyGuest]) -> bool:
        found = self._keys.unaccepted_among(guests)
        for name, other in found:
            self._refuse_command(LobbyFault.UNSURE, name, other)
        return bool(found)

    # -- the start -----------------------------------------------------------------------

    def _propose_start(self, now: float) -> None:
        seated, offer = self.seating.seated_guests(), self.offer
        rules, fresh = RULE_SETS[offer.rules], self.entropy(32)
        number, options = self.start.number + 1, offer.options_of(len(seated))
        charter = make_charter(seated, rules, options, offer.clocks, fresh, number)
        self._board.publish_news(at_once=True)
        self.start.propose_charter(charter, seated, now)

        self._begin_if_complete()

    def _begin_if_complete(self) -> None:
        """Begin the game if all have signed, at once where all others are bots here."""
        begin = self.start.take_game()
        if begin is None:
            return
        for link in self.seating.unseated_links():
            self._effects.hang_up(link, frames.RefusalCode.STARTED)
        charter = begin.genesis.charter
        strangers = self.known_keys.find_strangers(charter.players, self.signer.key)
        self._effects.show_notice(StartSigned(charter, strangers))
        self._effects.add_effects(begin)

    def _accept_part(
        self, guest: LobbyGuest, frame: frames.Sealed | frames.RowShown | Signed, now: float
    ) -> None:
        if not self.start.is_under_way or not self.seating.is_seated(guest.link):
            return
        try:
            self.start.accept_part(guest.link, frame, now)
        except encoding.Unwritable:  # our own fault, and not the guest's
            self.start.give_up()
            raise
        except encoding.BadBytes:
            self._expel_links([guest.link], now)
            return
        self._begin_if_complete()

    def _accept_declined(self, guest: LobbyGuest, table: bytes, now: float) -> None:
        """Handle a start that is not the lobby which this guest saw."""
        # At a table that starts by itself the guest loses its seat, as the next start would end
        # like this one.
        if not self.seating.is_seated(guest.link) or not self.start.can_decline(table):
            return
        self._effects.show_notice(StartDeclined(guest.name))
        if self.offer.start_when_full:
            self._expel_links([guest.link], now)
        else:
            self.start.give_up()
            self.publish_seats()

    def _expel_links(self, links: list[lobby_effects.LinkNumber], now: float) -> None:
        names = [self.seating.guests[link].name for link in links]
        for link in links:
            self._turn_away(link, frames.RefusalCode.REMOVED)
            self.seating.vacate_seat(link)
        self._repeat_start(names, now)

    def _repeat_start(self, missing: list[str], now: float) -> None:
        self.start.give_up()
        self._effects.show_notice(StartFailed(tuple(missing)))
        self.publish_seats()
        if len(self.seating.seated_guests()) >= genesis.MIN_SEATS:
            self._propose_start_alone(now)

    def _propose_start_alone(self, now: float) -> None:
        if self._keys.first_changed() is None and self.start.may_begin_alone(now):
            self._propose_start(now)


# -- what a host offers: the game of its table, and for how many ---------------------------


@dataclass(frozen=True, slots=True)
class TableOffer:
    """What is played at a table, and by how many, while its lobby is open."""

    rules: str = "second"
    players: int = genesis.MAX_SEATS
    options: Options = field(default_factory=Options)
    clocks: genesis.Clocks = field(default_factory=genesis.Clocks)
    start_when_full: bool = False
    order: tuple[bytes, ...] = ()
    """A rematch: the key that each seat is kept for; empty for a bot's. Further seats are open."""
    monsters: tuple[str, ...] = ()
    """The monster of each of these in the last game: nobody else gets it while it is awaited."""
    energy_for_two: bool = False
    """Whether two players have the two-player option, though more could have sat down (A-114)."""

    def options_of(self, players: int) -> Options:
        if self.energy_for_two and players == 2:
            return replace(self.options, two_player=True)
        return self.options
