"""The ledger: one game, as what its keepers have signed. It says which line of play counts.

Scope: line-ups, assents and facts; which line-ups have begun; going back to an earlier place; what
a proof shows. A live peer, a replay after a restart and `verify` all feed the same ledger, so there
is one place that says what a game is.

How it works (PROTOCOL.md 9.3): each line-up that has begun has a line of its own, which shares its
past with that of its predecessor. Of all of them the one with the highest attempt counts. A line-up
has begun when all its members have assented, they are enough, and its plan and its base hold on the
line of its predecessor. The same bodies, in whatever order, make the same line.

A *contradiction* is two bodies of one keeper that cannot both be honest, whatever the game. An
*offence* is one entry that the game itself refuses at its place. A *wrong share* also needs the key
that its receiver has published. Nobody is convicted by what might be the network's fault.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache

from kotp2p.game import steps
from kotp2p.game.chain import Chain, Impossible, chain_at, part_names, parts_after
from kotp2p.game.steps import Cheat, Early, Forged, Fork, Moved, Stale, shown_by_two
from kotp2p.referee.game import Game
from kotp2p.referee.model.answers import Seat
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import Blame, BodyKind, End, Entry, Opening, Place, Signed, unpack_seals
from kotp2p.wire.genesis import Genesis, Player, keepers_of
from kotp2p.wire.lineups import CheatProof, Leave, LineUp, Reason

MAX_LONE_LINE_UPS, MAX_IDLE_LINE_UPS = 16, 64
"""Line-ups to which one keeper alone, or the same keepers, have assented, and that have not begun,
are kept up to these numbers, the latest ones."""
MAX_PROOFS = 64
"""Proofs against one keeper that are kept, beside one of each place to which a line-up may go back:
no order of arrival decides on its base."""


@dataclass(frozen=True, slots=True)
class Split:
    """A line-up has begun that this copy does not follow: it would undo a closed gather."""

    lineup: LineUp
    by: tuple[Seat, ...]


@dataclass(slots=True)
class Ledger:
    genesis: Genesis
    check_signature: steps.SignatureCheck = steps.require_signed_by_keeper
    """For entries of the line that counts. All else is always checked at once."""
    chain: Chain = field(init=False)
    """The line that counts. Going back puts another one in its place: do not keep it."""
    chains: dict[bytes, Chain] = field(default_factory=dict)
    line_ups: dict[bytes, LineUp] = field(default_factory=dict)
    seals: dict[bytes, dict[Seat, bytes]] = field(default_factory=dict)
    leaves: dict[Seat, Leave] = field(default_factory=dict)
    """The LEAVE of each keeper that has said one; of several, that of the lowest attempt."""
    proofs: dict[bytes, CheatProof] = field(default_factory=dict)
    convicts: dict[Seat, list[Cheat]] = field(default_factory=dict)
    splits: list[Split] = field(default_factory=list)
    is_bound: bool = False
    """The own keeper has assented above the line that counts. What it takes meanwhile may be
    undone, so the gathers that close do not raise the floor."""
    is_live: bool = False
    """It is a peer's: once all have signed the end no line-up begins, and no record follows."""
    floor: int = 0
    floor_before: int = 0
    revision: int = 0
    """Rises with everything that is accepted. What was worked out from this ledger is right while
    it stays the same."""
    is_stirred: bool = False
    """Something has come that may change who plays. Until then no code looks for such a change."""
    _forgotten: dict[tuple[Seat, bytes], LineUp] = field(default_factory=dict)
    """By keeper and predecessor: the last line-up that it has assented to, and is kept no more."""
    _leaves_known: set[bytes] = field(default_factory=set)
    _impossible: set[bytes] = field(default_factory=set)
    """Line-ups that cannot follow their predecessor, whatever comes."""

    def __post_init__(self) -> None:
        self.chain = Chain(self.genesis, self.check_signature)
        self.chains[self.genesis.id] = self.chain

    # -- where the game stands -----------------------------------------------------------

    @property
    def attempt(self) -> int:
        return self.chain.roster.attempt

    @property
    def roster(self) -> steps.Roster:
        return self.chain.roster

    @property
    def height(self) -> int:
        return self.chain.height

    @property
    def place(self) -> Place:
        return self.chain.place

    @property
    def heads(self) -> list[bytes]:
        """Return the heads: heads[h] is that before height h, the last one is the current head."""
        return self.chain.heads

    @property
    def head(self) -> bytes:
        return self.chain.heads[-1]

    @property
    def step(self) -> steps.Step:
        return self.chain.step

    @property
    def game(self) -> Game:
        return self.chain.game

    def owing_seats(self) -> tuple[Seat, ...]:
        return self.chain.owing_seats()

    def has_left(self, keeper: Seat, attempt: int) -> bool:
        said = self.leaves.get(keeper)
        return said is not None and said.attempt < attempt

    def _can_be_left_out(self, keeper: Seat, attempt: int) -> bool:
        """Return whether a line-up may say that a keeper has left."""
        # A convict is bound to have said the LEAVE that others have gone by: of many only the first
        # ones are taken, and another reader has other ones.
        is_convict_that_left = keeper in self.leaves and keeper in self.convicts
        return is_convict_that_left or self.has_left(keeper, attempt)

    def is_at_end(self, lineup: LineUp) -> bool:
        """Return whether a line-up keeps the end of this game (`Chain.end`): it undoes nothing."""
        before, end = self.chains.get(lineup.predecessor), self.chain.end
        is_same = before is not None and end is not None and before.end == end
        return is_same and (lineup.height, lineup.head) == (self.chain.height, self.chain.head)

    def assents_above(self, attempt: int) -> list[LineUp]:
        """Return the line-ups of later attempts that have assents."""
        if not self.line_ups:
            return []
        return [lineup for lineup in self.line_ups.values() if lineup.attempt > attempt]

    # -- entries -------------------------------------------------------------------------

    def accept_entry(self, entry: Entry) -> Moved | None:
        """Take an entry; raise what `Chain.accept_entry` raises."""
        try:
            chain, others = self.chain, list[Chain]()
            if len(self.chains) > 1:
                chain = self._line_of(entry)
                others = [c for c in self.chains.values() if c is not chain and c.may_take(entry)]
            moved = chain.accept_entry(entry)
        except (Early, Stale, Fork):
            # What cannot be judged yet is some keeper's at least.
            if find_author(self.genesis.players, entry, first=entry.seat) is None:
                raise Forged("an entry that no keeper has signed") from None
            raise
        if moved is None:
            return None
        self.revision += 1
        for other in others:
            # It is owed on one more line, too, and was judged on the first one.
            with suppress(Forged, Stale, steps.Differs, Cheat):
                other.accept_entry(entry)
        if self.line_ups:
            keeper = chain.starts[entry.height].signer_of(entry.seat)
            assert keeper is not None, "an entry that is taken has a signer"
            moved = self._note_beside_line_ups(chain, entry, keeper, moved)
        self._raise_floor()
        return moved

    def _line_of(self, entry: Entry) -> Chain:
        """Return the line on which an entry may be by its attempt. Raise Early or Stale."""
        if isinstance(entry.payload, Blame):
            return self.chain
        named = [chain for chain in self._lines() if chain.is_named_by(entry)]
        for fits in (Chain.may_take, Chain.has_head):
            for chain in named:
                if fits(chain, entry):
                    return chain
        if named:
            return named[0]
        if entry.attempt > self.attempt:
            raise Early("of a later line-up")
        raise Stale("of a line-up that does not count")

    def _lines(self) -> Iterator[Chain]:
        yield self.chain
        for chain in self.chains.values():
            if chain is not self.chain:
                yield chain

    def _note_beside_line_ups(
        self, chain: Chain, entry: Entry, keeper: Seat, moved: Moved
    ) -> Moved:
        """Note an entry taken while line-ups are known: what it contradicts or completes."""
        if chain is not self.chain:
            moved = Moved()
        for lineup in self._assents_of(keeper):
            if _passes_by(self, lineup, entry, keeper):
                seal = self.seals[lineup.id][keeper]
                moved.caught += (past_its_assent(keeper, entry, lineup.proving(seal)),)
        other = self._find_other(chain, entry)
        if other is not None:
            moved.caught += (steps.equivocation(keeper, other, entry),)
        said = self.leaves.get(keeper)
        if said is not None and entry.attempt > said.attempt:
            moved.caught += (after_leaving(keeper, said, entry.signed, entry.height),)
        self._begin_line_ups(moved)
        return moved

    def _find_other(self, chain: Chain, entry: Entry) -> Entry | None:
        for line in self.chains.values():
            if line is not chain and line.is_named_by(entry) and line.has_head(entry):
                known = line.find_entry(entry.height, entry.seat)
                if known is not None and known.id != entry.id:
                    return known
        return None

    def _raise_floor(self) -> None:
        chain = self.chain
        if not self.is_bound and chain.last_gather > self.floor:
            self.floor, self.floor_before = chain.last_gather, chain.gather_before_last

    def note_free(self) -> None:
        self.is_bound = False
        self._raise_floor()

    # -- facts ---------------------------------------------------------------------------

    def accept_leave(self, leave: Leave) -> Moved | None:
        """Take a LEAVE; return None if it is not new. Raise Forged."""
        keeper = leave.seat
        steps.require_keeper(self.genesis.players, keeper)
        known = self.leaves.get(keeper)
        if leave.signed.body in self._leaves_known:
            return None
        steps.require_signed_by_keeper(self.genesis.players, keeper, leave.signed)
        if known is not None and keeper in self.convicts:
            return None
        self._leaves_known.add(leave.signed.body)
        self.leaves[keeper] = min(leave, known or leave, key=_rank_of)
        self.revision += 1
        self.is_stirred = True
        moved = Moved()
        if known is not None:
            pair = sorted((known, leave), key=_rank_of)
            moved.caught += (two_leaves(pair[0], pair[1]),)
        for lineup in self._assents_of(keeper):
            if lineup.attempt > leave.attempt:
                signed = lineup.proving(self.seals[lineup.id][keeper])
                moved.caught += (after_leaving(keeper, leave, signed, lineup.height),)
        self._begin_line_ups(moved)
        return moved

    def accept_proof(self, proof: CheatProof) -> Moved | None:
        """Take a proof; return None if it is known. Raise BadBytes, Forged, Early or Fork."""
        if proof.id in self.proofs:
            return None
        cheat = convict(self, proof)
        cheat.proof = proof  # as it came, also where a part of it would do
        found = self.convicts.setdefault(cheat.seat, [])
        self.revision += 1
        self.is_stirred = True
        self.proofs[proof.id] = proof
        found.append(cheat)
        moved = Moved(caught=(cheat,))
        self._begin_line_ups(moved)
        return moved

    def is_one_too_many(self, proof: CheatProof) -> bool:
        """Return whether a peer takes it no more; who reads a log takes all."""
        players = self.genesis.players
        full = [keeper for keeper, found in self.convicts.items() if len(found) >= MAX_PROOFS]
        return any(
            proof.bodies[0].is_by(players[keeper].key) and not self._tells_place(proof, keeper)
            for keeper in full
        )

    def _tells_place(self, proof: CheatProof, keeper: Seat) -> bool:
        """Return whether a proof is the first of a place to which a line-up may go back."""
        place = forked_place(proof)
        return (
            place is not None
            and any(
                keeper in chain.roster.members and chain.may_go_back(*place)
                for chain in self.chains.values()
            )
            and all(forked_place(cheat.proof) != place for cheat in self.convicts[keeper])
        )

    # -- line-ups ------------------------------------------------------------------------

    def accept_line_up(self, signed: Signed) -> Moved | None:
        """Take a line-up with assents; return None if it is not new. Raise BadBytes or Forged."""
        lineup, seals = LineUp.parse(signed.body, self.genesis.id), unpack_seals(signed.signature)
        known = self.seals.get(lineup.id, {})
        fresh = {seat: seal for seat, seal in seals.items() if seat not in known}
        for seat, seal in fresh.items():
            steps.require_keeper(self.genesis.players, seat)
            steps.require_signed_by_keeper(self.genesis.players, seat, lineup.proving(seal))
        if not fresh:
            return None
        self.revision += 1
        self.is_stirred = True
        moved = Moved(caught=tuple(self._find_second_assents(lineup, fresh)))
        self.line_ups[lineup.id] = lineup
        self.seals[lineup.id] = {**known, **fresh}
        self._begin_line_ups(moved)
        self._forget_idle(frozenset(self.seals[lineup.id]))
        return moved

    def _assents_of(self, keeper: Seat) -> list[LineUp]:
        return [self.line_ups[name] for name, seals in self.seals.items() if keeper in seals]

    def greatest_assent(self, keeper: Seat) -> int:
        return max((lineup.attempt for lineup in self._assents_of(keeper)), default=0)

    def attempt_to_name(self, keeper: Seat) -> int:
        """Return the attempt that an entry of `keeper` for the present place names.

        That is the one in which the step began. Where an own assent has passed that one by, it is
        the one in which the keeper signs now, which a kept gather takes, too.
        """
        first = self.chain.starts[-1].attempt
        if self.chain.end is not None:
            return first
        assents = self._assents_of(keeper)
        assents += [found for (k, _), found in self._forgotten.items() if k == keeper]
        is_passed_by = any(excludes(self, found, first, keeper) for found in assents)
        return self.attempt if is_passed_by else first

    def _find_second_assents(self, lineup: LineUp, fresh: dict[Seat, bytes]) -> Iterator[Cheat]:
        """Find what new assents contradict: another one in the attempt, a LEAVE, an entry."""
        for keeper, seal in fresh.items():
            signed = lineup.proving(seal)
            for other in self._assents_of(keeper):
                if other.attempt == lineup.attempt and other.id != lineup.id:
                    first = other.proving(self.seals[other.id][keeper])
                    yield two_assents(keeper, lineup.height, first, signed)
            said = self.leaves.get(keeper)
            if said is not None and lineup.attempt > said.attempt:
                yield after_leaving(keeper, said, signed, lineup.height)
            for chain in self.chains.values():
                if excludes(self, lineup, chain.attempt, keeper):
                    entry = find_own_entry(chain, keeper)
                    if entry is not None:
                        yield past_its_assent(keeper, entry, signed)

    def _forget_idle(self, signers: frozenset[Seat]) -> None:
        """Forget all but a few line-ups that have the assents of these keepers and of no others."""
        # They could assent to such line-ups without end. One that others have found comes again
        # with all assents.
        idle = [
            self.line_ups[name]
            for name, seals in self.seals.items()
            if seals.keys() == signers and name not in self.chains
        ]
        most = MAX_LONE_LINE_UPS if len(signers) == 1 else MAX_IDLE_LINE_UPS
        for lineup in sorted(idle, key=lambda found: found.rank)[:-most]:
            del self.line_ups[lineup.id], self.seals[lineup.id]
            self._impossible.discard(lineup.id)
            for keeper in signers if lineup.predecessor in self.chains else ():
                # Of those that come from one line-up the greatest passes by what others do.
                before = self._forgotten.get((keeper, lineup.predecessor))
                if before is None or before.attempt < lineup.attempt:
                    self._forgotten[keeper, lineup.predecessor] = lineup

    def _begin_line_ups(self, moved: Moved) -> None:
        """Begin each line-up that can begin now, in ascending rank, and follow the last one."""
        if self.is_live and self.chain.is_over:
            return
        waiting = [
            found
            for found in self.line_ups.values()
            if found.id not in self.chains and found.id not in self._impossible
        ]
        for lineup in sorted(waiting, key=lambda found: found.rank):
            before = self.chains.get(lineup.predecessor)
            if before is None or not self._has_begun(lineup, before):
                continue
            try:
                line, started = self._make_line(lineup, before)
            except Early:
                continue
            except Impossible:
                self._impossible.add(lineup.id)
                continue
            self.chains[lineup.id] = line
            self._follow(lineup, line, before, started, moved)

    def _has_begun(self, lineup: LineUp, before: Chain) -> bool:
        members = before.roster.members_after(lineup.plan)
        return members <= self.seals[lineup.id].keys() and self.may_begin(lineup, before)

    def may_begin(self, lineup: LineUp, before: Chain) -> bool:
        """Return whether those that a line-up puts out may be, and the others are enough."""
        return (
            lineup.attempt > before.roster.attempt
            and before.are_enough(lineup.plan, lineup.height)
            and all(self._can_be_left_out(k, lineup.attempt) for k in lineup.names(Reason.LEFT))
            and all(keeper in self.convicts for keeper in lineup.names(Reason.CHEATED))
        )

    def _make_line(self, lineup: LineUp, before: Chain) -> tuple[Chain, Moved]:
        """Return the line of a line-up, and what it does at its base. Raise Early or Impossible."""
        first = before.begun[-1].height if before.begun else 0
        if lineup.height > before.height:
            raise Early("a base that is not reached")
        if lineup.height < first or before.heads[lineup.height] != lineup.head:
            raise Impossible("a base on another past")
        line = chain_at(before, lineup.height)
        line.check_signature = self.check_signature
        if line.starts[-1].is_gather:
            line.gathered = self._gathered_at(before, lineup.height)
        return line, line.follow(lineup)

    def _gathered_at(self, before: Chain, height: int) -> dict[Seat, Entry]:
        found: dict[Seat, Entry] = {}
        head, attempt = before.heads[height], before.starts[height].attempt
        for chain in (before, *self.chains.values()):
            is_there = height < len(chain.starts) and chain.heads[height] == head
            if is_there and chain.starts[height].attempt == attempt:
                for entry in chain.entries_at(height):
                    if before.is_named_by(entry):
                        found.setdefault(entry.seat, entry)
        return found

    def _follow(
        self, lineup: LineUp, line: Chain, before: Chain, started: Moved, moved: Moved
    ) -> None:
        """Let the line of a line-up count, if its rank is greatest and it undoes no gather."""
        top = self.chain.begun[-1].lineup.rank if self.chain.begun else (0, b"")
        if lineup.rank <= top:
            return
        proves = bool(lineup.names(Reason.CHEATED))
        if lineup.height < (self.floor_before if proves else self.floor):
            self.splits.append(Split(lineup, self._signers_of_both(lineup)))
            return
        # A later line-up may come from one that was refused: then the game is one again.
        self.splits = [split for split in self.splits if split.lineup.rank > lineup.rank]
        old, self.chain = self.chain, line
        if old is before and old.height == lineup.height:
            moved.add(started)
        else:
            self._change_line(old, line, moved)
        if proves:
            self.floor = min(self.floor, lineup.height)
        self._raise_floor()

    @staticmethod
    def _change_line(old: Chain, line: Chain, moved: Moved) -> None:
        """Note in `moved` what counts now in place of what does not any more."""
        before, now = part_names(old), part_names(line)
        common = 0
        while common < min(len(before), len(now)) and before[common] == now[common]:
            common += 1
        state, parts = parts_after(line, common)
        told = len(before) - len(moved.parts)
        if common < len(before) or moved.undone_from is not None:
            moved.undone_from, moved.kept = state, min(common, told, moved.kept or common)
            if common > moved.kept:
                moved.undone_from, parts = parts_after(line, moved.kept)
            moved.parts = parts
            moved.looked = moved.share = None
        else:
            moved.parts += parts

    def _signers_of_both(self, lineup: LineUp) -> tuple[Seat, ...]:
        """Return who has assented to a line-up and signed the gather that it would undo."""
        signed = {entry.seat for entry in self.chain.entries_at(self.floor)}
        return tuple(sorted(signed & self.seals[lineup.id].keys()))

    # -- what others, and logs, are given ------------------------------------------------

    def bodies_after(self, attempt: int, height: int) -> list[Signed]:
        """Return what a copy lacks that stands at `height` of the line-up of `attempt`."""
        # One that has gone on by itself may lack an earlier attempt of this line, too.
        of_line = {0, *(begun.lineup.attempt for begun in self.chain.begun)}
        later = [
            begun
            for begun in self.chain.begun
            if begun.lineup.attempt > attempt or (attempt not in of_line and begun.height >= height)
        ]
        since = min([height, *(begun.height for begun in later)])
        line = list(line_bodies(self, self.chain, since, later))
        facts = [leave.signed for leave in self.leaves.values()]
        proofs = [proof.signed for proof in self.proofs.values()]
        open_ones = [up.signed(self.seals[up.id]) for up in self.assents_above(self.attempt)]
        return list(dict.fromkeys([*facts, *proofs, *line, *open_ones]))

    def canonical_bodies(self) -> list[Signed]:
        chain = self.chain
        until = None if chain.is_over else chain.height
        return list(dict.fromkeys(line_bodies(self, chain, 0, chain.begun, until=until)))


