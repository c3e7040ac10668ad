"""Logs of a table at which one hand holds all keys: it plays, leaves, cheats and changes who plays
at random.

Law: `Strife.records` is what the second verifier takes. `strifes` also gives logs that end with a
record which it does not take.
"""

from collections.abc import Iterator, Sequence
from random import Random

from kotp2p.referee.box.rulesets import RULE_SETS
from tests.tools.independent import bodies, file
from tests.tools.independent.file import Record
from tests.tools.independent.hands import Hands
from tests.tools.independent.judge import Judge, there
from tests.tools.independent.line import Line, NotYet
from tests.tools.independent.wire import Malformed, Value, encode


class Strife:
    def __init__(self, chance: Random, rule_sets: Sequence[str] = tuple(RULE_SETS)) -> None:
        self.chance, self.hands = chance, Hands(chance, rule_sets)
        self.judge = Judge(self.hands.game[:16])
        self.records: list[Record] = []
        self.waiting: list[Record] = []
        """Assents that are to come."""
        self.calm = chance.choice((40, 80, 1000))
        """How often a seat plays, among all that it does."""
        self.seats = range(len(self.hands.keys))
        if chance.random() < 0.3:
            self.take(Record(bodies.PROGRAM, encode(["strife", "1"]), b""))
        self.take(self.hands.genesis)
        assert self.judge.genesis is not None
        self.keepers = self.judge.genesis.keepers

    def take(self, record: Record) -> bool:
        try:
            self.judge.add(record)
        except Malformed:
            return False
        self.records.append(record)
        return True

    def written(self, *more: Record) -> bytes:
        return file.written(self.hands.game[:16], [*self.records, *more])

    def next(self) -> Record:
        if self.waiting and self.chance.random() < 0.8:
            return self.waiting.pop(self.chance.randrange(len(self.waiting)))
        made = (self.play, self.line_up, self.leave, self.proof, self.copy, self.stray)
        (make,) = self.chance.choices(made, (self.calm, 14, 3, 9, 1, 4))
        return make()

    def line(self) -> Line:
        """The one that counts, or now and then another."""
        lines = list(self.judge.lines.values())
        return self.chance.choice(lines) if self.chance.random() < 0.2 else self.judge.line

    def play(self) -> Record:
        line = self.judge.line
        owing = [s for s in line.step.asked if s not in line.step.parts]
        return self.hands.entry(line, self.chance.choice(owing or self.seats))

    def stray(self) -> Record:
        """An entry that is wrong, or of another place."""
        line, chance = self.judge.line, self.chance
        if chance.random() < 0.5:
            return self.hands.wrong_entry(line, chance.choice(self.seats))
        back = line.back_to(chance.randint(max(line.base, line.height - 3), line.height))
        return self.hands.entry(back, chance.choice(self.seats))

    def copy(self) -> Record:
        return self.chance.choice(self.records[1:] or self.records)

    def leave(self) -> Record:
        line, seat = self.line(), self.chance.choice(self.keepers)
        if self.chance.random() < 0.1:
            seat = self.chance.choice(self.seats)
        attempt = line.roster.attempt
        named = attempt + self.chance.choice((0, 0, 1, 2))
        return self.hands.signed(bodies.LEAVE, seat, [self.hands.game, seat, attempt, named])

    # -- line-ups ----------------------------------------------------------------------------

    def line_up(self) -> Record:
        """One with some assents; mostly the others wait behind it."""
        line, chance = self.line(), self.chance
        height = line.height if chance.random() < 0.8 else chance.randint(line.base, line.height)
        body = self._body(line, height)
        up = bodies.line_up(body)
        members = sorted(line.roster.members_after(up.plan)) or [0]
        if chance.random() < 0.1:
            members = [*self.keepers]
        if len(members) > 1 and chance.random() < 0.15:
            members.remove(chance.choice(members))
        if chance.random() < 0.6:
            return self._sealed(body, members)
        chance.shuffle(members)
        self.waiting += [self._sealed(body, [keeper]) for keeper in members[1:]]
        return self._sealed(body, members[:1])

    def _sealed(self, body: bytes, keepers: list[int]) -> Record:
        signer = (lambda k: k) if self.chance.random() < 0.98 else (lambda k: self.keepers[0])
        seals = [
            bytes((k,)) + self.hands.sign(signer(k), bodies.TAGS[bodies.LINE_UP], body)
            for k in sorted(keepers)
        ]
        return Record(bodies.LINE_UP, body, b"".join(seals))

    def _body(self, line: Line, height: int) -> bytes:
        chance, step = self.chance, line.all_steps()[height]
        plan = self._plan(line)
        attempt = line.roster.attempt + chance.choice((1, 1, 1, 2, 3))
        listed: list[Value] | None = None
        if chance.random() < 0.7:
            out = [
                c[0]
                for c in plan
                if isinstance(c, list) and c[1] in (bodies.CHEATED, bodies.LEFT, bodies.ABSENT)
            ]
            listed = [e.id for k, e in sorted(step.parts.items()) if k in out and k in step.makers]
        front: list[Value] = [self.hands.game, attempt, line.roster.id, height]
        head = line.heads[height]

        def body(digest: bytes) -> bytes:
            return encode([*front, head, digest, [*plan], listed])

        found = there(line, height)
        try:
            found.enter(bodies.line_up(body(bytes(32))))
        except (Malformed, NotYet):
            return body(bytes(32))
        return body(found.game.digest() if chance.random() < 0.98 else bytes(32))

    def _plan(self, line: Line) -> list[Value]:
        chance, roster, plan = self.chance, line.roster, list[Value]()
        for keeper in self.keepers:
            instance = chance.choice((1, 2, 3, 4)).to_bytes(8, "big")
            if keeper not in roster.members:
                if chance.random() < 0.4:
                    plan.append([keeper, bodies.BACK, instance])
            elif keeper in self.judge.proofs and chance.random() < 0.9:
                plan.append([keeper, bodies.CHEATED, None])
            elif keeper in self.judge.leaves and chance.random() < 0.9:
                plan.append([keeper, bodies.LEFT, None])
            elif chance.random() < 0.2:
                reason = chance.choice(
                    (bodies.ABSENT, bodies.ABSENT, bodies.ABSENT, bodies.AGAIN, bodies.LEFT)
                )
                plan.append([keeper, reason, instance if reason == bodies.AGAIN else None])
        return plan

    # -- proofs ------------------------------------------------------------------------------

    def proof(self) -> Record:
        made = (self.two_assents, self.two_leaves, self.leave_and_entry, self.two_entries)
        more = (self.offence, self.blame, self.any_two, self.entry_and_assent)
        (make,) = self.chance.choices((*made, *more), (2, 2, 2, 3, 3, 2, 2, 3))
        fields: list[Value] = []
        for record in make():
            mark = record.signature
            if record.kind == bodies.LINE_UP:
                mark = mark[1:65]
            fields += [record.kind, record.body, mark]
        return Record(bodies.PROOF, encode(fields), b"")

    def _assent(self, keeper: int) -> Record:
        line = self.line()
        return self._sealed(self._body(line, line.height), [keeper])

    def two_assents(self) -> list[Record]:
        keeper = self.chance.choice(self.keepers)
        return [self._assent(keeper) for _ in range(2)]

    def two_leaves(self) -> list[Record]:
        return [self.leave(), self.leave()]

    def leave_and_entry(self) -> list[Record]:
        said, line = self.leave(), self.line()
        more = self.hands.entry(line, self.chance.choice(self.seats))
        return [said, more] if self.chance.random() < 0.9 else [more, said]

    def entry_and_assent(self) -> list[Record]:
        old = [r for r in self.records if r.kind == bodies.PLAY]
        if not old:
            return self.two_assents()
        return [self.chance.choice(old), self._assent(self.chance.choice(self.keepers))]

    def two_entries(self) -> list[Record]:
        line, seat = self.line(), self.chance.choice(self.seats)
        back = line.back_to(self.chance.randint(max(line.base, line.height - 2), line.height))
        return [self.hands.entry(back, seat), self.hands.entry(back, seat)]

    def offence(self) -> list[Record]:
        line = self.line()
        back = line.back_to(self.chance.randint(max(line.base, line.height - 3), line.height))
        seat = self.chance.choice(back.step.asked or tuple(self.seats))
        return [self.hands.wrong_entry(back, seat)]

    def blame(self) -> list[Record]:
        line, chance = self.line(), self.chance
        seat, height, prev = chance.choice(self.seats), line.height, line.head
        secret, signer = chance.randbytes(32), self.hands.keepers[seat]
        if line.shares:
            shared = chance.choice(line.shares)
            seat, height, prev = shared.seats[1], shared.height + 1, shared.id
            signer = shared.taker
            if shared.taker_key in self.hands.looks and chance.random() < 0.8:
                secret = self.hands.looks[shared.taker_key].private_bytes_raw()
        height += chance.choice((0, 0, 0, 0, 1))
        place: list[Value] = [line.roster.attempt, height, prev, seat, 5]
        made = [self.hands.signed(bodies.SHARE, signer, [*place, [secret]])]
        if chance.random() < 0.4:
            made.insert(0, chance.choice((self.leave, self.stray))())
        return made

    def any_two(self) -> list[Record]:
        kinds = bodies.PLAY, bodies.LINE_UP, bodies.LEAVE, bodies.SHARE
        found = [r for r in self.records if r.kind in kinds]
        return self.chance.choices(found or self.two_leaves(), k=self.chance.choice((1, 2, 2)))


def strifes(chance: Random, rule_sets: Sequence[str], tries: int) -> Iterator[bytes]:
    """Logs that end in a record which is not taken, or may undo what is before it; the whole."""
    strife = Strife(chance, rule_sets)
    for _ in range(tries):
        record = strife.next()
        if not strife.take(record):
            yield strife.written(record)
        elif record.kind in (bodies.LINE_UP, bodies.LEAVE, bodies.PROOF):
            yield strife.written()
    yield strife.written()
