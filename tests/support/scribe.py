"""A table of which every byte is fixed, for vectors: known keys and seeds, no clock, no links.

A `Scribe` is all seats at once and writes down what they sign, in the order in which one of them
would have it. It signs what honest seats sign, and what it is told to sign instead.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import TypeAlias

from kotp2p.game.ledger import Ledger
from kotp2p.game.steps import Finished, Gather, Renewal, Sharing, Solo
from kotp2p.lobby.ceremony import Ceremony
from kotp2p.peer.secrets import Secrets
from kotp2p.wire.closings import Break, pack_seals
from kotp2p.wire.crypto import Signer, Tag
from kotp2p.wire.entries import Answering, BodyKind, Entry, Opening, Payload, Signed
from kotp2p.wire.farewells import Farewell
from kotp2p.wire.genesis import Charter, Genesis, Player, table_id
from kotp2p.wire.proofs import CheatProof
from kotp2p.wire.records import SALT_BYTES, pack_head, pack_record
from kotp2p.wire.votes import Vote, VoteChoice
from referee.box.setup import Options
from referee.model.answers import Answer, Seat
from referee.model.decisions import Chance, Decision, Over

NAMES = ("Ana", "Rex", "Otto", "Kim")
MONSTERS = ("Gigazaur", "The King", "Alienoid", "Meka Dragon")
Policy: TypeAlias = Callable[[Ledger, Decision], Answer]


def fill(byte: int, size: int = 32) -> bytes:
    return bytes((byte,)) * size


def first_answer(ledger: Ledger, decision: Decision) -> Answer:
    return decision.default


class Scribe:
    def __init__(
        self,
        people: int,
        rules: str = "second",
        options: Options | None = None,
        number: int = 0,
        policy: Policy = first_answer,
        bots: int = 0,
        automatic: Collection[Seat] = (),
    ) -> None:
        """`number`: of the table; another one has other dice. `bots`: how many of the last seats
        are bots of the first one. `automatic`: the seats of guests for whom a bot answers."""
        self.signers = [Signer(fill(1 + n)) for n in range(people)]
        self.seeds = [fill(0x51 + n) for n in range(people)]
        self.policy = policy
        players = tuple(
            Player(
                NAMES[n],
                MONSTERS[n],
                signer.key,
                bot=n >= people - bots,
                keeper=n * (n < people - bots),
                automatic=n in automatic,
            )
            for n, signer in enumerate(self.signers)
        )
        fresh = number.to_bytes(32, "big")
        table = table_id(players, 0, fresh)
        charter = Charter(table, fresh, rules, options or Options(), players, 0)
        rows = [
            Ceremony(charter, signer, seed, fill(0x60 + n)).row
            for n, (signer, seed) in enumerate(zip(self.signers, self.seeds, strict=True))
        ]
        genesis = Genesis.build(charter, rows)
        signatures = [s.sign(Tag.GENESIS, genesis.body) for s in self.signers]
        self.ledger = Ledger(Genesis.parse(genesis.body, signatures))
        self.game = genesis.id
        self.log = [Signed(BodyKind.GENESIS, genesis.body, b"".join(signatures))]

    # -- what seats sign ---------------------------------------------------------------------

    def hand(self, seat: Seat) -> Secrets:
        return Secrets(self.ledger, seat, self.signers[seat], self.seeds[seat])

    def load(self, seat: Seat) -> Payload:
        """What an honest `seat` says here."""
        hand, step = self.hand(seat), self.ledger.step
        match step:
            case Gather():
                return hand.make_opening(step)
            case Renewal():
                return hand.make_commits(step)
            case Sharing():
                return hand.make_share(step)
            case Solo():
                pending = self.ledger.game.pending
                assert not isinstance(pending, Chance | Over)
                answer = self.policy(self.ledger, pending)
                return Answering(answer, hand.answer_secret(answer))
            case Finished():
                raise AssertionError("nobody owes anything")

    def entry(self, seat: Seat, load: Payload | None = None) -> Entry:
        return self.hand(seat).sign_entry(self.load(seat) if load is None else load)

    def vote(
        self,
        seat: Seat,
        accused: tuple[Seat, ...],
        round_: int = 1,
        proofs: Iterable[CheatProof] = (),
        at: tuple[int, int, bytes] | None = None,
        choice: VoteChoice = VoteChoice.DROP,
    ) -> Vote:
        """`at`: view, height and head; here if none is given."""
        view, height, before = at or self.place
        place, named = (view, height), [proof.id for proof in proofs]
        key = self.signers[seat]
        return Vote.sign(key, self.game, place, before, seat, choice, accused, round_, named)

    def farewell(self, seat: Seat, later: int = 0) -> Farewell:
        (view, height), tally = self.ledger.place, self.ledger.tally
        rounds = [vote.round for vote in tally.votes_of(seat)]
        return Farewell.sign(self.signers[seat], self.game, seat, view, height + later, rounds)

    @property
    def place(self) -> tuple[int, int, bytes]:
        return (*self.ledger.place, self.ledger.head)

    # -- writing -----------------------------------------------------------------------------

    def take(self, *given: Entry | Farewell | Vote | CheatProof) -> None:
        for one in given:
            match one:
                case Entry():
                    self.ledger.accept_entry(one)
                case Farewell():
                    self.ledger.accept_farewell(one)
                case Vote():
                    self.ledger.accept_vote(one)
                case CheatProof():
                    self.ledger.accept_proof(one)
            self.log.append(one.signed)

    def step(self, silent: Collection[Seat] = ()) -> None:
        """All that owe something, but the `silent`, sign it."""
        for seat in self.ledger.owing_seats():
            if seat not in silent:
                self.take(self.entry(seat))

    def until(self, there: Callable[[Ledger], bool], most: int = 2000) -> None:
        while not there(self.ledger):
            assert self.ledger.height < most and self.ledger.owing_seats(), "it never comes"
            self.step()

    def sealed(self, body: bytes, seats: Iterable[Seat]) -> Signed:
        seals = {seat: self.signers[seat].sign(Tag.CLOSE, body) for seat in seats}
        return Signed(BodyKind.CLOSE, body, pack_seals(seals))

    def end(self, *seats: Seat) -> Signed:
        return self.sealed(self.ledger.chain.build_end().body(self.game), seats)

    def stop(self, seats: Iterable[Seat], absent: tuple[Seat, ...] = ()) -> Signed:
        return self.sealed(Break(*self.place, absent).body(self.game), seats)

    def finish(self, *seats: Seat) -> None:
        self.until(lambda ledger: isinstance(ledger.step, Finished))
        self.log.append(self.end(*seats))

    def file(self, log: Iterable[Signed] | None = None) -> bytes:
        return written(self.game, self.log if log is None else log)


def written(game: bytes, log: Iterable[Signed]) -> bytes:
    return pack_head(game[:SALT_BYTES]) + b"".join(
        pack_record(game[:SALT_BYTES], i, s) for i, s in enumerate(log)
    )


def rolling(ledger: Ledger) -> bool:
    """The first seat is asked what to do with its dice."""
    return isinstance(ledger.step, Solo) and ledger.game.pending.kind == "roll"  # type: ignore[union-attr]


def gathering(ledger: Ledger) -> bool:
    return isinstance(ledger.step, Gather) and ledger.height > 4


def opening_of(entry: Entry) -> Opening:
    assert isinstance(entry.payload, Opening)
    return entry.payload
