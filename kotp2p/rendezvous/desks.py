"""The side of the host at its mailbox, without I/O: which guests it answers, and when.

Scope: the exchanges that run, the budget of guesses, the host's own test of the mailbox, and signs
that somebody else plays the host there. Everybody who knows the number may say anything here.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import accumulate
from math import inf
from typing import TypeAlias

from kotp2p.rendezvous import exchange, mailbox, words
from kotp2p.wire.encoding import BadBytes

# -- the side of a guest at a mailbox, without I/O: one attempt to be introduced -----------


MAX_ANSWERS = 8
"""Answers to one ID that a guest confirms to: who plays the host tests a guess with each."""


@dataclass(slots=True)
class GuestDesk:
    code: words.Code
    entropy: exchange.Entropy
    program: str = ""
    other_version: exchange.OtherVersion | None = None
    _answers: set[bytes] = field(default_factory=set)
    """What has come as the answer of a host. Anybody can send one, so all are confirmed to."""
    _refusals: int = 0
    _exchange: exchange.GuestExchange = field(init=False)

    def __post_init__(self) -> None:
        self._exchange = exchange.GuestExchange(self.code, self.entropy, self.program)

    @property
    def is_refused(self) -> bool:
        """Return whether all that have answered may have said that words or version are wrong."""
        # Anybody can say so, too, so a right answer still counts.
        is_heard = self.is_answered or self.other_version is not None
        return is_heard and len(self._answers) <= min(self._refusals, MAX_ANSWERS - 1)

    @property
    def is_answered(self) -> bool:
        return bool(self._answers)

    @property
    def hears_several(self) -> bool:
        answers = len(self._answers) + (self.other_version is not None)
        return max(answers, self._refusals) > 1

    def open(self) -> Answer:
        return Answer(f"{self._exchange.id}/1", self._exchange.open())

    def hear(self, message: mailbox.Message, seen_at: str) -> Answer | exchange.Introduction | None:
        """Return what has to be added next, or how to come to the table."""
        guest, _slash, step = message.phase.partition("/")
        if message.side != HOST_SIDE or guest != self._exchange.id:
            return None
        try:
            if step == "2" and message.body not in self._answers:
                if len(self._answers) >= MAX_ANSWERS:
                    return None
                confirmation = self._exchange.confirm(message.body, seen_at)
                self._answers.add(message.body)
                return Answer(f"{guest}/3", confirmation)
            if step == "4" and message.body == WRONG_WORDS:
                self._refusals += 1
            elif step == "4":
                return self._exchange.read_introduction(message.body)
        except (BadBytes, exchange.WrongWords):
            return None  # a stranger's, who plays the host here
        except exchange.OtherVersion as fault:
            self.other_version = fault
        return None


# -- how many wrong words a host hears: a code has 22 bits, and everybody may try ----------


GUESSES_AT_ONCE = 10
"""Wrong guesses that are heard without a pause."""
SECONDS_PER_GUESS = 30.0
"""After those, one is heard in this time."""
MAX_GUESSES = 100
"""Then the code ends: 100 of 4,194,304."""
MAX_IDS = 200
"""Guests that are answered at one number within an hour; each costs some hundredths of a second."""
IDS_SECONDS = 3600.0


@dataclass(slots=True)
class Guesses:
    wrong: int = 0
    _settled_at: float = -inf
    """When the pace allows as many at once as at the start again."""

    @property
    def are_used_up(self) -> bool:
        return self.wrong >= MAX_GUESSES

    def next_at(self, now: float) -> float:
        return max(now, self._settled_at - (GUESSES_AT_ONCE - 1) * SECONDS_PER_GUESS)

    def may_hear(self, now: float) -> bool:
        return self.next_at(now) <= now and not self.are_used_up

    def note_wrong(self, now: float) -> None:
        self.wrong += 1
        self._settled_at = max(self._settled_at, now) + SECONDS_PER_GUESS


@dataclass(slots=True)
class AskingPace:
    _times: deque[float] = field(default_factory=deque)

    @property
    def last(self) -> float:
        return self._times[-1] if self._times else -inf

    def may_ask(self, now: float) -> bool:
        while self._times and self._times[0] <= now - IDS_SECONDS:
            self._times.popleft()
        if len(self._times) >= MAX_IDS:
            return False
        self._times.append(now)
        return True


# -- host desk -----------------------------------------------------------------------------


HOST_SIDE, GUEST_SIDE = "host", "guest"
_PHASE = re.compile(r"(?P<id>[0-9a-f]{16})/(?P<step>[1-4])")
MAX_KNOWN_IDS = 1000
OLD_GUEST_SECONDS = 60.0
"""A guest that asked longer ago waits no more."""
LEAST_SHARE = 1e-6
WRONG_WORDS = b""
"""What the host answers to a confirmation that does not open. It proves nothing."""
FRESH_HOST_SECONDS = 90.0
"""A host asks itself once a minute: an answer in this time shows that there is one."""


@dataclass(frozen=True, slots=True)
class Answer:
    phase: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Admit:
    """A guest has proved the words: it may come at the relay with this token."""

    token: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class CodeUsedUp:
    """A hundred wrong words were said at this code: it ends."""


@dataclass(frozen=True, slots=True)
class NumberTaken:
    """Strangers are at this number: one plays the host there, or friends are not heard any more."""


DeskEffect: TypeAlias = Answer | Admit | CodeUsedUp | NumberTaken


@dataclass(frozen=True, slots=True)
class OpenExchange:
    met: exchange.HostExchange
    until: float
    share: float
    """The seconds in which no guest had come before this one, a minute at most."""
    confirmations: set[bytes] = field(default_factory=set)
    """What has been heard under this ID; a mailbox that is opened anew tells it again."""


@dataclass(slots=True)
class HostDesk:
    code: words.Code
    entropy: exchange.Entropy
    introduce: Callable[[str], exchange.Introduction]
    """For a guest that the mailbox sees at this address; empty: the address is unknown."""
    program: str = ""
    is_first: bool = True
    """The number was drawn just now, so a host that answers there already has it. At the number of
    a game that goes on, this player or another one has answered before."""
    guesses: Guesses = field(default_factory=Guesses)
    pace: AskingPace = field(default_factory=AskingPace)
    link_pace: AskingPace = field(default_factory=AskingPace)
    """Of guests who ask on links: neither way has to wait for the strangers of the other."""
    _exchanges: dict[str, OpenExchange] = field(default_factory=dict)
    _seen: dict[str, None] = field(default_factory=dict)
    """IDs that have been answered, or are not any more; the oldest first."""
    _unanswered: dict[str, mailbox.Message] = field(default_factory=dict)
    """What guests have asked before this host was there."""
    _waiting: dict[str, list[bytes]] = field(default_factory=dict)
    """Confirmations that no guess is left for yet, by ID: of a minute, so they are not many."""
    _said: dict[Answer, bool] = field(default_factory=dict)
    """What this host has added, and whether the mailbox has told it on since; to its author, too.
    A mailbox server that meets a guest who leaves tells nobody else, and drops the author."""
    _hosts_heard: list[mailbox.Message] = field(default_factory=list)
    _own_tests: dict[str, None] = field(default_factory=dict)
    _effects: list[DeskEffect] = field(default_factory=list)
    _due: float = inf

    @property
    def deadline(self) -> float:
        return self._due if self._waiting else inf

    def is_busy(self, now: float) -> bool:
        """Return whether a guest may be in the middle of an exchange."""
        return any(now < one.until for one in self._exchanges.values())

    def take_effects(self) -> list[DeskEffect]:
        effects, self._effects = self._effects, []
        return effects

    def open_test(self) -> Answer:
        """Return what the host asks itself to test the mailbox; it costs no guess."""
        test = exchange.GuestExchange(self.code, self.entropy, self.program)
        self._own_tests[test.id] = None
        if len(self._own_tests) > MAX_KNOWN_IDS:
            del self._own_tests[next(iter(self._own_tests))]
        return Answer(f"{test.id}/1", test.open())

    def has_said(self, phase: str, body: bytes) -> bool:
        return Answer(phase, body) in self._said

    def leave_number(self) -> None:
        """Have the host go to another number: strangers are at this one."""
        if NumberTaken() not in self._effects:
            self._effects.append(NumberTaken())

    def hear(self, message: mailbox.Message, now: float) -> None:
        """Take one message of the mailbox; raise nothing, whatever it is."""
        found = _PHASE.fullmatch(message.phase)
        if found is None or len(message.body) > exchange.MAX_BODY_BYTES:
            return
        guest, step = found["id"], found["step"]
        if message.side == HOST_SIDE:
            self._hear_host(guest, step, message)
        elif message.side == GUEST_SIDE and step == "1":
            if message.is_old:
                self._unanswered.setdefault(guest, message)
            else:
                self._open_exchange(guest, message.body, now, self.pace)
        elif message.side == GUEST_SIDE and step == "3":
            self._hear_confirmation(guest, message.body, now)

    def answer_on_link(self, phase: str, body: bytes, now: float) -> Answer | None:
        """Answer a guest who asks on a link, unless no guess may be heard now."""
        found = _PHASE.fullmatch(phase)
        waiting, self._effects = self._effects, []
        if found is not None and found["step"] == "1":
            self._open_exchange(found["id"], body, now, self.link_pace)
        elif found is not None and found["step"] == "3" and self.guesses.may_hear(now):
            guest = found["id"]
            if guest in self._exchanges and guest not in self._waiting:
                self._judge(guest, body, now)
        made, self._effects = self._effects, waiting
        self._effects += [effect for effect in made if isinstance(effect, CodeUsedUp)]
        answer = next((effect for effect in made if isinstance(effect, Answer)), None)
        if answer is not None:
            self._said[answer] = True  # on the link
        return answer

    def _hear_host(self, guest: str, step: str, message: mailbox.Message) -> None:
        own = Answer(message.phase, message.body)
        if own in self._said:
            self._said[own] |= not message.is_old
            return
        if message.is_old:
            self._hosts_heard.append(message)
            if step == "2":
                self._note_seen(guest)
        elif self.is_first:  # else it may be another player of this table
            self.leave_number()

    def end_old(self, server_time: float, now: float) -> None:
        """Note that all which the mailbox held before has been heard; say again what was lost."""

        def age(message: mailbox.Message) -> float:
            known = server_time and message.received_at
            return server_time - message.received_at if known else 0.0

        self._effects += [answer for answer, was_told in self._said.items() if not was_told]
        heard, self._hosts_heard = self._hosts_heard, []
        if self.is_first and any(age(message) < FRESH_HOST_SECONDS for message in heard):
            self.leave_number()
        unanswered, self._unanswered = self._unanswered, {}
        for guest, message in unanswered.items():
            if age(message) < OLD_GUEST_SECONDS:
                self._open_exchange(guest, message.body, now, self.pace)
            else:
                self._note_seen(guest)

    def _open_exchange(self, guest: str, body: bytes, now: float, pace: AskingPace) -> None:
        if guest in self._seen or self.guesses.are_used_up:
            return
        is_own, before = guest in self._own_tests, pace.last
        if not is_own and not pace.may_ask(now):
            if pace is self.pace:  # else the host's own test would find nothing wrong here
                self.leave_number()
            return
        self._note_seen(guest)
        met = exchange.HostExchange(self.code, guest, self.entropy, self.program)
        try:
            answer = met.answer(body)
        except BadBytes:
            return
        if not is_own:
            self._forget_old(now)
            share = min(now - before, OLD_GUEST_SECONDS) + LEAST_SHARE
            self._exchanges[guest] = OpenExchange(met, now + OLD_GUEST_SECONDS, share)
        self._answer(f"{guest}/2", answer)

    def _hear_confirmation(self, guest: str, body: bytes, now: float) -> None:
        one = self._exchanges.get(guest)
        if one is not None and body not in one.confirmations:
            # A stranger's under the same ID does not keep that of the guest out.
            one.confirmations.add(body)
            self._waiting.setdefault(guest, []).append(body)
            self.tick(now)

    def tick(self, now: float) -> None:
        """Judge the confirmations for which guesses are left."""
        # Of the IDs that wait one is drawn, by the seconds in which none had come before it. These
        # are at most 120 of those who have come within a minute: a guest that comes T seconds after
        # another one is heard with a chance of T in 120, whoever comes behind it, and when.
        self._forget_old(now)
        while self._waiting and self.guesses.may_hear(now):
            place = self._draw([self._exchanges[guest].share for guest in self._waiting])
            guest = list(self._waiting)[place]
            bodies = self._waiting.pop(guest)
            body = bodies.pop(self._draw([1.0] * len(bodies)))
            if bodies:
                self._waiting[guest] = bodies
            self._judge(guest, body, now)
        self._due = self.guesses.next_at(now)

    def _draw(self, shares: list[float]) -> int:
        ends = list(accumulate(shares))
        drawn = int.from_bytes(self.entropy(7), "big") / 2**56 * ends[-1]
        return bisect(ends, drawn, hi=len(ends) - 1)

    def _judge(self, guest: str, body: bytes, now: float) -> None:
        met = self._exchanges[guest].met
        try:
            seen_at = met.read_confirmation(body)
        except exchange.WrongWords:  # of a stranger, perhaps: the guest's own still counts
            self.guesses.note_wrong(now)
            self._answer(f"{guest}/4", WRONG_WORDS)
            if self.guesses.are_used_up:
                self._waiting.clear()
                self._exchanges.clear()
                self._effects.append(CodeUsedUp())
            return
        self._forget(guest)
        introduction = self.introduce(seen_at)
        if introduction.token:
            self._effects.append(Admit(introduction.token))
        self._answer(f"{guest}/4", met.introduce(introduction))

    def _answer(self, phase: str, body: bytes) -> None:
        answer = Answer(phase, body)
        self._said[answer] = False
        self._effects.append(answer)

    def _forget(self, guest: str) -> None:
        """End an exchange; a confirmation waits only while its exchange is known."""
        self._exchanges.pop(guest, None)
        self._waiting.pop(guest, None)

    def _forget_old(self, now: float) -> None:
        for guest in [guest for guest, one in self._exchanges.items() if now >= one.until]:
            self._forget(guest)

    def _note_seen(self, guest: str) -> None:
        self._seen[guest] = None
        if len(self._seen) > MAX_KNOWN_IDS:
            del self._seen[next(iter(self._seen))]
