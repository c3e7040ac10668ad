"""What a live peer would take, record by record: sections 9.2, 9.3 and 10.

Law: `Judge.add` takes the next record or raises `Malformed`. It holds a line for each line-up that
has begun; `line` is the one that counts.
"""

from collections.abc import Iterator

from tests.tools.independent import bodies
from tests.tools.independent.file import Record
from tests.tools.independent.genesis import Genesis, assented, read
from tests.tools.independent.line import Line, NotYet, Owed
from tests.tools.independent.proofs import convicted
from tests.tools.independent.wire import Malformed, encode, need, signed

MOST_LONE, MOST_IDLE = 16, 64


def there(line: Line, height: int) -> Line:
    """The line at an earlier height, with what has come of a gather there."""
    found = line.back_to(height)
    if found.step.owed in (Owed.OPENINGS, Owed.ROWS, Owed.END):
        found.step.parts = dict(line.all_steps()[height].parts)
    return found


class Judge:
    def __init__(self, salt: bytes) -> None:
        self.salt = salt
        self.genesis: Genesis | None = None
        self.program: tuple[str, str] | None = None
        self.first: Record | None = None
        self.lines: dict[bytes, Line] = {}
        """By line-up, in the order in which they have begun."""
        self.ups: dict[bytes, bodies.LineUp] = {}
        self.assents: dict[bytes, dict[int, bytes]] = {}
        self.never: set[bytes] = set()
        """Line-ups that cannot begin, whatever comes."""
        self.leaves: dict[int, list[tuple[bodies.Leave, Record]]] = {}
        self.proofs: dict[int, list[Record]] = {}
        """By keeper that they convict."""
        self.bodies: dict[bytes, Record] = {}
        """Of entries, by id."""

    def add(self, record: Record) -> None:
        if self.genesis is None:
            self._begin(record)
            return
        need(not self.line.over, "something behind the end")
        if record.kind in (bodies.PLAY, bodies.SHARE):
            self._entry(record)
        elif record.kind == bodies.LINE_UP:
            self._line_up(record)
        elif record.kind == bodies.LEAVE:
            self._leave(record)
        else:
            need(record.kind == bodies.PROOF, "no record for here")
            self._proof(record)
        self._begin_line_ups()

    def _begin(self, record: Record) -> None:
        if record.kind == bodies.PROGRAM and self.program is None:
            need(not record.signature, "a program that signs")
            self.program = bodies.program(record.body)
            return
        need(record.kind == bodies.GENESIS, "no genesis")
        genesis = read(record.body)
        need(assented(genesis, record.body, record.signature), "a forged assent")
        need(genesis.game[:16] == self.salt, "the genesis of another log")
        self.genesis, self.first = genesis, record
        self.line = Line(genesis)
        self.lines[genesis.game] = self.line

    def _signed(self, keeper: int | None, kind: int, body: bytes, mark: bytes) -> None:
        assert self.genesis is not None
        need(keeper in self.genesis.keepers, "no such keeper")
        assert keeper is not None
        key = self.genesis.seats[keeper].key
        need(signed(key, bodies.TAGS[kind], body, mark), "a forged signature")

    # -- records -----------------------------------------------------------------------------

    def _entry(self, record: Record) -> None:
        made = bodies.entry(record.kind, record.body)
        need(not isinstance(made.payload, bodies.Blame), "a BLAME")
        lines = [self.line, *(line for line in self.lines.values() if line is not self.line)]
        fits = [line for line in lines if self._owes(line, made)]
        need(fits, "owed nowhere")
        line = fits[0]
        self._signed(line.step.signer(made.seat), record.kind, record.body, record.signature)
        line.check(made)
        need(not line.differs(made), "another position")
        for other in fits:
            other.put(made)
        self.bodies[made.id] = record

    @staticmethod
    def _owes(line: Line, made: bodies.Entry) -> bool:
        step = line.step
        here = line.names(made.place) and made.place[1] == line.height and made.prev == line.head
        return here and made.seat in step.asked and made.seat not in step.parts

    def _leave(self, record: Record) -> None:
        assert self.genesis is not None
        made = bodies.leave(record.body)
        need(made.game == self.genesis.game, "of another game")
        self._signed(made.seat, bodies.LEAVE, record.body, record.signature)
        said = self.leaves.setdefault(made.seat, [])
        need(all(one.body != made.body for one, _ in said), "a second copy")
        need(not said or made.seat not in self.proofs, "another one of a convict")
        said.append((made, record))

    def _proof(self, record: Record) -> None:
        need(not record.signature, "a proof with a signature")
        known = [r.body for records in self.proofs.values() for r in records]
        need(record.body not in known, "a second copy")
        keeper = convicted(self.lines, self.line, record.body)
        self.proofs.setdefault(keeper, []).append(record)

    def _line_up(self, record: Record) -> None:
        assert self.genesis is not None
        made = bodies.line_up(record.body)
        need(made.game == self.genesis.game, "of another game")
        known = self.assents.get(made.id, {})
        fresh = {k: mark for k, mark in bodies.seals(record.signature) if k not in known}
        for keeper, mark in fresh.items():
            self._signed(keeper, bodies.LINE_UP, record.body, mark)
        need(fresh, "nothing new")
        self.ups[made.id] = made
        self.assents[made.id] = known | fresh
        self.bodies[made.id] = record
        self._forget({*known, *fresh})

    def _forget(self, keepers: set[int]) -> None:
        """9.9."""
        idle = [
            self.ups[name]
            for name, by in self.assents.items()
            if set(by) == keepers and name not in self.lines
        ]
        most = MOST_LONE if len(keepers) == 1 else MOST_IDLE
        for up in sorted(idle, key=lambda up: up.rank)[:-most]:
            del self.ups[up.id], self.assents[up.id]

    # -- line-ups ----------------------------------------------------------------------------

    def _begin_line_ups(self) -> None:
        waiting = [up for up in self.ups.values() if up.id not in self.lines]
        for up in sorted(waiting, key=lambda up: up.rank):
            if up.id in self.never or not self._assented(up):
                continue
            try:
                line = self._begun(self.lines[up.predecessor], up)
                self._keep_ends(line)
            except NotYet:
                continue
            except Malformed:
                self.never.add(up.id)
                continue
            self.lines[up.id] = line
            if not self.line.begun or up.rank > self.line.begun[-1].up.rank:
                self.line = line

    def _keep_ends(self, line: Line) -> None:
        """At the end what a member has signed of it counts, in whatever line-up that came."""
        for other in self.lines.values():
            same = (other.step.attempt, other.height, other.head)
            if other.step.owed is Owed.END and same == (line.step.attempt, line.height, line.head):
                for seat, part in other.step.parts.items():
                    if seat in line.step.asked:
                        line.step.parts.setdefault(seat, part)

    def _assented(self, up: bodies.LineUp) -> bool:
        """B1 to B3, but for the base."""
        before = self.lines.get(up.predecessor)
        if before is None or before.roster.attempt >= up.attempt:
            return False
        members = before.roster.members_after(up.plan)
        if not members or not members <= set(self.assents[up.id]):
            return False
        left = all(self._left(keeper, up.attempt) for keeper in up.named(bodies.LEFT))
        return left and all(keeper in self.proofs for keeper in up.named(bodies.CHEATED))

    def _left(self, keeper: int, attempt: int) -> bool:
        said = self.leaves.get(keeper, [])
        return bool(said and keeper in self.proofs) or any(one.attempt < attempt for one, _ in said)

    @staticmethod
    def _begun(before: Line, up: bodies.LineUp) -> Line:
        if up.height > before.height:
            raise NotYet
        need(before.base <= up.height and before.heads[up.height] == up.head, "no such base")
        line = there(before, up.height)
        line.follow(up)
        return line

    # -- the canonical log -------------------------------------------------------------------

    def count(self) -> int:
        return sum(len(step.parts) for step in self.line.all_steps())

    def winning(self, until: int | None = None) -> list[Record]:
        """The line that counts, up to a height if one is given."""
        found: dict[bytes, Record] = {}
        for record in self._winning(until):
            found.setdefault(encode([record.kind, record.body]), record)
        return list(found.values())

    def _winning(self, until: int | None) -> Iterator[Record]:
        line = self.line
        steps = line.all_steps()
        most = line.height if until is None else min(until, line.height)
        for height in range(most + 1):
            for begun in line.begun:
                if begun.height == height:
                    yield from (self.bodies[part.id] for _, part in sorted(begun.kept.items()))
                    yield from self._of(begun.up)
            if height < most or (height == line.height and line.over):
                for _, part in sorted(steps[height].parts.items()):
                    yield self.bodies[part.id]

    def _of(self, up: bodies.LineUp) -> Iterator[Record]:
        for change in up.plan:
            if change.reason == bodies.LEFT:
                said = self.leaves[change.keeper]
                first = min(said, key=lambda pair: (pair[0].attempt, pair[0].body))
                yield first[1]
                if first[0].attempt >= up.attempt:
                    yield self.proofs[change.keeper][0]
            elif change.reason == bodies.CHEATED:
                yield self.proofs[change.keeper][0]
        members = self.lines[up.predecessor].roster.members_after(up.plan)
        by = self.assents[up.id]
        joined = b"".join(bytes((k,)) + by[k] for k in sorted(members))
        yield Record(bodies.LINE_UP, self.bodies[up.id].body, joined)
