"""The laws of a change of line-up: what LINEUPS promises, each with a name (PROTOCOL.md 11).

Scope: what is looked at after each step of an honest peer, and when a game is over.
"""

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random

from kotp2p.game.chain import Chain
from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Begun, Cheat, Differs, Early, Finished, Forged, Fork, Stale
from kotp2p.game.verify import Result, verify_log
from kotp2p.referee.model.answers import Out, Seat
from kotp2p.seams.endings import EndKind
from kotp2p.seams.notices import Diverged, Notice, ProgramFault
from kotp2p.wire.encoding import BadBytes
from kotp2p.wire.entries import BodyKind, Entry, Signed, unpack_seals
from kotp2p.wire.lineups import Change, CheatProof, Leave, LineUp, Reason, Wish
from tests.tools.sim.mesh import Mesh, Process, log_bytes


class Law(StrEnum):
    WISHED = "no honest keeper is out but by the wish of all that stay"
    MONSTER = "no monster is taken out but of who has left or cheated"
    TOGETHER = "those that are enough come to one line-up and to the end"
    CLOSED = "nothing below a closed gather is undone"
    HONEST = "nobody honest is convicted"
    ORDER = "the same bodies give the same line in any order"
    LOGS = "each log is readable, and agrees with the others"
    REDRAW = "no draw is made anew without a name"
    FAULTLESS = "no program meets an error of its own"
    AGREED = "honest peers in one line-up hold the same play"
    MEMBERS = "each gather has an entry of each member"
    STOPPED = "nobody stops for today while others want to play"
    CONFIRMED = "the end waits a minute for those that are there"
    SPLIT = "nobody is left on another past without a cheat"
    ENDS = "no process of an honest keeper ends by itself"


@dataclass(frozen=True, slots=True)
class Violation:
    law: Law
    words: str

    def __str__(self) -> str:
        return f"{self.law.name}: {self.words}"


END_SECONDS = 60.0
"""Who comes back later than this before the end finds the others gone."""
PUT_OUT = (Reason.CHEATED, Reason.LEFT)


