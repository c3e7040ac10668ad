"""The seam between a peer and the player of its seat: a person at a terminal, or a bot.

Scope: two protocols. A peer shows its `Front` what happens, and asks it for answers, one question
at a time. The front drives the peer through a `Control`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from kotp2p.referee.model.answers import Answer
from kotp2p.referee.model.decisions import Decision
from kotp2p.seams.notices import Notice, SeatView
from kotp2p.wire.encoding import WireArray, boolean, integer, octets
from kotp2p.wire.frames import MAX_WATCHERS

# -- the two protocols ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Leave:
    """In place of an answer: the player gives up the monster for good."""


class Control(Protocol):
    """What a front may ask of its peer at any time; no call blocks or raises."""

    def start(self) -> None:
        """Start the game with the players that are seated (lobby, host)."""

    def add_bot(self) -> None:
        """Seat a bot of this process on the first free seat (lobby, host)."""

    def remove(self, name: str) -> None:
        """Take away the seat of a player, by name or number from 1 (lobby, host)."""

    def move(self, name: str, seat: int) -> None:
        """Seat a player at `seat`, from 1, and move its occupant to the old seat (lobby, host)."""

    def open_seats(self) -> None:
        """Let anybody take the seats kept for players of the last game (lobby, host)."""

    def renew_code(self) -> None:
        """Make another code for this player's table; the old one leads nowhere any more."""

    def change_name(self, name: str) -> None:
        """Take this name from now on (lobby)."""

    def change_monster(self, monster: str) -> None:
        """Play this monster, whose name may be cut short (lobby)."""

    def mark_ready(self, wanted: bool) -> None:
        """Show the others whether this seat is ready for the table as it is (lobby)."""

    def accept(self, name: str) -> None:
        """Accept that the player called `name` is the known one, with a new key (lobby)."""

    def go_on(self, bot: bool) -> None:
        """Let a bot play for silent keepers, or wait, until all agree (game)."""

    def stop_today(self, wanted: bool) -> None:
        """Stop here if all present players want it (game). The game can be resumed later."""

    def let_bot_play(self) -> None:
        """Leave, and let a bot play on until this player comes back (game)."""

    def come_back(self) -> None:
        """Take the own seat over again from the bot that plays it (game)."""

    def let_back(self, seat: int) -> None:
        """Let the keeper of this seat back, about whom the program asks (game)."""

    def say(self, text: str) -> None:
        """Send a line of chat, at any time; no log contains chat."""

    def leave(self) -> None:
        """Give the seat up for good; as host close the table, in a game lose the monster."""

    def keep(self) -> None:
        """End this process, whose seat stays in the game; in the lobby this is `leave`."""


class Front(Protocol):
    """The player of one seat, as its peer meets it."""

    def attach(self, control: Control) -> None:
        """Take the control of the peer; this is called once, before the first notice."""

    def show(self, notice: Notice) -> None:
        """Take in what has happened, in order; this MUST NOT block or raise."""

    async def decide(self, view: SeatView, decision: Decision) -> Answer | Leave:
        """Answer `decision`, legally; cancelled when the question is withdrawn."""


# -- what a table offers to those who watch ------------------------------------------------


@dataclass(frozen=True, slots=True)
class WatchOffer(WireArray):
    READERS = (partial(integer, most=MAX_WATCHERS), octets, boolean)
    most: int = 0
    """The greatest number of watchers at a time; 0: none."""
    secret: bytes = field(default=b"", repr=False)
    """What a watcher must know, if watchers need an invitation of their own; empty: they come in by
    the secret of the table."""
    has_chat: bool = False
    """Watchers hear what the players say to each other."""

    @property
    def is_open(self) -> bool:
        return self.most > 0


NO_WATCHERS = WatchOffer()
