"""How bodies spread: each once over each link, missing ones on request (PROTOCOL.md 9.1).

Scope: which seats a frame is sent to, when missing bodies are asked for and how often such a
request is served; entries that come early, or from another past; the beat of the links; chat.
Not here: whether a body counts (`kotp2p.game.ledger`), and which seats have a link
(`kotp2p.mesh.reachability`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TypeAlias

from kotp2p.game.conviction import find_author
from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Cheat, equivocation, require_signed_by_keeper
from kotp2p.mesh.effects import AppendRecord, CloseLink, Effect, SendFrame, ShowNotice
from kotp2p.mesh.pace import SeatBudgets
from kotp2p.mesh.reachability import Reachability
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.notices import Notice, Said
from kotp2p.wire.chat import ChatLine, RateLimit, clean_chat_line, new_chat_limit
from kotp2p.wire.crypto import Signer
from kotp2p.wire.entries import Blame, Entry, Head, Signed
from kotp2p.wire.frames import Frame, Links, Want, encode
from kotp2p.wire.genesis import Genesis

REQUEST_PAUSE_SECONDS = 1.0
"""Pause between two requests for missing bodies over one link. It doubles as long as a request
brings nothing."""
MAX_REQUEST_PAUSE_SECONDS = 16.0
"""The pause grows no longer than this."""
MAX_BODIES_PER_REQUEST = 512
"""More bodies are sent only for the next request, which has a greater height."""


@dataclass(frozen=True, slots=True)
class SentRequest:
    """The last request over a link, and what it has to wait for."""

    have: tuple[tuple[int, int], int]
    """What this copy had then: its place, and how many entries of the gather there."""
    pause_seconds: float
    not_before: float
    """When the next request may be sent."""


@dataclass(slots=True)
class Gossip:
    ledger: Ledger
    reachability: Reachability
    effects: list[Effect] = field(default_factory=list)
    """Everything that the peer wants done, in order: frames, log records, notices and questions
    share one list, because the order between them matters."""
    budgets: SeatBudgets = field(default_factory=SeatBudgets)
    closing: set[Seat] = field(default_factory=set)
    """The seats whose link is being closed. What still comes over it is thrown away."""
    _requests: dict[Seat, SentRequest] = field(default_factory=dict)
    _forked: dict[Seat, tuple[bytes, int]] = field(default_factory=dict)
    """By link: the head of this copy when the other side showed another past, and the height from
    which that was asked for."""
    _served_again_at: dict[Seat, float] = field(default_factory=dict)
    """When the next request of each seat is served."""

    def show(self, notice: Notice) -> None:
        self.effects.append(ShowNotice(notice))

    def append_record(self, signed: Signed) -> None:
        """Write a body that the ledger has taken into the log.

        Raise Unwritable if no reader of logs would take its bytes.
        """
        encode(signed)  # a record holds the same array as a frame, within the same bounds
        self.effects.append(AppendRecord(signed))

    def send(self, seat: Seat, frame: Frame) -> None:
        """Send a frame if there is a direct link to `seat`; otherwise do nothing."""
        if seat in self.reachability.linked:
            self.effects.append(SendFrame(seat, frame))

    def forget_unsent(self) -> None:
        """Take back what has neither been written nor sent yet.

        A newer process of this seat may have decided otherwise.
        """
        self.effects = [e for e in self.effects if not isinstance(e, AppendRecord | SendFrame)]

    def broadcast(self, frame: Frame) -> None:
        """Send a frame over all direct links."""
        for seat in sorted(self.reachability.linked):
            self.send(seat, frame)

    def close_link(self, seat: Seat, reason: str) -> None:
        """Close the link of `seat`; `reason` is technical, in English."""
        self.effects.append(CloseLink(seat, reason))
        self.closing.add(seat)

    def relay_frame(self, source: Seat, author: Seat, frame: Frame) -> None:
        """Pass on what `author` signed to the seats that cannot hear it directly."""
        for seat in self.reachability.relay_targets(author, source):
            self.send(seat, frame)

    def relay_news(self, source: Seat, author: Seat, frame: Frame) -> None:
        """Relay a frame (`relay_frame`) of a kind that an author may sign without end.

        The budget of the author bounds it, so that honest links are not filled with it.
        """
        if self.budgets.may_relay(author):
            self.relay_frame(source, author, frame)

    def spread(self, source: Seat, author: Seat, frame: Frame) -> None:
        """Pass on a frame to all linked seats but its source and its author.

        An author may send each seat another such frame. What a line-up needs to begin is spread so,
        and is under no budget.
        """
        for seat in sorted(self.reachability.linked - {source, author}):
            self.send(seat, frame)

    def spread_news(self, source: Seat, author: Seat, frame: Frame) -> None:
        """Spread a frame (`spread`) of a kind that an author may sign without end."""
        if self.budgets.may_relay(author):
            self.spread(source, author, frame)

    def broadcast_links(self) -> None:
        self.broadcast(Links(tuple(sorted(self.reachability.linked))))

    def request_missing(self, source: Seat, now: float, *, later_line_up: bool = False) -> bool:
        """Ask `source` for everything beyond our place, unless it was asked a moment ago.

        Return whether it was asked now. `later_line_up`: it plays in a line-up that this copy does
        not know. Its base may be at any place since the last gathers, so everything since then is
        asked for.
        """
        ledger, last = self.ledger, self._requests.get(source)
        if last is not None and now < last.not_before:
            return False
        have = (ledger.place, len(ledger.chain.gathered))
        pause = (
            REQUEST_PAUSE_SECONDS if last is None or last.have != have else 2 * last.pause_seconds
        )
        pause = min(pause, MAX_REQUEST_PAUSE_SECONDS)
        self._requests[source] = SentRequest(have, pause, now + pause)
        since = ledger.chain.gather_before_last if later_line_up else ledger.height
        head, fork_since = self._forked.get(source, (b"", 0))
        since = min(since, fork_since) if head == ledger.head else since
        self.send(source, Want(ledger.attempt, since))
        return True

    def request_other_past(self, source: Seat, since: int) -> None:
        """Ask `source` for everything from a height before the fork on.

        So do further requests while this copy stays at the fork: `source` refuses one that comes
        too soon after another.
        """
        self._forked[source] = (self.ledger.head, since)
        self.send(source, Want(self.ledger.attempt, since))

    def forget_requests(self, seat: Seat) -> None:
        """Let missing bodies be requested at once over a new link of `seat`.

        Answers to earlier requests may have been lost.
        """
        self._requests.pop(seat, None)

    def serve_request(self, source: Seat, want: Want, now: float) -> bool:
        """Send what `source` lacks; return False if it has asked too often.

        A request makes this process send far more than it receives, so its rate is limited.
        """
        if now < self._served_again_at.get(source, 0.0):
            return False
        self._served_again_at[source] = now + REQUEST_PAUSE_SECONDS / 2
        bodies = self.ledger.bodies_after(want.attempt, want.height)
        for signed in bodies[:MAX_BODIES_PER_REQUEST]:
            self.send(source, signed)
        return True


# -- entries that arrive before their place is reached: a reorder buffer -------------------
#
# Entries of a later height or view than ours, until the game comes there.
#
# How it is bounded: every seat has a few places of its own, whatever heights and views it signs.
# The first entries of a seat stay and later ones are not kept. An honest seat signs in the order
# of the game, so its first ones are due first. A seat that signs without end fills its own places
# only, and its honest entries are then asked for again, as after any loss.


MAX_HEIGHTS_AHEAD = 64
"""How far ahead entries are kept. A peer that lags by more asks for them again."""
MAX_EARLY_ENTRIES = 16
"""Entries of one keeper that are kept at a time. A peer that misses one body sees the others play a
few steps until it has asked for that body."""
EarlyPlace: TypeAlias = tuple[int, int, Seat, bytes, bool]
"""Attempt, height, seat, head, and whether the entry is a blame."""


@dataclass(slots=True)
class EarlyEntries:
    ledger: Ledger
    _kept: dict[EarlyPlace, tuple[Seat, Entry]] = field(default_factory=dict)
    """Each with the keeper that has signed it."""
    _count_of: Counter[Seat] = field(default_factory=Counter)

    def keep_entry(self, entry: Entry) -> Cheat | None:
        """Keep an entry until its place is reached; some keeper MUST have signed it.

        Two different entries of one seat for one place prove a cheat, long before they count.
        """
        author = find_author(self.ledger.genesis.players, entry.signed, first=entry.seat)
        if author is None:
            return None
        is_blame = isinstance(entry.payload, Blame)  # a seat may blame beside the entry it owes
        place = (entry.attempt, entry.height, entry.seat, entry.prev, is_blame)
        known = self._kept.get(place)
        if known is not None:
            signer, other = known
            is_second = other.id != entry.id and not is_blame and signer == author
            return equivocation(author, other, entry) if is_second else None
        is_near = entry.height <= self.ledger.height + MAX_HEIGHTS_AHEAD
        if is_near and self._count_of[author] < MAX_EARLY_ENTRIES:
            self._kept[place] = (author, entry)
            self._count_of[author] += 1
        return None

    def pop_due_entry(self) -> Entry | None:
        """Return an entry whose place is reached; None if there is none."""
        if not self._kept:
            return None
        ledger = self.ledger
        for place, (author, entry) in sorted(self._kept.items(), key=lambda item: item[0][:3]):
            is_known = place[0] <= ledger.attempt and place[1] <= ledger.height
            if is_known or (place[0] < ledger.attempt and place[1] > ledger.height):
                del self._kept[place]
                self._count_of[author] -= 1
                if is_known:
                    return entry
        return None


# -- forks ---------------------------------------------------------------------------------
#
# Entries and heads on another past: the two sides of a fork show each other what they have.
#
# When a fork is answered, and with which bodies. One of the two sides then holds two bodies of
# one seat for one place, which convicts that seat.


MAX_FORKS_ANSWERED = 64
"""More forks are not answered to one seat. A seat could otherwise make us send without end."""
HEIGHTS_BEFORE_FORK = 8
"""How many heights before a fork are shown to the other side, and requested of it. The two pasts
may have parted before the first entry that does not fit."""


@dataclass(slots=True)
class Forks:
    ledger: Ledger
    gossip: Gossip
    _answered: dict[Seat, set[tuple[int, bytes]]] = field(default_factory=dict)
    """For each seat that was answered: the height, and our head at that time."""
    _shown_to_all: set[Signed] = field(default_factory=set)
    """The bodies that all seats have been shown because of forks."""

    def compare_head(self, source: Seat, head: Head) -> None:
        """Find a fork that no entry would show.

        A seat that has come as far as this one by another way may have nothing to send that shows
        it: both wait for the same seat, or both are at an end.
        """
        ledger = self.ledger
        if (head.attempt, head.height) == ledger.place and head.head != ledger.head:
            self.answer_fork(source, head.height)

    def answer_fork(self, source: Seat, height: int) -> None:
        """Show `source` our past at a `height` where it has another one, and request its own."""
        answered = self._answered.setdefault(source, set())
        if (height, self.ledger.head) in answered or len(answered) >= MAX_FORKS_ANSWERED:
            return
        answered.add((height, self.ledger.head))
        since = max(0, height - HEIGHTS_BEFORE_FORK)
        # An entry may name any past place: one frame must not fill all links with a whole game.
        for signed in self.ledger.chain.bodies_since(since)[:MAX_BODIES_PER_REQUEST]:
            # All seats are shown a body the first time, as each of them may hold the other one. Not
            # at each new head: a cheat that told of another past at each once filled all links.
            if signed in self._shown_to_all:
                self.gossip.send(source, signed)
            else:
                self._shown_to_all.add(signed)
                self.gossip.broadcast(signed)
        self.gossip.request_other_past(source, since)


# -- the beat at which a process checks its links, and says that it is there ---------------
#
# When the next PING and the next heartbeat are due, and whether this machine was stopped since
# the last tick.


PING_SECONDS = 2.0
HEAD_SECONDS = 5.0
"""A HEAD is sent this long after the game has moved last, and again for as long as it stands."""
MAX_TICK_GAP_SECONDS = 12.0
"""A longer gap between two ticks means that this machine was stopped, not the others."""


@dataclass(slots=True)
class Heartbeat:
    due: float = 0.0
    """When the next PING is due."""
    _head_due: float = 0.0
    _last_tick: float = 0.0

    def start(self, now: float) -> None:
        self.due, self._last_tick = now + PING_SECONDS, now
        self._head_due = now + HEAD_SECONDS

    def note_tick(self, now: float) -> bool:
        """Note a tick; return whether this machine was stopped since the one before."""
        was_stopped = now - self._last_tick > MAX_TICK_GAP_SECONDS
        self._last_tick = now
        return was_stopped

    def note_move(self, now: float) -> None:
        """Note that the game has moved, which all others hear."""
        self._head_due = now + HEAD_SECONDS

    def take_ping(self, now: float) -> bool:
        """Return whether a PING is due; if so, schedule the next one."""
        if now < self.due:
            return False
        self.due = now + PING_SECONDS
        return True

    def take_head(self, now: float) -> bool:
        """Return whether a HEAD is due at this PING; if so, schedule the next one."""
        if now < self._head_due:
            return False
        self._head_due = now + HEAD_SECONDS
        return True


# -- chat in a game: signed, passed on like everything else, in no log (PROTOCOL.md 9.7) ---
#
# The lines of all seats as they arrive, and the lines that this seat writes.


@dataclass(slots=True)
class ChatReader:
    """Shows the lines of the others, and passes them on."""

    genesis: Genesis
    gossip: Gossip
    seat: Seat
    """The seat whose own lines are not shown when they come back."""
    _last_serial: dict[Seat, int] = field(default_factory=dict)
    """The greatest serial of each seat: a line that arrives twice is shown once."""
    _pace: dict[Seat, RateLimit] = field(default_factory=dict)

    def accept_line(self, source: Seat, signed: Signed, now: float) -> None:
        """Accept a chat line that some seat has signed; raise BadBytes or Forged."""
        line, players = ChatLine.parse(signed, self.genesis.id), self.genesis.players
        author = line.seat
        require_signed_by_keeper(players, author, signed, "line")
        if line.serial <= self.last_serial(author):
            return
        self._last_serial[author] = line.serial
        if author == self.seat or not self._pace.setdefault(author, new_chat_limit()).allows(now):
            return
        self.gossip.relay_frame(source, author, signed)
        self.gossip.effects.append(
            ShowNotice(Said(players[author].name, line.words, False, line=signed))
        )

    def last_serial(self, seat: Seat) -> int:
        """Return the greatest serial that was seen of `seat`; 0 before its first line."""
        return self._last_serial.get(seat, 0)


@dataclass(slots=True)
class ChatWriter:
    """Signs the lines of one seat."""

    reader: ChatReader
    signer: Signer
    _serial: int = 0

    def say_line(self, words: str, now: float) -> None:
        """Send a line to everybody; one without a visible character is not sent."""
        words = clean_chat_line(words)
        if not words:
            return
        genesis, gossip, seat = self.reader.genesis, self.reader.gossip, self.reader.seat
        # After a restart the others still hold lines of before: their serials are used up.
        self._serial = max(self._serial, self.reader.last_serial(seat)) + 1
        line = ChatLine.sign(self.signer, genesis.id, seat, self._serial, words)
        gossip.broadcast(line.signed)
        gossip.effects.append(
            ShowNotice(Said(genesis.players[seat].name, words, True, line=line.signed))
        )
