"""Lobbies without I/O in one room: a host, guests, and the frames between them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

from kotp2p.endings import EndKind
from kotp2p.lobby.effects import BeginGame, CloseLobby, HangUp, SaveSeed, SendToLink, ShowNotice
from kotp2p.lobby.guest import GuestLobby
from kotp2p.lobby.host import HostLobby, TableOffer
from kotp2p.wire.crypto import Signer
from kotp2p.wire.frames import Frame
from tests.support.memory_world import seeded

F = TypeVar("F")
"""The kind of a frame."""


@dataclass
class Room:
    """A host, guests by link number, and everything that was said, in order."""

    seats: int = 4
    start_when_full: bool = False
    host: HostLobby = field(init=False)
    guests: dict[int, GuestLobby] = field(default_factory=dict)
    deaf: set[int] = field(default_factory=set)
    """Guests that get nothing and say nothing any more."""
    begun: dict[int, BeginGame] = field(default_factory=dict)
    notices: list[object] = field(default_factory=list)
    told: list[tuple[int, Frame]] = field(default_factory=list)
    seeds: list[bytes] = field(default_factory=list)
    shut: dict[int, EndKind] = field(default_factory=dict)

    def __post_init__(self) -> None:
        offer = TableOffer("second", self.seats, start_when_full=self.start_when_full)
        host = Signer(bytes([1]) * 32)
        self.host = HostLobby(host, "Ana", "", offer, 4242, seeded("host"))

    def join(self, link: int, now: float = 0.0, *, one_game: bool = False) -> None:
        guest = GuestLobby(
            Signer(bytes([10 + link]) * 32), f"Guest {link}", "", 0, seeded(f"guest {link}"),
            one_game=one_game,
        )  # fmt: skip
        self.guests[link] = guest
        self.host.accept_link(link, guest.signer.key, "10.0.0.9", now)
        guest.ask_for_seat(now)
        self.pump(now)

    def pump(self, now: float) -> None:
        """Carries frames to and fro until nothing is left to say."""
        busy = True
        while busy:
            busy = self._host_speaks(now)
            for link, guest in self.guests.items():
                busy |= self._guest_speaks(link, guest, now)

    def _host_speaks(self, now: float) -> bool:
        effects = self.host.take_effects()
        for effect in effects:
            match effect:
                case SendToLink(link=link, frame=frame) | HangUp(link=link, frame=frame):
                    self.told.append((link, frame))
                    if link in self.guests and link not in self.deaf:
                        self.guests[link].receive_frame(frame, now)
                case ShowNotice(notice=notice):
                    self.notices.append(notice)
                case BeginGame():
                    self.begun[0] = effect
                case SaveSeed(seed=seed):
                    self.seeds.append(seed)
                case _:
                    pass
        return bool(effects)

    def _guest_speaks(self, link: int, guest: GuestLobby, now: float) -> bool:
        effects = guest.take_effects()
        for effect in effects:
            match effect:
                case SendToLink(frame=frame) | HangUp(frame=frame) if link not in self.deaf:
                    self.host.receive_frame(link, self.altered(link, frame), now)
                case BeginGame():
                    self.begun[link] = effect
                case CloseLobby(kind=kind):
                    self.shut[link] = kind
                case SaveSeed(seed=seed):
                    self.seeds.append(seed)
                case _:
                    pass
        return bool(effects)

    def altered(self, link: int, frame: Frame) -> Frame:
        return frame

    def said(self, kind: type[F]) -> list[F]:
        return [frame for _, frame in self.told if isinstance(frame, kind)]