def _rank_of(leave: Leave) -> tuple[int, bytes]:
    return (leave.attempt, leave.signed.body)


def line_bodies(
    ledger: Ledger, chain: Chain, since: int, begun: list[steps.Begun], *, until: int | None = None
) -> Iterator[Signed]:
    """Yield a line from a height on: line-ups at their bases, and entries by seat.

    What a line-up needs, and the openings that it keeps, come before it. Entries from the height
    `until` on are left out, as are those of an open step; with None nothing is.
    """
    for height in range(since, chain.height + 1):
        entries = sorted(chain.entries_at(height), key=lambda entry: entry.seat)
        for part in begun:
            if part.height == height:
                yield from (entry.signed for entry in part.kept)
                yield from _line_up_bodies(ledger, part.lineup)
        if until is None or height < until:
            yield from (entry.signed for entry in entries)


def _line_up_bodies(ledger: Ledger, lineup: LineUp) -> Iterator[Signed]:
    """Yield the facts that a line-up needs, and the line-up with the assents of its members."""
    for change in lineup.plan:
        is_left = change.reason is Reason.LEFT
        if is_left:
            yield ledger.leaves[change.keeper].signed
        needs_proof = is_left and not ledger.has_left(change.keeper, lineup.attempt)
        if needs_proof or change.reason is Reason.CHEATED:
            yield ledger.convicts[change.keeper][0].proof.signed
    before = ledger.chains[lineup.predecessor].roster
    members, seals = before.members_after(lineup.plan), ledger.seals[lineup.id]
    yield lineup.signed({seat: seals[seat] for seat in sorted(members)})