@dataclass
class Promises:
    mesh: Mesh
    honest: frozenset[Seat]
    """The keepers whose program is as it is, and whose folder has no copy."""
    copied: set[Seat] = field(default_factory=set)
    """Those of which an older copy was begun."""
    found: list[Violation] = field(default_factory=list)
    left: set[Seat] = field(default_factory=set)
    """Those whose players have given up."""
    fair_from: float = 0.0
    """Since when all links are mended, and all that can be there are."""
    first_end: float = float("inf")
    _wished: dict[Seat, set[Seat]] = field(default_factory=dict)
    """By keeper: whom it has ever wished away; itself, if it wanted a bot to play."""
    _heads: dict[Process, tuple[Chain, int, list[bytes], int, int]] = field(default_factory=dict)
    """By process: the line that it stood on, and its floors."""
    _stopping: set[Seat] = field(default_factory=set)
    """Those that have ever wanted to stop for today."""
    _over_since: dict[Process, float] = field(default_factory=dict)
    """By process: since when it stands at the end."""
    _judged: set[bytes] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.mesh.on_body.append(self.hear)
        self.mesh.on_step.append(self.look)
        self.mesh.on_notice.append(self.read)

    def accuse(self, law: Law, *words: object) -> None:
        violation = Violation(law, f"{self.mesh.now:.1f} " + " ".join(map(str, words)))
        if not any(known.law is law for known in self.found):
            self.found.append(violation)

    # -- after each step ---------------------------------------------------------------------

    def hear(self, process: Process, signed: Signed) -> None:
        game = self.mesh.table.genesis.id
        if signed.kind is BodyKind.WISH:
            wish = Wish.parse(signed, game)
            wished = self._wished.setdefault(wish.seat, set())
            wished.update(wish.without)
            if wish.is_away:
                wished.add(wish.seat)
            if wish.stops:
                self._stopping.add(wish.seat)

    def read(self, process: Process, notice: Notice) -> None:
        if process.keeper in self.honest and isinstance(notice, ProgramFault | Diverged):
            self.accuse(Law.FAULTLESS, process.keeper, notice)

    def look(self, process: Process) -> None:
        if process.keeper not in self.honest:
            return
        ledger = process.peer.ledger
        self._look_at_floor(process, ledger)
        for begun in ledger.chain.begun:
            if begun.lineup.id not in self._judged:
                self._judged.add(begun.lineup.id)
                self._judge_line_up(begun, ledger)
        for keeper in ledger.convicts.keys() & self.honest:
            if keeper not in self.copied:
                self.accuse(Law.HONEST, keeper, "by", process.keeper, ledger.convicts[keeper])
        if isinstance(ledger.step, Finished):
            self._over_since.setdefault(process, self.mesh.now)
        if process.ended is not None and process.ended[0] is EndKind.FINISHED:
            self.first_end = min(self.first_end, self.mesh.now)
            self._look_at_end(process, ledger)
        if process.ended is not None and process.ended[0] is EndKind.ADJOURNED:
            others = self._linked(process) & ledger.roster.members
            if not others <= self._stopping:
                self.accuse(Law.STOPPED, process.keeper, "without", others - self._stopping)
        is_caught = process.keeper in self.copied and process.ended == (EndKind.STOPPED, "cheated")
        if process.ended is not None and not is_caught and process.ended[0] not in (
            EndKind.FINISHED, EndKind.LEFT, EndKind.ADJOURNED, EndKind.KEPT
        ):  # fmt: skip
            self.accuse(Law.ENDS, process.keeper, *process.ended)

    def _linked(self, process: Process) -> set[Seat]:
        """Return the honest keepers that a process has a link to that works."""
        return {
            end
            for link in self.mesh.links.values()
            for end in link.ends
            if process.keeper in link.ends and not link.is_dumb and end in self.honest
            and self.mesh.runs(end) and not self.mesh.processes[end].is_asleep
        } - {process.keeper}  # fmt: skip

    def _look_at_end(self, process: Process, ledger: Ledger) -> None:
        if self.mesh.now >= self._over_since[process] + END_SECONDS - 1:
            return
        missing = self._linked(process) & ledger.roster.members - ledger.chain.gathered.keys()
        if missing:
            self.accuse(Law.CONFIRMED, process.keeper, "does not wait for", missing)

    def _look_at_floor(self, process: Process, ledger: Ledger) -> None:
        chain = ledger.chain
        known = self._heads.get(process)
        if known is not None and known[0] is not chain:
            _, attempt, heads, floor, before = known
            later = [begun for begun in chain.begun if begun.lineup.attempt > attempt]
            names = [c for begun in later for c in begun.lineup.names(Reason.CHEATED)]
            kept = before if names else floor
            if not self._is_forgotten(later, kept) and chain.heads[: kept + 1] != heads[: kept + 1]:
                self.accuse(Law.CLOSED, process.keeper, "undoes", kept, "in", ledger.attempt)
        self._heads[process] = (
            chain, ledger.attempt, chain.heads, ledger.floor, ledger.floor_before
        )  # fmt: skip

    def _is_forgotten(self, line_ups: Iterable[Begun], height: int) -> bool:
        """Whether older copies have gone on from below a height: they know of nothing above."""
        below = [begun.after.members & self.honest for begun in line_ups if begun.height < height]
        return any(honest and honest <= self.copied for honest in below)

    def _judge_line_up(self, begun: Begun, ledger: Ledger) -> None:
        lineup = begun.lineup
        staying = begun.before.staying(lineup.plan) & self.honest
        for change in lineup.plan:
            keeper = change.keeper
            if change.reason is Reason.ABSENT and keeper in self.honest:
                is_own = keeper in self._wished.get(keeper, ())
                silent = [k for k in staying if keeper not in self._wished.get(k, ())]
                if silent and not is_own:
                    self.accuse(Law.WISHED, keeper, "is out in", lineup.attempt, "not by", silent)
            if change.reason is Reason.LEFT and keeper in self.honest - self.left:
                self.accuse(Law.MONSTER, keeper, "has not left, in", lineup.attempt)
            if change.reason is Reason.CHEATED and keeper in self.honest - self.copied:
                self.accuse(Law.HONEST, keeper, "is out as a cheat, in", lineup.attempt)
        for given in begun.given:
            if isinstance(given, Out) and not set(given.seats) <= set(lineup.names(*PUT_OUT)):
                self.accuse(Law.MONSTER, given, "in", lineup.attempt)

    # -- at the end --------------------------------------------------------------------------

    def present(self) -> list[Process]:
        """Return the honest processes that play, or have played to the end."""
        return [
            process
            for keeper, process in sorted(self.mesh.processes.items())
            if keeper in self.honest and process.is_alive and keeper not in self.left
        ]

    def judge(self, chance: Random) -> None:
        present = self.present()
        self._judge_together(present)
        self._judge_agreement(present)
        self._judge_logs(chance)
        self._judge_draws()

    def _judge_together(self, present: list[Process]) -> None:
        going = [p for p in present if p.ended is None]
        if not going or self.first_end < self.fair_from + END_SECONDS:
            return  # the others have gone home before the network was fair
        ahead = max(going, key=lambda p: p.peer.ledger.place).peer.ledger
        here = {p.keeper for p in present}
        missing = ahead.roster.members - here
        plan = tuple(Change(k, Reason.ABSENT) for k in sorted(missing))
        if here & ahead.roster.members and ahead.chain.are_enough(plan):
            states = {p.keeper: state_of(p) for p in present}
            self.accuse(Law.TOGETHER, "stand still:", states)

    def _judge_agreement(self, present: list[Process]) -> None:
        for one, other in itertools.combinations(present, 2):
            mine, theirs = one.peer.ledger, other.peer.ledger
            if mine.splits or theirs.splits:
                if not mine.convicts and not theirs.convicts:
                    self.accuse(Law.SPLIT, one.keeper, other.keeper, mine.splits, theirs.splits)
                continue
            until = min(mine.floor, theirs.floor) + 1
            begun = [*mine.chain.begun, *theirs.chain.begun]
            is_forgotten = self._is_forgotten(begun, until)
            if not is_forgotten and mine.heads[:until] != theirs.heads[:until]:
                self.accuse(
                    Law.AGREED, one.keeper, "and", other.keeper, "at",
                    mine.attempt, theirs.attempt, until,
                )  # fmt: skip
        over = [p for p in present if p.ended is not None and p.ended[0] is EndKind.FINISHED]
        cheats = {cheat for p in present for cheat in p.peer.ledger.convicts}
        confirmed = [p.peer.ledger for p in over if _is_confirmed(p.peer.ledger, cheats)]
        ends = {ledger.head for ledger in confirmed}
        if len(ends) > 1 and not cheats:
            self.accuse(Law.AGREED, "the game has", len(ends), "ends")
        for mine, theirs in itertools.combinations(confirmed, 2):
            both = self.honest & mine.chain.gathered.keys() & theirs.chain.gathered.keys()
            if mine.head != theirs.head and both - self.copied:
                self.accuse(Law.AGREED, both, "have signed two ends that are written")

    def _judge_logs(self, chance: Random) -> None:
        every: dict[Signed, None] = {}
        table = self.mesh.table
        for process in self.mesh.processes.values():
            if process.keeper not in self.honest:
                continue
            every.update(dict.fromkeys(process.disk))
            report = verify_log(log_bytes(table, process.disk))
            if report.result is Result.WRONG:
                self.accuse(Law.LOGS, process.keeper, report.reason, report.wrong_at)
            # A split is told to its player, and the log keeps the other past, too.
            elif report.head != process.peer.ledger.head and not process.peer.ledger.splits:
                self.accuse(Law.LOGS, process.keeper, "is at another place than its log")
        bodies = [signed for signed in every if signed.kind is not BodyKind.GENESIS]
        lines: set[tuple[bytes, bytes]] = set()
        for _ in range(3):
            chance.shuffle(bodies)
            ledger = read_in_any_order(self.mesh, bodies)
            lines.add((ledger.roster.lineup, ledger.head))
        ends = sum(chain.is_over for chain in ledger.chains.values())
        if len(lines) > 1 and ends < 2:  # older copies may have ended two games; no end is undone
            self.accuse(Law.ORDER, len(lines), "lines of", len(bodies), "bodies")

    def _judge_draws(self) -> None:
        """Each height and head has one result, unless somebody is named for it."""
        seen: dict[tuple[int, bytes, str], tuple[bytes, Chain]] = {}
        for process in self.mesh.processes.values():
            if process.keeper not in self.honest:
                continue
            for chain in process.peer.ledger.chains.values():
                for height, done in enumerate(chain.closed):
                    start = chain.starts[height]
                    if not start.is_gather or not _is_draw(done):
                        continue
                    if start.attempt == start.roster.attempt:  # it is none that was kept
                        missing = start.roster.members - {entry.seat for entry in done}
                        if missing:
                            self.accuse(Law.MEMBERS, missing, "at", height, "of", start.attempt)
                    place = (height, chain.heads[height], "draw")
                    result = chain.heads[height + 1]
                    other = seen.setdefault(place, (result, chain))
                    if other[0] != result and not _is_named(height, chain, other[1]):
                        self.accuse(
                            Law.REDRAW, "two results at", height, "of", chain.attempt,
                            other[1].attempt,
                        )  # fmt: skip


