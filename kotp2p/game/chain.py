"""The chain: what the seats have signed, one step behind the other.

Scope: the order of entries, whether an entry is owed and legal, what closes a step, the heads.
Not here: links, clocks, files, keys of our own, which of two chains counts
(`kotp2p.game.ledger`), what the referee makes of an entry (`kotp2p.game.referee_feed`).

How it works (PROTOCOL.md 5 and 9): the referee names the next *step*. Solo: one seat owes an
answer. Gather: all seats in the game owe an opening, in any order; the step closes when all are
there. A seat that has left owes nothing: a stand-in takes its place, which means `Out`.
Every closed step moves the head by a hash and the height by one.

Known limitation: a solo entry that reaches us twice with different bodies proves equivocation,
but a *gather* entry on another head may come from an honest seat that was told another past.
It is reported as `Fork`, and only the two bodies at the height before it accuse anybody.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import NoReturn

from kotp2p.game import history
from kotp2p.game.farewells import (
    check_farewell,
    find_entry_behind,
    has_left,
    leaving_seats,
    require_keeper,
    stand_in_id,
)
from kotp2p.game.history import ClosingItem, StandIn, StepStart
from kotp2p.game.referee_feed import RefereeFeed
from kotp2p.game.refusals import (
    Early,
    Forged,
    Fork,
    SignatureCheck,
    Stale,
    cheat_shown_by,
    entry_behind_farewell,
    equivocation,
    require_signed_by_seat,
)
from kotp2p.game.slots import Slots
from kotp2p.game.snapshots import Snapshot, Snapshots
from kotp2p.game.steps import (
    ClosedStep,
    Finished,
    Gather,
    Moved,
    Renewal,
    Sharing,
    Solo,
    Step,
    StepClosing,
    next_step,
)
from kotp2p.wire.closings import End
from kotp2p.wire.crypto import Tag, digest
from kotp2p.wire.entries import Answering, Blame, Commits, Entry, Opening, Share, Signed
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.genesis import Genesis
from kotp2p.wire.proofs import CheatKind
from kotp2p.wire.votes import Certificate
from referee.game import Game
from referee.model.answers import Peek, Seat


@dataclass(slots=True)
class Chain:
    genesis: Genesis
    check_signature: SignatureCheck = require_signed_by_seat
    """For entries; a past that is made again checks each at once."""
    feed: RefereeFeed = field(init=False)
    view: int = 0
    heads: list[bytes] = field(default_factory=list)
    """heads[h]: the head before height h; the last one is the current head."""
    closed: list[tuple[ClosingItem, ...]] = field(default_factory=list)
    """closed[h]: what closed height h, by seat."""
    starts: list[StepStart] = field(default_factory=list)
    """starts[h]: the seats when height h began; the last one is that of the present step."""
    step: Step = field(init=False)
    gathered: dict[Seat, Entry] = field(default_factory=dict)
    """The entries of the present gather or renewal so far."""
    farewells: dict[Seat, Farewell] = field(default_factory=dict)
    """By each seat that leaves by it, also from places that are not reached yet."""
    last_gather: int = 0
    """The height of the last gather that has closed: what was closed before it is never undone.
    That gather itself may be undone by votes of all others, as its last entry may have reached
    nobody but its author."""
    gather_before_last: int = 0
    """The height of the gather before that one: nothing below it is undone, whatever is proven
    against any seat."""
    snapshots: Snapshots = field(default_factory=Snapshots)

    def __post_init__(self) -> None:
        self.feed = RefereeFeed.at_start(self.genesis)
        self.heads.append(self.genesis.id)
        self.step = next_step(self.game, self.slots)
        self.starts.append(self._start_of_step())
        self._keep_snapshot()

    # -- reading -------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        return self.feed.game

    @property
    def slots(self) -> Slots:
        return self.feed.slots

    @property
    def turns(self) -> int:
        """The turns that have begun."""
        return self.feed.turns

    def turn_at(self, height: int) -> int:
        """The turns that had begun when `height` began; if it has not, those until now."""
        return self.starts[min(height, self.height)].turn

    @property
    def height(self) -> int:
        """The number of closed steps."""
        return len(self.closed)

    @property
    def head(self) -> bytes:
        return self.heads[-1]

    @property
    def place(self) -> tuple[int, int]:
        """View and height."""
        return (self.view, len(self.closed))

    def owing_seats(self) -> tuple[Seat, ...]:
        """The seats that owe an entry now and have signed none."""
        match self.step:
            case Solo(seat=seat) | Sharing(seat=seat):
                return (seat,)
            case Gather(seats=seats) | Renewal(seats=seats):
                return tuple([s for s in seats if s not in self.gathered and not self._has_left(s)])
            case Finished():
                return ()

    def asked_seats(self) -> tuple[Seat, ...]:
        """The seats that this height asks, also those that have signed their entry or have left.

        Votes are judged by these: one copy hears an entry before the votes and another one after
        them, and both must find that the same certificate holds.
        """
        return self.starts[-1].asked

    def remaining_asked_seats(self) -> tuple[Seat, ...]:
        """The asked seats that have not left."""
        return tuple(seat for seat in self.asked_seats() if not self._has_left(seat))

    def find_entry(self, height: int, seat: Seat) -> Entry | None:
        """What `seat` signed at `height`, if it is part of this game."""
        present = len(self.closed)
        if height == present:
            return self.gathered.get(seat)
        if 0 <= height < present:
            for done in self.closed[height]:
                if isinstance(done, Entry) and done.seat == seat:
                    return done
        return None

    def has_signed_since(self, farewell: Farewell, height: int) -> bool:
        """Whether a seat that leaves by a farewell has signed an entry at or behind it, in what
        closed the steps before `height`."""
        taken = itertools.chain(*self.closed[:height])
        return find_entry_behind(self.genesis.players, farewell, taken) is not None

    def bodies_since(self, height: int) -> list[Signed]:
        """Everything signed from `height` on, in an order that another chain accepts."""
        said = dict.fromkeys(farewell.signed for farewell in self.farewells.values())
        open_gather = [entry.signed for entry in self.gathered.values()]
        return [*said, *history.bodies_since(self.closed, height), *open_gather]

    def canonical_bodies(self) -> list[Signed]:
        """The winning sequence (PROTOCOL.md 10.4)."""
        return history.canonical_bodies(self.closed)

    def count_entries(self) -> int:
        """Entries and stand-ins of the winning sequence."""
        return history.count_entries((*self.closed, tuple(self.gathered.values())))

    def build_end(self) -> End:
        """What everybody signs when the game is over."""
        assert isinstance(self.step, Finished)
        return End(self.height, self.head, self.step.winners, self.feed.position_digest())

    def _has_left(self, seat: Seat) -> bool:
        return bool(self.farewells) and has_left(self.farewells, seat, self.place)

    # -- accepting -----------------------------------------------------------------------

    def accept_entry(self, entry: Entry) -> Moved | None:
        """Takes an entry into the game; None if it is already in it.

        Raises Forged, Early, Stale, Fork, Differs, or Cheat; then nothing has changed.
        """
        if entry.game != self.genesis.id:
            raise Forged("an entry of another game")
        if isinstance(entry.payload, Blame):
            self._refuse_blame(entry)
        seat, height = entry.seat, entry.height
        known = self.find_entry(height, seat) if entry.view == self.view else None
        if known is not None and known.signed == entry.signed:
            return None
        # Every body comes over several links: only new ones cost a signature check.
        self.check_signature(self.genesis.charter.players, seat, entry.signed)
        if entry.view != self.view:
            self.check_view(entry.view)
        # Two bodies for one place accuse their seat whatever pasts they build on, so this comes
        # before the comparison of heads. A second signature under the same body says nothing.
        if known is not None and known.id != entry.id:
            raise equivocation(known, entry)
        if known is not None:
            return None
        present = len(self.closed)
        if height > present:
            raise Early("an entry of a later height")
        if entry.prev != self.heads[height]:
            raise Fork("an entry on another past")
        # Only from here on does the entry stand on the same past as we: what is wrong with it
        # now is its author's doing and not the network's.
        farewell = self.farewells.get(seat)
        if farewell is not None and farewell.place <= entry.place:
            raise entry_behind_farewell(farewell, entry)
        # It is not known and its seat has not left: it is owed here if its seat is asked.
        if height < present or seat not in self.starts[-1].asked:
            raise cheat_shown_by(entry, CheatKind.ILLEGAL_MOVE, "out of turn")
        return self._close_steps(self._add_entry(entry))

    def check_view(self, view: int) -> None:
        """Raises Early or Stale unless `view` is the present one."""
        if view > self.view:
            raise Early("of a later view")
        if view < self.view:
            raise Stale("of an earlier view")

    def note_farewell(self, farewell: Farewell) -> bool:
        """A keeper's farewell: from its place on stand-ins take the places of its seats. They close
        nothing yet (`close_by_farewells`). False if it is known. Raises Forged, or Cheat if one of
        its seats has signed play at or behind its place."""
        players = self.genesis.players
        require_keeper(players, farewell)
        known = self.farewells.get(farewell.seat)
        if known is not None and known.signed == farewell.signed:
            return False
        require_signed_by_seat(players, farewell.seat, farewell.signed)
        taken = itertools.chain(*self.closed, self.gathered.values())
        check_farewell(players, farewell, known, taken)
        self.farewells |= dict.fromkeys(leaving_seats(players, farewell), farewell)
        return True

    def apply_certificate(self, certificate: Certificate) -> Moved:
        """Its accused are out, by a stand-in of this height; a new view begins."""
        self.view = certificate.next_view
        self.slots.begin_view(certificate.id)
        events = self.feed.put_out(certificate.seats)
        closing = StepClosing((certificate,), certificate.id, events)
        return self._close_steps(closing, new_view=True)

    def _refuse_blame(self, blame: Entry) -> NoReturn:
        """A blame always ends in a `Cheat`, unless its share has not come yet."""
        require_signed_by_seat(self.genesis.players, blame.seat, blame.signed)
        found = self.feed.judge_blame(blame)
        if found is not None:
            raise found
        if blame.height > self.height:
            raise Early("a share that we have not seen")
        if blame.prev != self.heads[blame.height]:
            raise Fork("a blame on another past")
        raise cheat_shown_by(blame, CheatKind.BAD_ENTRY, "no such share")

    # -- the past ------------------------------------------------------------------------

    def restore(self, source: Chain, snapshot: Snapshot) -> None:
        """Becomes what `source` was at a snapshot, sharing nothing that changes."""
        height = snapshot.height
        self.feed, self.step, self.view = snapshot.feed.fork(), snapshot.step, snapshot.view
        self.heads, self.closed = source.heads[: height + 1], source.closed[:height]
        self.starts = source.starts[: height + 1]
        self.last_gather = snapshot.last_gather
        self.gather_before_last = snapshot.gather_before_last

    def close_again(self, done: tuple[ClosingItem, ...]) -> None:
        """Takes what has closed this step before. Its signatures are not checked again."""
        for item in done:
            match item:
                case Entry():
                    self._close_steps(self._add_entry(item))
                case Certificate():
                    self.apply_certificate(item)
                case StandIn():
                    pass  # it stands in by itself once the entries of its step have come

    def close_by_farewells(self) -> Moved:
        """Closes the present step if all that it asks have left."""
        return self._close_steps(self._closed_by_farewells())

    def _keep_snapshot(self) -> None:
        height = len(self.closed)
        if self.snapshots.is_due(height):
            gathers = self.last_gather, self.gather_before_last
            feed = self.feed.fork()
            self.snapshots.keep(Snapshot(height, self.view, self.step, feed, *gathers))

    # -- closing steps -------------------------------------------------------------------

    def _close_steps(self, closing: StepClosing | None, *, new_view: bool = False) -> Moved:
        """Closes the present step, and every further one that farewells alone complete."""
        moved, feed = Moved(), self.feed
        while closing is not None:
            moved.steps.append(ClosedStep(
                len(self.closed), self.view, self.step, closing.done, self.heads[-1], closing.head,
                feed.given, tuple(closing.events),
            ))  # fmt: skip
            moved.note_look(closing.looker, closing.share)
            self.closed.append(closing.done)
            self.heads.append(closing.head)
            self.gathered = {}
            self.step = next_step(
                feed.game, feed.slots, renewing=new_view, look_key=closing.look_key
            )
            new_view = False
            self.starts.append(self._start_of_step())
            self._keep_snapshot()
            closing = self._closed_by_farewells()
        return moved

    def _start_of_step(self) -> StepStart:
        step, feed = self.step, self.feed
        if isinstance(step, (Gather, Renewal)):  # it asks all that are in the game
            return StepStart(step.seats, step.seats, feed.turns)
        return StepStart(tuple(feed.game.state.seats_alive()), self.owing_seats(), feed.turns)

    def _add_entry(self, entry: Entry) -> StepClosing | None:
        """An entry that is owed: what it closes, if it closes the step. Raises Cheat, Differs."""
        step, load = self.step, entry.payload
        if isinstance(step, Gather) and isinstance(load, Opening):
            self.feed.check_opening(entry, step, load)
            self.gathered[entry.seat] = entry
            return self._complete_gather(step)
        if isinstance(step, Solo) and isinstance(load, Answering):
            events = self.feed.submit_answer(entry, load)
            key = load.secret if isinstance(load.answer, Peek) else None
            return StepClosing((entry,), entry.id, events, look_key=key)
        if isinstance(step, Sharing) and isinstance(load, Share):
            events = self.feed.submit_share(entry, step, load)
            return StepClosing((entry,), entry.id, events, step.taker, entry)
        if isinstance(step, Renewal) and isinstance(load, Commits):
            self.feed.check_commits(entry, load)
            self.gathered[entry.seat] = entry
            return self._complete_gather(step)
        # Every other pair of step and payload is the same offence.
        raise cheat_shown_by(entry, CheatKind.BAD_ENTRY, "another kind of entry is owed")

    def _closed_by_farewells(self) -> StepClosing | None:
        """What closes the present step if no other seat than those that have left is missing."""
        if not self.farewells:
            return None
        step = self.step
        if isinstance(step, (Gather, Renewal)):
            return self._complete_gather(step)
        if isinstance(step, Finished) or not self._has_left(step.seat):
            return None
        stand_in = StandIn(step.seat, self.farewells[step.seat])
        head = self._stand_in_id(stand_in)
        return StepClosing((stand_in,), head, self.feed.put_out((step.seat,)))

    def _complete_gather(self, step: Gather | Renewal) -> StepClosing | None:
        """What closes a gather or a renewal, once all its seats have signed or left."""
        if len(self.gathered) < len(step.seats) and not self.farewells:
            return None
        left = tuple([s for s in step.seats if s not in self.gathered and self._has_left(s)])
        if len(self.gathered) + len(left) < len(step.seats):
            return None
        done: tuple[ClosingItem, ...] = tuple([
            StandIn(s, self.farewells[s]) if s in left else self.gathered[s] for s in step.seats
        ])
        ids = [self._stand_in_id(i) if isinstance(i, StandIn) else i.id for i in done]
        before, height = self.heads[-1], len(self.closed)
        head = digest(Tag.GATHER, self.genesis.id, before, height, *ids)
        if isinstance(step, Gather):
            events, looker = self.feed.close_gather(step.plan, before, self.gathered, left)
        else:
            events, looker = self.feed.close_renewal(self.gathered, left), None
        self.gather_before_last, self.last_gather = self.last_gather, height
        return StepClosing(done, head, events, looker)

    def _stand_in_id(self, stand_in: StandIn) -> bytes:
        return stand_in_id(self.genesis.id, self.head, self.height, stand_in)