# -- whether bodies prove that a keeper has cheated (PROTOCOL.md 9.6) --------------------


MAX_PROOFS_READ = 256


# -- contradictions ------------------------------------------------------------------------


def two_assents(keeper: Seat, height: int, one: Signed, other: Signed) -> Cheat:
    return shown_by_two(keeper, height, "two line-ups in one attempt", one, other)


def past_its_assent(keeper: Seat, entry: Entry, assent: Signed) -> Cheat:
    """Return the cheat of an entry in a line-up that an assent has passed by: a surround vote."""
    detail = "an entry in a line-up that its assent passes by"
    return shown_by_two(keeper, entry.height, detail, entry.signed, assent)


def after_leaving(keeper: Seat, leave: Leave, later: Signed, height: int) -> Cheat:
    return shown_by_two(keeper, height, "signed after it has left", leave.signed, later)


def two_leaves(one: Leave, other: Leave) -> Cheat:
    return shown_by_two(one.seat, 0, "it has left twice", one.signed, other.signed)


def excludes(ledger: Ledger, lineup: LineUp, attempt: int, keeper: Seat) -> bool:
    """Return whether an assent of `keeper` contradicts its entry in an earlier `attempt`."""
    # False as long as a line-up on the way from there is not known.
    if attempt >= lineup.attempt:
        return False
    name = lineup.predecessor
    while (chain := ledger.chains.get(name)) is not None:
        if chain.attempt == attempt:
            return False
        if chain.attempt < attempt:
            return True
        if keeper not in chain.roster.members:
            return False
        name = chain.begun[-1].lineup.predecessor
    return False


