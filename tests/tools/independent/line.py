"""A line of play: the steps that have closed, the line-ups on it, and what is owed next. Sections
5, 7.5, 8 and 9.2.

Law: `Line` is asked whether an entry fits (`check`), is handed the entries (`put`) and line-ups
(`follow`), and knows nothing of files, signatures or proofs. A line up to an earlier height is made
by closing the same steps again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from kotp2p.referee.game import Game
from kotp2p.referee.model import answers as a
from kotp2p.referee.model.answers import Answered, Burnt, Drawn, IllegalAction, Looked, Out
from kotp2p.referee.model.decisions import Chance, ChanceKind, Over
from kotp2p.referee.model.events import TurnEnded, TurnStarted
from tests.tools.independent import bodies
from tests.tools.independent.genesis import Genesis
from tests.tools.independent.roster import Roster
from tests.tools.independent.slots import CARDS, HalfOpen, Slots
from tests.tools.independent.wire import Malformed, derived, encode, hashed, need


class NotYet(Exception):
    """A line-up may begin once more has come."""


class Owed(Enum):
    ANSWER = "an answer"
    OPENINGS = "openings"
    SHARE = "a share"
    ROWS = "rows"
    END = "the end"


ALONE = (Owed.ANSWER, Owed.SHARE)
"""What the keeper of a seat signs for it. Elsewhere each keeper signs in its own name."""


@dataclass
class Step:
    """One step: who owes it, and what has come."""

    owed: Owed
    asked: tuple[int, ...]
    makers: tuple[int, ...]
    """Of those asked, who owes more than a WITNESS."""
    roster: Roster
    attempt: int
    """That its entries name."""
    position: bytes | None = None
    """The digest that its OPENINGs carry, also where a line-up has kept it."""
    parts: dict[int, bodies.Entry] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        return all(seat in self.parts for seat in self.asked)

    def signer(self, seat: int) -> int | None:
        if self.owed not in ALONE:
            return seat
        return self.roster.keepers[seat] if seat < len(self.roster.keepers) else None


@dataclass(frozen=True)
class Shared:
    height: int
    id: bytes
    seats: tuple[int, int]
    """That shared, and that looks."""
    owner: int
    taker: int
    """Their keepers."""
    taker_key: bytes
    share: bodies.Sealed
    slot: int


@dataclass(frozen=True)
class Begun:
    height: int
    up: bodies.LineUp
    before: Roster
    refused: tuple[int, ...]
    kept: dict[int, bodies.Entry]
    """The openings that it lists."""


class Line:
    def __init__(self, genesis: Genesis) -> None:
        self.genesis = genesis
        self.game = Game(genesis.setup)
        self.slots = Slots(genesis)
        self.roster = Roster.first(genesis)
        self.head = genesis.game
        self.heads = [self.head]
        """Before each height."""
        self.steps: list[Step] = []
        self.begun: list[Begun] = []
        self.shares: list[Shared] = []
        self.turns = 0
        self.due: tuple[int, ...] = ()
        """Who owes rows before anything else."""
        self.position_due = False
        self.look_key: bytes | None = None
        self.step = self._next()

    @property
    def height(self) -> int:
        return len(self.steps)

    @property
    def place(self) -> bodies.Place:
        return self.step.attempt, self.height

    @property
    def base(self) -> int:
        return self.begun[-1].height if self.begun else 0

    @property
    def over(self) -> bool:
        return self.step.owed is Owed.END and self.step.complete

    def all_steps(self) -> list[Step]:
        return [*self.steps, self.step]

    def names(self, place: bodies.Place) -> bool:
        """Is it an attempt that entries of that height may name?"""
        attempt, height = place
        steps = self.all_steps()
        first = steps[height].attempt if height < len(steps) else self.roster.attempt
        if height == self.height and self.step.owed is Owed.END:
            return attempt == first
        later = {begun.up.attempt for begun in self.begun if begun.height == height}
        return attempt == first or (attempt > first and attempt in later)

    def living(self) -> tuple[int, ...]:
        monsters = self.game.state.monsters
        return tuple(s for s in range(len(self.genesis.seats)) if monsters[s].alive)

    def _next(self) -> Step:
        pending, roster = self.game.pending, self.roster
        members, attempt = tuple(sorted(roster.members)), roster.attempt
        if isinstance(pending, Over):
            return Step(Owed.END, members, members, roster, attempt)
        if self.due:
            return Step(Owed.ROWS, members, self.due, roster, attempt)
        if not isinstance(pending, Chance):
            return Step(Owed.ANSWER, (pending.seat,), (), roster, attempt)
        half = self.slots.half
        if pending.kind is ChanceKind.LOOK and half is not None and self.look_key is not None:
            return Step(Owed.SHARE, (half.seat,), (), roster, attempt)
        makers = roster.makers(self.living())
        position = self.game.digest() if self.position_due else None
        return Step(Owed.OPENINGS, members, makers, roster, attempt, position)

    # -- does an entry fit? ------------------------------------------------------------------

    def check(self, entry: bodies.Entry) -> None:
        """Malformed if this entry, at this place, is an offence (or of another place)."""
        step, seat, payload = self.step, entry.seat, entry.payload
        need(self.names(entry.place) and entry.prev == self.head, "another place or past")
        need(seat in step.asked, "nothing is owed by this seat")
        if step.owed is Owed.ANSWER and isinstance(payload, bodies.Answering):
            self._check_answer(seat, payload)
        elif step.owed is Owed.SHARE and isinstance(payload, bodies.Sealed):
            pass
        elif step.owed is Owed.END and isinstance(payload, bodies.End):
            is_same = payload.winners == (self.game.state.winners or ())
            need(is_same or self.differs(entry), "other winners")
        elif step.owed is Owed.OPENINGS and isinstance(payload, bodies.Opening):
            need(seat in step.makers, "a witness opens nothing")
            self._check_opening(seat, payload)
        elif step.owed is Owed.ROWS and isinstance(payload, bodies.Rows):
            need(seat in step.makers, "no rows of this keeper")
            self.slots.check_rows(payload)
        elif step.owed in (Owed.OPENINGS, Owed.ROWS) and isinstance(payload, bodies.Witness):
            need(seat not in step.makers, "more than a witness")
        else:
            raise Malformed("another kind of entry is owed")

    def _check_answer(self, seat: int, payload: bodies.Answering) -> None:
        answer, half = payload.answer, self.slots.half
        keeper = self.roster.keepers[seat]
        if isinstance(answer, a.BuyTop):
            assert payload.secret is not None
            need(half is not None, "no top card has been looked at")
            assert half is not None
            need(
                self.slots.opens(CARDS, half.owner, half.slot, payload.secret), "opens another part"
            )
            undrawn = self.game.state.undrawn
            need(answer.card == self.slots.top_card(payload.secret, undrawn), "another top card")
        if isinstance(answer, a.Peek):
            sealed = half is not None and half.owner != keeper
            need((payload.key is not None) == sealed, "key of a look")
        try:
            self.game.fork().submit(Answered(seat, answer))
        except IllegalAction as refused:
            raise Malformed(f"illegal: {refused}") from refused

    def _check_opening(self, seat: int, opening: bodies.Opening) -> None:
        node = self.game.pending
        assert isinstance(node, Chance)
        self.slots.check(node, seat, self.looker(), opening)
        has_one, carries = opening.position is not None, self.step.position is not None
        need(has_one == carries, "a position where none belongs")

    def looker(self) -> int | None:
        """The keeper that withholds its part."""
        node = self.game.pending
        assert isinstance(node, Chance)
        looks = node.kind is ChanceKind.LOOK and node.seat is not None
        return self.roster.keepers[node.seat] if looks and node.seat is not None else None

    def differs(self, entry: bodies.Entry) -> bool:
        """Is its digest of the position another one? That convicts nobody."""
        payload = entry.payload
        if isinstance(payload, bodies.End):
            return payload.position != self.game.digest()
        return isinstance(payload, bodies.Opening) and payload.position != self.step.position

    # -- closing a step ----------------------------------------------------------------------

    def put(self, entry: bodies.Entry) -> None:
        self.step.parts[entry.seat] = entry
        self._settle()

    def _settle(self) -> None:
        step = self.step
        if step.owed is Owed.END or not step.complete:
            return
        if step.owed in ALONE:
            entry = step.parts[step.asked[0]]
            head = entry.id
            if step.owed is Owed.ANSWER:
                self._close_answer(entry)
            else:
                self._close_share(entry)
        else:
            made = {seat: step.parts[seat] for seat in step.makers}
            ids = [entry.id for _, entry in sorted(made.items())]
            head = hashed("gather", self.genesis.game, self.head, self.height, *ids)
            if step.owed is Owed.ROWS:
                self._close_rows(made)
            else:
                self._close_openings(made)
        self.steps.append(step)
        self.head = head
        self.heads.append(head)
        self.step = self._next()

    def _close_openings(self, made: dict[int, bodies.Entry]) -> None:
        node, looker = self.game.pending, self.looker()
        assert isinstance(node, Chance)
        openings = {s: e.payload for s, e in made.items() if isinstance(e.payload, bodies.Opening)}
        self.position_due = False
        for seat, opening in openings.items():
            self.slots.take(node, seat, opening)
        if looker is not None:
            assert node.seat is not None
            slot = self.slots.look(node, looker, self.head, openings)
            self.slots.settle()
            self._submit(Looked(slot, node.seat))
        else:
            values = self.slots.drawn(node, self.head, openings)
            self.slots.settle()
            self._submit(Drawn(values))

    def _close_rows(self, made: dict[int, bodies.Entry]) -> None:
        for seat, entry in made.items():
            assert isinstance(entry.payload, bodies.Rows)
            self.slots.commit(seat, entry.payload)
        self.slots.settle()
        self.due = ()

    def _close_answer(self, entry: bodies.Entry) -> None:
        payload, half = entry.payload, self.slots.half
        assert isinstance(payload, bodies.Answering)
        self._submit(Answered(entry.seat, payload.answer))
        self.look_key = None
        if isinstance(payload.answer, a.Peek):
            if half is not None and half.owner == self.roster.keepers[entry.seat]:
                self._submit(Looked(half.slot, entry.seat))
            self.look_key = payload.key

    def _close_share(self, entry: bodies.Entry) -> None:
        node, half = self.game.pending, self.slots.half
        assert isinstance(entry.payload, bodies.Sealed)
        assert isinstance(node, Chance) and node.seat is not None and half is not None
        key, taker = self.look_key, self.roster.keepers[node.seat]
        assert taker is not None and key is not None
        found = self.height, entry.id, (half.seat, node.seat), half.owner, taker
        self.shares.append(Shared(*found, key, entry.payload, half.slot))
        self.look_key = None
        self._submit(Looked(half.slot, node.seat))

    def _submit(self, given: Answered | Drawn | Looked | Out | Burnt) -> None:
        for event in self.game.submit(given):
            if isinstance(event, TurnStarted):
                self.turns += 1
            elif isinstance(event, TurnEnded):
                self.position_due = True
        if not self.game.state.seen_by:
            self.slots.half = None

    # -- line-ups ----------------------------------------------------------------------------

    def enough(self, plan: tuple[bodies.Change, ...]) -> bool:
        """B5."""
        members, named, until = self.roster.members_after(plan), list(plan), self.height
        if not self.roster.has_most(members, named):
            return False
        for begun in reversed(self.begun):
            if any(
                step.owed not in ALONE and step.attempt == begun.up.attempt
                for step in self.steps[begun.height : until]
            ):
                return True
            named += begun.up.plan
            until = begun.height
            if not begun.before.has_most(members, named):
                return False
        return True

    def follow(self, up: bodies.LineUp, again: Begun | None = None) -> None:
        """Begin a line-up whose base is this place, perhaps once more. Malformed if it cannot be,
        NotYet if openings are missing; then the line is not to be used any more."""
        self.enter(up, again)
        need(self.game.digest() == up.digest, "another position")
        self._settle()

    def enter(self, up: bodies.LineUp, again: Begun | None = None) -> None:
        """As `follow`, whatever its digest is."""
        living, before, step = self.living(), self.roster, self.step
        before.check(up.plan, living)
        need(self.enough(up.plan), "not enough")
        after = before.after(up, self.genesis.seats)
        draw, held = self._draw(before), self.slots.half
        keeps = step.owed is Owed.OPENINGS and up.openings is not None
        burns = self._apply(up, after, keeps)
        self._check_openings(up, after, draw == self._draw(after))
        self.roster = after
        makers = set(after.makers(self.living()))
        joining = makers - set(before.makers(living)) | makers & set(
            up.named(bodies.AGAIN, bodies.BACK)
        )
        waiting = set(self.due) & after.members
        self.due = tuple(sorted(waiting | (makers if up.openings is None else joining)))
        listed = {s: part for s, part in step.parts.items() if part.id in (up.openings or ())}
        self.begun.append(again or Begun(self.height, up, before, _refused(step, up), listed))
        if keeps:
            if self._draws_top():
                self.slots.half = held
            self._keep(step, up)
        else:
            self.position_due = False
            self.look_key = None if burns else self.look_key
            self.step = self._next()
            if step.owed is Owed.END:
                parts = {k: part for k, part in step.parts.items() if k in after.members}
                self.step.attempt, self.step.parts = step.attempt, parts

    def _draw(self, roster: Roster) -> object:
        node = self.game.pending
        if self.step.owed is not Owed.OPENINGS or not isinstance(node, Chance):
            return None
        looks = node.kind is ChanceKind.LOOK and node.seat is not None
        looker = roster.keepers[node.seat] if looks and node.seat is not None else None
        return node.kind, node.seat, len(node.draws), self.turns, looker

    def _draws_top(self) -> bool:
        node = self.game.pending
        return isinstance(node, Chance) and node.kind is ChanceKind.CARDS

    def _apply(self, up: bodies.LineUp, after: Roster, keeps: bool) -> bool:
        """Give the referee what the plan means; whether the top card is burnt."""
        half = self.slots.half
        burns = half is not None and self._is_burnt(half, after)
        if keeps and half is not None and self._draws_top():
            burns = False
        living = () if isinstance(self.game.pending, Over) else self.living()
        out = tuple(seat for seat in up.named(bodies.CHEATED, bodies.LEFT) if seat in living)
        if out:
            self._submit(Out(out))
        if burns and self.slots.half is not None and not isinstance(self.game.pending, Over):
            self._submit(Burnt())
        return burns

    def _is_burnt(self, half: HalfOpen, after: Roster) -> bool:
        node = self.game.pending
        changed = after.keepers[half.seat] != half.owner
        waits = self.step.owed is Owed.SHARE or (self.step.owed is Owed.ROWS and self.look_key)
        if waits and isinstance(node, Chance) and node.seat is not None:
            changed |= after.keepers[node.seat] != self.roster.keepers[node.seat]
        return changed

    def _check_openings(self, up: bodies.LineUp, after: Roster, same: bool) -> None:
        """B6, but for what has not come."""
        if self.step.owed is Owed.ROWS:
            need(up.openings is None, "rows are not asked again")
        elif self.step.owed is not Owed.OPENINGS:
            need(not up.openings, "openings where none are owed")
        else:
            out = [keeper for keeper in self.step.makers if keeper not in after.members]
            if up.openings is None:
                makers = self.step.makers
                goes = any(c.reason <= bodies.ABSENT and c.keeper in makers for c in up.plan)
                is_caused = not same or goes or up.named(bodies.CHEATED)
                need(is_caused, "a draw made anew without a reason")
            else:
                need(same and len(up.openings) == len(out), "a draw that cannot go on")

    def _keep(self, step: Step, up: bodies.LineUp) -> None:
        members = self.roster.members
        parts = {seat: entry for seat, entry in step.parts.items() if seat in members}
        out = [keeper for keeper in step.makers if keeper not in members]
        for keeper, name in zip(out, up.openings or (), strict=True):
            if keeper not in step.parts or step.parts[keeper].id != name:
                raise NotYet
            parts[keeper] = step.parts[keeper]
        witnesses = [k for k in step.asked if k not in step.makers and k in members]
        asked = tuple(sorted((*step.makers, *witnesses)))
        kept = {seat: entry for seat, entry in parts.items() if seat in asked}
        self.step = Step(
            step.owed, asked, step.makers, self.roster, step.attempt, step.position, kept
        )

    # -- an earlier place --------------------------------------------------------------------

    def back_to(self, height: int) -> Line:
        """The line that stands before `height`, with its line-ups there and nothing else."""
        line = Line(self.genesis)
        for begun, step in self._told(height):
            if begun is not None:
                line.step.parts = dict(begun.kept)
                line.follow(begun.up, begun)
            else:
                for entry in step.parts.values():
                    if entry.seat in line.step.asked and entry.seat not in line.step.parts:
                        line.put(entry)
        return line

    def _told(self, height: int) -> list[tuple[Begun | None, Step]]:
        """What has happened up to a height, in order."""
        steps, found = self.all_steps(), list[tuple[Begun | None, Step]]()
        for n in range(height + 1):
            here = [begun for begun in self.begun if begun.height == n]
            found += [(begun, steps[n]) for begun in here]
            if n < height:
                found.append((None, steps[n]))
        return found

    # -- blame -------------------------------------------------------------------------------

    def blamed(self, entry: bodies.Entry) -> int:
        """Whom a BLAME convicts: who gave the share, or who blames. Malformed: nobody."""
        blame, (_, height) = entry.payload, entry.place
        assert isinstance(blame, bodies.Blame)
        need(height <= self.height, "a share that is not there yet")
        need(entry.prev == self.heads[height], "a blame on another past")
        for shared in self.shares:
            if (shared.id, shared.seats[1]) == (entry.prev, entry.seat):
                return shared.taker if self._share_fits(shared, blame) else shared.owner
        keepers = self.all_steps()[max(height - 1, 0)].roster.keepers
        keeper = keepers[entry.seat] if entry.seat < len(keepers) else None
        need(keeper is not None, "a blame of nobody")
        assert keeper is not None
        return keeper

    def _share_fits(self, shared: Shared, blame: bodies.Blame) -> bool:
        """Also if the secret is not that of the key."""
        secret = X25519PrivateKey.from_private_bytes(blame.secret)
        if secret.public_key().public_bytes_raw() != shared.taker_key:
            return True
        try:
            common = secret.exchange(X25519PublicKey.from_public_bytes(shared.share.key))
            key = derived(common, "seal", shared.share.key, shared.taker_key)
            named = encode([self.genesis.game, shared.height, shared.slot, *shared.seats])
            opened = ChaCha20Poly1305(key).decrypt(bytes(12), shared.share.sealed, named)
        except (InvalidTag, ValueError):
            return False
        return self.slots.opens(CARDS, shared.owner, shared.slot, opened)


def _refused(step: Step, up: bodies.LineUp) -> tuple[int, ...]:
    if step.owed is not Owed.OPENINGS or not any(k in step.parts for k in step.makers):
        return ()
    out = [change.keeper for change in up.plan if change.reason <= bodies.ABSENT]
    return tuple(k for k in step.makers if k in out and k not in step.parts)