def _is_draw(done: tuple[Entry, ...]) -> bool:
    return any(entry.payload.__class__.__name__ == "Opening" for entry in done)


def _is_named(height: int, *chains: Chain) -> bool:
    """Whether a line-up near a draw names somebody who has refused, left or cheated."""
    for chain in chains:
        for begun in chain.begun:
            if begun.height == height and (begun.refused or begun.lineup.names(*PUT_OUT)):
                return True
            if begun.lineup.names(Reason.CHEATED) and begun.height <= height:
                return True
    return False


def state_of(process: Process) -> str:
    ledger = process.peer.ledger
    if process.ended is not None:
        return f"{process.ended[0]} {ledger.place}"
    attempts = process.peer.attempts
    return (
        f"{ledger.place} {type(ledger.step).__name__} owing {ledger.chain.owing_keepers()} "
        f"members {sorted(ledger.roster.members)} in {attempts.attempt} bound {attempts.bound} "
        f"waits {attempts.waited_for()} offered {process.peer.absence.offered}"
    )


def read_in_any_order(mesh: Mesh, bodies: list[Signed]) -> Ledger:
    """Return a ledger that has taken these bodies, each as soon as it can be taken.

    A line-up that the ledger forgets is offered again, as other keepers would.
    """
    ledger, game = Ledger(mesh.table.genesis), mesh.table.genesis.id
    line_ups = [signed for signed in bodies if signed.kind is BodyKind.LINE_UP]
    waiting, standing, before = list(bodies), (-1, -1), (0, 0)
    while waiting and standing != before:
        before, later = standing, list[Signed]()
        for signed in waiting:
            if is_ahead(ledger, signed):
                later.append(signed)
                continue
            try:
                take(ledger, signed, game)
            except (Early, Fork, Stale, Differs, Cheat, Forged, BadBytes):
                later.append(signed)
        forgotten = [signed for signed in line_ups if is_forgotten(ledger, signed, game)]
        waiting = list(dict.fromkeys([*later, *forgotten]))
        lines = ledger.chains.values()
        standing = (len(later), sum(1 + chain.height + len(chain.gathered) for chain in lines))
    return ledger