def _passes_by(ledger: Ledger, lineup: LineUp, entry: Entry, keeper: Seat) -> bool:
    """Return whether an assent of `keeper` contradicts its earlier entry; none does an END."""
    is_end = isinstance(entry.payload, End)
    return not is_end and excludes(ledger, lineup, entry.attempt, keeper)


def find_own_entry(chain: Chain, keeper: Seat) -> Entry | None:
    """Return the last entry of a keeper in this line-up but END, which binds nobody."""
    for height in range(chain.height, _base_of(chain) - 1, -1):
        start = chain.starts[height]
        for entry in chain.entries_at(height):
            is_own = start.signer_of(entry.seat) == keeper and entry.attempt == chain.attempt
            if is_own and not isinstance(entry.payload, End):
                return entry
    return None


# -- proofs --------------------------------------------------------------------------------


def convict(ledger: Ledger, proof: CheatProof) -> Cheat:
    """Return what `proof` shows.

    Raise BadBytes; Forged if it shows nothing; Early or Fork if it is about a place, a line-up or a
    past that this copy does not have.
    """
    offence = _offence(proof)
    if offence is None:
        return _contradiction(ledger, *proof.bodies)
    for signed in proof.bodies[:-1]:
        _parse(signed, ledger.genesis.id)
    for signed in proof.bodies:
        if find_author(ledger.genesis.players, signed, first=_seat_of(signed)) is None:
            raise Forged("a body that no keeper has signed")
    line = _line_of(ledger, offence)
    taken = line.find_entry(offence.height, offence.seat)
    if taken is not None and taken.id == offence.id:
        raise Forged("an entry that is right")
    # This alone grows with the game, so all that is cheap comes before it.
    return _refused(offence, _place_of(line, offence))


