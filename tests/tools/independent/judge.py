"""What a live peer would take, record by record: sections 9.2 to 9.5 and 10.

Law: `Judge.add` takes the next record or raises `Malformed`. It holds the line that counts; a
certificate makes it again up to its height.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tests.tools.independent.bodies import (
    CLOSE,
    DROP,
    TAGS,
    Break,
    End,
    Entry,
    Farewell,
    Place,
    Vote,
    closing,
    seals,
)
from tests.tools.independent.file import Record
from tests.tools.independent.genesis import Genesis, assented, read
from tests.tools.independent.line import Certificate, Line, Owed, Step
from tests.tools.independent.proofs import body_of, convicted, farewells, needs_line
from tests.tools.independent.wire import Malformed, hashed, need, signed

PROOF = 11
MOST_VOTES = 64
"""Of one seat in one view."""


@dataclass(frozen=True)
class Closed:
    """What the latest close record says."""

    what: End | Break
    signers: tuple[int, ...]


class Judge:
    def __init__(self, salt: bytes) -> None:
        self.salt = salt
        self.genesis: Genesis | None = None
        self.records: dict[bytes, Record] = {}
        """By body: what has been taken."""
        self.first: Record | None = None
        self.farewells: dict[int, Farewell] = {}
        """By each seat that leaves: that of its keeper."""
        self.votes: list[tuple[Vote, frozenset[int]]] = []
        """With whom the proofs of each convict."""
        self.latest: Certificate | None = None
        """The last one."""
        self.former: Line | None = None
        """The line of the view that it has ended, as it stood when its first certificate came."""
        self.closed: Closed | None = None
        self.bodies: dict[int, bytes] = {}
        self.proofs: dict[bytes, bytes] = {}
        """By id: the proofs that votes may name."""
        self.shown: list[tuple[bytes, Farewell]] = []
        """The farewells that stand in proofs, with the id of the proof."""

    def add(self, record: Record) -> None:
        need(not (self.closed and isinstance(self.closed.what, End)), "something behind the end")
        if self.genesis is None:
            self._begin(record)
            return
        need(record.body not in self.records or record.kind == CLOSE, "a second copy")
        if record.kind == CLOSE:
            self._close(record)
            return
        if record.kind == PROOF:
            self._proof(record)
            return
        made = body_of(self.genesis, record.kind, record.body, record.signature)
        if isinstance(made, Entry):
            self._entry(made)
        elif isinstance(made, Farewell):
            self._farewell(made)
        else:
            self._vote(made)
        self.records[record.body] = record
        self.bodies[id(made)] = record.body
        self._kept.append(made)
        self.closed = None
        if isinstance(made, Farewell):  # 9.3 R6
            self._certify()
        self._settle(voting=not isinstance(made, Entry))

    def _begin(self, record: Record) -> None:
        need(record.kind == 1, "no genesis")
        genesis = read(record.body)
        need(assented(genesis, record.body, record.signature), "a forged assent")
        need(genesis.game[:16] == self.salt, "the genesis of another log")
        self.genesis, self.first = genesis, record
        self.line = Line(genesis)
        self.players = genesis.seats
        self._kept: list[Entry | Farewell | Vote] = []

    # -- entries and farewells ---------------------------------------------------------------

    def _entry(self, entry: Entry) -> None:
        said = self.farewells.get(entry.seat)
        need(said is None or entry.place < said.place, "an entry behind a farewell")
        self.line.check(entry)
        need(entry.seat not in self.line.step.parts, "a second entry")
        need(not self.line.differs(entry), "another position")
        self.line.put(entry.seat, entry)

    def _farewell(self, farewell: Farewell) -> None:
        need(farewell.seat not in self.farewells, "a second farewell")
        for step in (*self.line.steps, self.line.step):
            need(
                not _signed(self.line, step, farewell),
                "a farewell before what its seats have signed",
            )
        leaving = [s for s, player in enumerate(self.players) if player.keeper == farewell.seat]
        self.farewells |= dict.fromkeys(leaving, farewell)

    def _proof(self, record: Record) -> None:
        need(not record.signature, "a proof with a signature")
        assert self.genesis is not None
        try:
            self._convicted(self.line, record.body)
        except Malformed:  # 9.2 R9: a DROP of the view before may need it
            need(self.former is not None and self.line.height == self.line.since, "no proof here")
            assert self.former is not None
            self._convicted(self.former, record.body)
        name = hashed("proof", record.body)
        self.proofs[name] = record.body
        self.shown += [(name, said) for said in farewells(self.genesis, record.body)]
        self.records[record.body] = record
        self.closed = None
        self._settle(voting=True)

    def _convicted(self, line: Line, proof: bytes) -> None:
        assert self.genesis is not None
        need((needs_line(self.genesis, proof) or 0) <= line.height, "too short a line")
        convicted(line, proof)

    def _settle(self, voting: bool) -> None:
        """Everything that follows from what is there."""
        moved = True
        while moved:
            moved = self._stand_in() or (voting and self._certify())

    def _stand_in(self) -> bool:
        for seat in self.line.step.asked:
            if seat not in self.line.step.parts and self._absent(seat, self.line):
                self.line.put(seat, self.farewells[seat])
                return True
        return False

    # -- votes -------------------------------------------------------------------------------

    def keepers(self, seats: Iterable[int]) -> set[int]:
        return {self.players[seat].keeper for seat in seats}

    def _line_of(self, vote: Vote) -> Line:
        """The line that a DROP is judged on, 9.2 R3 and R9: the present one, or that of the view
        before as it stood when its first certificate came."""
        line, last = self.line, self.latest
        if vote.view == line.view:
            return line
        need(last is not None and vote.view == last.view, "a vote of another view")
        assert last is not None and self.former is not None
        need(line.height == line.since, "this view has closed a renewal")
        need(vote.round > last.round, "a round that an earlier certificate has beaten")
        return self.former

    def _there(self, vote: Vote, against_convicts: bool) -> Line:
        """The line before the height of the vote, if R4 and R5 hold."""
        line = self._line_of(vote)
        least = line.convict_floor if against_convicts else line.undo_floor
        need(least <= vote.height <= line.height, "a height that is settled, or not reached")
        need(line.heads[vote.height] == vote.head, "another past")
        return line.at(vote.height)

    def _vote(self, vote: Vote) -> None:
        need(vote.choice == DROP, "a vote that stands in no log")
        need(self.players[vote.seat].keeper == vote.seat, "a vote of who has none")
        mine = [v for v, _ in self.votes if (v.seat, v.view) == (vote.seat, vote.view)]
        need(len(mine) < MOST_VOTES, "too many votes")
        same = (vote.round, vote.height, vote.accused)
        need(all((v.round, v.height, v.accused) != same for v in mine), "voted twice")
        there = self._there(vote, bool(vote.proofs))
        need(set(vote.proofs) <= set(self.proofs), "a proof that has not come")
        guilty = self.keepers(convicted(there, self.proofs[proof]) for proof in vote.proofs)
        need(guilty <= self.keepers(vote.accused), "a proof against who is not accused")
        self._there(vote, guilty == self.keepers(vote.accused))
        self.votes.append((vote, frozenset(guilty)))

    def _certify(self) -> bool:
        """The first certificate that holds, one of the present view before others: R7."""
        matters = dict.fromkeys(vote.matter for vote, _ in self.votes)
        for matter in sorted(matters, key=lambda matter: matter[0] != self.line.view):
            same = [(vote, guilty) for vote, guilty in self.votes if vote.matter == matter]
            try:
                certificate = self._certificate(same)
            except Malformed:
                continue
            line = self._line_of(same[0][0])
            if line is self.line:
                self.former = line
            self.line, self.latest = line.back_to(certificate.height), certificate
            self.line.drop(certificate)
            return True
        return False

    def _certificate(self, same: list[tuple[Vote, frozenset[int]]]) -> Certificate:
        """Of all that has come of one matter. Malformed: it is none."""
        vote = same[0][0]
        there = self._there(vote, True)
        living = there.living()
        live, accused = self.keepers(living), self.keepers(vote.accused)
        needed = live - accused
        every = tuple(s for s in living if self.players[s].keeper in accused)
        need(vote.accused == every, "not all seats of these keepers")
        need(set(there.step.asked) & set(vote.accused), "nobody of these is asked")
        votes = {v.seat: v for v, _ in same if v.seat in needed}
        guilty = {keeper for v, found in same if v.seat in needed for keeper in found}
        self._there(vote, guilty == accused)
        missing = needed - set(votes)
        proven = all(vote.proofs for vote in votes.values())
        gone = {
            said.seat: said
            for said in self.farewells.values()
            if said.seat in missing and _counts(said, vote.place, there, proven)
        }
        shown: dict[int, bytes] = {}
        for name, said in self.shown:
            if said.seat in missing - set(gone) and _counts(said, vote.place, there, proven):
                shown.setdefault(said.seat, name)
        need(set(votes) | set(gone) | set(shown) == needed, "somebody has not voted")
        need(2 * len(needed) > len(live - guilty), "no majority")
        return Certificate(
            vote.view, vote.round, vote.height, vote.head, vote.accused,
            tuple(votes.values()), tuple(gone.values()), tuple(shown.items()),
        )  # fmt: skip

    def _absent(self, seat: int, line: Line) -> bool:
        said = self.farewells.get(seat)
        return said is not None and said.place <= line.place

    # -- ends and breaks ---------------------------------------------------------------------

    def _close(self, record: Record) -> None:
        assert self.genesis is not None
        what = closing(record.body)
        line = self.line
        if isinstance(what, End):
            need(line.step.owed is Owed.NOTHING, "an end before the end")
            winners = line.game.state.winners
            right = End(
                self.genesis.game, line.height, line.head, winners or (), line.game.digest()
            )
            need(what == right, "another end")
        else:
            right_place = Break(self.genesis.game, line.place, line.head, what.absent)
            need(what == right_place, "a break at another place")
        pairs = seals(record.signature)
        if isinstance(what, Break):
            self._check_absent(what.absent, {seat for seat, _ in pairs})
        need(all(seat < len(self.genesis.seats) for seat, _ in pairs), "no such signer")
        for seat, signature in pairs:
            key = self.genesis.seats[seat].key
            need(signed(key, TAGS[CLOSE], record.body, signature), "a forged seal")
        self.closed = Closed(what, tuple(seat for seat, _ in pairs))

    def _check_absent(self, absent: tuple[int, ...], signers: set[int]) -> None:
        for seat in absent:
            need(seat < len(self.players), "an absent seat of no table")
            need(self.line.alive(seat) and seat not in self.farewells, "a seat that nobody misses")
            need(not signers & {seat, self.players[seat].keeper}, "an absent signer")

    # -- the canonical log -------------------------------------------------------------------

    def count(self) -> int:
        """Entries and stand-ins of the winning sequence, those of an open gather included."""
        closed = (s.certificate.accused if s.certificate else s.parts for s in self.line.steps)
        here = [part for part in self.line.step.parts.values() if isinstance(part, Entry)]
        return sum(len(parts) for parts in closed) + len(here)

    def winning(self, steps: int | None = None) -> list[Record]:
        """The winning sequence, up to a height if one is given."""
        found: dict[bytes, Record] = {}
        for step in self.line.steps[:steps]:
            for part in _closers(step):
                for name in _names(part):
                    found.setdefault(self.proofs[name], self.records[self.proofs[name]])
                if not isinstance(part, tuple):
                    body = self.bodies[id(part)]
                    found.setdefault(body, self.records[body])
        return list(found.values())


def _signed(line: Line, step: Step, farewell: Farewell) -> bool:
    """Does an entry of a leaving seat, from its place or a later one, stand in this step?"""
    return any(
        isinstance(part, Entry)
        and part.place >= farewell.place
        and line.genesis.seats[seat].keeper == farewell.seat
        for seat, part in step.parts.items()
    )


def _counts(farewell: Farewell, place: Place, there: Line, proven: bool) -> bool:
    """Is a farewell as good as a DROP at this place, before which the line stands? `proven`: each
    DROP names proofs."""
    if farewell.place > place:
        return proven and farewell.place[0] == place[0]
    return not any(_signed(there, step, farewell) for step in there.steps)


def _names(part: Entry | Farewell | Vote | tuple[int, bytes]) -> tuple[bytes, ...]:
    """The proofs that stand before a part, or in its place."""
    if isinstance(part, tuple):
        return part[1:]
    return part.proofs if isinstance(part, Vote) else ()


def _closers(step: Step) -> list[Entry | Farewell | Vote | tuple[int, bytes]]:
    if step.certificate is None:
        return [step.parts[seat] for seat in sorted(step.parts)]
    ended = step.certificate
    by_seat: dict[int, Farewell | Vote | tuple[int, bytes]] = {v.seat: v for v in ended.votes}
    by_seat |= {said.seat: said for said in ended.farewells}
    by_seat |= {pair[0]: pair for pair in ended.shown}
    return [by_seat[seat] for seat in sorted(by_seat)]
