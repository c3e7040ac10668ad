"""A line of play: what the keepers have signed, one step after the other (PROTOCOL.md 5 and 9.3).

Scope: the order of entries, whether an entry is owed and legal, what closes a step, the heads, and
what a line-up does to the line.

How it works: the referee names the next *step*. Solo: one seat owes an answer. Gather: all members
owe an entry, in any order; the step closes when all are there. Every closed step moves the head by
a hash and the height by one. A line-up moves neither: it says who signs from its base on, and it
keeps the gather that is open there, or begins with new commitments.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NoReturn

from kotp2p.game import referee_feed, steps
from kotp2p.game.steps import Committing, Finished, Gather, Moved, Roster, StepClosing, StepStart
from kotp2p.referee.game import Game
from kotp2p.referee.model.answers import Burnt, Input, Out, Peek, Seat
from kotp2p.referee.model.decisions import LOOK, Chance, Over
from kotp2p.referee.model.events import Event
from kotp2p.referee.model.state import State
from kotp2p.wire import entries as bodies
from kotp2p.wire.crypto import Tag, digest_hashes, join_fields
from kotp2p.wire.entries import End, Entry, Signed
from kotp2p.wire.genesis import Genesis
from kotp2p.wire.lineups import CheatKind, LineUp, Plan, Reason

HEIGHTS_BETWEEN_SNAPSHOTS = 64
"""At the beginning of a game. An earlier height is at most this many steps away."""
MAX_SNAPSHOTS = 64


class Impossible(Exception):
    """A line-up that cannot follow this line, whatever its signatures are."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What cannot be read off the closed steps of a line: its state when `height` began."""

    height: int
    step: steps.Step
    start: StepStart
    feed: referee_feed.RefereeFeed
    gathers: tuple[int, int]
    newcomers: dict[Seat, bytes]


@dataclass(slots=True)
class Snapshots:
    """What a line was at some earlier heights, so that others are made again from near by.

    A proof or a line-up may be about any earlier height. To play the whole game again for each
    would let one seat cost all others work that grows with the game. When `MAX_SNAPSHOTS` are
    kept, every second one goes, and the next ones are twice as far apart.
    """

    kept: list[Snapshot] = field(default_factory=list)
    distance: int = HEIGHTS_BETWEEN_SNAPSHOTS

    def is_due(self, height: int) -> bool:
        return not self.kept or height >= self.kept[-1].height + self.distance

    def keep(self, snapshot: Snapshot) -> None:
        self.kept.append(snapshot)
        if len(self.kept) == MAX_SNAPSHOTS:
            del self.kept[1::2]
            self.distance *= 2

    def last_before(self, height: int) -> Snapshot:
        """Return the last snapshot at `height` or before it: there is always the first one."""
        return next(s for s in reversed(self.kept) if s.height <= height)

    def fork_until(self, height: int) -> Snapshots:
        return Snapshots([s for s in self.kept if s.height <= height], self.distance)