def _line_of(ledger: Ledger, entry: Entry) -> Chain:
    """Return the line by which a refused entry is judged."""
    # Several lines have the place of a kept gather. Only one on which the signer plays will do.
    if isinstance(entry.payload, Blame):
        named = [ledger.chain]
    else:
        named = [
            chain
            for chain in (ledger.chain, *ledger.chains.values())
            if entry.height >= _base_of(chain) and chain.is_named_by(entry)
        ]
    if not named and entry.attempt > ledger.attempt:
        raise Early("of a later line-up")
    there = [chain for chain in named if chain.has_head(entry)]
    if not there:
        is_later = any(entry.height > chain.height for chain in named)
        raise Early("of a later height") if is_later else Fork("an entry on another past")
    for chain in there:
        start = chain.starts[entry.height]
        if isinstance(entry.payload, Blame) or start.signer_of(entry.seat) in start.roster.members:
            return chain
    raise Forged("an entry of a keeper that does not play there")


def _base_of(chain: Chain) -> int:
    return chain.begun[-1].height if chain.begun else 0


def _place_of(line: Chain, entry: Entry) -> Chain:
    """Return the line at the place of an entry, with what else has come there."""
    if entry.height < _base_of(line):
        raise Fork("an entry before the line-up")
    return chain_at(line, entry.height)


