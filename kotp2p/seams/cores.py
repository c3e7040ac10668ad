"""What cores are made with: budgets, a limit of chat, a guard against own faults, tables, noise.

Scope: work in units, relays and notices, with the time as an argument; lines of chat; errors of
this program; the type of a table of states, and the place in one; the chance of bots and of drawn
names. Once a budget is spent, a link is not read (`kotp2p.net.links`), proofs wait
(`kotp2p.peer.bodies`), and news is not passed on (`kotp2p.mesh.gossip`). Not here: the dice of the
game, which come from all players (`kotp2p.wire.crypto`).

Work is done first and charged then, so a budget may go into debt. A seat has one budget for the
whole game, which no new link renews. A stranger has one for each link.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from hashlib import sha256
from typing import Generic, TypeVar

from kotp2p.game.steps import OwnFault
from kotp2p.seams.notices import ProgramFault
from kotp2p.wire.encoding import MAX_TEXT, Unwritable, clean_text

# -- what one remote seat, or one stranger, may cost this process (PROTOCOL.md 9.9) ------


BYTES_OF_UNIT = 4096
"""A frame costs one unit of work, and one more for each of this many bytes."""
PART_UNITS = 1 / 16
"""What a record of TLS costs that completes no frame. A frame could come byte by byte, and each
costs a decryption and a turn of the loop."""
JUDGING_UNITS = 16
"""What it costs to judge a proof for the first time: signatures, and some steps of the game."""
SEAT_UNITS = 2048
SEAT_UNITS_PER_SECOND = 512
"""A seat that answers a request for missing bodies sends 512 of them a second."""
STRANGER_UNITS = 128
"""Work that a stranger may cost at once: a lobby, and the start of a game."""
STRANGER_UNITS_PER_SECOND = 16
RELAYS_AT_ONCE = 16
"""Heads, wishes and addresses of a seat that are passed on to others at once."""
RELAYS_PER_SECOND = 1.0
NOTICES_AT_ONCE = 6
"""Notices that a seat may cause at once, of those that it can cause as often as it likes."""
NOTICES_PER_SECOND = 0.1
SEATS_AT_ONCE = 8
"""Seats of a lobby that one network may take at once: a whole table, and some of them again."""
SEATS_PER_SECOND = 0.1
STARTS_AT_ONCE = 8
"""Starts that a program follows, or makes without its player, at once: one more for each seat that
does not follow."""
STARTS_PER_SECOND = 0.1
WISHES_AT_ONCE = 8
"""Changes of name, monster and mark that a player of a lobby may make at once."""
WISHES_PER_SECOND = 0.2
LOBBIES_READ_AT_ONCE = 48
LOBBIES_READ_PER_SECOND = 1.0


ROUNDING_UNITS = 1e-6
"""What may be missing because times are rounded. Without it, units might be missing at the very
time that `next_time` has returned."""


@dataclass(slots=True)
class Allowance:
    capacity: float
    per_second: float
    _left: float = field(init=False)
    _at: float = -math.inf

    def __post_init__(self) -> None:
        self._left = self.capacity

    def charge(self, units: float, now: float) -> None:
        self._left, self._at = self._left_at(now) - units, max(now, self._at)

    def has(self, units: float, now: float) -> bool:
        return self._left_at(now) >= units - ROUNDING_UNITS

    def take(self, units: float, now: float) -> bool:
        """Take units away if that many are left; return whether they were."""
        has_units = self.has(units, now)
        if has_units:
            self.charge(units, now)
        return has_units

    def next_time(self, units: float, now: float) -> float:
        """Return when `units` units will be there: `now` if they are."""
        missing = units - self._left_at(now)
        return now if missing <= ROUNDING_UNITS else now + missing / self.per_second

    def _left_at(self, now: float) -> float:
        if now <= self._at:
            return self._left
        return min(self.capacity, self._left + (now - self._at) * self.per_second)


pace_of_lobbies = partial(Allowance, LOBBIES_READ_AT_ONCE, LOBBIES_READ_PER_SECOND)
"""Of lobby changes that a guest reads; a host sends fewer."""
pace_of_wishes = partial(Allowance, WISHES_AT_ONCE, WISHES_PER_SECOND)
pace_of_starts = partial(Allowance, STARTS_AT_ONCE, STARTS_PER_SECOND)
pace_of_notices = partial(Allowance, NOTICES_AT_ONCE, NOTICES_PER_SECOND)


@dataclass(frozen=True, slots=True)
class Budget:
    """What one seat or stranger may cost."""

    work: Allowance
    relays: Allowance = field(default_factory=lambda: Allowance(RELAYS_AT_ONCE, RELAYS_PER_SECOND))
    notices: Allowance = field(default_factory=pace_of_notices)

    @staticmethod
    def for_seat() -> Budget:
        return Budget(Allowance(SEAT_UNITS, SEAT_UNITS_PER_SECOND))

    @staticmethod
    def for_stranger() -> Budget:
        return Budget(Allowance(STRANGER_UNITS, STRANGER_UNITS_PER_SECOND))


def units_of_frame(size: int) -> int:
    return 1 + size // BYTES_OF_UNIT


# -- chat (PROTOCOL.md 9.7) --------------------------------------------------------------


MAX_CHAT_LINES = 8
"""How many lines of one speaker are heard within `CHAT_WINDOW_SECONDS`."""
CHAT_WINDOW_SECONDS = 10.0


@dataclass(slots=True)
class RateLimit:
    """A limit that allows at most `max_lines` within any span of `window_seconds`."""

    max_lines: int
    window_seconds: float
    _times: deque[float] = field(default_factory=deque)

    def allows(self, now: float) -> bool:
        """Return whether one more line is allowed at `now`; if so, count it."""
        while self._times and now >= self._times[0] + self.window_seconds:
            self._times.popleft()
        if len(self._times) >= self.max_lines:
            return False
        self._times.append(now)
        return True


new_chat_limit = partial(RateLimit, MAX_CHAT_LINES, CHAT_WINDOW_SECONDS)


def clean_chat_line(words: str) -> str:
    """Return `words` clean, stripped and cut to `MAX_TEXT` characters; perhaps empty."""
    return clean_text(words).strip()[:MAX_TEXT].strip()


# -- errors of this program that its own reader has found before anything left it ----------
#
# An action that would have signed, written or sent what nobody takes is left out and told. The
# process and the game, or the lobby, go on.


MAX_FAULTS_TOLD = 16


@dataclass(slots=True)
class OwnFaultGuard:
    """A block under this guard ends at an error of this program, which is shown once."""

    show: Callable[[ProgramFault], None]
    _told: set[str] = field(default_factory=set)

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, _kind: type[BaseException] | None, fault: BaseException | None, _where: object
    ) -> bool:
        if fault is None or not isinstance(fault, OwnFault | Unwritable):
            return False
        detail = str(fault)
        if detail not in self._told and len(self._told) < MAX_FAULTS_TOLD:
            self._told.add(detail)
            self.show(ProgramFault(detail))
        return True


# -- state machines as data --------------------------------------------------------------


S = TypeVar("S", bound=StrEnum)
E = TypeVar("E", bound=StrEnum)


class NoTransition(Exception):
    """The table has no transition for this event in this state: a program error."""


@dataclass(frozen=True)
class StateTable(Generic[S, E]):
    """`transitions[state][event]` is the next state. A state without transitions is an end."""

    name: str
    start: S
    transitions: Mapping[S, Mapping[E, S]]


@dataclass(slots=True)
class Phase(Generic[S, E]):
    table: StateTable[S, E]
    state: S

    @classmethod
    def at_start(cls, table: StateTable[S, E]) -> Phase[S, E]:
        return cls(table, table.start)

    def allows(self, event: E) -> bool:
        return event in self.table.transitions[self.state]

    def move(self, event: E) -> S:
        try:
            self.state = self.table.transitions[self.state][event]
        except KeyError:
            raise NoTransition(f"{self.table.name}: {event} in {self.state}") from None
        return self.state


# -- chance that decides nothing in the rules: bots, and the names and seats that are drawn --


class Noise:
    """A stream of numbers that is a function of the parts of its key."""

    def __init__(self, *key: bytes) -> None:
        # Hashing each part by itself makes ("a", "bc") and ("ab", "c") two different streams.
        self._key = sha256(b"".join(sha256(part).digest() for part in key)).digest()
        self._count = 0

    def below(self, bound: int) -> int:
        """Return a number from 0 to `bound` - 1; small ones are favoured a little."""
        block = sha256(self._key + self._count.to_bytes(8, "big")).digest()
        self._count += 1
        return int.from_bytes(block[:8], "big") % bound

    def percent(self, chance: int) -> bool:
        """Return True in `chance` of 100 cases."""
        return self.below(100) < chance
