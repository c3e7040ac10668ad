"""Lobbies without I/O in one room: a host, guests, and the frames between them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self, TypeVar

from kotp2p.lobby import lobby_effects
from kotp2p.lobby.agreement import LOBBY_SEEN_SECONDS
from kotp2p.lobby.guest import GuestLobby
from kotp2p.lobby.host import HostLobby, TableOffer
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import LobbyChanged
from kotp2p.wire.crypto import SIGNATURE_BYTES, Signer
from kotp2p.wire.entries import BodyKind, Signed
from kotp2p.wire.frames import Frame, Lobby, LobbyChat, Sealed, Start, decode, encode
from tests.support.memory_world import seeded

SEAL_BYTES = 1 + SIGNATURE_BYTES
F = TypeVar("F")
"""The kind of a frame."""


def is_assent(frame: Frame) -> bool:
    """The genesis with the signature of one keeper."""
    return isinstance(frame, Signed) and len(frame.signature) == SEAL_BYTES


def ends_start(frame: Frame) -> bool:
    """The genesis with the signatures of all keepers, of which there are at least two."""
    is_genesis = isinstance(frame, Signed) and frame.kind is BodyKind.GENESIS
    return is_genesis and not is_assent(frame)


def as_read(frame: Frame) -> Frame:
    """The frame as it comes at the other side. Raises BadBytes for what no reader takes."""
    read = decode(encode(frame)[4:])
    assert read is not None  # we know all frames that we write
    return read


@dataclass
class Room:
    """A host, guests by link number, and everything that was said, in order."""

    seats: int = 4
    start_when_full: bool = False
    energy_for_two: bool = False
    kept_for: tuple[bytes, ...] = ()
    """A rematch: the key that each seat is kept for."""
    host: HostLobby = field(init=False)
    guests: dict[int, GuestLobby] = field(default_factory=dict)
    entropy_of: dict[int, Callable[[int], bytes]] = field(default_factory=dict)
    """Of guests that have other bytes than always."""
    deaf: set[int] = field(default_factory=set)
    """Guests that get nothing and say nothing any more."""
    begun: dict[int, lobby_effects.BeginGame] = field(default_factory=dict)
    notices: list[object] = field(default_factory=list)
    told_to: dict[int, list[object]] = field(default_factory=dict)
    """The notices of each guest, but what the lobby is."""
    told: list[tuple[int, Frame]] = field(default_factory=list)
    seeds: list[bytes] = field(default_factory=list)
    """The seeds to which seats have committed, in order."""
    signed: dict[int, lobby_effects.KeepStart] = field(default_factory=dict)
    """What each guest has kept of the start that it has signed last."""
    shut: dict[int, EndKind] = field(default_factory=dict)

    def __post_init__(self) -> None:
        offer = TableOffer(
            "second",
            self.seats,
            start_when_full=self.start_when_full,
            order=self.kept_for,
            energy_for_two=self.energy_for_two,
        )
        host = Signer(bytes([1]) * 32)
        self.host = HostLobby(host, "Ana", "", offer, 4242, seeded("host"))

    @classmethod
    def of(cls, *guests: int, **how: Any) -> Self:
        """Make a room in which these guests sit."""
        room = cls(**how)
        for link in guests:
            room.join(link)
        return room

    def start(self, now: float) -> None:
        self.host.start_game(now)
        self.pump(now)

    def tick(self, now: float) -> None:
        self.host.tick(now)
        self.pump(now)

    def join(self, link: int, now: float = -LOBBY_SEEN_SECONDS, *, one_game: bool = False) -> None:
        """At 0 each player that has joined by default has had time to see the lobby."""
        self._sit_down(link, now, self._guest(link, one_game=one_game))

    def _guest(self, link: int, *, one_game: bool) -> GuestLobby:
        signer = Signer(bytes([10 + link]) * 32)
        entropy = self.entropy_of.get(link) or seeded(f"guest {link}")
        return GuestLobby(signer, f"Guest {link}", "", 0, entropy, one_game=one_game)

    def _sit_down(self, link: int, now: float, guest: GuestLobby) -> None:
        self.guests[link] = guest
        self.host.accept_link(link, guest.signer.key, "10.0.0.9", now)
        guest.ask_for_seat(self.host.signer.key, now)
        self.pump(now)

    def pump(self, now: float) -> None:
        """Carries frames to and fro until nothing is left to say."""
        busy = True
        while busy:
            busy = self._host_speaks(now)
            for link, guest in self.guests.items():
                busy |= self._guest_speaks(link, guest, now)

    def see_lobby(self, since: float) -> None:
        """Each guest has time to see the lobby as it has been since then."""
        now = since + LOBBY_SEEN_SECONDS
        for guest in self.guests.values():
            guest.tick(now)
        self.pump(now)

    def see(self, source: int, effect: lobby_effects.LobbyEffect) -> None:
        """Looks at an effect before it is performed; `source` is 0 for the host."""

    def _host_speaks(self, now: float) -> bool:
        effects = self.host.take_effects()
        for effect in effects:
            self.see(0, effect)
            match effect:
                case (
                    lobby_effects.SendToLink(link=link, frame=frame)
                    | lobby_effects.HangUp(link=link, frame=frame)
                ):
                    self._host_says(link, frame, now)
                case lobby_effects.ShowNotice(notice=notice):
                    self.notices.append(notice)
                case lobby_effects.BeginGame():
                    self.begun[0] = effect
                    for told in effect.tell_first:
                        self._host_says(told.link, told.frame, now)
                case _:
                    pass
        return bool(effects)

    def _host_says(self, link: int, frame: Frame, now: float) -> None:
        self.told.append((link, frame))
        attempt = self.host.start._attempt
        if isinstance(frame, Start) and attempt is not None:
            self._note_seed(attempt.ceremony.seed)
        heard = self.altered_by_host(link, frame)
        if link in self.guests and link not in self.deaf and heard is not None:
            self.guests[link].receive_frame(as_read(heard), now)

    def _note_seed(self, seed: bytes) -> None:
        if seed not in self.seeds[-self.seats :]:
            self.seeds.append(seed)

    def _guest_speaks(self, link: int, guest: GuestLobby, now: float) -> bool:
        effects = guest.take_effects()
        for effect in effects:
            self.see(link, effect)
            match effect:
                case lobby_effects.SendToLink(link=number) if number != lobby_effects.LINK_TO_HOST:
                    pass  # to another seat: this room has links to the host alone
                case lobby_effects.SendToLink(frame=frame) | lobby_effects.HangUp(frame=frame) if (
                    link not in self.deaf
                ):
                    if isinstance(frame, Sealed) and guest._followed is not None:
                        self._note_seed(guest._followed.ceremony.seed)
                    self.host.receive_frame(link, as_read(self.altered(link, frame)), now)
                case lobby_effects.ShowNotice(notice=notice) if not isinstance(
                    notice, LobbyChanged
                ):
                    self.told_to.setdefault(link, []).append(notice)
                case lobby_effects.BeginGame():
                    self.begun[link] = effect
                case lobby_effects.CloseLobby(kind=kind):
                    self.shut[link] = kind
                case lobby_effects.KeepStart():
                    self.signed[link] = effect
                case _:
                    pass
        return bool(effects)

    def altered(self, link: int, frame: Frame) -> Frame:
        """A frame of the guest at this link, as the host gets it."""
        return frame

    def altered_by_host(self, link: int, frame: Frame) -> Frame | None:
        """A frame of the host, as the guest at this link gets it; None if the guest does not."""
        return frame

    def line_of(self, link: int, words: str) -> LobbyChat:
        """What the guest at this link says, signed, before the host has heard it."""
        line = self.guests[link]._talk.write_line(words)
        assert line is not None
        return line

    def lobbies_of(self, link: int) -> list[Lobby]:
        """Those that this guest was told."""
        return [frame for to, frame in self.told if to == link and isinstance(frame, Lobby)]

    def said(self, kind: type[F]) -> list[F]:
        return [frame for _, frame in self.told if isinstance(frame, kind)]


REX, KIM, MALLORY = 1, 2, 3


def room_of_three() -> Room:
    room = Room.of(REX, KIM, MALLORY, seats=5)
    room.told.clear()
    room.notices.clear()
    return room