def _refused(entry: Entry, past: Chain) -> Cheat:
    try:
        past.accept_entry(entry)
    except Cheat as fault:
        return fault
    except (steps.Differs, Early, Stale, Fork) as fault:
        raise Forged("an entry that proves nothing here") from fault
    raise Forged("an entry that is right")


@lru_cache(MAX_PROOFS_READ)
def _offence(proof: CheatProof) -> Entry | None:
    """Return the entry that the game refuses, a blame for a wrong share; None: two bodies."""
    last, alone = proof.bodies[-1], len(proof.bodies) == 1
    found = Entry.parse(last) if last.kind in (BodyKind.PLAY, BodyKind.SHARE) else None
    if found is None and alone:
        raise Forged("a body that proves nothing by itself")
    return found if found is not None and (alone or isinstance(found.payload, Blame)) else None


def find_author(players: Sequence[Player], signed: Signed | Entry, first: Seat = 0) -> Seat | None:
    """Return the keeper whose key has signed a body, looking at `first` before all others."""
    guess = players[first].keeper if first < len(players) else None
    if guess is not None and signed.is_by(players[guess].key):
        return guess
    others = (keeper for keeper in keepers_of(players) if keeper != guess)
    return next((keeper for keeper in others if signed.is_by(players[keeper].key)), None)


