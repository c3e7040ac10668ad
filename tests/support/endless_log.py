"""A log of very many turns. Both seats are of one person, and what they seal is chosen until nobody
rolls claws or three of a kind. Tokyo gives energy in place of points, so nobody wins, and every
rule is kept."""

from collections import Counter
from random import Random

from kotp2p.extras.recording import record_log
from kotp2p.game.chain import Chain
from kotp2p.game.steps import Gather, Solo
from kotp2p.referee.model.answers import Done, Face, Hearts, Seat, Stop
from kotp2p.referee.model.decisions import Chance, Over
from kotp2p.wire.crypto import WINDOW, Stream, commitment, contribution
from kotp2p.wire.entries import Answering, Entry, Opening
from kotp2p.wire.records import canonical_log
from tests.support.five_players import SEEDS, SIGNERS, genesis_of
from tests.support.log_bytes import offsets

SEATS = 2
Opened = dict[tuple[Stream, Seat, int], bytes]


class _Liar:
    """Holds both seats, and goes back to seal something else until nothing happens."""

    def __init__(self, seed: int) -> None:
        genesis = genesis_of(SEATS, two_player=True)
        self.chain = Chain(genesis)
        self._random = Random(seed)
        table = genesis.charter.table
        self._opened: Opened = {
            (stream, seat, slot): contribution(SEEDS[seat], table, stream, slot)
            for stream in Stream
            for seat in range(SEATS)
            for slot in range(WINDOW[stream])
        }

    def play_on(self) -> None:
        """To the next gather of a roll that changes nothing. Both seats seal anew until then."""
        while True:
            self._keep_last_snapshots()
            chain = _copied(self.chain)
            opened = dict(self._opened)
            self._gather(chain, opened)
            while isinstance(chain.step, Solo):
                self._answer(chain, chain.step.seat)
            if not isinstance(chain.game.pending, Over) and self._is_harmless(chain, opened):
                self.chain, self._opened = chain, opened
                return

    def _keep_last_snapshots(self) -> None:
        """It never goes back further than a turn."""
        self.chain.snapshots.distance = 1
        del self.chain.snapshots.kept[1:-2]

    def _is_harmless(self, chain: Chain, opened: Opened) -> bool:
        """Whether the next gather may come: a roll without claws and without three of a kind."""
        if chain.game.state.turn == 0:
            return True
        there = _copied(chain)
        self._gather(there, dict(opened))
        count = Counter(there.game.state.dice)
        numbers = max(count[face] for face in (Face.ONE, Face.TWO, Face.THREE))
        return count[Face.CLAW] == 0 and numbers < 3

    def _gather(self, chain: Chain, opened: Opened) -> None:
        step, position = chain.step, None
        assert isinstance(step, Gather)
        if chain.feed.position_due:
            position = chain.feed.position_digest()
        for seat in step.contributors:
            seals = []
            plan, window = step.plan, WINDOW[step.plan.stream]
            fresh = range(plan.first, plan.first + plan.fresh)
            for slot in fresh:
                c = self._random.randbytes(32)
                opened[plan.stream, seat, slot + window] = c
                table = chain.genesis.charter.table
                seals.append(commitment(table, plan.stream, seat, slot + window, c))
            parts = tuple(opened[plan.stream, seat, slot] for slot in fresh)
            opening = Opening(parts, tuple(seals), None, position)
            self._sign(chain, seat, opening)

    def _answer(self, chain: Chain, seat: Seat) -> None:
        decision = chain.game.pending
        assert not isinstance(decision, Chance | Over)
        quiet = (Stop(), Done(), Hearts(), decision.default)
        self._sign(chain, seat, Answering(next(a for a in quiet if decision.is_legal(a))))

    @staticmethod
    def _sign(chain: Chain, seat: Seat, load: Opening | Answering) -> None:
        place = chain.attempt, chain.height, chain.head
        chain.accept_entry(Entry.sign(SIGNERS[seat], *place, seat, load))


def _copied(chain: Chain) -> Chain:
    """As `kotp2p.game.chain` does it. Nobody leaves here, so that no step is looked at one by one,
    and a turn costs nearly the same after thousands of others."""
    snapshot = chain.snapshots.last_before(chain.height)
    copied = Chain(chain.genesis)
    copied.restore(chain, snapshot)
    copied.snapshots = chain.snapshots.fork_until(chain.height)
    while copied.height < chain.height:
        copied.close_again(chain.closed[copied.height])
    return copied


def endless_log(turns: int, seed: int = 1) -> bytes:
    liar = _Liar(seed)
    while liar.chain.turns < turns:
        liar.play_on()
    genesis = liar.chain.genesis
    return canonical_log(genesis.id, (genesis.signed, *liar.chain.bodies_since(0)))


def up_to_turn(data: bytes, turn: int) -> bytes:
    """The log of the same game as it was when that turn had begun."""
    recording = record_log(data).recording
    assert recording is not None
    moment = recording.find_turn(turn)
    assert moment is not None  # the game has come to that turn
    return data[: [*offsets(data), len(data)][recording.moments[moment].record + 1]]
