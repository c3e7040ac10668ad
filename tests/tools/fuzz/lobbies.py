"""Both sides of a lobby: what one says to the other is changed on the way, now and then.

A guest may take its host for something else and go, a host may let a guest go or begin anew.
Neither raises anything, and the terminal has words for whatever is shown.
"""

import random

from kotp2p.cli.ui.notice_feed import Audience, NoticeFeed
from kotp2p.lobby import lobby_effects
from kotp2p.lobby.guest import GuestLobby
from kotp2p.lobby.host import HostLobby, TableOffer
from kotp2p.wire.crypto import Signer
from kotp2p.wire.frames import Frame, decode, encode
from tests.tools.fuzz import errors, seeds
from tests.tools.fuzz.mutate import Mutator

GUESTS = (1, 2)


class Room:
    """A host and two guests; `changed` counts the frames that were changed on the way."""

    def __init__(self, chance: random.Random) -> None:
        self.chance, self.now, self.changed = chance, 0.0, 0
        self._any = Mutator(seeds.frames(), chance)
        signers = [Signer(chance.randbytes(32)) for _ in range(3)]
        self.host = HostLobby(
            signers[0],
            "Ana",
            "",
            TableOffer("second", 3, start_when_full=True),
            4242,
            chance.randbytes,
        )
        self.guests = {
            link: GuestLobby(signers[link], f"Guest {link}", "", 40_000 + link, chance.randbytes)
            for link in GUESTS
        }
        self.news = [NoticeFeed(Audience()) for _ in signers]
        for link, guest in self.guests.items():
            self.host.accept_link(link, signers[link].key, "10.0.0.9", self.now)
            guest.ask_for_seat(signers[0].key, self.now)

    def step(self) -> bool:
        """Carries what is to be carried; whether anybody had something to say."""
        effects: list[tuple[int, lobby_effects.LobbyEffect]] = [
            (0, e) for e in self.host.take_effects()
        ]
        for link, guest in self.guests.items():
            effects += [(link, e) for e in guest.take_effects()]
        for source, effect in effects:
            self._perform(source, effect)
        return bool(effects)

    def _perform(self, source: int, effect: lobby_effects.LobbyEffect) -> None:
        match effect:
            case (
                lobby_effects.SendToLink(link=link, frame=frame)
                | lobby_effects.HangUp(link=link, frame=frame)
            ):
                assert source == 0 or link == lobby_effects.LINK_TO_HOST
                for one in self._on_the_way(frame):
                    if source == 0:
                        self.guests[link].receive_frame(one, self.now)
                    else:
                        self.host.receive_frame(source, one, self.now)
            case lobby_effects.ShowNotice(notice=notice):
                told = self.news[source].tell_notice(notice)
                assert all(isinstance(line, str) for line in told.lines + told.hints)
            case lobby_effects.BeginGame(genesis=genesis):
                assert genesis.phrase
            case lobby_effects.CloseLobby():
                self.host.lose_link(source, self.now)
            case _:
                pass

    def _on_the_way(self, frame: Frame) -> list[Frame]:
        """Most often itself."""
        roll = self.chance.random()
        if roll > 0.15:
            return [frame]
        self.changed += 1
        data = encode(frame)[4:]
        body = Mutator([data], self.chance).next() if roll > 0.05 else self._any.next()
        try:
            found = decode(body)
        except errors.DECODING:
            return []
        return [frame, found] if found is not None else [frame]


def changed(chance: random.Random, count: int) -> int:
    """How many rounds of so many had a changed frame in them."""
    done = total = 0
    while done < count:
        room = Room(chance)
        for _ in range(40):
            done += 1
            before = room.changed
            if not room.step():
                room.now += 2.5
                room.host.tick(room.now)
                for guest in room.guests.values():
                    guest.tick(room.now)
            total += room.changed > before
    return total
