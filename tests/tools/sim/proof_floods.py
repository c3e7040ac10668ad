"""Tricks with votes and the proofs that they name: huge and many proofs, unknown and late ones, and
votes about heights that their view never had."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from kotp2p.wire.commitments import Stream
from kotp2p.wire.crypto import HASH_BYTES
from kotp2p.wire.encoding import MAX_INT, BadBytes
from kotp2p.wire.entries import (
    MAX_FRESH_SLOTS,
    MAX_HEIGHT,
    MAX_VIEW,
    Answering,
    BodyKind,
    Entry,
    Opening,
    Signed,
)
from kotp2p.wire.frames import Frame
from kotp2p.wire.proofs import CheatProof
from kotp2p.wire.votes import MAX_PROOFS, Vote, VoteChoice
from referee.model.answers import Reroll, Seat
from tests.tools.sim.cheats import Mallory, Trick
from tests.tools.sim.forgeries import Sends, accused, drop, targets, to_all

MANY = 200
"""Proofs in one flood."""


def largest_contradiction(me: Mallory) -> CheatProof:
    """Two openings of the greatest size, for a place that no game reaches."""
    return CheatProof(tuple(_large_opening(me) for _ in range(2)))


def _large_opening(me: Mallory) -> Signed:
    parts, next_ones = (
        tuple(me.chance.randbytes(HASH_BYTES) for _ in range(MAX_FRESH_SLOTS)) for _ in range(2)
    )
    last = bytes(HASH_BYTES)
    load = Opening(Stream.CARDS, MAX_INT, parts, next_ones, last, last)
    place = me.genesis.id, MAX_VIEW, MAX_HEIGHT, last
    return Entry.sign(me.signer, *place, me.seat, load).signed


def offence(me: Mallory) -> CheatProof:
    """An answer that the game refuses, at some height of this game."""
    height = me.chance.randint(0, me.ledger.height)
    return CheatProof((me.writes(Answering(Reroll((0, 200 + height))), height=height),))


def forged(me: Mallory) -> CheatProof:
    """About a place of the past or one to come; its signature is none."""
    height = max(0, me.ledger.height + me.chance.randint(-3, 8))
    true = me.writes(Answering(Reroll((0,))), height=height)
    return CheatProof((Signed(true.kind, true.body, bytes(64)),))


def proofs_against(me: Mallory, seats: tuple[Seat, ...]) -> list[bytes]:
    """Ids of proofs against a seat that this one has heard."""
    found = set()
    for frame in me.heard:
        if isinstance(frame, Signed) and frame.kind is BodyKind.CHEAT_PROOF:
            with suppress(BadBytes):  # other cheats send it all kinds of bytes
                proof = CheatProof.parse(frame)
                last = proof.bodies[-1]
                if last.kind is BodyKind.PLAY and Entry.parse(last).seat in seats:
                    found.add(proof.id)
    return sorted(found)


class ManyProofs(Trick):
    """Hundreds of huge proofs against itself, and votes of its accomplices that name a few."""

    name = "huge and many proofs"

    def add(self, me: Mallory) -> Sends:
        makers = (largest_contradiction, offence, forged)
        weights = me.chance.choice(((1, 0, 0), (4, 4, 1), (0, 1, 0)))
        made = (me.chance.choices(makers, weights)[0](me) for _ in range(MANY))
        frames: list[Frame] = [proof.signed for proof in made]
        for seats in targets(me):
            ids = proofs_against(me, seats)
            if ids:
                some = me.chance.sample(ids, min(len(ids), me.chance.randint(1, MAX_PROOFS)))
                frames.append(drop(me, seats, me.chance.randint(1, 20), tuple(some)))
        me.chance.shuffle(frames)
        return [(seat, frame) for seat in me.some() for frame in frames]


class UnknownProofs(Trick):
    """Votes that name proofs which never come, with some that are known among them."""

    name = "votes that name unknown proofs"

    def add(self, me: Mallory) -> Sends:
        found = targets(me)
        if not found:
            return ()
        seats, frames = me.chance.choice(found), []
        known = proofs_against(me, seats)
        for round_ in range(1, me.chance.choice((2, 6, 70))):
            count = me.chance.randint(1, MAX_PROOFS)
            ids = [me.chance.randbytes(HASH_BYTES) for _ in range(count)]
            if known and me.chance.random() < 0.5:
                ids[0] = me.chance.choice(known)
            choice = 0 if me.chance.random() < 0.1 else round_
            frames.append(drop(me, seats, choice, tuple(ids)))
        return [(seat, frame) for seat in me.some() for frame in frames]


class BelowItsView(Trick):
    """Votes of this view or of the one before about a height at which another view stood. So seats
    that a certificate has put out would come back, if all that cheat vote so."""

    name = "votes below their view"

    def add(self, me: Mallory) -> Sends:
        ledger, former = me.ledger, me.ledger.former
        if former is None:
            return ()
        view, begin, round_ = ledger.view, ledger.tally.begins_at, 1
        if former.tally.begins_at and me.chance.random() < 0.7:
            view, begin = former.tally.view, former.tally.begins_at
            round_ = former.certificate.round + 1
        victims = [seat for seat in me.others if seat not in me.script.gang()]
        seats = accused(me, min(victims)) if victims else ()
        if not seats or me.seat in seats:
            return ()
        frames = []
        for height in range(max(0, begin - 4), begin):
            some = me.chance.choice(((), tuple(proofs_against(me, seats)[:MAX_PROOFS])))
            frames.append(
                Vote.sign(
                    me.signer, me.genesis.id, (view, height), ledger.heads[height], me.seat,
                    VoteChoice.DROP, seats, round_, some,
                ).signed
            )  # fmt: skip
            round_ += 1
        return to_all(me, *frames)


@dataclass
class LateProofs(Trick):
    """Every proof that its peer tells comes behind the votes that name it, or never."""

    name: str = "proofs after their votes"
    kept: list[tuple[Seat, Frame]] = field(default_factory=list)

    def frame(self, me: Mallory, seat: Seat, frame: Frame) -> tuple[Frame, ...]:
        if isinstance(frame, Signed) and frame.kind is BodyKind.CHEAT_PROOF:
            self.kept.append((seat, frame))
            return ()
        return (frame,)

    def add(self, me: Mallory) -> Iterable[tuple[Seat, Frame]]:
        late, self.kept = self.kept, []
        return late
