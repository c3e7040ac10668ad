"""A line of play: the steps that have closed, and what is owed next. Sections 5 and 8.

Law: `Line` is asked whether an entry fits (`check`), is handed what closes a step (`close`), and
knows nothing of files, signatures or votes. A line up to an earlier height is made by closing
the same steps again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from referee.game import Game
from referee.model import answers as a
from referee.model.answers import Answered, Drawn, IllegalAction, Looked, Out
from referee.model.decisions import Chance, ChanceKind, Over
from referee.model.events import TurnEnded, TurnStarted
from tests.tools.independent.bodies import (
    Answering,
    Blame,
    Commits,
    Entry,
    Farewell,
    Opening,
    Place,
    Sealed,
    Vote,
)
from tests.tools.independent.genesis import Genesis
from tests.tools.independent.slots import CARDS, Slots
from tests.tools.independent.wire import Malformed, derived, encode, hashed, need


class Owed(Enum):
    ANSWER = "an answer"
    OPENINGS = "openings"
    SHARE = "a share"
    COMMITS = "commitments"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Certificate:
    view: int
    round: int
    height: int
    head: bytes
    accused: tuple[int, ...]
    votes: tuple[Vote, ...]
    farewells: tuple[Farewell, ...]
    """Of the records of a log."""
    shown: tuple[tuple[int, bytes], ...] = ()
    """Seats whose farewells have no record, and the ids of the proofs in which they stand."""

    def id(self, game: bytes) -> bytes:
        accused = bytes(self.accused)
        return hashed("dropped", game, self.head, self.view, self.round, self.height, accused)


@dataclass
class Step:
    """One step: who owes it, and what has come."""

    owed: Owed
    asked: tuple[int, ...]
    parts: dict[int, Entry | Farewell] = field(default_factory=dict)
    certificate: Certificate | None = None

    @property
    def complete(self) -> bool:
        return bool(self.asked) and all(seat in self.parts for seat in self.asked)


@dataclass(frozen=True)
class Shared:
    """What a false blame is about."""

    height: int
    id: bytes
    owner: int
    taker: int
    taker_key: bytes
    share: Sealed
    half_slot: int


class Line:
    def __init__(self, genesis: Genesis) -> None:
        self.genesis = genesis
        self.game = Game(genesis.setup)
        self.slots = Slots(genesis)
        self.head = genesis.game
        self.heads = [self.head]
        """Before each height."""
        self.view = 0
        self.views = [0]
        """In which each step stands."""
        self.steps: list[Step] = []
        self.since = 0
        """The height behind the last certificate."""
        self.last_gather = self.gather_before = 0
        self.shares: list[Shared] = []
        self.turns = 0
        self._renewing = False
        self.position_due = False
        self.look_key: bytes | None = None
        self._earlier: dict[int, Line] = {}
        self.step = self._next()

    @property
    def height(self) -> int:
        return len(self.steps)

    @property
    def place(self) -> Place:
        return self.view, self.height

    @property
    def undo_floor(self) -> int:
        """The lowest height that votes may name; with proofs it is `convict_floor`."""
        return max(self.since, self.last_gather)

    @property
    def convict_floor(self) -> int:
        return max(self.since, self.gather_before)

    def alive(self, seat: int) -> bool:
        return self.game.state.monsters[seat].alive

    def living(self) -> tuple[int, ...]:
        return tuple(s for s in range(len(self.genesis.seats)) if self.alive(s))

    def _next(self) -> Step:
        pending = self.game.pending
        if self.slots.half is not None and not self.alive(self.slots.half.owner):
            self.slots.half = None
        if isinstance(pending, Over):
            return Step(Owed.NOTHING, ())
        if self._renewing:
            return Step(Owed.COMMITS, self.living())
        if not isinstance(pending, Chance):
            return Step(Owed.ANSWER, (pending.seat,))
        if pending.kind is ChanceKind.LOOK and self.slots.half is not None:
            return Step(Owed.SHARE, (self.slots.half.owner,))
        return Step(Owed.OPENINGS, self.living())

    # -- does an entry fit? ------------------------------------------------------------------

    def check(self, entry: Entry) -> None:
        """Malformed if this entry, at this place, is an offence (or of another place)."""
        need(entry.place == self.place and entry.prev == self.head, "another place or past")
        need(entry.seat in self.step.asked, "nothing is owed by this seat")
        payload, owed = entry.payload, self.step.owed
        if isinstance(payload, Answering) and owed is Owed.ANSWER:
            self._check_answer(entry.seat, payload)
        elif isinstance(payload, Opening) and owed is Owed.OPENINGS:
            self._check_opening(entry.seat, payload)
        elif isinstance(payload, Commits) and owed is Owed.COMMITS:
            self.slots.check_commits(payload)
        elif isinstance(payload, Sealed) and owed is Owed.SHARE:
            half = self.slots.half
            need(half is not None and payload.slot == half.slot, "slot of a share")
        else:
            raise Malformed("another kind of entry is owed")

    def _check_answer(self, seat: int, payload: Answering) -> None:
        answer, half = payload.answer, self.slots.half
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
            need((payload.key is not None) == (half is not None), "key of a look")
        try:
            self.game.fork().submit(Answered(seat, answer))
        except IllegalAction as refused:
            raise Malformed(f"illegal: {refused}") from refused

    def _check_opening(self, seat: int, opening: Opening) -> None:
        assert isinstance(self.game.pending, Chance)
        self.slots.check(self.game.pending, seat, opening)
        need((opening.position is not None) == self.position_due, "a position where none belongs")

    def differs(self, entry: Entry) -> bool:
        """Is its digest of the position another one? That convicts nobody."""
        payload = entry.payload
        given = payload.position if isinstance(payload, Opening) else None
        return given is not None and given != self.game.digest()

    # -- closing a step ----------------------------------------------------------------------

    def put(self, seat: int, part: Entry | Farewell) -> None:
        self.step.parts[seat] = part
        if self.step.complete:
            self._close()

    def drop(self, certificate: Certificate) -> None:
        step = self.step
        step.certificate = certificate
        head = certificate.id(self.genesis.game)
        self._submit(Out(tuple(s for s in certificate.accused if self.alive(s))))
        self._burn_position(step)
        self.view = certificate.view + certificate.round
        self._renewing = True
        self._move(head)
        self.since = self.height

    def _close(self) -> None:
        step = self.step
        gone = tuple(s for s in step.asked if isinstance(step.parts[s], Farewell))
        ids = [self._part_id(s, step.parts[s]) for s in step.asked]
        solo = step.owed in (Owed.ANSWER, Owed.SHARE)
        here = self.genesis.game, self.head, self.height
        head = ids[0] if solo else hashed("gather", *here, *ids)
        if not solo:
            self.gather_before, self.last_gather = self.last_gather, self.height
        if step.owed is Owed.OPENINGS:
            self._close_openings(step, gone)
        elif step.owed is Owed.COMMITS:
            self._close_commits(step, gone)
        elif gone:
            self._submit(Out(gone))
        elif step.owed is Owed.ANSWER:
            self._close_answer(step.parts[step.asked[0]])
        else:
            self._close_share(step.parts[step.asked[0]])
        self._burn_position(step)
        self._move(head)

    def _part_id(self, seat: int, part: Entry | Farewell) -> bytes:
        if isinstance(part, Entry):
            return part.id
        return hashed("absent", self.genesis.game, self.head, self.height, seat, part.id)

    def _close_openings(self, step: Step, gone: tuple[int, ...]) -> None:
        node = self.game.pending
        assert isinstance(node, Chance)
        openings: dict[int, Opening] = {}
        for seat, part in step.parts.items():
            if isinstance(part, Entry) and isinstance(part.payload, Opening):
                openings[seat] = part.payload
                self.slots.take(seat, part.payload)
        if gone:
            self.slots.burn(node)
            self.slots.settle()
            self._submit(Out(gone))
        elif node.kind is ChanceKind.LOOK:
            assert node.seat is not None
            slot = self.slots.look(node, self.head, openings)
            self.slots.settle()
            self._submit(Looked(slot, node.seat))
        else:
            values = self.slots.drawn(node, self.head, openings)
            self.slots.settle()
            self._submit(Drawn(values))

    def _close_commits(self, step: Step, gone: tuple[int, ...]) -> None:
        for seat, part in step.parts.items():
            if isinstance(part, Entry) and isinstance(part.payload, Commits):
                self.slots.commit(seat, part.payload)
        self.slots.settle()
        self._renewing = False
        if gone:
            self._submit(Out(gone))

    def _close_answer(self, part: Entry | Farewell) -> None:
        assert isinstance(part, Entry) and isinstance(part.payload, Answering)
        self._submit(Answered(part.seat, part.payload.answer))
        if isinstance(part.payload.answer, a.BuyTop):
            self.slots.half = None
        self.look_key = part.payload.key

    def _close_share(self, part: Entry | Farewell) -> None:
        assert isinstance(part, Entry) and isinstance(part.payload, Sealed)
        node, half = self.game.pending, self.slots.half
        assert isinstance(node, Chance) and node.seat is not None and half is not None
        if self.look_key is not None:
            key, share = self.look_key, part.payload
            found = self.height, part.id, half.owner, node.seat, key, share, half.slot
            self.shares.append(Shared(*found))
        self._submit(Looked(half.slot, node.seat))

    def _submit(self, given: Answered | Drawn | Looked | Out) -> None:
        events = self.game.submit(given)
        self.turns += sum(isinstance(event, TurnStarted) for event in events)
        self._ended = any(isinstance(event, TurnEnded) for event in events)

    _ended = False

    def _burn_position(self, step: Step) -> None:
        """The first gather after the end of a turn carries the position, also if it is burnt."""
        if step.owed is Owed.OPENINGS and step.complete:
            self.position_due = False
        if self._ended:
            self.position_due = True
        self._ended = False

    def _move(self, head: bytes) -> None:
        self.steps.append(self.step)
        self.head = head
        self.heads.append(head)
        self.views.append(self.view)
        self.step = self._next()

    # -- an earlier place --------------------------------------------------------------------

    def at(self, height: int) -> Line:
        """`back_to`, made once for each height: to be read only."""
        if height not in self._earlier:
            self._earlier[height] = self.back_to(height)
        return self._earlier[height]

    def back_to(self, height: int) -> Line:
        """The line that stands before `height`, with nothing of that step."""
        line = Line(self.genesis)
        for step in self.steps[:height]:
            if step.certificate is not None:
                line.drop(step.certificate)
            for seat, part in step.parts.items():
                if step.certificate is None:
                    line.put(seat, part)
        return line

    # -- blame -------------------------------------------------------------------------------

    def blamed(self, entry: Entry) -> int:
        """Whom a BLAME convicts: who gave the share, or who blames. Malformed: nobody."""
        blame = entry.payload
        assert isinstance(blame, Blame)
        height = entry.place[1]
        need(height <= self.height, "a share that is not there yet")
        need(entry.prev == self.heads[height], "a blame on another past")
        for shared in self.shares:
            if (shared.id, shared.taker) == (entry.prev, entry.seat):
                return shared.taker if self._share_fits(shared, blame) else shared.owner
        return entry.seat

    def _share_fits(self, shared: Shared, blame: Blame) -> bool:
        secret = X25519PrivateKey.from_private_bytes(blame.secret)
        if secret.public_key().public_bytes_raw() != shared.taker_key:
            return True
        try:
            common = secret.exchange(X25519PublicKey.from_public_bytes(shared.share.key))
            key = derived(common, "seal", shared.share.key, shared.taker_key)
            context: list[int | bytes] = [self.genesis.game, shared.height, shared.half_slot]
            named = encode([*context, shared.owner, shared.taker])
            opened = ChaCha20Poly1305(key).decrypt(bytes(12), shared.share.sealed, named)
        except (InvalidTag, ValueError):
            return False
        return self.slots.opens(CARDS, shared.owner, shared.half_slot, opened)
