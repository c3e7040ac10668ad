"""The ledger: one game, as what its keepers have signed. It says which line of play counts.

Scope: line-ups, assents and facts; which line-ups have begun; going back to an earlier place.
Not here: how a line goes on (`kotp2p.game.chain`), what a keeper finds and signs
(`kotp2p.lineup`), what a proof shows (`kotp2p.game.conviction`), links, clocks, files. A live
peer, a replay after a restart and `verify` all feed the same ledger, so there is one place that
says what a game is.

How it works (PROTOCOL.md 9.3): each line-up that has begun has a line of its own, which shares its
past with that of its predecessor. Of all of them the one with the highest attempt counts. A line-up
has begun when all its members have assented, they are enough, and its plan and its base hold on the
line of its predecessor. The same bodies, in whatever order, make the same line.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from kotp2p.game import conviction
from kotp2p.game.chain import Chain, Impossible, chain_at, part_names, parts_after
from kotp2p.game.steps import (
    Begun,
    Cheat,
    Differs,
    Early,
    Forged,
    Fork,
    Moved,
    Roster,
    SignatureCheck,
    Stale,
    Step,
    equivocation,
    require_signed_by_keeper,
)
from kotp2p.referee.game import Game
from kotp2p.referee.model.answers import Seat
from kotp2p.wire.entries import Blame, Entry, Place, Signed, unpack_seals
from kotp2p.wire.genesis import Genesis
from kotp2p.wire.lineups import CheatProof, Leave, LineUp, Reason

MAX_LONE_LINE_UPS = 16
"""Line-ups to which one keeper alone has assented are kept up to this number, the latest ones."""
MAX_PROOFS = 64
"""Proofs against one keeper that are kept. The first one convicts; others only tell more places."""


@dataclass(frozen=True, slots=True)
class Split:
    """A line-up has begun that this copy does not follow: it would undo a closed gather."""

    lineup: LineUp
    by: tuple[Seat, ...]
    """The keepers that have signed both pasts."""


@dataclass(slots=True)
class Ledger:
    genesis: Genesis
    check_signature: SignatureCheck = require_signed_by_keeper
    """For entries of the line that counts. All else is always checked at once."""
    chain: Chain = field(init=False)
    """The line that counts. Going back puts another one in its place: do not keep it."""
    chains: dict[bytes, Chain] = field(default_factory=dict)
    """The line of each line-up that has begun, by its id."""
    line_ups: dict[bytes, LineUp] = field(default_factory=dict)
    """All line-ups to which a keeper has assented, by id."""
    seals: dict[bytes, dict[Seat, bytes]] = field(default_factory=dict)
    """The assents to each of them."""
    leaves: dict[Seat, Leave] = field(default_factory=dict)
    """The LEAVE of each keeper that has said one; of several, that of the lowest attempt."""
    proofs: dict[bytes, CheatProof] = field(default_factory=dict)
    """By id. Each convicted a keeper when it came."""
    convicts: dict[Seat, list[Cheat]] = field(default_factory=dict)
    """What the proofs show, by keeper."""
    splits: list[Split] = field(default_factory=list)
    is_bound: bool = False
    """The own keeper has assented above the line that counts. What it takes meanwhile may be
    undone, so the gathers that close do not raise the floor."""
    floor: int = 0
    """The height of the last gather that this copy has closed."""
    floor_before: int = 0
    """That of the gather before it."""
    revision: int = 0
    """Rises with everything that is accepted. What was worked out from this ledger is right while
    it stays the same."""
    is_stirred: bool = False
    """Something has come that may change who plays. Until then no code looks for such a change."""
    _leaves_known: set[bytes] = field(default_factory=set)
    """The bodies of all LEAVEs, also of those that do not count."""
    _impossible: set[bytes] = field(default_factory=set)
    """Line-ups that cannot follow their predecessor, whatever comes."""

    def __post_init__(self) -> None:
        self.chain = Chain(self.genesis, self.check_signature)
        self.chains[self.genesis.id] = self.chain

    # -- where the game stands -----------------------------------------------------------

    @property
    def attempt(self) -> int:
        """Return the attempt of the line-up that counts."""
        return self.chain.roster.attempt

    @property
    def roster(self) -> Roster:
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
    def step(self) -> Step:
        return self.chain.step

    @property
    def game(self) -> Game:
        return self.chain.game

    def owing_seats(self) -> tuple[Seat, ...]:
        """Return the seats of which an entry is owed now that is not there."""
        return self.chain.owing_seats()

    def has_left(self, keeper: Seat, attempt: int) -> bool:
        """Return whether a keeper has left before this attempt."""
        said = self.leaves.get(keeper)
        return said is not None and said.attempt < attempt

    def assents_above(self, attempt: int) -> list[LineUp]:
        """Return the line-ups of later attempts that have assents."""
        if not self.line_ups:
            return []
        return [lineup for lineup in self.line_ups.values() if lineup.attempt > attempt]

    # -- entries -------------------------------------------------------------------------

    def accept_entry(self, entry: Entry) -> Moved | None:
        """Accept an entry (`Chain.accept_entry`).

        Raise Forged, Early, Stale, Fork, Differs, or Cheat.
        """
        try:
            chain = self._line_of(entry)
            others = [c for c in self.chains.values() if c is not chain and c.may_take(entry)]
            moved = chain.accept_entry(entry)
        except (Early, Stale, Fork):
            self._require_some_signature(entry)
            raise
        if moved is None:
            return None
        self.revision += 1
        for other in others:
            self._put_beside(other, entry)
        if self.line_ups:
            keeper = chain.starts[entry.height].signer_of(entry.seat)
            assert keeper is not None, "an entry that is taken has a signer"
            moved = self._note_beside_line_ups(chain, entry, keeper, moved)
        self._raise_floor()
        return moved

    @staticmethod
    def _put_beside(line: Chain, entry: Entry) -> None:
        """Put an entry on one more line on which it is owed.

        A keeper that has signed two line-ups of one attempt may owe another entry there. The entry
        is judged where it was found first.
        """
        with suppress(Forged, Stale, Differs, Cheat):
            line.accept_entry(entry)

    def _line_of(self, entry: Entry) -> Chain:
        """Return the line on which an entry may be, by the attempt that it names.

        Raise Early or Stale if there is none.
        """
        if len(self.chains) == 1 or isinstance(entry.payload, Blame):
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
        """Yield the lines of all line-ups that have begun, first the one that counts."""
        yield self.chain
        for chain in self.chains.values():
            if chain is not self.chain:
                yield chain

    def _require_some_signature(self, entry: Entry) -> None:
        """Require that a keeper has signed an entry that cannot be judged yet.

        So a keeper's name cannot be used to keep others busy.
        """
        if conviction.find_author(self.genesis.players, entry.signed, first=entry.seat) is None:
            raise Forged("an entry that no keeper has signed")

    def _note_beside_line_ups(
        self, chain: Chain, entry: Entry, keeper: Seat, moved: Moved
    ) -> Moved:
        """Note an entry that was taken while line-ups are known.

        It may be on another line than the one that counts, contradict an assent, or be the last
        that a line-up waits for.
        """
        if chain is not self.chain:
            moved = Moved()
        for lineup in self._assents_of(keeper):
            if conviction.excludes(self, lineup, entry.attempt, keeper):
                seal = self.seals[lineup.id][keeper]
                moved.caught += (conviction.past_its_assent(keeper, entry, lineup.proving(seal)),)
        other = self._find_other(chain, entry)
        if other is not None:
            moved.caught += (equivocation(keeper, other, entry),)
        said = self.leaves.get(keeper)
        if said is not None and entry.attempt > said.attempt:
            moved.caught += (conviction.after_leaving(keeper, said, entry.signed, entry.height),)
        self._begin_line_ups(moved)
        return moved

    def _find_other(self, chain: Chain, entry: Entry) -> Entry | None:
        """Return another entry of the seat in the same gather, on another line that keeps it."""
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
        """Record that the own keeper is not bound any more."""
        self.is_bound = False
        self._raise_floor()

    # -- facts ---------------------------------------------------------------------------

    def accept_leave(self, leave: Leave) -> Moved | None:
        """Take a LEAVE; return None if it is not new. Raise Forged."""
        keeper = leave.seat
        self._require_keeper(keeper)
        known = self.leaves.get(keeper)
        if leave.signed.body in self._leaves_known:
            return None
        require_signed_by_keeper(self.genesis.players, keeper, leave.signed)
        if known is not None and keeper in self.convicts:
            return None
        self._leaves_known.add(leave.signed.body)
        self.leaves[keeper] = min(leave, known or leave, key=_rank_of)
        self.revision += 1
        self.is_stirred = True
        moved = Moved()
        if known is not None:
            pair = sorted((known, leave), key=_rank_of)
            moved.caught += (conviction.two_leaves(pair[0], pair[1]),)
        for lineup in self._assents_of(keeper):
            if lineup.attempt > leave.attempt:
                signed = lineup.proving(self.seals[lineup.id][keeper])
                moved.caught += (conviction.after_leaving(keeper, leave, signed, lineup.height),)
        self._begin_line_ups(moved)
        return moved

    def accept_proof(self, proof: CheatProof) -> Moved | None:
        """Take a proof; return None if it is known. Raise BadBytes, Forged, Early or Fork."""
        if proof.id in self.proofs or self._is_one_too_many(proof):
            return None
        cheat = conviction.convict(self, proof)
        cheat.proof = proof  # as it came, also where a part of it would do
        found = self.convicts.setdefault(cheat.seat, [])
        self.revision += 1
        self.is_stirred = True
        self.proofs[proof.id] = proof
        found.append(cheat)
        moved = Moved(caught=(cheat,))
        self._begin_line_ups(moved)
        return moved

    def _is_one_too_many(self, proof: CheatProof) -> bool:
        """Return whether enough proofs are known against the keeper of this one.

        The first body is by the keeper that the proof convicts, also of a wrong share.
        """
        players = self.genesis.players
        full = [keeper for keeper, found in self.convicts.items() if len(found) >= MAX_PROOFS]
        return any(proof.bodies[0].is_by(players[keeper].key) for keeper in full)

    def _require_keeper(self, seat: Seat) -> None:
        players = self.genesis.players
        if seat >= len(players) or players[seat].keeper != seat:
            raise Forged("signed by a seat that is no keeper")

    # -- line-ups ------------------------------------------------------------------------

    def accept_line_up(self, signed: Signed) -> Moved | None:
        """Take a line-up with assents; return None if it is not new.

        Raise BadBytes or Forged.
        """
        lineup, seals = LineUp.parse(signed.body, self.genesis.id), unpack_seals(signed.signature)
        known = self.seals.get(lineup.id, {})
        fresh = {seat: seal for seat, seal in seals.items() if seat not in known}
        for seat, seal in fresh.items():
            self._require_keeper(seat)
            require_signed_by_keeper(self.genesis.players, seat, lineup.proving(seal))
        if not fresh:
            return None
        self.revision += 1
        self.is_stirred = True
        moved = Moved(caught=tuple(self._find_second_assents(lineup, fresh)))
        self.line_ups[lineup.id] = lineup
        self.seals[lineup.id] = {**known, **fresh}
        for keeper in fresh:
            self._forget_lone(keeper)
        self._begin_line_ups(moved)
        return moved

    def _assents_of(self, keeper: Seat) -> list[LineUp]:
        return [self.line_ups[name] for name, seals in self.seals.items() if keeper in seals]

    def greatest_assent(self, keeper: Seat) -> int:
        """Return the greatest attempt to which a keeper has assented; 0 if to none."""
        return max((lineup.attempt for lineup in self._assents_of(keeper)), default=0)

    def attempt_to_name(self, keeper: Seat) -> int:
        """Return the attempt that an entry of `keeper` for the present place names.

        That is the one in which the step began. Where an own assent has passed that one by, it is
        the one in which the keeper signs now, which a kept gather takes, too.
        """
        first = self.chain.starts[-1].attempt
        assents = self._assents_of(keeper)
        is_passed_by = any(conviction.excludes(self, found, first, keeper) for found in assents)
        return self.attempt if is_passed_by else first

    def _find_second_assents(self, lineup: LineUp, fresh: dict[Seat, bytes]) -> Iterator[Cheat]:
        """Find what new assents contradict: another one in the attempt, a LEAVE, an entry."""
        for keeper, seal in fresh.items():
            signed = lineup.proving(seal)
            for other in self._assents_of(keeper):
                if other.attempt == lineup.attempt and other.id != lineup.id:
                    first = other.proving(self.seals[other.id][keeper])
                    yield conviction.two_assents(keeper, lineup.height, first, signed)
            said = self.leaves.get(keeper)
            if said is not None and lineup.attempt > said.attempt:
                yield conviction.after_leaving(keeper, said, signed, lineup.height)
            for chain in self.chains.values():
                if conviction.excludes(self, lineup, chain.attempt, keeper):
                    entry = conviction.find_own_entry(chain, keeper)
                    if entry is not None:
                        yield conviction.past_its_assent(keeper, entry, signed)

    def _forget_lone(self, keeper: Seat) -> None:
        """Forget all but a few line-ups to which only this keeper has assented.

        A keeper could assent to such line-ups without end. Those of others are not touched: what a
        line-up needs to begin is under no budget.
        """
        lone = [
            lineup
            for lineup in self._assents_of(keeper)
            if len(self.seals[lineup.id]) == 1 and lineup.id not in self.chains
        ]
        for lineup in sorted(lone, key=lambda found: found.rank)[:-MAX_LONE_LINE_UPS]:
            del self.line_ups[lineup.id], self.seals[lineup.id]

    def _begin_line_ups(self, moved: Moved) -> None:
        """Begin each line-up that can begin now, in ascending rank, and follow the last one."""
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
        """Return whether a line-up has visibly begun, apart from what its base needs."""
        attempt, roster = lineup.attempt, before.roster
        if attempt <= roster.attempt:
            return False
        members = roster.members_after(lineup.plan)
        if not members or not members <= self.seals[lineup.id].keys():
            return False
        if not all(self.has_left(k, attempt) for k in lineup.names(Reason.LEFT)):
            return False
        return all(keeper in self.convicts for keeper in lineup.names(Reason.CHEATED))

    def _make_line(self, lineup: LineUp, before: Chain) -> tuple[Chain, Moved]:
        """Return the line of a line-up, and what its beginning does to the game at its base.

        Raise Early if its base is not reached, or Impossible.
        """
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
        """Return all entries of a gather that have come.

        A later line that keeps the gather takes entries that came after its line-up had begun.
        """
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
        """Let the line of a line-up count, if its rank is greatest and it undoes no gather.

        Only gathers that this copy holds to be closed matter.
        """
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
            self.floor_before = min(self.floor_before, self.floor)
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
        """Return what a copy lacks that follows the line-up of `attempt` at `height`.

        Those are facts, line-ups of later attempts, and entries, in an order that another ledger
        accepts.
        """
        later = [begun for begun in self.chain.begun if begun.lineup.attempt > attempt]
        since = min([height, *(begun.height for begun in later)])
        line = list(line_bodies(self, self.chain, since, later))
        facts = [leave.signed for leave in self.leaves.values()]
        proofs = [proof.signed for proof in self.proofs.values()]
        open_ones = [
            lineup.signed(self.seals[lineup.id]) for lineup in self.assents_above(self.attempt)
        ]
        return list(dict.fromkeys([*facts, *proofs, *line, *open_ones]))

    def canonical_bodies(self) -> list[Signed]:
        """Return the winning sequence after the genesis (PROTOCOL.md 10.4)."""
        chain = self.chain
        until = None if chain.is_over else chain.height
        return list(dict.fromkeys(line_bodies(self, chain, 0, chain.begun, until=until)))


def _rank_of(leave: Leave) -> tuple[int, bytes]:
    return (leave.attempt, leave.signed.body)


def line_bodies(
    ledger: Ledger,
    chain: Chain,
    since: int,
    begun: list[Begun],
    *,
    until: int | None = None,
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
        if change.reason is Reason.LEFT:
            yield ledger.leaves[change.keeper].signed
        elif change.reason is Reason.CHEATED:
            yield ledger.convicts[change.keeper][0].proof.signed
    before = ledger.chains[lineup.predecessor].roster
    members, seals = before.members_after(lineup.plan), ledger.seals[lineup.id]
    yield lineup.signed({seat: seals[seat] for seat in sorted(members)})