def _seat_of(signed: Signed) -> Seat:
    return Entry.parse(signed).seat if signed.kind in (BodyKind.PLAY, BodyKind.SHARE) else 0


def _contradiction(ledger: Ledger, one: Signed, other: Signed) -> Cheat:
    players, game = ledger.genesis.players, ledger.genesis.id
    first, second = _parse(one, game), _parse(other, game)
    guess = second.seat if isinstance(second, Entry) else 0
    author = find_author(players, one, guess)
    if author is None or not other.is_by(players[author].key):
        raise Forged("bodies that no keeper has signed")
    match first, second:
        case Entry(), Entry() if _is_one_place(ledger, first, second) and first.id != second.id:
            return steps.equivocation(author, first, second)
        case LineUp(), LineUp() if first.attempt == second.attempt and first.id != second.id:
            return two_assents(author, second.height, one, other)
        case Entry(), LineUp() if first.attempt < second.attempt:
            return _judge_past_assent(ledger, author, first, second, other)
        case Leave(), Leave() if one.body != other.body and author == first.seat == second.seat:
            return two_leaves(first, second)
        case Leave(), Entry() if second.attempt > first.attempt and author == first.seat:
            return after_leaving(author, first, other, second.height)
        case Leave(), LineUp() if second.attempt > first.attempt and author == first.seat:
            return after_leaving(author, first, other, second.height)
        case _:  # every other pair may come from an honest keeper
            raise Forged("bodies that agree")