@dataclass(slots=True)
class Chain:
    genesis: Genesis
    check_signature: steps.SignatureCheck = steps.require_signed_by_keeper
    """For entries; a past that is made again checks each at once."""
    feed: referee_feed.RefereeFeed = field(init=False)
    roster: Roster = field(init=False)
    begun: list[steps.Begun] = field(default_factory=list)
    """The line-ups of this line after the genesis, ascending by attempt and base."""
    heads: list[bytes] = field(default_factory=list)
    """heads[h]: the head before height h; the last one is the current head."""
    closed: list[tuple[Entry, ...]] = field(default_factory=list)
    """closed[h]: what closed height h, by seat."""
    starts: list[StepStart] = field(default_factory=list)
    """starts[h]: the seats when height h began; the last one is that of the present step."""
    step: steps.Step = field(init=False)
    gathered: dict[Seat, Entry] = field(default_factory=dict)
    newcomers: dict[Seat, bytes] = field(default_factory=dict)
    """Keepers that commit before the next step, each with its new origin: those of which another
    process plays now, and those that make dice again."""
    last_gather: int = 0
    """The height of the last gather that has closed: nothing below it is undone. That gather itself
    may be undone, as its last entry may have reached no seat but its author."""
    gather_before_last: int = 0
    """The height of the gather before that one: nothing below it is undone, whatever is proven
    against any keeper."""
    snapshots: Snapshots = field(default_factory=Snapshots)

    def __post_init__(self) -> None:
        self.feed = referee_feed.RefereeFeed.at_start(self.genesis)
        self.roster = Roster.at_genesis(self.genesis)
        self.heads.append(self.genesis.id)
        self.step = steps.next_step(self.game, self.slots, self.roster)
        self.starts.append(self._start_of_step())
        self._keep_snapshot()

    # -- reading -------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        return self.feed.game

    @property
    def slots(self) -> steps.Slots:
        return self.feed.slots

    @property
    def draws(self) -> int:
        """Return how many slots have been opened. Rows close at anybody's wish: they open none."""
        return sum(self.slots.next_slot.values())

    @property
    def turns(self) -> int:
        return self.feed.turns

    @property
    def attempt(self) -> int:
        return self.roster.attempt

    def turn_at(self, height: int) -> int:
        """Return the turns that had begun when `height` began; if it has not, those until now."""
        return self.starts[min(height, self.height)].turn

    @property
    def height(self) -> int:
        return len(self.closed)

    @property
    def head(self) -> bytes:
        return self.heads[-1]

    @property
    def place(self) -> bodies.Place:
        return (self.roster.attempt, len(self.closed))

    @property
    def is_over(self) -> bool:
        step = self.step
        return isinstance(step, Finished) and len(self.gathered) >= len(step.members)

    @property
    def end(self) -> tuple[int, bytes, int] | None:
        """Return what names the end, in each line-up that keeps it; None before the end."""
        # By the plan of a line-up a game can be over where in another line-up it goes on.
        is_over = isinstance(self.step, Finished)
        return (self.height, self.head, self.starts[-1].attempt) if is_over else None

    def would_end(self, entry: Entry) -> bool:
        """Return whether an entry is the one END that is still missing."""
        is_last = isinstance(self.step, Finished) and self.owing_seats() == (entry.seat,)
        is_end = is_last and self.may_take(entry) and entry.payload == self.build_end()
        return is_end and entry.is_by(self.genesis.players[entry.seat].key)

    def owing_seats(self) -> tuple[Seat, ...]:
        return tuple([seat for seat in self.starts[-1].asked if seat not in self.gathered])

    def owing_keepers(self) -> tuple[Seat, ...]:
        start = self.starts[-1]
        found = [start.signer_of(seat) for seat in self.owing_seats()]
        return tuple([keeper for keeper in found if keeper is not None])

    def find_entry(self, height: int, seat: Seat) -> Entry | None:
        """Return the entry of `seat` at `height`, if it is part of this line."""
        present = len(self.closed)
        if height == present:
            return self.gathered.get(seat)
        if 0 <= height < present:
            for done in self.closed[height]:
                if done.seat == seat:
                    return done
        return None

    def entries_at(self, height: int) -> tuple[Entry, ...]:
        if height < len(self.closed):
            return self.closed[height]
        return tuple(self.gathered.values()) if height == len(self.closed) else ()

    def bodies_since(self, height: int) -> list[Signed]:
        """Return the entries from `height` on, in an order that another copy accepts."""
        entries = itertools.chain(*self.closed[height:], self.gathered.values())
        return [entry.signed for entry in entries]

    def build_end(self) -> End:
        """Return what every member signs when the game is over."""
        assert isinstance(self.step, Finished)
        return End(self.step.winners, self.feed.position_digest())

    # -- accepting -----------------------------------------------------------------------

    def accept_entry(self, entry: Entry) -> Moved | None:
        """Take an entry into the line; return None if it is already in it.

        Raise Forged, Early, Stale, Fork, Differs, or Cheat; then nothing has changed. The signature
        of an entry that is Early, Stale or a Fork has not been looked at.
        """
        seat, height = entry.seat, entry.height
        if seat >= len(self.roster.keepers):
            raise steps.Forged("an entry of a seat that is not at the table")
        if isinstance(entry.payload, bodies.Blame):
            self._refuse_blame(entry)
        present = len(self.closed)
        known = self.gathered.get(seat) if height == present else self.find_entry(height, seat)
        if known is not None and known.signed == entry.signed:
            return None
        if height > present:
            raise steps.Early("an entry of a later height")
        start = self.starts[height]
        if entry.attempt != start.attempt and not self.is_named_by(entry):
            later = entry.attempt > start.roster.attempt
            raise (
                steps.Early("of a later line-up") if later else steps.Stale("of an earlier line-up")
            )
        if entry.prev != self.heads[height]:
            raise steps.Fork("an entry on another past")
        # Only from here on does the entry stand on the same past as we: what is wrong with it
        # now is its author's doing and not the network's.
        keeper = start.signer_of(seat)
        if keeper is None or (keeper not in start.roster.members and known is None):
            raise steps.Stale("an entry of a keeper that does not play here")
        self.check_signature(self.genesis.players, keeper, entry)
        if known is not None:
            if known.id != entry.id:
                raise steps.equivocation(keeper, known, entry)
            return None  # a second signature under the same body says nothing
        if height < present or seat not in start.asked:
            raise steps.cheat_shown_by(keeper, entry, CheatKind.ILLEGAL_MOVE, "out of turn")
        return self._close_steps(self._add_entry(entry, keeper))

    def is_named_by(self, entry: Entry) -> bool:
        """Return whether an entry names the line-up of its height on this line.

        A height that is still to come belongs to the present line-up. At a kept gather the entry
        may name the line-up in which it began, or one that has kept it (PROTOCOL.md 5.2).
        """
        height, attempt = entry.height, entry.attempt
        if height >= len(self.starts):
            return self.roster.attempt == attempt
        first = self.starts[height].attempt
        is_end = height == self.height and self.end is not None
        if attempt <= first or is_end:
            return attempt == first
        return any(b.height == height and b.lineup.attempt == attempt for b in self.begun)

    def has_head(self, entry: Entry) -> bool:
        """Return whether an entry names the head of this line before its height."""
        return entry.height < len(self.heads) and self.heads[entry.height] == entry.prev

    def may_go_back(self, height: int, head: bytes) -> bool:
        """Return whether a place is one from which a line-up can go on if its keeper has cheated.

        It is not below the last gather of the line, which is the same for all that stand there.
        """
        floor = max(self.last_gather, self.begun[-1].height if self.begun else 0)
        return floor <= height <= self.height and self.heads[height] == head

    def may_take(self, entry: Entry) -> bool:
        """Return whether an entry is owed at the present place, judged without its payload."""
        return (
            self.is_named_by(entry)
            and entry.height == len(self.closed)
            and entry.prev == self.heads[-1]
            and entry.seat in self.starts[-1].asked
            and entry.seat not in self.gathered
        )

    def _refuse_blame(self, blame: Entry) -> NoReturn:
        """Raise the `Cheat` that a blame shows, or Early if its share has not come yet."""
        height = blame.height
        if height > self.height:
            raise steps.Early("a share that we have not seen")
        found = self.feed.judge_blame(blame)
        keeper = self.starts[max(height - 1, 0)].roster.keepers[blame.seat]
        if keeper is None:
            raise steps.Forged("a blame of nobody")
        steps.require_signed_by_keeper(self.genesis.players, keeper, blame.signed)
        if found is not None:
            raise found
        if blame.prev != self.heads[height]:
            raise steps.Fork("a blame on another past")
        raise steps.cheat_shown_by(keeper, blame, CheatKind.BAD_ENTRY, "no such share")

    # -- line-ups ------------------------------------------------------------------------

    def follow(self, lineup: LineUp) -> Moved:
        """Begin a line-up whose base is the present place.

        Raise Impossible if it cannot follow this line, or Early if openings that it keeps have not
        come; then this line MUST NOT be used any more.
        """
        alive = tuple(self.game.state.seats_alive())
        self._require_possible(lineup, alive)
        before, step, gathered = self.roster, self.step, self.gathered
        draw, held, turn = self._find_draw(self.feed), self.slots.half_open, self.turns
        after = before.after(lineup, self.genesis.players)
        was_asked, keeps = self.starts[-1], lineup.openings is not None and draw is not None
        events, given, burnt = self._apply_plan(self.feed, lineup, after, keeps=keeps)
        self._check_openings(lineup, after, is_same=draw == self._find_draw(self.feed, after))
        refused = _refusals(step, gathered, lineup)
        self.roster = after
        self._admit_newcomers(lineup, made_dice=before.contributors(alive))
        self.gathered = {}
        position = self.feed.position_digest()
        if keeps and isinstance(step, Gather):
            if step.plan.top:  # its owner may be out, but has shown it
                self.slots.half_open = held
            self._keep_gather(step, was_asked, gathered, lineup)
        else:
            self.feed.position_due = False
            self._begin_step(look_key=_key_of_look(step) if burnt is None else None)
            if isinstance(step, Finished):
                self._keep_ends(was_asked, gathered)
        if position != lineup.position:
            raise Impossible("another position")
        self.begun.append(
            steps.Begun(
                self.height,
                lineup,
                before,
                after,
                given,
                tuple(events),
                refused,
                burnt,
                _openings_of(gathered, lineup),
                alive,
                turn,
            )
        )
        moved = Moved([self.begun[-1]])
        self._keep_snapshot(always=True)
        if isinstance(self.step, Gather | Committing):
            moved.add(self._close_steps(self._complete_gather(self.step)))
        return moved

    def _require_possible(self, lineup: LineUp, alive: tuple[Seat, ...]) -> None:
        if why := self.roster.why_impossible(lineup.plan, alive):
            raise Impossible(why)
        if not self.are_enough(lineup.plan):
            raise Impossible("those that stay are not enough")

    def _admit_newcomers(self, lineup: LineUp, *, made_dice: Collection[Seat]) -> None:
        after, returned = self.roster, lineup.names(Reason.AGAIN, Reason.BACK)
        waiting = {k: origin for k, origin in self.newcomers.items() if k in after.members}
        self.newcomers = waiting | {
            keeper: lineup.id
            for keeper in after.contributors(tuple(self.game.state.seats_alive()))
            if lineup.openings is None or keeper in returned or keeper not in made_dice
        }

    def are_enough(self, plan: Plan, base: int | None = None) -> bool:
        """Return whether those that play then are enough of the present line-up (PROTOCOL.md 9.2).

        As long as no gather of its own has closed in a line-up, they must be enough of its
        predecessor, too. Otherwise two sides could each be enough of a line-up of which the other
        side knows only the assents.
        """
        members, gone = self.roster.members_after(plan), list(plan)
        if not self.roster.has_majority(members, gone):
            return False
        last = self.height if base is None else base
        for part in reversed(self.begun):
            if self._has_own_gather(part, last):
                return True
            gone += part.lineup.plan
            last = part.height
            if not part.before.has_majority(members, gone):
                return False
        return True

    def _has_own_gather(self, part: steps.Begun, last: int) -> bool:
        """Return whether a gather that names a line-up has closed in it, below `last`."""
        attempt = part.lineup.attempt
        starts = self.starts[part.height : last]
        return any(start.is_gather and start.attempt == attempt for start in starts)

    def preview(self, lineup: LineUp) -> bytes:
        """Return the digest of the present position after the plan of a line-up is applied."""
        feed, keeps = self.feed.fork(), lineup.openings is not None
        after = self.roster.after(lineup, self.genesis.players)
        self._apply_plan(feed, lineup, after, keeps=keeps and isinstance(self.step, Gather))
        return feed.position_digest()

    def openings_kept(self, lineup: LineUp) -> tuple[bytes, ...] | None:
        """Return the openings that a line-up from here names; None: it commits anew."""
        step = self.step
        if isinstance(step, Committing):
            return None
        if not isinstance(step, Gather):
            return ()
        after = self.roster.after(lineup, self.genesis.players)
        out = [k for k in step.contributors if k not in after.members]  # since when does not matter
        if not self.gathered.keys() >= set(out):
            return None
        feed, draw = self.feed.fork(), self._find_draw(self.feed)
        self._apply_plan(feed, lineup, after, keeps=True)
        if draw != self._find_draw(feed, after):
            return None
        return tuple(self.gathered[k].id for k in out)

    def _find_draw(self, feed: referee_feed.RefereeFeed, roster: Roster | None = None) -> object:
        """Return kind, seat, number, turn and secret looker of the open gather; None if none is."""
        now, roster = feed.game.pending, roster or self.roster
        if not isinstance(self.step, Gather) or not isinstance(now, Chance):
            return None
        looks = now.kind is LOOK and now.seat is not None
        keeper = roster.keepers[now.seat] if looks and now.seat is not None else None
        return (now.kind, now.seat, len(now.draws), feed.turns, keeper)

    def _apply_plan(
        self, feed: referee_feed.RefereeFeed, lineup: LineUp, after: Roster, *, keeps: bool
    ) -> tuple[list[Event], tuple[Input, ...], Seat | None]:
        """Give the referee what a plan means: the events, the inputs, and whose card is burnt."""
        # A card that the gather which is kept draws is not burnt: its owner has shown its part, or
        # plays on.
        events, given, step = list[Event](), list[Input](), self.step
        draws_top = keeps and isinstance(step, Gather) and step.plan.top
        burnt = None if draws_top else self._find_burnt(after, feed)
        alive = () if isinstance(feed.game.pending, Over) else feed.game.state.seats_alive()
        out = tuple([s for s in lineup.names(Reason.CHEATED, Reason.LEFT) if s in alive])
        if out:
            given.append(Out(out))
            events += feed.submit(given[-1])
        is_over = isinstance(feed.game.pending, Over)
        if burnt is not None and feed.slots.half_open is not None and not is_over:
            given.append(Burnt())
            events += feed.submit(given[-1])
        return events, tuple(given), burnt

    def _find_burnt(self, after: Roster, feed: referee_feed.RefereeFeed) -> Seat | None:
        """Return the seat whose looked-at card can no longer be shown; None if there is none."""
        held, step = feed.slots.half_open, self.step
        if held is None:
            return None
        changed = after.keepers[held.looker] != held.owner
        pending = feed.game.pending
        taker = pending.seat if isinstance(pending, Chance) else None
        if taker is not None and _key_of_look(step) is not None:
            # The key of the share is that of the former keeper.
            changed |= after.keepers[taker] != self.roster.keepers[taker]
        return held.looker if changed else None

    def _check_openings(self, lineup: LineUp, after: Roster, *, is_same: bool) -> None:
        """Raise Impossible if a line-up does not fit the gather that is open at its base."""
        step = self.step
        if isinstance(step, Committing) and lineup.openings is not None:
            raise Impossible("commitments that are not asked again")
        if not isinstance(step, Gather):
            if lineup.openings:
                raise Impossible("openings where none are owed")
            return
        out = [keeper for keeper in step.contributors if keeper not in after.members]
        if lineup.openings is None:
            goes = any(c.reason.puts_out and c.keeper in step.contributors for c in lineup.plan)
            if is_same and not goes and not lineup.names(Reason.CHEATED):
                raise Impossible("a draw that is made anew without a reason")
        elif not is_same or len(lineup.openings) != len(out):
            raise Impossible("a draw that cannot go on")

    def _keep_gather(
        self, step: Gather, start: StepStart, gathered: dict[Seat, Entry], lineup: LineUp
    ) -> None:
        """Go on with the open gather: with the head, slots, contributors and digest that it had."""
        # Of contributors that are out only the named openings count, and their witnesses are not
        # waited for. A keeper that comes back owes nothing in it.
        members = self.roster.members
        out = [keeper for keeper in step.contributors if keeper not in members]
        for keeper, name in zip(out, lineup.openings or (), strict=True):
            entry = gathered.get(keeper)
            if entry is None or entry.id != name:
                raise steps.Early("an opening that a line-up keeps has not come")
            self.gathered[keeper] = entry
        witnesses = tuple([keeper for keeper in step.witnesses if keeper in members])
        for keeper in (*step.contributors, *witnesses):
            if keeper in members and keeper in gathered:
                self.gathered[keeper] = gathered[keeper]
        self.step = Gather(step.contributors, witnesses, step.plan, step.position)
        asked = tuple(sorted((*step.contributors, *witnesses)))
        self.starts[-1] = StepStart(asked, self.turns, start.attempt, self.roster, True)

    def _keep_ends(self, start: StepStart, gathered: dict[Seat, Entry]) -> None:
        """Go on with the end of the game: what members have signed of it counts as before."""
        asked = self.starts[-1].asked
        self.gathered = {keeper: gathered[keeper] for keeper in asked if keeper in gathered}
        self.starts[-1] = replace(self.starts[-1], attempt=start.attempt)

    # -- the past ------------------------------------------------------------------------

    def restore(self, source: Chain, snapshot: Snapshot) -> None:
        """Become what `source` was at a snapshot, sharing nothing that changes."""
        height = snapshot.height
        self.feed, self.step = snapshot.feed.fork(), snapshot.step
        self.heads, self.closed = source.heads[: height + 1], source.closed[:height]
        self.starts = [*source.starts[:height], snapshot.start]
        self.roster, self.newcomers = snapshot.start.roster, dict(snapshot.newcomers)
        self.last_gather, self.gather_before_last = snapshot.gathers
        self.begun = [b for b in source.begun if b.lineup.attempt <= self.roster.attempt]

    def close_again(self, done: Iterable[Entry]) -> Moved:
        """Take what has closed this step before. Its signatures are not checked again."""
        start, moved = self.starts[-1], Moved()
        for entry in done:
            if entry.seat in self.gathered or self.starts[-1] is not start:
                continue  # a kept gather has it already, and may be whole without the last ones
            keeper = start.signer_of(entry.seat)
            assert keeper is not None, "it has closed this step"
            moved.add(self._close_steps(self._add_entry(entry, keeper)))
        return moved

    def _keep_snapshot(self, *, always: bool = False) -> None:
        height = len(self.closed)
        if (always or self.snapshots.is_due(height)) and not self.gathered:
            gathers = self.last_gather, self.gather_before_last
            self.snapshots.keep(
                Snapshot(
                    height,
                    self.step,
                    self.starts[-1],
                    self.feed.fork(),
                    gathers,
                    dict(self.newcomers),
                )
            )

    # -- closing steps -------------------------------------------------------------------

    def _close_steps(self, closing: StepClosing | None) -> Moved:
        if closing is None:
            return Moved()
        closed = steps.ClosedStep(
            len(self.closed),
            self.roster.attempt,
            self.step,
            closing.done,
            self.heads[-1],
            closing.head,
            self.feed.given,
            tuple(closing.events),
        )
        self.closed.append(closing.done)
        self.heads.append(closing.head)
        self.gathered = {}
        self._begin_step(look_key=closing.look_key, is_new=True)
        self._keep_snapshot()
        return Moved([closed], closing.looker, closing.share)

    def _begin_step(self, look_key: bytes | None = None, *, is_new: bool = False) -> None:
        feed = self.feed
        position = feed.position_digest() if feed.position_due else None
        feed.slots.origins.update(self.newcomers)
        self.step = steps.next_step(
            feed.game,
            feed.slots,
            self.roster,
            newcomers=tuple(sorted(self.newcomers)),
            look_key=look_key,
            position=position,
        )
        if is_new:
            self.starts.append(self._start_of_step())
        else:
            self.starts[-1] = self._start_of_step()

    def _start_of_step(self) -> StepStart:
        step, roster = self.step, self.roster
        match step:
            case steps.Solo(seat=seat) | steps.Sharing(seat=seat):
                return StepStart((seat,), self.feed.turns, roster.attempt, roster, False)
        asked = tuple(sorted(roster.members))
        return StepStart(asked, self.feed.turns, roster.attempt, roster, True)

    def _add_entry(self, entry: Entry, keeper: Seat) -> StepClosing | None:
        """Add an owed entry; return what closes the step, if it does. Raise Cheat or Differs."""
        step, load = self.step, entry.payload
        if isinstance(step, Gather) and isinstance(load, bodies.Opening):
            if entry.seat in step.contributors:
                self.feed.check_opening(entry, step, load)
                self.gathered[entry.seat] = entry
                return self._complete_gather(step)
        elif isinstance(step, steps.Solo) and isinstance(load, bodies.Answering):
            events, looker = self.feed.submit_answer(entry, load, keeper)
            key = load.secret if isinstance(load.answer, Peek) else None
            return StepClosing((entry,), entry.id, events, looker, look_key=key)
        elif isinstance(step, steps.Sharing) and isinstance(load, bodies.Share):
            taker = self.roster.keepers[step.taker]
            assert taker is not None, "a seat that looks plays"
            events = self.feed.submit_share(entry, step, (keeper, taker))
            return StepClosing((entry,), entry.id, events, step.taker, entry)
        elif isinstance(step, Gather | Committing) and isinstance(load, bodies.Witness):
            if entry.seat in step.witnesses:
                self.gathered[entry.seat] = entry
                return self._complete_gather(step)
        elif isinstance(step, Committing) and isinstance(load, bodies.Rows):
            if entry.seat in step.contributors:
                self.feed.check_rows(entry, load)
                self.gathered[entry.seat] = entry
                return self._complete_gather(step)
        elif isinstance(step, Finished) and isinstance(load, End):
            self._confirm_end(entry, step, load)
            return None
        # Every other pair of step and payload is the same offence.
        raise steps.cheat_shown_by(
            keeper, entry, CheatKind.BAD_ENTRY, "another kind of entry is owed"
        )

    def _confirm_end(self, entry: Entry, step: Finished, end: End) -> None:
        if end.position != self.feed.position_digest():
            raise steps.Differs(f"seat {entry.seat}, height {entry.height}")
        if end.winners != step.winners:
            raise steps.cheat_shown_by(entry.seat, entry, CheatKind.BAD_ENTRY, "other winners")
        self.gathered[entry.seat] = entry

    def _complete_gather(self, step: Gather | Committing) -> StepClosing | None:
        """Return what closes a gather, once all its members have signed."""
        if len(self.gathered) < len(self.starts[-1].asked):
            return None
        made = {seat: self.gathered[seat] for seat in step.contributors}
        before, height = self.heads[-1], len(self.closed)
        joined = join_fields(Tag.GATHER, self.genesis.id, before, height)
        head = digest_hashes(joined, [entry.id for entry in made.values()])
        looker = None
        if isinstance(step, Gather):
            self.feed.position_due = False
            events, looker = self.feed.close_gather(step.plan, before, made)
        else:
            self.feed.record_rows(made)
            self.newcomers, events = {}, []
        self.gather_before_last, self.last_gather = self.last_gather, height
        done = tuple([self.gathered[seat] for seat in self.starts[-1].asked])
        return StepClosing(done, head, events, looker, look_key=_key_of_look(step))


