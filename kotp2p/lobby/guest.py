"""A guest's side of the lobby, without I/O: it asks for a seat and follows the host's start.

Scope: a guest's frames to the host, the notices of its front, its wishes about name, monster and
mark, and a start from the genesis that is shown to the signatures of all. A guest that has signed a
start and loses the host asks the others whether the game has begun, before it gives up. Not here:
what a guest agrees to (`kotp2p.lobby.agreement`), and what a host does about a wish
(`kotp2p.lobby.host`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum

from kotp2p.lobby import agreement, lobby_chat, lobby_effects, seating
from kotp2p.lobby.known_keys import KnownKeys
from kotp2p.lobby.start import START_END_SECONDS, START_STEP_SECONDS, Ceremony
from kotp2p.seams import cores, endings, notices
from kotp2p.wire import crypto, encoding, entries, frames
from kotp2p.wire.genesis import Genesis, OtherVersion, keepers_of
from kotp2p.wire.names import clean_name

# -- the states of a guest's lobby, from its seat to the game ------------------------------


class GuestState(StrEnum):
    WAITING = "waiting"
    """No start is proposed for the lobby as it is. An earlier one that this seat has signed can
    still come to its end."""
    HOLDING = "holding"
    """A start was proposed, and waits here until a changed key is accepted, or until the player
    has had time to see the lobby."""
    STARTING = "starting"
    """This seat follows a start (`kotp2p.lobby.start` has its steps)."""
    IN_DOUBT = "in doubt"
    """The host is lost after this seat has signed: the others may have begun."""
    BEGUN = "begun"
    ENDED = "ended"
    """The lobby is over without a game."""


class GuestEvent(StrEnum):
    START_HELD = "a start that has to wait"
    START_FOLLOWED = "a start that can be followed"
    LOBBY_CHANGED = "the lobby is another one"
    ALL_SIGNED = "all have signed"
    HOST_LOST = "the host is lost, and this seat has signed"
    CLOSED = "left, closed or lost"


_PROPOSED = {
    GuestEvent.START_HELD: GuestState.HOLDING,
    GuestEvent.START_FOLLOWED: GuestState.STARTING,
    GuestEvent.LOBBY_CHANGED: GuestState.WAITING,
    GuestEvent.ALL_SIGNED: GuestState.BEGUN,
    GuestEvent.HOST_LOST: GuestState.IN_DOUBT,
    GuestEvent.CLOSED: GuestState.ENDED,
}
GUEST_LOBBY = cores.StateTable(
    "lobby of a guest",
    GuestState.WAITING,
    {
        GuestState.WAITING: {
            GuestEvent.START_HELD: GuestState.HOLDING,
            GuestEvent.START_FOLLOWED: GuestState.STARTING,
            GuestEvent.ALL_SIGNED: GuestState.BEGUN,
            GuestEvent.HOST_LOST: GuestState.IN_DOUBT,
            GuestEvent.CLOSED: GuestState.ENDED,
        },
        # The host tells nobody when it gives a start up: the next proposal takes its place, or the
        # next change of the lobby. Until then the start before it can still come to its end.
        GuestState.HOLDING: _PROPOSED,
        GuestState.STARTING: _PROPOSED,
        GuestState.IN_DOUBT: {
            GuestEvent.ALL_SIGNED: GuestState.BEGUN,
            GuestEvent.CLOSED: GuestState.ENDED,
        },
        GuestState.BEGUN: {},
        GuestState.ENDED: {},
    },
)


MAX_SIGNED_STARTS = 64
"""Signed starts that one lobby keeps. More take a hostile host some ten minutes."""


@dataclass(slots=True)
class GuestLobby:
    signer: crypto.Signer
    name: str
    monster: str
    port: int
    """Where this process listens for the other guests; 0 if nowhere."""
    entropy: Callable[[int], bytes]
    known_keys: KnownKeys = field(default_factory=KnownKeys)
    one_game: bool = False
    automatic: bool = False
    _phase: cores.Phase[GuestState, GuestEvent] = field(
        default_factory=lambda: cores.Phase.at_start(GUEST_LOBBY)
    )
    _effects: lobby_effects.EffectQueue = field(default_factory=lobby_effects.EffectQueue)
    _keys: seating.GuestKeyCheck = field(init=False)
    _talk: lobby_chat.LobbyTalk = field(init=False)
    _seat: agreement.OwnSeat | None = None
    """What this guest has sent the host about itself; None before."""
    _seen: agreement.SeenLobby = field(init=False)
    choices: GuestChoices = field(init=False)
    _pings: lobby_effects.PingTimer = field(default_factory=lobby_effects.PingTimer)
    _heard_at: float = math.inf
    _asked_at: float = math.inf
    """When a seat was asked for. A host that gives none, and yet pings, is left."""
    _leave_at: float = math.inf
    """The player wants to leave, and this seat has signed a start: until when it waits for that."""
    _followed: FollowedStart | None = None
    _newest_start: int = 0
    _signed: list[FollowedStart] = field(default_factory=list)
    """Starts that this seat has signed, in ascending order. Each of them may become a game, or
    have become one, whatever the host says."""
    _lost: lobby_effects.CloseLobby | None = None
    """The host is lost, and so the lobby ends, unless a game that this seat has signed began."""
    _away_until: float | None = None
    """The link to the host is lost, and is dialled again until then."""
    _held: frames.Start | None = None
    _held_until: float = math.inf
    """When the player has had time to see the lobby, if the start waits for that."""
    _start_pace: cores.Allowance = field(default_factory=cores.pace_of_starts)
    """A host that proposes without end is followed now and then."""
    _end_due: float = math.inf
    """When a host that still pings keeps the end of the start that is signed here to itself."""
    _declined_pace: cores.Allowance = field(default_factory=cores.pace_of_notices)
    _told_unaccepted: tuple[bytes, ...] = ()
    """The keys that are not accepted here, as the host was last sent them."""

    def __post_init__(self) -> None:
        self.name = clean_name(self.name, "Guest")
        self._keys = seating.GuestKeyCheck(self.known_keys, self.signer.key)
        self._talk = lobby_chat.LobbyTalk(self.signer)
        self._seen = agreement.SeenLobby(self.signer.key)
        self.choices = GuestChoices(self.signer, self._seen, self._effects)

    @property
    def deadline(self) -> float:
        if self.is_away:
            return self._pings.deadline
        if self._lost is not None:
            return min(self._heard_at + START_STEP_SECONDS, self._leave_at)
        waits = (self._held_until, self._end_due, self._leave_at)
        return min(self._pings.deadline, self._keys.questions.due, *waits)

    @property
    def is_over(self) -> bool:
        return self._phase.state in (GuestState.BEGUN, GuestState.ENDED)

    @property
    def _has_host(self) -> bool:
        return not self.is_over and self._lost is None and self._away_until is None

    @property
    def is_away(self) -> bool:
        return self._away_until is not None and not self.is_over

    @property
    def is_bound(self) -> bool:
        """Return whether this seat has signed a genesis, so that the game may have begun."""
        return bool(self._signed)

    @property
    def keys_at_table(self) -> set[bytes]:
        """Return the keys of all that may soon be in a game with this seat."""
        starts = self._signed if self._followed is None else [*self._signed, self._followed]
        keys = {player.key for start in starts for player in start.ceremony.charter.players}
        return {seat.key for seat in self._seen.taken_seats if not seat.is_kept} | keys

    def take_effects(self) -> list[lobby_effects.LobbyEffect]:
        return self._effects.take_all()

    # -- the seat ------------------------------------------------------------------------

    def ask_for_seat(self, host: bytes, now: float) -> None:
        self._heard_at = self._asked_at = now
        fresh = self.entropy(frames.FRESH_BYTES)
        sit = frames.Sit(self.name, self.monster, self.port, self.one_game, fresh, self.automatic)
        self._seat = agreement.OwnSeat(self.signer.key, host, sit)
        self._send_to_host(sit)
        self._pings.deadline = now

    def leave_table(self) -> None:
        if not self.is_over:
            self._stand_up()
            self._end_lobby(endings.EndKind.LEFT)

    def leave_unless_begun(self, now: float) -> None:
        """Leave as soon as the start that this seat has signed has failed."""
        self._leave_at = min(self._leave_at, now + START_STEP_SECONDS)

    def lose_host(self, now: float) -> None:
        """Handle the loss of the link to the host, which keeps the seat for a while."""
        if not self._has_host:
            return
        self._heard_at = now
        if self.is_bound or self._seen.lobby is None:
            self._end_lobby(endings.EndKind.LOST_HOST)
        else:
            self._away_until = now + frames.SEAT_KEPT_SECONDS
            self._forget_start()
            self._pings.rest(now)
            self._effects.add_effects(
                lobby_effects.ShowNotice(notices.HostLinkChanged(stands=False)),
                lobby_effects.DialHostAgain(),
            )

    def return_to_host(self, host: bytes, now: float) -> bool:
        """Ask `host` for the same seat again; return False if that is not the awaited one."""
        own = self._seen.own
        if not self.is_away or self._seat is None or host != self._seat.host or own is None:
            return False
        self._away_until = None
        self._heard_at = self._asked_at = now
        self._told_unaccepted = ()  # the host has forgotten them with the link
        sit = replace(self._seat.sit, name=own.name, monster=own.monster)
        self._seat = replace(self._seat, sit=sit)
        self._effects.show_notice(notices.HostLinkChanged(stands=True))
        self._send_to_host(sit)
        self._pings.deadline = now
        return True

    def give_up_return(self, kind: endings.EndKind, detail: str = "") -> None:
        """End the lobby if the host cannot be reached again, or has no seat any more."""
        if self.is_away:
            self._away_until = None
            self._end_lobby(kind, detail)

    def recall_start(self, start: FollowedStart, now: float) -> None:
        """Resume a start that an earlier process has signed before the game began here."""
        self._signed.append(start)
        self._effects.add_effects(start.keep())
        self.lose_host(now)

    def tick(self, now: float) -> None:
        if self._lost is not None and not self.is_over and now >= self.deadline:
            self._phase.move(GuestEvent.CLOSED)  # nobody has told that the game has begun
            self._effects.add_effects(self._lost)
        if self._away_until is not None:
            self._pings.rest(now)
            if now >= self._away_until:
                self.give_up_return(endings.EndKind.LOST_HOST)
        if not self._has_host:
            return
        if self._pings.is_due(now):
            self._send_to_host(frames.Ping())
        if now - self._heard_at >= frames.LINK_DEAD_SECONDS:
            self.lose_host(now)
            return
        if self._seen.lobby is None and now - self._asked_at >= frames.LINK_DEAD_SECONDS:
            self._end_lobby(endings.EndKind.NOT_A_TABLE, "no seat was given")
        self._pings.rest(now)
        if now >= self._keys.questions.due:
            self._all_keys_accepted(now)
        if now >= self._held_until:
            self._try_held_start(now)
        if now >= self._leave_at:
            self.leave_table()
        elif now >= self._end_due:
            self._stand_up()
            self.lose_host(now)

    def send_chat(self, text: str) -> None:
        if self._has_host and (line := self._talk.write_line(text)) is not None:
            self._send_to_host(line)
            name = self.name if self._seen.own is None else self._seen.own.name
            self._effects.show_notice(notices.Said(name, cores.clean_chat_line(text), True))

    # -- frames of the host ----------------------------------------------------------------

    def receive_frame(self, frame: frames.Frame, now: float) -> None:
        if self._has_host:
            self._heard_at = now
            self._try(lambda: self._accept_frame(frame, now))

    def _try(self, read: Callable[[], None]) -> None:
        """Read what the host sends, and leave a host that sends what no table of ours would."""
        try:
            read()
        except agreement.FalseLobby as fault:
            self._stand_up()
            self._end_lobby(endings.EndKind.FALSE_LOBBY, str(fault))
        except encoding.Unwritable:
            raise  # our own fault, and not the host's
        except (encoding.BadBytes, OtherVersion) as fault:
            self._end_lobby(endings.EndKind.NOT_A_TABLE, str(fault))

    def _accept_frame(self, frame: frames.Frame, now: float) -> None:
        match frame:
            case frames.Lobby():
                self._accept_lobby(frame, now)
            case frames.LobbyChat():
                heard = self._talk.read_line(frame, now)
                if heard is not None:
                    self._effects.show_notice(notices.Said(*heard, yours=False))
            case frames.Denied():
                self.choices.hear_denial(frame)
            case frames.Closed(code=code) | frames.Refusal(code=code):
                self._end_lobby(endings.end_kind_of_refusal(code))
            case frames.Start():
                if frame.charter.start <= self._newest_start:
                    raise encoding.BadBytes("a start that does not follow on the one before")
                self._newest_start = frame.charter.start
                self._accept_start(frame, now)
            case frames.AllSealed() | frames.GenesisShown():
                self._follow_start(frame)
            case entries.Signed(kind=entries.BodyKind.GENESIS):
                self.hear_seals(lobby_effects.LINK_TO_HOST, frame)
            case frames.Ping() | frames.Ask():
                pass  # it has shown by now that the link is alive
            case _:  # the annotation names all that a host never sends
                _ignored: (
                    entries.Signed | frames.HandshakeFrame | frames.GuestFrame | frames.GameFrame
                ) = frame

    def _accept_lobby(self, lobby: frames.Lobby, now: float) -> None:
        if self._seat is None:
            raise encoding.BadBytes("a lobby before a seat was asked for")
        self._seat.check_lobby(lobby, self.choices.names)
        self._end_due = math.inf  # a host that has begun shows no lobby, nor a start
        is_first = self._seen.lobby is None
        if self._seen.take(lobby, now):
            self._forget_start()
        self._talk.see_lobby(lobby)
        notice = lobby_effects.lobby_notice(lobby, self.signer.key)
        if is_first and (renamed := lobby_effects.name_notice(self.name, notice)) is not None:
            self._effects.show_notice(renamed)
        self._effects.show_notice(notice)
        self._keys.see_seats(lobby.seats, now)
        self._all_keys_accepted(now)

    def _forget_start(self) -> None:
        if self._phase.allows(GuestEvent.LOBBY_CHANGED):
            self._phase.move(GuestEvent.LOBBY_CHANGED)
            self._followed, self._held, self._held_until = None, None, math.inf

    # -- changed keys ----------------------------------------------------------------------

    def _all_keys_accepted(self, now: float) -> bool:
        # The host is sent which keys those are, so that it can show why nothing begins. The lobby
        # ends if no person here can be asked.
        found = (self._keys.change_of(seat) for seat in self._keys.seats)
        changed = [change for change in found if change is not None]
        for change in changed:
            if change.refused:
                self._effects.show_notice(change)
                self._stand_up()
                self._end_lobby(endings.EndKind.NEW_KEY, change.name)
                return False
        self._effects.show_notices(self._keys.questions.choose(changed, now))
        keys = tuple(change.new for change in changed)
        if keys != self._told_unaccepted:
            self._told_unaccepted = keys
            self._send_to_host(frames.Unsure(keys))
        return not changed

    def accept_key(self, name: str, now: float) -> None:
        self._effects.show_notices(self._keys.accept_player(name, now))
        if self._held is not None:
            self._try_held_start(now)
        elif self._has_host:
            self._all_keys_accepted(now)

    # -- the start -------------------------------------------------------------------------

    def _accept_start(self, start: frames.Start, now: float) -> None:
        """Follow a start that is exactly the lobby, and decline any other."""
        # The player must have had time to see that lobby, and know everybody in it.
        if self._seen.lobby is None:
            raise encoding.BadBytes("a start before the lobby")
        self._end_due = math.inf
        if self._leave_at < math.inf:  # the start that it has signed is given up
            self.leave_table()
            return
        if not agreement.is_start_of(self._seen.lobby, start.charter):
            self._send_to_host(frames.Declined(start.charter.table))
            if self._declined_pace.take(1, now):
                self._effects.show_notice(notices.StartDeclined(""))
            return
        due = max(
            self._seen.changed_at + agreement.LOBBY_SEEN_SECONDS, self._start_pace.next_time(1, now)
        )
        if not self._all_keys_accepted(now):
            self._hold_start(start, math.inf)
        elif now < due:
            self._hold_start(start, due)
        else:
            self._start_pace.charge(1, now)
            self._commit_to_start(start)

    def _hold_start(self, start: frames.Start, until: float) -> None:
        if not self.is_over:
            self._held, self._held_until = start, until
            self._phase.move(GuestEvent.START_HELD)

    def _try_held_start(self, now: float) -> None:
        held = self._held
        self._held, self._held_until = None, math.inf
        if held is not None and not self.is_over:
            self._try(lambda: self._accept_start(held, now))

    def _commit_to_start(self, start: frames.Start) -> None:
        self._followed = FollowedStart.begin_attempt(start, self.signer, self.entropy)
        self._held, self._held_until = None, math.inf
        self._phase.move(GuestEvent.START_FOLLOWED)
        self._send_to_host(
            frames.Sealed(start.charter.table, self._followed.ceremony.own_commitment)
        )

    def _follow_start(self, frame: frames.AllSealed | frames.GenesisShown) -> None:
        if self._followed is None:
            raise encoding.BadBytes("a start that was not proposed")
        ceremony = self._followed.ceremony
        match frame:
            case frames.AllSealed(table=table, commitments=commitments):
                if table == ceremony.charter.table:
                    ceremony.accept_commitments(commitments)
                    self._send_to_host(frames.RowShown(table, ceremony.row))
            case frames.GenesisShown(body=body):
                self._effects.add_effects(*self._followed.sign(body, lobby_effects.LINK_TO_HOST))
                self._end_due = self._heard_at + START_END_SECONDS
                if self._followed not in self._signed:
                    self._signed = [*self._signed, self._followed][-MAX_SIGNED_STARTS:]

    # -- the end of a start, from any player ----------------------------------------------------

    def tell_seals(self, link: lobby_effects.LinkNumber) -> None:
        """Send the known signatures of signed starts on a new link to another player."""
        if not self.is_over:
            self._effects.add_effects(*(start.tell_seals(link) for start in self._signed))

    def hear_seals(self, link: lobby_effects.LinkNumber, signed: entries.Signed) -> None:
        """Take in signatures under a start that this seat has signed; raise BadBytes."""
        known = [start for start in self._signed if start.genesis.body == signed.body]
        if not known or self.is_over:
            return
        (start,) = known
        genesis = start.ceremony.add_seals(signed)
        if genesis is not None:
            links = (
                {} if self._lost is not None else {lobby_effects.LINK_TO_HOST: genesis.charter.host}
            )
            self._phase.move(GuestEvent.ALL_SIGNED)
            mine, charter = start.ceremony, genesis.charter
            strangers = self.known_keys.find_strangers(genesis.players, self.signer.key)
            self._effects.show_notice(notices.StartSigned(charter, strangers))
            self._effects.add_effects(
                lobby_effects.BeginGame(genesis, mine.seat, mine.seed, links, start.addresses)
            )
        elif start.ceremony.seals.keys() - entries.unpack_seals(signed.signature).keys():
            self._effects.add_effects(start.tell_seals(link))  # more than the other side has

    def _end_lobby(self, kind: endings.EndKind, detail: str = "") -> None:
        # A seat that has signed a start does not give it up because of the host alone.
        if not self._has_host and kind is not endings.EndKind.LEFT:
            return
        if not self.is_bound or kind is endings.EndKind.LEFT:
            self._phase.move(GuestEvent.CLOSED)
            self._effects.add_effects(lobby_effects.CloseLobby(kind, detail))
        else:
            start = self._signed[-1]
            self._phase.move(GuestEvent.HOST_LOST)
            if kind is endings.EndKind.LOST_HOST:
                kind, detail = endings.EndKind.START_IN_DOUBT, start.genesis.phrase
            self._lost = lobby_effects.CloseLobby(kind, detail, keeps_start=True)
            self._effects.show_notice(notices.StartInDoubt())
            self._effects.add_effects(lobby_effects.FindOthers(start.genesis, start.addresses))

    def _stand_up(self) -> None:
        self._effects.add_effects(lobby_effects.HangUp(lobby_effects.LINK_TO_HOST, frames.Stand()))

    def _send_to_host(self, frame: frames.Frame) -> None:
        self._effects.send_frame(lobby_effects.LINK_TO_HOST, frame)


# -- name, monster and mark in an open lobby: what the player wants of them ----------------


MAX_OPEN_WISHES = 16
"""Wishes of which it is known what they were about. One more, and the oldest is forgotten."""


@dataclass(slots=True)
class GuestChoices:
    signer: crypto.Signer
    seen: agreement.SeenLobby
    effects: lobby_effects.EffectQueue
    names: set[str] = field(default_factory=set)
    """The names that the player has wanted in this lobby: the host may give each of them."""
    _serial: int = 0
    _open: dict[int, str] = field(default_factory=dict)
    """By serial: the name or monster that was wanted; empty for a mark. The oldest first."""

    def change_name(self, typed: str) -> None:
        wanted = seating.read_name(typed)
        if isinstance(wanted, notices.LobbyFault):
            self._refuse(wanted, typed)
        elif self._choose(wanted, name=wanted):
            self.names.add(wanted)

    def change_monster(self, typed: str) -> None:
        wanted = seating.read_monster(typed)
        if isinstance(wanted, notices.LobbyFault):
            self._refuse(wanted, typed)
        else:
            self._choose(wanted, monster=wanted)

    def mark_ready(self, wanted: bool) -> None:
        """Send a mark for a game as the lobby has it now."""
        if self.seen.lobby is not None:
            mark = (
                lobby_effects.sign_mark(self.seen.lobby, self.signer) if wanted else frames.NO_MARK
            )
            self.effects.send_frame(
                lobby_effects.LINK_TO_HOST, frames.Mark(self._count_wish(""), mark)
            )

    def hear_denial(self, denied: frames.Denied) -> None:
        """Report that the host has denied a wish, once for each wish at most."""
        wanted = self._open.pop(denied.serial, None)
        if wanted is not None:
            self._refuse(seating.fault_of(denied.code), wanted)

    def _choose(self, wanted: str, *, name: str = "", monster: str = "") -> bool:
        others = [seat for seat in self.seen.taken_seats if seat.key != self.signer.key]
        denial = seating.find_denial(name, monster, others)
        if denial is not None:
            self._refuse(seating.fault_of(denial), wanted)
        if denial is not None or self.seen.lobby is None:
            return False
        wish = frames.Choose(self._count_wish(wanted), name, monster)
        self.effects.send_frame(lobby_effects.LINK_TO_HOST, wish)
        return True

    def _count_wish(self, wanted: str) -> int:
        self._serial += 1
        self._open[self._serial] = wanted
        if len(self._open) > MAX_OPEN_WISHES:
            del self._open[next(iter(self._open))]
        return self._serial

    def _refuse(self, why: notices.LobbyFault, wanted: str) -> None:
        self.effects.show_notice(notices.LobbyRefused(why, wanted))


# -- a start that a guest follows: what it signs, keeps, and asks for ----------------------
#
# From the genesis that is shown to the signatures of all, of whomever they come. The host
# collects the signatures. Players tell each other, on each new link, the signatures that they
# know: if the host is lost as it hands them out, those who have them all have begun.


@dataclass(frozen=True, slots=True)
class FollowedStart:
    ceremony: Ceremony
    addresses: tuple[tuple[str, int], ...]
    """Where the host says that each seat can be dialled."""

    @staticmethod
    def begin_attempt(
        start: frames.Start, signer: crypto.Signer, entropy: Callable[[int], bytes]
    ) -> FollowedStart:
        """Begin to follow a start; raise BadBytes if this player has no seat there."""
        # A seed of an earlier attempt is never used again: parts of it may have been shown.
        seed, nonce = entropy(32), entropy(32)
        return FollowedStart(Ceremony(start.charter, signer, seed, nonce), start.addresses)

    @staticmethod
    def recall(
        genesis: Genesis, signer: crypto.Signer, seed: bytes, addresses: tuple[tuple[str, int], ...]
    ) -> FollowedStart:
        """Return a start that an earlier process has signed; raise BadBytes if it cannot have."""
        charter = genesis.charter
        keys = [charter.players[seat].key for seat in keepers_of(charter.players)]
        if signer.key not in keys:
            raise encoding.BadBytes("a start of others")
        nonce = genesis.rows[keys.index(signer.key)].nonce
        ceremony = Ceremony(charter, signer, seed, nonce)
        pairs = zip(keys, genesis.rows, strict=True)
        ceremony.accept_commitments([row.nonce_commitment(charter.table, k) for k, row in pairs])
        ceremony.sign_genesis(genesis.body)
        return FollowedStart(ceremony, addresses)

    @property
    def genesis(self) -> Genesis:
        assert self.ceremony.genesis is not None  # asked for once it is bound
        return self.ceremony.genesis

    def sign(
        self, body: bytes, host: lobby_effects.LinkNumber
    ) -> tuple[lobby_effects.KeepStart, lobby_effects.SendToLink]:
        signed = self.ceremony.sign_genesis(body)
        return self.keep(), lobby_effects.SendToLink(host, signed)

    def keep(self) -> lobby_effects.KeepStart:
        return lobby_effects.KeepStart(self.genesis, self.ceremony.seed, self.addresses)

    def tell_seals(self, link: lobby_effects.LinkNumber) -> lobby_effects.SendToLink:
        """Send the known signatures to the other side, which answers with the others it has."""
        return lobby_effects.SendToLink(link, self.ceremony.known_seals())