def _judge_past_assent(
    ledger: Ledger, keeper: Seat, entry: Entry, lineup: LineUp, assent: Signed
) -> Cheat:
    if _passes_by(ledger, lineup, entry, keeper):
        return past_its_assent(keeper, entry, assent)
    if lineup.predecessor not in ledger.chains:
        raise Early("a line-up whose predecessor is not known")
    raise Forged("bodies that agree")


def _is_one_place(ledger: Ledger, one: Entry, other: Entry) -> bool:
    """Return whether both are of one seat, place, and line-up or kept gather. Raise Early."""
    places = [(entry.height, entry.prev, entry.seat) for entry in (one, other)]
    if places[0] != places[1]:
        return False
    if one.attempt == other.attempt:
        return True
    if not (isinstance(one.payload, Opening) and isinstance(other.payload, Opening)):
        return False
    for chain in ledger.chains.values():
        if chain.has_head(one) and chain.is_named_by(one) and chain.is_named_by(other):
            return True
    raise Early("openings of two line-ups")


def _parse(signed: Signed, game: bytes) -> Entry | LineUp | Leave:
    match signed.kind:
        case BodyKind.PLAY | BodyKind.SHARE:
            entry = Entry.parse(signed)
            if isinstance(entry.payload, Blame):
                raise Forged("a blame contradicts nothing")
            return entry
        case BodyKind.LINE_UP:
            return LineUp.parse(signed.body, game)
        case BodyKind.LEAVE:
            return Leave.parse(signed, game)
        case _:  # chat, heads and the like may be signed in any number
            raise BadBytes("a body that contradicts nothing")


def forked_place(proof: CheatProof) -> tuple[int, bytes] | None:
    """Return height and head of a contradiction of entries, else None. Raise BadBytes."""
    if [s.kind in (BodyKind.PLAY, BodyKind.SHARE) for s in proof.bodies] != [True, True]:
        return None
    entry = Entry.parse(proof.bodies[1])
    return None if isinstance(entry.payload, Blame) else (entry.height, entry.prev)
