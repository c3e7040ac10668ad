"""How bodies spread: each once over each link, missing ones on request (PROTOCOL.md 9.1)."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from kotp2p.game import steps
from kotp2p.game.ledger import Ledger, find_author
from kotp2p.mesh.reachability import Reachability
from kotp2p.referee.model.answers import Seat
from kotp2p.referee.model.decisions import Decision
from kotp2p.referee.model.events import Event
from kotp2p.referee.model.position import digest_of_numbers
from kotp2p.seams import endings, notices
from kotp2p.seams.cores import NOTICES_AT_ONCE, Budget, RateLimit, clean_chat_line, new_chat_limit
from kotp2p.wire import entries
from kotp2p.wire.crypto import Signer
from kotp2p.wire.entries import Blame, ChatLine, End, Entry, Head, Opening, Place, Signed
from kotp2p.wire.frames import Frame, Links, PositionShown, Want
from kotp2p.wire.genesis import Genesis

# -- what a peer wants done to the world -------------------------------------------------


@dataclass(frozen=True, slots=True)
class AppendRecord:
    """Append a body to the log. It MUST be on disk before any later effect is performed."""

    signed: Signed


@dataclass(frozen=True, slots=True)
class SendFrame:
    seat: Seat
    frame: Frame


@dataclass(frozen=True, slots=True)
class ShowNotice:
    notice: notices.Notice


@dataclass(frozen=True, slots=True)
class AskDecision:
    """Put a decision to the player of a seat; the reply counts while `place` does."""

    place: Place
    seat: Seat
    """Of this keeper, or one for which a bot or the second person at this machine answers."""
    decision: Decision


@dataclass(frozen=True, slots=True)
class WithdrawQuestion:
    seat: Seat


@dataclass(frozen=True, slots=True)
class CloseLink:
    """Close the link of `seat`: it sent what no unmodified program sends, or nothing at all."""

    seat: Seat
    reason: str
    """Technical, in English: no player reads it."""


@dataclass(frozen=True, slots=True)
class KeepEvidence:
    """A seat has cheated: write the file that proves it, and show its path."""

    seat: Seat
    height: int
    data: bytes


@dataclass(frozen=True, slots=True)
class EndPeer:
    """The peer has nothing more to do. No effect follows."""

    kind: endings.EndKind
    detail: str = ""


Effect: TypeAlias = (
    AppendRecord
    | SendFrame
    | ShowNotice
    | AskDecision
    | WithdrawQuestion
    | CloseLink
    | KeepEvidence
    | EndPeer
)


# -- what an accepted body has done, as notices --------------------------------------------


def notices_of(moved: steps.Moved, view: notices.SeatView) -> list[notices.Notice]:
    """Return steps and line-ups in their order; events that follow each other come together."""
    found: list[notices.Notice] = []
    events: list[Event] = []
    undone_from = moved.undone_from
    for part in moved.parts:
        if isinstance(part, steps.Begun):
            if events:
                found.append(notices.Happened(tuple(events), view))
            events = []
            found.append(notices.LineUpBegun(steps.changes_of(part), view, undone_from))
            undone_from = None
            if part.burnt is not None:
                found.append(notices.CardBurnt(part.burnt))
        events += part.events
    if events:
        found.append(notices.Happened(tuple(events), view))
    return found


def update_keepers(view: notices.SeatView, ledger: Ledger) -> None:
    alive, keepers = ledger.game.state.seats_alive(), ledger.roster.keepers
    view.keepers.clear()
    view.keepers.update({s: k for s in alive if (k := keepers[s]) is not None})


# -- the budgets of the other seats --------------------------------------------------------


@dataclass(slots=True)
class SeatBudgets:
    now: float = 0.0
    _of_seat: defaultdict[Seat, Budget] = field(
        default_factory=lambda: defaultdict(Budget.for_seat)
    )

    def of(self, seat: Seat) -> Budget:
        return self._of_seat[seat]

    def charge_work(self, seat: Seat, units: float) -> None:
        self.of(seat).work.charge(units, self.now)

    def may_relay(self, author: Seat) -> bool:
        return self.of(author).relays.take(1, self.now)


# -- what a seat can make happen as often as it likes is told at a pace --------------------
#
# A wish to go on without the player of this seat is told at once, unless the last one told was
# such a wish. So to have it told again, its seat must first have another wish told, which its
# budget limits.


PacedNotice: TypeAlias = (
    notices.LinkChanged | notices.Quiet | notices.Detour | notices.StopWanted | notices.Wished
)
MATTERS: dict[type[PacedNotice], notices.UnsteadyMatter] = {
    notices.LinkChanged: notices.UnsteadyMatter.CONNECTION,
    notices.Quiet: notices.UnsteadyMatter.CONNECTION,
    notices.Detour: notices.UnsteadyMatter.CONNECTION,
    notices.StopWanted: notices.UnsteadyMatter.WISHES,
    notices.Wished: notices.UnsteadyMatter.WISHES,
}


@dataclass(slots=True)
class PacedTopic:
    newest: PacedNotice
    """It is kept until it may be told."""
    told: PacedNotice | None = None


@dataclass(slots=True)
class NoticePace:
    seat: Seat
    budgets: SeatBudgets
    _topics: dict[tuple[Seat, type[PacedNotice]], PacedTopic] = field(default_factory=dict)
    _unsteady: set[tuple[Seat, notices.UnsteadyMatter]] = field(default_factory=set)
    """What was shown to the player as unsteady, until the budget of the seat is whole again."""
    _done: int = 0
    """How many effects at the front of the list were paced before."""

    def forget_effects(self) -> None:
        self._done = 0

    def pace_effects(self, effects: list[Effect]) -> None:
        """Replace the new notices in the list by those that may be shown now."""
        new = effects[self._done :]
        del effects[self._done :]
        effects += [ShowNotice(notice) for notice in self._tell_kept()]
        for effect in new:
            if isinstance(effect, ShowNotice) and isinstance(effect.notice, PacedNotice):
                effects += [ShowNotice(notice) for notice in self._tell(effect.notice)]
            else:
                effects.append(effect)
        self._done = len(effects)

    def _tell(self, notice: PacedNotice) -> list[notices.Notice]:
        topic = self._topics.setdefault((notice.seat, type(notice)), PacedTopic(notice))
        topic.newest = notice
        is_urgent = self._is_without_us(notice) and not self._is_without_us(topic.told)
        if is_urgent or self.budgets.of(notice.seat).notices.take(1, self.budgets.now):
            topic.told = notice
            return [notice]
        matter = (notice.seat, MATTERS[type(notice)])
        if matter in self._unsteady:
            return []
        self._unsteady.add(matter)
        return [notices.Unsteady(*matter)]

    def _is_without_us(self, notice: PacedNotice | None) -> bool:
        return isinstance(notice, notices.Wished) and self.seat in notice.without

    def _tell_kept(self) -> list[notices.Notice]:
        found: list[notices.Notice] = []
        for (seat, _), topic in self._topics.items():
            allowance = self.budgets.of(seat).notices
            if topic.newest != topic.told and allowance.take(1, self.budgets.now):
                topic.told = topic.newest
                found.append(topic.newest)
        self._unsteady = {
            (seat, matter)
            for seat, matter in self._unsteady
            if not self.budgets.of(seat).notices.has(NOTICES_AT_ONCE, self.budgets.now)
        }
        return found


# -- bodies and links --------------------------------------------------------------------


REQUEST_PAUSE_SECONDS = 1.0
"""Pause between two requests for missing bodies over one link. It doubles as long as a request
brings nothing."""
MAX_REQUEST_PAUSE_SECONDS = 16.0
MAX_BODIES_PER_REQUEST = 512
"""More bodies are sent only for the next request, which has a greater height."""


@dataclass(frozen=True, slots=True)
class SentRequest:
    have: tuple[tuple[int, int], int]
    """What this copy had then: its place, and how many entries of the gather there."""
    pause_seconds: float
    not_before: float


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
    _requests: dict[tuple[Seat, bool], SentRequest] = field(default_factory=dict)
    """By link, and whether it was a HEAD of its own keeper, from which no other one keeps us."""
    _forked: dict[Seat, tuple[bytes, int]] = field(default_factory=dict)
    """By link: the head of this copy when the other side showed another past, and the height from
    which that was asked for."""
    _served_again_at: dict[Seat, float] = field(default_factory=dict)

    def show(self, notice: notices.Notice) -> None:
        self.effects.append(ShowNotice(notice))

    def append_record(self, signed: Signed) -> None:
        """Write a body that was taken into the log. Raise Unwritable if no reader would take it."""
        entries.pack_signed(signed)  # the array of a record, within the bounds of a frame
        self.effects.append(AppendRecord(signed))

    def send(self, seat: Seat, frame: Frame) -> None:
        """Send a frame if there is a direct link to `seat`; otherwise do nothing."""
        if seat in self.reachability.linked:
            self.effects.append(SendFrame(seat, frame))

    def forget_unsent(self) -> None:
        """Take back what was not written or sent: a newer process may have decided otherwise."""
        self.effects = [e for e in self.effects if not isinstance(e, AppendRecord | SendFrame)]

    def broadcast(self, frame: Frame) -> None:
        for seat in sorted(self.reachability.linked):
            self.send(seat, frame)

    def close_link(self, seat: Seat, reason: str) -> None:
        self.effects.append(CloseLink(seat, reason))
        self.closing.add(seat)

    def relay_frame(self, source: Seat, author: Seat, frame: Frame) -> None:
        """Pass on what `author` signed to the seats that cannot hear it directly."""
        for seat in self.reachability.relay_targets(author, source):
            self.send(seat, frame)

    def relay_news(self, source: Seat, author: Seat, frame: Frame) -> None:
        """Relay a frame of a kind without end, within the budget of its author."""
        if self.budgets.may_relay(author):
            self.relay_frame(source, author, frame)

    def spread(self, source: Seat, author: Seat, frame: Frame) -> None:
        """Pass on a frame to all linked seats but its source and its author."""
        for seat in sorted(self.reachability.linked - {source, author}):
            self.send(seat, frame)

    def broadcast_links(self) -> None:
        self.broadcast(Links(tuple(sorted(self.reachability.linked))))

    def request_missing(
        self, source: Seat, now: float, *, later_line_up: bool = False, own_head: bool = False
    ) -> None:
        """Ask `source` for everything beyond our place, unless it was asked a moment ago.

        `later_line_up`: it plays in a line-up that this copy does not know. Its base may be at any
        place since the last gathers, so everything since then is asked for.
        """
        ledger, last = self.ledger, self._requests.get((source, own_head))
        if last is not None and now < last.not_before:
            return
        have = (ledger.place, len(ledger.chain.gathered))
        pause = REQUEST_PAUSE_SECONDS
        if last is not None and last.have == have:
            pause = min(2 * last.pause_seconds, MAX_REQUEST_PAUSE_SECONDS)
        self._requests[source, own_head] = SentRequest(have, pause, now + pause)
        since = ledger.chain.gather_before_last if later_line_up else ledger.height
        head, fork_since = self._forked.get(source, (b"", 0))
        since = min(since, fork_since) if head == ledger.head else since
        self.send(source, Want(ledger.attempt, since))

    def request_other_past(self, source: Seat, since: int) -> None:
        """Ask `source` for all from before the fork on, also in requests at the same head."""
        self._forked[source] = (self.ledger.head, since)
        self.send(source, Want(self.ledger.attempt, since))

    def forget_requests(self, seat: Seat) -> None:
        """Let missing bodies be requested at once over a new link of `seat`."""
        self._requests = {k: asked for k, asked in self._requests.items() if k[0] != seat}

    def serve_request(self, source: Seat, want: Want, now: float) -> bool:
        """Send what `source` lacks; return False if it asks too often for so large an answer."""
        if now < self._served_again_at.get(source, 0.0):
            return False
        self._served_again_at[source] = now + REQUEST_PAUSE_SECONDS / 2
        bodies = self.ledger.bodies_after(want.attempt, want.height)
        for signed in bodies[:MAX_BODIES_PER_REQUEST]:
            self.send(source, signed)
        return True


# -- entries that arrive before their place is reached: a reorder buffer -------------------
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
EarlyPlace: TypeAlias = tuple[int, int, Seat, Seat, bytes, bool]
"""Attempt, height, seat, author, head, and whether the entry is a blame."""


@dataclass(slots=True)
class EarlyEntries:
    ledger: Ledger
    _kept: dict[EarlyPlace, Entry] = field(default_factory=dict)
    _count_of: Counter[Seat] = field(default_factory=Counter)

    def keep_entry(self, entry: Entry) -> steps.Cheat | None:
        """Keep a signed entry until its place comes; two different ones for one prove a cheat."""
        author = find_author(self.ledger.genesis.players, entry, first=entry.seat)
        if author is None:
            return None
        is_blame = isinstance(entry.payload, Blame)  # a seat may blame beside the entry it owes
        place = (entry.attempt, entry.height, entry.seat, author, entry.prev, is_blame)
        known = self._kept.get(place)
        if known is not None:
            is_second = known.id != entry.id and not is_blame
            return steps.equivocation(author, known, entry) if is_second else None
        is_near = entry.height <= self.ledger.height + MAX_HEIGHTS_AHEAD
        if is_near and self._count_of[author] < MAX_EARLY_ENTRIES:
            self._kept[place] = entry
            self._count_of[author] += 1
        return None

    def pop_due_entry(self) -> Entry | None:
        """Return an entry whose place is reached; None if there is none."""
        if not self._kept:
            return None
        ledger = self.ledger
        for place, entry in sorted(self._kept.items(), key=lambda item: item[0]):
            is_known = place[0] <= ledger.attempt and place[1] <= ledger.height
            if is_known or (place[0] < ledger.attempt and place[1] > ledger.height):
                del self._kept[place]
                self._count_of[place[3]] -= 1
                if is_known:
                    return entry
        return None


# -- forks ---------------------------------------------------------------------------------


MAX_FORKS_ANSWERED = 64
"""More forks of which one seat tells are not answered to another one, or to itself: it could make
us send without end. What it tells uses up nothing of the seat that passes it on."""
HEIGHTS_BEFORE_FORK = 8
"""How many heights before a fork are shown to the other side, and requested of it. The two pasts
may have parted before the first entry that does not fit."""


@dataclass(slots=True)
class Forks:
    ledger: Ledger
    gossip: Gossip
    _answered: dict[Seat, dict[tuple[int, bytes], Seat]] = field(default_factory=dict)
    """For each seat that was answered: the height, our head at that time, and who told of it."""
    _shown_to_all: set[Signed] = field(default_factory=set)
    """The bodies that all seats have been shown because of forks."""

    def compare_head(self, source: Seat, head: Head) -> None:
        """Find a fork that no entry shows, as both sides wait, or are at an end."""
        ledger = self.ledger
        if (head.attempt, head.height) == ledger.place and head.head != ledger.head:
            self.answer_fork(source, head.seat, head.height)

    def answer_fork(self, source: Seat, author: Seat, height: int) -> None:
        """Show `source` our past at a `height` where `author` has another one; request its own."""
        answered, place = self._answered.setdefault(source, {}), (height, self.ledger.head)
        if place in answered or Counter(answered.values())[author] >= MAX_FORKS_ANSWERED:
            return
        answered[place] = author
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


PING_SECONDS = 2.0
HEAD_SECONDS = 5.0
"""A HEAD is sent this long after the game has moved last, and again for as long as it stands."""
MAX_TICK_GAP_SECONDS = 12.0
"""A longer gap between two ticks means that this machine was stopped, not the others."""


@dataclass(slots=True)
class Heartbeat:
    due: float = 0.0
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
        if now < self.due:
            return False
        self.due = now + PING_SECONDS
        return True

    def take_head(self, now: float) -> bool:
        if now < self._head_due:
            return False
        self._head_due = now + HEAD_SECONDS
        return True


# -- chat in a game: signed, passed on like everything else, in no log (PROTOCOL.md 9.7) ---


@dataclass(slots=True)
class Chat:
    """Shows the lines of the others, passes them on, and signs those of this seat."""

    genesis: Genesis
    gossip: Gossip
    seat: Seat
    signer: Signer
    _last_serial: dict[Seat, int] = field(default_factory=dict)
    """The greatest serial of each seat: a line that arrives twice is shown once."""
    _pace: dict[Seat, RateLimit] = field(default_factory=dict)

    def accept_line(self, source: Seat, signed: Signed, now: float) -> None:
        line, players = ChatLine.parse(signed, self.genesis.id), self.genesis.players
        author = line.seat
        steps.require_signed_by_keeper(players, author, signed, "line")
        if line.serial <= self._last_serial.get(author, 0):
            return
        self._last_serial[author] = line.serial
        if author == self.seat or not self._pace.setdefault(author, new_chat_limit()).allows(now):
            return
        self.gossip.relay_frame(source, author, signed)
        self.gossip.show(notices.Said(players[author].name, line.words, False, line=signed))

    def say_line(self, words: str) -> None:
        """Send a line to everybody; one without a visible character is not sent."""
        words = clean_chat_line(words)
        if not words:
            return
        # After a restart the others still hold lines of before: their serials are used up.
        serial = self._last_serial.get(self.seat, 0) + 1
        self._last_serial[self.seat] = serial
        line = ChatLine.sign(self.signer, self.genesis.id, self.seat, serial, words)
        self.gossip.broadcast(line.signed)
        own = self.genesis.players[self.seat].name
        self.gossip.show(notices.Said(own, words, True, line=line.signed))


# -- copies that differ though both are legal (PROTOCOL.md 5.6) --------------------------


POSITION_TIMEOUT_SECONDS = 5.0
"""How long the position of a seat whose digest is not ours is waited for."""


@dataclass(slots=True)
class DisputedSeat:
    """A seat that has signed another digest than ours at the present place."""

    entry: Entry
    told_at: float
    """When it is reported, also if the seat has not shown its position."""
    difference: tuple[str, str, str] = ("", "", "")
    """The first number that differs: its field, ours and theirs."""
    positions_sent: int = 0
    last_told: notices.Agreement | None = None

    @property
    def digest(self) -> bytes:
        assert isinstance(self.entry.payload, Opening | End)  # no other entry has a digest
        assert self.entry.payload.position is not None  # it differs from ours
        return self.entry.payload.position


@dataclass(slots=True)
class Divergence:
    ledger: Ledger
    gossip: Gossip
    seat: Seat
    """The keeper of this process, which agrees with this copy before it has signed."""
    deadline: float = math.inf
    _place: tuple[int, int] = (-1, -1)
    """Where the seats below differ. At any other place there is no dispute."""
    _disputed: dict[Seat, DisputedSeat] = field(default_factory=dict)

    def note_entry(self, source: Seat, entry: Entry, now: float) -> steps.Cheat | None:
        """Note an entry with another digest than ours; return the cheat if it is the second one."""
        if self._place != self.ledger.place:
            self._place, self._disputed = self.ledger.place, {}
        known = self._disputed.get(entry.seat)
        if known is not None:
            is_second = known.entry.id != entry.id
            return steps.equivocation(entry.seat, known.entry, entry) if is_second else None
        self._disputed[entry.seat] = DisputedSeat(entry, now + POSITION_TIMEOUT_SECONDS)
        for seat in sorted(self.gossip.reachability.linked - {source}):
            self.gossip.send(seat, entry.signed)
        return None

    def find_second_entry(self, entry: Entry) -> steps.Cheat | None:
        """Find the cheat of a seat whose entry was taken after it signed another one."""
        known = self._disputed.get(entry.seat)
        if known is None or known.entry.place != entry.place or known.entry.id == entry.id:
            return None
        return steps.equivocation(entry.seat, known.entry, entry)

    def bodies_for_new_link(self) -> list[Signed]:
        return [known.entry.signed for known in self._open_disputes().values()]

    # -- positions -------------------------------------------------------------------------

    def compare_position(self, source: Seat, shown: PositionShown) -> None:
        """Find the first number that differs in a position whose digest its sender has signed."""
        known = self._open_disputes().get(source)
        if (
            known is None
            or shown.height != self.ledger.height
            or digest_of_numbers(shown.numbers) != known.digest
        ):
            return
        if known.positions_sent == 1:
            self._send_position(source, known)  # it may have been too early for our first one
        ours = self.ledger.game.position()
        # The ends are compared, too, so that a position with a field more or less differs.
        for (name, value), theirs in zip((*ours, ("end", -1)), (*shown.numbers, -1), strict=False):
            if value != theirs:
                known.difference = (name, str(value), str(theirs))
                return

    def show_position(self) -> None:
        """Send our position to the seats that differ, after our own digest."""
        disputes = self._open_disputes()
        if not disputes or self.seat in self.ledger.owing_seats():
            return
        for seat, known in disputes.items():
            if not known.positions_sent:
                self._send_position(seat, known)

    def _send_position(self, seat: Seat, known: DisputedSeat) -> None:
        known.positions_sent += 1
        numbers = tuple(value for _, value in self.ledger.game.position())
        self.gossip.send(seat, PositionShown(self.ledger.height, numbers))

    # -- what follows ----------------------------------------------------------------------

    def find_news(self, now: float) -> notices.Diverged | None:
        """Return a seat that differs, with the side of the majority, if it is due to be shown."""
        self.deadline = math.inf
        disputes = self._open_disputes()
        if not disputes:
            return None
        agreement, majority = self._find_agreement(disputes)
        for seat, known in sorted(disputes.items()):
            is_of_majority = agreement is not notices.Agreement.THEIRS or known.digest == majority
            if known.last_told is agreement or not is_of_majority:
                continue
            is_waiting = not known.difference[0] or agreement is notices.Agreement.OPEN
            if is_waiting and now < known.told_at:
                self.deadline = min(self.deadline, known.told_at)
                continue
            known.last_told = agreement
            return notices.Diverged(seat, *known.difference, agreement)
        return None

    def _open_disputes(self) -> dict[Seat, DisputedSeat]:
        is_here = self._disputed and self._place == self.ledger.place
        return self._disputed if is_here else {}

    def _find_agreement(
        self, disputes: Mapping[Seat, DisputedSeat]
    ) -> tuple[notices.Agreement, bytes | None]:
        """Return with which copy most of the electorate agree, and its digest."""
        ledger = self.ledger
        ours = ledger.chain.feed.position_digest()
        # Others that sign none, as witnesses, may have any. Leavers and cheats do not count.
        members, attempt = ledger.roster.members - ledger.convicts.keys(), ledger.attempt + 1
        electorate = {keeper for keeper in members if not ledger.has_left(keeper, attempt)}
        gathered = ledger.chain.gathered.items()
        signed = {k: ours for k, e in gathered if not isinstance(e.payload, entries.Witness)}
        signed |= {self.seat: ours} | {seat: known.digest for seat, known in disputes.items()}
        counts = Counter(digest for keeper, digest in signed.items() if keeper in electorate)
        silent = len(electorate - signed.keys())
        for digest, count in counts.items():
            if 2 * count > len(electorate):
                side = notices.Agreement.OURS if digest == ours else notices.Agreement.THEIRS
                return side, digest
        if 2 * (max(counts.values(), default=0) + silent) > len(electorate):
            return notices.Agreement.OPEN, None
        return notices.Agreement.NONE, None
