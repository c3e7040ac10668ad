"""A simulated game with seats that cheat; what they do is in `tests.tools.sim.cheats`.

Law: the machines of cheats are like all others, and so are the people at them, but for a peer that
tells lies from some height on. Nobody waits for them at the end. The honest know on the phone who
spoils the game, as people do, and vote or stop for the day where their programs cannot act.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

import trio

from kotp2p.endings import EndKind
from kotp2p.game.ledger import Ledger
from kotp2p.peer.peer import Peer
from kotp2p.votes.targets import proofs_that_convict
from kotp2p.wire.crypto import Signer
from kotp2p.wire.genesis import Genesis
from kotp2p.wire.votes import Certificate, is_majority
from referee.model.answers import Seat
from tests.tools.sim.accountability import Accountability
from tests.tools.sim.cheat_mix import STOPPING, TRICKS
from tests.tools.sim.cheats import Mallory, Script
from tests.tools.sim.disk import OWN_KEY
from tests.tools.sim.game import AGAIN, NOT_YET, SimGame
from tests.tools.sim.invariants import verified_once
from tests.tools.sim.life import CURRENT, Life, state_of
from tests.tools.sim.machines import Machine

STOPPED = (EndKind.ADJOURNED, EndKind.CLAIMED)
"""Endings that are the last word once all is mended."""
ENOUGH = 300.0
"""Seconds in which all votes would have been held that can be held."""


@dataclass
class CheatGame(SimGame):
    healing: ClassVar[float] = 1500.0

    def __post_init__(self) -> None:
        cheats = self.mix.cheats
        names = {name for tricks in cheats.values() for name in tricks}
        stops = bool(names & set(STOPPING))
        self.invariants: Accountability = Accountability(cheats=frozenset(cheats), stops=stops)
        super().__post_init__()
        self.scripts = {n: self._script(n, names) for n, names in cheats.items()}

    def _script(self, machine: int, names: Sequence[str]) -> Script:
        chance = Random(f"script {self.mix.seed} {machine}")
        return Script(
            tuple(TRICKS[name]() for name in names),
            chance,
            lambda name: self.trace.fault(f"cheat: {name}"),
            lambda: {s for s, n in self.invariants.played_by.items() if n in self.mix.cheats},
            after=chance.randint(0, 20),
            often=chance.choice((0.1, 0.3, 1.0)),
        )

    def peer(
        self,
        genesis: Genesis,
        seat: int,
        signer: Signer,
        seed: bytes,
        resumed: Ledger | None = None,
    ) -> Peer:
        life = CURRENT.get()
        assert life is not None
        script = self.scripts.get(life.machine)
        if script is None:
            return Peer(genesis, seat, signer, seed, resumed)
        mallory = Mallory(genesis, seat, signer, seed, resumed)
        mallory.script = script
        return mallory

    def can_hear_of_copies(self) -> bool:
        """Cheats need not tell them, so it takes one more honest player."""
        return len(self._honest()) > 1

    # -- people ------------------------------------------------------------------------------

    def _honest(self) -> list[Machine]:
        return [m for m in self.machines if m.number not in self.mix.cheats]

    async def _all_done(self) -> None:
        """Or until the rest have waited long enough for cheats that nobody can vote out."""
        stood, since = self._standing(), trio.current_time()
        while any(machine.done is None for machine in self._honest()):
            await self.clock.sleep(1.0)
            stands = self._standing()
            if stands != stood or not self.healed.is_set():
                stood, since = stands, trio.current_time()
            waiting = [m for m in self._honest() if m.done is None]
            if trio.current_time() > since + ENOUGH and all(map(self._may_wait, waiting)):
                return

    def _standing(self) -> list[tuple[object, ...]]:
        lives = [m.life for m in self._honest() if m.life is not None]
        return [(peer.seat, peer.ledger.head) for life in lives for peer in life.peers]

    def _again(self, kind: EndKind) -> bool:
        if self.mix.host_lies and kind is EndKind.REMOVED:
            return True
        return kind in NOT_YET or (kind in AGAIN and not (self.healed.is_set() and kind in STOPPED))

    def never_return(self, life: Life, seats: tuple[int, ...]) -> bool:
        played_by, players = self.invariants.played_by, life.peers[0].genesis.players
        if not played_by.keys() >= set(seats):  # for one of them the game has not begun yet
            return False
        return all(
            played_by[seat] in self.mix.cheats
            or self._is_away(self.machines[self.machine_of[players[seat].key]])
            for seat in seats
        )

    # -- the end -----------------------------------------------------------------------------

    def _judge(self) -> None:
        self.starts.judge_start(self._honest())
        found = self.invariants
        for machine in self._honest():
            count = found.i3_evidence(machine.number, machine.disk)
            found.i4_logs(machine.number, machine.disk)
            if count:
                self.trace.reach("evidence", machine.number, count)
        self.judge_two_bodies()
        for seats in found.accused.values():
            for seat in sorted(seats):
                self.trace.reach("convicted", seat)
        for machine in self._honest():
            self.trace.reach(f"honest: {machine.done or 'waits'}")
        self._judge_waiting()
        finished = [m for m in self._honest() if m.done is EndKind.FINISHED]
        logs = {m.number: m.own_log()[0] for m in finished}
        found.i4_verifiability(logs, Random(f"flips {self.mix.seed}"))

    def judge_two_bodies(self) -> None:
        if any(m.done is EndKind.STOPPED for m in self._honest()):  # it was over at once
            return
        out, undone = set[Seat](), set[tuple[int, int]]()
        for life in (m.life for m in self._honest() if m.life is not None):
            for peer in life.peers:
                seats = range(len(peer.genesis.players))
                out |= set(seats) - set(peer.ledger.game.state.seats_alive())
                done = itertools.chain(*peer.ledger.chain.closed)
                undone |= {(c.view, c.height) for c in done if isinstance(c, Certificate)}
        self.invariants.i3_two_bodies(out, self._end(), self._stopped_at(), undone)

    def _end(self) -> tuple[int, int] | None:
        """Behind the last gather of the game, if the honest have all ended it: a farewell from
        there or later that has stood in for nothing has been compared by nobody."""
        lives = [m.life for m in self._honest() if m.life and m.done is EndKind.FINISHED]
        ends = [peer.ledger for life in lives for peer in life.peers]
        places = [(ledger.view, ledger.chain.last_gather + 1) for ledger in ends]
        return max(places, default=None) if len(lives) == len(self._honest()) else None

    def _stopped_at(self) -> dict[int, tuple[int, int]]:
        """By machine: where the honest have stopped for the day. What they hold of the step there
        they show each other when they go on."""
        stopped = [m for m in self._honest() if m.life and m.done in STOPPED]
        return {m.number: p.ledger.place for m in stopped if m.life for p in m.life.peers}

    def _judge_waiting(self) -> None:
        """Everybody has come to an end, or waits for cheats of whom nothing is proven, and has
        been told so."""
        waiting = {m.number: m for m in self._honest() if m.done is None}
        for number, machine in list(waiting.items()):
            if self.mix.host_lies and not self.begun - self.mix.cheats.keys():
                self.trace.reach("a lobby that came to nothing", number)
                del waiting[number]
            elif self._is_shut_out(machine):
                self.trace.reach("shut out by a host that lies", number)
                del waiting[number]
            elif self._may_wait(machine):
                self.trace.reach("waits for unconvicted cheats", number)
                del waiting[number]
            elif any(m.done is EndKind.FINISHED for m in self._honest()):
                self.trace.reach("left behind", number)  # as in games without cheats
                del waiting[number]
        astray = [number for number, machine in waiting.items() if self._is_led_astray(machine)]
        if astray:  # the others wait for this player, who has a copy that could go on
            self.trace.reach(
                "excused: an older copy follows the other past of a cheat (E7)", *astray
            )
            waiting.clear()
        self.invariants.i5_liveness({n: state_of(m.life) for n, m in waiting.items()})

    def _is_led_astray(self, machine: Machine) -> bool:
        """Its files were older than what its seat had signed, and a cheat was the first to tell it
        of more: its line is not that of the others, who have closed a gather on theirs."""
        if machine.number not in self.invariants.with_copies or machine.life is None:
            return False
        others = [m.life for m in self._honest() if m is not machine and m.life is not None]
        return any(
            other.ledger.heads[: mine.ledger.height + 1] != mine.ledger.heads
            for mine in machine.life.peers
            for life in others
            for other in life.peers
            if other.ledger.chain.last_gather > mine.ledger.chain.last_gather
            and mine.ledger.height < len(other.ledger.heads)
        )

    def _is_shut_out(self, machine: Machine) -> bool:
        """The host has begun the game without this player, and no seat in it waits for them."""
        begun = [m for m in self._honest() if m.number in self.begun]
        if not self.mix.host_lies or not begun or OWN_KEY not in machine.disk.files:
            return False
        key = Signer(machine.disk.files[OWN_KEY]).key
        charters = [verified_once(m.own_log()[0]).players for m in begun]
        return all(key not in {player.key for player in players} for players in charters)

    def _may_wait(self, machine: Machine) -> bool:
        life = machine.life
        if life is None or not life.alive or not life.peers:
            return False
        peer, found = life.peers[0], self.invariants
        if not found.told.get(machine.number):
            return False
        if found.stops or any(m.done in STOPPED for m in self._honest()):
            return True
        voting = peer._voting
        pledge = voting.locks.find_standing_vote()
        if (
            pledge is not None and pledge[0].view < peer.ledger.view
        ):  # one that is out may be needed
            lacking = pledge[1] - set(voting.convicts)
            if any(not found.is_honest(seat) for seat in lacking):
                return True
        honest = {seat for seat in voting.intents.live_keepers() if found.is_honest(seat)}
        cheats = voting.intents.live_keepers() - honest
        honest -= {seat for seat in honest if self._is_away(self.machines[found.played_by[seat]])}
        unproven = cheats - set(voting.convicts) | self._unproven_elsewhere()
        if not honest:  # a majority of cheats has voted him out, and cannot go on either
            return True
        convicted = set(proofs_that_convict(peer.ledger, voting.convicts, peer.ledger.height))
        # Votes may have undone the place of an offence since: no vote can name its proof any more.
        alone = not is_majority(len(honest), len(honest | unproven | cheats - convicted))
        helped = len(cheats | set(voting.convicts)) > 1  # by one whose vote is needed
        return alone or (bool(unproven) and helped)

    def _unproven_elsewhere(self) -> set[Seat]:
        """Convicts by an entry that the game refuses, on a past that not all of the honest share:
        the others cannot judge it, and their votes are needed, too."""
        peers = [p for m in self._honest() if m.life is not None for p in m.life.peers]
        return {
            keeper
            for peer in peers
            for keeper, fault in peer._voting.convicts.items()
            for other in peers
            if len(fault.proof.bodies) == 1
            if other.ledger.heads[fault.height : fault.height + 1]
            != peer.ledger.heads[fault.height : fault.height + 1]
        }
