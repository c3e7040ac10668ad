"""A guest's side of the lobby, without I/O: it asks for a seat and follows the host's start.

Scope: the states of a guest's lobby, its frames to the host, and what its front is told.
Not here: the checks of a start (`kotp2p.lobby.ceremony`), and changed keys (`key_check`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from kotp2p.endings import EndKind, end_kind_of_refusal
from kotp2p.lobby.ceremony import Ceremony
from kotp2p.lobby.effects import (
    LINK_TO_HOST,
    BeginGame,
    CloseLobby,
    EffectQueue,
    HangUp,
    LobbyEffect,
    SaveSeed,
    lobby_notice,
    name_notice,
)
from kotp2p.lobby.key_check import GuestKeyCheck
from kotp2p.lobby.known_keys import KnownKeys
from kotp2p.lobby.pings import LINK_DEAD_SECONDS, PingTimer
from kotp2p.notices import LobbyFault, LobbyRefused, Said
from kotp2p.state_table import Phase, StateTable
from kotp2p.wire.chat_limit import clean_chat_line
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import Signed
from kotp2p.wire.frames import Frame
from kotp2p.wire.frames_game import GameFrame
from kotp2p.wire.frames_link import HandshakeFrame, Refusal
from kotp2p.wire.frames_lobby import (
    AllAssent,
    AllSealed,
    Assent,
    Closed,
    GenesisShown,
    GuestFrame,
    Lobby,
    LobbyChat,
    Ping,
    RowShown,
    Sealed,
    Sit,
    Stand,
    Start,
    Unsure,
)
from kotp2p.wire.genesis import Genesis, OtherVersion
from kotp2p.wire.names import clean_name


class GuestState(StrEnum):
    WAITING = "waiting"
    """No start was proposed yet."""
    HOLDING = "holding"
    """A start was proposed, and waits here until a changed key is accepted."""
    STARTING = "starting"
    """This seat follows a start (`kotp2p.lobby.ceremony` has its steps)."""
    BEGUN = "begun"
    ENDED = "ended"
    """The lobby is over without a game."""


class GuestEvent(StrEnum):
    START_HELD = "a start with a changed key"
    START_FOLLOWED = "a start that can be followed"
    ALL_SIGNED = "all have signed"
    CLOSED = "left, closed or lost"


GUEST_LOBBY = StateTable(
    "lobby of a guest",
    GuestState.WAITING,
    {
        GuestState.WAITING: {
            GuestEvent.START_HELD: GuestState.HOLDING,
            GuestEvent.START_FOLLOWED: GuestState.STARTING,
            GuestEvent.CLOSED: GuestState.ENDED,
        },
        # The host tells nobody when it gives a start up: the next proposal takes its place. Until
        # then the start before it can still come to its end.
        GuestState.HOLDING: {
            GuestEvent.START_HELD: GuestState.HOLDING,
            GuestEvent.START_FOLLOWED: GuestState.STARTING,
            GuestEvent.ALL_SIGNED: GuestState.BEGUN,
            GuestEvent.CLOSED: GuestState.ENDED,
        },
        GuestState.STARTING: {
            GuestEvent.START_HELD: GuestState.HOLDING,
            GuestEvent.START_FOLLOWED: GuestState.STARTING,
            GuestEvent.ALL_SIGNED: GuestState.BEGUN,
            GuestEvent.CLOSED: GuestState.ENDED,
        },
        GuestState.BEGUN: {},
        GuestState.ENDED: {},
    },
)


@dataclass(frozen=True, slots=True)
class FollowedStart:
    """The start that this seat has followed last."""

    ceremony: Ceremony
    addresses: tuple[tuple[str, int], ...]
    """Where the host says that each seat can be dialled."""


@dataclass(slots=True)
class GuestLobby:
    signer: Signer
    name: str
    monster: str
    port: int
    """Where this process listens for the other guests; 0 if nowhere."""
    entropy: Callable[[int], bytes]
    known_keys: KnownKeys = field(default_factory=KnownKeys)
    one_game: bool = False
    """The own key is made for this game only."""
    _phase: Phase[GuestState, GuestEvent] = field(
        default_factory=lambda: Phase.at_start(GUEST_LOBBY)
    )
    _effects: EffectQueue = field(default_factory=EffectQueue)
    _keys: GuestKeyCheck = field(init=False)
    _pings: PingTimer = field(default_factory=PingTimer)
    _heard_at: float = math.inf
    """When the host was last heard."""
    _followed: FollowedStart | None = None
    _held: Start | None = None
    """The start that waits in the state HOLDING."""
    _told_name: bool = False
    _told_unaccepted: tuple[bytes, ...] = ()
    """The keys that are not accepted here, as the host was told."""

    def __post_init__(self) -> None:
        self.name = clean_name(self.name, "Guest")
        self._keys = GuestKeyCheck(self.known_keys, self.signer.key)

    @property
    def deadline(self) -> float:
        return self._pings.deadline

    @property
    def is_over(self) -> bool:
        return self._phase.state in (GuestState.BEGUN, GuestState.ENDED)

    @property
    def is_bound(self) -> bool:
        """This seat has signed a genesis: for the others the game may have begun already."""
        return self._followed is not None and self._followed.ceremony.is_bound

    def take_effects(self) -> list[LobbyEffect]:
        return self._effects.take_all()

    def people_to_remember(self, genesis: Genesis) -> list[tuple[str, bytes]]:
        return self._keys.people_to_remember(genesis)

    # -- the seat ------------------------------------------------------------------------

    def ask_for_seat(self, now: float) -> None:
        self._heard_at = now
        self._send_to_host(Sit(self.name, self.monster, self.port, self.one_game))
        self._pings.deadline = now

    def leave_table(self) -> None:
        if not self.is_over:
            self._effects.add_effects(HangUp(LINK_TO_HOST, Stand()))
            self._end_lobby(EndKind.LEFT)

    def lose_host(self) -> None:
        """The link to the host is gone."""
        self._end_lobby(EndKind.LOST_HOST)

    def tick(self, now: float) -> None:
        if self.is_over:
            return
        if self._pings.is_due(now):
            self._send_to_host(Ping())
        if now - self._heard_at >= LINK_DEAD_SECONDS:
            self._end_lobby(EndKind.LOST_HOST)
        self._pings.rest(now)

    def send_chat(self, text: str) -> None:
        text = clean_chat_line(text)
        if text and not self.is_over:
            self._send_to_host(LobbyChat("", text))
            self._effects.show_notice(Said(self.name, text, True))

    # -- frames of the host ----------------------------------------------------------------

    def receive_frame(self, frame: Frame, now: float) -> None:
        if self.is_over:
            return
        self._heard_at = now
        self._try_frame(frame)

    def _try_frame(self, frame: Frame) -> None:
        """Leaves a host that sends what no table of ours would send."""
        try:
            self._accept_frame(frame)
        except (BadBytes, OtherVersion) as fault:
            self._end_lobby(EndKind.NOT_A_TABLE, str(fault))

    def _accept_frame(self, frame: Frame) -> None:
        match frame:
            case Lobby():
                self._accept_lobby(frame)
            case LobbyChat(name=name, text=text):
                self._effects.show_notice(Said(name, text, False))
            case Closed(code=code) | Refusal(code=code):
                self._end_lobby(end_kind_of_refusal(code))
            case Start():
                self._accept_start(frame)
            case AllSealed() | GenesisShown() | AllAssent():
                self._follow_start(frame)
            case Ping():
                pass  # it has shown by now that the link is alive
            case _:  # the annotation names all that a host never sends
                _ignored: Signed | HandshakeFrame | GuestFrame | GameFrame = frame

    def _accept_lobby(self, lobby: Lobby) -> None:
        notice = lobby_notice(lobby, self.signer.key)
        renamed = name_notice(self.name, notice)
        if renamed is not None and not self._told_name:
            self._told_name = True
            self._effects.show_notice(renamed)
        self._effects.show_notice(notice)
        self._keys.seats = lobby.seats
        self._all_keys_accepted(self._keys.people_seated())

    # -- changed keys ----------------------------------------------------------------------

    def _all_keys_accepted(self, people: list[tuple[str, bytes]]) -> bool:
        """Asks about each key that has changed, and tells the host which keys are not accepted, so
        that it can show why nothing begins. Ends the lobby if nobody here can be asked."""
        changed = self._keys.changed_keys(people)
        for change in changed:
            if change.refused:
                self._effects.show_notice(change)
                self._effects.add_effects(HangUp(LINK_TO_HOST, Stand()))
                self._end_lobby(EndKind.NEW_KEY, change.name)
                return False
            if self._keys.is_first_question(change.new):
                self._effects.show_notice(change)
        keys = tuple(change.new for change in changed)
        if keys != self._told_unaccepted:
            self._told_unaccepted = keys
            self._send_to_host(Unsure(keys))
        return not changed

    def accept_key(self, name: str) -> None:
        """The player of this name is the one known before, with another key."""
        if not self._keys.accept_player(name):
            self._effects.show_notice(LobbyRefused(LobbyFault.NO_SUCH_NAME, name))
        if self._phase.state is GuestState.HOLDING:
            assert self._held is not None  # it is what makes this state
            self._try_frame(self._held)
        elif not self.is_over:
            self._all_keys_accepted(self._keys.people_seated())

    # -- the start -------------------------------------------------------------------------

    def _accept_start(self, start: Start) -> None:
        players = [(p.name, p.key) for p in start.charter.players if not p.bot]
        if self._all_keys_accepted(players):
            self._commit_to_start(start)
        elif not self.is_over:
            self._held = start
            self._phase.move(GuestEvent.START_HELD)

    def _commit_to_start(self, start: Start) -> None:
        """A new attempt: the seed of an earlier one is never used again, as parts of it may have
        been shown."""
        seed, nonce = self.entropy(32), self.entropy(32)
        ceremony = Ceremony(start.charter, self.signer, seed, nonce)
        self._followed = FollowedStart(ceremony, start.addresses)
        self._phase.move(GuestEvent.START_FOLLOWED)
        self._effects.add_effects(SaveSeed(start.charter.table, seed))
        self._send_to_host(Sealed(start.charter.table, ceremony.own_commitment))

    def _follow_start(self, frame: AllSealed | GenesisShown | AllAssent) -> None:
        if self._followed is None:
            raise BadBytes("a start that was not proposed")
        ceremony = self._followed.ceremony
        match frame:
            case AllSealed(table=table, commitments=commitments):
                if table == ceremony.charter.table:
                    ceremony.accept_commitments(commitments)
                    self._send_to_host(RowShown(table, ceremony.row))
            case GenesisShown(body=body):
                self._send_to_host(Assent(ceremony.sign_genesis(body)))
            case AllAssent(signatures=signatures):
                genesis = ceremony.complete_genesis(signatures)
                self._phase.move(GuestEvent.ALL_SIGNED)
                links = {LINK_TO_HOST: genesis.charter.host}
                addresses = self._followed.addresses
                self._effects.add_effects(
                    BeginGame(genesis, ceremony.seat, ceremony.seed, links, addresses)
                )

    def _end_lobby(self, kind: EndKind, detail: str = "") -> None:
        """The lobby is over without a game, unless it is over already."""
        if not self.is_over:
            self._phase.move(GuestEvent.CLOSED)
            self._effects.add_effects(CloseLobby(kind, detail))

    def _send_to_host(self, frame: Frame) -> None:
        self._effects.send_frame(LINK_TO_HOST, frame)
