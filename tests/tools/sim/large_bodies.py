"""Tricks with bodies that are as large as their forms allow, or larger than any form, and with
seals that spoil the records of others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kotp2p.game.steps import Finished
from kotp2p.wire.chat_line import ChatLine
from kotp2p.wire.closings import Break, End, pack_seals
from kotp2p.wire.crypto import HASH_BYTES, Tag
from kotp2p.wire.encoding import MAX_FRAME_BYTES, MAX_INT, pack
from kotp2p.wire.entries import MAX_HEIGHT, MAX_VIEW, TAG_OF_KIND, Answering, BodyKind, Head, Signed
from kotp2p.wire.farewells import MAX_NAMED_ROUNDS, Farewell
from kotp2p.wire.frame_types import MAX_TEXT
from kotp2p.wire.frames import Frame
from kotp2p.wire.frames_game import PositionShown
from kotp2p.wire.intents import Intent, IntentKind
from kotp2p.wire.votes import MAX_PROOFS, MAX_ROUND
from referee.model.answers import Reroll, Seat
from tests.tools.sim.cheats import Mallory, Trick
from tests.tools.sim.forgeries import Sends, accused, drop, targets, to_all
from tests.tools.sim.proof_floods import largest_contradiction


def _answers(me: Mallory) -> tuple[Frame, ...]:
    """Two for one place, the second one behind the first."""
    one, other = (Answering(Reroll(tuple(range(n, n + 200)))) for n in range(2))
    return me.writes(one), me.writes(other)


def _farewell(me: Mallory) -> tuple[Frame, ...]:
    rounds = range(MAX_ROUND - MAX_NAMED_ROUNDS + 1, MAX_ROUND + 1)
    place = (MAX_VIEW, MAX_HEIGHT)
    return (Farewell.sign(me.signer, me.genesis.id, me.seat, *place, rounds).signed,)


def _votes(me: Mallory) -> tuple[Frame, ...]:
    """In the last round, with as many proofs as a vote may name."""
    proofs = sorted((largest_contradiction(me) for _ in range(MAX_PROOFS)), key=lambda p: p.id)
    named = tuple(proof.id for proof in proofs)
    votes = [drop(me, seats, MAX_ROUND, named) for seats in targets(me)]
    return (*(proof.signed for proof in proofs), *votes)


def _words(me: Mallory) -> tuple[Frame, ...]:
    game, all_seats = me.genesis.id, tuple(range(5))
    far = (MAX_VIEW, MAX_HEIGHT)
    line = ChatLine.sign(me.signer, game, me.seat, MAX_INT, "\U0001f47e" * MAX_TEXT)
    word = Intent.sign(me.signer, game, me.seat, MAX_INT, IntentKind.DROP, far, all_seats)
    head = Head(me.seat, *far, bytes(HASH_BYTES)).sign(me.signer, game)
    return line.signed, word.signed, head, PositionShown(me.ledger.height, (MAX_INT,) * 4096)


def _closings(me: Mallory) -> tuple[Frame, ...]:
    game, everybody = me.genesis.id, tuple(range(len(me.genesis.players)))
    end = End(MAX_HEIGHT, bytes(HASH_BYTES), everybody, bytes(HASH_BYTES))
    stop = Break(MAX_VIEW, MAX_HEIGHT, bytes(HASH_BYTES), tuple(me.others))
    return tuple(_sealed(me, closing.body(game)) for closing in (end, stop))


def _sealed(me: Mallory, body: bytes) -> Signed:
    return Signed(BodyKind.CLOSE, body, pack_seals({me.seat: me.signer.sign(Tag.CLOSE, body)}))


def _shapeless(me: Mallory) -> tuple[Frame, ...]:
    """Rightly signed, of no form, and as long as a frame may be."""
    kind = me.chance.choice([kind for kind in TAG_OF_KIND if kind is not BodyKind.GENESIS])
    body = pack(bytes(MAX_FRAME_BYTES - 200))
    return (Signed(kind, body, me.signer.sign(TAG_OF_KIND[kind], body)),)


MAKERS: tuple[Callable[[Mallory], tuple[Frame, ...]], ...] = (
    _answers, _farewell, _votes, _words, _closings, _shapeless,
)  # fmt: skip


class LargestBodies(Trick):
    name = "bodies of the greatest size"

    def add(self, me: Mallory) -> Sends:
        if isinstance(me.ledger.step, Finished):
            return ()
        return to_all(me, *me.chance.choice(MAKERS)(me))


@dataclass
class SealsItsAbsence(Trick):
    """Seals a break that names itself absent, and says nothing any more."""

    name: str = "seals a break without itself"
    silent: bool = False

    def add(self, me: Mallory) -> Sends:
        ledger = me.ledger
        if self.silent or me.seat not in ledger.owing_seats():
            return ()
        stop = Break(ledger.view, ledger.height, ledger.head, accused(me, me.seat))
        self.silent = True
        return to_all(me, _sealed(me, stop.body(me.genesis.id)))

    def lie(self, me: Mallory, entry: object) -> Callable[[Seat], tuple[Frame, ...]] | None:
        """Also the entry that it owes there is told to nobody."""
        return (lambda seat: ()) if self.silent else None

    def frame(self, me: Mallory, seat: Seat, frame: Frame) -> tuple[Frame, ...]:
        return () if self.silent else (frame,)
