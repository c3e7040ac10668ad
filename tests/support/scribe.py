"""A table of which every byte is fixed, for vectors: known keys and seeds, no clock, no links.

A `Scribe` is all seats at once and writes down what they sign, in the order in which one of them
would have it. It signs what honest seats sign, and what it is told to sign instead.
"""

from collections.abc import Callable, Collection, Iterable
from typing import TypeAlias

from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Committing, Finished, Gather, Sharing, Solo
from kotp2p.lineup.plan import find_line_up
from kotp2p.lobby.start import Ceremony
from kotp2p.peer.bodies import Secrets
from kotp2p.referee.box.rulesets import Options
from kotp2p.referee.model.answers import Answer, Seat
from kotp2p.referee.model.decisions import Chance, Decision, Over
from kotp2p.wire.crypto import Signer, Tag
from kotp2p.wire.entries import Answering, Entry, Opening, Payload, Signed, Witness, pack_seals
from kotp2p.wire.genesis import Charter, Genesis, Player, table_id
from kotp2p.wire.lineups import Change, CheatProof, Leave, LineUp, Plan, Reason
from kotp2p.wire.records import SALT_BYTES, pack_head, pack_record
from tests.tools.vector_table import fill

NAMES = ("Ana", "Rex", "Otto", "Kim", "Lou", "Mia")
MONSTERS = ("Gigazaur", "The King", "Alienoid", "Meka Dragon", "Cyber Bunny", "Kraken")
Policy: TypeAlias = Callable[[Ledger, Decision], Answer]


