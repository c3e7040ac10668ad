"""Five whole peers wired to each other without a network, some of them with a hostile player.

Every frame goes through its bytes, so that one which no link carries is an error here, too. A
hostile seat has an unmodified peer, and the test sends in its name what else it likes.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence

from kotp2p.game.ledger import Ledger
from kotp2p.game.verify import Replay, Report, Result, examine_evidence, verify_log
from kotp2p.mesh import gossip
from kotp2p.peer.peer import Peer
from kotp2p.referee.model.answers import Seat
from kotp2p.seams.notices import Cheated, Notice
from kotp2p.wire.entries import Signed
from kotp2p.wire.frames import Frame, decode, encode
from tests.support.five_players import PEOPLE, SEEDS, SIGNERS, genesis
from tests.support.hearing import hear_frame
from tests.support.scribe import written

Tamper = Callable[[Seat, Frame], Iterable[Frame]]
"""Of a seat and a frame for it: what the seat is sent instead."""


def replayed(log: Iterable[Signed]) -> Ledger:
    replay = Replay(genesis().id)
    for signed in log:
        replay.add_record(signed)
    assert replay.ledger is not None
    return replay.ledger


class WiredPeers:
    """All seats are linked to each other. A link that a peer closes is made again at once."""

    def __init__(self, *hostile: Seat, logs: Sequence[list[Signed]] = ()) -> None:
        """`logs`: of an earlier day, by seat, from which all of them go on."""
        self.hostile = set(hostile)
        self.honest = [seat for seat in range(PEOPLE) if seat not in hostile]
        self.now = 100.0
        self.records: list[list[Signed]] = [[*log] for log in logs] or [[] for _ in range(PEOPLE)]
        self.peers = [
            Peer(genesis(), seat, SIGNERS[seat], SEEDS[seat], replayed(log) if log else None)
            for seat, log in enumerate(self.records)
        ]
        self.evidence: list[set[Seat]] = [set() for _ in range(PEOPLE)]
        self.accused: list[set[Seat]] = [set() for _ in range(PEOPLE)]
        self.closed: list[tuple[Seat, Seat]] = []
        """Who has closed a link, and whose."""
        self.ended: set[Seat] = set()
        self.asked: dict[Seat, gossip.AskDecision] = {}
        self.silent: set[Seat] = set()
        """Hostile seats whose players answer no question."""
        self.tamper: dict[Seat, Tamper] = {}
        """What hostile seats make of the frames that their peers send."""
        self.shown: list[list[Notice]] = [[] for _ in range(PEOPLE)]
        self._queue: deque[tuple[Seat, Seat, bytes]] = deque()
        self._cut: set[tuple[Seat, Seat]] = set()
        self._unplugged: set[Seat] = set()
        for seat, peer in enumerate(self.peers):
            peer.begin(self.now)
            self.perform(seat)
        for seat, peer in enumerate(self.peers):
            for other in range(PEOPLE):
                if other != seat:
                    peer.link_up(other, self.now)
            self.perform(seat)

    # -- what a test does --------------------------------------------------------------------

    def send(self, source: Seat, frames: Iterable[Frame], targets: Collection[Seat] = ()) -> None:
        """A hostile seat sends something to the honest ones, or to some of them."""
        for target in targets or self.honest:
            for frame in frames:
                self._queue.append((source, target, encode(frame)))

    def deliver(self) -> None:
        """All frames that are on the way, and those that follow from them."""
        while self._queue:
            source, target, data = self._queue.popleft()
            if (source, target) not in self._cut and not {source, target} & self._unplugged:
                frame = decode(data[4:])
                assert frame is not None
                hear_frame(self.peers[target], source, frame, self.now)
                self.perform(target)

    def answer(self) -> None:
        """Everybody who is asked answers, but the players of silent seats."""
        for seat, asked in [(s, a) for s, a in self.asked.items() if s not in self.silent]:
            del self.asked[seat]
            self.peers[seat].accept_answer(
                asked.place, asked.seat, asked.decision.default, self.now
            )
            self.perform(seat)

    def play(self, until: Callable[[], bool], seconds: int = 2000) -> None:
        """Time goes by and the game goes on, until something has happened."""
        for _ in range(seconds):
            self.deliver()
            if until():
                return
            self.answer()
            self.deliver()
            self._wait_a_second()
        raise AssertionError("it never comes")

    def play_on(self, heights: int) -> None:
        goal = self.heights()[0] + heights
        self.play(lambda: self.heights()[0] >= goal or self.ended >= {*self.honest})

    def wait(self, seconds: int) -> None:
        for _ in range(seconds):
            self.deliver()
            self._wait_a_second()
        self.deliver()

    def go_on(self, *seats: Seat) -> None:
        """These players, or all honest ones, let a bot play for those that are offered."""
        for seat in seats or self.honest:
            self.peers[seat].go_on(True, self.now)
            self.perform(seat)
        self.deliver()

    def offered(self, seat: Seat) -> tuple[Seat, ...]:
        """The keepers that the player of a seat is offered to go on without."""
        return self.peers[seat].absence.offered.seats

    def unplug(self, seat: Seat) -> None:
        """Nothing comes from a seat, or to it, any more."""
        self._unplugged.add(seat)

    def plug_in(self, seat: Seat) -> None:
        """All links of a seat are made again at the next tick."""
        self._unplugged.discard(seat)
        for other in {*range(PEOPLE)} - {seat}:
            self._drop_link(seat, other)

    def leave(self, seat: Seat) -> None:
        self.peers[seat].give_up(self.now)
        self.perform(seat)

    def _wait_a_second(self) -> None:
        self.now += 1.0
        for seat, peer in enumerate(self.peers):
            for other in sorted(o for s, o in self._cut if s == seat):
                peer.link_up(other, self.now)
            peer.tick(self.now)
            self.perform(seat)
        self._cut.clear()

    # -- what has come of it -----------------------------------------------------------------

    def heights(self) -> list[int]:
        return sorted(self.peers[seat].ledger.height for seat in self.honest)

    def alive(self) -> set[Seat]:
        """The seats that are in the game on the copies of all honest seats."""
        return set.union(*(set(self.peers[s].ledger.game.state.seats_alive()) for s in self.honest))

    def log(self, seat: Seat) -> bytes:
        return written(genesis().id, self.records[seat])

    def report(self, seat: Seat) -> Report:
        return verify_log(self.log(seat))

    def check_honest(self) -> None:
        """What holds for all honest seats whatever was sent to them."""
        for seat in self.honest:
            report = self.report(seat)
            assert report.result in (Result.SOUND, Result.UNFINISHED), report
            assert report.head == self.peers[seat].ledger.head
            assert self.accused[seat] <= self.hostile
        cut = {pair for pair in self.closed if not self.hostile & {*pair}}
        assert not cut, "two honest seats have lost their link"

    def members(self) -> set[Seat]:
        """The keepers that play on the copy of some honest seat."""
        return set.union(*(set(self.peers[s].ledger.roster.members) for s in self.honest))

    def check_convicted(self, *seats: Seat) -> None:
        """All honest seats were shown that these have cheated, and go on without them."""
        for seat in self.honest:
            assert self.accused[seat] >= {*seats}
        assert not self.alive() & {*seats}
        assert not self.members() & {*seats}

    # -- effects -----------------------------------------------------------------------------

    def perform(self, seat: Seat) -> None:
        for effect in self.peers[seat].take_effects():
            self._perform_one(seat, effect)

    def _perform_one(self, seat: Seat, effect: gossip.Effect) -> None:
        match effect:
            case gossip.SendFrame(seat=target, frame=frame):
                tamper = self.tamper.get(seat)
                for told in (frame,) if tamper is None else tamper(target, frame):
                    self._queue.append((seat, target, encode(told)))
            case gossip.AppendRecord(signed=signed):
                self.records[seat].append(signed)
            case gossip.ShowNotice(notice=Cheated(seat=cheat)):
                self.accused[seat].add(cheat)
            case gossip.KeepEvidence(seat=cheat, data=data):
                found = examine_evidence(data).cheat
                assert found is not None
                assert found.seat == cheat
                self.evidence[seat].add(cheat)
            case gossip.AskDecision():
                self.asked[seat] = effect
            case gossip.WithdrawQuestion():
                self.asked.pop(seat, None)
            case gossip.CloseLink(seat=other):
                self.closed.append((seat, other))
                self._drop_link(seat, other)
            case gossip.EndPeer():
                self.ended.add(seat)
            case gossip.ShowNotice(notice=notice):
                self.shown[seat].append(notice)

    def _drop_link(self, seat: Seat, other: Seat) -> None:
        self.peers[seat].link_down(other, self.now)
        self.peers[other].link_down(seat, self.now)
        self._cut |= {(seat, other), (other, seat)}
        self.perform(other)