def _key_of_look(step: steps.Step) -> bytes | None:
    """Return the key for the share of a second look that is owed, or that follows rows."""
    match step:
        case steps.Sharing(key=key) | Committing(look_key=key):
            return key
        case steps.Solo() | Gather() | Finished():
            return None


def _openings_of(gathered: dict[Seat, Entry], lineup: LineUp) -> tuple[Entry, ...]:
    names = lineup.openings or ()
    found = [entry for entry in gathered.values() if entry.id in names]
    return tuple(sorted(found, key=lambda entry: entry.seat))


def _refusals(step: steps.Step, gathered: dict[Seat, Entry], lineup: LineUp) -> tuple[Seat, ...]:
    """Return the keepers put out while they owe a part of a draw of which others are known."""
    if not isinstance(step, Gather) or not any(k in gathered for k in step.contributors):
        return ()
    owing = [k for k in step.contributors if k not in gathered]
    out = [change.keeper for change in lineup.plan if change.reason.puts_out]
    return tuple([keeper for keeper in owing if keeper in out])


def chain_at(chain: Chain, height: int) -> Chain:
    """Return a copy of the line as it stood at `height`, not below its last base."""
    past = Chain(chain.genesis)
    past.restore(chain, chain.snapshots.last_before(height))
    past.snapshots = chain.snapshots.fork_until(height)
    for _moved in _play_again(past, chain, height):
        pass
    assert past.heads == chain.heads[: height + 1]
    return past


