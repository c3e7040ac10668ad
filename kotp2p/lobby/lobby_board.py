"""What a host tells its guests of the lobby: only how it stands now, and not too often.

Scope: when LOBBY is sent, and to which guests (PROTOCOL.md 9.9).
Not here: what changes the lobby (`kotp2p.lobby.host`).

How it works: a guest can change the lobby as often as it likes, by sitting down and standing up.
If each change were sent, one guest could fill the links of all others. So a change that comes too
soon waits, and what is sent then is the newest lobby. Changes in between are never told.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from kotp2p.lobby.effects import EffectQueue, LinkNumber, lobby_notice
from kotp2p.lobby.lobby_chat import LobbyTalk
from kotp2p.lobby.ready_marks import is_mark_of
from kotp2p.lobby.seating import Seating
from kotp2p.lobby.table_offer import TableOffer
from kotp2p.seams.budgets import Allowance
from kotp2p.wire.frames import NO_MARK, Lobby
from kotp2p.wire.genesis import LobbyOptions

LOBBIES_AT_ONCE = 8
"""Changes that are told at once: a table that fills up."""
LOBBIES_PER_SECOND = 1.0
ANSWER_PAUSE_SECONDS = 1.0
"""The time between two answers to a guest that asks for its seat again."""


@dataclass(slots=True)
class LobbyBoard:
    offer: TableOffer
    seating: Seating
    talk: LobbyTalk
    effects: EffectQueue
    now: float = -math.inf
    """The time of the last frame or tick."""
    _pace: Allowance = field(default_factory=lambda: Allowance(LOBBIES_AT_ONCE, LOBBIES_PER_SECOND))
    _has_news: bool = False
    """The lobby has changed since it was told."""
    _answered: dict[LinkNumber, float] = field(default_factory=dict)
    """When each guest was told the lobby because it had asked again."""

    @property
    def due(self) -> float:
        """When a change that waits can be told."""
        return self._pace.next_time(1, self.now) if self._has_news else math.inf

    def note_time(self, now: float) -> None:
        self.now = max(now, self.now)

    def publish(self) -> None:
        """The lobby has changed: tells everybody, the host's front too, now or later."""
        self._has_news = True
        self.publish_news()

    def publish_news(self, *, at_once: bool = False) -> None:
        """Tells a change that has waited, if it may be told by now. A start does not wait: it is
        exactly the lobby that was told last."""
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
        notice = lobby_notice(lobby, self.talk.signer.key, has_kept_seats=kept, away=away)
        self.effects.show_notice(notice)

    def answer_again(self, link: LinkNumber) -> None:
        """A seated guest has asked for its seat again: it is told the lobby, and nobody else is."""
        if self._has_news or self.now < self._answered.get(link, -math.inf) + ANSWER_PAUSE_SECONDS:
            return
        self._answered = {n: at for n, at in self._answered.items() if self.seating.is_seated(n)}
        self._answered[link] = self.now
        self.effects.send_frame(link, self.lobby())

    def lobby(self) -> Lobby:
        """As it stands, with the marks that count for it. Marks for an earlier one end."""
        players = len(self.seating.seated_guests())
        options = LobbyOptions(self.offer.options_of(players), self.offer.clocks)
        lobby = Lobby(self.seating.as_seats(), self.offer.rules, options)
        for guest in self.seating.seated_guests():
            if guest.mark == NO_MARK:
                continue
            if not is_mark_of(lobby, self.seating.place_of(guest), guest.mark):
                guest.mark = NO_MARK
        marks = self.seating.marks()
        return replace(lobby, marks=marks) if any(marks) else lobby