def is_forgotten(ledger: Ledger, signed: Signed, game: bytes) -> bool:
    """Whether the ledger lacks an assent of this line-up."""
    seals = ledger.seals.get(LineUp.parse(signed.body, game).id, {})
    return not unpack_seals(signed.signature).keys() <= seals.keys()


def is_ahead(ledger: Ledger, signed: Signed) -> bool:
    """Whether it is an entry that no line of the ledger has come to, so that it must wait."""
    if signed.kind not in (BodyKind.PLAY, BodyKind.SHARE):
        return False
    height = Entry.parse(signed).height
    return all(chain.height < height for chain in ledger.chains.values())


def take(ledger: Ledger, signed: Signed, game: bytes) -> None:
    match signed.kind:
        case BodyKind.PLAY | BodyKind.SHARE:
            moved = ledger.accept_entry(Entry.parse(signed))
        case BodyKind.LINE_UP:
            moved = ledger.accept_line_up(signed)
        case BodyKind.LEAVE:
            moved = ledger.accept_leave(Leave.parse(signed, game))
        case BodyKind.CHEAT_PROOF:
            moved = ledger.accept_proof(CheatProof.parse(signed))
        case _:
            return
    for fault in () if moved is None else moved.caught:
        ledger.accept_proof(fault.proof)


def _is_confirmed(ledger: Ledger, cheats: set[Seat]) -> bool:
    """Whether most members that have not cheated have signed the end. Who is cut off at the end
    may see another one, which nobody has confirmed but itself."""
    return ledger.roster.are_most(ledger.chain.gathered, cheats)
