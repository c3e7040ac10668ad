"""A host that lies in its lobby: true frames, altered on their way to a guest.

Law: the program behind it is the real one, and its guests meet it over their links as they meet an
honest one. After a few lies it tells the truth, so that a game begins at last. What each guest was
shown, and what it signed, is compared by laws I20 and I21.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias
from unittest.mock import patch

from kotp2p.lobby import host as host_module
from kotp2p.lobby.effects import BeginGame, SendToLink
from kotp2p.lobby.start_attempt import make_charter
from kotp2p.shell.lobby_stage import LobbyStage
from kotp2p.wire.frames import Frame
from kotp2p.wire.frames_lobby import AllAssent, Lobby, Start
from kotp2p.wire.genesis import Charter, Clocks
from tests.support.lying_host import with_players, with_seats
from tests.tools.sim.life import CURRENT

if TYPE_CHECKING:
    from tests.tools.sim.game import SimGame

Lie: TypeAlias = Callable[[Random, Frame], Frame | None]
"""What is sent in place of a frame; None: nothing; the frame itself: this lie has no place here."""
HOST_MACHINE = 0
MOST_LIES = 4
OTHER_CLOCKS = Clocks(7, 7)


def lobby_of_other_clocks(chance: Random, frame: Frame) -> Frame | None:
    if not isinstance(frame, Lobby):
        return frame
    return replace(frame, options=replace(frame.options, clocks=OTHER_CLOCKS))


def lobby_of_bots(chance: Random, frame: Frame) -> Frame | None:
    """All but the host and the guest that reads it may be called bots, or persons."""
    if not isinstance(frame, Lobby):
        return frame
    called = chance.choice((True, False))
    return with_seats(frame, lambda seat: seat if seat.host else replace(seat, bot=called))


def lobby_in_another_order(chance: Random, frame: Frame) -> Frame | None:
    return replace(frame, seats=frame.seats[::-1]) if isinstance(frame, Lobby) else frame


def silent_lobby(chance: Random, frame: Frame) -> Frame | None:
    return None if isinstance(frame, Lobby) else frame


def start_in_another_order(chance: Random, frame: Frame) -> Frame | None:
    if not isinstance(frame, Start):
        return frame
    players = frame.charter.players[::-1]
    host = len(players) - 1 - frame.charter.host
    return replace(frame, charter=with_players(frame.charter, players, host))


def no_start(chance: Random, frame: Frame) -> Frame | None:
    return None if isinstance(frame, Start) else frame


def proof_withheld(chance: Random, frame: Frame) -> Frame | None:
    """A guest is not told that all have signed, while others are."""
    return None if isinstance(frame, AllAssent) else frame


def false_addresses(chance: Random, frame: Frame) -> Frame | None:
    """The guests cannot dial one another."""
    if not isinstance(frame, Start):
        return frame
    nowhere = tuple((f"10.9.9.{seat}", 4242) for seat in range(len(frame.addresses)))
    return replace(frame, addresses=nowhere)


def game_of_other_clocks(charter: Charter) -> Charter:
    return replace(charter, clocks=OTHER_CLOCKS)


def game_of_other_monsters(charter: Charter) -> Charter:
    monsters = [p.monster for p in charter.players]
    turned = tuple(
        replace(player, monster=monster)
        for player, monster in zip(charter.players, [*monsters[1:], monsters[0]], strict=True)
    )
    return with_players(charter, turned, charter.host)


GUEST_LIES: dict[str, Lie] = {
    "lobby of other clocks": lobby_of_other_clocks,
    "lobby of bots": lobby_of_bots,
    "lobby in another order": lobby_in_another_order,
    "silent lobby": silent_lobby,
    "start in another order": start_in_another_order,
    "no start": no_start,
    "proof of the start withheld": proof_withheld,
}
"""To one guest."""
GAME_LIES: dict[str, Callable[[Charter], Charter]] = {
    "game of other clocks": game_of_other_clocks,
    "game of other monsters": game_of_other_monsters,
}
"""To all guests; the host goes through with it."""
HOST_LIES = (*GUEST_LIES, *GAME_LIES)
ALONE = {"false addresses": false_addresses}
"""Of a host that plays by the rules afterwards: if it passed nothing on either, the honest could
not hear of each other."""


@dataclass
class LyingHost:
    lies: tuple[str, ...]
    chance: Random
    told: Callable[[str], None]
    """Is told of each lie."""
    left: int = field(init=False)

    def __post_init__(self) -> None:
        self.left = self.chance.randint(1, MOST_LIES)

    def alter(self, frame: Frame) -> Frame | None:
        """What a guest is sent in place of this frame."""
        for name, lie in (GUEST_LIES | ALONE).items():
            if name in self.lies:
                changed = lie(self.chance, frame)
                if changed != frame and self._lies_now(name):
                    return changed
        return frame

    def propose(self, charter: Charter) -> Charter:
        """What all guests are asked to sign in place of their lobby."""
        for name, lie in GAME_LIES.items():
            if name in self.lies and self._lies_now(name):
                return lie(charter)
        return charter

    def _lies_now(self, name: str) -> bool:
        if not self.left or self.chance.random() < 0.5:
            return False
        self.left -= 1
        self.told(f"host: {name}")
        return True


@contextmanager
def lying(game: SimGame) -> Iterator[None]:
    """Within, the host of the game tells its guests the lies of its seed."""
    host = LyingHost(game.mix.host_lies, Random(f"lies {game.mix.seed}"), game.trace.fault)
    perform, begin = LobbyStage._perform, LobbyStage._begin_game

    def is_of_host() -> bool:
        life = CURRENT.get()
        return life is not None and life.machine == HOST_MACHINE

    def altered(effect: SendToLink) -> Iterator[SendToLink]:
        frame = host.alter(effect.frame)
        if frame is not None:
            yield replace(effect, frame=frame)

    async def performs(stage: LobbyStage, effect: Any) -> None:
        is_lie = isinstance(effect, SendToLink) and is_of_host()
        for sent in altered(effect) if is_lie else (effect,):
            await perform(stage, sent)

    async def begins(stage: LobbyStage, effect: BeginGame) -> Any:
        if is_of_host():
            told = tuple(sent for one in effect.tell_first for sent in altered(one))
            effect = replace(effect, tell_first=told)
        return await begin(stage, effect)

    def makes(*terms: Any) -> Charter:
        charter = make_charter(*terms)
        return host.propose(charter) if is_of_host() else charter

    with (
        patch.object(LobbyStage, "_perform", performs),
        patch.object(LobbyStage, "_begin_game", begins),
        patch.object(host_module, "make_charter", makes),
    ):
        yield