def _play_again(past: Chain, chain: Chain, height: int) -> Iterator[Moved]:
    """Take an earlier state of a line to a later height, over all its line-ups until there."""
    later = [b for b in chain.begun if b.lineup.attempt > past.roster.attempt]
    while past.height < height or (later and later[0].height <= height):
        if later and later[0].height == past.height:
            past.gathered = {entry.seat: entry for entry in later[0].kept}
            yield past.follow(later.pop(0).lineup)
        else:
            yield past.close_again(chain.closed[past.height])


def part_names(chain: Chain) -> list[bytes]:
    """Name each part of a line, in order: a line-up by its id, a closed step by the head after."""
    names, begun = list[bytes](), deque(chain.begun)
    for height in range(chain.height + 1):
        while begun and begun[0].height == height:
            names.append(begun.popleft().lineup.id)
        names += chain.heads[height + 1 : height + 2]
    return names


def parts_after(chain: Chain, count: int) -> tuple[State, list[steps.ClosedStep | steps.Begun]]:
    """Return the parts of a line after its first `count` ones, and the position before them."""
    past = Chain(chain.genesis)
    for snapshot in reversed(chain.snapshots.kept):
        attempt = snapshot.start.roster.attempt
        done = snapshot.height + sum(b.lineup.attempt <= attempt for b in chain.begun)
        if done <= count:
            past.restore(chain, snapshot)
            break
    else:
        done = 0
    state, parts = past.game.state.copy(), list[steps.ClosedStep | steps.Begun]()
    for moved in _play_again(past, chain, chain.height):
        for part in moved.parts:
            done += 1
            if done > count:
                parts.append(part)
        if done <= count:
            state = past.game.state.copy()
    return state, parts