class Scribe:
    def __init__(
        self,
        people: int,
        rules: str = "second",
        options: Options | None = None,
        number: int = 0,
        policy: Policy = lambda ledger, decision: decision.default,
        bots: int = 0,
        automatic: Collection[Seat] = (),
    ) -> None:
        """`number`: of the table; another one has other dice. `bots`: how many of the last seats
        are bots of the first one. `automatic`: the seats of guests for whom a bot answers."""
        self.signers = [Signer(fill(1 + n)) for n in range(people)]
        self.seeds = [fill(0x51 + n) for n in range(people)]
        self.policy = policy
        keepers = [n if n < people - bots else 0 for n in range(people)]
        keys = [signer.key for signer in self.signers]
        players = tuple(
            Player(NAMES[n], MONSTERS[n], keys[k], k, automatic=n in automatic or k != n)
            for n, k in enumerate(keepers)
        )
        fresh = number.to_bytes(32, "big")
        table = table_id(players, 0, fresh)
        charter = Charter(table, fresh, 1, rules, options or Options(), players, 0)
        own = sorted(set(keepers))
        rows = [Ceremony(charter, self.signers[n], self.seeds[n], fill(0x60 + n)).row for n in own]
        genesis = Genesis.build(charter, rows)
        seals = {n: self.signers[n].sign(Tag.GENESIS, genesis.body) for n in own}
        self.ledger = Ledger(Genesis.parse(genesis.body, pack_seals(seals)))
        self.game = genesis.id
        self.log = [self.ledger.genesis.signed]

    # -- what seats sign ---------------------------------------------------------------------

    def keeper(self, seat: Seat) -> Seat:
        keeper = self.ledger.chain.starts[-1].signer_of(seat)
        assert keeper is not None
        return keeper

    def hand(self, seat: Seat) -> Secrets:
        keeper = self.keeper(seat)
        return Secrets(self.ledger, keeper, self.signers[keeper], self.seeds[keeper])

    def load(self, seat: Seat) -> Payload:
        """What an honest `seat` says here."""
        hand, step = self.hand(seat), self.ledger.step
        match step:
            case Gather() | Committing() if seat in step.witnesses:
                return Witness()
            case Gather():
                return hand.make_opening(step)
            case Committing():
                return hand.make_rows()
            case Sharing():
                return hand.make_share(step)
            case Solo():
                pending = self.ledger.game.pending
                assert not isinstance(pending, Chance | Over)
                answer = self.policy(self.ledger, pending)
                return Answering(answer, hand.answer_secret(seat, answer))
            case Finished():
                return self.ledger.chain.build_end()

    def entry(self, seat: Seat, load: Payload | None = None) -> Entry:
        return self.hand(seat).sign_entry(seat, self.load(seat) if load is None else load)

    def leave(self, seat: Seat, attempt: int | None = None) -> Leave:
        here = self.ledger.attempt
        named = self.ledger.greatest_assent(seat) if attempt is None else attempt
        return Leave.sign(self.signers[seat], self.game, seat, here, max(here, named))

    def line_up(self, *changes: Change, attempt: int | None = None) -> LineUp:
        """The line-up of these changes, as an honest keeper finds it here."""
        plan: Plan = tuple(sorted(changes, key=lambda change: change.keeper))
        return find_line_up(self.ledger, plan, attempt or self.ledger.attempt + 1)

    def assents(self, lineup: LineUp, *keepers: Seat) -> Signed:
        """The line-up, signed by these keepers, or by all its members."""
        members = self.ledger.chains[lineup.predecessor].roster.members_after(lineup.plan)
        seals = {k: lineup.assent(self.signers[k]) for k in keepers or sorted(members)}
        return lineup.signed(seals)

    @property
    def place(self) -> tuple[int, int, bytes]:
        return (*self.ledger.place, self.ledger.head)

    # -- writing -----------------------------------------------------------------------------

    def take(self, *given: Entry | Leave | CheatProof | Signed) -> None:
        """`Signed`: a line-up with assents."""
        for one in given:
            match one:
                case Entry():
                    self.ledger.accept_entry(one)
                case Leave():
                    self.ledger.accept_leave(one)
                case CheatProof():
                    self.ledger.accept_proof(one)
                case Signed():
                    self.ledger.accept_line_up(one)
            self.log.append(one if isinstance(one, Signed) else one.signed)

    def change(self, *changes: Change, attempt: int | None = None) -> LineUp:
        lineup = self.line_up(*changes, attempt=attempt)
        self.take(self.assents(lineup))
        assert self.ledger.roster.lineup == lineup.id, "it has not begun"
        return lineup

    def lose(self, *keepers: Seat) -> LineUp:
        return self.change(*(Change(keeper, Reason.ABSENT) for keeper in keepers))

    def go(self, seat: Seat) -> LineUp:
        leave = self.leave(seat)
        self.take(leave)
        return self.change(Change(seat, Reason.LEFT), attempt=leave.attempt + 1)

    def step(self, silent: Collection[Seat] = ()) -> None:
        """All that owe something, but the `silent`, sign it."""
        for seat in self.ledger.owing_seats():
            if seat not in silent:
                self.take(self.entry(seat))

    def until(self, there: Callable[[Ledger], bool], most: int = 2000) -> None:
        while not there(self.ledger):
            assert self.ledger.height < most and self.ledger.owing_seats(), "it never comes"
            self.step()

    def finish(self, *seats: Seat) -> None:
        self.until(lambda ledger: isinstance(ledger.step, Finished))
        self.take(*(self.entry(seat) for seat in seats))

    def file(self, log: Iterable[Signed] | None = None) -> bytes:
        return written(self.game, self.log if log is None else log)


def written(game: bytes, log: Iterable[Signed]) -> bytes:
    return pack_head(game[:SALT_BYTES]) + b"".join(
        pack_record(game[:SALT_BYTES], i, s) for i, s in enumerate(log)
    )


def rolling(ledger: Ledger) -> bool:
    return isinstance(ledger.step, Solo) and ledger.game.pending.kind == "roll"  # type: ignore[union-attr]


def gathering(ledger: Ledger) -> bool:
    return isinstance(ledger.step, Gather) and ledger.height > 4


def opening_of(entry: Entry) -> Opening:
    assert isinstance(entry.payload, Opening)
    return entry.payload
