"""Logs of a table at which one hand holds all keys: it plays, votes, leaves and cheats at random.

Law: `Strife.records` is what the second verifier takes. `strifes` also gives logs that end with a
record which it does not take.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random

from referee.box.rulesets import RULE_SETS
from tests.tools.independent import file
from tests.tools.independent.bodies import CLOSE, DROP, PLAY, SHARE, STAND_IN, TAGS, VOTE
from tests.tools.independent.file import Record
from tests.tools.independent.hands import Hands
from tests.tools.independent.judge import PROOF, Judge
from tests.tools.independent.line import Line, Owed
from tests.tools.independent.proofs import convicted, needs_line
from tests.tools.independent.wire import Malformed, Value, encode, hashed


class Strife:
    """One log in the making."""

    def __init__(self, chance: Random, rule_sets: Sequence[str] = tuple(RULE_SETS)) -> None:
        self.chance, self.hands = chance, Hands(chance, rule_sets)
        self.judge = Judge(self.hands.game[:16])
        self.records: list[Record] = []
        self.waiting: list[Record] = []
        """Votes of a matter that are to come."""
        self.calm = chance.choice((40, 80, 1000))
        """How often a seat plays, among all that it does."""
        self.seats = range(len(self.hands.keys))
        self.take(self.hands.genesis)

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
        made = (self.play, self.vote, self.leave, self.proof, self.copy, self.close, self.stray)
        (make,) = self.chance.choices(made, (self.calm, 14, 4, 9, 1, 1, 3))
        return make()

    def line(self) -> Line:
        """The present one, or now and then that of the view before."""
        former = self.judge.former
        return former if former is not None and self.chance.random() < 0.3 else self.judge.line

    def play(self) -> Record:
        line = self.judge.line
        owing = [s for s in line.step.asked if s not in line.step.parts]
        return self.hands.entry(line, self.chance.choice(owing or self.seats))

    def stray(self) -> Record:
        """An entry that is wrong, or of another place."""
        line = self.line()
        if self.chance.random() < 0.5:
            return self.hands.wrong_entry(line, self.chance.choice(self.seats))
        low = max(0, line.height - 3)
        there = line.at(self.chance.randint(low, line.height))
        return self.hands.entry(there, self.chance.choice(self.seats))

    def copy(self) -> Record:
        return self.chance.choice(self.records[1:] or self.records)

    def leave(self) -> Record:
        line, seat = self.line(), self.leaver()
        height = max(0, line.height + self.chance.randint(-2, 2))
        return self._farewell(seat, line.view, height)

    def leaver(self) -> int:
        """Mostly a seat that may say farewell."""
        keepers = sorted(self.keepers(self.seats))
        return self.chance.choice(keepers if self.chance.random() < 0.8 else self.seats)

    def _farewell(self, seat: int, view: int, height: int) -> Record:
        """It names mostly all rounds in which its keeper has voted."""
        voted = {v.round for v, _ in self.judge.votes if (v.seat, v.view) == (seat, view)}
        if self.chance.random() < 0.2:
            voted ^= {self.chance.randint(1, 3)}
        named: list[Value] = [*sorted(voted)]
        return self.hands.signed(STAND_IN, seat, [self.hands.game, seat, view, height, named])

    def close(self) -> Record:
        line, chance = self.judge.line, self.chance
        place: list[Value] = [line.height, line.head]
        absent: list[Value] = [s for s in self.seats if chance.random() < 0.3]
        body = encode([self.hands.game, 1, line.view, *place, absent])
        if line.step.owed is Owed.NOTHING and chance.random() < 0.5:
            winners: list[Value] = [*(line.game.state.winners or ())]
            body = encode([self.hands.game, *place, winners, line.game.digest()])
        signers = [s for s in self.seats if s not in absent] or [0]
        seals = [bytes((s,)) + self.hands.sign(s, TAGS[CLOSE], body) for s in signers]
        return Record(CLOSE, body, b"".join(seals))

    # -- votes -------------------------------------------------------------------------------

    def vote(self) -> Record:
        """One about something new; mostly others that agree wait behind it."""
        line, chance = self.line(), self.chance
        low = max(0, min(line.convict_floor, line.height - 1) - 1)
        height = chance.randint(low, line.height + chance.choice((0, 0, 1)))
        keepers = chance.sample(sorted(self.keepers(self.seats)), chance.choice((1, 1, 1, 2)))
        return self.campaign(line, height, set(keepers))

    def keepers(self, seats: Iterable[int]) -> set[int]:
        return self.judge.keepers(seats)

    def campaign(self, line: Line, height: int, against: set[int]) -> Record:
        """Votes of all that are needed against these keepers, and sometimes of others."""
        chance, there = self.chance, line.at(min(height, line.height))
        living = there.living()
        accused = [s for s in living if self.judge.players[s].keeper in against]
        accused = accused or [chance.choice(self.seats)]
        if chance.random() < 0.05:
            accused = sorted({*accused, chance.choice(self.seats)})
        beaten = self.judge.latest.round if line is self.judge.former and self.judge.latest else 0
        round_ = beaten + chance.choice((0, 1, 1, 1, 2, 3)) if beaten else chance.choice((1, 1, 2))
        voters = sorted(self.keepers(living) - self.keepers(accused))
        if chance.random() < 0.15:
            voters = sorted(self.keepers(self.seats))
        if len(voters) > 1 and chance.random() < 0.3:
            voters.remove(chance.choice(voters))
        shown = self._proofs(there, self.keepers(accused))
        head = line.heads[height] if height <= line.height else line.head
        made = [
            self._vote((line.view, round_ or 1, height, head, tuple(accused)), voter, shown)
            for voter in voters or [0]
            if voter not in accused
        ]
        chance.shuffle(made)
        self.waiting += made[1:]
        return made[0] if made else self.play()

    def _proofs(self, there: Line, against: set[int]) -> list[bytes]:
        """The proofs that convict one of these keepers there."""
        found = []
        for name, proof in self.judge.proofs.items():
            try:
                if self.keepers([convicted(there, proof)]) <= against:
                    found.append(name)
            except Malformed:
                continue
        return found

    def _vote(
        self, matter: tuple[int, int, int, bytes, tuple[int, ...]], seat: int, shown: list[bytes]
    ) -> Record:
        view, round_, height, head, accused = matter
        named = self.chance.sample(shown, self.chance.randint(0, min(5, len(shown))))
        place: list[Value] = [self.hands.game, view, round_, height, head, seat, DROP]
        return self.hands.signed(VOTE, seat, [*place, [*accused], [*sorted(named)]])

    # -- proofs ------------------------------------------------------------------------------

    def proof(self) -> Record:
        made = (self.two_votes, self.two_farewells, self.farewell_and_entry, self.two_entries)
        more = (self.offence, self.blame, self.any_two, self.farewell_and_vote)
        (make,) = self.chance.choices((*made, *more), (2, 3, 3, 3, 3, 2, 1, 2))
        bodies = make()
        fields: list[Value] = []
        for record in bodies:
            fields += [record.kind, record.body, record.signature]
        found = Record(PROOF, encode(fields), b"")
        self._call(found)
        return found

    def _call(self, proof: Record) -> None:
        """Mostly votes follow."""
        line = self.judge.line
        try:
            guilty = convicted(line, proof.body)
            needed = needs_line(self.judge.line.genesis, proof.body) or 0
        except (Malformed, ValueError):
            return
        if self.chance.random() < 0.6:
            name = hashed("proof", proof.body)
            self.judge.proofs.setdefault(name, proof.body)  # for the names in the votes only
            low = max(needed, line.convict_floor)
            height = self.chance.randint(min(low, line.height), line.height)
            first = self.campaign(line, height, self.keepers([guilty]))
            del self.judge.proofs[name]
            self.waiting.append(first)

    def two_votes(self) -> list[Record]:
        line, chance = self.judge.line, self.chance
        seat = chance.choice(self.seats)
        accused = tuple(s for s in self.seats if s != seat)
        round_ = chance.randint(1, 2)
        one = line.view, round_, line.height, line.head, accused[:1]
        other = line.view, round_, chance.randint(0, line.height), line.head, accused
        return [self._vote(matter, seat, []) for matter in (one, other)]

    def two_farewells(self) -> list[Record]:
        line, seat = self.line(), self.leaver()
        said = [self.chance.randint(0, line.height + 1) for _ in range(2)]
        return [self._farewell(seat, line.view, height) for height in said]

    def farewell_and_entry(self) -> list[Record]:
        line, seat = self.line(), self.leaver()
        there = line.at(self.chance.randint(max(0, line.height - 3), line.height))
        late = max(0, there.height - self.chance.randint(-1, 3))
        kept = [s for s in self.seats if self.judge.keepers([s]) == {seat}]
        author = self.chance.choice(kept or [seat])
        return [self._farewell(seat, line.view, late), self.hands.entry(there, author)]

    def farewell_and_vote(self) -> list[Record]:
        """The vote is of that view or of another one, and named or not."""
        line, chance, seat = self.judge.line, self.chance, self.leaver()
        accused = tuple(s for s in self.seats if s != seat)[:1]
        matter = line.view + chance.choice((0, 0, 0, 1)), chance.randint(1, 3), line.height
        vote = self._vote((*matter, line.head, accused), seat, [])
        said = self._farewell(seat, line.view, line.height + chance.randint(0, 2))
        return [said, vote] if chance.random() < 0.9 else [vote, said]

    def two_entries(self) -> list[Record]:
        line, seat = self.line(), self.chance.choice(self.seats)
        there = line.at(self.chance.randint(max(0, line.height - 2), line.height))
        return [self.hands.entry(there, seat), self.hands.entry(there, seat)]

    def offence(self) -> list[Record]:
        line = self.line()
        there = line.at(self.chance.randint(max(0, line.height - 3), line.height))
        asked = there.step.asked or tuple(self.seats)
        seat = self.chance.choice(asked if self.chance.random() < 0.8 else tuple(self.seats))
        return [self.hands.wrong_entry(there, seat)]

    def blame(self) -> list[Record]:
        line, chance = self.line(), self.chance
        seat, height, prev = chance.choice(self.seats), line.height, line.head
        secret = chance.randbytes(32)
        if line.shares:
            shared = chance.choice(line.shares)
            seat, height, prev = shared.taker, shared.height + 1, shared.id
            if shared.taker_key in self.hands.looks and chance.random() < 0.8:
                secret = self.hands.looks[shared.taker_key].private_bytes_raw()
        height += chance.choice((0, 0, 0, 0, 1))
        place: list[Value] = [1, self.hands.game, line.view, height, prev, seat, 5]
        made = [self.hands.signed(SHARE, seat, [*place, [chance.randrange(9), secret]])]
        if chance.random() < 0.4:
            made.insert(0, chance.choice((self.leave, self.vote, self.stray))())
        return made

    def any_two(self) -> list[Record]:
        found = [r for r in self.records if r.kind in (PLAY, VOTE, STAND_IN, SHARE)]
        return self.chance.choices(found or self.two_votes(), k=self.chance.choice((1, 2, 2)))


def strifes(chance: Random, rule_sets: Sequence[str], tries: int) -> Iterator[bytes]:
    """Logs that end in a record which is not taken, or in one that may undo what stands before it;
    at last the whole log."""
    strife = Strife(chance, rule_sets)
    for _ in range(tries):
        record = strife.next()
        if not strife.take(record):
            yield strife.written(record)
        elif record.kind in (VOTE, STAND_IN, PROOF):
            yield strife.written()
    yield strife.written()
