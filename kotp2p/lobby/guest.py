"""A guest's side of the lobby, without I/O: asks for a seat and takes part in the start."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from kotp2p.endings import EndKind, end_kind_of_refusal
from kotp2p.lobby.ceremony import LINK_DEAD_SECONDS, PING_SECONDS, Ceremony
from kotp2p.lobby.effects import (
    LINK_TO_HOST,
    BeginGame,
    CloseLobby,
    HangUp,
    LobbyEffect,
    SaveSeed,
    SendToLink,
    ShowNotice,
    lobby_notice,
    name_notice,
)
from kotp2p.lobby.known_keys import KnownKeys, NewKeyPolicy, people_to_remember
from kotp2p.notices import KeyChanged, LobbyFault, LobbyRefused, Said
from kotp2p.wire.crypto import Signer
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import Signed
from kotp2p.wire.frames import Frame
from kotp2p.wire.frames_game import GameFrame
from kotp2p.wire.frames_link import LinkFrame, Refusal
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
    TakenSeat,
    Unsure,
)
from kotp2p.wire.genesis import Genesis, OtherVersion
from kotp2p.wire.names import clean_name, fold_name
from kotp2p.wire.rate import clean_chat_line


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
    """Our key is made for this game only."""
    deadline: float = math.inf
    over: bool = False
    _effects: list[LobbyEffect] = field(default_factory=list)
    _ceremony: Ceremony | None = None
    _addresses: tuple[tuple[str, int], ...] = ()
    _heard: float = math.inf
    _next_ping: float = 0.0
    _told_name: bool = False
    _seats: tuple[TakenSeat, ...] = ()
    """Who sits in the lobby."""
    _asked: set[bytes] = field(default_factory=set)
    """Keys that were asked about."""
    _unsure: tuple[bytes, ...] = ()
    """Keys that are not accepted, as the host knows."""
    _held: Start | None = None
    """A start that waits until a changed key is accepted."""

    def __post_init__(self) -> None:
        self.name = clean_name(self.name, "Guest")

    def take_effects(self) -> list[LobbyEffect]:
        effects, self._effects = self._effects, []
        return effects

    def ask_for_seat(self, now: float) -> None:
        self._heard = now
        self._tell(Sit(self.name, self.monster, self.port, self.one_game))
        self.deadline = now

    def send_chat(self, words: str) -> None:
        """Something for all that are seated."""
        words = clean_chat_line(words)
        if words and not self.over:
            self._effects.append(SendToLink(LINK_TO_HOST, LobbyChat("", words)))
            self._effects.append(ShowNotice(Said(self.name, words, True)))

    def receive_frame(self, frame: Frame, now: float) -> None:
        if self.over:
            return
        self._heard = now
        try:
            self._handle(frame)
        except (BadBytes, OtherVersion) as fault:
            self._shut(EndKind.NOT_A_TABLE, str(fault))

    def _handle(self, frame: Frame) -> None:
        match frame:
            case Lobby():
                notice = lobby_notice(frame, self.signer.key)
                renamed = name_notice(self.name, notice)
                if renamed is not None and not self._told_name:
                    self._told_name = True
                    self._effects.append(ShowNotice(renamed))
                self._effects.append(ShowNotice(notice))
                self._seats = tuple(seat for seat in frame.seats if seat is not None)
                self._look_at_keys(self._people())
            case LobbyChat(name=name, text=words):
                self._effects.append(ShowNotice(Said(name, words, False)))
            case Closed(code=code) | Refusal(code=code):
                self._shut(end_kind_of_refusal(code))
            case Start():
                players = [(p.name, p.key) for p in frame.charter.players if not p.bot]
                self._held = None
                if self._look_at_keys(players):
                    self._held = frame
                elif not self.over:
                    self._start(frame)
            case AllSealed() | GenesisShown() | AllAssent():
                self._follow(frame)
            case Ping():
                pass  # it has shown by now that the link is alive
            case _:  # the annotation names all that a host never sends
                _ignored: Signed | LinkFrame | GuestFrame | GameFrame = frame

    def _look_at_keys(self, people: list[tuple[str, bytes]]) -> bool:
        """Whether some have another key than they had, and are not accepted yet. The host is told
        who, so that he can tell why nothing begins."""
        found = []
        for name, key in people:
            known = self.known_keys.known_other_key(name, key)
            if known is None or key == self.signer.key:
                continue
            found.append(key)
            if self.known_keys.policy is NewKeyPolicy.REFUSE:
                self._effects += [
                    ShowNotice(KeyChanged(name, known, key, True)),
                    HangUp(LINK_TO_HOST, Stand()),
                ]
                self._shut(EndKind.NEW_KEY, name)
                return True
            if key not in self._asked:
                self._asked.add(key)
                self._effects.append(ShowNotice(KeyChanged(name, known, key)))
        if self._unsure != tuple(found):
            self._unsure = tuple(found)
            self._tell(Unsure(self._unsure))
        return bool(found)

    def accept_key(self, name: str) -> None:
        """A known name with another key: it is he."""
        found = [p for p in self._seats if fold_name(p.name) == fold_name(name)]
        if not found:
            self._effects.append(ShowNotice(LobbyRefused(LobbyFault.NO_SUCH_NAME, name)))
        for place in found:
            self.known_keys.accept_key(place.name, place.key)
        held, self._held = self._held, None
        if held is not None:
            self._handle(held)
        elif not self.over:
            self._look_at_keys(self._people())

    def _people(self) -> list[tuple[str, bytes]]:
        return [(p.name, p.key) for p in self._seats if not p.bot]

    def people_to_remember(self, genesis: Genesis) -> list[tuple[str, bytes]]:
        """Names and keys of the others that are worth remembering."""
        passing = {p.key for p in self._seats if p.one_game} | {self.signer.key}
        return people_to_remember(genesis.players, passing)

    def _start(self, start: Start) -> None:
        """A new attempt: the seed of an earlier one is not used again."""
        seed = self.entropy(32)
        self._ceremony = Ceremony(start.charter, self.signer, seed, self.entropy(32))
        self._addresses = start.addresses
        self._effects.append(SaveSeed(start.charter.table, seed))
        self._tell(Sealed(start.charter.table, self._ceremony.own_commitment))

    def _follow(self, frame: AllSealed | GenesisShown | AllAssent) -> None:
        ceremony = self._ceremony
        if ceremony is None:
            raise BadBytes("a start that was not proposed")
        match frame:
            case AllSealed(table=table, commitments=seals):
                if table == ceremony.charter.table:
                    ceremony.accept_commitments(seals)
                    self._tell(RowShown(table, ceremony.row))
            case GenesisShown(body=body):
                self._tell(Assent(ceremony.sign_genesis(body)))
            case AllAssent(signatures=signatures):
                genesis = ceremony.complete_genesis(signatures)
                self.over = True
                links = {LINK_TO_HOST: genesis.charter.host}
                self._effects.append(
                    BeginGame(genesis, ceremony.seat, ceremony.seed, links, self._addresses)
                )

    @property
    def is_bound(self) -> bool:
        """It has signed a genesis: for the others the game may have begun already."""
        return self._ceremony is not None and self._ceremony.genesis is not None

    def leave_table(self) -> None:
        if not self.over:
            self.over = True
            self._effects += [HangUp(LINK_TO_HOST, Stand()), CloseLobby(EndKind.LEFT)]

    def lose_host(self) -> None:
        """The link to the host is gone."""
        self._shut(EndKind.LOST_HOST)

    def tick(self, now: float) -> None:
        if self.over:
            return
        if now >= self._next_ping:
            self._next_ping = now + PING_SECONDS
            self._tell(Ping())
        if now - self._heard >= LINK_DEAD_SECONDS:
            self._shut(EndKind.LOST_HOST)
        self.deadline = now + PING_SECONDS / 2

    def _shut(self, kind: EndKind, detail: str = "") -> None:
        if not self.over:
            self.over = True
            self._effects.append(CloseLobby(kind, detail))

    def _tell(self, frame: Frame) -> None:
        self._effects.append(SendToLink(LINK_TO_HOST, frame))
